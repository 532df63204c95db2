#!/bin/sh
# check-slow.sh FOLDER - run every slow check in FOLDER; fails if one does.
set -eu
status=0
for source in tests/slow/*.c; do
  name=$(basename "$source" .c)
  echo "== $name"
  "$1/$name" || status=1
done
echo "== kill_fit"
sh scripts/kill_fit.sh "$(cd "$1/.." && pwd)/anorank" 200 || status=1
echo "== the Python package: 10,000 cycles of fits, then all of its tests with the address sanitizer preloaded"
export SOURCE="$PWD" ANORANK="$(cd "$1/.." && pwd)/anorank"
BUILD=$(cd "$1/.." && pwd) sh tests/python/python_check.sh package || status=1
BUILD=$(cd "$1/.." && pwd) CYCLES=10000 sh tests/python/python_check.sh tests || status=1
BUILD=$PWD/build/asan sh tests/python/python_check.sh asan || status=1
echo "== a report on a million rows, and the page"
sh tests/web/web_check.sh wasm || [ $? -eq 77 ] || status=1
sh tests/web/web_check.sh large || [ $? -eq 77 ] || status=1
exit $status
