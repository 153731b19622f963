#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# package_test.sh BUILD_DIR: unpacks the archive that cpack makes into any folder and uses it from
# outside, by find_package and by pkg-config, in C, C++ and Fortran; the counting tool is found from
# there too. Archive and `cmake --install` are the same files. It takes half a minute of CPU time: they
# are made twice, and programs are built from outside in every way.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/roofmark-package-XXXXXX)
trap 'rm -rf "$work"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }

cpack --config "$build/CPackConfig.cmake" -G TGZ -B "$work/archive" >"$work/cpack.log" 2>&1 ||
  fail "cpack: $(tail -5 "$work/cpack.log")"
mkdir "$work/unpacked" && tar -C "$work/unpacked" -xzf "$work"/archive/roofmark-*.tar.gz
prefix=$(echo "$work"/unpacked/roofmark-*)
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
diff <(cd "$prefix" && find . | sort) <(cd "$work/prefix" && find . | sort) ||
  fail "archive and cmake --install differ"
rm -rf "$work/archive" "$work/prefix"
grep -rlIE "$build|$work" "$prefix" && fail "the files above name a folder of the build"
library_dir=$(dirname "$(find "$prefix" -name libroofmark.so)")
[ -x "$prefix/bin/roofmark" ] || fail "no command was installed"
"$here/hardening_test.sh" "$prefix" || fail "what is installed is not hardened"

# 1. find_package
cmake -G Ninja -S "$here/foreign" -B "$work/foreign" -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
cmake --build "$work/foreign" >"$work/build.log"
for language in c cxx fortran; do
  program=$work/foreign/from_$language
  [ -x "$program" ] || { [ $language = fortran ] && continue; fail "no program for $language"; }
  for collector in timer counting; do
    output=$work/$language-$collector.json
    ROOFMARK_COLLECTOR=$collector ROOFMARK_OUTPUT=$output "$program" 2>"$work/err" ||
      fail "$program ended with $?: $(cat "$work/err")"
    python3 - "$output" $collector <<'PYTHON' || fail "$language, $collector: wrong roofline file"
import json, sys
job = json.load(open(sys.argv[1]))
(path,) = job["paths"]
assert path["path"] == "loop" and path["metrics"]["visits"]["sum"] == 1, path
assert job["run"]["passes"][0]["collector"] == sys.argv[2], job["run"]["passes"]
if sys.argv[2] == "counting":
    flops = sum(v["sum"] for k, v in path["metrics"].items() if k.startswith("flops_dp_"))
    assert flops == 1000, flops
PYTHON
  done
done

# The native engine, where it was built: from the prefix, not from the folder of the build.
native=no
if [ -e "$build"/lib/roofmark-*/libroofmark_native.so ]; then
  native=yes
  plugin=$(echo "$library_dir"/roofmark-*/libroofmark_native.so)
  [ -e "$plugin" ] || fail "the native engine was built, and not installed"
  readelf -d "$plugin" | grep -E "R(UN)?PATH" && fail "$plugin has a path of the build"
  ROOFMARK_COLLECTOR=counting ROOFMARK_ENGINE=native ROOFMARK_OUTPUT=$work/native.json "$work/foreign/from_c" \
    2>"$work/err" || fail "under the native engine the program ended with $?: $(cat "$work/err")"
  python3 - "$work/native.json" <<'PYTHON' || fail "the native engine: wrong roofline file: $(cat "$work/err")"
import json, sys
job = json.load(open(sys.argv[1]))
(made,) = job["run"]["passes"]
assert made["collector"] == "counting" and made["facts"]["engine"] == "native", made
flops = sum(v["sum"] for k, v in job["paths"][0]["metrics"].items() if k.startswith("flops_dp_"))
assert flops == 1000, flops
PYTHON
fi

# The Python module finds the command of its own prefix. It needs no pandas for that.
PYTHONPATH=$prefix/share/roofmark/python python3 - "$prefix/bin/roofmark" <<'PYTHON' || fail "the Python module"
import os, sys
import roofmark._command
assert os.path.samefile(roofmark._command.find_command(), sys.argv[1])
PYTHON

# 2. pkg-config
export PKG_CONFIG_PATH=$library_dir/pkgconfig
flags=$(pkg-config --cflags --libs roofmark)
cc "$here/foreign/main.c" -o "$work/by_pc" $flags -Wl,-rpath,"$library_dir"
ROOFMARK=on ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=$work/pc.json "$work/by_pc"
[ -s "$work/pc.json" ] || fail "the program built by pkg-config wrote nothing"
if command -v gfortran >/dev/null; then
  gfortran "$here/foreign/main.f90" -o "$work/by_pc_f" \
    $(pkg-config --cflags --libs roofmark-fortran) -Wl,-rpath,"$library_dir"
  "$work/by_pc_f"
  # Without the library, and without its module.
  mkdir "$work/disabled"
  (cd "$work/disabled" && gfortran "$prefix/include/roofmark/roofmark_disabled.f90" \
     "$here/foreign/main.f90" -o program && ./program) || fail "roofmark_disabled.f90"
