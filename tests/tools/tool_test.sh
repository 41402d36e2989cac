#!/bin/sh
# The command on good and bad input. Usage: tool_test.sh ARENALITE SCRATCH_DIR
set -eu
tool=$1
dir=$2
rm -rf "$dir"
mkdir -p "$dir"
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# expect_ok TEXT ARGS...: exits with 0, and stdout has TEXT.
expect_ok() {
  text=$1
  shift
  if ! "$tool" "$@" >"$dir/out" 2>"$dir/err"; then
    fail "'$*' failed: $(cat "$dir/err")"
  elif ! grep -q -- "$text" "$dir/out"; then
    fail "'$*' does not print '$text'"
  fi
}

# expect_quiet ARGS...: exits with 0, and prints nothing to stdout.
expect_quiet() {
  if ! "$tool" "$@" >"$dir/out" 2>"$dir/err"; then
    fail "'$*' failed: $(cat "$dir/err")"
  elif [ -s "$dir/out" ]; then
    fail "'$*' prints to stdout"
  fi
}

# expect_error TEXT ARGS...: exits with another code and one line on stderr
# that has TEXT, and writes nothing to stdout.
expect_error() {
  text=$1
  shift
  if "$tool" "$@" >"$dir/out" 2>"$dir/err"; then
    fail "'$*' succeeded"
  elif ! grep -q -- "$text" "$dir/err"; then
    fail "'$*' says '$(cat "$dir/err")', not '$text'"
  elif [ "$(wc -l <"$dir/err")" -ne 1 ]; then
    fail "'$*' says more than one line: $(cat "$dir/err")"
  elif [ -s "$dir/out" ]; then
    fail "'$*' fails, but prints to stdout"
  fi
}

expect_ok "Examples" --help
expect_ok "arenalite [0-9]" --version
for command in bench diff explain plan run verify zoo; do
  expect_ok "Usage" "$command" --help
  expect_ok "arenalite [0-9]" "$command" --version
done

model=$dir/m.tflite
"$tool" zoo ds_cnn --int8 -o "$model" 2>/dev/null
expect_ok "lower bound" plan "$model"
expect_ok "output 0 'softmax" run "$model" --output-dir "$dir/outputs"
expect_ok "invoke" bench "$model" --num-runs 2 --min-secs 0 --warmup_min_secs 0
expect_ok "CONV_2D" bench "$model" --num_runs 2 --min_secs 0 --ops
expect_ok "arenalite.bench" bench "$model" --num-runs 2 --min-secs 0 --json
expect_error "not in range" bench "$model" --num-runs 0
expect_ok "bit for bit: [1-9]" run "$model" --compare-no-sharing
[ -s "$dir/outputs/output_0.bin" ] || fail "run wrote no output"
cp "$dir/outputs/output_0.bin" "$dir/first.bin"
expect_ok "output 0" run "$model" --output-dir "$dir/outputs" \
  --preserve-all-tensors --poison
cmp -s "$dir/first.bin" "$dir/outputs/output_0.bin" ||
  fail "sharing memory changes the output"

expect_ok "planned" plan "$model" --save-plan "$dir/m.plan"
expect_ok "output 0" run "$model" --plan-file "$dir/m.plan" \
  --output-dir "$dir/outputs"
cmp -s "$dir/first.bin" "$dir/outputs/output_0.bin" ||
  fail "a saved plan changes the output"
expect_error "requests" run "$model" --plan-file "$dir/m.plan" --no-overlap

expect_ok "would save" plan "$model"
expect_ok "lower bound" plan "$model" --budget 1MiB
expect_error "over the budget of 4096; the peak is step" \
  plan "$model" --budget 4K
expect_ok "(kept)" plan "$model" --keep 3
expect_error "is out of range" plan "$model" --keep 9999
"$tool" plan "$model" --no-such-flag 2>/dev/null && fail "a wrong flag is taken"
"$tool" plan "$model" --no-such-flag 2>/dev/null || [ $? -eq 2 ] ||
  fail "a wrong flag does not give exit code 2"
