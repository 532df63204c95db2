"""AnomalyRanker: what its methods give, and that it is at home in scikit-learn."""
import html
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import anorank
from anorank._settings import TABLE
from conftest import refused


def test_keywords_defaults_and_words_are_those_of_the_settings_table():
    parameters = anorank.AnomalyRanker().get_params()
    for row in TABLE:
        if row.keyword in parameters and row.keyword not in ("scorer", "train", "mass"):
            assert parameters[row.keyword] == row.default
            assert row.help in anorank.AnomalyRanker.__doc__
    assert {"trees", "lambda_", "train_phi", "drop", "id", "missing", "fast"} <= set(parameters)
    with pytest.raises(TypeError):
        anorank.AnomalyRanker(contamination=0.1)


@pytest.mark.parametrize(
    "old, now, value",
    [
        ("missing_policy", "on_missing", "error"),
        ("references", "reference_rows", 100),
        ("space", "hull_scaling", "range"),
        ("format", "input_format", "csv"),
    ],
)
def test_keywords_of_earlier_versions_work_with_a_warning(old, now, value):
    with pytest.warns(FutureWarning, match=now):
        ranker = anorank.AnomalyRanker(**{old: value})
    assert ranker.get_params()[now] == value and old not in ranker.get_params()
    with pytest.warns(FutureWarning, match=now):
        assert anorank.AnomalyRanker().set_params(**{old: value}).get_params()[now] == value
    with pytest.raises(TypeError):
        anorank.AnomalyRanker(**{old: value, now: value})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clone(ranker)


def test_functions_take_keywords_of_earlier_versions(rows):
    with pytest.warns(FutureWarning, match="input_format"):
        anorank.drift(rows, rows, format="csv", permutations=99)


def test_values_are_checked_by_c_when_it_fits(rows):
    with pytest.raises(anorank.UsageError) as caught:
        anorank.AnomalyRanker("isolation", trees=0).fit(rows)
    assert isinstance(caught.value, ValueError) and caught.value.status == "usage"
    assert (caught.value.code, caught.value.setting) == ("setting-value", "trees")
    for bad in ({"trees": {}}, {"n_jobs": 0}, {"random_state": "x"}, {"scorer": "nonsense"}, {"random_state": -1}):
        with pytest.raises(ValueError):
            anorank.AnomalyRanker(**bad).fit(rows)


def test_lists_and_flags_reach_c(rows):
    frame = pd.DataFrame(rows, columns=list("abcd"))
    ranker = anorank.AnomalyRanker(
        "mlp", drop=["a", "b"], lambda_=[0, 0.5], hidden=(3, 2), epochs=2, quadratic=False
    ).fit(frame)
    assert [c["role"] for c in ranker.columns_] == ["dropped", "dropped", "numeric", "numeric"]
    assert ranker._model.parameters()["lambda_"] == "0,0.5"
    assert ranker._model.parameters()["quadratic"] is False


def test_the_planted_row_is_found_by_every_way(rows):
    ranker = anorank.AnomalyRanker().fit(rows)
    scores, p, q = ranker.score_samples(rows), ranker.p_values(rows), ranker.q_values(rows)
    assert scores.argmin() == p.argmin() == q.argmin() == 11
    assert list(ranker.select(rows, lowest=1)) == [11]
    assert list(ranker.select(rows, fdr=0.1)) == list(np.flatnonzero(q <= 0.1)) == list(ranker.select(rows))
    assert set(ranker.select(rows, mass=0.95)) == set(np.flatnonzero(p <= 1 - 0.95))
    with pytest.raises(anorank.UsageError):
        ranker.select(rows, lowest=3, fdr=0.1)


def test_predict_follows_the_p_values_and_the_decision_function(rows):
    ranker = anorank.AnomalyRanker("knn", mass=0.98).fit(rows)
    p = ranker.p_values(rows)
    np.testing.assert_array_equal(ranker.predict(rows) == -1, p <= 1 - 0.98)
    np.testing.assert_array_equal(ranker.decision_function(rows) < 0, ranker.predict(rows) == -1)
    np.testing.assert_array_equal(ranker.decision_function(rows), ranker.score_samples(rows) - ranker.offset_)
    np.testing.assert_array_equal(ranker.fit_predict(rows), ranker.predict(rows))


