#!/usr/bin/env python3
"""What the bounds and the advantage cost: one table, a row for each command.

usage: bounds.py QKCERT

Wall-clock seconds and peak memory are those of the child process; multipliers are the lines of the
certificate's two multiplier sections, bits those of the largest. Nothing is asserted.
"""

import os
import sys
import tempfile
import time

COUNTING = [
    "--family permutation --vertices 512 --d-model 100",
    "--family permutation --vertices 1000000 --d-model 64 --weight-max 1",
    "--family functional --vertices 1000000 --d-model 64",
    "--family out-regular --vertices 1000000 --degree 8 --d-model 64",
    "--family digraph --vertices 1000000 --edges 1000000 --d-model 64",
    "--family digraph-loops --vertices 1000000 --edges 1000000 --d-model 64",
    "--family matching --vertices 1000000 --d-model 64",
]
ONE_BOUND = [
    f"--family permutation --vertices {vertices} --d-model {d_model} --weight-max 1 --bound {name}"
    for vertices, d_model in ((128, 8), (1000000, 64))
    for name in ("counting", "counting-columns", "warren", "warren-ranks", "single-head-class", "heads")
    if vertices == 128 or name not in ("counting-columns", "warren-ranks")  # beyond their limits
]
CLASSES = [
    "--class permutation --vertices 11 --d-model 2",
    "--class permutation --vertices 107 --d-model 8",
    "--class permutation --vertices 223 --d-model 12",
    "--class functional --vertices 7 --d-model 2",
    "--class out-regular --vertices 6 --degree 2 --d-model 2",
    "--class digraph-loops --vertices 4 --edges 8 --d-model 2",
]
PAIRS = [
    "--family permutation --vertices 24 --gaussian 6 --method fit --heads 4 --head-dim 2",
    "--family permutation --vertices 64 --gaussian 16 --method fit --heads 4 --head-dim 3",
]


def measure(command):
    """(seconds, MiB, exit status) of one command, by the resource usage of that child alone."""
    started = time.monotonic()
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, stream) for stream in (0, 1, 2)]
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    os.close(null)
    _, status, usage = os.wait4(pid, 0)
    return time.monotonic() - started, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def multipliers(path):
    """(how many, bits of the largest) in a certificate; nothing when it has none."""
    weights, left = [], 0
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if left > 0:
                weights.append(int(words[2]).bit_length())
                left -= 1
            elif words and words[0].endswith("-multipliers"):
                left = int(words[1])
    return (str(len(weights)), str(max(weights))) if weights else ("", "")


def row(qkcert, verb, arguments, certificate):
    seconds, memory, status = measure([qkcert, verb, *arguments.split(), "-o", certificate.split("-")[0]])
    count, bits = multipliers(certificate) if os.path.exists(certificate) else ("", "")
    verdict = "" if status == 0 else f"exit status {status}"
    print(f"| `{verb} {arguments}` | {seconds:.2f} | {memory:.0f} | {count} | {bits} | {verdict} |", flush=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    qkcert = os.path.abspath(sys.argv[1])
    print("| command | s | MiB | multipliers | bits | |\n|---|---|---|---|---|---|", flush=True)
    rows = ([("bound", arguments, "bound") for arguments in COUNTING + ONE_BOUND]
            + [("advantage", arguments, "class") for arguments in CLASSES]
            + [("advantage", arguments, "pair-single.qkc") for arguments in PAIRS])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for each in rows:
            row(qkcert, *each)
            for name in os.listdir("."):
                os.remove(name)
        os.chdir("/")


main()
