"""Scorers for model selection: ``GridSearchCV(..., scoring=anorank.scoring.mass_volume)``."""
from __future__ import annotations

from typing import Any

from . import criterion
from .ranker import AnomalyRanker


def mass_volume(estimator: Any, X: Any, y: Any = None) -> float:
    """1 - the area under the mass-volume curve on unseen rows X, without labels: larger is better, 0.5 is a random order. It
    works for any estimator with ``score_samples``; every candidate gets the same contrast rows around X.

    It can reject a bad model, but is less reliable between two good ones (docs/research/accuracy-log.md).

    >>> import numpy as np
    >>> from sklearn.model_selection import GridSearchCV
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> search = GridSearchCV(AnomalyRanker("knn"), {"neighbours": [1, 5]}, scoring=mass_volume, cv=3).fit(X)
    >>> search.best_params_["neighbours"] in (1, 5)
    True
    """
    if isinstance(estimator, AnomalyRanker):
        return 1.0 - estimator.evaluate(X, bootstrap=0).area.estimate
    return 1.0 - criterion.judge(estimator.score_samples, X, bootstrap=0).area.estimate