def test_q_values_are_those_of_benjamini_and_hochberg(rows):
    ranker = anorank.AnomalyRanker("knn").fit(rows)
    p = ranker.p_values(rows)
    order = np.argsort(p, kind="stable")
    raw = p[order] * len(p) / np.arange(1, len(p) + 1)
    expected = np.empty(len(p))
    expected[order] = np.minimum(np.minimum.accumulate(raw[::-1])[::-1], 1)
    np.testing.assert_allclose(ranker.q_values(rows), expected, rtol=1e-12)


def test_rank_gives_a_frame_with_the_original_columns_and_index(mixed):
    frame = mixed.rename(columns={"amount": "score"}).set_index(pd.Index(range(1000, 2200), name="who"))
    ranker = anorank.AnomalyRanker("knn").fit(frame)
    ranked = ranker.rank(frame)
    assert len(ranked) == len(frame) and list(ranked["rank"]) == sorted(ranked["rank"])
    assert list(ranked.columns[:4]) == ["rank", "score", "p_value", "q_value"] and ranked.columns[-1] == "reasons"
    assert ranked.index.name == "who"
    np.testing.assert_array_equal(ranked["score"].to_numpy(), ranker.score_samples(frame)[ranked.index - 1000])
    pd.testing.assert_series_equal(ranked["score_1"], frame["score"].loc[ranked.index].rename("score_1"))
    pd.testing.assert_series_equal(ranked["card"], frame["card"].loc[ranked.index])
    assert html.escape(ranked.headline) in ranked._repr_html_()
    assert type(ranked.head(3)) is pd.DataFrame
    assert set(ranked["tier"]) <= {"apart", "unusual", "rest"}
    assert len(ranker.rank(frame, lowest=7, reasons=0)) == 7 and "reasons" not in ranker.rank(
        frame, lowest=7, reasons=0
    )


def test_rank_of_arrays_and_as_records(rows):
    ranker = anorank.AnomalyRanker("knn").fit(rows)
    ranked = ranker.rank(rows, lowest=5)
    records = ranker.rank(rows, lowest=5, output="numpy")
    assert list(ranked.index) == list(records.row) and ranked.index[0] == 11
    np.testing.assert_array_equal(ranked[["x1", "x2", "x3", "x4"]].to_numpy(), rows[records.row])
    assert records.reasons[0] == ranked["reasons"].iloc[0]
    with refused("setting-value", setting="output"):
        ranker.rank(rows, output="excel")


def test_a_ranking_has_the_headline_of_the_library_as_data(rows):
    ranker = anorank.AnomalyRanker("knn", train="clean").fit(rows)
    for output in ("pandas", "numpy", "arrow"):
        headline = ranker.rank(rows, lowest=2, output=output).headline
        assert headline.kind in ("rate", "apart", "dependent", "shift") and headline.text == str(headline) != ""
        assert (headline.rate is not None) == (headline.kind == "rate")
        assert headline.dependence.tested == (len(rows) >= 100)
        assert 0 <= headline.apart + headline.unusual <= len(rows)
    moved = ranker.rank(np.asarray(rows) + 1000, lowest=2)
    assert moved.headline.kind == "shift" and moved.headline.rate is None and moved.headline.differing > 0.9
    assert "'x3'" in moved.headline.shifted
    assert moved.headline in repr(moved)
    again = pickle.loads(pickle.dumps(moved.headline))
    assert again == moved.headline and again.dependence == moved.headline.dependence
    json.dumps(moved.attrs)


def test_reasons_come_as_data_and_as_sentences(mixed):
    ranker = anorank.AnomalyRanker()
    odd = mixed.copy()
    odd.loc[3, ["amount", "country"]] = [1e6, "XX"]
    ranker.fit(mixed)
    told = ranker.explain(odd.iloc[:10], reasons=4)
    assert [one.row for one in told] == list(range(10))
    best = told[3]
    assert best.rank == 1 and {"amount", "country"} <= {reason.column for reason in best.reasons}
    by_column = {reason.column: reason for reason in best.reasons}
    assert by_column["amount"].kind == "high" and by_column["amount"].value == 1e6
    assert "amount" in by_column["amount"].sentence
    assert by_column["country"].kind == "new_level" and by_column["country"].value == "XX"
    deep = ranker.explain(odd.iloc[:10], row=3)
    assert len(deep.reasons) > len(best.reasons) and str(deep.reasons[0]) in str(deep)
    with pytest.raises(IndexError):
        ranker.explain(odd.iloc[:10], row=10)


