"""qkcert construct."""

import os
import random
import re
import shlex
import signal
import subprocess
import time

from command import CODE, HOPELESS, PERMUTATION, Case, json

KEYS = ["status", "claim", "vertices", "edges", "d_model", "heads", "head_widths", "key_dimension",
        "weight_max", "threshold", "least_edge_score", "greatest_nonedge_score", "method",
        "lower_bound", "lower_bound_method", "lower_bound_class", "certificate", "sha256"]


class Construct(Case):
    def test_text(self):
        text = self.text(*CODE, "-o", "code.qkc")
        labels = [line.split("  ")[0] for line in text.splitlines() if not line.startswith(" ")]
        self.assertEqual(labels, ["graph", "embedding", "method", "channel", "D_K", "weights",
                                  "extremes", "lower bound", "ratio", "certificate", "sha256",
                                  "check again"])
        for words in ("permutation 16, seed 1: 16 vertices, 16 edges", "one-hot: 16 × 16",
                      "1 head × 4", "threshold τ", "bounds the class and not this graph"):
            self.assertIn(words, text)
        extremes = re.findall(r"(least edge score|threshold τ|greatest non-edge score) +(-?\d+)\n",
                              text)
        least, threshold, greatest = (int(value) for _, value in extremes)
        self.assertTrue(least > threshold >= greatest)

    def test_check_again_can_be_pasted(self):
        for name in ("code.qkc", "it's a name.qkc", "./-x.qkc", "$HOME;x.qkc"):
            text = self.text(*CODE, "-o", name)
            again = re.search(r"check again  (.+)\n", text)[1]
            self.assertTrue(shlex.split(again)[0].endswith("qkcert"))
            subprocess.run(again, shell=True, cwd=self.folder, check=True, stdout=subprocess.PIPE)
        text = self.text(*CODE, "-o-y.qkc")
        self.assertTrue(text.endswith("verify ./-y.qkc\n"))

    def test_json(self):
        report = self.json(*CODE, "-o", "code.qkc")
        self.assertEqual(list(report), KEYS)
        self.assertEqual({**report, "sha256": None},
                         {"status": "holds", "claim": "recovery", "vertices": 16, "edges": 16,
                          "d_model": 16, "heads": 1, "head_widths": [4], "key_dimension": 4,
                          "weight_max": 1, "threshold": 3, "least_edge_score": 4,
                          "greatest_nonedge_score": 2, "method": "onehot-code", "lower_bound": 1,
                          "lower_bound_method": "counting", "lower_bound_class": "permutation 16",
                          "certificate": "code.qkc", "sha256": None})
        printed = subprocess.run(["sha256sum", self.path("code.qkc")], stdout=subprocess.PIPE)
        self.assertEqual(report["sha256"], printed.stdout.split()[0].decode())

    def test_json_without_output(self):
        report = self.json(*CODE)
        self.assertIsNone(report["certificate"])
        self.assertRegex(report["sha256"], "^[0-9a-f]{64}$")
        self.leaves_only()

    def test_integers_beyond_2_53_are_strings(self):
        report = self.json("construct", "--family", "permutation", "--vertices", "8", "--gaussian",
                           "8", "--embedding-bits", "52", "--method", "fit", "--heads", "4",
                           "--head-dim", "4")
        for key in ("weight_max", "threshold", "least_edge_score", "greatest_nonedge_score"):
            value = report[key]
            self.assertEqual(isinstance(value, str), abs(int(value)) > 2**53, (key, value))
        self.assertIsInstance(report["least_edge_score"], str)

    def test_absent_extremes(self):
        empty = self.json("construct", "--family", "digraph", "--edges", "0", "--vertices", "4",
                          "--one-hot", "--method", "onehot-code")
        self.assertIsNone(empty["least_edge_score"])
        full = self.json("construct", "--family", "digraph-loops", "--edges", "1", "--vertices",
                         "1", "--one-hot", "--method", "onehot-code")
        self.assertIsNone(full["greatest_nonedge_score"])

    def test_certificate_on_standard_output(self):
        self.text(*CODE, "-o", "code.qkc")
        certificate = self.read("code.qkc")
        out, err = self.run_command(*CODE, "-o", "-")
        self.assertEqual(out, certificate)
        self.assertIn("threshold τ", err.decode())
        self.assertNotIn("check again", err.decode())
        out, err = self.run_command(*CODE, "-o", "-", "--json")
        self.assertEqual(out, certificate)
        self.assertEqual(list(json.loads(err)), KEYS)

    def test_failure_names_the_pairs_and_both_numbers(self):
        out, err = self.run_command("construct", *HOPELESS, "-o", "x.qkc", status=1)
        self.assertEqual(out, b"")
        self.assertRegex(err, rb"^qkcert: signature .*the edge \(\d+, \d+\) scores -?\d+, "
                              rb"the non-edge \(\d+, \d+\) scores -?\d+\n$")
        self.leaves_only()

    def test_failure_in_json(self):
        out, err = self.run_command("construct", *HOPELESS, "--json", status=1)
        report = json.loads(out)
        self.assertEqual(list(report), ["status", "method", "least_edge_score", "least_edge",
                                        "greatest_nonedge_score", "greatest_nonedge",
                                        "certificate", "sha256", "reason"])
        self.assertEqual(report["status"], "does not hold")
        self.assertLessEqual(int(report["least_edge_score"]), int(report["greatest_nonedge_score"]))
        self.assertEqual(err.decode(), "qkcert: " + report["reason"] + "\n")
        out, err = self.run_command("construct", *HOPELESS, "--json", "-o", "-", status=1)
        self.assertEqual((out, json.loads(err.splitlines()[1])), (b"", report))

    def test_a_budget_that_ends_too_early(self):
        out, err = self.run_command("construct", "--family", "permutation", "--vertices", "64",
                                    "--gaussian", "16", "--method", "fit", "--heads", "1",
                                    "--head-dim", "1", "--budget", "0", "--json", status=3)
        self.assertEqual(json.loads(out)["status"], "undecided")
        self.assertRegex(err, rb"edge \(\d+, \d+\) scores -?\d+, .*budget")

    def test_weights_beyond_the_limit(self):
        arguments = ("construct", "--family", "out-regular", "--degree", "2", "--vertices", "9",
                     "--one-hot", "--method", "onehot-neighborly")
        self.text(*arguments)
        _, err = self.run_command(*arguments, "--weight-max", "127", status=1)
        self.assertRegex(err, rb"largest \|weight\| is \d{3,}, which exceeds --weight-max")

    def test_the_method_list(self):
        text = self.text("construct", "--list")
        names = [line.split()[0] for line in text.splitlines()]
        self.assertEqual(names, sorted(names))
        for name in ("onehot-code", "onehot-neighborly", "edge-pairs", "edge-per-head", "signature",
                     "fit", "tuple-per-head"):
            self.assertIn(name, names)

    def test_methods_refuse_what_they_cannot_use(self):
        self.refused("construct", *PERMUTATION, "--one-hot", says="--method")
        self.refused(*CODE[:-1], "nonsense", says=("nonsense", "onehot-code"))
        self.refused("construct", "--graph", "none.tsv", "--one-hot", "--method", "nonsense",
                     says="onehot-code")
        self.refused(*CODE, "--heads", "2", says="heads")
        self.refused(*CODE, "--head-dim", "2", says="head-dim")
        self.refused("construct", *PERMUTATION, "--gaussian", "4", "--method", "onehot-code",
                     says="one-hot")

    def test_a_key_dimension_is_split(self):
        fit = ("construct", *PERMUTATION, "--gaussian", "8", "--method", "fit")
        self.assertEqual(self.json(*fit, "--heads", "3", "--key-dimension", "11")["head_widths"],
                         [4, 4, 3])
        self.assertEqual(self.json(*fit, "--key-dimension", "11")["key_dimension"], 11)
        self.assertEqual(self.json(*fit, "--head-dim", "3", "--key-dimension", "12")["heads"], 4)
        self.assertEqual(self.json(*CODE, "--key-dimension", "4")["key_dimension"], 4)
        self.refused(*CODE, "--key-dimension", "5", says="makes D_K 4 of this, not 5")
        self.refused(*fit, "--heads", "3", "--key-dimension", "2", says="--key-dimension")
        self.refused(*fit, "--head-dim", "3", "--key-dimension", "11", says="D_K 9")
        self.refused(*fit, "--heads", "3", "--head-dim", "3", "--key-dimension", "8", says="D_K 9")
        self.refused(*fit, "--key-dimension", "0", says="--key-dimension")
        self.refused("certify", *fit[1:], "--key-dimension", "5", says="--key-dimension")

    def test_the_seed_chooses_the_channel(self):
        def certificate(*seed):
            return self.run_command("construct", *PERMUTATION, "--gaussian", "16", "--method",
                                    "fit", "--heads", "4", "--head-dim", "8", *seed, "-o", "-")[0]

        self.assertEqual(certificate(), certificate("--seed", "1"))
        self.assertNotEqual(certificate(), certificate("--seed", "2"))


