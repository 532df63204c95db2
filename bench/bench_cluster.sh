#!/bin/sh
# bench_cluster.sh BUILD [ROWS [COLUMNS]] - anorank-mpi score, rank, detect, fit and judge on 1, 2, 3 and 4 processes next to one process of the
# command line, in one run: seconds, seconds of processors, the memory of the largest process, and whether the bytes are the same.
# On a machine of two processors, 3 and 4 show what sharing costs, not what it gains. COMMANDS="score rank" measures these alone, RANKS="1 2"
# these numbers of processes, ROUNDS=3 each of them so often, in turn. The first lines are what it takes to start and end the processes, which is
# Open MPI's time and in every number below. Reference: 1,000,000 rows of 10 columns.
set -eu
build=$(cd "${1:?the folder of the build}" && pwd)
rows=${2:-1000000} columns=${3:-10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
"$build/anorank" simulate gaussian --rows "$rows" --dim "$columns" -o x.csv -q
head -n 20001 x.csv > train.csv
"$build/anorank" fit train.csv -o m.anr -q
echo "$rows rows of $columns columns: $(wc -c < x.csv | awk '{ printf "%.0f", $1 / 1e6 }') MB of CSV"

cat > timed.py <<'P'
import resource, subprocess, sys, time
begin = time.time()
code = subprocess.call(sys.argv[2:], stdout=open("out", "w"), stderr=open("err", "w"))
took = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%-31s %7.2f s, %7.2f s of processors, %5.0f MB" % (sys.argv[1], time.time() - begin, took.ru_utime + took.ru_stime,
      took.ru_maxrss / 1024), end="" if code == 0 else ", FAILED\n")
P
# timed NAME COMMAND...: what it took.
timed() { python3 timed.py "$@"; }
compare() { if cmp -s "$1" "$2"; then echo ", same bytes"; else echo ", OTHER BYTES"; fi; }

# measure NAME OUTPUT ARGUMENTS...: OUTPUT is what is compared, "out" standard output.
measure() {
  name=$1 output=$2
  shift 2
  where=${output:+-o $output}
  [ "$output" != out ] || where=
  timed "$name, command line, 1 thread" "$build/anorank" "$@" $where -q --threads 1
  echo
  mv "$output" one
  round=0
  while [ $((round += 1)) -le "${ROUNDS:-1}" ]; do
    for ranks in ${RANKS:-1 2 3 4}; do
      timed "$name, $ranks processes" mpirun -q -n "$ranks" "$build/anorank-mpi" "$@" $where -q --threads 1
      compare one "$output"
    done
  done
}
for ranks in ${RANKS:-1 2 3 4}; do
  timed "nothing, $ranks processes" mpirun -q -n "$ranks" "$build/anorank-mpi" --version
  echo
done
for command in ${COMMANDS:-score rank detect fit judge}; do
  case $command in
  score) measure score scores.csv score m.anr x.csv ;;
  rank) measure 'rank --fdr 0.1' found.csv rank m.anr x.csv --fdr 0.1 ;;
  detect) measure 'detect --lowest 1000' found.csv detect x.csv --lowest 1000 ;;
  fit) measure fit model.anr fit x.csv ;;
  judge)
    "$build/anorank" simulate gaussian --rows "$rows" --dim 1 --sigma 1.5 -o u.npy -q
    "$build/anorank" simulate gaussian --rows "$rows" --dim 1 -o x.npy -q
    measure judge out judge x.npy --contrast u.npy --json
    ;;
  esac
done
