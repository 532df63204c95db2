#!/bin/sh
# lib.sh - what the scripts in this folder share. Each is run by sh with ANORANK = the program and SOURCE = the
# folder of the project, works in a new empty folder, and ends with `finish`.
set -u
: "${ANORANK:?set ANORANK to the program}"
: "${SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}"
unset NO_COLOR
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
python=$(PATH=/usr/bin:$PATH command -v python3)
failures=0
last='(nothing run yet)'

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n  after: anorank %s\n' "$1" "$last"
  if [ -s "$folder/.out" ]; then sed 's/^/  out| /' "$folder/.out" | head -n 20; fi
  if [ -s "$folder/.err" ]; then sed 's/^/  err| /' "$folder/.err" | head -n 20; fi
}

# Run the program; its streams are in .out and .err, its exit code in $code.
run() {
  last=$*
  "$ANORANK" "$@" >"$folder/.out" 2>"$folder/.err"
  code=$?
}

run_ok() {
  run "$@"
  expect_code 0
}

# The same on a terminal of a size such as 80x24, both streams in .out.
run_on() {
  size=$1
  shift
  last="$* (on a terminal of $size)"
  TERM=xterm "${ON_TERMINAL:?set ON_TERMINAL to the program of tests/support/on_terminal.c}" \
    "$size" "$ANORANK" "$@" >"$folder/.out" 2>"$folder/.err"
  code=$?
}

expect_code() { [ "$code" -eq "$1" ] || fail "exit code $code, expected $1"; }
expect_out() { grep -q -e "$1" "$folder/.out" || fail "standard output lacks: $1"; }
expect_err() { grep -q -e "$1" "$folder/.err" || fail "standard error lacks: $1"; }
expect_no_out() { [ ! -s "$folder/.out" ] || fail "standard output should be empty"; }
expect_no_err() { [ ! -s "$folder/.err" ] || fail "standard error should be empty"; }
expect_same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
expect_other() { if cmp -s "$1" "$2"; then fail "$1 and $2 are the same"; fi; }

# run_page PAGE: runs each block that begins with ```sh, or ```sh exit=CODE, in order, in the folder NAME of PAGE.
# Others (```sh by-hand) need a person, a network or hours.
run_page() {
  page=$(basename "$1" .md)
  mkdir -p "$folder/bin" "$folder/$page.blocks" "$folder/$page"
  [ -e "$folder/bin/anorank" ] || ln -s "$ANORANK" "$folder/bin/anorank"
  awk -v to="$folder/$page.blocks" '
    /^```sh( exit=[0-9]+)?$/ { block++; wanted = 0; name = sprintf("%s/%03d", to, block)
      if (NF > 1) wanted = substr($2, 6)
      print wanted > (name ".exit"); printf "" > (name ".sh"); inside = 1; next }
    /^```/ { inside = 0; next }
    inside { print > (name ".sh") }' "$SOURCE/$1"
  [ -e "$folder/$page.blocks/001.sh" ] || fail "$1 shows no command"
  for block in "$folder/$page.blocks"/*.sh; do
    last="($1, block $(basename "$block" .sh)): $(cat "$block")"
    (cd "$folder/$page" && PATH=$folder/bin:$PATH && sh -e "$block") >"$folder/.out" 2>"$folder/.err"
    code=$?
    expect_code "$(cat "${block%.sh}.exit")"
  done
}

# At most so many lines.
expect_lines() { [ "$(wc -l <"$2")" -le "$1" ] || fail "$2 has $(wc -l <"$2") lines, more than $1"; }

# No line of the file is wider than 80 characters.
expect_narrow() {
  wide=$(awk 'length($0) > 80 { print NR ": " $0 }' "$1" | head -n 1)
  [ -z "$wide" ] || fail "wider than 80 columns, line $wide"
}

# The same with errors and notes as JSON on standard error.
run_json() {
  export ANORANK_MESSAGES=json
  run "$@"
  unset ANORANK_MESSAGES
}

# error_field NAME: a field of the error that run_json wrote (also --json): its text, or its number.
error_field() {
  sed -n "s/^{\"error\": {.*\"$1\": \"\(\([^\"\\\\]\|\\\\.\)*\)\".*/\1/p; s/^{\"error\": {.*\"$1\": \([0-9][0-9]*\)[,}].*/\1/p" \
    "$folder/.err" | head -n 1
}

# expect_error CODE [FIELD=VALUE...]
expect_error() {
  [ "$(error_field code)" = "$1" ] || fail "the error is '$(error_field code)', expected $1"
  shift
  for field; do
    [ "$(error_field "${field%%=*}")" = "${field#*=}" ] || fail "${field%%=*} is '$(error_field "${field%%=*}")', expected ${field#*=}"
  done
}

# refused EXIT 'CODE [FIELD=VALUE...]' ARGUMENT...: the program ends so, and writes nothing to standard output.
refused() {
  exit_code=$1 error=$2
  shift 2
  run_json "$@"
  expect_code "$exit_code"
  expect_no_out
  # shellcheck disable=SC2086
  expect_error $error
}

# suggests NAME ARGUMENT...: a usage error for people, which names NAME and where to look.
suggests() {
  name=$1
  shift
  run "$@"
  expect_code 2
  expect_no_out
  expect_err "$name"
  expect_err "^Try 'anorank.* --help'\.$"
}

# expect_note CODE [PART]: after run_json; PART is a name or number in the sentence without a separate field.
expect_note() { grep -q "^{\"note\": {\"code\": \"$1\".*${2:-}" "$folder/.err" || fail "no note $1 ${2:+with $2}"; }

# The file is one JSON document; without python3 only its brackets are counted.
expect_json() {
  if [ -n "$python" ]; then
    "$python" -c 'import json, sys; json.load(open(sys.argv[1]), parse_constant=lambda c: sys.exit(1))' "$1" \
      2>/dev/null || fail "$1 is not valid JSON"
  else
    [ "$(tr -cd '{[' <"$1" | wc -c)" -eq "$(tr -cd '}]' <"$1" | wc -c)" ] || fail "$1: brackets do not match"
  fi
}

# json_number FILE KEY: the number after the first "KEY": in the file.
json_number() { sed -n "s/.*\"$2\": \([-0-9.e+]*\).*/\1/p" "$1" | head -n 1; }

# expect_number NAME GOT WANTED TOLERANCE; written so that nothing and NaN fail.
expect_number() {
  awk -v got="$2" -v wanted="$3" -v tolerance="$4" 'BEGIN {
    if (got == "" || got != got + 0) exit 1
    d = got - wanted; if (d < 0) d = -d; exit !(d <= tolerance) }' ||
    fail "$1 is '$2', expected $3 within $4"
}

finish() {
  [ "$failures" -eq 0 ] && exit 0
  printf '%d check(s) failed\n' "$failures"
  exit 1
}

# The options that the last message suggests, one a line, quoted for the shell as it shows them.
suggested() { # MESSAGE
  case $1 in *[:\;]" pass --"* | *", or pass --"*) printf -- '--%s\n' "${1##*pass --}" | sed "s/ or --/\\
--/g" ;; esac
}
# A message without what it suggests: what must not come again when that was done.
complaint() { set -- "${1%[:;] pass --*}" && printf '%s\n' "${1%, or pass --*}"; }
