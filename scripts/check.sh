#!/bin/sh
# check.sh JOBS PRESET... - build each preset and run its tests; results also as JUnit in build/PRESET/junit.xml.
# Under the thread sanitizer only what can use threads runs (long tests that ask for one, or say nothing new of threads, do not); under
# the other two, everything.
set -eu
jobs=$1
shift
long='test_allocation_failure|test_serve_allocation|test_damage_messages|test_true_reasons|test_alarms|test_errors|test_guide|test_cli_front_door'
long="$long|test_report|test_reproduce|test_bad_input|test_cli_verdict|test_cli_locales|test_cli_output|test_cli_evaluate"
long="$long|test_cli_review|test_cli_screen|test_cli_names|test_hostile_text|test_remedies"
long="$long|test_cli_figure|test_figure|test_reader|test_tally|test_cli_large"
long="$long|test_serve_answers|test_serve_limits|test_serve_page|test_serve_guide"
for preset in "$@"; do
  echo "== $preset"
  cmake --preset "$preset" > /dev/null
  cmake --build --preset "$preset" -j "$jobs" > "build/$preset/build.log" 2>&1 || {
    cat "build/$preset/build.log"
    exit 1
  }
  # The slow checks are not run here, but they must go on compiling.
  [ "$preset" != dev ] || cmake --build --preset dev -j "$jobs" --target slow_tests > /dev/null
  only=
  [ "$preset" != tsan ] || only="-LE checks|fuzz -E $long"
  ctest --preset "$preset" -j "$jobs" --output-junit junit.xml ${only:+$only}
done
