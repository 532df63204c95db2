#!/bin/sh
# bench_context.sh BUILD - rows that are compared with earlier rows of their entity: rows per second of the context alone (5 columns,
# 100,000 entities, one core: `fit --update`, less the same call with one row), `detect --by --time` of 10^6 x 10 next to plain `detect`
# of a table with as many columns as the derived one and of the raw table, and the peak memory of a stream.
#   ROWS=100000   fewer rows
set -eu
build=$1
rows=${ROWS:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

# table ROWS COLUMNS FIRST FILE: 100,000 entities at times from FIRST on
table() {
  awk -v n="$1" -v columns="$2" -v first="$3" 'BEGIN { srand(1); printf "id,t"; for (j = 1; j <= columns; j++) printf ",x%d", j; print ""
    for (i = 0; i < n; i++) { printf "u%d,%d", int(rand() * 100000), first + i; for (j = 0; j < columns; j++) printf ",%.4f", rand() + rand(); print "" } }' >"$4"
}

# measure COMMAND...: seconds of processors and MB
measure() { /usr/bin/time -f '%U %M' -o "$folder/time" "$@" >/dev/null && tail -n 1 "$folder/time"; }

table 100000 5 0 "$folder/history.csv"
table "$rows" 5 1000000 "$folder/later.csv"
head -n 2 "$folder/later.csv" >"$folder/one.csv"
"$build/anorank" fit "$folder/history.csv" --by id --time t --fast yes -q -o "$folder/model.anr"
one=$(measure "$build/anorank" fit --update "$folder/model.anr" "$folder/one.csv" --threads 1 -q -o "$folder/next.anr")
all=$(measure "$build/anorank" fit --update "$folder/model.anr" "$folder/later.csv" --threads 1 -q -o "$folder/next.anr")
echo "$one $all" | awk -v rows="$rows" '{ printf "reading and context, one core: %.2f million rows/s (5 columns, 100,000 entities), peak %.0f MB\n", rows / ($3 - $1) / 1e6, $4 / 1024 }'
echo "$(measure "$build/anorank" score "$folder/model.anr" - --threads 1 -q -o "$folder/s.csv" <"$folder/later.csv")" |
  awk '{ printf "score of a stream: %.1f s of processor, peak %.0f MB\n", $1, $2 / 1024 }'

table "$rows" 10 0 "$folder/raw.csv"
table "$rows" 31 0 "$folder/wide.csv" # 10 columns, two derived of each, and one
by=$(measure "$build/anorank" detect "$folder/raw.csv" --by id --time t --lowest 100 --threads 1 -q -o "$folder/by.csv")
wide=$(measure "$build/anorank" detect "$folder/wide.csv" --drop id,t --lowest 100 --threads 1 -q -o "$folder/wide-out.csv")
raw=$(measure "$build/anorank" detect "$folder/raw.csv" --drop id,t --lowest 100 --threads 1 -q -o "$folder/raw-out.csv")
echo "$by $wide $raw" | awk -v rows="$rows" '{ printf "detect --by --time of %d x 10: %.1f s, peak %.0f MB; %.2f times plain detect of 31 columns, %.2f times that of the 10\n", rows, $1, $2 / 1024, $1 / $3, $1 / $5 }'
