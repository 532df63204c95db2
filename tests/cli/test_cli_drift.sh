#!/bin/sh
# drift: tests of two files.
. "$(dirname "$0")/lib.sh"

# Rows of two numbers and a word; `scale` multiplies the first number.
make_rows() {
  awk -v from="$1" -v scale="$2" 'BEGIN {
    print "id,amount,b,kind"
    for (i = from; i < from + 300; i++) {
      r = sqrt(-2 * log((i * 7919 % 10007 + 1) / 10009)); t = i * 2.399963
      printf "id%d,%.6f,%.6f,%s\n", i, scale * (20 + 3 * r * cos(t)), r * sin(t), i % 3 ? "x" : "y"
    }
  }'
}
make_rows 1 1 >old.csv
make_rows 1001 1 >same.csv
make_rows 1001 100 >cents.csv

run_ok drift old.csv same.csv
expect_narrow .out
run_ok drift old.csv same.csv --json
expect_out '"drift": false'

run_ok drift old.csv cents.csv
expect_narrow .out
expect_out '^  - amount .* 1998.* 19.99'
cp .out cents.txt
run drift old.csv cents.csv --threads 3
expect_same .out cents.txt

# For scripts and programs.
run drift old.csv cents.csv --exit-on-drift
expect_code 1
run_ok drift old.csv same.csv --exit-on-drift
run_ok drift old.csv cents.csv --json
"$python" - <<'END' || fail "the JSON is not as documented"
import json
found = json.load(open(".out"))
assert found["drift"] is True and found["p_value"] == 0.002 and found["joint_p_value"] == 0.001 and found["separation"] > 0.99, found
first = found["columns"][0]
assert first["column"] == "amount" and first["change"] == "higher" and first["p_value"] <= 0.05, first
assert 90 < first["median"][1] / first["median"][0] < 110, first
assert found["old_rows"] == 300 and found["new_rows"] == 300
END

# The smallest p-value follows the permutations; a column can be left out.
run drift old.csv cents.csv --permutations 99 --json
expect_out '"p_value": 0.02,'
run_ok drift old.csv cents.csv --drop amount --json
expect_out '"drift": false'

# What cannot be compared is an error with a remedy.
sed 's/,[0-9.]*,/,cheap,/' same.csv >words.csv
refused 3 'drift-column-type column=amount' drift old.csv words.csv
expect_err '"remedies": \[{"setting": "categorical", "value": "amount"}, {"setting": "drop", "value": "amount"}'
run_ok drift old.csv words.csv --drop amount

# The notes of a result in JSON have their codes beside them, in the same order.
awk 'BEGIN { print "x,gone"; for (i = 0; i < 40; i++) print i * 7 % 31 "," i }' >gone.csv
awk 'BEGIN { print "x,more"; for (i = 0; i < 40; i++) print i * 5 % 31 "," i }' >more.csv
run_ok drift gone.csv more.csv --json -q
expect_json .out
[ "$(grep -A 2 '"note_codes"' .out | grep -c '"drift-columns-skipped"')" -eq 2 ] || fail 'no codes of the notes'
finish
