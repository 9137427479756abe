#!/usr/bin/env python3
"""Writes the .npy corpus beside this script: `valid` by NumPy itself, `invalid` by hand.

Run: python3 make.py (NumPy 1.17 or newer).
"""
import os
import struct

import numpy
from numpy.lib import format as npy

here = os.path.dirname(os.path.abspath(__file__))


def write(path, data):
    with open(os.path.join(here, path), "wb") as file:
        file.write(data)


def save(name, array, version=None):
    with open(os.path.join(here, "valid", name + ".npy"), "wb") as file:
        npy.write_array(file, array, version)


# ---- valid: one table of values in every dtype that holds it, byte order and memory order

table = numpy.array([[1, 0, 96], [64, 32, 1]])
for dtype in "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split():
    for order, mark in (("le", "<"), ("be", ">")):
        if dtype[1] == "1" and order == "be":
            continue
        values = table.astype(mark + dtype)
        save(f"table-{dtype}-{order}-c", values)
        save(f"table-{dtype}-{order}-fortran", numpy.asfortranarray(values))
save("bool", numpy.array([[True, False], [False, True]]))
save("bool-fortran", numpy.asfortranarray(numpy.array([[True, True], [False, True]])))
save("version-2", table.astype("<i2"), (2, 0))
save("version-3", table.astype("<i2"), (3, 0))
for bits in (8, 16, 32, 64):
    limits = numpy.iinfo(f"i{bits // 8}")
    save(f"extremes-i{bits // 8}", numpy.array([[limits.min, -1, limits.max]], f"<i{bits // 8}"))
    save(f"extremes-u{bits // 8}", numpy.array([[0, 2**bits - 1]], f"<u{bits // 8}"))
for dtype in ("f2", "f4", "f8"):
    limits = numpy.finfo(dtype)
    least = numpy.nextafter(numpy.array(0, dtype), numpy.array(1, dtype))
    largest_subnormal = numpy.nextafter(limits.tiny, numpy.array(0, dtype))
    row = [limits.max, limits.min, limits.tiny, largest_subnormal, least, -least, 1 + limits.eps]
    save(f"extremes-{dtype}", numpy.array([row], ">" + dtype))
save("minus-zero", numpy.array([[-0.0, 0.0], [-0.0, -0.0]], "<f8"))
save("minus-zero-beside-number", numpy.array([[-0.0, -3.0]], "<f4"))
save("even-integers", numpy.array([[-4, 8], [12, 0]], "<i4"))
save("no-rows", numpy.zeros((0, 3), "<f4"))
save("no-columns", numpy.zeros((3, 0), "<f4"))


# ---- headers that NumPy reads, too (the longest with allow_pickle), but does not write

def raw(header, data=b"", version=b"\1\0", length=None):
    length = len(header) if length is None else length
    size = struct.pack("<H" if version == b"\1\0" else "<I", length)
    return b"\x93NUMPY" + version + size + header + data


six = struct.pack("<6h", 1, 0, 96, 64, 32, 1)
good = b"{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"
write("valid/header-300-bytes.npy", raw(good.ljust(299) + b"\n", six))
write("valid/header-70000-bytes.npy", raw(good.ljust(69999) + b"\n", six, b"\2\0"))
write("valid/header-keys-reversed.npy",
      raw(b"{'shape': (2, 3), 'fortran_order': False, 'descr': '<i2'}\n", six))
write("valid/header-tight.npy", raw(b"{'descr':'<i2','fortran_order':False,'shape':(2,3)}", six))
write("valid/header-spacious.npy",
      raw(b"{ 'descr' : '<i2' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , }  \n", six))


# ---- invalid: files named after their fault

def bad(name, data):
    write(f"invalid/{name}.npy", data)


def header(descr=b"'<i2'", order=b"False", shape=b"(2, 3)"):
    return b"{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, order, shape)


