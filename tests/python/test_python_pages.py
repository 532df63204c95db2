"""The five lines of Python that the README and the manual begin with run as they stand."""
import re
from pathlib import Path

import pytest

import anorank

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_first_lines_run(page, tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    lines = [block for block in blocks if ">>>" not in block][0]
    assert len(lines.splitlines()) == 5
    monkeypatch.chdir(tmp_path)
    anorank.datasets.cards(1000, anomalies=0, random_state=1).drop(columns="fraud").to_csv("history.csv", index=False)
    anorank.datasets.cards(400, anomalies=0.05, random_state=2).drop(columns="fraud").to_csv("april.csv", index=False)
    exec(compile(lines, page, "exec"), {})
    assert "reasons" in capsys.readouterr().out
    assert len(anorank.load("cards.anr").columns_) == 12
