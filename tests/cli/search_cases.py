"""qkcert search."""

import os
import signal

from command import PERMUTATION, Case, json

INSTANCE = ("search", "--family", "permutation", "--vertices", "24", "--gaussian", "8")
LONG = ("search", "--family", "permutation", "--vertices", "256", "--gaussian", "32")


class Search(Case):
    def test_text(self):
        text = self.text(*INSTANCE, "--tries", "9", "-o", "best.qkc")
        self.assertTrue(text.startswith("tried "))
        self.assertRegex(text, r"\n +fit \d+ × \d+(?: \+ \d+ × \d+)?, D_K \d+: verified with seed")
        self.assertRegex(text, r"\n +fit .*: not separated")
        self.assertIn("the embedding is not one-hot", text)
        self.assertRegex(text, r"\nlower bound  D_K >= \d+ \(")
        self.text("verify", "best.qkc")
        self.leaves_only("best.qkc")

    def test_json_lists_every_split_and_its_outcome(self):
        report = self.json(*INSTANCE, "--tries", "9", "-o", "best.qkc")
        self.assertEqual(report["status"], "holds")
        verified = [split for split in report["tried"] if split["outcome"] == "verified"]
        self.assertEqual(min(split["key_dimension"] for split in verified),
                         report["key_dimension"])
        below = [split for split in report["tried"]
                 if split["key_dimension"] == report["key_dimension"] - 1]
        self.assertEqual({split["outcome"] for split in below if split["method"] == "fit"},
                         {"not separated"})
        self.assertGreaterEqual(sum(s["tries"] for s in below if s["method"] == "fit"), 6)
        for split in report["tried"]:
            if split["outcome"] == "refused":
                self.assertTrue(split["reason"])
                continue
            self.assertEqual(sum(split["head_widths"]), split["key_dimension"])
            self.assertEqual(len(split["head_widths"]), split["heads"])
        bound = self.json("bound", "--family", "permutation", "--vertices", "24", "--d-model", "8",
                          "--weight-max", str(report["weight_max"]))
        strongest = max(b["lower_bound"] for b in bound["bounds"] if b.get("strongest"))
        self.assertEqual(report["lower_bound"], strongest)

    def test_is_at_least_as_good_as_certify(self):
        best = self.json(*INSTANCE)["key_dimension"]
        self.assertLessEqual(best, self.json("certify", *INSTANCE[1:])["key_dimension"])

    def test_a_winner_can_be_constructed_again(self):
        report = self.json(*INSTANCE, "--weight-max", "7", "--tries", "9", "-o", "best.qkc")
        self.assertLessEqual(report["weight_max"], 7)
        self.assertEqual(sum(report["head_widths"]), report["key_dimension"])

    def test_one_hot_uses_the_codes_and_goes_below(self):
        report = self.json("search", *PERMUTATION, "--one-hot", "--tries", "9")
        self.assertEqual((report["method"], report["key_dimension"]), ("onehot-trigonometric", 2))
        report = self.json("search", *PERMUTATION, "--one-hot", "--weight-max", "1", "--tries", "9")
        self.assertLessEqual(report["key_dimension"], 4)

    def test_a_target_ends_it(self):
        report = self.json(*INSTANCE, "--target", "16")
        self.assertLessEqual(report["key_dimension"], 16)
        self.assertGreater(report["key_dimension"], self.json(*INSTANCE)["key_dimension"])

    def test_threads_do_not_change_the_result(self):
        results = {self.run_command(*INSTANCE, "--tries", "12", "--threads", threads, "--json", "-o",
                                    "x.qkc")[0] for threads in ("1", "2", "5")}
        self.assertEqual(len(results), 1)

    def test_the_architecture_can_be_restricted(self):
        self.assertEqual(self.json(*INSTANCE, "--heads", "2", "--tries", "4")["heads"], 2)
        report = self.json(*INSTANCE, "--head-dim", "3", "--tries", "4")
        self.assertEqual(set(report["head_widths"]), {3})
        report = self.json(*INSTANCE, "--method", "fit", "--tries", "4")
        self.assertEqual({split["method"] for split in report["tried"]}, {"fit"})
        self.refused(*INSTANCE, "--method", "none", says="known are")
        self.refused(*INSTANCE, "--tries", "0", says="--tries")

    def test_a_method_that_outgrows_the_memory_is_passed_over(self):
        out, err = self.run_command("search", "--family", "out-regular", "--vertices", "600",
                                    "--degree", "400", "--one-hot", "--budget", "1", "--json",
                                    status=None)
        reasons = [split.get("reason", "") for split in json.loads(out)["tried"]]
        self.assertTrue(any("edge-per-head" in reason and "too large" in reason
                            for reason in reasons), (reasons, err))

    def test_a_closed_form_without_time_is_undecided(self):
        for verb in (("construct",), ("search", "--tries", "1")):
            _, err = self.run_command(*verb, *LONG[1:], "--method", "edge-pairs", "--weight-max",
                                      str(10**30), "--budget", "0.001", status=3)
            self.assertTrue(err)

    def test_an_impossible_budget_says_so(self):
        out, err = self.run_command(*LONG, "--budget", "0", "-o", "x.qkc", status=3)
        self.assertIn(b"no channel was certified within the budget", err)
        self.assertNotIn(b"verified", out)
        self.leaves_only()
        out, _ = self.run_command(*LONG, "--budget", "0", "--json", status=3)
        report = json.loads(out)
        self.assertEqual(report["status"], "undecided")
        self.assertNotIn("key_dimension", report)


