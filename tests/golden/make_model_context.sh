#!/bin/sh
# Models with entities and times whose context has version 3: clean and contaminated training, two entity columns, irregular
# times and a column of texts, which such models do not look at. Run once, with a program of before context version 4:
#   sh tests/golden/make_model_context.sh ANORANK
# The files are never made again: every later version must load them, continue their history and give the same scores.
set -eu
anorank=$1
golden=tests/golden/model-context-v3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk 'function u(i, k,  x) { x = sin(i * 12.9898 + k * 78.233) * 43758.5453; x -= int(x); return x < 0 ? x + 1 : x }
  BEGIN { print "machine,shop,t,amount,heat,kind"
  for (i = 0; i < 300; i++) { m = int(5 * u(i, 1)); t += -log(1 - u(i, 2)); x = exp(m + u(i, 3) + u(i, 4) + (i == 290 ? 4 : 0))
    printf "m%d,s%d,%.4f,%.4f,%.5f,k%d\n", m, int(4 * u(i, 5)), t, x, u(i, 6) + u(i, 7), m + int(1.1 * u(i, 8)) } }' >"$folder/all.csv"
head -n 251 "$folder/all.csv" >"$folder/train.csv"
(head -n 1 "$folder/all.csv"; tail -n +252 "$folder/all.csv") >"$folder/rows.csv"
for train in clean contaminated; do
  "$anorank" fit "$folder/train.csv" -q -o "$golden-$train.anr" --by machine,shop --time t --train $train
  "$anorank" score "$golden-$train.anr" "$folder/rows.csv" -q |
    awk -F, '{ for (k = 1; k <= NF; k++) { if ($k == "score") s = k; if ($k == "p_value") p = k } print NR == 1 ? "expected_score,expected_p" : $s "," $p }' |
    paste -d, "$folder/rows.csv" - >"$golden-$train.csv"
done
