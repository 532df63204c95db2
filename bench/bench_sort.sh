#!/bin/sh
# Ranking here against arg-sorting in numpy, on the same values, one after the other.
#   bench_sort.sh PROGRAM [N [REPEATS]]      PROGRAM: build/.../bench_sort
# VALUES="uniform ties" takes those only; BENCH_CPU=1 measures processor time ("all" then means nothing).
# The columns "rank" hold seconds, and how many times faster than numpy's quicker argsort that is.
set -eu
program=$1 n=${2:-1e7} repeats=${3:-3}
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%-10s %9s %9s %9s %16s %16s %9s %9s\n' values numpy stable argsort 'rank, 1 thread' 'rank, all' 'MB' 'numpy MB'
for values in ${VALUES:-uniform normal ties decimals cauchy zeros sorted cluster}; do
  "$program" "$n" $values write "$folder/values"
  "$program" "$folder/values" file 1 "$repeats" >"$folder/one"
  "$program" "$folder/values" file 0 "$repeats" >"$folder/all"
  "${PYTHON:-/usr/bin/python3}" "$here/sort_peer.py" "$folder/values" "$repeats" >"$folder/peer"
  cat "$folder/one" "$folder/all" | awk -v values=$values -v peer="$(cat "$folder/peer")" '
    BEGIN { split(peer, p, " "); best = p[1] < p[2] ? p[1] : p[2] }
    $1 == "argsort" { argsort = $5 }
    $1 == "rank" && $4 == 1 { one = $5 }
    $1 == "rank" && $4 == "all" { all = $5 }
    $1 == "memory" { memory = $5 }
    END { printf "%-10s %9.3f %9.3f %9.3f %9.3f %5.1fx %9.3f %5.1fx %9d %9d\n", values, p[1], p[2], argsort, one, best / one,
          all, best / all, memory, p[3] }'
done
