#!/usr/bin/env python3
"""io.py - reading files: spcc beside `wc -l`, which only looks for line ends, and SciPy's mmread.

    io.py BUILD [FILE...]

BUILD is a Meson build of spcc.  Without files, matrices are made up: with values of 17 digits, with small integers,
and without values.  All files are in the page cache, and the fastest of several rounds counts, in MB of text a second.
SPDX-License-Identifier: MIT
"""
import os
import random
import subprocess
import sys
import tempfile
import time

ROUNDS = 25
ENTRIES = 500_000


def make_files(folder):
    """Matrices of a million rows."""
    random.seed(1)
    kinds = {'real': lambda: ' %.17g' % random.random(), 'integer': lambda: ' %d' % random.randint(1, 99),
             'pattern': lambda: ''}
    for field, value in kinds.items():
        path = os.path.join(folder, field + '.mtx')
        with open(path, 'w', encoding='ascii') as file:
            file.write(f'%%MatrixMarket matrix coordinate {field} general\n1000000 1000000 {ENTRIES}\n')
            for _ in range(ENTRIES):
                file.write(f'{random.randint(1, 1000000)} {random.randint(1, 1000000)}{value()}\n')
        yield path


def fastest(run):
    best = float('inf')
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def measure(program, path, mmread):
    """The columns of the table: MB/s, or None."""
    def spcc(threads):
        return float(subprocess.check_output([program, str(threads), str(ROUNDS), path])) / 1e3
    size = os.path.getsize(path) / 1e6
    with open(os.devnull, 'wb') as nowhere:
        lines = fastest(lambda: subprocess.run(['wc', '-l', path], stdout=nowhere, check=True))
    seconds = [lines, spcc(1), spcc(0)]
    if mmread and path.endswith(('.mtx', '.mtx.gz')):
        seconds += [fastest(lambda: mmread(path))]
    return [size / s for s in seconds]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, files = sys.argv[1], sys.argv[2:]
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        from scipy.io import mmread
    except ImportError:
        mmread = None
        print('SciPy is not installed: its column is left out')
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'io')
        subprocess.run([os.environ.get('CC', 'cc'), '-O2', '-D_GNU_SOURCE', '-I', source,
                        os.path.join(source, 'bench', 'io.c'), os.path.join(build, 'libspcc_core.a'), '-lz', '-lm',
                        '-ldl', '-lpthread', '-o', program], check=True)
        print(f'{"MB/s":24}{"MB":>8}{"wc -l":>10}{"1 thread":>10}{"all":>10}{"mmread":>10}')
        for path in files or make_files(folder):
            columns = measure(program, path, mmread)
            print(f'{os.path.basename(path):24}{os.path.getsize(path) / 1e6:8.1f}' + ''.join(f'{c:10.0f}' for c in columns))


if __name__ == '__main__':
    main()
