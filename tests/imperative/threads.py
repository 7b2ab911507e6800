#!/usr/bin/env python3
"""Emitted parallel loops under ThreadSanitizer.

    threads.py PARALLEL_SOURCE

PARALLEL_SOURCE prints a program of kernels with parallel loops, or a mutant of it.  The sanitizer finds nothing in the
former and something in each of the latter.  It knows of barriers only what LLVM's OpenMP runtime tells it by Archer, so
that this needs clang with its sanitizers, libomp and libarcher of one version; where they are not there it is skipped.

SPDX-License-Identifier: MIT
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
MUTANTS = [
    ('atomic y', 'y'),
    ('atomic z[0]', 'z[0]'),
    ('sums[part] = sum', 'z[0] += sum'),
    ('z[p] = own2[p - from]', 'z[p - from] = own2[p - from]'),
]


def folders():
    """Those of LLVM that have libomp and Archer, the newest first."""
    found = [p for p in pathlib.Path('/usr/lib').glob('llvm-*/lib') if (p / 'libarcher.so').exists()]
    return sorted(found, key=lambda p: int(p.parent.name.split('-')[1]), reverse=True)


def build(clang, lib, source, program):
    command = [clang, '-std=c11', '-g', '-O1', '-fopenmp', '-fsanitize=thread', '-x', 'c', '-', '-o', program, '-L', lib,
               '-Wl,-rpath,' + str(lib), '-lm']
    return subprocess.run(command, input=source, text=True, capture_output=True, check=False)


def run(program, lib):
    env = dict(os.environ, OMP_NUM_THREADS='4', OMP_TOOL_LIBRARIES=str(lib / 'libarcher.so'),
               TSAN_OPTIONS='ignore_noninstrumented_modules=1 exitcode=66 history_size=7')
    return subprocess.run([program], env=env, text=True, capture_output=True, check=False, timeout=120)


def text_of(parallel_source, *mutant):
    """Of a mutant every thread does its share, however busy the machine is: what one thread does alone is no race."""
    text = subprocess.run([parallel_source, *mutant], text=True, capture_output=True, check=True).stdout
    return re.sub(r'schedule\(dynamic[^)]*\)', 'schedule(static)', text) if mutant else text


def compiler_for(source, program):
    """A clang whose sanitizer runs here, and its libraries; None if there is none."""
    for lib in folders():
        clang = str(lib.parent / 'bin' / 'clang')
        if os.path.exists(clang) and build(clang, lib, source, program).returncode == 0:
            return clang, lib
    return None


def main():
    parallel_source = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'program')
        right = text_of(parallel_source)
        found = compiler_for(right, program)
        if not found:
            print('skipped: no clang with ThreadSanitizer, libomp and libarcher of one version')
            return SKIPPED
        clang, lib = found
        result = run(program, lib)
        if result.returncode != 0:
            print(f'{clang}: a right program:\n{result.stderr}')
            return 1
        for mutant in MUTANTS:
            built = build(clang, lib, text_of(parallel_source, *mutant), program)
            result = run(program, lib) if built.returncode == 0 else built
            if 'data race' not in result.stderr:
                print(f'{mutant}: nothing is found\n{result.stderr}')
                return 1
        print(f'{clang}: no race, and one in each of {len(MUTANTS)} mutants')
        return 0


sys.exit(main())
