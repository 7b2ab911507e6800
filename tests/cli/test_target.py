"""test_target.py - the machine that code is made for: each figure reaches the code or the plan, names, files, mistakes.

    test_target.py SPCC

SPDX-License-Identifier: MIT
"""
import json
import re
import shutil
import subprocess
import unittest

from support import SPMV, Case, main

SPMM = ['C(i,k) = A(i,j) * B(j,k)', '-f', 'A:csr']
SUM = ['a(i) = b(i) + c(i) + d(i)', *(word for name in 'abcd' for word in ('-f', f'{name}:sparse'))]
SPGEMM = ['C(i,j) = A(i,k) * B(k,j)', '-f', 'A:csr', '-f', 'B:csr']
SPARSE = [*SPGEMM, '-f', 'C:csr']
TRIANGLES = ['a = A(i,j) * B(j,k) * C(k,i)', '-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr']
DIAGONALS = [SPMV, '-f', 'A:dia']

# A figure, another value than any machine has, a statement, and what its code has on that machine and not on any.
CODE = [
    ('vector_bytes', 16, ['a = x(i) * y(i)'], 'f64x2'),
    ('row_bytes', 64, SPMM, r'k0 < B2_dimension - 7; k0 \+= 8\)'),
    ('registers', 2, [SPMV, '-f', 'A:bcsr(4,4)', '--serial'], r'base_2 = A1_dimension - base;\n *memset'),
    ('sums', 2, ['a = x(i) * y(i)'], r'i \+= 8\)'),
    ('gather_bytes', 16, [SPMV, '-f', 'A:csr'], r'\(f64x2\)\{x_vals'),
    ('scatter_lanes', 2, ['y(j) = A(i,j) * x(i)', '-f', 'A:csr', '--serial'], r'pA2 < pA2_end - 1; pA2 \+= 2\)'),
    ('row_gain', 5, SPMM, r'1048576\) / 5;'),
    ('line', 32, SPMM, r'__builtin_prefetch\(B_vals \+ B_vals_next \+ 4\)'),
    ('l1', 16384, [*DIAGONALS, '-d', 'i:100000', '-d', 'j:100000'], r'split\(i, io, ii, down, 1024\)'),
    ('pages', 8, ['A(j,i) = B(i,j)'], r'jo \* 64;'),
    ('l3', 1 << 30, [*SPARSE, '-d', 'j:2000000'], r'\{j,j,jp\}, bytemap\)'),
    ('streams', 7, [*DIAGONALS, '--serial'], r'\(int64_t\)pA10 \+ 7, '),
    ('prefetch_ahead', 5, SPMM, r'pA2_last - 5 \? 5 : 0'),
    ('scatter_ahead', 5, ['B(i,j) = A(i,j)', '-f', 'A:csr', '-f', 'B:csc'], r'pA2_last - 5 \? 5 : 0'),
    ('foreseen', 77, ['y(j) = A(i,j) * x(i)', '-f', 'A:csr', '--serial'], r'> 77 && .* / 16\s+< A1_dimension'),
    ('seek_ratio', 99, ['a = x(i) * y(i)', '-f', 'x:sparse', '-f', 'y:sparse'], r' / 99\b'),
    ('part_work', 1234, [SPMV, '-f', 'A:csr'], r'work < 2468 \?'),
    ('grid_blocks', 77, [SPMV, '-f', 'A:csr', '--target=cuda', '-s', 'parallelize(i, gpu_thread, no_races)'],
     r'i \+= 19712\)'),
    ('lane_work', 5, [SPMV, '-f', 'A:coo', '--target=cuda', '-s', 'parallelize(i, gpu_thread, no_races)'],
     r' / 5, '),
    ('lines', 1, SUM, r'bool '),
    ('lines_most', 10, SUM, r'bool '),
]
# A figure of the planner: the same of its explanation.
COSTS = [
    ('merge_cost', 900, TRIANGLES),
    ('search_cost', 900, ['C(i,j) = A(i,k) * B(k,j)', '-f', 'A:csr', '-f', 'B:csc', '-f', 'C:csr']),
    ('sort_cost', 900, SPARSE),
    ('far_cost', 9000, SPARSE),
    ('page_cost', 9000, ['A(j,i) = B(i,j)']),
    ('probe_cost', 9000, [*SPARSE, '-d', 'j:2000000']),
    ('function_cost', 9000, ['y(i) = A(i,j) * exp(x(j))', '-f', 'A:csr']),
    ('division_cost', 9000, ['y(i) = A(i,j) * (x(j) / z(j))', '-f', 'A:csr']),
    ('fill_cost', 900, SPGEMM),
]


