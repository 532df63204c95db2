#!/usr/bin/env python3
"""bench_dask.py - anorank.dask next to the command line on a table in parts.

    ANORANK=build/dev/anorank build/dev/python/venv/bin/python bench/bench_dask.py [ROWS] [PARTS]

Makes ROWS x 10 (2,000,000 by default) in PARTS files (16), runs fit, score, rank --fdr 0.1 and detect --fdr 0.1 with the command line and
on local clusters of 1, 2 and 4 worker processes, compares the bytes, and prints seconds and the peak resident set of the largest worker.
A second run of detect with 2 workers kills one of them by SIGKILL after two seconds. The exit code is 1 if any bytes differ.
"""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import distributed
import numpy as np

import anorank
import anorank.dask

COLUMNS = 10
PROGRAM = os.path.abspath(os.environ["ANORANK"])


def make_parts(folder, rows, parts):
    """Correlated normal rows; one in a thousand is far away."""
    folder.mkdir()
    rng = np.random.default_rng(1)
    mixing = rng.normal(size=(COLUMNS, COLUMNS))
    header = ",".join(f"x{j + 1}" for j in range(COLUMNS))
    ends = [rows * (i + 1) // parts for i in range(parts)]
    for i, (first, end) in enumerate(zip([0, *ends], ends)):
        block = rng.normal(size=(end - first, COLUMNS)) @ mixing
        block[rng.random(end - first) < 0.001] *= 5
        np.savetxt(folder / f"part-{i:05d}.csv", block, fmt="%.6g", delimiter=",", header=header, comments="")


def command_line(folder, *words):
    begun = time.monotonic()
    subprocess.run([PROGRAM, *map(str, words), "-q"], cwd=folder, check=True)
    return time.monotonic() - begun


def joined(paths):
    """Parts in the order of their rows, as the lines of one file."""
    lines = []
    for path in paths:
        head, *rest = Path(path).read_bytes().splitlines()
        lines = (lines or [head]) + rest
    return lines


def ranked(paths):
    """The same in the order of rank and row."""
    head, *lines = joined(paths)
    place = head.split(b",").index(b"rank")
    return [head] + sorted(lines, key=lambda line: [int(cell) for cell in line.split(b",")[place : place + 2]])


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ranker():
    return anorank.AnomalyRanker(train="contaminated", random_state=0)


class Jobs:
    """The four jobs on a cluster, and whether their bytes are those of the command line."""

    def __init__(self, work, client, name):
        self.work, self.client, self.name, self.fitted = work, client, name, ranker()

    def lines(self, name):
        return (self.work / name).read_bytes().splitlines()

    def fit(self):
        anorank.dask.fit(self.fitted, "parts")
        return lambda: self.fitted._model.to_bytes() == (self.work / "model.anr").read_bytes()

    def score(self):
        paths = anorank.dask.score_samples(self.fitted, "parts", folder=self.work / f"score {self.name}")
        return lambda: joined(paths) == self.lines("score.csv")

    def rank(self):
        paths = anorank.dask.rank(self.fitted, "parts", fdr=0.1, folder=self.work / f"rank {self.name}")
        return lambda: ranked(paths) == self.lines("rank.csv")

    def detect(self):
        folder = self.work / f"detect {self.name}"
        paths = anorank.dask.detect(ranker(), "parts", fdr=0.1, folder=folder)
        return lambda: ranked(paths) == self.lines("detect.csv")

    def run(self, *names):
        same = True
        for name in names:
            begun = time.monotonic()
            compare = getattr(self, name)()
            seconds = time.monotonic() - begun
            equal = compare()
            memory = max(self.client.run(peak_memory).values())
            print(f"{self.name:<24} {name:<8} {seconds:8.1f} s {memory:8.0f} MB  {'same bytes' if equal else 'DIFFERENT'}", flush=True)
            same = same and equal
        return same


def cluster(workers):
    return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    parts = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    with tempfile.TemporaryDirectory(prefix="bench-dask-") as folder:
        work, same = Path(folder), True
        os.chdir(work)  # both name the parts alike
        make_parts(work / "parts", rows, parts)
        fit = ["--train", "contaminated", "--seed", 0]
        (work / "whole.csv").write_bytes(b"\n".join(joined(sorted((work / "parts").iterdir()))) + b"\n")
        for name, words in {
            "fit": ["fit", "parts", "-o", "model.anr", *fit],
            "score": ["score", "model.anr", "whole.csv", "-o", "score.csv"],
            "rank": ["rank", "model.anr", "parts", "--fdr", 0.1, "-o", "rank.csv"],
            "detect": ["detect", "parts", "--fdr", 0.1, "-o", "detect.csv", *fit],
        }.items():
            print(f"{'command line':<24} {name:<8} {command_line(work, *words):8.1f} s", flush=True)
        for workers in (1, 2, 4):
            with cluster(workers) as local, distributed.Client(local) as client:
                same &= Jobs(work, client, f"{workers} workers").run("fit", "score", "rank", "detect")
        with cluster(2) as local, distributed.Client(local) as client:
            victim = min(client.run(os.getpid).values())
            threading.Timer(2, os.kill, [victim, signal.SIGKILL]).start()
            same &= Jobs(work, client, "2 workers, one killed").run("detect")
            print("the killed worker was replaced:", victim not in client.run(os.getpid).values())
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
