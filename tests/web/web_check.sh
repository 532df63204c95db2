#!/bin/sh
# web_check.sh STEP - the pages: `bundle` (web/dist is what web/ builds), `report` (a browser opens one), `wasm` (build the
# library as WebAssembly), `page` (a browser opens that), `npm` (the npm package, next to the command line) or `large` (a report of a
# million rows). All need Node.js and the packages of
# web/ (scripts/setup-web.sh), most of them Chromium; where these are absent they skip, and say so.
set -eu
skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null 2>&1 || skip 'there is no Node.js'
[ -d "$SOURCE/web/node_modules/esbuild" ] || skip "web/node_modules is not there: npm ci in web/ makes it"

case $1 in
bundle)
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$SOURCE/web"
  node node_modules/typescript/bin/tsc --noEmit -p .
  node build.mjs --check "$folder"
  diff -r "$folder" dist || { echo 'web/dist is not what web/ builds: run npm run build in web/'; exit 1; }
  ;;
wasm | npm)
  for tool in clang wasm-ld wasm-opt cmake; do command -v $tool >/dev/null 2>&1 || skip "there is no $tool: scripts/setup.sh page installs it"; done
  [ -e /usr/include/wasm32-wasi/stdio.h ] || skip 'there is no wasi-libc: scripts/setup.sh page installs it'
  if [ "$1" = wasm ]; then
    sh "$SOURCE/scripts/page.sh" 2
    exit
  fi
  sh "$SOURCE/scripts/dist-npm.sh" "$BUILD/npm"
  ANORANK=$ANORANK sh "$SOURCE/scripts/dist-check-npm.sh" "$BUILD/npm"
  ;;
report | large | page)
  chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
  [ -n "$chromium" ] || skip 'there is no Chromium'
  cd "$SOURCE/web"
  PAGE="$SOURCE/build/page/page.html"
  export PAGE
  [ "$1" != page ] || [ -e "$PAGE" ] || skip 'the page was not built: web/wasm says why'
  CHROMIUM=$chromium ANORANK=$ANORANK node "tests/$1.mjs"
  ;;
esac
