#!/bin/sh
# platforms.sh [TARGET...] - build anorank for other platforms, run unit and contract tests there, and compare what they write
# and score with x86-64 and gcc. Targets: x86_64-gcc (what others are compared with), x86_64-clang, i386, aarch64, s390x,
# musl, musl-aarch64, mingw, macos; all of them by default. One row per target is added to build/platforms/table.md.
# docs/platforms.md says what the columns mean.
#
#   platforms.sh static-x86_64 FILE     the command line as one stripped file that needs no library, by musl;
#   platforms.sh static-aarch64 FILE    checked for what it must not contain. Both leave out `serve`.
#   platforms.sh windows FILE           the command line as FILE (anorank.exe), by mingw-w64, equally
#   platforms.sh libraries TARGET       zlib, zstd and expat as static libraries, also for x86_64; prints their folder
#
# Parts of a row, so that one can be repeated: STEPS="build compare test cli" by default. `cli` compares what six commands
# write, and runs the tests of the command line where the processor runs the program. TESTS is what ctest runs (-R). Tests are built with CFLAGS (-O2).
# Under an emulator ANORANK_EMULATED is set, and tests with the label long are left out.
set -u
cd "$(dirname "$0")/.."
root=$PWD jobs=${JOBS:-$(nproc)}
work=$root/build/platforms
mkdir -p "$work"
export WINEPREFIX="$work/wine" WINEDEBUG=-all

say() { echo "platforms.sh: $*" >&2; }
wants() { case " ${STEPS:-build compare test cli} " in *" $1 "*) ;; *) false ;; esac; }

# Debian packages that are missing; nothing is upgraded.
packages() {
  case $1 in
  x86_64-gcc) sh scripts/setup.sh build test ;;
  x86_64-clang) sh scripts/setup.sh build test fuzz ;;
  macos) sh scripts/setup.sh build ;;
  *) sh scripts/setup.sh build test "platform-$1" ;;
  esac
}

platform() { # TARGET: what the toolchain file and pkg-config look at
  export ANORANK_PLATFORM="$1" ANORANK_PLATFORM_PREFIX="$work/$1/prefix"
  case $1 in x86_64-*) unset PKG_CONFIG_LIBDIR ;; *) export PKG_CONFIG_LIBDIR="$work/$1/prefix/lib/pkgconfig" ;; esac
  mkdir -p "$work/$1"
}

# musl itself, for a processor that Debian has no musl-tools for: with the compiler of that processor.
c_library() {
  [ "$1" = musl-aarch64 ] && [ ! -e "$work/$1/prefix/bin/musl-gcc" ] || return 0
  sh scripts/platform-sources.sh "$work/sources" musl && rm -rf "$work/$1/musl" && mkdir -p "$work/$1/musl" &&
    (cd "$work/$1/musl" && CFLAGS=-O2 "$work/sources/musl/configure" --prefix="$work/$1/prefix" --target=aarch64 \
      --disable-shared --enable-wrapper=gcc CC=aarch64-linux-gnu-gcc CROSS_COMPILE=aarch64-linux-gnu- && make -j "$jobs" install)
}

libraries() {
  sh scripts/platform-sources.sh "$work/sources" zlib libzstd expat cmocka && c_library "$1" || return 1
  [ ! -e "$work/$1/prefix/complete" ] || return 0
  CFLAGS="-O2 -ffile-prefix-map=$work=." cmake -S cmake/platforms/libraries -B "$work/$1/libraries" \
    -DCMAKE_TOOLCHAIN_FILE="$root/cmake/platforms/toolchain.cmake" \
    -DCMAKE_BUILD_TYPE=None -DSOURCES="$work/sources" -DCMAKE_INSTALL_PREFIX="$work/$1/prefix" &&
    cmake --build "$work/$1/libraries" -j "$jobs" && cmake --install "$work/$1/libraries" &&
    touch "$work/$1/prefix/complete"
}

configure() {
  export CFLAGS="${CFLAGS:--O2}"
  case $1 in
  x86_64-gcc) CC=gcc cmake -S . -B "$work/$1/build" -DANORANK_WERROR=ON ;;
  x86_64-clang) CC=${CLANG:-clang} cmake -S . -B "$work/$1/build" -DANORANK_WERROR=ON ;;
  *)
    libraries "$1" || return 1
    # warnings of cross compilers are shown and do not stop anything: other versions of gcc have other ones
    cmake -S . -B "$work/$1/build" -DCMAKE_TOOLCHAIN_FILE="$root/cmake/platforms/toolchain.cmake" -DANORANK_SERVE=OFF ;;
  esac
}

