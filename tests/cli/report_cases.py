"""qkcert report: the file and its errors; tests/page-test.py opens it in a browser."""

import hashlib
import json
import os
import shutil

import command
from command import CODE, Case, corpus


class Report(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("some"))
        self.text(*CODE, "-o", "some/code.qkc.gz")

    def test_json(self):
        shutil.copy(corpus("invalid")[0], self.path("some/bad.qkc"))
        self.write("some/notes.txt", b"no certificate")
        out, err = self.run_command("report", "some", "-o", "page.html", "--json", status=1)
        page = json.loads(out)
        self.assertEqual(list(page), ["page", "bytes", "sha256", "holding", "refusals", "records", "plots",
                                      "certificates", "faults"])
        bytes = self.read("page.html")
        self.assertEqual((page["bytes"], page["sha256"]), (len(bytes), hashlib.sha256(bytes).hexdigest()))
        self.assertEqual((page["holding"], page["refusals"], page["plots"], page["faults"]), (1, 1, 1, []))
        self.assertEqual([each["status"] for each in page["certificates"]], ["does not hold", "holds"])
        self.assertEqual(page["certificates"][1], self.json("verify", "some/code.qkc.gz"))
        self.assertTrue(err.startswith(b"refused: some/bad.qkc: "), err)

    def test_text_and_standard_output(self):
        self.assertRegex(self.text("report", "some/", "-o", "page.html"), r"^page.html: 1 certificates hold, 0 refused")
        out, err = self.run_command("report", "some", "-o", "-")
        self.assertEqual(out, self.read("page.html"))
        self.assertTrue(err.startswith(b"-: 1 certificates hold"))
        self.assertIn(b"<title>Certificates of some</title>", out)
        self.assertIn(b"no names are known for this graph", out)

    def test_every_claim(self):
        for path in corpus("valid"):
            shutil.copy(path, self.path("some"))
        page = self.json("report", "some", "-o", "page.html")
        self.assertEqual((page["holding"], page["refusals"]), (len(corpus("valid")) + 1, 0))

    def test_records(self):
        source = os.path.join(command.SOURCE, "examples", "records")
        names = ["records.json", "permutation-m16-d8-a127-dk3.qkc.gz", "permutation-m32-d16-a127-dk3.qkc.gz"]
        for name in names:
            shutil.copy(os.path.join(source, name), self.path("some"))
        os.unlink(self.path("some/code.qkc.gz"))
        page, _ = self.run_command("report", "some", "-o", "page.html", "--json", status=1)
        page = json.loads(page)
        self.assertEqual((page["holding"], page["records"]), (2, 53))
        self.assertEqual(page["refusals"], 53 - 2 - 4)  # missing ones, but for cells whose graph is not here
        text = self.read("page.html").decode()
        self.assertIn("4 (0.1.0, 2026-11-30) → 3 (0.1.0, 2026-11-30)", text)
        self.assertEqual(text.count("not compared: "), 4)
        self.assertEqual(text.count("no record yet"), 6)
        self.write("some/records.json", b"{}\n")
        page, err = self.run_command("report", "some", "-o", "page.html", "--json", status=1)
        self.assertIn(b"refused: some/records.json", err)
        self.assertEqual(len(json.loads(page)["faults"]), 1)

    def test_words(self):
        self.write("graph.tsv", b"cold\thot\nhot\tcold\n")
        self.write("names.txt", b"cold\nhot\n")
        self.text("construct", "--graph", "graph.tsv", "--vertex-names", "names.txt", "--one-hot", "--method",
                  "onehot-code", "-o", "some/words.qkc")
        self.text("report", "some", "--graph", "graph.tsv", "--vertex-names", "names.txt", "-o", "page.html")
        self.assertIn("<bdi>hot</bdi> → <bdi>cold</bdi>", self.read("page.html").decode())
        self.write("some/edges.tsv", b"1\t0\n0\t1\n")
        self.write("some/vertices.txt", b"a\nb\n")
        self.text("report", "some", "-o", "page.html")
        self.assertIn("<bdi>a</bdi> → <bdi>b</bdi>", self.read("page.html").decode())
        self.write("some/edges.tsv", b"1\t1\n0\t1\n")  # another graph: no words
        self.text("report", "some", "-o", "page.html")
        self.assertNotIn("<bdi>", self.read("page.html").decode())
        self.write("some/vertices.txt", b"a\na\n")
        _, err = self.run_command("report", "some", "-o", "page.html", status=1)
        self.assertIn(b"vertices.txt", err)

    def test_limits_are_said(self):
        self.text("report", "some", "--pairs", "3", "--contexts", "5", "-o", "page.html")
        text = self.read("page.html").decode()
        for part in ("5 of 16 vertices with edges shown", "3 of 16 edges shown", "3 of 240 pairs shown"):
            self.assertIn(part, text)

    def test_refused(self):
        self.refused("report", says="DIR")
        self.refused("report", "some", says="-o FILE.html")
        self.refused("report", "none", "-o", "page.html", says="none: expected a folder, found nothing")
        self.refused("report", "edges.tsv", "-o", "page.html", says="found a file")
        self.refused("report", "some", "-o", "some/code.qkc.gz", says="ends in .html")
        self.refused("report", "some", "-o", "none/page.html", says="none/page.html")
        self.refused("report", "some", "--graph", "edges.tsv", "-o", "page.html", says="--vertex-names")
        self.refused("report", "some", "--graph", "none", "--vertex-names", "none", "-o", "page.html", says="none")
        os.mkdir(self.path("empty"))
        self.refused("report", "empty", "-o", "page.html", says="found neither")
        environment = dict(os.environ, PATH="/dev/null")
        self.refused("report", "some", "-o", "page.html", says=("gnuplot", "gnuplot-nox"), env=environment)
        self.leaves_only("some", "empty")
