"""scikit-learn's check_estimator, in full, for the default and for every class of scoring functions."""
import warnings

import pytest
from sklearn.utils.estimator_checks import check_estimator

import anorank
from anorank._anorank import lib
from anorank._errors import registry, text

CLASSES = ["auto"] + [text(row.name) for row in registry(lib.anorank_class_at)]


@pytest.mark.parametrize("scorer", CLASSES)
def test_check_estimator_passes_in_full(scorer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks themselves warn
        check_estimator(anorank.AnomalyRanker(scorer))


def test_check_estimator_passes_for_clean_training():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(anorank.AnomalyRanker("knn", train="clean"))
