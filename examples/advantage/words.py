#!/usr/bin/env python3
"""Cuts a small instance out of examples/antonyms: the first pairs and the first dimensions.

usage: words.py PAIRS DIMENSIONS EDGES_OUT EMBEDDING_OUT

Goes through vertices.txt in its order, keeps the first PAIRS words that are not yet kept as another's
antonym, and their antonyms; renumbers all of them in the order of vertices.txt; keeps the first
DIMENSIONS of the 100 coordinates as they are (float32).
"""

import pathlib
import struct
import sys

wanted, dimensions = int(sys.argv[1]), int(sys.argv[2])
folder = pathlib.Path(__file__).resolve().parent.parent / "antonyms"
edges = [tuple(map(int, line.split())) for line in (folder / "edges.tsv").read_text().splitlines()]
data = (folder / "embedding.npy").read_bytes()
body = data[10 + struct.unpack("<H", data[8:10])[0]:]
assert len(body) == 4 * 100 * len(edges), "examples/antonyms is not what it was"

antonym = dict(edges)
first = [v for v in sorted(antonym) if v < antonym[v]][:wanted]
kept = sorted(first + [antonym[v] for v in first])
number = {v: i for i, v in enumerate(kept)}
pairs = sorted((number[v], number[antonym[v]]) for v in kept)
pathlib.Path(sys.argv[3]).write_text("".join(f"{u}\t{v}\n" for u, v in pairs))
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(kept)}, {dimensions}), }}".ljust(117) + "\n"
rows = b"".join(body[400 * v:400 * v + 4 * dimensions] for v in kept)
pathlib.Path(sys.argv[4]).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + rows)
print(f"{len(kept)} words, {dimensions} dimensions")
