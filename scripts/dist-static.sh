#!/bin/sh
# dist-static.sh FOLDER - for x86-64 and aarch64 the program as one static file, with its manual pages, completions and the
# licences of what is linked into it.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=build/platforms/sources
for processor in x86_64 aarch64; do
  folder=$work/anorank-$(sh scripts/version.sh)-linux-$processor
  share=$folder/share
  mkdir -p "$folder/bin" "$share/man/man1" "$share/doc/anorank" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
  sh scripts/platforms.sh "static-$processor" "$folder/bin/anorank"
  case $processor in x86_64) build=build/platforms/musl/static ;; *) build=build/platforms/musl-$processor/static ;; esac
  cmake --build "$build" --target manual completions > "$build/manual.log" 2>&1 || { cat "$build/manual.log" >&2; exit 1; }
  cp "$build"/generated/*.1 "$share/man/man1"
  cp "$build/generated/anorank.bash" "$share/bash-completion/completions/anorank"
  cp "$build/generated/_anorank" "$share/zsh/site-functions"
  cp "$build/generated/anorank.fish" "$share/fish/vendor_completions.d"
  cp LICENSE THIRD_PARTY.md "$share/doc/anorank"
  for licence in musl/COPYRIGHT zlib/LICENSE libzstd/LICENSE expat/COPYING; do
    cp "$sources/$licence" "$share/doc/anorank/LICENSE.${licence%%/*}"
  done
  sh scripts/pack.sh "$folder" "$out/$(basename "$folder").tar.gz"
done
