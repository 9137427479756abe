#!/usr/bin/env python3
"""Checks the doors of the house: which room may include what, and habits every room keeps.

usage: doors-test.py SOURCE_DIRECTORY

Prints every violation as `file:line: what` and exits with 1 when there is one. Before that the checks
are run on a small tree with one violation of each kind, so that a check that sees nothing is noticed.
"""

import pathlib
import re
import sys
import tempfile

# A room may include itself and these rooms.
BELOW = {
    "core": set(),
    "io": {"core"},
    "verify": {"core"},
    "bounds": {"core"},
    "constructions": {"core"},
    "search": {"core", "io", "verify", "bounds", "constructions"},
    "reports": {"core", "io", "verify", "bounds", "constructions", "search"},
    "cli": {"core", "io", "verify", "bounds", "constructions", "search", "reports"},
}

# Headers from outside, besides the C++ standard library's (which have no dot and no slash).
POSIX = r"fcntl\.h|poll\.h|spawn\.h|unistd\.h|sys/\w+\.h"
NUMBERS = r"boost/multiprecision/\w+\.hpp|gmp\.h"
FITTING = r"Eigen/\w+|hwy/\w+\.h"
OUTSIDE = {
    "core": NUMBERS + r"|boost/random/\w+\.hpp",
    "io": POSIX + r"|zlib\.h|nlohmann/json\.hpp",
    "verify": NUMBERS + r"|openssl/\w+\.h",
    "bounds": NUMBERS + r"|Eigen/\w+|flint/\w+\.h",
    "constructions": NUMBERS + r"|boost/graph/\w+\.hpp|flint/\w+\.h|" + FITTING,
    "search": NUMBERS + "|" + FITTING + r"|nlohmann/json\.hpp",
    "reports": r"nlohmann/json\.hpp",
    "cli": POSIX + r"|CLI/CLI\.hpp|nlohmann/json\.hpp",
}

OUTSIDE_OF_ONE_FILE = {"verify/kernel.cpp": r"hwy/\w+\.h", "io/toml.cpp": r"toml\+\+/toml\.h",
                       "cli/ranks_mpi.cpp": r"mpi\.h"}

PARSERS = (r"ato[ifl]|atoll|strto\w+|sto(?:i|l|ll|ul|ull|f|d|ld)|v?f?s?scanf|from_chars|setlocale"
           r"|[io]?stringstream|mpz_(?:init_)?set_str|mpq_set_str")
# What no file of these rooms may say outside comments and strings: (pattern, rooms but these, files but
# these, reason).
FORBIDDEN = [
    (rf"\b(?:{PARSERS})\b", set(), {"core/decimal.cpp"}, "numbers are parsed by core/decimal alone"),
    (r"\b(?:cout|cerr|clog)\b|\b(?:v?f?printf|puts|putchar|perror|print(?:ln)?)\s*\(|\bstd(?:out|err)\b",
     {"cli"}, set(), "only cli/ prints to the terminal"),
    (r"\b(?:[io]?fstream|fopen|freopen)\b", {"io"}, set(), "only io/ opens files"),
    (r"\b(?:exit|_Exit|quick_exit|abort|terminate)\s*\(", {"cli"}, set(), "only cli/ ends the program"),
    (r"\bassert\s*\(", set(), set(), "assert vanishes in release builds; use require"),
    (r"\b(?:double|float)\b", set(BELOW) - {"verify"}, set(), "no floating point here"),
]
MAX_LINES = 400
# Sources whose declarations are elsewhere on purpose.
WITHOUT_HEADER = {"constructions/registry.cpp"}

