#!/bin/sh
# p-values of simulated fleets without anomalies: a small run of bench/fleets.py.
. "$(dirname "$0")/lib.sh"

[ -n "$python" ] || { echo 'python3 is not there: skipped'; exit 77; }
"$python" "$SOURCE/bench/fleets.py" "$ANORANK" --fleets 4 --check >table ||
  fail "p-values are too small: $(cat table)"
finish
