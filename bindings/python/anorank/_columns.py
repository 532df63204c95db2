"""Tables of the C library, column by column.

The reader of the command line also reads columns of texts, so that "1.234,50", "n/a" and "31.12.2025" mean the same
here and there.
"""
from __future__ import annotations

import csv
import datetime
import decimal
import io
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

import numpy as np

from ._anorank import ffi, lib
from ._errors import DataError, memory, refusal, text
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

_ma: Any = np.ma  # NumPy's stubs leave it untyped

PLAIN = (str, bytes, bool, int, float, decimal.Decimal, datetime.date, datetime.time, np.generic, type(None))


def pandas() -> Any:
    """Return the module if it is already imported; without it no data frame can exist."""
    return sys.modules.get("pandas")


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
        levels = np.array(
            [text(lib.anorank_table_level(self.c, column, k)) for k in range(count)] + [None], dtype=object
        )
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
        made = whole.astype("int64") * 1000000 + np.rint(
            (seconds - whole) * 1e6, where=~np.isnan(seconds), out=whole * 0
        ).astype("int64")
        return np.where(np.isnan(seconds), np.datetime64("NaT"), made.astype("datetime64[us]"))


def owned(out: Any) -> Table:
    return Table(ffi.gc(out[0], lib.anorank_table_free))


# ---- building ------------------------------------------------------------------------------------------------------


class Builder:
    """Build a table of the C library column by column."""

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
    """Convert to the byte order of this machine, and to at most a double."""
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            narrow = values.astype(np.float64)
        if np.any(np.isinf(narrow) & ~np.isinf(values)):
            raise refusal(DataError, "cell-number-range", "a number is too large; the largest is about 1.8e308")
        return narrow
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def _address(values: Any) -> Any:
    return ffi.cast("void *", values.__array_interface__["data"][0])


def _bits(present: Optional[Any]) -> Any:
    return ffi.NULL if present is None else ffi.from_buffer("uint8_t[]", np.packbits(present, bitorder="little"))


# ---- columns of many kinds -----------------------------------------------------------------------------------------


class Column(NamedTuple):
    """A column to convert: ``how`` is numbers, times, flags, codes or text."""

    name: str
    how: str
    values: Any
    present: Optional[Any] = None  # a mask, None: all are there
    unit: str = ""
    levels: Sequence[Any] = ()


def columns_table(columns: Sequence[Column], rows: int, settings: Settings) -> Table:
    """All columns in their order; those of texts are read together, since they determine the format of each other."""
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
    """Return whether all objects are floats, which need no reader; integers beyond doubles need one."""
    values = column.values
    if column.how == "text" and values.dtype.kind == "O":
        kinds = set(map(type, values))
        for kind in kinds:
            if not issubclass(kind, PLAIN) and "NAType" not in kind.__name__ and "NaTType" not in kind.__name__:
                raise TypeError(f"column '{column.name}': argument must be a string or a number, not {kind.__name__!r}")
        if kinds and kinds <= {float, np.float64}:
            return column._replace(how="numbers", values=values.astype(np.float64))
    if column.how == "numbers" and exceeds_double(values):
        return column._replace(how="text", values=values.astype(object))
    return column


def unmasked(values: Any) -> Any:
    """NumPy's masked arrays, and lists of them, with missing cells at the mask; other values unchanged."""
    if isinstance(values, (list, tuple)) and any(isinstance(row, _ma.MaskedArray) for row in values):
        values = _ma.stack([_ma.asarray(row) for row in values])
    if not isinstance(values, _ma.MaskedArray):
        return values
    if not _ma.getmaskarray(values).any():
        return values.data
    if values.dtype.kind == "f":
        return values.filled(np.nan)
    if values.dtype.kind in "iub" and not exceeds_double(values):
        return values.astype(np.float64).filled(np.nan)
    cells = values.data.astype(object)  # a copy
    cells[_ma.getmaskarray(values)] = None  # filled(None) would put the array's own fill value there
    return cells


def exceeds_double(values: Any) -> bool:
    """Return whether there are integers beyond 2^53, where doubles have gaps."""
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8 or values.size == 0:
        return False
    highest, lowest = values.max(), values.min()
    if highest is _ma.masked:  # there is nothing but masked cells
        return False
    return int(highest) > 2**53 or int(lowest) < -(2**53)


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
    """Levels are read as in a file: blanks at their ends are trimmed, and NA is not a level."""
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
    """Return the codes of a column of texts, which may have become numbers without values."""
    codes = lib.anorank_table_codes(table.c, column)
    if not codes or table.rows == 0:
        return np.full(table.rows, -1, dtype=np.int32)
    return np.frombuffer(ffi.buffer(codes, 4 * table.rows), dtype=np.int32)


def _levels(table: Table, column: int) -> List[bytes]:
    count = lib.anorank_table_levels(table.c, column)
    return [ffi.string(lib.anorank_table_level(table.c, column, k)) for k in range(count)]


def _cells(column: Column) -> List[Any]:
    """Return the cells as in a file: empty if missing."""
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
    reading.run(lib.anorank_table_read, out, memory(data, b"the data frame"), reading.c)
    return owned(out)


def _setting(settings: Settings, name: str) -> str:
    size = lib.anorank_settings_get(settings.c, name.encode(), ffi.NULL, 0)
    buffer = ffi.new("char[]", size + 1)
    lib.anorank_settings_get(settings.c, name.encode(), buffer, size + 1)
    return text(buffer)
