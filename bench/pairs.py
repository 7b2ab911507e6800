#!/usr/bin/env python3
# pairs.py - y = A x by the kernels of two spccs, in turns.
#
#     bench/pairs.py BEFORE AFTER [--compiler gcc] [--rounds 15] [--formats dia/ell] [--widths 1/2]
#                    [--entries 40000]
#
# A is banded, of so many entries in all and a row; a ratio is the time of BEFORE over that of AFTER,
# of the least times and of the medians of the rounds.  Processor time of one thread.
#
# SPDX-License-Identifier: MIT
import argparse
import array
import ctypes
import os
import re
import statistics
import subprocess
import tempfile
import time

FORMATS = ['csr', 'bcsr(2,2)', 'bcsr(4,4)', 'bcsr(8,8)', 'dia', 'ell']
ENTRIES = [40_000, 2_000_000, 10_000_000]
WIDTHS = [5, 11, 100]


def kernel(spcc, compiler, form, folder, name):
    source, library = f'{folder}/{name}.c', f'{folder}/{name}.so'
    code = subprocess.run([spcc, 'y(i) = A(i,j) * x(j)', '-f', f'A:{form}', '--name=kernel'],
                          check=True, capture_output=True, text=True).stdout
    with open(source, 'w') as file:
        file.write(code)
    subprocess.run([compiler, '-O3', '-march=native', '-shared', '-fPIC', source, '-o', library],
                   check=True)
    return ctypes.CDLL(library).kernel


def banded(form, entries, width):
    """The two index arrays, how many values there are, and the dimension."""
    block = int((re.search(r'\d+', form) or ['1'])[0])
    rows = entries // (block * block) // width
    near = range(-(width // 2), width - width // 2)
    if form == 'dia':
        return [0, width], near, width * rows, rows
    crd = ((i + d) % rows for i in range(rows) for d in near)
    pos = [width] if form == 'ell' else range(0, (rows + 1) * width, width)
    return pos, crd, rows * width * block * block, rows * block


def measure(before, after, form, entries, width, rounds):
    pos, crd, values, n = banded(form, entries, width)
    if n < 2 * width:
        return
    vals, x = (array.array('d', range(7)) * (length // 7 + 1) for length in (values, n))
    arrays = [array.array('i', pos), array.array('i', crd), vals, x, array.array('d', [0]) * n]
    at = [ctypes.c_void_p(a.buffer_info()[0]) for a in arrays]
    times, results = ([], []), [None, None]
    repeat = max(1, 2_000_000 // entries)
    for _ in range(rounds):
        for k, run in enumerate((before, after)):
            run(n, n, *at)  # finds in the caches what the other left
            start = time.thread_time_ns()
            for _ in range(repeat):
                run(n, n, *at)
            times[k].append((time.thread_time_ns() - start) / repeat / 1e6)
            results[k] = arrays[-1][:]
    assert results[0] == results[1], 'the results differ'
    least, middle = ([f(t) for t in times] for f in (min, statistics.median))
    print(f'{form:10} {entries:9} {width:4} a row {middle[0]:9.3f} ms {middle[1]:9.3f} ms'
          f'   ratio {least[0] / least[1]:.2f} {middle[0] / middle[1]:.2f}', flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('before')
    arguments.add_argument('after')
    arguments.add_argument('--compiler', default='gcc')
    arguments.add_argument('--rounds', type=int, default=15)
    arguments.add_argument('--formats', default='/'.join(FORMATS), help='with / between them')
    arguments.add_argument('--entries', default='/'.join(map(str, ENTRIES)), help='so many in all')
    arguments.add_argument('--widths', default='/'.join(map(str, WIDTHS)), help='so many a row')
    a = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number, form in enumerate(a.formats.split('/')):
            both = [kernel(os.path.abspath(s), a.compiler, form, folder, f'{number}_{k}')
                    for k, s in enumerate((a.before, a.after))]
            for entries in map(int, a.entries.split('/')):
                for width in map(int, a.widths.split('/')):
                    measure(*both, form, entries, width, a.rounds)


if __name__ == '__main__':
    main()
