#!/usr/bin/env python3
"""The theory's claims pass, every output of `qkcert check` is valid, and the examples for CI say what exists.

usage: claims-test.py SOURCE_DIR QKCERT
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-jsonschema, python3-yaml)")
    sys.exit(77)

SOURCE, QKCERT = (Path(argument).resolve() for argument in sys.argv[1:3])
THEORY = SOURCE / "claims" / "theory.toml"
CORPUS = SOURCE / "tests" / "corpus" / "claims"
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "GITHUB_ACTIONS"}
# What the theory states, each of which some claim has as its source.
STATED = ["Theorem 1", "Theorem 2", "Theorem 3", "Section 2", "B1", "B1+", "B2", "B2+", "B2'", "B2''", "B3", "B3'", "B3''",
          "B4", "B5", "Advantage theorem"]
# Mistakes that a schema cannot see: they lie in two claims, in other files or in arithmetic.
BEYOND_SCHEMA = {"id-twice", "certificate-missing", "graph-missing", "edge-out-of-range", "edges-not-sorted",
                 "family-out-of-range", "rows-ragged", "seeds-backwards", "seeds-too-many", "time-limit-zero",
                 "time-limit-too-long"}


def fail(message):
    sys.exit(f"claims-test: {message}")


def check(*arguments, folder=SOURCE, status=0):
    done = subprocess.run([str(QKCERT), "check", *map(str, arguments)], cwd=folder, env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != status or done.stderr:
        fail(f"check {arguments}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done.stdout


def schema(path):
    with open(SOURCE / path, encoding="utf-8") as file:
        loaded = json.load(file)
    jsonschema.Draft7Validator.check_schema(loaded)
    return jsonschema.Draft7Validator(loaded)


CLAIMS, REPORT = schema("docs/schemas/claims.schema.json"), schema("docs/schemas/check.schema.json")
SARIF = schema("tests/schemas/sarif-2.1.0.schema.json")


def valid(validator, document, what):
    for error in validator.iter_errors(document):
        fail(f"{what}: {error.message[:300]} at {list(error.absolute_path)}")


def valid_junit(path):
    done = subprocess.run(["xmllint", "--noout", "--schema", str(SOURCE / "tests/schemas/junit.xsd"), str(path)],
                          capture_output=True, text=True)
    if done.returncode:
        fail(f"{path}: {done.stderr}")


def load(path):
    with open(path, "rb") as file:
        return tomllib.load(file)


def check_theory(folder):
    claims = load(THEORY)["claim"]
    valid(CLAIMS, {"claim": claims}, THEORY)
    if len(claims) < 60:
        fail(f"{THEORY}: {len(claims)} claims")
    methods = [line.split()[0] for line in subprocess.run([str(QKCERT), "construct", "--list"], check=True,
                                                          capture_output=True, text=True).stdout.splitlines()]
    sources = [part.strip() for claim in claims for part in re.split(r",| with ", claim["source"])]
    for stated in STATED + methods:
        if stated not in sources:
            fail(f"{THEORY}: no claim has the source {stated}")
    report = json.loads(check("claims/theory.toml", "--json", "--junit", folder / "j.xml", "--sarif", folder / "s.json"))
    valid(REPORT, report, "check --json")
    valid_junit(folder / "j.xml")
    valid(SARIF, json.loads((folder / "s.json").read_text()), "--sarif")
    if report["passed"] != len(claims):
        fail(f"{report['passed']} of {len(claims)} claims passed")


def check_goldens():
    for name in ("results", "passed"):
        golden = CORPUS / "golden"
        valid(REPORT, json.loads((golden / f"{name}.json").read_text()), golden / f"{name}.json")
        valid(SARIF, json.loads((golden / f"{name}.sarif").read_text()), golden / f"{name}.sarif")
        valid_junit(golden / f"{name}.junit.xml")


def check_bad_files(folder):
    """What the command refuses, the schema refuses, and the outputs that tell of it are valid."""
    for path in sorted((CORPUS / "invalid").glob("*.toml")):
        report = json.loads(check(path, "--json", "--junit", folder / "j.xml", "--sarif", folder / "s.json", status=2))
        valid(REPORT, report, f"check {path}")
        valid_junit(folder / "j.xml")
        valid(SARIF, json.loads((folder / "s.json").read_text()), f"check {path} --sarif")
        try:
            accepted = CLAIMS.is_valid(load(path))
        except tomllib.TOMLDecodeError:
            accepted = False
        if accepted != (path.stem in BEYOND_SCHEMA):
            fail(f"{path}: the schema {'accepts' if accepted else 'refuses'} it")


def check_keys_of_the_schema(folder):
    """The keys that `expect` may have are the same for the command and the schema, kind by kind."""
    seen = {}
    for claim in load(THEORY)["claim"]:
        seen.setdefault(claim["kind"], claim)
    kinds = {name.removeprefix("kind-") for name in CLAIMS.schema["definitions"] if name.startswith("kind-")}
    if kinds != set(seen):
        fail(f"the schema has the kinds {sorted(kinds)}, the theory's claims {sorted(seen)}")
    text = THEORY.read_text(encoding="utf-8")
    for kind, claim in seen.items():
        block = next(b for b in text.split("[[claim]]")[1:] if f'\nid = "{claim["id"]}"\n' in b)
        block = re.sub(r"^#.*", "", re.sub(r"^expect = .*\n", "", block, flags=re.M), flags=re.M)
        block = block.replace('"../', f'"{SOURCE}/')
        (folder / "keys.toml").write_text(f"[[claim]]{block.rstrip()}\nexpect = {{ zzzzzzzz = 1 }}\n")
        detail = json.loads(check(folder / "keys.toml", "--json", status=2))["claims"][0]["detail"]
        found = re.fullmatch(r"expected one of the keys (.*), found 'zzzzzzzz'", detail)
        if not found:
            fail(f"{kind}: {detail}")
        listed = set(CLAIMS.schema["definitions"][f"kind-{kind}"]["properties"]["expect"]["properties"])
        if set(found[1].split(", ")) != listed:
            fail(f"{kind}: expect has the keys {found[1]}, in the schema {sorted(listed)}")


def check_documentation(folder):
    """The claims of docs/claims.md pass, and its table of kinds is complete."""
    page = (SOURCE / "docs" / "claims.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S)
    (folder / "claims").mkdir()
    (folder / "docs").symlink_to(SOURCE / "docs")
    (folder / "claims" / "example.toml").write_text(example)
    valid(CLAIMS, tomllib.loads(example), "docs/claims.md")
    check("claims/example.toml", folder=folder)
    rows = dict(re.findall(r"^\| `([a-z-]+)` \|(.*)\|$", page[page.index("| kind | parameters"):], re.M))
    for name, definition in CLAIMS.schema["definitions"].items():
        if name.startswith("kind-"):
            kind = name.removeprefix("kind-")
            facts = set(re.findall(r"`(\w+)`", rows[kind].split("|")[-1]))
            for key in definition["properties"]["expect"]["properties"]:
                if key not in facts and re.sub("_(at_least|at_most|contains)$", "", key) not in facts:
                    fail(f"docs/claims.md: the kind {kind} has no {key}")


def commands_of(document):
    """Every string below `run`, `script` and `before_script`, line by line."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key in ("run", "script", "before_script"):
                for text in value if isinstance(value, list) else [value]:
                    yield from text.splitlines()
            else:
                yield from commands_of(value)
    elif isinstance(document, list):
        for value in document:
            yield from commands_of(value)


