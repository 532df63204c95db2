#!/bin/sh
# page.sh [JOBS] - build/page/page.html: the library as WebAssembly in one page (web/page/).
set -eu
cd "$(dirname "$0")/.."
sh scripts/wasm.sh "${1:-2}"
node web/build-page.mjs build/page/anorank.wasm build/page/page.html
