#!/usr/bin/env python3
"""Tables: golden files, LaTeX that compiles, and forms that agree with each other.

usage: tables-test.py SOURCE_DIR QKCERT [--regenerate]

With --regenerate the golden files are written anew; look at the difference before you commit it.
"""

import csv
import fractions
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, QKCERT = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
SPECS = sorted((SOURCE / "tests/corpus/tables").glob("*.toml")) + sorted((SOURCE / "examples/tables").glob("*.toml"))
LATEX = shutil.which("pdflatex")


def fail(message):
    sys.exit(f"tables-test: {message}")


def run(*command, folder=None, status=0):
    done = subprocess.run(list(map(str, command)), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != status:
        fail(f"{command}: exit status {done.returncode}\n{done.stdout.decode(errors='replace')[-3000:]}{done.stderr.decode()}")
    return done.stdout


def files_of(folder, name):
    """The files of a table, by their names."""
    files = [path for ending in ("tex", "md", "csv", "json", "bib") for path in folder.glob(f"{name}.{ending}")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files + sorted((folder / name).glob("*"))}


def check_golden(spec, folder):
    run(QKCERT, "table", spec, "-o", folder)
    made, kept = files_of(folder, spec.stem), files_of(spec.parent, spec.stem)
    if made.keys() != kept.keys():
        fail(f"{spec}: the files {sorted(made.keys() ^ kept.keys())} are only in one of both")
    for name in made:
        if made[name] != kept[name]:
            fail(f"{spec}: {name} has changed; see CONTRIBUTING.md")
    for ending in ("tex", "md", "csv", "json", "bib"):
        constructs = any("/" in name for name in made)
        if not constructs and run(QKCERT, "table", spec, "--format", ending) != made[f"{spec.stem}.{ending}"]:
            fail(f"{spec}: --format {ending} prints something else than -o writes")


def check_certificates(spec, table):
    for point in table["points"]:
        for entry in point["entries"]:
            if "certificate" not in entry:
                continue
            path = spec.parent / entry["certificate"]
            report = json.loads(run(QKCERT, "verify", "--json", path))
            if (report["sha256"], report["key_dimension"]) != (entry["sha256"], entry["value"]):
                fail(f"{spec}: {path} is not the certificate that the table names")


def exact(value):
    return fractions.Fraction(*map(int, value)) if isinstance(value, list) else fractions.Fraction(int(value))


def check_printed(spec, table):
    """What is printed holds: ratios rounded up by less than a last digit, integers whole or elided."""
    for point in table["points"]:
        for entry in point["entries"]:
            printed, value = entry["printed"], entry["value"]
            if value is None:
                good = printed == "—" and entry["reason"]
            elif entry["quantity"] == "ratio":
                error = fractions.Fraction(printed) - exact(value)
                good = (0 <= error < fractions.Fraction(1, 10 ** table["digits"]) and entry["rounding"] == "up"
                        and len(printed.partition(".")[2]) == table["digits"])
            elif elided := re.fullmatch(r"(\d+)… \((\d+) bits\)", printed):
                good = str(value).startswith(elided[1]) and int(value).bit_length() == int(elided[2])
            else:
                good = printed == str(value)
            if not good:
                fail(f"{spec}: {entry} is printed as {printed}")


def check_ratios(spec, table):
    """Each ratio once more, from the entries before it."""
    kinds = {quantity["name"]: quantity["kind"] for quantity in table["quantities"]}
    for point in table["points"]:
        upper, bounds = None, []
        for entry in point["entries"]:
            kind = kinds[entry["name"]]
            if kind == "upper":
                upper = entry["value"]
            elif kind == "lower" and entry["quantity"] == "D_K" and entry["value"] is not None:
                bounds.append(int(entry["value"]))
            elif kind == "ratio" and table["failure_bits"] == 0:
                expected = fractions.Fraction(upper, max(bounds)) if upper and bounds and max(bounds) else None
                found = None if entry["value"] is None else exact(entry["value"])
                if found != expected:
                    fail(f"{spec}: the ratio is {found}, expected {expected}: {point}")


def check_csv(spec, table, text):
    if b"\n" in text.replace(b"\r\n", b""):
        fail(f"{spec}: a line of the CSV does not end in CR LF")
    rows = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    entries = [(point, entry) for point in table["points"] for entry in point["entries"]]
    if len(rows) != len(entries):
        fail(f"{spec}: {len(rows)} lines of CSV for {len(entries)} entries")
    kinds = {quantity["name"]: quantity["kind"] for quantity in table["quantities"]}
    for row, (point, entry) in zip(rows, entries):
        value = entry["value"]
        expected = {**{axis: str(each) for axis, each in point["values"].items()},
                    "name": entry["name"], "kind": kinds[entry["name"]], "quantity": entry["quantity"],
                    "value": "" if value is None else "/".join(map(str, value)) if isinstance(value, list) else str(value),
                    "printed": "" if value is None else entry["printed"], "method": entry["method"] or "",
                    "claim": entry.get("claim", ""), "certificate": entry.get("certificate", ""),
                    "sha256": entry.get("sha256", ""), "references": " ".join(entry["references"]),
                    "reason": entry.get("reason", "")}
        if row != expected:
            fail(f"{spec}: the CSV says {row}, the JSON {expected}")


def markdown_tables(text):
    """All tables: lists of rows of cells, as they read."""
    tables = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]] for line in block.splitlines()]
        tables.append([[re.sub(r"\\(.)", r"\1", re.sub(r"\[((?:\\.|[^\]])*)\]\((?:<[^>]*>|[^)<]*)\)", r"\1", cell)) for cell in row]
                       for row in rows])
    return tables


