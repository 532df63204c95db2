"""anorank.dask on local clusters of processes: for any partitions and workers, dead ones included, the results of the command
line on the whole table."""
import gzip
import json
import os
import pickle
import re
import signal
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import anorank
from conftest import CommandLine, refused

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

import anorank.dask  # noqa: E402

ROWS = 6000
PAGE = Path(__file__).parents[2] / "docs" / "dask.md"


def a_client(workers):
    options = dict(threads_per_worker=1, dashboard_address=None, silence_logs=50)
    with distributed.LocalCluster(n_workers=workers, **options) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def client():
    yield from a_client(2)


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
    with refused("parts-column-type", column="word"):
        anorank.dask.fit(ranker(), dd.from_pandas(odd, npartitions=2))


# ---- the command line on the same rows ------------------------------------------------------------------------------

CUTS = {
    "one part": [0, ROWS],
    "a row and no row": [0, 1, 1, 2, 2500, 2500, ROWS],
    "an empty part first": [0, 0, 900, 4000, ROWS],
}
CUT = "a row and no row"
CHOICES = {"fdr": 0.1, "lowest": 40, "mass": 0.99}
FIT = ["--train", "contaminated", "--seed", 5, "--fast", "--id", "code"]


def named(**settings):
    return ranker(id="code", **settings)


class Expected:
    """A table in parts, and what the command line makes of it, once."""

    def __init__(self, frame, program, folder):
        self.folder = folder
        self.frame = frame.assign(code=[f"{i % 5000:06d}" for i in range(ROWS)], when=frame["when"].astype(str))
        self.frame.loc[1235] = self.frame.loc[1234]  # a tie
        self.cli = CommandLine(program, folder)
        self.frame.to_csv(folder / "whole.csv", index=False)
        for name, cuts in CUTS.items():
            (folder / name).mkdir()
            for i, (first, end) in enumerate(zip(cuts, cuts[1:])):
                self.frame.iloc[first:end].to_csv(folder / name / f"p{i}.csv", index=False)
        self.cli.run("fit", "one part", "-o", "model.anr", *FIT, "-q")
        self.cli.run("score", "model.anr", "whole.csv", "-o", "score.csv", "-q")
        for name, value in CHOICES.items():
            self.cli.run("rank", "model.anr", "one part", f"--{name}", value, "--keep", "when,a", "-o", f"{name}.csv", "-q")
        parts = [f"one part/{path.name}" for path in (folder / "one part").iterdir()]
        self.cli.run("detect", *parts, "whole.csv", "--lowest", 5, "-o", "two.csv", *FIT, "-q")  # files in order
        self.cli.run("detect", "whole.csv", "--fdr", 0.1, "-o", "detect.csv", "--save-model", "own.anr", *FIT, "-q")
        for cut in CUTS:  # of several files the file is written, too
            for name, value in CHOICES.items():
                written = ["--keep", "when,a", "-o", f"{cut} {name}.csv", "-q"]
                self.cli.run("rank", "model.anr", cut, f"--{name}", value, *written)
            self.cli.run("detect", cut, "--fdr", 0.1, "-o", f"{cut} detect.csv", *FIT, "-q")

    def text(self, name):
        return (self.folder / name).read_text()

    def bytes(self, name):
        return (self.folder / name).read_bytes()


@pytest.fixture(scope="module")
def expected(frame, tmp_path_factory):
    program = os.environ.get("ANORANK")
    if not program:
        pytest.skip("ANORANK does not name the command line")
    return Expected(frame, program, tmp_path_factory.mktemp("parts"))


@pytest.fixture
def scaled(client):
    """A function that gives the cluster so many workers for the time of a test."""

    def scale(count):
        client.cluster.scale(count)
        while len(client.scheduler_info()["workers"]) != count:
            time.sleep(0.02)

    yield scale
    scale(2)


def joined(paths):
    """Parts in the order of their rows, as one file."""
    texts = [Path(path).read_text() for path in paths]
    head = texts[0].split("\n", 1)[0]
    assert all(text.startswith(head + "\n") for text in texts)
    return head + "\n" + "".join(text[len(head) + 1 :] for text in texts)


def ranked(paths):
    """Parts in the order of their ranks, as one file."""
    head, *lines = joined(paths).splitlines(keepends=True)
    place = head.split(",").index("rank")
    return head + "".join(sorted(lines, key=lambda line: [int(cell) for cell in line.split(",")[place : place + 2]]))


