"""Tables in parts, for anorank.dask: the partitions of a Dask DataFrame, or files, read block by block; and results as parts."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _tables
from ._anorank import ffi, lib
from ._columns import Builder, Table
from ._errors import DataError, UsageError, refusal, sink, source, text
from ._settings import Settings

# ---- input ---------------------------------------------------------------------------------------------------------


def is_dask_frame(X: Any) -> bool:
    return hasattr(X, "to_delayed") and hasattr(X, "_meta")


def _names_table(name: str) -> bool:
    """Return whether the name has the ending of a table, compressed or not."""
    for packed in (".gz", ".zst"):
        name = name[: -len(packed)] if name.endswith(packed) else name
    i = 0
    while lib.anorank_format_at(i):
        format = lib.anorank_format_at(i)
        if format.reads and any(name.endswith(end) and name != end for end in text(format.endings).split()):
            return True
        i += 1
    return False


def _files_in(folder: str) -> List[str]:
    found = [name for name in os.listdir(folder) if not name.startswith(".") and _names_table(name)]
    if not found:
        raise refusal(
            DataError, "folder-no-tables",
            f"{folder}: no table files found; their names must end in .csv or another known format", file=folder,
        )
    return [os.path.join(folder, name) for name in sorted(found, key=os.fsencode)]


def files_of(X: Any) -> List[str]:
    """The files of a table in parts: a file, a folder, or a list of them, in order and named as the command line does."""
    if not _tables.is_path(X) and not (isinstance(X, (list, tuple)) and all(map(_tables.is_path, X))):
        raise TypeError(
            f"a {type(X).__name__} is not a table in parts; pass a Dask DataFrame, a folder, or a list of files"
        )
    found: List[str] = []
    for path in [X] if _tables.is_path(X) else X:
        path = os.fsdecode(path)
        os.stat(path)  # a file that does not exist is Python's own FileNotFoundError
        found += _files_in(path) if os.path.isdir(path) else [path]
    if not found:
        raise refusal(
            UsageError, "parts-none", "there are no files; pass a Dask DataFrame, a folder, or a list of at least one file"
        )
    return found


def blocks_of(part: Any, names: Optional[Sequence[str]], settings: Settings) -> Iterator[Table]:
    """The rows of a part, at least one block, which may have no rows. A block is invalid once the next is read."""
    if not _tables.is_path(part):
        yield _tables.as_table(part, names, settings)
        return
    out, block = ffi.new("anorank_reader **"), ffi.new("anorank_table const **")
    settings.run(lib.anorank_reader_open, out, source(_tables.path_of(part)), settings.c)
    reader, some = ffi.gc(out[0], lib.anorank_reader_free), False
    while True:
        settings.run(lib.anorank_reader_next, reader, block)
        if not block[0]:
            break
        some = True
        yield Table(block[0])
        lib.anorank_reader_reset_levels(reader)
    if not some:
        yield Table(lib.anorank_reader_schema(reader))


class Shape(NamedTuple):
    """The result of a first reading of a part."""

    source: str
    rows: int
    columns: List[Tuple[str, int]]  # name and kind; empty: not compared


KIND_WORDS = {lib.ANORANK_NUMERIC: "numeric", lib.ANORANK_CATEGORICAL: "categorical", lib.ANORANK_TIME: "time"}


def shape_of(part: Any, settings: Settings) -> Shape:
    if not _tables.is_path(part):
        return Shape("the partition", len(part), [])
    rows, columns = 0, []
    for block in blocks_of(part, None, settings):
        rows += block.rows
        columns = [(name, int(lib.anorank_table_kind(block.c, j))) for j, name in enumerate(block.names)]
    return Shape(part, rows, columns)


def _compare(have: Shape, part: Shape) -> None:
    """The rules of the command line: the same names in the same order, and the same types."""
    where = part.source
    if len(have.columns) != len(part.columns):
        raise refusal(
            DataError, "parts-column-count",
            f"{where}: has {len(part.columns)} columns, but earlier parts have {len(have.columns)}; "
            "give all parts the same columns",
            file=where,
        )
    for j, ((name, kind), (other, other_kind)) in enumerate(zip(part.columns, have.columns)):
        if name != other:
            raise refusal(
                DataError, "parts-column-name",
                f"{where}: column {j + 1} is '{name}', but '{other}' in earlier parts; give all parts the same columns",
                file=where, column=name,
            )
        if kind != other_kind and (part.rows > 0 or kind != lib.ANORANK_NUMERIC):
            raise refusal(
                DataError, "parts-column-type",
                f"{where}: column '{name}' is {KIND_WORDS[kind]}, but {KIND_WORDS[other_kind]} in earlier parts; "
                f"pass categorical='{name}'",
                file=where, column=name, setting="categorical",
            )


def first_rows(parts: Sequence[Any]) -> List[int]:
    """Return the number of the first row of each part, from their shapes; raise the first error of a part."""
    have: Optional[Shape] = None
    for part in parts:
        if isinstance(part, Exception):
            raise part
        if have is not None and have.rows > 0 and part.columns:
            _compare(have, part)
        elif have is None or part.rows > 0:
            have = part
    rows = [part.rows for part in parts]
    if sum(rows) == 0:
        where = parts[0].source
        raise refusal(
            DataError, "table-no-rows",
            f"{where}: has a header but no data rows; if its first line is data, pass header=False", file=where,
        )
    return [int(first) for first in np.concatenate([[0], np.cumsum(rows)[:-1]])]


# ---- results -------------------------------------------------------------------------------------------------------


def new_folder(folder: Any) -> str:
    path = os.path.abspath(os.fsdecode(folder))
    os.makedirs(path, exist_ok=True)
    if os.listdir(path):
        raise refusal(
            UsageError, "folder-not-empty", f"folder: '{path}' is not empty; name a new folder, or remove its files", file=path
        )
    return path


def part_path(folder: str, number: int, format: str) -> str:
    return os.path.join(folder, f"part-{number:05d}.{format.lstrip('.')}")


def _texts(table: Table, column: int) -> Any:
    """Cells as a file has them; None for a missing cell."""
    made = np.full(table.rows, None, dtype=object)
    buffer, size = ffi.new("char[256]"), 256
    for row in range(table.rows):
        length = lib.anorank_table_text(table.c, column, row, buffer, size)
        if length >= size:
            size = length + 1
            buffer = ffi.new("char[]", size)
            lib.anorank_table_text(table.c, column, row, buffer, size)
        made[row] = text(buffer) or None
    return made


def is_json(path: str) -> bool:
    return bool({"jsonl", "ndjson", "json"} & set(os.path.basename(path).split(".")))


def columns_of(table: Table, format: Optional[str]) -> List[Tuple[str, Any]]:
    """Columns as arrays, which another process can take. For a file of this format: numbers, and texts as they are written."""
    found = []
    for j, name in enumerate(table.names):
        numeric = lib.anorank_table_kind(table.c, j) == lib.ANORANK_NUMERIC
        respelled = lib.anorank_table_raw_cells(table.c, j) > (1 if format and is_json(format) else 0)
        as_text = format is not None and format != "npy" and (respelled or not numeric)
        found.append((name, _texts(table, j) if as_text else table.column(j)))
    return found


def write_columns(path: str, columns: Sequence[Tuple[str, Any]], settings: Settings) -> str:
    """One part of a result. The file is written atomically."""
    builder = Builder(len(columns[0][1]), settings)
    for name, values in columns:
        if values.dtype != object:
            builder.numbers(name, np.ascontiguousarray(values, dtype=np.float64))
            continue
        levels: Dict[Any, int] = {None: -1}
        codes = [levels.setdefault(value, len(levels) - 1) for value in values]
        builder.codes(name, codes, [level.encode() for level in levels if level is not None])
    write_table(path, builder.finish(), settings)
    return path


def write_table(path: str, table: Table, settings: Settings) -> None:
    guard(table, path, settings)
    settings.run(lib.anorank_table_write, table.c, sink(os.fsencode(path)), ffi.NULL)


def guard(table: Table, path: str, settings: Settings) -> None:
    """Escape formulas for spreadsheets, like the command line; JSON needs no escapes."""
    if not is_json(path):
        settings.run(lib.anorank_table_escape_formulas, table.c)


def write_blocks(path: str, tables: Iterator[Table], settings: Settings) -> str:
    """The same for blocks."""
    out = ffi.new("anorank_writer **")
    settings.run(lib.anorank_writer_open, out, sink(os.fsencode(path)), ffi.NULL)
    writer = ffi.gc(out[0], lib.anorank_writer_free)
    for table in tables:
        guard(table, path, settings)
        settings.run(lib.anorank_writer_append, writer, table.c)
    settings.run(lib.anorank_writer_commit, writer)
    return path
