#!/usr/bin/env python3
"""The independent checker against the corpus, fresh certificates, edge cases and mutants.

usage: independent-checker-test.py SOURCE_DIR QKCERT

On every file `qkcert verify` and tests/independent_checker.py must agree. QKCERT_TEST_SEED and
QKCERT_TEST_MULTIPLIER choose the mutants.
"""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, QKCERT = Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve())
CHECKER = SOURCE / "tests" / "independent_checker.py"
SEED = int(os.environ.get("QKCERT_TEST_SEED", "1"))
MUTANTS = 600 * int(os.environ.get("QKCERT_TEST_MULTIPLIER", "1"))

sys.dont_write_bytecode = True
sys.path.insert(0, str(CHECKER.parent))
import independent_checker  # noqa: E402

# Arguments that make each method of `qkcert construct --list` succeed on something small.
METHODS = {
    "edge-pairs": "--family functional --vertices 15 --gaussian 8 --embedding-bits 8",
    "edge-per-head": "--family digraph --vertices 12 --edges 20 --gaussian 8 --embedding-bits 8",
    "fit": "--family derangement --vertices 20 --gaussian 10 --heads 1 --head-dim 8 --budget 30",
    "interpolation": "--family digraph --vertices 14 --edges 20 --gaussian 14 --embedding-bits 8",
    "interpolation-rounded": "--family permutation --vertices 16 --gaussian 16 --embedding-bits 8 --heads 4 --head-dim 16",
    "onehot-code": "--family functional --vertices 16 --one-hot",
    "onehot-neighborly": "--family out-regular --vertices 9 --degree 2 --one-hot",
    "onehot-signature": "--family out-regular --vertices 10 --degree 2 --one-hot",
    "onehot-trigonometric": "--family out-regular --vertices 9 --degree 2 --one-hot",
    "projection": "--family functional --vertices 10 --one-hot --heads 2 --head-dim 48",
    "signature": "--family permutation --vertices 12 --gaussian 12 --embedding-bits 8 --heads 6 --head-dim 24",
    "tuple-per-head": "--family matching --vertices 16 --gaussian 12 --embedding-bits 8 --head-dim 2",
}
FAMILIES = {
    "permutation": "--vertices 40",
    "derangement": "--vertices 41",
    "functional": "--vertices 42",
    "out-regular": "--vertices 43 --degree 5",
    "digraph": "--vertices 44 --edges 300",
    "digraph-loops": "--vertices 45 --edges 300",
    "matching": "--vertices 46 --edges 17",
    "out-degrees": "--graph degrees.tsv --vertices 9",
}
UNIVERSAL = [
    "--family permutation --vertices 24 --gaussian 10 --embedding-bits 8",
    "--family derangement --vertices 25 --gaussian 10 --embedding-bits 12",
    "--family out-regular --vertices 16 --degree 7 --gaussian 9",
    "--family functional --vertices 7 --one-hot --method edge-per-head",
]
SOFTMAX = [
    "--family permutation --vertices 12 --one-hot --method onehot-code --find-beta --context-size 5",
    "--family out-regular --vertices 9 --degree 2 --one-hot --method onehot-neighborly --theta 0.3 --find-beta --grid-bits 3",
    "--family digraph-loops --vertices 8 --edges 12 --gaussian 6 --embedding-bits 4 --method edge-per-head --beta 1/64 --find-theta",
]
CERTIFY = [
    "--family permutation --vertices 16 --one-hot --method onehot-code",
    "--family derangement --vertices 20 --gaussian 10 --heads 4 --head-dim 4 --budget 30",
]


def fail(message):
    sys.exit(f"independent-checker-test: {message} (QKCERT_TEST_SEED={SEED})")


