#!/usr/bin/env python3
"""One row and many through the Python package, next to scikit-learn's isolation forest and to the C program BENCH_ONE_ROW,
which fits the same model to the same rows.

    python3 python_speed.py BENCH_ONE_ROW
"""
import re
import subprocess
import sys
import time

import numpy as np
from sklearn.ensemble import IsolationForest

import anorank
from anorank._anorank import ffi, lib

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


train, few, many = rows_of(TRAIN), rows_of(4096), rows_of(MANY)
ranker = anorank.AnomalyRanker(train="clean", n_jobs=1).fit(train)
forest = IsolationForest(n_jobs=1, random_state=0).fit(train)

ours, theirs = one_at_a_time(ranker.score_samples, few, 20000), one_at_a_time(forest.score_samples, few, 300)
print(f"one row, anorank                   p50 {ours[0]:9.1f} us   p99 {ours[1]:9.1f} us")
print(f"one row, IsolationForest           p50 {theirs[0]:9.1f} us   p99 {theirs[1]:9.1f} us")
print(f"  ratio {theirs[0] / ours[0]:.0f}")

rates, bulk = [], re.compile(r"many rows, by a scorer, one core +(\d+) rows/s")
for _ in range(3):  # in turns, so that whatever else the machine does meets both
    rates.append(
        float(bulk.search(subprocess.run(sys.argv[1:2], capture_output=True, text=True, check=True).stdout).group(1))
    )
    began = time.perf_counter()
    ranker.score_samples(many)
    rates.append(MANY / (time.perf_counter() - began))
c, python = max(rates[::2]), max(rates[1::2])
print(f"many rows, one core                {python:9.0f} rows/s, C {c:.0f} rows/s, ratio {python / c:.2f}")


def c_scores(rows):
    """The same rows by the C function that BENCH_ONE_ROW calls."""
    model = ranker._model
    scratch, err = model._scratch()
    out = np.empty(len(rows))
    cells = ffi.cast("double *", rows.__array_interface__["data"][0])
    scores = ffi.from_buffer("double[]", out)
    status = lib.anorank_scorer_score(model._scorer, scratch, cells, len(rows), COLUMNS, scores, ffi.NULL, err)
    lib.anorank_scratch_free(scratch)
    assert status == lib.ANORANK_OK
    return out


def processor_seconds(score):
    began = time.process_time()
    score(many)
    return time.process_time() - began


assert (c_scores(many) == ranker.score_samples(many)).all()
by_turns = [(processor_seconds(c_scores), processor_seconds(ranker.score_samples)) for _ in range(5)]
c, python = np.min(by_turns, axis=0)
print(f"  by processor time, whatever else the machine does: {MANY / python:.0f} rows/s, C {MANY / c:.0f} rows/s, ratio {c / python:.3f}")
