#!/bin/sh
# docs/errors.md is complete: each error message in the sources has a row, each row has a message in the sources, and
# what a row names in place of a command is there: a row of docs/bad-input.md whose message and exit code fit, or a test
# that quotes some words of the message. tests/cli/test_errors.sh runs the commands.
set -eu
cd "$SOURCE"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
complain() { echo "$1" && bad=1; }

# shellcheck disable=SC2046
awk -f tests/checks/error_messages.awk $(find src extras cli serve -name '*.[ch]' | sort) >"$scratch/sources" ||
  complain 'the messages above cannot be read from the sources'
awk -v what=messages -f tests/checks/error_rows.awk docs/errors.md >"$scratch/rows" || complain 'see error_rows.awk'
awk -v what=others -f tests/checks/error_rows.awk docs/errors.md >"$scratch/others" || complain 'see error_rows.awk'
[ "$(wc -l <"$scratch/sources")" -ge 250 ] || complain 'hardly any message was found: is SOURCE right?'

# ---- sources and rows, one to one ----
awk -F '\t' '
  FNR == NR { if ($1 in row) { print "docs/errors.md:" $2 ": line " row[$1] " says it already: " $1; bad = 1 } row[$1] = $2; next }
  { said[$2] = 1; if (!($2 in row)) { print $1 ": not in docs/errors.md, add a row: " $2; bad = 1 } }
  END {
    for (message in row)
      if (!(message in said)) { print "docs/errors.md:" row[message] ": no longer in the sources: " message; bad = 1 }
    exit bad
  }
' "$scratch/rows" "$scratch/sources" || bad=1

# ---- rows of docs/bad-input.md ----
sed -n 's/\\|/\x01/g; s/^| `\([a-z0-9-]*\)` | [^|]* | `[^|]*` | `anorank: \([^|]*\)` | \([0-9]\) |$/\1\t\2\t\3/p' docs/bad-input.md |
  tr '\001' '|' >"$scratch/bad-input"
# A test is a function that cmocka runs, or a script: its name, TAB, the text of it on one line.
awk '
  FNR == 1 { name = "" }
  FILENAME ~ /\.(sh|py)$|fuzz_[a-z]*\.c$/ { if (FNR == 1) { n = split(FILENAME, part, "/"); printf "%s%s\t", any++ ? "\n" : "", part[n] } gsub(/\t/, " "); printf "%s ", $0; next }
  /^static void [a-z_0-9]+\(void \*\*/ { name = $3; sub(/\(.*/, "", name); printf "%s%s\t", any++ ? "\n" : "", name }
  name != "" { line = $0; gsub(/\t/, " ", line); gsub(/\\"/, "\"", line); sub(/^ +/, " ", line); if (sub(/"$/, "", line)) printf "%s\001", line; else printf "%s", line }
  /^}/ { name = "" }
' tests/unit/*/test_*.c tests/contract/test_*.c tests/cli/test_*.sh tests/serve/test_*.py \
  tests/fuzz/fuzz_request.c >"$scratch/tests"
awk -F '\t' '
  function pieces_in(text, message,    n, k, piece) { # in this order
    n = split(message, piece, "*")
    for (k = 1; k <= n; k++) {
      if (piece[k] == "") continue
      at = index(text, piece[k])
      if (!at) return 0
      text = substr(text, at + length(piece[k]))
    }
    return 1
  }
  # Some twelve characters of the message, or all of a short one, stand in the test.
  function quoted(text, message,    n, k, i, piece) {
    n = split(message, piece, "*")
    for (k = 1; k <= n; k++) {
      if (length(piece[k]) < 12) { if (n == 1 && index(text, piece[k])) return 1; continue }
      for (i = 1; i + 11 <= length(piece[k]); i++) if (index(text, substr(piece[k], i, 12))) return 1
    }
    return index(text, message) > 0
  }
  FILENAME ~ /bad-input$/ { said[$1] = $2; code[$1] = $3; next }
  FILENAME ~ /tests$/ { text[$1] = text[$1] $2; gsub(/"\001 *"/, "", text[$1]); next }
  $2 == "bad-input" {
    if (!($3 in said)) { print "no row of docs/bad-input.md: " $3; bad = 1 }
    else if (!pieces_in(said[$3], $1)) { print "docs/bad-input.md, " $3 " says: " said[$3] "\n  instead of: " $1; bad = 1 }
    else if (index("," $4 ",", "," code[$3] ",") == 0) { print "docs/bad-input.md, " $3 " exits with " code[$3] ", not " $4; bad = 1 }
  }
  $2 == "test" {
    if (!($3 in text)) { print "there is no test " $3 " for: " $1; bad = 1 }
    else if (!quoted(text[$3], $1)) { print "the test " $3 " does not quote: " $1; bad = 1 }
  }
  END { exit bad }
' "$scratch/bad-input" "$scratch/tests" "$scratch/others" || bad=1
exit $bad
