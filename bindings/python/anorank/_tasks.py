"""Tasks of anorank.dask: pure functions of a part of a table and of bytes, which any worker may run, and run again."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _parts, _tables
from ._anorank import ffi, lib
from ._columns import Builder, Table, owned
from ._errors import Error
from ._settings import Settings
from ._stream import Stream
from .ranker import AnomalyRanker

Columns = List[Tuple[str, Any]]
OURS = ("rank", "row", "score", "p_value", "q_value", "tier", "reasons")


class Choice(NamedTuple):
    """The rows and columns that a ranking reports."""

    lowest: Optional[int]
    fdr: Optional[float]
    mass: Optional[float]
    reasons: int
    shown: str  # columns of the table to report, besides identifiers
    kept: str  # columns whose cells the reader remembers as they are written

    def settings(self, ranker: AnomalyRanker) -> Settings:
        return ranker._reading(
            lowest=self.lowest, fdr=self.fdr, mass=self.mass, reasons=self.reasons, keep=self.kept or None
        )


class State(NamedTuple):
    """What the rows before a part leave to it where rows are compared with earlier rows."""

    entities: bytes
    rows: int


class Found(NamedTuple):
    """The rows of a part that are reported, by score and row: their scores and columns, and the index of a DataFrame."""

    scores: Any
    columns: Columns  # empty: the part has no rows
    like: Columns  # without rows
    index: Any


def shape(part: Any, ranker: AnomalyRanker) -> Any:
    """Return rows and columns of a part, or its error; the client raises the first error."""
    try:
        return _parts.shape_of(part, ranker._reading())
    except Error as error:
        return error


def _blocks(part: Any, names: Optional[Sequence[str]], settings: Settings) -> Iterator[Table]:
    if _tables.is_path(part) or len(part) > 0:  # the types of a partition without rows say nothing
        yield from _parts.blocks_of(part, names, settings)


def _matched_blocks(part: Any, ranker: AnomalyRanker, settings: Settings) -> Iterator[Table]:
    X, names = ranker._checked(part, by_name=True)
    yield from _blocks(X, names, settings)


# ---- fit -----------------------------------------------------------------------------------------------------------


def sample(part: Any, first_row: int, ranker: AnomalyRanker, before: Optional[bytes] = None) -> bytes:
    """Return the contribution of one part, or of this part and those before it, to the sample of a fit."""
    settings = ranker._settings()
    stream = Stream(settings, data=before)
    for block in _blocks(_tables.with_index(part, ranker.by, ranker.time), None, settings):
        stream.add(block, first_row)
        first_row += block.rows
    return stream.to_bytes()


def merge_samples(one: bytes, other: bytes, ranker: AnomalyRanker) -> bytes:
    settings = ranker._settings()
    merged = Stream.from_bytes(one, settings)
    merged.merge(Stream.from_bytes(other, settings))
    return merged.to_bytes()


def fit(sampled: bytes, ranker: AnomalyRanker, names: Optional[List[str]]) -> Tuple[bytes, bytes]:
    """The model, and the scores that the fit gave its own rows."""
    settings = ranker._settings()
    stream = Stream.from_bytes(sampled, settings)
    model = stream.fit(ranker._known_table(names, settings))
    return model.to_bytes(), stream.to_bytes()


# ---- states --------------------------------------------------------------------------------------------------------


def pass_over(part: Any, before: Optional[State], ranker: AnomalyRanker, own: Optional[bytes]) -> State:
    """The state after a part. ``own`` as in `count`."""
    settings = ranker._reading()
    stream, first_row = _resumed(Stream(settings, ranker._fitted(), own), before)
    for block in _matched_blocks(part, ranker, settings):
        if block.rows > 0:
            stream.skip(block, first_row)
        first_row += block.rows
    return State(stream.state(), first_row)


def _resumed(stream: Stream, before: Optional[State]) -> Tuple[Stream, int]:
    if before is None:
        return stream, 0
    stream.resume(before.entities)
    return stream, before.rows


# ---- scores --------------------------------------------------------------------------------------------------------


def scores(part: Any, ranker: AnomalyRanker, which: int, before: Optional[State] = None) -> Any:
    """Scores (which = 0) or p-values (1)."""
    if not _tables.is_path(part) and len(part) == 0:
        return np.empty(0)
    if not ranker._fitted().in_context:
        return ranker._scores(part, which, by_name=which == 1)
    X, names = ranker._checked(part, by_name=which == 1)
    reading, settings = ranker._reading(), ranker._reading()
    found = [table.column(len(table.names) - 2 + which) for table in _scored(X, names, ranker, reading, settings, 0, before)]
    return np.concatenate(found)


def write_scores(
    part: Any, first_row: int, ranker: AnomalyRanker, choice: Choice, path: str, before: Optional[State]
) -> str:  # fmt: skip
    """One file as `anorank score` writes it."""
    reading, settings = choice.settings(ranker), ranker._reading(keep=choice.shown or None)
    X, names = ranker._checked(part, by_name=True)
    return _parts.write_blocks(path, _scored(X, names, ranker, reading, settings, first_row, before), settings)


def _scored(
    X: Any, names: Optional[Sequence[str]], ranker: AnomalyRanker, reading: Settings, settings: Settings, first_row: int,
    before: Optional[State],
) -> Iterator[Table]:  # fmt: skip
    """Blocks as `anorank score` gives them: read with ``reading``, scored with ``settings``."""
    model, out = ranker._fitted(), ffi.new("anorank_table **")
    if model.in_context:
        stream, first_row = _resumed(Stream(settings, model), before)
    for block in _parts.blocks_of(X, names, reading):
        if model.in_context:
            yield stream.score(block, first_row)
        else:
            settings.run(lib.anorank_model_score_table, out, model.c, block.c, first_row + 1, settings.c)
            yield owned(out)
        first_row += block.rows


# ---- rankings ------------------------------------------------------------------------------------------------------


def count(
    part: Any, first_row: int, ranker: AnomalyRanker, own: Optional[bytes], choice: Choice, before: Optional[State]
) -> bytes:  # fmt: skip
    """Scores of the rows of a part, counted. ``own``: the scores that a fit on these rows gave them."""
    settings = choice.settings(ranker)
    stream, _ = _resumed(Stream(settings, ranker._fitted(), own), before)
    for block in _matched_blocks(part, ranker, settings):
        if block.rows > 0:  # a file without rows does not show which columns are times
            stream.add(block, first_row)
        first_row += block.rows
    return stream.to_bytes()


def merge_counts(one: bytes, other: bytes, ranker: AnomalyRanker, choice: Choice) -> bytes:
    settings = choice.settings(ranker)
    merged = Stream.from_bytes(one, settings, ranker._fitted())
    merged.merge(Stream.from_bytes(other, settings, ranker._fitted()))
    return merged.to_bytes()


def _selection(
    ranker: AnomalyRanker, own: Optional[bytes], counts: bytes, settings: Settings, after: Optional[State] = None
) -> Stream:  # fmt: skip
    """``after``: the state after all rows, for notes about it."""
    stream = Stream(settings, ranker._fitted(), own)
    stream.merge(Stream.from_bytes(counts, settings, ranker._fitted()))
    _resumed(stream, after)[0].select()
    return stream


def place_of_ours(columns: Columns) -> int:
    """Return where the columns of the result begin, after those of the table."""
    return len(columns) - (len(OURS) if columns[-1][0] == OURS[-1] else len(OURS) - 2)


def report(
    part: Any, first_row: int, ranker: AnomalyRanker, own: Optional[bytes], counts: bytes, choice: Choice,
    format: Optional[str], before: Optional[State],
) -> Found:  # fmt: skip
    """The rows of a part that are reported. Their ranks are those within the part: `ranks` has those of all parts.
    ``format``: of the file that they go to; None: they are collected."""
    settings, begin = choice.settings(ranker), first_row
    stream, _ = _resumed(_selection(ranker, own, counts, settings), before)
    for block in _matched_blocks(part, ranker, settings):
        stream.fetch(block, first_row)
        first_row += block.rows
    pieces = [
        _parts.columns_of(ranking.as_table(choice.reasons > 0, choice.shown), format)
        for ranking in stream.rankings()
    ]
    if not pieces:
        return Found(np.empty(0), [], [], None)
    columns = [(name, np.concatenate([piece[j][1] for piece in pieces])) for j, (name, _) in enumerate(pieces[0])]
    place = place_of_ours(columns)
    rows, found = columns[place + 1][1], columns[place + 2][1]
    order = np.lexsort((rows, found))
    columns = [(name, values[order]) for name, values in columns]
    index = None if _tables.is_path(part) else part.index[rows[order].astype(np.int64) - 1 - begin]
    return Found(found[order], columns, [(name, values[:0]) for name, values in columns], index)


def with_file(found: Found, first_row: int, file: Optional[str]) -> Found:
    """With the name of the file of each row in front, and its row there, from 0 if the file begins with row ``first_row`` + 1.
    ``file``: None where the table is not several files."""
    if file is None or not found.columns:
        return found

    def added(columns: Columns) -> Columns:
        rows = columns[place_of_ours(columns) + 1][1]
        return [("file", np.full(len(rows), file, dtype=object)), ("file_row", (rows - first_row - 1).astype(np.int64)), *columns]

    return found._replace(columns=added(found.columns), like=added(found.like))


def ranks(found: Sequence[Any]) -> List[Any]:
    """The ranks of each part's scores among those of all parts. Equal scores share the best rank."""
    _, inverse, counts = np.unique(np.concatenate(found), return_inverse=True, return_counts=True)
    first = 1 + np.cumsum(counts) - counts
    return list(np.split(first[inverse], np.cumsum([len(one) for one in found])[:-1]))


def with_ranks(found: Found, ranked: Any) -> Columns:
    columns, place = list(found.columns), place_of_ours(found.columns)
    columns[place] = (OURS[0], np.asarray(ranked, dtype=np.float64))
    return columns


def write_report(found: Found, ranked: Any, like: Sequence[Columns], path: str) -> str:
    """One file as `anorank rank` writes it. ``like``: the columns of all parts, for one that has no rows."""
    columns = with_ranks(found, ranked) if found.columns else next(one for one in like if one)
    if path.endswith(".npy"):
        columns = [(name, values) for name, values in columns if name not in OURS[-2:]]
    return _parts.write_columns(path, columns, Settings({}))


def sentences(
    ranker: AnomalyRanker, own: Optional[bytes], counts: bytes, choice: Choice, after: Optional[State]
) -> Dict[str, Any]:  # fmt: skip
    """Headline and notes of a ranking."""
    settings = choice.settings(ranker)
    builder = Builder(0, settings)
    for name in ranker._fitted().names:
        builder.numbers(name, np.empty(0))
    stream = _selection(ranker, own, counts, settings, after)
    stream.fetch(builder.finish(), 0)
    ranking = next(stream.rankings())
    return {"headline": ranking.headline(), "notes": ranking.notes()}
