#!/bin/sh
# Wrong usage is told apart, named, and exits with 2; suggestions are near.
. "$(dirname "$0")/lib.sh"

printf 'score\n1\n2\n3\n' >x.csv

run jugde
expect_usage_text "unknown command 'jugde'; did you mean 'judge'?"
run simulat
expect_usage_text "did you mean 'simulate'?"
run_json xyzzyxyzzy
expect_usage command-unknown
run_json --threads 2 judge
expect_usage option-before-command
run help jugde
expect_usage_text "did you mean 'judge'?"

run judge x.csv --contrsat x.csv
expect_usage_text "unknown option '--contrsat'; did you mean '--contrast'?"
run judge x.csv --contrast x.csv --threds 2
expect_usage_text "did you mean '--threads'?"
run judge x.csv --contrast x.csv --sigma=3
expect_usage_text "unknown option '--sigma=3'; it belongs to 'anorank simulate'"
run judge x.csv --contrast x.csv --boot 10
expect_usage_text "did you mean '--bootstrap'?"
run_json judge x.csv -x
expect_usage option-unknown
run_json judge x.csv --contrast
expect_usage option-needs-value
run_json simulate gaussian -o
expect_usage option-needs-value
run_json judge x.csv --contrast x.csv --json=yes
expect_usage option-takes-no-value
run_json judge
expect_usage argument-missing
run_json judge x.csv
expect_usage option-missing
run_json judge x.csv y.csv --contrast x.csv
expect_usage argument-extra
run judge x.csv --contrast x.csv --level 7
expect_usage_text '^anorank: --level is "7"; it takes a number from 0.5 to 0.9999$'
run judge x.csv --contrast x.csv --ties=most
expect_usage_text 'one of mid|max'
run_json judge x.csv --contrast x.csv --band-from 0.9 --band-to 0.1
expect_usage setting-band-order
run_json judge - --contrast -
expect_usage stdin-twice
run judge x.csv --contrast x.csv --curve - --json
expect_code 2
expect_error stdout-twice
run_json judge x.csv --contrast x.csv --lowest 3
expect_usage option-needs-option
run_json judge x.csv --contrast x.csv --against-contrast x.csv
expect_usage option-needs-option
run_json list
expect_usage argument-missing
run list ph
expect_usage_text "there is no list 'ph'; did you mean 'phi'?"
run completion tcsh
expect_usage_text "there are bash, zsh and fish"
run simulate gausian
expect_usage_text "there is no law 'gausian'; did you mean 'gaussian'?"
run simulate gaussian --output-format parquet
expect_usage_text "it takes one of csv|tsv|npy|jsonl"
run_json simulate box
expect_usage law-needs-data
run_json simulate gaussian --rows 0
expect_usage setting-value

# a terminal must not be steered by what was typed
run "$(printf 'a\033[31mb')"
expect_usage_text "unknown command 'a?\[31mb'"

run "$(printf 'a\233b\302\233c\303\251d\303')" # broken UTF-8, and CSI as a character
expect_usage_text "unknown command 'a?b??céd?'"
run detect "$(printf 'a\033b\377.csv')"
expect_err '^anorank: a?b?.csv: there is no such file'
long=$(printf '%39s' '' | tr ' ' x)$(printf '%40s' '' | sed 's/ /é/g')
run_json "$long"
expect_error command-unknown

# settings files
printf '# ours\nlevel = 0.9\n\nbootstrap = 10\n' >ours.conf
run judge x.csv --contrast x.csv --settings ours.conf --json
expect_code 0
expect_out '"level": 0.9,'
expect_out '"bootstrap": 10,'
run judge x.csv --contrast x.csv --settings ours.conf --level 0.8 --json
expect_out '"level": 0.8,'
run judge x.csv --contrast x.csv --level 0.8 --settings ours.conf --json
expect_out '"level": 0.9,'
printf 'level = 0.9\nlvel = 1\n' >wrong.conf
run_json judge x.csv --contrast x.csv --settings wrong.conf
expect_usage setting-unknown line=2
run_json judge x.csv --contrast x.csv --settings absent.conf
expect_code 3
expect_error settings-file-read

# '--' ends the options; '-' prefixed files can then be named
cp x.csv ./-x.csv
run judge --contrast x.csv --json -- -x.csv
expect_code 0

# data and resources have codes of their own
run_json judge absent.csv --contrast x.csv
expect_error file-missing
[ "$code" -eq 3 ] || [ "$code" -eq 5 ] || fail "exit code $code for a file that is not there"
printf 'a,b\n1,2\n3,4\n' >two.csv
run judge two.csv --contrast x.csv
expect_code 3
expect_err "^anorank: two.csv: which column holds the scores? Say --column NAME; its columns are 'a', 'b'$"
run_json judge two.csv --contrast x.csv --column c
expect_code 2
expect_error column-unknown
printf 'score\n1\nNA\n3\n' >hole.csv
run_json judge hole.csv --contrast x.csv
expect_code 3
expect_error judge-score-missing

last='list phi, with an output that cannot be written to'
"$ANORANK" list phi 1</dev/null 2>.err
code=$?
: >.out
expect_code 5
expect_err '^anorank: standard output: cannot write: Bad file descriptor$' # more room would not help
if [ -e /dev/full ]; then
  for arguments in 'list phi' '--help' 'judge x.csv --contrast x.csv' 'judge x.csv --contrast x.csv --json' \
    'judge x.csv --contrast x.csv --curve -' 'simulate gaussian' 'completion bash' 'manual judge'; do
    last="$arguments > /dev/full"
    # shellcheck disable=SC2086
    "$ANORANK" $arguments >/dev/full 2>.err
    code=$?
    : >.out
    expect_code 5
    expect_err '^anorank: standard output: cannot write: No space left on device'
  done
fi

# a reader that leaves early has what it wanted: no complaint, and the exit code that a shell gives to SIGPIPE
{ "$ANORANK" simulate gaussian --rows 1000000 2>.err; echo $? >.code; } | head -n 1 >/dev/null
code=$(cat .code)
last='simulate gaussian --rows 1000000 | head -n 1'
expect_code 141
expect_no_err

finish
