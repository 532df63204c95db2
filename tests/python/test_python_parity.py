"""Scores of Python and of the command line are equal bit for bit, whatever the rows come as."""
import os
import subprocess

import arrow_by_hand
import numpy as np
import pandas as pd
import pytest

import anorank
from anorank import _tables
from anorank._settings import Settings
from conftest import refused


def both(ranker, X):
    return np.array([ranker.score_samples(X), ranker.p_values(X)])


def test_a_frame_scores_as_its_csv(cli, mixed):
    mixed.to_csv(cli.folder / "mixed.csv", index=False)
    expected = cli.scores("mixed.csv")
    ranker = anorank.AnomalyRanker().fit(mixed)
    np.testing.assert_array_equal(both(ranker, mixed), expected)
    np.testing.assert_array_equal(both(anorank.AnomalyRanker().fit(cli.folder / "mixed.csv"), mixed), expected)
    np.testing.assert_array_equal(both(ranker, str(cli.folder / "mixed.csv")), expected)


def test_the_model_has_the_bytes_of_the_command_line(cli, mixed):
    mixed.to_csv(cli.folder / "mixed.csv", index=False)
    cli.scores("mixed.csv")
    anorank.AnomalyRanker().fit(mixed).save(cli.folder / "ours.anr")
    assert (cli.folder / "ours.anr").read_bytes() == (cli.folder / "model.anr").read_bytes()


def columns_of(table):
    return {name: table.column(j) for j, name in enumerate(table.names)}


@pytest.mark.parametrize(
    "values",
    [
        ["1.5", "2.5", "x"],
        ["1", "2", None],
        ["007", "008", "009"],
        ["1,234", "5,678", "1,000"],
        ["1.234,5", "5,0", "7,25"],
        ["12 %", "7 %", "1 %"],
        ["01/02/2025", "03/04/2025", "05/06/2025"],
        ["31.12.2025", "1.1.2025", "-"],
        ["2025-12-31T23:59:59.250+01:00", "2025-01-01T00:00:00+01:00", None],
        [True, False, None],
        [1, 2.5, "3"],
        ["a,b", 'say "x"', "two\nlines"],
        [" a ", "a", "A"],
        ["NA", "None", "?"],
        [None, None, None],
        ["", "x", "y"],
        [2**60 + 1, 3, 2**53],
        [2**60 + 1, 2**60 + 2, 2**60 + 3],
        [-(2**53) - 1, -(2**53) - 2, -(2**53) - 3],
        ["1234567890123456700", "1234567890123456701", "1234567890123456702"],
        ["=1+1", "@x", "+5"],
        ["über", "naïve", "日本"],
        [pd.Timestamp("2025-01-01"), pd.Timestamp("2025-01-02 10:00"), None],
    ],
)
def test_objects_are_read_as_the_cells_of_a_file(tmp_path, values):
    frame = pd.DataFrame({"v": pd.Series(values * 5, dtype=object), "z": np.linspace(0.5, 3, 15)})
    frame.to_csv(tmp_path / "v.csv", index=False)
    settings = Settings({})
    ours = columns_of(_tables.as_table(frame, None, settings))
    file = columns_of(_tables.as_table(str(tmp_path / "v.csv"), None, settings))
    assert ours["v"].dtype == file["v"].dtype
    np.testing.assert_array_equal(ours["v"], file["v"])


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i2", "u1", "O"])
def test_masked_cells_are_missing(dtype):
    data = (np.arange(60).reshape(20, 3) % 47).astype(dtype)
    mask = np.zeros(data.shape, dtype=bool)
    mask[3, 1] = mask[7, 2] = True
    masked = np.ma.masked_array(data, mask, fill_value=99)
    for X in (masked, list(masked)):
        table = _tables.as_table(_tables.normal(X), None, Settings({}))
        for j in range(3):
            np.testing.assert_array_equal(np.isnan(table.numbers(j)), mask[:, j])
            np.testing.assert_array_equal(table.numbers(j)[~mask[:, j]], data[~mask[:, j], j].astype(float))


