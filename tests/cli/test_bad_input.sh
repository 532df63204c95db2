# The catalogue of bad input (docs/bad-input.md) is true: for each row of its table the broken input is made here, the
# row's command is run, and error code and exit code are compared with the row. Nothing may appear on standard output, and
# no file may appear or change. To add a case: a row there and a make_ function of its name here.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
for tool in gzip zstd; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done
catalogue=$SOURCE/docs/bad-input.md
bad=$SOURCE/tests/golden/bad
whole=$folder/whole
mkdir "$whole"
seq 0.5 0.5 500 >"$whole/numbers"
{ echo score; cat "$whole/numbers"; } >"$whole/scores.csv"

# npy SHAPE DESCR: the head of an NPY file of version 1.0 (128 bytes).
npy() {
  printf '\223NUMPY\001\000v\000'
  printf "%-117s\n" "{'descr': '$2', 'fortran_order': False, 'shape': $1, }"
}
zeros() { head -c "$1" /dev/zero; }
# Turn the last byte but N of a file into its complement.
flip_from_end() {
  at=$(($(wc -c <"$1") - $2 - 1))
  byte=$(od -An -tu1 -j "$at" -N 1 "$1" | tr -d ' ')
  printf "\\$(printf %o $((255 - byte)))" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

# ---- unreadable files ----
make_missing_file() { :; }
make_folder() { mkdir scores.csv; }
make_no_permission() { cp "$whole/scores.csv" . && chmod 000 scores.csv; }
make_empty() { : >scores.csv; }

# ---- compressed ----
make_gzip_cut() { gzip -c "$whole/scores.csv" | head -c 900 >scores.csv.gz; }
make_gzip_checksum() { gzip -c "$whole/scores.csv" >scores.csv.gz && flip_from_end scores.csv.gz 6; }
make_gzip_damaged() { { printf '\037\213\010\000\000\000\000\000\000\003'; echo 'this was never compressed'; } >scores.csv.gz; }
make_gzip_then_garbage() { { gzip -c "$whole/scores.csv"; echo garbage; } >scores.csv.gz; }
make_gzip_endless_line() { zeros 80000000 | tr '\0' 'a' | gzip -1 >scores.csv.gz; }
make_gzip_many_rows() { yes 1.5 | head -n 2000000 | gzip -1 >scores.csv.gz; }
make_zstd_cut() { zstd -qc "$whole/scores.csv" | head -c 400 >scores.csv.zst; }
make_zstd_checksum() { zstd -qc "$whole/scores.csv" >scores.csv.zst && flip_from_end scores.csv.zst 1; }
make_xz() { printf '\3757zXZ\000\000\004\346\326\264F' >scores.csv.xz; }
make_bzip2() { printf 'BZh91AY&SY\001\002\003' >scores.csv.bz2; }
make_web_page() { printf '<!DOCTYPE html>\n<html><body>Please log in</body></html>\n' >scores.csv; }
make_parquet() { printf 'PAR1\025\004\025\020\000\000PAR1' >scores.parquet; }

# ---- CSV: lines and cells ----
make_nul_bytes() { printf 'score\n1\n\0002\n' >scores.csv; }
make_quote_open() { printf 'name,score\n"a,1\nb,2\n' >scores.csv; }
make_quote_closed_early() { printf 'name,score\n"a" b,1\n' >scores.csv; }
make_wider_line() { printf 'a,b,score\n1,2,3\n1,2,3,4\n' >scores.csv; }
make_narrower_line() { printf 'a,b,c,score\n1,2,3,4\n1,2,3\n' >scores.csv; }
make_long_line() { zeros 70000000 | tr '\0' '1' >scores.csv; }
make_million_columns() { yes 1 | head -n 1000000 | paste -sd, >scores.csv; }
make_blank_lines() { printf '\n\n\r\n\n' >scores.csv; }
make_header_only() { printf 'id,score\n' >scores.csv; }
make_number_too_large() { printf 'score\n1\n1e999\n' >scores.csv; }
make_number_too_long() { { printf 'score\n1\n0.'; zeros 5000 | tr '\0' 3; echo; } >scores.csv; }
make_late_text() { { cat "$whole/scores.csv"; echo high; } >scores.csv; }

# ---- NPY and NPZ ----
make_npy_cut() { { npy '(1000, 2)' '<f8'; zeros 1000; } >scores.npy; }
make_npy_lying_header() { npy '(1000000000000, 2)' '<f8' >scores.npy; }
make_npy_overflow() { npy '(9223372036854775807, 4)' '<f8' >scores.npy; }
make_npy_too_much() { { npy '(2, 1)' '<f8'; zeros 100; } >scores.npy; }
make_npy_objects() { { npy '(2, 1)' '|O'; zeros 100; } >scores.npy; }
make_npy_complex() { { npy '(2, 1)' '<c16'; zeros 32; } >scores.npy; }
make_npy_records() {
  { printf '\223NUMPY\001\000v\000'
    printf '%-117s\n' "{'descr': [('score', '<f8'), ('k', '<i4')], 'fortran_order': False, 'shape': (2,), }"
    zeros 24
  } >scores.npy
}
make_npy_cube() { { npy '(2, 3, 4)' '<f8'; zeros 192; } >scores.npy; }
make_npy_huge_header() { { printf '\223NUMPY\002\000\377\377\377\177'; zeros 200; } >scores.npy; }
make_npy_broken_header() { { npy '(2, 1' '<f8'; zeros 16; } >scores.npy; }
make_npy_is_text() { cp "$whole/scores.csv" scores.npy; }
make_npz_no_such_array() { cp "$bad/two-arrays.npz" scores.npz; }
make_npz_which_array() { cp "$bad/two-arrays.npz" scores.npz; }
make_npz_damaged() { cp "$bad/damaged.npz" scores.npz; }
make_npz_odd_method() { cp "$bad/odd-method.npz" scores.npz; }
make_npz_cut() { cp "$bad/cut.npz" scores.npz; }
make_npz_bomb() { cp "$bad/bomb.npz" scores.npz; }
make_npz_no_arrays() { cp "$bad/no-arrays.npz" scores.npz; }

# ---- JSON lines ----
make_json_broken() { printf '{"score": 1}\n{"score": 2\n' >scores.jsonl; }
make_json_nested() { printf '{"score": {"a": {"b": 1}}}\n' >scores.jsonl; }
make_json_late_key() { { yes '{"score": 1.25}' | head -n 200000; echo '{"score": 1, "extra": 2}'; } >scores.jsonl; }
make_json_not_objects() { printf '1\n2\n3\n' >scores.jsonl; }
make_json_key_twice() { printf '{"score": 1, "score": 2}\n' >scores.jsonl; }
make_json_text() { printf '{"score": 1}\n{"score": 2}\n{"score": "high"}\n' >scores.jsonl; }

# ---- whole tables that do not fit the question ----
make_score_missing() { printf 'id,score\n1,0.5\n2,\n3,nan\n4,1\n' >scores.csv; }
make_score_is_text() { printf 'id,score\n1,low\n2,high\n3,low\n' >scores.csv; }
make_score_hexadecimal() { printf 'score\n0x1A\n0x1B\n' >scores.csv; }
make_decimal_comma_no_header() { printf '17;2,5\n18;3,7\n' >scores.csv; }
make_which_column() { printf 'a,b\n1,2\n3,4\n' >scores.csv; }
make_no_such_column() { printf 'a,b\n1,2\n3,4\n' >scores.csv; }
make_unknown_categorical() { cp "$whole/scores.csv" .; }
make_one_row() { printf 'score\n1\n' >scores.csv; }
make_contrast_empty() { cp "$whole/scores.csv" . && printf 'score\n' >contrast.csv; }
make_labels_two() { printf 'score,label\n1,0\n2,1\n3,2\n' >scores.csv; }
make_labels_missing() { printf 'score,label\n1,0\n2,\n3,1\n' >scores.csv; }
make_labels_of_one_kind() { printf 'score,label\n11,0\n12,0\n13,0\n' >scores.csv; }
make_data_no_rows() { printf 'a,b\n' >data.csv; }

# ---- settings and outputs ----
make_delimiter_of_two() { cp "$whole/scores.csv" .; }
make_settings_unknown_name() { cp "$whole/scores.csv" . && printf '# mine\nlevel = 0.9\ntreads = 4\n' >my.settings; }
make_settings_bad_value() { cp "$whole/scores.csv" . && printf 'level = high\n' >my.settings; }
make_settings_missing() { cp "$whole/scores.csv" .; }
make_output_no_folder() { cp "$whole/scores.csv" .; }
make_output_other_format() { :; }
make_figure_other_format() { cp "$whole/scores.csv" .; }
make_output_full() { cp "$whole/scores.csv" .; }
make_figure_full() { cp "$whole/scores.csv" .; }
make_output_is_folder() { cp "$whole/scores.csv" . && mkdir curve.csv; }

# ---- the comparison ----
# The rows of the table as name TAB command TAB message TAB exit code.
rows() {
  sed -n 's/\\|/\x01/g; s/^| `\([a-z0-9-]*\)` | [^|]* | `\([^|]*\)` | `\([^|]*\)` | \([0-9]\) |$/\1\t\2\t\3\t\4/p' \
    "$catalogue" | tr '\001' '|'
}

# As root every file can be read: drop privileges where possible.
run_as_nobody() {
  cp "$ANORANK" "$folder/anorank" && chmod 755 "$folder" "$folder/anorank" || return 1
  setpriv --reuid=65534 --regid=65534 --clear-groups "$folder/anorank" --version >/dev/null 2>&1 || return 1
  last=$*
  setpriv --reuid=65534 --regid=65534 --clear-groups "$folder/anorank" "$@" >"$folder/.out" 2>"$folder/.err"
  code=$?
}

check_row() { # NAME COMMAND MESSAGE CODE
  row=$1
  arguments=${2#anorank }
  maker=make_$(echo "$1" | tr - _)
  rm -rf "$folder/row" && mkdir "$folder/row" && cd "$folder/row" || exit 1
  printf 'score\n1\n2\n3\n4\n' >good.csv
  command -v "$maker" >/dev/null || { fail "row '$row' has no function $maker here" && return; }
  "$maker"
  ls -lR --time-style=full-iso . >"$folder/before"
  if [ "$row" = no-permission ] && [ "$(id -u)" -eq 0 ]; then
    eval "run_as_nobody $arguments" || { echo "note: row '$row' is not tested: cannot stop being root" && return; }
  else
    eval "run $arguments"
  fi
  ls -lR --time-style=full-iso . >"$folder/after"
  if [ -n "${SHOW:-}" ]; then # for filling in new rows
    printf '| `%s` | `%s` | `%s` | %s |\n' "$row" "$2" "$(error_field code)" "$code"
    return
  fi
  expect_error "$3"
  [ "$code" -eq "$4" ] || fail "row '$row': exit code $code, promised $4"
  expect_no_out
  cmp -s "$folder/before" "$folder/after" || fail "row '$row': files changed"
  first=$(error_field message)
  unset ANORANK_MESSAGES
  eval "run $arguments"
  suggested "$(grep -v "^Try 'anorank.*--help'\.$" "$folder/.err")" >"$folder/suggested"
  export ANORANK_MESSAGES=json
  while read -r extra; do # whatever is suggested leads past this error
    eval "run $arguments $extra"
    [ "$(error_field message)" != "$first" ] || fail "$extra was suggested and leads back to: $first"
  done <"$folder/suggested"
}
export ANORANK_MESSAGES=json

rows >"$folder/rows"
count=$(wc -l <"$folder/rows")
[ "$count" -ge 30 ] || fail "only $count rows were found in $catalogue"
[ "$count" -eq "$(grep -c '^| `' "$catalogue")" ] || fail "some rows of $catalogue are not in the form this test reads"
while IFS=$(printf '\t') read -r name command promised exit_code; do
  check_row "$name" "$command" "$promised" "$exit_code"
done <"$folder/rows"
cd "$folder" || exit 1

# Every case made here is in the table, once.
for name in $(sed -n 's/^make_\([a-z0-9_]*\)().*/\1/p' "$SOURCE/tests/cli/test_bad_input.sh" | tr _ -); do
  [ "$(cut -f 1 "$folder/rows" | grep -cx -e "$name")" -eq 1 ] || fail "'$name' is not in one row of $catalogue"
done
finish
