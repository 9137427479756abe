"""qkcert table: what is printed, what is written, and what is refused."""

import csv
import hashlib
import json
import os
import signal

import command
from command import Case

SPEC = b"""caption = "Bounds"
label = "tab:bounds"
bounds = "counting"
[grid]
family = "permutation"
vertices = [8, 64]
d_model = 4
weight_max = 1
"""
CODE = b"""[[upper]]
name = "code"
method = "onehot-code"
embedding = "one-hot"
optional = true
"""
SQUARE = SPEC.replace(b"[8, 64]", b"8").replace(b"d_model = 4", b"d_model = 8")


class Table(Case):
    def setUp(self):
        super().setUp()
        self.write("bounds.toml", SPEC)
        self.write("code.toml", SQUARE + CODE)

    def test_prints_one_form(self):
        self.assertTrue(self.text("table", "bounds.toml").startswith('<a id="tab:bounds"></a>\n'))
        self.assertEqual(self.text("table", "bounds.toml"),
                         self.text("table", "bounds.toml", "--format", "md"))
        self.assertIn("\\begin{tabular}", self.text("table", "bounds.toml", "--format", "tex"))
        self.assertIn("@misc{qkcert,", self.text("table", "bounds.toml", "--format", "bib"))
        text = self.text("table", "bounds.toml", "--format", "csv")
        rows = list(csv.DictReader(text.splitlines()))
        self.assertEqual([(row["vertices"], row["value"]) for row in rows], [("8", "2"), ("64", "24")])
        table = json.loads(self.text("table", "bounds.toml", "--format", "json"))
        self.assertEqual(table, self.json("table", "bounds.toml"))
        self.leaves_only("bounds.toml", "code.toml")

    def test_standard_input(self):
        text = self.text("table", "-", stdin=SPEC)
        self.assertIn("table.bib", text)
        self.assertEqual(text.replace("table.bib", "bounds.bib"), self.text("table", "bounds.toml"))
        self.refused("table", "-", stdin=b"caption = 1\n", says="standard input:1:11: caption: expected")

    def test_writes_a_folder(self):
        text = self.text("table", "code.toml", "-o", "out")
        certificate = "code/onehot-code-1-permutation-m8-d8-a1.qkc"
        names = ["code.tex", "code.md", "code.csv", "code.json", "code.bib", certificate]
        lines = [line.split("  ") for line in text.splitlines()]
        self.assertEqual([path for _, path in lines], ["out/" + name for name in names])
        for digest, path in lines:
            self.assertEqual(hashlib.sha256(self.read(path)).hexdigest(), digest)
        self.assertIn("recovery: 8 vertices", self.text("verify", "out/" + certificate))
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["code", "code.bib", "code.csv", "code.json", "code.md", "code.tex"])
        entry = self.json("table", "code.toml", "-o", "out")["points"][0]["entries"][1]
        self.assertEqual((entry["value"], entry["certificate"]), (3, certificate))
        self.assertEqual(entry["sha256"], hashlib.sha256(self.read("out/" + certificate)).hexdigest())

    def test_the_same_bytes_for_any_number_of_threads(self):
        self.text("table", "code.toml", "-o", "one", "--threads", "1")
        self.text("table", "code.toml", "-o", "three", "--threads", "3")
        for name in os.listdir(self.path("one")):
            if name != "code":
                self.assertEqual(self.read("one/" + name), self.read("three/" + name), name)

    def test_paths_begin_at_the_spec(self):
        os.mkdir(self.path("specs"))
        self.run_command("table", "code.toml", "-o", "specs")
        self.write("specs/found.toml", SQUARE + b'[[upper]]\nname = "found"\n'
                                                b'certificates = "code/*-m{vertices}-*.qkc"\n')
        entry = self.json("table", "specs/found.toml")["points"][0]["entries"][1]
        self.assertEqual((entry["value"], entry["method"]), (3, "certificate"))
        self.assertEqual(entry["certificate"], "code/onehot-code-1-permutation-m8-d8-a1.qkc")

    def test_records(self):
        records = os.path.join(command.SOURCE, "examples", "records")
        with open(os.path.join(records, "records.json")) as file:
            cells = json.load(file)["cells"]
        self.write("records.toml", SPEC.replace(b"[8, 64]", b"[16, 64]").replace(b"= 4", b"= 8") +
                   b'[[upper]]\nname = "records"\nrecords = "%s"\n' % records.encode())
        for point in self.json("table", "records.toml")["points"]:
            record = cells["permutation-m%d-d8-a1" % point["values"]["vertices"]][-1]
            entry = point["entries"][1]
            self.assertEqual((entry["value"], entry["method"], entry["sha256"]),
                             (record["key_dimension"], record["method"], record["sha256"]))
        self.write("none.toml", SPEC + b'[[upper]]\nname = "records"\nrecords = "%s"\n' % records.encode())
        self.refused("table", "none.toml", says=("vertices 8", "no such cell", "optional = true"))

    def test_a_record_is_the_one_that_is_recorded(self):
        records = os.path.join(command.SOURCE, "examples", "records")
        with open(os.path.join(records, "records.json")) as file:
            state = file.read()
        record = json.loads(state)["cells"]["permutation-m16-d8-a1"][-1]
        name = "permutation-m16-d8-a1-dk%d.qkc.gz" % record["key_dimension"]
        os.mkdir(self.path("records"))
        self.write("records/records.json",
                   state.replace(record["sha256"], record["sha256"][::-1]).encode())
        self.write("one.toml", SPEC.replace(b"[8, 64]", b"16").replace(b"= 4", b"= 8") +
                   b'[[upper]]\nname = "records"\nrecords = "records"\n')
        self.refused("table", "one.toml", says=("vertices 16", name + ": cannot be read"))
        with open(os.path.join(records, name), "rb") as file:
            self.write("records/" + name, file.read())
        out, err = self.run_command("table", "one.toml", status=1)
        self.assertEqual(out, b"")
        self.assertIn(b"not the one that records.json names", err)

    def test_a_refused_certificate_is_status_1(self):
        self.run_command("table", "code.toml", "-o", "out")
        name = "out/code/onehot-code-1-permutation-m8-d8-a1.qkc"
        body = self.read(name).rpartition(b"sha256 ")[0].replace(b"extremes 3 1", b"extremes 3 0")
        self.write(name, body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n")
        self.write("found.toml", SQUARE + b'[[upper]]\nname = "x"\ncertificates = "%s"\n' % name.encode())
        before = sorted(os.listdir(self.folder))
        out, err = self.run_command("table", "found.toml", "-o", "tables", status=1)
        self.assertEqual(out, b"")
        for word in (b"vertices 8", name.encode(), b"does not hold"):
            self.assertIn(word, err)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_bad_specs(self):
        self.refused("table", "none.toml", says="none.toml: cannot be read")
        self.refused("table", ".", says="Is a directory")
        self.refused("table", says="SPEC")
        self.write("bad.toml", SPEC.replace(b"vertices", b"vertexes"))
        self.refused("table", "bad.toml", "-o", "out",
                     says=("bad.toml:6:1: expected the key 'vertices'", "nearest: 'vertices'"))
        self.write("gone.toml", SQUARE + b'[[upper]]\nname = "x"\ncertificates = "gone.qkc"\n')
        self.refused("table", "gone.toml", "-o", "out", says=("vertices 8", "gone.qkc: cannot be read"))
        self.leaves_only("bounds.toml", "code.toml", "bad.toml", "gone.toml")

    def test_options(self):
        self.refused("table", "code.toml", says="-o DIR")
        self.refused("table", "bounds.toml", "--format", "html", says="--format")
        self.refused("table", "bounds.toml", "--format", "csv", "-o", "out", says="--format")
        self.refused("table", "bounds.toml", "-o", "", says="-o")
        self.refused("table", "a b.toml", says="'a b'")
        self.refused("table", "50%.toml", says="'50%'")
        self.leaves_only("bounds.toml", "code.toml")

    def test_folders_that_cannot_be_filled(self):
        self.refused("table", "code.toml", "-o", "bounds.toml", says="expected a folder")
        self.refused("table", "code.toml", "-o", "none/out", says=("none/out", "cannot be written"))
        os.mkdir(self.path("out"))
        os.mkdir(self.path("out/code.csv"))
        self.write("out/code.tex", b"old")
        self.refused("table", "code.toml", "-o", "out", says=("out/code.csv", "Is a directory"))
        self.assertEqual(self.read("out/code.tex"), b"old")
        self.write("out/table.json", SPEC)
        self.refused("table", "out/table.json", "-o", "out", says="would replace an input")
        self.assertEqual(self.read("out/table.json"), SPEC)
        # The records that a table is made of are not replaced, whatever the spec is called.
        records = os.path.join(command.SOURCE, "examples", "records")
        os.mkdir(self.path("kept"))
        for name in ("records.json", "permutation-m16-d8-a1-dk%d.qkc.gz"):
            with open(os.path.join(records, "records.json"), "rb") as file:
                state = file.read()
            record = json.loads(state)["cells"]["permutation-m16-d8-a1"][-1]
            name = name % record["key_dimension"] if "%" in name else name
            with open(os.path.join(records, name), "rb") as file:
                self.write("kept/" + name, file.read())
        spec = SPEC.replace(b"[8, 64]", b"16").replace(b"= 4", b"= 8") + b'[[upper]]\nname = "r"\nrecords = "."\n'
        self.write("kept/records.toml", spec)
        self.refused("table", "kept/records.toml", "-o", "kept", says=("kept/records.json", "would replace an input"))
        self.assertEqual(self.read("kept/records.json"), state)
        self.assertFalse(os.path.exists(self.path("kept/records.tex")))
        self.run_command("table", "kept/records.toml", "-o", "out2")
        if os.geteuid() != 0:
            os.mkdir(self.path("closed"), 0o555)
            self.refused("table", "code.toml", "-o", "closed", says=("closed", "Permission denied"))

    def test_interrupt_writes_nothing(self):
        long = SPEC.replace(b"[8, 64]", b"[%s]" % b", ".join(b"%d" % m for m in range(500, 2500)))
        long = long.replace(b"= 4", b"= [%s]" % b", ".join(b"%d" % d for d in range(1, 51)))
        self.write("long.toml", long)
        process, terminal = self.start_on_terminal("table", "long.toml", "-o", "out")
        self.assertIn(b"table long.toml", self.read_terminal(terminal, until=b"table long.toml"))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 2)
        self.leaves_only("bounds.toml", "code.toml", "long.toml")
