#!/bin/sh
# Errors and notes of the sources have codes: well formed, in docs/errors.md (all of them, and no others) with the exit
# codes that the sources give, never both an error and a note. Their sentences are those of
# tests/golden/texts.txt; `make texts` writes that file again.
set -eu
cd "$SOURCE"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
complain() { echo "$1" && bad=1; }

# shellcheck disable=SC2046
awk -f tests/checks/texts.awk $(find src extras cli serve web/wasm -name '*.[ch]' | sort) >"$scratch/all" || complain 'see texts.awk'
[ "$(wc -l <"$scratch/all")" -ge 250 ] || complain 'hardly any text was found: is SOURCE right?'
cut -f 2,4 "$scratch/all" | LC_ALL=C sort -u >"$scratch/texts"
if [ "${WRITE_TEXTS:-}" ]; then cp "$scratch/texts" tests/golden/texts.txt; fi
diff tests/golden/texts.txt "$scratch/texts" || complain 'the sentences have changed; `make texts` writes tests/golden/texts.txt again'

# Python adds codes: refusal(UsageError, "folder-not-empty", ...
grep -rnoE '(Usage|Data|Model|Resource)Error, "[a-z0-9-]+"' bindings/python/anorank |
  sed 's/^\([^:]*:[0-9]*\):.*, "\(.*\)"$/error\t\2\t?\t\t\1/' >>"$scratch/all"

sed -n 's/^| `\([^`]*\)` | \([0-9][0-9, ]*\) | .*/error\t\1\t\2/p; s/^| `\([^`]*\)` | [^|0-9][^|]* |$/note\t\1\t-/p' docs/errors.md |
  tr -d ' ' >"$scratch/rows"
awk -F '\t' '
  function wrong(what) { print what; bad = 1 }
  FNR == NR { if ($2 in kind) wrong("docs/errors.md has two rows of " $2); kind[$2] = $1; exits[$2] = "," $3 ","; next }
  $2 == "-" { next }
  $2 !~ /^[a-z0-9]+(-[a-z0-9]+)*$/ || length($2) > 39 { wrong($5 ": not a code: " $2) }
  !($2 in kind) { wrong($5 ": not in docs/errors.md: " $2); next }
  { seen[$2] = 1 }
  kind[$2] != $1 { wrong($5 ": " $2 " is the code of an error and of a note") }
  $3 ~ /^[2-5](,[2-5])*$/ { # 6 is 130 on the command line
    n = split($3, status, ",")
    for (k = 1; k <= n; k++) if (!index(exits[$2], "," status[k] ",")) wrong($5 ": docs/errors.md lacks the exit code " status[k] " of " $2)
  }
  END {
    for (code in kind) if (!(code in seen)) wrong("docs/errors.md: no longer in the sources: " code)
    exit bad
  }
' "$scratch/rows" "$scratch/all" || bad=1
exit $bad
