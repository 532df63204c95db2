#!/bin/sh
# Same seed, same bytes, whatever the threads; files are written atomically.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

run_ok simulate gaussian --rows 3000 --dim 3 --seed 7
expect_no_err
cp .out x.csv
[ "$(wc -l <x.csv)" -eq 3001 ] || fail "3000 rows and a head were expected"
run simulate gaussian --rows 3000 --dim 3 --seed 8
expect_other x.csv .out
run_ok simulate gaussian --rows 3000 --dim 3 --seed 7 -o y.csv
expect_no_out
expect_same x.csv y.csv
# blocks do not show
run simulate gaussian --rows 3000 --dim 3 --seed 7 --block-rows 700
expect_same x.csv .out
# in two parts
run simulate gaussian --rows 1000 --dim 3 --seed 7
cp .out parts.csv
run simulate gaussian --rows 2000 --dim 3 --seed 7 --first-row 1000
sed 1d .out >>parts.csv
expect_same x.csv parts.csv

# formats by ending and by name; npy in blocks and in one piece are the same file
run_ok simulate gaussian --rows 3000 --dim 3 --seed 7 -o x.npy --block-rows 700
run_ok simulate gaussian --rows 3000 --dim 3 --seed 7 --output-format npy
expect_same x.npy .out
# a compressed file has no way back to its head: then in one piece, however many rows
run_ok simulate gaussian --rows 3000 --dim 3 --seed 7 -o x.NPY.gz --block-rows 700
gzip -dc "$folder/x.NPY.gz" >"$folder/unpacked.npy"
expect_same x.npy unpacked.npy
# JSON is UTF-8, whatever the table was
printf 'sc\366re,na\303\257ve\n1,\355\240\200\n2,b\n' >latin.csv
run_ok simulate box --data latin.csv --rows 9 --output-format jsonl
iconv -f UTF-8 -t UTF-8 .out >utf8 || fail "the lines are not UTF-8"
expect_out '^{"sc.*re":1[.][0-9]*,"na.*ve":"b"}$'
# unreadable numbers are drawn as texts, with a note
printf 'a;b\n$1,5;x\n€2,5;y\n' >"$folder/comma.csv"
run_json simulate box --data comma.csv --rows 2
expect_code 0
expect_note column-drawn-as-text "'a'"
run_ok simulate box --data comma.csv --rows 2 --categorical a
expect_no_err
run simulate gaussian --rows 3 -o x.tsv
grep -q "$(printf '\t')" x.tsv || fail "x.tsv has no tabs"
run simulate gaussian --rows 3 --output-format jsonl
[ "$(grep -c '^{.*}$' .out)" -eq 3 ] || fail "3 JSON lines were expected"

# laws around data
run_ok simulate box --data x.csv --rows 2000 --seed 1 -o u.csv
[ "$(wc -l <u.csv)" -eq 2001 ] || fail "2000 contrast rows were expected"
run_json simulate box --data x.csv --rows 5 --sigma 3
expect_code 0
expect_note option-unused --sigma
"$ANORANK" simulate box --data - --rows 2000 --seed 1 <x.csv >.out 2>.err || fail "data from standard input"
expect_same u.csv .out

# a score: minus the squared norm
for name in x u; do
  awk -F, 'NR == 1 { print "score,other"; next } { printf "%.9g,%.9g\n", -($1*$1 + $2*$2 + $3*$3), -($1*$1) }' \
    $name.csv >s$name.csv
done
for threads in 1 2 8; do
  run simulate gaussian --rows 3000 --dim 3 --seed 7 --threads $threads
  expect_same x.csv .out
  run judge sx.csv --contrast su.csv --against other --json --threads $threads --curve curve$threads.csv \
    --excess excess$threads.csv --figure figure$threads.svg --bootstrap 200
  expect_code 0
  cp .out verdict$threads.json
  for kind in curve excess figure verdict; do
    for file in $kind"$threads".*; do expect_same ${kind}1."${file##*.}" "$file"; done
  done
done
expect_json verdict1.json
run judge sx.csv --contrast su.csv --against other
expect_narrow .out

