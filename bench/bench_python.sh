#!/bin/sh
# bench_python.sh BUILD - the Python package next to scikit-learn and to the C library, in one run: one row, many rows on one
# core, and the peak of memory where 10^7 x 10 doubles are scored. ROWS=... for another number of rows.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
for module in cffi sklearn setuptools wheel; do
  "$python" -c "import $module" 2> /dev/null || { echo "no Python module $module: not measured"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
mkdir -p "$folder/tree/bindings"
for part in CMakeLists.txt cmake include src extras cli; do ln -s "$here/../$part" "$folder/tree/$part"; done
cp -r "$here/../bindings/python" "$folder/tree/bindings/python"
ANORANK_BUILD=$build PIP_CONFIG_FILE=/dev/null "$python" -m pip -q install --no-build-isolation --no-index --no-deps --no-warn-script-location \
  --target "$folder/site" "$folder/tree/bindings/python" 2> "$folder/log" || { cat "$folder/log"; exit 1; }
export PYTHONPATH="$folder/site" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
"$python" "$here/python_speed.py" "$build/bench_one_row"
"$python" "$here/python_memory.py" "${ROWS:-10000000}"
