#!/bin/sh
# bench_cluster.sh BUILD [ROWS] - anorank-mpi score, fit and judge on 1, 2, 3 and 4 processes next to one process of the command line, in one run:
# seconds, seconds of processors, and whether the bytes are the same. On a machine of two processors, 3 and 4 show what
# sharing costs, not what it gains. Reference: 1,000,000 rows of 10 columns.
set -eu
build=$(cd "${1:?the folder of the build}" && pwd)
rows=${2:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
"$build/anorank" simulate gaussian --rows "$rows" --dim 10 -o x.csv -q
"$build/anorank" simulate gaussian --rows "$rows" --dim 1 --sigma 1.5 -o u.npy -q
"$build/anorank" simulate gaussian --rows "$rows" --dim 1 -o x.npy -q
head -n 20001 x.csv > train.csv
"$build/anorank" fit train.csv -o m.anr -q
ls -l x.csv | awk '{ printf "x.csv: %.0f MB\n", $5 / 1e6 }'

# timed NAME COMMAND...: what it took.
timed() {
  name=$1
  shift
  bash -c 'TIMEFORMAT="%R %U %S"; time "$@" > out 2> err' bash "$@" 2> took
  awk -v name="$name" '{ printf "%-28s %7.2f s, %7.2f s of processors", name, $1, $2 + $3 }' took
}
compare() { if cmp -s "$1" "$2"; then echo ", same bytes"; else echo ", OTHER BYTES"; fi; }

timed "score, command line, 1 thread" "$build/anorank" score m.anr x.csv -o one.csv -q --threads 1
echo
for ranks in 1 2 3 4; do
  timed "score, $ranks processes" mpirun -q -n $ranks "$build/anorank-mpi" score m.anr x.csv -o many.csv -q --threads 1
  compare one.csv many.csv
done
timed "fit, command line, 1 thread" "$build/anorank" fit x.csv -o one.anr -q --threads 1
echo
for ranks in 1 2 3 4; do
  timed "fit, $ranks processes" mpirun -q -n $ranks "$build/anorank-mpi" fit x.csv -o many.anr -q --threads 1
  compare one.anr many.anr
done
timed "judge, command line" "$build/anorank" judge x.npy --contrast u.npy --json --threads 1
mv out one.json
echo
for ranks in 1 2 3 4; do
  timed "judge, $ranks processes" mpirun -q -n $ranks "$build/anorank-mpi" judge x.npy --contrast u.npy --json --threads 1
  compare one.json out
done
