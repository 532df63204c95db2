#!/bin/sh
# evaluate and compare: how good is the order, without labels and with them.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

# 600 rows around two centres, a word, an id; 30 rows that are odd and labelled so, 20 with no label.
awk 'BEGIN {
  print "id,a,b,kind,fraud"
  for (i = 1; i <= 600; i++) {
    r = sqrt(-2 * log((i * 7919 % 10007 + 1) / 10009)); t = i * 2.399963
    a = r * cos(t) + (i % 2) * 6; b = r * sin(t); odd = i % 20 == 7
    if (odd) { a = 3 + 14 * cos(i); b = 14 * sin(i) }
    printf "id%d,%.6f,%.6f,%s,%s\n", i, a, b, i % 3 ? "x" : "y", i % 30 == 5 ? "" : odd ? "yes" : "no"
  }
}' >t.csv
cut -d, -f1-4 t.csv >plain.csv
awk -F, 'NR == 1 || $5 == "no"' t.csv | cut -d, -f1-4 >normal.csv

# From one file, for people: 80 columns, the statement of what is not proven, the law.
run_ok evaluate plain.csv
expect_narrow .out
expect_no_err
expect_out ', on 200 rows$'
expect_out "'box'"
expect_out '^  mww  '
cp .out plain.txt
run evaluate plain.csv --threads 3
expect_same .out plain.txt
"$ANORANK" evaluate - <plain.csv >.out 2>.err || fail "standard input"
expect_same .out plain.txt

# For programs; the same for any number of threads; labels change nothing of the rest.
run_ok evaluate t.csv --labels fraud --output-format json
expect_json .out
cp .out labelled.json
expect_number 'ROC-AUC' "$(json_number .out roc_auc)" 0.9 0.1
expect_out '"precision_lowest"'
expect_out '"not_proven": "..'
expect_number 'rows of the fit' "$(json_number .out fit_rows)" 400 0
expect_out '"law": "box"'
expect_out '"is_volume": true'
run evaluate t.csv --labels fraud --output-format json --threads 4
expect_same .out labelled.json
run evaluate plain.csv --output-format json
expect_json .out
expect_number area "$(json_number .out area)" "$(json_number labelled.json area)" 0
expect_number spearman "$(json_number .out spearman)" "$(json_number labelled.json spearman)" 0
run_ok evaluate t.csv --labels fraud --train clean
expect_narrow .out
run evaluate plain.csv --seed 9 --output-format json
expect_other .out labelled.json

# A model on rows; rows of its fit are noticed; the figure.
run_ok fit normal.csv -o m.anr --id id
run_ok evaluate m.anr t.csv --labels fraud --figure curve.svg
expect_narrow .out
expect_out '^m.anr, on '
expect_out '^  figure  curve.svg$'
grep -q '<svg' curve.svg || fail "no figure"
run evaluate m.anr normal.csv --json
expect_out '"evaluate-training-rows"'
if grep -q '"stability": {' .out; then fail "stability of a given model"; fi

# Laws.
run evaluate plain.csv --contrast jitter --output-format json
expect_out '"is_volume": false'
expect_out '"combinations": {'
expect_out '"law": "displace"'
run_ok evaluate plain.csv
expect_narrow .out
expect_out '^  combinations  *permute  *0'
expect_out '^  extremes  *displace  *0'

# By single columns, or together: each is better by one law, and the answer says so.
awk 'BEGIN { srand(7); print "a,b,c,d,e,f"; for (i = 0; i < 900; i++) {
  a = sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand()); printf "%.6f,%.6f", a, a + 0.2 * rand()
  for (j = 0; j < 4; j++) printf ",%.6f", (rand() < 0.5) + 0.01 * rand()
  print "" } }' >planted.csv
run_ok compare planted.csv --scorer histogram,mahalanobis --train clean --json
expect_out '"disagree": true'
expect_out '"evaluate-laws-disagree"'
sed -n '/"combinations": {/,/"extremes": {/p' .out | grep -q '"outcome": "second"' || fail 'combinations: not the second'
sed -n '/"extremes": {/,$p' .out | grep -q '"outcome": "first"' || fail 'extremes: not the first'
run_ok compare planted.csv --scorer histogram,mahalanobis --train clean
expect_narrow .out
expect_out '^  extremes, second  *displace  *0'
run_ok evaluate planted.csv --scorer histogram --train clean --json
expect_out '"disagree": true'
expect_out '"evaluate-laws-disagree"'

# Two models, two classes.
run fit normal.csv -o i.anr --id id --scorer isolation
run_ok compare m.anr i.anr t.csv --labels fraud
expect_narrow .out
expect_out '^m.anr against i.anr, on the same '
cp .out compared.txt
run compare m.anr i.anr t.csv --labels fraud --threads 3
expect_same .out compared.txt
run_ok compare m.anr m.anr plain.csv --output-format json
expect_json .out
expect_number difference "$(json_number .out difference)" 0 0
expect_number spearman "$(json_number .out spearman)" 1 1e-12
run_ok compare plain.csv --scorer neighbours,isolation --figure two.svg
expect_narrow .out
expect_out '^neighbours against isolation, on the same 200 rows$'
expect_out 'isolation$'
grep -q 'isolation' two.svg || fail "no legend"
run compare plain.csv --scorer histogram,isolation --output-format json
expect_json .out
expect_out '"w_difference"'

# What is wrong, and what to do.
refused 3 'label-value row=1 column=kind' evaluate t.csv --labels kind
refused 4 model-not-a-model evaluate plain.csv t.csv
run_ok compare plain.csv --scorer histogram,isolation --repeats 5
expect_narrow .out
run compare plain.csv --scorer histogram,isolation --repeats 5 --json
expect_json .out
expect_out '"evaluate-split"'
expect_out '"laws": {'
expect_out '"repeats": {"splits": 5, "first_better": [0-5], "difference": '
run fit t.csv -o good.anr --labels fraud
run_ok evaluate good.anr t.csv --labels fraud

# A clean history, whose label is 0 in every row: no constant, no reason, and no obstacle to measuring with it.
awk -F, 'NR == 1 { print "id,a,b,kind,TX_FRAUD,state" } NR > 1 && $5 == "no" { print $1 "," $2 "," $3 "," $4 ",0,0" }' t.csv >clean.csv
awk -F, 'NR == 1 { print "id,a,b,kind,TX_FRAUD,state" }
  NR > 1 { odd = $5 == "yes"; print $1 "," $2 "," $3 "," $4 "," odd "," odd }' t.csv >later.csv
run_json fit clean.csv -o clean.anr
expect_note column-label "'TX_FRAUD'"
run_ok evaluate clean.anr later.csv --labels TX_FRAUD --json
expect_number 'ROC-AUC' "$(json_number .out roc_auc)" 0.9 0.1
run_ok rank clean.anr later.csv --format csv
if grep -q TX_FRAUD .out; then fail "the label is a reason"; fi
refused 2 evaluate-labels-learned evaluate clean.anr later.csv --labels state
finish
