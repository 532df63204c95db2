#!/bin/sh
# Tables larger than memory, here larger than a small --max-memory: the same bytes however they are read. Whole or in
# parts, from files, folders and pipes, plain and compressed, with any blocks and threads.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

rows=30000
plain=1
[ -z "${SANITIZE:-}" ] || rows=7000 plain= # some of it; the plain build has all
awk -v rows=$rows 'BEGIN { srand(7); print "name,x,y,z,kind"
  for (i = 1; i <= rows; i++) {
    x = rand() + rand() + rand(); y = x + rand() - rand(); z = 10 * rand() * rand()
    if (i % 5000 == 17) y = y + 9
    printf "row-%06d,%.6f,%.6f,%.6f,%s\n", i, x, y, z, substr("aaaabbbccd", 1 + int(10 * rand()), 1) } }' >all.csv
cut_part() { head -n 1 all.csv; sed -n "$1,$2p" all.csv; }
mkdir parts
cut_part 2 1001 >parts/part-1.csv
cut_part 1002 1003 >parts/part-2.csv
cut_part 1004 $((rows + 1)) >parts/part-3.csv
gzip -k parts/part-3.csv && rm parts/part-3.csv
echo 'not a table' >parts/readme
zstd -q all.csv -o all.csv.zst 2>/dev/null || cp all.csv all.csv.zst
small='--max-memory 1M -q --id name'

# ---- fit ----
# shellcheck disable=SC2086
run_ok fit all.csv -o one.anr $small
for how in 'all.csv --threads 2' 'all.csv --block-rows 1000' 'parts/part-1.csv parts/part-2.csv parts/part-3.csv.gz' \
  ${plain:+'all.csv --threads 1' 'all.csv --block-rows 1000000' all.csv.zst parts}; do
  # shellcheck disable=SC2086
  run_ok fit $how -o other.anr $small
  expect_same one.anr other.anr
done
last='fit - of a pipe'
# shellcheck disable=SC2086
# shellcheck disable=SC2002
cat all.csv | "$ANORANK" fit - -o other.anr $small || fail "a pipe was not fitted on"
expect_same one.anr other.anr
# where all rows fit, blocks make no difference to the model of the table in memory
run_ok fit all.csv -o whole.anr -q --id name
mkdir none
head -n 1 all.csv >none/part-1.csv
cp none/part-1.csv none/part-2.csv
for command in 'rank whole.anr' detect; do
  refused 3 table-no-rows $command none -o none.csv
  [ ! -e none.csv ] || fail "findings of no rows were written"
done
run fit parts -o other.anr -q --id name
expect_same whole.anr other.anr
last='fit - of a pipe that fits'
# shellcheck disable=SC2002
cat all.csv | "$ANORANK" fit - -o other.anr -q --id name || fail "a pipe was not fitted on"
expect_same whole.anr other.anr

# ---- detect and rank ----
# findings of parts name the file and the row in it, and have the same bytes as those of one file besides
without_files() { sed -e 's/"file": *"[^"]*", *"file_row": *[0-9]*, *//' -e '/^[{ ]/!s/^[^,]*,[^,]*,//' "$1" >"$1.plain" && mv "$1.plain" "$1"; }
run detect parts --id name --lowest 5 -q
"$python" - <<'P' || fail "the file and row beside a finding are not those that the row is from"
import csv, gzip, sys
for found in csv.DictReader(open(".out")):
    with (gzip.open if found["file"].endswith(".gz") else open)(found["file"], "rt") as part:
        if list(csv.DictReader(part))[int(found["file_row"]) - 1]["name"] != found["name"]:
            sys.exit(1)
P
run_ok detect parts --id name --lowest 5 --output-format table
expect_out 'file_row'
# output and notes of a table in memory, and of its parts; all rows, and each way to choose some
for how in '--fdr 0.3' '' '--lowest 3 --json' ${plain:+'--lowest 7' '--mass 0.99' '--lowest 7 --output-format jsonl'}; do
  # shellcheck disable=SC2086
  run_ok detect all.csv --id name --keep all $how
  cp .out whole.out && cp .err whole.err
  # shellcheck disable=SC2086
  run_ok detect parts --id name --keep all $how
  without_files .out
  expect_same whole.out .out
  expect_same whole.err .err
  # shellcheck disable=SC2086
  run rank whole.anr all.csv -q $how
  cp .out whole.out
  # shellcheck disable=SC2086
  run_ok rank whole.anr parts -q $how
  without_files .out
  expect_same whole.out .out
done
# notes on the rows as a whole: rows of the fit among them, another unit, names of columns in the middle
run fit parts/part-1.csv -o clean.anr -q --id name --scorer neighbours
awk -F, -v OFS=, 'NR > 1 && NR * NR % 7 < 4 { $3 = 100 * $3 } NR == 900 { print "name,x,y,z,kind" } 1' parts/part-1.csv >unit.csv
for how in parts/part-1.csv unit.csv; do
  run_json rank clean.anr "$how" --lowest 3
  expect_code 0
  cp .err whole.err
  for blocks in 1 77 1000; do
    last="rank clean.anr - --block-rows $blocks <$how"
    # shellcheck disable=SC2002
    cat "$how" | ANORANK_MESSAGES=json "$ANORANK" rank clean.anr - --lowest 3 --max-memory 128K --block-rows $blocks >.out 2>.err
    grep -v '"input-copied"' .err >parts.err
    expect_same whole.err parts.err
  done
