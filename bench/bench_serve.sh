#!/bin/sh
# bench_serve.sh BUILD - `anorank serve` under load (wrk) next to FastAPI and Flask with scikit-learn's isolation forest, in one run.
# One-row and 100-row requests, 1 and 2 threads, with and without keep-alive. SECONDS_EACH=... for longer runs (2).
# bench_serve.sh BUILD memory - resident memory over REQUESTS (1000000) one-row requests.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
each=${SECONDS_EACH:-2}
command -v wrk > /dev/null || { echo "wrk is not installed (Debian: apt install wrk): not measured"; exit 77; }
"$build/anorank" serve none 2>&1 | grep -q 'built without' && { echo "this build has no 'anorank serve'"; exit 77; }
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$folder"' EXIT INT TERM
cd "$folder"

"$build/anorank" simulate gaussian --rows 10000 --dim 10 -o train.csv
"$build/anorank" simulate gaussian --rows 100 --dim 10 --seed 1 -o rows.csv
"$build/anorank" fit train.csv -o m.anr -q
# a request of one row and one of a hundred, as JSON; wrk sends what its script says
"$python" - << 'END'
import csv, json
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open("rows.csv"))]
for name, count in (("one", 1), ("hundred", 100)):
    body = json.dumps(rows[:count])
    for kind in ("keep", "close"):
        with open("%s-%s.lua" % (name, kind), "w") as out:
            out.write('wrk.method = "POST"\nwrk.body = [==[%s]==]\nwrk.headers["Content-Type"] = "application/json"\n' % body)
            if kind == "close":
                out.write('wrk.headers["Connection"] = "close"\n')
END

wait_for() { # PORT: until it answers
  n=0
  until curl -s -o /dev/null "http://127.0.0.1:$1/"; do
    n=$((n + 1))
    [ $n -lt 200 ] || { echo "the server on port $1 does not start"; return 1; }
    sleep 0.1
  done
}
load() { # NAME PORT PATH BODY KIND CONNECTIONS
  wrk -t1 -c"$6" -d"${each}s" --latency -s "$4-$5.lua" "http://127.0.0.1:$2$3" > log 2>&1 || { cat log; return; }
  awk -v name="$1" -v body="$4" -v kind="$5" '/50%/ { half = $2 } /99%/ { most = $2 } /Requests\/sec/ { rate = $2 }
    /Non-2xx/ { bad = ", " $0 } END { printf "%-34s %-8s %-6s %9.0f requests/s   p50 %-9s p99 %s%s\n", name, body, kind, rate, half, most, bad }' log
}
end() { kill "$server" 2> /dev/null || true; wait "$server" 2> /dev/null || true; server=; }

if [ "${2:-}" = memory ]; then
  requests=${REQUESTS:-1000000}
  "$build/anorank" serve m.anr --listen 127.0.0.1:8391 --log events 2> /dev/null &
  server=$!
  wait_for 8391
  done=0
  while [ "$done" -lt "$requests" ]; do
    wrk -t1 -c16 -d10s -s one-keep.lua http://127.0.0.1:8391/v1/models/m/score > log
    done=$((done + $(awk '/requests in/ { print $1 }' log)))
    echo "$done requests: $(awk '/VmRSS/ { print $2 }' "/proc/$server/status") kB"
  done
  exit 0
fi

for threads in 1 2; do
  "$build/anorank" serve m.anr --listen 127.0.0.1:8391 --threads $threads --log events 2> /dev/null &
  server=$!
  wait_for 8391
  for kind in keep close; do
    for body in one hundred; do load "anorank serve, $threads thread(s)" 8391 /v1/models/m/score $body $kind 16; done
  done
  end
done

if "$python" -c 'import fastapi, uvicorn, sklearn' 2> /dev/null; then
  PYTHONPATH=$here "$python" -m uvicorn --log-level warning --port 8392 serve_peer:fast 2> /dev/null &
  server=$!
  wait_for 8392 && for body in one hundred; do load 'FastAPI + isolation forest' 8392 /score $body keep 16; done
  end
else
  echo "python3-fastapi, python3-uvicorn or python3-sklearn is not installed: not compared"
fi
if "$python" -c 'import flask, gunicorn, sklearn' 2> /dev/null; then
  PYTHONPATH=$here "$python" -m gunicorn -w 2 -b 127.0.0.1:8393 --log-level error serve_peer:flat 2> /dev/null &
  server=$!
  wait_for 8393 && for body in one hundred; do load 'Flask + gunicorn, 2 workers' 8393 /score $body keep 16; done
  end
else
  echo "python3-flask, gunicorn or python3-sklearn is not installed: not compared"
fi
