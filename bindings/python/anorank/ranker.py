"""AnomalyRanker: the estimator."""
from __future__ import annotations

import inspect
import os
import warnings
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.exceptions import NotFittedError

from . import _tables, drifting, judgement, ranking, reviewing
from ._anorank import ffi, lib
from ._columns import Table
from ._errors import DataError, Note, UsageError, refusal, registry, sink, source, struct, text
from ._model import Model
from ._settings import OTHERS, READING, Settings, Watch, documented, parameters_of, renamed, run_settings, split

_DRIFTING = [row for row in OTHERS if row.applies_to & (lib.ANORANK_FOR_DRIFT | lib.ANORANK_FOR_READ)]

_EXPLICIT = [
    inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
    inspect.Parameter("scorer", inspect.Parameter.POSITIONAL_OR_KEYWORD, default="auto"),
    *(
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in [
            ("train", "contaminated"), ("known", None), ("mass", 0.95), ("random_state", None), ("n_jobs", None),
            ("verbose", 0),
        ]
    ),
]  # fmt: skip


class AnomalyRanker(OutlierMixin, BaseEstimator):  # type: ignore[misc]
    """Rank rows by how abnormal they are, without labels.

    A lower score is more abnormal. Columns need no description, and no share of anomalies is required:
    rows are selected after scoring, by number, by false-discovery rate or by mass.

    Parameters
    ----------
    scorer : str or list, default 'auto'
        Scoring method: {classes}; several to choose from, or 'auto', which is 'blend'.
    train : {{'contaminated', 'clean'}}, default 'contaminated'
        Whether the training rows may include anomalies, or are believed normal.
    known : table or None, default None
        Known anomalies, with the columns of X; a few improve the order.
    mass : float, default 0.95
        `predict` returns -1 for rows more unusual than this share of normal rows.
    random_state : None, int or a generator of numpy, default None
        Random seed; results are reproducible for a given seed. None is 0.
    n_jobs : None or int, default None
        Number of threads; -1 uses all cores, None too unless OMP_NUM_THREADS is set. It never changes results.
    verbose : int, default 0
        1 shows progress on standard error.
    {settings}

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    offset_ : float
        `decision_function` is the score minus this.
    notes_ : list of str, each with a ``code``
        How each column is used, and the assumptions.
    columns_ : list of dict
        The role of each column.

    Examples
    --------
    >>> import numpy as np, anorank
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 3))
    >>> X[7] = [9, -9, 9]
    >>> ranker = anorank.AnomalyRanker().fit(X)
    >>> int(ranker.score_samples(X).argmin())
    7
    >>> ranker.select(X, fdr=0.1)
    array([7])
    """

    scorer: Any
    train: Any
    known: Any
    mass: Any
    random_state: Any
    n_jobs: Any
    verbose: Any

    def __init__(self, scorer: Any = "auto", **settings: Any) -> None:
        given = {"scorer": scorer, **renamed(settings)}
        for parameter in _PARAMETERS:
            setattr(self, parameter.name, given.pop(parameter.name, parameter.default))
        for name in given:
            raise TypeError(f"AnomalyRanker() got an unexpected keyword argument {name!r}")

    def set_params(self, **params: Any) -> "AnomalyRanker":
        super().set_params(**renamed(params))
        return self

    # ---- settings ----------------------------------------------------------------------------------------------------

    def _settings(self, **more: Any) -> Settings:
        values: Dict[str, Any] = {row.keyword: getattr(self, row.keyword) for row in OTHERS}
        values.update(run_settings(self.random_state, self.n_jobs))
        values.update(scorer=self.scorer, train=self.train, **more)
        return Settings(values, Watch(self.verbose))

    def _reading(self, **more: Any) -> Settings:
        """Settings to read rows like the training rows."""
        values: Dict[str, Any] = {row.keyword: getattr(self, row.keyword) for row in READING}
        values.update(run_settings(self.random_state, self.n_jobs), **more)
        return Settings(values, Watch(self.verbose))

    # ---- fitting -----------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, *, answers: Any = None) -> "AnomalyRanker":
        """Fit on the rows of X: a DataFrame, an array, an Arrow table, or a file name. y is ignored.

        ``answers``: labels, one per row: 1 anomaly, 0 normal, -1, None or NaN unknown. Rows like
        the anomalies rank as more abnormal, rows like the normal ones as less (scorer 'auto'). `Review` collects them.

        >>> AnomalyRanker(scorer="knn").fit([[1.0], [2.0], [2.5], [3.0], [9.0]]).n_features_in_
        1
        """
        settings = self._settings()
        table, X, names = self._training_table(X, settings)
        known, out = self._known_table(names, settings), ffi.new("anorank_model **")
        training = struct("anorank_training", labels=_labels(answers, table), known=_c(known))
        settings.run(lib.anorank_fit, out, table.c, training, settings.c)
        return self._adopt(Model(out[0]), X, table)

    def fit_rank(
        self, X: Any, *, lowest: Optional[int] = None, fdr: Optional[float] = None, mass: Optional[float] = None,
        reasons: int = 3, output: str = "auto", answers: Any = None,
    ) -> Any:  # fmt: skip
        """Fit on X and rank the same rows, like `anorank detect`: scorers that support it use the leave-one-out score of each
        row. For ``answers`` see `fit`, for the other arguments `rank`."""
        settings = self._settings(lowest=lowest, fdr=fdr, mass=mass, reasons=reasons)
        table, X, names = self._training_table(X, settings)
        verdict = self._detect(table, X, _labels(answers, table), self._known_table(names, settings), settings)
        return _output(verdict, X, reasons, output)

    def _detect(self, table: Table, X: Any, labels: Any, known: Optional[Table], settings: Settings) -> ranking.Ranking:
        out, verdict = ffi.new("anorank_model **"), ffi.new("anorank_ranking **")
        training = struct("anorank_training", labels=labels, known=_c(known))
        settings.run(lib.anorank_detect, out, verdict, table.c, training, settings.c)
        self._adopt(Model(out[0]), X, table)
        return ranking.Ranking(verdict[0], table, settings, self._model)

    def _known_table(self, names: Optional[List[str]], settings: Settings) -> Optional[Table]:
        return None if self.known is None else _tables.as_table(_tables.normal(self.known), names, settings)

    def _training_table(self, X: Any, settings: Settings) -> Tuple[Table, Any, Optional[List[str]]]:
        X = _tables.with_index(_tables.normal(X), self.by, self.time)
        rows, columns = _tables.shape_of(X)
        if columns == 0:
            raise refusal(
                DataError, "table-no-columns", f"0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required."
            )
        if rows == 0:
            raise refusal(
                DataError, "table-no-rows",
                f"Found array with 0 sample(s) (shape=({rows}, {columns})) while a minimum of 2 is required.",
            )  # fmt: skip
        if rows == 1:
            raise refusal(DataError, "fit-too-few-rows", "n_samples=1: a fit needs at least 2 rows, and better 100")
        names = _tables.names_of(X)
        return _tables.as_table(X, None, settings), X, names

    def _adopt(self, model: Model, X: Any, table: Optional[Table] = None) -> "AnomalyRanker":
        """Adopt a model, fitted on X or, if X is None, loaded."""
        self._model = model
        columns = _tables.shape_of(X)[1] if model.in_context else None  # the model has derived columns, too
        self.n_features_in_ = columns if columns is not None else len(model.names)
        names = model.names if X is None or _tables.is_path(X) or _tables.is_arrow(X) else _tables.names_of(X)
        if names is not None and names != [f"x{j + 1}" for j in range(len(names))]:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.offset_ = model.offset(float(self.mass))
        return self

    @property
    def notes_(self) -> List[Note]:
        return self._fitted().notes

    @property
    def columns_(self) -> List[Dict[str, Any]]:
        return self._fitted().columns

    def _fitted(self) -> Model:
        if "_model" not in self.__dict__:
            raise NotFittedError(
                "this AnomalyRanker is not fitted yet: call 'fit', or AnomalyRanker.load for a model file"
            )
        return self._model

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in self.__dict__

    def update(self, X: Any) -> "AnomalyRanker":
        """Add history to a ranker with ``by`` or ``time``: the state of each entity continues over the rows of X, which must
        be later. The model is not refitted."""
        X, names = self._checked(X, by_name=True)
        self._model = self._fitted().advanced(_tables.as_table(X, names, self._reading()))
        return self

    # ---- scoring -----------------------------------------------------------------------------------------------------

    def score_samples(self, X: Any) -> Any:
        """The score of each row; lower is more abnormal. It does not depend on other rows.

        X may also be an iterator over pieces (arrays or frames): the result is one array, and
        only one piece is in memory. Files and Arrow streams are read in blocks in the same way.

        >>> X = [[0.0], [1.0], [2.0], [3.0], [50.0]]
        >>> AnomalyRanker(scorer="knn", neighbours=1).fit(X).score_samples(X).argmin()
        4
        """
        model = self._fitted()
        if type(X) is np.ndarray:  # the way of one row must be short
            quick = model.quick(X, "feature_names_in_" in self.__dict__)
            if quick is not None:
                return quick
        return self._scores(X, 0)

    def p_values(self, X: Any) -> Any:
        """The share of normal rows that would look at least as abnormal, for each row."""
        return self._scores(X, 1, by_name=True)

    def _scores(self, X: Any, which: int, by_name: bool = False) -> Any:
        """Scores (which = 0) or p-values (1)."""
        if _tables.is_chunks(X) and self._fitted().in_context:
            raise refusal(
                UsageError, "context-needs-table", "with by or time, rows are compared with earlier rows; pass them as one table"
            )  # fmt: skip
        if _tables.is_chunks(X):
            pieces = [self._scores(piece, which, by_name) for piece in X]
            return np.concatenate(pieces) if pieces else np.empty(0)
        model = self._fitted()
        X, names = self._checked(X, by_name)
        settings = self._reading()
        rows = _tables.shape_of(X)[0]
        if rows == 0:
            return np.empty(0)
        made = None if rows is None else np.empty(rows)
        parts, at = [], 0
        whole = model.in_context  # the state of the model is where a table begins
        for block in [_tables.as_table(X, names, settings)] if whole else _tables.blocks(X, names, settings):
            count = block.rows
            part = np.empty(count) if made is None else made[at : at + count]
            model.score(block, part, which, settings)
            parts.append(part)
            at += count
        return made if made is not None else np.concatenate(parts) if parts else np.empty(0)

    def _checked(self, X: Any, by_name: bool) -> Tuple[Any, Optional[List[str]]]:
        """X as input for a table, and the names of its columns: None for those of X."""
        model, X = self._fitted(), _tables.with_index(_tables.normal(X), self.by, self.time)
        if _tables.is_path(X) or _tables.is_arrow(X):
            return X, None
        seen = list(self.feature_names_in_) if hasattr(self, "feature_names_in_") else None
        names, (_, columns) = _tables.names_of(X), _tables.shape_of(X)
        if seen is not None and names is not None:
            if not by_name:
                _same_names(names, seen)
            return X, None
        if names is not None and names == model.names:
            return X, None
        if columns != self.n_features_in_:
            raise refusal(
                DataError, "feature-count",
                f"X has {columns} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input.",
            )  # fmt: skip
        if names is not None:
            warnings.warn(f"X has feature names, but {type(self).__name__} was fitted without feature names")
        elif seen is not None:
            warnings.warn(
                f"X does not have valid feature names, but {type(self).__name__} was fitted with feature names"
            )
        return X, model.names[:columns]

    def decision_function(self, X: Any) -> Any:
        """The score minus ``offset_``: below 0 where `predict` returns -1."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Any:
        """-1 for rows more unusual than the share ``mass`` of normal rows, 1 for others."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def q_values(self, X: Any) -> Any:
        """For each row, the smallest false-discovery rate at which it is selected among the rows of X."""
        found = self._verdict(X, reasons=0).columns(False)
        made = np.empty(len(found["row"]))
        made[found["row"]] = found["q_value"]
        return made

    # ---- choosing, ranking, explaining -------------------------------------------------------------------------------

    def _verdict(self, X: Any, **choice: Any) -> ranking.Ranking:
        X, names = self._checked(X, by_name=True)
        settings = self._reading(**choice)
        table = _tables.as_table(X, names, settings)
        out = ffi.new("anorank_ranking **")
        settings.run(lib.anorank_ranking_make, out, self._fitted().c, table.c, settings.c)
        return ranking.Ranking(out[0], table, settings, self._model)

    def select(
        self, X: Any, *, lowest: Optional[int] = None, fdr: Optional[float] = None, mass: Optional[float] = None
    ) -> Any:
        """The numbers of the selected rows, most abnormal first: the ``lowest`` k, those at a false-discovery rate of
        ``fdr``, or those more unusual than the share ``mass`` of normal rows. The default is fdr=0.1."""
        if lowest is None and fdr is None and mass is None:
            fdr = 0.1
        return self._verdict(X, lowest=lowest, fdr=fdr, mass=mass, reasons=0).columns(False)["row"]

    def rank(
        self, X: Any, *, lowest: Optional[int] = None, fdr: Optional[float] = None, mass: Optional[float] = None,
        reasons: int = 3, output: str = "auto",
    ) -> Any:  # fmt: skip
        """All rows, or those that ``lowest``, ``fdr`` or ``mass`` select, most abnormal first.

        ``output`` "pandas", the default where pandas is installed: a DataFrame with the original columns and index, with
        rank, score, p_value and q_value in front and reasons at the end; "numpy": a record array; "arrow": an object with
        ``__arrow_c_stream__``. Without a selection, at most the first 1,000 rows have reasons.
        """
        verdict = self._verdict(X, lowest=lowest, fdr=fdr, mass=mass, reasons=reasons)
        return _output(verdict, _tables.normal(X), reasons, output)

    def explain(self, X: Any, row: Optional[int] = None, *, reasons: int = 3) -> Any:
        """Why each row of X is as abnormal as it is: a list of `Explanation`, in the order of the rows.

        With ``row``, a single `Explanation` with a reason for every column, of any sign.
        """
        if row is None:
            rows = max(1, _tables.shape_of(_tables.normal(X))[0] or 10**15)
            found = self._verdict(X, lowest=rows, reasons=reasons).explanations()
            return sorted(found, key=lambda one: int(one.row))
        X, names = self._checked(X, by_name=True)
        settings = self._reading()
        table = _tables.as_table(X, names, settings)
        at = row + table.rows if row < 0 else row
        if not 0 <= at < table.rows:
            raise IndexError(f"row {row} is out of range; the table has {table.rows} rows")
        out = ffi.new("anorank_ranking **")
        settings.run(lib.anorank_explain, out, self._fitted().c, table.c, at, settings.c)
        return ranking.Ranking(out[0], table, settings, self._model).explanations()[0]

    def report(
        self, X: Any, path: Any, *, lowest: Optional[int] = None, fdr: Optional[float] = None,
        mass: Optional[float] = None, reasons: int = 3, evaluate: bool = True, title: str = "these rows",
    ) -> None:  # fmt: skip
        """Write an HTML report: which rows of X stand out, why, and how reliable that is (docs/report.md).

        The report is one file without external resources. It holds the cells of the rows that stand out and of 2,000
        others. ``evaluate=False`` omits the evaluation, which takes half of the time.
        """
        verdict = self._verdict(X, lowest=lowest, fdr=fdr, mass=mass, reasons=reasons)
        judged = self.evaluate(X) if evaluate else None
        name = ffi.new("char[]", title.encode())
        about = ffi.new("anorank_report *")
        about.model, about.table, about.ranking, about.title = self._fitted().c, verdict.table.c, verdict.c, name
        about.evaluation = judged._c if judged else ffi.NULL
        verdict.settings.run(lib.anorank_report_write, sink(os.fsencode(path)), about, verdict.settings.c)

    # ---- judging -----------------------------------------------------------------------------------------------------

    def evaluate(self, X: Any, **settings: Any) -> "judgement.Evaluation":
        """Evaluate the order on held-out normal rows X, without labels.

        If the estimator is not fitted, X is split: two thirds for the fit, the rest for the evaluation. Takes settings of
        evaluations (``level``, ``bootstrap``, ``contrast``, ...) and ``labels``.
        """
        return judgement.evaluate([self], X, settings)

    def compare(self, other: "AnomalyRanker", X: Any, **settings: Any) -> "judgement.Evaluation":
        """Compare the orders of two models on the rows of X, against the same contrast rows. Two unfitted estimators are
        fitted on the same two thirds of X."""
        return judgement.evaluate([self, other], X, settings)

    def drift(self, old: Any, new: Any, **settings: Any) -> "drifting.Drift":
        """Test ``new`` for drift from ``old``, for example the training rows. Both are read with the settings of this
        estimator, without the columns that it drops; it need not be fitted. See `anorank.drift`."""
        given = split(settings, lib.ANORANK_FOR_DRIFT, "drift")
        asked: Dict[str, Any] = {row.keyword: getattr(self, row.keyword) for row in _DRIFTING}
        asked.update(run_settings(self.random_state, self.n_jobs), **given)
        return drifting.compare_tables(old, new, Settings(asked, Watch(self.verbose)))

    # ---- keeping -----------------------------------------------------------------------------------------------------

    def save(self, path: Any) -> None:
        """Write a model file, which the command line reads, too. The file is replaced atomically."""
        settings = Settings({})
        settings.run(lib.anorank_model_save, self._fitted().c, sink(os.fsencode(path)))

    @classmethod
    def load(cls, path: Any) -> "AnomalyRanker":
        """Read a model file, written by any front end."""
        settings, out = Settings({}), ffi.new("anorank_model **")
        settings.run(lib.anorank_model_load, out, source(_tables.path_of(path)))
        model = Model(out[0])
        return cls(**model.parameters())._adopt(model, None)

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = state["_model"].to_bytes()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        state = dict(state)
        if isinstance(state.get("_model"), bytes):
            state["_model"] = Model.from_bytes(state["_model"])
        super().__setstate__(state)

    def __deepcopy__(self, memo: Any) -> "AnomalyRanker":
        import copy

        made = type(self)(**{name: copy.deepcopy(value, memo) for name, value in self.get_params(deep=False).items()})
        for name, value in self.__dict__.items():
            if name not in made.__dict__:
                made.__dict__[name] = value if name == "_model" else copy.deepcopy(value, memo)  # models never change
        return made

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True, "X_types": ["2darray", "string"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


_PARAMETERS = _EXPLICIT[1:] + parameters_of(OTHERS)
AnomalyRanker.__init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    _EXPLICIT + parameters_of(OTHERS)
)
AnomalyRanker.__doc__ = (AnomalyRanker.__doc__ or "").format(
    classes=", ".join(repr(text(row.name)) for row in registry(lib.anorank_class_at)),
    settings=documented(OTHERS).strip(),
)


