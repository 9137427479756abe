#!/usr/bin/env python3
"""What softmax certificates cost beside the threshold verification of the same channel.

usage: softmax.py QKCERT

The graph joins u to m-1-u; with t_u = u, head k scores 1 - (t_u + t_v - (m-1))² for the sources u of block k
and 0 for all others, so edges score 1 and non-edges at most 0. Wall-clock seconds of one thread, the least
of three runs. At β = 2 the whole row has to be summed up, at β = 10 the greatest scores decide. Nothing is
asserted.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import time

VERTICES, HEADS, WIDTH = 4096, 16, 8


def certificate(path):
    m, width = VERTICES, 3 * (HEADS + 1)
    lines = ["qkcert 1", "claim recovery", f"graph {m} {m}", *(f"{u} {m - 1 - u}" for u in range(m)),
             f"embedding {m} {width}"]
    for u in range(m):
        block = 3 * (u * HEADS // m)
        row = [0] * (width - 3) + [1, u, u * u]
        row[block:block + 3] = [1, u, u * u]
        lines.append(" ".join(map(str, row)))
    lines += ["decoder threshold-max 0", f"heads {HEADS}"]
    c = m - 1
    # 1 - (a + b - c)² = (1 - c² + 2ca - a²)·1 + (2c - 2a)·b - b²
    query = [[1 - c * c, 2 * c, -1], [2 * c, -2, 0], [-1, 0, 0]]
    for head in range(HEADS):
        q = [[0] * WIDTH for _ in range(width)]
        k = [[0] * WIDTH for _ in range(width)]
        for i in range(3):
            k[width - 3 + i][i] = 1
            for j in range(3):
                q[3 * head + i][j] = query[j][i]
        lines.append(f"head {WIDTH}")
        for name, weights in (("query", q), ("key", k)):
            lines += [name, *(" ".join(map(str, row)) for row in weights)]
    body = "\n".join([*lines, "extremes 1 0", "end", ""]).encode()
    with open(path, "wb") as file:
        file.write(body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n")


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


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    qkcert = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        certificate("channel.qkc")
        threshold = seconds(qkcert, "verify", "--threads", "1", "channel.qkc")
        reading = seconds(qkcert, "info", "channel.qkc")
        print(f"| m = {VERTICES}, {HEADS} heads × {WIDTH} | s | without reading, × threshold |\n|---|---|---|")
        print(f"| reading the certificate | {reading:.2f} | |")
        print(f"| threshold | {threshold:.2f} | 1 |", flush=True)
        for beta in ("2", "10"):
            for size in (16, 1024, VERTICES):
                subprocess.run([qkcert, "softmax", "channel.qkc", "--beta", beta, "--context-size", str(size),
                                "-o", "softmax.qkc"], check=True, stdout=subprocess.DEVNULL)
                softmax = seconds(qkcert, "verify", "--threads", "1", "softmax.qkc")
                ratio = (softmax - reading) / max(threshold - reading, 0.001)
                print(f"| softmax, β = {beta}, ℓ = {size} | {softmax:.2f} | {ratio:.1f} |", flush=True)
        os.chdir("/")


main()
