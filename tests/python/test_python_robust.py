"""Threads, processes, signals, memory: a Python program does all of this to a library."""
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from joblib import Parallel, delayed

import anorank


def test_eight_threads_on_one_model_give_the_same_bits(rows):
    ranker = anorank.AnomalyRanker().fit(rows)
    expected = ranker.score_samples(rows)

    def work(k):
        for i in range(k, 400, 8):
            assert ranker.score_samples(rows[i : i + 1])[0] == expected[i]
        return ranker.score_samples(rows)

    with ThreadPoolExecutor(8) as pool:
        for scores in pool.map(work, range(8)):
            np.testing.assert_array_equal(scores, expected)


def test_a_forked_child_and_joblibs_workers_score(rows):
    ranker = anorank.AnomalyRanker("knn").fit(rows)
    expected = ranker.score_samples(rows)
    receive, send = multiprocessing.Pipe(False)
    child = os.fork()
    if child == 0:
        try:
            send.send_bytes(ranker.score_samples(rows).tobytes())
        finally:
            os._exit(0)
    got = receive.recv_bytes()
    os.waitpid(child, 0)
    assert got == expected.tobytes()
    for backend in ("threading", "multiprocessing"):
        for scores in Parallel(n_jobs=2, backend=backend)(delayed(ranker.score_samples)(rows) for _ in range(4)):
            np.testing.assert_array_equal(scores, expected)


def python(code, **more):
    """A separate program; Ctrl-C works in it even where it is ignored here, as in jobs in the background."""
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    words = [sys.executable, "-c", listen + textwrap.dedent(code)]
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **more)


def test_ctrl_c_stops_a_fit_and_leaves_no_thread_behind():
    """In a notebook-like loop: the exception is caught, and the next cell works."""
    code = """
        import os, signal, threading, time
        import numpy as np, anorank
        X = np.random.default_rng(0).normal(size=(20000, 30))
        long = anorank.AnomalyRanker("mlp", epochs=100000, n_jobs=2, train="clean")
        for turn in range(2):
            timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            began = time.time()
            try:
                long.fit(X)
                print("not stopped")
            except KeyboardInterrupt:
                print("stopped", flush=True)
            timer.join()
            threads = len(os.listdir("/proc/self/task"))
            print("threads", threads, "python", threading.active_count())
        small = anorank.AnomalyRanker("knn").fit(X[:100])
        print("works", small.score_samples(X[:3]).shape)
    """
    done = python(code, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    assert done.stdout.split("\n")[:-1] == ["stopped", "threads 1 python 1"] * 2 + ["works (3,)"], (
        done.stdout + done.stderr
    )


def test_an_exception_in_a_signal_handler_comes_through():
    code = """
        import signal, numpy as np, anorank
        class Bell(Exception): pass
        def ring(*_): raise Bell
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        X = np.random.default_rng(0).normal(size=(20000, 30))
        try: anorank.AnomalyRanker("mlp", epochs=100000, train="clean").fit(X)
        except Bell: print("rung")
    """
    assert python(code).stdout == "rung\n"


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays_flat_over_many_cycles(rows, mixed):
    """CYCLES=10000 in the slow target."""
    cycles = int(os.environ.get("CYCLES", "1500"))
    frame = mixed[["amount", "country", "when", "paid"]].iloc[:60]

    def cycle(k):
        ranker = anorank.AnomalyRanker("histogram", random_state=k).fit(rows[:40])
        ranker.score_samples(rows[:5])
        if k % 20 == 0:
            other = anorank.AnomalyRanker("knn").fit(frame)
            other.rank(frame, lowest=2)
            other.rank(frame, output="arrow", lowest=2).__arrow_c_stream__()
            with pytest.raises(anorank.UsageError):
                anorank.AnomalyRanker("knn", neighbours=-1).fit(rows)

    for k in range(200):
        cycle(k)
    before = resident()
    for k in range(cycles):
        cycle(k)
    grown = resident() - before
    print(f"{cycles} cycles: {grown / 1024:+.0f} kB")
    assert grown < 4 << 20 or os.environ.get("MEMORY_BOUND") == "0"  # a sanitizer keeps what was freed


def test_failing_calls_of_few_rows_give_their_memory_back(rows):
    ranker = anorank.AnomalyRanker("knn", on_missing="error").fit(rows)
    bad = rows[:3].copy()
    bad[1, 0] = np.nan
    for _ in range(50):
        with pytest.raises(anorank.Error):
            ranker.score_samples(bad)
    assert len(ranker._model._scratches) == 1


def test_threads_that_score_few_rows_never_run_out_of_scratches(rows):
    ranker = anorank.AnomalyRanker("knn").fit(rows)
    expected = ranker.score_samples(rows[:4])

    class OneLess(list):  # another thread takes the last one between a look at the list and pop
        def __bool__(self):
            return True

    ranker._model._scratches = OneLess()
    np.testing.assert_array_equal(ranker.score_samples(rows[:4]), expected)


def test_the_interpreter_is_free_while_c_works(rows):
    X = np.tile(rows, (2000, 1))
    ranker = anorank.AnomalyRanker("knn", n_jobs=1).fit(rows)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    began = time.perf_counter()
    ranker.score_samples(X)
    ended = time.perf_counter()
    stop.set()
    ticker.join()
    assert sum(began < at < ended for at in ticks) >= 5


def test_a_sub_interpreter_is_refused_with_a_sentence():
    interpreters = pytest.importorskip("_xxsubinterpreters")
    made = interpreters.create()
    with pytest.raises(Exception, match="sub-interpreter"):
        interpreters.run_string(made, f"import sys; sys.path = {sys.path!r}; import anorank")
    interpreters.destroy(made)


def test_an_interrupt_between_calls_is_an_interrupt():
    code = """
        import os, signal, threading, numpy as np, anorank
        X = np.random.default_rng(0).normal(size=(500, 3))
        ranker = anorank.AnomalyRanker("knn").fit(X)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            while True: ranker.score_samples(X[:1])
        except KeyboardInterrupt: print("stopped")
    """
    assert python(code).stdout == "stopped\n"


assert signal.SIGINT
