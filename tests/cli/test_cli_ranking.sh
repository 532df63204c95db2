#!/bin/sh
# detect, rank and explain: from a file to a list of anomalies.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

# 300 rows: numbers, a word, an id, a time, gaps; row 100 has an odd amount, row 200 an odd word.
awk 'BEGIN {
  print "account,when,amount,hour,city"
  for (i = 1; i <= 300; i++) {
    amount = 1 + (i * 37 % 101) / 50; hour = 8 + i * 7 % 11; city = i % 3 ? "Bergen" : "Narvik"
    if (i == 100) amount = 932
    if (i == 200) city = "Oslo"
    printf "A%04d,2024-01-%02d %02d:00,%s,%s,%s\n", i * 7919 % 10007, 1 + i % 28, i % 24, i % 10 == 7 ? "" : amount, hour, city
  }
}' >t.csv
cut -d, -f3,4 t.csv | awk -F, 'NR == 1 || $1 != ""' >clean.csv
tr , '\t' <t.csv >t.tsv
gzip -c t.csv >t.csv.gz

# Every kind of file, without an option. (NPY is made from the clean one by way of JSON lines where python is.)
for file in t.csv clean.csv t.tsv t.csv.gz; do
  run_json detect "$file"
  expect_code 0
  expect_out '^\(account,\)*\(when,\)*rank,row,score,p_value,q_value,tier,reasons$'
  sed -n 2,3p .out | grep -q 'amount 932 ' || fail "$file: the odd amount is not among the first two"
  expect_note calibration
done
[ "$(wc -l <.out)" -eq 301 ] || fail "all rows should be there"
ANORANK_MESSAGES=json "$ANORANK" detect - <t.csv >stdin.csv 2>.err || fail "standard input"
expect_same stdin.csv .out
expect_note column-id "'account'"
expect_note column-time "'when'"
"$ANORANK" simulate gaussian --rows 200 --dim 3 -o g.npy || fail "simulate"
run_ok detect g.npy
[ "$(wc -l <.out)" -eq 201 ] || fail "NPY: all rows should be there"

# The table for people.
run_ok detect t.csv --output-format table
expect_narrow .out
expect_out '^   [12]  100 '
expect_out '^20 of 300 shown; --lowest K shows more'
if grep -q "$(printf '\033')" .out; then fail "colour without a terminal"; fi

# Ids, a file that appears whole, a model to keep.
run_ok detect t.csv --id account --save-model m.anr -o r.csv
expect_no_out
head -n 1 r.csv | grep -q '^account,when,rank,row,score,p_value,q_value,tier,reasons$' || fail "the header of r.csv"
sed -n 2,3p r.csv | grep -q '^A1347,[^,]*,[12],100,' || fail "the first row of r.csv"

# An identifier that was recognised is passed through as well.
run detect t.csv -o unasked.csv
expect_same unasked.csv r.csv

# The columns of the file beside the results, as they are there; no name twice.
run detect t.csv --lowest 3 --keep all
head -n 1 .out | grep -q '^account,when,amount,hour,city,rank,row,score,' || fail "the header with --keep all"
cut -d, -f1,3-5 t.csv >as-read
cut -d, -f1,3-5 .out | sed 1d >as-shown
[ "$(grep -cxFf as-read as-shown)" -eq "$(wc -l <as-shown)" ] || fail "a kept row is not a row of the file"
sed -n 2,3p .out | grep -q '^A1347,2024-01-17 04:00,932,' || fail "a kept time"
run detect t.csv --lowest 3 --keep hour,city --format jsonl
[ "$(grep -c '^{"account":".*","hour":[0-9]*,"city":"[A-Z].*","rank":[0-9]*,"row":[0-9]*,"score":' .out)" -ge 3 ] ||
  fail "kept columns in JSON lines"
expect_out '"reasons":\[{"column":"amount","kind":"high","contribution":[0-9.]*,"value":932,"usual_low":'
expect_out '"text":"amount 932 [^"]*"}'
if [ -n "$python" ]; then
  "$python" -c 'import json, sys
