#!/usr/bin/env python3
"""What README.md and docs/ say is true: code blocks run, links lead somewhere, options and keys are complete.

usage: readme-test.py SOURCE_DIR QKCERT BUILD_DIR

Blocks run in a copy of the source tree whose build/release is BUILD_DIR and whose PATH begins with the folder
of QKCERT. Commands `./run VERB` are only looked up in the list that `./run` prints, as this test is part of them.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

SOURCE, QKCERT, BUILD = (Path(argument).resolve() for argument in sys.argv[1:4])
VERBS = ["certify", "search", "construct", "verify", "bound", "refute", "advantage", "universal",
         "check", "records", "table", "transition", "softmax", "info"]
PAGES = [page.relative_to(SOURCE) for pattern in ("*.md", "docs/*.md", "examples/*/*.md")
         for page in sorted(SOURCE.glob(pattern))]


def fail(message):
    sys.exit(f"readme-test: {message}")


def read(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def run(command, folder, environment=None, status=0):
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if status is not None and done.returncode != status:
        fail(f"{command}: exit status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", read(page), re.M | re.S)


# ---- text ------------------------------------------------------------------------------------------


def check_links():
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", read(page), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            linked = (SOURCE / page.parent / path).resolve() if path else SOURCE / page
            if not linked.exists() or not linked.is_relative_to(SOURCE):
                fail(f"{page}: the link {target} leads nowhere")
            if anchor and anchor not in anchors(linked):
                fail(f"{page}: the link {target} names no heading")


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_examples_are_verbatim():
    for language, path in (("cmake", "examples/cmake/CMakeLists.txt"), ("cpp", "examples/cmake/main.cpp")):
        if blocks("README.md", language) != [read(path)]:
            fail(f"README.md: the {language} block is not {path}")
    if blocks("docs/tables.md", "toml") != [read("examples/tables/permutations.toml")]:
        fail("docs/tables.md: the toml block is not examples/tables/permutations.toml")


def table(page, header):
    """The rows of the table in `page` whose first column's header is `header`."""
    found = re.search(rf"^\| {header} \|.*\n\|[-|]+\n((?:\|.*\n)+)", read(page), re.M)
    if not found:
        fail(f"{page}: no table with the column {header}")
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in found[1].splitlines()]


