"""The criterion on plain arrays, against closed forms and scikit-learn; contrast rows, data sets, displays."""
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score

import anorank
from anorank import contrast, criterion, datasets
from conftest import refused

rng = np.random.default_rng(8)
X, U = rng.normal(1, 1, 300), rng.normal(0, 1, 200)


def test_the_area_is_one_minus_the_auc():
    auc = roc_auc_score(np.r_[np.ones(300), np.zeros(200)], np.r_[X, U])
    assert criterion.area(X, U).estimate == pytest.approx(1 - auc, abs=1e-12)
    assert criterion.mass_volume_curve(X, U, points=100001).volume.mean() == pytest.approx(1 - auc, abs=1e-3)


def test_ranks_are_scipys():
    scores = rng.integers(0, 30, 100).astype(float)
    np.testing.assert_array_equal(criterion.ranks(scores), stats.rankdata(scores))
    np.testing.assert_array_equal(criterion.ranks(scores, "max"), stats.rankdata(scores, "max"))
    with pytest.raises(ValueError):
        criterion.ranks([1.0, np.nan])
    with refused("array-dimensions"):
        criterion.ranks([[1.0]])


def test_w_phi_and_its_p_value():
    ranks = stats.rankdata(np.r_[X, U])[:300]
    assert criterion.w_phi(X, U).sum == pytest.approx((ranks / 501).sum(), rel=1e-12)
    expected = stats.mannwhitneyu(X, U, alternative="greater", method="asymptotic", use_continuity=False).pvalue
    assert criterion.two_sample_test(X, U) == pytest.approx(expected, rel=1e-6)
    assert set(criterion.phis()) == set(anorank.judgement.judge(X, U, {"bootstrap": 0}).w)
    with pytest.raises(anorank.UsageError) as caught:
        criterion.w_phi(X, U, "nonsense")
    assert (caught.value.code, caught.value.status, caught.value.setting) == ("phi-unknown", "usage", "phi")
    with pytest.raises(TypeError):
        criterion.area(X, U, trees=3)


def test_curves_have_bands_where_asked():
    assert np.isnan(criterion.mass_volume_curve(X, U).low).all()
    curve = criterion.mass_volume_curve(X, U, bootstrap=200, points=51)
    assert len(curve.mass) == 51
    inside = ~np.isnan(curve.band_low)
    assert (curve.band_low[inside] <= curve.volume[inside]).all() and (
        curve.volume[inside] <= curve.band_high[inside]
    ).all()


def test_compare_is_paired():
    same = criterion.compare(X, X, U, U)
    assert same.difference.estimate == 0 and same.p_value == 1
    worse = X + rng.normal(0, 3, 300), U + rng.normal(0, 3, 200)
    found = criterion.compare(X, worse[0], U, worse[1])
    assert found.difference.estimate < 0 and found.p_value < 0.01
    with pytest.raises(anorank.UsageError) as caught:
        criterion.compare(X, X[1:], U, U)
    assert caught.value.code == "scores-row-count"


def test_any_detector_can_be_judged():
    rows = rng.normal(size=(600, 2))
    forest = IsolationForest(random_state=0).fit(rows[:300])
    judged = criterion.judge(forest.score_samples, rows[300:], random_state=1, bootstrap=100)
    turned = criterion.judge(
        lambda r: -forest.score_samples(r), rows[300:], random_state=1, bootstrap=100, higher_is_abnormal=True
    )
    assert judged.area == turned.area and 0.1 < judged.area.estimate < 0.4 and not judged.blind
    assert judged.figure(label="forest").count("forest") > 0 and "Area under" in judged._repr_html_()
    assert anorank.scoring.mass_volume(forest, rows[300:]) == pytest.approx(
        1 - criterion.judge(forest.score_samples, rows[300:], bootstrap=0).area.estimate
    )


def test_two_laws_see_what_a_detector_sees():
    a = rng.normal(size=400)
    rows = np.column_stack([a, a + 0.05 * rng.normal(size=400)])
    apart = criterion.judge(lambda r: -np.abs(r[:, 0] - r[:, 1]) * (np.abs(r).max(axis=1) < 3), rows, bootstrap=0).laws
    extreme = criterion.judge(lambda r: -np.abs(r[:, 0]), rows, bootstrap=0).laws
    assert apart.combinations.outcome == "separates" and apart.extremes.outcome != "separates" and apart.disagree
    assert extreme.extremes.outcome == "separates" and extreme.combinations.outcome != "separates" and extreme.disagree
    assert (apart.combinations.law, apart.extremes.law) == ("permute", "displace")
    assert apart.combinations.judgements[0].w["log"].p_value < 1e-6 and apart.extremes.comparison is None


def test_contrast_rows_are_drawn_around_the_data():
    rows = rng.normal(size=(50, 3))
    box = contrast.draw(rows, "box", 1000, random_state=3)
    assert box.shape == (1000, 3) and (box >= rows.min(0)).all() and (box <= rows.max(0)).all()
    np.testing.assert_array_equal(box, contrast.draw(rows, "box", 1000, random_state=3))
    frame = contrast.draw(pd.DataFrame(rows, columns=list("abc")), random_state=3)
    assert isinstance(frame, pd.DataFrame) and list(frame.columns) == list("abc") and len(frame) == 50
    with pytest.raises(ValueError):
        contrast.draw(None, "jitter")
    assert {"box", "jitter", "radial"} <= set(contrast.laws())


def test_data_sets():
    data = datasets.paper(3)
    assert data.X.shape == (1000, 2) and data.U.shape == (500, 2) and data.labels.sum() == 100
    assert abs(data.X.var() - 0.1) < 0.01
    cards = datasets.cards(500, anomalies=0.05)
    assert len(cards) == 500 and cards["fraud"].sum() > 5 and "cards" in datasets.examples()
    table = datasets.reproduce(2)
    assert [row.n_lowest for row in table] == [25, 50, 75, 100] and 0.5 < table[0].mean <= 1


def test_the_display_draws_where_matplotlib_is_there():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    rows = rng.normal(size=(300, 2))
    ranker = anorank.AnomalyRanker("knn", train="clean").fit(rows[:150])
    shown = anorank.MassVolumeDisplay.from_estimator(ranker, rows[150:], bootstrap=50)
    anorank.MassVolumeDisplay.from_scores(X, U, ax=shown.ax_, name="scores", bootstrap=50)
    assert len(shown.ax_.lines) == 2 and "area" in shown.ax_.get_legend().get_texts()[0].get_text()
