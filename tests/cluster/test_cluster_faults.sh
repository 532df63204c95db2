#!/bin/sh
# What ends a job of many processes: one message, the right exit code, and no half file.
. "$(dirname "$0")/lib.sh"

run simulate gaussian --rows 20000 --dim 4 -o x.csv -q
run fit x.csv -o x.anr --fast -q
run score x.anr x.csv -o one.csv -q

# A bad cell in the last range, and one in the middle: the message is that of one process.
for line in 20001 9000; do
  sed "${line}s/^[^,]*/wrong/" x.csv > bad.csv
  run score x.anr bad.csv -o bad-scores.csv -q
  expect_code 3
  sed 's/^anorank: //' .err > one.err
  for ranks in 2 4; do
    mpi $ranks score x.anr bad.csv -o bad-scores.csv -q --piece 20000
    expect_code 3
    sed 's/^anorank-mpi: //' .err > many.err
    expect_same one.err many.err
    [ ! -e bad-scores.csv ] || fail "a file was written"
    expect_clean
  done
done
grep -q 'bad.csv:9000: column' one.err || fail "the message does not name the line"
printf '1,2,3,"open\n' >> x.csv
mpi 3 score x.anr x.csv -o bad-scores.csv -q
expect_code 3
expect_err 'the quote that opens cell 4 is never closed'
sed -i '$d' x.csv

# No room on one process: its writes beyond so many blocks of 512 bytes fail.
cat > limited.sh <<'S'
ulimit -f 100
exec "$@"
S
rm -f full.csv
last='score, process 1 without room'
OMPI_MCA_btl=self,tcp mpirun -q --oversubscribe -n 1 "$MPI" score x.anr x.csv -o full.csv -q --piece 20000 : \
  -n 1 sh limited.sh "$MPI" score x.anr x.csv -o full.csv -q --piece 20000 > .out 2> .err
code=$?
expect_code 5
expect_err 'full.csv: cannot write: '
[ ! -e full.csv ] || fail "a half file was written"
expect_clean
mpi 2 score x.anr x.csv -o /dev/full -q
expect_code 5
expect_err '/dev/full: cannot write: No space left on device; free some space or write elsewhere'

# An old file stays as it is, and its rights stay after a new one has taken its place.
echo old > kept.csv
chmod 640 kept.csv
mpi 2 score x.anr bad.csv -o kept.csv -q
[ "$(cat kept.csv)" = old ] || fail "an old file was changed"
mpi 2 score x.anr x.csv -o kept.csv -q
expect_same one.csv kept.csv
[ "$(stat -c %a kept.csv)" = 640 ] || fail "the rights of an old file were changed"

# A process that is killed ends the job; parts go on where they were.
run simulate gaussian --rows 60000 --dim 4 -o long.csv -q
run score x.anr long.csv -o one.csv -q
kill_one() { # WHICH SECONDS ARGUMENTS...: kill -9 process WHICH after so many seconds
  which=$1 after=$2
  shift 2
  last="$* (process $which killed after $after s)"
  mpirun -q --oversubscribe -n 3 "$MPI" "$@" > .out 2> .err &
  job=$!
  sleep "$after"
  victim=$(pgrep -P $job | sed -n "$((which + 1))p")
  killed=0
  if [ -n "$victim" ] && kill -9 "$victim" 2> /dev/null; then killed=1; fi
  wait $job
  code=$?
}
for moment in "0 0.2" "1 0.5" "2 0.8" "0 1.1"; do
  set -- $moment
  rm -f killed.csv
  kill_one "$1" "$2" score x.anr long.csv -o killed.csv -q --piece 2000
  if [ -e killed.csv ]; then # it was done before
    expect_same one.csv killed.csv
  else
    [ "$killed" -eq 1 ] && [ "$code" -ne 0 ] || fail "exit code $code"
  fi
  expect_clean
done
for moment in "1 0.6" "0 0.9" "2 1.2"; do
  set -- $moment
  kill_one "$1" "$2" score x.anr long.csv -o parts -q --part-size 100K --resume --piece 2000
  expect_clean
done
mpi 2 score x.anr long.csv -o parts -q --part-size 100K --resume
expect_code 0
(head -n 1 one.csv && for part in parts/part-*.csv; do tail -n +2 $part; done) > joined.csv
expect_same one.csv joined.csv
expect_clean
finish