def test_masked_cells_are_missing_wherever_arrays_come_in():
    X = np.random.default_rng(0).normal(size=(60, 3))
    holes = X.copy()
    holes[5, 1] = np.nan
    masked = np.ma.masked_array(np.where(np.isnan(holes), -9999, holes), np.isnan(holes))
    a, b = anorank.AnomalyRanker("knn").fit(holes), anorank.AnomalyRanker("knn").fit(masked)
    np.testing.assert_array_equal(a.score_samples(holes), b.score_samples(masked))
    np.testing.assert_array_equal(a.score_samples(holes[3:8]), b.score_samples(masked[3:8]))
    answers = np.ma.masked_array(np.zeros(60, dtype=int), np.arange(60) > 3)
    np.testing.assert_array_equal(anorank.reviewing.labels_of(answers, 60), [0] * 4 + [-1] * 56)
    scores = np.ma.masked_array(np.arange(9.0), [0] * 8 + [1])
    with pytest.raises(anorank.Error):
        anorank.criterion.w_phi(scores, np.arange(9.0))
    big = np.ma.masked_array([[2**60 + 1, 1], [2**60 + 2, 2], [2**60 + 3, 3]], [[0, 0], [1, 0], [0, 0]])
    table = _tables.as_table(_tables.normal(big), None, Settings({}))
    assert list(table.column(0)) == [str(2**60 + 1), None, str(2**60 + 3)]


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="long doubles are doubles here")
def test_long_doubles_beyond_the_range_of_a_double_are_refused():
    X = np.ones((5, 2), dtype=np.longdouble)
    X[2, 1] = np.finfo(np.longdouble).max
    with refused("cell-number-range"):
        _tables.as_table(_tables.normal(X), None, Settings({}))


@pytest.mark.parametrize("first", [2**53 + 1, -(2**53) - 3, 1234567890123456700, 1712345678901234567])
def test_integers_that_a_double_would_merge_are_texts(first):
    numbers = np.arange(first, first + 3)
    for X in (pd.DataFrame({"v": numbers, "z": [1, 2, 3]}), np.column_stack([numbers, [1, 2, 3]])):
        table = _tables.as_table(_tables.normal(X), None, Settings({}))
        assert list(table.column(0)) == [str(number) for number in numbers]
        assert list(table.column(1)) == [1, 2, 3]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_are_those_of_the_file(tmp_path, unit):
    steps = np.array([0, 1, 999, 10**6 + 7, 1741000000123456], dtype="int64")
    times = (
        (np.array(["2025-03-01"], dtype=f"M8[{unit}]") + steps.astype(f"m8[{unit}]"))
        if unit == "us"
        else steps.astype(f"M8[{unit}]")
    )
    times = times[:4] if unit in ("s", "ms") else times
    frame = pd.DataFrame({"t": pd.to_datetime(times), "z": 0.5})
    frame.loc[2, "t"] = None
    frame.to_csv(tmp_path / "t.csv", index=False)
    ours = _tables.as_table(frame, None, Settings({})).numbers(0)
    file = _tables.as_table(str(tmp_path / "t.csv"), None, Settings({})).numbers(0)
    np.testing.assert_allclose(ours, file, rtol=0, atol=3e-7 if unit == "ns" else 0)


def test_zones_are_those_of_the_file(tmp_path):
    times = pd.date_range("2025-03-29 20:00", periods=12, freq="h", tz="Europe/Oslo")  # the clock changes in between
    frame = pd.DataFrame({"t": times, "z": 0.5})
    frame.to_csv(tmp_path / "t.csv", index=False)
    both = [_tables.as_table(X, None, Settings({})).numbers(0) for X in (frame, str(tmp_path / "t.csv"))]
    np.testing.assert_array_equal(*both)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "int16", "uint8", "bool"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_scores_as_its_npy(cli, rows, dtype, order):
    X = np.asarray((rows > 0) if dtype == "bool" else (10 * rows).astype(dtype), order=order)
    np.save(cli.folder / "x.npy", X)
    ranker = anorank.AnomalyRanker("knn").fit(X)
    np.testing.assert_array_equal(both(ranker, X), cli.scores("x.npy", None, "--scorer", "knn"))


def test_views_and_byte_orders_score_alike(rows):
    ranker = anorank.AnomalyRanker("knn").fit(rows)
    expected = ranker.score_samples(rows)
    wide = np.zeros((800, 9))
    wide[::2, 1::2] = rows
    for X in [wide[::2, 1::2], rows.astype(">f8"), rows[::-1][::-1], rows.astype(object), rows.tolist()]:
        np.testing.assert_array_equal(ranker.score_samples(X), expected)


def test_one_row_a_few_and_all_score_alike(rows):
    ranker = anorank.AnomalyRanker().fit(rows)
    expected = ranker.score_samples(rows)
    one = np.concatenate([ranker.score_samples(rows[i : i + 1]) for i in range(len(rows))])
    few = np.concatenate([ranker.score_samples(rows[i : i + 100]) for i in range(0, len(rows), 100)])
    chunks = ranker.score_samples(rows[i : i + 70] for i in range(0, len(rows), 70))
    frame = ranker.score_samples(pd.DataFrame(rows, columns=["x1", "x2", "x3", "x4"]))
    for scores in (one, few, chunks, frame):
        np.testing.assert_array_equal(scores, expected)


