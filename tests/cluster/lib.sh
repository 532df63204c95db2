# lib.sh - what the scripts in this folder share, besides tests/cli/lib.sh. MPI = the program anorank-mpi, "" where it was not built.
if [ -z "${MPI:-}" ]; then
  echo "skipped: anorank-mpi was not built, since Open MPI was not found (scripts/setup.sh cluster)"
  exit 77
fi
if ! command -v mpirun > /dev/null 2>&1; then
  echo "skipped: there is no mpirun (scripts/setup.sh cluster)"
  exit 77
fi
case ${SANITIZE:-} in *thread*)
  echo "skipped: the thread sanitizer does not see into Open MPI"
  exit 77 ;;
esac
. "${SOURCE:?}/tests/cli/lib.sh"
# What root and few processors need; -q: no words of mpirun's own. Open MPI itself does not free all it takes.
ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader,tcp
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe \
  OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl

# mpi RANKS ARGUMENTS...: streams in .out and .err, exit code in $code.
mpi() {
  ranks=$1
  shift
  last="$* (mpirun -n $ranks anorank-mpi)"
  mpirun -q --oversubscribe -n "$ranks" "$MPI" "$@" > "$folder/.out" 2> "$folder/.err"
  code=$?
}

# No temporary file is left in the folder.
expect_clean() {
  left=$(find . -name '*.tmp-*' | head -n 1)
  [ -z "$left" ] || fail "left behind: $left"
}

# Records of several lines, quotes in quotes and in plain cells, CRLF in between, empty lines.
make_quoted() {
  awk -v rows="$1" 'BEGIN {
    print "id,amount,kind,note"
    for (i = 1; i <= rows; i++) {
      amount = (i * 37 % 101) / 7
      kind = i % 3 == 0 ? "red" : "blue"
      note = i % 4 == 0 ? "\"two\nlines, \"\"quoted\"\" \"" : i % 4 == 1 ? "5\" wide" : i % 4 == 2 ? "\"\n\n\"" : "plain"
      printf "T%d,%.3f,%s,%s%s\n", i, amount, kind, note, i % 5 == 0 ? "\r" : ""
      if (i % 9 == 0) print ""
    }
  }'
}

# same RANKS OUTPUT ARGUMENTS...: by one and by many; the same exit code and the same file.
same() {
  ranks=$1 output=$2
  shift 2
  rm -f "one.$output" "many.$output"
  run "$@" -o "one.$output" -q
  expected=$code
  mpi "$ranks" "$@" -o "many.$output" -q --piece "${piece:-20000}"
  expect_code "$expected"
  expect_same "one.$output" "many.$output"
}

# same_refusal ARGUMENTS...: bad data, told by many as by one.
same_refusal() {
  run "$@" -o none.csv
  expect_code 3
  sed 's/^anorank: //' .err > one.err
  mpi 4 "$@" -o none.csv --piece 20000
  expect_code 3
  sed 's/^anorank-mpi: //' .err > many.err
  expect_same one.err many.err
}

# make_parts CSV: a folder `parts` of its rows in two files, of which one is compressed, and one file without rows.
make_parts() {
  mkdir parts
  head -n 300 "$1" > parts/a.csv
  head -n 1 "$1" > parts/b.csv
  (head -n 1 "$1" && tail -n +301 "$1") > parts/c.csv
  zstd -q --rm parts/c.csv
}
