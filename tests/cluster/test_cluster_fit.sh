#!/bin/sh
# anorank-mpi fit: the model of the command line, byte by byte, on 1 to 4 processes.
. "$(dirname "$0")/lib.sh"

run example cards --rows 3000 -o cards.csv -q
sed 's/,/;/g' cards.csv > cards2.csv # another delimiter: something to note
for file in cards.csv cards2.csv; do
  run fit $file -o one.anr -q --drop fraud
  expect_code 0
  for ranks in 1 2 3 4; do
    [ $file = cards.csv ] || [ $ranks -eq 3 ] || continue
    rm -f many.anr
    mpi $ranks fit $file -o many.anr -q --drop fraud --piece 20000
    expect_code 0
    expect_same one.anr many.anr
  done
done
# Only some rows are drawn.
run simulate gaussian --rows 60000 --dim 6 -o x.npy -q
run fit x.npy -o one.anr -q --fast --max-memory 8M
mpi 3 fit x.npy -o many.anr -q --fast --max-memory 8M --piece 100000
expect_code 0
expect_same one.anr many.anr
# Parts of one table, one of them compressed.
mkdir parts
head -n 1001 cards.csv > parts/a.csv
(head -n 1 cards.csv && tail -n +1002 cards.csv) > parts/b.csv
zstd -q --rm parts/b.csv
run fit cards.csv -o one.anr -q --drop fraud
run fit parts -o parts.anr -q --drop fraud
mpi 2 fit parts -o many.anr -q --drop fraud
expect_code 0
expect_same parts.anr many.anr
mpi 3 fit parts/a.csv parts/b.csv.zst -o many.anr -q --drop fraud
expect_code 0
expect_same one.anr many.anr
# Labels need all rows in one place.
run fit cards.csv -o one.anr -q --labels fraud
mpi 2 fit cards.csv -o many.anr -q --labels fraud
expect_code 0
expect_same one.anr many.anr
mpi 2 fit cards.csv
expect_code 2
expect_err 'name the file for the model with --output MODEL'
head -n 1 cards.csv > empty.csv
run fit empty.csv -o none.anr
sed 's/^anorank: //' .err > one.err
mpi 3 fit empty.csv -o none.anr
expect_code 3
[ ! -e none.anr ] || fail "a model was written"
expect_clean
finish
