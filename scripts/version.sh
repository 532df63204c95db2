#!/bin/sh
# version.sh [numbers|debian|python] - the version in include/anorank/anorank.h, its only place: 1.0.0-rc1, and as others spell it
# (1.0.0, 1.0.0~rc1, 1.0.0rc1).
set -eu
awk -v form="${1:-plain}" '
  /^#define ANORANK_VERSION_(MAJOR|MINOR|PATCH) / { numbers = numbers (numbers == "" ? "" : ".") $3 }
  /^#define ANORANK_VERSION_SUFFIX / { split($0, part, "\""); suffix = part[2] }
  END {
    if (form == "numbers") suffix = ""
    if (form == "debian") sub(/^-/, "~", suffix)
    if (form == "python") sub(/^-/, "", suffix)
    print numbers suffix
  }' "$(dirname "$0")/../include/anorank/anorank.h"