def test_names_are_held_to_by_scikit_learns_methods_and_matched_by_ours(rows):
    frame = pd.DataFrame(rows, columns=list("abcd"))
    ranker = anorank.AnomalyRanker("knn").fit(frame)
    assert list(ranker.feature_names_in_) == list("abcd") and ranker.n_features_in_ == 4
    turned = frame[list("dcba")].assign(extra=1)
    with refused("feature-names"):
        ranker.score_samples(turned)
    np.testing.assert_array_equal(ranker.p_values(turned), ranker.p_values(frame))
    assert list(ranker.rank(turned, lowest=3).index) == list(ranker.rank(frame, lowest=3).index)
    with pytest.warns(UserWarning):
        np.testing.assert_array_equal(ranker.score_samples(rows), ranker.score_samples(frame))
    with pytest.warns(UserWarning):
        anorank.AnomalyRanker("knn").fit(rows).score_samples(frame)
    with refused("column-missing"):
        ranker.p_values(frame[list("abc")])


def test_pickles_copies_and_files_score_alike(tmp_path, mixed):
    ranker = anorank.AnomalyRanker("knn", neighbours=3, random_state=7).fit(mixed)
    expected = ranker.score_samples(mixed)
    ranker.save(tmp_path / "model.anr")
    loaded = anorank.load(tmp_path / "model.anr")
    assert (
        loaded.neighbours == 3
        and loaded.random_state == 7
        and loaded.scorer == "knn"
        and loaded.train == "contaminated"
    )
    assert list(loaded.feature_names_in_) == list(mixed.columns) and loaded.offset_ == ranker.offset_
    for other in (pickle.loads(pickle.dumps(ranker)), loaded, clone(ranker).fit(mixed), clone(loaded).fit(mixed)):
        np.testing.assert_array_equal(other.score_samples(mixed), expected)
    with pytest.raises(NotFittedError):
        pickle.loads(pickle.dumps(clone(ranker))).score_samples(mixed)


def test_a_loaded_model_of_arrays_takes_arrays(tmp_path, rows):
    ranker = anorank.AnomalyRanker("knn").fit(rows)
    ranker.save(tmp_path / "model.anr")
    loaded = anorank.AnomalyRanker.load(str(tmp_path / "model.anr"))
    np.testing.assert_array_equal(loaded.score_samples(rows), ranker.score_samples(rows))
    assert not hasattr(loaded, "feature_names_in_")


def test_grids_and_pipelines(rows):
    grid = {"anomalyranker__neighbours": [1, 20]}
    pipeline = make_pipeline(StandardScaler(), anorank.AnomalyRanker("knn"))
    search = GridSearchCV(pipeline, grid, scoring=anorank.scoring.mass_volume, cv=3).fit(rows)
    assert 0.5 < search.best_score_ < 1
    search = GridSearchCV(
        anorank.AnomalyRanker("knn"), {"neighbours": [1, 20]}, scoring=anorank.scoring.mass_volume, cv=3
    )
    assert search.fit(rows).best_estimator_.neighbours in (1, 20)
    assert (
        search.cv_results_["mean_test_score"].shape == (2,) and np.isfinite(search.cv_results_["mean_test_score"]).all()
    )


def test_seeds_and_threads(rows):
    def scores(**keywords):
        return anorank.AnomalyRanker("isolation", **keywords).fit(rows).score_samples(rows)

    np.testing.assert_array_equal(scores(), scores(random_state=0))
    np.testing.assert_array_equal(scores(n_jobs=1), scores(n_jobs=-1))
    np.testing.assert_array_equal(
        scores(random_state=np.random.RandomState(3)), scores(random_state=np.random.RandomState(3))
    )
    np.testing.assert_array_equal(
        scores(random_state=np.random.default_rng(3)), scores(random_state=np.random.default_rng(3))
    )
    assert (scores(random_state=1) != scores(random_state=2)).any()


