#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# in_root.sh: executed by deb_test.sh in a root that may be changed, with the packages in
# /tmp/roofmark/debs. Installs them, uses them as a stranger does, and removes them.
set -euo pipefail
cd /tmp/roofmark
fail() { echo "FAILED: $*" >&2; exit 1; }
names() { for deb in debs/*.deb; do dpkg-deb -f "$deb" Package; done; }
traces() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /work -o -path /home -o -path /root \) \
             -prune -o -name '*roofmark*' -print; }
# The value of a Python expression over the roofline file $1.
value() { python3 -c "import json, sys; job = json.load(open('$1')); print($2)"; }

# As 0.1.0, 0.1, and another minor version.
version=$(dpkg-deb -f debs/libroofmark-dev_*.deb Version) && version=${version%-*}
abi=${version%.*} next=${version%%.*}.99
pattern=${abi//./\\.}

traces >before
dpkg -i debs/*.deb >install.log 2>&1 || fail "dpkg -i: $(tail -5 install.log)"

# 1. A program of another project: by pkg-config, by find_package, without any path.
cc foreign/main.c -o by_pc $(pkg-config --cflags --libs roofmark)
cmake -G Ninja -S foreign -B by_cmake >cmake.log 2>&1 && cmake --build by_cmake >>cmake.log 2>&1 ||
  fail "find_package: $(tail -5 cmake.log)"
for program in by_pc by_cmake/from_cxx; do
  ROOFMARK_COLLECTOR=timer ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=timer.json ./$program
  [ "$(value timer.json 'job["paths"][0]["path"]')" = loop ] || fail "$program: no region"
  rm timer.json
done
roofmark run --no-machine --work always --no-report -o run.json -- ./by_pc 2>run.log || fail "roofmark run: $(cat run.log)"
flops='sum(v["sum"] for k, v in job["paths"][0]["metrics"].items() if k.startswith("flops_dp_"))'
[ "$(value run.json "$flops")" = 1000 ] || fail "counting: $(value run.json "$flops") FLOPs, not 1000"

if dpkg -s "libroofmark$abi-native" >/dev/null 2>&1; then
  ROOFMARK_COLLECTOR=counting ROOFMARK_ENGINE=native ROOFMARK_OUTPUT=native.json ./by_pc 2>native.log ||
    fail "under the native engine: $(cat native.log)"
  [ "$(value native.json 'job["run"]["passes"][0]["facts"]["engine"]') $(value native.json "$flops")" = "native 1000" ] ||
    fail "the native engine does not count 1000 FLOPs: $(cat native.log)"
  # Without it the library says so, and works.
  dpkg --purge "libroofmark$abi-native" >/dev/null
  ROOFMARK_COLLECTOR=counting ROOFMARK_ENGINE=native ROOFMARK_OUTPUT=none.json ./by_pc 2>none.log ||
    fail "without the native engine: $(cat none.log)"
  grep -q "install libroofmark$abi-native" none.log || fail "not said that it is missing: $(cat none.log)"
  dpkg -i debs/libroofmark"$abi"-native_*.deb >>install.log 2>&1
fi

# 2. Both MPIs.
mpis=0
for mpi in openmpi mpich; do
  command -v mpicc.$mpi >/dev/null || continue
  mpis=$((mpis + 1))
  mpicc.$mpi foreign/reduce.c -o reduce_$mpi -lroofmark
  ROOFMARK=on ROOFMARK_QUIET=1 ROOFMARK_OUTPUT=$mpi.json mpirun.$mpi -n 2 ./reduce_$mpi || fail "a job of $mpi"
  [ "$(value $mpi.json 'job["run"]["ranks"]')" = 2 ] || fail "$mpi: no file of two ranks"
done
[ $mpis = 2 ] || echo "only $mpis of two MPIs are installed"

# 3. What belongs to the command.
for page in man1/roofmark.1 man1/roofmark-run.1 man7/roofmark-settings.7; do
  gzip -t /usr/share/man/$page.gz || fail "no page $page"
done
[ -s /usr/share/bash-completion/completions/roofmark ] || fail "no completion"

# 4. Another minor version beside this one: the same packages under its name, uncompressed.
for deb in debs/libroofmark"$abi"[_-]*.deb; do
  rm -rf next && dpkg-deb -R "$deb" next
  find next -depth -name "*$abi*" | while read -r path; do
    mv "$path" "${path%/*}/$(basename "$path" | sed "s/$pattern/$next/")"
  done
  sed -i "s/libroofmark$pattern/libroofmark$next/g; s/(= $pattern\\./(= $next./g; s/^Version: $pattern/Version: $next/; /^Provides/d" \
    next/DEBIAN/control
  rm -rf next/DEBIAN/md5sums next/DEBIAN/shlibs next/usr/share/lintian
  mkdir -p next_debs && dpkg-deb -Znone -b next next_debs/ >/dev/null
done
dpkg -i next_debs/*.deb >next.log 2>&1 || fail "two versions do not lie side by side: $(cat next.log)"
./by_pc || fail "a program of $abi beside $next"
dpkg --purge $(for deb in next_debs/*.deb; do dpkg-deb -f "$deb" Package; done) >/dev/null 2>&1

# 5. A library and a command of two versions say so. The library's own number is as long.
other=${version%?}$(((${version: -1} + 1) % 10))
library=$(dpkg -L "libroofmark$abi" | grep "/libroofmark\.so\.$version$")
link=${library%/*}/libroofmark.so.$abi stranger=${library%/*}/libroofmark.so.$other
sed "s/${version//./\\.}/$other/g" "$library" >"$stranger" && ln -sf "${stranger##*/}" "$link"
roofmark run --no-machine --no-report --preload --work never -o other.json -- ./by_pc 2>other.log || true
grep -q "this command is roofmark $version, but $stranger beside it is $other" other.log ||
  fail "nothing said of another library: $(cat other.log)"
grep -q "was recorded by the library of roofmark $other" other.log ||
  fail "nothing said of another recorder: $(cat other.log)"
rm "$stranger" && ln -sf "${library##*/}" "$link"

# 6. Without a trace.
dpkg --purge $(names) >purge.log 2>&1 || fail "dpkg --purge: $(tail -5 purge.log)"
traces >after
diff before after || fail "the packages left the files above"
