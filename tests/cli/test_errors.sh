# docs/errors.md is true: each command of its tables gives the message and the exit code of its row, writes nothing to
# standard output and leaves no file changed. What a row says of other tests is looked at by checks/check_errors.sh.
# To add a message: a row there. In its commands, `anorank` is the program and these files are at hand.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
for tool in gzip zstd; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done
catalogue=$SOURCE/docs/errors.md
rules=$SOURCE/tests/checks/error_rows.awk

# ---- the files ----
mkdir "$folder/files"
cd "$folder/files" || exit 1
"$ANORANK" simulate gaussian --rows 60 --dim 3 -o rows.csv
awk -F, '{ print $0 "," (NR == 1 ? "kind" : NR % 3 ? "x" : "y") }' rows.csv >mixed.csv
printf 'score,label,word\n1,0,a\n2,1,b\n3,0,c\n4,1,d\n' >scores.csv
printf 'score,label,word\n1,0,a\n2,1,b\n3,0,c\n' >contrast.csv
printf 'x1,x2,x3\n1,,3\n2,3,4\n4,5,6\n7,8,8\n2,1,0\n1,5,2\n' >holes.csv
"$ANORANK" fit rows.csv -o model.anr -q --subsamples 2
"$ANORANK" fit rows.csv -o strict.anr -q --subsamples 2 --missing-policy error
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

said() { # COMMAND: run it among fresh files; its code and message
  rm -rf "$folder/row" && cp -a "$folder/files" "$folder/row" && cd "$folder/row" || exit 1
  rm -f "$folder/code"
  (eval "$1") >"$folder/.out" </dev/null
  [ -s "$folder/code" ] || { fail "the row's command does not run anorank" && return 1; }
  code=$(cat "$folder/code")
  # Where to look for help follows a usage error, whatever it is; a message of several lines is one here.
  message=$(grep -v "^Try 'anorank.*--help'\.$" "$folder/.err" | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }')
}

check_row() { # EXPRESSION CODE COMMAND
  last=$3
  extra=
  said "$3" || return
  if [ -n "${SHOW:-}" ]; then # for filling in new rows
    printf '%s\t%s\t%s\n' "$code" "$message" "$3"
    return
  fi
  printf '%s\n' "$message" | grep -Eqx -e "$1" || fail "the row promises: $1"
  case ",$2," in *",$code,"*) ;; *) fail "exit code $code, promised $2" ;; esac
  [ "$code" -ne 2 ] || expect_err "^Try 'anorank.* --help'\.$"
  expect_no_out
  cmp -s "$folder/before" "$folder/after" || fail 'files changed'
  first=$(complaint "$message")
  suggested "$message" >"$folder/suggested"
  while read -r extra; do # whatever is suggested leads past this error
    suggestions=$((suggestions + 1))
    said "$3"
    [ "$(complaint "$message")" != "$first" ] || fail "$extra was suggested and leads back to: $first"
  done <"$folder/suggested"
}
suggestions=0

"$ANORANK" serve none.anr 2>&1 | grep -q "built without 'serve'" && without='anorank serve' || without=
awk -v what=commands -f "$rules" "$catalogue" | grep -v "${without:-^$}" >"$folder/commands" || fail "$catalogue has a row that cannot be read"
count=$(wc -l <"$folder/commands")
[ "$count" -ge 100 ] || fail "only $count commands were found in $catalogue"
part=${PART:-0/1} # every N-th from the I-th on, as tests/support/parts.h has it
awk -v own="${part%/*}" -v parts="${part#*/}" '(NR - 1) % parts == own' "$folder/commands" >"$folder/own"
while IFS=$(printf '\t') read -r expression exit_code command; do
  check_row "$expression" "$exit_code" "$command"
done <"$folder/own"
cd "$folder" || exit 1
[ -n "${SHOW:-}" ] || [ "$suggestions" -ge $((10 / ${part#*/})) ] || fail "only $suggestions suggestions were tried"
finish
