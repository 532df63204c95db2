#!/bin/sh
# check_words.sh - documents, help, messages and comments avoid the phrases of words.txt, also across a line break, and
# messages have at most 25 words. CONTRIBUTING.md has the rules of style.
set -eu
cd "$SOURCE"
bad=0
files=$(find . \( -path ./build -o -path ./.git -o -path ./docs/research -o -path ./web/dist -o -name node_modules \) -prune \
  -o -type f \( -name '*.[ch]' -o -name '*.inc' -o -name '*.py' -o -name '*.ts' -o -name '*.js' -o -name '*.css' \
  -o -name '*.html' -o -name '*.sh' -o -name '*.awk' -o -name '*.md' \) -print | LC_ALL=C sort)
[ "$(echo "$files" | wc -l)" -ge 500 ] || { echo 'hardly any file was found: is SOURCE right?'; bad=1; }
# shellcheck disable=SC2086
awk '
  function has(text) { return tolower(text) ~ phrases }
  FILENAME ~ /words\.txt$/ { phrases = phrases (phrases == "" ? "" : "|") $0; next }
  FNR == 1 {
    if (!made) { made = 1; phrases = "(^|[^a-z0-9_\047-])(" phrases ")([^a-z0-9_]|$)" }
    before = ""
  }
  {
    text = $0
    gsub(/^[ \t]*(\/?\*+|\/\/+|#+|")?[ \t]*/, "", text)
    gsub(/("|\*\/)?[ \t]*$/, "", text)
    if (has(text)) found = FNR
    else found = before != "" && !has(before) && has(before " " text) ? FNR - 1 : 0
    if (found) { print substr(FILENAME, 3) ":" found ": " $0; bad = 1 }
    before = text
  }
  END { exit bad }
' tests/checks/words.txt $files || { echo 'reword these: tests/checks/words.txt lists phrases that the project avoids'; bad=1; }
awk -F '\t' '$2 !~ /\\n/ && split($2, words, " ") > 25 { print "tests/golden/texts.txt:" NR ": over 25 words: " $2; bad = 1 }
  END { exit bad }' tests/golden/texts.txt || bad=1
exit $bad