class Figures(Case):
    def test_code(self):
        for figure, value, statement, there in CODE:
            with self.subTest(figure):
                self.write('mine', f'{figure} {value}\n')
                self.assertNotRegex(self.good(*statement), there)
                self.assertRegex(self.good(*statement, '--target-cpu=mine'), there)

    def test_fewer_sums_than_a_loop_has(self):
        self.write('mine', 'sums 1\n')
        for statement in ('y(i)=A(i,j)*x(j); z(i)=A(i,j)*w(j)', 'y(i)=A(i,j)*x(j); z(i)=A(i,j)*w(j); v(i)=A(i,j)*u(j)'):
            self.assertIn('z_vals', self.good(statement, '--target-cpu=mine'))

    def test_plan(self):
        weighed = re.compile(r'\nalternatives, .*?\n\n', re.S)
        for figure, value, statement in COSTS:
            with self.subTest(figure):
                self.write('mine', f'{figure} {value}\n')
                any_machine, mine = self.good('explain', *statement), self.good('explain', *statement, '--target-cpu=mine')
                self.assertNotEqual(weighed.search(any_machine).group(), weighed.search(mine).group())
                self.assertIn('\ntarget: mine, as its file says\n', mine)
                self.assertNotIn('\ntarget: ', any_machine)

    def test_all_have_a_row(self):
        told = json.loads(self.good('info', '--json', '--target-cpu=generic'))['target']
        self.assertEqual(told.pop('is'), 'generic: any processor, as C compilers make code for it')
        self.assertEqual(list(told), [row[0] for row in [*CODE, *COSTS]])