fi
cc -DROOFMARK_DISABLE -I"$prefix/include" "$here/foreign/main.c" -o "$work/disabled_c" &&
  "$work/disabled_c" || fail "ROOFMARK_DISABLE needs a library"
# One version: of the header, the library, its name, the CMake package and pkg-config.
version=$(pkg-config --modversion roofmark)
printf '#include <roofmark/roofmark.h>\n#include <stdio.h>\nint main(void) { printf("%%s %%d.%%d.%%d\\n", roofmark_version(), ROOFMARK_VERSION_MAJOR, ROOFMARK_VERSION_MINOR, ROOFMARK_VERSION_PATCH); }\n' \
  >"$work/version.c"
cc "$work/version.c" -o "$work/version" $flags -Wl,-rpath,"$library_dir"
[ "$("$work/version")" = "$version $version" ] || fail "versions differ: $("$work/version"), $version"
minor=${version%.*}
readelf -d "$library_dir/libroofmark.so" | grep -q "SONAME.*libroofmark.so.$minor\]" || fail "no SONAME $minor"
mkdir "$work/asks"
cat >"$work/asks/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(asks LANGUAGES C)
foreach(version IN LISTS VERSIONS)
  find_package(roofmark ${version} QUIET)
  message(STATUS "roofmark ${version}: ${roofmark_FOUND}")
  unset(roofmark_DIR CACHE)
endforeach()
CMAKE
cmake -G Ninja -S "$work/asks" -B "$work/asks/build" -DCMAKE_PREFIX_PATH="$prefix" \
  "-DVERSIONS=0.0;0.99;1.0;$minor" >"$work/asks/log" 2>&1 || fail "find_package: $(tail -5 "$work/asks/log")"
[ "$(grep -oE 'roofmark [0-9.]+: .*' "$work/asks/log" | tr '\n' ' ')" = \
  "roofmark 0.0: 0 roofmark 0.99: 0 roofmark 1.0: 0 roofmark $minor: 1 " ] ||
  fail "find_package takes other versions: $(grep roofmark "$work/asks/log")"

# 3. With an MPI: a merge of its own, and the wrapper library beside it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Of two launchers beside each other the one that ends may remove the folder of the one that begins.
export OMPI_MCA_orte_tmpdir_base=$work/openmpi
mkdir "$work/openmpi"
for mpi in openmpi mpich; do
  [ -e "$library_dir"/roofmark-*/libroofmark_mpi_$mpi.so ] && command -v mpicc.$mpi >/dev/null || continue
  mpicc.$mpi "$here/foreign/reduce.c" -o "$work/reduce_$mpi" $(pkg-config --cflags roofmark) \
    -L"$library_dir" -lroofmark -lroofmark_mpi_wait -Wl,-rpath,"$library_dir"
  ROOFMARK=on ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=$work/$mpi.json mpirun.$mpi -n 1 "$work/reduce_$mpi" ||
    fail "roofmark_reduce from the package, $mpi"
  [ -s "$work/$mpi.reduce1.json" ] && [ -s "$work/$mpi.json" ] || fail "$mpi: a file is missing"
done

# 4. Annotations of another tool: the library of adapters finds libroofmark.so beside it.
printf 'int likwid_markerStartRegion(const char*);\nint likwid_markerStopRegion(const char*);\nint main(void) { return likwid_markerStartRegion("adapted") + likwid_markerStopRegion("adapted"); }\n' \
  >"$work/adapted.c"
cc "$work/adapted.c" -o "$work/adapted" -L"$library_dir" -lroofmark_adapters -Wl,-rpath,"$library_dir"
ROOFMARK_COLLECTOR=timer ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=$work/adapted.json "$work/adapted" || fail "adapters"
grep -q '"adapted"' "$work/adapted.json" || fail "the library of adapters made no region"

# 5. The installed command runs from the prefix.
"$prefix/bin/roofmark" --version >/dev/null || fail "the installed command does not run"
"$prefix/bin/roofmark" run --preload --no-machine --no-report --work always -o "$work/run.json" -- "$work/by_pc" \
  2>"$work/run.log" || fail "roofmark run: $(cat "$work/run.log")"
grep -q '"counting"' "$work/run.json" || fail "the installed command does not find its tool: $(cat "$work/run.log")"
# It says of each engine whether it is there; without a plug-in, how to get it.
asked() {
  "$prefix/bin/roofmark" doctor --json 2>/dev/null >"$work/doctor.json" || true
  python3 -c "import json; print([f['status'] for f in json.load(open('$work/doctor.json'))['findings'] if f['id'] == 'native_engine'][0])"
}
[ $native = no ] || [ "$(asked)" = ok ] || fail "roofmark doctor does not find the native engine: $(cat "$work/doctor.json")"
rm -f "$library_dir"/roofmark-*/libroofmark_native.so
[ "$(asked)" = missing ] || fail "roofmark doctor finds a native engine that is not there"
echo "ok"
