#!/bin/sh
# The binary interface of the shared library against that of the last release (VERSIONING.md). `make abi` renews it.
#   check_abi.sh          compare; exit 77 where abidiff or debug information is missing
#   check_abi.sh renew    write tests/abi/libanorank.abi
set -eu
: "${SOURCE:?}" "${LIBRARY:?}"
kept=$SOURCE/tests/abi/libanorank.abi
for tool in abidw abidiff; do
  command -v $tool > /dev/null 2>&1 || { echo "skipped: there is no $tool; sh scripts/setup.sh test installs it"; exit 77; }
done
if [ -n "${SANITIZE:-}" ]; then echo "skipped: a sanitizer changes what is exported"; exit 77; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Public headers only: what is opaque outside may change inside.
abidw --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed --exported-interfaces-only --drop-private-types \
  --headers-dir "$SOURCE/include" --out-file "$folder/now.abi" "$LIBRARY"
grep -q "type-id='[^v]*'\|<class-decl" "$folder/now.abi" || { echo "skipped: $LIBRARY has no debug information"; exit 77; }
if [ "${1:-}" = renew ]; then
  mkdir -p "$SOURCE/tests/abi"
  sed "s#path='[^']*/src/#path='src/#" "$folder/now.abi" > "$kept" # no folder of one machine
  echo "$kept: $(wc -c < "$kept") bytes"
  exit 0
fi
# Functions that are only added are welcome; every other change fails, also one that may be harmless (a struct that
# grew at its end): look at it, and renew the description if VERSIONING.md allows it.
code=0
abidiff --no-show-locs --no-added-syms "$kept" "$folder/now.abi" > "$folder/said" 2>&1 || code=$?
if [ $code -ne 0 ]; then
  cat "$folder/said"
  echo "the binary interface differs from the last release's; VERSIONING.md says when it may, and how to renew its description"
  exit 1
fi
