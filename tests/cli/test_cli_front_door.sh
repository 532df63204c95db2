#!/bin/sh
# Files as people have them: what the first version got wrong on `anorank detect FILE`, each as a case. Run
# with ANORANK set to version 0.1, every case fails.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

# first WANTED: row WANTED is the most abnormal one of the last output
first() {
  got=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "row") c = i } NR == 2 { print $c }' .out)
  [ "$got" = "$1" ] || fail "the most abnormal row is '$got', not $1"
}
# spelled NAME COMMAND: 400 rows whose amount is written by awk, the planted one in row 180
spelled() {
  awk "BEGIN { print \"kind;amount\"; for (i = 1; i <= 400; i++) {
    v = i == 180 ? 250000.5 : 1000 + (i * 7919) % 997; k = substr(\"abc\", 1 + i % 3, 1); $2 } }" >"$1.csv"
  run_ok detect "$1.csv" --lowest 1
  first 180
  expect_out 'amount 25[0-9,.]* '
}

# -- numbers as people write them
spelled comma 'w = int(v); printf "%s;%d.%03d,%02d\n", k, w / 1000, w % 1000, 50'
awk 'BEGIN { print "kind,amount"; for (i = 1; i <= 400; i++) printf "%s,\"$%d,%03d,000\"\n", substr("abc", 1 + i % 3, 1), i == 180 ? 250 : 1 + i % 9, i % 1000 }' >dollar.csv
run detect dollar.csv --lowest 1
first 180
awk 'BEGIN { print "a;share"; for (i = 1; i <= 200; i++) printf "%d,%d;%d,%02d %%\n", i % 7, i % 10, i == 50 ? 98 : 10 + i % 5, i % 90 }' >share.csv
run detect share.csv --lowest 1
first 50
expect_out 'share 0.98'

# -- the label is not learned from, nor a reason
run example cards -o cards.csv --rows 3000
run_json detect cards.csv --lowest 20
if grep -q 'fraud [01] is\|fraud 1' .out; then fail "the label is a reason"; fi
expect_note column-label "'fraud'"

# -- a time is shown as one
run detect cards.csv --lowest 1 --save-model cards.anr -o top.csv
run explain cards.anr cards.csv --row 1
expect_out '^time  *[A-Z a-z]*[0-2][0-9]:[0-5][0-9]  *[0-9.]* % \(at this hour\|on this day\) '

# -- identifiers come out beside the findings; names and keys come once; unique numbers called an id are not learned
head -n 1 top.csv | grep -q '^transaction,' || fail "the identifier is not in the output"
awk 'BEGIN { print "score,rank,row,x"; for (i = 1; i <= 80; i++) print i * 31 % 97 "," i % 9 "," i % 7 "," i % 11 }' >names.csv
run detect names.csv --id score,rank,row --lowest 2
[ "$(head -n 1 .out | tr ',' '\n' | sort | uniq -d | wc -l)" -eq 0 ] || fail "a name comes twice"
awk 'BEGIN { print "customer_id,x"; for (i = 1; i <= 200; i++) print (i * 7919) % 100003 "," i % 11 }' >ids.csv
run_json detect ids.csv --lowest 2
expect_note column-id "'customer_id'"
expect_out '^customer_id,rank,row,'
run detect names.csv --keep all --lowest 2
head -n 1 .out | grep -q '^score_1,rank_1,row_1,x,rank,row,score,' || fail "the columns of the file"

# -- the first screen
run_on 80x24 detect cards.csv
expect_code 0
expect_lines 24 .out
expect_out 'of 3,000 .*far apart'
awk 'BEGIN { print "a,b"; for (i = 1; i <= 300; i++) print i <= 89 ? "9,9" : i % 5 "," i % 7 }' >tied.csv
run_on 80x24 detect tied.csv --lowest 3
expect_lines 24 .out
run detect --help
expect_lines 40 .out

# -- what is suggested works
printf 'a,b\n%s' "$(awk 'BEGIN { for (i = 1; i <= 60; i++) print (i == 40 ? "n.a." : i % 7) "," (i == 50 ? "NA" : i % 11) }')" >gaps.csv
run_ok detect gaps.csv --missing=n.a. --lowest 1

# -- nothing is assumed in silence
printf 'ann,f\nbob,m\neve,f\nann,f\nbob,m\neve,f\nann,m\nbob,m\neve,f\nzoe,f\n' >texts.csv
run_json detect texts.csv --lowest 1
expect_note csv-header-absent
awk 'BEGIN { print "a,b,a"; for (i = 1; i <= 60; i++) print i % 7 "," i % 11 "," i % 5 }' >double.csv
run_json detect double.csv --lowest 1
expect_note csv-duplicate-names "'a_2'"
printf 'city,x\n%s\n' "$(awk 'BEGIN { for (i = 1; i <= 60; i++) print (i % 2 ? "M\374nchen" : "K\366ln") "," i % 7 }')" >latin.csv
run_json detect latin.csv --keep city --lowest 5
expect_note encoding-guessed Windows-1252
iconv -f UTF-8 -t UTF-8 .out >/dev/null 2>&1 || fail "the output is not UTF-8"
printf 'Report of May,,\n\nname,x,y\n%s\n' "$(awk 'BEGIN { for (i = 1; i <= 60; i++) print "n" i "," i % 7 "," i % 11 }')" >title.csv
run_json detect title.csv --lowest 1
expect_code 0
expect_note csv-skipped-lines 'Report of May'
run detect double.csv -o x.xlsx
[ "$code" -ne 0 ] || fail "-o x.xlsx writes something else"

# -- reasons are true: every similar row has 21 to 23
awk 'BEGIN { print "kind,x"; for (i = 1; i <= 400; i++) { k = i % 2; print (k ? "a" : "b") "," (i == 200 ? 8.4 : k ? 8 + (i % 16) / 10 : 21 + (i % 21) / 10) } }' >similar.csv
run detect similar.csv --lowest 1 --json
expect_out '"row": 200,.*"column": "x", "kind": "together",.*"similar_low": 2[0-9.]*, "similar_high": 2'
# summers are few here, and were said to resemble winters: 8 to 9.5
awk 'BEGIN { srand(4); print "season,sun,degrees,load,kind"
  for (i = 0; i < 600; i++) { s = i % 8 == 0
    printf "%s,%.2f,%.2f,%.1f,%s\n", s ? "summer" : "winter", (s ? 15 : 7) + rand() - rand(), s ? 21 + 2 * rand() : 8 + 1.5 * rand(),
      (s ? 50 : 40) + 9 * (rand() - rand()), rand() < .5 ? "a" : "b" } }' >seasons.csv
