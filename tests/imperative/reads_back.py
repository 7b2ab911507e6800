#!/usr/bin/env python3
"""reads_back.py - the imperative IR of every golden statement reads back as it is printed.

    reads_back.py SPCC READS_BACK GOLDENS

SPDX-License-Identifier: MIT
"""
import os
import re
import subprocess
import sys


def main(spcc, reads_back, goldens):
    spcc, read, wrong = os.path.abspath(spcc), 0, 0
    for name in sorted(os.listdir(goldens)):
        if not name.endswith('.spcc'):
            continue
        for more in ([], ['--plain']):
            emitted = subprocess.run([spcc, 'emit', name, '--emit=imperative', *more], text=True,
                                     capture_output=True, cwd=goldens)
            if emitted.returncode == 1:      # a statement that is refused
                continue
            # Each of several statements has a line about it, and an empty one behind it.
            for kernel in filter(str.strip, re.split(r'^#.*\n', emitted.stdout, flags=re.M)):
                done = subprocess.run([reads_back], input=kernel.rstrip('\n') + '\n', text=True,
                                      capture_output=True)
                read += 1
                if emitted.returncode or done.returncode:
                    wrong += 1
                    print(f'{name} {" ".join(more)}: {emitted.stderr}{done.stdout}')
    print(f'{read} kernels, {wrong} wrong')
    return 1 if wrong or not read else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
