#!/bin/sh
# coverage.sh BUILD - line coverage of src/ and cli/ after the tests of the preset 'coverage' have run.
set -eu
lcov --quiet --capture --directory "$1" --output-file "$1/all.info"
lcov --quiet --extract "$1/all.info" '*/src/*' '*/extras/*' '*/cli/*' --output-file "$1/ours.info"
lcov --list "$1/ours.info"
