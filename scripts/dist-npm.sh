#!/bin/sh
# dist-npm.sh OUTDIR - the npm package, OUTDIR/anorank-VERSION.tgz: web/npm/ compiled, and the library as WebAssembly. The same
# sources and tools give the same bytes.
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
sh scripts/setup.sh build page
sh scripts/setup-web.sh
work=build/npm
sh scripts/wasm.sh "${JOBS:-2}"
rm -rf "$work"
mkdir -p "$work"
node web/node_modules/typescript/bin/tsc -p web/npm --outDir "$work"
cp build/page/anorank.wasm LICENSE THIRD_PARTY.md web/npm/README.md "$work"
cp /usr/share/doc/wasi-libc/copyright "$work/LICENSE.wasi-libc"
sed "s/^  \"name\": \"anorank\",/&\n  \"version\": \"$(sh scripts/version.sh)\",/" web/npm/package.json > "$work/package.json"
chmod 644 "$work"/*
cd "$work"
npm pack --silent --pack-destination "$out"
