"""How `mpirun -n N qkcert verify` scales on this machine: mpi.py QKCERT.

A row per number of ranks, one thread each, on one certificate: wall seconds, the same less what mpirun
takes to run `qkcert verify` on an empty certificate, and its speed against one process. Reading on
rank 0 is part of it. Needs a build with QKCERT_MPI and Open MPI; says so and ends with 0 otherwise.
Nothing is asserted."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
QKCERT = os.path.abspath(sys.argv[1])
VERTICES, HEADS, WIDTH = 65536, 32, 32


def seconds(*command):
    start = time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True)
    return time.monotonic() - start, result


def main():
    if not shutil.which("mpirun"):
        print("mpi: mpirun is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "code.qkc")
        # Queries and keys of one norm, so that norms exclude nothing. The claim is false, which takes
        # every score to know.
        subprocess.run([sys.executable, "-c", GENERATOR, path], check=True)
        print("mpi: verify, m = %d, %d heads x %d, one thread a rank" % (VERTICES, HEADS, WIDTH))
        alone, plain = seconds(QKCERT, "verify", path, "--threads", "1")
        print("%8s %9s %9s %7s" % ("ranks", "wall s", "less", "speed"))
        print("%8s %9.2f %9.2f %7.2f" % ("none", alone, alone, 1))
        empty = os.path.join(folder, "empty.qkc")
        open(empty, "w").close()
        for ranks in (1, 2, 4):
            mpirun = ("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n",
                      str(ranks), QKCERT, "verify", "--threads", "1")
            start, _ = seconds(*mpirun, empty)
            wall, result = seconds(*mpirun, path)
            if "no MPI" in result.stderr:
                print("mpi: this build has no MPI")
                return
            same = result.returncode == plain.returncode
            print("%8d %9.2f %9.2f %7.2f%s" % (ranks, wall, wall - start, alone / (wall - start),
                                              "" if same else "  OTHER STATUS"))


GENERATOR = """
import hashlib, random, sys
m, d, heads, w = %d, 64, %d, %d
r = random.Random(1)
row = lambda n: " ".join(str(r.choice((-2047, 2047))) for _ in range(n))
unit = lambda i, columns: " ".join(str(int(i == j)) for j in columns)
lines = ["qkcert 1", "claim recovery", "graph %%d %%d" %% (m, m)]
lines += ["%%d %%d" %% (u, (u * 7 + 1) %% m) for u in range(m)]
lines += ["embedding %%d %%d" %% (m, d)] + [row(d) for _ in range(m)]
lines += ["decoder threshold-max 0", "heads %%d" %% heads]
for _ in range(heads):
    for name in ("head %%d\\nquery" %% w, "key"):
        columns = r.sample(range(d), w)
        lines += name.split("\\n") + [unit(i, columns) for i in range(d)]
lines += ["extremes 1 0", "end", ""]
body = "\\n".join(lines)
with open(sys.argv[1], "w") as file:
    file.write(body + "sha256 " + hashlib.sha256(body.encode()).hexdigest() + "\\n")
""" % (VERTICES, HEADS, WIDTH)

if __name__ == "__main__":
    main()
