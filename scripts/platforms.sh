#!/bin/sh
# platforms.sh [TARGET...] - build anorank for other platforms, run unit and contract tests there, and compare what they write
# and score with x86-64 and gcc. Targets: x86_64-gcc (what others are compared with), x86_64-clang, i386, aarch64, s390x,
# musl, mingw, macos; all of them by default. One row per target is added to build/platforms/table.md. docs/platforms.md
# says what the columns mean.
#
# TESTS is what ctest runs (-R), '/test_' by default; with TESTS=none it is left out. CLI=1 runs the tests of the command line
# too, where the processor runs the program.
set -u
cd "$(dirname "$0")/.."
root=$PWD jobs=${JOBS:-$(nproc)}
work=$root/build/platforms
mkdir -p "$work"
export WINEPREFIX="$work/wine" WINEDEBUG=-all

say() { echo "platforms.sh: $*" >&2; }

# Debian packages that are missing; nothing is upgraded.
packages() {
  case $1 in
  x86_64-gcc) sh scripts/setup.sh build test ;;
  x86_64-clang) sh scripts/setup.sh build test fuzz ;;
  macos) : ;;
  *) sh scripts/setup.sh build test "platform-$1" ;;
  esac
}

libraries() {
  sh scripts/platform-sources.sh "$work/sources" || return 1
  [ ! -e "$work/$1/prefix/complete" ] || return 0
  cmake -S cmake/platforms/libraries -B "$work/$1/libraries" -DCMAKE_TOOLCHAIN_FILE="$root/cmake/platforms/toolchain.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DSOURCES="$work/sources" -DCMAKE_INSTALL_PREFIX="$work/$1/prefix" &&
    nice cmake --build "$work/$1/libraries" -j "$jobs" && cmake --install "$work/$1/libraries" &&
    touch "$work/$1/prefix/complete"
}

configure() {
  case $1 in
  x86_64-gcc) CC=gcc cmake -S . -B "$work/$1/build" -DANORANK_WERROR=ON ;;
  x86_64-clang) CC=clang cmake -S . -B "$work/$1/build" -DANORANK_WERROR=ON ;;
  *)
    libraries "$1" || return 1
    # warnings of cross compilers are shown and do not stop anything: other versions of gcc have other ones
    cmake -S . -B "$work/$1/build" -DCMAKE_TOOLCHAIN_FILE="$root/cmake/platforms/toolchain.cmake" -DANORANK_SERVE=OFF ;;
  esac
}

emulator() {
  case $1 in
  aarch64 | s390x) echo "qemu-$1-static" ;;
  mingw) echo /usr/lib/wine/wine64 ;;
  *) echo env ;;
  esac
}

program() { # TARGET NAME
  found=$work/$1/build/$2
  [ -e "$found" ] || found=$found.exe
  echo "$found"
}

# "n of m": tests passed; their failures go to failed.txt.
run_tests() { # TARGET LABELS
  [ "${TESTS:-}" != none ] || { echo "not run"; return; }
  (cd "$work/$1/build" && nice ctest -j "$jobs" -L "$2" -LE 'slow|long' -R "${TESTS:-/test_}" --timeout "${TIMEOUT:-1800}" > "$work/$1/ctest.$2.log" 2>&1)
  awk '/tests passed/ {all = $NF} /^[0-9]+% tests passed/ {match($0, /[0-9]+ tests failed out of [0-9]+/)
         split(substr($0, RSTART), word, " "); printf "%d of %d", word[6] - word[1], word[6]; found = 1}
       END {if (!found) printf "none"}' "$work/$1/ctest.$2.log" | tr -d '\n'
  sed -n '/The following tests FAILED/,$p' "$work/$1/ctest.$2.log" | grep -E '^\s+[0-9]+ - ' > "$work/$1/failed.$2.txt"
}

