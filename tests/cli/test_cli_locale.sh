#!/bin/sh
# The program writes the same bytes in a locale with a comma, since it never calls setlocale.
. "$(dirname "$0")/lib.sh"

if command -v nm > /dev/null && nm -D "$ANORANK" 2> /dev/null | grep -qE ' (set|new|use)locale'; then
  fail 'the program imports setlocale'
fi
if ! localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2> said; then
  echo "skipped: localedef cannot make de_DE.UTF-8: $(head -n 1 said)"
  exit 77
fi
awk 'BEGIN { print "a,b"; for (i = 0; i < 200; i++) { a = sin(i * 12.9898) * 43758.5453; a -= int(a); print a "," a * a } }' >rows.csv
all() {
  "$ANORANK" fit rows.csv -q -o model.anr
  "$ANORANK" score model.anr rows.csv
  "$ANORANK" score model.anr rows.csv --output-format jsonl
  "$ANORANK" detect rows.csv --format json --lowest 5 --reasons 2
  "$ANORANK" inspect model.anr
  "$ANORANK" inspect model.anr --json
  "$ANORANK" evaluate rows.csv --svg curve.svg
  "$ANORANK" simulate gaussian --rows 5 --sigma 0.5
  "$ANORANK" list settings
  "$ANORANK" detect rows.csv --fdr 0,5
  cat curve.svg
} 2>&1
unset LC_ALL LC_NUMERIC LANG
LOCPATH=$PWD LC_ALL=C all | sed -E 's/ in [0-9.e+-]+ s$//' >plain
LOCPATH=$PWD LC_ALL=de_DE.UTF-8 all | sed -E 's/ in [0-9.e+-]+ s$//' >german
last='everything in de_DE.UTF-8'
expect_same plain german
[ "$(wc -l <plain)" -gt 500 ] || fail 'too little was written to compare'
finish
