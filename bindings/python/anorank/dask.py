"""Tables in parts on a Dask cluster: fit, score, rank, detect and evaluate.

A table in parts is a Dask DataFrame, a folder of files, or a list of files. Workers read files with the reader of the C
library. Models, scores, q-values and selected rows are those of the command line on the same rows, however the rows are
partitioned.

    import anorank, anorank.dask
    ranker = anorank.dask.fit(anorank.AnomalyRanker(), "history/")          # a folder of parts
    alerts = anorank.dask.rank(ranker, "today/", fdr=0.1)                   # a pandas DataFrame
    anorank.dask.score_samples(ranker, "today/", folder="scores/")          # one file per partition

With ``by`` or ``time``, rows are compared with earlier rows of their entity, so parts must follow each other in time. Tasks then
pass over the parts one after the other, and hand the state of the entities to the tasks that score them in parallel.

Every task is a pure function of its inputs and keeps no state on its worker, so Dask repeats the tasks of a worker that
dies. Each function reads the table more than once: persist a Dask DataFrame that is expensive to compute. Files and folders
need the same path on all machines. A file is one partition; split large files for parallelism.
"""
from __future__ import annotations

import copy
import os
import warnings
from typing import Any, List, Optional, Sequence

import numpy as np
from dask.base import compute
from dask.delayed import delayed

from . import _parts, _tables, _tasks, judgement
from ._errors import UsageError, refusal
from ._model import Model
from ._settings import seed_of
from ._stream import Stream
from .ranker import AnomalyRanker
from .ranking import ranked_frame

__all__ = ["detect", "evaluate", "fit", "p_values", "rank", "score_samples"]


class _Parts:
    """A table in parts: the input of a task for each part, and the number of its first row."""

    def __init__(self, X: Any, ranker: AnomalyRanker) -> None:
        self.meta = _tables.with_index(X._meta, ranker.by, ranker.time) if _parts.is_dask_frame(X) else None
        self.names: Optional[List[str]] = None if self.meta is None else [str(name) for name in self.meta.columns]
        files = _parts.files_of(X) if self.meta is None else []
        self.parts: List[Any] = _absolute(files) if self.meta is None else X.to_delayed()
        self.files: List[Optional[str]] = list(files) if len(files) > 1 else [None] * len(self.parts)
        shared = delayed(ranker)
        self.first = _parts.first_rows(_compute([delayed(_tasks.shape)(part, shared) for part in self.parts]))

    def map(self, function: Any, *shared: Any, before: Sequence[Any] = ()) -> List[Any]:
        """A task for each part. ``before``: the states from which they start."""
        common = [delayed(one) for one in shared]
        last: List[List[Any]] = [[state] for state in before] or [[]] * len(self.parts)
        return [delayed(function)(*each, *common, *state) for *each, state in zip(self.parts, self.first, last)]

    def sampled(self, ranker: AnomalyRanker) -> Any:
        """What a fit may need of all rows: of each part and merged, or from part to part where earlier rows count."""
        if not (ranker.by or ranker.time):
            return _merged(_tasks.merge_samples, self.map(_tasks.sample, ranker), ranker)
        made, shared = None, delayed(ranker)
        for part, first in zip(self.parts, self.first):
            made = delayed(_tasks.sample)(part, first, shared, made)
        return made


def _states(parts: Sequence[Any], ranker: AnomalyRanker, own: Optional[bytes] = None) -> List[Any]:
    """The states before each part, and after the last: None where rows are not compared with earlier rows."""
    made: List[Any] = [None]
    shared = delayed(ranker), delayed(own)
    for part in parts:
        made.append(delayed(_tasks.pass_over)(part, made[-1], *shared) if ranker._fitted().in_context else None)
    return made


def _absolute(files: Sequence[str]) -> List[str]:
    return [os.path.abspath(path) for path in files]  # workers run in other folders


def _compute(tasks: Sequence[Any]) -> List[Any]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(?s).*[Ll]arge (object|graph)")  # models are inputs of tasks
        return list(compute(*tasks))  # type: ignore[no-untyped-call]


def _merged(function: Any, tasks: Sequence[Any], *shared: Any) -> Any:
    """Return one task that merges all results in pairs."""
    level, common = list(tasks), [delayed(one) for one in shared]
    while len(level) > 1:
        pairs = [delayed(function)(*level[i : i + 2], *common) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]


def _plain(ranker: AnomalyRanker, fitted: bool) -> AnomalyRanker:
    """The data sent to the workers."""
    made = copy.copy(ranker)
    if fitted:
        made._fitted()
    else:
        made.__dict__.pop("_model", None)
    made.random_state = seed_of(ranker.random_state)  # a generator would give each task another
    made.verbose = 0
    return made


# ---- fit -----------------------------------------------------------------------------------------------------------


def _fit(ranker: AnomalyRanker, plain: AnomalyRanker, parts: _Parts) -> bytes:
    """Returns the scores that the fit gave its own rows."""
    ((model, own),) = _compute([delayed(_tasks.fit)(parts.sampled(plain), delayed(plain), parts.names)])
    ranker._adopt(Model.from_bytes(model), parts.meta)
    return bytes(own)


