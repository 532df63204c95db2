# Lists of columns whose names hold a comma: --id, --keep, --drop, --columns, --categorical; score, rank and detect.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
  print "\"who, when\",amount,\"a,b\",\"kind,of\",back\\slash"
  for (i = 1; i <= 200; i++) printf "%04d,%.3f,%d,%d,%.2f\n", i, sin(i * 7) + i % 5, i % 3, i % 4, cos(i * 3)
  print "0201,60,1,2,0.5"
}' >rows.csv

# An identifier keeps its text ("0201", not 201), as the model says or as --id does.
run_ok fit rows.csv -o m.anr --id 'who\, when' --drop 'a\,b' --categorical 'kind\,of'
run inspect m.anr --json
expect_out '"who, when"'
run_ok score m.anr rows.csv
expect_out '^0201,'
[ "$(head -n 1 .out | cut -c 1-12)" = '"who, when",' ] || fail 'score writes no identifier'
run_ok rank m.anr rows.csv --lowest 1 --output-format csv --keep 'a\,b,back\slash'
expect_out '^"who, when",.*"a,b",.*back\\slash'
expect_out '^0201,'
run_json detect rows.csv --id 'who\, when' --drop 'a\,b' --lowest 1 --output-format csv
expect_out '^0201,'
expect_note columns-used '3 '
run_ok detect rows.csv --columns 'amount, a\,b' --id 'who\, when' --keep 'back\\slash' --lowest 1 --output-format csv
expect_out '^0201,'

# The same larger than memory, and of several files.
run_ok rank m.anr rows.csv rows.csv --lowest 1 --output-format csv
expect_out '^rows.csv,201,0201,'

# Without the backslash these are two names, and neither is there.
for options in '--id who,when' '--drop a,b' '--keep a,b'; do refused 2 column-unknown detect rows.csv $options; done
run_ok drift rows.csv rows.csv --drop 'a\,b,who\, when'
refused 2 column-unknown drift rows.csv rows.csv --drop 'a,b'
finish
