#!/usr/bin/env python3
"""One row and many through the Python package, next to scikit-learn's isolation forest and to the C program BENCH_ONE_ROW,
which fits the same model to the same rows and scores the same ones.

    python3 python_speed.py BENCH_ONE_ROW
"""
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.ensemble import IsolationForest

import anorank

TRAIN, MANY, COLUMNS = 20000, 200000, 10
rng = np.random.default_rng(1)


def rows_of(count):
    """Normal columns, each leaning on the one before it, as bench_one_row has them."""
    made = rng.normal(size=(count, COLUMNS))
    for j in range(1, COLUMNS):
        made[:, j] += 0.5 * made[:, j - 1]
    return made


def one_at_a_time(score, rows, calls):
    seconds = []
    for k in range(calls):
        row = rows[k % len(rows) : k % len(rows) + 1]
        began = time.perf_counter()
        score(row)
        seconds.append(time.perf_counter() - began)
    return np.percentile(seconds, [50, 99]) * 1e6


def processor_seconds():
    began = time.process_time()
    ranker.score_samples(many)
    return time.process_time() - began


train, few, many = rows_of(TRAIN), rows_of(4096), rows_of(MANY)
ranker = anorank.AnomalyRanker(train="clean", n_jobs=1).fit(train)
forest = IsolationForest(n_jobs=1, random_state=0).fit(train)

ours, theirs = one_at_a_time(ranker.score_samples, few, 20000), one_at_a_time(forest.score_samples, few, 300)
print(f"one row, anorank                   p50 {ours[0]:9.1f} us   p99 {ours[1]:9.1f} us")
print(f"one row, IsolationForest           p50 {theirs[0]:9.1f} us   p99 {theirs[1]:9.1f} us")
print(f"  ratio {theirs[0] / ours[0]:.0f}")

RATE = re.compile(r"(many rows, by a scorer, one core|by processor time, best of five) +(\d+) rows/s")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "rows")
    np.concatenate([train, few, many]).tofile(path)
    rates, by_processor = [], []
    for _ in range(3):  # in turns, so that whatever else the machine does meets both
        said = subprocess.run([sys.argv[1], "rows", path], capture_output=True, text=True, check=True).stdout
        c = [float(rate) for _, rate in RATE.findall(said)]
        began = time.perf_counter()
        ranker.score_samples(many)
        rates.append((MANY / (time.perf_counter() - began), c[0]))
        by_processor.append((MANY / min(processor_seconds() for _ in range(5)), c[1]))
for what, (python, c) in (("many rows, one core", np.max(rates, axis=0)), ("  by processor time", np.max(by_processor, axis=0))):
    print(f"{what:34s} {python:9.0f} rows/s, C {c:.0f} rows/s, ratio {python / c:.3f}")