done
expect_note shift-found
# too large for the memory allowed: rows are drawn, all are judged, and sorted on disk; blocks, threads and pipes do not show
# shellcheck disable=SC2086
run_ok detect all.csv $small -o one.csv --save-model one.anr
[ "$(wc -l <one.csv)" -eq $((rows + 1)) ] || fail "a line for each row was expected"
cut -d, -f3 one.csv | sort -n | uniq | wc -l >.out
expect_out "^$((rows + 1))\$"
for how in '--block-rows 1000 --threads 1' '--block-rows 1000000 --threads 2'; do
  # shellcheck disable=SC2086
  run_ok detect parts $small $how -o other.csv --save-model other.anr
  without_files other.csv
  expect_same one.csv other.csv
  expect_same one.anr other.anr
done
last='detect - of a pipe'
# shellcheck disable=SC2002
cat all.csv | ANORANK_MESSAGES=json "$ANORANK" detect - --max-memory 1M --id name -o other.csv 2>.err || fail "a pipe was not judged"
expect_same one.csv other.csv
expect_note input-copied KiB
# shellcheck disable=SC2002
cat all.csv | TMPDIR="$folder/nowhere" ANORANK_MESSAGES=json "$ANORANK" detect - -o other.csv 2>.err && fail "there was no room for the pipe"
expect_error temporary-file
TMPDIR="$folder/nowhere" ANORANK_MESSAGES=json "$ANORANK" detect parts -o other.csv 2>.err && fail "there was no room for the scores"
expect_error temporary-file
refused 2 option-one-file detect parts --report page.html

# ---- evaluate ----
# where all rows fit, a pipe and parts give the numbers of the file; of a larger table a sample is evaluated, with a note
run fit parts/part-1.csv -o few.anr -q --id name --fast
for model in few.anr ${plain:+none}; do
  [ "$model" != none ] || model=
  # shellcheck disable=SC2086
  run_ok evaluate $model parts/part-1.csv --json --bootstrap 50
  cp .out whole.out
  last='evaluate - of a pipe'
  # shellcheck disable=SC2086,SC2002
  cat parts/part-1.csv | "$ANORANK" evaluate $model - --json --bootstrap 50 >.out || fail "a pipe was not evaluated"
  expect_same whole.out .out
done
if grep -q '"evaluate-rows-sampled"' whole.out; then fail "nothing was drawn"; fi
for how in 'few.anr all.csv' 'few.anr parts --threads 2 --block-rows 999' \
  ${plain:+'few.anr all.csv --threads 1' 'few.anr all.csv.zst'}; do
  # shellcheck disable=SC2086
  run_ok evaluate $how --max-memory 1M --json --bootstrap 50
  [ -s drawn.out ] || cp .out drawn.out
  expect_same drawn.out .out
done
expect_out '"evaluate-rows-sampled"'
run evaluate few.anr all.csv --json --bootstrap 50
expect_number area "$(json_number .out area)" "$(json_number drawn.out area)" 0.05
if [ -n "$plain" ]; then
  run_ok evaluate all.csv --max-memory 1M --json --bootstrap 50 --fast --drop name
  expect_out '"evaluate-rows-sampled"'
fi

# ---- parts without rows, the first among them, do not matter ----
head -n 1 all.csv >none.csv
run_ok fit none.csv parts/part-1.csv none.csv parts/part-2.csv parts/part-3.csv.gz -o other.anr -q --id name
run rank whole.anr parts -q --lowest 50 -o one.csv
run_ok rank other.anr none.csv parts/part-1.csv none.csv parts/part-2.csv parts/part-3.csv.gz -q --lowest 50 -o other.csv
expect_same one.csv other.csv

# ---- parts that do not fit together ----
cut_part 2 50 | cut -d, -f1-4 >narrow.csv
refused 3 parts-column-count fit all.csv narrow.csv -o no.anr
[ ! -e no.anr ] || fail "a model was written"
cut_part 2 50 | awk '{ print (NR == 1 ? "more" : NR) "," $0 }' >wide.csv
refused 3 parts-column-count rank whole.anr parts/part-1.csv wide.csv -o no.csv
[ ! -e no.csv ] || fail "findings were written"
run example cards --rows 300 -o cards.csv -q # with a time, which is looked at in every part
run fit cards.csv -o cards.anr --fast -q --drop fraud
awk '{ print (NR == 1 ? "more" : NR) "," $0 }' cards.csv >wide.csv
refused 3 parts-column-count rank cards.anr cards.csv wide.csv -o no.csv
refused 3 file-missing fit all.csv missing.csv -o no.anr
mkdir empty
echo 'not a table' >empty/readme
refused 3 folder-no-tables fit empty -o no.anr

finish
