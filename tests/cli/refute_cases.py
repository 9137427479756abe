"""qkcert refute."""

import os

import command
from command import Case, identity, npy

WIDE = ("--family", "permutation", "--vertices", "24", "--gaussian", "6")
HELD = ("--family", "permutation", "--vertices", "12", "--gaussian", "10")


class Refute(Case):
    def undecided(self, *arguments, says):
        out, err = self.run_command("refute", *arguments, status=3)
        self.assertEqual(out, b"")
        self.assertTrue(err.startswith(b"qkcert: undecided") and err.count(b"\n") == 1, err)
        self.assertIn(says, err.decode())

    def test_one_head_cannot(self):
        text = self.text("refute", *WIDE, "--single-head", "-o", "no.qkc")
        self.assertIn("no single head, of any key dimension and any real weights", text)
        self.assertIn("threshold-sum with any number", text)
        self.assertIn("no single head", self.text("verify", "no.qkc"))
        report = self.json("refute", *WIDE, "--single-head", "--sparse")
        self.assertEqual(report["claim"], "impossibility single-head")
        self.assertLessEqual(report["edge_multipliers"] + report["nonedge_multipliers"], 38)

    def test_one_head_can(self):
        report = self.json("refute", *HELD, "--single-head", "-o", "yes.qkc")
        self.assertEqual(report["claim"], "recovery")
        self.assertEqual(report["heads"], 1)
        self.assertLessEqual(report["head_widths"][0], 10)
        self.assertIn("recovery", self.text("verify", "yes.qkc"))

    def test_the_same_seed_gives_the_same_bytes(self):
        once = self.run_command("refute", *WIDE, "--single-head", "--sparse", "-o", "-")[0]
        again = self.run_command("refute", *WIDE, "--single-head", "--sparse", "--threads", "2",
                                 "-o", "-")[0]
        self.assertEqual(once, again)

    def test_an_edge_beyond_every_head(self):
        self.write("mean.npy", npy([[2, 0], [1, 1], [0, 2]]))
        self.write("mean.tsv", b"0 1\n2 0\n")
        text = self.text("refute", "--graph", "mean.tsv", "--embedding", "mean.npy", "--any-heads")
        self.assertIn("any number of heads", text)
        self.undecided(*HELD, "--any-heads", says="of the edges 12 held by some head, 0 undecided")

    def test_least_heads(self):
        report = self.json("refute", "--family", "permutation", "--vertices", "24", "--gaussian", "3",
                           "--min-heads", "-o", "heads.qkc")
        self.assertEqual(report["claim"], "bound heads-clique")
        self.assertGreaterEqual(report["least_heads"], 3)
        self.assertIn("a lower bound only", self.text("verify", "heads.qkc"))
        self.undecided("--graph", "edges.tsv", "--one-hot", "--min-heads", says="no lower bound")

    def test_narrow_heads(self):
        rows = [[0, 1], [-1, -1], [-2, -2], [3, 2]]
        edges = b"0 0\n0 3\n1 0\n1 1\n1 2\n1 3\n2 1\n2 2\n3 0\n3 1\n3 2\n"
        self.write("narrow.npy", npy(rows))
        self.write("narrow.tsv", edges)
        narrow = ("refute", "--graph", "narrow.tsv", "--embedding", "narrow.npy")
        self.assertEqual(self.json(*narrow, "--single-head")["claim"], "recovery")
        report = self.json(*narrow, "--width", "1", "--weight-max", "1")
        self.assertEqual((report["claim"], report["width"], report["weight_max"]),
                         ("impossibility narrow-head", 1, 1))
        self.assertEqual(self.json(*narrow, "--width", "2", "--weight-max", "1000")["claim"],
                         "recovery")
        self.assertEqual(self.json("refute", *WIDE, "--width", "2", "--weight-max", "3")["claim"],
                         "impossibility single-head")

    def test_the_shared_samples(self):
        for name, claim in (("single-head-impossible-12-4", "impossibility single-head"),
                            ("single-head-impossible-24-6", "impossibility single-head"),
                            ("onehot-code-8", "recovery")):
            with open(os.path.join(command.SOURCE, "tests", "corpus", "certificates", "valid",
                                   name + ".qkc"), encoding="ascii") as file:
                lines = file.read().splitlines()
            edges = int(lines[2].split()[2])
            d_model = int(lines[3 + edges].split()[2])
            rows = [list(map(int, line.split())) for line in lines[4 + edges:4 + edges
                                                                  + int(lines[2].split()[1])]]
            self.assertEqual(len(rows[0]), d_model)
            self.write("sample.npy", npy(rows))
            self.write("sample.tsv", "\n".join(lines[3:3 + edges]).encode() + b"\n")
            report = self.json("refute", "--graph", "sample.tsv", "--embedding", "sample.npy",
                               "--single-head")
            self.assertEqual(report["claim"], claim)

    def test_no_time_is_undecided(self):
        self.undecided(*WIDE, "--single-head", "--budget", "0", says="budget")

    def test_one_question(self):
        self.refused("refute", *WIDE, says="one question")
        self.refused("refute", *WIDE, "--single-head", "--any-heads", says="one question")
        self.refused("refute", *WIDE, "--width", "2", says="--weight-max")
        self.refused("refute", *WIDE, "--width", "0", "--weight-max", "1", says="--width")
        self.refused("refute", "--family", "permutation", "--vertices", "5", "--embedding",
                     "embedding.npy", "--single-head", says="rows")
        self.assertEqual(self.read("embedding.npy"), npy(identity(4)))
