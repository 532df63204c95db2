"""A producer of Arrow streams and arrays from a frame, by ctypes alone: what Polars or pyarrow would hand out."""
import ctypes
import struct
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


UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}
INDEXES = {"c": "int8", "i": "int32", "I": "uint32"}


def fmt_of(series, form):
    kind = series.dtype.kind
    plain = {"f": "g", "i": "l", "M": "tsn:", "O": "u"}[kind]
    return (form.split("/")[0] if form else plain).encode()


def text_buffers(texts, form):
    """Behind the validity: offsets and bytes ("u", "U"), or views with the long texts behind them ("vu")."""
    if form != "vu":
        offsets = np.cumsum([0] + [len(t) for t in texts]).astype("int64" if form == "U" else "int32")
        return [offsets, np.frombuffer(b"".join(texts) or b"\0", dtype="uint8")]
    views, longs, sizes = bytearray(), [bytearray(), bytearray()], []
    for k, one in enumerate(texts):
        where = longs[k % 2]  # two buffers by turns
        rest = one.ljust(12, b"\0") if len(one) <= 12 else one[:4] + struct.pack("<ii", k % 2, len(where))
        views += struct.pack("<i", len(one)) + rest
        where += one if len(one) > 12 else b""
    sizes = [len(long) for long in longs]
    return [np.frombuffer(bytes(part) or b"\0", dtype="uint8") for part in [views, *longs]] + [np.array(sizes, "int64")]


class Holder:
    """Keeps everything alive as long as itself, and counts releases. ``forms``: Arrow's format of a column where it is another
    than the plain one: "U", "vu", "tss:", "tsm:UTC", "tdD", "f", or an index and a text format, "I/vu", for a dictionary."""

    def __init__(self, frame, batches=1, forms=None):
        self.forms = forms or {}
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
            form = self.forms.get(name, "")
            child = Schema(format=fmt_of(self.frame[name], form), name=name.encode(), flags=2)
            child.release = as_pointer(RELEASE_CHILD_SCHEMA)
            if "/" in form:
                levels = Schema(format=form.split("/")[1].encode(), name=b"", flags=2)
                levels.release = as_pointer(RELEASE_CHILD_SCHEMA)
                child.dictionary = ctypes.pointer(levels)
                self.kept.append(levels)
            children.append(child)
        pointers = (P(Schema) * len(children))(*map(ctypes.pointer, children))
        self.kept += [children, pointers]
        out.format, out.name, out.flags = b"+s", b"", 0
        out.n_children, out.children = len(children), pointers
        out.release = as_pointer(self.release_schema)
        return 0

    def made(self, buffers, length, nulls):
        pointers = (ctypes.c_void_p * len(buffers))(*(None if b is None else b.ctypes.data for b in buffers))
        array = ArrayStruct(length=length, null_count=nulls, n_buffers=len(buffers), buffers=pointers)
        array.release = as_pointer(RELEASE_CHILD_ARRAY)
        self.kept += [buffers, pointers, array]
        return array

    def child(self, series, form):
        missing = series.isna().to_numpy()
        validity = np.packbits(~missing, bitorder="little")
        if "/" in form:
            index, words = form.split("/")
            codes, levels = pd.factorize(series)
            codes = np.where(missing, 0, codes).astype(INDEXES[index])
            array = self.made([validity, codes], len(series), int(missing.sum()))
            texts = [level.encode() for level in levels] or [b""]
            array.dictionary = ctypes.pointer(self.made([None, *text_buffers(texts, words)], len(texts), 0))
            return array
        if series.dtype.kind == "O":
            texts = [b"" if gap else value.encode() for value, gap in zip(series, missing)]
            buffers = [validity, *text_buffers(texts, form)]
        elif form == "tdD":
            buffers = [validity, series.to_numpy().astype("datetime64[D]").astype("int64").astype("int32")]
        elif form.startswith("ts"):
            buffers = [validity, series.to_numpy().astype(f"datetime64[{UNITS[form[2]]}]").astype("int64")]
        else:
            buffers = [validity, np.ascontiguousarray(series.to_numpy(), dtype="float32" if form == "f" else None)]
        return self.made(buffers, len(series), int(missing.sum()))

    def fill_array(self, out, rows):
        children = [self.child(self.frame[name].iloc[rows], self.forms.get(name, "")) for name in self.frame.columns]
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
