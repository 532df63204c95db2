#!/bin/sh
# A disk that is full for one process alone: one message with the reason, exit code 5, nothing half written, and --resume goes on once
# there is room. The disk is a file with ext4 on it, half of which is kept for a group that process 0 is in and process 1 is not.
if [ -z "${INSIDE:-}" ]; then
  if [ "$(id -u)" -ne 0 ] || ! unshare -m true 2> /dev/null || ! command -v mkfs.ext4 > /dev/null || ! command -v setpriv > /dev/null; then
    echo "skipped: a small disk cannot be mounted here (it takes root, unshare, setpriv and mkfs.ext4)"
    exit 77
  fi
  INSIDE=1 exec unshare -m sh "$0"
fi
. "$(dirname "$0")/lib.sh"

mkdir disk
truncate -s 8M image
mkfs.ext4 -q -O ^has_journal -m 50 image
if ! mount -o loop,resuid=12345,resgid=12345 image disk 2> .err; then
  echo "skipped: a small disk cannot be mounted here: $(cat .err)"
  exit 77
fi
trap 'cd / && umount "$folder/disk"; rm -rf "$folder"' EXIT

roomy='setpriv --groups 0,12345'
narrow='setpriv --groups 0 --bounding-set=-sys_resource --inh-caps=-sys_resource'

# Leave so many KiB for those outside of the group.
leave() {
  rm -f disk/filler
  # shellcheck disable=SC2086
  $narrow dd if=/dev/zero of=disk/filler bs=1k 2> /dev/null
  truncate -s "$(($(stat -c %s disk/filler) - $1 * 1024))" disk/filler
  sync
}

# on FIRST SECOND ARGUMENTS...: two processes, with these commands before their programs.
on() {
  first=$1 second=$2
  shift 2
  last="$* (process 0: $first; process 1: $second)"
  # shellcheck disable=SC2086
  OMPI_MCA_btl=self,tcp mpirun -q --oversubscribe -n 1 $first "$MPI" "$@" : -n 1 $second "$MPI" "$@" > .out 2> .err
  code=$?
}

# What is said when it is full, once; Open MPI may add a line of its own.
expect_full() {
  expect_code 5
  expect_err "$1"
  [ "$(grep -c anorank-mpi: .err)" -eq 1 ] || fail "said more than once"
  expect_clean
}

run simulate gaussian --rows 12000 --dim 4 -o x.csv -q
run fit x.csv -o x.anr --fast -q
run score x.anr x.csv -o one.csv -q

# One file: whoever may use all of the disk can write it, and with one that may not it is not written.
leave 200
on "$roomy" "$roomy" score x.anr x.csv -o disk/full.csv -q --piece 20000
expect_code 0
expect_same one.csv disk/full.csv
rm disk/full.csv
for order in '' swapped; do
  if [ -z "$order" ]; then on "$roomy" "$narrow" score x.anr x.csv -o disk/full.csv -q --piece 20000; else
    on "$narrow" "$roomy" score x.anr x.csv -o disk/full.csv -q --piece 20000; fi
  expect_full '^anorank-mpi: disk/full.csv: cannot write: No space left on device; free some space or write elsewhere$'
  [ ! -e disk/full.csv ] || fail "a half file was written"
done

# In parts: those that are finished stay, and it goes on when there is room.
on "$roomy" "$narrow" score x.anr x.csv -o disk/parts -q --part-size 100K --piece 20000
expect_full '^anorank-mpi: disk/parts/part-[0-9]*.csv: cannot write: No space left on device; free some space or write elsewhere$'
finished=$(find disk/parts -name 'part-*' | wc -l)
[ "$finished" -ge 1 ] || fail "no part was finished before"
[ "$finished" -eq "$(($(wc -l < disk/parts/parts) - 2))" ] || fail "$finished parts are there, others in the list"
rm disk/filler
mpi 3 score x.anr x.csv -o disk/parts -q --part-size 100K --resume
expect_code 0
(head -n 1 one.csv && for part in disk/parts/part-*.csv; do tail -n +2 "$part"; done) > joined.csv
expect_same one.csv joined.csv
[ "$(find disk/parts -name 'part-*' | wc -l)" -gt "$finished" ] || fail "nothing was left to do"

# What a process keeps on the way, on a full disk of its own.
leave 8
mkdir disk/scratch
on "env TMPDIR=/tmp" "$narrow env TMPDIR=$folder/disk/scratch" rank x.anr x.csv -o found.csv -q
expect_full '^anorank-mpi: cannot write to a temporary file in .*disk/scratch: No space left on device; let TMPDIR name a folder with more room$'
[ ! -e found.csv ] || fail "a half file was written"
finish
