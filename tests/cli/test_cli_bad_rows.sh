#!/bin/sh
# Lines that cannot be read: an error with a remedy, or skipped, counted and named; however the file is read.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

# good.csv, and bad.csv: the same with three lines between its rows that cannot be read, the first on line 102
awk 'BEGIN { srand(5); print "name,a,b"; for (i = 1; i <= 400; i++) print "n" i % 7 "," rand() "," rand() }' >good.csv
awk '{ print } NR == 101 { print "n1,1" } NR == 200 { print "n1,broken,2" } NR == 300 { print "n1,1,2,3,4" }' good.csv >bad.csv
run_ok fit good.csv -o m.anr -q
run_ok score m.anr good.csv -q
cp .out wanted

refused 3 'csv-cell-count line=102' score m.anr bad.csv
grep -q '"bad-rows".*"rank"' .err || fail 'keeping is not suggested'
grep -q '"bad-rows".*"skip"' .err || fail 'skipping is not suggested'
# What is suggested is an alternative to what the message advises.
printf '%s\n' '{"a": 1, "b": 2}' '{"a": 3, "b": 4}' '{"a": 5, "a": 6}' >twice.jsonl
for file in bad.csv twice.jsonl; do
  run fit $file -o t.anr -q
  expect_code 3
  expect_err ', or pass --bad-rows=rank or --bad-rows=skip$'
done
for how in '' '--block-rows 1' '--block-rows 50' '--block-rows 403' '--threads 2'; do
  # shellcheck disable=SC2086
  run_json score m.anr bad.csv --bad-rows skip $how
  expect_code 0
  expect_same wanted .out
  expect_note bad-rows-skipped '3 .*102'
  [ "$(grep -c bad-rows-skipped .err)" -eq 1 ] || fail "one note was expected $how"
done
run_json detect bad.csv --bad-rows skip --lowest 2
expect_code 0
expect_note bad-rows-skipped '3 .*102'
run_json fit bad.csv --bad-rows skip -o same.anr
expect_code 0
expect_note bad-rows-skipped '3 .*102'
run_ok score same.anr good.csv -q
expect_same wanted .out
run_json score m.anr good.csv --bad-rows skip
expect_same wanted .out
if grep -q bad-rows-skipped .err; then fail 'nothing was skipped'; fi

# kept: the cells that can be read count, the others are missing; the same as a file that says so
sed -e '102s/.*/n1,1,/' -e '202s/.*/n1,,2/' -e '303s/.*/n1,1,2/' bad.csv >fixed.csv
sed -n '102p;202p;303p' bad.csv >.out
expect_out 'broken'
run_ok score m.anr fixed.csv -q
cp .out fixed
for how in '' '--block-rows 1' '--block-rows 50' '--threads 2'; do
  # shellcheck disable=SC2086
  run_json score m.anr bad.csv --bad-rows rank $how
  expect_code 0
  expect_same fixed .out
  expect_note bad-rows-kept '3 .*102, 202, 303'
done
run_json detect bad.csv --bad-rows rank --lowest 2
expect_code 0
expect_note bad-rows-kept '3 .*102'

# JSON lines
awk -F, 'NR > 1 { printf "{\"name\": \"%s\", \"a\": %s, \"b\": %s}\n", $1, $2, $3 }' good.csv >good.jsonl
awk '{ print } NR == 10 { print "{\"name\": \"n1\", \"a\": 1" } NR == 90 { print "{\"name\": \"n1\", \"a\": \"broken\", \"b\": 1}" }' \
  good.jsonl >bad.jsonl
run_ok score m.anr good.jsonl -q
cp .out wanted
run_json score m.anr bad.jsonl
expect_code 3
grep -q '"bad-rows".*"rank"' .err || fail 'keeping is not suggested'
grep -q '"bad-rows".*"skip"' .err || fail 'skipping is not suggested'
for how in '' '--block-rows 1' '--block-rows 50'; do
  # shellcheck disable=SC2086
  run_json score m.anr bad.jsonl --bad-rows skip $how
  expect_code 0
  expect_same wanted .out
  expect_note bad-rows-skipped '2 .*11'
done
run_json score m.anr bad.jsonl --bad-rows rank
expect_code 0
expect_note bad-rows-kept '2 .*11, 92'
[ "$(wc -l <.out)" -eq 403 ] || fail "a row for each line was expected"

# a file in which no line can be read is an error all the same
printf 'a,b\n1\n2\n' >none.csv
run detect none.csv --bad-rows skip
[ "$code" -ne 0 ] || fail 'a file without a readable row was accepted'

finish
