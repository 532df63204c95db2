#!/usr/bin/env python3
"""Rows per second that scikit-learn's isolation forest and k-nearest neighbours score, on one core, for normal
rows as bench_scorers has them. A line each: name, seconds to fit, rows per second.

    python3 scorers_peer.py [FIT_ROWS [COLUMNS]]        exit status 77 where scikit-learn is absent
"""
import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
try:
    import numpy
    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import NearestNeighbors
except ImportError as error:
    print(error)
    sys.exit(77)

fit_rows, columns = (int(word) for word in (sys.argv[1:] + ["10000", "10"][len(sys.argv) - 1 :])[:2])
rng = numpy.random.default_rng(1)
train, rows = rng.normal(size=(fit_rows, columns)), rng.normal(size=(20000, columns))


def forest():
    fitted = IsolationForest(n_jobs=1, random_state=0).fit(train)
    return fitted.score_samples


def nearest():
    fitted = NearestNeighbors(n_neighbors=5, n_jobs=1).fit(train)
    return fitted.kneighbors


for name, fit in (("IsolationForest", forest), ("NearestNeighbors", nearest)):
    begin = time.process_time()
    score = fit()
    seconds, best = time.process_time() - begin, float("inf")
    for _ in range(3):
        begin = time.process_time()
        score(rows)
        best = min(best, time.process_time() - begin)
    print(f"{name} {seconds:.4f} {len(rows) / best:.0f}")
