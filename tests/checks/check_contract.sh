#!/bin/sh
# Every public function that returns a status is under the allocation-failure test.
set -eu
cd "$SOURCE"
test=tests/contract/test_allocation_failure.c
missing=0
for name in $(cat include/anorank/*.h | tr '\n' ' ' | grep -oE 'anorank_status +anorank_[a-z_]+\(' | grep -oE 'anorank_[a-z_]+\($' | tr -d '('); do
  grep -q "\b$name(" "$test" || { echo "$name is not called in $test"; missing=1; }
done
exit $missing
