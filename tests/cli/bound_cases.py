"""qkcert bound."""

from command import PERMUTATION, Case


class Bound(Case):
    def test_text(self):
        text = self.text("bound", "--family", "permutation", "--vertices", "512", "--d-model", "100")
        self.assertIn("D_K >= 3 (counting, class permutation 512, d_model 100, |weight| <= 127)",
                      text)
        self.assertIn("bounds the class and not one chosen graph", text)

    def test_json(self):
        report = self.json("bound", "--family", "permutation", "--vertices", "512", "--d-model",
                           "100", "--weight-max", "1", "-o", "bound.qkc")
        self.assertEqual(list(report), ["status", "claim", "family", "d_model", "weight_max",
                                        "lower_bound", "lower_bound_method", "certificate",
                                        "sha256", "bounds"])
        self.assertEqual(report["status"], "holds")
        self.assertEqual(report["claim"], "bound counting")
        self.assertEqual(report["family"], "permutation 512")
        # log2(512!) = 3875.3 and 2·100·log2(3) = 316.99: 12.23 of them.
        self.assertEqual(report["lower_bound"], 13)
        self.assertEqual(report["lower_bound_method"], "counting")
        self.assertEqual(report["certificate"], "bound.qkc")

    def test_certificate(self):
        arguments = ("bound", *PERMUTATION, "--d-model", "4", "--weight-max", "7")
        self.text(*arguments, "-o", "bound.qkc")
        piped, summary = self.run_command(*arguments, "-o", "-")
        self.assertEqual(piped, self.read("bound.qkc"))
        self.assertIn(b"D_K >= ", summary)
        self.assertIn("bound counting", self.text("verify", "bound.qkc"))
        self.leaves_only("bound.qkc")

    def test_a_class_needs_its_arguments(self):
        self.refused("bound", *PERMUTATION, says="--d-model")
        self.refused("bound", *PERMUTATION, "--d-model", "4", "--graph-seed", "1",
                     says="--graph-seed")

    def test_the_class_of_a_graph(self):
        of_graph = ("bound", "--graph", "edges.tsv", "--d-model", "4")
        self.assertEqual(self.json(*of_graph)["family"], "matching 4 2")
        self.assertEqual(self.json(*of_graph, "--family", "permutation")["family"], "permutation 4")
        self.write("star.tsv", b"0 1\n0 2\n")
        self.assertEqual(self.json("bound", "--graph", "star.tsv", "--d-model", "4", "--vertices",
                                   "4")["family"], "out-degrees 4 2 0 0 0")
        self.assertEqual(self.json(*of_graph, "--family", "digraph-loops")["family"],
                         "digraph-loops 4 4")
        self.refused(*of_graph, "--family", "out-regular", "--degree", "1", says="--degree")
        self.refused(*of_graph, "--family", "permutation", "--vertices", "5", says="permutation")

    def test_a_class_with_many_arguments_is_named_shortly(self):
        self.write("star.tsv", b"0 1\n0 2\n")
        text = self.text("bound", "--graph", "star.tsv", "--d-model", "4", "--vertices", "40")
        self.assertIn("class out-degrees of 40 vertices", text)

    def test_the_output_is_no_input(self):
        before = self.read("edges.tsv")
        self.refused("bound", "--graph", "edges.tsv", "--d-model", "4", "-o", "./edges.tsv",
                     says="replace an input")
        self.assertEqual(self.read("edges.tsv"), before)

    def test_all_bounds(self):
        bounds = {bound["name"]: bound for bound in self.json(
            "bound", "--family", "permutation", "--vertices", "64", "--d-model", "2")["bounds"]}
        self.assertEqual(bounds["warren"]["lower_bound"], 5)
        self.assertEqual(bounds["warren-ranks"]["lower_bound"], 7)
        self.assertTrue(bounds["warren-ranks"]["strongest"])
        self.assertEqual(bounds["heads"]["lower_bound_heads"], 7)
        self.assertIn("failure-bits", bounds["counting-random"]["reason"])
        text = self.text("bound", "--family", "permutation", "--vertices", "2", "--d-model", "100")
        self.assertIn("does not apply: there is no Warren bound", text)

    def test_unit_heads_of_one_graph(self):
        self.write("path.tsv", b"0 1\n1 2\n2 3\n3 4\n4 0\n")
        arguments = ("bound", "--graph", "path.tsv", "--d-model", "4")
        bounds = {bound["name"]: bound for bound in self.json(*arguments)["bounds"]}
        self.assertEqual(bounds["unit-heads"]["lower_bound"], 3)
        text = self.text(*arguments, "--bound", "unit-heads", "-o", "unit.qkc")
        self.assertIn("h >= 3 heads of width one", text)
        self.assertNotIn("not one chosen graph", text)
        self.assertIn("bound unit-heads", self.text("verify", "unit.qkc"))
        self.refused("bound", "--family", "permutation", "--vertices", "5", "--d-model", "4",
                     "--bound", "unit-heads", says="it speaks of one graph")

    def test_margin(self):
        arguments = ("bound", "--family", "permutation", "--vertices", "100", "--d-model", "20",
                     "--edge-ratio", "1", "--nonedge-ratio", "0.1")
        bounds = {bound["name"]: bound for bound in self.json(*arguments)["bounds"]}
        self.assertEqual(bounds["margin"]["nonedge_ratio"], [1, 10])
        self.assertGreaterEqual(bounds["margin"]["lower_bound"], 50)  # t = 1: 100/(1 + 99/100)
        self.text(*arguments, "--bound", "margin", "-o", "margin.qkc")
        self.assertIn("bound margin", self.text("verify", "margin.qkc"))
        self.refused(*arguments[:-2], "--bound", "margin", says="it needs the margin")
        self.refused(*arguments[:-1], "1e-1", says="--nonedge-ratio")

    def test_one_bound(self):
        for name in ("counting", "counting-random", "counting-columns", "warren", "warren-ranks",
                     "single-head-class", "heads"):
            arguments = ("bound", "--family", "permutation", "--vertices", "64", "--d-model", "2",
                         "--failure-bits", "10", "--bound", name)
            report = self.json(*arguments, "-o", "bound.qkc")
            self.assertNotIn("bounds", report)
            self.assertTrue(report["claim"].endswith(" " + name))
            self.assertIn(report["claim"], self.text("verify", "bound.qkc"))
        self.refused("bound", *PERMUTATION, "--d-model", "2", "--bound", "best", says="--bound")
        self.refused("bound", "--family", "permutation", "--vertices", "2", "--d-model", "100",
                     "--bound", "warren", says="no Warren bound")
        self.refused("bound", *PERMUTATION, "--d-model", "2", "--failure-bits", "-1",
                     says="--failure-bits")
