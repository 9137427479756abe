#!/usr/bin/env python3
"""What softmax certificates cost beside the threshold verification of the same channel.

usage: softmax.py QKCERT

The graph joins u to its complement. Head k holds the sources u of block k: there q_u are the bits of u as
signs, else 0, and k_v are those of the complement of v, so edges score 12·G and all other pairs at most
10·G in every head. Entries of one bit are exact in the kernel, those of 20 bits are rounded there. Wall-clock seconds of one thread, the
least of three runs. At β = 4/G the whole row has to be summed up, at β = 10/G the greatest scores decide.
Nothing is asserted.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import time

VERTICES, BITS, HEADS, WIDTH = 4096, 12, 16, 64


def certificate(path, gain):
    """Each bit is repeated WIDTH // BITS times in a head; what is left of WIDTH is 0."""
    m, d_model, repeats = VERTICES, (HEADS + 1) * BITS, WIDTH // BITS
    lines = ["qkcert 1", "claim recovery", f"graph {m} {m}", *(f"{u} {m - 1 - u}" for u in range(m)),
             f"embedding {m} {d_model}"]
    for u in range(m):
        signs = [gain if u >> i & 1 else -gain for i in range(BITS)]
        row = [0] * (HEADS * BITS) + signs
        block = u * HEADS // m * BITS
        row[block:block + BITS] = signs
        lines.append(" ".join(map(str, row)))
    unit = gain * gain * repeats
    lines += [f"decoder threshold-max {11 * unit}", f"heads {HEADS}"]
    for head in range(HEADS):
        q = [[0] * WIDTH for _ in range(d_model)]
        k = [[0] * WIDTH for _ in range(d_model)]
        for i in range(BITS):
            for j in range(repeats):
                q[head * BITS + i][i * repeats + j] = 1
                k[HEADS * BITS + i][i * repeats + j] = -1
        lines.append(f"head {WIDTH}")
        for name, weights in (("query", q), ("key", k)):
            lines += [name, *(" ".join(map(str, row)) for row in weights)]
    body = "\n".join([*lines, f"extremes {12 * unit} {10 * unit}", "end", ""]).encode()
    with open(path, "wb") as file:
        file.write(body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n")
    return unit


def seconds(*command):
    """The least wall-clock time of three runs."""
    times = []
    for _ in range(3):
        started = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        times.append(time.monotonic() - started)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr}")
    return min(times)


def table(qkcert, gain):
    unit = certificate("channel.qkc", gain)
    threshold = seconds(qkcert, "verify", "--threads", "1", "channel.qkc")
    reading = seconds(qkcert, "info", "channel.qkc")
    print(f"| m = {VERTICES}, {HEADS} heads × {WIDTH}, entries ±{gain} | s | without reading, × threshold |")
    print("|---|---|---|")
    print(f"| reading the certificate | {reading:.2f} | |")
    print(f"| threshold | {threshold:.2f} | 1 |", flush=True)
    for beta in (f"4/{unit}", f"10/{unit}"):
        for size in (16, 1024, VERTICES):
            subprocess.run([qkcert, "softmax", "channel.qkc", "--beta", beta, "--context-size", str(size),
                            "-o", "softmax.qkc"], check=True, stdout=subprocess.DEVNULL)
            softmax = seconds(qkcert, "verify", "--threads", "1", "softmax.qkc")
            ratio = (softmax - reading) / max(threshold - reading, 0.001)
            print(f"| softmax, β = {beta}, ℓ = {size} | {softmax:.2f} | {ratio:.1f} |", flush=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    qkcert = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for gain in (1, 1000003):
            table(qkcert, gain)
        os.chdir("/")


main()
