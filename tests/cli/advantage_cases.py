"""qkcert advantage."""

import os

from command import PERMUTATION, Case

PAIR = ("advantage", "--family", "permutation", "--vertices", "24", "--gaussian", "6", "--method",
        "fit", "--heads", "4", "--head-dim", "2")
CLASS = ("advantage", "--class", "permutation", "--vertices", "11", "--d-model", "2")


class Advantage(Case):
    def test_of_a_class(self):
        text = self.text(*CLASS, "-o", "class.qkc")
        self.assertIn("at most 8502671 graphs of the class, on every embedding of d_model 2", text)
        self.assertIn("11 heads of width one", text)
        self.assertIn("8502671 of its 39916800 graphs", self.text("verify", "class.qkc"))
        self.leaves_only("class.qkc")
        piped, _ = self.run_command(*CLASS, "-o", "-")
        self.assertEqual(piped, self.read("class.qkc"))

    def test_json_of_a_class(self):
        report = self.json("advantage", "--class", "out-regular", "--vertices", "6", "--degree", "2",
                           "--d-model", "2")
        self.assertEqual({key: report[key] for key in ("status", "claim", "family", "heads",
                                                       "class_size", "single_head_graphs")},
                         {"status": "holds", "claim": "advantage class", "family": "out-regular 6 2",
                          "heads": 12, "class_size": 1000000, "single_head_graphs": 59536})
        self.assertEqual(self.json("advantage", "--class", "digraph-loops", "--vertices", "4",
                                   "--edges", "8", "--d-model", "2")["single_head_graphs"], 3882)

    def test_a_class_that_may_be_served(self):
        self.refused("advantage", "--class", "permutation", "--vertices", "10", "--d-model", "2",
                     says="does not exclude")
        self.refused(*CLASS[:-2], says="--d-model")
        self.refused(*CLASS, "--gaussian", "2", says="--gaussian")
        self.refused(*CLASS, "--degree", "2", says="--degree")
        self.refused("advantage", "--class", "nonsense", "--vertices", "4", "--d-model", "2",
                     says="nonsense")
        self.refused("advantage", *PERMUTATION, "--one-hot", "--d-model", "4", says="--class")

    def test_of_a_graph(self):
        text = self.text(*PAIR, "-o", "pair")
        self.assertIn("pair-single.qkc: impossibility: 24 vertices", text)
        self.assertIn("pair-heads.qkc: recovery: 24 vertices", text)
        self.assertIn("same graph and embedding", text)
        self.leaves_only("pair-single.qkc", "pair-heads.qkc")
        self.text("verify", "pair-single.qkc", "pair-heads.qkc")
        inputs = [self.read(name).split(b"\n")[2:2 + 1 + 24 + 1 + 24]
                  for name in ("pair-single.qkc", "pair-heads.qkc")]
        self.assertEqual(*inputs)

    def test_a_single_head_that_does(self):
        out, err = self.run_command("advantage", "--graph", "edges.tsv", "--embedding",
                                    "embedding.npy", "-o", "pair", status=1)
        self.assertEqual(out, b"")
        self.assertIn(b"a single head recognises this graph: recovery: 4 vertices", err)
        self.leaves_only()

    def test_several_heads_that_are_not_found(self):
        out, err = self.run_command(*PAIR[:-4], "--heads", "2", "--head-dim", "1", "--budget", "0.2",
                                    "-o", "pair", status=3)
        self.assertEqual(out, b"")
        self.assertIn(b"no single head recognises this graph, but no channel of several", err)
        self.leaves_only()

    def test_paths(self):
        self.refused(*PAIR, "-o", "-", says="two files")
        self.refused(*PAIR[:-4], "--heads", "1", says="two heads")
        self.refused(*PAIR, "-o", "none/pair", says="none/pair")
        self.write("x-single.qkc", b"0 1\n")
        self.refused("advantage", "--graph", "x-single.qkc", "--one-hot", "-o", "x",
                     says="replace an input")
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["edges.tsv", "embedding.npy", "x-single.qkc"])
