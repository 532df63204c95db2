#!/bin/sh
# anorank-mpi rank where records of several lines lie across the borders of the pieces: the bytes of the command line.
. "$(dirname "$0")/lib.sh"

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
expect_clean
finish