def test_labels_and_known_anomalies_sharpen_the_order(mixed):
    labelled = mixed.assign(bad=[1.0] * 5 + [np.nan] * 1195)
    by_label = anorank.AnomalyRanker(labels="bad", train="clean").fit(labelled)
    by_known = anorank.AnomalyRanker(known=mixed.iloc[:5], train="clean").fit(mixed.iloc[5:])
    np.testing.assert_array_equal(by_label.p_values(mixed), by_known.p_values(mixed))
    # Among contaminated rows a labelled one stays where it is while odd rows are set apart, so that no other row moves for it.
    by_label = anorank.AnomalyRanker(labels="bad").fit(labelled)
    plain = anorank.AnomalyRanker().fit(mixed).p_values(mixed)
    assert by_label.p_values(mixed)[:5].mean() < plain[:5].mean()
    dismissed = labelled.assign(bad=[1.0] * 5 + [0.0] * 5 + [np.nan] * 1190)
    assert (anorank.AnomalyRanker(labels="bad").fit(dismissed).p_values(mixed) != by_label.p_values(mixed)).any()


def test_what_cannot_be_a_table_is_refused(rows):
    from scipy import sparse

    ranker = anorank.AnomalyRanker("knn")
    for bad, error in [
        (sparse.csr_matrix(rows), TypeError),
        (np.array([[{}], [{}]], dtype=object), TypeError),
        ("no/such/file.csv", FileNotFoundError),
    ]:
        with pytest.raises(error):
            ranker.fit(bad)
    for bad, code, column in [
        (rows[:, 0], "array-dimensions", ""),
        (pd.Series(rows[:, 0]), "array-dimensions", ""),
        (rows + 1j, "array-complex", ""),
        (pd.DataFrame({"a": rows[:, 0] + 1j}), "array-complex", "a"),
        (rows[:0], "table-no-rows", ""),
        (rows[:1], "fit-too-few-rows", ""),
        (rows[:, :0], "table-no-columns", ""),
    ]:
        with refused(code, column=column):
            ranker.fit(bad)
    with pytest.raises(NotFittedError):
        ranker.score_samples(rows)


def test_errors_carry_their_fields_and_survive_pickling(tmp_path):
    (tmp_path / "bad.csv").write_text("a,b\n" + "1,2\n" * 20 + "x,3\n")
    with pytest.raises(anorank.DataError) as caught:
        anorank.AnomalyRanker("knn").fit(tmp_path / "bad.csv")
    error = caught.value
    assert error.code == "cell-not-number" and error.column == "a" and error.line == 22 and error.file.endswith("bad.csv")
    assert error.remedies and all(name in anorank.AnomalyRanker().get_params() for name, _ in error.remedies)
    assert ("missing", "x") in error.remedies
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.remedies == error.remedies and again.code == error.code
    keyword, value = error.remedies[0]
    anorank.AnomalyRanker("knn", **{keyword: value}).fit(tmp_path / "bad.csv")
    (tmp_path / "no.anr").write_bytes(b"nonsense")
    with pytest.raises(anorank.ModelError):
        anorank.load(tmp_path / "no.anr")
    (tmp_path / "long.csv").write_text("a,b\n" + "1,2\n" * 9000)
    with pytest.raises(MemoryError):
        anorank.AnomalyRanker("knn", max_memory=4096).fit(tmp_path / "long.csv")


def test_notes_are_strings_with_a_code(rows):
    note = anorank.AnomalyRanker("knn").fit(rows).notes_[0]
    assert isinstance(note, str) and note.code == "columns-used"
    again = pickle.loads(pickle.dumps(note))
    assert again == note and again.code == note.code


def test_errors_of_the_python_side_have_codes(rows):
    for settings, setting in [({"random_state": "x"}, "random_state"), ({"n_jobs": 0}, "n_jobs"), ({"trees": {}}, "trees")]:
        with pytest.raises(anorank.UsageError) as caught:
            anorank.AnomalyRanker("knn", **settings).fit(rows)
        assert (caught.value.code, caught.value.setting) == ("setting-value", setting)


def test_chunks_of_a_file_and_generators(tmp_path, mixed):
    ranker = anorank.AnomalyRanker("knn").fit(mixed)
    expected = ranker.score_samples(mixed)
    mixed.to_csv(tmp_path / "m.csv", index=False)
    chunks = (mixed.iloc[i : i + 100] for i in range(0, 1200, 100))
    np.testing.assert_array_equal(ranker.score_samples(chunks), expected)
    np.testing.assert_array_equal(ranker.score_samples(tmp_path / "m.csv"), expected)
    assert ranker.score_samples(iter([])).shape == (0,)