def check_options():
    documented = {verb: set() for verb in VERBS}
    for option, verbs, _ in table("docs/command.md", "option"):
        names = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", option)
        for verb in verbs.split():
            documented[verb].update(names)
    for verb in VERBS:
        listing = run([str(QKCERT), verb, "--help"], SOURCE).stdout.split("\nExample:")[0]
        listed = set()
        for line in listing.splitlines():
            if re.match(r"  -", line):
                listed.update(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", re.split(r" Needs:| Excludes:|   ", line[2:])[0]))
        if listed != documented[verb]:
            fail(f"docs/command.md, {verb}: not documented {sorted(listed - documented[verb])}, "
                 f"not in --help {sorted(documented[verb] - listed)}")


def check_keys(folder):
    documented = {key for row in table("docs/command.md", "key") for key in re.findall(r"`(\w+)`", row[0])}
    small = "--family permutation --vertices 8 --one-hot --json"
    printed = set()
    (folder / "failing.toml").write_text(read("claims/theory.toml").replace("value = 24", "value = 25", 1)
                                         .replace('"../', f'"{SOURCE}/'))
    (folder / "contexts.txt").write_text("0 1\n")
    for command in (f"certify {small} --method onehot-code -o keys.qkc", f"construct {small} --method onehot-code",
                    "bound --family permutation --vertices 8 --d-model 3 --json", f"info {small}",
                    "construct --family permutation --vertices 9 --gaussian 2 --method signature --heads 1 --head-dim 1 --json",
                    "verify --json tests/corpus/certificates/valid/narrow-head-4-2.qkc",
                    "verify --json tests/corpus/certificates/valid/heads-clique-6-2.qkc",
                    *(f"softmax tests/corpus/certificates/valid/softmax-heads-5.qkc --json {search}"
                      for search in ("--find-beta", "--beta 2 --find-theta")),
                    "transition --family permutation --vertices 8 --gaussian 8 --key-dimension 3 --trials 2 --json",
                    "search --family permutation --vertices 8 --gaussian 4 --tries 3 --json",
                    "verify --hardware bf16 --json keys.qkc",
                    "verify --weights examples/weights/layer.npz --query q_proj.weight --key k_proj.weight"
                    " --transposed --heads 2 --graph examples/weights/edges.tsv --one-hot --json",
                    "check tests/corpus/claims/invalid/id-twice.toml --json", "check failing.toml --json",
                    "info keys.qkc --json", "verify --json keys.qkc README.md",
                    "verify --json keys.qkc --contexts contexts.txt",
                    *(f"verify --json tests/corpus/certificates/valid/{name}.qkc"
                      for name in ("single-head-impossible-12-4", "margin-100", "unit-heads-7",
                                   "advantage-permutation-11", "universal-pairs-digraph-4-11"))):
        for line in run([str(QKCERT), *command.split()], folder, status=None).stdout.splitlines():
            report = json.loads(line)
            printed.update(report, *report.get("bounds", []), *report.get("points", []), *report.get("decisions", []),
                           *report.get("tried", []))
            for claim in report.get("claims", []):
                printed.update(claim, *claim["mismatches"])
            for point in report.get("points", []):
                printed.update(*point["trials"])
    if printed != documented:
        fail(f"docs/command.md, JSON keys: not documented {sorted(printed - documented)}, "
             f"not printed {sorted(documented - printed)}")


def labels(text):
    """The first column of a summary."""
    return [line[:13].strip() for line in text.splitlines()]


def check_certify_output(folder):
    shown = re.search(r"^<!-- certify output -->\n```text\n(.*?)^```$", read("README.md"), re.M | re.S)
    if not shown:
        fail("README.md: no block behind <!-- certify output -->")
    printed = run([str(QKCERT), *"certify --family permutation --vertices 8 --one-hot --method onehot-code "
                   "-o labels.qkc".split()], folder).stdout
    if labels(shown[1]) != labels(printed):
        fail(f"README.md: certify's output has the labels {labels(shown[1])}, but now they are {labels(printed)}")


def check_picture():
    """docs/idea.svg shows the scores, τ and the extremes of docs/idea.qkc, and a part of its hash."""
    words = read("docs/idea.qkc").split()

    def behind(label, count):
        at = words.index(label) + 1
        return list(map(int, words[at:at + count]))

    m, d, *rows = behind("embedding", 10)
    width, query, key = behind("head", 1)[0], behind("query", 4), behind("key", 4)
    x = [rows[i:i + d] for i in range(0, m * d, d)]

    def project(row, weights):
        return [sum(row[i] * weights[i * width + j] for i in range(d)) for j in range(width)]

    scores = [sum(a * b for a, b in zip(project(u, query), project(v, key))) for u in x for v in x]
    picture = xml.etree.ElementTree.fromstring(read("docs/idea.svg"))
    texts = [("".join(node.itertext()).replace("−", "-"), node.get("class", "")) for node in picture.iter()
             if node.tag.endswith("text")]
    if [int(text) for text, kind in texts if kind == "score"] != scores:
        fail(f"docs/idea.svg: the scores are not those of docs/idea.qkc, {scores}")
    (tau,) = behind("threshold-max", 1)
    for line in (f"τ = {tau}", f"decoder threshold-max {tau}", "extremes {} {}".format(*behind("extremes", 2)),
                 f"sha256 {words[-1][:8]}…"):
        if line not in [text for text, _ in texts]:
            fail(f"docs/idea.svg: {line} is missing")


# ---- commands --------------------------------------------------------------------------------------


def run_shell_blocks(folder, environment):
    listed = run(["./run"], folder, environment).stdout
    readme = "".join(blocks("README.md", "sh")).splitlines()
    for command in ("./run certify", "./run test"):
        if command not in readme:
            fail(f"README.md: the command {command} is missing")
    for page in PAGES:
        for block in blocks(page, "sh"):
            commands = []
            for line in block.splitlines():
                if not line.startswith("./run"):
                    commands.append(line)
                elif not re.search(rf"^  {line.split()[1]} ", listed, re.M):
                    fail(f"{page}: ./run does not list {line}")
            if commands:
                run(["bash", "-euo", "pipefail", "-c", "\n".join(commands)], folder, environment)


def run_help_examples(folder, environment):
    """The example of each verb's --help, but for the main job, which takes its time."""
    for name in ("edges.tsv", "embedding.npy"):
        shutil.copy(folder / "examples" / "antonyms" / name, folder)
    shutil.copy(folder / "examples" / "tables" / "permutations.toml", folder)
    for verb in VERBS:
        text = run([str(QKCERT), verb, "--help"], folder).stdout
        example = re.search(r"^Example:\n((?:  .*(?:\n|$))+)", text, re.M)
        if not example:
            fail(f"qkcert {verb} --help: there is no example")
        if verb == "verify":  # any certificate will do
            for name in re.findall(r"\S+\.qkc", example[1]):
                shutil.copy(folder / "docs" / "idea.qkc", folder / name)
        if verb != "certify":
            run(["bash", "-euo", "pipefail", "-c", example[1]], folder, environment)


def check_python_block(folder):
    """The ten lines accept a true certificate and refuse false ones, right hash or not."""
    (program,) = blocks("README.md", "python")
    if len([line for line in program.splitlines() if not line.startswith("import")]) != 10:
        fail("README.md: the ten lines of Python are not ten")
    (folder / "check.py").write_text(program)
    run([str(QKCERT), *"construct --family permutation --vertices 12 --one-hot --method onehot-code -o true.qkc".split()],
        folder)
    body = (folder / "true.qkc").read_text().rpartition("sha256 ")[0]
    tau = int(re.search(r"threshold-max (-?\d+)", body)[1])
    least, greatest = re.search(r"extremes (-?\d+) (-?\d+)", body).groups()
    last_key = body.rindex("\nextremes") - 1

    def sealed(text):
        return f"{text}sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"

    false = {
        "hash": (folder / "true.qkc").read_text().replace("sha256 ", "sha256 0", 1),
        "truncated": (folder / "true.qkc").read_text()[:-100],
        "least": sealed(body.replace(f"extremes {least}", f"extremes {int(least) + 1}")),
        "greatest": sealed(body.replace(f"extremes {least} {greatest}", f"extremes {least} {int(greatest) - 1}")),
        "high-threshold": sealed(body.replace(f"threshold-max {tau}", f"threshold-max {least}")),
        "low-threshold": sealed(body.replace(f"threshold-max {tau}", f"threshold-max {int(greatest) - 1}")),
        "last-key": sealed(body[:last_key] + "9" + body[last_key + 1:]),
        "edge": sealed(re.sub(r"\n0 (\d+)\n", lambda edge: f"\n0 {(int(edge[1]) + 1) % 12}\n", body, count=1)),
        "vertex": sealed(re.sub(r"\n11 \d+\n", "\n11 12\n", body, count=1)),
        "decoder": sealed(body.replace("threshold-max", "threshold-sum")),
        "claim": sealed(body.replace("claim recovery", "claim discovery")),
        "more": sealed(body.replace("end\n", "1\nend\n")),
    }
    run([sys.executable, "check.py", "true.qkc"], folder)
    for name, text in false.items():
        (folder / "false.qkc").write_text(text)
        if run([sys.executable, "check.py", "false.qkc"], folder, status=None).returncode == 0:
            fail(f"README.md: the ten lines of Python accept a certificate with a false {name}")


def consumer_environment():
    """PATH with QKCERT's folder first; the compiler flags that a sanitized library needs."""
    environment = dict(os.environ, PATH=f"{QKCERT.parent}{os.pathsep}{os.environ['PATH']}")
    sanitizers = re.search(r"^QKCERT_SANITIZE:STRING=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    if sanitizers:
        environment["CXXFLAGS"] = f"-fsanitize={sanitizers[1]}"
    return environment


def main():
    check_links()
    check_examples_are_verbatim()
    check_options()
    check_picture()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "qkcert"
        shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("build", ".git"))
        (folder / "build").mkdir()
        (folder / "build" / "release").symlink_to(BUILD)
        environment = consumer_environment()
        check_certify_output(folder)
        check_keys(folder)
        check_python_block(folder)
        run_help_examples(folder, environment)
        run_shell_blocks(folder, environment)


main()
