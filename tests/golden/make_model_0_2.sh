#!/bin/sh
# Models of version 0.2 with rows and the scores and p-values that 0.2 gave them: clean and contaminated training on mixed
# columns, and two networks whose settings name the contrast laws pca_box and mixture. Run once, with the program of 0.2:
#   sh tests/golden/make_model_0_2.sh ANORANK
# The files are never made again: every later version must load them and give the same scores.
set -eu
anorank=$1
golden=tests/golden/model-0.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk 'function u(i, k,  x) { x = sin(i * 12.9898 + k * 78.233) * 43758.5453; x -= int(x); return x < 0 ? x + 1 : x }
  BEGIN { print "name,amount,b,count,kind,flag,when"
  for (i = 0; i < 240; i++) {
    amount = exp(4 * u(i, 1)); b = 3 * u(i, 2) + log(amount)
    printf "n%d,%.4f,%s,%d,%s,%s,2024-03-%02d %02d:%02d:00\n", i, amount, i % 12 == 5 ? "" : sprintf("%.6f", b),
      8 * u(i, 3), u(i, 4) < .6 ? "x" : u(i, 4) < .9 ? "y" : "z", u(i, 5) < .3 ? "yes" : "no",
      1 + i % 28, 8 + 10 * u(i, 6), 60 * u(i, 7) } }' >"$folder/train.csv"
# normal rows, a far one, a level never seen, missing cells
{ head -n 30 "$folder/train.csv"
  printf '%s\n' 'far,90000,0,3,x,no,2024-03-05 12:00:00' 'new,10,3,2,w,no,2024-03-05 12:00:00' 'gap,,,2,,no,' \
    'night,10,3,2,x,yes,2024-03-05 03:00:00'; } >"$folder/rows.csv"
make() {
  name=$1
  shift
  "$anorank" fit "$folder/train.csv" -q -o "$golden-$name.anr" --id name --seed 2 "$@"
  "$anorank" score "$golden-$name.anr" "$folder/rows.csv" |
    awk -F, '{ print NR == 1 ? "expected_score,expected_p" : $3 "," $4 }' | paste -d, "$folder/rows.csv" - >"$golden-$name.csv"
}
make clean --train clean
make contaminated --train contaminated
make pca_box --train clean --scorer mlp --contrast pca_box --epochs 3 --lambda 0
make mixture --train clean --scorer trees --contrast mixture --mixture box:1,jitter:3 --trees 3 --tree-rows 32
