#!/bin/sh
# Checks what the compiled library needs and does: nothing runs before main,
# nothing throws or prints, and every allocation can report its failure.
#
#   sh cmake/check_symbols.sh NM ARCHIVE...
set -u
nm=$1
shift
faults=0

# check TITLE PATTERN: fails when a symbol line of $symbols matches.
check() {
  found=$(echo "$symbols" | grep -E "$2") || return
  echo "$archive: $1:" >&2
  echo "$found" | sort -u >&2
  faults=$((faults + 1))
}

for archive in "$@"; do
  symbols=$("$nm" "$archive") || exit 2
  # FlatBuffers' builder names operator new[] as its default; ours is given an
  # allocator that can refuse. The verifier of FlexBuffers has a vector for
  # tracking what it has seen, which we do not ask for.
  symbols=$(echo "$symbols" | awk '
    /^[^ ]*:$/ { object = $0 }
    object == "plan_file.cc.o:" && / U _Znam$/ { next }
    object == "detection_postprocess.cc.o:" &&
      / U (_Znwm|_ZSt17__throw_bad_allocv|_ZSt20__throw_length_errorPKc)$/ { next }
    { print }')
  check 'static constructors' \
    ' _GLOBAL__sub_I_| __cxx_global_var_init'
  check 'exceptions' \
    ' U (__cxa_throw|__cxa_allocate_exception|_ZSt[0-9]+__throw_)'
  check 'operator new that throws' ' U _Zn[wa][jmy]$'
  check 'output' \
    ' U ([a-z]*printf|_?_?[a-z]*printf_chk|puts|putchar|_ZSt4c(out|err)|_ZNSt8ios_base)'
  check 'run-time type information' ' U __dynamic_cast'
done
[ "$faults" -eq 0 ]
