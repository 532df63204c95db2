# labels: nothreads
# Each command of errors.txt fails with its code and with an exit code of docs/errors.md, writes nothing to standard
# output and leaves no file changed; and whatever is suggested leads past the error. In the commands, `anorank` is the
# program, and these files exist.
. "$(dirname "$0")/lib.sh"
for tool in gzip zstd; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done

# ---- the files ----
mkdir "$folder/files"
cd "$folder/files" || exit 1
"$ANORANK" simulate gaussian --rows 60 --dim 3 -o rows.csv
awk -F, '{ print $0 "," (NR == 1 ? "kind" : NR % 3 ? "x" : "y") }' rows.csv >mixed.csv
printf 'score,label,word\n1,0,a\n2,1,b\n3,0,c\n4,1,d\n' >scores.csv
printf 'score,label,word\n1,0,a\n2,1,b\n3,0,c\n' >contrast.csv
printf 'x1,x2,x3\n1,,3\n2,3,4\n4,5,6\n7,8,8\n2,1,0\n1,5,2\n' >holes.csv
awk 'BEGIN { print "machine,t,x,y"; for (i = 1; i <= 80; i++) print "m" i % 4 "," i "," i * 7919 % 101 "," i * 104729 % 97 }' >fleet.csv
"$ANORANK" fit rows.csv -o model.anr -q --subsamples 2
"$ANORANK" fit rows.csv -o strict.anr -q --subsamples 2 --on-missing error
cd "$folder" || exit 1

# ---- one command ----
snapshot() { ls -lR --time-style=full-iso .; }
anorank() {
  snapshot >"$folder/before"
  eval "set -- \"\$@\" $extra"
  "$ANORANK" "$@" 2>"$folder/.err"
  echo $? >"$folder/code"
  snapshot >"$folder/after"
}

try() { # COMMAND: run it among fresh files
  rm -rf "$folder/row" && cp -a "$folder/files" "$folder/row" && cd "$folder/row" || exit 1
  rm -f "$folder/code"
  (eval "$1") >"$folder/.out" </dev/null
  [ -s "$folder/code" ] || { fail "the command does not run anorank" && return 1; }
  code=$(cat "$folder/code")
}

check_row() { # CODE EXITS COMMAND
  last=$3
  extra=
  export ANORANK_MESSAGES=json
  try "$3" || return
  expect_error "$1"
  case ",$2," in *",$code,"*) ;; *) fail "exit code $code, promised ${2:-nothing}" ;; esac
  expect_no_out
  cmp -s "$folder/before" "$folder/after" || fail 'files changed'
  if grep -q '"remedies": \[{' "$folder/.err"; then check_remedies "$3"; fi
}

check_remedies() { # COMMAND
  first=$(error_field message)
  unset ANORANK_MESSAGES
  try "$1"
  suggested "$(grep -v "^Try 'anorank" "$folder/.err")" >"$folder/suggested"
  export ANORANK_MESSAGES=json
  while read -r extra; do
    suggestions=$((suggestions + 1))
    try "$1"
    [ "$(error_field message)" != "$first" ] || fail "$extra was suggested and leads back to: $first"
  done <"$folder/suggested"
}
suggestions=0

"$ANORANK" serve none.anr 2>&1 | grep -q "built without 'serve'" && without='anorank serve' || without=
part=${PART:-0/1} # every N-th from the I-th on, as tests/support/parts.h has it
# CODE TAB EXITS TAB COMMAND, the exit codes from the tables of docs/errors.md
grep -v -e '^#' -e "${without:-^$}" "$SOURCE/tests/cli/errors.txt" |
  awk -v own="${part%/*}" -v parts="${part#*/}" -F '\t' -v OFS='\t' '
    FNR == NR { if (split($0, cell, /[|` ]+/) > 3 && /^\| `/) { sub(/^\| `[^`]*` \| /, ""); sub(/ \|.*/, ""); gsub(/ /, ""); exits[cell[2]] = $0 } next }
    (FNR - 1) % parts == own { print $1, exits[$1] == "" ? "none" : exits[$1], $2 }' "$SOURCE/docs/errors.md" - >"$folder/own"
[ "$(wc -l <"$folder/own")" -ge 20 ] || fail 'hardly any command was found in errors.txt'
while IFS=$(printf '\t') read -r promised exits command; do
  check_row "$promised" "$exits" "$command"
done <"$folder/own"
cd "$folder" || exit 1
[ "$suggestions" -ge $((10 / ${part#*/})) ] || fail "only $suggestions suggestions were tried"
finish