def once(table, name):
    """Whether a quantity stands once for all values of the column axes."""
    quantity = next(each for each in table["quantities"] if each["name"] == name)
    touched = set(table["columns"])
    if quantity["kind"] == "class_size":
        touched -= {"d_model", "weight_max", "weight_bits"}
    elif quantity.get("weights", "").startswith("real"):
        touched -= {"weight_max", "weight_bits"}
    return not touched


def check_markdown(spec, table, text):
    tables = markdown_tables(text)
    head, rule, *rows = tables[0]
    for cells in (rule, *rows):
        if len(cells) != len(head):
            fail(f"{spec}: a row of {len(cells)} cells below {len(head)} heads: {cells}")
    names = [quantity["name"] for quantity in table["quantities"]]
    seen = 0
    for row in rows:
        down = dict(zip(table["rows"], row))
        for column, cell in list(zip(head, row))[len(table["rows"]):]:
            name = max((each for each in names if column == each or column.endswith(": " + each)), key=len)
            across = dict(part.rsplit(" ", 1) for part in column[:-len(name) - 2].split(", ")) if column != name else {}
            fitting = [point for point in table["points"]
                       if all(str(point["values"][axis]) == value for axis, value in {**down, **across}.items())]
            if not once(table, name) and len(fitting) != 1:
                fail(f"{spec}: {down} {across} is no point")
            entry = next(each for each in fitting[0]["entries"] if each["name"] == name)
            if cell not in (entry["printed"], f"{entry['printed']} ({entry['method']})"):
                fail(f"{spec}: {down} {column} is {cell}, in the JSON {entry['printed']}")
            seen += len(fitting)
    if seen != sum(len(point["entries"]) for point in table["points"]):
        fail(f"{spec}: the Markdown shows {seen} entries")
    certified = [entry for point in table["points"] for entry in point["entries"] if "certificate" in entry]
    listed = [row[-2:] for row in tables[1][2:]] if certified else []
    if listed != [[entry["certificate"], f"`{entry['sha256']}`"] for entry in certified]:
        fail(f"{spec}: the certificates in the Markdown are {listed}")


