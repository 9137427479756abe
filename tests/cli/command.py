"""Runs the qkcert command for the tests of its verbs."""

import json
import os
import pty
import select
import struct
import subprocess
import tempfile
import time
import unittest

BINARY = None  # set by cli-test.py
SOURCE = None

PERMUTATION = ("--family", "permutation", "--vertices", "16")
CODE = ("construct", *PERMUTATION, "--one-hot", "--method", "onehot-code")
# No channel of width 1 serves these: `construct` refutes it, `certify` never ends before its budget.
HOPELESS = ("--family", "functional", "--vertices", "64", "--gaussian", "4", "--method", "signature",
            "--heads", "1", "--head-dim", "1")
# Spellings that no option takes for a number.
BAD_NUMBERS = ("010", "0x10", "1e3", "+5", "", " 5", "5 ", "-1", "5.0", "{}", "%%", "٣", "5\n")


def npy(rows):
    """The bytes of a .npy file of int64 rows."""
    header = "{'descr': '<i8', 'fortran_order': False, 'shape': (%d, %d), }" % (
        len(rows), len(rows[0]))
    header = header.ljust(117) + "\n"
    body = b"".join(struct.pack("<q", x) for row in rows for x in row)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def identity(size):
    return [[int(i == j) for j in range(size)] for i in range(size)]


def corpus(kind):
    folder = os.path.join(SOURCE, "tests", "corpus", "certificates", kind)
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


class Case(unittest.TestCase):
    """A test in a directory of its own, with a small graph and embedding that fit together."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("edges.tsv", b"0\t1\n1\t0\n2\t3\n3\t2\n")
        self.write("embedding.npy", npy(identity(4)))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def start(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen([BINARY, *arguments], cwd=self.folder, **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def run_command(self, *arguments, stdin=b"", status=0, **options):
        """Runs the command to its end, requires its status (if not None), returns its outputs."""
        process = self.start(*arguments, stdin=subprocess.PIPE, **options)
        out, err = process.communicate(stdin, timeout=300)
        if status is not None:
            self.assertEqual(process.returncode, status, (arguments, out, err))
        return out or b"", err or b""

    def text(self, *arguments, **options):
        """A success: the text on standard output, with nothing on standard error."""
        out, err = self.run_command(*arguments, **options)
        self.assertEqual(err, b"")
        return out.decode()

    def json(self, *arguments, **options):
        """A success with --json: one line, one object."""
        text = self.text(*arguments, "--json", **options)
        self.assertTrue(text.endswith("\n") and text.count("\n") == 1, text)
        return json.loads(text)

    def refused(self, *arguments, says=(), **options):
        """Status 2, nothing on standard output, one line on standard error that names every word."""
        out, err = self.run_command(*arguments, status=2, **options)
        self.assertEqual(out, b"", arguments)
        message = err.decode()
        self.assertTrue(message.startswith("qkcert: ") and message.count("\n") == 1, message)
        for word in (says,) if isinstance(says, str) else says:
            self.assertIn(word, message)
        return message

    def leaves_only(self, *names):
        """Nothing but the inputs and these files is in the directory."""
        self.assertEqual(set(os.listdir(self.folder)), {"edges.tsv", "embedding.npy", *names})

    def start_on_terminal(self, *arguments, **options):
        """A process whose standard error is a terminal, and that terminal's other end."""
        ours, theirs = pty.openpty()
        process = self.start(*arguments, stderr=theirs, **options)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        return process, ours

    @staticmethod
    def read_terminal(ours, until=None, seconds=400):
        """What was drawn up to the bytes `until`, or to the end of the process."""
        seen = b""
        deadline = time.monotonic() + seconds
        while until is None or until not in seen:
            if not select.select([ours], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError("nothing more is drawn: %r" % seen[-500:])
            try:
                block = os.read(ours, 4096)
            except OSError:  # how Linux says that the other end is closed
                block = b""
            if not block:
                break
            seen += block
        return seen