class Resume(Case):
    FIT = ("construct", "--family", "permutation", "--vertices", "300", "--gaussian", "32",
           "--method", "fit", "--heads", "4", "--head-dim", "8")

    def interrupted(self, *arguments):
        """Runs with growing budgets until one is enough; the number of runs that were cut."""
        budget = 0.02
        for cut in range(1000):
            process = self.start(*arguments, "--budget", f"{budget:.2f}")
            process.communicate()
            if process.returncode != 3:
                return cut
            budget *= 1.3

    def test_comes_to_the_channel_of_an_uninterrupted_run(self):
        self.text(*self.FIT, "-o", "whole.qkc")
        self.interrupted(*self.FIT, "-o", "pieces.qkc", "--resume", "state")
        if os.path.exists(self.path("pieces.qkc")):  # the last run was not cut in its rounding
            self.text("verify", "pieces.qkc")
        self.text(*self.FIT, "-o", "once.qkc", "--resume", "state")
        self.assertEqual(self.read("once.qkc"), self.read("whole.qkc"))
        self.assertFalse(os.path.exists(self.path("state")))

    def state(self):
        budget = 0.1
        while not os.path.exists(self.path("state")):
            process = self.start(*self.FIT[:-1], "5", "--resume", "state", "--budget",
                                 f"{budget:.2f}")
            process.communicate()
            budget *= 1.5
        return self.read("state")

    def test_foreign_and_damaged_states_are_refused(self):
        good = self.state()
        arguments = (*self.FIT[:-1], "5", "--resume", "state")
        self.refused(*arguments, "--seed", "2", says=("state", "another graph"))
        self.refused(*self.FIT, "--resume", "state", says=("state", "another graph"))
        self.assertEqual(self.read("state"), good)
        for bad in (b"", b"other\n", good[:-1], good + b"\n", good.replace(b"0", b"1", 1)):
            self.write("state", bad)
            self.refused(*arguments, says="state: ")
            self.assertEqual(self.read("state"), bad)

    def test_paths_and_methods_that_make_no_sense(self):
        self.refused(*self.FIT, "--resume", "", says="--resume: a path is needed")
        self.refused(*self.FIT, "--resume", "-", says="--resume: a path is needed")
        self.refused(*self.FIT, "--resume", "x", "-o", "x", says="x: the state would replace")
        self.refused("construct", "--graph", "edges.tsv", "--one-hot", "--method", "fit",
                     "--resume", "edges.tsv", says="edges.tsv: the state would replace")
        self.refused(*self.FIT, "--resume", "none/x", says="none/x: cannot be written")
        self.refused(*CODE, "--resume", "x", says="onehot-code makes no states")
        self.leaves_only()


