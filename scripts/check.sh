#!/bin/sh
# check.sh JOBS - what `make check` runs: all tests in the plain build but those of label slow, then unit tests, contract tests and
# fuzz corpora under the address and undefined-behaviour sanitizers. tests/CMakeLists.txt says what the labels mean.
set -eu
jobs=$1
. "$(dirname "$0")/stage.sh"
stage dev "all slow_tests benchmarks" -LE slow # slow tests and benchmarks are not run here, but must compile
stage asan library_tests -L 'unit|contract|fuzz' -LE 'slow|long'
