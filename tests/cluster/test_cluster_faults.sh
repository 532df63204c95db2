#!/bin/sh
# What ends a job of many processes: one message, the right exit code, and no half file.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cluster/kills.sh"

run simulate gaussian --rows 12000 --dim 4 -o x.csv -q
run fit x.csv -o x.anr --fast -q
run score x.anr x.csv -o one.csv -q

# A bad cell in the last range, and one in the middle: the message is that of one process.
for line in 12001 9000; do
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

# A file that all write to is taken back when one has no room for what it keeps on the way.
last='rank, process 1 without room for its scores'
rm -f full.csv
OMPI_MCA_btl=self,tcp mpirun -q --oversubscribe -n 1 "$MPI" rank x.anr x.csv -o full.csv -q : \
  -n 1 -x TMPDIR="$folder/nowhere" "$MPI" rank x.anr x.csv -o full.csv -q > .out 2> .err
code=$?
expect_code 5
expect_err 'cannot make a temporary file in .*nowhere: No such file or directory; let TMPDIR name a folder with more room'
[ ! -e full.csv ] || fail "a half file was written"
expect_clean

# A process that is killed ends the job; parts go on where they were. slow_kills.sh has twenty of each.
head -n 8001 x.csv > long.csv
kills 3 5
finish