def fit(ranker: AnomalyRanker, X: Any) -> AnomalyRanker:
    """Fit `ranker` on all rows of a table in parts, and return it. The model has the bytes of ``ranker.fit`` on the table in
    one piece.

    Every part contributes to a sample of at most a million rows, and one worker fits on the merged sample. A column must have
    the same type in all parts: give texts of a DataFrame the dtype ``category``, and name such columns of files in the
    estimator's ``categorical``.
    """
    plain = _plain(ranker, fitted=False)
    _fit(ranker, plain, _Parts(X, plain))
    return ranker


# ---- scores --------------------------------------------------------------------------------------------------------


def _score_series(part: Any, ranker: AnomalyRanker, which: int, before: Any = None) -> Any:
    import pandas

    return pandas.Series(_tasks.scores(part, ranker, which, before), index=part.index, name=("score", "p_value")[which])


def _scores(ranker: AnomalyRanker, X: Any, which: int) -> Any:
    plain, meta = _plain(ranker, fitted=True), (("score", "p_value")[which], "f8")
    shared = delayed(plain)
    if _parts.is_dask_frame(X) and not plain._fitted().in_context:
        return X.map_partitions(_score_series, shared, which, meta=meta)
    parts = X.to_delayed() if _parts.is_dask_frame(X) else _absolute(_parts.files_of(X))
    task = delayed(_score_series if _parts.is_dask_frame(X) else _tasks.scores)
    made = [task(part, shared, which, before) for part, before in zip(parts, _states(parts, plain))]
    if _parts.is_dask_frame(X):
        from dask.dataframe import from_delayed

        return from_delayed(made, meta=meta, divisions=X.divisions, verify_meta=False)  # type: ignore[no-untyped-call]
    return np.concatenate(_compute(made))


def score_samples(
    ranker: AnomalyRanker, X: Any, *, folder: Any = None, keep: Any = None, format: str = "csv"
) -> Any:  # fmt: skip
    """The score of each row; lower is more abnormal.

    Of a Dask DataFrame: a Dask Series with its partitions and index, computed on demand. Of files: an array with the scores
    of all rows.

    With ``folder``, workers write one file per partition into that new or empty folder, as `anorank score` writes it: with
    p-values, and row numbers of the whole table, from 1. Returns the paths. ``keep`` names columns to write beside the scores.
    ``format`` is the ending of the files: "csv", "tsv", "jsonl", "npy" or, compressed, "csv.gz".
    """
    if folder is None:
        return _scores(ranker, X, 0)
    plain, path = _plain(ranker, fitted=True), _parts.new_folder(folder)
    parts, choice = _Parts(X, plain), _tasks.Choice(None, None, None, 0, _shown(keep), _kept(ranker, keep))
    paths = [_parts.part_path(path, i, format) for i in range(len(parts.parts))]
    shared, task, states = (delayed(plain), delayed(choice)), delayed(_tasks.write_scores), _states(parts.parts, plain)
    each = zip(parts.parts, parts.first, paths, states)
    return _compute([task(part, first, *shared, to, before) for part, first, to, before in each])


def p_values(ranker: AnomalyRanker, X: Any) -> Any:
    """The share of normal rows that would look at least as abnormal, for each row, as `score_samples` returns scores."""
    return _scores(ranker, X, 1)


# ---- rankings ------------------------------------------------------------------------------------------------------


def _listed(names: Any) -> List[str]:
    given = names.split(",") if isinstance(names, str) else list(names or [])
    return [name for name in given if name]


def _shown(keep: Any) -> str:
    return ",".join(_listed(keep))


def _kept(ranker: AnomalyRanker, keep: Any, fitted: bool = True) -> str:
    """The columns whose cells are written as they were read: those of ``keep`` and identifiers."""
    if _listed(keep) == ["all"]:
        return "all"
    ids = _listed(ranker.id)  # type: ignore[attr-defined]
    if fitted:
        ids = [column["name"] for column in ranker._fitted().columns if column["role"] == "id"]
    return ",".join(_listed(keep) + [name for name in ids if "," not in name])


def _chosen(lowest: Optional[int], fdr: Optional[float], mass: Optional[float], reasons: int, keep: Any) -> _tasks.Choice:
    if lowest is None and fdr is None and mass is None:
        fdr = 0.1
    if sum(one is not None for one in (lowest, fdr, mass)) > 1:
        raise refusal(
            UsageError, "selection-ambiguous", "lowest, mass and fdr each choose the rows to report; pass one of them"
        )
    return _tasks.Choice(lowest, fdr, mass, reasons, _shown(keep), "")


def _output(folder: Any, output: str) -> Optional[str]:
    if output not in ("pandas", "numpy"):
        raise refusal(
            UsageError, "setting-value", f"output: {output!r} is not known; pass 'pandas' or 'numpy'", setting="output"
        )
    return None if folder is None else _parts.new_folder(folder)


