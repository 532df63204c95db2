"""Tables of the C library from whatever holds rows: arrays, data frames, Arrow, files.

A data frame is understood as the CSV file that it would make: columns of texts are read by the very reader of the
command line, so that "1.234,50", "n/a" and "31.12.2025" mean the same here and there.
"""
from __future__ import annotations

import csv
import datetime
import decimal
import io
import os
import sys
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _arrow
from ._anorank import ffi, lib
from ._errors import text
from ._settings import Settings

TYPES: Dict[str, int] = {
    "f8": lib.ANORANK_FLOAT64, "f4": lib.ANORANK_FLOAT32, "f2": lib.ANORANK_FLOAT16,
    "i8": lib.ANORANK_INT64, "i4": lib.ANORANK_INT32, "i2": lib.ANORANK_INT16, "i1": lib.ANORANK_INT8,
    "u8": lib.ANORANK_UINT64, "u4": lib.ANORANK_UINT32, "u2": lib.ANORANK_UINT16, "u1": lib.ANORANK_UINT8,
    "b1": lib.ANORANK_BOOL,
}  # fmt: skip

RESOLUTIONS: Dict[str, int] = {
    "D": lib.ANORANK_DAYS, "s": lib.ANORANK_SECONDS, "ms": lib.ANORANK_MILLISECONDS,
    "us": lib.ANORANK_MICROSECONDS, "ns": lib.ANORANK_NANOSECONDS,
}  # fmt: skip

BLOCK_BYTES = 8 << 20  # of an array that is scored block by block
PLAIN = (str, bytes, bool, int, float, decimal.Decimal, datetime.date, datetime.time, np.generic, type(None))


class Table(NamedTuple):
    """A table of the C library: freed with the last reference to ``c``."""

    c: Any

    @property
    def rows(self) -> int:
        return int(lib.anorank_table_rows(self.c))

    @property
    def names(self) -> List[str]:
        return [text(lib.anorank_table_name(self.c, j)) for j in range(lib.anorank_table_columns(self.c))]

    def numbers(self, column: int) -> Any:
        """A numeric or time column."""
        pointer = lib.anorank_table_numbers(self.c, column)
        if not pointer or self.rows == 0:
            return np.empty(0)
        return np.frombuffer(ffi.buffer(pointer, 8 * self.rows), dtype=np.float64).copy()

    def texts(self, column: int) -> Any:
        """A categorical column as texts, None for a missing cell."""
        count = lib.anorank_table_levels(self.c, column)
        levels = np.array([text(lib.anorank_table_level(self.c, column, k)) for k in range(count)] + [None], dtype=object)
        codes = lib.anorank_table_codes(self.c, column)
        return levels[np.frombuffer(ffi.buffer(codes, 4 * self.rows), dtype=np.int32)] if self.rows else levels[:0]

    def column(self, column: int) -> Any:
        """A column as NumPy has it: float64, datetime64 or objects."""
        kind = lib.anorank_table_kind(self.c, column)
        if kind == lib.ANORANK_CATEGORICAL:
            return self.texts(column)
        if kind == lib.ANORANK_NUMERIC:
            return self.numbers(column)
        seconds = self.numbers(column)
        whole = np.floor(np.nan_to_num(seconds))
        made = whole.astype("int64") * 1000000 + np.rint((seconds - whole) * 1e6, where=~np.isnan(seconds), out=whole * 0).astype("int64")
        return np.where(np.isnan(seconds), np.datetime64("NaT"), made.astype("datetime64[us]"))


def owned(out: Any) -> Table:
    return Table(ffi.gc(out[0], lib.anorank_table_free))


# ---- what is it? ---------------------------------------------------------------------------------------------------


def pandas() -> Any:
    """The module, if whoever calls has imported it; a data frame cannot exist otherwise."""
    return sys.modules.get("pandas")


def is_frame(X: Any) -> bool:
    return pandas() is not None and isinstance(X, pandas().DataFrame)


def is_path(X: Any) -> bool:
    return isinstance(X, (str, os.PathLike))


def path_of(X: Any) -> bytes:
    """For C; a file that is not there is Python's own FileNotFoundError."""
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
            raise TypeError(f"a {type(X).__name__} offers __dataframe__, and pandas 1.5 is needed to read that") from None
        return from_dataframe(X)
    return as_array(X)


