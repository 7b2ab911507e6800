"""test_pack.py - spcc pack: kernels of a file of statements, found by spcc run where no compiler is.

    test_pack.py SPCC

SPDX-License-Identifier: MIT
"""
import json
import os
import platform
import shutil
import subprocess
import unittest
import zipfile

from support import SPMV, Case, main

FILE = '''# spcc: --types=f64,f32 --widths=32,64
tensor A: csr
name spmv
y(i) = A(i,j) * x(j)
'''
MATRIX = '%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 1\n1 3 2\n3 2 3\n3 4 1\n'
PLATFORM = {'x86_64': ('v2', 'linux_x86_64'), 'aarch64': ('arm64', 'linux_aarch64')}
ISA, WHEEL = PLATFORM.get(platform.machine(), ('v2', 'linux_x86_64'))
CC = next((cc for cc in ('cc', 'gcc', 'clang') if shutil.which(cc)), None)


@unittest.skipUnless(CC, 'there is no C compiler to make packs with')
class Pack(Case):
    def setUp(self):
        super().setUp()
        self.write('k.spcc', FILE)
        self.write('a.mtx', MATRIX)
        self.bare = dict(self.environment, SPCC_CC='false', SPCC_CLANG_PLUGIN='/none')

    def engine(self, packs, *arguments):
        """Who made the kernel of a run on the matrix, where no compiler is."""
        done = self.run_here('run', SPMV, '-f', 'A:csr', '-i', 'A:a.mtx', '-i', 'x:@ones', '--time=json', '--runs=1',
                             *arguments, env=dict(self.bare, SPCC_PACKS=packs))
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stderr[done.stderr.index('{'):])
        return report['engine']

    def test_types_and_widths(self):
        """One file has each kernel four times; functions for C are called after them; a wheel has the same file."""
        self.good('pack', 'k.spcc', '-o', 'libk.so', f'--isa={ISA}', '--header=k.h', '--wheel')
        for index in (32, 64):
            for kind in ('f64', 'f32'):
                types = [f'-t{tensor}:{kind}' for tensor in 'Axy']
                self.assertEqual(self.engine('libk.so', f'--index={index}', *types), 'pack')
        self.assertEqual(self.engine('libk.so', '-t', 'x:f32'), 'interp')
        self.assertEqual(self.engine(''), 'interp')
        version = self.good('--version').split()[1]
        with zipfile.ZipFile(self.path(f'libk-{version}-py3-none-{WHEEL}.whl')) as wheel:
            self.assertIsNone(wheel.testzip())
            with open(self.path('libk.so'), 'rb') as file:
                self.assertEqual(wheel.read('spcc/packs/libk.so'), file.read())
            self.assertIn('spcc/packs/libk.so,sha256=', wheel.read(f'libk-{version}.dist-info/RECORD').decode())
        self.write('c.c', '#include "k.h"\nint main(void)\n{\n    const int32_t pos[] = {0, 1}, crd[] = {0};\n'
                   '    const double vals[] = {2}, x[] = {3};\n    double y[1];\n'
                   '    return spmv_f64_i32(1, 1, pos, crd, vals, x, y) || y[0] != 6;\n}\n')
        subprocess.run([CC, '-o', 'c', 'c.c', './libk.so'], cwd=self.folder, check=True)
        self.assertEqual(subprocess.run(['./c'], cwd=self.folder, check=False).returncode, 0)

    def test_names_are_those_of_functions(self):
        """Without functions a name need not be one of C: multiply_f64 is a helper's."""
        self.write('m.spcc', '# spcc: --types=f64,f32\ntensor A: csr\nname multiply\ny(i) = A(i,j) * x(j)\n')
        self.bad(1, "'multiply_f64' cannot be the name of a function", 'pack', 'm.spcc', '-o', 'm.so', f'--isa={ISA}',
                 '--header=m.h')
        self.good('pack', 'm.spcc', '-o', 'm.so', f'--isa={ISA}')
        self.assertEqual(self.engine('m.so'), 'pack')

    def test_without_openmp(self):
        """A compiler that refuses OpenMP makes a pack all the same, whose functions need no runtime of it."""
        self.write('serial', f'#!/bin/sh\nfor word; do\n    case $word in -fopenmp)\n'
                   f'        echo "fatal error: \'omp.h\' file not found" >&2\n        exit 1;;\n    esac\n'
                   f'done\nexec {CC} "$@"\n')
        os.chmod(self.path('serial'), 0o755)
        serial = dict(self.environment, SPCC_CC=self.path('serial'))
        done = self.run_here('pack', 'k.spcc', '-o', 'k.so', f'--isa={ISA}', '--header=k.h', env=serial)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count('the C compiler refuses OpenMP'), 1, done.stderr)
        self.assertEqual(self.engine('k.so'), 'pack')
        with open(self.path('k.so'), 'rb') as file:
            self.assertNotRegex(file.read(), b'GOMP_parallel|__kmpc_fork_call')

    def test_info(self):
        self.good('pack', SPMV, '-f', 'A:csr', '-o', 'one.so', f'--isa={ISA}')
        self.write('two.so', 'no pack')
        self.environment['SPCC_PACKS'] = 'one.so:two.so'
        line = next(line for line in self.good('info').splitlines() if line.startswith('pack'))
        self.assertIn('one.so; the pack two.so is passed over: it is no pack of kernels', line)
        # Another engine is found, and a note tells why it had to be.
        done = self.run_here('run', SPMV, '-f', 'A:csr', '-i', 'A:a.mtx', '-i', 'x:@ones', '--no-plan')
        self.assertIn('note: the pack two.so is passed over', done.stderr)

    def test_mistakes(self):
        self.bad(2, 'spcc pack needs a file to write', 'pack', 'k.spcc')
        self.bad(2, "--types: 'f6' is not a type", 'pack', 'k.spcc', '-o', 'k.so', '--types=f6')
        self.bad(2, "--widths: '16' is neither 32 nor 64", 'pack', 'k.spcc', '-o', 'k.so', '--widths=16')
        self.bad(2, "--isa: ',' is not a list", 'pack', 'k.spcc', '-o', 'k.so', '--isa=,')
        self.bad(2, "no pack is made here for 'v9'", 'pack', 'k.spcc', '-o', 'k.so', '--isa=v9')
        self.bad(1, 'cannot be opened', 'pack', 'none.spcc', '-o', 'k.so')
        self.bad(3, 'false', 'pack', 'k.spcc', '-o', 'k.so', env=self.bare)
        self.bad(1, 'cannot be written', 'pack', SPMV, '-f', 'A:csr', '-o', 'none/k.so', f'--isa={ISA}')
        self.bad(2, 'no name of a wheel', 'pack', SPMV, '-f', 'A:csr', '-o', 'k.whl', f'--isa={ISA}')
        self.assertFalse(os.path.exists(self.path('k.so')))


main()
