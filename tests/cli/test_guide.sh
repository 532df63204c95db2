#!/bin/sh
# Every sh block of docs/guide.md runs, in order and in one folder, with the exit code that its first line states.
# labels: long nothreads
. "$(dirname "$0")/lib.sh"
[ -z "${SANITIZE:-}" ] || { echo "skipped under a sanitizer, where it takes minutes: the plain build runs it"; exit 77; }
run_page docs/guide.md
[ -e guide.blocks/012.sh ] || fail "fewer than 12 blocks were found in the guide"
finish
