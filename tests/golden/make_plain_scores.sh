#!/bin/sh
# make_plain_scores.sh ANORANK - scores of a table without entities and times; plain-scores.csv holds those of the last
# commit that knew neither; write it again after an intended change of scores. Row, score of detect, score and p-value by a fitted model.
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
awk -F, 'FNR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } # columns that name a row come first
  NR == FNR { detected[$at["row"]] = $at["score"]; next }
  $at["row"] <= 100 { print $at["row"] "," detected[$at["row"]] "," $at["score"] "," $at["p_value"] }' \
  detected.csv scored.csv
