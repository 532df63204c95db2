#!/bin/sh
# The shared library exports exactly what the header declares, and its Debian package lists that; inside the static library every shared name has our
# prefix.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$LIBRARY" | awk '$2 ~ /[TDBRVW]/ {print $3}' |
  grep -vE '^(__|_init$|_fini$|_edata$|_end$|_start)' | sort > "$work/exported"
ls "$SOURCE"/include/anorank/*.h | grep -v /extras.h | xargs cat | tr '\n' ' ' | grep -oE 'ANORANK_API [^;(]*\(' |
  grep -oE 'anorank_[a-z0-9_]+\($' | tr -d '(' | sort -u > "$work/declared"
case $SANITIZE in
"") ;;
*) grep '^anorank_' "$work/exported" > "$work/ours" || true; mv "$work/ours" "$work/exported" ;;
esac
if ! diff "$work/declared" "$work/exported"; then
  echo "'<' is declared in include/anorank but not exported, '>' exported but not declared"
  exit 1
fi
awk '$1 ~ /^anorank_/ {sub(/@.*/, "", $1); print $1}' "$SOURCE/packaging/debian/libanorank1.symbols" | sort > "$work/listed"
if ! diff "$work/declared" "$work/listed"; then
  echo "packaging/debian/libanorank1.symbols must list what include/anorank declares, with the version that brought it"
  exit 1
fi
foreign=$(nm --defined-only "$STATIC_LIBRARY" | awk 'NF == 3 && $2 ~ /[TDBRC]/ {print $3}' |
  grep -vE '^(anorank_|ank_|__|_?_?asan|_?_?odr|_?_?gcov|llvm)' || true)
if [ -n "$foreign" ]; then
  echo "names without our prefix in the static library: $foreign"
  exit 1
fi
test -s "$work/declared"