@pytest.mark.parametrize("workers,cut", [(2, cut) for cut in CUTS if cut != "one part"] + [(1, CUT), (4, CUT)])
def test_files_give_the_bytes_of_the_command_line(scaled, expected, tmp_path, workers, cut, monkeypatch):
    scaled(workers)
    monkeypatch.chdir(expected.folder)
    parts = cut
    fitted = anorank.dask.fit(named(), parts)
    assert fitted._model.to_bytes() == expected.bytes("model.anr")
    assert joined(anorank.dask.score_samples(fitted, parts, folder=tmp_path / "score")) == expected.text("score.csv")
    for name, value in CHOICES.items():
        paths = anorank.dask.rank(fitted, parts, keep=["when", "a"], folder=tmp_path / name, **{name: value})
        assert len(paths) == len(CUTS[cut]) - 1
        assert ranked(paths) == expected.text(f"{cut} {name}.csv")
    own = named()
    paths = anorank.dask.detect(own, parts, fdr=0.1, folder=tmp_path / "detect")
    assert own._model.to_bytes() == expected.bytes("own.anr")
    assert ranked(paths) == expected.text(f"{cut} detect.csv")
    found = anorank.dask.rank(fitted, parts, lowest=9)
    assert list(found["file_row"]) == [found["row"][i] - max(c for c in CUTS[cut][:-1] if c <= found["row"][i]) for i in range(9)]


def frame_in_parts(frame, cuts):
    parts = [dask.delayed(frame.iloc[first:end]) for first, end in zip(cuts, cuts[1:])]
    return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)


def values(frame):
    return frame[["rank", "row", "score", "p_value", "q_value", "reasons"]]


def written(path):
    """What the command line has written, with rows from 0."""
    return values(pd.read_csv(path, float_precision="round_trip").assign(row=lambda found: found["row"] - 1))


@pytest.mark.parametrize("cut", [CUT, "an empty part first"])
def test_a_data_frame_gives_the_values_of_the_command_line(client, expected, cut):
    parts = frame_in_parts(expected.frame, CUTS[cut])
    fitted = anorank.dask.fit(named(), parts)
    assert fitted._model.to_bytes() == expected.bytes("model.anr")
    for name, value in CHOICES.items():
        found = anorank.dask.rank(fitted, parts, keep="a", **{name: value})
        pd.testing.assert_frame_equal(values(found).reset_index(drop=True), written(expected.folder / f"{name}.csv"))
        assert list(found.index) == list(expected.frame.index[found["row"]])
        assert list(found["a"]) == list(expected.frame["a"].iloc[found["row"]])
    own = named()
    found = anorank.dask.detect(own, parts, fdr=0.1)
    assert own._model.to_bytes() == expected.bytes("own.anr")
    pd.testing.assert_frame_equal(values(found).reset_index(drop=True), written(expected.folder / "detect.csv"))


def test_collected_results_are_those_of_the_estimator(client, expected):
    whole, parts = named().fit(expected.folder / "whole.csv"), expected.folder / CUT
    np.testing.assert_array_equal(
        anorank.dask.score_samples(whole, parts), whole.score_samples(expected.folder / "whole.csv")
    )
    np.testing.assert_array_equal(anorank.dask.p_values(whole, parts), whole.p_values(expected.folder / "whole.csv"))
    for choice in ({"lowest": 1}, {"fdr": 0.1}, {"mass": 0.95}):  # the lowest row is tied
        found = anorank.dask.rank(whole, parts, **choice)
        one_piece = whole.rank(expected.folder / "whole.csv", **choice)
        assert found.attrs["anorank"]["headline"] == one_piece.attrs["anorank"]["headline"]
        if "lowest" not in choice:  # a note about the tie
            assert found.attrs == one_piece.attrs
        assert list(found["score"]) == list(one_piece["score"])
    records = anorank.dask.rank(whole, parts, lowest=3, output="numpy")
    assert list(records.row) == [1234, 1235, *records.row[2:]] and list(records["rank"]) == [1, 1, 3]
    assert len(anorank.dask.rank(whole, parts, fdr=1e-9)) == 0


def test_several_files_and_folders_follow_each_other(client, expected):
    both = [*sorted((expected.folder / "one part").iterdir()), str(expected.folder / "whole.csv")]
    found = anorank.dask.detect(named(), both, lowest=5)
    pd.testing.assert_frame_equal(values(found), written(expected.folder / "two.csv"))
    assert anorank.dask._parts.files_of([expected.folder / CUT, both[-1]])[-2:] == [
        str(expected.folder / CUT / "p5.csv"), str(expected.folder / "whole.csv")
    ]  # fmt: skip


