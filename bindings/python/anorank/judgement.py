"""Evaluations without labels: areas, curves and tests, as sentences and as data."""
from __future__ import annotations

import html
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from . import _tables
from ._anorank import ffi, lib
from ._columns import Table, unmasked
from ._errors import DataError, UsageError, notes_of, refusal, sink, text, to_memory
from ._settings import Settings, Watch, applying_to, split


class Interval(NamedTuple):
    """An estimate, its standard error and an interval at ``level``."""

    estimate: float
    sd: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.estimate:.4f} ({self.low:.4f} to {self.high:.4f})"


class RankStatistic(NamedTuple):
    """W_phi of the scores, and its null distribution, under which scores do not separate normal from contrast rows."""

    phi: str
    sum: float
    mean: float
    null_mean: float
    null_sd: float
    z: float
    p_value: float
    exact: bool


class Curve(NamedTuple):
    """Points of a mass-volume curve. ``low`` and ``high`` are pointwise, the band is simultaneous."""

    mass: Any
    volume: Any
    low: Any
    high: Any
    band_low: Any
    band_high: Any


class Comparison(NamedTuple):
    """Two scorers on the same rows. ``difference`` is first minus second: below 0, the first is better."""

    first: Interval
    second: Interval
    difference: Interval
    z: float
    p_value: float
    tail_difference: Interval  # over the highest mass, 0.9 to 1: the abnormal end
    tail_p_value: float


class Agreement(NamedTuple):
    """Agreement of two orders of the same rows: rank correlation, and overlap of the lowest rows."""

    rows: int
    spearman: float
    lowest: List[Dict[str, float]]


class Labelled(NamedTuple):
    """Measures that need labels."""

    normal: int
    anomalies: int
    roc_auc: Interval
    average_precision: float


def interval(c: Any) -> Interval:
    return Interval(c.estimate, c.sd, c.low, c.high)


def comparison(c: Any) -> Comparison:
    return Comparison(
        interval(c.first), interval(c.second), interval(c.difference), c.z, c.p_value,
        interval(c.partial_difference.area), c.partial_p_value,
    )  # fmt: skip


def agreement(c: Any) -> Agreement:
    shares = [c.lowest[k] for k in range(lib.ANORANK_AGREEMENT_SHARES)]
    lowest = [dict(share=one.share, rows=one.rows, overlap=one.overlap, by_chance=one.by_chance) for one in shares]
    return Agreement(c.rows, c.spearman, lowest)


def _labelled(c: Any) -> Optional[Labelled]:
    return Labelled(c.normal, c.anomalies, interval(c.roc_auc), c.average_precision) if c else None


def _records(pointer: Any, count: int, fields: int) -> Any:
    """An array of C structs of doubles."""
    if not pointer or count == 0:
        return np.empty((0, fields))
    return np.frombuffer(ffi.buffer(pointer, 8 * fields * count), dtype=np.float64).reshape(-1, fields).copy()


class LawVerdict(NamedTuple):
    """What contrast rows of one law say of an order, or of two: ``outcome`` is "blind", "undecided", "weak", "separates"
    or "reversed" for one, "blind", "undecided", "first" or "second" for two. ``comparison`` is None for one."""

    law: str
    kind: str
    outcome: str
    judgements: List["Judgement"]
    comparison: Optional[Comparison]


class TwoLaws(NamedTuple):
    """The criterion by two contrast laws: strange combinations (``permute`` with a share of 0.3) and extreme values
    (``displace``). ``verdict`` is a sentence that names the law where they ``disagree``."""

    combinations: LawVerdict
    extremes: LawVerdict
    disagree: bool
    verdict: str


_OUTCOMES = {
    lib.ANORANK_LAW_BLIND: "blind", lib.ANORANK_LAW_UNDECIDED: "undecided", lib.ANORANK_LAW_WEAK: "weak",
    lib.ANORANK_LAW_SEPARATES: "separates", lib.ANORANK_LAW_REVERSED: "reversed", lib.ANORANK_LAW_FIRST: "first",
    lib.ANORANK_LAW_SECOND: "second",
}  # fmt: skip


