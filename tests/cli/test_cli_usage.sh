#!/bin/sh
# Wrong usage has its code and exits with 2; suggestions are near.
. "$(dirname "$0")/lib.sh"

printf 'score\n1\n2\n3\n' >x.csv

# the codes are in errors.txt; these are the names that are proposed
suggests "'judge'" jugde
suggests "'simulate'" simulat
suggests "'judge'" help jugde
suggests "'--contrast'" judge x.csv --contrsat x.csv
suggests "'--threads'" judge x.csv --contrast x.csv --threds 2
suggests "'anorank simulate'" judge x.csv --contrast x.csv --sigma=3
suggests "'--bootstrap'" judge x.csv --contrast x.csv --boot 10
suggests ' 0.5 to 0.9999' judge x.csv --contrast x.csv --level 7
suggests 'mid|max' judge x.csv --contrast x.csv --ties=most
suggests "'phi'" list ph
suggests bash completion tcsh
suggests "'gaussian'" simulate gausian
suggests 'csv|tsv|npy|jsonl' simulate gaussian --output-format parquet

# a terminal must not be steered by what was typed
suggests "'a?\[31mb'" "$(printf 'a\033[31mb')"
suggests "'a?b??céd?'" "$(printf 'a\233b\302\233c\303\251d\303')" # broken UTF-8, and CSI as a character
run detect "$(printf 'a\033b\377.csv')"
expect_err '^anorank: a?b?.csv: '
long=$(printf '%39s' '' | tr ' ' x)$(printf '%40s' '' | sed 's/ /é/g')
run_json "$long"
expect_error command-unknown

# settings files
printf '# ours\nlevel = 0.9\n\nbootstrap = 10\n' >ours.conf
run_ok judge x.csv --contrast x.csv --settings ours.conf --json
expect_out '"level": 0.9,'
expect_out '"bootstrap": 10,'
run judge x.csv --contrast x.csv --settings ours.conf --level 0.8 --json
expect_out '"level": 0.8,'
run judge x.csv --contrast x.csv --level 0.8 --settings ours.conf --json
expect_out '"level": 0.9,'
printf 'level = 0.9\nlvel = 1\n' >wrong.conf
refused 2 'setting-unknown line=2' judge x.csv --contrast x.csv --settings wrong.conf

# '--' ends the options; '-' prefixed files can then be named
cp x.csv ./-x.csv
run_ok judge --contrast x.csv --json -- -x.csv


last='list phi, with an output that cannot be written to'
"$ANORANK" list phi 1</dev/null 2>.err
code=$?
: >.out
expect_code 5
expect_err ': Bad file descriptor$' # more room would not help
if [ -e /dev/full ]; then
  for arguments in 'list phi' '--help' 'judge x.csv --contrast x.csv' 'judge x.csv --contrast x.csv --json' \
    'judge x.csv --contrast x.csv --curve -' 'simulate gaussian' 'completion bash' 'manual judge'; do
    last="$arguments > /dev/full"
    # shellcheck disable=SC2086
    "$ANORANK" $arguments >/dev/full 2>.err
    code=$?
    : >.out
    expect_code 5
    expect_err ': No space left on device'
  done
fi

# a reader that leaves early has what it wanted: no complaint, and the exit code that a shell gives to SIGPIPE
{ "$ANORANK" simulate gaussian --rows 1000000 2>.err; echo $? >.code; } | head -n 1 >/dev/null
code=$(cat .code)
last='simulate gaussian --rows 1000000 | head -n 1'
expect_code 141
expect_no_err

finish
