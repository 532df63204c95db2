#!/bin/sh
# make_plain_scores.sh ANORANK - scores of a table without entities and times; plain-scores.csv holds those of the last
# version that knew neither: row, score of detect, score and p-value by a fitted model.
set -e
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$program" example cards --rows 300 --seed 5 -q -o cards.csv
"$program" detect cards.csv --drop fraud -q --output-format csv -o detected.csv
"$program" fit cards.csv --drop fraud -q -o model.anr
"$program" score model.anr cards.csv -q -o scored.csv
echo row,detected,scored,p_value
awk -F, 'FNR == 1 { next } NR == FNR { detected[$4] = $5; next } $3 <= 100 { print $3 "," detected[$3] "," $4 "," $5 }' \
  detected.csv scored.csv
