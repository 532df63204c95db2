"""Errors of the C library as exceptions, with their fields."""
from __future__ import annotations

import weakref
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Tuple, Type, TypeVar

from ._anorank import ffi, lib


class Error(Exception):
    """Base class of all errors of anorank.

    The message states what is wrong, where, and how to fix it. Programs use the fields: ``code``, a stable name such as
    "csv-cell-count" (docs/errors.md), ``status`` ("usage", "data", "model", "resources"), the location in ``file``,
    ``line``, ``row`` and ``column`` (empty or 0 if not applicable), the wrong ``setting``, and ``remedies``: alternative
    pairs of a keyword and a value that fix the error.

    >>> try:
    ...     AnomalyRanker(trees=0).fit([[1.0], [2.0], [3.0]])
    ... except Error as error:
    ...     print(type(error).__name__, error.code, error.setting)
    UsageError setting-value trees
    """

    code: str = ""
    status: str = ""
    file: str = ""
    line: int = 0
    row: int = 0
    column: str = ""
    setting: str = ""
    remedies: List[Tuple[str, str]] = []

    def __reduce__(self) -> Any:
        return (type(self), self.args, self.__dict__)


class UsageError(Error, ValueError):
    """An argument or a setting is wrong: change the call."""

    status = "usage"


class DataError(Error, ValueError):
    """The rows are wrong: fix the data, or change how they are read."""

    status = "data"


class ModelError(Error, ValueError):
    """A model file is damaged, or the model lacks a feature."""

    status = "model"


class ResourceError(Error, OSError):
    """Disk, permission, or a failed read or write."""

    status = "resources"


class OutOfMemoryError(Error, MemoryError):
    """Out of memory, or beyond the limit ``max_memory``."""

    status = "resources"


_Kind = TypeVar("_Kind", bound=Error)

_KINDS: Dict[int, type] = {
    lib.ANORANK_ERROR_USAGE: UsageError,
    lib.ANORANK_ERROR_DATA: DataError,
    lib.ANORANK_ERROR_MODEL: ModelError,
    lib.ANORANK_ERROR_RESOURCES: ResourceError,
}


def text(pointer: Any) -> str:
    """A C string; "" for NULL."""
    return str(ffi.string(pointer).decode("utf-8", "replace")) if pointer else ""


def registry(at: Callable[[int], Any]) -> Iterator[Any]:
    """The rows of a registry of the library; at(i) is the i-th, NULL past the last."""
    i = 0
    while at(i):
        yield at(i)
        i += 1


class Note(str):
    """A note: its sentence, as a string, with a stable ``code`` (docs/errors.md).

    >>> Note("1 column used: numeric", "columns-used").code
    'columns-used'
    """

    code: str

    def __new__(cls, sentence: str, code: str = "") -> Note:
        note = super().__new__(cls, sentence)
        note.code = code
        return note


def notes_of(notes: Any) -> List[Note]:
    """The sentences of an anorank_notes, with their codes."""
    found = (lib.anorank_notes_at(notes, i) for i in range(lib.anorank_notes_count(notes)))
    return [Note(text(note.text), text(note.code)) for note in found]


_lent: Any = weakref.WeakKeyDictionary()  # what a struct for C points to lives as long as the struct


def struct(kind: str, **fields: Any) -> Any:
    """A struct for C that keeps alive what its fields point to; bytes become texts that end in NUL."""
    values = {name: ffi.new("char[]", value) if isinstance(value, bytes) else value for name, value in fields.items()}
    made = ffi.new(kind + " *", values)
    _lent[made] = values
    return made


def source(path: bytes) -> Any:
    return struct("anorank_source", path=path)


def memory(data: Any, name: bytes) -> Any:
    return struct("anorank_source", bytes=ffi.from_buffer(data), length=len(data), name=name)


def sink(path: bytes) -> Any:
    return struct("anorank_sink", path=path)


def to_memory(out: Any, length: Any) -> Any:
    return struct("anorank_sink", bytes=out, length=length)


def keyword(setting: str) -> str:
    """The Python keyword of a setting: train-phi is train_phi, and lambda, a reserved word, is lambda_."""
    word = setting.replace("-", "_")
    return word + "_" if word == "lambda" else word


def _sentence(message: str, setting: str, remedies: List[Tuple[str, str]]) -> str:
    offers = " or ".join(f"{name}={value!r}" for name, value in remedies)
    if not offers:
        return message
    advice = "; " in message.rpartition('"')[2]  # it may be about another setting
    return f"{message}{'; pass' if not advice else ': pass' if remedies[0][0] == setting else ', or pass'} {offers}"


def refusal(kind: Type[_Kind], code: str, message: str, **fields: Any) -> _Kind:
    """An error raised by Python code. `code` must be in docs/errors.md; check_errors.sh compares them."""
    error = kind(message)
    error.code = code
    for name, value in fields.items():
        setattr(error, name, value)
    return error


def _remedy(err: Any, i: int) -> Tuple[str, str]:
    setting, value = ffi.new("char const **"), ffi.new("char const **")
    lib.anorank_error_remedy(err, i, setting, value)
    return keyword(text(setting[0])), text(value[0])


def fail(status: int, err: Any) -> NoReturn:
    """Raise the error of a C function."""
    message = text(err.message)
    remedies = [_remedy(err, i) for i in range(err.remedy_count)]
    kind: Any = _KINDS.get(status, Error)
    setting = keyword(text(err.setting))
    code = text(err.code)
    if kind is ResourceError and code in ("memory-exhausted", "memory-limit"):
        kind = OutOfMemoryError
    error = kind(_sentence(message, setting, remedies))
    error.code, error.status = code, text(lib.anorank_status_name(status))
    error.file, error.line, error.row = text(err.file), int(err.line), int(err.row)
    error.column, error.setting, error.remedies = text(err.column), setting, remedies
    raise error


def check(status: int, err: Any, watch: Optional[Any] = None) -> None:
    """Raise the error of a C status; ``watch`` is the progress callback."""
    if status == lib.ANORANK_OK:
        return
    if watch is not None and watch.raised is not None:
        raised, watch.raised = watch.raised, None
        raise raised
    fail(status, err)
