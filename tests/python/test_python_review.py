"""Answers of a person: given with the fit, or collected by a review; the same as on the command line."""
import numpy as np
import pandas as pd
import pytest

import anorank
from conftest import refused


@pytest.fixture
def cards():
    frame = anorank.datasets.cards(600, anomalies=0.03, random_state=2)
    return frame, frame.pop("fraud").astype(bool).to_numpy()


def test_answers_of_a_fit_are_the_column_that_labels_names(mixed):
    answers = [1] * 5 + [0] * 5 + [-1] * 1190
    by_answers = anorank.AnomalyRanker().fit(mixed, answers=answers)
    by_column = anorank.AnomalyRanker(labels="bad").fit(mixed.assign(bad=[1.0] * 5 + [0.0] * 5 + [np.nan] * 1190))
    plain = anorank.AnomalyRanker().fit(mixed)
    np.testing.assert_array_equal(by_answers.p_values(mixed), by_column.p_values(mixed))
    assert (by_answers.p_values(mixed) != plain.p_values(mixed)).any()
    for same in (
        [True] * 5 + [False] * 5 + [None] * 1190, np.array([1.0] * 5 + [0.0] * 5 + [np.nan] * 1190),
        pd.Series([1] * 5 + [0] * 5 + [pd.NA] * 1190, dtype="Int64"),
    ):  # fmt: skip
        again = anorank.AnomalyRanker().fit(mixed, answers=same)
        np.testing.assert_array_equal(again.p_values(mixed), by_answers.p_values(mixed))
    # y is none of this: scikit-learn's detectors ignore it
    np.testing.assert_array_equal(anorank.AnomalyRanker().fit(mixed, answers).p_values(mixed), plain.p_values(mixed))


def test_answers_that_are_none_are_refused(rows):
    ranker = anorank.AnomalyRanker("knn")
    with refused("label-count"):
        ranker.fit(rows, answers=[1, 0, -1])
    with refused("label-value", row=3):
        ranker.fit(rows, answers=[1, 0, "yes"] + [-1] * 397)


def test_a_review_asks_and_learns(cards):
    frame, fraud = cards
    review = anorank.Review(frame, anorank.AnomalyRanker(id=["transaction", "account"]))
    seen = []
    for turn in range(3):
        rows = review.ask(4)
        assert len(rows) == 4 and not set(seen) & {row.row for row in rows}
        assert all(row.reasons and str(row) for row in rows)
        for row in rows:
            seen.append(row.row)
            review.answer(row, bool(fraud[row.row]) if turn < 2 else None)
    labels = review.labels
    assert [labels[row] for row in seen] == [int(fraud[row]) for row in seen[:8]] + [-1] * 4
    assert [one["label"] for one in review.asked][8:] == ["skip"] * 4
    ranked = review.rank(lowest=20)
    again = anorank.AnomalyRanker(id=["transaction", "account"]).fit_rank(frame, lowest=20, answers=labels)
    pd.testing.assert_frame_equal(pd.DataFrame(ranked), pd.DataFrame(again))
    assert review.ranker.score_samples(frame).shape == (600,)


def test_rows_that_stay_open_are_asked_again_and_answers_can_be_changed(rows):
    review = anorank.Review(rows, anorank.AnomalyRanker("neighbours"))
    first = {row.row for row in review.ask(3)}
    assert 11 in first and {row.row for row in review.ask(3)} == first
    review.answer(11, 0)
    review.answer(11, 1)
    review.answer(5, False)  # not asked
    assert (review.labels[11], review.labels[5]) == (1, 0)
    with pytest.raises(IndexError):
        review.answer(400, 1)
    with refused("label-value", row=1):
        review.answer(3, "maybe")


def test_the_command_line_takes_the_answers_and_the_other_way_round(cards, cli):
    frame, fraud = cards
    frame.to_csv(cli.folder / "cards.csv", index=False)
    review = anorank.Review(cli.folder / "cards.csv", anorank.AnomalyRanker(id=["transaction", "account"]))
    for row in review.ask(6):
        review.answer(row, fraud[row.row])
    review.save(cli.folder / "labels.csv")
    cli.run("detect", "cards.csv", "--id", "transaction,account", "--feedback", "labels.csv", "-q", "-o", "found.csv")
    there = pd.read_csv(cli.folder / "found.csv", float_precision="round_trip")
    here = review.rank(output="numpy")
    np.testing.assert_array_equal(here["row"] + 1, there["row"])
    np.testing.assert_array_equal(here["score"], there["score"])
    cli.run("detect", "cards.csv", "--id", "transaction,account", "--review", "labels.csv", "-q", "-o", "more.csv")
    back = anorank.Review(frame, anorank.AnomalyRanker(id=["transaction", "account"]), answers=cli.folder / "labels.csv")
    np.testing.assert_array_equal(back.labels, review.labels)
    assert len(back.asked) == 11  # the command line asked about five more
