"""Arrow's C interfaces: the capsules of __arrow_c_stream__ and __arrow_c_array__, in and out."""
from __future__ import annotations

import ctypes
from typing import Any

from ._anorank import ffi, lib
from ._settings import Settings

_api = ctypes.pythonapi
_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", _api))


def _inside(capsule: Any, name: bytes, kind: str) -> Any:
    return ffi.cast(kind, _pointer(capsule, name))


def _stream(X: Any) -> Any:
    """Return the capsule, too: it must live until its content was moved out."""
    capsule = X.__arrow_c_stream__()
    return capsule, _inside(capsule, b"arrow_array_stream", "struct ArrowArrayStream *")


def table(X: Any, settings: Settings) -> Any:
    """Read everything. The C library takes ownership of the content of the capsules."""
    out = ffi.new("anorank_table **")
    if hasattr(X, "__arrow_c_stream__"):
        capsule, stream = _stream(X)
        settings.run(lib.anorank_table_from_arrow_stream, out, stream, settings.c)
    else:
        capsule = X.__arrow_c_array__()
        schema = _inside(capsule[0], b"arrow_schema", "struct ArrowSchema *")
        array = _inside(capsule[1], b"arrow_array", "struct ArrowArray *")
        settings.run(lib.anorank_table_from_arrow, out, array, schema, settings.c)
    del capsule
    return out


def reader(out: Any, X: Any, settings: Settings) -> None:
    """Blocks of bounded memory."""
    if not hasattr(X, "__arrow_c_stream__"):
        X = Stream(ffi.gc(table(X, settings)[0], lib.anorank_table_free))
    capsule, stream = _stream(X)
    settings.run(lib.anorank_reader_open_arrow, out, stream, settings.c)
    del capsule


def _release(capsule: int) -> None:
    """Free what was not consumed, when a capsule is destroyed."""
    stream = ffi.cast("struct ArrowArrayStream *", _pointer_of(capsule, b"arrow_array_stream"))
    if stream.release:
        stream.release(stream)
    _alive.pop(int(ffi.cast("uintptr_t", stream)), None)


_destroy = _DESTRUCTOR(_release)
_alive: dict = {}  # type: ignore[type-arg]  # the structs behind capsules that are still there


class Stream:
    """A table of the C library that exports itself as an Arrow stream: ``pyarrow.table(stream)``,
    ``polars.from_arrow(stream)`` and DuckDB take it as it is."""

    headline: Any = None  # of a ranking

    def __init__(self, c: Any) -> None:
        self._c = c

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        settings = Settings({})
        stream = ffi.new("struct ArrowArrayStream *")
        settings.run(lib.anorank_table_to_arrow_stream, stream, self._c)
        address = int(ffi.cast("uintptr_t", stream))
        _alive[address] = stream
        return _new(address, b"arrow_array_stream", ctypes.cast(_destroy, ctypes.c_void_p).value)
