"""qkcert info."""

from command import CODE, PERMUTATION, Case, corpus


class Info(Case):
    def test_inputs(self):
        arguments = ("info", "--graph", "edges.tsv", "--embedding", "embedding.npy")
        self.assertEqual(self.json(*arguments),
                         {"vertices": 4, "edges": 4, "loops": 0, "max_out_degree": 1,
                          "max_in_degree": 1, "narrowest_family": "matching 4 2", "rows": 4,
                          "d_model": 4, "scale": 0, "entry_bits": 1, "one_hot": True})
        text = self.text(*arguments)
        for words in ("4 vertices, 4 edges (0 loops)", "matching 4 2", "4 × 4"):
            self.assertIn(words, text)

    def test_drawn_inputs(self):
        facts = self.json("info", *PERMUTATION, "--gaussian", "5", "--embedding-bits", "9")
        self.assertEqual((facts["vertices"], facts["rows"], facts["d_model"], facts["scale"]),
                         (16, 16, 5, -9))
        self.assertLessEqual(facts["entry_bits"], 10)
        self.assertEqual(self.json("info", "--one-hot", "--vertices", "7")["rows"], 7)

    def test_certificate(self):
        self.run_command(*CODE, "-o", "code.qkc")
        report = self.json("info", "code.qkc")
        self.assertEqual((report["status"], report["claim"], report["key_dimension"]),
                         (None, "recovery", 4))
        self.assertEqual(self.json("info", "-", stdin=self.read("code.qkc")),
                         {**report, "certificate": "-"})
        self.assertIn("1 head × 4", self.text("info", "code.qkc"))

    def test_every_claim(self):
        for path in corpus("valid"):
            self.assertIn("claim  ", self.text("info", path))
            self.assertIsNone(self.json("info", path)["status"])

    def test_a_false_claim_is_described_and_not_decided(self):
        false = [path for path in corpus("invalid") if path.endswith("extremes-off-by-one.qkc")][0]
        self.assertIsNone(self.json("info", false)["status"])

    def test_unreadable(self):
        self.refused("info", says="nothing to describe")
        self.refused("info", "none.qkc", says="none.qkc")
        self.refused("info", "edges.tsv", says="edges.tsv: line 1")

    def test_a_certificate_stands_alone(self):
        self.run_command(*CODE, "-o", "code.qkc")
        for options in (("--graph", "edges.tsv"), ("--vertices", "4"), PERMUTATION, ("--one-hot",),
                        ("--gaussian", "4"), ("--embedding", "embedding.npy")):
            self.refused("info", "code.qkc", *options, says="CERTIFICATE")
        self.refused("info", "code.qkc", "code.qkc")

    def test_rows_need_a_number(self):
        self.refused("info", "--one-hot", says="--vertices")
        self.refused("info", "--gaussian", "4", says="--vertices")
