#!/bin/sh
# Options have one name over all commands; the old ones keep working and say so; what other tools call an option or a
# command leads to ours.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

"$ANORANK" simulate gaussian --rows 80 -o t.csv
"$ANORANK" fit t.csv -o m.anr -q

# ---- old names: the same result, and one line that says the new name
same() { # OLD NEW COMMAND...: the command with OLD is the command with NEW
  old=$1 new=$2
  shift 2
  run_ok "$@" ${new:+$new}
  cp .out by_new
  # shellcheck disable=SC2086
  run_json "$@" $old
  expect_code 0
  expect_same by_new .out
  name=${old%% *}
  [ "$(grep -c '"code": "option-renamed".*'"$name.*${new%%[ =]*}" .err)" -eq 1 ] ||
    fail "$name is not reported as ${new%%[ =]*}"
}
same '--format json' --output-format=json detect t.csv --lowest 2
same '--format csv --format csv' --output-format=csv rank m.anr t.csv
same '--format json' --output-format=json evaluate t.csv
same '--format csv' --input-format=csv score m.anr t.csv
same '--format csv' --input-format=csv fit t.csv -o -
same '--missing-policy error' --on-missing=error detect t.csv
same '--references 20' --reference-rows=20 detect t.csv --scorer knn
same '--space range' --hull-scaling=range detect t.csv --scorer hull
run_json evaluate t.csv --svg old.svg
expect_note option-renamed --figure
run evaluate t.csv --figure new.svg
expect_no_err
expect_same old.svg new.svg
run detect t.csv --format csv -q
expect_no_err
refused 2 'setting-value setting=input-format' judge t.csv --contrast t.csv --column x1 --format xls
printf 'format = csv\n  # space = 1\nspace = range\nseed = 1\n' >old.conf
run_json fit t.csv -o m2.anr --settings old.conf
expect_code 0
[ "$(grep -c '"option-renamed"' .err)" -eq 1 ] || fail 'old names in a settings file are not noted once'
grep '"option-renamed"' .err | grep "input-format" | grep -q "hull-scaling" || fail 'the new names are missing'
run_ok score m.anr t.csv --settings old.conf -q
expect_no_err

# ---- one name over all commands: JSON is --output-format json, and --json for short
for command in 'detect t.csv' 'rank m.anr t.csv' 'evaluate t.csv' 'explain m.anr t.csv --row 3' 'inspect m.anr' \
  'judge t.csv --contrast t.csv --column x1' 'list phi' 'reproduce --repetitions 1 --epochs 1 --lambda 0'; do
  # shellcheck disable=SC2086
  run_ok $command --output-format json
  grep -v '"seconds' .out >long
  expect_json .out
  # shellcheck disable=SC2086
  run $command --json
  grep -v '"seconds' .out >short
  expect_same long short
done
commands=$("$ANORANK" list command --json | sed -n 's/.*"name": "\(.*\)".*/\1/p')
for command in $commands; do
  run "$command" --help all
  for option in format svg out; do
    grep -q "^  --$option " .out && fail "$command still shows --$option"
  done
done

# ---- what other tools call it
suggests '--fdr Q' detect t.csv --contamination 0.1
suggests '--lowest K' detect t.csv --top=5
suggests '--lowest K' detect t.csv -n 5
suggests '--listen HOST:PORT' serve m.anr --port 8090
suggests '--by LIST' detect t.csv --group x
suggests '--fdr Q' rank m.anr t.csv --threshold 0.5
suggests '--trees N' fit t.csv --n-estimators 50
suggests '--seed N' fit t.csv --random-state 1
suggests '--figure FILE' detect t.csv --svg x.svg
suggests "'anorank score MODEL FILE'" predict m.anr t.csv
suggests "'anorank fit FILE -o MODEL'" train t.csv
suggests "'anorank fit FILE -o MODEL'" help train

# every option that a hint names is there
awk -F'"' '/static const lead/ { inside = 1 } inside && /\{"/ { print $0 }' "$SOURCE/cli/option_hints.c" |
  grep -o -e '--[a-z][a-z-]*' | sort -u >named
[ "$(wc -l <named)" -ge 15 ] || fail "the hints were not found"
for command in $commands; do "$ANORANK" "$command" --help all; done | grep -o -e '--[a-z][a-z-]*' | sort -u >there
{ cat there; echo --version; } | sort -u >known
comm -23 named known >missing
[ ! -s missing ] || fail "hints name options that do not exist: $(tr '\n' ' ' <missing)"

finish
