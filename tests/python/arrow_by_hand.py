"""A producer of Arrow streams and arrays from a frame, by ctypes alone: what Polars or pyarrow would hand out."""
import ctypes
from collections import Counter

import numpy as np
import pandas as pd


class Schema(ctypes.Structure):
    pass


class ArrayStruct(ctypes.Structure):
    pass


class StreamStruct(ctypes.Structure):
    pass


P = ctypes.POINTER
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", P(P(Schema))), ("dictionary", P(Schema)),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]  # fmt: skip
ArrayStruct._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", P(ctypes.c_void_p)), ("children", P(P(ArrayStruct))),
    ("dictionary", P(ArrayStruct)), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]  # fmt: skip
StreamStruct._fields_ = [
    ("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]  # fmt: skip
RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, P(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, P(ArrayStruct))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, P(StreamStruct))
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, P(StreamStruct), P(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, P(StreamStruct), P(ArrayStruct))
GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_char_p, P(StreamStruct))
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
STREAM_NAME, SCHEMA_NAME, ARRAY_NAME = b"arrow_array_stream", b"arrow_schema", b"arrow_array"


def as_pointer(callback):
    return ctypes.cast(callback, ctypes.c_void_p).value


def fmt_of(series):
    kind = series.dtype.kind
    return {"f": b"g", "i": b"l", "M": b"tsn:", "O": b"u"}[kind]


class Holder:
    """Keeps everything alive as long as itself, and counts releases."""

    def __init__(self, frame, batches=1):
        self.parts = np.array_split(np.arange(len(frame)), batches)
        self.frame, self.counts, self.kept, self.at = frame, Counter(), [], 0
        self.release_schema = RELEASE_SCHEMA(lambda s: self.done("schema", s))
        self.release_array = RELEASE_ARRAY(lambda a: self.done("array", a))
        self.release_stream = RELEASE_STREAM(lambda s: self.done("stream", s))
        self.get_schema = GET_SCHEMA(lambda stream, out: self.fill_schema(out.contents))
        self.get_next = GET_NEXT(lambda stream, out: self.next(out.contents))
        self.get_error = GET_ERROR(lambda stream: None)
        self.destroy = {
            name: DESTRUCTOR(lambda capsule, name=name, kind=kind: self.capsule_dies(capsule, name, kind))
            for name, kind in [(STREAM_NAME, StreamStruct), (SCHEMA_NAME, Schema), (ARRAY_NAME, ArrayStruct)]
        }

    def released(self):
        return dict(self.counts)

    def done(self, what, struct):
        self.counts[what] += 1
        struct.contents.release = None

    def capsule_dies(self, capsule, name, kind):
        struct = ctypes.cast(_get(capsule, name), P(kind))
        if struct.contents.release:
            ctypes.CFUNCTYPE(None, P(kind))(struct.contents.release)(struct)

    def capsule(self, struct, name):
        self.kept.append(struct)
        return _new(ctypes.addressof(struct), name, as_pointer(self.destroy[name]))

    def fill_schema(self, out):
        children = []
        for name in self.frame.columns:
            child = Schema(format=fmt_of(self.frame[name]), name=name.encode(), flags=2)
            child.release = as_pointer(RELEASE_CHILD_SCHEMA)
            children.append(child)
        pointers = (P(Schema) * len(children))(*map(ctypes.pointer, children))
        self.kept += [children, pointers]
        out.format, out.name, out.flags = b"+s", b"", 0
        out.n_children, out.children = len(children), pointers
        out.release = as_pointer(self.release_schema)
        return 0

    def child(self, series):
        missing = series.isna().to_numpy()
        validity = np.packbits(~missing, bitorder="little")
        if series.dtype.kind == "O":
            texts = [b"" if gap else value.encode() for value, gap in zip(series, missing)]
            offsets = np.cumsum([0] + [len(t) for t in texts]).astype("int32")
            buffers = [validity, offsets, np.frombuffer(b"".join(texts) or b"\0", dtype="uint8")]
        else:
            buffers = [validity, np.ascontiguousarray(series.to_numpy())]
        pointers = (ctypes.c_void_p * len(buffers))(*(b.ctypes.data for b in buffers))
        array = ArrayStruct(length=len(series), null_count=int(missing.sum()), n_buffers=len(buffers), buffers=pointers)
        array.release = as_pointer(RELEASE_CHILD_ARRAY)
        self.kept += [buffers, pointers, array]
        return array

    def fill_array(self, out, rows):
        children = [self.child(self.frame[name].iloc[rows]) for name in self.frame.columns]
        pointers = (P(ArrayStruct) * len(children))(*map(ctypes.pointer, children))
        nothing = (ctypes.c_void_p * 1)(None)
        self.kept += [children, pointers, nothing]
        out.length, out.n_buffers, out.buffers = len(rows), 1, nothing
        out.n_children, out.children = len(children), pointers
        out.release = as_pointer(self.release_array)
        return 0

    def next(self, out):
        if self.at == len(self.parts):
            out.release, self.at = None, 0
            return 0
        self.at += 1
        return self.fill_array(out, self.parts[self.at - 1])


RELEASE_CHILD_SCHEMA = RELEASE_SCHEMA(lambda s: setattr(s.contents, "release", None))
RELEASE_CHILD_ARRAY = RELEASE_ARRAY(lambda a: setattr(a.contents, "release", None))


class Stream(Holder):
    def __arrow_c_stream__(self, requested_schema=None):
        made = StreamStruct(*map(as_pointer, [self.get_schema, self.get_next, self.get_error, self.release_stream]))
        self.at = 0
        return self.capsule(made, STREAM_NAME)


class Array(Holder):
    def __arrow_c_array__(self, requested_schema=None):
        schema, array = Schema(), ArrayStruct()
        self.fill_schema(schema)
        self.fill_array(array, np.arange(len(self.frame)))
        return self.capsule(schema, SCHEMA_NAME), self.capsule(array, ARRAY_NAME)


assert pd is not None