# The largest relative difference between two folders of scores.
difference() {
  for file in "$1"/*.scores; do
    paste -d ' ' "$file" "$2/$(basename "$file")" | tr -d '\r' | awk -v name="$(basename "$file" .scores)" '
      function gap(a, b) {d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; return d == 0 ? 0 : s > 1 ? d / s : d}
      {if (NF != 4) bad = 1; g = gap($1, $3); if (g > most) most = g}
      END {printf "%.3g %s\n", bad || NR == 0 ? 1e9 : most, name}'
  done | sort -g | tail -n 1
}

# What another platform wrote is read here, and the other way round: bytes and scores.
compare() {
  [ "$1" != x86_64-gcc ] || { echo "is the reference"; return; }
  reference=$work/x86_64-gcc own=$work/$1 run=$(emulator "$1")
  rm -rf "$own/made" "$own/read" "$own/back"
  mkdir -p "$own/made" "$own/read" "$own/back"
  probe=$(program "$1" tests/platform_probe)
  cp "$reference/table.csv" "$own/table.csv"
  (cd "$own" && $run "$probe" make table.csv made && $run "$probe" use table.csv ../x86_64-gcc/made read) || { echo "failed"; return; }
  "$(program x86_64-gcc tests/platform_probe)" use "$own/table.csv" "$own/made" "$own/back" || { echo "failed"; return; }
  differ=0
  for file in "$reference"/made/*.anr "$reference"/made/*.stream; do
    cmp -s "$file" "$own/read/$(basename "$file")" || { say "$1: $(basename "$file") changed when it was read and written"; differ=1; }
  done
  for file in "$own"/made/*.anr "$own"/made/*.stream; do
    cmp -s "$file" "$own/back/$(basename "$file")" || { say "x86_64-gcc: $(basename "$file") of $1 changed"; differ=1; }
  done
  there=$(difference "$own/read" "$reference/made")
  back=$(difference "$own/back" "$own/made")
  fits=$(difference "$own/made" "$reference/made")
  bytes="same bytes both ways"
  [ $differ = 0 ] || bytes="BYTES DIFFER"
  echo "$bytes; same model: ${there% *} there, ${back% *} back; own fits: ${fits% *} (${fits#* })"
}

macos() {
  bad=0
  for file in src/*/*.c cli/*.c extras/*/*.c; do
    gcc -std=c11 -fsyntax-only -Wall -Werror=implicit-function-declaration -D_XOPEN_SOURCE=700 -U__linux__ -D__APPLE__ \
      -include cmake/platforms/darwin/darwin.h -I cmake/platforms/darwin -I include -I src -I extras "$file" || bad=1
  done > "$work/macos.log" 2>&1
  if [ $bad = 0 ]; then echo "compiles against POSIX names (syntax only)"; else echo "DOES NOT COMPILE: build/platforms/macos.log"; fi
}

row() { echo "| $1 | $2 | $3 | $4 | $5 |" | tee -a "$work/table.md"; }

target() {
  packages "$1" || { row "$1" "packages are missing" - - -; return; }
  if [ "$1" = macos ]; then row macos "$(macos)" untested untested untested; return; fi
  export ANORANK_PLATFORM="$1" ANORANK_PLATFORM_PREFIX="$work/$1/prefix"
  case $1 in x86_64-*) unset PKG_CONFIG_LIBDIR ;; *) export PKG_CONFIG_LIBDIR="$work/$1/prefix/lib/pkgconfig" ;; esac
  mkdir -p "$work/$1"
  say "$1: building"
  targets="anorank library_tests platform_probe" missing=
  [ "$1" != mingw ] || targets="anorank_static platform_probe" missing=", library only"
  if ! { configure "$1" && nice cmake --build "$work/$1/build" -j "$jobs" --target $targets; } > "$work/$1/build.log" 2>&1; then
    say "$(grep -E -m 5 'error|Error' "$work/$1/build.log")"
    row "$1" "no: build/platforms/$1/build.log" - - -
    return
  fi
  warnings=$(grep -c 'warning:' "$work/$1/build.log")
  if [ "$1" = x86_64-gcc ] && [ ! -e "$work/$1/table.csv" ]; then
    mkdir -p "$work/$1/made"
    "$work/$1/build/anorank" example cards --rows 400 -o "$work/$1/table.csv" &&
      "$(program "$1" tests/platform_probe)" make "$work/$1/table.csv" "$work/$1/made"
  fi
  # Some tests want what Windows does not have: those that build are run.
  [ "$1" != mingw ] || nice cmake --build "$work/$1/build" -j "$jobs" --target library_tests -- -k > "$work/$1/tests.log" 2>&1
  say "$1: comparing scores"
  scores=$(compare "$1")
  say "$1: testing"
  tests=$(run_tests "$1" 'unit|contract')
  cli="not run"
  if [ "${CLI:-0}" = 1 ] && [ "$(emulator "$1")" = env ]; then cli=$(run_tests "$1" cli); fi
  row "$1" "yes$missing, $warnings warnings" "$tests" "$cli" "$scores"
}

[ -e "$work/table.md" ] || printf '| platform | builds | unit and contract tests | CLI tests | scores |\n|---|---|---|---|---|\n' > "$work/table.md"
for name in ${*:-x86_64-gcc x86_64-clang i386 aarch64 s390x musl mingw macos}; do target "$name"; done
