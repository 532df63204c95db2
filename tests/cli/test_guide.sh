#!/bin/sh
# Every sh block of docs/guide.md runs, in order and in one folder, with the exit code that its first line states
# (```sh, or ```sh exit=1). A reader who types along must not be let down.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
[ -z "${SANITIZE:-}" ] || { echo "skipped under a sanitizer, where it takes minutes: the plain build runs it"; exit 77; }

mkdir bin guide
ln -s "$ANORANK" bin/anorank
PATH=$folder/bin:$PATH
awk '
  /^```sh/ { block++; name = sprintf("%03d", block); wanted = 0
             for (i = 2; i <= NF; i++) if (split($i, part, "=") == 2 && part[1] == "exit") wanted = part[2]
             print wanted > (name ".exit"); printf "" > (name ".sh"); inside = 1; next }
  /^```/ { inside = 0; next }
  inside { print > (name ".sh") }
  END { print block + 0 > "blocks" }' "$SOURCE/docs/guide.md"
[ "$(cat blocks)" -ge 12 ] || fail "only $(cat blocks) blocks were found in the guide"

cd guide || exit 1
for block in ../[0-9]*.sh; do
  wanted=$(cat "${block%.sh}.exit")
  last="(docs/guide.md, block $(basename "$block" .sh)): $(cat "$block")"
  sh -e "$block" >../.out 2>../.err
  code=$?
  expect_code "$wanted"
done

finish