def _law_verdict(c: Any, owner: Any) -> LawVerdict:
    return LawVerdict(
        text(c.law), text(c.kind), _OUTCOMES[c.outcome], [Judgement(one, owner=owner) for one in c.of if one],
        comparison(c.comparison) if c.comparison else None,
    )  # fmt: skip


def _two_laws(c: Any, owner: Any) -> TwoLaws:
    """The judgements of ``c`` belong to ``owner``."""
    return TwoLaws(
        _law_verdict(c.combinations, owner), _law_verdict(c.extremes, owner), bool(c.disagree), text(c.conclusion)
    )


class Judgement:
    """The evaluation of one scoring function by its scores of normal rows and of contrast rows.

    ``area`` is the area under the mass-volume curve: 0 is best, 0.5 a random order. ``w`` has a rank statistic for each
    score-generating function, ``curve`` the curve, ``blind`` whether the contrast rows cannot separate scorers.
    ``laws`` has the results by two contrast laws, of `anorank.criterion.judge`; None of other judgements.
    """

    def __init__(self, c: Any, owner: Any = None) -> None:
        self._owner = owner
        self.laws: Optional[TwoLaws] = None
        self._c = c if owner is not None else ffi.gc(c, lib.anorank_judgement_free)
        info = lib.anorank_judgement_get_info(self._c)
        self.n, self.m = info.n, info.m
        self.area = interval(info.area)
        self.w: Dict[str, RankStatistic] = {}
        for k in range(info.w_count):
            one = info.w[k]
            self.w[text(one.phi)] = RankStatistic(
                text(one.phi), one.sum, one.mean, one.null_mean, one.null_sd, one.z, one.p_value, bool(one.exact)
            )
        self.curve = Curve(*_records(info.curve, info.points, 6).T)
        excess = _records(info.excess, info.points, 2)
        self.excess_t, self.excess_mass = excess.T
        partial = info.partial
        self.partial_areas = [
            (getattr(partial[k], "from"), partial[k].to, interval(partial[k].area)) for k in range(info.partial_count)
        ]
        saturation = info.saturation
        self.blind, self.inside = bool(saturation.blind), int(saturation.inside)
        self.verdict = text(saturation.conclusion)

    def __repr__(self) -> str:
        return f"<Judgement: area {self.area}{', blind' if self.blind else ''}>"

    def figure(
        self, path: Any = None, label: str = "", second: Optional["Judgement"] = None, second_label: str = ""
    ) -> str:
        """The curve with its band, and that of another, as SVG: the text, also written to ``path`` if one is given."""
        settings, out, length = Settings({}), ffi.new("unsigned char **"), ffi.new("size_t *")
        other = second._c if second is not None else ffi.NULL
        labels = (label.encode(), other, second_label.encode())
        settings.run(lib.anorank_figure_mass_volume, to_memory(out, length), self._c, *labels)
        try:
            made = bytes(ffi.buffer(out[0], length[0])).decode("utf-8")
        finally:
            lib.anorank_bytes_free(out[0])
        if path is not None:
            settings.run(lib.anorank_figure_mass_volume, sink(os.fsencode(path)), self._c, *labels)
        return made

    def _repr_html_(self) -> str:
        said = f"Area under the mass-volume curve {self.area} (0 is best, 0.5 a random order)"
        by_law = f"<br>{html.escape(self.laws.verdict)}" if self.laws else ""
        return f"<p><b>{html.escape(said)}</b><br>{html.escape(self.verdict)}{by_law}</p>{self.figure()}"


