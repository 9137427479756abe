"""The command line, verb by verb: cli-test.py BINARY SOURCE [unittest arguments]."""

import os
import sys
import unittest

sys.dont_write_bytecode = True

import command  # noqa: E402

command.BINARY = os.path.abspath(sys.argv[1])
command.SOURCE = os.path.abspath(sys.argv[2])

from advantage_cases import *  # noqa: E402,F401,F403
from bound_cases import *  # noqa: E402,F401,F403
from check_cases import *  # noqa: E402,F401,F403
from certify_cases import *  # noqa: E402,F401,F403
from construct_cases import *  # noqa: E402,F401,F403
from gzip_cases import *  # noqa: E402,F401,F403
from hardware_cases import *  # noqa: E402,F401,F403
from info_cases import *  # noqa: E402,F401,F403
from progress_cases import *  # noqa: E402,F401,F403
from records_cases import *  # noqa: E402,F401,F403
from refute_cases import *  # noqa: E402,F401,F403
from search_cases import *  # noqa: E402,F401,F403
from softmax_cases import *  # noqa: E402,F401,F403
from table_cases import *  # noqa: E402,F401,F403
from transition_cases import *  # noqa: E402,F401,F403
from universal_cases import *  # noqa: E402,F401,F403
from usage_cases import *  # noqa: E402,F401,F403
from verify_cases import *  # noqa: E402,F401,F403

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