for line in open(".out"): assert all(r["text"] and r["column"] for r in json.loads(line)["reasons"])' ||
    fail "a JSON line, or its reasons"
fi
sed '1s/.*/score,when,rank,row,city/' t.csv >ours.csv
run detect ours.csv --id score,rank,row --lowest 2
head -n 1 .out | grep -q '^score_1,when,rank_1,row_1,rank,row,score,p_value,q_value,tier,reasons$' || fail "names that collide"
run detect ours.csv --id score,rank,row --lowest 2 --format jsonl
if head -n 1 .out | grep -q '"score":.*"score":'; then fail "a key comes twice"; fi

# Texts that a spreadsheet would run, in CSV alone.
sed 's/Narvik/=1+1/; s/Oslo/-Oslo/' t.csv >formulas.csv
run detect formulas.csv --lowest 300 --keep city
grep -q ",*'=1+1," .out || fail "a formula is not guarded"
if grep -q ',=1+1,' .out; then fail "a formula is not guarded everywhere"; fi
run detect formulas.csv --lowest 300 --keep city --formulas keep
grep -q ',=1+1,' .out || fail "--formulas keep"
run detect formulas.csv --lowest 300 --keep city --format jsonl
grep -q '"city":"=1+1"' .out || fail "a formula in JSON lines"

# As people write them: no cell is spelled otherwise, beside the findings and beside the scores of a stream.
awk 'BEGIN { print "id;when;amount;note"
  for (i = 1; i <= 200; i++)
    printf "%05d;%02d.%02d.2025;%s;%s\n", i * 7919 % 100000, 1 + i % 28, 1 + i % 12,
      i == 77 ? "250.000,50" : (1 + i % 3) "." (100 + i * 37 % 900) "," (10 + i % 90), i % 3 ? "=ok" : " NA" }' >german.csv
run detect german.csv --id id --keep all --formulas keep -o german.tsv
sed 1d german.tsv | cut -f1-4 | tr '\t' ';' | sed 's/"//g' | sort >as-shown
sed 1d german.csv | sort >as-read
expect_same as-read as-shown
run fit german.csv --id id -o german.anr
for threads in 1 2; do
  run_ok score german.anr german.csv --keep when,amount,note --formulas keep --output-format tsv --block-rows 33 --threads $threads
  sed 1d .out | cut -f1-4 | tr '\t' ';' | sed 's/"//g' >as-shown
  sed 1d german.csv >as-read
  expect_same as-read as-shown
done
head -n 1 .out | grep -q "^id.when.amount.note.row.score.p_value$" || fail "the header of score --keep"
run score german.anr german.csv --keep note
if grep -q ',=ok,' .out; then fail "score does not guard formulas"; fi
grep -q ",'=ok," .out || fail "score lost a text"
refused 2 column-unknown score german.anr german.csv --keep nowhere

# In a wide table the reasons use some columns only, with a note.
awk 'BEGIN { for (j = 1; j <= 120; j++) printf "c%d%s", j, j < 120 ? "," : "\n"
  for (i = 1; i <= 60; i++) for (j = 1; j <= 120; j++)
    printf "%d%s", i == 9 && j == 5 ? 900 : (i * j * 7919 + j * j * 31) % 101, j < 120 ? "," : "\n" }' >wide.csv
run_json detect wide.csv --lowest 2
expect_note reasons-of-farthest
run detect wide.csv --lowest 2 --json
expect_out '"reach": "..'
run_json detect t.csv --lowest 2
if grep -q reasons-of-farthest .err; then fail "a note on a cut that did not happen"; fi

# Every reason beside another says something by itself.
run detect t.csv --lowest 50 --json
if grep -q '"kind": "usual".*"kind":\|"kind":.*"kind": "usual"' .out; then fail "an empty reason beside another"; fi


