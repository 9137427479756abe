"""qkcert records."""

import gzip
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

from command import Case
import command

EASY = "permutation-m16-d8-a127"
OTHERS = ("permutation-m16-d8-a7", "permutation-m16-d8-a1", "permutation-m32-d16-a7")
SEED = int(os.environ.get("QKCERT_TEST_SEED", "1"))
ROUNDS = 8 * int(os.environ.get("QKCERT_TEST_MULTIPLIER", "1"))


class Records(Case):
    def records(self, *arguments, **options):
        return self.text("records", "r", *arguments, **options)

    def state(self):
        return json.loads(self.read("r/records.json"))

    def hold(self):
        """Every record of the state has its certificate; its hash, found another way."""
        for cell, history in self.state()["cells"].items():
            if history:
                data = self.read("r/%s-dk%d.qkc.gz" % (cell, history[-1]["key_dimension"]))
                self.assertEqual(hashlib.sha256(gzip.decompress(data)).hexdigest(),
                                 history[-1]["sha256"])

    def test_a_first_run_and_a_second(self):
        first = self.records("--cell", EASY, "--budget", "100")
        self.assertRegex(first, "^%s: D_K [1-4], fit, seed \\d+, the first record\n$" % EASY)
        files = {name: self.read("r/" + name) for name in os.listdir(self.path("r"))}
        self.assertEqual(len(files), 3)
        self.assertEqual(self.records("--check"), "1 records of 1 cells hold, and the table is theirs\n")
        self.assertIn("as before", self.records("--cell", EASY, "--budget", "100"))
        self.assertEqual(files, {name: self.read("r/" + name) for name in os.listdir(self.path("r"))})
        record = self.state()["cells"][EASY][0]
        now = time.gmtime()
        self.assertIn(record["date"], {time.strftime("%Y-%m-%d", time.gmtime(time.mktime(now) - d))
                                       for d in (0, 86400)} | {time.strftime("%Y-%m-%d", now)})
        self.hold()

    def test_the_table_replays_its_records(self):
        self.records("--budget", "1", "--cell", EASY, "--cell", OTHERS[1], "--cell", OTHERS[2])
        state = self.state()["cells"]
        for row in re.findall(r"^\| `permutation.*$", self.read("r/README.md").decode(), re.M):
            cells = [cell.strip(" `") for cell in row.split("|")[1:-1]]
            if cells[3] == "no record yet":
                continue
            report = self.json("construct", *shlex.split(cells[11]), "-o", "x.qkc.gz")
            self.assertEqual(report["sha256"], cells[10])
            self.assertEqual(report["key_dimension"], int(cells[3]))
            self.assertEqual(gzip.decompress(self.read("x.qkc.gz")), gzip.decompress(
                self.read("r/" + re.search(r"\((.*)\)", cells[9])[1])))
            self.assertEqual(report["sha256"], state[cells[0]][-1]["sha256"])

    def test_check_can_replay(self):
        self.records("--cell", EASY, "--budget", "100")
        self.records("--check", "--replay")
        state = self.read("r/records.json")
        self.write("r/records.json", re.sub(rb'"seed": \d+', b'"seed": 12345', state))
        self.records("--table-only")
        self.records("--check")
        _, err = self.run_command("records", "r", "--check", "--replay", status=1)
        self.assertRegex(err, b"^%s: the replay does not give its certificate\n$" % EASY.encode())

    def test_a_worse_search_changes_nothing(self):
        self.records("--cell", EASY, "--budget", "100")
        state = self.read("r/records.json")
        self.records("--cell", EASY, "--budget", "0", "--seed", "77")
        self.records("--cell", OTHERS[0], "--budget", "0")
        self.assertEqual(self.state()["cells"][OTHERS[0]], [])
        self.assertEqual(self.state()["cells"][EASY], json.loads(state)["cells"][EASY])
        self.assertIn("`%s` | 1 | counting | no record yet" % OTHERS[0],
                      self.read("r/README.md").decode())

    def test_check_finds_every_fault(self):
        self.records("--cell", EASY, "--budget", "100")
        name = [name for name in os.listdir(self.path("r")) if name.endswith(".gz")][0]

        def faults(expected):
            out, err = self.run_command("records", "r", "--check", status=1)
            self.assertEqual((out, err.count(b"\n")), (b"", 1), err)
            self.assertIn(expected, err.decode())

        good = self.read("r/" + name)
        self.write("r/" + name, good[:-1])
        faults("r/%s: byte " % name)
        os.unlink(self.path("r/" + name))
        faults("r/%s: cannot be read" % name)
        self.write("r/" + name, good)
        self.write("r/stray.qkc.gz", good)
        faults("r/stray.qkc.gz: no record names it")
        os.unlink(self.path("r/stray.qkc.gz"))
        table = self.read("r/README.md")
        self.write("r/README.md", table.replace(b"| 3.00 |", b"| 2.00 |") + b"\n")
        faults("r/README.md: not what records.json gives")
        self.records("--table-only")
        self.assertEqual(self.read("r/README.md"), table)
        self.records("--check")

    def test_a_broken_certificate_is_reported(self):
        self.records("--cell", EASY, "--budget", "100")
        name = [name for name in os.listdir(self.path("r")) if name.endswith(".gz")][0]
        good = self.read("r/" + name)
        self.write("r/" + name, good[:100])
        out, err = self.run_command("records", "r", "--cell", EASY, "--budget", "0")
        self.assertRegex(err.decode(), "^r/%s: byte 100.*; restored by its replay\n$" % name)
        self.assertEqual(self.read("r/" + name), good)
        # A hash that its replay does not give: reported, kept, status 1.
        state = self.read("r/records.json")
        digest = self.state()["cells"][EASY][0]["sha256"].encode()
        self.write("r/records.json", state.replace(digest, b"0" * 64))
        lying = self.read("r/records.json")
        out, err = self.run_command("records", "r", "--cell", EASY, "--budget", "100", status=1)
        self.assertIn("expected the sha256 " + "0" * 64, err.decode())
        self.assertIn(b"as before", out)
        self.assertEqual(self.read("r/records.json"), lying)

    def test_bad_states(self):
        os.mkdir(self.path("r"))
        for state, says in ((b"", "expected JSON"), (b"{}", "qkcert-records"),
                            (b'{"qkcert-records": 1, "cells": {"x": []}}', "the name of a cell"),
                            (b'{"qkcert-records": 1, "cells": {}}', "line 1")):
            self.write("r/records.json", state)
            for arguments in (("--check",), ("--table-only",), ("--cell", EASY)):
                self.refused("records", "r", *arguments, says=("r/records.json: ", says))
            self.assertEqual(self.read("r/records.json"), state)
            self.assertEqual(os.listdir(self.path("r")), ["records.json"])

    def test_folders_that_cannot_be_used(self):
        for folder in ("edges.tsv", "edges.tsv/r", "none/r", "/proc/r"):
            self.refused("records", folder, "--cell", EASY, says=folder)
            self.refused("records", folder, "--check", says=folder)
        os.mkdir(self.path("empty"))
        self.refused("records", "empty", "--check", says="there is no records.json")
        self.refused("records", "r", "--cell", "antonyms-512-a7", "--budget", "1",
                     says="antonyms/edges.tsv: cannot be read")

    def test_a_lost_state_is_reported_and_nothing_removed(self):
        self.records("--cell", EASY, "--budget", "0.5")
        before = set(os.listdir(self.path("r")))
        os.unlink(self.path("r/records.json"))
        self.refused("records", "r", "--cell", EASY, "--budget", "0", says="records.json")
        self.refused("records", "r", "--table-only", says="records.json")
        self.assertEqual(set(os.listdir(self.path("r"))), before - {"records.json"})

    def test_usage(self):
        self.refused("records", says="DIR")
        self.refused("records", "r", "--cell", "permutation-m9-d8-a1", says="unknown cell")
        self.refused("records", "r", "--check", "--table-only", says="--check")
        self.refused("records", "r", "--check", "--cell", EASY, says="--check")
        self.refused("records", "r", "--table-only", "--budget", "1", says="--table-only")
        self.refused("records", "r", "--replay", says="--check")
        self.refused("records", "r", "--budget", "x", says="--budget")
        self.leaves_only()

    def test_one_process_at_a_time(self):
        process = self.start("records", "r", "--cell", "permutation-m128-d8-a1", "--budget", "60")
        while not os.path.exists(self.path("r/records.json")):
            time.sleep(0.01)
        self.refused("records", "r", "--cell", EASY, says="another process is changing this folder")
        process.kill()
        process.wait()
        self.records("--cell", EASY, "--budget", "1")

    def test_an_interrupt_keeps_what_was_found(self):
        process = self.start("records", "r", "--budget", "600", "--cell", OTHERS[2], "--cell", EASY)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertEqual(out.count(b"\n"), 1 if EASY.encode() not in out else 2, out)
        self.records("--check")

    def test_kill_9_leaves_a_consistent_folder(self):
        """Records that fall from a bad start, killed at any time."""
        moments = random.Random(SEED)
        best = {}
        for round in range(ROUNDS):
            if round % 4 == 0:
                shutil.rmtree(self.path("r"), ignore_errors=True)
                best = {}
            process = self.start("records", "r", "--budget", "0.3", "--seed", str(round),
                                 *(word for cell in (EASY, *OTHERS) for word in ("--cell", cell)))
            time.sleep(moments.random() * 1.2)
            process.kill()
            process.wait()
            if not os.path.exists(self.path("r/records.json")):
                continue
            self.hold()
            for cell, history in self.state()["cells"].items():
                least = min([record["key_dimension"] for record in history], default=None)
                if cell in best and best[cell] is not None:
                    self.assertLessEqual(least, best[cell], (SEED, round))
                best[cell] = least
            self.records("--table-only")
            self.records("--check")

    def test_the_committed_records_hold(self):
        folder = os.path.join(command.SOURCE, "examples", "records")
        self.assertIn("hold, and the table is theirs", self.text("records", folder, "--check"))
        files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))
                 if name.endswith(".qkc.gz")]
        smallest = sorted(files, key=os.path.getsize)[:5]
        checker = os.path.join(command.SOURCE, "tests", "independent_checker.py")
        subprocess.run([sys.executable, checker, *smallest], stdout=subprocess.DEVNULL, check=True)
