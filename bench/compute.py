#!/usr/bin/env python3
"""compute.py - assembled once, computed often: kernels that compute values only, beside fused ones and loops by hand.

    compute.py SPCC [--rows N] [CC ...]

SPCC is the command line program.  For each C compiler (gcc, clang-14, clang-22 where they are) scaling, a sampled product
with factors of 16 and of 32 columns, and a product of sparse matrices are run in turns in one process on one thread
(compute.c): the fused kernel, the one that computes into a pattern that is there, and a loop over the values by hand.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import shutil
import subprocess
import tempfile

SOURCE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ['-O3', '-march=native', '-std=gnu11', '-fno-math-errno']
KERNELS = {'scale': ['C(i,j) = 2 * A(i,j)'],
           'sampled': ['C(i,j) = A(i,j) * X(i,k) * Y(j,k)'],
           'product': ['C(i,j) = A(i,k) * B(k,j)', '-f', 'B:csr']}


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def output(*command):
    return run(*command, capture_output=True, text=True).stdout


def vector(cc):
    """The option for the longest vectors of the compiler's target."""
    macros = output(cc, *FLAGS, '-dM', '-E', '-x', 'c', os.devnull)
    return '--vector=512' if '__AVX512F__' in macros else '--vector=256'


def generate(spcc, option, folder):
    sources = []
    for name, kernel in KERNELS.items():
        for kind in ('fused', 'compute'):
            sources.append(os.path.join(folder, f'{name}_{kind}.c'))
            run(spcc, *kernel, '-f', 'A:csr', '-f', 'C:csr', f'--kernel={kind}', f'--name={name}_{kind}', '--serial',
                option, '-o', sources[-1])
    return sources


def measure(spcc, cc, rows, folder):
    option, program = vector(cc), os.path.join(folder, 'compute')
    sources = generate(spcc, option, folder)
    run(cc, *FLAGS, os.path.join(SOURCE, 'compute.c'), *sources, '-o', program, '-lm')
    print(f'\n{" ".join([cc, *FLAGS])}  ({output(cc, "--version").splitlines()[0]})  spcc {option}', flush=True)
    run(program, str(rows))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('spcc')
    arguments.add_argument('cc', nargs='*')
    arguments.add_argument('--rows', type=int, default=100000)
    a = arguments.parse_intermixed_args()
    for cc in a.cc or [cc for cc in ('gcc', 'clang-14', 'clang-22') if shutil.which(cc)]:
        with tempfile.TemporaryDirectory() as folder:
            measure(a.spcc, cc, a.rows, folder)


if __name__ == '__main__':
    main()
