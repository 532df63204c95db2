#!/bin/sh
# `make demo` shows the frauds that it finds, cuts long outputs where it says so, and ends with the paper's Table 1.
# labels: long nothreads
. "$(dirname "$0")/lib.sh"
[ -z "${SANITIZE:-}" ] || { echo "skipped under a sanitizer: the plain build runs it"; exit 77; }
last="scripts/demo.sh"
sh "$SOURCE/scripts/demo.sh" "$ANORANK" demo >.out 2>.err
code=$?
expect_code 0
expect_out '^  --fdr 0.1  *[0-9][0-9]* '
expect_out '^  paper  *0.91 +- 0.13 '
expect_lines 200 .out
[ "$(grep -c '^  mass  *area\|^Training' .out)" -eq 0 ] || fail "long outputs are not cut"
for file in $(sed -n '/^Files in/,/^A tutorial/s/^  \([^ ]*\) .*/\1/p' .out); do
  [ -s "demo/$file" ] || [ -d "demo/$file" ] || fail "there is no demo/$file"
done
finish
