#!/bin/sh
# dist.sh - all artefacts of a release in build/dist, with SHA256SUMS and a bill of materials (SPDX).
# The source tarball comes first, from git or from an unpacked tarball; all others are built in a folder that it was unpacked in.
# Each part is a script: `dist-NAME.sh FOLDER`.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
out=$root/build/dist
rm -rf build/dist
mkdir -p build/dist
SOURCE_DATE_EPOCH=$(sh scripts/version.sh epoch)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
name=anorank-$(sh scripts/version.sh)
sources="zlib libzstd expat cmocka musl"
rows=$(mktemp)
trap 'rm -f "$rows" "$rows.before"' EXIT

files() { (cd "$out" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort); }
part() { # NAME [FOLDER]: run its script; rows for the table are the files that it added
  echo "dist.sh: $1" >&2
  files > "$rows.before"
  mkdir -p "$out/${2:-}"
  start=$(date +%s)
  sh "scripts/dist-$1.sh" "$out/${2:-}"
  seconds=$(($(date +%s) - start))
  for file in $(files | grep -vxF -f "$rows.before"); do
    printf '%s %s %s\n' "$file" "$(stat -c %s "$out/$file")" "$seconds" >> "$rows"
    seconds='"'
  done
}

part source
# Sources of the libraries that are linked statically need the network, but once.
sh scripts/platform-sources.sh build/platforms/sources $sources
rm -rf build/dist-tree
mkdir -p build/dist-tree
tar -xzf "$out/$name.tar.gz" -C build/dist-tree
cd "build/dist-tree/$name"
mkdir -p build/platforms/sources
for source in $sources; do cp -a "$root/build/platforms/sources/$source" build/platforms/sources; done
part static
part debian
part python python # its source distribution has the name of ours when no candidate is released
part npm
/usr/bin/python3 scripts/sbom.py "$out" "$out/$name.spdx.json"
(cd "$out" && files | xargs sha256sum > "$rows.before" && cp "$rows.before" SHA256SUMS)
for file in "$name.spdx.json" SHA256SUMS; do printf '%s %s 0\n' "$file" "$(stat -c %s "$out/$file")" >> "$rows"; done
awk 'BEGIN { printf "%-56s %12s %8s\n", "artefact", "bytes", "seconds" } { printf "%-56s %12d %8s\n", $1, $2, $3 }' "$rows"
