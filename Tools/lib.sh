# What the scripts share: it finds or installs what a build needs, and builds the tool.
#
# Sourced, never run, so that what a Mac needs to find its libraries reaches the build.
# Silent as long as nothing is missing and nothing fails.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# One line a library: its name for pkg-config, its package on Debian, its formula of Homebrew.
libraries='sqlite3 libsqlite3-dev sqlite
libzstd libzstd-dev zstd
libcrypto libssl-dev openssl@3
zlib zlib1g-dev zlib'

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$@"
  exit 1
}

# How many processors the machine has.
processors() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

has() { command -v "$1" >/dev/null 2>&1; }

# Runs a command and prints what it says only if it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [[ $status != 0 ]]; then cat "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

# Swift, new enough. The answer is remembered until `swift` itself changes.
need_swift() {
  local where='Get it from https://www.swift.org/install, then run this again.'
  local swift known=$root/.build/swift-is-new-enough version major minor
  swift=$(command -v swift) || die "Tidemark needs Swift 6.2 or later, and there is none. $where"
  if [[ $known -nt $swift ]]; then return; fi
  version=$(swift --version 2>&1) || die "$swift does not start: $version"
  version=$(sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' <<<"$version")
  IFS=. read -r major minor _ <<<"$version"
  if ((${major:-0} < 6 || (major == 6 && ${minor:-0} < 2))); then
    die "Tidemark needs Swift 6.2 or later; $swift is ${version:-of an unknown version}. $where"
  fi
  mkdir -p "$root/.build"
  touch "$known"
}

# The C libraries and their headers.
# shellcheck disable=SC2046  # no name of a package has a blank in it
need_libraries() {
  local missing
  show_formulas
  missing=$(missing_libraries)
  if [[ -z $missing ]] && ! lacks_linker; then return; fi
  if has apt-get; then
    install_with_apt pkg-config $(column 2 <<<"$missing") $(lacks_linker && echo g++)
  elif has brew; then
    install_with_brew pkgconf $(column 3 <<<"$missing")
  else
    die "Tidemark needs pkg-config and these C libraries with their headers:" \
      "$(column 1 <<<"$missing" | paste -s -d ' ' -). Install them, then run this again."
  fi
  show_formulas
  missing=$(missing_libraries)
  if [[ -n $missing ]]; then die "still not found by pkg-config: $(column 1 <<<"$missing")"; fi
}

# Whether a Debian is so bare that Swift finds no linker, or no C++ library to link with.
lacks_linker() {
  has apt-get && ! { has ld && compgen -G '/usr/lib/gcc/*/*/libstdc++.*' >/dev/null; }
}

# The lines of the libraries that pkg-config does not find; all of them if there is no pkg-config.
missing_libraries() {
  local line
  while read -r line; do
    pkg-config --exists "${line%% *}" 2>/dev/null || printf '%s\n' "$line"
  done <<<"$libraries"
}

column() {
  local words
  while read -r -a words && ((${#words[@]} > 0)); do printf '%s\n' "${words[$1 - 1]}"; done
}

install_with_apt() {
  say "installing with apt: $*"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update || true
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "$@" || die "apt could not install: $*"
}

install_with_brew() {
  say "installing with Homebrew: $*"
  quietly brew install --quiet "$@" || die "Homebrew could not install: $*"
}

# Some formulas are kept out of the way of the system's own libraries; this shows them to the build.
show_formulas() {
  local brew formula
  brew=$(command -v brew) || return 0
  for formula in sqlite openssl@3 zlib; do
    PKG_CONFIG_PATH=${brew%/bin/brew}/opt/$formula/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  done
  export PKG_CONFIG_PATH
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    quietly "$@"
  elif has sudo && [[ -t 0 ]]; then
    sudo "$@" >/dev/null
  elif has sudo; then
    quietly sudo -n "$@"
  else
    say "this needs root, and there is no sudo: $*"
    return 1
  fi
}

# Builds the tool, unless nothing that it is made of has changed, and leaves its path in `tool`.
build_tool() {
  local built=$root/.build/tool-is-built options
  tool=$root/.build/release/tidemark
  if [[ -x $tool && -e $built ]] && ! has_changed_since "$built"; then return; fi
  need_swift
  need_libraries
  options=(--package-path "$root" --configuration release --product tidemark)
  if [[ $(uname) == Linux ]]; then options+=(--static-swift-stdlib); fi
  # The time is taken before the build: what is edited during it is built the next time.
  mkdir -p "$root/.build"
  touch "$built.next"
  if [[ -t 2 ]]; then
    swift build "${options[@]}" >&2
  else
    quietly swift build "${options[@]}"
  fi
  mv "$built.next" "$built"
}

# A folder counts as well: its time changes when a file in it comes or goes.
has_changed_since() {
  [[ -n $(find "$root/Package.swift" "$root/Sources" "$root/Tools/tidemark" "$root/Journal" \
    -newer "$1" -print -quit) ]]
}
