"""qkcert verify in several processes: mpi-test.py BINARY SOURCE WITHOUT, binaries with and without MPI."""

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
WITHOUT_MPI = os.path.abspath(sys.argv[3])

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
        return self.mpirun("-n", str(ranks), command.BINARY, *arguments)

    def mpirun(self, *arguments):
        process = subprocess.Popen(
            [*MPIRUN, *arguments], cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
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

    def test_ranks_given_other_arguments_are_refused(self):
        good, bad = corpus("valid")[0], corpus("invalid")[0]
        shutil.copy(good, self.path("0.qkc"))
        shutil.copy(bad, self.path("1.qkc"))
        qkcert = command.BINARY
        verify = (qkcert, "verify", "0.qkc")
        for job in (("-n", "2", "sh", "-c", qkcert + " verify $OMPI_COMM_WORLD_RANK.qkc"),
                    ("-n", "1", *verify, ":", "-n", "1", *verify, "--simd", "none"),
                    ("-n", "1", *verify, "--simd", "none", ":", "-n", "1", *verify),
                    ("-n", "1", *verify, ":", "-n", "1", qkcert, "info", "0.qkc"),
                    ("-n", "2", "sh", "-c", "QKCERT_SIMD=$OMPI_COMM_WORLD_RANK %s %s %s" % verify)):
            process = self.mpirun(*job)
            out, err = process.communicate(timeout=300)
            self.assertEqual((process.returncode, out), (2, b""), job)
            self.assertIn(b"qkcert: mpirun has started rank 1 with other arguments", err)
            self.assertEqual(err.count(b"qkcert: "), 1, err)

    def test_a_build_without_mpi_refuses(self):
        process = self.mpirun("-n", "2", WITHOUT_MPI, "verify", *corpus("valid"))
        out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, out), (2, b""))
        self.assertIn(b"this build has no MPI", err)
        for rank in "0", "1":
            environment = dict(os.environ, OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK=rank)
            done = subprocess.run([WITHOUT_MPI, "verify", *corpus("valid")], env=environment,
                                  capture_output=True)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"this build has no MPI", done.stderr)
        done = subprocess.run([WITHOUT_MPI, "verify", *corpus("valid")], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_killed_rank_fails_the_job(self):
        self.write("slow.qkc", parabola(12000, 64))
        arguments = ("verify", "slow.qkc", "--threads", "1")
        start = time.monotonic()
        expected = self.results(3, *arguments)
        seconds = time.monotonic() - start
        self.assertEqual(expected[0], 0)
        choice, hits = random.Random(1), 0
        for i in range(10):
            process = self.job(3, *arguments)
            end = time.monotonic() + (i + choice.random()) / 10 * seconds
            while time.monotonic() < end or len(children(process.pid)) < 3:
                if process.poll() is not None:
                    break
                time.sleep(0.01)
            victims = children(process.pid)
            if len(victims) == 3:
                os.kill(victims[i % 3], signal.SIGKILL)
            out, err = process.communicate(timeout=300)
            # Killed after the verdict, the job may have said it; only the whole job ends with 0.
            self.assertIn(out, (b"", expected[1]))
            if process.returncode == 0:
                self.assertEqual(out, expected[1], err)
            hits += process.returncode != 0
        self.assertGreater(hits, 0)


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
