#!/bin/sh
# What `make install` leaves: programs outside of the tree use it (packaging/debian/tests/library says how).
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
mkdir "$work/library"
(cd "$SOURCE" && AUTOPKGTEST_TMP=$work/library CMAKE_PREFIX_PATH=$prefix LD_LIBRARY_PATH=$libdir sh packaging/debian/tests/library)

# The program of docs/embedding.md, typed as it stands there.
awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE/docs/embedding.md" > "$work/main.c"
$CC -std=c11 "$work/main.c" -o "$work/main" $(pkg-config --cflags --libs anorank)
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
