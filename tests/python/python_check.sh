#!/bin/sh
# python_check.sh STEP - the Python package, as a user gets it:
#
#   package      build the wheel (with the C library of BUILD) and the source distribution; install the wheel into a fresh
#                virtual environment, BUILD/python/venv
#   source       build the wheel again from the unpacked source distribution alone, and score with it
#   tests, estimators, dask, examples, doctest, types run in that environment
#   cycles       the tests, 10,000 cycles of fits among them
#   asan         the same with the sanitized library of BUILD preloaded
#
# `make check-full` alone runs source, cycles and asan.
#
# Exit status 77, with a sentence, where Debian's Python lacks what it needs: `make check` installs it.
set -eu
step=$1
python=${PYTHON:-/usr/bin/python3}
here=$SOURCE/tests/python
work=$BUILD/python
export PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
pip="-m pip -q --no-input"

for module in cffi numpy pandas sklearn setuptools wheel pip venv pytest mypy; do
  "$python" -c "import $module" 2> /dev/null ||
    { echo "skipped: $python has no module $module; 'sh scripts/setup.sh python' installs it"; exit 77; }
done

# tree FOLDER: the package and what it is built from, so that the repository stays as it is
tree() {
  rm -rf "$1"
  mkdir -p "$1/bindings/python"
  for part in CMakeLists.txt LICENSE THIRD_PARTY.md README.md CHANGELOG.md cmake include src extras cli; do
    ln -s "$SOURCE/$part" "$1/$part"
  done
  mkdir "$1/web"
  ln -s "$SOURCE/web/dist" "$1/web/dist"
  (cd "$SOURCE/bindings/python" && tar cf - --exclude=build --exclude='*.egg-info' --exclude='*.so' --exclude=__pycache__ .) |
    (cd "$1/bindings/python" && tar xf -)
}

environment() { # FOLDER WHEEL
  "$python" -m venv --system-site-packages --without-pip "$1"
  "$python" $pip --python "$1/bin/python" install --no-index --no-deps --force-reinstall "$2"
}

case $step in
package)
  rm -rf "$work/venv" "$work/dist"
  tree "$work/tree"
  cd "$work/tree/bindings/python"
  ANORANK_BUILD=$BUILD "$python" $pip wheel --no-build-isolation --no-index --no-deps -w "$work/dist" .
  "$python" setup.py -q sdist -d "$work/dist" 2> "$work/sdist.log" || { cat "$work/sdist.log"; exit 1; }
  environment "$work/venv" "$work"/dist/*.whl
  ls "$work/dist"
  case $(ls "$work"/dist/*.whl) in *-cp38-abi3-*) ;; *) echo "the wheel is not one for all Pythons"; exit 1 ;; esac
  module=$(ls "$work"/venv/lib/python3*/site-packages/anorank/_anorank.abi3.so)
  needs=$(ldd "$module" | awk '{print $1}' | grep -vE '^(linux-vdso|libm\.|libc\.|libpthread\.|/lib)' || true)
  [ -z "$needs" ] || { echo "the module needs more than libc:" $needs; exit 1; }
  shown=$(nm -D --defined-only "$module" | awk '{print $3}' | grep -v '^PyInit__anorank$' || true)
  [ -z "$shown" ] || { echo "the module shows symbols:" $shown; exit 1; }
  ;;
source)
  rm -rf "$work/source" "$work/venv-source"
  mkdir -p "$work/source"
  tar xzf "$work"/dist/*.tar.gz -C "$work/source"
  cd "$work"/source/anorank-*
  # Quick to compile; the scores are the same whatever the compiler does with its time.
  ANORANK_CMAKE="-DCMAKE_C_FLAGS_RELEASE=-O0" "$python" $pip wheel --no-build-isolation --no-index --no-deps -w "$work/source" .
  environment "$work/venv-source" "$work"/source/*.whl
  cd "$work"
  for one in venv venv-source; do
    "$work/$one/bin/python" -c 'import anorank; frame = anorank.datasets.cards(300); print(*anorank.AnomalyRanker("knn").fit(frame).score_samples(frame))' > "$work/$one.scores"
  done
  cmp "$work/venv.scores" "$work/venv-source.scores"
  ;;
tests | cycles)
  [ "$step" = tests ] || export CYCLES=10000
  cd "$work"
  "$work/venv/bin/python" -W error -m pytest -q -p no:cacheprovider -W error "$here" --ignore="$here/test_python_estimators.py" \
    --ignore="$here/test_python_dask.py"
  ;;
dask) # a local cluster of processes; what Dask itself warns of is not ours
  for module in dask.dataframe distributed; do
    "$python" -c "import $module" 2> /dev/null ||
      { echo "skipped: $python has no module $module; 'sh scripts/setup.sh python' installs it"; exit 77; }
  done
  cd "$work"
  "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$here/test_python_dask.py"
  ;;
estimators)
  cd "$work"
  "$work/venv/bin/python" -m pytest -q -p no:cacheprovider -W error "$here/test_python_estimators.py"
  ;;
examples)
  cd "$work"
  for script in "$SOURCE"/examples/python/*.py; do
    echo "== $(basename "$script")"
    "$work/venv/bin/python" -W error "$script"
  done
  ;;
doctest)
  cd "$work"
  "$work/venv/bin/python" -W error "$here/run_doctests.py" "$SOURCE"
  ;;
types)
  cd "$work/tree/bindings/python"
  "$work/venv/bin/python" -m mypy --cache-dir "$work/mypy" --python-executable "$work/venv/bin/python"
  config=$PWD/pyproject.toml # with other settings nothing of the cache could be used again
  cd "$work"
  "$work/venv/bin/python" -m mypy --config-file "$config" --cache-dir "$work/mypy" --python-executable "$work/venv/bin/python" \
    "$here/typed_user.py"
  ;;
asan)
  rm -rf "$work"
  tree "$work/tree"
  cd "$work/tree/bindings/python"
  ANORANK_BUILD=$BUILD ANORANK_SANITIZE=address,undefined "$python" $pip wheel --no-build-isolation --no-index --no-deps -w "$work/dist" .
  environment "$work/venv" "$work"/dist/*.whl
  cd "$work"
  # Python itself leaks, by design; a fork or a second interpreter under the sanitizer says nothing about us.
  ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)" CYCLES=${CYCLES:-10000} \
    MEMORY_BOUND=0 "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$here" --ignore="$here/test_python_dask.py" -k "not sub_interpreter and not ctrl_c"
  ;;
*) echo "python_check.sh: no step '$step'" >&2; exit 2 ;;
esac
