#!/bin/sh
# Kill `fit -o` over an existing model with SIGKILL at random moments: the file must then be the old model or the
# new one, byte for byte. Usage: kill_fit.sh ANORANK [KILLS]; the tests do 40 (1 under a sanitizer).
set -u
anorank=$1
kills=${2:-200}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$anorank" simulate gaussian --rows 8000 --dim 6 --seed 1 -o x.npy || exit 1
fit() { "$anorank" fit x.npy -q -o "$1" --seed "$2" --subsample 2048; }
now() { date +%s%N; }
fit old.anr 1 || exit 1
start=$(now)
fit new.anr 2 || exit 1
took=$(($(now) - start)) # nanoseconds of a whole fit: kills fall from its start to a little after its end
if cmp -s old.anr new.anr; then
  echo 'the two models are the same: nothing would be tested'
  exit 1
fi
old=0 new=0 bad=0 k=0
while [ "$k" -lt "$kills" ]; do
  k=$((k + 1))
  cp old.anr m.anr
  # spread evenly over the fit, the second half of the kills in its last quarter, where it writes
  if [ $((k % 2)) -eq 0 ]; then at=$((took * k / kills)); else at=$((took * 3 / 4 + took * 2 / 5 * k / kills)); fi
  "$anorank" fit x.npy -q -o m.anr --seed 2 --subsample 2048 & # no function: $! must be the program itself
  child=$!
  sleep "$(awk -v ns="$at" 'BEGIN { printf "%.6f", ns / 1e9 }')"
  kill -9 "$child" 2>/dev/null
  wait "$child" 2>/dev/null
  if cmp -s m.anr old.anr; then old=$((old + 1)); elif cmp -s m.anr new.anr; then new=$((new + 1)); else bad=$((bad + 1)); fi
  rm -f m.anr.tmp-*
done
echo "$kills kills: $old left the old model, $new the new one, $bad something else"
[ "$bad" -eq 0 ]
