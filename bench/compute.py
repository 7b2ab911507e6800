#!/usr/bin/env python3
"""compute.py - assembled once, computed often: kernels that compute values only, beside fused ones and loops by hand.

    compute.py SPCC [--rows=N] [CC ...]

SPCC is the command line program.  For each C compiler (gcc, clang-14, clang-22 where they are) scaling, a sampled product
with factors of 16 and of 32 columns, and a product of sparse matrices are run in turns in one process on one thread
(compute.c): the fused kernel, the one that computes into a pattern that is there, and a loop over the values by hand.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import sys
import tempfile

from kernels import FLAGS, SOURCE, run, vector

KERNELS = {'scale': ['C(i,j) = 2 * A(i,j)'],
           'sampled': ['C(i,j) = A(i,j) * X(i,k) * Y(j,k)'],
           'product': ['C(i,j) = A(i,k) * B(k,j)', '-f', 'B:csr']}


def generate(spcc, option, folder):
    sources = []
    for name, kernel in KERNELS.items():
        for kind in ('fused', 'compute'):
            sources.append(os.path.join(folder, f'{name}_{kind}.c'))
            with open(sources[-1], 'w', encoding='ascii') as out:
                run(spcc, *kernel, '-f', 'A:csr', '-f', 'C:csr', f'--kernel={kind}', f'--name={name}_{kind}', option,
                    stdout=out)
    return sources


def measure(spcc, cc, rows, folder):
    flags = FLAGS.split()
    option, program = vector(cc, flags), os.path.join(folder, 'compute')
    sources = generate(spcc, option, folder)
    run(cc, *flags, os.path.join(SOURCE, 'compute.c'), *sources, '-o', program, '-lm')
    version = run(cc, '--version', capture_output=True, text=True).stdout.splitlines()[0]
    print(f'\n{cc} {FLAGS}  ({version})  spcc {option}', flush=True)
    run(program, str(rows))


def main(arguments):
    rows, names = 100000, []
    for argument in arguments:
        if argument.startswith('--rows='):
            rows = int(argument.split('=', 1)[1])
        else:
            names.append(argument)
    if not names:
        sys.exit(__doc__)
    compilers = names[1:] or [cc for cc in ('gcc', 'clang-14', 'clang-22') if shutil.which(cc)]
    with tempfile.TemporaryDirectory() as folder:
        for cc in compilers:
            measure(names[0], cc, rows, folder)


if __name__ == '__main__':
    main(sys.argv[1:])
