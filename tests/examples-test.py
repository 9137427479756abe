#!/usr/bin/env python3
"""The certificates of examples/advantage hold, for both checkers, and each pair speaks of one instance.

usage: examples-test.py SOURCE_DIR QKCERT
"""

import pathlib
import subprocess
import sys

source, qkcert = pathlib.Path(sys.argv[1]), sys.argv[2]
folder = source / "examples" / "advantage"
files = sorted(folder.glob("*.qkc"))
pairs = sorted(path.name.removesuffix("-single.qkc") for path in files if path.name.endswith("-single.qkc"))
classes = [path.name for path in files if path.name.startswith("class-")]
if pairs != ["gaussian-24-6", "gaussian-64-16", "words-48-8"] or len(classes) != 4 or len(files) != 10:
    sys.exit(f"examples-test: the files are {[path.name for path in files]}")
for checker in ([qkcert, "verify"], [sys.executable, str(source / "tests" / "independent_checker.py")]):
    subprocess.run([*checker, *map(str, files)], check=True)


def instance(path, claim):
    """The lines of the graph and the embedding."""
    lines = path.read_text().split("\n")
    if lines[1] != f"claim {claim}":
        sys.exit(f"examples-test: {path} is no {claim}")
    at = next(i for i, line in enumerate(lines) if line.startswith("embedding "))
    return lines[2:at + 1 + int(lines[at].split()[1])]


for name in pairs:
    single = instance(folder / f"{name}-single.qkc", "impossibility single-head")
    if single != instance(folder / f"{name}-heads.qkc", "recovery"):
        sys.exit(f"examples-test: the two files of {name} speak of different instances")
    if int(next(line for line in (folder / f"{name}-heads.qkc").read_text().split("\n")
                if line.startswith("heads ")).split()[1]) < 2:
        sys.exit(f"examples-test: {name}-heads.qkc has a single head")
