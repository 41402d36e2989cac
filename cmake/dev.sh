#!/bin/sh
# The developer's loop; CI runs `tidy`, then cmake/quickstart.sh test.
#
#   sh cmake/dev.sh             build (g++, Release) and test
#   sh cmake/dev.sh clang       the same with clang
#   sh cmake/dev.sh asan        g++, AddressSanitizer + UBSan
#   sh cmake/dev.sh asan-clang  clang, AddressSanitizer + UBSan + more checks,
#                               and 20,000 runs of each fuzzer
#   sh cmake/dev.sh tsan        g++, ThreadSanitizer
#   sh cmake/dev.sh tsan-clang  clang, ThreadSanitizer
#   sh cmake/dev.sh tidy        clang-tidy over the library and the tool
#   sh cmake/dev.sh format      clang-format in place
#   sh cmake/dev.sh bench       builds and runs the benchmarks
#   sh cmake/dev.sh fuzz [SECONDS]  each fuzzer for so long (default 60), one on
#                               each core; its corpus, its log and what it
#                               finds stay in build-asan-clang/tests/fuzz
#   sh cmake/dev.sh mutate      plants faults; a test has to fail for each
#
# Each has its own build folder, build-NAME.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc)
# Quick to build, with all debug checks. Split into words where it is used.
sanitized="-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1"

# Sanitizers are slow: fewer random graphs, and the corpus in one
# configuration only. ARENALITE_SKIP_TESTS leaves out other tests instead.
case "${1:-}" in
  asan* | tsan*)
    export ARENALITE_DIFFERENTIAL_GRAPHS=5000
    ctest_arguments="-E ${ARENALITE_SKIP_TESTS:-corpus_options_test}"
    ;;
esac

# fuzz_one FUZZER:SEEDS, as a script: prints how it ended.
fuzz_one='
  name=${1%:*}_fuzzer
  mkdir -p "corpus/$name" finds
  if "./$name" -max_total_time="$FUZZ_SECONDS" -timeout=60 \
    -rss_limit_mb=4096 -artifact_prefix="finds/$name-" -print_final_stats=1 \
    "corpus/$name" "seeds/${1#*:}" >"$name.log" 2>&1; then
    echo "$name: $(grep "^Done" "$name.log"), nothing found"
  else
    echo "$name: see $PWD/$name.log and $PWD/finds" >&2
    tail -n 40 "$name.log" >&2
    exit 1
  fi
'

# build_and_test NAME [cmake arguments...]
build_and_test() {
  dir=build-$1
  shift
  cmake -S . -B "$dir" -G Ninja "$@"
  cmake --build "$dir"
  # shellcheck disable=SC2086  # Words.
  ctest --test-dir "$dir" --output-on-failure -j "$jobs" ${ctest_arguments:-}
}

clang() {
  echo "-DCMAKE_CXX_COMPILER=$(command -v clang++-14 || command -v clang++)"
}

asan_clang() {
  echo "$(clang) $sanitized -DARENALITE_BUILD_FUZZERS=ON" \
    "-DARENALITE_SANITIZE=address,undefined,float-cast-overflow,implicit-integer-truncation"
}

sources() {
  git ls-files '*.h' '*.cc'
}

case "${1:-test}" in
  test) build_and_test gcc ;;
  clang) build_and_test clang "$(clang)" ;;
  asan)
    build_and_test asan $sanitized -DARENALITE_SANITIZE=address,undefined
    ;;
  asan-clang) build_and_test asan-clang $(asan_clang) ;;
  tsan) build_and_test tsan $sanitized -DARENALITE_SANITIZE=thread ;;
  tsan-clang)
    build_and_test tsan-clang "$(clang)" $sanitized -DARENALITE_SANITIZE=thread
    ;;
  tidy)
    cmake -S . -B build-tidy -G Ninja "$(clang)" \
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    cmake --build build-tidy --target arenalite_schemas
    git ls-files 'src/*.cc' | xargs -P "$jobs" -n 8 \
      "$(command -v clang-tidy-14 || command -v clang-tidy)" \
      -p build-tidy --quiet --warnings-as-errors='*'
    ;;
  format) sources | xargs clang-format -i ;;
  bench)
    cmake -S . -B build-bench -G Ninja -DARENALITE_BUILD_BENCHMARKS=ON \
      -DARENALITE_BUILD_TESTS=OFF
    cmake --build build-bench
    for program in build-bench/benchmarks/*_benchmark; do "$program"; done
    ;;
  fuzz)
    cmake -S . -B build-asan-clang -G Ninja $(asan_clang)
    cmake --build build-asan-clang --target tests/fuzz/all
    cd build-asan-clang/tests/fuzz
    export FUZZ_SECONDS="${2:-60}"
    printf '%s\n' load:model plan:model invoke:model csv:csv plan_file:plan |
      xargs -P "$jobs" -I '{}' sh -c "$fuzz_one" fuzz_one '{}'
    ;;
  mutate) sh cmake/mutation_test.sh ;;
  *)
    sed -n '2,/^set/p' "$0" | grep '^#' >&2
    exit 2
    ;;
esac
