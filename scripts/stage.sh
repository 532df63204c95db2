# stage.sh - for check.sh and check-full.sh, which set `jobs`.

longest() { # LOG: the ten longest tests
  echo "Longest, in seconds:"
  sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec.*/  \2 \1/p' "$1" | sort -rn | head -n 10
  echo
}

# stage PRESET TARGETS [CTEST OPTION...]: build and test; the last lines are the summary of ctest, after the longest tests. Results
# also as JUnit.
stage() {
  preset=$1
  targets=$2
  shift 2
  echo "== $preset"
  cmake --preset "$preset" > /dev/null
  folder=build/$preset
  cmake --build --preset "$preset" -j "$jobs" --target $targets > "$folder/build.log" 2>&1 || {
    cat "$folder/build.log"
    exit 1
  }
  rm -f "$folder/failed"
  { ctest --preset "$preset" -j "$jobs" --output-junit junit.xml "$@" 2>&1 || touch "$folder/failed"; } | tee "$folder/tests.log" |
    while IFS= read -r line; do
      case $line in *"% tests passed"*) longest "$folder/tests.log" ;; esac
      printf '%s\n' "$line"
    done
  [ ! -e "$folder/failed" ]
}
