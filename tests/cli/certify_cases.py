"""qkcert certify."""

import os
import signal
import time

from command import HOPELESS, PERMUTATION, Case, json
from construct_cases import KEYS

SMALL = ("certify", "--graph", "edges.tsv", "--embedding", "embedding.npy")
# Its first channel verifies within seconds; shrinking it takes minutes.
LONG = ("certify", "--family", "permutation", "--vertices", "256", "--gaussian", "32")


class Certify(Case):
    def test_text(self):
        text = self.text(*SMALL, "-o", "small.qkc")
        self.assertIn("edges.tsv: 4 vertices, 4 edges", text)
        self.assertIn("embedding.npy: 4 × 4", text)
        self.assertIn("bounds the class and not this graph", text)
        self.assertTrue(text.endswith(" verify small.qkc\n"))
        self.text("verify", "small.qkc")
        self.leaves_only("small.qkc")

    def test_json(self):
        report = self.json(*SMALL, "-o", "small.qkc")
        self.assertEqual(list(report), KEYS)
        self.assertEqual((report["status"], report["claim"], report["vertices"], report["edges"],
                          report["d_model"], report["lower_bound_class"], report["certificate"]),
                         ("holds", "recovery", 4, 4, 4, "matching 4 2", "small.qkc"))
        self.assertLessEqual(report["key_dimension"], 2)
        judged = self.json("verify", "small.qkc")
        self.assertEqual({key: report[key] for key in judged}, judged)

    def test_the_architecture_can_be_given(self):
        report = self.json(*SMALL, "--heads", "2", "--head-dim", "3")
        self.assertEqual(report["head_widths"], [3, 3])
        self.assertEqual(self.json(*SMALL, "--heads", "2")["heads"], 2)
        self.assertEqual(set(self.json(*SMALL, "--head-dim", "3")["head_widths"]), {3})

    def test_the_weights_are_bounded(self):
        self.assertLessEqual(self.json(*SMALL, "--weight-max", "3")["weight_max"], 3)
        self.assertLessEqual(self.json(*SMALL)["weight_max"], 127)

    def test_the_method_can_be_given(self):
        report = self.json("certify", *PERMUTATION, "--one-hot", "--method", "onehot-code")
        self.assertEqual((report["method"], report["key_dimension"]), ("onehot-code", 4))
        self.refused("certify", *PERMUTATION, "--one-hot", "--method", "x", says="onehot-code")
        self.refused("certify", *PERMUTATION, "--one-hot", "--method", "onehot-code", "--heads",
                     "2", says="heads")
        self.refused("certify", *PERMUTATION, "--gaussian", "4", "--method", "onehot-code",
                     says="one-hot")

    def test_threads_do_not_change_the_certificate(self):
        for instance in (SMALL, ("certify", "--family", "permutation", "--vertices", "40",
                                 "--gaussian", "12", "--heads", "4", "--head-dim", "8")):
            certificates = set()
            for threads in ("1", "2", "5", "1"):
                out, _ = self.run_command(*instance, "--threads", threads, "--budget", "600",
                                          "-o", "-")
                certificates.add(out)
            self.assertEqual(len(certificates), 1)

    def test_the_seed_chooses_the_channel(self):
        def certificate(*seed):
            return self.run_command(*SMALL, "--heads", "2", "--head-dim", "3", *seed, "-o", "-")[0]

        self.assertEqual(certificate(), certificate("--seed", "1"))
        self.assertNotEqual(certificate(), certificate("--seed", "2"))


class Undecided(Case):
    arguments = ("certify", *HOPELESS, "--weight-max", str(10**30), "--budget", "0.5")

    def test_shows_the_extremes_and_no_key_dimension(self):
        out, err = self.run_command(*self.arguments, "-o", "x.qkc", status=3)
        self.assertEqual(out, b"")
        self.assertRegex(err, rb"^qkcert: no channel was certified within the budget; closest: .*"
                              rb"the edge \(\d+, \d+\) scores -?\d+, "
                              rb"the non-edge \(\d+, \d+\) scores -?\d+\n$")
        self.assertNotIn(b"D_K", err)
        self.leaves_only()

    def test_json(self):
        out, err = self.run_command(*self.arguments, "--json", status=3)
        report = json.loads(out)
        self.assertEqual(report["status"], "undecided")
        self.assertNotIn("key_dimension", report)
        self.assertLessEqual(int(report["least_edge_score"]), int(report["greatest_nonedge_score"]))
        self.assertEqual((report["certificate"], report["sha256"]), (None, None))
        self.assertEqual(err.decode(), "qkcert: " + report["reason"] + "\n")
        out, err = self.run_command(*self.arguments, "--json", "-o", "-", status=3)
        self.assertEqual((out, json.loads(err.splitlines()[1])["status"]), (b"", "undecided"))

    def test_the_budget_ends_it(self):
        for budget in ("0", "1"):
            start = time.monotonic()
            self.run_command(*LONG, "--heads", "1", "--head-dim", "1", "--budget", budget, status=3)
            self.assertLess(time.monotonic() - start, 60)


class Interrupted(Case):
    def test_keeps_the_best(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, ours = self.start_on_terminal(*LONG, "--budget", "600", "-o", "best.qkc")
            self.read_terminal(ours, until=b"verified so far")
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
            self.assertIn(b"best.qkc", out)
            self.text("verify", "best.qkc")
            self.leaves_only("best.qkc")
            os.unlink(self.path("best.qkc"))

    def test_without_any_result(self):
        process, ours = self.start_on_terminal("certify", *HOPELESS, "--budget", "600", "-o",
                                               "x.qkc")
        drawn = self.read_terminal(ours, until=b"tried")
        self.assertRegex(drawn, rb"\[#*\.+\] \d+ s  ")
        process.send_signal(signal.SIGINT)
        rest = self.read_terminal(ours, seconds=60)
        self.assertEqual(process.wait(60), 3)
        self.assertIn(b"no channel was certified before the interruption", rest)
        self.leaves_only()