# Rows that are tied take one line.
awk 'BEGIN { print "a,b"; for (i = 1; i <= 200; i++) print i % 10 "," (i > 110 ? 50 : 1 + i % 7); }' | sed '100,$s/^[0-9]*/3/' >ties.csv
run detect ties.csv --lowest 150 --format table
expect_out '^  *= [0-9,]* more rows '
run rank m.anr t.csv
expect_same .out r.csv
run rank m.anr t.csv --threads 3
expect_same .out r.csv

# Selections.
run_ok rank m.anr t.csv --lowest 5 --reasons 1 --output-format json
expect_json .out
expect_number reported "$(json_number .out reported)" 5 2
run rank m.anr t.csv --lowest 5 --output-format jsonl
[ "$(grep -c '^{"account":.*"rank":' .out)" -ge 5 ] || fail "a line for each row"
cp .out five.jsonl
run rank m.anr t.csv --lowest 5 -o five2.jsonl
expect_same five.jsonl five2.jsonl
run_json rank m.anr t.csv --mass 0.9 --exit-on-anomaly
expect_code 1
expect_note ranking-answer ' 300 .* 90 %'
sed 91q t.csv >calm.csv # before the first anomaly
run_ok rank m.anr calm.csv --mass 0.999999 --exit-on-anomaly
awk -F, -v OFS=, 'NR > 1 { $3 = $4 = 5000 + NR } 1' t.csv >moved.csv
run rank m.anr moved.csv --exit-on-anomaly --json # a shift leaves tiers as they are
expect_code 1
expect_out '"kind": "shift"'
expect_out '"tier": "apart"'
run_json rank m.anr t.csv --lowest 500
expect_note selection-few-rows '500 .* 300 '

# Compressed by the ending, the same bytes within; score's output, too.
for format in csv jsonl json; do
  run_ok rank m.anr t.csv --lowest 9 -o "plain.$format"
  run_ok rank m.anr t.csv --lowest 9 -o "packed.$format.gz"
  gzip -dc "packed.$format.gz" >unpacked
  expect_same "plain.$format" unpacked
done
run detect t.csv --lowest 9 -o plain.csv
run_ok detect t.csv --lowest 9 -o packed.csv.zst
[ "$(od -An -tx1 -N4 packed.csv.zst | tr -d ' ')" = 28b52ffd ] || fail "packed.csv.zst is not zstd"
run score m.anr t.csv -o scores.csv
run_ok score m.anr t.csv -o scores.csv.gz
gzip -dc scores.csv.gz >unpacked
expect_same scores.csv unpacked
# A disk that is full leaves nothing behind, and says so.
if [ -e /dev/full ]; then
  refused 5 output-write rank m.anr t.csv -o /dev/full
fi
echo before >kept.csv.gz
run rank m.anr clean.csv -o kept.csv.gz
expect_code 3
[ "$(cat kept.csv.gz)" = before ] || fail "a failed run changed its output file"
[ "$(ls | grep -c 'kept')" -eq 1 ] || fail "a failed run left something behind"


# One row in depth.
run_ok explain m.anr t.csv --row 100
expect_narrow .out
expect_out '^Row 100 of t.csv: rank [12] of 300'
expect_out '^amount .* 932 .* #####'
expect_out '^1\. amount 932 '
run explain m.anr t.csv --row 200 --json
expect_json .out
expect_out "city 'Oslo' is rare"
for row in 0 x -1; do refused 2 row-unknown explain m.anr t.csv --row=$row; done
# a row for each time and sensor is reported as long format; one time for each row is not
awk 'BEGIN { srand(4); print "datetime,sensor,value"
  for (i = 0; i < 90; i++) printf "2025-03-%02d %02d:00:00,s%d,%f\n", 1 + i / 3 / 24, i / 3 % 24, i % 3, rand() }' >long.csv
