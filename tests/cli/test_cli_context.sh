#!/bin/sh
# --by, --time and --window from end to end: what is found, what stands beside it, going on from a model, refusals.
. "$(dirname "$0")/lib.sh"

# Four machines with levels of their own; row 301 has a value that is usual for another machine.
awk 'BEGIN { srand(3); print "machine,t,load,heat"
  for (i = 1; i <= 480; i++) { m = i % 4; v = 10 * m + rand(); h = rand() + rand()
    if (i == 301) v = 10 * ((m + 2) % 4) + .5
    printf "m%d,%d,%.4f,%.4f\n", m, i, v, h } }' >fleet.csv

run detect fleet.csv --by machine --time t --output-format csv
expect_code 0
sed -n 2p "$folder/.out" | grep -q '^m1,301,1,301,' || fail "row 301 is not first, with machine and time beside it"
cp "$folder/.out" by.csv
for threads in 1 2; do
  run detect fleet.csv --by machine --time t --threads $threads --output-format csv -q
  cmp -s "$folder/.out" by.csv || fail "$threads threads give other bytes"
done
run detect fleet.csv --columns load,heat --output-format csv -q
sed -n 2p "$folder/.out" | grep -q ',301,' && fail "the row is first without --by, too: the test shows nothing"

# The rows in another order, sorted by time on the way.
(head -n 1 fleet.csv; tail -n +2 fleet.csv | sort -t, -k3,3) >shuffled.csv
run detect shuffled.csv --by machine --time t --output-format csv -q
cut -d, -f1,2,5 "$folder/.out" | sed -n 2p >a
cut -d, -f1,2,5 by.csv | sed -n 2p >b
expect_same a b

# A model goes on where its history ended; its settings come along.
head -n 241 fleet.csv >first.csv
(head -n 1 fleet.csv; tail -n +242 fleet.csv) >second.csv
run fit first.csv --by machine --time t -o model.anr
expect_code 0
for command in "score model.anr second.csv -o s.csv" "rank model.anr second.csv -o r.csv" \
  "explain model.anr second.csv --row 61" "evaluate model.anr second.csv" \
  "report model.anr second.csv -o r.html" "inspect model.anr"; do
  # shellcheck disable=SC2086
  run $command
  expect_code 0
done
sed -n 2p r.csv | grep -q '^m1,301,1,61,' || fail "row 61 is not first"
run_json score model.anr fleet.csv -o whole.csv # begins before the end of the history: starts from the population, with a note
expect_code 0
expect_note history-not-used
run_json score model.anr second.csv -o s.csv
grep -q history-not-used "$folder/.err" && fail "a note on rows that go on with the history"
run fit first.csv --by machine --time t -o again.anr --threads 2
expect_same model.anr again.anr
# --update goes on with the history: what follows is as if it had been before; the model may name itself.
head -n 361 fleet.csv | tail -n +242 >middle.body
(head -n 1 fleet.csv; cat middle.body) >middle.csv
(head -n 1 fleet.csv; tail -n +362 fleet.csv) >last.csv
run score model.anr second.csv -o through.csv
cp model.anr updated.anr
run fit --update updated.anr middle.csv -o updated.anr
expect_code 0
run score updated.anr last.csv -o rest.csv
expect_code 0
tail -n +122 through.csv | cut -d, -f1,2,4- >a
tail -n +2 rest.csv | cut -d, -f1,2,4- >b
expect_same a b
run fit --update updated.anr first.csv -o updated.anr
expect_code 3
run score model.anr second.csv --time load
expect_code 2

# Rows that are compared with earlier ones are not independent: no rate is promised.
run rank model.anr second.csv --json
expect_out '"kind": "dependent"'

# Without by and time nothing is different from before: neither scores nor what a model holds.
sh "$SOURCE/tests/golden/make_plain_scores.sh" "$ANORANK" >plain.csv
awk -F, 'function far(a, b) { d = a - b; return d * d > 1e-18 * (1 + b * b) }
  NR == FNR { line[FNR] = $0; next }
  { split(line[FNR], was, ","); if ($1 != was[1]) bad++
    for (k = 2; FNR > 1 && k <= 4; k++) if (far($k, was[k])) bad++ }
  END { exit bad > 0 || FNR != 101 }' "$SOURCE/tests/golden/plain-scores.csv" plain.csv ||
  fail "scores without by and time are not those before"
run fit first.csv --drop t -o plain.anr
expect_code 0
for word in context window; do
  if grep -aq "$word" plain.anr; then fail "a model without by and time has '$word'"; fi
done
finish
