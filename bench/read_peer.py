#!/usr/bin/env python3
"""Read a file as a Python user would and print seconds (best of 3) and peak memory: pandas for CSV, numpy for
NPY; "columns" as a third argument asks numpy for what a table needs, each column in one piece. Same line as bench_read, so that bench_read.sh can compare."""

import os
import resource
import sys
import time


def main(path, repeat, columns_wanted):
    try:
        if path.endswith(".npy"):
            import numpy

            read = (lambda file: numpy.asfortranarray(numpy.load(file))) if columns_wanted else numpy.load
        else:
            import pandas

            read = pandas.read_csv
    except ImportError as missing:
        print("skipped: %s" % missing)
        return 77
    best = best_cpu = float("inf")
    for _ in range(repeat):
        start, start_cpu = time.perf_counter(), time.process_time()
        table = read(path)
        best = min(best, time.perf_counter() - start)
        best_cpu = min(best_cpu, time.process_time() - start_cpu)
        rows, columns = table.shape
        del table
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print("%d rows, %d columns: %.3f s, %.0f MB/s, cpu %.3f s, peak %.0f MB"
          % (rows, columns, best, os.path.getsize(path) / best / 1e6, best_cpu, peak))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3, "columns" in sys.argv[3:]))
