#!/bin/sh
# anorank-mpi rank: the bytes of the command line, on 1 to 4 processes, for every way to choose rows and to write them.
. "$(dirname "$0")/lib.sh"

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
make_parts cards.csv
same 3 csv rank tail.anr parts --fdr 0.2 --block-rows 500
run rank tail.anr cards.csv --fdr 0.2 -o whole.csv -q
expect_same whole.csv many.csv
same 2 csv rank tail.anr parts/a.csv parts/c.csv.zst --lowest 40

# Mistakes are told once, with the exit code of one process.
mpi 3 rank tail.anr cards.csv --keep nothing -o none.csv
expect_code 2
expect_err "keep names 'nothing', which the file does not have"
[ "$(grep -c anorank-mpi: .err)" -eq 1 ] || fail "said more than once"
mpi 2 rank tail.anr cards.csv --lowest 3 --fdr 0.1
expect_code 2
sed '890s/^/more,/' cards.csv > bad.csv # in the last range
same_refusal rank tail.anr bad.csv
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
