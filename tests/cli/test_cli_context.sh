#!/bin/sh
# --by, --time and --window from end to end: what is found, what stands beside it, continuing a model, refusals.
. "$(dirname "$0")/lib.sh"

# Four machines with different levels; row 301 has a value that is usual for another machine.
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

# A model continues its history; its settings come along.
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
grep -q history-not-used "$folder/.err" && fail "a note on rows that continue the history"
run fit first.csv --by machine --time t -o again.anr --threads 2
expect_same model.anr again.anr
# --update continues the history: what follows is as if it had been before; the model may name itself.
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
for option in --time --by --window; do # they come from the model
  run score model.anr second.csv $option load
  expect_code 2
  run rank model.anr second.csv $option load
  expect_code 2
done

# Blocks, pipes, parts and shards: the same bytes as in memory.
run score model.anr second.csv -o s.csv
for rows in 1 50 1000; do
  "$ANORANK" score model.anr - -q --block-rows $rows <second.csv >piped.csv || fail "a pipe in blocks of $rows rows"
  expect_same piped.csv s.csv
done
for part in 0 1 2; do
  run score model.anr second.csv --shard $part/3 -q -o "shard$part.csv"
  expect_code 0
  tail -n +2 "shard$part.csv"
done | sort -t, -k3n >shards.csv
tail -n +2 s.csv >rows.csv
expect_same shards.csv rows.csv
for name in m0 m1 m2 m3; do
  [ "$(grep -l "^$name," shard[0-9].csv | wc -l)" = 1 ] || fail "$name is in several shards"
done
# Two entities, and one series: each row is in one shard, with the score that it has in the whole file.
awk 'BEGIN { srand(9); print "customer,terminal,t,amount"
  for (i = 1; i <= 9000; i++) printf "c%d,t%d,%d,%.3f\n", rand() * 40, rand() * 11, i, exp(rand() + i % 7) }' >pays.csv
head -n 3001 pays.csv >pays_old.csv
(head -n 1 pays.csv; tail -n +3002 pays.csv) >pays_new.csv
for by in "--by customer,terminal" "--by customer+terminal" "--id customer,terminal"; do
  # shellcheck disable=SC2086
  run_ok fit pays_old.csv $by --time t -o pays.anr
  run_ok score pays.anr pays_new.csv -o s.csv
  for shards in 2 5; do
    part=0
    while [ $part -lt $shards ]; do
      run_ok score pays.anr pays_new.csv --shard $part/$shards --threads $((1 + part % 2)) -o "shard$part.csv"
      [ "$(wc -l <"shard$part.csv")" -gt 1 ] || fail "$by: shard $part of $shards has no rows"
      tail -n +2 "shard$part.csv" >>gathered.csv
      part=$((part + 1))
    done
    (head -n 1 s.csv; sort -t, -k4n gathered.csv) >shards.csv
    expect_same shards.csv s.csv
    rm gathered.csv
  done
done
run rank model.anr second.csv -q -o r.csv
run rank model.anr middle.csv last.csv -q -o parts.csv
expect_code 0
cut -d, -f3- parts.csv >rows.csv # without file and file_row
expect_same rows.csv r.csv
run detect fleet.csv --by machine --time t -q -o d.csv --save-model d.anr
run detect first.csv middle.csv last.csv --by machine --time t -q -o dp.csv --save-model dp.anr
expect_code 0
cut -d, -f3- dp.csv >rows.csv
expect_same rows.csv d.csv
expect_same dp.anr d.anr
# Reasons tell what was usual just before a row, also where only the rows that are reported are in memory.
awk 'BEGIN { srand(3); print "machine,t,load,heat"
  for (i = 1; i <= 4800; i++) { m = i % 4; v = i % 40 == 7 ? 10 * ((m + 2) % 4) + .5 : 10 * m + rand()
    printf "m%d,%d,%.4f,%.4f\n", m, i, v, rand() + rand() } }' >often.csv
head -n 2401 often.csv >often_1.csv
(head -n 1 often.csv; tail -n +2402 often.csv) >often_2.csv
run_ok detect often.csv --by machine --time t --lowest 100 -q -o d.csv --save-model often.anr
run_ok detect often_1.csv often_2.csv --by machine --time t --lowest 100 -q -o dp.csv
cut -d, -f3- dp.csv >rows.csv
expect_same rows.csv d.csv
grep -q 'in [0-9,]*[0-9]* earlier rows' d.csv || fail "no reason tells of earlier rows"
run_ok fit often_1.csv --by machine --time t -o often.anr
run_ok rank often.anr often_2.csv --lowest 50 -q -o r.csv
(head -n 1 often.csv; tail -n +3000 often.csv) >often_3.csv
sed -n '1p;2402,2999p' often.csv >often_2.csv
for rows in 1 77 5000; do
  run_ok rank often.anr often_2.csv often_3.csv --block-rows $rows --lowest 50 -q -o rp.csv
  cut -d, -f3- rp.csv >rows.csv
  expect_same rows.csv r.csv
done
# More rows than a fit draws: the context is learned from the first, and derived rows are drawn.
awk 'BEGIN { srand(5); print "machine,t,load,a,b,c,kind"
  for (i = 1; i <= 40000; i++) { m = int(rand() * 50); kind = rand() < .002 ? int(rand() * 50) : m
    printf "m%d,%d,%.4f,%.4f,%.4f,%.4f,k%d\n", m, i, 10 * m + rand(), rand(), rand(), rand(), kind } }' >many.csv
