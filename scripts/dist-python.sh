#!/bin/sh
# dist-python.sh OUTDIR - the Python package: the source distribution, and from it a wheel for x86-64 and one for aarch64, each for
# every Python from 3.8 on. Wheels contain the library, and need glibc alone: zlib, zstd and expat are linked in, from Debian's
# sources. ARCHITECTURES="x86_64 aarch64" chooses. The same sources and tools give the same bytes.
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
root=$PWD work=$PWD/build/dist-python python=/usr/bin/python3
sh scripts/setup.sh build python
SOURCE_DATE_EPOCH=$(sh scripts/version.sh epoch)
export SOURCE_DATE_EPOCH PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
unset CCACHE_BASEDIR CCACHE_NOHASHDIR # they would put other paths into what is built
umask 022
name=anorank-$(sh scripts/version.sh python)
rm -rf "$work"

# In a copy, so that the repository stays as it is.
sdist() {
  mkdir -p "$work/tree/web"
  for part in CMakeLists.txt LICENSE THIRD_PARTY.md README.md CHANGELOG.md cmake include src extras cli web/dist; do
    ln -s "$root/$part" "$work/tree/$part"
  done
  tar cf - --exclude=build --exclude=csrc --exclude='*.egg-info' --exclude='*.so' --exclude=__pycache__ bindings/python |
    (cd "$work/tree" && tar xf -)
  (cd "$work/tree/bindings/python" && "$python" setup.py -q sdist -d "$work") > "$work/sdist.log" 2>&1 ||
    { cat "$work/sdist.log"; exit 1; }
  mkdir "$work/source"
  tar xzf "$work/$name.tar.gz" -C "$work/source"
  sh scripts/pack.sh "$work/source/$name" "$out/$name.tar.gz"
  echo "$out/$name.tar.gz"
}

wheel() { # ARCHITECTURE
  prefix=$(sh scripts/platforms.sh libraries "$1")
  mkdir -p "$work/$1/include/$1-linux-gnu/python3.11"
  tar xzf "$out/$name.tar.gz" -C "$work/$1"
  compiler=gcc
  if [ "$1" != x86_64 ]; then
    compiler=$1-linux-gnu-gcc
    # Debian's Python.h includes the pyconfig.h of the processor. For the limited API, those of 64 bits are the same.
    echo '#include <x86_64-linux-gnu/python3.11/pyconfig.h>' > "$work/$1/include/$1-linux-gnu/python3.11/pyconfig.h"
  fi
  for licence in zlib/LICENSE libzstd/LICENSE expat/COPYING; do
    cp "build/platforms/sources/$licence" "$work/$1/$name/LICENSE.${licence%%/*}"
  done
  (
    cd "$work/$1/$name"
    # -B: static_libraries() of build_anorank.py finds the archives there. The platform is the one that setuptools names.
    export CC="$compiler -B$prefix/lib/" _PYTHON_HOST_PLATFORM="linux-$1" PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig"
    export CFLAGS="-O3 -ffile-prefix-map=$PWD=. -I$work/$1/include" LDFLAGS=-Wl,--build-id=none
    export ANORANK_PLATFORM="$1" ANORANK_PLATFORM_PREFIX="$prefix"
    export ANORANK_CMAKE="-DCMAKE_TOOLCHAIN_FILE=$PWD/csrc/cmake/platforms/toolchain.cmake"
    "$python" -m pip -q --no-input wheel --no-build-isolation --no-index --no-deps -w "$work/$1" .
  ) > "$work/$1.log" 2>&1 || { tail -n 40 "$work/$1.log"; exit 1; }
  "$python" scripts/manylinux.py "$work/$1/$name"-*.whl "$out"
}

sdist
for architecture in ${ARCHITECTURES:-x86_64 aarch64}; do wheel "$architecture"; done
