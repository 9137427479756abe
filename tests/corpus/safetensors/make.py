#!/usr/bin/env python3
"""Writes the safetensors corpus beside this script; each file is named after its fault.

Run: python3 make.py
"""
import json
import os
import struct

here = os.path.dirname(os.path.abspath(__file__))


def file(header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def write(path, data):
    with open(os.path.join(here, path + ".safetensors"), "wb") as out:
        out.write(data)


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def bf16(x):
    return struct.pack("<f", x)[2:]


values = [1, 0, 96, 64, 32, -1.5]
table = {
    "f64": ("F64", struct.pack("<6d", *values)),
    "f32": ("F32", struct.pack("<6f", *values)),
    "f16": ("F16", struct.pack("<6e", *values)),
    "bf16": ("BF16", b"".join(map(bf16, values))),
    "i8": ("I8", struct.pack("<6b", 1, 0, 96, 64, 32, -128)),
    "i16": ("I16", struct.pack("<6h", 1, 0, 96, 64, 32, -2**15)),
    "i32": ("I32", struct.pack("<6i", 1, 0, 96, 64, 32, -2**31)),
    "i64": ("I64", struct.pack("<6q", 1, 0, 96, 64, 32, -2**63)),
    "u8": ("U8", struct.pack("<6B", 1, 0, 96, 64, 32, 255)),
    "u16": ("U16", struct.pack("<6H", 1, 0, 96, 64, 32, 2**16 - 1)),
    "u32": ("U32", struct.pack("<6I", 1, 0, 96, 64, 32, 2**32 - 1)),
    "u64": ("U64", struct.pack("<6Q", 1, 0, 96, 64, 32, 2**64 - 1)),
    "bool": ("BOOL", bytes([1, 0, 1, 0, 0, 1])),
}
header, data = {"__metadata__": {"format": "pt"}}, b""
for name, (dtype, content) in table.items():
    header[name] = tensor(dtype, [2, 3], len(data), len(data) + len(content))
    data += content
write("valid/every-dtype", file(header, data))
write("valid/padded-header", file(json.dumps({"q": tensor("U8", [2], 0, 2)}).encode() + b"    ", b"\1\2"))
write("valid/scalar-and-empty", file({"s": tensor("I8", [], 0, 1), "e": tensor("F32", [0, 3], 1, 1)}, b"\7"))
write("valid/no-tensors", file({}))
write("valid/unknown-dtype-beside", file({"q": tensor("F8_E4M3", [2], 0, 2), "k": tensor("U8", [1], 2, 3)}, b"\1\2\3"))

one = {"q": tensor("F32", [2], 0, 8)}
bytes8 = struct.pack("<2f", 1, 2)


def invalid(name, *arguments, **options):
    write("invalid/" + name, file(*arguments, **options))


write("invalid/empty", b"")
write("invalid/seven-bytes", b"\2\0\0\0\0\0\0")
invalid("header-length-near-2-to-64", one, bytes8, length=2**64 - 8)
invalid("header-length-2-to-63", one, bytes8, length=2**63)
invalid("header-length-takes-data", one, bytes8, length=len(json.dumps(one)) + 4)
invalid("header-length-one-less", one, bytes8, length=len(json.dumps(one)) - 1)
invalid("header-array", b"[]")
invalid("header-space-first", b" {}")
invalid("header-no-json", b"{'q': 1}")
invalid("header-not-utf8", b'{"\xff": {}}')
invalid("header-trailing-brace", b"{}}")
invalid("key-twice", b'{"q": %s, "q": %s}' % ((json.dumps(one["q"]).encode(),) * 2), bytes8)
invalid("inner-key-twice", b'{"q": {"dtype": "F32", "dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}', bytes8)
invalid("metadata-number", {"__metadata__": {"a": 1}})
invalid("tensor-no-object", {"q": 1})
invalid("dtype-missing", {"q": {"shape": [2], "data_offsets": [0, 8]}}, bytes8)
invalid("key-unknown", {"q": dict(one["q"], strides=[1])}, bytes8)
invalid("dtype-number", {"q": tensor(4, [2], 0, 8)}, bytes8)
invalid("dtype-unknown", {"q": tensor("F8_E4M3", [8], 0, 8)}, bytes8)
invalid("begin-behind-end", {"q": tensor("F32", [2], 8, 0)}, bytes8)
invalid("end-behind-data", {"q": tensor("F32", [2], 0, 8)}, bytes8[:7])
invalid("offset-negative", {"q": tensor("F32", [2], -8, 0)}, bytes8)
invalid("offset-float", {"q": tensor("F32", [2], 0, 8.0)}, bytes8)
invalid("offset-above-2-to-64", b'{"q": {"dtype": "F32", "shape": [2], "data_offsets": [0, 18446744073709551624]}}', bytes8)
invalid("offsets-of-three", {"q": dict(one["q"], data_offsets=[0, 4, 8])}, bytes8)
invalid("shape-too-small", {"q": tensor("F32", [1], 0, 8)}, bytes8)
invalid("shape-too-large", {"q": tensor("F32", [3], 0, 8)}, bytes8)
invalid("shape-product-wraps", {"q": tensor("F32", [2**62, 2], 0, 8)}, bytes8)
invalid("shape-negative", {"q": tensor("F32", [-1, -2], 0, 8)}, bytes8)
invalid("shape-no-list", {"q": tensor("F32", 2, 0, 8)}, bytes8)
invalid("tensors-overlap", {"q": tensor("F32", [2], 0, 8), "k": tensor("F32", [1], 4, 8)}, bytes8)
invalid("tensors-with-a-gap", {"q": tensor("F32", [1], 0, 4), "k": tensor("U8", [3], 5, 8)}, bytes8)
invalid("bytes-of-no-tensor", one, bytes8 + b"\0")
invalid("nan", {"q": tensor("F32", [2], 0, 8)}, struct.pack("<2f", 1, float("nan")))
invalid("bf16-infinity", {"q": tensor("BF16", [1, 1, 2], 0, 4)}, bf16(1) + bf16(float("inf")))
invalid("bool-2", {"q": tensor("BOOL", [1], 0, 1)}, b"\2")
