"""hardening.py - what the linker and the compiler were asked for against the use of mistakes in memory is in the files.

    hardening.py hardened|soft FILE...

soft: of a build without optimization, or with sanitizers, only the stack is looked at.
SPDX-License-Identifier: MIT
"""
import re
import shutil
import subprocess
import sys

SKIP = 77


def readelf(*arguments):
    return subprocess.run(['readelf', '-W', *arguments], check=True, capture_output=True, text=True,
                          env={'LC_ALL': 'C', 'PATH': '/usr/bin:/bin'}).stdout


def faults(path, hardened):
    segments, dynamic, symbols = readelf('-l', path), readelf('-d', path), readelf('--dyn-syms', path)
    stack = re.search(r'GNU_STACK .* ([R ][W ][E ]) ', segments)
    if not stack or 'E' in stack[1]:
        yield 'its stack may be executed'
    if not hardened:
        return
    if not re.search(r'^ELF Header:', readelf('-h', path)) or not re.search(r'Type: +DYN ', readelf('-h', path)):
        yield 'it is loaded at a fixed address (no PIE)'
    if 'GNU_RELRO' not in segments or not re.search(r'BIND_NOW|FLAGS.*\bNOW\b', dynamic):
        yield 'what the loader resolves can be written to later (no full RELRO)'
    if '__stack_chk_fail' not in symbols:
        yield 'no function has a canary (-fstack-protector-strong)'
    if path.endswith('spcc_clang.so'):
        return                       # it calls none of the functions that there are checked forms of
    if not re.search(r'__\w+_chk\b', symbols.replace('__stack_chk_fail', '')):
        yield 'no call is checked (_FORTIFY_SOURCE)'


def main(kind, *paths):
    if not shutil.which('readelf'):
        print('skipped: there is no readelf')
        return SKIP
    found = [f'{path}: {fault}' for path in paths for fault in faults(path, kind == 'hardened')]
    print('\n'.join(found) or f'{len(paths)} files are as they should be')
    return 1 if found or not paths else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
