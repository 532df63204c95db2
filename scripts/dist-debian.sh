#!/bin/sh
# dist-debian.sh FOLDER - Debian source and binary packages, from the source tarball in FOLDER and packaging/debian in it.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sh scripts/version.sh)
upstream=$(sh scripts/version.sh debian)
epoch=$(sh scripts/version.sh epoch)
work=build/debian
tree=$work/anorank-$version
rm -rf "$work"
mkdir -p "$work"
cp "$out/anorank-$version.tar.gz" "$work/anorank_$upstream.orig.tar.gz"
tar -xzf "$work/anorank_$upstream.orig.tar.gz" -C "$work"
cp -a "$tree/packaging/debian" "$tree/debian"
cat > "$tree/debian/changelog" << END
anorank ($upstream-1) unstable; urgency=medium

  * Version $version. CHANGELOG.md lists what changed.

 -- $(sed -n 's/^Maintainer: //p' "$tree/debian/control")  $(LC_ALL=C date -u -R -d "@$epoch")
END
(
  cd "$tree"
  DEB_BUILD_OPTIONS="parallel=${JOBS:-$(nproc)} noautodbgsym" dpkg-buildpackage -us -uc
) > "$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
mv "$work"/*.deb "$work"/*.dsc "$work"/*.debian.tar.xz "$work"/*.orig.tar.gz "$out"
