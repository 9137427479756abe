#!/usr/bin/env python3
"""Writes edges.tsv, layer.safetensors and layer.npz beside this script, with the standard library alone.

A layer as PyTorch stores it, d_model 8 and two heads of width 4, on one-hot rows. The first head scores the
edges of a permutation highest; its weights are ±1 code words with noise. The second head is noise.
"""
import json
import os
import random
import struct
import zipfile

here = os.path.dirname(os.path.abspath(__file__))
d_model, heads, width = 8, 2, 4
r = random.Random(1)
target = [3, 0, 6, 1, 7, 2, 4, 5]
code = [[1 if v >> j & 1 else -1 for j in range(width - 1)] + [1 if bin(v).count("1") % 2 else -1]
        for v in range(d_model)]


def weight(head, rows):
    """The out × in block of one head: column u belongs to vertex u, as the rows are one-hot."""
    if head == 1:
        return [[r.uniform(-0.1, 0.1) for _ in range(d_model)] for _ in range(width)]
    return [[rows[u][j] * 0.5 + r.uniform(-0.05, 0.05) for u in range(d_model)] for j in range(width)]


query = [row for k in range(heads) for row in weight(k, [code[v] for v in target])]
key = [row for k in range(heads) for row in weight(k, code)]
value = [[r.uniform(-1, 1) for _ in range(d_model)] for _ in range(heads * width)]

with open(os.path.join(here, "edges.tsv"), "w", newline="") as file:
    file.writelines(f"{u}\t{v}\n" for u, v in enumerate(target))

# nn.MultiheadAttention: in_proj_weight of 3·d_model × d_model, the rows of q, k and v, here in bfloat16.
data = b"".join(struct.pack("<f", x)[2:] for rows in (query, key, value) for row in rows for x in row)
header = json.dumps({"self_attn.in_proj_weight": {
    "dtype": "BF16", "shape": [3 * d_model, d_model], "data_offsets": [0, len(data)]}}).encode()
with open(os.path.join(here, "layer.safetensors"), "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + data)


def npy(rows):
    """As numpy.save writes float32."""
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), len(rows[0]))
    text = text.ljust(117) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
            + b"".join(struct.pack("<f", x) for row in rows for x in row))


# q_proj.weight and k_proj.weight, out × in each, as numpy.savez_compressed stores them.
with zipfile.ZipFile(os.path.join(here, "layer.npz"), "w", zipfile.ZIP_DEFLATED) as file:
    for name, rows in (("q_proj.weight", query), ("k_proj.weight", key)):
        info = zipfile.ZipInfo(name + ".npy")
        info.compress_type = zipfile.ZIP_DEFLATED
        file.writestr(info, npy(rows))
