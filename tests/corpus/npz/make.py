#!/usr/bin/env python3
"""Writes the .npz corpus beside this script, with the standard library alone; each file is named after its fault.

Run: python3 make.py
"""
import io
import os
import struct
import zipfile
import zlib

here = os.path.dirname(os.path.abspath(__file__))


def write(path, data):
    with open(os.path.join(here, path), "wb") as file:
        file.write(data)


def npy(descr, shape, data):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


Q = npy("<f4", (2, 3), struct.pack("<6f", 1, 0, 96, 64, 32, 0.5))
K = npy("<i2", (3,), struct.pack("<3h", -4, 8, 12))


def archive(members, method=zipfile.ZIP_STORED, zip64=False):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with file.open(info, "w", force_zip64=zip64) as member:
                member.write(content)
    return out.getvalue()


class Pipe(io.BytesIO):
    """What zipfile cannot seek in: it then writes data descriptors."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise OSError

    def tell(self):
        raise OSError


def streamed(members):
    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


both = [("q.npy", Q), ("k.npy", K)]
good = archive(both)
packed = archive(both, zipfile.ZIP_DEFLATED)
write("valid/stored.npz", good)
write("valid/deflated.npz", packed)
write("valid/numpy-savez.npz", archive(both, zip64=True))  # numpy forces zip64 in local headers
write("valid/data-descriptors.npz", streamed(both))
write("valid/empty.npz", archive([]))

DIRECTORY = good.index(b"PK\x01\x02")
END = good.index(b"PK\x05\x06")


def put(data, at, form, value):
    field = struct.pack("<" + form, value)
    return data[:at] + field + data[at + len(field):]


def invalid(name, data):
    write(f"invalid/{name}.npz", data)


invalid("truncated", good[:-1])
invalid("byte-more", good + b"\0")
invalid("ten-bytes", good[:10])
invalid("comment", put(good, END + 20, "H", 3) + b"abc")
invalid("count-one-more", put(put(good, END + 8, "H", 3), END + 10, "H", 3))
invalid("count-one-less", put(put(good, END + 8, "H", 1), END + 10, "H", 1))
invalid("several-disks", put(good, END + 4, "H", 1))
invalid("directory-offset-too-small", put(good, END + 16, "I", DIRECTORY - 1))
invalid("directory-size-too-large", put(good, END + 12, "I", END - DIRECTORY + 1))
invalid("zip64-archive", put(good, END + 16, "I", 0xffffffff))
invalid("zip64-member", put(good, DIRECTORY + 24, "I", 0xffffffff))
invalid("encrypted", put(good, DIRECTORY + 8, "H", 1))
invalid("method-lzma", put(good, DIRECTORY + 10, "H", 14))
invalid("stored-of-two-lengths", put(good, DIRECTORY + 24, "I", len(Q) - 1))
invalid("crc-of-directory-and-header-differ", put(good, DIRECTORY + 16, "I", 7))
invalid("crc-wrong", put(put(good, DIRECTORY + 16, "I", 7), 14, "I", 7))
invalid("data-changed", put(good, good.index(Q) + len(Q) - 1, "B", 9))
invalid("header-offset-outside", put(good, DIRECTORY + 42, "I", 2**31))
invalid("header-offset-wrong", put(good, DIRECTORY + 42, "I", 1))
invalid("header-of-another-name", good.replace(b"q.npy", b"r.npy", 1))
reach = len(Q) + 40  # into the next member
invalid("members-overlap", put(put(good, DIRECTORY + 20, "Q", reach << 32 | reach), 18, "Q", reach << 32 | reach))
invalid("member-twice", archive([("q.npy", Q), ("r.npy", Q)]).replace(b"r.npy", b"q.npy"))
invalid("member-no-npy", archive([("q.txt", Q)]))
invalid("member-no-array", archive([("q.npy", b"0 1\n")]))
PACKED = packed.index(b"PK\x01\x02")
invalid("deflated-damaged", put(packed, 30 + len("q.npy") + 4, "I", 0xffffffff))
invalid("deflated-one-byte-less", put(put(packed, PACKED + 24, "I", len(Q) - 1), 22, "I", len(Q) - 1))
invalid("deflated-one-byte-more", put(put(packed, PACKED + 24, "I", len(Q) + 1), 22, "I", len(Q) + 1))
invalid("deflated-bomb", put(put(packed, PACKED + 24, "I", 2**32 - 2), 22, "I", 2**32 - 2))
assert zlib.crc32(Q) == struct.unpack("<I", good[14:18])[0]
