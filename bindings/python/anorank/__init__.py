"""anorank: rank the rows of a table by how abnormal they are, without labels, and report how reliable that order is.

>>> import anorank
>>> frame = anorank.datasets.cards(2000)
>>> ranker = anorank.AnomalyRanker(labels="fraud").fit(frame)
>>> best = ranker.rank(frame, lowest=5)
>>> len(best)
5

A lower score is more abnormal. The manual is docs/python.md.
"""
from __future__ import annotations


def _refuse_subinterpreters() -> None:
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        return
    if interpreters.get_current() != interpreters.get_main():
        raise ImportError(
            "anorank cannot be used in a sub-interpreter: numpy, which it stands on, does not support them"
        )


_refuse_subinterpreters()

from . import contrast, criterion, datasets, scoring  # noqa: E402
from ._anorank import lib as _lib  # noqa: E402

from ._errors import (  # noqa: E402
    DataError, Error, ModelError, OutOfMemoryError, ResourceError, UsageError, text as _text,
)  # fmt: skip
from .drifting import Drift, drift  # noqa: E402
from .display import MassVolumeDisplay  # noqa: E402
from .judgement import Comparison, Curve, Evaluation, Interval, Judgement, RankStatistic  # noqa: E402
from .ranker import AnomalyRanker, detect, load  # noqa: E402
from .ranking import Explanation, Headline, Reason  # noqa: E402
from .reviewing import Review  # noqa: E402

__version__ = _text(_lib.anorank_version())

__all__ = [
    "AnomalyRanker", "Comparison", "Curve", "DataError", "Drift", "Error", "Evaluation", "Explanation", "Interval", "Judgement",
    "Headline", "MassVolumeDisplay", "ModelError", "OutOfMemoryError", "RankStatistic", "Reason", "ResourceError", "Review",
    "UsageError",
    "contrast", "criterion", "datasets", "detect", "drift", "load", "scoring",
]  # fmt: skip
