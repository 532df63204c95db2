"""Tables of the C library from arrays, data frames, Arrow and files.

A data frame is read like its CSV file (_columns.py).
"""
from __future__ import annotations

import os
from typing import Any, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from . import _arrow
from ._anorank import ffi, lib
from ._columns import Builder, Column, Table, columns_table, exceeds_double, owned, pandas, unmasked
from ._errors import DataError, refusal, source
from ._settings import Settings

_COMPLEX = "Complex data not supported: pass the real and imaginary parts as columns"  # scikit-learn's words first
BLOCK_BYTES = 8 << 20  # of an array that is scored block by block


# ---- what is it? ---------------------------------------------------------------------------------------------------


def is_frame(X: Any) -> bool:
    return pandas() is not None and isinstance(X, pandas().DataFrame)


def is_path(X: Any) -> bool:
    return isinstance(X, (str, os.PathLike))


def path_of(X: Any) -> bytes:
    """Return a path for C; a missing file raises FileNotFoundError."""
    os.stat(X)
    return os.fsencode(X)


def is_chunks(X: Any) -> bool:
    """An iterator over pieces of a table."""
    return hasattr(X, "__next__") and not is_path(X)


def is_arrow(X: Any) -> bool:
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")


def normal(X: Any) -> Any:
    """A frame, a path, an Arrow holder, or an array of two dimensions; refused with a sentence otherwise."""
    if is_frame(X) or is_path(X):
        return X
    if is_arrow(X):
        return X
    if hasattr(X, "__dataframe__"):
        try:
            from pandas.api.interchange import from_dataframe
        except ImportError:
            raise TypeError(
                f"a {type(X).__name__} offers __dataframe__, and pandas 1.5 is needed to read that"
            ) from None
        return from_dataframe(X)
    return as_array(X)


def as_array(X: Any) -> Any:
    if hasattr(X, "tocsr") or hasattr(X, "toarray"):
        raise TypeError(f"X is a sparse {type(X).__name__}, and sparse data are not supported; pass X.toarray()")
    if pandas() is not None and isinstance(X, pandas().Series):
        raise refusal(
            DataError, "array-dimensions",
            "Expected 2D array, got a Series instead. Reshape your data: X.to_frame() is a table of one column",
        )  # fmt: skip
    made = np.asarray(unmasked(X))
    if made.ndim != 2:
        raise refusal(
            DataError, "array-dimensions",
            f"Expected 2D array, got {made.ndim}D array instead. Reshape your data: X.reshape(-1, 1) if it is one "
            "column, X.reshape(1, -1) if it is one row",
        )  # fmt: skip
    if made.dtype.kind == "c":
        raise refusal(DataError, "array-complex", _COMPLEX)
    if made.dtype.kind in "SU":
        made = made.astype(object)
    if made.dtype.kind not in "fiubO":
        raise TypeError(f"an array of {made.dtype} is not supported; pass numbers, or a data frame")
    return made


def names_of(X: Any) -> Optional[List[str]]:
    """The names of the columns of a frame as scikit-learn has them: None unless all are texts."""
    if is_frame(X) and all(isinstance(name, str) for name in X.columns):
        return list(X.columns)
    return None