def as_array(X: Any) -> Any:
    if hasattr(X, "tocsr") or hasattr(X, "toarray"):
        raise TypeError(f"X is a sparse {type(X).__name__}, and sparse data are not supported; pass X.toarray()")
    if pandas() is not None and isinstance(X, pandas().Series):
        raise ValueError("Expected 2D array, got a Series instead. Reshape your data: X.to_frame() is a table of one column")
    made = np.asarray(X)
    if made.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {made.ndim}D array instead. Reshape your data: X.reshape(-1, 1) if it is one "
            "column, X.reshape(1, -1) if it is one row"
        )
    if made.dtype.kind == "c":
        raise ValueError("Complex data not supported: pass the real and imaginary parts as columns")
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


# ---- building ------------------------------------------------------------------------------------------------------


class Builder:
    """Columns, one by one, into a table of the C library."""

    def __init__(self, rows: int, settings: Settings) -> None:
        out = ffi.new("anorank_builder **")
        self.settings, self.rows = settings, rows
        settings.run(lib.anorank_builder_new, out, rows)
        self.c = ffi.gc(out[0], lib.anorank_builder_free)

    def numbers(self, name: str, values: Any, present: Optional[Any] = None) -> None:
        values = _native(values)
        self.settings.run(
            lib.anorank_builder_numbers, self.c, name.encode(), TYPES[values.dtype.str[1:]], _address(values),
            values.strides[0] if self.rows else 0, _bits(present),
        )  # fmt: skip

    def times(self, name: str, steps: Any, unit: str, present: Optional[Any] = None) -> None:
        kind = TYPES[steps.dtype.str[1:]]
        self.settings.run(
            lib.anorank_builder_times, self.c, name.encode(), RESOLUTIONS[unit], kind, _address(steps),
            steps.strides[0] if self.rows else 0, _bits(present),
        )  # fmt: skip

    def codes(self, name: str, codes: Any, levels: Sequence[bytes]) -> None:
        codes = np.ascontiguousarray(codes, dtype=np.int32)
        kept = [ffi.from_buffer(level) for level in levels]
        pointers = ffi.new("char *[]", kept) if kept else ffi.new("char *[1]")
        lengths = ffi.new("size_t[]", [len(level) for level in levels] or 1)
        self.settings.run(
            lib.anorank_builder_codes, self.c, name.encode(), ffi.cast("int32_t *", _address(codes)), 4, ffi.NULL,
            ffi.cast("char *const *", pointers), lengths, len(levels),
        )  # fmt: skip

    def matrix(self, names: Optional[Sequence[str]], values: Any) -> None:
        values = _native(values)
        kept = [ffi.new("char[]", name.encode()) for name in names or []]
        pointers = ffi.new("char *[]", kept) if kept else ffi.NULL
        self.settings.run(
            lib.anorank_builder_matrix, self.c, ffi.cast("char *const *", pointers), values.shape[1],
            TYPES[values.dtype.str[1:]], _address(values), values.strides[0], values.strides[1],
        )  # fmt: skip

    def finish(self) -> Table:
        out = ffi.new("anorank_table **")
        self.settings.run(lib.anorank_builder_finish, out, self.c)
        return owned(out)


def _native(values: Any) -> Any:
    """In the byte order of this machine, and no wider than a double."""
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        return values.astype(np.float64)
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def _address(values: Any) -> Any:
    return ffi.cast("void *", values.__array_interface__["data"][0])


def _bits(present: Optional[Any]) -> Any:
    return ffi.NULL if present is None else ffi.from_buffer("uint8_t[]", np.packbits(present, bitorder="little"))


