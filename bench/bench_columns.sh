#!/bin/sh
# Time and memory of `detect` with reasons as the columns grow: linear is what should be seen.
#   bench/bench_columns.sh [BINARY]        COLUMNS="1000 2000 4000" ROWS=50 to choose
# Prints columns, seconds of processor time, seconds per thousand columns, and MiB at most; the power of the columns that
# the time grows with (1: linear); then the wide tables that
# people have asked about: 2,000 x 500 (under 5 s on two cores), 6 x 60,000 (under 10 s).
set -eu
binary=${1:-build/release/anorank}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Rows driven by six factors, with noise.
table() { # rows columns
  awk -v n="$1" -v d="$2" '
    function g() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand()) }
    BEGIN {
      srand(7)
      for (j = 1; j <= d; j++) { printf "%ss%d", (j > 1 ? "," : ""), j; for (k = 1; k <= 6; k++) load[j, k] = g() }
      print ""
      for (i = 1; i <= n; i++) {
        for (k = 1; k <= 6; k++) f[k] = g()
        for (j = 1; j <= d; j++) {
          x = 0.3 * g()
          for (k = 1; k <= 6; k++) x += load[j, k] * f[k]
          printf "%s%.4f", (j > 1 ? "," : ""), x
        }
        print ""
      }
    }'
}

measure() { # rows columns
  table "$1" "$2" >"$folder/t.csv"
  /usr/bin/time -f '%U %S %e %M' -o "$folder/time" "$binary" detect "$folder/t.csv" -q -o "$folder/out.csv"
  awk -v n="$1" -v d="$2" '{ printf "%7d x %-6d %8.2f %12.3f %8.2f %8.0f\n", n, d, $1 + $2, ($1 + $2) * 1000 / d, $3, $4 / 1024 }' "$folder/time"
}

printf '%7s x %-6s %8s %12s %8s %8s\n' rows columns 'cpu s' 'per thousand' 'wall s' MiB
for columns in ${COLUMNS:-1000 2000 4000 8000 16000 32000 64000}; do measure "${ROWS:-20}" "$columns"; done | tee "$folder/growth"
awk 'NR == 1 { d = $3; t = $4 } { e = $3; u = $4 } END { if (e > d && t > 0) printf "growth: processor time ~ columns^%.2f\n", log(u / t) / log(e / d) }' "$folder/growth"
measure 2000 500
measure 6 60000
