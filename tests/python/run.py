#!/usr/bin/env python3
"""run.py - the tests of the Python package, by a Python that has what they need.

    run.py BUILD ENGINE PYTEST-ARGUMENT...

SPCC_PYTHON names it; else it is this one, or the system's.  Without NumPy, SciPy and pytest in any of them the tests are
skipped (status 77).  The package is that of the build, or one that is installed if BUILD is "installed".
SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys

NEEDED = 'import numpy, pytest, scipy.sparse, sys; sys.exit(sys.version_info < (3, 11))'


def interpreter():
    for name in filter(None, (os.environ.get('SPCC_PYTHON'), sys.executable, '/usr/bin/python3')):
        try:
            if subprocess.run([name, '-c', NEEDED], capture_output=True).returncode == 0:
                return name
        except OSError:
            continue
    return None


def main():
    build, engine, *arguments = sys.argv[1:]
    python = interpreter()
    if python is None:
        print('no Python 3.11 with NumPy, SciPy and pytest here: the Python package is not tested '
              '(apt-get install python3-scipy python3-pytest, or SPCC_PYTHON=...)')
        return 77
    env = {**os.environ, 'SPCC_TEST_ENGINE': engine, 'PYTHONDONTWRITEBYTECODE': '1'}
    if build != 'installed':
        env.update(PYTHONPATH=os.path.join(build, 'python'), SPCC_BUILD=build)
    here = os.path.dirname(os.path.abspath(__file__))
    command = [python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--rootdir', here, *arguments]
    return subprocess.run(command, env=env, cwd=here).returncode


sys.exit(main())
