#!/usr/bin/env python3
"""format.py - the C and C++ sources are as .clang-format has them, lines of 100 columns among it.

    format.py ROOT        check; status 1 if a file differs, 77 (skipped) without clang-format 14
    format.py ROOT --fix  write the files anew

Versions of clang-format differ in what they make of a file, so there is one that counts.
SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import subprocess
import sys

VERSION = 14
# What spcc has written, not a person.
GENERATED = ('tests/golden/', 'examples/paste/spmv.', 'examples/gpu/spmv.')


def formatter():
    for name in (f'clang-format-{VERSION}', 'clang-format'):
        if shutil.which(name):
            said = subprocess.run([name, '--version'], capture_output=True, text=True).stdout
            if re.search(rf'version {VERSION}\.', said):
                return name
    return None


def sources(root):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [s for s in subfolders if not s.startswith('.')
                         and not os.path.exists(os.path.join(folder, s, 'meson-private'))]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            if path.endswith(('.c', '.h', '.cpp')) and not path.startswith(GENERATED):
                yield path


def main():
    root, program = sys.argv[1], formatter()
    if not program:
        print(f'skipped: there is no clang-format {VERSION}')
        return 77
    how = ['-i'] if '--fix' in sys.argv[2:] else ['--dry-run', '-Werror']
    return subprocess.run([program, *how, *sorted(sources(root))], cwd=root, check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
