"""Compressed certificates: `.qkc.gz`."""

import gzip
import json
import subprocess
import sys

from command import CODE, Case, corpus
import command


class Gzip(Case):
    def setUp(self):
        super().setUp()
        self.text(*CODE, "-o", "code.qkc")
        self.plain = self.read("code.qkc")

    def test_output_is_compressed_by_its_name(self):
        report = self.json(*CODE, "-o", "code.qkc.gz")
        packed = self.read("code.qkc.gz")
        self.assertLess(len(packed), len(self.plain))
        self.assertEqual(gzip.decompress(packed), self.plain)
        zcat = subprocess.run(["zcat", self.path("code.qkc.gz")], stdout=subprocess.PIPE, check=True)
        self.assertEqual(zcat.stdout, self.plain)
        self.assertEqual(report["certificate"], "code.qkc.gz")
        self.assertEqual(report["sha256"], self.json("verify", "code.qkc")["sha256"])
        self.text(*CODE, "-o", "again.gz")
        self.assertEqual(self.read("again.gz"), packed)

    def test_every_way_to_read_one(self):
        self.write("code.qkc.gz", gzip.compress(self.plain, 1))
        plain, packed = (self.json("verify", name) for name in ("code.qkc", "code.qkc.gz"))
        self.assertEqual(dict(packed, certificate=None), dict(plain, certificate=None))
        self.text("verify", "-", stdin=self.read("code.qkc.gz"))
        self.assertEqual(self.text("info", "code.qkc.gz"), self.text("info", "code.qkc"))
        self.text("info", "-", stdin=self.read("code.qkc.gz"))
        self.write("no-ending", self.read("code.qkc.gz"))  # the bytes decide, not the name
        self.text("verify", "no-ending")
        self.write("plain.qkc.gz", self.plain)
        self.text("verify", "plain.qkc.gz")

    def test_what_is_no_certificate_has_status_1(self):
        packed = gzip.compress(self.plain)
        faults = {"cut": packed[:-1], "header": packed[:5], "more": packed + b"x",
                  "twice": packed + packed, "checksum": packed[:-8] + bytes(4) + packed[-4:],
                  "nested": gzip.compress(packed), "empty": gzip.compress(b""),
                  "zeros": gzip.compress(bytes(10**7)), "magic": b"\x1f\x8b"}
        for name, data in faults.items():
            self.write("x.qkc.gz", data)
            out, err = self.run_command("verify", "x.qkc.gz", "--json", status=1)
            self.assertEqual(json.loads(out)["status"], "does not hold", name)
            self.assertEqual(err.count(b"\n"), 1, name)
            self.assertTrue(err.startswith(b"x.qkc.gz: "), err)
            self.refused("info", "x.qkc.gz", says="x.qkc.gz")
            checker = subprocess.run(
                [sys.executable, command.SOURCE + "/tests/independent_checker.py", "x.qkc.gz"],
                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((checker.returncode, checker.stdout), (1, b""), name)

    def test_the_corpus_compressed(self):
        paths = []
        for kind, status in (("valid", 0), ("invalid", 1)):
            for path in corpus(kind):
                with open(path, "rb") as file:
                    name = kind + str(len(paths)) + ".gz"
                    self.write(name, gzip.compress(file.read()))
                paths.append((name, status))
        for name, status in paths:
            self.run_command("verify", name, status=status)
        checker = [sys.executable, command.SOURCE + "/tests/independent_checker.py"]
        valid = [name for name, status in paths if status == 0]
        subprocess.run([*checker, *valid], cwd=self.folder, stdout=subprocess.DEVNULL, check=True)
