"""qkcert plot."""

import json
import os
import shutil
from fractions import Fraction

from command import Case, corpus


class Plot(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("some"))
        for m in ("8", "16", "32"):
            self.text("construct", "--family", "permutation", "--vertices", m, "--one-hot", "--method",
                      "onehot-code", "-o", f"some/code-{m}.qkc.gz")
        self.text("construct", "--family", "permutation", "--vertices", "16", "--one-hot", "--method",
                  "edge-per-head", "-o", "some/edge-16.qkc")

    def spoil(self):
        shutil.copy(corpus("invalid")[0], self.path("some/bad.qkc"))

    def test_bounds(self):
        plot = self.json("plot", "bounds", "some", "--family", "permutation", "--d-model", "16", "--vertices",
                         "16,64", "-o", "a.svg")
        self.assertEqual(list(plot), ["kind", "family", "d_model", "weight_max", "output", "cells", "refused"])
        self.assertEqual((plot["kind"], plot["d_model"], plot["weight_max"], plot["refused"]),
                         ("bounds", 16, 127, []))
        with_certificate, without = plot["cells"]
        self.assertEqual([with_certificate["vertices"], without["vertices"]], [16, 64])
        self.assertEqual(with_certificate["certificate"], "some/code-16.qkc.gz")  # edge-16 has D_K 16
        self.assertEqual((without["key_dimension"], without["certificate"], without["sha256"]), (None,) * 3)
        for cell in plot["cells"]:
            for bound in cell["lower_bounds"]:
                alone = self.json("bound", "--family", "permutation", "--vertices", str(cell["vertices"]),
                                  "--d-model", "16", "--bound", bound["name"])
                self.assertEqual(bound["lower_bound"], alone["lower_bound"], bound)
        text = self.read("a.svg").decode()
        for part in ("number of vertices m", "total key dimension D_K (dimensions)", "counting", "certified D_K"):
            self.assertIn(part, text)

    def test_bounds_at_the_certificates(self):
        text = self.text("plot", "bounds", "some", "--family", "permutation", "--d-model", "32", "-o", "a.pdf")
        self.assertRegex(text, r"\n32 .* some/code-32.qkc.gz\n$")
        self.assertTrue(self.read("a.pdf").startswith(b"%PDF"))

    def test_ratio(self):
        plot = self.json("plot", "ratio", "some", "--family", "permutation", "-o", "a.svg")
        self.assertEqual([(cell["vertices"], cell["d_model"]) for cell in plot["cells"]],
                         [(8, 8), (16, 16), (32, 32)])
        for cell in plot["cells"]:
            self.assertEqual(Fraction(*cell["ratio"]), Fraction(cell["key_dimension"], cell["lower_bound"]))
        self.assertIn("D_K / lower bound", self.read("a.svg").decode().replace("certified ", ""))

    def test_histogram(self):
        plot = self.json("plot", "histogram", "some/code-16.qkc.gz", "--bins", "7", "-o", "a.svg")
        info = self.json("info", "some/code-16.qkc.gz")
        self.assertEqual((plot["threshold"], plot["sha256"]), (info["threshold"], info["sha256"]))
        self.assertLessEqual(len(plot["bins"]), 7)
        self.assertEqual(sum(each["edges"] for each in plot["bins"]), 16)
        self.assertEqual(sum(each["nonedges"] for each in plot["bins"]), 16 * 15)
        for each in plot["bins"]:  # τ is a border
            self.assertEqual(each["above"] >= plot["threshold"] and each["nonedges"], 0)
            self.assertEqual(each["above"] < plot["threshold"] and each["edges"], 0)
        self.assertIn("threshold τ", self.read("a.svg").decode())
        self.assertRegex(self.text("plot", "histogram", "some/code-16.qkc.gz", "-o", "b.svg"), r"above, edges")

    def test_same_bytes_each_time(self):
        for kind in (("bounds", "some", "--family", "permutation", "--d-model", "16"),
                     ("ratio", "some", "--family", "permutation"), ("histogram", "some/code-32.qkc.gz")):
            for ending in ("svg", "pdf"):
                outputs = []
                for threads in ("1", "3"):
                    self.text("plot", *kind, "--threads", threads, "-o", f"a.{ending}")
                    outputs.append(self.read(f"a.{ending}"))
                self.assertEqual(*outputs)

    def test_what_does_not_hold_is_left_out(self):
        self.spoil()
        out, err = self.run_command("plot", "ratio", "some", "--family", "permutation", "-o", "a.svg", "--json",
                                    status=1)
        self.assertTrue(err.startswith(b"refused: some/bad.qkc: "), err)
        plot = json.loads(out)
        self.assertEqual([each["certificate"] for each in plot["refused"]], ["some/bad.qkc"])
        self.assertEqual(len(plot["cells"]), 3)
        self.assertTrue(os.path.exists(self.path("a.svg")))
        out, err = self.run_command("plot", "histogram", "some/bad.qkc", "-o", "b.svg", status=1)
        self.assertEqual(out, b"")
        self.assertFalse(os.path.exists(self.path("b.svg")))

    def test_refused(self):
        ratio = ("plot", "ratio", "some", "--family", "permutation")
        self.refused("plot", says="KIND")
        self.refused("plot", "pie", "some", says="pie")
        self.refused(*ratio, says="-o FILE.svg")
        self.refused(*ratio, "-o", "a.png", says="a.png")
        self.refused(*ratio, "-o", "none/a.svg", says="none/a.svg")
        self.refused("plot", "ratio", "some", "-o", "a.svg", says="--family")
        self.refused("plot", "ratio", "--family", "permutation", "-o", "a.svg", says="DIR")
        self.refused("plot", "ratio", "none", "--family", "permutation", "-o", "a.svg", says="none: ")
        self.refused(*ratio, "--d-model", "4", "-o", "a.svg", says="d_model")
        self.refused(*ratio, "--bins", "4", "-o", "a.svg", says="--bins")
        self.refused("plot", "ratio", "some", "--family", "matching", "-o", "a.svg", says="of this family")
        self.refused("plot", "bounds", "some", "--family", "permutation", "-o", "a.svg", says="--d-model")
        self.refused("plot", "bounds", "some", "--family", "permutation", "--d-model", "7", "-o", "a.svg",
                     says="no certificate")
        self.refused("plot", "bounds", "--family", "permutation", "--d-model", "7", "--vertices", "8,x", "-o",
                     "a.svg", says="--vertices")
        self.refused("plot", "histogram", "some", "-o", "a.svg", says="found 4")
        self.refused("plot", "histogram", "some/edge-16.qkc", "--family", "permutation", "-o", "a.svg",
                     says="alone")
        bound = [path for path in corpus("valid") if "bound-permutation-512" in path]
        self.refused("plot", "histogram", *bound, "-o", "a.svg", says="of a channel")
        os.mkdir(self.path("empty"))
        self.refused("plot", "ratio", "empty", "--family", "permutation", "-o", "a.svg", says="found none")
        environment = dict(os.environ, PATH="/dev/null")
        self.refused(*ratio, "-o", "a.svg", says=("gnuplot", "gnuplot-nox"), env=environment)
        self.leaves_only("some", "empty")
