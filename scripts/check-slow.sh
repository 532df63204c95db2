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
exit $status
