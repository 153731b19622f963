#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# modulefile_test.sh BUILD_DIR: installs into a prefix, moves it, loads the module with whatever of
# environment-modules and Lmod is installed, and builds and runs a program with nothing else.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/roofmark-module-XXXXXX)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

tools=()
for tool in modulecmd /usr/share/lmod/lmod/libexec/lmod; do
  command -v "$tool" >/dev/null && tools+=("$(command -v "$tool")")
done
[ ${#tools[@]} -gt 0 ] || { echo "SKIPPED: neither environment-modules nor Lmod is installed"; exit 77; }
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"

for tool in "${tools[@]}"; do
  (
    # This shell's own modules and paths are not to be found.
    export PATH=/usr/bin:/bin MODULEPATH=$work/prefix/share/modulefiles
    unset LD_LIBRARY_PATH LIBRARY_PATH CPATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH MANPATH LOADEDMODULES _LMFILES_
    eval "$("$tool" bash load roofmark)"
    [ "$(command -v roofmark)" = "$work/prefix/bin/roofmark" ] || fail "$tool: the command is $(command -v roofmark || echo missing)"
    ! env | grep '^ROOFMARK' || fail "$tool: a variable ROOFMARK* is set"
    cc "$here/foreign/main.c" -o "$work/program" -lroofmark
    ROOFMARK_COLLECTOR=timer ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=$work/run.json "$work/program"
    [ -s "$work/run.json" ] || fail "$tool: nothing was recorded"
    rm "$work/run.json"
    [ "$(pkg-config --variable=prefix roofmark | xargs realpath)" = "$work/prefix" ] || fail "$tool: pkg-config"
    cmake -G Ninja -S "$here/foreign" -B "$work/by_cmake" >"$work/cmake.log" 2>&1 || fail "$tool: $(tail -3 "$work/cmake.log")"
    rm -rf "$work/by_cmake"
    man -w roofmark-run >/dev/null 2>&1 || ! command -v man >/dev/null || fail "$tool: no manual page"
    eval "$("$tool" bash unload roofmark)"
    ! command -v roofmark >/dev/null || fail "$tool: unloaded, and the command is still there"
    cp -r "$work/prefix" "$work/with:colon"
    export MODULEPATH=$work/colon
    ln -sfn "$work/with:colon/share/modulefiles" "$work/colon"
    eval "$("$tool" bash load roofmark 2>"$work/said")" || true
    rm -rf "$work/with:colon"
    grep -q "roofmark: not loaded: .*divided at the colon" "$work/said" || fail "$tool: a prefix with a colon: $(cat "$work/said")"
    ! command -v roofmark >/dev/null || fail "$tool: loaded from a prefix with a colon"
  ) || exit 1
  echo "ok: $tool"
done
