"""Whether every source is formatted by .clang-format. Usage: format-test.py SOURCE_DIR

Skipped, with a message, where clang-format is not installed or is another version than the one that the
sources are formatted with.
"""

import pathlib
import shutil
import subprocess
import sys

VERSION = "14."
SKIPPED = 77

source = pathlib.Path(sys.argv[1])
tool = shutil.which("clang-format")
version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout if tool else ""
if f"version {VERSION}" not in version:
    print(f"skipped: clang-format {VERSION}x is not installed (found: {version.strip() or 'none'})")
    sys.exit(SKIPPED)
files = [
    str(path)
    for path in sorted(source.rglob("*.[ch]pp"))
    if path.relative_to(source).parts[0] != "build"
]
sys.exit(subprocess.run([tool, "--dry-run", "-Werror", *files]).returncode)
