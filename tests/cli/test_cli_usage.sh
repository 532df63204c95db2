#!/bin/sh
# Wrong usage is told apart, named, and exits with 2; suggestions are near.
. "$(dirname "$0")/lib.sh"

printf 'score\n1\n2\n3\n' >x.csv

run jugde
expect_usage "unknown command 'jugde'; did you mean 'judge'?"
run simulat
expect_usage "did you mean 'simulate'?"
run xyzzyxyzzy
expect_usage "^anorank: unknown command 'xyzzyxyzzy'$"
run --threads 2 judge
expect_usage "options come after it"
run help jugde
expect_usage "did you mean 'judge'?"

run judge x.csv --contrsat x.csv
expect_usage "unknown option '--contrsat'; did you mean '--contrast'?"
run judge x.csv --contrast x.csv --threds 2
expect_usage "did you mean '--threads'?"
run judge x.csv --contrast x.csv --sigma=3
expect_usage "unknown option '--sigma=3'; it belongs to 'anorank simulate'"
run judge x.csv --contrast x.csv --boot 10
expect_usage "did you mean '--bootstrap'?"
run judge x.csv -x
expect_usage "unknown option '-x'"
run judge x.csv --contrast
expect_usage "^anorank: --contrast needs a value: --contrast FILE$"
run simulate gaussian -o
expect_usage "^anorank: -o needs a value: -o FILE$"
run judge x.csv --contrast x.csv --json=yes
expect_usage "^anorank: --json takes no value$"
run judge
expect_usage "SCORES is missing"
run judge x.csv
expect_usage "^anorank: --contrast FILE is missing"
run judge x.csv y.csv --contrast x.csv
expect_usage "^anorank: 'y.csv' is one argument too many$"
run judge x.csv --contrast x.csv --level 7
expect_usage '^anorank: --level is "7"; it takes a number from 0.5 to 0.9999$'
run judge x.csv --contrast x.csv --ties=most
expect_usage 'one of mid|max'
run judge x.csv --contrast x.csv --band-from 0.9 --band-to 0.1
expect_usage 'band-from'
run judge - --contrast -
expect_usage "only one file can be '-'"
run judge x.csv --contrast x.csv --curve - --json
expect_code 2
expect_error stdout-twice
run judge x.csv --contrast x.csv --lowest 3
expect_usage "^anorank: --lowest needs --labels"
run judge x.csv --contrast x.csv --against-contrast x.csv
expect_usage "^anorank: --against-contrast needs --against as well"
run list
expect_usage "WHAT is missing"
run list ph
expect_usage "there is no list 'ph'; did you mean 'phi'?"
run completion tcsh
expect_usage "there are bash, zsh and fish"
run simulate gausian
expect_usage "there is no law 'gausian'; did you mean 'gaussian'?"
run simulate gaussian --output-format parquet
expect_usage "it takes one of csv|tsv|npy|jsonl"
run simulate box
expect_usage "(--data FILE)"
run simulate gaussian --rows 0
expect_usage '^anorank: --rows is "0"'

# a terminal must not be steered by what was typed
run "$(printf 'a\033[31mb')"
expect_usage "unknown command 'a?\[31mb'"

run "$(printf 'a\233b\302\233c\303\251d\303')" # broken UTF-8, and CSI as a character
expect_usage "unknown command 'a?b??céd?'"
run detect "$(printf 'a\033b\377.csv')"
expect_err '^anorank: a?b?.csv: there is no such file'
long=$(printf '%39s' '' | tr ' ' x)$(printf '%40s' '' | sed 's/ /é/g')
run "$long"
expect_err "^anorank: unknown command 'x*é*\.\.\.'$"

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
run judge x.csv --contrast x.csv --settings wrong.conf
expect_usage '^anorank: wrong.conf: settings, line 2: there is no setting "lvel"'
run judge x.csv --contrast x.csv --settings absent.conf
expect_code 3
expect_err '^anorank: absent.conf: cannot read the settings'

# '--' ends the options; '-' prefixed files can then be named
cp x.csv ./-x.csv
run judge --contrast x.csv --json -- -x.csv
expect_code 0

# data and resources have codes of their own
run judge absent.csv --contrast x.csv
expect_err 'absent.csv'
[ "$code" -eq 3 ] || [ "$code" -eq 5 ] || fail "exit code $code for a file that is not there"
printf 'a,b\n1,2\n3,4\n' >two.csv
run judge two.csv --contrast x.csv
expect_code 3
expect_err "^anorank: two.csv: which column holds the scores? Say --column NAME; its columns are 'a', 'b'$"
run judge two.csv --contrast x.csv --column c
expect_code 2
expect_err "two.csv: there is no column 'c'; its columns are 'a', 'b'"
printf 'score\n1\nNA\n3\n' >hole.csv
run judge hole.csv --contrast x.csv
expect_code 3
expect_err "hole.csv: column 'score' has no value in 1 of 3 rows, first in row 2"

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
