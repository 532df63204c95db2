#!/bin/sh
# dist-check-npm.sh OUTDIR - install OUTDIR/anorank-VERSION.tgz into an empty folder, without a network, and use it: results next
# to those of the command line, the types, and a bundle in Chromium where there is one. ANORANK names the command line.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
root=$PWD
[ -e web/node_modules/typescript ] || sh scripts/setup-web.sh # the compiler of TypeScript, esbuild
if [ -z "${ANORANK:-}" ]; then
  sh scripts/setup.sh build
  cmake --preset release > /dev/null
  cmake --build --preset release -j "${JOBS:-2}" --target anorank > /dev/null
  ANORANK=$root/build/release/anorank
fi
work=$root/build/npm-check
rm -rf "$work"
mkdir -p "$work"
cd "$work"
echo '{"private": true, "type": "module"}' > package.json
npm install --offline --no-audit --no-fund --silent "$out/anorank-$(sh "$root/scripts/version.sh").tgz"
[ -z "$(find node_modules/anorank -name '*.ts' ! -name '*.d.ts')" ]
cp "$root/web/tests/npm.mjs" "$root/web/tests/npm_user.ts" .
CHROMIUM=${CHROMIUM:-$(command -v chromium || true)} ANORANK=$ANORANK ROOT=$root node --test-reporter spec npm.mjs
for how in bundler nodenext; do
  module=esnext
  [ $how = bundler ] || module=nodenext
  node "$root/web/node_modules/typescript/bin/tsc" --noEmit --strict --target es2022 --lib es2022 --types '' \
    --moduleResolution $how --module $module npm_user.ts
done
