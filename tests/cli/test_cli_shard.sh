#!/bin/sh
# All shards of `score` together, sorted by row, are the output of one job, whatever threads and memory each had.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { print "name,x,y"
  for (i = 1; i <= 21000; i++) printf "customer %d,%d,%d\n", i, i % 97, i * 7 % 89 }' >rows.csv
head -n 2001 rows.csv >train.csv
run_ok fit train.csv --columns x,y --scorer histogram -o model.anr
run_ok score model.anr rows.csv -o whole.csv

# gather PREFIX: one table of all shards
gather() { (head -n 1 "$1-0.csv"; tail -q -n +2 "$1"-?.csv | sort -t, -k1,1n) >gathered.csv; }

for shards in 1 2 7; do
  i=0
  while [ $i -lt $shards ]; do
    run_ok score model.anr rows.csv --shard $i/$shards --threads $((1 + i % 2)) --max-memory $((64 + i))M -o part$shards-$i.csv
    head -n 1 part$shards-$i.csv >names
    head -n 1 whole.csv | cmp -s - names || fail "shard $i of $shards lacks the line of names"
    i=$((i + 1))
  done
  gather part$shards
  expect_same whole.csv gathered.csv
done
[ "$(wc -l <part7-6.csv)" -eq 1 ] || fail "21,000 rows have six blocks: the seventh shard has none"
[ "$(sed -n 2p part2-1.csv | cut -d, -f1)" = 4097 ] || fail "blocks have 4,096 rows"
for i in 0 1 2; do
  run_ok score model.anr rows.csv --shard $i/3 --block-rows 100 -o small-$i.csv
done
gather small
expect_same whole.csv gathered.csv

# several thousand columns of which a block does not fit
awk 'BEGIN { for (j = 1; j <= 3000; j++) printf "c%d%s", j, j < 3000 ? "," : "\n"
  for (i = 1; i <= 1500; i++) for (j = 1; j <= 3000; j++) printf "%d%s", (i * j) % 7, j < 3000 ? "," : "\n" }' >wide.csv
head -n 61 wide.csv >wide_train.csv
run_ok fit wide_train.csv --scorer histogram -o wide.anr
refused 5 shard-block-rows score wide.anr wide.csv --shard 0/2 --max-memory 64M -o wide_scores.csv

for bad in '' 2 2/ /2 -1/2 1/-2 2/2 a/b 0/0 1/2x ' 1/2' 99999999999999999999/2; do
  refused 2 option-shard score model.anr rows.csv --shard "$bad"
done

finish