def test_blocks_score_as_the_whole(rows, monkeypatch):
    ranker = anorank.AnomalyRanker("knn").fit(rows)
    expected = ranker.score_samples(rows)
    X = np.tile(rows, (6, 1))
    monkeypatch.setattr(_tables, "BLOCK_BYTES", 1)
    np.testing.assert_array_equal(ranker.score_samples(X), np.tile(expected, 6))


def test_arrow_scores_as_the_frame_and_the_csv(cli, mixed):
    frame = mixed[["amount", "count", "country", "when"]]
    frame.to_csv(cli.folder / "mixed.csv", index=False)
    expected = cli.scores("mixed.csv")
    for holder in (arrow_by_hand.Stream(frame), arrow_by_hand.Stream(frame, batches=3), arrow_by_hand.Array(frame)):
        ranker = anorank.AnomalyRanker().fit(holder)
        np.testing.assert_array_equal(both(ranker, frame), expected)
        np.testing.assert_array_equal(both(ranker, holder), expected)


@pytest.mark.parametrize(
    "forms",
    [
        {"country": "U", "long": "U", "when": "tss:"},  # pyarrow's large strings
        {"country": "vu", "long": "vu", "when": "tsm:UTC"},  # Polars, DuckDB
        {"country": "c/u", "long": "i/U", "when": "tsu:"},  # dictionaries
        {"country": "I/vu", "long": "I/vu", "when": "tsn:UTC"},  # categories of Polars
    ],
)
@pytest.mark.parametrize("holder", ["Stream", "chunked", "Array"])
def test_producers_of_every_layout_score_alike(mixed, forms, holder):
    """What Polars, DuckDB and pyarrow hand out, with gaps: views, large strings, dictionaries, units of time, chunks."""
    frame = mixed[["amount", "count", "country", "when"]].copy()
    frame["long"] = [f"{'abc'[i % 3]} of more than twelve bytes" if i % 7 else None for i in range(len(frame))]
    expected = both(anorank.AnomalyRanker("knn").fit(frame), frame)
    if holder == "Array":
        made = arrow_by_hand.Array(frame, forms=forms)
    else:
        made = arrow_by_hand.Stream(frame, batches=7 if holder == "chunked" else 1, forms=forms)
    ranker = anorank.AnomalyRanker("knn").fit(made)
    np.testing.assert_array_equal(both(ranker, frame), expected)
    np.testing.assert_array_equal(both(ranker, made), expected)
    assert list(ranker.rank(made, lowest=3)["rank"]) == [1, 2, 3]


def test_days_and_short_floats_of_arrow_are_those_of_the_frame(mixed):
    frame = pd.DataFrame({"day": mixed["when"].dt.floor("D"), "x": mixed["amount"].astype("float32").astype("float64")})
    expected = both(anorank.AnomalyRanker("knn").fit(frame), frame)
    made = arrow_by_hand.Stream(frame, batches=2, forms={"day": "tdD", "x": "f"})
    np.testing.assert_array_equal(both(anorank.AnomalyRanker("knn").fit(made), made), expected)


def test_what_was_handed_over_by_arrow_is_released_once(mixed):
    holder = arrow_by_hand.Stream(mixed[["amount", "country"]], batches=2)
    anorank.AnomalyRanker("knn").fit(holder)
    holder.__arrow_c_stream__()  # never taken: its capsule dies with it
    assert holder.released() == {"stream": 2, "schema": 1, "array": 2}


def test_a_ranking_leaves_as_an_arrow_stream_and_comes_back(mixed):
    ranker = anorank.AnomalyRanker().fit(mixed)
    stream = ranker.rank(mixed, output="arrow")
    frame = ranker.rank(mixed)
    back = _tables.as_table(stream, None, Settings({}))
    at = {name: j for j, name in enumerate(back.names)}
    np.testing.assert_array_equal(back.numbers(at["score"]), frame["score"])
    assert list(back.texts(at["country"])) == [None if v is None else v for v in frame["country"]]


