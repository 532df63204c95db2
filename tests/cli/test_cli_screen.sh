#!/bin/sh
# What a person sees on a terminal: the answer first, the worst rows in sight, few notes, aligned columns; and that
# nothing of this reaches a pipe.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

# 400 rows, three of them far out; five columns that want a note each
awk 'BEGIN { srand(7); print "id,amount,speed,const,time,gap"
  for (i = 1; i <= 400; i++) {
    far = i == 17 || i == 170 || i == 333
    printf "%s,%.3f,%.3f,7,2024-01-%02d,%s\n", sprintf("row-%d", i), 50 + 10 * rand() + 500 * far,
      rand() + rand() + rand() - 9 * far, 1 + i % 28, i % 9 ? sprintf("%.2f", rand()) : "" } }' >odd.csv

# ---- 80 by 24: everything fits on the screen with the prompt, and the worst row is on it
run_on 80x24 detect odd.csv --id id
expect_code 0
expect_lines 22 .out
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
awk 'NR == 1' plain | grep -q '^3 of 400 rows ' ||
  fail "the first line is not the answer"
awk 'NR == 2' plain | grep -q '^rank  row  id ' || fail "the second line is not the header"
awk 'NR == 3' plain | grep -q '^   1 ' || fail "the worst row is not next"
sed "s/…/./g" plain >counted # awk may count bytes
expect_narrow counted
notes=$(sed -n '/^anorank: /,$p' plain | wc -l)
[ "$notes" -ge 2 ] && [ "$notes" -le 5 ] || fail "$notes lines of notes"
tail -n 1 plain | grep -q '^anorank: [0-9]* more notes\{0,1\}; -v shows all$' || fail "nothing points to the other notes"
grep -q ' --lowest K .* -o FILE ' plain || fail "nothing says how to see more"
grep -q "'time'" plain || fail "what became of the time is not among the notes shown"

# -v shows all notes
run_on 80x24 detect odd.csv --id id -v
[ "$(grep -c 'anorank:' .out)" -gt 5 ] || fail "-v shows no more notes"
grep -q 'more notes; -v shows all' .out && fail "-v leaves notes out"
# -q shows none
run_on 80x24 detect odd.csv --id id -q
grep -q 'anorank:' .out && fail "-q shows notes"

# ---- where no rate is promised the tier stands in place of the q-value, and where rows depend on each other of the p-value
run_on 80x24 detect odd.csv --id id
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
awk 'NR == 2' plain | grep -q '^rank  row  id .* score   p-value  tier' || fail "no tier beside the rows of one file"
[ "$(grep -c '  apart' plain)" -eq 3 ] || fail "not all three rows are shown as apart"
awk 'BEGIN { srand(8); print "walk,other"; for (i = 0; i < 500; i++) {
  x += rand() - 0.5; printf "%.4f,%.4f\n", x, x + rand() / 5 + (i % 50 == 7) * 40 } }' >walk.csv
run_on 80x24 detect walk.csv
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
grep -q '^rank  row     score  tier' plain || fail "numbers that do not hold are shown"
run_on 80x24 detect walk.csv --fdr 0.1
sed 's/\x1b\[[0-9;]*[mK]//g' .out | grep -q '  apart' && fail "tiers are shown beside a requested rate"

run detect walk.csv --save-model walk.anr -o x.csv
awk -F, 'NR == 1 { print; next } { print $1 + 30 "," $2 + 30 }' walk.csv >moved.csv
run_on 80x24 rank walk.anr moved.csv
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
grep '^rank' plain | grep -qE 'tier|value' && fail "after a shift more than the order is shown"
grep -q 'far apart' plain && fail "rows are called apart where all of them moved"

# ---- rows apart that are farther down than what is shown are counted
awk 'BEGIN { srand(9); for (j = 1; j <= 10; j++) printf "c%d%s", j, j < 10 ? "," : "\n"
  for (i = 0; i < 600; i++) for (j = 1; j <= 10; j++)
    printf "%.3f%s", rand() + rand() + (i % 10 == j % 10 && i % 200 < 10) * 40, j < 10 ? "," : "\n" }' >many.csv
run detect many.csv --output-format json
expect_code 0
apart=$(json_number .out apart)
[ "$apart" -gt 20 ] || fail "$apart rows apart"
run_on 80x24 detect many.csv
grep -q " shown, [0-9]* of $apart far apart; " .out || fail "how many rows apart are not shown"

# ---- many identifiers are cut with a mark, never wrapped
awk 'BEGIN { srand(3); print "customer_id,order_id,session_id,device_id,amount,speed"
  for (i = 1; i <= 200; i++)
    printf "customer-number-%06d,order-number-%06d,session-number-%06d,device-number-%06d,%.3f,%.3f\n", i * 7, i * 11, i * 13,
      i * 17, rand() + rand() + 90 * (i == 17), rand() }' >ids.csv