class Names(Case):
    def figures(self, name):
        return json.loads(self.good('info', '--json', f'--target-cpu={name}'))['target']

    def test_names(self):
        lanes = {'generic': 4, 'x86-64': 2, 'x86-64-v3': 4, 'x86-64-v4': 8, 'arm64': 2}
        for name, n in lanes.items():
            code = self.good('a = x(i) * y(i)', f'--target-cpu={name}')
            self.assertIn(f'typedef double f64x{n} ', code)
            self.assertIn(f"--target-cpu '{name}'", code)
        generic = self.figures('generic')
        self.assertEqual(generic, {**self.figures('x86-64-v3'), 'is': generic['is'], 'foreseen': 1 << 30})

    def test_native(self):
        """Whatever it is, its figures can be given back as a file."""
        native = self.figures('native')
        self.write('copy', ''.join(f'{figure} {value}\n' for figure, value in native.items() if figure != 'is'))
        self.assertEqual({**self.figures('copy'), 'is': native['is']}, native)
        self.assertRegex(self.good('info', '--target-cpu=native'), r'(?m)^target    native: .*\n          vector_bytes ')

    def test_vector(self):
        """--vector counts, and the rest is the target's; the command in the code says both."""
        self.write('mine', 'like x86-64-v4\nprefetch_ahead 5 # near\n\n')
        code = self.good(*SPMM, '--target-cpu', 'mine', '--vector=256')
        self.assertIn('f64x4', code)
        self.assertNotIn('f64x8', code)
        self.assertIn('pA2_last - 5 ', code)
        self.assertIn("--target-cpu 'mine' --vector=256", code)

    def test_run(self):
        """On any target the same comes out; kernels of one are not those of another."""
        self.write('A.tns', ''.join(f'{i} {j} {i + j}\n' for i in range(1, 9) for j in range(1, 33) if (i * j) % 3))
        statement = ['run', SPMV, '-f', 'A:csr', '-i', 'A:A.tns', '-i', 'x:@ones', '-o', 'y:-']
        expected = self.good(*statement)
        for name in ('generic', 'x86-64', 'arm64', 'native'):
            self.assertEqual(self.good(*statement, f'--target-cpu={name}'), expected)

    def test_short_segments(self):
        """Many of them, empty ones and one that is longer than a block, whose entries are scattered; also by parts."""
        lengths = [(i * 7) % 4 for i in range(900)] + [2500, 30, 0, 1500] + [i % 3 for i in range(900)]
        self.write('A.tns', ''.join(f'{i + 1} {(i * 31 + k) % 2600 + 1} {i % 9 + k % 5 + 1}\n'
                                    for i, n in enumerate(lengths) for k in range(n)) + '1804 2600 1\n')
        self.write('mine', 'like x86-64-v3\nforeseen 5\npart_work 64\n')
        for statement in 'y(j) = A(i,j) * x(i)', 'y(j) = A(i,j) * x(i) * z(i)', 'y(j) = min(i, A(i,j) + x(i))':
            run = ['run', statement, '-f', 'A:csr', '-i', 'A:A.tns', '-i', 'x:@index', '-o', 'y:-', '--jit=interp',
                   *(['-i', 'z:@index'] if 'z(' in statement else []), *(['--fill=A:inf'] if 'min' in statement else [])]
            expected = self.good(*run, '--serial')
            for threads in (['--serial'], ['--threads=3']):
                self.assertEqual(self.good(*run, *threads, '--target-cpu=mine'), expected)

    @unittest.skipUnless(shutil.which('clang-22'), 'no compiler for ARM')
    def test_arm(self):
        """Its vectors are ones that a compiler for ARM takes; headers of a system are not needed for that."""
        code = self.good('a = x(i) * y(i)', '--target-cpu=arm64', '--serial')
        done = subprocess.run(['clang-22', '--target=aarch64-linux-gnu', '-ffreestanding', '-O2', '-Wall', '-Werror', '-S',
                               '-x', 'c', '-', '-o', '-'], input=code, text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertRegex(done.stdout, r'\bfml[as]\s+v\d+\.2d|fadd\s+v\d+\.2d')


class Measured(Case):
    def test_figures(self):
        """The figures are as many as there are, and make a file that can be given."""
        measured = self.good('bench', 'target', '--entries=400', '--runs=1', '--jit=interp', '--target-cpu=x86-64')
        self.assertRegex(measured, r'\A# measured by spcc bench target: .*interpreter\n')
        names = [line.split()[0] for line in measured.splitlines()[1:]]
        self.assertEqual(names, [row[0] for row in [*CODE, *COSTS]])
        self.write('mine', measured)
        self.assertIn(measured.split('\n', 1)[1], re.sub(r'(?m)^ {10}', '', self.good('info', '--target-cpu=mine')))
        listed = self.good('bench', 'target', '--list')
        self.assertIn('\nstreams        y(i) = A(i,j) * x(j), A:dia\n', listed)
        self.assertLess({line.split()[0] for line in listed.splitlines()}, set(names))

    def test_mistakes(self):
        self.bad(2, 'spcc bench target has no table', 'bench', 'target', '--csv')
        self.bad(2, "there is no target 'nowhere'", 'bench', 'target', '--target-cpu=nowhere')


class Mistakes(Case):
    def test_files(self):
        for text, said in (
                ('', "mine: there is no figure in it"),
                ('# nothing\n', "there is no figure in it"),
                ('lin 64\n', "mine: line 1: 'lin' is no figure of a target; did you mean 'line'?"),
                ('\nwhatever 64\n', "mine: line 2: 'whatever' is no figure of a target"),
                ('line 100\n', "line is a power of two between 16 and 1024, and not '100'"),
                ('streams 0\n', "streams is a whole number between 1 and 256, and not '0'"),
                ('streams -1\n', "and not '-1'"),
                ('streams 1e3\n', "and not '1e3'"),
                ('streams 99999999999999999999\n', "and not '99999999999999999999'"),
                ('streams 9\nstreams 9\n', 'mine: line 2: streams is given twice'),
                ('streams\n', "a line is a figure's name and its value"),
                ('streams 9 9\n', "a line is a figure's name and its value"),
                ('like x86\n', "there is no target of the name 'x86'"),
                ('line 64\nlike generic\n', "line 2: 'like' is the first line of a target"),
                ('vector_bytes 64\nrow_bytes 32\n', 'row_bytes, 32, is none of 1 to 16 vectors of 64 bytes'),
                ('vector_bytes 16\nrow_bytes 512\n', 'row_bytes, 512, is none of 1 to 16 vectors of 16 bytes'),
                ('l1 16777216\n', 'the caches l1 and l3 do not grow: 16777216, 8388608'),
                ('\x1b[2J 64\n', r"'\x1b[2J' is no figure of a target"),
                ('line \0 64\n', 'mine: it is no text'),
                ('#' * 70000, 'mine: it is too long to be a target')):
            self.write('mine', text)
            for command in ('info',), SPMM, ('explain', *SPMM):
                self.bad(1, said, *command, '--target-cpu=mine')

    def test_names(self):
        self.bad(2, "there is no target 'x86-64-v9', and no file of that name", SPMV, '--target-cpu=x86-64-v9')
        self.bad(2, 'did you mean native?', SPMV, '--target-cpu=nativ')
        self.bad(2, 'the targets are native, generic, x86-64, x86-64-v3, x86-64-v4 and arm64', 'info',
                 '--target-cpu=no/where')
        self.bad(1, 'Is a directory', 'info', '--target-cpu=.')


if __name__ == '__main__':
    main()