def test_no_rows_have_no_scores(rows, mixed):
    for X in (rows, mixed):
        ranker = anorank.AnomalyRanker("knn").fit(X)
        assert ranker.score_samples(X[:0]).shape == ranker.p_values(X[:0]).shape == (0,)


def test_verbose_draws_a_line_and_wipes_it(capsys, rows):
    anorank.AnomalyRanker("knn", verbose=1).fit(rows)
    drawn = capsys.readouterr().err
    assert "|" in drawn and drawn.endswith("\r")


def test_evaluate_and_compare(rows, mixed):
    half = anorank.AnomalyRanker("knn", train="clean").fit(rows[:200])
    judged = half.evaluate(rows[200:], bootstrap=100)
    assert 0 < judged.area.low < judged.area.estimate < judged.area.high < 0.5
    assert judged.verdict and judged.caveat and judged.figure().startswith("<") and "<svg" in judged._repr_html_()
    assert judged.stability is None and anorank.AnomalyRanker("knn").evaluate(rows, bootstrap=0).stability is not None
    other = anorank.AnomalyRanker("histogram", train="clean").fit(rows[:200])
    both = half.compare(other, rows[200:], bootstrap=0)
    assert both.comparison.difference.estimate == pytest.approx(
        both.judgements[0].area.estimate - both.judgements[1].area.estimate
    )
    assert both.laws.extremes.comparison.first == both.laws.extremes.judgements[0].area
    assert both.laws.combinations.outcome in ("first", "second", "undecided", "blind") and both.laws.verdict in str(both)
    assert both.scorers == ["knn", "histogram"] and both.agreement.rows == 200
    with pytest.raises(TypeError):
        half.evaluate(rows, trees=3)
    with refused("compare-one-fitted"):
        half.compare(anorank.AnomalyRanker(), rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labelled = mixed.assign(bad=np.r_[np.ones(60), np.zeros(1140)])
        measured = anorank.AnomalyRanker("knn", labels="bad").evaluate(labelled, bootstrap=0)
        assert measured.labelled[0].anomalies > 0


def test_drift_agrees_with_the_command_line(cli, mixed):
    old, new = mixed.iloc[:600], mixed.iloc[600:].assign(amount=lambda f: f["amount"] * 3)
    old.to_csv(cli.folder / "old.csv", index=False)
    new.to_csv(cli.folder / "new.csv", index=False)
    told = json.loads(cli.run("drift", "old.csv", "new.csv", "--json", "--permutations", "99"))
    for found in (anorank.drift(old, new, permutations=99), anorank.AnomalyRanker().drift(old, new, permutations=99)):
        assert (
            found.p_value == told["p_value"]
            and found.columns[0].name == "amount"
            and found.columns[0].change == "higher"
        )
        assert [column.name for column in found.columns] == [column["column"] for column in told["columns"]]
        assert "amount" in str(found) and "amount" in found._repr_html_() and found.verdict in repr(found)
    with pytest.raises(TypeError):
        anorank.drift(old, new, trees=5)


def test_report_is_a_page_with_the_numbers_of_rank(rows, tmp_path):
    ranker = anorank.AnomalyRanker("knn", random_state=3).fit(rows)
    path = tmp_path / "report.html"
    ranker.report(rows, path, title="<rows>")
    page = path.read_text(encoding="utf-8")
    data = json.loads(page.split('<script type="application/json" id="data">')[1].split("</script>")[0])
    ranked = ranker.rank(rows, output="numpy")
    listed = data["findings"]
    assert data["title"] == "<rows>" and "<rows>" not in page and data["rows"] == len(rows)
    assert [one["row"] - 1 for one in listed] == ranked["row"][: len(listed)].tolist()
    assert [one["score"] for one in listed] == ranked["score"][: len(listed)].tolist()
    assert data["evaluation"]["area"] == ranker.evaluate(rows).area.estimate
    ranker.report(rows, path, evaluate=False)
    assert '"evaluation":' not in path.read_text(encoding="utf-8")