run_json detect many.csv --by machine --time t --lowest 50 --max-memory 6M --report many.html -o d.csv --save-model d.anr
expect_code 0
expect_note context-first-rows
for rows in 333 20000; do
  run detect many.csv --by machine --time t --lowest 50 --max-memory 6M --block-rows $rows -q -o db.csv --save-model db.anr
  expect_code 0
  expect_same db.csv d.csv
  expect_same db.anr d.anr
done
run fit - --by machine --time t --max-memory 6M -q -o piped.anr <many.csv
expect_code 0
run fit many.csv --by machine --time t --max-memory 6M -q -o file.anr
expect_same piped.anr file.anr

# A row that runs back in a stream is named; nothing is written.
(head -n 1 fleet.csv; sed -n 400p fleet.csv; sed -n 300p fleet.csv; sed -n 396p fleet.csv) >back.csv
rm -f none.csv
run_json score model.anr - -o none.csv <back.csv
expect_code 3
grep -q time-not-sorted "$folder/.err" || fail "no time-not-sorted"
[ ! -e none.csv ] || fail "an output was written"
run score model.anr back.csv -q # in memory it is sorted
expect_code 0

# --update in parts; a failure leaves the model as it was; a full disk, too.
cp model.anr parts.anr
run fit --update parts.anr middle.csv last.csv -q -o parts.anr
expect_code 0
cp model.anr whole.anr
run fit --update whole.anr second.csv -q -o whole.anr
expect_same parts.anr whole.anr
cp model.anr safe.anr
(head -n 1 fleet.csv; tail -n +242 fleet.csv; sed -n 2p fleet.csv) >broken.csv
run fit --update safe.anr broken.csv -q -o safe.anr
expect_code 3
expect_same safe.anr model.anr
if [ -e /dev/full ]; then
  run fit --update safe.anr second.csv -q -o /dev/full
  expect_code 5
  expect_same safe.anr model.anr
fi
# Killed at any moment, the file is the old model or the new one.
for wait in 0.001 0.003 0.01 0.03; do
  cp model.anr killed.anr
  "$ANORANK" fit --update killed.anr second.csv -q -o killed.anr & pid=$!
  sleep $wait
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  cmp -s killed.anr model.anr || cmp -s killed.anr whole.anr || fail "killed after $wait s: neither old nor new"
done

# Odd entities and times.
awk 'BEGIN { print "id,t,x"; for (i = 0; i < 3000; i++) printf "e%d,%d,%d\n", i, i % 7, (i * 7919) % 101 }' >alone.csv
run detect alone.csv --by id --time t --lowest 3 # one row each, times that repeat and jump back
expect_code 0
run_json detect alone.csv --by id --time t --max-entities 100 --lowest 3
expect_code 0
expect_note entities-evicted
run detect alone.csv --by t --time t --columns x --lowest 3
expect_code 0
run detect alone.csv --time id
expect_code 2
awk 'BEGIN { print "t"; for (i = 0; i < 300; i++) print i * i }' >only.csv
refused 3 context-no-column detect only.csv --time t # nothing to learn from but the time
cut -d, -f1,2 fleet.csv >only.csv
refused 3 context-no-column fit only.csv --by machine --time t -o only.anr
refused 3 context-no-column fit only.csv --by machine+t -o only.anr
sed 's/^e10[0-9],/,/' alone.csv >nameless.csv
run_json detect nameless.csv --by id --time t --lowest 3
expect_code 0
expect_note entity-missing

# Rows without a time: refused with their line and what helps, skipped, or at the time of the row before them.
awk -F, -v OFS=, 'NR == 100 || NR == 301 || NR == 302 { $2 = "" } { print }' fleet.csv >gap.csv
awk 'NR != 100 && NR != 301 && NR != 302' fleet.csv >skipped.csv
awk -F, -v OFS=, '{ if (NR == 100 || NR == 301 || NR == 302) $2 = last; last = $2; print }' fleet.csv >filled.csv
awk -F, 'NR > 1 { t = $2 == "" ? "null" : $2; printf "{\"machine\": \"%s\", \"t\": %s, \"load\": %s, \"heat\": %s}\n", $1, t, $3, $4 }' \
  gap.csv >gap.jsonl
for file in gap.csv gap.jsonl; do
  line=$([ $file = gap.csv ] && echo 100 || echo 99)
  refused 3 "time-missing column=t line=$line" detect $file --by machine --time t
  for rule in skip rank; do
    grep -q "\"bad-rows\".*\"$rule\"" .err || fail "$rule is not suggested"
  done
  run_json fit $file --by machine --time t --bad-rows skip -o gap.anr
  expect_code 0
  expect_note bad-rows-skipped "3 .* $line"
  run_ok fit skipped.csv --by machine --time t -o skipped.anr
  refused 3 "time-missing column=t line=$line" score gap.anr $file
  for how in '' '--block-rows 1' '--block-rows 50' '--threads 2'; do
    run_ok score skipped.anr skipped.csv -q
    cp .out wanted
    # shellcheck disable=SC2086
    run_ok score gap.anr $file --bad-rows skip -q $how
    expect_same .out wanted
    run_ok score skipped.anr filled.csv -q
    cut -d, -f1,3- .out >wanted
    # shellcheck disable=SC2086
    run_json score gap.anr $file --bad-rows rank $how
    expect_code 0
    expect_note times-filled '3 '
    cut -d, -f1,3- .out >kept
    expect_same kept wanted
  done
  run_json detect $file --by machine --time t --bad-rows rank --lowest 3 --incidents
  expect_code 0
  expect_note times-filled '3 '
done
sed '2s/,1,/,,/' fleet.csv >first_gap.csv # the first row has none before it
refused 3 time-missing detect first_gap.csv --by machine --time t --bad-rows rank

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