# a failure leaves what was there, and nothing beside it
mkdir out
echo before >out/keep.csv
run judge sx.csv --contrast su.csv --curve out/keep.csv --labels absent
expect_code 2
run simulate box --data absent.csv -o out/keep.csv
[ "$code" -ne 0 ] || fail "a file that is not there should be an error"
[ "$(cat out/keep.csv)" = before ] || fail "the old file is gone"
(
  ulimit -f 8 # blocks: the disk is "full" after a few kB
  trap '' XFSZ
  "$ANORANK" simulate gaussian --rows 100000 -o out/keep.csv >.out 2>.err
)
code=$?
last='simulate gaussian --rows 100000 -o out/keep.csv (limit on file size)'
expect_code 5
[ "$(cat out/keep.csv)" = before ] || fail "a failed write changed the file"
[ "$(find out -type f | wc -l)" -eq 1 ] || fail "left behind: $(find out -type f)"

# closed streams: a file never catches messages
run simulate gaussian --rows 5 --sigma 2 --alpha 2
cp .out five.csv
"$ANORANK" simulate gaussian --rows 5 --sigma 2 --alpha 2 -o closed.csv <&- >&- 2>&- || fail "closed streams"
expect_same five.csv closed.csv
"$ANORANK" list phi >&- 2>.err
code=$?
last='list phi (standard output closed)'
expect_code 5

# Ctrl-C and its like: 128 + the signal, a short word, the old file, nothing beside it
expect_stop() { # SIGNAL CODE PROGRAM...
  signal=$1
  wanted=$2
  shift 2
  "$@" simulate gaussian --rows 300000000 -o out/keep.csv >.out 2>.err &
  child=$!
  sleep 1
  kill "-$signal" $child
  wait $child
  code=$?
  last="simulate gaussian --rows 300000000 -o out/keep.csv (SIG$signal)"
  expect_code "$wanted"
  expect_err '^anorank: cancelled; no file was changed$'
  [ "$(cat out/keep.csv)" = before ] || fail "SIG$signal changed the file"
  [ "$(find out -type f | wc -l)" -eq 1 ] || fail "left behind: $(find out -type f)"
}
expect_stop TERM 143 "$ANORANK"
# sh starts work in the background with SIGINT ignored; env gives it back
if env --default-signal=INT true 2>/dev/null; then
  expect_stop INT 130 env --default-signal=INT "$ANORANK"
fi

# The same while it waits for input that does not come: the first signal ends it, and two at once leave nothing either.
"$ANORANK" simulate gaussian --rows 100 --dim 2 -o some.csv
"$ANORANK" fit some.csv -o m.anr -q
mkfifo never
expect_stop_waiting() { # SIGNALS
  sleep 60 >never & # holds it open and writes nothing
  holder=$!
  "$ANORANK" score m.anr never -o out/keep.csv >.out 2>.err &
  child=$!
  sleep 1
  for again in $1; do kill -TERM $child 2>/dev/null; done
  (sleep 20 && kill -9 $child) 2>/dev/null &
  guard=$!
  wait $child
  code=$?
  kill $guard $holder 2>/dev/null
  last="score m.anr never -o out/keep.csv ($1)"
  expect_code 143
  [ "$(cat out/keep.csv)" = before ] || fail 'the file was changed'
  [ "$(find out -type f | wc -l)" -eq 1 ] || fail "left behind: $(find out -type f)"
}
expect_stop_waiting once
expect_err '^anorank: cancelled; no file was changed$'
expect_stop_waiting 'once twice'

# The reason is also printed if the first failure occurs in the middle of the output.
if [ -w /dev/full ]; then
  "$ANORANK" manual --settings-markdown >/dev/full 2>.err
  code=$?
  last='manual --settings-markdown >/dev/full'
  expect_code 5
  expect_err ': No space left on device; '
fi

# What is no model is refused by its first bytes, whatever follows.
for endless in /dev/zero /dev/urandom; do
  # sanitizers reserve extra address space; `timeout` ends what reads without end
  ([ -n "${SANITIZE:-}" ] || ulimit -v 2000000; ANORANK_MESSAGES=json timeout 60 "$ANORANK" score $endless some.csv >.out 2>.err)
  code=$?
  last="score $endless some.csv"
  expect_code 4
  expect_error model-not-a-model
done

# An output that cannot be written fails before the work: here the input is not there either.
for arguments in 'fit absent.csv -o nowhere/m.anr' 'detect absent.csv -o nowhere/r.csv' \
  'judge absent.csv --contrast absent.csv --figure nowhere/f.svg' 'simulate box --data absent.csv -o nowhere/u.csv'; do
  # shellcheck disable=SC2086
  refused 5 output-folder $arguments
done
mkdir here
refused 5 file-is-folder detect absent.csv -o here
run detect absent.csv -o /dev/null
expect_code 3

finish
