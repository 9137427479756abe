"""qkcert verify."""

import hashlib
import os
import random
import re
import time

from command import CODE, Case, corpus, json


def sealed(body):
    return body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n"


def parabola(vertices, heads, greatest=-1):
    """S_uv = -(u - v)² with loops for edges, in several equal heads: slow, as most scores are near."""
    lines = ["qkcert 1", "claim recovery", f"graph {vertices} {vertices}"]
    lines += [f"{v} {v}" for v in range(vertices)]
    lines += [f"embedding {vertices} 3", *(f"1 {v} {v * v}" for v in range(vertices))]
    lines += ["decoder threshold-max -1", f"heads {heads}"]
    lines += ["head 3", "query", "0 0 -1", "0 2 0", "-1 0 0", "key", "1 0 0", "0 1 0", "0 0 1"] * heads
    return sealed("\n".join([*lines, f"extremes 0 {greatest}", "end", ""]).encode())


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

    def test_instruction_sets(self):
        names = self.refused("verify", "x", "--simd", "none", says=("'none'", "scalar"))
        names = names.split("there are: ")[1].split()
        expected = self.judged(*corpus("valid"), status=0)
        for name in names:
            self.assertEqual(self.judged("--simd", name, *corpus("valid"), status=0), expected)
            environment = dict(os.environ, QKCERT_SIMD=name)
            out, _ = self.run_command("verify", *corpus("valid"), env=environment)
            self.assertEqual(out.decode().splitlines(), expected[0])
        environment = dict(os.environ, QKCERT_SIMD="none")
        self.refused("verify", *corpus("valid"), env=environment, says="'none'")
        self.run_command("verify", "--simd", names[0], *corpus("valid"), env=environment)
        self.refused("verify", "x", "--simd", "", says="--simd")

    def long_job(self):
        """Certificates slow.qkc and false.qkc that take a while here, and that many seconds."""
        vertices, seconds = 1250, 0
        while seconds < 0.4:
            vertices *= 2
            self.write("slow.qkc", parabola(vertices, 24))
            start = time.monotonic()
            self.judged("slow.qkc", "--threads", "1", "--checkpoint", "state", status=0)
            seconds = time.monotonic() - start
        self.write("false.qkc", parabola(vertices, 24, greatest=-2))
        return seconds

    def blocks_done(self):
        if not os.path.exists(self.path("state")):
            return 0
        return re.search(rb"done (\d+)\n", self.read("state"))[1].count(b"1")

    def killed(self, process):
        """Whether it had not come to its end before."""
        process.kill()
        process.wait()
        beside = [name for name in os.listdir(self.folder) if name.startswith(".qkcert")]
        self.assertLessEqual(len(beside), 1, beside)
        return process.returncode != 0

    def test_a_killed_verification_resumes(self):
        seconds = self.long_job()
        run = ("slow.qkc", "--threads", "1", "--checkpoint", "state")
        expected = self.judged("slow.qkc", status=0)
        choice, reached, kills_after_a_block = random.Random(1), 0, 0
        moments = [(i + choice.random()) / 20 * seconds for i in range(20)]
        choice.shuffle(moments)
        for i, moment in enumerate(moments):
            process = self.start("verify", "slow.qkc", "--checkpoint", "state", "--threads",
                                 str(1 + i % 2))
            time.sleep(moment)
            if not self.killed(process):  # it begins anew
                self.assertEqual(process.stdout.read().decode().splitlines(), expected[0])
                reached = 0
            self.assertGreaterEqual(self.blocks_done(), reached)
            reached = self.blocks_done()
            kills_after_a_block += reached > 0
        while self.blocks_done() == 0:  # and one more, once a block is done
            process = self.start("verify", *run)
            while self.blocks_done() == 0 and process.poll() is None:
                time.sleep(0.001)
            self.killed(process)
        self.assertGreater(kills_after_a_block, 0)
        state = self.read("state")
        self.assertEqual(self.judged(*run, status=0), expected)
        self.assertFalse(os.path.exists(self.path("state")))
        # Damaged and foreign ones are refused and stay.
        damaged = state.replace(b"done 1", b"done 0") if b"done 1" in state else state[:-1]
        body = state[:state.rindex(b"sha256 ")]
        for content, file, says in (
                (damaged, "slow.qkc", "hash" if damaged != state[:-1] else "state"),
                (state[:-1], "slow.qkc", "state"), (b"", "slow.qkc", "state"),
                (state, "false.qkc", "another certificate"),
                (sealed(re.sub(rb"version \S+", b"version 0.0.0", body)), "slow.qkc", "version 0.0.0"),
                (sealed(re.sub(rb"sources \S+", b"sources " + b"0" * 64, body)), "slow.qkc",
                 "other rows"),
                (sealed(re.sub(rb"(edge) .*", rb"\1 -", body)), "slow.qkc", "no score"),
                (sealed(re.sub(rb"least-edge .*", b"least-edge 1 0 0", body)), "slow.qkc", "score")):
            self.write("state", content)
            out, err = self.judged(file, "--checkpoint", "state", status=2)
            self.assertEqual((out, len(err)), ([], 1))
            self.assertIn(says, err[0])
            self.assertEqual(self.read("state"), content)
        os.remove(self.path("state"))
        self.judged("false.qkc", "--checkpoint", "state", status=1)
        self.assertFalse(os.path.exists(self.path("state")))
        for arguments in (("slow.qkc", "slow.qkc"), ("slow.qkc", "false.qkc")):
            self.refused("verify", *arguments, "--checkpoint", "state", says="--checkpoint")
        self.refused("verify", "slow.qkc", "--checkpoint", "slow.qkc", says="slow.qkc")
        self.refused("verify", "slow.qkc", "--checkpoint", "-", says="--checkpoint")
        self.refused("verify", "slow.qkc", "--checkpoint", "none/state", says="none/state")
        out, err = self.judged("slow.qkc", "--json", "--checkpoint", "x" * 300, status=2)
        self.assertEqual([json.loads(line)["status"] for line in out], ["unreadable"])
        self.assertTrue(err[0].startswith("x" * 300 + ": cannot be read: "), err)
        self.leaves_only("slow.qkc", "false.qkc")

    def test_checkpoints_are_of_recovery(self):
        for path in corpus("valid"):
            status = 0 if b"\nclaim recovery\n" in self.read(path) else 2
            out, err = self.judged(path, "--checkpoint", "state", status=status)
            if status == 2:
                self.assertEqual((out, len(err)), ([], 1))
                self.assertIn("expected a certificate of recovery for --checkpoint", err[0])
            self.assertFalse(os.path.exists(self.path("state")))

    def test_threads_agree(self):
        for path in corpus("valid") + corpus("invalid"):
            runs = [self.start("verify", path, "--threads", n) for n in ("1", "2", "5")]
            results = {(run.communicate(), run.returncode) for run in runs}
            self.assertEqual(len(results), 1, path)