class Interchange:
    """A table that offers __dataframe__ alone."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.frame.__dataframe__(nan_as_null, allow_copy)


def test_the_interchange_protocol_scores_as_the_frame(mixed):
    frame = mixed[["amount", "count", "country", "card", "when"]].dropna()
    ranker = anorank.AnomalyRanker("knn").fit(Interchange(frame))
    np.testing.assert_array_equal(
        ranker.score_samples(frame), anorank.AnomalyRanker("knn").fit(frame).score_samples(frame)
    )


def test_known_anomalies_teach_as_those_of_the_command_line(cli, mixed):
    frame, known = mixed.iloc[10:], mixed.iloc[:10]
    frame.to_csv(cli.folder / "mixed.csv", index=False)
    known.to_csv(cli.folder / "known.csv", index=False)
    expected = cli.scores("mixed.csv", None, "--known", "known.csv")
    np.testing.assert_array_equal(both(anorank.AnomalyRanker(known=known).fit(frame), frame), expected)


def test_detect_agrees_with_the_command_line(cli, mixed):
    mixed.to_csv(cli.folder / "mixed.csv", index=False)
    cli.run("detect", "mixed.csv", "-o", "found.csv", "-q", "--lowest", "20")
    found = pd.read_csv(cli.folder / "found.csv", float_precision="round_trip")
    ours = anorank.detect(mixed, lowest=20)
    assert list(ours.index) == list(found["row"] - 1)
    np.testing.assert_array_equal(ours["score"], found["score"])
    np.testing.assert_array_equal(ours["q_value"], found["q_value"])
    assert list(ours["reasons"]) == list(found["reasons"])


# ---- entities and times ------------------------------------------------------------------------------------------------


def _fleet(rows=600):
    rng = np.random.default_rng(5)
    machine = rng.integers(0, 6, rows)
    when = pd.Timestamp("2025-01-01") + pd.to_timedelta(np.arange(rows) * 1800, unit="s")
    return pd.DataFrame(
        {"machine": [f"m{k}" for k in machine], "when": when, "load": machine * 10 + rng.normal(size=rows),
         "heat": rng.normal(size=rows)}
    )  # fmt: skip


def test_entities_and_times_score_as_on_the_command_line(tmp_path):
    frame = _fleet()
    first, second = frame[:400], frame[400:]
    first.to_csv(tmp_path / "first.csv", index=False)
    second.to_csv(tmp_path / "second.csv", index=False)
    ranker = anorank.AnomalyRanker(by="machine", time="when").fit(first)
    expected = anorank.AnomalyRanker(by="machine", time="when").fit(str(tmp_path / "first.csv"))
    scores = ranker.score_samples(second)
    assert np.array_equal(scores, expected.score_samples(str(tmp_path / "second.csv")))
    program = os.environ.get("ANORANK")
    if program:
        run = [program, "fit", "first.csv", "--by", "machine", "--time", "when", "--train", ranker.train]
        subprocess.run([*run, "-q", "-o", "m.anr"], cwd=tmp_path, check=True)
        subprocess.run([program, "score", "m.anr", "second.csv", "-q", "-o", "s.csv"], cwd=tmp_path, check=True)
        assert np.array_equal(scores, pd.read_csv(tmp_path / "s.csv", float_precision="round_trip")["score"])


def test_levels_of_an_index_are_entities_and_times():
    frame = _fleet()
    plain = anorank.AnomalyRanker(by="machine", time="when").fit(frame[:400])
    wanted = plain.score_samples(frame[400:])
    for index in (["when"], ["machine", "when"]):
        moved = frame.set_index(index)
        ranker = anorank.AnomalyRanker(by="machine", time="when").fit(moved[:400])
        assert np.array_equal(ranker.score_samples(moved[400:]), wanted)
        assert list(ranker.rank(moved[400:], lowest=5, reasons=0).index) == list(
            moved[400:].index[np.argsort(wanted, kind="stable")[:5]]
        )
    nameless = frame.set_index("when").rename_axis(None)
    ranker = anorank.AnomalyRanker(by="machine", time="when").fit(nameless[:400])
    assert np.array_equal(ranker.score_samples(nameless[400:]), wanted)


def test_update_goes_on_with_the_history_and_pieces_are_refused():
    frame = _fleet()
    ranker = anorank.AnomalyRanker(by="machine", time="when").fit(frame[:300])
    wanted = ranker.score_samples(frame[300:])
    before = ranker._model.to_bytes()
    ranker.update(frame[300:450])
    assert np.array_equal(ranker.score_samples(frame[450:]), wanted[150:])
    with pytest.raises(anorank.DataError) as caught:
        ranker.update(frame[:100])
    assert caught.value.code == "time-runs-back"
    assert ranker._model.to_bytes() != before
    with pytest.raises(anorank.UsageError) as caught:
        ranker.score_samples(iter([frame[450:500], frame[500:]]))
    assert caught.value.code == "context-needs-table"


def test_rows_without_a_time_count_at_that_of_the_row_before():
    frame, filled = _fleet(), _fleet()
    frame.loc[[7, 311], "when"] = None
    filled.loc[[7, 311], "when"] = filled.loc[[6, 310], "when"].to_numpy()
    ranker = anorank.AnomalyRanker(by="machine", time="when").fit(frame)
    assert "times-filled" in [note.code for note in ranker.notes_]
    expected = anorank.AnomalyRanker(by="machine", time="when").fit(filled)
    assert np.array_equal(ranker.score_samples(frame), expected.score_samples(filled))
    frame.loc[0, "when"] = None
    with pytest.raises(anorank.DataError) as caught:
        ranker.fit(frame)
    assert (caught.value.code, caught.value.row) == ("time-missing", 1)
