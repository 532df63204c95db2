#!/bin/sh
# The paper's experiment, small: the table for people and for programs, the same for any number of threads.
# labels: nothreads
. "$(dirname "$0")/lib.sh"

run_ok reproduce --repetitions 3 --epochs 3
expect_no_err
expect_narrow .out
expect_out '^  n_lowest  *25  *50  *75  *100$'
expect_out '^  anorank  .*+-.*+-.*+-.*+-'
expect_out '^  paper  *0.91 +- 0.13  *0.84 +- 0.15  *0.74 +- 0.15  *0.64 +- 0.13$'
expect_out '^  true density '
expect_out '15 networks in '
expect_out 'learning-rate 0.01, shuffle yes, proxy mean'
[ "$(ls -A | grep -cv '^\.out$\|^\.err$')" -eq 0 ] || fail "files appeared without --figures"

# the one line that may differ is the time
for threads in 1 2 8; do
  run_ok reproduce --repetitions 5 --epochs 2 --json --threads $threads
  expect_no_err
  expect_json .out
  grep -v seconds_per_network .out >threads$threads.json
done
expect_same threads1.json threads2.json
expect_same threads1.json threads8.json
for key in table1 n_lowest mean sd ceiling_mean ceiling_sd paper_mean paper_sd lambda_chosen networks settings \
  learning-rate shuffle proxy; do
  grep -q "\"$key\":" threads1.json || fail "the JSON lacks $key"
done
expect_number networks "$(json_number threads1.json networks)" 25 0
expect_number paper_mean "$(json_number threads1.json paper_mean)" 0.91 0
if grep -q '"threads"\|"bins"' threads1.json; then fail "settings that change nothing are listed"; fi
run reproduce --repetitions 5 --epochs 2 --json --seed 1
grep -v 'seconds_per_network\|"seed"' .out >seed1.json
grep -v '"seed"' threads1.json >seed0.json
expect_other seed0.json seed1.json

# settings that are yes or no: alone, with a value, and before another option
for best in --best '--best yes' '--best=yes' '--best --quiet'; do
  # shellcheck disable=SC2086
  run_ok reproduce --repetitions 1 --epochs 1 --lambda 0 --json $best
  expect_out '"best": "yes"'
  expect_number networks "$(json_number .out networks)" 4 0
done
run reproduce --repetitions 1 --epochs 1 --lambda 0 --best no --shuffle=no --json
expect_out '"best": "no"'
expect_out '"shuffle": "no"'
refused 2 'setting-value setting=best' reproduce --best=perhaps

run_json reproduce --repetitions 2 --epochs 2 --lambda 0,1 --figures figures
expect_code 0
expect_note figures-written figures
for name in mass_volume score_generating_functions data training heat_map averaged_curves; do
  [ -s figures/$name.svg ] || fail "figures/$name.svg is missing"
  [ -s figures/$name.csv ] || fail "figures/$name.csv is missing"
done
[ "$(wc -l <figures/table1.csv)" -eq 5 ] || fail "table1.csv has no header and four rows"
run_json reproduce --repetitions 1 --epochs 1 --lambda 0 --dim 3 --figures deep --json
expect_code 0
expect_note heat-map-skipped
expect_json .out
[ ! -e deep/heat_map.svg ] || fail "a heat map of three dimensions"

run_json reproduce --repetitions 1 --epochs 1 --bins 7
expect_note option-unused bins
run_json reproduce --repetitions 1 --epochs 1 --lambda 0 --select-ties max
expect_note ties-max
: >file
run_json reproduce --repetitions 1 --epochs 1 --lambda 0 --figures file
expect_code 5
expect_no_out
expect_error folder-is-file

run_ok list scorer
expect_narrow .out
expect_out '^  mlp '
run list scorer --json
expect_json .out
expect_out '"name": "mlp"'

finish
