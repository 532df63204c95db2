"""Dask DataFrames: fit on all partitions, score partition by partition.

A fit draws its rows by a key of each row's number, so every partition keeps its share of the draw, shares are merged two by two, and
one task fits: the model has the bytes of a fit on the whole frame, whatever the partitions. At most a million rows are kept.
Partitions are read as the data frames that they are; nothing is written as text in between.

    import anorank, anorank.dask
    ranker = anorank.dask.fit(anorank.AnomalyRanker(), frame)
    scores = anorank.dask.score_samples(ranker, frame)       # a Dask Series, computed when it is asked for
    frame.assign(score=scores).nsmallest(100, "score").compute()
"""
from __future__ import annotations

import copy
from typing import Any, List

import numpy as np
from dask.delayed import delayed

from . import _tables
from ._anorank import ffi, lib
from ._model import Model
from ._settings import Settings, seed_of
from .ranker import AnomalyRanker

__all__ = ["fit", "p_values", "score_samples"]


def _new(settings: Settings) -> Any:
    out = ffi.new("anorank_stream **")
    settings.run(lib.anorank_stream_new, out, ffi.NULL, settings.c)
    return ffi.gc(out[0], lib.anorank_stream_free)


def _from_bytes(data: bytes, settings: Settings) -> Any:
    out = ffi.new("anorank_stream **")
    settings.run(lib.anorank_stream_from_bytes, out, ffi.NULL, ffi.from_buffer(data), len(data), settings.c)
    return ffi.gc(out[0], lib.anorank_stream_free)


def _to_bytes(gathering: Any, settings: Settings) -> bytes:
    out, length = ffi.new("unsigned char **"), ffi.new("size_t *")
    settings.run(lib.anorank_stream_to_bytes, out, length, gathering)
    try:
        return bytes(ffi.buffer(out[0], length[0]))
    finally:
        lib.anorank_bytes_free(out[0])


def _gather(ranker: AnomalyRanker, part: Any, first_row: int) -> bytes:
    """What a fit may need of the rows of one partition."""
    settings = ranker._settings()
    gathering = _new(settings)
    if len(part) > 0:  # the types of an empty partition say nothing
        table = _tables.as_table(_tables.normal(part), None, settings)
        settings.run(lib.anorank_stream_add, gathering, table.c, first_row)
    return _to_bytes(gathering, settings)


def _merge(ranker: AnomalyRanker, one: bytes, other: bytes) -> bytes:
    settings = ranker._settings()
    merged = _from_bytes(one, settings)
    settings.run(lib.anorank_stream_merge, merged, _from_bytes(other, settings))
    return _to_bytes(merged, settings)


def _fit(ranker: AnomalyRanker, gathered: bytes, names: List[str]) -> bytes:
    settings = ranker._settings()
    known, out = ranker._known_table(names, settings), ffi.new("anorank_model **")
    settings.run(
        lib.anorank_stream_fit, out, _from_bytes(gathered, settings), ffi.NULL if known is None else known.c, settings.c
    )
    return Model(out[0]).to_bytes()


def fit(ranker: AnomalyRanker, frame: Any) -> AnomalyRanker:
    """Fit `ranker` on all rows of a Dask DataFrame, and return it: as ``ranker.fit`` of the frame in one piece.

    The frame is read twice, once to count the rows of its partitions. A column must have the same type in all of them: give texts
    the dtype ``category``, whose cells are never taken for numbers.
    """
    plain = copy.copy(ranker)
    plain.__dict__.pop("_model", None)
    plain.random_state = seed_of(ranker.random_state)  # a generator would give each task another
    rows = frame.map_partitions(len).compute()
    first = np.concatenate([[0], np.cumsum(rows)])
    shared = delayed(plain)
    level = [delayed(_gather)(shared, part, int(row)) for part, row in zip(frame.to_delayed(), first)]
    while len(level) > 1:
        pairs = [delayed(_merge)(shared, *level[i : i + 2]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[2 * len(pairs) :]
    model = delayed(_fit)(shared, level[0], [str(name) for name in frame.columns]).compute()
    return ranker._adopt(Model.from_bytes(model), frame._meta)


def _score(part: Any, ranker: AnomalyRanker, which: int) -> Any:
    import pandas

    scores = ranker._scores(part, which) if len(part) > 0 else np.empty(0)
    return pandas.Series(scores, index=part.index, name=("score", "p_value")[which])


def _map(ranker: AnomalyRanker, frame: Any, which: int) -> Any:
    ranker._fitted()
    name = ("score", "p_value")[which]
    return frame.map_partitions(_score, delayed(ranker), which, meta=(name, "f8"))


def score_samples(ranker: AnomalyRanker, frame: Any) -> Any:
    """The score of each row, as a Dask Series with the partitions and the index of the frame; lower is more abnormal."""
    return _map(ranker, frame, 0)


def p_values(ranker: AnomalyRanker, frame: Any) -> Any:
    """The share of normal rows that would look at least as abnormal, in the same way."""
    return _map(ranker, frame, 1)
