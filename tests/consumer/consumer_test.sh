#!/bin/sh
# Builds and runs a user's project, once with the library's source folder and
# once with the installed package; checks that README.md shows its program.
# Usage: consumer_test.sh SOURCE BUILD SCRATCH ARENALITE CXX
set -eu
source=$1
build=$2
scratch=$3
tool=$4
export CXX=$5
here=$source/tests/consumer

awk '/^```cpp/ && !seen { on = 1; seen = 1; next } /^```/ { on = 0 } on' \
  "$source/README.md" | diff - "$here/main.cc" ||
  { echo "README.md and tests/consumer/main.cc differ"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch"
"$tool" zoo sine -o "$scratch/sine.tflite"
"$tool" zoo mobilenet_v1 --int8 --width 0.25 --resolution 96 \
  -o "$scratch/mobilenet_v1.tflite"

# check BUILD_DIR [cmake arguments...]
check() {
  dir=$1
  shift
  cmake -S "$here" -B "$dir" -G Ninja -DCMAKE_BUILD_TYPE=Debug "$@"
  cmake --build "$dir"
  "$dir/consumer" "$scratch/sine.tflite"
  "$dir/planner_consumer"
  "$dir/subset_consumer" "$scratch/mobilenet_v1.tflite"
  # Five operators are listed, five are linked.
  linked=$(nm -C "$dir/subset_consumer" | grep -c ' arenalite::ops::k')
  [ "$linked" -eq 5 ] || { echo "$linked operators are linked, not 5"; exit 1; }
  size "$dir/consumer" "$dir/subset_consumer"
}

cmake --install "$build" --prefix "$scratch/installed"
check "$scratch/found" "-DCMAKE_PREFIX_PATH=$scratch/installed"
check "$scratch/added" "-DARENALITE_SOURCE=$source"
[ ! -e "$scratch/added/arenalite/tests" ] ||
  { echo "the tests are built inside of another project"; exit 1; }
