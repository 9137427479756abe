"""qkcert check."""

import json
import os
import signal
import stat
import time

import command
from command import Case


def claim(name, rest):
    return f'[[claim]]\nid = "{name}"\nstatement = "s"\nsource = "t"\n{rest}\n'


def size(name, value):
    return claim(name, 'kind = "family-size"\nfamily = "permutation"\nvertices = 5\n'
                 f"expect = {{ size = {value} }}")


ENDLESS = ('kind = "construction"\nmethod = "signature"\nfamily = "functional"\nvertices = 400\n'
           'gaussian = 64\nheads = 40\nhead_dim = 64\nseeds = "0-999999"')
CERTIFICATE = 'kind = "certificate"\ncertificate = "code.qkc"'


class Check(Case):
    def claims(self, *texts, name="claims.toml"):
        self.write(name, "\n".join(texts).encode())
        return name

    def checked(self, *arguments, status, **options):
        out, err = self.run_command("check", *arguments, status=status, **options)
        return out.decode(), err.decode()

    def results(self, *arguments, status=0, **options):
        report = json.loads(self.checked(*arguments, "--json", status=status, **options)[0])
        return {each["id"]: each["result"] for each in report["claims"]}

    def test_exit_statuses(self):
        for texts, status in (((size("a", 120),), 0), ((size("a", 120), size("b", 1)), 1),
                              ((size("a", 120), size("b", 1), "[[claim]]"), 2),
                              ((size("a", 120), "[[claim]]"), 2)):
            out, err = self.checked(self.claims(*texts), status=status)
            self.assertEqual(err, "")
            self.assertIn("passed a\n", out)
            self.assertTrue(out.splitlines()[-1].startswith(f"{len(texts)} claims: 1 passed"))

    def test_what_failed_is_told_exactly(self):
        out, _ = self.checked(self.claims(size("a", 119)), status=1)
        self.assertEqual(out, "failed a\n  claims.toml:1:1: expected size = 119, found 120 "
                         "(permutation 5)\n1 claims: 0 passed, 1 failed, 0 errors\n")

    def test_jobs_change_nothing(self):
        file = self.claims(*(size(f"c{i}", 119 + i % 3) for i in range(12)), claim("d", "kind = 1"))
        first = self.checked(file, "--json", "--jobs", "1", status=2)
        for jobs in ("2", "7"):
            self.assertEqual(self.checked(file, "--json", "--jobs", jobs, status=2), first)

    def test_one_that_never_ends(self):
        file = self.claims(size("first", 120), claim("endless", ENDLESS), size("last", 120))
        out, _ = self.checked(file, "--time-limit", "0.4", "--junit", "j.xml", status=2)
        self.assertIn("error endless\n  claims.toml:10:1: not decided within the limit of 0.4 s\n", out)
        self.assertIn("3 claims: 2 passed, 0 failed, 1 errors", out)
        self.assertIn(b"not decided within the limit", self.read("j.xml"))

    def test_one_that_wants_too_much_memory(self):
        with open(command.BINARY, "rb") as binary:
            if b"__asan_init" in binary.read():
                self.skipTest("AddressSanitizer needs address space")
        rest = ('kind = "construction"\nmethod = "onehot-code"\nfamily = "permutation"\n'
                "vertices = 20000\none_hot = true")
        file = self.claims(claim("large", rest), size("last", 120))
        self.assertEqual(self.results(file, "--memory-limit", "256", "--jobs", "1", status=2),
                         {"large": "error", "last": "passed"})

    def test_only(self):
        file = self.claims(size("one", 120), size("two", 1), size("three", 120))
        self.assertEqual(self.results(file, "--only", "three", "--only", "one"),
                         {"one": "passed", "three": "passed"})
        self.refused("check", file, "--only", "thre", says=("'thre'", "nearest: 'three'"))

    def test_a_file_that_is_no_toml(self):
        out, _ = self.checked(self.claims("[[claim]\n"), "--junit", "j.xml", "--sarif", "s.json",
                              status=2)
        self.assertIn("claims.toml:1:9: not TOML: ", out)
        self.assertIn(b"not TOML", self.read("j.xml"))
        self.assertEqual(json.loads(self.read("s.json"))["runs"][0]["results"][0]["ruleId"], "claim-error")

    def test_what_claims_are_decided_from_is_not_replaced(self):
        self.run_command(*command.CODE, "-o", "code.qkc")
        certificate = self.read("code.qkc")
        file = self.claims(claim("c", CERTIFICATE))
        for option in ("--junit", "--sarif"):
            self.refused("check", file, option, "code.qkc", says=("code.qkc", "would replace an input"))
        self.assertEqual(self.read("code.qkc"), certificate)

    def test_files_that_cannot_be_used(self):
        file = self.claims(size("a", 120))
        self.refused("check", says="CLAIMS")
        self.refused("check", "none.toml", says=("none.toml", "No such file"))
        self.refused("check", ".", says="Is a directory")
        for option in ("--junit", "--sarif"):
            self.refused("check", file, option, "none/out", says="none/out")
            self.refused("check", file, option, file, says="replace an input")
            self.refused("check", file, option, "-", says="expected a path")
            self.refused("check", file, option, "", says="expected a path")
        self.refused("check", file, "--junit", "o", "--sarif", "o", says="expected two files")
        self.refused("check", file, "--junit", "o", "--sarif", "./o", says="expected two files")
        self.refused("check", file, "--cache", "none/cache", says="none/cache")
        self.refused("check", file, "--cache", file, says=file)
        self.refused("check", file, "--jobs", "0", says="--jobs")
        self.refused("check", file, "--memory-limit", "63", says="--memory-limit")
        self.refused("check", file, "--time-limit", "x", says="--time-limit")
        self.leaves_only(file)

    def test_outputs_are_whole_or_old(self):
        file = self.claims(size("a", 120))
        self.checked(file, "--junit", "j.xml", "--sarif", "s.json", status=0)
        self.leaves_only(file, "j.xml", "s.json")
        os.mkdir(self.path("folder"))
        os.chmod(self.path("folder"), stat.S_IRUSR | stat.S_IXUSR)
        if os.geteuid() != 0:
            self.refused("check", file, "--junit", "folder/j.xml", says="folder/j.xml")
        with open("/dev/full", "wb") as full:
            self.run_command("check", file, status=2, stdout=full)
        os.rmdir(self.path("folder"))

    def test_cache(self):
        self.run_command(*command.CODE, "-o", "code.qkc")
        file = self.claims(size("a", 120), size("b", 1), claim("c", CERTIFICATE),
                           claim("e", "kind = 1"))
        first = self.checked(file, "--json", "--cache", "kept", status=2)
        self.assertEqual(self.checked(file, "--json", "--cache", "kept", status=2), first)
        out, _ = self.checked(file, "--cache", "kept", status=2)
        self.assertIn("; 3 unchanged, from the cache\n", out)
        self.write("code.qkc", self.read("code.qkc")[:-9])
        out, _ = self.checked(file, "--cache", "kept", status=2)
        self.assertIn("; 2 unchanged, from the cache\n", out)
        self.assertIn("failed c\n", out)

    def test_a_kill_leaves_whole_entries(self):
        file = self.claims(*(size(f"c{i}", 120) for i in range(40)), claim("endless", ENDLESS))
        process = self.start("check", file, "--cache", "kept", "--junit", "j.xml", "--jobs", "2")
        self.wait_for_entries(4)
        process.kill()
        process.wait()
        self.assertFalse(os.path.exists(self.path("j.xml")))
        out, _ = self.checked(file, "--cache", "kept", "--time-limit", "0.4", status=2)
        self.assertIn("40 passed, 0 failed, 1 errors", out)
        self.assertRegex(out, r"; \d+ unchanged")

    def test_an_interrupt_ends_it_cleanly(self):
        file = self.claims(size("a", 120), claim("endless", ENDLESS), claim("endless2", ENDLESS))
        process = self.start("check", file, "--cache", "kept", "--junit", "j.xml", "--jobs", "2")
        self.wait_for_entries(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (2, b""))
        self.assertIn(b"passed a\n", out)
        self.assertEqual(out.count(b": interrupted\n"), 2)
        self.assertEqual(self.read("j.xml").count(b"interrupted"), 2)

    def wait_for_entries(self, count):
        """Waits until the cache has so many."""
        folder = self.path("kept")
        deadline = time.monotonic() + 120
        while not os.path.isdir(folder) or len([n for n in os.listdir(folder) if n[0] != "."]) < count:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_annotations(self):
        file = self.claims(size("a", 120), size("b", 1))
        line = "::error file=claims.toml,line=10,col=1,title=b%3A failed::expected size = 1, found 120"
        for value, there in (("true", True), ("false", False), ("", False), (None, False)):
            environment = {key: text for key, text in os.environ.items() if key != "GITHUB_ACTIONS"}
            if value is not None:
                environment["GITHUB_ACTIONS"] = value
            out, err = self.checked(file, status=1, env=environment)
            self.assertEqual((line in out, err), (there, ""))
            out, err = self.checked(file, "--json", status=1, env=environment)
            self.assertEqual((out.count("\n"), line in err), (1, there))
