#!/bin/sh
# check_old_names.sh - identifiers that were replaced (old_names.txt) are found nowhere but in what describes the change.
set -eu
cd "$SOURCE"
git rev-parse --git-dir > /dev/null 2>&1 || { echo "not a git checkout: skipped"; exit 77; }
found=$(git ls-files | grep -vE '^(CHANGELOG\.md|docs/upgrading\.md|tests/checks/old_names\.txt|tests/golden/.*|tests/fuzz/corpus/.*)$' |
  tr '\n' '\0' | xargs -0 grep -nwIFf tests/checks/old_names.txt) || true
[ -z "$found" ] || { printf '%s\n' "$found" | head -20; echo "use the present names (docs/upgrading.md, CONTRIBUTING.md)"; exit 1; }
