#!/bin/sh
# fill.sh URL TARBALL FOLDER - write the recipes into FOLDER with the address and the checksums of a release: URL is the
# address under which TARBALL (anorank-VERSION.tar.gz) can be downloaded.
set -eu
[ $# = 3 ] || { echo "usage: fill.sh URL TARBALL FOLDER" >&2; exit 2; }
url=${1%/} tarball=$2 folder=$3
case $url in *[!A-Za-z0-9:/._~-]* | '') echo "fill.sh: not a plain address: $url" >&2; exit 2 ;; esac
sha256=$(sha256sum "$tarball" | cut -d ' ' -f 1)
sha512=$(sha512sum "$tarball" | cut -d ' ' -f 1)
cd "$(dirname "$0")"
case $folder in /*) ;; *) folder=$OLDPWD/$folder ;; esac
for recipe in homebrew/anorank.rb conda/recipe.yaml vcpkg/portfile.cmake vcpkg/vcpkg.json vcpkg/usage nix/package.nix; do
  mkdir -p "$folder/$(dirname "$recipe")"
  sed -e "s|https://example\.org/anorank|$url|" -e "s/0\{128\}/$sha512/" -e "s/0\{64\}/$sha256/" "$recipe" > "$folder/$recipe"
done
