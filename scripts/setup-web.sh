#!/bin/sh
# setup-web.sh - what the tests of the page need: Node.js, npm, Chromium, and the packages that web/package-lock.json names.
# They are no part of the product, so if they cannot be installed, this prints a note, and those tests skip.
set -u
cd "$(dirname "$0")/.." || exit 1
sh scripts/setup.sh page || echo "setup-web.sh: the tests of the page in WebAssembly will be skipped" >&2
sh scripts/setup.sh web || { echo "setup-web.sh: the tests of the page will be skipped" >&2; exit 0; }
made=web/node_modules/.package-lock.json
[ ! -e "$made" ] || [ web/package-lock.json -nt "$made" ] || exit 0
(cd web && npm ci --ignore-scripts --no-audit --no-fund > /dev/null) ||
  echo "setup-web.sh: npm ci failed in web/; the tests of the page will be skipped" >&2
