#!/bin/sh
# Wrong usage is told apart, named, and exits with 2; suggestions are near.
. "$(dirname "$0")/lib.sh"

printf 'score\n1\n2\n3\n' >x.csv

run jugde
expect_usage_text "unknown command 'jugde'; did you mean 'judge'?"
run simulat
expect_usage_text "did you mean 'simulate'?"
refused 2 command-unknown xyzzyxyzzy
refused 2 option-before-command --threads 2 judge
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
refused 2 option-unknown judge x.csv -x
refused 2 option-needs-value judge x.csv --contrast
refused 2 option-needs-value simulate gaussian -o
refused 2 option-takes-no-value judge x.csv --contrast x.csv --json=yes
refused 2 argument-missing judge
refused 2 option-missing judge x.csv
refused 2 argument-extra judge x.csv y.csv --contrast x.csv
run judge x.csv --contrast x.csv --level 7
expect_usage_text '^anorank: --level is "7"; it takes a number from 0.5 to 0.9999$'
run judge x.csv --contrast x.csv --ties=most
expect_usage_text 'one of mid|max'
refused 2 setting-band-order judge x.csv --contrast x.csv --band-from 0.9 --band-to 0.1
refused 2 stdin-twice judge - --contrast -
run judge x.csv --contrast x.csv --curve - --json
expect_code 2
expect_error stdout-twice
refused 2 option-needs-option judge x.csv --contrast x.csv --lowest 3
refused 2 option-needs-option judge x.csv --contrast x.csv --against-contrast x.csv
refused 2 argument-missing list
run list ph
expect_usage_text "there is no list 'ph'; did you mean 'phi'?"
run completion tcsh
expect_usage_text "there are bash, zsh and fish"
run simulate gausian
expect_usage_text "there is no law 'gausian'; did you mean 'gaussian'?"
run simulate gaussian --output-format parquet
expect_usage_text "it takes one of csv|tsv|npy|jsonl"
refused 2 law-needs-data simulate box
refused 2 setting-value simulate gaussian --rows 0

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
run_ok judge x.csv --contrast x.csv --settings ours.conf --json
expect_out '"level": 0.9,'
expect_out '"bootstrap": 10,'
run judge x.csv --contrast x.csv --settings ours.conf --level 0.8 --json
expect_out '"level": 0.8,'
run judge x.csv --contrast x.csv --level 0.8 --settings ours.conf --json
expect_out '"level": 0.9,'
printf 'level = 0.9\nlvel = 1\n' >wrong.conf
refused 2 'setting-unknown line=2' judge x.csv --contrast x.csv --settings wrong.conf
refused 3 settings-file-read judge x.csv --contrast x.csv --settings absent.conf

# '--' ends the options; '-' prefixed files can then be named
cp x.csv ./-x.csv
run_ok judge --contrast x.csv --json -- -x.csv

# data and resources have codes of their own
run_json judge absent.csv --contrast x.csv
expect_error file-missing
[ "$code" -eq 3 ] || [ "$code" -eq 5 ] || fail "exit code $code for a file that is not there"
printf 'a,b\n1,2\n3,4\n' >two.csv
run judge two.csv --contrast x.csv
expect_code 3
expect_err "^anorank: two.csv: which column holds the scores? Say --column NAME; its columns are 'a', 'b'$"
refused 2 column-unknown judge two.csv --contrast x.csv --column c
printf 'score\n1\nNA\n3\n' >hole.csv
refused 3 judge-score-missing judge hole.csv --contrast x.csv

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
