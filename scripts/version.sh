#!/bin/sh
# version.sh [numbers|debian|python] - the version in include/anorank/anorank.h, its only place: 1.0.0-rc1, and as others spell it
# (1.0.0, 1.0.0~rc1, 1.0.0rc1).
# version.sh epoch - its date in seconds: SOURCE_DATE_EPOCH, or the last commit, or in an unpacked tarball the date of its files.
set -eu
cd "$(dirname "$0")/.."
header=include/anorank/anorank.h
if [ "${1:-}" = epoch ]; then
  if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then echo "$SOURCE_DATE_EPOCH"
  elif [ -e .git ]; then git log -1 --format=%ct
  else stat -c %Y "$header"; fi
  exit
fi
awk -v form="${1:-plain}" '
  /^#define ANORANK_VERSION_(MAJOR|MINOR|PATCH) / { numbers = numbers (numbers == "" ? "" : ".") $3 }
  /^#define ANORANK_VERSION_SUFFIX / { split($0, part, "\""); suffix = part[2] }
  END {
    if (form == "numbers") suffix = ""
    if (form == "debian") sub(/^-/, "~", suffix)
    if (form == "python") sub(/^-/, "", suffix)
    print numbers suffix
  }' "$header"