def check_ci_examples():
    run = (SOURCE / "run").read_text()
    packages = set(re.search(r"build_packages=\((.*?)\)", run, re.S)[1].split())
    options = set(re.findall(r"--[a-z-]+", subprocess.run([str(QKCERT), "check", "--help"], check=True,
                                                          capture_output=True, text=True).stdout))
    for name in ("github.yml", "gitlab.yml"):
        text = (SOURCE / "examples" / "ci" / name).read_text()
        lines = [shlex.split(line) for line in commands_of(yaml.safe_load(text))]
        if "debian:12" not in text:
            fail(f"examples/ci/{name}: it does not run on Debian 12")
        installed = next(set(words[4:]) for words in lines if words[:2] == ["apt-get", "install"])
        if not packages <= installed:
            fail(f"examples/ci/{name}: packages are missing: {sorted(packages - installed)}")
        (called,) = [words for words in lines if words[0].endswith("/qkcert")]
        if called[1:3] != ["check", "claims/theory.toml"] or not set(w for w in called if w[:2] == "--") <= options:
            fail(f"examples/ci/{name}: {called}")
        if not (SOURCE / called[2]).is_file():
            fail(f"examples/ci/{name}: there is no {called[2]}")
        target = next(words[-1] for words in lines if words[:2] == ["cmake", "--build"])
        if f"add_executable({target} " not in (SOURCE / "CMakeLists.txt").read_text():
            fail(f"examples/ci/{name}: there is no target {target}")
        if f"set_target_properties({target} PROPERTIES OUTPUT_NAME {called[0].rsplit('/')[-1]})" not in (
                SOURCE / "CMakeLists.txt").read_text():
            fail(f"examples/ci/{name}: {target} is not built as {called[0]}")
        for words in lines:
            if words[0] not in ("apt-get", "git", "cmake", called[0]):
                fail(f"examples/ci/{name}: an unknown command {words}")


with tempfile.TemporaryDirectory() as temporary:
    check_theory(Path(temporary))
    check_goldens()
    check_bad_files(Path(temporary))
    check_keys_of_the_schema(Path(temporary))
    check_documentation(Path(temporary))
    check_ci_examples()
