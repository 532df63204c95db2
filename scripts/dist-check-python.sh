#!/bin/sh
# dist-check-python.sh OUTDIR - install the wheel of this machine into a virtual environment where no compiler can be found, and run
# the tests of the Python package there; then build the source distribution and score with it; then use the wheel for aarch64 under
# qemu, with Debian's Python for it. ANORANK names the command line that scores must agree with. STEPS chooses.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
SOURCE=$PWD BUILD=$PWD/build/python-check python=/usr/bin/python3
sh scripts/setup.sh build python
if [ -z "${ANORANK:-}" ]; then
  cmake --preset release > /dev/null
  cmake --build --preset release -j "${JOBS:-2}" --target anorank > /dev/null
  ANORANK=$PWD/build/release/anorank
fi
export SOURCE BUILD ANORANK PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
pip="-m pip -q --no-input"
name=anorank-$(sh scripts/version.sh python)
mkdir -p "$BUILD/python"

# A PATH with these alone.
tools() {
  rm -rf "$BUILD/bin"
  mkdir -p "$BUILD/bin"
  for tool in sh env basename cat rm mkdir; do ln -s "$(command -v "$tool")" "$BUILD/bin/$tool"; done
  for compiler in cc gcc c99 clang tcc ld make cmake; do
    if PATH=$BUILD/bin command -v "$compiler" > /dev/null; then echo "dist-check-python.sh: $compiler is on PATH"; exit 1; fi
  done
}

environment() { # FOLDER
  rm -rf "$1"
  "$python" -m venv --system-site-packages --without-pip "$1"
}

scores() { # PYTHON...
  (cd "$BUILD" && "$@" -c 'import anorank
frame = anorank.datasets.cards(300)
print(*anorank.AnomalyRanker().fit(frame).score_samples(frame))')
}

wheel() {
  tools
  environment "$BUILD/python/venv"
  PATH=$BUILD/bin "$python" $pip --python "$BUILD/python/venv/bin/python" install --no-index --no-deps "$out/$name"-cp38-abi3-manylinux_*_"$(uname -m)".whl
  "$BUILD/python/venv/bin/python" -c 'import anorank, sys; assert anorank.__file__.startswith(sys.prefix); print("wheel:", anorank.__version__, "in", sys.prefix)'
  for step in tests estimators doctest; do PATH=$BUILD/bin sh tests/python/python_check.sh "$step"; done
}

sdist() {
  environment "$BUILD/python/venv-sdist"
  "$python" $pip --python "$BUILD/python/venv-sdist/bin/python" install --no-build-isolation --no-index --no-deps "$out/$name.tar.gz"
  scores "$BUILD/python/venv/bin/python" > "$BUILD/wheel.scores"
  scores "$BUILD/python/venv-sdist/bin/python" > "$BUILD/sdist.scores"
  cmp "$BUILD/wheel.scores" "$BUILD/sdist.scores"
  echo "sdist: installs and scores like the wheel"
}

# Debian's Python for aarch64 and what the package needs, unpacked into a folder; apt's own configuration stays as it is.
foreign_python() { # FOLDER
  [ ! -e "$1/complete" ] || return 0
  mkdir -p "$1/apt/parts" "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/root"
  : > "$1/apt/status"
  mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2> /dev/null | head -n 1)
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
    "${mirror:-http://deb.debian.org/debian}" "$(. /etc/os-release && echo "$VERSION_CODENAME")" > "$1/apt/parts/debian.sources"
  private="-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::status=$1/apt/status -o Dir::Etc::sourcelist=/dev/null
    -o Dir::Etc::sourceparts=$1/apt/parts -o Dir::State::lists=$1/apt/lists -o Dir::Cache=$1/apt/cache -o APT::Sandbox::User=root"
  { apt-get $private update && apt-get $private install -y --download-only --no-install-recommends \
    python3 python3-cffi-backend python3-numpy python3-pandas python3-sklearn python3-pytest; } > "$1/apt/log" 2>&1 || return 1
  for package in "$1"/apt/cache/archives/*.deb; do dpkg-deb -x "$package" "$1/root"; done
  rm -rf "$1/apt/cache"
  touch "$1/complete"
}

aarch64() {
  sh scripts/setup.sh platform-aarch64
  arm=$BUILD/aarch64
  if ! foreign_python "$arm"; then echo "aarch64: untested, Debian's Python for it cannot be fetched"; return 0; fi
  rm -rf "$arm/site"
  mkdir "$arm/site"
  "$python" -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$out/$name"-cp38-abi3-manylinux_*_aarch64.whl "$arm/site"
  lib=$arm/root/usr/lib/aarch64-linux-gnu
  set -- qemu-aarch64-static -L "$arm/root" -E "LD_LIBRARY_PATH=$lib/blas:$lib/lapack" -E "PYTHONHOME=$arm/root/usr" \
    -E "PYTHONPATH=$arm/site:$arm/root/usr/lib/python3/dist-packages" -E OMP_NUM_THREADS=1 "$arm/root/usr/bin/python3.11"
  scores "$@" > "$BUILD/aarch64.scores"
  paste -d ' ' "$BUILD/wheel.scores" "$BUILD/aarch64.scores" | awk '{
    for (i = 1; i <= NF / 2; i++) {d = $i - $(i + NF / 2); if (d < 0) d = -d; s = $i < 0 ? -$i : $i; if (s > 1) d /= s; if (d > most) most = d}
    printf "aarch64: %d scores, largest difference from x86-64 %.3g\n", NF / 2, most; exit !(NF >= 600 && most < 1e-9)}'
  parity=$SOURCE/tests/python/test_python_parity.py # all of it takes a quarter of an hour there
  (cd "$BUILD" && "$@" -m pytest -q -p no:cacheprovider "$SOURCE/tests/python/test_python_criterion.py" \
    "$parity::test_a_frame_scores_as_its_csv" "$parity::test_the_model_has_the_bytes_of_the_command_line")
}

for step in ${STEPS:-wheel sdist aarch64}; do "$step"; done
