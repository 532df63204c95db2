#!/bin/sh
# platform-sources.sh FOLDER NAME... - the sources NAME (zlib, libzstd, expat, cmocka, musl) in FOLDER, from Debian's source
# packages with Debian's patches. The list of sources is a private one: apt's own configuration stays as it is.
set -eu
folder=$1
shift
mkdir -p "$folder"
cd "$folder"
missing=
for name in "$@"; do [ -d "$name" ] || missing="$missing $name"; done
[ -n "$missing" ] || exit 0
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2> /dev/null | head -n 1)
mkdir -p apt/parts apt/lists/partial apt/cache/archives/partial
cat > apt/parts/sources.sources << END
Types: deb-src
URIs: ${mirror:-http://deb.debian.org/debian}
Suites: $release
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
private="-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$PWD/apt/parts -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache -o APT::Sandbox::User=root"
apt-get $private update > apt/log 2>&1 || { cat apt/log >&2; exit 5; }
for name in $missing; do
  apt-get $private source "$name" >> apt/log 2>&1 || { cat apt/log >&2; exit 5; }
  mv "$name"-[0-9]*/ "$name"
done
