#!/bin/sh
# The golden model of the present format version, with rows and the scores they had, and the fuzzer's models.
# Run from the top of the source tree as: sh tests/golden/make_model.sh build/dev/anorank
# A golden file of an older format version is never made again: the library must still read it.
set -eu
anorank=$1
version=1
golden=tests/golden/model-v$version
corpus=tests/fuzz/corpus/model
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk 'BEGIN { print "name,a,b,kind"
  for (i = 0; i < 240; i++) {
    a = sin(i * 12.9898) * 43758.5453; a -= int(a)
    b = cos(i * 78.233) * 12543.1234; b -= int(b)
    printf "n%d,%.6f,%s,%s\n", i, a, i % 12 == 5 ? "" : sprintf("%.6f", 3 * b + a), i % 7 == 0 ? "y" : "x" } }' \
  >"$folder/train.csv"
# normal rows, a far one, a level never seen, a missing cell
{ head -n 30 "$folder/train.csv"; printf 'far,9,0,x\nnew,0,0,z\ngap,,0,x\n'; } >"$folder/rows.csv"
"$anorank" fit "$folder/train.csv" -q -o "$golden.anr" --id name --seed 1 --subsamples 2 --subsample 8
"$anorank" score "$golden.anr" "$folder/rows.csv" |
  awk -F, '{ print NR == 1 ? "expected_score,expected_p" : $3 "," $4 }' | paste -d, "$folder/rows.csv" - >"$golden.csv"
rm -rf "$corpus"
mkdir -p "$corpus"
cp "$golden.anr" "$corpus/golden"
for scorer in $("$anorank" list scorer | awk '/^  [a-z]/ { print $1 }'); do
  "$anorank" fit "$folder/train.csv" -q -o "$corpus/$scorer" --id name --scorer "$scorer" --trees 2 --tree-rows 16 --depth 2 \
    --rounds 3 --subsamples 2 --subsample 4 --reference-rows 8 --epochs 1 --lambda 0 --bins 4 --calibration 0.05
done
printf 'a,b\n1,2\n' >"$corpus/text"
head -c 100 "$golden.anr" >"$corpus/cut"