emulator() {
  case $1 in
  aarch64 | s390x) echo "qemu-$1-static" ;;
  musl-aarch64) echo qemu-aarch64-static ;;
  mingw) echo /usr/lib/wine/wine64 ;;
  *) echo env ;;
  esac
}

program() { # TARGET NAME
  found=$work/$1/build/$2
  [ -e "$found" ] || found=$found.exe
  echo "$found"
}

# "n of m": tests passed, and how many skipped; failures go to failed.LABEL.txt.
run_tests() { # TARGET LABEL
  leave_out='slow'
  if [ "$(emulator "$1")" != env ]; then
    leave_out='slow|long'
    export ANORANK_EMULATED=1
  fi
  (cd "$work/$1/build" && ctest -j "$jobs" -L "$2" -LE "$leave_out" -R "${TESTS:-/}" > "$work/$1/ctest.$2.log" 2>&1)
  unset ANORANK_EMULATED
  awk '/tests passed/ {match($0, /[0-9]+ tests failed out of [0-9]+/)
         split(substr($0, RSTART), word, " "); all = word[6]; bad = word[1]; found = 1}
       /\*\*\*Skipped/ {skipped++}
       END {if (!found) printf "none"
            else printf "%d of %d%s", all - bad - skipped, all, skipped ? ", " skipped " skipped" : ""}' "$work/$1/ctest.$2.log"
  sed -n '/The following tests FAILED/,$p' "$work/$1/ctest.$2.log" | grep -E '^\s+[0-9]+ - ' > "$work/$1/failed.$2.txt"
}

