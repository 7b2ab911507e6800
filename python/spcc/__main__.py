"""python -m spcc: the program spcc.

SPDX-License-Identifier: MIT
"""
import os
import signal
import sys

from . import _core, _engines


def main():
    for key, value in _engines.environment().items():
        os.environ.setdefault(key, value)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(_core.program(['spcc', *sys.argv[1:]]))


main()
