"""Columns of numbers between PostgreSQL and numpy without a Python object for each: arrays in binary form."""

from __future__ import annotations

import struct
from typing import Any, ClassVar

import numpy as np
from psycopg import AsyncCursor
from psycopg.abc import AdaptContext, DumperKey
from psycopg.adapt import Buffer, Dumper, Loader, PyFormat
from psycopg.pq import Format


class _ArrayLoader(Loader):
    """One-dimensional array without NULLs: five header words, then each element behind its length."""

    format = Format.BINARY
    #: The type of its elements in numpy, and as received.
    element: np.dtype[Any]
    pair: np.dtype[Any]

    def load(self, data: Buffer) -> np.ndarray:
        if len(data) <= 12:  # no dimension: an empty array
            return np.empty(0, self.element)
        return np.frombuffer(data, self.pair, offset=20)["value"].astype(self.element)


def _pair(element: np.dtype[Any]) -> np.dtype[Any]:
    """An array element as PostgreSQL sends it: its length, then its value."""
    return np.dtype([("length", ">i4"), ("value", element.newbyteorder(">"))])


class _Int4Array(_ArrayLoader):
    element = np.dtype(np.int32)
    pair = _pair(element)


class _Int8Array(_ArrayLoader):
    element = np.dtype(np.int64)
    pair = _pair(element)


class _Float4Array(_ArrayLoader):
    element = np.dtype(np.float32)
    pair = _pair(element)


class _ArrayDumper(Dumper):
    """The reverse: a one-dimensional numpy array as the array type of its elements."""

    format = Format.BINARY
    #: The oids of the element and of its array (pg_type.dat), and how it is sent.
    kinds: ClassVar = {
        kind: (own, array, _pair(np.dtype(kind)))
        for kind, own, array in (("i2", 21, 1005), ("i4", 23, 1007), ("i8", 20, 1016), ("f4", 700, 1021))
    }

    def get_key(self, obj: np.ndarray, format: PyFormat) -> DumperKey:
        return (self.cls, _kind(obj))  # type: ignore[return-value]

    def upgrade(self, obj: np.ndarray, format: PyFormat) -> Dumper:
        if obj.dtype == np.float16:
            return _HalfvecDumper(self.cls)
        dumper = _ArrayDumper(self.cls)
        dumper.oid = self.kinds[_kind(obj)][1]
        return dumper

    def dump(self, obj: np.ndarray) -> bytes:
        element, _, pair = self.kinds[_kind(obj)]
        if not len(obj):
            return struct.pack("!iiI", 0, 0, element)
        pairs = np.empty(len(obj), pair)
        pairs["length"], pairs["value"] = obj.dtype.itemsize, obj
        return struct.pack("!iiIii", 1, 0, element, len(obj), 1) + pairs.tobytes()


def _kind(numbers: np.ndarray) -> str:
    """The kind of type, such as `i4`. Not numpy's `name`, which is computed on each access."""
    return numbers.dtype.str[1:]


class _HalfvecDumper(Dumper):
    """A numpy array of float16 as pgvector's halfvec: its dimension, an unused number, and each element (halfvec.c)."""

    format = Format.BINARY

    def dump(self, obj: np.ndarray) -> bytes:
        return struct.pack("!HH", len(obj), 0) + obj.astype(">f2").tobytes()


def adapt_numpy(connection: AdaptContext) -> None:
    """Let numpy arrays of int16, int32, int64 and float32 be parameters of this connection's statements; and those of
    float16, as vectors where a statement casts them to halfvec, whose type has another number in each database."""
    connection.adapters.register_dumper(np.ndarray, _ArrayDumper)


def load_arrays_as_numpy(cursor: AsyncCursor[Any]) -> None:
    """Make this cursor, when it runs in binary form, return int4[], int8[] and float4[] as numpy arrays.

    The arrays must be one-dimensional and hold no NULL. Source of the layout: PostgreSQL's array_send.
    """
    cursor.adapters.register_loader(1007, _Int4Array)  # oids of pg_type.dat; a name would stand for the element
    cursor.adapters.register_loader(1016, _Int8Array)
    cursor.adapters.register_loader(1021, _Float4Array)


def vector_literal(vector: np.ndarray) -> str:
    """A vector as the text that pgvector reads; six significant digits, more than a halfvec keeps."""
    return "[" + ",".join(map("%.6g".__mod__, vector.tolist())) + "]"