COMMENT_OR_STRING = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<string>R"(?P<tag>[^()\\\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*')
     """, re.DOTALL | re.VERBOSE)


def blanked(text, strings):
    """The text without its comments and, if asked, without its strings; lines keep their numbers."""

    def blank(match):
        if match["string"] is not None and not strings:
            return match[0]
        return " " + "\n" * match[0].count("\n")

    return COMMENT_OR_STRING.sub(blank, text)


def check_include(root, room, path, line):
    """What is wrong with one line of source, if it is an include directive; else nothing."""
    if not re.match(r"\s*#\s*include\b", line):
        return None
    match = re.match(r'\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")\s*$', line)
    if not match:
        return "an include that cannot be read"
    if match[2]:
        if room == "cli" and (path.parent / match[2]).is_file() and "/" not in match[2]:
            return None
        return f'"{match[2]}": included as <qkcert/{room}/…> everywhere but in cli/'
    header = match[1]
    if header.startswith("qkcert/"):
        if not (root / header.removeprefix("qkcert/")).is_file():
            return f"<{header}> does not exist"
        target = header.split("/")[1]
        if target == room or target in BELOW[room]:
            return None
        return f"{room}/ must not include {target}/ (<{header}>)"
    if header == "iostream":
        return None if room == "cli" else "<iostream> belongs to cli/"
    if header == "mpfi.h":  # intervals are how floating point enters the judge
        inside = path.relative_to(root).as_posix() == "verify/exponentials.cpp"
        return None if inside else "<mpfi.h> belongs to verify/exponentials.cpp"
    if re.fullmatch(r"\w+", header) or re.fullmatch(OUTSIDE[room], header):
        return None
    if re.fullmatch(OUTSIDE_OF_ONE_FILE.get(path.relative_to(root).as_posix(), ""), header):
        return None
    return f"{room}/ must not include <{header}>"


def violations(root):
    """All violations below `root`, as (file, line, what)."""
    found = []
    files = [path for room in BELOW for path in sorted((root / room).rglob("*")) if path.is_file()]
    for path in files:
        name = path.relative_to(root).as_posix()
        room = name.split("/")[0]
        if path.suffix not in (".cpp", ".hpp"):
            found.append((name, 1, "rooms hold .cpp and .hpp files"))
            continue
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(blanked(text, strings=False).split("\n"), 1):
            if what := check_include(root, room, path, line):
                found.append((name, number, what))
        for number, line in enumerate(blanked(text, strings=True).split("\n"), 1):
            if re.match(r"\s*#\s*include\b", line):
                continue
            for pattern, rooms, exempt, why in FORBIDDEN:
                if room not in rooms and name not in exempt and (match := re.search(pattern, line)):
                    found.append((name, number, f"{match[0].strip()}: {why}"))
        if (lines := text.count("\n")) > MAX_LINES:
            found.append((name, lines, f"{lines} lines, at most {MAX_LINES}"))
        if (path.suffix == ".cpp" and room != "cli" and name not in WITHOUT_HEADER
                and not path.with_suffix(".hpp").is_file()):
            found.append((name, 1, "has no header of the same name"))
    return found


# name: (text, line of the violation or 0 for none, part of the message)
SELF_TEST = {
    "core/good.hpp": ("#include <gmp.h>\n#include <boost/random/x.hpp>\n// assert(x), std::cout\n", 0, ""),
    "core/decimal.cpp": ("mpz_set_str(x);\n", 0, ""),
    "core/decimal.hpp": ("", 0, ""),
    "core/up.hpp": ("\n#include <qkcert/verify/good.hpp>\n", 2, "core/ must not include verify/"),
    "core/quoted.hpp": ('#include "good.hpp"\n', 1, "included as"),
    "core/missing.hpp": ("#include <qkcert/core/nothing.hpp>\n", 1, "does not exist"),
    "core/macro.hpp": ("#include HEADER\n", 1, "cannot be read"),
    "core/stream.hpp": ("#include <iostream>\n", 1, "<iostream>"),
    "core/print.hpp": ("int x;\nstd::cout << 1;\n", 2, "cout: only cli/"),
    "core/printf.hpp": ("printf(1);\n", 1, "printf"),
    "core/stderr.hpp": ("fputs(x, stderr);\n", 1, "stderr"),
    "core/assert.hpp": ("static_assert(1);\n\nassert(x);\n", 3, "assert"),
    "core/long.hpp": ("\n" * 401, 401, "401 lines"),
    "core/just.hpp": ("\n" * 400, 0, ""),
    "core/lonely.cpp": ("", 1, "no header"),
    "core/notes.txt": ("", 1, "rooms hold"),
    "core/exit.hpp": ("std::exit(1);\n", 1, "only cli/ ends"),
    "io/good.hpp": ("#include <fcntl.h>\n#include <zlib.h>\n#include <fstream>\nstd::ifstream f;\n", 0, ""),
    "io/parse.hpp": ("auto x = std::stoull(word);\n", 1, "stoull: numbers are parsed"),
    "io/parse2.hpp": ("std::from_chars(a, b, c);\n", 1, "from_chars"),
    "io/locale.hpp": ('std::setlocale(LC_ALL, "");\n', 1, "setlocale"),
    "io/verify.hpp": ("#include <qkcert/verify/good.hpp>\n", 1, "io/ must not include verify/"),
    "verify/good.hpp": ('#include <openssl/evp.h>\n/* double */ auto x = "float";\nint n = 1\'000;\n', 0, ""),
    "verify/kernel.cpp": ("#include <hwy/highway.h>\n", 0, ""),
    "verify/kernel.hpp": ("#include <hwy/highway.h>\n", 1, "verify/ must not include <hwy/highway.h>"),
    "verify/eigen.hpp": ("#include <Eigen/Dense>\n", 1, "verify/ must not include <Eigen/Dense>"),
    "verify/exponentials.cpp": ("#include <mpfi.h>\n", 0, ""),
    "verify/exponentials.hpp": ("", 0, ""),
    "verify/interval.hpp": ("#include <mpfi.h>\n", 1, "belongs to verify/exponentials.cpp"),
    "verify/io.hpp": ("#include <qkcert/io/good.hpp>\n", 1, "verify/ must not include io/"),
    "verify/bounds.hpp": ("#include <qkcert/bounds/good.hpp>\n", 1, "verify/ must not include bounds/"),
    "verify/json.hpp": ("#include <nlohmann/json.hpp>\n", 1, "must not include <nlohmann/json.hpp>"),
    "verify/float.hpp": ("auto c = 'x';\nconst double x = 1'000.0;\n", 2, "double: no floating point"),
    "verify/float2.hpp": ("auto x = static_cast<float>(1);\n", 1, "float: no floating point"),
    "verify/file.hpp": ("std::ifstream f(name);\n", 1, "ifstream: only io/"),
    "bounds/good.hpp": ("#include <qkcert/core/good.hpp>\n", 0, ""),
    "bounds/exact.hpp": ("#include <Eigen/Dense>\n#include <flint/fmpz_mat.h>\ndouble x;\n", 0, ""),
    "bounds/fit.hpp": ("#include <hwy/highway.h>\n", 1, "bounds/ must not include <hwy/highway.h>"),
    "bounds/verify.hpp": ("#include <qkcert/verify/good.hpp>\n", 1, "bounds/ must not include verify/"),
    "constructions/good.hpp": ("#include <hwy/highway.h>\ndouble x;\n", 0, ""),
    "constructions/registry.cpp": ("", 0, ""),
    "constructions/verify.hpp": ("# include <qkcert/verify/good.hpp>\n", 1, "must not include verify/"),
    "constructions/io.hpp": ("/*\n*/\n#include <qkcert/io/good.hpp>\n", 3, "must not include io/"),
    "search/good.hpp": ("#include <qkcert/verify/good.hpp>\n#include <qkcert/io/good.hpp>\n", 0, ""),
    "search/state.hpp": ("#include <nlohmann/json.hpp>\n", 0, ""),
    "search/reports.hpp": ("#include <qkcert/reports/good.hpp>\n", 1, "must not include reports/"),
    "reports/good.hpp": ("#include <qkcert/search/good.hpp>\n#include <nlohmann/json.hpp>\n", 0, ""),
    "reports/cli.hpp": ("#include <qkcert/cli/good.hpp>\n", 1, "reports/ must not include cli/"),
    "reports/cli11.hpp": ("#include <CLI/CLI.hpp>\n", 1, "must not include <CLI/CLI.hpp>"),
    "cli/good.hpp": ("#include <CLI/CLI.hpp>\n#include <iostream>\nvoid f() { std::cout << 1; }\n", 0, ""),
    "cli/main.cpp": ('#include "good.hpp"\n#include <qkcert/reports/good.hpp>\n', 0, ""),
    "cli/ranks_mpi.cpp": ("#include <mpi.h>\n", 0, ""),
    "cli/ranks.cpp": ("#include <mpi.h>\n", 1, "cli/ must not include <mpi.h>"),
    "cli/parse.cpp": ("int x = atoi(text);\n", 1, "atoi: numbers are parsed"),
}


def self_test():
    """What is wrong with the checks themselves."""
    wrong = []
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, (text, _, _) in SELF_TEST.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = violations(root)
    for name, (_, line, what) in SELF_TEST.items():
        mine = [(number, text) for file, number, text in found if file == name]
        if line == 0 and mine:
            wrong.append(f"self-test: {name} is good, but {mine}")
        if line > 0 and not (len(mine) == 1 and mine[0][0] == line and what in mine[0][1]):
            wrong.append(f"self-test: {name} should give '{what}' at line {line}, but gives {mine}")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    messages = self_test()
    for room in BELOW:
        if not any((root / room).glob("*.?pp")):
            messages.append(f"{room}: the room is empty or missing")
    messages += [f"{name}:{line}: {what}" for name, line, what in violations(root)]
    for message in messages:
        print(message)
    sys.exit(1 if messages else 0)


if __name__ == "__main__":
    main()
