#!/bin/sh
# The source tarball is the same from a checkout and from the tarball itself.
# labels: nothreads
set -eu
[ -z "$SANITIZE" ] || { echo "the tarball does not depend on sanitizers"; exit 77; }
command -v git > /dev/null 2>&1 || { echo "git is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SOURCE_DATE_EPOCH
name=anorank-$(sh "$SOURCE/scripts/version.sh")
mkdir "$work/first" "$work/second"
sh "$SOURCE/scripts/dist-source.sh" "$work/first" 2> "$work/messages" || { cat "$work/messages"; exit 1; }
tar -xzf "$work/first/$name.tar.gz" -C "$work"
mkdir "$work/$name/build"
touch "$work/$name/build/left.o" # what was built there is no part of it
sh "$work/$name/scripts/dist-source.sh" "$work/second"
cmp "$work/first/$name.tar.gz" "$work/second/$name.tar.gz"
