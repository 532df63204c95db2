#!/bin/sh
# scripts/manylinux.py tags a wheel by the newest glibc that it needs, and refuses one that needs more than glibc.
# labels: nothreads
set -eu
python=/usr/bin/python3
"$python" -c 'import wheel.wheelfile' 2> /dev/null || { echo "skipped: $python has no module wheel"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: the versions below are those of x86-64"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
bad=0

tagged() { # SOURCE [OPTION...]: the name of the wheel with that module
  rm -rf tree ./*.whl out
  mkdir -p tree/one tree/one-1.dist-info out
  printf '%s\n' "$1" > one.c
  shift
  cc -shared -fPIC -nostartfiles -o tree/one/one.so one.c "$@"
  printf 'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp38-abi3-linux_x86_64\n' > tree/one-1.dist-info/WHEEL
  "$python" -c 'import shutil; shutil.make_archive("made", "zip", "tree")'
  mv made.zip one-1-cp38-abi3-linux_x86_64.whl
  SOURCE_DATE_EPOCH=1700000000 "$python" "$SOURCE/scripts/manylinux.py" one-1-cp38-abi3-linux_x86_64.whl out > said 2>&1 || return 1
  ls out
}

expect() { # TAG SOURCE [OPTION...]
  tag=$1 wanted=one-1-cp38-abi3-$1.whl
  shift
  found=$(tagged "$@") || { cat said; bad=1; return; }
  [ "$found" = "$wanted" ] || { echo "$found is not $wanted"; bad=1; }
  "$python" -m zipfile -e "out/$found" unpacked
  grep -qx "Tag: cp38-abi3-$tag" unpacked/one-1.dist-info/WHEEL || { echo "WHEEL has another tag than $tag"; bad=1; }
}

refuse() { # WORDS SOURCE [OPTION...]
  words=$1
  shift
  if tagged "$@" > /dev/null; then echo "not refused: $words"; bad=1
  elif ! grep -qF "$words" said; then cat said; bad=1; fi
}

expect manylinux_2_2_x86_64 '#include <string.h>
int f(const char *a) {return (int)strlen(a);}'
expect manylinux_2_25_x86_64 '#include <unistd.h>
int f(void *a) {return getentropy(a, 8);}' -D_DEFAULT_SOURCE
expect manylinux_2_29_x86_64 '#include <math.h>
double f(double a) {return exp(a);}' -lm
refuse 'needs libz.so.1' 'const char *zlibVersion(void);
const char *f(void) {return zlibVersion();}' -lz
refuse 'looks for libraries in /opt/lib' '#include <string.h>
int f(const char *a) {return (int)strlen(a);}' -Wl,-rpath,/opt/lib
refuse 'is not linked with glibc' 'int f(void) {return 1;}' -nostdlib
exit $bad
