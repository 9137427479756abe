"""The script `run` itself: run-test.py SOURCE. It builds and installs nothing."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.abspath(sys.argv[1])
COMMANDS = ("certify", "test", "sanitize", "check-long", "records", "bench", "format")
# What the script may use before it knows whether there is apt.
TOOLS = ("bash", "env", "dirname", "cat", "mktemp", "rm", "nproc", "id", "touch")


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.bin = os.path.join(self.folder, "bin")
        os.mkdir(self.bin)
        for tool in TOOLS:
            os.symlink(shutil.which(tool), os.path.join(self.bin, tool))

    def fake(self, tool, script):
        """A tool that leaves its arguments in the file `called`, then does `script`."""
        path = os.path.join(self.bin, tool)
        with open(path, "w") as file:
            file.write('#!/usr/bin/env bash\necho "%s $*" >>"%s"\n%s\n'
                       % (tool, os.path.join(self.folder, "called"), script))
        os.chmod(path, 0o755)

    def called(self):
        path = os.path.join(self.folder, "called")
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return file.read().splitlines()

    def run_script(self, *arguments, script="run", folder=SOURCE):
        return subprocess.run([os.path.join(folder, script), *arguments], cwd=self.folder,
                              env={"PATH": self.bin}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def test_alone_it_lists_its_commands(self):
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(tuple(re.findall(r"^  ([a-z-]+)  ", done.stdout, re.M)), COMMANDS)

    def test_unknown_commands(self):
        for name in ("certfy", "--help", ""):
            done = self.run_script(name)
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertIn("usage", done.stderr)

    def test_without_apt_it_names_the_packages(self):
        for name in COMMANDS:
            done = self.run_script(name)
            self.assertEqual((done.returncode, done.stdout), (1, ""), name)
            self.assertIn("no apt", done.stderr)
            for package in ("clang-format",) if name == "format" else ("g++", "cmake", "libgmp-dev"):
                self.assertIn(package, done.stderr)
        self.assertIn("catch2", self.run_script("test").stderr)
        self.assertNotIn("catch2", self.run_script("certify").stderr)

    def test_it_installs_only_what_is_missing(self):
        self.fake("dpkg-query", '[ "${!#}" = cmake ] || echo -n installed')
        self.fake("apt-get", "exit 7")
        self.fake("sudo", '"$@"')
        done = self.run_script("certify")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("installing cmake\n", done.stderr)
        called = [line for line in self.called() if line.startswith("apt-get")]
        self.assertEqual(called, ["apt-get update -qq"])

    def test_it_stops_when_it_may_not_install(self):
        self.fake("dpkg-query", "echo -n not-installed")
        self.fake("apt-get", "exit 7")
        os.unlink(os.path.join(self.bin, "id"))
        self.fake("id", "echo 1000")
        done = self.run_script("certify")
        self.assertEqual(done.returncode, 1)
        self.assertIn("install them as root: g++ cmake", done.stderr)
        self.assertFalse([line for line in self.called() if line.startswith("apt-get")])

    def test_certify_runs_the_main_job(self):
        """On a copy whose cmake builds a command that only repeats its arguments."""
        copy = os.path.join(self.folder, "copy")
        os.makedirs(os.path.join(copy, "build", "release"))
        shutil.copy(os.path.join(SOURCE, "run"), copy)
        self.fake("dpkg-query", "echo -n installed")
        self.fake("apt-get", "exit 7")
        self.fake("cmake", "")
        command = os.path.join(copy, "build", "release", "qkcert")
        with open(command, "w") as file:
            file.write('#!/usr/bin/env bash\necho "$@"\n')
        os.chmod(command, 0o755)
        done = self.run_script("certify", folder=copy)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "^certify --graph examples/antonyms/edges.tsv --embedding "
                                      "examples/antonyms/embedding.npy .*-o build/antonyms.qkc\n$")
        self.assertEqual([line.split(" -D")[0] for line in self.called() if "cmake" in line[:5]],
                         ["cmake --preset release", "cmake --build --preset release"])

    def test_records_takes_the_seconds_for_each_cell(self):
        copy = os.path.join(self.folder, "copy")
        os.makedirs(os.path.join(copy, "build", "release"))
        shutil.copy(os.path.join(SOURCE, "run"), copy)
        self.fake("dpkg-query", "echo -n installed")
        self.fake("apt-get", "exit 7")
        self.fake("cmake", "")
        command = os.path.join(copy, "build", "release", "qkcert")
        with open(command, "w") as file:
            file.write('#!/usr/bin/env bash\necho "$@"\n')
        os.chmod(command, 0o755)
        for arguments, seconds in (((), "10"), (("2.5",), "2.5")):
            done = self.run_script("records", *arguments, folder=copy)
            self.assertEqual((done.returncode, done.stdout),
                             (0, "records examples/records --budget %s\n" % seconds), done.stderr)

    def test_ci_runs_the_tests(self):
        copy = os.path.join(self.folder, "copy")
        os.makedirs(os.path.join(copy, ".ci"))
        shutil.copy(os.path.join(SOURCE, ".ci", "run"), os.path.join(copy, ".ci"))
        with open(os.path.join(copy, "run"), "w") as file:
            file.write('#!/usr/bin/env bash\necho "run $*"\nexit 5\n')
        os.chmod(os.path.join(copy, "run"), 0o755)
        done = self.run_script(script=".ci/run", folder=copy)
        self.assertEqual((done.returncode, done.stdout), (5, "run test\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