def check_references(spec, table, folder):
    keys = set(re.findall(r"^@\w+\{(\w+),", (folder / f"{spec.stem}.bib").read_text(), re.M))
    used = {key for point in table["points"] for entry in point["entries"] for key in entry["references"]} | {"qkcert"}
    cited = {key for keys in re.findall(r"\\cite\{([^}]*)\}", (folder / f"{spec.stem}.tex").read_text())
             for key in keys.split(",")}
    shown = set(re.findall(r"\[@(\w+)\\\]", (folder / f"{spec.stem}.md").read_text()))
    if not keys == used == cited == shown:
        fail(f"{spec}: references {keys}, used {used}, cited {cited}, shown {shown}")


def latex(name, folder):
    text = run(LATEX, "-interaction=nonstopmode", "-halt-on-error", name, folder=folder).decode(errors="replace")
    if "Missing character" in text or "Float too large" in text:
        fail(f"{folder / name}: {text[-2000:]}")
    return text


def check_latex(spec, folder):
    """As it is, with its references, and twice inside another document."""
    latex(spec.stem, folder)
    run("bibtex", spec.stem, folder=folder)
    latex(spec.stem, folder)
    if "undefined" in (last := latex(spec.stem, folder)):
        fail(f"{spec}: {last}")
    (folder / "paper.tex").write_text("\\documentclass[twocolumn]{article}\n\\usepackage{booktabs}\n\\begin{document}\nA.\n"
                                      f"\\input{{{spec.stem}}}\nTable~\\ref{{{json.loads((folder / (spec.stem + '.json')).read_text())['label']}}}.\n"
                                      "\\end{document}\n")
    latex("paper", folder)
    if "LaTeX Warning: Reference" in latex("paper", folder):
        fail(f"{spec}: its label is undefined in another document")


def check_many_certificates(folder):
    """Certificates that do not fit on a page fill further floats; LaTeX keeps them all."""
    certificate = SOURCE / "tests/corpus/tables/certificates/m8-d8.qkc"
    (folder / "many.toml").write_text(
        f'caption = "Many"\nlabel = "many"\n[grid]\nfamily = "permutation"\nvertices = 8\nd_model = 8\n'
        f'weight_max = {list(range(1, 42))}\n[[upper]]\nname = "x"\ncertificates = "{certificate}"\n')
    run(QKCERT, "table", folder / "many.toml", "-o", folder)
    text = (folder / "many.tex").read_text()
    labels = re.findall(r"\\label\{(.*?)\}", text)
    if labels != ["many", "many-certificates", "many-certificates-2", "many-certificates-3", "many-certificates-4"]:
        fail(f"the floats of 41 certificates have the labels {labels}")
    rows = [len(re.findall("tabularnewline", part)) for part in text.split("\\begin{table*}")[1:]]
    if rows != [12, 12, 12, 5]:
        fail(f"the floats have {rows} certificates")
    if LATEX and "[5]" not in latex("many", folder):
        fail("LaTeX has set fewer than five pages")


def main():
    if sys.argv[3:] == ["--regenerate"]:
        for spec in SPECS:
            shutil.rmtree(spec.parent / spec.stem, ignore_errors=True)
            run(QKCERT, "table", spec, "-o", spec.parent)
        return
    if len(SPECS) < 4:
        fail(f"only {len(SPECS)} specs")
    if not LATEX and os.environ.get("CI"):
        fail("pdflatex is not installed")
    if not LATEX:
        print("tables-test: pdflatex is not installed: LaTeX is not compiled")
    for spec in SPECS:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            check_golden(spec, folder)
            table = json.loads((folder / f"{spec.stem}.json").read_text())
            check_certificates(spec, table)
            check_printed(spec, table)
            check_ratios(spec, table)
            check_csv(spec, table, (folder / f"{spec.stem}.csv").read_bytes())
            check_markdown(spec, table, (folder / f"{spec.stem}.md").read_text())
            check_references(spec, table, folder)
            if LATEX:
                check_latex(spec, folder)
    with tempfile.TemporaryDirectory() as temporary:
        check_many_certificates(pathlib.Path(temporary))


main()