def test_an_evaluation_is_that_of_the_table_in_one_piece(client, expected):
    fitted, whole = named().fit(expected.folder / "whole.csv"), expected.folder / "whole.csv"
    for judged in (fitted, named()):
        found, one_piece = anorank.dask.evaluate(judged, expected.folder / CUT, bootstrap=50), judged.evaluate(whole, bootstrap=50)
        assert (found.verdict, found.area) == (one_piece.verdict, one_piece.area)
        np.testing.assert_array_equal(found.curve.volume, one_piece.curve.volume)


def test_files_are_written_in_other_formats(client, expected, tmp_path):
    fitted = named().fit(expected.folder / "whole.csv")
    numbers = anorank.dask.rank(fitted, expected.folder / CUT, lowest=4, folder=tmp_path / "npy", format="npy")
    assert sum(len(np.load(path)) for path in numbers) == 4
    lines = anorank.dask.rank(fitted, expected.folder / CUT, lowest=4, folder=tmp_path / "json", format="jsonl.gz")
    rows = [json.loads(line) for path in lines for line in gzip.open(path, "rt")]
    assert sorted(row["rank"] for row in rows) == [1, 1, 3, 4] and rows[0]["reasons"]


# ---- workers that die -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mortal():
    yield from a_client(2)


def kill_at(readings, log):
    """On a worker: end it by SIGKILL in the middle of a part, at that reading of a part in the whole cluster."""
    from anorank import _parts

    plain = _parts.blocks_of

    def blocks_of(*arguments):
        with open(log, "a") as file:
            file.write(".")
        if os.path.getsize(log) == readings:
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(*arguments)

    blocks_of.plain = plain
    _parts.blocks_of = blocks_of
    return os.getpid()


def be_plain():
    from anorank import _parts

    _parts.blocks_of = getattr(_parts.blocks_of, "plain", _parts.blocks_of)
    return os.getpid()


def revive(mortal, before):
    """Wait until another worker has taken the place of the one that died; the scheduler may not know yet that it did."""
    for _ in range(3000):
        now = set(mortal.scheduler_info()["workers"])
        if len(now) == len(before) and now != before:
            return mortal.run(be_plain)
        time.sleep(0.02)
    raise AssertionError("no worker died, or none took its place")


@pytest.mark.parametrize("at", ["sample", "score", "report"])
def test_a_killed_worker_does_not_change_the_result(mortal, expected, tmp_path, monkeypatch, at):
    monkeypatch.chdir(expected.folder)
    parts, count, log = CUT, len(CUTS[CUT]) - 1, tmp_path / "log"
    log.touch()
    readings = ["count", "sample", "score", "report"].index(at) * count + count - 1
    before = mortal.run(kill_at, readings, str(log))
    own = named()
    paths = anorank.dask.detect(own, parts, fdr=0.1, folder=tmp_path / "detect")
    after = revive(mortal, set(before))
    assert len(set(before.values()) & set(after.values())) == 1
    assert own._model.to_bytes() == expected.bytes("own.anr")
    assert ranked(paths) == expected.text(f"{CUT} detect.csv")
    assert sorted(path.name for path in (tmp_path / "detect").iterdir()) == [Path(path).name for path in paths]


# ---- what is wrong --------------------------------------------------------------------------------------------------