run_json detect long.csv --lowest 1
expect_note table-long-format sensor
awk -F, -v OFS=, 'NR > 1 { $1 = sprintf("2025-03-%02d %02d:00:00", 1 + NR / 24, NR % 24) } { print }' long.csv >wide.csv
run_json detect wide.csv --lowest 1
if grep -q table-long-format .err; then fail 'this is not long format'; fi
# by an identifier: of the model's id columns, or of the one named; a number is a row unless --id is given
awk 'BEGIN { srand(3); print "who,code,a,b"; for (i = 1; i <= 60; i++) print "p" i % 59 "," 1000 - i "," rand() "," rand() }' >ids.csv
run_ok fit ids.csv --id who,code -o ids.anr
run_ok explain ids.anr ids.csv --row p7 --json
expect_out '"row": 7,'
run_ok explain ids.anr ids.csv --row 7 --json
expect_out '"row": 7,'
run_ok explain ids.anr ids.csv --row 960 --id code --json
expect_out '"row": 40,'
refused 2 row-ambiguous explain ids.anr ids.csv --row p1
refused 2 row-unknown explain ids.anr ids.csv --row p99
refused 2 row-unknown explain ids.anr ids.csv --row 7 --id code
refused 2 column-unknown explain ids.anr ids.csv --row 7 --id nosuch

# A file judged by a model of itself: --fdr finds far rows and little else, and says what that rests on.
"$ANORANK" simulate gaussian --rows 1000 --dim 4 --seed 3 -o normal.csv || fail "simulate"
awk -F, -v OFS=, 'NR > 1 && NR <= 31 { for (j = 1; j <= 4; j++) $j = 8 * $j } { print }' normal.csv >planted.csv
run_json detect planted.csv --fdr 0.1
expect_code 0
found=$(awk -F, 'NR > 1 && $2 <= 30' .out | wc -l)
wrong=$(awk -F, 'NR > 1 && $2 > 30' .out | wc -l)
[ "$found" -ge 27 ] || fail "$found of 30 planted rows found"
[ "$wrong" -le 6 ] || fail "$wrong other rows selected"
expect_note p-values-assume-tail
run_ok detect normal.csv --fdr 0.1
[ "$(wc -l <.out)" -le 2 ] || fail "rows selected where none is odd"
run_ok detect planted.csv --save-model p.anr -o ranked.csv --reasons 1
run score p.anr planted.csv
awk -F, 'NR > 1 { printf "%d %.12g\n", $1, $3 }' .out | sort >by-score
awk -F, 'NR > 1 { printf "%d %.12g\n", $2, $4 }' ranked.csv | sort >by-rank
expect_same by-score by-rank
run inspect p.anr --json
expect_number 'the smallest p-value' "$(json_number .out smallest_p_value)" 1e-9 1e-12
run fit normal.csv -o n.anr --train clean
run inspect n.anr --json
expect_number 'the smallest p-value' "$(json_number .out smallest_p_value)" 0.000999 1e-6

# Reasons: of the first 1,000 rows if rows are not selected, with a note; of all that are chosen.
"$ANORANK" simulate gaussian --rows 1200 --dim 2 --seed 4 -o many.csv || fail "simulate"
run_json detect many.csv --reasons 1
expect_note reasons-of-first ' 1000 '
run_json detect many.csv --reasons 1 --lowest 1100
if grep -q reasons-of-first .err; then fail "all chosen rows have reasons"; fi
# Marks of rare levels must not outrank everything: ordinary payments have rare countries, too.
"$ANORANK" example cards --rows 6000 --anomalies 0 -o history.csv -q || fail "example"
"$ANORANK" example cards --first-row 36000 --rows 4000 -o later.csv -q || fail "example"
"$ANORANK" fit history.csv -o cards.anr --id transaction,account --drop fraud -q || fail "fit on the example"
found=$("$ANORANK" rank cards.anr later.csv --lowest 20 --reasons 0 -q |
  awk -F, 'NR == FNR { fraud[FNR - 1] = $NF; next } FNR > 1 { hits += fraud[$5] } END { print hits + 0 }' later.csv -)
[ "$found" -ge 7 ] || fail "of 14 planted frauds $found are among the first 20"

finish
