"""How long `qkcert search` takes to reach stated D_K: search.py QKCERT.

A row per target: the D_K asked for, the one certified, wall and processor seconds. Nothing is
asserted."""

import json
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
QKCERT = os.path.abspath(sys.argv[1])
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")
LIMIT = 600  # seconds for one row


def random(m, d):
    return ["--family", "permutation", "--vertices", str(m), "--gaussian", str(d)]


def real(folder):
    return ["--graph", os.path.join(EXAMPLES, folder, "edges.tsv"),
            "--embedding", os.path.join(EXAMPLES, folder, "embedding.npy")]


ROWS = [
    ("m=64 d=16 A=127", random(64, 16), 127, (12, 9, 8)),
    ("m=64 d=16 A=7", random(64, 16), 7, (20, 12)),
    ("m=64 d=16 A=1", random(64, 16), 1, (48, 36, 27)),
    ("m=256 d=32 A=127", random(256, 32), 127, (40, 21)),
    ("antonyms-512 A=127", real("antonyms"), 127, (40, 12)),
    ("antonyms-4116 A=127", real("antonyms-4116"), 127, (400,)),
]


def main():
    print("search: time to a target D_K (all processors, limit %d s)" % LIMIT)
    print("%-22s %7s %10s %9s %9s" % ("instance", "target", "certified", "wall s", "cpu s"))
    for name, instance, weight_max, targets in ROWS:
        for target in targets:
            before, start = os.times(), time.monotonic()
            result = subprocess.run(
                [QKCERT, "search", *instance, "--weight-max", str(weight_max), "--target",
                 str(target), "--budget", str(LIMIT), "--json"], capture_output=True, text=True)
            wall, after = time.monotonic() - start, os.times()
            cpu = after.children_user - before.children_user
            reached = json.loads(result.stdout).get("key_dimension", "none")
            print("%-22s %7d %10s %9.2f %9.2f" % (name, target, reached, wall, cpu), flush=True)


if __name__ == "__main__":
    main()