run_ok detect seasons.csv --json
expect_out '"kind": "together"'
! grep -Eq '"column": "degrees", "kind": "together"[^}]*"value": 2[0-9.]*,[^}]*"similar_low": [89]' .out || fail "rows of another season are called similar"
awk 'BEGIN { print "x"; for (i = 1; i <= 100; i++) print i == 40 ? 99 : 10 + (i % 17) / 10 }' >one.csv
run detect one.csv --lowest 3 --json
if grep -q '"kind": "together"' .out; then fail "partners without a dependence"; fi

# -- wide tables: two odd rows among correlated columns come first, and reasons end soon
awk 'function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
  function z() { return u() + u() + u() + u() + u() + u() + u() + u() + u() + u() + u() + u() - 6 }
  BEGIN { s = 7; n = 600; d = 150
  for (j = 1; j <= d; j++) printf "s%d%s", j, j < d ? "," : "\n"
  for (j = 1; j <= d; j++) for (k = 1; k <= 6; k++) w[j, k] = z()
  for (i = 1; i <= n; i++) { for (k = 1; k <= 6; k++) f[k] = z()
    for (j = 1; j <= d; j++) { v = .3 * z(); for (k = 1; k <= 6; k++) v += f[k] * w[j, k]
      if (i == 100 && j <= 10) v += 4; if (i == 300 && j == 5) v = 60; printf "%.4f%s", v, j < d ? "," : "\n" } } }' >wide.csv
run detect wide.csv --lowest 2
cut -d, -f2 .out | sed 1d | sort | tr '\n' ' ' | grep -q '^100 300 ' || fail "the two odd rows are not first"

finish