def qkcert(*arguments):
    return subprocess.run([QKCERT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def independent(data):
    """(holds, what was said); TooLarge is passed on."""
    try:
        return True, independent_checker.check(data)
    except independent_checker.TooLarge:
        raise
    except independent_checker.Refused as reason:
        return False, str(reason)


def hashed(body):
    return body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n"


def rehashed(data):
    """The same bytes with the hash that belongs to them, when they end in a hash line."""
    cut = data.rfind(b"sha256 ")
    return hashed(data[:cut]) if cut >= 0 else data


# ---- corpus ----------------------------------------------------------------------------------------


def test_corpus():
    """As a program: exit status, one line on the right stream, nothing on the other."""
    folder = SOURCE / "tests" / "corpus" / "certificates"
    files = {True: sorted(folder.glob("valid/*.qkc")), False: sorted(folder.glob("invalid/*.qkc"))}
    if len(files[True]) < 9 or len(files[False]) < 29:
        fail("the corpus is not complete")
    for holds, names in files.items():
        for name in names:
            done = subprocess.run([sys.executable, str(CHECKER), str(name)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            lines = (len(done.stdout.splitlines()), len(done.stderr.splitlines()))
            if (done.returncode, lines) != ((0, (1, 0)) if holds else (1, (0, 1))):
                fail(f"{name}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    return [(name.name, name.read_bytes()) for name in files[True]]


# ---- fresh certificates ----------------------------------------------------------------------------


def fresh(name, arguments):
    """The certificate that `qkcert ARGUMENTS -o FILE --json` writes; its summary must be right."""
    path = re.sub(r"[^a-z0-9-]+", "-", name) + ".qkc"
    done = qkcert(*arguments.split(), "-o", path, "--json")
    if done.returncode != 0:
        fail(f"qkcert {arguments}: exit status {done.returncode}: {done.stderr}")
    data = Path(path).read_bytes()
    holds, text = independent(data)
    if not holds:
        fail(f"qkcert {arguments}: the independent checker refuses the certificate: {text}")
    summary = json.loads(done.stdout)
    if summary["sha256"] != hashlib.sha256(data).hexdigest() or summary["certificate"] != path:
        fail(f"qkcert {arguments}: the summary names another file: {done.stdout}")
    words = data.split()
    if summary["claim"] == "recovery":
        at = words.index(b"extremes")
        stated = [int(word) for word in words[at + 1:at + 3]]
        shown = [int(summary[key]) for key in ("least_edge_score", "greatest_nonedge_score")]
        widths = [int(words[i + 1]) for i, word in enumerate(words) if word == b"head"]
        if stated != shown or widths != summary["head_widths"] or sum(widths) != summary["key_dimension"]:
            fail(f"qkcert {arguments}: the summary is not the certificate's: {done.stdout}")
    elif b"key-dimension" not in words:
        pass
    elif int(words[words.index(b"key-dimension") + 1]) != summary["lower_bound"]:
        fail(f"qkcert {arguments}: the summary is not the certificate's: {done.stdout}")
    return path, data


def test_fresh():
    listed = [line.split()[0] for line in qkcert("construct", "--list").stdout.splitlines()]
    if not listed or not set(listed) <= set(METHODS):
        fail(f"construct --list has {listed}; METHODS here has no example of "
             f"{sorted(set(listed) - set(METHODS)) or 'any'}")
    Path("degrees.tsv").write_text("".join(f"{u}\t{v}\n" for u in range(6) for v in range(u + 1, 9, 2)))
    made = [fresh(method, f"construct --method {method} {METHODS[method]}") for method in listed]
    for family, arguments in FAMILIES.items():
        made.append(fresh(family, f"bound --family {family} {arguments} --d-model 3 --weight-max 2"))
    for bound in ("counting-random", "counting-columns", "warren", "warren-ranks", "single-head-class", "heads"):
        for family in ("permutation --vertices 40", "digraph --vertices 20 --edges 60"):
            made.append(fresh(f"{bound} {family}", f"bound --family {family} --d-model 2 --weight-max 3 "
                              f"--failure-bits 5 --bound {bound}"))
    for i, arguments in enumerate(UNIVERSAL):
        made.append(fresh(f"universal-{i}", f"universal {arguments}"))
    for i, arguments in enumerate(SOFTMAX):
        made.append(fresh(f"softmax-{i}", f"softmax {arguments}"))
    for form in ("fp32", "fp16", "bf16"):
        made.append(fresh(form, f"verify --hardware {form} onehot-code.qkc"))
    for i, arguments in enumerate(CERTIFY):
        made.append(fresh(f"certify-{i}", f"certify {arguments}"))
    return made


# ---- edge cases ------------------------------------------------------------------------------------


def recovery(graph, embedding, tau, heads, extremes):
    return hashed(f"qkcert 1\nclaim recovery\n{graph}{embedding}decoder threshold-max {tau}\n"
                  f"{heads}extremes {extremes}\nend\n".encode())


def float_safe(form, scale, graph, embedding, tau, heads):
    return hashed(f"qkcert 1\nclaim float-safe\nformat {form}\nscale {scale}\n{graph}{embedding}"
                  f"decoder threshold-max {tau}\n{heads}end\n".encode())


def bound(family, d_model="1", weight_max="1", key_dimension="0"):
    return hashed(f"qkcert 1\nclaim bound counting\nfamily {family}\nd_model {d_model}\n"
                  f"weight-max {weight_max}\nkey-dimension {key_dimension}\nend\n".encode())


def impossibility(on_edges, on_nonedges, x=1):
    """Of the graph 0 -> 1 on the embedding x, x."""
    rows = [[f"{label}-multipliers {len(list_)}\n", *[line + "\n" for line in list_]]
            for label, list_ in (("edge", on_edges), ("nonedge", on_nonedges))]
    return hashed(("qkcert 1\nclaim impossibility single-head\ngraph 2 1\n0 1\n"
                   f"embedding 2 1\n{x}\n{x}\n" + "".join(rows[0] + rows[1]) + "end\n").encode())


ONE, HEAD = "embedding 1 1\n2\n", "heads 1\nhead 1\nquery\n3\nkey\n5\n"  # the one score is 60
EMPTY_ROWS = "heads 1\nhead 7\nquery\nkey\n"
BIG = 10 ** 5000

EDGE_CASES = [
    ("loop", True, recovery("graph 1 1\n0 0\n", ONE, 59, HEAD, "60 -")),
    ("loop at the threshold", False, recovery("graph 1 1\n0 0\n", ONE, 60, HEAD, "60 -")),
    ("non-edge at the threshold", True, recovery("graph 1 0\n", ONE, 60, HEAD, "- 60")),
    ("non-edge above the threshold", False, recovery("graph 1 0\n", ONE, 59, HEAD, "- 60")),
    ("extreme that does not exist", False, recovery("graph 1 0\n", ONE, 60, HEAD, "61 60")),
    ("extreme left out", False, recovery("graph 1 1\n0 0\n", ONE, 59, HEAD, "- -")),
    ("no vertex", True, recovery("graph 0 0\n", "embedding 0 1\n", 0, HEAD, "- -")),
    ("no vertex, no dimension", True, recovery("graph 0 0\n", "embedding 0 0\n", 0, EMPTY_ROWS, "- -")),
    ("rows of no integers", True, recovery("graph 2 0\n", "embedding 2 0\n\n\n", 0, EMPTY_ROWS, "- 0")),
    ("rows of no integers, one missing", False,
     recovery("graph 2 0\n", "embedding 2 0\n\n", 0, EMPTY_ROWS, "- 0")),
    ("an empty line too many", False, recovery("graph 1 0\n", ONE + "\n", 60, HEAD, "- 60")),
    ("no head", False, recovery("graph 1 0\n", ONE, 60, "heads 0\n", "- -")),
    ("head of width 0", False, recovery("graph 1 0\n", ONE, 0, "heads 1\nhead 0\nquery\n\nkey\n\n", "- 0")),
    ("one head missing", False, recovery("graph 1 0\n", ONE, 60, HEAD.replace("heads 1", "heads 2"), "- 60")),
    ("heads of two widths", True,
     recovery("graph 1 0\n", ONE, 88, "heads 2\nhead 1\nquery\n3\nkey\n5\nhead 2\nquery\n3 1\nkey\n7 1\n", "- 88")),
    ("rows of another graph", False, recovery("graph 2 0\n", ONE, 60, HEAD, "- 60")),
    ("numbers of 5000 digits", True,
     recovery("graph 1 1\n0 0\n", f"embedding 1 1\n{BIG}\n", 0, HEAD, f"{15 * BIG ** 2} -")),
    ("vertex that wraps at 2^32", False, recovery("graph 1 1\n0 4294967296\n", ONE, 59, HEAD, "60 -")),
    ("vertex that wraps at 2^64", False, recovery("graph 1 1\n0 18446744073709551616\n", ONE, 59, HEAD, "60 -")),
    ("count of 2^63 edges", False, recovery("graph 1 9223372036854775808\n0 0\n", ONE, 59, HEAD, "60 -")),
    ("count of 10^30 rows", False, recovery(f"graph {10 ** 30} 0\n", f"embedding {10 ** 30} 1\n2\n", 0, HEAD, "- 0")),
    ("negative count", False, recovery("graph -1 0\n", "embedding -1 1\n", 0, HEAD, "- -")),
    ("edge twice, counted once", False, recovery("graph 2 1\n0 0\n0 0\n", "embedding 2 1\n2\n0\n", 59, HEAD, "60 0")),
    ("multipliers", True, impossibility(["0 1 1"], ["0 0 1"])),
    ("two multipliers", True, impossibility(["0 1 7"], ["0 0 3", "1 0 4"])),
    ("multipliers on the embedding 0", True, impossibility(["0 1 1"], ["0 0 1"], x=0)),
    *((f"loop in {form}", True, float_safe(form, "0 0", "graph 1 1\n0 0\n", ONE, 59, HEAD))
      for form in ("fp32", "fp16", "bf16")),
    ("loop not safe", False, float_safe("bf16", "0 0", "graph 1 1\n0 0\n", ONE, 60, HEAD)),
    ("non-edge at the threshold in floats", False, float_safe("fp32", "0 0", "graph 1 0\n", ONE, 60, HEAD)),
    ("non-edge below the threshold in floats", True, float_safe("bf16", "0 0", "graph 1 0\n", ONE, 61, HEAD)),
    ("format without a name", False, float_safe("", "0 0", "graph 1 0\n", ONE, 61, HEAD)),
    ("format of 64 bits", False, float_safe("fp64", "0 0", "graph 1 0\n", ONE, 61, HEAD)),
    ("one scale", False, float_safe("bf16", "0", "graph 1 0\n", ONE, 61, HEAD)),
    ("scale -0", False, float_safe("bf16", "-0 0", "graph 1 0\n", ONE, 61, HEAD)),
    ("scales of 5000 digits", False, float_safe("bf16", f"{BIG} -{BIG}", "graph 1 0\n", ONE, 61, HEAD)),
    ("a scale of 5000 digits of a zero row", True,
     float_safe("bf16", f"{BIG} 0", "graph 1 0\n", "embedding 1 1\n0\n", 0, HEAD)),
    ("a scale of -5000 digits of a zero row", False,
     float_safe("bf16", f"-{BIG} 0", "graph 1 0\n", "embedding 1 1\n0\n", 0, HEAD)),
    ("zero scores at the threshold in floats", True,
     float_safe("fp16", "0 0", "graph 1 0\n", "embedding 1 1\n0\n", 0, HEAD)),
    ("a zero score of an edge in floats", False,
     float_safe("fp16", "0 0", "graph 1 1\n0 0\n", "embedding 1 1\n0\n", 0, HEAD)),
    ("rows of no integers in floats", True, float_safe("fp16", "0 0", "graph 2 0\n", "embedding 2 0\n\n\n", 0, EMPTY_ROWS)),
    ("rows of no integers above the threshold", False,
     float_safe("fp16", "0 0", "graph 2 0\n", "embedding 2 0\n\n\n", -1, EMPTY_ROWS)),
    ("the widest head in floats", True, float_safe("fp16", "0 0", "graph 2 0\n", "embedding 2 0\n\n\n", 0,
                                                   EMPTY_ROWS.replace("7", str(2**24 - 1)))),
    ("too wide a head in floats", False, float_safe("fp16", "0 0", "graph 2 0\n", "embedding 2 0\n\n\n", 0,
                                                    EMPTY_ROWS.replace("7", str(2**24)))),
    ("no multipliers", False, impossibility([], [])),
    ("totals differ, sums are equal", False, impossibility(["0 1 1"], ["0 0 2"], x=0)),
    ("multiplier zero", False, impossibility(["0 1 1"], ["0 0 1", "1 0 0"])),
    ("multiplier negative", False, impossibility(["0 1 1"], ["0 0 2", "1 0 -1"])),
    ("non-edge multiplier on the edge", False, impossibility(["0 1 1"], ["0 1 1"])),
    ("edge multiplier on a non-edge", False, impossibility(["0 0 1"], ["0 0 1"])),
    ("multiplier out of range", False, impossibility(["0 1 1"], ["0 2 1"])),
    ("multipliers not sorted", False, impossibility(["0 1 2"], ["1 0 1", "0 0 1"])),
    ("family of no vertices", False, bound("permutation 0")),
    ("family of one graph", True, bound("permutation 1")),
    ("family of no graph", True, bound("derangement 1")),
    ("family of no graph, key dimension 1", False, bound("derangement 1", key_dimension=1)),
    ("family without arguments", False, bound("permutation")),
    ("family with an argument too many", False, bound("permutation 3 3", key_dimension=1)),
    ("permutations of 3", True, bound("permutation 3", key_dimension=1)),
    ("permutations of 4", True, bound("permutation 4", key_dimension=2)),  # 9 < 24 <= 81
    ("equality", True, bound("functional 4", key_dimension=2)),  # 3^4 = (2·1+1)^(2·1·2)
    ("equality, one above", False, bound("functional 4", key_dimension=3)),
    ("degree of m", False, bound("out-regular 3 3")),
    ("degree of m - 1", True, bound("out-regular 3 2")),
    ("more edges than pairs", False, bound("digraph 3 7")),
    ("all pairs", True, bound("digraph 3 6")),
    ("all pairs and loops", True, bound("digraph-loops 3 9")),
    ("more than all pairs and loops", False, bound("digraph-loops 3 10")),
    ("two pairs of three", False, bound("matching 3 2")),
    ("one pair of three", True, bound("matching 3 1", key_dimension=1)),
    ("degrees", True, bound("out-degrees 3 0 1 2", key_dimension=1)),
    ("one degree missing", False, bound("out-degrees 3 0 1")),
    ("degree out of range", False, bound("out-degrees 3 0 1 3")),
    ("d_model 0", False, bound("permutation 1", d_model=0)),
    ("weight-max 0", False, bound("permutation 1", weight_max=0)),
    ("negative key dimension", False, bound("permutation 1", key_dimension=-1)),
    ("key dimension of 5000 digits", False, bound("permutation 3", key_dimension=BIG)),
    ("d_model of 5000 digits", True, bound("permutation 3", d_model=BIG, key_dimension=1)),
    ("nothing", False, b""),
    ("hash alone", False, hashed(b"")),
    ("header alone", False, hashed(b"qkcert 1\nend\n")),
    ("byte order mark", False, hashed(b"\xef\xbb\xbf" + bound("permutation 1")[:-72])),
    ("other digits", False, hashed(bound("permutation 1")[:-72].replace(b"model 1", "model ١".encode()))),
]


# ---- mutants ---------------------------------------------------------------------------------------


def mutate_bytes(data, r):
    at = r.randrange(len(data))
    kind = r.randrange(4)
    if kind == 0:
        return data[:at] + bytes([r.choice(b"0123456789- \n\t\r+.x\x00\xff")]) + data[at + 1:]
    if kind == 1:
        return data[:at] + data[at + 1:]
    if kind == 2:
        return data[:at] + bytes([r.choice(b"0123456789- \n")]) + data[at:]
    return data[:at]


def mutate_lines(data, r):
    lines = data.split(b"\n")
    i, j = r.randrange(len(lines)), r.randrange(len(lines))
    kind = r.randrange(3)
    if kind == 0:
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == 1:
        del lines[i]
    else:
        lines.insert(j, lines[i])
    return b"\n".join(lines)


def mutate_number(data, r):
    numbers = list(re.finditer(rb"(?<![0-9a-z-])-?[0-9]+(?![0-9a-z])", data))
    if not numbers:
        return data
    found = r.choice(numbers)
    value = int(found.group())
    spelled = r.choice([value + 1, value - 1, -value, 0, 1, 2 * value, value + 2 ** 32, value + 2 ** 64,
                        f"0{value}", f"+{value}", f"{value}.0", f"{value} ", "", "-", "-0"])
    return data[:found.start()] + str(spelled).encode() + data[found.end():]


def mutate_order(data, r):
    """Swaps two numbers of one line: often still a well-formed certificate, of another claim."""
    lines = data.split(b"\n")
    rows = [i for i, line in enumerate(lines) if re.fullmatch(rb"-?[0-9]+( -?[0-9]+)+", line)]
    if not rows:
        return data
    i = r.choice(rows)
    words = lines[i].split(b" ")
    a, b = r.sample(range(len(words)), 2)
    words[a], words[b] = words[b], words[a]
    lines[i] = b" ".join(words)
    return b"\n".join(lines)


def mutants(seeds):
    r = random.Random(SEED)
    operators = [mutate_bytes, mutate_lines, mutate_number, mutate_number, mutate_order]
    for i in range(MUTANTS):
        name, data = r.choice(seeds)
        mutant = data
        for _ in range(r.choice([1, 1, 1, 2])):
            mutant = r.choice(operators)(mutant or b"\n", r)
        if r.randrange(5) > 0:
            mutant = rehashed(mutant)
        yield f"mutant {i} of {name}", mutant


# ---- agreement -------------------------------------------------------------------------------------


# The limits of `qkcert verify` that the format page states: a head may be wider than 2^64 when d_model is 0, a
# graph without embedding may have more vertices than the file has bytes.
LIMITS = re.compile(r"expected a count from 0 to 2\^64 - 1|expected \d+ vertices|too large to be decided")


def agree(cases):
    """Checks (name, expected verdict or None, bytes); returns how many hold and how many do not."""
    asked = []
    for i, (name, expected, data) in enumerate(cases):
        try:
            verdict, said = independent(data)
        except independent_checker.TooLarge:
            continue
        if expected is not None and verdict != expected:
            fail(f"{name}: the independent checker says {said!r}")
        path = f"case-{i}.qkc"
        Path(path).write_bytes(data)
        asked.append((name, path, verdict, said))
    if len(asked) < 0.9 * len(cases):
        fail("too many cases are beyond the independent checker")
    for start in range(0, len(asked), 100):
        batch = asked[start:start + 100]
        done = qkcert("verify", "--json", *[path for _, path, _, _ in batch])
        answers = {answer["certificate"]: answer for answer in map(json.loads, done.stdout.splitlines())}
        for name, path, verdict, said in batch:
            status = answers.get(path, {}).get("status")
            if verdict and LIMITS.search(answers.get(path, {}).get("reason", "")):
                continue
            if status != ("holds" if verdict else "does not hold"):
                keep = Path(tempfile.gettempdir()) / f"qkcert-disagreement-{SEED}.qkc"
                keep.write_bytes(Path(path).read_bytes())
                fail(f"{name}: qkcert verify says {answers.get(path)}, the independent checker says {said!r}; "
                     f"the file is kept as {keep}")
        holds = all(answer["status"] == "holds" for answer in answers.values())
        if done.returncode != (0 if holds else 1):
            fail(f"qkcert verify: exit status {done.returncode}: {done.stderr}")
    # One at a time: the exit status itself, and exactly one line on the right stream.
    for name, path, verdict, _ in asked[:60]:
        done = qkcert("verify", path)
        lines = (len(done.stdout.splitlines()), len(done.stderr.splitlines()))
        if (done.returncode, lines) != ((0, (1, 0)) if verdict else (1, (0, 1))):
            fail(f"{name}: qkcert verify: exit status {done.returncode}: {done.stdout}{done.stderr}")
    holding = sum(verdict for _, _, verdict, _ in asked)
    return holding, len(asked) - holding


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        seeds = test_corpus() + test_fresh()
        print("corpus and fresh certificates:", agree([(name, True, data) for name, data in seeds]))
        print("edge cases (hold, do not hold):", agree(EDGE_CASES))
        independent_checker.MAX_FAMILY_BITS = 1 << 20
        small = [(name, data) for name, data in seeds if len(data) < 40_000]
        small += [(name, data) for name, holds, data in EDGE_CASES if holds and len(data) < 1000]
        counts = agree([(name, None, data) for name, data in mutants(small)])
        print("mutants (hold, do not hold):", counts)
        if min(counts) < MUTANTS / 50:
            fail("the mutants are all alike")
        os.chdir(SOURCE)


main()
