#!/bin/sh
# fit, score, inspect: the contract that measurements rely on, the streams, what bad models and tables say, and a
# fit that is killed.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { print "who,amount,kind"; for (i = 0; i < 400; i++) { a = sin(i * 12.9898) * 43758.5453; a -= int(a)
  printf "w%d,%.6f,%s\n", i, a, i % 5 ? "a" : "b" } }' >train.csv
awk 'BEGIN { print "kind,extra,amount,who"; print "a,1,0.2,u1"; print "b,1,99,u2"; print "c,1,0.2,u3"; print "a,1,,u4" }' >test.csv

# fit: notes on standard error, a file, nothing on standard output
run_json fit train.csv -o m.anr --seed 3 --train clean --id who
expect_code 0; expect_no_out
expect_note calibration ' 20-fold '; expect_note model-fitted clean; expect_note model-written m.anr
run_ok fit train.csv -o m2.anr --seed 3 --id who -q --threads 1
expect_no_out; expect_no_err
expect_same m.anr m2.anr
run fit train.csv -o m3.anr --seed 4 --id who -q
expect_other m.anr m3.anr
run_json fit train.csv -o c.anr --train contaminated --id who
expect_code 0; expect_note calibration
[ -z "$(find . -name '*.tmp-*')" ] || fail 'temporary files are left'
"$ANORANK" fit - -q -o piped.anr --seed 3 --id who <train.csv || fail 'fit from standard input'
expect_same m.anr piped.anr
"$ANORANK" fit train.csv -q -o - --seed 3 --id who >out.anr || fail 'fit to standard output'
expect_same m.anr out.anr

# score: ids first, row order, names matched, other columns ignored
run_ok score m.anr test.csv
expect_no_err
expect_out '^who,row,score,p_value$'
[ "$(cut -d, -f1,2 .out | tr '\n' ' ')" = 'who,row u1,1 u2,2 u3,3 u4,4 ' ] || fail 'rows are not in order'
[ "$(awk -F, 'NR > 1 && ($4 <= 0 || $4 > 1 || $4 != $4 + 0)' .out)" = '' ] || fail 'p-values are not in (0, 1]'
expect_number 'the usual row has the highest score' "$(sort -t, -k3,3gr .out | sed -n '1s/u1,\([0-9]*\),.*/\1/p')" 1 0
for file in m c; do
  run_ok score $file.anr test.csv -o $file.csv -q
  expect_no_out; expect_no_err
done
run score m.anr test.csv -o - --block-rows 1
expect_same .out m.csv
run score m.anr test.csv --output-format jsonl
expect_out '{"who": *"u2", *"row": *2, *"score": *-'
run score m.anr train.csv -o all.csv --threads 1; run score m.anr train.csv -o all2.csv --threads 2 --block-rows 37
expect_same all.csv all2.csv
head -n 1 test.csv >none.csv
run_ok score m.anr none.csv
[ "$(cat .out)" = 'who,row,score,p_value' ] || fail 'a file without rows should give the names alone'

# what a cell means is remembered: -999 was missing at the fit
sed 's/^w7,[^,]*,/w7,-999,/' train.csv >gaps.csv
run fit gaps.csv -o g.anr --missing=-999 --id who -q
printf 'who,amount,kind\nx,-999,a\n' >gap.csv; printf 'who,amount,kind\nx,,a\n' >empty-cell.csv
run score g.anr gap.csv -o a.csv; run score g.anr empty-cell.csv -o b.csv
expect_same a.csv b.csv

# inspect
run_ok inspect m.anr
expect_no_err
expect_out 'scorer  *blend'; expect_out 'amount  *numeric '; expect_out 'who  *id'; expect_out '2 levels'
expect_out 'seed = 3'; expect_out 'smallest p-value is 0.0025'
expect_narrow .out
run_ok inspect m.anr --json
cp .out i.json; expect_json i.json
expect_number calibration_rows "$(json_number i.json calibration_rows)" 400 0
expect_number train_rows "$(json_number i.json train_rows)" 400 0

# wrong models and tables
: >empty.anr; head -c 300 m.anr >cut.anr; { cat m.anr; printf x; } >longer.anr
{ head -c 8 m.anr; printf '\002'; tail -c +10 m.anr; } >newer.anr
{ head -c 500 m.anr; printf '\377\376'; tail -c +503 m.anr; } >damaged.anr
while read -r file wanted; do
  refused 4 "$wanted" score "$file" test.csv
  refused 4 "$wanted" inspect "$file"
done <<'LIST'
empty.anr model-not-a-model
train.csv model-not-a-model
cut.anr model-cut-short
longer.anr model-checksum
newer.anr model-version
damaged.anr model-checksum
missing.anr file-missing
LIST

# known anomalies: a separate file, or a column of labels
printf 'amount,kind\n40,a\n41,a\n' >known.csv
run_json fit train.csv -o k.anr --known known.csv --id who; expect_code 0; expect_note known-anomalies ' 2 '
run inspect k.anr; expect_out 'uses  *2 known anomalies'
run inspect k.anr --json; cp .out k.json
expect_number known_rows "$(json_number k.json known_rows)" 2 0
awk -F, -v OFS=, 'NR == 1 { print $0, "fraud"; next } { print $0, NR == 5 ? 0 : "" }
  END { print "w400,40,a,1"; print "w401,41,a,yes" }' train.csv | sed 's/,yes$/,1/' >labelled.csv
run_json fit labelled.csv -o l.anr --labels fraud --id who
expect_code 0; expect_note known-anomalies ' 2 '; expect_note feedback-normal '1 '
run_json detect labelled.csv --labels fraud --id who --lowest 2 --output-format csv
expect_code 0; expect_note known-anomalies ' 2 '; expect_out '^w40[01],1,40[12],'
run_json fit train.csv -o x.anr --known known.csv --scorer knn --id who; expect_code 0; expect_note known-unused 2

# killed at any moment, `fit` over a model leaves the old one or the new one
kills=40
[ -z "${SANITIZE:-}" ] || kills=1 # a fit is slow there, and no memory error hides in being killed
sh "$SOURCE/scripts/kill_fit.sh" "$ANORANK" $kills || fail 'a killed fit damaged the model'
finish