def parts_with(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


GOOD = "a,b\n" + "".join(f"{i},{i * i % 7}\n" for i in range(50))


def test_a_broken_part_names_its_file_and_line(client, tmp_path):
    parts = parts_with(tmp_path, p0=GOOD, p1=GOOD + "1,2,3\n", p2=GOOD + "1,2,3,4\n")
    for call in (anorank.dask.fit, anorank.dask.detect, anorank.dask.evaluate):
        with pytest.raises(anorank.DataError) as caught:
            call(ranker(), parts)
        assert (Path(caught.value.file).name, caught.value.line) == ("p1.csv", 52)


def test_parts_must_have_the_same_columns(client, tmp_path):
    fitted = ranker().fit(parts_with(tmp_path, p0=GOOD) / "p0.csv")
    for text in ("a\n1\n2\n", "a,c\n1,2\n", "a,b\n1,x\n2,y\n"):
        parts_with(tmp_path, p1=text)
        for call in (anorank.dask.fit, anorank.dask.rank):
            with pytest.raises(anorank.DataError) as caught:
                call(fitted, tmp_path)
            assert Path(caught.value.file).name == "p1.csv"
    assert (caught.value.code, caught.value.column, caught.value.setting) == ("parts-column-type", "b", "categorical")


def test_a_column_that_the_model_needs_must_be_there(client, tmp_path):
    fitted = ranker().fit(parts_with(tmp_path, p0=GOOD) / "p0.csv")
    parts_with(tmp_path, p0="a\n1\n2\n")
    for call in (anorank.dask.rank, anorank.dask.score_samples):
        with pytest.raises(anorank.DataError) as caught:
            call(fitted, tmp_path)
        assert caught.value.code == "column-missing"


def test_what_is_not_a_table_in_parts_is_refused(client, tmp_path):
    (tmp_path / "empty").mkdir()
    for wrong, kind in [
        ([], anorank.UsageError), (tmp_path / "empty", anorank.DataError), (tmp_path / "none.csv", FileNotFoundError),
        (np.zeros((3, 2)), TypeError), (parts_with(tmp_path, p0="a,b\n"), anorank.DataError),
    ]:  # fmt: skip
        with pytest.raises(kind):
            anorank.dask.fit(ranker(), wrong)


def test_what_is_asked_for_must_make_sense(client, expected, tmp_path):
    parts = expected.folder / CUT
    with pytest.raises(NotFittedError):
        anorank.dask.rank(named(), parts)
    (tmp_path / "old.csv").write_text("")
    for wrong in ({"fdr": 0.1, "lowest": 3}, {"fdr": 2.0}, {"folder": tmp_path}):
        with pytest.raises(anorank.UsageError):
            anorank.dask.detect(named(), parts, **wrong)
    with pytest.raises(ValueError):
        anorank.dask.detect(named(), parts, output="arrow")


def test_the_example_of_the_manual_runs(client):
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    (example,) = [block for block in blocks if "anorank.dask" in block]
    found = {}
    exec(example.replace("frame.assign(", "lowest = frame.assign("), found)
    assert len(found["lowest"]) == 10
    whole = anorank.AnomalyRanker().fit(found["frame"].compute())
    assert found["ranker"]._model.to_bytes() == whole._model.to_bytes()


# ---- rows that are compared with earlier rows -----------------------------------------------------------------------

OLD, NEW = [0, 1, 1, 900, 3000], [3000, 3000, 3001, 4100, 5000]
IN_CONTEXT = ["--by", "machine", "--time", "when", "--train", "contaminated", "--seed", 5, "--fast"]


def in_context(**settings):
    return ranker(by="machine", time="when", **settings)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """Machines of different levels, some rows without one: a history and new rows in parts, and what the command line makes of them."""
    program = os.environ.get("ANORANK")
    if not program:
        pytest.skip("ANORANK does not name the command line")
    rng, rows = np.random.default_rng(7), OLD[-1] + NEW[-1] - NEW[0]
    machine = rng.integers(0, 9, rows)
    made = pd.DataFrame({"machine": [None if i % 83 == 5 else f"m{m}" for i, m in enumerate(machine)]})
    made["when"] = (pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(rows) * 7, unit="min")).astype(str)
    made["x"], made["y"] = 10 * machine + rng.normal(size=rows), rng.normal(size=rows)
    made.loc[rng.choice(rows, 25), "x"] += 15
    folder = tmp_path_factory.mktemp("fleet")
    cli = CommandLine(program, folder)
    for name, cuts in {"old": OLD, "new": NEW}.items():
        (folder / name).mkdir()
        made.iloc[cuts[0] : cuts[-1]].to_csv(folder / f"{name}.csv", index=False)
        for i, (first, end) in enumerate(zip(cuts, cuts[1:])):
            made.iloc[first:end].to_csv(folder / name / f"p{i}.csv", index=False)
    cli.run("fit", "old", "-o", "model.anr", *IN_CONTEXT, "-q")
    cli.run("fit", "old", "-o", "drawn.anr", "--max-memory", 300_000, *IN_CONTEXT, "-q")
    cli.run("score", "model.anr", "new.csv", "-o", "score.csv", "-q")
    for name, value in CHOICES.items():
        cli.run("rank", "model.anr", "new", f"--{name}", value, "-o", f"{name}.csv", "-q")
    cli.run("rank", "model.anr", "new.csv", "--lowest", 40, "-o", "whole.csv", "-q")
    cli.run("detect", "old", "--lowest", 40, "-o", "detect.csv", "--save-model", "own.anr", *IN_CONTEXT, "-q")
    return made, folder


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_entities_and_times_give_the_bytes_of_the_command_line(scaled, fleet, tmp_path, workers, monkeypatch):
    scaled(workers)
    _, folder = fleet
    monkeypatch.chdir(folder)
    fitted = anorank.dask.fit(in_context(), "old")
    assert fitted._model.to_bytes() == (folder / "model.anr").read_bytes()
    assert joined(anorank.dask.score_samples(fitted, "new", folder=tmp_path / "score")) == (folder / "score.csv").read_text()
    for name, value in CHOICES.items():
        paths = anorank.dask.rank(fitted, "new", folder=tmp_path / name, **{name: value})
        assert ranked(paths) == (folder / f"{name}.csv").read_text()
    own = in_context()
    paths = anorank.dask.detect(own, "old", lowest=40, folder=tmp_path / "detect")
    assert own._model.to_bytes() == (folder / "own.anr").read_bytes()
    assert ranked(paths) == (folder / "detect.csv").read_text()


