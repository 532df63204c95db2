#!/bin/sh
# anorank-mpi rank and detect: the bytes of the command line, on 1 to 4 processes, for every way to choose rows and to write them.
. "$(dirname "$0")/lib.sh"

# same RANKS OUTPUT ARGUMENTS...: by one and by many; the same exit code and the same file.
same() {
  ranks=$1 output=$2
  shift 2
  rm -f "one.$output" "many.$output"
  run "$@" -o "one.$output" -q
  expected=$code
  mpi "$ranks" "$@" -o "many.$output" -q --piece "${piece:-20000}"
  expect_code "$expected"
  expect_same "one.$output" "many.$output"
}

# The borders move through several records, byte by byte; the notes of many lines are kept.
make_quoted 60 > quoted.csv
run fit quoted.csv -o quoted.anr --id id --drop note --fast -q
run rank quoted.anr quoted.csv -o one.csv -q --keep all
for piece in 61 66 71 76 81 86; do
  mpi 3 rank quoted.anr quoted.csv -o many.csv -q --keep all --piece $piece
  expect_code 0
  cmp -s one.csv many.csv || fail "pieces of $piece bytes: other bytes"
done
piece=17
for ranks in 1 2 4; do
  same $ranks csv rank quoted.anr quoted.csv --keep all --lowest 7
done
piece=
run rank quoted.anr quoted.csv -q --keep all
cp .out one.csv
mpi 3 rank quoted.anr quoted.csv -q --keep all
expect_same one.csv .out

# Ways to choose, to give reasons and to write; a model of clean rows and one of contaminated ones, with a tail.
run example cards --rows 900 -o cards.csv -q
run fit cards.csv -o clean.anr -q --drop fraud --fast
run fit cards.csv -o tail.anr -q --drop fraud --train contaminated
same 4 csv rank clean.anr cards.csv
same 3 jsonl rank tail.anr cards.csv --fdr 0.2
same 2 csv.gz rank tail.anr cards.csv --mass 0.97 --reasons 2 --exit-on-anomaly
[ "$expected" -eq 1 ] || fail "no row was selected"
same 3 json rank tail.anr cards.csv --lowest 30 --keep amount,country
same 2 tsv rank clean.anr cards.csv --fdr 0.000001 # nothing is selected
run rank tail.anr cards.csv --lowest 12 --output-format table -o one.txt -q
mpi 2 rank tail.anr cards.csv --lowest 12 --output-format table -o many.txt -q
expect_same one.txt many.txt
# What is said, too; test_cluster_notes.sh has more.
run rank tail.anr cards.csv --fdr 0.2 -o one.csv
sed 's/^anorank: //' .err > one.err
mpi 3 rank tail.anr cards.csv --fdr 0.2 -o many.csv --piece 20000
sed 's/^anorank-mpi: //' .err > many.err
expect_same one.err many.err

# An array; numbers to an array; a file that cannot be cut; an empty table.
run simulate gaussian --rows 3000 --dim 3 -o x.npy -q
run fit x.npy -o x.anr --fast -q
same 3 npy rank x.anr x.npy
same 2 csv rank x.anr x.npy --lowest 100
zstd -q -k cards.csv
same 3 csv rank tail.anr cards.csv.zst --block-rows 300 --lowest 200
head -n 1 cards.csv > empty.csv
mpi 2 rank tail.anr empty.csv -o none.csv
expect_code 3
expect_err 'empty.csv: has a header but no rows of data'
cp empty.csv empty2.csv # as one, so two
run rank tail.anr empty.csv empty2.csv -o none.csv
expect_code 3
expect_err 'empty.csv: has a header but no rows of data; if its first line is a row'
mpi 2 rank tail.anr empty.csv empty2.csv -o none.csv
expect_code 3
expect_err 'empty.csv: has a header but no rows of data; if its first line is a row'
[ ! -e none.csv ] || fail "findings of no rows were written"

# Parts of one table: names, and a folder with one that is compressed and one without rows.
mkdir parts
head -n 300 cards.csv > parts/a.csv
cp empty.csv parts/b.csv
(head -n 1 cards.csv && tail -n +301 cards.csv) > parts/c.csv
zstd -q --rm parts/c.csv
same 3 csv rank tail.anr parts --fdr 0.2 --block-rows 500
run rank tail.anr cards.csv --fdr 0.2 -o whole.csv -q
expect_same whole.csv many.csv
same 2 csv rank tail.anr parts/a.csv parts/c.csv.zst --lowest 40

# detect: the model, and the scores that the fit has given on the way.
run detect cards.csv --drop fraud --id transaction --fdr 0.2 -o one.csv -q --save-model one.anr
for ranks in 1 2 3 4; do
  rm -f many.anr
  mpi $ranks detect cards.csv --drop fraud --id transaction --fdr 0.2 -o many.csv -q --save-model many.anr --piece 30000
  expect_code 0
  expect_same one.csv many.csv
  expect_same one.anr many.anr
done
same 3 jsonl detect parts --drop fraud --fast
same 2 csv detect quoted.csv --id id --fast --keep all
same 2 csv detect cards.csv --labels fraud --fast --lowest 20 # all rows in one place
head -n 3 cards.csv > known.csv
same 2 csv detect cards.csv --drop fraud --known known.csv --fast --lowest 20
run simulate gaussian --rows 12000 --dim 6 -o many.npy -q # only some rows are drawn
same 3 csv detect many.npy --fast --max-memory 1M --lowest 300

# Mistakes are told once, with the exit code of one process.
mpi 3 rank tail.anr cards.csv --keep nothing -o none.csv
expect_code 2
expect_err "keep names 'nothing', which the file does not have"
[ "$(grep -c anorank-mpi: .err)" -eq 1 ] || fail "said more than once"
mpi 2 rank tail.anr cards.csv --lowest 3 --fdr 0.1
expect_code 2
sed '890s/^/more,/' cards.csv > bad.csv # in the last range
for command in 'rank tail.anr' 'detect --fast --drop fraud'; do
  run $command bad.csv -o none.csv
  expect_code 3
  sed 's/^anorank: //' .err > one.err
  mpi 4 $command bad.csv -o none.csv --piece 20000
  expect_code 3
  sed 's/^anorank-mpi: //' .err > many.err
  expect_same one.err many.err
done
awk '{ print (NR == 1 ? "more" : NR) "," $0 }' cards.csv > wide.csv
mpi 3 rank tail.anr cards.csv wide.csv -o none.csv -q
expect_code 3
expect_err 'wide.csv: has 14 columns, but the rows before have 13; all parts need the same columns'
mpi 2 rank tail.anr cards.csv -o nowhere/none.csv
expect_code 5
[ ! -e none.csv ] || fail "findings were written"
expect_clean
mpi 2 rank tail.anr
expect_code 2
expect_err 'FILE is missing: anorank-mpi rank MODEL'
finish
