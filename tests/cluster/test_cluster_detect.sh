#!/bin/sh
# anorank-mpi detect: the bytes of the command line, model and findings, on 1 to 4 processes.
. "$(dirname "$0")/lib.sh"

run example cards --rows 900 -o cards.csv -q
make_quoted 60 > quoted.csv
make_parts cards.csv

# The model, and the scores that the fit has given on the way.
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

# Mistakes are told as by one process.
sed '890s/^/more,/' cards.csv > bad.csv # in the last range
same_refusal detect --fast --drop fraud bad.csv
[ ! -e none.csv ] || fail "findings were written"
expect_clean
finish