class Resume(Case):
    def test_an_interrupted_search_goes_on(self):
        arguments = ("search", "--family", "permutation", "--vertices", "48", "--gaussian", "12",
                     "--tries", "24", "--json", "-o", "x.qkc")
        expected, _ = self.run_command(*arguments)
        os.unlink(self.path("x.qkc"))
        for _ in range(100):
            out, _ = self.run_command(*arguments, "--resume", "state", "--budget", "0.3",
                                      status=None)
            if not os.path.exists(self.path("state")):
                break
        self.assertEqual(out, expected)

    def test_a_resumed_search_with_other_tries_has_its_certificate(self):
        arguments = ("certify", "--family", "permutation", "--vertices", "40", "--gaussian", "8",
                     "--threads", "1", "--resume", "state", "-o", "x.qkc")
        self.run_command(*arguments, "--budget", "4", "--tries", "10000")
        self.assertTrue(os.path.exists(self.path("state")))
        self.run_command(*arguments, "--budget", "0.001", "--tries", "10000", status=None)
        self.assertTrue(os.path.exists(self.path("state")))
        self.run_command(*arguments, "--tries", "3")
        self.text("verify", "x.qkc")
        self.leaves_only("x.qkc")

    def test_a_failed_report_keeps_the_state(self):
        arguments = ("certify", "--family", "permutation", "--vertices", "16", "--gaussian", "8",
                     "--resume", "state", "-o", "/dev/full")
        self.run_command(*arguments, status=2)
        self.assertTrue(os.path.exists(self.path("state")))

    def test_what_a_cut_gave_is_not_taken_for_the_answer(self):
        arguments = ("certify", "--family", "permutation", "--vertices", "128", "--gaussian", "32",
                     "--method", "fit", "--heads", "6", "--head-dim", "5", "--threads", "1", "-o",
                     "-")
        expected = self.run_command(*arguments)[0]
        for budget in ("0.02", "0.05", "0.1", "0.2"):
            self.run_command(*arguments, "--resume", "state", "--budget", budget, status=None)
        self.assertEqual(self.run_command(*arguments, "--resume", "state")[0], expected)

    def test_a_killed_search_goes_on(self):
        process, ours = self.start_on_terminal(*LONG, "--resume", "state", "--budget", "600", "-o",
                                               "x.qkc")
        self.read_terminal(ours, until=b"verified so far")
        while not os.path.exists(self.path("state")):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        process, ours = self.start_on_terminal(*LONG, "--resume", "state", "--budget", "600", "-o",
                                               "x.qkc")
        self.read_terminal(ours, until=b"verified so far")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        self.text("verify", "x.qkc")
        self.leaves_only("state", "x.qkc")

    def test_a_state_of_something_else_is_refused(self):
        self.run_command(*LONG, "--resume", "state", "--budget", "0", status=3)
        self.run_command(*LONG, "--resume", "state", "--budget", "2", status=None)
        self.refused(*INSTANCE, "--resume", "state", says="another graph")
        self.refused(*LONG, "--weight-max", "7", "--resume", "state", says="another")
        self.write("state", b"garbage\n")
        self.refused(*INSTANCE, "--resume", "state", says="state file")
        self.assertEqual(self.read("state"), b"garbage\n")
        self.refused(*INSTANCE, "--resume", "none/state", says="none/state")
        self.refused("certify", "--graph", "edges.tsv", "--embedding", "embedding.npy", "--resume",
                     "edges.tsv", says="replace another file")
        self.refused("search", *PERMUTATION, "--one-hot", "-o", "a", "--resume", "a",
                     says="replace another file")
