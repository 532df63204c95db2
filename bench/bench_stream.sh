#!/bin/sh
# bench_stream.sh BUILD - `score` and `detect` of 10^6 x 10 in blocks: plain, gzip and zstd; with the next block prefetched by a separate
# thread, and (BEFORE) by an older program, in turns, best of RUNS (3). Outputs must be the same bytes.
#   BEFORE=path/to/an/older/anorank   measured too, in between
#   ROWS=100000                       fewer rows
set -eu
build=$1
rows=${ROWS:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

"$build/anorank" simulate gaussian --rows "$rows" --dim 10 -o "$folder/rows.csv" -q
head -n 20001 "$folder/rows.csv" >"$folder/train.csv"
"$build/anorank" fit "$folder/train.csv" -o "$folder/model.anr" -q
gzip -k "$folder/rows.csv"
zstd -q "$folder/rows.csv"

# once PROGRAM NAME WHAT FILE: one run; seconds, seconds of processors and MB to NAME.times
once() {
  case $3 in
  score) set -- "$1" "$2" score "$folder/model.anr" "$folder/$4" ;;
  detect) set -- "$1" "$2" detect "$folder/$4" --max-memory "$((rows / 2))K" ;; # half of the text: so it is read in blocks
  esac
  program=$1 name=$2
  shift 2
  /usr/bin/time -f '%e %U %S %M' -o "$folder/time" "$program" "$@" -q -o "$folder/$name.csv"
  tail -n 1 "$folder/time" >>"$folder/$name.times"
}

printf '%-24s %8s %8s %8s %s\n' "$rows x 10, in blocks" 'wall s' 'cpu s' 'peak MB' 'processors busy'
for what in score detect; do
  for file in rows.csv rows.csv.gz rows.csv.zst; do
    rm -f "$folder"/*.times
    run=0
    while [ $run -lt "${RUNS:-3}" ]; do
      [ -z "${BEFORE:-}" ] || once "$BEFORE" before $what $file
      once "$build/anorank" now $what $file
      run=$((run + 1))
    done
    for name in before now; do
      [ -s "$folder/$name.times" ] || continue
      sort -n "$folder/$name.times" | awk -v name="$what ${file#rows.}${BEFORE:+, $name}" 'NR == 1 {
        printf "%-24s %8.2f %8.2f %8.0f %.2f\n", name, $1, $2 + $3, $4 / 1024, ($2 + $3) / $1 }'
    done
    [ -z "${BEFORE:-}" ] || cmp "$folder/before.csv" "$folder/now.csv"
  done
done
