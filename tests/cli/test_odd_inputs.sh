# labels: nothreads
# Odd and broken inputs of every class of odd_inputs.py end as they must; test_odd_inputs_long.sh runs thousands.
. "$(dirname "$0")/lib.sh"
[ -n "$python" ] || { echo "skipped: python3 is not installed" && exit 77; }
"$python" -B "$SOURCE/tests/cli/odd_inputs.py" "$ANORANK" "${COUNT:-15}" "${SEED:-1}" || fail 'some inputs do not end as they must'
finish