class Output(Case):
    def test_that_is_an_input(self):
        os.link(self.path("edges.tsv"), self.path("linked.tsv"))
        os.symlink("embedding.npy", self.path("symlink.npy"))
        self.write("names.txt", b"0\n1\n2\n3\n")
        before = {name: self.read(name) for name in os.listdir(self.folder)}
        for output in before:
            self.refused("construct", "--graph", "edges.tsv", "--embedding", "embedding.npy",
                         "--vertex-names", "names.txt", "--method", "onehot-code", "-o", output,
                         says=(output, "replace an input"))
        self.assertEqual(before, {name: self.read(name) for name in os.listdir(self.folder)})

    def test_that_cannot_be_written_is_refused_before_long_work(self):
        long = ("certify", *HOPELESS, "--budget", "600")
        start = time.monotonic()
        self.refused(*long, "-o", "none/x.qkc", says="none/x.qkc: cannot be written")
        self.refused(*long, "-o", "edges.tsv/x.qkc", says="edges.tsv/x.qkc")
        self.refused(*long, "-o", ".", says="Is a directory")
        self.refused(*long, "-o", "", says="a path is needed")
        if os.geteuid() != 0:
            os.chmod(self.folder, 0o500)
            self.addCleanup(os.chmod, self.folder, 0o700)
            self.refused(*long, "-o", "x.qkc", says="x.qkc: cannot be written")
        self.assertLess(time.monotonic() - start, 60)
        self.leaves_only()

    def test_on_a_full_device(self):
        self.refused(*CODE, "-o", "/dev/full", says="/dev/full: cannot be written")

    def test_to_a_device(self):
        self.text(*CODE, "-o", "/dev/null")

    def test_replaces_an_older_file(self):
        self.write("code.qkc", b"old")
        self.text(*CODE, "-o", "code.qkc")
        self.text("verify", "code.qkc")

    def test_a_kill_leaves_no_half_certificate(self):
        arguments = ("construct", "--family", "permutation", "--vertices", "500", "--one-hot",
                     "--method", "onehot-code", "-o", "code.qkc")
        start = time.monotonic()
        self.text(*arguments)
        whole, seconds = self.read("code.qkc"), time.monotonic() - start
        choose = random.Random(1)
        for old in (b"old", None) * 15:
            os.unlink(self.path("code.qkc"))
            if old:
                self.write("code.qkc", old)
            process = self.start(*arguments)
            time.sleep(choose.uniform(0, seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
            if os.path.exists(self.path("code.qkc")):
                self.assertIn(self.read("code.qkc"), {old, whole})
            else:
                self.assertIsNone(old)
                self.write("code.qkc", b"")
