"""The Python of README.md and of the manual runs as it stands, on the files that README's shell block makes."""
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import anorank

ROOT = Path(__file__).parents[2]


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_first_lines_run(page, cli, tmp_path, monkeypatch, capsys):
    for line in blocks("README.md", "sh")[0].splitlines():
        if line.startswith("anorank example"):
            cli.run(*line.split("#")[0].split()[1:])
    lines = [block for block in blocks(page, "python") if ">>>" not in block][0]
    assert len(lines.splitlines()) == 5
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, page, "exec"), {})
    assert "reasons" in capsys.readouterr().out
    # The command line reads the model, and its scores are the same to the last bit.
    cli.run("score", "cards.anr", "april.csv", "-o", "scores.csv", "-q")
    scores = anorank.load("cards.anr").score_samples(pd.read_csv("april.csv"))
    assert np.array_equal(pd.read_csv("scores.csv", float_precision="round_trip")["score"], scores)


def test_the_lines_of_the_package_run():
    (lines,) = blocks("bindings/python/README.md", "python")
    frame = anorank.datasets.cards(1000, anomalies=0, random_state=1).drop(columns="fraud")
    exec(compile(lines, "bindings/python/README.md", "exec"), {"history": frame, "today": frame[:100]})