bad("empty", b"")
bad("magic-only", b"\x93NUMPY")
bad("magic-wrong", b"\x92NUMPY" + raw(good, six)[6:])
bad("magic-of-a-zip", b"PK\3\4" + raw(good, six))
bad("version-0", raw(good, six, b"\0\0", 0))
bad("version-1-1", raw(good, six, b"\1\1"))
bad("version-4", raw(good, six, b"\4\0"))
bad("ten-bytes", raw(b"", length=118))
bad("eleven-bytes-version-2", raw(b"", version=b"\2\0", length=118)[:11])
bad("header-empty", raw(b"", six))
bad("header-length-0xfffffff0", raw(good, six, b"\2\0", 0xFFFFFFF0))
bad("header-length-65535", raw(good, six, length=65535))
bad("header-length-cuts-dictionary", raw(good, six, length=len(good) - 1))
bad("header-length-takes-data", raw(good, six, length=len(good) + 2))
bad("header-not-a-dictionary", raw(b"['<i2', False, (2, 3)]\n", six))
bad("header-call", raw(b"dict(descr='<i2', fortran_order=False, shape=(2, 3))\n", six))
bad("header-double-quotes", raw(good.replace(b"'", b'"') + b"\n", six))
bad("header-text-behind", raw(good + b" # C order\n", six))
bad("header-second-line", raw(good + b"\n" + good, six))
bad("header-nul-padding", raw(good + b"\0\0\0\n", six))
bad("header-comma-missing", raw(good.replace(b", 'f", b" 'f") + b"\n", six))
bad("header-comma-twice", raw(good.replace(b", }", b",, }") + b"\n", six))
bad("header-colon-missing", raw(good.replace(b"'descr':", b"'descr'") + b"\n", six))
bad("dtype-unclosed-at-end", raw(b"{'fortran_order': False, 'shape': (2, 3), 'descr': '<i2"))
bad("key-missing-descr", raw(b"{'fortran_order': False, 'shape': (2, 3), }\n", six))
bad("key-missing-fortran-order", raw(b"{'descr': '<i2', 'shape': (2, 3), }\n", six))
bad("key-missing-shape", raw(b"{'descr': '<i2', 'fortran_order': False, }\n", six))
bad("key-twice", raw(good.replace(b", }", b", 'shape': (3, 2), }") + b"\n", six))
bad("key-unknown", raw(good.replace(b", }", b", 'order': 'C', }") + b"\n", six))
bad("fortran-order-0", raw(header(order=b"0"), six))
for name, descr in {
        "complex": b"'<c8'", "object": b"'|O'", "string": b"'<U1'", "bytes": b"'|S2'",
        "void": b"'|V2'", "longdouble": b"'<f16'", "datetime": b"'<M8[ns]'",
        "structured": b"[('x', '<i2'), ('y', '<f4')]", "subarray": b"('<i2', (2,))",
        "native-order": b"'=i2'", "no-order": b"'i2'", "order-not-applicable": b"'|i2'",
        "bool-two-bytes": b"'<b2'", "int-three-bytes": b"'<i3'", "empty": b"''",
        "unclosed": b"'<i2"}.items():
    bad(f"dtype-{name}", raw(header(descr=descr), six))
for name, shape in {
        "scalar": b"()", "1d": b"(6,)", "3d": b"(1, 2, 3)", "digit-grouping": b"(2,621, 401)",
        "digit-grouping-2d": b"(2'621, 401)", "python-2-long": b"(2L, 3L)", "negative": b"(-2, -3)",
        "minus-one": b"(2, -1)", "float": b"(2.0, 3)", "leading-zero": b"(02, 3)",
        "hexadecimal": b"(0x2, 3)", "underscore": b"(0_2, 3)", "plus": b"(+2, 3)",
        "2-to-64": b"(18446744073709551616, 3)", "2-to-64-and-2": b"(18446744073709551618, 3)",
        "list": b"[2, 3]", "number": b"6", "comma-missing": b"(2 3)", "unclosed": b"(2, 3",
        "none": b"(None, 3)", "too-large": b"(2, 4)", "too-small": b"(2, 2)"}.items():
    bad(f"shape-{name}", raw(header(shape=shape), six))
bad("shape-product-2-to-64", raw(header(shape=b"(4294967296, 2147483648)")))
bad("shape-product-2-to-64-and-12", raw(header(b"'|u1'", shape=b"(4, 4611686018427387907)"), six))
bad("shape-product-wraps-negative", raw(header(shape=b"(4611686018427387904, 2)")))
bad("data-missing", raw(header()))
bad("data-truncated", raw(header(), six[:-1]))
bad("data-one-byte-more", raw(header(), six + b"\0"))
bad("data-behind-no-rows", raw(header(shape=b"(0, 3)"), six))


def floats(name, dtype, values, order=b"False"):
    data = numpy.array(values, dtype).tobytes()
    bad(name, raw(header(b"'%s'" % dtype.encode(), order, b"(2, 3)"), data))


nan, inf = float("nan"), float("inf")
floats("nan-f8", "<f8", [1, 2, 3, 4, 5, nan])
floats("nan-f4-first", "<f4", [nan, 2, 3, 4, 5, 6])
floats("nan-f2-big-endian", ">f2", [1, 2, 3, nan, 5, 6])
floats("nan-f4-fortran", "<f4", [1, 2, 3, nan, 5, 6], b"True")
floats("inf-f8", "<f8", [1, inf, 3, 4, 5, 6])
floats("inf-f2", "<f2", [1, 2, 3, 4, inf, 6])
floats("minus-inf-f4-big-endian", ">f4", [1, 2, -inf, 4, 5, 6])
bad("nan-signalling-f8", raw(header(b"'<f8'"), struct.pack("<6Q", 0, 0, 0, 0, 0, (0x7FF << 52) + 1)))
bad("bool-2", raw(header(b"'|b1'"), b"\0\1\0\1\2\1"))
