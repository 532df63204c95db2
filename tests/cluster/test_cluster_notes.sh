#!/bin/sh
# What anorank-mpi says of a file as a whole: the sentences of the command line, whoever has seen which rows.
. "$(dirname "$0")/lib.sh"

# A time, a number that rises with it, one that is in another unit in the last third; the names again in the middle, twice.
make_table() {
  awk -v from="$1" -v rows="$2" -v unit="$3" 'BEGIN {
    srand(7 + from)
    print "when,load,heat,kind"
    for (i = 0; i < rows; i++) {
      if (unit > 1 && (i == int(rows / 2) || i == rows - 9)) print "when,load,heat,kind"
      u = rand() + rand() + rand() + rand() - 2
      v = rand() + rand() + rand() + rand() - 2
      printf "2025-%02d-%02d %02d:00,%.5f,%.5f,%s\n", 1 + int(i / 672), 1 + int(i / 24) % 28, i % 24, 10 + 0.004 * i * (unit > 1) + u,
        (3 * i > 2 * rows ? unit : 1) * (20 + v), i % 2 ? "x" : "y"
    }
  }'
}
make_table 1 400 1 > train.csv
run fit train.csv -o model.anr --fast -q
# Rows of the fit are among them, at the end: no process has seen them all.
make_table 2 4000 100 > mixed.csv
tail -n 350 train.csv >> mixed.csv

# same RANKS ARGUMENTS...: what is said by one and by many.
same() {
  ranks=$1
  shift
  mpi "$ranks" "$@" -o many.csv --piece "${piece:-9000}"
  expect_code 0
  sed 's/^anorank-mpi: //' .err > many.err
  expect_same one.err many.err
}

for command in score 'rank --lowest 9'; do
  run $command model.anr mixed.csv -o one.csv
  expect_code 0
  expect_err 'line 2002 holds the names of the columns again'
  expect_err 'rows that the model was fitted on are among these'
  expect_err 'these rows look unlike the training rows as a whole'
  expect_err "the rows are in the order of 'when'"
  sed 's/^anorank: //' .err > one.err
  for ranks in 1 2 3; do
    same $ranks $command model.anr mixed.csv
    expect_same one.csv many.csv
  done
  piece=200000 # process 0 has no row of the last third
  same 3 $command model.anr mixed.csv
  piece=
done

# A file that every process reads, and parts of one table.
zstd -q -k mixed.csv
same 3 rank --lowest 9 model.anr mixed.csv.zst --block-rows 170
head -n 1500 mixed.csv > a.csv
(head -n 1 mixed.csv && tail -n +1501 mixed.csv) > b.csv
run rank --lowest 9 model.anr a.csv b.csv -o one.csv
sed 's/^anorank: //' .err > one.err
for ranks in 2 3; do same $ranks rank --lowest 9 model.anr a.csv b.csv; done

# An ordinary file: nothing is said.
make_table 3 3000 1 > quiet.csv
mpi 2 score model.anr quiet.csv -o many.csv --piece 9000
expect_code 0
[ ! -s .err ] || fail "something was said: $(cat .err)"

# Without rows, how the file is read.
head -n 1 quiet.csv > none.csv
run score model.anr none.csv -o one.csv
expect_err 'line 1 is taken as the names of the columns'
sed 's/^anorank: //' .err > one.err
same 2 score model.anr none.csv

# After --resume, of the rows that were left.
mpi 2 score model.anr mixed.csv -o parts --part-size 60000 -q
sed -i '4,$d' parts/parts
mpi 3 score model.anr mixed.csv -o parts --part-size 60000 --resume
expect_code 0
expect_err 'these rows look unlike the training rows as a whole'
expect_clean
finish