def array_table(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Table:
    """An array of two dimensions; columns of objects, and integers that no double holds, are read as cells of a file."""
    if X.dtype.kind == "O" or exceeds_double(X):
        X = X.astype(object, copy=False)
        columns = [Column(names[j] if names else f"x{j + 1}", "text", X[:, j]) for j in range(X.shape[1])]
        return columns_table(columns, X.shape[0], settings)
    builder = Builder(X.shape[0], settings)
    if X.shape[0] > 0:
        builder.matrix(names, X)
    else:
        for j in range(X.shape[1]):
            builder.numbers(names[j] if names else f"x{j + 1}", np.empty(0))
    return builder.finish()


# ---- pandas --------------------------------------------------------------------------------------------------------


def frame_column(name: str, series: Any) -> Column:
    """A column of a frame by its dtype; other types are written as texts, as to_csv does."""
    pd, dtype = pandas(), series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return Column(
            name, "codes", series.cat.codes.to_numpy(), levels=[str(level) for level in series.cat.categories]
        )
    if isinstance(dtype, pd.SparseDtype):
        return frame_column(name, series.sparse.to_dense())
    if isinstance(dtype, pd.DatetimeTZDtype):
        return frame_column(name, series.dt.tz_convert("UTC").dt.tz_localize(None))
    masked = pd.api.types.is_extension_array_dtype(dtype) and hasattr(dtype, "numpy_dtype")
    present = (~series.isna()).to_numpy() if masked and series.hasnans else None
    plain = getattr(dtype, "numpy_dtype", dtype)
    kind = getattr(plain, "kind", "O")
    if masked:
        series = series.fillna(series.dtype.type(0)) if present is not None else series
        series = series.astype(plain)
    if kind == "b":
        return Column(name, "flags", series.to_numpy(), present)
    if kind in "fiu":
        return Column(name, "numbers", series.to_numpy(), present)
    if kind == "M":
        values = series.to_numpy()
        there = ~np.isnat(values)
        return Column(
            name, "times", values.view("int64"), None if there.all() else there, np.datetime_data(values.dtype)[0]
        )
    if kind == "m":
        return Column(name, "numbers", series.dt.total_seconds().to_numpy())
    if kind == "c":
        raise refusal(DataError, "array-complex", f"column '{name}': {_COMPLEX}", column=name)
    return Column(name, "text", series.to_numpy(dtype=object))


def frame_table(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Table:
    chosen = names if names is not None else [str(name) for name in X.columns]
    return columns_table([frame_column(name, X.iloc[:, j]) for j, name in enumerate(chosen)], len(X), settings)


def with_index(X: Any, by: Any, time: Any) -> Any:
    """The frame with the levels of its index that ``by`` and ``time`` name as columns. An index of times without a name is the
    column that ``time`` names."""
    if not is_frame(X):
        return X
    items = by if isinstance(by, (list, tuple)) else str(by or "").split(",")
    wanted = [part for item in items for part in (item, *str(item).split("+"))] + [time or ""]
    for name in dict.fromkeys(wanted):
        if not name or name in X.columns:
            continue
        level = name if name in X.index.names else None
        if level is None and name == time and isinstance(X.index, pandas().DatetimeIndex) and X.index.name is None:
            level = 0
        if level is not None:
            X = X.copy(deep=False)
            X.insert(0, name, X.index.get_level_values(level))
    return X


# ---- anything ------------------------------------------------------------------------------------------------------


def as_table(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Table:
    """Return all rows at once. ``names`` replaces the names of the columns; None keeps those of X."""
    out = ffi.new("anorank_table **")
    if is_path(X):
        settings.run(lib.anorank_table_read, out, source(path_of(X)), settings.c)
        return owned(out)
    if is_frame(X):
        return frame_table(X, names, settings)
    if is_arrow(X):
        return owned(_arrow.table(X, settings))
    return array_table(X, names, settings)


def blocks(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Iterator[Table]:
    """The same piece by piece, if that needs less memory. A block is invalid once the next is read."""
    if is_path(X) or is_arrow(X):
        yield from _reader_blocks(X, settings)
    elif not is_frame(X) and X.dtype.kind != "O":
        rows = max(1024, BLOCK_BYTES // (8 * max(X.shape[1], 1)))
        for first in range(0, max(len(X), 1), rows):
            yield array_table(X[first : first + rows], names, settings)
    else:
        yield as_table(X, names, settings)


def _reader_blocks(X: Any, settings: Settings) -> Iterator[Table]:
    out, block = ffi.new("anorank_reader **"), ffi.new("anorank_table const **")
    if is_path(X):
        settings.run(lib.anorank_reader_open, out, source(path_of(X)), settings.c)
    else:
        _arrow.reader(out, X, settings)
    reader = ffi.gc(out[0], lib.anorank_reader_free)
    while True:
        settings.run(lib.anorank_reader_next, reader, block)
        if not block[0]:
            return
        yield Table(block[0])
        lib.anorank_reader_reset_levels(reader)


def shape_of(X: Any) -> Tuple[Optional[int], Optional[int]]:
    """Return rows and columns, as far as they are known before reading."""
    shape = getattr(X, "shape", None)
    return (int(shape[0]), int(shape[1])) if isinstance(shape, tuple) and len(shape) == 2 else (None, None)