for size in 80x24 60x24; do
  run_on $size detect ids.csv
  sed 's/\x1b\[[0-9;]*[mK]//g; s/…/~/g' .out >plain
  awk -v most="${size%x*}" 'length($0) > most { exit 1 }' plain || fail "$size: a line is wider than the terminal"
  awk 'NR == 2' plain | grep -q '^rank  row  custom.*~ .* score   p-value  tier$' || fail "$size: the header"
  awk 'NR == 3' plain | grep -q '^   1   17  custom.*~ ' || fail "$size: the first row lacks its identifiers"
done
# one line for each question, not four lines of identifiers: which columns are used, which is not, what the result rests on
grep -q '^anorank: 2 columns used' plain || fail "the columns used are not among the notes shown"
grep -q "^anorank: 'customer_id' looks like" plain || fail "no column that is not used is among the notes shown"
grep -q '^anorank: p-values ' plain || fail "what the p-values rest on is not among the notes shown"
run detect ids.csv --lowest 1
expect_out 'customer-number-000119,order-number-000187,session-number-000221,device-number-000289,1,17,'

# ---- when it happened stands beside every finding, also where the time of day is learned from
awk 'BEGIN { srand(5); print "time,level,other"
  for (i = 0; i < 960; i++)
    printf "2024-03-%02d %02d:00,%.3f,%.3f\n", 1 + i / 24 % 31, i % 24, (i % 24 > 7) * 5 + rand() + 40 * (i == 100), rand() }' >hours.csv
run_json detect hours.csv --lowest 1 --save-model hours.anr --report hours.html
expect_note column-time "'time'"
expect_out '^time,rank,row,'
expect_out '^2024-03-05T04:00:00Z,1,101,'
grep -q '2024-03-05T04:00:00Z' hours.html || fail "the report does not say when"
run rank hours.anr hours.csv --lowest 1
expect_out '^2024-03-05T04:00:00Z,1,101,'
"$ANORANK" rank hours.anr - --lowest 1 <hours.csv >.out 2>.err || fail "standard input"
expect_out '^2024-03-05T04:00:00Z,1,101,'
run_on 80x24 detect hours.csv
grep -q '101  2024-03-05T04:00:00Z ' .out || fail "the terminal does not say when"

# ---- a wide terminal has its whole width, with the reasons beside the numbers
run_on 160x40 detect odd.csv --id id
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
grep -q '^rank  row .*  reasons$' plain || fail "no reasons beside the numbers"
awk 'NR >= 3 && length($0) > 130 { found = 1 } END { exit !found }' plain || fail "the width is not used"
expect_lines 38 .out

# ---- colours only there, and NO_COLOR is honoured
grep -q "$(printf '\033')" .out || fail "nothing is bold on a terminal"
NO_COLOR=1
export NO_COLOR
run_on 80x24 detect odd.csv
grep -q "$(printf '\033')\[[0-9;]*m" .out && fail "NO_COLOR is not honoured"
unset NO_COLOR
run detect odd.csv --output-format table
grep -q "$(printf '\033')" .out .err && fail "a pipe gets escapes"

# ---- into a pipe: data only
run_json detect odd.csv --id id
awk -F, 'NR == 1 { columns = NF } END { exit !(NR == 401 && columns == 9) }' .out || fail "not the plain table"
expect_note ranking-answer '3 of 400 '
run_json detect odd.csv --id id --fdr 0.2 -o few.csv
expect_no_out
expect_note ranking-answer ' 400 .* 20 %'
run_json detect odd.csv --id id --mass 0.99
expect_note ranking-answer ' 400 .* 99 %'

# ---- ties are one line
awk 'BEGIN { print "a,b"; for (i = 0; i < 300; i++) print i % 7 "," i % 5; for (i = 0; i < 40; i++) print "90,90" }' >tied.csv
run_on 80x24 detect tied.csv --lowest 3
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
grep -q '^       = 39 more rows .* 302, 303, ' plain || fail "ties are not joined"
[ "$(grep -c '^   1 ' plain)" -eq 1 ] || fail "tied rows have separate lines"

# ---- wide and combining characters stay in their columns
{ printf 'name,x\n'; awk 'BEGIN { srand(1); for (i = 0; i < 60; i++) printf "n%d,%.3f\n", i, rand() }'
  printf '東京都港区,90\ne\314\201te\314\201,91\n🙂🙂,92\nplain,93\n'; } >wide.csv
run_on 80x24 detect wide.csv --id name --lowest 4 -q
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
if [ -n "$python" ]; then
  "$python" - <<'P' || fail "the columns after wide characters are not aligned"
import re, sys, unicodedata
def width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
ends = set()
for line in open("plain", encoding="utf-8"):
    m = re.match(r" *[0-9]+ +[0-9]+  (.*?)  +-?[0-9.e+-]+  ", line)
    if m and not line.startswith("       "):
        ends.add(width(m.group(0)))
sys.exit(len(ends) != 1)
P
fi
expect_out '東京都港区'

# ---- a terminal of 40 columns and 10 lines still shows three rows
run_on 40x10 detect odd.csv --id id
sed 's/\x1b\[[0-9;]*[mK]//g' .out >plain
[ "$(grep -c '^   [0-9] ' plain)" -ge 3 ] || fail "fewer than three rows"

finish
