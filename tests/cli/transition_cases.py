"""qkcert transition."""

import csv
import hashlib
import math
import os
import signal
import stat
import xml.etree.ElementTree

from command import BAD_NUMBERS, Case, json

CLASS = ("transition", "--family", "permutation", "--vertices", "16", "--gaussian", "8")
SMALL = (*CLASS, "--key-dimension", "2:5", "--trials", "6")
# Its first trials end at once, its last point takes far more than a budget.
LONG = ("transition", "--family", "permutation", "--vertices", "200", "--gaussian", "16",
        "--key-dimension", "30:45", "--trials", "40", "--budget", "600")
POINT = ["key_dimension", "heads", "completed", "certified", "rate", "wilson_lower",
         "wilson_upper", "trials"]
TRIAL = ["trial", "graph_seed", "embedding_seed", "construction_seed", "head_widths", "success",
         "certificate", "sha256"]
SVG = "{http://www.w3.org/2000/svg}"


def wilson(k, n):
    """The textbook formula, in floating point."""
    z = 1.959963984540054
    half = z * math.sqrt(k * (n - k) / n + z * z / 4)
    return (k + z * z / 2 - half) / (n + z * z), (k + z * z / 2 + half) / (n + z * z)


class Transition(Case):
    def certificates(self, folder="c"):
        return sorted(os.listdir(self.path(folder)))

    def test_counts_are_those_of_the_certificates(self):
        report = self.json(*SMALL, "--certificates", "c/")
        self.assertEqual((report["family"], report["d_model"], report["complete"],
                          report["split"], report["trials_per_point"]),
                         ("permutation 16", 8, True, "auto", 6))
        stored = self.certificates()
        self.assertEqual([point["key_dimension"] for point in report["points"]], [2, 3, 4, 5])
        listed = []
        for point in report["points"]:
            self.assertEqual(list(point), POINT)
            mine = [name for name in stored if name.startswith("d%04d-" % point["key_dimension"])]
            self.assertEqual((point["certified"], point["completed"]), (len(mine), 6))
            self.assertEqual(point["rate"], math.floor(len(mine) / 6 * 10000) / 10000)
            lower, upper = wilson(len(mine), 6)
            self.assertLess(lower - point["wilson_lower"], 1.0001e-4)
            self.assertLess(point["wilson_upper"] - upper, 1.0001e-4)
            self.assertLessEqual(point["wilson_lower"], lower + 1e-12)
            self.assertGreaterEqual(point["wilson_upper"], upper - 1e-12)
            for number, trial in enumerate(point["trials"]):
                self.assertEqual((list(trial), trial["trial"]), (TRIAL, number))
                self.assertEqual(sum(trial["head_widths"]), point["key_dimension"])
                if not trial["success"]:
                    self.assertEqual((trial["sha256"], trial["certificate"]), (None, None))
                    continue
                listed.append(trial["certificate"])
                bytes_ = self.read(trial["certificate"])
                self.assertEqual(hashlib.sha256(bytes_).hexdigest(), trial["sha256"])
                facts = self.json("verify", trial["certificate"])
                self.assertEqual((facts["status"], facts["head_widths"], facts["d_model"]),
                                 ("holds", trial["head_widths"], 8))
                self.assertLessEqual(facts["weight_max"], 127)
        self.assertEqual(sorted(listed), ["c/" + name for name in stored])
        self.assertGreater(len(stored), 3)
        self.assertLess(len(stored), 24)
        bound = self.json("bound", "--family", "permutation", "--vertices", "16", "--d-model", "8")
        self.assertEqual((report["lower_bound"], report["lower_bound_method"]),
                         (bound["lower_bound"], "counting"))

    def test_every_trial_can_be_repeated_alone(self):
        report = self.json(*CLASS, "--key-dimension", "2:6:2", "--trials", "3", "--heads", "2",
                           "--seed", "5")
        for point in report["points"]:
            self.assertEqual(point["heads"], 2)
            for trial in point["trials"]:
                out, _ = self.run_command(
                    "construct", "--family", "permutation", "--vertices", "16", "--graph-seed",
                    str(trial["graph_seed"]), "--gaussian", "8", "--embedding-seed",
                    str(trial["embedding_seed"]), "--method", "fit", "--seed",
                    str(trial["construction_seed"]), "--heads", "2", "--head-dim",
                    str(point["key_dimension"] // 2), "-o", "-",
                    status=0 if trial["success"] else 1)
                if trial["success"]:
                    self.assertEqual(hashlib.sha256(out).hexdigest(), trial["sha256"])

    def test_threads_change_nothing(self):
        outputs = set()
        for threads in ("1", "2", "3"):
            folder = "c" + threads
            text = self.text(*SMALL, "--threads", threads, "--certificates", folder, "--csv",
                             "t.csv", "--svg", "t.svg", "--pdf", "t.pdf")
            files = tuple(self.read(os.path.join(folder, name))
                          for name in self.certificates(folder))
            outputs.add((text, files, self.read("t.csv"), self.read("t.svg"), self.read("t.pdf")))
        self.assertEqual(len(outputs), 1)

    def test_text_and_csv_say_the_same(self):
        report = self.json(*SMALL, "--csv", "t.csv")
        text = self.text(*SMALL)
        with open(self.path("t.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 4)
        for row, point in zip(rows, report["points"]):
            self.assertEqual((int(row["key_dimension"]), row["heads"], row["trials"],
                              int(row["completed"]), int(row["certified"])),
                             (point["key_dimension"], "", "6", 6, point["certified"]))
            for key in ("rate", "wilson_lower", "wilson_upper"):
                self.assertEqual(float(row[key]), point[key])
                self.assertRegex(row[key], r"^[01]\.\d{4}$")
            self.assertRegex(text, r"\n +%s +auto +%s/6 +%s   \[%s, %s\]\n" % (
                row["key_dimension"], row["certified"], row["rate"], row["wilson_lower"],
                row["wilson_upper"]))
        self.assertIn("lower bound  D_K >= %d" % report["lower_bound"], text)
        self.assertIn("bounds the class and not these graphs", text)

    def test_heads_are_swept(self):
        report = self.json(*CLASS, "--key-dimension", "5", "--sweep-heads", "--trials", "2",
                           "--csv", "t.csv", "--svg", "t.svg", "--certificates", "c")
        self.assertEqual([point["heads"] for point in report["points"]], [1, 2, 3, 4, 5])
        for point in report["points"]:
            for trial in point["trials"]:
                h = point["heads"]
                self.assertEqual(trial["head_widths"],
                                 [5 // h + 1] * (5 % h) + [5 // h] * (h - 5 % h))
        self.assertEqual([line.split(b",")[1] for line in self.read("t.csv").splitlines()[1:]],
                         [b"1", b"2", b"3", b"4", b"5"])
        self.assertIn(b"number of heads h of total key dimension D_K = 5", self.read("t.svg"))
        for name in self.certificates():
            self.assertRegex(name, r"^d0005-h000[1-5]-s000[01]\.qkc$")

    def test_other_splits_and_methods(self):
        report = self.json(*CLASS, "--key-dimension", "3:9:3", "--head-dim", "3", "--trials", "1")
        self.assertEqual([point["heads"] for point in report["points"]], [1, 2, 3])
        report = self.json(*CLASS, "--key-dimension", "64", "--heads", "4", "--trials", "2",
                           "--method", "signature", "--weight-max", str(10**30))
        self.assertEqual(report["weight_max"], str(10**30))
        self.assertEqual(report["points"][0]["trials"][1]["head_widths"], [16] * 4)


class Picture(Case):
    def points(self):
        """The centres of the point symbols in t.svg, left to right."""
        root = xml.etree.ElementTree.fromstring(self.read("t.svg"))
        places = []
        for use in root.iter(SVG + "use"):
            words = use.get("transform", "").replace("(", " ").replace(",", " ").split()
            if words and words[0] == "translate":
                places.append((float(words[1]), float(words[2].rstrip(")"))))
        return root, places

    def test_names_its_axes_and_has_every_point(self):
        report = self.json(*SMALL, "--svg", "t.svg")
        root, places = self.points()
        texts = ["".join(node.itertext()) for node in root.iter(SVG + "text")]
        for text in ("total key dimension D_K", "success rate (certified / trials)",
                     "lower bound for the class: D_K >= %d" % report["lower_bound"],
                     "certified by fit, |weight| <= 127, with 95 % Wilson intervals"):
            self.assertIn(text, texts)
        self.assertTrue(any("permutation 16, d_model 8" in text for text in texts))
        places = sorted(places)
        key = [place for place in places if place[0] < 150 and place[1] < 110]
        drawn = [place for place in places if place not in key]
        self.assertEqual(len(drawn), 4)
        # Heights are an affine function of the rates, falling, and D_K steps are equal.
        rates = [point["certified"] / 6 for point in report["points"]]
        slope = ((drawn[-1][1] - drawn[0][1]) / (rates[-1] - rates[0]))
        self.assertLess(slope, 0)
        for (x, y), rate, i in zip(drawn, rates, range(4)):
            self.assertAlmostEqual(y, drawn[0][1] + slope * (rate - rates[0]), delta=0.1)
            self.assertAlmostEqual(x, drawn[0][0] + i * (drawn[3][0] - drawn[0][0]) / 3, delta=0.1)

    def test_pdf_and_standard_output(self):
        self.text(*SMALL, "--pdf", "t.pdf")
        self.assertTrue(self.read("t.pdf").startswith(b"%PDF"))
        out, err = self.run_command(*SMALL, "--svg", "-")
        self.assertTrue(out.startswith(b"<?xml") and err.startswith(b"class  "), err)

    def test_a_missing_gnuplot(self):
        empty = dict(os.environ, PATH=self.folder)
        self.refused(*SMALL, "--svg", "t.svg", env=empty,
                     says=("gnuplot", "No such file", "gnuplot-nox"))
        self.refused(*SMALL, "--pdf", "t.pdf", env=empty, says="gnuplot-nox")
        self.text(*SMALL, "--csv", "t.csv", env=empty)
        self.leaves_only("t.csv")

    def test_a_failing_gnuplot(self):
        self.write("gnuplot", b"#!/bin/sh\necho partial; echo 'bad terminal' >&2; exit 1\n")
        os.chmod(self.path("gnuplot"), stat.S_IRWXU)
        self.refused(*SMALL, "--svg", "t.svg", env=dict(os.environ, PATH=self.folder),
                     says="gnuplot: failed: bad terminal")
        self.leaves_only("gnuplot")


class Cut(Case):
    def check_incomplete(self, report, err, why):
        self.assertFalse(report["complete"])
        missing = 0
        for point in report["points"]:
            outcomes = [trial["success"] for trial in point["trials"]]
            self.assertEqual(len(outcomes), report["trials_per_point"])
            self.assertEqual(point["completed"], len(outcomes) - outcomes.count(None))
            self.assertEqual(point["certified"], outcomes.count(True))
            missing += outcomes.count(None)
            if point["completed"] == 0:
                self.assertEqual((point["rate"], point["wilson_lower"], point["wilson_upper"]),
                                 (None, 0, 1))
        self.assertIn("incomplete: %d of " % missing, err)
        self.assertIn(why, err)
        return missing

    def test_by_the_budget(self):
        out, err = self.run_command(*LONG[:-1], "0", "--json", "--csv", "t.csv", "--svg", "t.svg",
                                    status=3)
        self.assertEqual(self.check_incomplete(json.loads(out), err.decode(), "budget"), 16 * 40)
        self.assertEqual(self.read("t.csv").splitlines()[1], b"30,,40,0,0,,0.0000,1.0000")
        xml.etree.ElementTree.fromstring(self.read("t.svg"))
        text, _ = self.run_command(*LONG[:-1], "0", status=3)
        self.assertIn(b"incomplete: 40 trials without outcome", text)
        self.run_command(*CLASS, "--key-dimension", "4", "--sweep-heads", "--budget", "0", "--svg",
                         "t.svg", status=3)

    def test_by_an_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            folder = "c%d" % number
            process, ours = self.start_on_terminal(*LONG, "--certificates", folder, "--json")
            self.read_terminal(ours, until=b" tried, at D_K")
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
            rest = self.read_terminal(ours, seconds=60)
            self.assertEqual(process.returncode, 3)
            report = json.loads(out)
            self.check_incomplete(report, rest.decode(), "interruption")
            self.assertGreater(sum(point["completed"] for point in report["points"]), 0)
            stored = os.listdir(self.path(folder)) if os.path.exists(self.path(folder)) else []
            self.assertEqual(len(stored), sum(point["certified"] for point in report["points"]))
            for name in stored:
                self.text("verify", os.path.join(folder, name))


class Refused(Case):
    def test_what_is_needed(self):
        self.refused("transition", says="--family")
        self.refused("transition", "--family", "permutation", "--vertices", "8", says="--gaussian")
        self.refused(*CLASS, says="--key-dimension")
        self.refused("transition", "--family", "permutation", "--gaussian", "4",
                     "--key-dimension", "3", says="--vertices")

    def test_numbers(self):
        for bad in (*BAD_NUMBERS, "0", "5:4", "1:2:0", "1:2:3:4", ":", "1:", ":2", "1::2", "1:2:",
                    "1-2", "1:20000", "0:3", str(2**64), "1:" + str(2**64 - 1)):
            self.refused(*CLASS, "--key-dimension", bad, says=("--key-dimension", "expected"))
        for option, bad in (("--trials", "0"), ("--trials", "1000001"), ("--tries", "0"),
                            ("--tries", "65537"), ("--seed", str(2**31)), ("--heads", "0"),
                            ("--head-dim", "0"), ("--embedding-bits", "53"), ("--weight-max", "0"),
                            ("--threads", "1025"), ("--budget", "1e9")):
            self.refused(*CLASS, "--key-dimension", "3", option, bad, says=(option, "expected"))
        for bad in BAD_NUMBERS:
            self.refused(*SMALL, "--tries", bad, says=("--tries", "expected"))

    def test_a_certificate_of_another_key_dimension_is_no_success(self):
        instance = ("transition", "--family", "permutation", "--vertices", "10", "--gaussian", "3",
                    "--method", "edge-pairs", "--trials", "12", "--weight-max", str(10**26))
        points = self.json(*instance, "--key-dimension", "8")["points"]
        trials = points[0]["trials"]
        self.assertGreater(sum(sum(trial["head_widths"] or []) != 8 for trial in trials), 0)
        for trial in trials:
            self.assertEqual(trial["success"], sum(trial["head_widths"] or []) == 8)

    def test_points_that_cannot_be(self):
        self.refused(*SMALL, "--heads", "3", says="D_K 2 in 3 heads")
        self.refused(*SMALL, "--head-dim", "2", says="D_K 3 in heads of width 2")
        self.refused(*SMALL, "--sweep-heads", says="one --key-dimension")
        self.refused(*CLASS, "--key-dimension", "20000", "--sweep-heads", says="10000")
        self.refused(*SMALL, "--heads", "2", "--head-dim", "1", says="--head-dim")
        self.refused(*SMALL, "--heads", "2", "--sweep-heads", says="--sweep-heads")
        self.refused(*SMALL, "--method", "signature", says="signature")
        self.refused(*SMALL, "--method", "onehot-code", says="onehot-code")
        self.refused(*SMALL, "--method", "x", says="fit")
        self.refused(*CLASS, "--key-dimension", str(2**63))

    def test_paths(self):
        for option in ("--csv", "--svg", "--pdf", "--certificates"):
            self.refused(*SMALL, option, "no/such/folder", says="no/such/folder")
            self.refused(*SMALL, option, "edges.tsv/x", says="edges.tsv/x")
            self.refused(*SMALL, option, "", says="path")
        for option in ("--csv", "--svg", "--pdf"):
            self.refused(*SMALL, option, ".", says="directory")
        self.refused(*SMALL, "--certificates", "edges.tsv", says="edges.tsv")
        self.refused(*SMALL, "--csv", "x", "--svg", "x", says=("--csv", "--svg"))
        self.leaves_only()

    def test_a_full_disk(self):
        out, err = self.run_command(*SMALL, "--csv", "/dev/full", status=2)
        self.assertEqual(out, b"")
        self.assertIn(b"No space left", err)
