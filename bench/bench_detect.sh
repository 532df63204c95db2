#!/bin/sh
# bench_detect.sh BUILD - `anorank detect` of 10^6 x 10 from a CSV to its ranking, next to pandas and scikit-learn's isolation
# forest doing the same job (read, fit, score, sort, write the lowest), one after the other in this run, best of 2.
#   BEFORE=path/to/an/older/anorank   measured too, in between
#   ROWS=100000                       fewer rows
set -eu
build=$1
here=$(dirname "$0")
python=${PYTHON:-/usr/bin/python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

"$build/anorank" simulate gaussian --rows "${ROWS:-1000000}" --dim 10 -o "$folder/rows.csv" -q

# measure NAME COMMAND...: seconds, seconds of processors and MB, the quicker of two runs
measure() {
  name=$1
  shift
  for run in 1 2; do
    /usr/bin/time -f '%e %U %S %M' -o "$folder/time" "$@" >/dev/null || return 1
    tail -n 1 "$folder/time"
  done | sort -n | awk -v name="$name" 'NR == 1 { printf "%-30s %8.2f %8.2f %8.0f\n", name, $1, $2 + $3, $4 / 1024 }' | tee -a "$folder/all"
}

printf '%-30s %8s %8s %8s\n' "detect of ${ROWS:-10^6} x 10" 'wall s' 'cpu s' 'peak MB'
if "$python" -c 'import pandas, sklearn' 2>/dev/null; then
  measure 'pandas + IsolationForest' "$python" "$here/detect_peer.py" "$folder/rows.csv" "$folder/peer.csv"
else
  echo 'no pandas and scikit-learn to compare with (install python3-pandas and python3-sklearn)'
fi
[ -z "${BEFORE:-}" ] || measure 'anorank detect, before' "$BEFORE" detect "$folder/rows.csv" -q -o "$folder/before.csv"
measure 'anorank detect' "$build/anorank" detect "$folder/rows.csv" -q -o "$folder/now.csv"
awk '
  { wall[$0] = $(NF - 2); cpu[$0] = $(NF - 1); line[NR] = $0 }
  END {
    now = line[NR]
    for (i = 1; i < NR; i++) {
      name = substr(line[i], 1, 30); sub(/ +$/, "", name)
      printf "%s needs %.1f times the time, %.1f times the processors\n", name, wall[line[i]] / wall[now], cpu[line[i]] / cpu[now]
    }
  }' "$folder/all"
