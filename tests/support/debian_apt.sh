# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts, to be sourced: Debian's packages without installing them and without a change of this
# machine's apt. Works in $cache, which prepare_apt makes anew; needs no root.

# prepare_apt NAME: NAME begins messages.
prepare_apt() {
  apt_user=$1
  if ! grep -q '^VERSION_CODENAME=bookworm$' /etc/os-release || [ "$(uname -m)" != x86_64 ]; then
    echo "$apt_user: needs the packages of Debian 12 on x86_64; this is another system" >&2
    exit 1
  fi
  rm -rf "$cache"
  mkdir -p "$cache"/apt/{state/lists/partial,cache/archives/partial} "$cache"/{host,arm64}
  packages=$cache/apt/cache/archives
  quietly apt apt-get update
  compgen -G "$cache/apt/state/lists/*_Packages*" >/dev/null || {
    echo "$apt_user: no list of packages could be fetched: is this machine offline?" >&2
    exit 1
  }
}

# apt TOOL ARGUMENTS: one of apt's tools, with a state of its own in which arm64 is a known architecture.
# apt_on_arm: the same as an empty machine of that architecture sees it.
apt() { apt_with /var/lib/dpkg/status "$@" -o APT::Architectures::=amd64 -o APT::Architectures::=arm64; }
apt_on_arm() { apt_with /dev/null "$@" -o APT::Architecture=arm64 -o APT::Architectures=arm64; }
apt_with() {
  local status=$1
  shift
  "$@" -q -o Dir::State="$cache/apt/state" -o Dir::State::status="$status" -o Dir::Cache="$cache/apt/cache" \
    -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Acquire::Retries=3
}

quietly() { "$@" >"$cache/log" 2>&1 || { tail -n 5 "$cache/log" >&2; exit 1; }; }

# All that has been fetched, and is now unpacked: its size in MB.
fetched_mb() { du -cb "$packages"/*.deb | awk 'END {printf "%.0f", $1 / 1e6}'; }

apt_is_done() {
  rm -rf "$cache/apt"
  touch "$cache/complete"
}
