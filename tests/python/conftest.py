"""What the tests of the Python package share. ANORANK names the command line that scores must agree with."""
import contextlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import anorank

sys.path.insert(0, str(Path(__file__).parent))


class CommandLine:
    """The command line in a new folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def scores(self, train, rows=None, *options):
        """Score and p-value of each row, to the last bit: the shortest digits read back to the same double."""
        self.run("fit", train, "-o", "model.anr", "--train", "contaminated", "-q", *options)
        self.run("score", "model.anr", rows or train, "-o", "scores.npy", "-q")
        return np.load(self.folder / "scores.npy")[:, -2:].T


@contextlib.contextmanager
def refused(code, **fields):
    """The block raises an anorank.Error with this code and these fields."""
    with pytest.raises(anorank.Error) as caught:
        yield
    found = {name: getattr(caught.value, name) for name in fields}
    assert (caught.value.code, found) == (code, fields)


@pytest.fixture
def cli(tmp_path):
    program = os.environ.get("ANORANK")
    if not program:
        pytest.skip("ANORANK does not name the command line")
    return CommandLine(program, tmp_path)


@pytest.fixture
def rows():
    X = np.random.default_rng(3).normal(size=(400, 4))
    X[11] = [8, -8, 8, -8]
    return X


@pytest.fixture
def mixed():
    """A frame of many kinds of columns with gaps."""
    rng = np.random.default_rng(5)
    n = 1200  # from a thousand on, no row is fitted more than once
    frame = pd.DataFrame(
        {
            "amount": rng.lognormal(3, 1, n).round(2),
            "count": rng.integers(0, 9, n),
            "country": rng.choice(["NO", "CH", "FR", "DE"], n),
            "card": pd.Categorical(rng.choice(["gold", "classic", "NA", " plain "], n)),
            "online": rng.random(n) < 0.3,
            "when": pd.Timestamp("2025-03-01") + pd.to_timedelta(rng.integers(0, 30 * 86400, n), unit="s"),
            "paid": [f"{v:,.2f} €".replace(",", " ").replace(".", ",") for v in rng.lognormal(5, 2, n)],
            "day": [f"{d:02d}.{m:02d}.2025" for d, m in zip(rng.integers(1, 29, n), rng.integers(1, 13, n))],
            "small": pd.array(rng.integers(0, 5, n), dtype="Int64"),
            "flag": pd.array(rng.random(n) < 0.5, dtype="boolean"),
            "word": pd.array(rng.choice(["a", "b", "n/a"], n), dtype="string"),
        }
    )
    for k, name in enumerate(["amount", "country", "card", "when", "paid", "small", "flag", "word"]):
        frame.loc[rng.choice(n, 40, replace=False), name] = pd.NA if k > 4 else None
    return frame
