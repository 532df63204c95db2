"""anorank.dask on a local cluster of processes: the model of the whole frame for any partitions, and its scores."""
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import anorank

dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

import anorank.dask  # noqa: E402

ROWS = 6000
PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    made = pd.DataFrame(rng.normal(size=(ROWS, 3)), columns=["a", "b", "c"])
    made["b"] += made["a"]
    made.loc[::97, "c"] = np.nan
    made["kind"] = pd.Categorical(np.array(["x", "y", "z"])[np.arange(ROWS) * np.arange(ROWS) % 3])
    made["n"] = rng.integers(0, 50, ROWS)
    made["when"] = pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(ROWS) * 7, unit="min")
    made.loc[1234, ["a", "b"]] = [6.0, -6.0]
    return made


def ranker(**settings):
    return anorank.AnomalyRanker(random_state=5, fast=True, **settings)


@pytest.mark.parametrize("settings", [{}, {"max_memory": 400_000}], ids=["all rows", "a draw"])
def test_partitions_do_not_show_in_the_model(client, frame, settings):
    whole = ranker(**settings).fit(frame)
    expected = whole._model.to_bytes()
    for partitions in (1, 2, 7):
        fitted = anorank.dask.fit(ranker(**settings), dd.from_pandas(frame, npartitions=partitions))
        assert fitted._model.to_bytes() == expected
        assert list(fitted.feature_names_in_) == list(frame.columns)
        assert fitted.offset_ == whole.offset_


def test_scores_are_those_of_the_frame(client, frame):
    whole = ranker().fit(frame)
    parts = dd.from_pandas(frame, npartitions=5)
    scores = anorank.dask.score_samples(whole, parts)
    assert scores.npartitions == 5
    computed = scores.compute()
    np.testing.assert_array_equal(computed.to_numpy(), whole.score_samples(frame))
    np.testing.assert_array_equal(computed.index, frame.index)
    np.testing.assert_array_equal(anorank.dask.p_values(whole, parts).compute(), whole.p_values(frame))
    lowest = parts.assign(score=scores).nsmallest(1, "score").compute()
    assert lowest.index[0] == 1234


def test_partitions_without_rows_are_passed_over(client, frame):
    parts = dd.from_pandas(frame.head(900), npartitions=3)
    some = parts[parts["n"] >= 0].repartition(npartitions=3)
    empty = dd.concat([parts[parts["n"] < 0], some])
    expected = ranker().fit(frame.head(900))
    fitted = anorank.dask.fit(ranker(), empty)
    assert fitted._model.to_bytes() == expected._model.to_bytes()
    assert len(anorank.dask.score_samples(fitted, empty).compute()) == 900


def test_known_rows_and_a_generator_are_taken_once(client, frame):
    known = frame.iloc[[1234]]
    expected = ranker(known=known).fit(frame)
    fitted = anorank.dask.fit(ranker(known=known), dd.from_pandas(frame, npartitions=3))
    assert fitted._model.to_bytes() == pickle.loads(pickle.dumps(expected))._model.to_bytes()
    drawn = anorank.AnomalyRanker(random_state=np.random.default_rng(1), fast=True)
    anorank.dask.fit(drawn, dd.from_pandas(frame, npartitions=3))
    assert drawn.score_samples(frame).argmin() == 1234


def test_what_is_wrong_is_told(client, frame):
    with pytest.raises(NotFittedError):
        anorank.dask.score_samples(ranker(), dd.from_pandas(frame, npartitions=2))
    odd = frame[["a"]].assign(word=[str(i) if i < 3000 else "w" + "xyz"[i % 3] for i in range(ROWS)])
    with pytest.raises(anorank.DataError, match="word"):
        anorank.dask.fit(ranker(), dd.from_pandas(odd, npartitions=2))


def test_the_example_of_the_manual_runs(client):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    (example,) = [block for block in blocks if "anorank.dask" in block]
    found = {}
    exec(example.replace("frame.assign(", "lowest = frame.assign("), found)
    assert len(found["lowest"]) == 10
    whole = anorank.AnomalyRanker().fit(found["frame"].compute())
    assert found["ranker"]._model.to_bytes() == whole._model.to_bytes()
