# kills.sh - sourced after lib.sh: jobs of three processes, of which one is killed at a random moment, and what came of each.
#
#   kills NUMBER SEED     that many kills each of score, rank and score in parts; prints a line of counts for each
#
# After a kill the output is either not there, with a message, an exit code and no temporary file, or whole.

# One random number from 0 to 1.
random() { awk -v seed="$1" 'BEGIN { srand(seed); rand(); print rand() }'; }

# How many processes of a job have begun: they catch SIGTERM. Before that nobody can say a word, and one that dies while mpirun (4.1.4)
# still starts others can leave mpirun waiting for ever.
count_started() {
  begun=0
  for process in $(pgrep -P "$1" -x anorank-mpi); do
    mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$process/status" 2> /dev/null)
    [ -n "$mask" ] && [ $((0x${mask#????????} & 0x4000)) -ne 0 ] && begun=$((begun + 1))
  done
  echo $begun
}

# kill_one SEED SECONDS ARGUMENTS...: kill -9 one process at a moment up to SECONDS after the start; $killed says whether it was there.
kill_one() {
  moment=$(awk -v u="$(random "$1")" -v most="$2" 'BEGIN { printf "%.3f", u * most }')
  which=$(awk -v u="$(random "1$1")" 'BEGIN { print int(3 * u) }')
  shift 2
  last="$* (process $which killed after $moment s)"
  mpirun -q --oversubscribe -n 3 "$MPI" "$@" > .out 2> .err & # -q: mpirun says nothing itself
  job=$! tries=0
  until [ "$(count_started $job)" -eq 3 ] || ! kill -0 $job 2> /dev/null; do sleep 0.01; done
  sleep "$moment"
  victim=$(pgrep -P $job -x anorank-mpi | sed -n "$((which + 1))p")
  killed=0
  if [ -n "$victim" ] && kill -9 "$victim" 2> /dev/null; then killed=1; fi
  while kill -0 $job 2> /dev/null && [ $tries -lt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  if kill -9 $job 2> /dev/null; then fail "it went on for a minute after the kill"; fi
  wait $job
  code=$?
}

# How long a job takes, so that moments fall into all of it.
seconds_of() {
  begin=$(date +%s.%N)
  mpi 3 "$@"
  expect_code 0
  awk -v begin="$begin" -v end="$(date +%s.%N)" 'BEGIN { printf "%.3f", end - begin }'
}

# What became of a job whose output is FILE and should be like EXPECTED: counts in $cut, $whole, $early.
judge_end() {
  if [ "$killed" -eq 0 ] || [ "$code" -eq 0 ]; then # over before, or not begun
    expect_code 0
    cmp -s "$1" "$2" || fail "it ended well, but $1 is not what it should be"
    early=$((early + 1))
  elif [ -e "$1" ]; then # killed after it was written
    cmp -s "$1" "$2" || fail "a half file was written"
    whole=$((whole + 1))
  else
    [ "$code" -eq 137 ] || fail "exit code $code, expected 137"
    grep -q 'anorank-mpi: stopped; ' .err || fail "nothing was said"
    cut=$((cut + 1))
  fi
  left=$(find . -name '*.tmp-*' | wc -l)
  [ "$left" -eq 0 ] || fail "left behind: $(find . -name '*.tmp-*' | head -n 1)"
}

kills() {
  number=$1 seed=$2
  for command in score rank; do
    cut=0 whole=0 early=0 k=0
    run $command x.anr long.csv -o expected.csv -q
    most=$(seconds_of $command x.anr long.csv -o killed.csv -q --piece 3000)
    while [ $k -lt "$number" ]; do
      rm -f killed.csv
      kill_one "$seed$k" "$most" $command x.anr long.csv -o killed.csv -q --piece 3000
      judge_end killed.csv expected.csv
      k=$((k + 1))
    done
    echo "$command, $number kills over $most s: $cut stopped (message, exit code 137, no file), $whole after all was written, $early too late"
  done
  run score x.anr long.csv -o expected.csv -q
  cut=0 early=0 k=0 again=0
  rm -rf killed
  most=$(seconds_of score x.anr long.csv -o killed -q --part-size 60K --piece 3000)
  rm -rf killed
  while [ $k -lt "$number" ]; do # until it is finished, then from the beginning
    kill_one "2$seed$k" "$most" score x.anr long.csv -o killed -q --part-size 60K --resume --piece 3000
    k=$((k + 1))
    left=$(find . -name '*.tmp-*' | wc -l)
    [ "$left" -eq 0 ] || fail "left behind: $(find . -name '*.tmp-*' | head -n 1)"
    if [ "$code" -ne 0 ] && [ "$k" -lt "$number" ]; then
      cut=$((cut + 1))
      continue
    fi
    [ "$code" -eq 0 ] && early=$((early + 1)) || cut=$((cut + 1))
    mpi $((1 + k % 4)) score x.anr long.csv -o killed -q --part-size 60K --resume
    expect_code 0
    (head -n 1 expected.csv && for part in killed/part-*.csv; do tail -n +2 "$part"; done) > joined.csv
    expect_same expected.csv joined.csv
    again=$((again + 1))
    rm -rf killed
  done
  echo "score in parts, $number kills: $cut stopped, $early too late; finished by --resume to the same bytes $again times"
}
