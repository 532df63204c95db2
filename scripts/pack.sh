#!/bin/sh
# pack.sh FOLDER FILE - FOLDER as FILE, a .tar.gz whose bytes depend on names, contents and the date of the release alone.
set -eu
epoch=$(sh "$(dirname "$0")/version.sh" epoch)
tar --sort=name --format=ustar --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
  -C "$(dirname "$1")" -c "$(basename "$1")" | gzip -9n > "$2.part"
mv "$2.part" "$2"
