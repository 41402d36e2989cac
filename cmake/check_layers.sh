#!/bin/sh
# Checks that includes between the folders of src/ run one way, and that
# library code uses only what the library allows itself.
#
#   sh cmake/check_layers.sh [SOURCE_FOLDER]
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
faults=0

# Folder: whose headers it may include, besides its own. A public header is of
# the folder that implements it; "NAME.h" allows only that one of another's.
allowed() {
  case $1 in
    base) echo ;;
    memory) echo base ;;
    plan) echo base memory ;;
    plan_file) echo base schema planner.h ;;
    model) echo base schema ;;
    graph) echo base model schema ;;
    lifetime) echo base graph planner.h ;;
    kernels) echo base schema gemmlowp ;;
    runtime) echo base memory plan plan_file model graph lifetime kernels schema ;;
    writer) echo base schema ;;
    tools) echo writer public ;;
  esac
}

# The folder that has the source of the same name; some have none.
layer_of_public_header() {
  case $1 in
    array.h | span.h) echo base ;;
    planner.h | pool_planner.h) echo plan ;;
    builtin_ops.h | custom_ops.h | op_definition.h) echo kernels ;;
    memory_report.h) echo runtime ;;
    *)
      for source in src/*/"${1%.h}".cc; do
        folder_of=${source%/*}
        echo "${folder_of#src/}"
        return
      done ;;
  esac
}

fault() {
  echo "$1" >&2
  faults=$((faults + 1))
}

# check_include FILE LAYER INCLUDED
check_include() {
  name=${3##*/}
  public=no
  case $3 in
    arenalite/*)
      layer=$(layer_of_public_header "$name")
      public=public ;;
    model_generated.h | plan_generated.h | flatbuffers/*) layer=schema ;;
    gemmlowp/*) layer=gemmlowp ;;
    CLI/* | nlohmann/*) layer=$([ "$2" = tools ] && echo tools || echo none) ;;
    *) layer=${3%%/*} ;;
  esac
  for word in "$2" $(allowed "$2"); do
    case $word in "$layer" | "$public" | "$name") return ;; esac
  done
  fault "$1: src/$2 may not include \"$3\" ($layer)"
}

check_includes_of() {
  for included in $(sed -n 's/^ *# *include *"\(.*\)".*/\1/p' "$1"); do
    check_include "$1" "$2" "$included"
  done
}

for folder in src/*/; do
  folder=${folder%/}
  for file in $(find "$folder" -name '*.h' -o -name '*.cc' | sort); do
    check_includes_of "$file" "${folder#src/}"
  done
done
for file in include/arenalite/*.h; do
  [ -f "$file" ] || continue
  check_includes_of "$file" "$(layer_of_public_header "${file##*/}")"
done

# One namespace for all: a type that two headers define is two types of one
# name, whose functions the linker mixes.
headers=$(find include src -name '*.h' 2>/dev/null)
# shellcheck disable=SC2086  # Words.
for type in $(sed -nE \
    's/^(struct|class|enum class) ([A-Za-z0-9_]+)([ :][^;]*)?\{.*/\2/p' $headers |
    sort | uniq -d); do
  fault "$type: defined in $(grep -lE \
    "^(struct|class|enum class) $type([ :][^;]*)?\{" $headers | tr '\n' ' ')"
done

# Containers that throw, streams, and exceptions. Comments may name them.
forbidden='std::(string|vector|list|deque|map|multimap|set|unordered_[a-z]*|function|shared_ptr|make_unique|make_shared|ostream|istream|stringstream|cout|cerr|regex)\b|\b[a-z]*printf *\(|\bputs *\(|\bthrow\b|\bcatch *\(|\btry *\{|\bdynamic_cast\b|\btypeid\b|# *include *<(iostream|fstream|sstream|string|vector|map|set|regex)>'
for file in include/arenalite/*.h src/base/* src/memory/* src/plan/* \
            src/model/* src/plan_file/* src/graph/* src/lifetime/* src/kernels/* src/runtime/*
do
  case $file in *\** | */CMakeLists.txt) continue ;; esac
  found=$(sed 's,//.*,,' "$file" | grep -nE "$forbidden") || continue
  fault "$file: not allowed in the library: $found"
done

if [ "$faults" -ne 0 ]; then
  echo "$faults faults" >&2
  exit 1
fi
