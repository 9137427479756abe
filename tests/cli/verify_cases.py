"""qkcert verify."""

import os

from command import CODE, Case, corpus, json


class Verify(Case):
    def judged(self, *files, status, stdin=b""):
        out, err = self.run_command("verify", *files, status=status, stdin=stdin)
        return out.decode().splitlines(), err.decode(errors="replace").splitlines()

    def test_every_valid_certificate(self):
        for path in corpus("valid"):
            out, err = self.judged(path, status=0)
            self.assertEqual((len(out), err), (1, []))
            self.assertTrue(out[0].startswith(path + ": "), out)

    def test_every_invalid_certificate(self):
        for path in corpus("invalid"):
            out, err = self.judged(path, status=1)
            self.assertEqual((out, len(err)), ([], 1), path)
            self.assertTrue(err[0].startswith(path + ": "), err)

    def test_a_false_claim_names_the_pair_and_both_numbers(self):
        def reason(name):
            return self.judged(*[path for path in corpus("invalid") if path.endswith(name)],
                               status=1)[1][0]

        self.assertRegex(reason("tau-equals-least-edge.qkc"), r"edge \(\d+, \d+\) scores 3.*3$")
        self.assertRegex(reason("tau-below-greatest-non-edge.qkc"), r"\(\d+, \d+\) scores 1.*0$")
        self.assertRegex(reason("extremes-off-by-one.qkc"), r"stated as .* but is .*\(\d+, \d+\)")

    def test_files_that_cannot_be_read(self):
        for path in ("none.qkc", ".", "edges.tsv/none.qkc"):
            out, err = self.judged(path, status=2)
            self.assertEqual((out, len(err)), ([], 1))
            self.assertIn(path, err[0])

    def test_files_that_are_no_certificates(self):
        self.write("empty", b"")
        self.write("zeros", bytes(100000))
        self.write("newlines", b"\n" * 100000)
        self.write("huge-count", b"qkcert 1\nclaim recovery\ngraph 18446744073709551615 1\n0 1\n")
        self.write("long-number", b"qkcert 1\nclaim recovery\ngraph " + b"9" * 1000000 + b" 1\n")
        self.write("bad-family", b"qkcert 1\nclaim bound counting\nfamily matching 4 3\n")
        for name in ("empty", "zeros", "newlines", "huge-count", "long-number", "bad-family",
                     "edges.tsv", "embedding.npy", "/dev/null"):
            out, err = self.judged(name, status=1)
            self.assertEqual((out, len(err)), ([], 1), name)
            self.assertLess(len(err[0]), 400)

    def test_several_files(self):
        good, bad = corpus("valid")[0], corpus("invalid")[0]
        for files, status in (((good, good), 0), ((good, bad, good), 1), ((bad, good), 1),
                              ((good, "none", good), 2), (("none", bad, good), 2),
                              ((bad, "none", good), 2)):
            out, err = self.judged(*files, status=status)
            self.assertEqual(len(out), files.count(good))
            self.assertEqual(len(err), len(files) - files.count(good))

    def test_json_reports_each_file(self):
        good, bad = corpus("valid")[0], corpus("invalid")[0]
        out, err = self.judged("--json", good, "none", bad, status=2)
        self.assertEqual(len(err), 2)
        reports = [json.loads(line) for line in out]
        self.assertEqual([report["status"] for report in reports],
                         ["holds", "unreadable", "does not hold"])
        self.assertEqual([report["certificate"] for report in reports], [good, "none", bad])
        self.assertEqual([report.get("reason") for report in reports], [None, *err])
        self.assertEqual([report["sha256"] is None for report in reports], [False, True, False])

    def test_standard_input(self):
        self.text(*CODE, "-o", "code.qkc")
        certificate = self.read("code.qkc")
        self.judged("-", status=0, stdin=certificate)
        self.judged("code.qkc", "-", status=0, stdin=certificate)
        self.judged("-", status=1, stdin=certificate[:-1])
        self.refused("verify", "-", "-", stdin=certificate, says="standard input")

    def test_names(self):
        self.run_command(*CODE, "-o", "./-x.qkc")
        self.run_command(*CODE, "-o", "info")
        for arguments in (("--", "-x.qkc"), ("./-x.qkc",), ("info",)):
            self.judged(*arguments, status=0)
        self.assertEqual(len(self.judged("no\nsuch\nfile", status=2)[1]), 1)
        self.write("bad\nname", b"qkcert 2\n")
        self.assertEqual(len(self.judged("bad\nname", status=1)[1]), 1)
        latin = os.fsdecode(b"\xff.qkc")
        self.write(latin, b"qkcert 2\n")
        out, _ = self.judged(latin, "--json", status=1)
        self.assertEqual(json.loads(out[0])["certificate"], "\ufffd.qkc")

    def test_usage(self):
        self.refused("verify", says="FILE")
        self.refused("verify", "x", "-o", "y", says="-o")
        self.refused("verify", "x", "--threads", "-1", says="--threads")

    def test_threads_agree(self):
        for path in corpus("valid") + corpus("invalid"):
            runs = [self.start("verify", path, "--threads", n) for n in ("1", "2", "5")]
            results = {(run.communicate(), run.returncode) for run in runs}
            self.assertEqual(len(results), 1, path)
