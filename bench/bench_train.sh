#!/bin/sh
# bench_train.sh BINARY - training the paper's network (30 epochs of Algorithm 1): anorank against a PyTorch script of the
# same algorithm, one core each, side by side. Also the 2,500 networks of 500 repetitions.
set -eu
anorank=$1
here=$(dirname "$0")
seconds() { date +%s.%N; }
start=$(seconds)
"$anorank" reproduce --repetitions 500 --threads 1 -q > /dev/null
end=$(seconds)
whole=$(awk -v a="$start" -v b="$end" 'BEGIN {print b - a}')
ours=$("$anorank" reproduce --repetitions 20 --threads 1 --json -q | sed -n 's/.*"seconds_per_network": *\([0-9.e-]*\).*/\1/p')
printf 'anorank, 500 repetitions (2,500 networks) on one core: %.1f s in all\n' "$whole"
printf 'anorank, one network: %.2f ms of processor time\n' "$(awk -v s="$ours" 'BEGIN {print 1e3 * s}')"
if theirs=$("${PYTHON:-/usr/bin/python3}" "$here/torch_peer.py" 6); then
  awk -v a="$ours" -v b="$theirs" 'BEGIN {printf "PyTorch, one network: %.1f s (6 of 30 epochs timed)\nratio: %.0fx\n", b, b / a}'
else
  echo "PyTorch: $theirs (install python3-torch to compare)"
fi
