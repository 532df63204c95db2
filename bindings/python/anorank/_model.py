"""A fitted model of the C library."""
from __future__ import annotations

import threading
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _tables
from ._anorank import ffi, lib
from ._columns import Table
from ._errors import Note, memory, notes_of, text, to_memory
from ._settings import BY_KEYWORD, OTHERS, Settings, values_in

FEW_ROWS = 256  # so many are scored by the calling thread, without making a table


class Model:
    """A fitted model of the C library. It never changes, so threads may share it."""

    def __init__(self, c: Any) -> None:
        self.c = c
        self._scorer: Any = None
        self._scratches: List[Any] = []
        self._making = threading.Lock()
        count = lib.anorank_model_get_info(self.c).columns
        columns = [lib.anorank_model_column_at(self.c, j) for j in range(count)]
        self.names = [text(column.name) for column in columns]
        self.numeric = all(column.kind == lib.ANORANK_NUMERIC for column in columns)
        kept = values_in(lib.anorank_model_settings(self.c), [BY_KEYWORD["by"], BY_KEYWORD["time"]])
        self.in_context = bool(kept["by"] or kept["time"])  # rows are compared with earlier rows

    def __del__(self, lib: Any = lib) -> None:
        """Free in this order, because each needs the next."""
        for scratch, _ in self._scratches:
            lib.anorank_scratch_free(scratch)
        if self._scorer is not None:
            lib.anorank_scorer_free(self._scorer)
        lib.anorank_model_free(self.c)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Model":
        settings, out = Settings({}), ffi.new("anorank_model **")
        settings.run(lib.anorank_model_load, out, memory(data, b"pickle"))
        return cls(out[0])

    def to_bytes(self) -> bytes:
        settings, out, length = Settings({}), ffi.new("unsigned char **"), ffi.new("size_t *")
        settings.run(lib.anorank_model_save, self.c, to_memory(out, length))
        try:
            return bytes(ffi.buffer(out[0], length[0]))
        finally:
            lib.anorank_bytes_free(out[0])

    def parameters(self) -> Dict[str, Any]:
        """The keywords that this model was fitted with."""
        kept = lib.anorank_model_settings(self.c)
        found = values_in(kept, [*OTHERS, BY_KEYWORD["scorer"], BY_KEYWORD["train"], BY_KEYWORD["seed"]])
        found["random_state"] = found.pop("seed")
        return found

    @property
    def notes(self) -> List[Note]:
        return notes_of(lib.anorank_model_notes(self.c))

    @property
    def columns(self) -> List[Dict[str, Any]]:
        roles = ["numeric", "categorical", "id", "dropped", "constant", "unusable", "time"]
        found = []
        for j in range(len(self.names)):
            c = lib.anorank_model_column_at(self.c, j)
            found.append(
                dict(name=text(c.name), role=roles[c.role], missing_share=c.missing_share, low=c.low, median=c.median,
                     high=c.high, levels=int(c.levels))
            )  # fmt: skip
        return found

    def advanced(self, table: Table) -> "Model":
        """Return the model with more history. This one is unchanged, since others may use it."""
        settings, made = Settings({}), Model.from_bytes(self.to_bytes())
        settings.run(lib.anorank_model_advance, made.c, table.c)
        return made

    def offset(self, mass: float) -> float:
        """The lowest score that is not too unusual: rows below it have a p-value of at most 1 - mass, or, where that
        is less than the calibration rows can show, the smallest that they can."""
        p = max(1 - mass, lib.anorank_model_get_info(self.c).calibration.smallest_p_value)
        return float(np.nextafter(lib.anorank_model_score_at(self.c, p), np.inf))

    def score(self, table: Table, out: Any, which: int, settings: Settings) -> None:
        if len(out) == 0 and table.rows == 0:
            return
        pointer = ffi.from_buffer("double[]", out)
        arrays = (ffi.NULL, pointer) if which else (pointer, ffi.NULL)
        settings.run(lib.anorank_model_score, self.c, table.c, *arrays, settings.c)

    def quick(self, X: Any, named: bool) -> Optional[Any]:
        """Score a few rows of doubles in place on the calling thread; None if that is not possible."""
        if self.in_context or X.ndim != 2 or named or not self.numeric or X.dtype != np.float64 or not X.dtype.isnative:
            return None
        rows, columns = X.shape
        down, across = X.strides
        if (
            not 0 < rows <= FEW_ROWS
            or columns != len(self.names)
            or (across != 8 and columns > 1)
            or down % 8
            or down < 0
        ):
            return None
        if self._scorer is None:
            with self._making:
                self._make_scorer()
        try:
            scratch, err = self._scratches.pop()
        except IndexError:  # all are in use; asking first would let another thread take the last one
            scratch, err = self._scratch()
        try:
            scores = np.empty(rows)
            cells = ffi.cast("double *", X.__array_interface__["data"][0])
            status = lib.anorank_scorer_score(
                self._scorer, scratch, cells, rows, down // 8, ffi.from_buffer("double[]", scores), ffi.NULL, err
            )
        finally:
            self._scratches.append((scratch, err))  # any thread may take it: a list gives an item to one alone
        return scores if status == lib.ANORANK_OK else None  # the long way says what is wrong

    def _make_scorer(self) -> None:
        if self._scorer is None:
            settings, out = Settings({}), ffi.new("anorank_scorer **")
            settings.run(lib.anorank_scorer_new, out, self.c, ffi.NULL, 0)
            self._scorer = out[0]

    def _scratch(self) -> Tuple[Any, Any]:
        settings, out = Settings({}), ffi.new("anorank_scratch **")
        settings.run(lib.anorank_scratch_new, out, self._scorer)
        return out[0], ffi.new("anorank_error *")
