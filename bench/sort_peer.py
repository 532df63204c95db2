"""Seconds that numpy needs to arg-sort a file of raw doubles: best of so many runs, then the peak memory.

    python3 sort_peer.py FILE [REPEATS]           BENCH_CPU=1: processor time
"""
import os
import resource
import sys
import time

import numpy as np

now = time.process_time if "BENCH_CPU" in os.environ else time.perf_counter
values = np.fromfile(sys.argv[1])
best = {"argsort": float("inf"), "stable": float("inf")}
for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 3):
    for name, kind in (("argsort", None), ("stable", "stable")):
        begin = now()
        np.argsort(values, kind=kind)
        best[name] = min(best[name], now() - begin)
print(f"{best['argsort']:.4f} {best['stable']:.4f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")