"$tool" plan "$model" --budget 1 2>/dev/null || [ $? -eq 1 ] ||
  fail "an exceeded budget does not give exit code 1"
expect_error "is no size" plan "$model" --budget 4Q
expect_ok "written by" explain "$model" --tensor 0
expect_ok "arenalite.explain" explain "$model" --tensor 0 --format json
expect_error "no tensor is named 'nobody'" explain "$model" --tensor nobody
expect_error "has no tensor 9999" explain "$model" --tensor 9999
expect_error "tensor is required" explain "$model"
expect_ok "arena_bytes" diff "$model" --b-alignment 1
expect_ok "0 tensors differ" diff "$model" "$model"
expect_ok "arenalite.diff" diff "$model" --b-no-overlap --format json
expect_ok "arena_bytes" diff "$model" "$model" --max-growth 0
expect_error "the arena grew from" diff "$model" --b-no-overlap --max-growth 1%
expect_error "is no growth" diff "$model" --max-growth x%
expect_error "No such file" diff "$model" "$dir/missing.tflite"
expect_error "not in" diff "$model" --format xml

expect_error "No such file" run "$dir/missing.tflite"
expect_error "directory" run "$dir"
head -c 3000 "$model" >"$dir/short.tflite"
expect_error "short.tflite" run "$dir/short.tflite"
printf 'hello, this is no model' >"$dir/text.tflite"
expect_error "not a model" run "$dir/text.tflite"
: >"$dir/empty.tflite"
expect_error "empty.tflite" run "$dir/empty.tflite"
expect_error "takes 490 bytes" run "$model" --input "0=$dir/text.tflite"
expect_error "names input 7" run "$model" --input "7=$dir/text.tflite"
expect_error "form i=VALUE" run "$model" --input "$dir/text.tflite"
expect_error "form i=1x224" run "$model" --shape 0=1xbx3
expect_error "no zoo model" zoo no_such_net -o "$dir/x.tflite"
expect_error "alignment is 3" plan "$model" --alignment 3

# Reports go to stdout or to the file, in the format that its ending says.
for format in json csv html svg; do
  expect_ok "features" plan "$model" --format "$format"
  cp "$dir/out" "$dir/stdout.$format"
  expect_quiet plan "$model" -o "$dir/report.$format"
  cmp -s "$dir/stdout.$format" "$dir/report.$format" ||
    fail "-o report.$format is no $format"
done
expect_quiet plan "$model" -o "$dir/any.thing" --format csv
cmp -s "$dir/stdout.csv" "$dir/any.thing" || fail "--format csv is ignored"
expect_error "say --format" plan "$model" -o "$dir/m.plan"
expect_error "not in {table,json" plan "$model" --format png

cat >"$dir/p.csv" <<'CSV'
id,lower,upper,size
a,0,2,6
b,1,3,4
c,2,4,6
CSV
expect_ok "proven optimal" plan "$dir/p.csv" --strategy exhaustive -o "$dir/o.csv"
expect_ok "valid: 3 buffers in 10 bytes" verify "$dir/o.csv"
expect_ok "id,lower,upper,size,offset" plan "$dir/p.csv" --format csv
cmp -s "$dir/out" "$dir/o.csv" || fail "a problem's CSV differs"
expect_error "no format 'html'" plan "$dir/p.csv" --format html
expect_error "of a model" plan "$dir/p.csv" --save-plan "$dir/p.plan"
expect_error "1 more than the capacity of 9; no plan fits.*live at step" \
  plan "$dir/p.csv" --capacity 9
expect_error "no offset" verify "$dir/p.csv"
printf 'id,lower,upper,size,offset\na,0,2,6,0\nb,1,3,4,5\n' >"$dir/bad.csv"
expect_error "bad.csv" verify "$dir/bad.csv"
printf 'id,lower,upper,size\na,0,2,-6\n' >"$dir/neg.csv"
expect_error "line 2" plan "$dir/neg.csv"

[ "$failures" -eq 0 ] || exit 1
echo "all good"
