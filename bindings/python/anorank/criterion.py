"""The criterion on plain arrays of scores: judge any detector without labels.

You need the detector's scores ``x`` of unseen normal rows, and its scores ``u`` of contrast rows, which fill the space
around the data (`anorank.contrast.draw`). A lower score is more abnormal.

>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> x, u = rng.normal(1, 1, 500), rng.normal(0, 1, 500)
>>> 0.2 < area(x, u).estimate < 0.3
True
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional

import numpy as np

from . import contrast as _contrast
from . import judgement as _judgement
from ._anorank import ffi, lib
from ._columns import unmasked
from ._errors import UsageError, refusal, registry, text
from ._settings import Settings, split
from .judgement import Comparison, Curve, Interval, Judgement, RankStatistic, pointer, scores_of


def phis() -> Dict[str, str]:
    """The score-generating functions, and the part of the order that each weighs."""
    rows = list(registry(lib.anorank_phi_at))
    return {text(row.name): text(row.looks_at) for row in rows}


def ranks(scores: Any, ties: str = "mid") -> Any:
    """Ranks 1 to n of the scores, lowest first; ties share their mean ("mid") or their largest ("max") rank.

    >>> ranks([3.0, 1.0, 1.0])
    array([3. , 1.5, 1.5])
    """
    given, values = Settings({"ties": ties}), scores_of(scores, "scores")
    made = np.empty(len(values))
    kind = lib.ANORANK_TIES_MAX if ties == "max" else lib.ANORANK_TIES_MID
    given.run(lib.anorank_ranks, pointer(made), pointer(values), len(values), kind, given.c)
    return made


def _judged(x: Any, u: Any, settings: Dict[str, Any]) -> Judgement:
    return _judgement.judge(x, u, {"bootstrap": 0, **settings})


def w_phi(x: Any, u: Any, phi: str = "mww", **settings: Any) -> RankStatistic:
    """The two-sample rank statistic W_phi: large where normal rows score above contrast rows.

    >>> w_phi([2.0, 3.0], [0.0, 1.0]).sum  # ranks 3 and 4 of 5
    1.4
    """
    found = _judged(x, u, settings).w
    if phi not in found:
        raise refusal(
            UsageError, "phi-unknown", f"unknown phi {phi!r}; pass one of {', '.join(found)}", setting="phi"
        )
    return found[phi]


def two_sample_test(x: Any, u: Any, phi: str = "mww", **settings: Any) -> float:
    """The p-value of W_phi, under the hypothesis that the scores do not separate x from u."""
    return w_phi(x, u, phi, **settings).p_value


def area(x: Any, u: Any, **settings: Any) -> Interval:
    """The area under the mass-volume curve with an interval: 0 is best, 0.5 a random order."""
    return _judged(x, u, settings).area


def mass_volume_curve(x: Any, u: Any, **settings: Any) -> Curve:
    """The curve; ``bootstrap=1000`` adds intervals and a simultaneous band."""
    return _judged(x, u, settings).curve


def compare(x_first: Any, x_second: Any, u_first: Any, u_second: Any, **settings: Any) -> Comparison:
    """Compare two detectors by their scores of the same rows, paired: ``difference`` below 0 means that the first is better."""
    given = Settings(split(settings, lib.ANORANK_FOR_JUDGE | lib.ANORANK_FOR_RUN, "compare"))
    arrays = [
        scores_of(a, name)
        for a, name in [(x_first, "x_first"), (x_second, "x_second"), (u_first, "u_first"), (u_second, "u_second")]
    ]
    if len(arrays[0]) != len(arrays[1]) or len(arrays[2]) != len(arrays[3]):
        raise refusal(
            UsageError, "scores-row-count", "both detectors must have scored the same rows; the arrays differ in length"
        )
    out = ffi.new("anorank_comparison *")
    x1, x2, u1, u2 = (pointer(a) for a in arrays)
    given.run(lib.anorank_compare, out, x1, x2, len(arrays[0]), u1, u2, len(arrays[2]), given.c)
    return _judgement.comparison(out[0])


def judge(
    score: Callable[[Any], Any], X: Any, *, law: str = "auto", rows: Optional[int] = None, random_state: Any = None,
    higher_is_abnormal: bool = False, **settings: Any,
) -> Judgement:  # fmt: skip
    """Evaluate a detector by its scoring function on unseen normal rows X. The contrast rows are drawn here, around X.
    ``laws`` evaluates it by two more laws, for strange combinations and for extreme values.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> found = judge(lambda rows: -(rows**2).sum(axis=1), X, random_state=0)
    >>> found.area.estimate < 0.3
    True
    >>> found.laws.extremes.outcome, found.laws.combinations.outcome
    ('separates', 'undecided')
    """
    sign = -1.0 if higher_is_abnormal else 1.0

    def scored(sample: Any) -> Any:
        return sign * np.asarray(unmasked(score(sample)), dtype=np.float64)

    x = scored(X)
    made = _judgement.judge(x, scored(_contrast.draw(X, law, rows, random_state=random_state)), settings)
    swapped = _contrast.draw(X, "permute", rows, random_state=random_state, permute_share=0.3)
    by_law = [
        _judged(x, scored(sample), settings)
        for sample in (swapped, _contrast.draw(X, "displace", rows, random_state=random_state))
    ]
    made.laws = _judgement.by_laws(*by_law)
    return made