def array_table(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Table:
    """An array of two dimensions; columns of objects are read as cells of a file."""
    if X.dtype.kind == "O":
        columns = [Column(names[j] if names else f"x{j + 1}", "text", X[:, j]) for j in range(X.shape[1])]
        return columns_table(columns, X.shape[0], settings)
    builder = Builder(X.shape[0], settings)
    if X.shape[0] > 0:
        builder.matrix(names, X)
    else:
        for j in range(X.shape[1]):
            builder.numbers(names[j] if names else f"x{j + 1}", np.empty(0))
    return builder.finish()


# ---- columns of many kinds -----------------------------------------------------------------------------------------


class Column(NamedTuple):
    """A column on its way: ``how`` is numbers, times, flags, codes or text."""

    name: str
    how: str
    values: Any
    present: Optional[Any] = None  # a mask, None: all are there
    unit: str = ""
    levels: Sequence[Any] = ()


def columns_table(columns: Sequence[Column], rows: int, settings: Settings) -> Table:
    """All columns in their order; those of texts are read together, since they settle how each other are written."""
    columns = [_plain_numbers(column) for column in columns]
    texts = [column for column in columns if column.how == "text"]
    floats = sum(column.how == "numbers" and column.values.dtype.kind == "f" for column in columns)
    read = _read_cells(texts, min(floats, len(texts)), rows, settings) if texts else None
    builder, at = Builder(rows, settings), 0
    for column in columns:
        if column.how == "text":
            assert read is not None
            settings.run(lib.anorank_builder_column, builder.c, column.name.encode(), read.c, at)
            at += 1
        else:
            _ADDERS[column.how](builder, column, settings)
    if read is not None:
        settings.run(lib.anorank_builder_notes, builder.c, read.c)
    return builder.finish()


def _plain_numbers(column: Column) -> Column:
    """Objects that are floats, all of them, need no reader; whole numbers that no double holds need one."""
    values = column.values
    if column.how == "text" and values.dtype.kind == "O":
        kinds = set(map(type, values))
        for kind in kinds:
            if not issubclass(kind, PLAIN) and "NAType" not in kind.__name__ and "NaTType" not in kind.__name__:
                raise TypeError(f"column '{column.name}': argument must be a string or a number, not {kind.__name__!r}")
        if kinds and kinds <= {float, np.float64}:
            return column._replace(how="numbers", values=values.astype(np.float64))
    if column.how == "numbers" and values.dtype.kind in "iu" and values.dtype.itemsize == 8 and len(values):
        if int(values.max()) > 2**53 or int(values.min()) < -(2**53):
            return column._replace(how="text", values=values.astype(object))
    return column


def _add_numbers(builder: Builder, column: Column, settings: Settings) -> None:
    builder.numbers(column.name, column.values, column.present)


def _add_times(builder: Builder, column: Column, settings: Settings) -> None:
    builder.times(column.name, column.values, column.unit, column.present)


def _add_flags(builder: Builder, column: Column, settings: Settings) -> None:
    codes = column.values.astype(np.int32)
    if column.present is not None:
        codes = np.where(column.present, codes, -1)
    builder.codes(column.name, codes, [b"False", b"True"])


def _add_codes(builder: Builder, column: Column, settings: Settings) -> None:
    """Levels are what the reader makes of them: blanks at their ends go, NA is no level."""
    alone = Settings({"missing": _words(settings, "missing"), "categorical": "level"})
    read = _read_cells([Column("level", "text", np.array(column.levels, dtype=object))], 0, len(column.levels), alone)
    of_level = np.append(_codes(read, 0), -1).astype(np.int32)
    builder.codes(column.name, of_level[column.values], _levels(read, 0))


_ADDERS: Dict[str, Callable[[Builder, Column, Settings], None]] = {
    "numbers": _add_numbers, "times": _add_times, "flags": _add_flags, "codes": _add_codes,
}  # fmt: skip


def _words(settings: Settings, name: str) -> str:
    return text(lib.anorank_settings_text(settings.c, name.encode()))


def _codes(table: Table, column: int) -> Any:
    """Codes of a column of texts that may have come out as numbers without a value."""
    codes = lib.anorank_table_codes(table.c, column)
    if not codes or table.rows == 0:
        return np.full(table.rows, -1, dtype=np.int32)
    return np.frombuffer(ffi.buffer(codes, 4 * table.rows), dtype=np.int32)


def _levels(table: Table, column: int) -> List[bytes]:
    count = lib.anorank_table_levels(table.c, column)
    return [ffi.string(lib.anorank_table_level(table.c, column, k)) for k in range(count)]


def _cells(column: Column) -> List[Any]:
    """What the file would hold: nothing for a missing cell."""
    values, pd = column.values, pandas()
    missing = pd.isna(values) if pd is not None else np.array([v is None or v != v for v in values], dtype=bool)
    if column.present is not None:
        missing = missing | ~column.present
    if missing.any():
        values = np.where(missing, "", values)
    return [v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in values]


def _read_cells(columns: Sequence[Column], pointed: int, rows: int, settings: Settings) -> Table:
    """Read cells as those of a CSV file; ``pointed`` other columns of that file show a decimal point, which counts
    where a column of these leaves its mark open."""
    spare = max(pointed, 1)  # at least one: a line is then never blank
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([column.name for column in columns] + [f"spare {k}" for k in range(spare)])
    cells = [_cells(column) for column in columns]
    first = ["0.5" if pointed else ""] * spare
    writer.writerows(zip(*(one[:1] for one in cells), *([word] for word in first)))
    rest = [""] * max(rows - 1, 0)
    writer.writerows(zip(*(one[1:] for one in cells), *([rest] * spare)))
    data = buffer.getvalue().encode("utf-8", "replace")
    form = {"input-format": "csv", "header": "yes", "delimiter": ",", "encoding": "utf-8", "skip-lines": 0}
    kept = ["missing", "categorical", "decimal", "thousands", "date-order", "max-memory", "threads"]
    values: Dict[str, Any] = {name: _setting(settings, name) for name in kept}
    reading = Settings({**values, **form}, settings.watch)
    out = ffi.new("anorank_table **")
    reading.run(lib.anorank_table_read_memory, out, ffi.from_buffer(data), len(data), b"the data frame", reading.c)
    return owned(out)


def _setting(settings: Settings, name: str) -> str:
    size = lib.anorank_settings_get(settings.c, name.encode(), ffi.NULL, 0)
    buffer = ffi.new("char[]", size + 1)
    lib.anorank_settings_get(settings.c, name.encode(), buffer, size + 1)
    return text(buffer)


# ---- pandas --------------------------------------------------------------------------------------------------------


def frame_column(name: str, series: Any) -> Column:
    """A column of a frame by its dtype; what has none of its own is written out as texts, as to_csv does."""
    pd, dtype = pandas(), series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return Column(name, "codes", series.cat.codes.to_numpy(), levels=[str(level) for level in series.cat.categories])
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
        return Column(name, "times", values.view("int64"), None if there.all() else there, np.datetime_data(values.dtype)[0])
    if kind == "m":
        return Column(name, "numbers", series.dt.total_seconds().to_numpy())
    if kind == "c":
        raise ValueError(f"column '{name}': Complex data not supported: pass the real and imaginary parts as columns")
    return Column(name, "text", series.to_numpy(dtype=object))


def frame_table(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Table:
    chosen = names if names is not None else [str(name) for name in X.columns]
    return columns_table([frame_column(name, X.iloc[:, j]) for j, name in enumerate(chosen)], len(X), settings)


# ---- anything ------------------------------------------------------------------------------------------------------


def as_table(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Table:
    """All rows at once. ``names``: what the columns are called, whatever X calls them; None: as X does."""
    out = ffi.new("anorank_table **")
    if is_path(X):
        settings.run(lib.anorank_table_read, out, path_of(X), settings.c)
        return owned(out)
    if is_frame(X):
        return frame_table(X, names, settings)
    if is_arrow(X):
        return owned(_arrow.table(X, settings))
    return array_table(X, names, settings)


def blocks(X: Any, names: Optional[Sequence[str]], settings: Settings) -> Iterator[Table]:
    """The same piece by piece where that needs less memory. A block is dead once the next is asked for."""
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
        settings.run(lib.anorank_reader_open, out, path_of(X), settings.c)
    else:
        _arrow.reader(out, X, settings)
    reader = ffi.gc(out[0], lib.anorank_reader_free)
    while True:
        settings.run(lib.anorank_reader_next, reader, block)
        if not block[0]:
            return
        yield Table(block[0])
        lib.anorank_reader_forget(reader)


def shape_of(X: Any) -> Tuple[Optional[int], Optional[int]]:
    """Rows and columns, as far as they can be told without reading."""
    shape = getattr(X, "shape", None)
    return (int(shape[0]), int(shape[1])) if isinstance(shape, tuple) and len(shape) == 2 else (None, None)
