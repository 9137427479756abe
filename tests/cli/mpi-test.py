"""qkcert verify in several processes: mpi-test.py BINARY SOURCE, a binary built with QKCERT_MPI."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True

import command  # noqa: E402

command.BINARY = os.path.abspath(sys.argv[1])
command.SOURCE = os.path.abspath(sys.argv[2])

from command import Case, corpus  # noqa: E402
from verify_cases import parabola  # noqa: E402

MPIRUN = ("mpirun", "--oversubscribe", "--bind-to", "none")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def children(parent):
    """The processes that `parent` has started."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                if int(file.read().rsplit(")", 1)[1].split()[1]) == parent:
                    found.append(int(name))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return sorted(found)


class Mpi(Case):
    def job(self, ranks, *arguments):
        process = subprocess.Popen(
            [*MPIRUN, "-n", str(ranks), command.BINARY, *arguments], cwd=self.folder,
            env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    def results(self, ranks, *arguments, stdin=b""):
        """Status, standard output, and standard error without what mpirun adds to a failure."""
        process = self.job(ranks, *arguments)
        out, err = process.communicate(stdin, timeout=300)
        return process.returncode, out, err.split(b"-----")[0]

    def agree(self, ranks, *arguments, stdin=b""):
        out, err = self.run_command(*arguments, status=None, stdin=stdin)
        alone = self.start(*arguments, stdin=subprocess.PIPE)
        alone.communicate(stdin)
        self.assertEqual(self.results(ranks, *arguments, stdin=stdin), (alone.returncode, out, err))

    def test_the_corpus(self):
        for ranks in (1, 2, 3, 4):
            self.agree(ranks, "verify", "--threads", "1", *corpus("valid"))
            self.agree(ranks, "verify", "--threads", "1", "--json", *corpus("invalid"), "none",
                       *corpus("valid"))

    def test_odd_sizes_and_more_ranks_than_rows(self):
        for vertices in (1, 2, 3, 257):
            for greatest in (-1, -2):
                self.write(f"{vertices}{greatest}", parabola(vertices, 3, greatest=greatest))
        files = sorted(name for name in os.listdir(self.folder) if "-" in name)
        for ranks in (2, 3, 4):
            self.agree(ranks, "verify", "--threads", "1", *files)

    def test_standard_input_and_files_that_cannot_be_read(self):
        self.agree(3, "verify", "-", stdin=parabola(50, 2))
        self.agree(3, "verify", "-", stdin=parabola(50, 2)[:-1])
        self.agree(2, "verify", "none")

    def test_usage_is_refused_once(self):
        for arguments, says in ((("info", "x"), b"only `verify`"), (("verify",), b"FILE"),
                                (("verify", "x", "--simd", "none"), b"'none'"),
                                (("verify", "x", "--checkpoint", "state"), b"--checkpoint")):
            status, out, err = self.results(3, *arguments)
            self.assertEqual((status, out, err.count(b"\n")), (2, b"", 1), err)
            self.assertIn(says, err)

    def test_a_killed_rank_fails_the_job(self):
        self.write("slow.qkc", parabola(12000, 64))
        choice = random.Random(1)
        for victim in range(3):
            process = self.job(3, "verify", "slow.qkc", "--threads", "1")
            while len(children(process.pid)) < 3:
                time.sleep(0.01)
            time.sleep(choice.uniform(0, 1))
            self.assertIsNone(process.poll())
            os.kill(children(process.pid)[victim], signal.SIGKILL)
            out, err = process.communicate(timeout=300)
            self.assertNotEqual(process.returncode, 0, err)
            self.assertEqual(out, b"")


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
