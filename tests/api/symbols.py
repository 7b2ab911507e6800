#!/usr/bin/env python3
"""symbols.py - the shared library exports what is pinned, which is what the header declares, and uses nothing that
prints or ends the process.

    symbols.py LIBRARY HEADER PINNED [--update]

SPDX-License-Identifier: MIT
"""
import re
import subprocess
import sys

# abort stands behind the arena's handler, which does not return; _exit is called by forked children.
FORBIDDEN = {'printf', 'vprintf', 'puts', 'putchar', 'perror', 'exit', 'quick_exit', '__printf_chk', '__vprintf_chk',
             'stderr', 'error', 'system', 'popen', 'setlocale', 'signal'}


def symbols(library, which):
    lines = subprocess.run(['nm', '-D', which, library], check=True, capture_output=True, text=True).stdout
    names = (line.split() for line in lines.splitlines())
    return {n[-1].split('@')[0] for n in names if n[-2] != 'A'}


def complain(what, names):
    for name in sorted(names):
        print(f'{what}: {name}')
    return len(names)


def main():
    library, header, pinned = sys.argv[1:4]
    exported = symbols(library, '--defined-only')
    with open(header, encoding='utf-8') as text:
        declared = set(re.findall(r'^SPCC_API[^;]*?\b(spcc_\w+)\(', text.read(), re.M))
    if '--update' in sys.argv:
        with open(pinned, 'w', encoding='utf-8') as out:
            out.write(''.join(name + '\n' for name in sorted(exported)))
    with open(pinned, encoding='utf-8') as text:
        expected = set(text.read().split())
    faults = complain('exported and not pinned', exported - expected)
    faults += complain('pinned and not exported', expected - exported)
    faults += complain('declared and not exported', declared - exported)
    faults += complain('exported and not declared', exported - declared)
    if not any('asan' in s or 'ubsan' in s or 'tsan' in s for s in symbols(library, '--undefined-only')):
        faults += complain('not for a library to use', symbols(library, '--undefined-only') & FORBIDDEN)
    return 1 if faults or not expected else 0


if __name__ == '__main__':
    sys.exit(main())
