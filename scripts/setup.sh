#!/bin/sh
# setup.sh PURPOSE... - install the Debian packages that a purpose needs and that are missing.
# Purposes: build, test, python, web, page, site, bench, lint, packaging, fuzz, coverage,
# platform-NAME (scripts/platforms.sh), dist, dist-check. Nothing that is installed is upgraded: where the newest of a
# missing package requires newer versions of installed packages, it comes in the installed siblings' version; if the missing packages
# cannot be installed without an upgrade, this stops with a message.
set -eu

packages_for() {
  case $1 in
  build) echo gcc libc6-dev make cmake pkg-config zlib1g-dev libzstd-dev libexpat1-dev libmicrohttpd-dev scdoc ;;
  test) echo libcmocka-dev g++ gzip zstd locales abigail-tools curl python3 python3-requests python3-jsonschema python3-yaml ;;
  python)
    echo python3 python3-dev python3-cffi python3-numpy python3-pandas python3-sklearn python3-pip python3-venv \
      python3-setuptools python3-wheel python3-pytest python3-matplotlib python3-dask python3-distributed mypy ;;
  web)
    echo chromium
    # Node.js of another source brings npm along, and has no package of that name.
    command -v npm > /dev/null 2>&1 || echo nodejs npm ;;
  site) echo python3 python3-pil mkdocs mkdocs-material chromium ;;
  page) echo clang lld wasi-libc libclang-rt-14-dev-wasm32 binaryen ;;
  bench) echo python3-numpy python3-pandas wrk curl python3-fastapi python3-uvicorn gunicorn python3-flask ;;
  dist)
    echo git build-essential debhelper dh-python python3-dev python3-cffi python3-setuptools
    packages_for platform-musl
    packages_for platform-musl-aarch64 ;;
  dist-check) echo debootstrap lintian ;;
  lint) echo clang-format clang-tidy cppcheck ;;
  packaging) echo python3 python3-yaml ruby nix-bin ;;
  fuzz) echo clang libclang-rt-14-dev ;;
  coverage) echo lcov ;;
  platform-x86_64) echo dpkg-dev ;;
  platform-i386) echo dpkg-dev gcc-i686-linux-gnu libc6-dev-i386-cross ;;
  platform-aarch64) echo dpkg-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static ;;
  platform-s390x) echo dpkg-dev gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static ;;
  platform-musl) echo dpkg-dev musl-tools ;;
  platform-musl-aarch64) echo dpkg-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static ;;
  platform-mingw) echo dpkg-dev gcc-mingw-w64-x86-64-posix wine64 ;;
  *) echo "setup.sh: unknown purpose '$1'" >&2; exit 2 ;;
  esac
}

wanted=
for purpose in "$@"; do wanted="$wanted $(packages_for "$purpose")"; done

if ! command -v dpkg-query > /dev/null 2>&1; then
  echo "setup.sh: this is not Debian; make sure that you have what these packages hold:$wanted" >&2
  exit 0
fi

missing=
for package in $wanted; do
  state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null || true)
  case $state in ii*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  if command -v sudo > /dev/null 2>&1; then as_root=sudo; else
    echo "setup.sh: these packages are missing, and installing them needs root or sudo:$missing" >&2
    exit 5
  fi
fi

echo "installing:$missing" >&2
# Versions that must not move, as apt's preferences: those of the machine, and one entry more for each upgrade that a plan had.
pins=$(mktemp)
trap 'rm -f "$pins"' EXIT
if [ -f /etc/apt/preferences ]; then cat /etc/apt/preferences > "$pins"; fi
chmod 644 "$pins"
plan() {
  LC_ALL=C apt-get -s -o Dir::Etc::preferences="$pins" install --no-install-recommends --no-upgrade $missing 2>&1
}
# "Inst name [old] (new ...)" is an upgrade; "Inst name (new ...)" is not.
upgrades_of() { printf '%s\n' "$1" | awk '$1 == "Inst" && $3 ~ /^\[/ {print $2}'; }
# All packages made from the source of this one stay at, or come in, the version that is installed.
pin() {
  dpkg-query -W -f '\nPackage: ${Package} src:${source:Package}\nPin: version ${Version}\nPin-Priority: 1001\n' "$1" | awk '
    /^Package:/ && seen++ { exit } # of several architectures the first
    { print }' >> "$pins"
}
# Lists that are absent or too old show up as packages that cannot be found.
if ! plan > /dev/null; then $as_root apt-get update -q >&2; fi
if ! outcome=$(plan); then
  printf '%s\n' "$outcome" >&2
  echo "setup.sh: apt cannot install:$missing" >&2
  exit 5
fi
first=$(upgrades_of "$outcome")
upgrades=$first
# A pinned plan can run into the next package, so a few rounds; none is left when it fails.
for round in 1 2 3 4; do
  [ -n "$upgrades" ] || break
  for package in $upgrades; do pin "$package"; done
  outcome=$(plan) || break
  upgrades=$(upgrades_of "$outcome")
done
if [ -n "$upgrades" ]; then
  echo "setup.sh: installing$missing would upgrade:" $first >&2
  echo "setup.sh: nothing was changed; install them yourself if that is fine with you" >&2
  exit 5
fi
install() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Dir::Etc::preferences="$pins" \
    install -y -q --no-install-recommends --no-upgrade $missing
}
# Lists that are somewhat old can name package files that are gone: fetch new lists and retry.
if ! install > /dev/null 2>&1; then
  $as_root apt-get update -q >&2
  install >&2
fi
