#!/bin/sh
# A person answers about rows, at a terminal or in the file; the order learns from it.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

# 500 rows; two groups stand apart: ten rows far up in x (dull), ten far down in y (wanted)
awk 'BEGIN { srand(11); print "id,x,y,z"
  for (i = 1; i <= 500; i++) {
    dull = i % 50 == 7; wanted = i % 50 == 31
    printf "%04d,%.4f,%.4f,%.4f\n", i, rand() + rand() + dull * (14 + rand()), rand() + rand() - wanted * (9 + rand()), rand() } }' >rows.csv
truth() { awk -F, -v row="$1" 'BEGIN { print row % 50 == 31 ? 1 : 0 }'; }

# ---- without a terminal: questions in the file, to be filled in and given back
run_json detect rows.csv --id id --review labels.csv -o ranked.csv
expect_code 0
expect_note review-waiting '5 .*labels.csv'
[ "$(head -n 1 labels.csv)" = id,row,label,reasons ] || fail "the file of answers has other columns"
[ "$(wc -l <labels.csv)" -eq 6 ] || fail "not five questions"
cp labels.csv once.csv
run detect rows.csv --id id --review labels.csv -o ranked.csv -q
expect_same labels.csv once.csv # nothing was answered: the same questions
round=0
while [ $round -lt 6 ]; do
  awk -F, -v OFS=, 'NR > 1 && $3 == "" { $3 = $2 % 50 == 31 ? 1 : 0 } 1' labels.csv >filled && mv filled labels.csv
  run detect rows.csv --id id --review labels.csv -o ranked.csv -q
  round=$((round + 1))
done
found=$(awk -F, '$3 == 1' labels.csv | wc -l)
[ "$found" -eq 10 ] || fail "$found of the ten wanted rows among the first thirty shown"
# what was dismissed is down: the first ten of the order are the wanted rows
awk -F, 'NR > 1 && NR <= 11 && $3 % 50 != 31 { bad++ } END { exit bad > 0 }' ranked.csv || fail "dismissed kinds are still on top"

# ---- the same file feeds --feedback of detect and fit; by row alone, by identifier alone, and in another order
run detect rows.csv --id id --feedback labels.csv -o again.csv -q
expect_same again.csv ranked.csv
awk -F, -v OFS=, '{ print $2, $3 }' labels.csv >by_row.csv
awk -F, -v OFS=, '{ print $1, $3 }' labels.csv >by_id.csv
for how in by_row by_id; do
  run_ok detect rows.csv --id id --feedback $how.csv -o again.csv -q
  expect_same again.csv ranked.csv
done
run_json fit rows.csv --id id --feedback labels.csv --train contaminated -o m.anr
expect_code 0
expect_note known-anomalies ' 10 '
refused 3 file-missing fit rows.csv --id id --feedback nowhere.csv -o m.anr
cp labels.csv other.csv
run_ok detect rows.csv --id id --feedback other.csv --review labels.csv -o again.csv -q
expect_same again.csv ranked.csv
refused 2 stdin-twice fit - -o m.anr --feedback - <rows.csv
refused 2 stdin-twice fit rows.csv -o m.anr --feedback - --known -

# ---- a column that looks like an identifier is one, so that answers survive another order of the rows
awk -F, -v OFS=, 'NR == 1 { print "transaction,x,y,z"; next } { print "tx" $1 * 7919 % 10007, $2, $3, $4 }' rows.csv >named.csv
run_ok detect named.csv --review found.csv -o ranked.csv -q
[ "$(head -n 1 found.csv)" = transaction,row,label,reasons ] || fail "the identifier was not found"
awk -F, -v OFS=, 'NR > 1 { $3 = 1 } 1' found.csv | cut -d, -f1-3 >answers.csv
{ head -n 1 named.csv && tail -n +2 named.csv | sort -r; } >sorted.csv
for table in named sorted; do
  run_json fit $table.csv --feedback answers.csv --train contaminated -o m.anr
  expect_code 0
  expect_note known-anomalies ' 5 '
done
run_ok detect sorted.csv --feedback answers.csv --lowest 5 -o first.csv -q
cut -d, -f1 first.csv | tail -n +2 | sort >first
cut -d, -f1 answers.csv | tail -n +2 | sort >wanted
expect_same first wanted

# ---- --labels is a column, and never a file
for command in 'detect rows.csv' 'fit rows.csv -o m.anr'; do
  refused 2 labels-file $command --id id --labels labels.csv
  expect_err '--feedback labels.csv'
  refused 2 column-unknown $command --id id --labels nowhere.csv
  refused 3 feedback-columns $command --id id --feedback rows.csv
done
refused 2 option-one-file detect rows.csv rows.csv --id id --feedback labels.csv
# a file that is called like a column: --labels means the column
awk -F, -v OFS=, 'NR == 1 { print $0, "verdict"; next } { print $0, NR == 5 ? 1 : "" }' rows.csv >judged.csv
cp judged.csv verdict
run_json fit judged.csv --id id --labels verdict -o m.anr
expect_code 0
expect_note known-anomalies ' 1 '

# ---- at a terminal: each answer is in the file at once
TYPED='y
perhaps
n
s
q
'
export TYPED
run_on 80x24 detect rows.csv --id id --review typed.csv
expect_code 0
expect_out '1 anomaly, 1 normal, 1 skipped in typed.csv'
[ "$(awk -F, 'NR > 1 { printf "%s ", $3 }' typed.csv | cut -c1-9)" = "1 0 skip " ] || fail "answers were not kept in order"
sed 's/\x1b\[[0-9;]*[mK]//g; s/q(uit): Is/q(uit):\nIs/g' .out >plain
expect_narrow plain
# an answer can be taken back, also the last one of a round; before the first there is none
TYPED='u
y
u
n
y
y
y
y
u
u
s
q
'
run_on 80x24 detect rows.csv --id id --review undone.csv
expect_code 0
expect_out '2 anomalies, 1 normal, 1 skipped in undone.csv'
# it continues where it ended
TYPED='n
n
n
q
'
run_on 80x24 detect rows.csv --id id --review typed.csv
expect_out '1 anomaly, 4 normal, 1 skipped in typed.csv'
# Ctrl-C leaves the file as the last answer made it
cp typed.csv before.csv
TYPED=$(printf '\003')
run_on 80x24 detect rows.csv --id id --review typed.csv
expect_code 130
expect_same typed.csv before.csv
unset TYPED

# ---- mistakes
cp rows.csv other.csv
refused 3 feedback-columns detect rows.csv --review other.csv
finish
