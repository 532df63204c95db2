# labels: slow
# What reasons say of the files in shared/data, recomputed from these files.
. "$(dirname "$0")/lib.sh"

data=
for place in "$SOURCE/../shared/data" "$SOURCE/../../shared/data"; do
  [ -d "$place/mixed-dev" ] && data=$place && break
done
if [ -z "$data" ]; then
  echo 'shared/data is not there: skipped'
else
  last='detect --json'
  "$python" "$SOURCE/tests/cli/recompute_reasons.py" "$ANORANK" "$data"/mixed-dev/*.csv "$data"/real-files/*.csv.gz \
    "$data"/time-dev/skab-valve1-00.csv.gz "$data"/time-dev/smd-a.test.csv.gz "$data"/time-dev/panel-gdp.csv.gz \
    "$data"/uci-dev/abalone.npz "$data"/uci-dev/cpuact.npz "$data"/uci-dev/segment_sky.npz \
    || fail 'a reason is not true'
fi
finish
