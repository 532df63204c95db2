#!/usr/bin/env python3
"""Peak of memory while ROWS x 10 doubles in C order are scored, next to the array and the result.

    python3 python_memory.py ROWS
"""
import resource
import sys
import time

import numpy as np

import anorank

rows = int(float(sys.argv[1]))
small = np.random.default_rng(0).normal(size=(20000, 10))
ranker = anorank.AnomalyRanker("isolation", trees=20, n_jobs=2).fit(small)
ranker.score_samples(small)
X = np.empty((rows, 10))
for first in range(0, rows, len(small)):  # existing pages
    X[first : first + len(small)] = small[: rows - first]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
began = time.perf_counter()
scores = ranker.score_samples(X)
seconds = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
held = X.nbytes + scores.nbytes
print(
    f"peak memory, {rows:.0e} x 10          {peak / 1e6:.0f} MB while input and result are {held / 1e6:.0f} MB: {(peak - before - scores.nbytes) / held:+.1%}"
    f" beyond them ({(peak - before) / 1e6:.0f} MB for the call, {seconds:.1f} s)"
)
