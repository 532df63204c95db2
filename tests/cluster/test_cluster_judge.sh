#!/bin/sh
# anorank-mpi judge: the verdict of the command line, byte by byte, with and without ties.
. "$(dirname "$0")/lib.sh"

run simulate gaussian --rows 4000 --dim 1 --seed 1 -o x.csv -q
run simulate gaussian --rows 3000 --dim 1 --seed 2 -o other.csv -q
awk 'NR == 1 { print; next } { print $1 - 0.7 }' other.csv > u.csv
awk 'NR == 1 { print; next } { print int($1 * 3) }' x.csv > tied.csv
awk 'NR == 1 { print; next } { print int($1 * 3 - 1) }' other.csv > tied-u.csv
awk 'NR == 1 { print; next } { print 1 }' other.csv > constant.csv
for pair in "x u" "tied tied-u" "x constant" "constant constant"; do
  set -- $pair
  run judge "$1.csv" --contrast "$2.csv" --json --curve curve.csv --excess excess.csv
  expect_code 0
  cp .out one.json
  for ranks in 1 2 3 4; do
    [ "$pair" = "x u" ] || [ $ranks -eq 3 ] || continue
    mpi $ranks judge "$1.csv" --contrast "$2.csv" --json --curve many-curve.csv --excess many-excess.csv --piece 3000
    expect_code 0
    expect_same one.json .out
    expect_same curve.csv many-curve.csv
    expect_same excess.csv many-excess.csv
  done
done
run judge x.csv --contrast u.csv --higher-is-abnormal
cp .out one.txt
mpi 2 judge x.csv --contrast u.csv --higher-is-abnormal
expect_same one.txt .out
expect_err 'try without --higher-is-abnormal'

# Comparisons and labels are done by one of them.
awk 'NR == 1 { print "score,rival,label"; next } { print $1 "," (-$1) "," (NR % 9 == 0) }' x.csv > both.csv
awk 'NR == 1 { print "score,rival"; next } { print $1 "," ($1 / 2) }' u.csv > both-u.csv
run judge both.csv --contrast both-u.csv --against rival --labels label --json
cp .out one.json
mpi 2 judge both.csv --contrast both-u.csv --against rival --labels label --json
expect_code 0
expect_same one.json .out

# What is missing is counted over all processes.
awk 'NR % 1000 == 700 { print ""; next } { print }' x.csv > holes.csv
run judge holes.csv --contrast u.csv
sed 's/^anorank: //' .err > one.err
mpi 3 judge holes.csv --contrast u.csv --piece 2000
expect_code 3
sed 's/^anorank-mpi: //' .err > many.err
expect_same one.err many.err
mpi 2 judge x.csv
expect_code 2
expect_err '--contrast FILE is missing'
mpi 2 judge x.csv --contrast u.csv --column nothing
expect_code 2
finish
