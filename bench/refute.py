#!/usr/bin/env python3
"""Time, memory and witness of `qkcert refute --single-head` on random permutations, Gaussian rows.

usage: bench/refute.py QKCERT [--sparse]

One row a size: the claim, seconds and peak memory of the search (its exact check included), the number of
multipliers and the bits of the largest, the certificate's size, seconds of `qkcert verify`.
"""

import os
import subprocess
import sys
import tempfile
import time

SIZES = ((24, 6), (64, 16), (96, 22), (96, 24), (128, 26), (128, 32), (192, 32))


def measured(arguments):
    """Seconds, and peak memory in MiB."""
    start = time.monotonic()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(arguments)}: exit status {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def multipliers(lines):
    """How many, and the bits of the largest."""
    weights = []
    for label in ("edge-multipliers ", "nonedge-multipliers "):
        for at, line in enumerate(lines):
            if line.startswith(label):
                weights += [int(row.split()[2]) for row in lines[at + 1:at + 1 + int(line.split()[1])]]
    return len(weights), max(map(int.bit_length, weights), default=0)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    print(f"{'m':>4} {'d':>3}  {'claim':25} {'s':>7} {'MiB':>5} {'number':>7} {'bits':>6} {'KiB':>6} {'verify s':>8}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "refute.qkc")
        for m, d in SIZES:
            seconds, memory = measured([sys.argv[1], "refute", "--family", "permutation", "--vertices", str(m),
                                        "--gaussian", str(d), "--single-head", "--budget", "1200", "-o", path,
                                        *sys.argv[2:]])
            check, _ = measured([sys.argv[1], "verify", path])
            with open(path, encoding="ascii") as file:
                lines = file.read().splitlines()
            number, bits = multipliers(lines)
            print(f"{m:4} {d:3}  {lines[1].removeprefix('claim '):25} {seconds:7.2f} {memory:5.0f} {number:7} "
                  f"{bits:6} {os.path.getsize(path) / 1024:6.0f} {check:8.2f}", flush=True)


main()