def test_more_rows_than_a_fit_draws_go_from_part_to_part(client, fleet):
    _, folder = fleet
    fitted = anorank.dask.fit(in_context(max_memory=300_000), folder / "old")
    assert "context-first-rows" in [note.code for note in fitted.notes_]
    assert fitted._model.to_bytes() == (folder / "drawn.anr").read_bytes()


def test_entities_and_times_of_a_data_frame_give_what_the_estimator_gives(client, fleet):
    frame, folder = fleet
    history, new = frame.iloc[: OLD[-1]], frame.iloc[OLD[-1] :]
    for indexed in (False, True):
        if indexed:
            history, new = history.set_index(["machine"]), new.set_index(["machine"])
        old_parts = frame_in_parts(history, OLD)
        new_parts = frame_in_parts(new, np.subtract(NEW, NEW[0]))
        whole = in_context().fit(history)
        fitted = anorank.dask.fit(in_context(), old_parts)
        assert fitted._model.to_bytes() == whole._model.to_bytes()
        assert fitted.n_features_in_ == whole.n_features_in_
        scores = anorank.dask.score_samples(fitted, new_parts)
        assert scores.npartitions == len(NEW) - 1
        np.testing.assert_array_equal(scores.compute().to_numpy(), whole.score_samples(new))
        np.testing.assert_array_equal(anorank.dask.p_values(fitted, new_parts).compute(), whole.p_values(new))
        found, expected = anorank.dask.rank(fitted, new_parts, lowest=40), whole.rank(new, lowest=40)
        assert list(found["row"]) == list(np.argsort(whole.score_samples(new), kind="stable")[:40])
        assert list(found["score"]) == list(expected["score"]) and list(found["reasons"]) == list(expected["reasons"])
    np.testing.assert_array_equal(anorank.dask.score_samples(fitted, folder / "new"), whole.score_samples(new))
    judged = anorank.dask.evaluate(in_context(), frame_in_parts(frame.iloc[: OLD[-1]], OLD), bootstrap=20)
    assert judged.area == in_context().evaluate(frame.iloc[: OLD[-1]], bootstrap=20).area


def test_parts_that_run_back_in_time_are_refused(client, fleet):
    _, folder = fleet
    fitted = anorank.dask.fit(in_context(), folder / "old")
    back = [folder / "new.csv", folder / "old.csv"]
    for call in (anorank.dask.score_samples, anorank.dask.rank):
        with refused("time-not-sorted"):
            call(fitted, back)


def test_a_killed_worker_does_not_change_what_is_handed_on(mortal, fleet, tmp_path, monkeypatch):
    _, folder = fleet
    monkeypatch.chdir(folder)
    log = tmp_path / "log"
    log.touch()
    before = mortal.run(kill_at, 2 * (len(OLD) - 1) + 2, str(log))
    own = in_context()
    paths = anorank.dask.detect(own, "old", lowest=40, folder=tmp_path / "detect")
    revive(mortal, set(before))
    assert own._model.to_bytes() == (folder / "own.anr").read_bytes()
    assert ranked(paths) == (folder / "detect.csv").read_text()
