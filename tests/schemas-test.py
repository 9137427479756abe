#!/usr/bin/env python3
"""Every --json output fits its schema in docs/schemas, and the schemas refuse what is none.

usage: schemas-test.py SOURCE_DIR QKCERT
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import warnings

import jsonschema

warnings.simplefilter("ignore", DeprecationWarning)  # RefResolver, which Debian 12's version needs

SOURCE, QKCERT = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
SCHEMAS = {path.name: json.loads(path.read_text(encoding="utf-8"))
           for path in sorted((SOURCE / "docs/schemas").glob("*.schema.json"))}
ELSEWHERE = {"check", "claims"}  # their schemas are tested by claims-test.py
for name in ELSEWHERE:
    del SCHEMAS[f"{name}.schema.json"]
CERTIFICATES = SOURCE / "tests/corpus/certificates"
SMALL = "--family permutation --vertices 8"
HOPELESS = "--family functional --vertices 64 --gaussian 4 --method signature --heads 1 --head-dim 1 --budget 0.2"
WEIGHTS = (f"--weights {SOURCE}/examples/weights/layer.npz --query q_proj.weight --key k_proj.weight --transposed "
           f"--heads 2 --graph {SOURCE}/examples/weights/edges.tsv")
ARGUMENTS = "--family out-regular --degree 2 --vertices 8 --d-model 2"

# (schema, exit status, arguments): both outcomes of each verb. The first ones write what the others read.
COMMANDS = [
    ("construct", 0, f"{SMALL} --one-hot --method onehot-code -o code.qkc"),
    ("construct", 0, f"{SMALL} --one-hot --method onehot-neighborly -o unsafe.qkc"),
    ("construct", 1, "--family permutation --vertices 9 --gaussian 2 --method signature --heads 1 --head-dim 1"),
    ("construct", 1, f"{SMALL} --gaussian 8 --method edge-per-head --weight-max 1"),
    ("construct", 3, f"{SMALL} --gaussian 2 --method fit --heads 1 --head-dim 1 --budget 0"),
    ("certify", 0, f"{SMALL} --gaussian 4 --tries 2"),
    ("certify", 3, HOPELESS),
    ("search", 0, f"{SMALL} --gaussian 4 --tries 3"),
    ("search", 3, HOPELESS),
    ("bound", 0, f"{SMALL} --d-model 3"),
    ("bound", 0, f"{SMALL} --d-model {'9' * 30} --weight-max {'9' * 30}"),
    ("bound", 0, f"{SMALL} --d-model 2 --failure-bits 5 --edge-ratio 1.5 --nonedge-ratio 0.1"),
    ("bound", 0, f"--graph {SOURCE}/examples/weights/edges.tsv --d-model 3"),
    *(("bound", 0, f"{ARGUMENTS} --failure-bits 3 --bound {name}")
      for name in ("counting", "counting-random", "counting-columns", "warren", "warren-ranks", "single-head-class", "heads")),
    ("bound", 0, f"{SMALL} --d-model 2 --bound margin --edge-ratio 1 --nonedge-ratio 0"),
    ("bound", 0, f"--graph {SOURCE}/examples/weights/edges.tsv --d-model 3 --bound unit-heads"),
    ("verify", 0, f"{CERTIFICATES}/valid/*"),
    ("verify", 1, f"{CERTIFICATES}/invalid/*"),
    ("verify", 2, "code.qkc nothing.qkc"),
    ("verify", 0, "--hardware bf16 code.qkc"),
    ("verify", 1, "--hardware fp16 unsafe.qkc"),
    ("verify-weights", 0, f"{WEIGHTS} --one-hot"),
    ("verify-weights", 1, f"{WEIGHTS} --gaussian 8"),
    ("refute", 0, "--family permutation --vertices 24 --gaussian 6 --single-head"),
    ("refute", 0, f"{SMALL} --gaussian 8 --single-head"),
    ("refute", 0, f"{SMALL} --gaussian 3 --min-heads"),
    ("refute", 0, f"{SMALL} --gaussian 3 --width 1 --weight-max 1"),
    ("refute", 3, f"{SMALL} --gaussian 6 --width 1 --weight-max 1"),
    ("refute", 3, f"{SMALL} --gaussian 3 --any-heads"),
    ("refute", 3, "--family permutation --vertices 24 --gaussian 6 --single-head --budget 0"),
    ("advantage", 0, "--family permutation --vertices 24 --gaussian 6 --budget 20"),
    ("advantage", 0, "--class permutation --vertices 11 --d-model 2"),
    ("advantage", 1, f"{SMALL} --gaussian 8"),
    ("advantage", 3, "--family permutation --vertices 24 --gaussian 6 --budget 0"),
    ("universal", 0, "--family permutation --vertices 24 --gaussian 16"),
    ("universal", 0, f"{SMALL} --one-hot --method edge-per-head"),
    ("universal", 1, f"{SMALL} --gaussian 2"),
    ("verify", 0, "code.qkc --contexts contexts.txt"),
    ("softmax", 0, "code.qkc --beta 2 -o softmax.qkc"),
    ("softmax", 1, "code.qkc --threshold 9"),
    ("softmax", 0, "code.qkc --find-beta --grid-bits 6"),
    ("softmax", 1, "code.qkc --threshold 9 --find-beta --grid-bits 4"),
    ("softmax", 0, "code.qkc --beta 2 --find-theta --grid-bits 5"),
    ("softmax", 1, "code.qkc --beta 1/100 --find-theta --grid-bits 5"),
    ("softmax", 0, "code.qkc --beta 4 --contexts contexts.txt"),
    ("softmax", 1, "code.qkc --beta 1/100 --contexts all.txt"),
    ("transition", 0, f"{SMALL} --gaussian 8 --key-dimension 1:3 --trials 2"),
    ("transition", 0, f"{SMALL} --gaussian 8 --key-dimension 2 --trials 2 --sweep-heads --certificates stored"),
    ("transition", 3, f"{SMALL} --gaussian 8 --key-dimension 3 --trials 2 --budget 0"),
    ("info", 0, f"{SMALL} --one-hot"),
    ("info", 0, f"{SMALL}"),
    ("info", 0, "--gaussian 4 --vertices 3"),
    *(("info", 0, str(path)) for path in sorted((CERTIFICATES / "valid").iterdir())),
    ("plot", 0, f"bounds code.qkc {SMALL} --d-model 8 -o bounds.svg"),
    ("plot", 1, f"ratio code.qkc {CERTIFICATES}/invalid/bound-one-too-high.qkc --family permutation -o ratio.svg"),
    ("plot", 0, "histogram code.qkc -o histogram.svg"),
    ("report", 0, "stored -o report.html"),
    ("report", 1, f"{CERTIFICATES}/invalid -o refused.html"),
    ("table-output", 0, f"{SOURCE}/examples/tables/permutations.toml -o tables"),
    *(("table-output", 0, f"{spec} -o tables") for spec in sorted((SOURCE / "tests/corpus/tables").glob("*.toml"))),
]


def fail(message):
    sys.exit(f"schemas-test: {message}")


def validator(name):
    schema = SCHEMAS[f"{name}.schema.json"]
    return jsonschema.Draft202012Validator(schema, resolver=jsonschema.RefResolver.from_schema(schema, store=SCHEMAS))


def without_additions(schema, where):
    """Objects that list their keys take no others, and every key is described."""
    if isinstance(schema, list):
        for part in schema:
            without_additions(part, where)
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        fail(f"{where}: an object that takes any key")
    if schema.get("type") == "object":
        for key, value in schema["properties"].items():
            if value is not False and "$ref" not in value and "description" not in value:
                fail(f"{where}: the key {key} is not described")
    for part in schema.values():
        without_additions(part, where)


def check(name, report, command):
    error = jsonschema.exceptions.best_match(validator(name).iter_errors(report))
    if error:
        fail(f"{command}: {list(error.absolute_path)}: {error.message[:500]}")


def refuses(name, report, command, why):
    if validator(name).is_valid(report):
        fail(f"{name}.schema.json accepts the output of {command} {why}")


def check_refusals(name, report, command):
    """What is changed in one place fits no more."""
    refuses(name, {**report, "more": 1}, command, "with one key more")
    required = ("points", "grid", "family") if name in ("table-output", "transition") else ("sha256", "certificate")
    for key in required:
        if key in report:
            refuses(name, {other: value for other, value in report.items() if other != key}, command, f"without {key}")
    for key, value in report.items():
        if key not in ("reason", "caption", "certificate", "family", "label"):
            refuses(name, {**report, key: {"x": 1}}, command, f"with an object for {key}")
        if isinstance(value, list) and value and isinstance(value[0], dict):
            changed = copy.deepcopy(report)
            changed[key][0]["more"] = 1
            refuses(name, changed, command, f"with one key more in {key}")
    if report.get("status") == "holds":
        refuses(name, {**report, "status": "undecided"}, command, "undecided without a reason")
        refuses(name, {**report, "claim": "bound of nothing"}, command, "with a claim that there is not")
    if report.get("claim") == "recovery":
        refuses(name, {**report, "width": 1}, command, "with a key of another claim")


def expand(arguments):
    for word in arguments.split():
        if word.endswith("/*"):
            yield from map(str, sorted(pathlib.Path(word[:-2]).iterdir()))
        else:
            yield word


def run(command, folder, status):
    done = subprocess.run([QKCERT, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != status:
        fail(f"{command}: exit status {done.returncode}, expected {status}\n{done.stderr}")
    return done.stdout


def check_outputs():
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "contexts.txt").write_text("0 1 2\n3 4\n")
        (pathlib.Path(folder) / "all.txt").write_text("0 1 2 3 4 5 6 7\n")
        for name, status, arguments in COMMANDS:
            verb = {"verify-weights": "verify", "table-output": "table"}.get(name, name)
            lines = run([verb, *expand(arguments), "--json"], folder, status).splitlines()
            if not lines:
                fail(f"{verb} {arguments}: no output")
            for line in lines:
                report = json.loads(line)
                check(name, report, f"{verb} {arguments}")
                if not isinstance(report, dict):
                    fail(f"{verb} {arguments}: no object")
                check_refusals(name, report, f"{verb} {arguments}")


def check_specs():
    """Specs of tables fit table.schema.json, and those that the program refuses for their form do not."""
    for spec in [*(SOURCE / "tests/corpus/tables").glob("*.toml"), *(SOURCE / "examples/tables").glob("*.toml")]:
        check("table", tomllib.loads(spec.read_text(encoding="utf-8")), spec)
    # A schema does not see what depends on another value or on what the value is for.
    beyond = {"axis-in-neither", "axis-twice", "bound-twice", "degree-missing", "degree-of-no-family", "degree-too-large",
              "degrees-beside-permutations", "edges-missing", "margin-without-ratios", "no-toml", "nothing-to-show",
              "pattern-of-no-axis", "pattern-unclosed", "points-too-many", "star-in-a-folder", "upper-name-twice",
              "method-chooses-its-heads", "method-without-key-dimension", "embedding-bits-of-one-hot", "edge-ratio-below-one",
              "weight-max-decimal"}
    for spec in sorted((SOURCE / "tests/corpus/tables/invalid").glob("*.toml")):
        if spec.stem not in beyond:
            refuses("table", tomllib.loads(spec.read_text(encoding="utf-8")), spec.name, "which is no spec")


def check_completeness():
    """Every verb with --json has a schema and is run above, and every schema is used."""
    verbs = re.findall(r"^  ([a-z]+)  ", run(["--help"], SOURCE, 0), re.M)
    used = {name for name, _, _ in COMMANDS}
    for verb in verbs:
        if "--json" in run([verb, "--help"], SOURCE, 0) and verb not in used | ELSEWHERE | {"table"}:
            fail(f"{verb} --json: no command here")
    if {f"{name}.schema.json" for name in used | {"defs", "table"}} != set(SCHEMAS):
        fail(f"the schemas are {sorted(SCHEMAS)}, those used {sorted(used)}")


def main():
    for name, schema in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        if schema["$id"] != name:
            fail(f"{name}: its $id is {schema['$id']}")
        without_additions(schema, name)
    check_completeness()
    check_specs()
    check_outputs()


main()
