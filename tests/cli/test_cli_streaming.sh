#!/bin/sh
# A file streams through `score` in memory that does not grow with it, also with a unique name per row; and the
# blocks do not show.
. "$(dirname "$0")/lib.sh"

# 60 MB, with a unique name per row
awk 'BEGIN { print "name,x,y"
  for (i = 1; i <= 1200000; i++) printf "customer-%08d-of-the-northern-branch-office,%d,%d\n", i, i % 97, i * 7 % 89 }' >named.csv
head -n 2001 named.csv >train.csv
run_ok fit train.csv --id name --scorer histogram -o model.anr
[ "$(wc -c <named.csv)" -gt 57000000 ] || fail "the file is too small to show anything"

if [ -z "${SANITIZE:-}" ]; then # sanitizers reserve extra address space
  last="score model.anr named.csv under ulimit -v"
  (ulimit -v 120000; exec "$ANORANK" score model.anr named.csv --threads 1 -o limited.csv) >.out 2>.err
  code=$?
  expect_code 0
  [ "$(wc -l <limited.csv)" -eq 1200001 ] || fail "a row and a name for each row were expected"
fi

# blocks, threads and a pipe give the same bytes; names are those of the rows
head -n 30001 named.csv >some.csv
run_ok score model.anr some.csv -o whole.csv
for rows in 1 999 20000; do
  if [ "$rows" -eq 1 ]; then head -n 301 some.csv >part.csv; else cp some.csv part.csv; fi
  run_ok score model.anr part.csv --block-rows "$rows" --threads 2 -o blocks.csv
  head -n "$(wc -l <part.csv)" whole.csv >expected.csv
  expect_same expected.csv blocks.csv
done
last='score model.anr - <some.csv'
"$ANORANK" score model.anr - <some.csv >piped.csv 2>.err || fail "a pipe was not scored"
expect_same whole.csv piped.csv
cut -d, -f1 some.csv >names.csv
cut -d, -f1 whole.csv >out_names.csv
expect_same names.csv out_names.csv

finish
