#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# deb_test.sh BUILD_DIR [--debootstrap]: makes the packages of Debian from what is built, has lintian
# look at them, and installs, uses and removes them in a root of its own (in_root.sh): this system
# with an empty layer above it, or with --debootstrap a new one from Debian's mirror, which gets
# nothing but what the packages depend on, compilers and both MPIs. Neither changes this system.
# It takes a minute of CPU time, half of it in cpack, which looks at each of the 230 files.
set -euo pipefail
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "FAILED: $*" >&2; exit 1; }
skip() { echo "SKIPPED: $*"; exit 77; }

[ "${2-}" != --debootstrap ] || [ "${ROOFMARK_GATES-}" != short ] || skip "a new root is no part of the short gates"
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || skip "no dpkg-deb and dpkg-shlibdeps (dpkg-dev)"
[ "$(id -u)" = 0 ] || skip "only root can install packages"
if [ -z "${ROOFMARK_TEST_MOUNTS-}" ]; then # mounts end with this process
  unshare -m --propagation private true 2>/dev/null || skip "no mounts of one's own here (unshare -m)"
  ROOFMARK_TEST_MOUNTS=1 exec unshare -m --propagation private "$0" "$@"
fi
work=$(mktemp -d /tmp/roofmark-deb-XXXXXX)
# /dev and /proc are mounted below: nothing is removed while anything is mounted there.
clean_up() {
  umount -R "$work/root" 2>/dev/null || true
  umount "$work/layer" 2>/dev/null || true
  grep -q " $work/" /proc/self/mounts || rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 143' TERM INT

# 1. The packages.
mkdir "$work/debs"
(cd "$work/debs" && cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/debs" >"$work/cpack.log" 2>&1) ||
  fail "cpack: $(tail -5 "$work/cpack.log")"
rm -rf "$work/debs/_CPack_Packages"
debs=("$work"/debs/*.deb)
[ ${#debs[@]} -ge 4 ] || fail "only ${#debs[@]} packages"
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error "${debs[@]}" >"$work/lintian.log" 2>&1 || fail "lintian: $(grep '^E' "$work/lintian.log")"
else
  echo "lintian is not installed: the packages were not looked at"
fi
# The engine's fits the Valgrind that it was built with, and no other.
for engine in "$work"/debs/*-engine_*.deb; do
  [ -e "$engine" ] || continue
  version=$(pkg-config --modversion valgrind)
  dpkg-deb -f "$engine" Depends | grep -qF "valgrind (>= 1:$version), valgrind (<< 1:$version.1~)" ||
    fail "the engine depends on another Valgrind: $(dpkg-deb -f "$engine" Depends)"
done
# The native engine's, and no library that programs load, needs Zydis.
if [ -e "$build"/lib/roofmark-*/libroofmark_native.so ]; then
  native=("$work"/debs/*-native_*.deb)
  [ -e "${native[0]}" ] || fail "no package of the native engine"
  dpkg-deb -f "${native[0]}" Depends | grep -q libzydis || fail "it does not depend on Zydis: $(dpkg-deb -f "${native[0]}" Depends)"
  for library in "$work"/debs/libroofmark[0-9.]*_*.deb; do
    case $library in *-native_* | *-engine_* | *-hdf5-*) continue ;; esac
    ! dpkg-deb -f "$library" Depends | grep -q libzydis || fail "$library depends on Zydis"
    dpkg-deb -f "$library" Recommends | grep -q -- -native || fail "$library does not recommend the native engine"
  done
fi

# 2. The root.
mkdir "$work/root" "$work/layer"
mount -t tmpfs none "$work/layer"
mkdir "$work/layer/upper" "$work/layer/work"
if [ "${2-}" = --debootstrap ]; then
  command -v debootstrap >/dev/null || skip "no debootstrap"
  mirror=${ROOFMARK_TEST_MIRROR:-http://deb.debian.org/debian}
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mount --bind "$work/root" "$work/root" # one mount with all below it
  debootstrap --variant=minbase "$suite" "$work/root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
    skip "debootstrap from $mirror: $(tail -1 "$work/debootstrap.log")"
else
  mount -t overlay overlay -o "lowerdir=/,upperdir=$work/layer/upper,workdir=$work/layer/work" "$work/root" ||
    skip "no overlay of this system can be mounted"
  mount -t tmpfs none "$work/root/tmp"
fi
for folder in proc sys dev; do mount --rbind /$folder "$work/root/$folder"; done
mkdir -p "$work/root/tmp/roofmark"
cp -r "$work/debs" "$here/foreign" "$here/in_root.sh" "$work/root/tmp/roofmark"
if [ "${2-}" = --debootstrap ]; then
  cp /etc/resolv.conf "$work/root/etc/resolv.conf"
  # Whatever the packages need and recommend comes from the mirror.
  chroot "$work/root" env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update -q &&
    apt-get install -y -q --no-install-recommends gcc g++ gfortran cmake ninja-build pkg-config python3 \
      openmpi-bin libopenmpi-dev mpich libmpich-dev && apt-get install -y -q /tmp/roofmark/debs/*.deb &&
    apt-get purge -y -q "*roofmark*"' >"$work/apt.log" 2>&1 || fail "apt: $(tail -5 "$work/apt.log")"
fi

# 3. Installs, uses, removes.
chroot "$work/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 OMPI_ALLOW_RUN_AS_ROOT=1 \
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 /tmp/roofmark/in_root.sh || exit 1

# 4. In the layer nothing is left but what the package manager writes for itself.
left=$(cd "$work/layer" && find upper -mindepth 1 ! -type d 2>/dev/null |
  grep -vE '^upper/(var/(lib/(dpkg|apt)|log|cache)/|etc/ld.so.cache$)' || true)
[ -z "$left" ] || fail "left after the packages were removed: $left"
echo "ok: ${#debs[@]} packages"
