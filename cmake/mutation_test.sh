#!/bin/sh
# Are the tests of lifetimes, memory and plans sharp? Plants one fault after the
# other in a copy of the sources, and wants a test to fail for each.
#
#   sh cmake/mutation_test.sh [BUILD_DIR]     (default: build-mutate)
set -eu
cd "$(dirname "$0")/.."
mkdir -p "${1:-build-mutate}"
dir=$(cd "${1:-build-mutate}" && pwd)
tree=$dir/tree
targets="lifetimes_test simple_memory_arena_test check_plan_test plan_file_test
  plan_memory_test planner_properties_test exhaustive_test"
missed=0

main() {
  rm -rf "$dir"
  mkdir -p "$tree"
  git ls-files -co --exclude-standard | tar -cf - -T - | tar -xmf - -C "$tree"
  cmake -S "$tree" -B "$dir/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DARENALITE_BUILD_TESTS=ON -DARENALITE_BUILD_TOOLS=OFF \
    -DARENALITE_WERROR=OFF >"$dir/log"
  # shellcheck disable=SC2086  # Words.
  build $targets || die "the sources do not build"
  for target in $targets; do
    passes "$target" || die "$target fails without a fault"
  done
  plant_all
  [ "$missed" -eq 0 ] || die "$missed faults were not noticed"
  echo "every fault was noticed"
}

# fault WHAT TARGET FILE SED: TARGET has to fail when SED has changed FILE.
plant_all() {
  fault "a live interval is one step short" lifetimes_test \
    src/lifetime/lifetimes.cc \
    's/max(request.last_step, step)/max(request.last_step, step - 1)/'
  fault "graph outputs are not pinned" lifetimes_test \
    src/lifetime/lifetimes.cc \
    's/if (tensor.is_output || tensor.kept) Touch/if (tensor.kept) Touch/'
  fault "graph inputs are reused unasked" lifetimes_test \
    src/lifetime/lifetimes.cc \
    's/tensor.is_input \&\& !options_.allow_input_reuse/false/'
  fault "an input that is read again is overwritten" lifetimes_test \
    src/lifetime/lifetimes.cc \
    's/written.first_step != step || read.last_step != step/written.first_step != step/'
  fault "an allowed overlap is a byte too large" lifetimes_test \
    src/lifetime/lifetimes.cc \
    's/CheckedAdd(written.size, /CheckedAdd(written.size + 1, /'
  fault "the most lenient member of a storage decides" lifetimes_test \
    src/lifetime/lifetimes.cc \
    's/all.bytes = std::min(/all.bytes = std::max(/'
  fault "one pair of two storages claims for all" lifetimes_test \
    src/lifetime/lifetimes.cc \
    's/if (claimed == pairs)/if (claimed > 0)/'
  fault "a storage forgets what is known of a member" lifetimes_test \
    src/lifetime/storages.cc \
    's/^ *both.Merge(.*$//'
  fault "a graph input and an output share a storage" lifetimes_test \
    src/lifetime/storages.cc \
    's/if ((a.input || b.input) .*return false;//'
  fault "a gap of the arena ignores the alignment" simple_memory_arena_test \
    src/memory/simple_memory_arena.cc \
    's/start = AlignUp(end, alignment)/start = end/'
  fault "a gap of a plan ignores the alignment" plan_memory_test \
    src/plan/placer.cc \
    's/offset = AlignUp(blocked_\[k\].high, alignment)/offset = blocked_[k].high/'
  fault "an overlap is used by a byte too much" planner_properties_test \
    src/plan/placer.cc \
    's/: partners\[at - 1\].below;/: partners[at - 1].below - 1;/'
  fault "the lower bound ignores overlaps" planner_properties_test \
    src/plan/lower_bound.cc \
    's/sums_\[shared\[begin\].section\] -=/sums_[shared[begin].section] -= 0 */'
  fault "the lower bound knows one side of an overlap" planner_properties_test \
    src/plan/lower_bound.cc \
    's/charge.head + charge.tail/std::max(charge.head, charge.tail)/'
  fault "the lower bound forgets what rounding added" planner_properties_test \
    src/plan/lower_bound.cc \
    's/^ *best.bytes -= LargestRounding.*$//'
  fault "a search that proves nothing raises the bound" exhaustive_test \
    src/plan/exhaustive.cc \
    's/else if (by_pairs || !dips)/else/'
  fault "an item that shares bytes is settled at the bottom" exhaustive_test \
    src/plan/pair_reduction.cc \
    's/ || !model_->shares(i).empty()//'
  fault "an item with one offset too few counts as easy" exhaustive_test \
    src/plan/pair_reduction.cc \
    's/return free > 0;/return free >= 0;/'
  fault "a decision is not blamed" exhaustive_test \
    src/plan/pair_search.cc \
    's/for (int32_t cause : event.causes) Mark(cause);/Mark(event.causes[0]);/'
  fault "CheckPlan lets an overlap be a byte too large" check_plan_test \
    src/plan/check_plan.cc \
    's/if (end - overlap.bytes <= /if (end - overlap.bytes - 1 <= /'
  fault "CheckPlan is not called for a loaded plan" plan_file_test \
    src/plan_file/plan_file.cc \
    's/CheckPlan(requests, overlaps, plan)/OkStatus()/'
}

fault() {
  what=$1 target=$2 file=$3
  cp "$tree/$file" "$dir/original"
  sed "$4" "$dir/original" >"$tree/$file"
  ! cmp -s "$dir/original" "$tree/$file" ||
    die "the fault '$what' changes nothing in $file"
  build "$target" || die "the fault '$what' does not build, see $dir/log"
  if passes "$target"; then
    missed=$((missed + 1))
    echo "MISSED   $what: $target passes"
  else
    echo "noticed  $what"
  fi
  cp "$dir/original" "$tree/$file"
}

build() {
  cmake --build "$dir/build" --target "$@" >"$dir/log" 2>&1
}

passes() {
  program=$(find "$dir/build/tests" -name "$1" -type f)
  timeout 300 "$program" --gtest_brief=1 --gtest_fail_fast >"$dir/log" 2>&1
}

die() {
  echo "mutation_test: $*" >&2
  exit 1
}

main