# The largest relative difference between two folders of scores, and of their p-values.
difference() {
  for file in "$1"/*.scores; do
    paste -d ' ' "$file" "$2/$(basename "$file")" | tr -d '\r' | awk -v name="$(basename "$file" .scores)" '
      function gap(a, b) {d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; return d == 0 ? 0 : s > 1 ? d / s : d}
      {if (NF != 4) bad = 1; g = gap($1, $3); if (g > most) most = g; p = gap($2, $4); if (p > most_p) most_p = p}
      END {printf "%.3g %.3g %s\n", bad || NR == 0 ? 1e9 : most, most_p, name}'
  done | awk '$1 > most || NR == 1 {most = $1; name = $3} $2 > most_p {most_p = $2; name_p = $3}
    END {printf "%s (%s)", most, name; if (most_p > 0) printf ", p-values %s (%s)", most_p, name_p}'
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
  bytes="same bytes both ways"
  for file in "$reference"/made/*.anr "$reference"/made/*.stream; do
    cmp -s "$file" "$own/read/$(basename "$file")" || { say "$1: $(basename "$file") changed when it was read and written"; bytes="BYTES DIFFER"; }
  done
  for file in "$own"/made/*.anr "$own"/made/*.stream; do
    cmp -s "$file" "$own/back/$(basename "$file")" || { say "x86_64-gcc: $(basename "$file") of $1 changed"; bytes="BYTES DIFFER"; }
  done
  echo "$bytes; same model: $(difference "$own/read" "$reference/made") there," \
    "$(difference "$own/back" "$own/made") back; own fits: $(difference "$own/made" "$reference/made")"
}

# The main commands there and here: every word of their output is the same, or a number up to the difference that is printed.
commands() {
  run=$(emulator "$1") own=$work/$1/commands here=$work/x86_64-gcc/commands
  use_commands "$1" "$own" "$run" && { [ -e "$here/complete" ] || use_commands x86_64-gcc "$here" env; } || { echo "failed"; return; }
  for file in table.csv scores.csv ranked.csv detected.csv detected.txt; do
    tr -s ' ,"' '\n\n\n' < "$here/$file" > "$work/here.words"
    tr -d '\r' < "$own/$file" | tr -s ' ,"' '\n\n\n' | paste -d ' ' "$work/here.words" - | awk -v file="$file" '
      $1 == $2 {next}
      $1 !~ /^[-+0-9.]/ || NF != 2 {others++; next}
      {d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1; if (s > 1) d /= s; if (d > most) most = d}
      END {printf "%.3g %d %s\n", most, others, file}'
  done | awk '$1 > most {most = $1} {others += $2} END {printf "6 commands, largest difference %s%s", most + 0, others ? ", OTHER WORDS: " others : ""}'
}

use_commands() { # TARGET FOLDER EMULATOR
  rm -rf "$2" && mkdir -p "$2" && (
    cd "$2" && anorank="$3 $(program "$1" anorank)" &&
      $anorank example cards --rows 2000 -o table.csv -q && $anorank fit table.csv --drop fraud -o model.anr -q &&
      $anorank score model.anr table.csv -o scores.csv -q && $anorank rank model.anr table.csv -o ranked.csv -q &&
      $anorank detect table.csv --drop fraud -o detected.csv -q &&
      $anorank detect - --drop fraud --lowest 5 --output-format table -q < table.csv > detected.txt && touch complete)
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
  platform "$1"
  log=$work/$1/build.log
  if wants build; then
    say "$1: building"
    [ -e "$work/$1/build/CMakeCache.txt" ] || rm -f "$log" # an interrupted build continues its log
    programs="anorank library_tests platform_probe"
    [ "$1" = mingw ] || programs="$programs on_terminal"
    if ! { configure "$1" && cmake --build "$work/$1/build" -j "$jobs" --target $programs; } >> "$log" 2>&1; then
      say "$(grep -E 'error|Error' "$log" | tail -n 5)"
      row "$1" "no: build/platforms/$1/build.log" - - -
      return
    fi
  fi
  built="yes, $(grep 'warning:' "$log" | sort -u | wc -l) warnings"
  if [ "$1" = x86_64-gcc ] && [ ! -e "$work/$1/table.csv" ]; then
    mkdir -p "$work/$1/made"
    "$work/$1/build/anorank" example cards --rows 400 -o "$work/$1/table.csv" &&
      "$(program "$1" tests/platform_probe)" make "$work/$1/table.csv" "$work/$1/made"
  fi
  scores="not run" tests="not run" cli="not run"
  if wants compare; then say "$1: comparing scores" && scores=$(compare "$1"); fi
  if wants test; then say "$1: testing" && tests=$(run_tests "$1" 'unit|contract'); fi
  if wants cli; then
    say "$1: testing the command line"
    cli=$(commands "$1")
    [ "$(emulator "$1")" != env ] || cli="$(run_tests "$1" cli); $cli"
  fi
  row "$1" "$built" "$tests" "$cli" "$scores"
}

# The command line alone, stripped and without tests, for users.
static_program() { # TARGET STRIP FILE
  packages "$1" && platform "$1" || return 1
  { libraries "$1" &&
    CFLAGS="-O3 -ffile-prefix-map=$work/$1=. -ffile-prefix-map=$root=." cmake -S . -B "$work/$1/static" \
      -DCMAKE_TOOLCHAIN_FILE="$root/cmake/platforms/toolchain.cmake" -DANORANK_SERVE=OFF -DANORANK_TESTS=OFF &&
    cmake --build "$work/$1/static" -j "$jobs" --target anorank; } > "$work/$1/static.log" 2>&1 ||
    { tail -n 20 "$work/$1/static.log" >&2; return 1; }
  made=$work/$1/static/anorank
  [ -e "$made" ] || made=$made.exe
  "$2" -o "$3" "$made" && check_static "$1" "$3"
}

# No interpreter, no needed library, no symbol of glibc, no path of this machine.
check_static() { # TARGET FILE
  if [ "$1" != mingw ] && readelf -lWd "$2" | grep -E 'INTERP|NEEDED'; then say "$2: is not static"; return 1; fi
  if grep -a -o -m 1 -E 'GLIBC_[0-9.]+|GNU C Library' "$2"; then say "$2: contains glibc"; return 1; fi
  if grep -a -F -o -m 1 "$root" "$2"; then say "$2: contains a path of this machine"; return 1; fi
}

case ${1:-} in
static-x86_64) static_program musl strip "${2:?name the file to write}"; exit ;;
static-aarch64) static_program musl-aarch64 aarch64-linux-gnu-strip "${2:?name the file to write}"; exit ;;
windows) static_program mingw x86_64-w64-mingw32-strip "${2:?name the file to write}"; exit ;;
libraries)
  { packages "$2" && platform "$2" && libraries "$2"; } > "$work/libraries.log" 2>&1 ||
    { tail -n 20 "$work/libraries.log" >&2; exit 1; }
  echo "$work/$2/prefix"
  exit ;;
esac
[ -e "$work/table.md" ] || printf '| platform | builds | unit and contract tests | CLI tests | scores |\n|---|---|---|---|---|\n' > "$work/table.md"
for name in ${*:-x86_64-gcc x86_64-clang i386 aarch64 s390x musl musl-aarch64 mingw macos}; do target "$name"; done
