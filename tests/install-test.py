#!/usr/bin/env python3
"""Other projects can use qkcert: installed, by find_package, and in their tree, by add_subdirectory.

usage: install-test.py SOURCE_DIR BUILD_DIR
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
ROOMS = ["core", "io", "verify", "bounds", "constructions", "search", "reports"]

# Everything that is installed, in one translation unit that sees nothing but the package.
ALL_HEADERS = """cmake_minimum_required(VERSION 3.22)
project(headers LANGUAGES CXX)
find_package(qkcert 0.1 REQUIRED)
add_library(headers OBJECT headers.cpp)
target_link_libraries(headers PRIVATE qkcert::qkcert)
"""

# The example again, without its find_package: only its own source is compiled, the library is not.
IN_TREE = """cmake_minimum_required(VERSION 3.22)
project(in-tree LANGUAGES CXX)
add_subdirectory({source} qkcert EXCLUDE_FROM_ALL)
if(TARGET qkcert_tests)
  message(FATAL_ERROR "a subproject builds no tests")
endif()
add_library(example OBJECT {source}/examples/cmake/main.cpp)
target_link_libraries(example PRIVATE qkcert::qkcert)
"""


def fail(message):
    sys.exit(f"install-test: {message}")


def run(*command, environment=None):
    done = subprocess.run([str(part) for part in command], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def consumer_environment():
    """Nothing of this build leaks into consumers but the flags that a sanitized library needs."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CMAKE_")}
    sanitizers = re.search(r"^QKCERT_SANITIZE:STRING=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    if sanitizers:
        environment["CXXFLAGS"] = f"-fsanitize={sanitizers[1]}"
    return environment


def check_installed_files(prefix):
    command = run(prefix / "bin" / "qkcert", "--version").strip()
    version = re.search(r"project\(qkcert VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]
    if command != f"qkcert {version}":
        fail(f"the installed command is {command!r}, the project's version is {version}")
    if f"## [{version}]" not in (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8"):
        fail(f"CHANGELOG.md has no section for {version}")
    if f"\nversion: {version}\n" not in (SOURCE / "CITATION.cff").read_text(encoding="utf-8"):
        fail(f"CITATION.cff does not name {version}")
    tree = {path.relative_to(SOURCE) for room in ROOMS for path in (SOURCE / room).glob("*.hpp")}
    include = prefix / "include" / "qkcert"
    installed = {path.relative_to(include) for path in include.rglob("*") if path.is_file()}
    if not installed <= tree:
        fail(f"installed, but no header of the tree: {sorted(map(str, installed - tree))}")
    # A header that is not installed is private: only its own room may include it.
    for room in ROOMS:
        for source in (SOURCE / room).glob("*.[ch]pp"):
            for name in re.findall(r"#include <qkcert/(.+?)>", source.read_text(encoding="utf-8")):
                if Path(name) not in installed and Path(name).parent != Path(room):
                    fail(f"{room}/{source.name} includes {name}, which is not installed")
    return sorted(installed)


def main():
    environment = consumer_environment()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prefix = folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", prefix)
        headers = check_installed_files(prefix)

        run("cmake", "-S", SOURCE / "examples" / "cmake", "-B", folder / "example", "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix}", environment=environment)
        run("cmake", "--build", folder / "example")
        said = run(folder / "example" / "example")
        if not said.startswith("recovery: 4 vertices, 4 edges"):
            fail(f"the example says {said!r}")

        (folder / "headers").mkdir()
        (folder / "headers" / "CMakeLists.txt").write_text(ALL_HEADERS)
        (folder / "headers" / "headers.cpp").write_text("".join(f"#include <qkcert/{header}>\n" for header in headers))
        run("cmake", "-S", folder / "headers", "-B", folder / "headers" / "build", "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix}", environment=environment)
        run("cmake", "--build", folder / "headers" / "build")

        (folder / "tree").mkdir()
        (folder / "tree" / "CMakeLists.txt").write_text(IN_TREE.format(source=SOURCE))
        run("cmake", "-S", folder / "tree", "-B", folder / "tree" / "build", "-G", "Ninja", environment=environment)
        run("cmake", "--build", folder / "tree" / "build", "--target", "example")


main()
