#!/bin/sh
# anorank-mpi score: the bytes of the command line, on 1 to 4 processes, wherever the borders fall.
. "$(dirname "$0")/lib.sh"

make_quoted 60 > quoted.csv
run fit quoted.csv -o quoted.anr --id id --drop note --fast
expect_code 0
run score quoted.anr quoted.csv -o one.csv -q --keep all
expect_code 0

# The borders move through several records, byte by byte.
piece=61
while [ $piece -le 100 ]; do
  mpi 3 score quoted.anr quoted.csv -o many.csv -q --keep all --piece $piece
  expect_code 0
  cmp -s one.csv many.csv || fail "pieces of $piece bytes: other bytes"
  piece=$((piece + 5))
done
for ranks in 1 2 3 4; do
  rm -f many.csv
  mpi $ranks score quoted.anr quoted.csv -o many.csv -q --keep all --piece 17
  expect_code 0
  expect_same one.csv many.csv
done
mpi 3 score quoted.anr quoted.csv -q --keep all
expect_same one.csv .out

# An array, to and from; a stream that cannot be cut; what is compressed; JSON lines; nothing.
run simulate gaussian --rows 3000 --dim 3 -o x.npy -q
run fit x.npy -o x.anr --fast -q
run score x.anr x.npy -o one.npy -q
run score x.anr x.npy -o one.jsonl.gz -q
for ranks in 2 3; do
  mpi $ranks score x.anr x.npy -o many.npy -q --piece 5000
  expect_code 0
  expect_same one.npy many.npy
  mpi $ranks score x.anr x.npy -o many.jsonl.gz -q --piece 5000
  expect_same one.jsonl.gz many.jsonl.gz
done
zstd -q quoted.csv
mpi 3 score quoted.anr quoted.csv.zst -o many.csv -q --keep all --block-rows 7
expect_code 0
expect_same one.csv many.csv
head -n 1 quoted.csv > empty.csv
run score quoted.anr empty.csv -o one.csv -q
mpi 2 score quoted.anr empty.csv -o many.csv -q
expect_same one.csv many.csv
printf 'amount,kind,id\n1,red,T1' > row.csv # one row, no newline at its end
run score quoted.anr row.csv -o one.csv -q
mpi 4 score quoted.anr row.csv -o many.csv -q
expect_same one.csv many.csv

# One column, where empty lines are rows.
awk 'BEGIN { print "v"; for (i = 0; i < 200; i++) { print i % 17; if (i % 6 == 0) print ""; if (i % 14 == 0) print " " } print ""; print "" }' > column.csv
run fit column.csv -o column.anr --fast -q
run score column.anr column.csv -o one.csv -q
for piece in 3 31; do
  mpi 3 score column.anr column.csv -o many.csv -q --piece $piece
  expect_code 0
  expect_same one.csv many.csv
done

# Parts do not depend on the number of processes, and a job goes on after those that are finished.
run score quoted.anr quoted.csv -o one.csv -q
mpi 2 score quoted.anr quoted.csv -q -o parts --part-size 500
expect_code 0
(head -n 1 one.csv && for part in parts/part-*.csv; do tail -n +2 $part; done) > joined.csv
expect_same one.csv joined.csv
mpi 3 score quoted.anr quoted.csv -q -o others --part-size 500 --piece 40
diff -r parts others > .out || fail "parts differ with the number of processes"
sed -i '5,$d' others/parts
rm others/part-000002.csv
mpi 4 score quoted.anr quoted.csv -o others --part-size 500 --resume
expect_code 0
expect_err 'others: 2 parts were finished before; going on after row [0-9]*'
diff -r parts others > .out || fail "parts differ after --resume"
mpi 2 score quoted.anr quoted.csv -o others --part-size 500
expect_code 2
expect_err 'others: holds parts of an earlier run; add --resume to finish them, or name another folder'
mpi 2 score quoted.anr quoted.csv -o others --part-size 600 --resume
expect_code 2
expect_err 'others: holds parts of another job'
mpi 2 score quoted.anr quoted.csv.zst -o third --part-size 600
expect_code 2
expect_err 'can only be scored in parts if it is a plain file'

# Parts of one table as input: rows are numbered through, and parts of the output end with them.
mkdir in
head -n 46 quoted.csv > in/a.csv # the end of a record
head -n 1 quoted.csv > in/b.csv
(head -n 1 quoted.csv && tail -n +47 quoted.csv) > in/c.csv
run score quoted.anr quoted.csv -o one.csv -q --keep all
mpi 3 score quoted.anr in -o many.csv -q --keep all --piece 50
expect_code 0
expect_same one.csv many.csv
zstd -q -k in/c.csv
mpi 2 score quoted.anr in/a.csv in/b.csv in/c.csv.zst -o many.csv -q --keep all
expect_same one.csv many.csv
rm in/c.csv.zst
mpi 2 score quoted.anr in -q --keep all -o parts2 --part-size 700
(head -n 1 one.csv && for part in parts2/part-*.csv; do tail -n +2 $part; done) > joined.csv
expect_same one.csv joined.csv
cp -r parts2 others2
list=$(wc -l < others2/parts)
sed -i "$((list - 1)),\$d" others2/parts # the last two are gone; those of in/a.csv are there
rm "$(ls others2/part-* | tail -n 1)"
mpi 3 score quoted.anr in -q --keep all -o others2 --part-size 700 --resume
expect_code 0
diff -r parts2 others2 > .out || fail "parts of parts differ after --resume"
sed 's/note/remark/' in/c.csv > in/d.csv
mpi 2 score quoted.anr in -o none.csv -q --keep all
expect_code 3
expect_err "in/d.csv: gives other columns than 'in/a.csv'; all parts need the same identifiers and columns to keep"
[ ! -e none.csv ] || fail "scores were written"

# What is asked for wrongly is said once.
mpi 3 scores
expect_code 2
expect_err "unknown command 'scores'; did you mean 'score'?"
[ "$(grep -c anorank-mpi: .err)" -eq 1 ] || fail "said more than once"
mpi 2 score quoted.anr - -o x
expect_code 2
expect_err 'standard input cannot be shared by 2 processes; name a file that all can read'
mpi 2 score quoted.anr quoted.csv --piece 0
expect_code 2
expect_err "piece is '0'; it takes bytes, such as 8M"
mpi 2 score quoted.anr quoted.csv --resume
expect_code 2
expect_err 'resume needs --part-size as well'
mpi 1 score quoted.anr quoted.csv -o x --part-size much
expect_code 2
expect_err "part-size is 'much'; it takes bytes, such as 256M"
mpi 1 score quoted.anr quoted.csv --part-size 1M
expect_code 2
expect_err 'part-size needs a folder for the parts: name it with --output'
mpi 1 simulate gaussian
expect_code 2
expect_err "unknown command 'simulate'; one process, 'anorank', has all of them"
mpi 3 score quoted.csv quoted.csv -o x
expect_code 4
mpi 3 score quoted.anr nowhere.csv -o x
expect_code 3
expect_err 'nowhere.csv: there is no such file; check the name and the folder'
mpi 2 score quoted.anr quoted.csv -o nowhere/x.csv
expect_code 5
mpi 2 score --help
expect_code 0
expect_out '--part-size'
expect_clean
finish
