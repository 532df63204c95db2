#!/bin/sh
# bench_scorers.sh BUILD - rows scored per second on one core (processor time, best of several) at 10 columns, fitted on
# 10,000 rows, next to scikit-learn in the same run; then what `anorank fit` needs for 10,000 x 10, and its model's size.
# bench_scorers.sh BUILD fit - 10^6 x 30 on two cores.
set -eu
build=$1
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

# fit_line FILE THREADS NAME=VALUE...: elapsed and processor seconds, and the size of the model
fit_line() {
  file=$1 threads=$2
  shift 2
  TIMEFORMAT='%R %U %S' bash -c 'time "$@"' fit "$build/anorank" fit "$file" -o "$folder/model.anr" -q --threads "$threads" "$@" \
    2> "$folder/time" || { cat "$folder/time"; return 1; }
  tail -n 1 "$folder/time" | awk -v what="$*" -v bytes="$(wc -c < "$folder/model.anr")" -v threads="$threads" '
    {printf "fit %-34s %d thread(s)  %7.2f s  %7.2f s of processors  model %5.2f MB\n", what, threads, $1, $2 + $3, bytes / 1e6}'
}

if [ "${2:-}" = fit ]; then
  "$build/anorank" simulate gaussian --rows 1000000 --dim 30 -o "$folder/large.npy" -q
  fit_line "$folder/large.npy" 2 --train clean
  fit_line "$folder/large.npy" 2 --train contaminated
  exit
fi

for class in blend neighbours knn hull isolation; do
  FIT_ROWS=10000 "$build/bench_scorers" $class
  [ $class != blend ] ||
    FIT_ROWS=10000 "$build/bench_scorers" blend train=contaminated | sed 's/^blend /blend-contaminated /'
done > "$folder/ours"
"${PYTHON:-/usr/bin/python3}" "$here/scorers_peer.py" 10000 10 > "$folder/peer" ||
  echo "no scikit-learn to compare with: $(cat "$folder/peer") (install python3-sklearn)" | tee "$folder/none"
[ ! -e "$folder/none" ] || : > "$folder/peer"
printf '%-18s %9s %12s %18s %18s\n' 'class' 'fit s' 'rows/s' '/ IsolationForest' '/ NearestNeighbors'
awk -v peer="$folder/peer" '
  function line(name, fit, rate) {
    printf "%-18s %9.4f %12.0f", name, fit, rate
    printf forest ? sprintf(" %17.1fx", rate / forest) : "                   "
    printf nearest ? sprintf(" %17.1fx\n", rate / nearest) : "\n"
  }
  BEGIN {
    while ((getline < peer) > 0) { name[++n] = $1; fit[n] = $2; rate[n] = $3 }
    forest = rate[1]; nearest = rate[2]
    for (i = 1; i <= n; i++) line(name[i], fit[i], rate[i])
  }
  { for (i = 1; i < NF; i++) { if ($i == "fit") f = $(i + 1); if ($i == "score") r = $(i + 1) }; line($1, f, r) }' "$folder/ours"
"$build/anorank" simulate gaussian --rows 10000 --dim 10 -o "$folder/rows.csv" -q
for train in clean contaminated; do
  fit_line "$folder/rows.csv" 1 --train $train
  fit_line "$folder/rows.csv" 1 --train $train --fast
done
