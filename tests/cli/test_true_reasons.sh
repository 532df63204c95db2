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
    || fail 'a reason is not true'
fi
finish
