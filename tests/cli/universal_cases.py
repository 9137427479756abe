"""qkcert universal."""

from command import Case

ALL = ("universal", "--family", "permutation", "--vertices", "16", "--gaussian", "10")


class Universal(Case):
    def test_a_class_that_is_served(self):
        text = self.text(*ALL, "-o", "all.qkc")
        for said in ("permutation 16", "8 of width one serve every graph of the class", "good pairs",
                     "fewer serve no graph of the class", "D_K >= ", "heads >= "):
            self.assertIn(said, text)
        self.assertIn("recognised by 8 heads of width one", self.text("verify", "all.qkc"))
        self.assertIn("universal edge-pairs", self.text("info", "all.qkc"))
        self.leaves_only("all.qkc")
        for threads in "13":
            piped, _ = self.run_command(*ALL, "--threads", threads, "-o", "-")
            self.assertEqual(piped, self.read("all.qkc"))

    def test_json(self):
        report = self.json(*ALL)
        self.assertEqual({key: report[key] for key in ("status", "claim", "family", "vertices",
                                                       "d_model", "heads", "key_dimension", "method")},
                         {"status": "holds", "claim": "universal edge-pairs", "vertices": 16,
                          "family": "permutation 16", "d_model": 10, "heads": 8, "key_dimension": 8,
                          "method": "edge-pairs"})
        self.assertEqual([bound["name"] for bound in report["bounds"]], ["warren", "heads"])
        self.assertGreaterEqual(report["good_pairs"], 16 * (15 - report["most_unlisted"]) // 2)

    def test_edge_per_head(self):
        report = self.json("universal", "--family", "functional", "--vertices", "6", "--one-hot",
                           "--method", "edge-per-head", "-o", "all.qkc")
        self.assertEqual((report["claim"], report["heads"]), ("universal edge-per-head", 6))
        self.assertIn("6 of width one", self.text("info", "all.qkc"))

    def test_the_class_of_a_graph(self):
        self.write("ring.tsv", b"".join(b"%d\t%d\n" % (u, (u + 1) % 7) for u in range(7)))
        report = self.json("universal", "--graph", "ring.tsv", "--one-hot")
        self.assertEqual((report["family"], report["heads"]), ("derangement 7", 4))
        report = self.json("universal", "--graph", "ring.tsv", "--family", "permutation", "--one-hot")
        self.assertEqual(report["family"], "permutation 7")

    def test_too_few_good_pairs(self):
        out, err = self.run_command("universal", "--family", "permutation", "--vertices", "16",
                                    "--gaussian", "2", "-o", "all.qkc", status=1)
        self.assertEqual(out, b"")
        self.assertIn(b"some vertex is in no listed pair with", err)
        self.leaves_only()
        _, err = self.run_command("universal", "--family", "permutation", "--vertices", "4",
                                  "--embedding", "embedding.npy", "--method", "edge-per-head")
        self.assertEqual(err, b"")

    def test_what_is_refused(self):
        self.refused("universal", "--one-hot", says="a class is needed")
        self.refused(*ALL[:-2], says="an embedding is needed")
        self.refused(*ALL, "--method", "fit", says=("edge-pairs", "fit"))
        self.refused("universal", "--family", "functional", "--vertices", "6", "--one-hot",
                     says="in-degrees up to 5")
        self.refused("universal", "--family", "digraph", "--vertices", "6", "--edges", "0", "--one-hot",
                     says="no edges")
        self.refused(*ALL[:-2], "--embedding", "embedding.npy", says="embedding.npy")
        self.refused("universal", "--graph", "edges.tsv", "--embedding", "embedding.npy", "-o",
                     "edges.tsv", says="replace an input")
        self.refused(*ALL, "--threads", "x", says="--threads")
