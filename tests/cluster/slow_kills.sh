#!/bin/sh
# slow_kills.sh - twenty kills each of score, rank and score in parts (make check-slow); a few are in test_cluster_faults.sh.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cluster/kills.sh"
run simulate gaussian --rows 60000 --dim 4 -o long.csv -q
head -n 2001 long.csv > x.csv
run fit x.csv -o x.anr --fast -q
kills "${KILLS:-20}" "${SEED:-7}"
finish