def _rank(
    plain: AnomalyRanker, parts: _Parts, own: Optional[bytes], choice: _tasks.Choice, path: Optional[str], format: str,
    output: str,
) -> Any:  # fmt: skip
    *before, after = _states(parts.parts, plain, own)
    counted = parts.map(_tasks.count, plain, own, choice, before=before)
    (counts,) = _compute([_merged(_tasks.merge_counts, counted, plain, choice)])
    found = parts.map(_tasks.report, plain, own, counts, choice, None if path is None else format, before=before)
    if path is None or format != "npy":
        start, task = int(path is not None), delayed(_tasks.with_file)
        found = [task(one, first - start, file) for one, first, file in zip(found, parts.first, parts.files)]
    ranks = delayed(_tasks.ranks, nout=len(found))([one.scores for one in found])
    if path is None:
        sentences = delayed(_tasks.sentences)(delayed(plain), delayed(own), delayed(counts), delayed(choice), after)
        *each, all_ranks, about = _compute([*found, ranks, sentences])
        return _collected(each, all_ranks, about, output)
    like, task = delayed([one.like for one in found]), delayed(_tasks.write_report)
    return _compute([task(one, ranks[i], like, _parts.part_path(path, i, format)) for i, one in enumerate(found)])


def _collected(found: Sequence[_tasks.Found], ranks: Sequence[Any], about: Any, output: str) -> Any:
    """The reported rows of all parts, most abnormal first: our columns in front, then those of the table, then reasons."""
    some = [(_tasks.with_ranks(one, ranked), one.index) for one, ranked in zip(found, ranks) if len(one.scores)]
    some = some or [(one.columns, one.index) for one in found if one.columns][:1]
    columns = [(name, np.concatenate([part[j][1] for part, _ in some])) for j, (name, _) in enumerate(some[0][0])]
    place = _tasks.place_of_ours(columns)
    columns = columns[place : place + 5] + columns[:place] + columns[place + 5 :]
    order = np.lexsort((columns[1][1], columns[2][1]))
    columns = [(name, values[order]) for name, values in columns]
    columns[0] = ("rank", columns[0][1].astype(np.int64))
    columns[1] = ("row", columns[1][1].astype(np.int64) - 1)
    if output == "numpy":
        return np.rec.fromarrays([v for _, v in columns], dtype=[(name, v.dtype) for name, v in columns])
    index = None if some[0][1] is None else some[0][1].append([index for _, index in some[1:]])[order]
    return ranked_frame(dict(columns), index, about)


def rank(
    ranker: AnomalyRanker, X: Any, *, lowest: Optional[int] = None, fdr: Optional[float] = None,
    mass: Optional[float] = None, reasons: int = 3, keep: Any = None, output: str = "pandas", folder: Any = None,
    format: str = "csv",
) -> Any:  # fmt: skip
    """The rows that ``lowest``, ``fdr`` or ``mass`` select (fdr=0.1 by default), most abnormal first, with reasons.

    Returns a DataFrame with rank, row (from 0, of the whole table), score, p_value, q_value, the identifiers and the columns
    of ``keep`` ("all": every column), and reasons; it has the index of a Dask DataFrame. For several files, ``file`` and
    ``file_row`` (from 0) name the place of each row. ``output="numpy"``: a record array.

    With ``folder``, workers write the rows that they report into one file per partition of that new or empty folder, as
    `anorank rank` writes them, with ranks among the rows of all partitions and row numbers from 1. Returns the paths.
    ``format`` is the ending of the files, as in `score_samples`.
    """
    path, choice = _output(folder, output), _chosen(lowest, fdr, mass, reasons, keep)
    plain = _plain(ranker, fitted=True)
    choice = choice._replace(kept=_kept(ranker, keep))
    return _rank(plain, _Parts(X, plain), None, choice, path, format, output)


def detect(
    ranker: AnomalyRanker, X: Any, *, lowest: Optional[int] = None, fdr: Optional[float] = None,
    mass: Optional[float] = None, reasons: int = 3, keep: Any = None, output: str = "pandas", folder: Any = None,
    format: str = "csv",
) -> Any:  # fmt: skip
    """Fit `ranker` on X and rank the same rows, as `anorank detect` does. Arguments and result are those of `rank`."""
    path, choice = _output(folder, output), _chosen(lowest, fdr, mass, reasons, keep)
    plain = _plain(ranker, fitted=False)
    parts = _Parts(X, plain)
    own = _fit(ranker, plain, parts)
    choice = choice._replace(kept=_kept(ranker, keep, fitted=False))
    return _rank(_plain(ranker, fitted=True), parts, own, choice, path, format, output)


# ---- evaluation ----------------------------------------------------------------------------------------------------


def evaluate(ranker: AnomalyRanker, X: Any, **settings: Any) -> judgement.Evaluation:
    """Evaluate the order on unseen rows, like ``ranker.evaluate`` on the whole table.

    The client evaluates a sample of at most a million rows, which is all rows of a smaller table. For the settings see
    ``AnomalyRanker.evaluate``.
    """
    plain = _plain(ranker, fitted=False)
    parts = _Parts(X, plain)
    (sample,) = _compute([parts.sampled(plain)])
    stream = Stream.from_bytes(sample, plain._settings())
    return judgement.evaluate([ranker], stream.sample(), settings)
