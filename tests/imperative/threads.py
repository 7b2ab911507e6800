#!/usr/bin/env python3
"""Emitted parallel loops under ThreadSanitizer.

    threads.py PARALLEL_SOURCE
    threads.py --generated THREADS_SOURCE

PARALLEL_SOURCE prints a program of kernels with parallel loops, or a mutant of it; THREADS_SOURCE writes one of kernels
that are generated from statements into a folder, a file for each.  The sanitizer finds nothing in them and something in
each of their mutants.  It knows of barriers only what LLVM's OpenMP runtime tells it by Archer, so that this needs clang
with its sanitizers, libomp and libarcher of one version; where they are not there it is skipped.

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
# Of generated ones: where a part begins, what the parts before it have counted, where its chunk goes.
GENERATED_MUTANTS = [
    ('pA2 = (int32_t)A2_begin[part]', 'pA2 = (int32_t)A2_begin[0]'),
    ('A2_next_2[A_parent] = A2_next[A_parent]', 'A2_next_2[A_parent] = 0'),
    ('A2_at = A2_begin[chunk]', 'A2_at = A2_begin[0]'),
]


def folders():
    """Those of LLVM that have libomp and Archer, the newest first."""
    found = [p for p in pathlib.Path('/usr/lib').glob('llvm-*/lib') if (p / 'libarcher.so').exists()]
    return sorted(found, key=lambda p: int(p.parent.name.split('-')[1]), reverse=True)


class Compiler:
    """Clang and its libraries."""

    def __init__(self, lib):
        self.lib = lib
        self.clang = str(lib.parent / 'bin' / 'clang')

    def do(self, *arguments, **more):
        return subprocess.run([self.clang, '-fopenmp', '-fsanitize=thread', *arguments], text=True, capture_output=True,
                              check=False, **more)

    def compile(self, source, text=None):
        """The object; loops stay loops: of what memcpy does the sanitizer says nothing."""
        done = self.do('-std=c11', '-g', '-O1', '-fno-builtin', '-c', '-x', 'c', '-', '-o', source.with_suffix('.o'),
                       input=source.read_text() if text is None else text)
        if done.returncode != 0:
            raise OSError(done.stderr)
        return source.with_suffix('.o')

    def run(self, objects, program):
        """Up to the first race: what comes of a mutant's may be that it never ends."""
        done = self.do(*objects, '-o', program, '-L', self.lib, '-Wl,-rpath,' + str(self.lib), '-lm')
        if done.returncode != 0:
            raise OSError(done.stderr)
        env = dict(os.environ, OMP_NUM_THREADS='4', OMP_TOOL_LIBRARIES=str(self.lib / 'libarcher.so'),
                   TSAN_OPTIONS='ignore_noninstrumented_modules=1 exitcode=66 history_size=7 halt_on_error=1')
        return subprocess.run([program], env=env, text=True, capture_output=True, check=False, timeout=300)


def compiler_for(folder):
    """One whose sanitizer runs here; None if there is none."""
    probe = folder / 'probe.c'
    probe.write_text('int main(void) { return 0; }\n')
    for lib in folders():
        compiler = Compiler(lib)
        try:
            if compiler.run([compiler.compile(probe)], folder / 'probe').returncode == 0:
                return compiler
        except OSError:
            pass
    return None


def is_static(text):
    """Every thread does its share, however busy the machine is: what one thread does alone is no race."""
    return re.sub(r'schedule\(dynamic[^)]*\)', 'schedule(static)', text)


def printed(parallel_source, folder):
    """The program as printed, and its mutants: each the one source."""
    def text_of(*mutant):
        return subprocess.run([parallel_source, *mutant], text=True, capture_output=True, check=True).stdout
    source = folder / 'program.c'
    source.write_text(text_of())
    return [source], [(mutant, source, is_static(text_of(*mutant))) for mutant in MUTANTS]


def generated(threads_source, folder):
    """Those generated, and their mutants: each of the first source that has the text."""
    subprocess.run([threads_source, folder], check=True)
    sources = sorted(folder.glob('kernel_*.c')) + [folder / 'main.c']
    mutants = []
    for mutant in GENERATED_MUTANTS:
        source = next(s for s in sources if mutant[0] in s.read_text())
        mutants.append((mutant, source, is_static(source.read_text().replace(*mutant))))
    return sources, mutants


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        compiler = compiler_for(folder)
        if not compiler:
            print('skipped: no clang with ThreadSanitizer, libomp and libarcher of one version')
            return SKIPPED
        sources, mutants = (generated if sys.argv[1] == '--generated' else printed)(sys.argv[-1], folder)
        objects = [compiler.compile(source) for source in sources]
        result = compiler.run(objects, folder / 'program')
        if result.returncode != 0:
            print(f'{compiler.clang}: a right program: {result.returncode}\n{result.stderr}')
            return 1
        for mutant, source, text in mutants:
            compiler.compile(source, text)
            result = compiler.run(objects, folder / 'program')
            if 'data race' not in result.stderr:
                print(f'{mutant}: nothing is found\n{result.stderr}')
                return 1
            compiler.compile(source)
        print(f'{compiler.clang}: no race, and one in each of {len(mutants)} mutants')
        return 0


sys.exit(main())
