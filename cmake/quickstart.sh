#!/bin/sh
# From a fresh Debian or Ubuntu machine to a running arenalite.
#
#   sh cmake/quickstart.sh        installs what is missing, builds Release, and
#                                 plans and runs a model of the zoo
#   sh cmake/quickstart.sh test   the same, then builds and passes the tests
#
# BUILD_DIR chooses the build folder (default: build).
set -eu

main() {
  cd "$(dirname "$0")/.."
  build=${BUILD_DIR:-build}
  case "${1:-run}" in
    run)
      install_missing g++ cmake ninja-build flatbuffers-compiler \
        libflatbuffers-dev libgemmlowp-dev libcli11-dev nlohmann-json3-dev
      configure -DARENALITE_BUILD_TESTS=OFF
      cmake --build "$build"
      demo
      ;;
    test)
      install_missing g++ cmake ninja-build flatbuffers-compiler \
        libflatbuffers-dev libgemmlowp-dev libcli11-dev nlohmann-json3-dev \
        libgtest-dev libgmock-dev
      configure -DARENALITE_BUILD_TESTS=ON
      cmake --build "$build"
      ctest --test-dir "$build" --output-on-failure -j "$(nproc)"
      ;;
    *)
      echo "usage: sh cmake/quickstart.sh [test]" >&2
      exit 2
      ;;
  esac
}

# Installs the Debian packages among "$@" that are not there yet.
install_missing() {
  missing=
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  echo "Installing:$missing" >&2
  sudo=
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  $sudo apt-get update -qq
  # shellcheck disable=SC2086  # A list of names.
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq \
    --no-install-recommends $missing >&2
}

configure() {
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
}

demo() {
  arenalite="$build/src/tools/arenalite"
  "$arenalite" zoo mobilenet_v1 --int8 --width 0.25 --resolution 96 \
    -o "$build/mobilenet_v1.tflite"
  "$arenalite" plan "$build/mobilenet_v1.tflite"
  "$arenalite" run "$build/mobilenet_v1.tflite"
}

main "$@"
