#!/usr/bin/env python3
"""pack.py - packing lists of coordinates on one thread and on two, in turns (pack.c).

    pack.py BUILD [FORMAT...]

BUILD is a Meson build of spcc.  Formats are csr and dcsr unless named.  For lists of a million and of ten million
entries, uniform, of a power law, and in order: medians of wall-clock time, of their ratios pair by pair, of processor time,
and how far the resident memory grows beyond the list, over the bytes of the result.
SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys
import tempfile

ROUNDS = 9


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, formats = sys.argv[1], sys.argv[2:] or ['csr', 'dcsr']
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'pack')
        subprocess.run([os.environ.get('CC', 'cc'), '-O2', '-D_GNU_SOURCE', '-I', source,
                        os.path.join(source, 'bench', 'pack.c'), os.path.join(build, 'libspcc_core.a'), '-lz', '-lm',
                        '-ldl', '-lpthread', '-o', program], check=True)
        row = '{:8}{:10}{:>10}{:>10}{:>8}{:>8}{:>10}{:>8}{:>8}'.format
        print(row('ms', 'list', 'entries', '1 thread', '2', 'ratio', '1, cpu', '2, cpu', 'memory'))
        for name in formats:
            for entries in (1000000, 10000000):
                for pattern in ('uniform', 'power', 'ordered'):
                    command = [program, name, pattern, str(entries), str(ROUNDS)]
                    columns = subprocess.check_output(command, text=True).split()
                    print(row(name, pattern, entries, *columns), flush=True)


if __name__ == '__main__':
    main()
