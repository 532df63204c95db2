#!/bin/sh
# run.sh BUILD - all benchmarks, each next to its peer in this run. BUILD holds the benchmark programs.
# run.sh BUILD fit - fitting 10^6 x 30 on two cores only: minutes.
set -eu
build=$1
here=$(dirname "$0")
echo "machine: $(nproc) cores, $(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), load $(cut -d' ' -f1 /proc/loadavg)"
awk '$1 > 1 {print "warning: the machine is busy; the ratios below are less sure than usual"}' /proc/loadavg

if [ "${2:-}" = fit ]; then
  printf '\n== fitting 10^6 rows of 30 columns\n'
  exec sh "$here/bench_scorers.sh" "$build" fit
fi

printf '\n== scoring rows, one core, against scikit-learn\n'
sh "$here/bench_scorers.sh" "$build"
printf '\n== rows from memory, default, 10 columns: one at a time and many, one core; below, as before 0.2\n'
"$build/bench_one_row"
"$build/bench_one_row" table
printf '\n== one file to its ranking: 10^6 x 10\n'
sh "$here/bench_detect.sh" "$build"
printf '\n== in blocks: 10^6 x 10, plain and compressed\n'
sh "$here/bench_stream.sh" "$build"
sh "$here/bench_context.sh" "$build"
printf '\n== from Python: one row, many, and memory\n'
sh "$here/bench_python.sh" "$build" || [ $? = 77 ]
printf '\n== the service under load, against FastAPI and Flask\n'
sh "$here/bench_serve.sh" "$build" || [ $? = 77 ]
printf '\n== ranking 10^7 doubles against numpy'"'"'s argsort (seconds, best of 3)\n'
sh "$here/bench_sort.sh" "$build/bench_sort" 1e7 3
printf '\n== reading tables against pandas and numpy\n'
sh "$here/bench_read.sh" "$build" || [ $? = 77 ]
printf '\n== exp, log and logistic against the C library\n'
"$build/bench_vector"
printf '\n== columns derived from entities and times, one core\n'
"$build/bench_context"
printf '\n== random numbers\n'
"$build/bench_rng"
printf '\n== training the paper'"'"'s network against PyTorch\n'
sh "$here/bench_train.sh" "$build/anorank"
printf '\n== the rank loss and its gradient, per evaluation, against all pairs\n'
"$build/bench_rank"