class Evaluation:
    """The evaluation of a model on unseen rows, or the comparison of two models on the same rows.

    ``verdict`` and ``caveat`` are sentences. ``judgements`` has one or two `Judgement`; ``comparison`` and ``agreement``
    exist for two, ``stability`` if the estimator was fitted here, ``labelled`` with labels; None otherwise.
    ``laws`` has the results by two contrast laws, for strange combinations and for extreme values.
    """

    def __init__(self, c: Any) -> None:
        self._c = ffi.gc(c, lib.anorank_evaluation_free)
        info = lib.anorank_evaluation_get_info(self._c)
        self.verdict = text(info.conclusion)
        self.caveat = text(info.caveat)
        self.notes = notes_of(lib.anorank_evaluation_notes(self._c))
        found = [one for one in info.of if one]
        self.judgements = [Judgement(one.judgement, owner=self) for one in found]
        self.scorers = [text(one.scorer) for one in found]
        self.labelled = [_labelled(one.labelled) for one in found]
        self.law = text(info.law)
        self.blind = bool(info.blind)
        self.laws = _two_laws(info.laws, self)
        compared = info.comparison
        agreed = info.agreement
        stable = info.stability
        self.comparison = comparison(compared) if compared else None
        self.agreement = agreement(agreed) if agreed else None
        self.stability = agreement(stable) if stable else None

    @property
    def area(self) -> Interval:
        """Of the first, or only, model."""
        return self.judgements[0].area

    @property
    def curve(self) -> Curve:
        return self.judgements[0].curve

    def __repr__(self) -> str:
        return f"<Evaluation: {self.verdict}>"

    def __str__(self) -> str:
        return "\n".join([self.verdict, self.laws.verdict, self.caveat, *self.notes])

    def figure(self, path: Any = None) -> str:
        """The curves as SVG."""
        first, second = self.judgements[0], self.judgements[1] if len(self.judgements) > 1 else None
        return first.figure(path, self.scorers[0], second, self.scorers[1] if second else "")

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self.verdict)}</b><br>{html.escape(self.caveat)}</p>{self.figure()}"


_JUDGING = {row.keyword for row in applying_to(lib.ANORANK_FOR_JUDGE)} | {"contrast", "contrast_ratio", "labels"}


def evaluate(rankers: Sequence[Any], X: Any, settings: Mapping[str, Any]) -> Evaluation:
    """The estimators are both fitted, or neither is."""
    for name in settings:
        if name not in _JUDGING:
            raise TypeError(
                f"evaluate() got an unexpected keyword argument {name!r}; it takes {', '.join(sorted(_JUDGING))}"
            )
    fitted = ["_model" in ranker.__dict__ for ranker in rankers]
    if len(set(fitted)) > 1:
        raise refusal(
            UsageError, "compare-one-fitted", "one estimator is fitted and the other is not; fit both, or neither"
        )
    asked = [ranker._settings(**settings) for ranker in rankers]
    if isinstance(X, Table):
        table = X
    elif fitted[0]:
        X, names = rankers[0]._checked(X, by_name=True)
        table = _tables.as_table(X, names, asked[0])
    else:
        table = _tables.as_table(_tables.normal(X), None, asked[0])
    models = [ranker._model.c if is_fitted else ffi.NULL for ranker, is_fitted in zip(rankers, fitted)]
    out = ffi.new("anorank_evaluation **")
    if len(rankers) == 1:
        asked[0].run(lib.anorank_evaluate, out, models[0], table.c, asked[0].c)
    else:
        asked[0].run(lib.anorank_evaluate_two, out, *models, table.c, asked[0].c, asked[1].c)
    return Evaluation(out[0])


def by_laws(combinations: Judgement, extremes: Judgement) -> TwoLaws:
    """Two judgements of the same scores, against contrast rows of both laws."""
    laws = ffi.new("anorank_two_laws *")
    laws.combinations.of[0], laws.extremes.of[0] = combinations._c, extremes._c
    Settings({}).run(lib.anorank_two_laws_conclude, laws)
    return _two_laws(laws, (combinations, extremes))


def judge(x: Any, u: Any, settings: Mapping[str, Any], verbose: int = 0) -> Judgement:
    """From the scores of normal rows and of contrast rows."""
    given = Settings(split(settings, lib.ANORANK_FOR_JUDGE | lib.ANORANK_FOR_RUN, "judge"), Watch(verbose))
    x, u = scores_of(x, "x"), scores_of(u, "u")
    out = ffi.new("anorank_judgement **")
    given.run(lib.anorank_judge, out, pointer(x), len(x), pointer(u), len(u), given.c)
    return Judgement(out[0])


def scores_of(values: Any, name: str) -> Any:
    made = np.ascontiguousarray(unmasked(values), dtype=np.float64)
    if made.ndim != 1:
        raise refusal(
            DataError, "array-dimensions",
            f"{name}: expected an array of scores, got {made.ndim} dimensions; pass one score for each row",
        )  # fmt: skip
    return made


def pointer(values: Any) -> Any:
    return ffi.from_buffer("double[]", values) if len(values) else ffi.NULL
