#!/bin/sh
# fuzz.sh FOLDER SECONDS - run each fuzzer on a copy of its committed corpus; what it finds is kept in build/crashes.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(cd "$1" && pwd)
mkdir -p "$root/build/crashes"
for source in "$root"/tests/fuzz/fuzz_*.c; do
  name=$(basename "$source" .c)
  subject=${name#fuzz_}
  grown="$root/build/corpus/$subject"
  mkdir -p "$grown"
  echo "== $name, $2 s"
  "$folder/$name" -max_total_time="$2" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$root/build/crashes/$name-" "$grown" "$root/tests/fuzz/corpus/$subject" 2> "$grown.log" || {
    tail -40 "$grown.log"
    echo "$name found something: the input is in build/crashes" >&2
    exit 1
  }
  grep -E 'number_of_executed_units|peak_rss_mb' "$grown.log"
done
