#!/bin/sh
# What `make install` leaves: a program builds against it by pkg-config (shared and static) and by CMake's
# find_package, and gives the same result each way.
set -eu
[ -z "$SANITIZE" ] || { echo "the installed library is checked without sanitizers"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$BUILD" --prefix "$prefix" > "$work/install.log"
pc=$(find "$prefix" -name anorank.pc)
libdir=$(dirname "$(dirname "$pc")")
test -e "$libdir/libanorank.so.1" && test -e "$libdir/libanorank.a" && test -x "$prefix/bin/anorank"
export PKG_CONFIG_PATH="${pc%/*}"
flags() { pkg-config "$@" anorank; }
example=$SOURCE/examples/judge_scores.c

$CC -std=c11 "$example" -o "$work/shared" $(flags --cflags --libs) -lm
LD_LIBRARY_PATH=$libdir "$work/shared" > "$work/shared.out"
$CC -std=c11 "$example" -o "$work/static" $(flags --cflags) "$libdir/libanorank.a" \
  $(flags --static --libs | sed 's/-lanorank//') -lm
"$work/static" > "$work/static.out"
cmp "$work/shared.out" "$work/static.out"

mkdir "$work/consumer"
cat > "$work/consumer/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.22)
project(consumer C)
find_package(anorank $(sh "$SOURCE/scripts/version.sh" numbers) REQUIRED)
add_executable(with_shared $example)
target_link_libraries(with_shared PRIVATE anorank::shared m)
add_executable(with_static $example)
target_link_libraries(with_static PRIVATE anorank::static m)
END
cmake -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_PREFIX_PATH="$prefix" > "$work/cmake.log" 2>&1 ||
  { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/consumer/build" > "$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
for kind in shared static; do
  LD_LIBRARY_PATH=$libdir "$work/consumer/build/with_$kind" | cmp - "$work/shared.out"
done
grep -q 'area' "$work/shared.out"

# The program of docs/embedding.md, typed as it stands there.
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE/docs/embedding.md" > "$work/main.c"
$CC -std=c11 "$work/main.c" -o "$work/main" $(flags --cflags --libs)
cd "$work"
"$prefix/bin/anorank" example cards --rows 2000 --anomalies 0 -o history.csv -q
"$prefix/bin/anorank" example cards --first-row 2000 --rows 1000 --anomalies 0.01 -o today.csv -q
"$prefix/bin/anorank" fit history.csv --drop fraud -o cards.anr -q
LD_LIBRARY_PATH=$libdir ./main | grep -q '^row [0-9]*: score -'

# Links between the pages lead somewhere.
cd "$SOURCE"
for page in *.md docs/*.md docs/research/*.md docs/decisions/*.md bench/README.md packaging/README.md; do
  grep -o '](\([^)#:]*\)[)#]' "$page" | sed 's/^](//; s/[)#]$//' | while read -r link; do
    [ -z "$link" ] || [ -e "$(dirname "$page")/$link" ] || echo "$page: there is no $link"
  done
done > "$work/broken"
[ ! -s "$work/broken" ] || { cat "$work/broken"; exit 1; }
