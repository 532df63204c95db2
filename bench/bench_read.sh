#!/bin/sh
# Reading against pandas and numpy, both in one run on files made here: a CSV of 17-digit numbers, one of short
# decimals, one with words, and an NPY. Usage: bench/bench_read.sh [BUILD_FOLDER]   (after make benchmarks)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../build/dev}
python=${PYTHON:-/usr/bin/python3}
[ -x "$build/bench_read" ] || { echo "no $build/bench_read; build the target 'bench_read' first" >&2; exit 2; }
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: $python has no numpy to make the files" >&2; exit 77; }
"$python" -c 'import pandas' 2>/dev/null || echo "no pandas: the CSV files are read by anorank alone" >&2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
"$python" - "$folder" <<'PYTHON'
import sys
import numpy

folder = sys.argv[1]
rng = numpy.random.default_rng(1)


def write(name, line, rows, columns, header):
    with open(folder + "/" + name, "w") as file:
        file.write(",".join(header) + "\n")
        for row in columns(rows):
            file.write(line % tuple(row))


numbers = ["c%d" % j for j in range(10)]
normal = lambda rows: (rng.normal(size=(rows, 10)) * 100).tolist()
write("digits17.csv", ",".join(["%.17g"] * 10) + "\n", 520000, normal, numbers)
write("decimals3.csv", ",".join(["%.3f"] * 10) + "\n", 1300000, normal, numbers)
words = numpy.array(["red", "green", "blue", "yellow", "violet"])
mixed = lambda rows: zip(*[words[rng.integers(0, 5, rows)]] * 2, *rng.normal(size=(6, rows)))
write("words.csv", "%s,\"%s\"," + ",".join(["%.6f"] * 6) + "\n", 1400000, mixed, numbers[:8])
numpy.save(folder + "/matrix.npy", rng.normal(size=(5000000, 10)))
PYTHON

number() { printf '%s\n' "$1" | sed -n "s/.*$2.*/\\1/p"; }
printf '%-14s %-16s %8s %8s %8s %9s %7s\n' file reader seconds MB/s "cpu s" "peak MB" ratio
for file in digits17.csv decimals3.csv words.csv matrix.npy; do
  cat "$folder/$file" >/dev/null # into the page cache, for all alike
  peer=$("$python" "$here/read_peer.py" "$folder/$file" 3) || peer=
  base=$(number "$peer" ': \([0-9.]*\) s')
  [ "${file##*.}" = npy ] && who=numpy || who=pandas
  for reader in "$who" "$who-columns" anorank anorank-1-thread anorank-blocks; do
    case $reader in
    pandas-columns) continue ;;
    numpy-columns) line=$("$python" "$here/read_peer.py" "$folder/$file" 3 columns) ;;
    anorank-1-thread) line=$("$build/bench_read" --repeat=3 --threads=1 "$folder/$file") ;;
    anorank) line=$("$build/bench_read" --repeat=3 "$folder/$file") ;;
    anorank-blocks) line=$("$build/bench_read" --repeat=3 --blocks "$folder/$file") ;;
    *) line=$peer ;;
    esac
    [ -n "$line" ] || continue
    seconds=$(number "$line" ': \([0-9.]*\) s')
    ratio=$(awk -v a="${base:-0}" -v b="$seconds" 'BEGIN { if (a > 0 && b > 0) printf "%.1fx", a / b; else print "-" }')
    printf '%-14s %-16s %8s %8s %8s %9s %7s\n' "$file" "$reader" "$seconds" \
      "$(number "$line" ', \([0-9]*\) MB.s')" "$(number "$line" 'cpu \([0-9.]*\) s')" \
      "$(number "$line" 'peak \([0-9]*\) MB')" "$ratio"
  done
done
echo "numpy-columns: numpy.load, then each column in one piece, which is what anorank gives"
echo "ratio: seconds of the peer over ours, best of 3, all in one run; on a busy machine compare the CPU seconds"
