#!/bin/sh
# Help, version, lists: complete, and no wider than 80 columns.
. "$(dirname "$0")/lib.sh"

commands=$("$ANORANK" list command --json | sed -n 's/.*"name": "\(.*\)".*/\1/p')
[ -n "$commands" ] || fail "no commands are listed"

for overview in '' help --help -h; do
  # shellcheck disable=SC2086
  run_ok $overview
  expect_no_err
  expect_narrow .out
  expect_lines 23 .out # with the prompt on a screen of 24
  for command in $commands; do expect_out "^[A-Z ][a-z ]* $command "; done
done
if grep -q ' manual ' .out; then fail "the hidden command is listed"; fi

run_ok --version
[ "$(head -n 1 .out)" = "anorank $(sh "$SOURCE/scripts/version.sh")" ] || fail "the first line is not the version of the header"
expect_narrow .out
for part in 'built for' 'built by' serve; do expect_out "^$part:  *[^ ]"; done
expect_out '^kernels:  *\(avx2\|neon\|generic\)$'
expect_out '^reads:  *csv .* npy'

for command in $commands manual; do
  run_ok help "$command"
  expect_narrow .out
  expect_lines 23 .out
  expect_out "^Usage: anorank $command"
  expect_out "^'anorank $command --help all' shows all [0-9]* options\.$"
  cp .out by_help
  run_ok "$command" --help
  expect_same by_help .out
  run "$command" -h
  expect_same by_help .out
  run_ok "$command" --help all
  expect_narrow .out
  for option in '-h, --help' '-q, --quiet' '-v, --verbose' '--settings FILE'; do expect_out "^  $option"; done
  # the short help has no option that is not there, and the count is right
  grep -o '^  -[^ ].*' by_help | grep -o -e '--[a-z-]*' | while read -r option; do
    grep -q -e "^  \(-., \)\{0,1\}$option\b" .out || echo "$option"
  done >strange
  [ ! -s strange ] || fail "the short help of $command has $(cat strange)"
  shown=$(sed -n "s/.*shows all \([0-9]*\) options.*/\1/p" by_help)
  [ "$(grep -c '^  \(-., \)\{0,1\}--' .out)" -eq "$shown" ] || fail "$command has not $shown options"
  cp .out by_all
  for other in '--help=all' '-h all'; do
    # shellcheck disable=SC2086
    run "$command" $other
    expect_same by_all .out
  done
  run help "$command" all
  expect_same by_all .out
done
run --help all
expect_out '^Exit codes:$'
run detect --help
for option in lowest fdr id drop output; do expect_out " --$option "; done

# every setting of its groups is an option of the command that takes them
settings_of() { # GROUP...
  for group in "$@"; do
    "$ANORANK" list settings --json | awk -v group="\"$group\"" -F'"' '
      /"name":/ { name = $4 } /"groups":/ && index($0, group) { print name }'
  done | sort -u
}
run judge --help all
for name in $(settings_of 'Judging scores' Running 'Reading tables'); do expect_out "^  --$name "; done
run simulate --help all
for name in $(settings_of Simulating Running 'Reading tables'); do
  [ "$name" = law ] || expect_out "^  --$name " # the law is an argument
done
run reproduce --help all
for name in $(settings_of 'Reproducing the paper' Learning Running); do
  [ "$name" = max-memory ] || expect_out "^  --$name " # it reads no tables
done
expect_out '^  --best \[YES/NO\] '
[ "$(settings_of 'Judging scores' | wc -l)" -ge 5 ] || fail "the settings of judging were not found"

run list settings
for name in $("$ANORANK" list settings --json | sed -n 's/.*"name": "\(.*\)".*/\1/p'); do
  expect_out "^  $name " # a setting of a group without a title would be missing
done

for list in phi law scorer settings command; do
  run_ok list $list
  expect_no_err
  expect_narrow .out
  run_ok list $list --json
  cp .out list.json
  expect_json list.json
done
run list phi
for phi in mww logrank van_der_waerden truncated log clipped; do expect_out "^  $phi "; done

# the reference page in docs/ is the one that the program writes today
run_ok manual --settings-markdown
cp .out settings.md
expect_same settings.md "$SOURCE/docs/settings.md"

finish
