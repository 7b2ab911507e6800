#!/usr/bin/env python3
"""kernels.py - generated kernels beside hand-written ones, compiled by several compilers.

    kernels.py SPCC [--rows=N] [--flags=FLAGS] [CC ...]

SPCC is the command line program.  For each C compiler (gcc, clang-14, clang-22 where they are) the generated sources and
the hand-written ones are compiled alike, and run in turns in one process on one thread (kernels.c).  The last column is
the time over that of the fastest hand-written kernel with the same loops.
SPDX-License-Identifier: MIT
"""
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.abspath(__file__))
FLAGS = '-O3 -march=native -std=gnu11 -fno-math-errno'
SPMV = ['y(i) = A(i,j) * x(j)', '-f', 'A:csr', '--name=spmv']
SPMM = ['Y(i,r) = A(i,j) * X(j,r)', '-f', 'A:csr']
MTTKRP = ['Y(i,r) = A(i,k,l) * B(k,r) * C(l,r)', '-f', 'A:csf', '-s', 'reorder(i,k,l,r)']
KERNELS = [SPMV, SPMM + ['--name=spmm'], SPMM + ['-d', 'r:32', '--name=spmm32'],
           MTTKRP + ['--name=mttkrp'], MTTKRP + ['-d', 'r:32', '--name=mttkrp32']]


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def vector(cc, flags):
    """The option for the longest vectors of the compiler's target."""
    macros = run(cc, *flags, '-dM', '-E', '-x', 'c', os.devnull, capture_output=True, text=True).stdout
    return '--vector=512' if '__AVX512F__' in macros else '--vector=256'


def generate(spcc, option, folder):
    sources = []
    for i, kernel in enumerate(KERNELS):
        sources.append(os.path.join(folder, f'kernel{i}.c'))
        with open(sources[-1], 'w', encoding='ascii') as out:
            run(spcc, *kernel, option, stdout=out)
    return sources


def measure(spcc, cc, flags, rows, folder):
    option = vector(cc, flags)
    sources = generate(spcc, option, folder)
    library, program = os.path.join(folder, 'generated.so'), os.path.join(folder, 'kernels')
    ours = [os.path.join(SOURCE, name) for name in ('kernels.c', 'hand.c')]
    run(cc, *flags, '-shared', '-fPIC', *sources, '-o', library)
    run(cc, *flags, '-I', os.path.dirname(SOURCE), *ours, '-o', program, '-ldl', '-lm')
    version = run(cc, '--version', capture_output=True, text=True).stdout.splitlines()[0]
    print(f'\n{cc} {" ".join(flags)}  ({version})  spcc {option}', flush=True)
    run(program, library, str(rows))


def main(arguments):
    rows, flags, names = 200000, FLAGS, []
    for argument in arguments:
        if argument.startswith('--rows='):
            rows = int(argument.split('=', 1)[1])
        elif argument.startswith('--flags='):
            flags = argument.split('=', 1)[1]
        else:
            names.append(argument)
    if not names:
        sys.exit(__doc__)
    spcc = names[0]
    compilers = names[1:] or [cc for cc in ('gcc', 'clang-14', 'clang-22') if shutil.which(cc)]
    with tempfile.TemporaryDirectory() as folder:
        for cc in compilers:
            measure(spcc, cc, flags.split(), rows, folder)


if __name__ == '__main__':
    main(sys.argv[1:])