def _c(table: Optional[Table]) -> Any:
    return table.c if table is not None else ffi.NULL


def _labels(answers: Any, table: Table) -> Any:
    """Labels for C; the array lives as long as the result."""
    return ffi.NULL if answers is None else ffi.from_buffer("signed char[]", reviewing.labels_of(answers, table.rows))


def _same_names(names: List[str], seen: List[str]) -> None:
    """scikit-learn's rule, in its words: the same columns in the same order. anorank's methods match by name."""
    if names == seen:
        return
    said = ["The feature names should match those that were passed during fit."]
    for what, some in [
        ("Feature names unseen at fit time:", sorted(set(names) - set(seen))),
        ("Feature names seen at fit time, yet now missing:", sorted(set(seen) - set(names))),
    ]:
        if some:
            said += [what] + [f"- {name}" for name in some[:5]] + ["- ..."] * (len(some) > 5)
    if len(said) == 1:
        said.append("Feature names must be in the same order as they were in fit.")
    raise refusal(DataError, "feature-names", "\n".join(said) + "\n")


def _output(verdict: ranking.Ranking, X: Any, reasons: int, output: str) -> Any:
    if output == "auto":
        try:
            import pandas  # noqa: F401

            output = "pandas"
        except ImportError:
            output = "numpy"
    if output == "pandas":
        return ranking.as_frame(verdict, X, reasons > 0)
    if output == "numpy":
        return ranking.as_records(verdict, reasons > 0)
    if output == "arrow":
        return ranking.as_arrow(verdict, reasons > 0)
    raise refusal(
        UsageError, "setting-value", f"unknown output {output!r}; pass 'auto', 'pandas', 'numpy' or 'arrow'",
        setting="output",
    )  # fmt: skip


def load(path: Any) -> AnomalyRanker:
    """Read a model file, written by any front end: `AnomalyRanker.load`."""
    return AnomalyRanker.load(path)


def detect(
    X: Any, scorer: Any = "auto", *, lowest: Optional[int] = None, fdr: Optional[float] = None,
    mass: Optional[float] = None, reasons: int = 3, output: str = "auto", answers: Any = None, **settings: Any,
) -> Any:  # fmt: skip
    """The abnormal rows of one table, as `anorank detect` finds them: `AnomalyRanker.fit_rank`.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> X[5] = 20
    >>> int(detect(X, output="numpy").row[0])
    5
    """
    choice = dict(lowest=lowest, fdr=fdr, mass=mass)
    ranker = AnomalyRanker(scorer, **settings)
    return ranker.fit_rank(X, reasons=reasons, output=output, answers=answers, **choice)  # type: ignore[arg-type]
