"""qkcert softmax."""

import json
import struct

from command import BAD_NUMBERS, CODE, PERMUTATION, Case
from verify_cases import sealed

HERE = ("softmax", *PERMUTATION, "--one-hot", "--method", "onehot-code")


class Softmax(Case):
    def test_a_certificate_of_a_channel(self):
        self.run_command(*CODE, "-o", "channel.qkc")
        text = self.text("softmax", "channel.qkc", "--beta", "3/2", "--context-size", "8", "-o", "s.qkc")
        for said in ("softmax-recovery", "1 head × 4", "τ = 3, β = 3/2, θ = 1/2", "up to 8 vertices"):
            self.assertIn(said, text)
        self.assertIn("in every context of up to 8 vertices", self.text("verify", "s.qkc"))
        self.assertIn("softmax-recovery", self.text("info", "s.qkc"))
        # The softmax certificate is one of a channel, too; decimals and ratios say the same.
        for name, beta in (("t.qkc.gz", "1.5"), ("t.qkc", "6/4")):
            self.text("softmax", "s.qkc", "--beta", beta, "--context-size", "8", "-o", name)
        self.assertEqual(self.read("t.qkc"), self.read("s.qkc"))
        self.assertIn("beta 3/2", self.text("verify", "t.qkc.gz"))

    def test_the_same_bytes_for_any_threads(self):
        for threads in "123":
            self.text(*HERE, "--find-beta", "--threads", threads, "-o", threads + ".qkc")
            self.assertEqual(self.read(threads + ".qkc"), self.read("1.qkc"))

    def test_the_least_beta(self):
        report = self.json(*HERE, "--find-beta", "--grid-bits", "6")
        self.assertEqual((report["status"], report["claim"], report["context_size"]),
                         ("holds", "softmax-recovery", 16))
        top, bottom = report["least_beta"]
        self.assertEqual(report["beta"], [top, bottom])
        steps = top * 64 // bottom
        self.assertEqual(self.run_command(*HERE, "--beta", f"{steps}/64")[1], b"")
        _, err = self.run_command(*HERE, "--beta", f"{steps - 1}/64", status=1)
        self.assertIn(b"has a weight of at most theta in every head", err)
        closed = report["closed_form_beta"]
        self.assertGreaterEqual(closed[0] * bottom, top * closed[1])
        self.text(*HERE, "--beta", f"{closed[0]}/{closed[1]}")

    def test_the_closed_form_may_not_apply(self):
        # The greatest non-edge scores τ itself: γ = 0.
        text = self.text("softmax", "--family", "functional", "--vertices", "5", "--one-hot", "--method",
                         "edge-per-head", "--find-beta")
        self.assertIn("closed form  does not apply", text)

    def test_all_theta(self):
        report = self.json(*HERE, "--beta", "2", "--find-theta", "--grid-bits", "5")
        low, high = (n * 32 // d for n, d in (report["least_theta"], report["greatest_theta"]))
        works = [self.run_command(*HERE, "--beta", "2", "--theta", f"{i}/32", status=None)[0] != b""
                 for i in range(1, 32)]
        self.assertEqual(works, [low <= i <= high for i in range(1, 32)])
        _, err = self.run_command(*HERE, "--beta", "1/100", "--find-theta", status=1)
        self.assertIn(b"no theta of j/2^10 works", err)

    def test_another_threshold(self):
        self.run_command(*CODE, "-o", "channel.qkc")
        _, err = self.run_command("softmax", "channel.qkc", "--beta", "2", "--threshold", "-9", status=1)
        self.assertIn(b"the non-edge (0, 0) has a weight above theta in head 0", err)
        out, _ = self.run_command("softmax", "channel.qkc", "--threshold", "9", "--json", status=1)
        self.assertIn(b'"status":"does not hold"', out)
        self.leaves_only("channel.qkc")

    def test_no_beta(self):
        self.run_command(*CODE, "-o", "channel.qkc")
        _, err = self.run_command("softmax", "channel.qkc", "--threshold", "9", "--find-beta",
                                  "--grid-bits", "1", status=1)
        self.assertIn(b"no beta of 2^j/2^1 up to 2^16 works", err)

    def test_what_is_refused(self):
        self.run_command(*CODE, "-o", "channel.qkc")
        self.run_command("bound", *PERMUTATION, "--d-model", "4", "-o", "bound.qkc")
        self.refused("softmax", says="a certificate is needed")
        self.refused("softmax", "bound.qkc", says=("certificate of a channel", "bound counting"))
        self.refused("softmax", "channel.qkc", "--one-hot", says="give no others")
        self.refused("softmax", "channel.qkc", "-o", "channel.qkc", says="replace an input")
        self.refused("softmax", "missing.qkc", says="missing.qkc")
        self.refused("softmax", "channel.qkc", "--theta", "1", says="below 1")
        self.refused("softmax", "channel.qkc", "--beta", "1", "--find-beta", says="--find-beta")
        self.refused("softmax", "channel.qkc", "--context-size", "1", says="--context-size")
        self.refused("softmax", *HERE[1:-1], "signature", "--heads", "1", "--head-dim", "1",
                     says="not separated")
        for bad in (*(bad for bad in BAD_NUMBERS if bad != "5.0"), "0", "1/0", "1/-2", "1/02", "/", "1//2", "-1/2"):
            self.refused("softmax", "channel.qkc", "--beta=" + bad, says="--beta")
        for bad in ("1.0", "+1", "", "x", "-0", "01"):
            self.refused("softmax", "channel.qkc", "--threshold=" + bad, says="--threshold")


class Contexts(Case):
    LIST = b"# sources 0 to 3\n0 1\t2\n\n3 2\r\n  15  \n"

    def setUp(self):
        super().setUp()
        self.run_command(*CODE, "-o", "channel.qkc")
        self.write("list.txt", self.LIST)

    def test_the_pairs_that_contexts_cover(self):
        text = self.text("verify", "channel.qkc", "--contexts", "list.txt")
        # 3², 2² and 1 pairs, of which (2, 2) lies in two contexts.
        self.assertIn("in each of the 3 contexts given, which cover 13 of the 256 pairs", text)
        report = self.json("verify", "channel.qkc", "--contexts", "list.txt")
        self.assertEqual((report["status"], report["contexts"], report["covered_pairs"]), ("holds", 3, 13))

    def test_softmax_in_contexts(self):
        cold = ("softmax", "channel.qkc", "--beta", "7/8")
        self.run_command(*cold, status=1)
        text = self.text(*cold, "--contexts", "list.txt")
        self.assertIn("softmax-recovery", text)
        self.assertIn("which cover 13 of the 256 pairs", text)
        self.assertEqual(self.json(*cold, "--contexts", "list.txt")["covered_pairs"], 13)
        out, err = self.run_command(*cold[:2], "--beta", "1/100", "--contexts", "all.txt", status=2)
        self.assertIn(b"all.txt", err)
        self.write("all.txt", b" ".join(b"%d" % v for v in range(16)))
        out, err = self.run_command(*cold[:2], "--beta", "1/100", "--contexts", "all.txt", status=1)
        self.assertIn(b"has a weight of at most theta in every head in context 1 of the list", err)
        self.run_command("softmax", "channel.qkc", "--beta", "2", "-o", "s.qkc")
        self.assertIn("13 of the 256 pairs", self.text("verify", "s.qkc", "--contexts", "list.txt"))

    def test_what_is_refused(self):
        for content, says in ((b"0 16\n", ("line 1", "vertices below 16", "16")),
                              (b"0\n1 1\n", ("line 2", "1 twice")),
                              (b"0 -1\n", ("line 1", "-1")), (b"0 01\n", ("line 1", "01")),
                              (b"0 # one\n", ("line 1", "#")), (b"0,1\n", ("line 1", "0,1"))):
            self.write("bad.txt", content)
            for verb in ("verify", "softmax"):
                self.refused(verb, "channel.qkc", "--contexts", "bad.txt", says=("bad.txt", *says))
        self.run_command("bound", *PERMUTATION, "--d-model", "4", "-o", "bound.qkc")
        self.refused("verify", "bound.qkc", "--contexts", "list.txt", says="bound counting")
        self.refused("verify", "channel.qkc", "--contexts", "missing.txt", says="missing.txt")
        self.refused("softmax", "channel.qkc", "--contexts", "list.txt", "--find-beta", says="--find-beta")
        self.refused("softmax", "channel.qkc", "--contexts", "list.txt", "-o", "s.qkc", says="-o")


class HeadsInTurns(Case):
    """Every context of three is recovered, and no single head recovers the edge (0, 1) in all of them."""

    def test_undecided(self):
        lines = ["qkcert 1", "claim recovery", "graph 4 3", "0 1", "0 2", "0 3", "embedding 4 4", "1 0 0 0", "0 1 0 0",
                 "0 0 1 0", "0 0 0 1", "decoder threshold-max 1", "heads 2"]
        for key in ((0, 10, 11, 0), (0, 10, 0, 11)):
            lines += ["head 1", "query", "1", "0", "0", "0", "key", *map(str, key)]
        self.write("turns.qkc", sealed("\n".join([*lines, "extremes 10 0", "end", ""]).encode()))
        self.run_command("verify", "turns.qkc")
        out, err = self.run_command("softmax", "turns.qkc", "--context-size", "3", "--json", status=3)
        report = json.loads(out)
        self.assertEqual(report["status"], "undecided")
        self.assertIn("the edge (0, 1)", report["reason"])
        claim = ('[[claim]]\nid = "a"\nstatement = "s"\nsource = "t"\nkind = "softmax"\ncertificate = "turns.qkc"\n'
                 'beta = 1\ntheta = "1/2"\ncontext_size = 3\nexpect = { holds = %s }\n')
        for expected in ("true", "false"):
            self.write("claims.toml", (claim % expected).encode())
            out, _ = self.run_command("check", "claims.toml", status=2)
            self.assertIn(b"undecided: the edge (0, 1)", out)
        self.write("claims.toml", (claim.replace("= 3", "= 2") % "true").encode())
        self.run_command("check", "claims.toml")


class Values(Case):
    def setUp(self):
        super().setUp()
        self.run_command(*CODE, "-o", "channel.qkc")
        self.array("binary.npy", [[v + 1 >> j & 1 for j in range(5)] for v in range(16)])
        self.array("same.npy", [[1, 0]] * 16)

    def array(self, name, rows):
        head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), len(rows[0]))
        head += b" " * (53 + 64 - len(head)) + b"\n"
        data = b"".join(struct.pack("<f", x) for row in rows for x in row)
        self.write(name, b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + data)

    def test_outputs_name_the_neighbours(self):
        hot = ("softmax", "channel.qkc", "--beta", "4", "--values", "binary.npy")
        self.assertIn("outputs of 5 coordinates, cut at 1/2, name exactly the neighbours in every context",
                      self.text(*hot))
        self.assertIn("of up to 3 vertices", self.text(*hot, "--context-size", "3"))
        _, err = self.run_command(*hot, "--level", "0.999999", status=1)
        self.assertIn(b"is not above the level, for the edge (0, ", err)
        self.write("list.txt", b"0 1 2\n3\n")
        self.assertIn("in each of the 2 contexts given, which cover 10 pairs",
                      self.text(*hot, "--contexts", "list.txt"))
        self.assertEqual(self.json(*hot, "--contexts", "list.txt")["covered_pairs"], 10)
        _, err = self.run_command(*hot[:-1], "same.npy", status=1)
        self.assertIn(b"cannot be told from", err)

    def test_what_is_refused(self):
        self.array("short.npy", [[1, 0]] * 3)
        self.refused("softmax", "channel.qkc", "--values", "short.npy", says=("short.npy", "16 rows", "3"))
        self.refused("softmax", "channel.qkc", "--level", "1/2", says="--level goes with --values")
        self.refused("softmax", "channel.qkc", "--values", "binary.npy", "-o", "s.qkc", says="-o")
        self.refused("softmax", "channel.qkc", "--values", "binary.npy", "--theta", "1/3", says="--theta")
        self.refused("softmax", "channel.qkc", "--values", "missing.npy", says="missing.npy")
