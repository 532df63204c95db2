#!/bin/sh
# check-full.sh JOBS - everything: all tests in the plain build, simulations among them, and under the address and
# undefined-behaviour sanitizers; under the thread sanitizer what can use threads.
set -eu
jobs=$1
. "$(dirname "$0")/stage.sh"
stage dev "all slow_tests"
stage asan all
stage tsan all -LE 'slow|long|nothreads|checks|fuzz'
