"""test_run.py - spcc run and spcc info: inputs, results, sizes, what it cost, and what is wrong with files.

    test_run.py SPCC

SPDX-License-Identifier: MIT
"""
import gzip
import json
import os
import re
import resource
import subprocess
import unittest

import support
from support import DATA, SPMV, Case, main

INTERP = '--jit=interp'
MATRIX = os.path.join(DATA, 'ldg_diffusion.mtx.gz')
FACTS = os.path.join(DATA, 'facts3.tns.gz')

# | 1 0 2 |        | 14 |
# | 0 0 0 |   x  = |  0 |   for x = (4, 5, 5)
# | 0 3 0 |        | 15 |
SMALL = '''%%MatrixMarket matrix coordinate real general
% a comment
3 3 3
1 1 1
1 3 2

3 2 3e0
'''
X = '1 4\n2 5\n3 5\n'
EXAMPLE = '1 1 1 1\n1 2 1 2\n2 1 1 3\n2 1 3 4\n3 2 2 5\n3 3 3 6\n4 1 2 7\n4 4 3 8\n'


# What the planner has alternatives for, and where the cheapest depends on numbers.
PLANNED = [
    ('y(a) = A(a,b) * A(b,c) * A(c,d) * A(d,e) * x(e)', 'A:csr'),
    ('Y(i,r) = A(i,j) * A(j,k) * X(k,r) + b(r)', 'A:csr'),
    ('y(i) = (A(i,j) - m(j)) * x(j)', 'A:csr'),
    ('D(i,j) = A(i,j) + m(j)', 'A:csr'),
    ('y(i) = max(j, A(i,j))', 'A:csc'),
    ('C(i,j) = A(i,j) + A(j,i)', 'A:csr C:csr'),
    ('C(i,j) = A(i,k) * A(j,k)', 'A:csr C:csr'),
    ('C(i,j) = A(k,i) * A(k,j)', 'A:csr C:csr'),
    ('C(i,j) = A(i,j) * sum(k, A(i,k) * A(k,j))', 'A:csr C:csr'),
]


def rows_of_matrix():
    """The real matrix, read by other means: a list of (row, column, value), and its size."""
    with gzip.open(MATRIX, 'rt') as file:
        lines = [line.split() for line in file if not line.startswith('%')]
    return [(int(r) - 1, int(c) - 1, float(v)) for r, c, v in lines[1:]], int(lines[0][0])


def entries(text):
    """A .tns as a dictionary from coordinates to values."""
    found = {}
    for line in text.splitlines():
        *coordinates, value = line.split()
        found[tuple(map(int, coordinates))] = float(value)
    return found


class Absent(Case):
    """What is not there tells a value of its own: 0 / 0 is no number, and 0 / b is 0 for any b that is there."""

    def test_quotients_of_rows(self):
        self.write('A.tns', '1 1 2\n3 3 1\n')
        self.write('B.tns', '1 1 4\n2 1 5\n3 1 2\n3 2 2\n3 3 2\n')
        files = ['-d', 'A:3,3', '-d', 'B:3,3', '-i', 'A:A.tns', '-i', 'B:B.tns', INTERP, '--no-plan']
        through = ['B(i,j), w, {j,j,jp}, ' + format for format in ['dense', 'bytemap', 'hash']]
        through += ['A(i,j), w, {j,j,jp}, dense', 'B(i,j), w, {i,i,ip}, {j,j,jp}, dense']
        schedules = [[]] + [['-s', f'precompute({e})'] for e in through] + [['-s', 'split(j, j0, j1, down, 2)']]
        for a in ['ss', 'ds', 'dd']:
            for b in ['ss', 'ds']:
                for schedule in schedules:
                    with self.subTest(a=a, b=b, schedule=schedule):
                        run = self.good('run', 'y(i) = A(i,j) / B(i,j)', '-f', 'y:s', '-f', 'A:' + a, '-f', 'B:' + b,
                                        *files, *schedule)
                        self.assertEqual(run, '1 nan\n2 nan\n3 0.5\n')

    def test_quotients_that_a_result_begins_with(self):
        self.write('A.tns', '1 1 1\n2 2 1\n3 3 1\n')
        self.write('b.tns', '1 2\n3 5\n')
        run = self.good('run', 'y(i) = 0 / b(i) + A(i,j) * x(j)', '-f', 'b:s', '-f', 'A:csc', '-f', 'y:d', '-i', 'A:A.tns',
                        '-i', 'b:b.tns', '-i', 'x:@ones', '-d', 'i:3', INTERP)
        self.assertEqual(run, '1 1\n2 nan\n3 1\n')

    def test_quotients_of_sums(self):
        self.write('A.tns', '1 1 2\n1 3 3\n3 2 5\n')
        self.write('x.tns', '1 1\n2 2\n3 3\n4 4\n')
        of = 'sum(j, A(i,j) * x(j)) {} sum(j, A(i,j))'
        expected = [
            (of.format('/'), '1 2.2\n2 nan\n3 2\n4 nan\n'),
            ('mod({})'.format(of.format(',')), '1 1\n2 nan\n4 nan\n'),
            (of.format('**'), '1 161051\n2 1\n3 100000\n4 1\n'),
            (of.format('/') + ' + sum(j, A(j,i))', '1 4.2\n2 nan\n3 5\n4 nan\n'),
            (of.format('/') + ' * x(i)', '1 2.2\n2 nan\n3 6\n4 nan\n'),
            ('sum(j, A(i,j) * x(j)) / max(j, A(i,j))', '1 3.6666666666666665\n2 nan\n3 2\n4 nan\n'),
        ]
        for a in ['dense', 'csr', 'csc', 'dcsr', 'dcsc', 'coo:1,0', 'sell(2)', 'ghicoo(2;0)', 'part(csr; csc)']:
            for e, values in expected:
                with self.subTest(a=a, e=e):
                    run = self.good('run', 'y(i) = ' + e, '-f', 'y:dense', '-f', 'A:' + a, '-d', 'A:4,4', '-i', 'A:A.tns',
                                    '-i', 'x:x.tns', INTERP)
                    self.assertEqual(run, values)
            run = self.good('run', 'y(i) = ' + expected[0][0], '-f', 'y:s', '-f', 'A:' + a, '-d', 'A:4,4', '-i',
                            'A:A.tns', '-i', 'x:x.tns', INTERP)
            self.assertEqual(run, expected[0][1], a)

    def test_quotients_of_parts(self):
        """Where a part and the divisor store nothing, 0 / 0 is no term of a sum over the parts."""
        self.write('A.tns', '1 1 4\n')
        self.write('B.tns', '2 2 1\n')
        for a in ['csr', 'part(csr; csr)', 'part(csc; coo)']:
            run = self.good('run', 'y(i,j) = A(i,j) / B(i,j)', '-f', 'A:' + a, '-f', 'B:csr', '-d', 'A:2,2', '-d', 'B:2,2',
                            '-i', 'A:A.tns', '-i', 'B:B.tns', INTERP)
            self.assertEqual(run, '1 1 inf\n1 2 nan\n2 1 nan\n', a)


class Small(Case):
    def setUp(self):
        super().setUp()
        self.write('A.mtx', SMALL)
        self.write('x.tns', X)

    def spmv(self, *arguments, **options):
        return self.good('run', SPMV, '-f', 'A:csr', '-i', 'A:A.mtx', '-i', 'x:x.tns', *arguments, **options)

    def without_room(self):
        """The cache is a folder of one's own in which nobody, not even root, can make a file."""
        os.mkdir(self.path('cache'))
        os.symlink('/proc/self/task', self.path('cache/spcc'))


class Engines(Small):
    def test_each_gives_the_same(self):
        self.assertEqual(self.spmv(INTERP), '1 14\n3 15\n')
        for engine in ('cc', 'clang'):
            with self.subTest(engine=engine):
                if not os.environ.get('SPCC_HAS_' + engine.upper()):
                    self.skipTest(f'no {engine}')
                self.assertEqual(self.spmv('--jit=' + engine), '1 14\n3 15\n')
                self.assertEqual(self.spmv('--jit=' + engine), '1 14\n3 15\n') # from the kernel cache

    def test_without_a_compiler(self):
        bare = dict(self.environment, PATH='/nowhere', SPCC_CC='/nowhere/cc', SPCC_CLANG_PLUGIN='/nowhere/plugin.so')
        done = self.run_here('run', SPMV, '-i', 'A:A.mtx', '-i', 'x:@ones', env=bare)
        self.assertEqual((done.returncode, done.stdout), (0, '1 3\n3 3\n'))
        self.assertIn('note: the kernel is interpreted, which is slow', done.stderr)
        for engine in ('cc', 'clang'):
            self.bad(3, 'error[E', 'run', SPMV, '-i', 'A:A.mtx', '-i', 'x:@ones', '--jit=' + engine, env=bare)

    @unittest.skipUnless(os.environ.get('SPCC_HAS_CC'), 'no C compiler')
    def test_kernel_gone_wrong(self):
        wrong = dict(self.environment, SPCC_CC='cc -Dreturn=return-1+2*')
        self.bad(70, 'the kernel returned -3', 'run', SPMV, '-i', 'A:A.mtx', '-i', 'x:@ones', '--jit=cc', env=wrong)

    def test_many_at_once_on_an_empty_cache(self):
        command = [support.SPCC, 'run', SPMV, '-f', 'A:csr', '-f', 'x:dense', '-i', 'A:A.mtx', '-i', 'x:x.tns']
        running = [subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True) for _ in range(16)]
        for process in running:
            self.assertEqual((*process.communicate(), process.returncode), ('1 14\n3 15\n', '', 0))

    def test_cache_that_cannot_be_used(self):
        self.write('cache', 'a file where the folder should be')
        self.assertEqual(self.good('run', SPMV, '-i', 'A:A.mtx', '-i', 'x:x.tns'), '1 14\n3 15\n')
        done = self.run_here('run', SPMV, '-i', 'A:A.mtx', '-i', 'x:x.tns', '--time')
        self.assertEqual((done.returncode, done.stdout), (0, ''))
        self.assertRegex(done.stderr, r'(?m)^note: .*cache')
        done = self.run_here('run', SPMV, '-i', 'A:A.mtx', '-i', 'x:x.tns', '--time=json')
        self.assertIn('is not used: Not a directory', json.loads(done.stderr)['note'])

    @unittest.skipUnless(os.environ.get('SPCC_HAS_CC') and os.path.exists('/proc/self/task'), 'no C compiler, or no /proc')
    def test_cache_that_keeps_nothing(self):
        self.without_room()
        arguments = ('run', SPMV, '--jit=cc', '-i', 'A:A.mtx', '-i', 'x:x.tns', '-o', 'y:-')
        self.assertEqual(self.good(*arguments), '1 14\n3 15\n')
        done = self.run_here(*arguments, '--time')
        self.assertEqual((done.returncode, done.stdout), (0, '1 14\n3 15\n'))
        self.assertRegex(done.stderr, r'(?m)^note: the kernel cache .*/spcc keeps nothing new: ')
        self.assertIn(' keeps nothing new: ', json.loads(self.run_here(*arguments, '--time=json').stderr)['note'])
        self.write('two.spcc', 'y(i) = A(i,j) * x(j)\nz(i) = 2 * y(i)\n')
        done = self.run_here('run', 'two.spcc', *arguments[2:-1], 'z:-', '--time=json')
        self.assertIn(' keeps nothing new: ', json.loads(done.stderr)['note'])


class StatementsFirst(Small):
    """What is wrong with a statement is told before what is wrong with its inputs."""

    def test_statements_before_inputs(self):
        self.bad(1, 'error[E205]: the result A is read at another component', 'run', 'A(i,j) = A(j,i)', '-i', 'A:none.mtx')
        self.bad(1, 'did you mean csr?', 'run', SPMV, '-f', 'A:crs')
        said = self.bad(2, 'x is an index variable of foo, which is a tensor: there is no function foo', 'run',
                        'y = foo(x)', '-i', 'x:x.tns')
        self.assertEqual(len(said.splitlines()), 1)

    def test_scalars_that_were_meant_as_matrices(self):
        self.bad(1, 'help: without index variables A is a scalar; a matrix is written A(i,j)', 'run', 'y = A * x',
                 '-f', 'A:csr', '-i', 'A:A.mtx')
        self.bad(1, 'a tensor is written with its index variables', 'run', 'y = x', '-i', 'x:x.tns')

    def test_options_without_a_tensor(self):
        """An output is the one result's, a format the one tensor's that it suits."""
        given = ('run', 'y(i) = A(i,j) * x(j)', INTERP, '-f', 'csr', '-i', 'A:A.mtx', '-i', 'x:@ones')
        whole = self.good(*given)
        self.good(*given, '-o', 'out.tns')
        self.assertEqual(self.read('out.tns'), whole)
        self.bad(2, '-o y.tns: there are several results', 'run', 'y(i) = x(i); z(i) = x(i)', '-o', 'y.tns')
        self.bad(2, '-f csr: both C and B could have this format', 'emit', 'C(i,j) = B(i,j)', '-f', 'csr')
        self.assertIn('B        f64   ds', self.good('emit', 'C(i,j) = B(i,j)', '-f', 'C:dense', '-f', 'csr'))
        self.bad(2, '-f csr: no tensor of the statement can have this format', 'emit', 'y(i) = x(i)', '-f', 'csr')
        self.bad(2, '-f quux: no tensor', 'emit', 'y(i) = x(i)', '-f', 'quux')

    def test_recipes_that_lack_a_sign(self):
        self.assertIn('help: did you mean -i x:@ones?', self.bad(1, 'ones', 'run', 'y(i) = x(i)', INTERP, '-i', 'x:ones',
                                                                 '-d', 'i:3'))
        self.assertNotIn('did you mean', self.bad(1, 'nones.mtx', 'run', 'y(i,j) = x(i,j)', INTERP, '-i', 'x:nones.mtx'))

    def test_seeds_that_are_left_out(self):
        for recipe, seeded in (('@random', '@random(0)'), ('@sparse(0.5)', '@sparse(0.5,0)')):
            one, other = (self.good('run', 'y(i) = x(i)', INTERP, '-i', 'x:' + r, '-d', 'i:9') for r in (recipe, seeded))
            self.assertEqual(one, other)

    def test_how_it_is_read(self):
        done = self.run_here('run', '-W', 'a = x(i) + y(j)', INTERP, '-f', 'x:dense', '-f', 'y:dense', '-i', 'x:x.tns',
                             '-i', 'y:x.tns')
        self.assertEqual((done.stdout, done.stderr),
                         ('28\n', 'note: a = x(i) + y(j) is read as a = sum(i, x(i)) + sum(j, y(j))\n'))
        done = self.run_here('--warn', 'a = x(i)', '-o', 'a.c')
        self.assertEqual(done.stderr, 'note: a = x(i) is read as a = sum(i, x(i))\n')

    def test_narrow_operands(self):
        self.write('N.tns', '1 1 100\n1 2 100\n')
        self.write('n.tns', '1 100\n2 100\n')
        operands = ('-f', 'A:csr', '-i', 'A:N.tns', '-f', 'y:dense', INTERP)
        self.assertEqual(self.good('run', 'y(i) = A(i,j) * x(j)', '-t', 'A:i8', '-t', 'x:i8', '-t', 'y:i32', '-i',
                                   'x:n.tns', '-f', 'x:dense', *operands), '1 20000\n')
        for type in ('bool', 'i32', 'f64'):
            self.assertEqual(self.good('run', 'y(i) = sum(j, A(i,j)) > 1', '-t', 'A:bool', '-t', 'y:' + type, *operands),
                             '1 1\n')

    def test_sums_around_functions(self):
        note = ('note: the sum over i is around sqrt: sum(i, sqrt(x(i) * x(i))); write the sum if it is meant '
                'inside\n')
        for command in (('run', INTERP), ('emit',)):
            done = self.run_here(*command, 's = 2 * sqrt(x(i) * x(i))', '-f', 'x:dense',
                                 *(['-i', 'x:x.tns'] if 'run' in command else []))
            self.assertEqual((done.returncode, done.stderr), (0, note))
        for clear in ('s = abs(x(i))', 's = sqrt(sum(i, x(i) * x(i)))', 's = sum(i, sqrt(x(i) * x(i)))',
                      's = (x(i) * y(i) > 0) * x(i)'):
            self.assertEqual(self.run_here('emit', clear).stderr, '')


class Files(Small):
    def test_inputs_and_outputs(self):
        for name in ('y.tns', 'y.tns.gz', 'y.mtx', 'y.mtx.gz'):
            self.assertEqual(self.spmv(INTERP, '-o', 'y:' + name), '')
            self.assertEqual(self.good('run', 'z(i) = y(i)', INTERP, '-i', 'y:' + name, '-d', 'i:3'), '1 14\n3 15\n')

    def test_standard_input_and_output(self):
        text = self.good('run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:-', '-o', 'y:-', input=X)
        self.assertEqual(text, '1 14\n3 15\n')

    def test_spellings_of_taco(self):
        self.assertEqual(self.good('run', SPMV, INTERP, '-f=A:ds:0,1', '-t=y:float', '-i=A:A.mtx', '-i=x:x.tns',
                                   '-o=y:y.tns'), '')
        self.assertEqual(self.read('y.tns'), '1 14\n3 15\n')

    def test_scalars(self):
        self.write('a.tns', '3\n')
        self.assertEqual(self.good('run', 's = a * A(i,j)', INTERP, '-f', 'A:csr', '-i', 'A:A.mtx', '-i', 'a:a.tns'),
                         '18\n')

    def test_recipes(self):
        self.assertEqual(self.good('run', 'y(i) = x(i)', INTERP, '-i', 'x:@index', '-d', 'i:3'), '2 1\n3 2\n')
        first, again, other = (self.good('run', 'y(i) = x(i)', INTERP, '-i', f'x:@random({seed})', '-d', 'i:9')
                               for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        some = self.good('run', 'y(i) = x(i)', INTERP, '-f', 'x:s', '-f', 'y:s', '-i', 'x:@sparse(0.5,7)', '-d', 'i:1000')
        self.assertTrue(400 < len(some.splitlines()) < 600)

    def test_drawn_places(self):
        """The same on any number of threads, as many as they are to be, inside, and none twice."""
        copy = ('Z(i,j,k) = X(i,j,k)', INTERP, '-f', 'X:coo', '-f', 'Z:coo')
        for recipe, sizes, stored in (('@kronecker(3,20000)', (500, 400, 70), 20000),
                                      ('@kronecker(3,2000;4,3,2,2,2,1,1,1)', (100, 100, 100), 2000),
                                      ('@powerlaw(3,20000,1.2)', (5000, 4000, 60), 20000),
                                      ('@irrS/100(3)', (32768, 32768, 76), 10000), ('@regS/1e3', (65536,) * 3, 1100)):
            given = [] if '/' in recipe else [w for v, n in zip('ijk', sizes) for w in ('-d', f'{v}:{n}')]
            texts = []
            for threads in (1, 2):
                self.good('run', *copy, '-i', 'X:' + recipe, *given, f'--threads={threads}', '-o', 'Z:z.tns')
                texts.append(self.read('z.tns'))
            self.assertEqual(texts[0], texts[1])
            places = [tuple(map(int, line.split()[:3])) for line in texts[0].splitlines()]
            self.assertEqual((len(places), len(set(places))), (stored, stored))
            self.assertTrue(all(1 <= c <= n for place in places for c, n in zip(place, sizes)))
            if 'irrS' in recipe or 'powerlaw' in recipe:
                self.assertEqual(len({place[2] for place in places}), sizes[2])

    def test_rows_of_all_lengths(self):
        """Rows of a product are lists, or bits, as the rows before were: both have what a dense result has."""
        for result in ('C:csr', 'C:dense'):
            self.good('run', 'C(i,j) = A(i,k) * A(k,j)', INTERP, '-f', 'A:csr', '-f', result, '-t', 'A:i64', '-t',
                      'C:i64', '-d', 'A:300,300', '-i', 'A:@powerlaw(1,1200,1.2)', '--drop-zeros', '-o',
                      result[:1] + ':' + result[2:] + '.tns')
        self.assertEqual(self.read('csr.tns'), self.read('dense.tns'))

    def test_presets_have_sizes(self):
        self.assertEqual(self.good('run', 'y(k) = 0 * X(i,j,k) + x(k)', INTERP, '-f', 'X:coo', '-i', 'X:@irrS/1e4',
                                   '-i', 'x:@index', '-f', 'y:dense').splitlines()[-1], '76 75')
        self.good('run', 's = X(i,j,k)', INTERP, '-i', 'X:@irrS/1e4', '-d', 'i:40', '-d', 'j:50', '-d', 'k:6')
        self.bad(2, '@irrS is of order 3, and X of order 2', 'run', 's = X(i,j)', INTERP, '-i', 'X:@irrS')
        self.bad(2, 'did you mean @irrS?', 'run', 's = X(i,j,k)', INTERP, '-i', 'X:@irrSx/100')
        self.bad(1, 'say it with -d', 'run', 's = X(i,j,k)', INTERP, '-i', 'X:@powerlaw(1,9,1.5,2)')

    def test_drawn_places_that_do_not_fit(self):
        given = ('-d', 'i:10', '-d', 'j:10', '-f', 'X:coo', INTERP)
        for recipe in ('@powerlaw(1,1000)', '@kronecker(1,1000)'):
            self.bad(1, 'X: 1000 components are to be stored, and its sizes have 100 places', 'run', 's = X(i,j)', '-i',
                     'X:' + recipe, *given)
            self.bad(1, 'say it with -d', 'run', 's = X(i,j)', '-i', 'X:' + recipe, INTERP)
            large = self.bad(3, 'X: its components take', 'run', 's = X(i,j)', INTERP, '-i',
                             'X:' + recipe.replace('1000', '1000000'), '-d', 'i:9999', '-d', 'j:9999',
                             '--max-memory=20M')
            self.assertIn('--max-memory=SIZE allows for more', large)
        self.assertIn('did you mean @kronecker?', self.bad(2, 'is no recipe', 'run', 's = X(i,j)', '-i',
                                                           'X:@kroneker(1,5)', *given))

    def test_types(self):
        self.write('c.mtx', '%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 1 -2\n')
        complex_result = self.good('run', 'B(i,j) = A(i,j)', INTERP, '-t', 'A:c128', '-t', 'B:c128', '-i', 'A:c.mtx')
        self.assertEqual(complex_result, '1 1 1 0\n1 2 1 2\n2 1 1 -2\n')
        self.write('b.tns', '1 9007199254740993\n')
        self.assertEqual(self.good('run', 'y(i) = x(i)', INTERP, '-t', 'x:i64', '-t', 'y:i64', '-i', 'x:b.tns'),
                         '1 9007199254740993\n')

    def test_fill(self):
        self.write('g.mtx', '%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 5\n2 3 1\n1 3 9\n')
        self.write('d.tns', '1 0\n2 5\n3 9\n')
        text = self.good('run', 'y(j) = min(i, A(i,j) + d(i))', INTERP, '-f', 'A:csc', '--fill', 'A:inf', '--fill',
                         'y:inf', '-i', 'A:g.mtx', '-i', 'd:d.tns')
        self.assertEqual(text, '2 5\n3 6\n')

    def test_operators(self):
        add = ('--op', 'f(x,y) = x + y; commutative, associative, identity=0')
        for method in ('cc', 'interp'):
            text = self.good('run', 'y(i) = f(j, times(A(i,j), x(j)))', '-f', 'A:csr', '-i', 'A:A.mtx', '-i', 'x:x.tns',
                             '--jit=' + method, *add, '--op', 'times(x,y) = x * y; annihilator=0')
            self.assertEqual(text, self.spmv(INTERP))
        text = self.good('run', 's f= f(i, f(j, A(i,j)))', INTERP, *add, '-f', 'A:csr', '-i', 'A:A.mtx')
        self.assertEqual(text, self.good('run', 's = A(i,j)', INTERP, '-f', 'A:csr', '-i', 'A:A.mtx'))
        told = self.bad(1, 'g is not commutative: g(1,2) = -1 and g(2,1) = 1', 'run', 'y(i) = g(A(i,j), x(j))', INTERP,
                        '-i', 'A:A.mtx', '-i', 'x:x.tns', '--op', 'g(x,y) = x - y; commutative')
        self.assertIn('note: on f64', told)

    def test_compound(self):
        self.write('y.tns', '2 100\n')
        arguments = ('run', 'y(i) += A(i,j) * x(j)', INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns')
        self.assertEqual(self.good(*arguments, '-i', 'y:y.tns'), '1 14\n2 100\n3 15\n')
        self.assertEqual(self.good(*arguments), '1 14\n3 15\n')

    def test_result_as_operand(self):
        self.write('y.tns', '1 5\n2 100\n')
        arguments = (INTERP, '-f', 'A:csr', '-i', 'A:A.mtx', '-i', 'y:y.tns')
        self.assertEqual(self.good('run', 'y(i) = 2 * y(i) - A(i,0)', *arguments), '1 9\n2 200\n')
        self.assertEqual(self.good('run', 'y(i) -= A(i,j)', *arguments), '1 2\n2 100\n3 -3\n')

    def test_numbers_as_indices(self):
        arguments = (INTERP, '-f', 'y:dense', '-i', 'A:A.mtx')
        for form in ('csr', 'csc', 'coo', 'dense', 'dia', 'bcsr(2,2)'):
            self.assertEqual(self.good('run', 'y(j) = A(0,j)', *arguments, '-f', 'A:' + form), '1 1\n3 2\n')
            self.bad(1, 'the index 3 is beyond the size 3 of mode 2 of A', 'run', 'y(i) = A(i,3)', *arguments,
                     '-f', 'A:' + form)
            diagonal = self.good('run', 'A(i,i) = B(i,j)', INTERP, '-f', 'A:' + form, '-i', 'B:A.mtx')
            self.assertEqual({at: value for at, value in entries(diagonal).items() if value}, {(1, 1): 3, (3, 3): 3})

    def test_sparse_results(self):
        for form in ('csr', 'csc', 'dcsr', 'coo', 'dense'):
            text = self.good('run', 'B(i,j) = 2 * A(i,j)', INTERP, '-f', 'A:' + form, '-f', 'B:' + form, '-i', 'A:A.mtx')
            self.assertEqual(entries(text), {(1, 1): 2, (1, 3): 4, (3, 2): 6})

    def test_threads_and_widths(self):
        self.assertEqual(self.spmv(INTERP, '--threads=2', '--index=64'), '1 14\n3 15\n')

    def test_schedule(self):
        self.assertEqual(self.good('run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns', '-s', 'reorder(j,i)'),
                         '1 14\n3 15\n')


class Kept(Case):
    """keep(e, c), which stores nothing where c does not hold, and stored(A), which counts."""

    def setUp(self):
        super().setUp()
        self.write('A.tns', '1 1 4\n1 2 -5\n2 2 0\n3 1 1\n3 3 7\n')

    def test_every_format(self):
        for form in ('csr', 'csc', 'coo', 'dcsr', 'hash', 'bcsr(2,2)', 'dia', 'ell', 'dd', 'csf'):
            for threads in ('1', '2'):
                self.good('run', 'C(i,j) = keep(A(i,j), A(i,j) > 0)', '-f', 'A:csr', '-f', f'C:{form}', '-i', 'A:A.tns',
                          '-o', 'C:C.tns', '--drop-zeros', f'--threads={threads}')
                self.assertEqual(sorted(self.read('C.tns').splitlines()), ['1 1 4', '3 1 1', '3 3 7'], form)

    def test_fills_and_types(self):
        said = self.good('run', 'y(i) = keep(A(i,0), A(i,0) != 0)', '-i', 'A:A.tns', '-f', 'A:csr', '--fill', 'y:9',
                         '-f', 'y:d', '-t', 'y:i32', '-o', 'y:-')
        self.assertEqual(said, '1 4\n3 1\n')
        self.assertEqual(self.good('run', 's = keep(A(0,0), A(0,1) > 0)', '-i', 'A:A.tns', '-f', 'A:csr'), '0\n')

    def test_one_pattern(self):
        """What is promised is checked, in files too, and changes no result."""
        self.write('X.tns', EXAMPLE)
        self.write('W.tns', EXAMPLE.replace('8', '9'))
        self.write('V.tns', EXAMPLE.replace('3 3 3 6', '3 2 3 6'))
        self.write('s.spcc', 'tensor X, W, Z: coo\nsame X, W\nZ(i,j,k) = X(i,j,k) / W(i,j,k)\nn = X(i,j,k)\n')
        product = 'Z(i,j,k) = X(i,j,k) * W(i,j,k)'
        for form in ('coo', 'csf', 'hicoo(2)', 'fibers(1)', 'bcsf(2)', 'coo(unordered)'):
            forms = [f'-f{t}:{form}' for t in 'XWZ']
            expected = self.good('run', product, *forms, '-iX:X.tns', '-iW:W.tns', INTERP)
            self.assertEqual(expected, self.good('run', product, *forms, '-iX:X.tns', '-iW:W.tns', INTERP, '--same=X,W'))
            self.bad(1, 'X and W are promised to have one pattern, and differ: ', 'run', product, *forms, '-iX:X.tns',
                     '-iW:V.tns', INTERP, '--same=X,W')
            code = self.good('emit', product, *forms, '--same', 'X, W', '--kernel=compute', '--serial')
            self.assertIn('promised, and not checked: one pattern: X, W', code)
            self.assertRegex(code, r'for \(.*\)\n +Z_vals\[(\w+)\] = \w_vals\[\1\] \* \w_vals\[\1\];\n    return 0;')
        self.good('run', 's.spcc', '-iX:X.tns', '-iW:W.tns', INTERP)
        self.bad(1, 'promised to have one pattern', 'run', 's.spcc', '-iX:X.tns', '-iW:V.tns', INTERP)
        self.write('wrong.spcc', 'same X, Q\n' + self.read('s.spcc'))
        self.bad(1, 'Q is a tensor of no statement', 'run', 'wrong.spcc', '-iX:X.tns', '-iW:W.tns')
        self.bad(1, 'no tensor in the expression is called Q', 'emit', product, '-fX:coo', '--same=X,Q')
        self.bad(1, 'W cannot have the pattern of X', 'emit', product, '-fX:coo', '-fW:csf', '--same=X,W')
        self.bad(2, 'expected names of tensors', 'emit', product, '--same=X')

    def test_the_result_itself(self):
        self.good('run', 'A(i,j) = keep(A(i,j), A(i,j) > 1)', '-f', 'A:csr', '-i', 'A:A.tns', '-o', 'A:B.tns')
        self.assertEqual(self.read('B.tns'), '1 1 4\n3 3 7\n')

    def test_counts(self):
        for form, n in (('csr', 5), ('csc', 5), ('dd', 9)):
            said = self.good('run', 'n = stored(A)', '-f', f'A:{form}', '-i', 'A:A.tns', '-t', 'n:i64')
            self.assertEqual(said, f'{n}\n', form)
        said = self.good('run', 'y(i) = A(i,j) + stored(A)', '-f', 'A:coo', '-i', 'A:A.tns', '-o', 'y:-')
        self.assertEqual(said, '1 4\n2 5\n3 13\n')

    def test_wrong(self):
        for said, statement in (('all of a right-hand side', 'y(i) = 1 + keep(x(i), x(i) > 0)'),
                                ('all of a right-hand side', 'y(i) = keep(keep(x(i), x(i) > 0), x(i) > 1)'),
                                ('combines with what it has', 'y(i) += keep(x(i), x(i) > 0)'),
                                ('can be read in two ways', 'y(i) = keep(A(i,j), A(i,j) > 0)'),
                                ('keep takes 2 arguments, not 1', 'y(i) = keep(x(i))'),
                                ('nothing says how many modes A has', 'n = stored(A)'),
                                ('s is a number', 'n = stored(s) + s'),
                                ('of a tensor, or of a component', 'n = stored(1)')):
            self.bad(1, said, 'emit', statement)
        self.bad(1, 'keeps its components', 'emit', 'A(1,j) = keep(2 * A(1,j), A(1,j) > 0)', '-f', 'A:csr')
        self.bad(1, 'no pattern to assemble', 'emit', 'y(i) = keep(x(i), x(i) > 0)', '-f', 'y:s', '--kernel=assemble')


class Sizes(Small):
    def test_collapsed_loops(self):
        """What positions go through is not counted through: sizes may be any."""
        self.write('large.tns', '1 1 1 2\n100000 100000 100000 3\n')
        run = ['run', 'a = B(i,j,k)', INTERP, '-i', 'B:large.tns', '-f', 'B:csf', '-s']
        for loops in ('collapse(j,k,jk); collapse(i,jk,f)', 'collapse(i,j,ij); collapse(ij,k,f)'):
            self.assertEqual(self.good(*run, f'{loops}; pos(f,p,B)'), '5\n', loops)
            self.bad(1, 'collapsed loops have more iterations than coordinates can count', *run, loops, '--no-plan')

    def test_rows_of_few_threads(self):
        """Threads that share a loop which cuts rows have iterations that follow each other, several each."""
        loops = ('collapse(i,j,ij); collapse(ij,k,f); pos(f,p,A); split(p,p0,p1,up,3); '
                 'parallelize(p0, gpu_warp, temporary); parallelize(p1, gpu_thread, temporary, 4)')
        run = ['run', 'y(i) = A(i,j,k)', INTERP, '-f', 'A:dds', '-i', 'A:@sparse(0.5,3)', '-t', 'A:i64', '-t', 'y:i64',
               '-d', 'i:3', '-d', 'j:2', '-d', 'k:30']
        self.assertEqual(self.good(*run, '--target=cuda', '-s', loops), self.good(*run))

    def test_of_a_tns_file(self):
        self.write('a.tns', '1 1\n')
        self.write('b.tns', '3 1\n')
        both = ('run', 'y(i) = a(i) + b(i) + 1', INTERP, '-i', 'a:a.tns', '-i', 'b:b.tns')
        self.assertEqual(self.good(*both), '1 2\n2 1\n3 2\n')
        self.assertEqual(self.good(*both, '-d', 'i:4'), '1 2\n2 1\n3 2\n4 1\n')
        self.bad(1, 'error[', 'run', 's = a', INTERP, '-i', 'a:a.tns')
        self.bad(1, 'error[', 'run', 'y(i,j) = a(i,j)', INTERP, '-i', 'a:a.tns')
        self.bad(1, 'b.tns:1:1: the coordinate 3 is beyond the size 2', *both, '-d', 'i:2')

    def test_of_files_that_disagree(self):
        self.write('x.mtx', '%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n')
        said = self.bad(1, 'error[', 'run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:x.mtx')
        self.assertRegex(said, r'\b3\b.*\b4\b|\b4\b.*\b3\b')
        self.bad(1, 'A.mtx:3:1: the file has 3 rows', 'run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:@ones', '-d', 'i:7')
        self.write('x.tns', '4 1\n')
        self.bad(1, 'x.tns:1:1', 'run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns')

    def test_that_a_second_access_says(self):
        self.assertEqual(self.good('run', 'B(i,j) = x(i) * x(j)', INTERP, '-f', 'B:csr', '-i', 'x:' +
                                   self.write('two.tns', '1 2\n2 3\n')), '1 1 4\n1 2 6\n2 1 6\n2 2 9\n')
        self.bad(1, 'of x but differ in size', 'run', 'B(i,j) = x(i) * x(j)', INTERP, '-i', 'x:@ones',
                 '-d', 'i:3', '-d', 'j:2')

    def test_from_mode_to_mode(self):
        self.write('A.tns', '1 3 2\n2 1 5\n')
        chain = ('run', 'y(a) = A(a,b) * A(b,c) * x(c)', INTERP, '-i', 'A:A.tns', '-i', 'x:@ones')
        self.assertEqual(self.good(*chain), '2 10\n')
        self.assertEqual(self.good(*chain, '-d', 'A:4,4'), '2 10\n')
        self.assertEqual(self.good('run', 'y(c) = A(0,b) * A(b,c) + x(c)', INTERP, '-i', 'A:@ones', '-i', 'x:@ones',
                                   '-d', 'A:2,2'), '1 3\n2 3\n')
        self.write('chain.spcc', 'B(i,j) = A(i,k) * A(k,j)\ny(p) = B(p,q) * x(q)\n')
        self.assertEqual(self.good('run', 'chain.spcc', INTERP, '-i', 'A:A.tns', '-i', 'x:@ones'), '2 10\n')
        self.write('wide.mtx', '%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 5\n')
        self.bad(1, 'b has the size 3 by mode 2 of A and the size 2 by mode 1 of A', *chain[:4], 'A:wide.mtx', *chain[5:])

    def test_that_nothing_says(self):
        self.bad(1, 'say it with -d i:N', 'run', 'y(i) = x(i)', '-i', 'x:@ones')
        self.bad(1, 'as in -d i:100', 'run', 'y(i) = 3', INTERP)
        self.assertEqual(self.good('run', 'y(i) = 3', INTERP, '-d', 'i:2'), '1 3\n2 3\n')
        self.write('empty.tns', '# nothing\n')
        self.bad(1, '-d', 'run', 'y(i) = x(i)', INTERP, '-i', 'x:empty.tns')
        self.assertEqual(self.good('run', 'y(i) = x(i) + 1', INTERP, '-i', 'x:empty.tns', '-d', 'i:2'), '1 1\n2 1\n')
        self.assertEqual(self.good('run', 'y(i) = x(i) + 1', INTERP, '-i', 'x:@ones', '-d', 'i:0'), '')

    def test_of_modes_without_a_variable(self):
        self.bad(1, "of a tensor's modes as in -d A:100,200", 'run', 'y(2) = s', INTERP, '-i', 's:2.5')
        self.assertEqual(self.good('run', 'y(2) = s', INTERP, '-i', 's:2.5', '-d', 'y:4'), '3 2.5\n')
        self.assertEqual(self.good('run', 'y(1,i) = x(i)', INTERP, '-i', 'x:@ones', '-d', 'y:2,1'), '2 1 1\n')
        self.assertIn('y_vals[2]', self.good('emit', 'y(2) = s', '-d', 'y:4'))

    def test_beyond_memory(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
        sanitized = os.environ.get('SPCC_SANITIZED') # which take more addresses than that
        self.bad(3, 'x is dense, and its 1000000000000 components of f64 take 7.3 TiB, more than the', 'run',
                 'y(i) = x(i)', INTERP, '-i', 'x:@ones', '-d', 'i:1000000000000', '--index=64',
                 preexec_fn=None if sanitized else limit)
        self.bad(1, 'error[E', 'run', 'y(i,j) = x(i) * x(j)', INTERP, '-f', 'y:csr', '-i', 'x:@ones', '-d',
                 'i:9223372036854775807')


class Formats(Small):
    """Results that nothing is said of."""

    def stored(self, *arguments):
        done = self.run_here('run', *arguments, INTERP)
        self.assertEqual(done.returncode, 0, done.stderr)
        return re.findall(r'(?m)^note: (\w+) is stored as (\S+), since', done.stderr)

    def test_sparse_where_an_operand_is(self):
        product = 'C(i,j) = A(i,k) * A(j,k)'
        self.assertEqual(self.stored(product, '-f', 'A:csr', '-i', 'A:A.mtx'), [('C', 'csr')])
        self.assertEqual(self.stored(product, '-f', 'A:csr', '-f', 'C:dense', '-i', 'A:A.mtx'), [])
        self.assertEqual(self.stored(product, '-f', 'A:dense', '-i', 'A:A.mtx'), [])
        self.assertEqual(self.stored(SPMV, '-f', 'A:csr', '-f', 'x:dense', '-i', 'A:A.mtx', '-i', 'x:x.tns'), [])
        self.assertEqual(self.stored('C(i,j) = A(i,j) * d(j)', '-f', 'A:csr', '-i', 'A:@sparse(0.00001,1)', '-i', 'd:@ones',
                                     '-d', 'i:100000', '-d', 'j:100000', '-o', 'C:c.mtx'), [('C', 'csr')])
        self.assertEqual(self.stored('C(i,j) = A(j,i)', '-f', 'A:csr', '-i', 'A:A.mtx'), [('C', 'csc')])
        sparse = self.run_here('run', product, INTERP, '-f', 'A:csr', '-i', 'A:A.mtx').stdout
        self.assertEqual(sparse, self.good('run', product, INTERP, '-f', 'A:csr', '-f', 'C:dense', '-i', 'A:A.mtx'))

    def test_partly_dense(self):
        sizes = [word for variable in 'ijkr' for word in ('-d', f'{variable}:5')]
        for product, form in (('a(i) * d(r)', 'C(i,r)'), ('T(i,j,k) * d(r)', 'C(r,k,i)'), ('T(i,j,k) * D(k,r)', 'C(r,j,i)'),
                              ('A(i,j) * d(j)', 'C(i,j)'), ('D(i,k) * D(k,j) * A(i,j)', 'C(i,j)')):
            with self.subTest(product=product):
                used = [variable for variable in 'adADT' if variable + '(' in product]
                given = [word for name in used for word in ('-i', f'{name}:@sparse(0.2,{ord(name)})')]
                formats = ['-f', 'a:sparse', '-f', 'A:csc', '-f', 'T:csf']
                formats = [word for at, word in enumerate(formats) if formats[at | 1][0] in used]
                run = ('run', f'{form} = {product}', INTERP, *formats, *given,
                       *[word for at, word in enumerate(sizes) if sizes[at | 1][0] in form + product])
                stored = dict(self.stored(*(word for word in run[1:] if word != INTERP)))
                self.assertNotIn('dense', stored.get('C', 'dense'))
                # a factor may be applied to each term or to the sum
                sparse, dense = (sorted(line.rsplit(' ', 1) for line in self.good(*run, *more).splitlines())
                                 for more in (['--drop-zeros'], ['-f', 'C:dense']))
                self.assertEqual([line[:-1] for line in sparse], [line[:-1] for line in dense])
                for one, other in zip(sparse, dense):
                    self.assertAlmostEqual(float(one[-1]), float(other[-1]))

    def test_of_files(self):
        array = '%%MatrixMarket matrix array real general\n3 3\n' + '1\n' * 9
        self.write('full.mtx', array)
        self.write('T.tns', '1 2 3 4\n3 3 3 5\n')
        for name, order, form in (('A.mtx', 2, 'csr'), ('x.tns', 1, 'sparse'), ('T.tns', 3, 'csf'), ('full.mtx', 2, None)):
            with self.subTest(name=name):
                read = self.run_here('run', 's = A(' + 'i,j,k'[:2 * order - 1] + ')', INTERP, '-i', f'A:{name}')
                self.assertEqual(read.stderr.count('note:'), form is not None)
                if form:
                    self.assertIn(f'A is stored as {form}, since it is read from a list of coordinates; -f A:dense',
                                  read.stderr)
        with open(self.path('full.mtx'), encoding='utf-8') as file:
            self.assertEqual(self.good('run', 's = A(i,j)', INTERP, '-i', 'A:-', stdin=file), '9\n')
        # through a pipe it is not looked at ahead, and right as well
        self.assertEqual(self.good('run', 's = A(i,j)', INTERP, '-i', 'A:-', input=array), '9\n')
        self.assertNotIn('note', self.bad(1, 'error[E601]', 'run', 's = A(i,j)', INTERP, '-i', 'A:missing.mtx'))

    def test_of_files_that_are_results(self):
        self.assertEqual(self.stored('A(i,j) += B(i,j)', '-i', 'A:A.mtx', '-i', 'B:A.mtx'), [('A', 'csr'), ('B', 'csr')])
        self.assertEqual(self.stored('x(i) += A(i,j)', '-i', 'A:A.mtx', '-i', 'x:x.tns'), [('A', 'csr')])
        self.assertEqual(self.good('run', 'A(i,i) += 1', INTERP, '-i', 'A:A.mtx'),
                         self.good('run', 'A(i,i) += 1', INTERP, '-f', 'A:dense', '-i', 'A:A.mtx'))

    def test_in_files(self):
        self.write('c.spcc', 'tensor A: csr\nB(i,j) = 2 * A(i,j)\nC(i,j) = B(i,j) + A(i,j)\nd(i) = C(i,j)\n'
                   'E(i,j) = A(i,j)\nE(i,j) += 1 * B(i,j)\nF(i,j) = A(i,j) + E(i,j)\n')
        self.assertEqual(self.stored('c.spcc', '-i', 'A:A.mtx'), [('B', 'csr'), ('C', 'csr')])

    def test_a_dense_one_that_does_not_fit(self):
        square = ('run', 'C(i,j) = x(i) * x(j)', INTERP, '-i', 'x:@ones', '-d', 'i:300000')
        told = self.bad(3, 'C is dense, and its 300000 x 300000 components of f64 take 670.6 GiB, more than the', *square,
                        '--max-memory=1G')
        self.assertIn('give C a sparse format, as in -f C:csr; or --max-memory=SIZE', told)
        told = self.bad(1, 'C is dense, and its 300000 x 300000 components of f64 are more than its indices count', *square,
                        '--max-memory=1T')
        self.assertIn('give C a sparse format, as in -f C:csr; or use 64 bits everywhere: --index=64', told)

    def test_a_dense_operand_that_does_not_fit(self):
        self.write('wide.tns', '300000 300000 1\n')
        for operand in ('@ones', 'wide.tns', '@random(1)'):
            told = self.bad(3, 'A is dense, and its 300000 x 300000 components of f64 take 670.6 GiB, more than the', 'run',
                            'y(i) = A(i,j)', INTERP, '-f', 'A:dense', '-i', f'A:{operand}', '-d', 'i:300000', '-d',
                            'j:300000', '--max-memory=1G')
            self.assertIn('give A a sparse format, as in -f A:csr; or --max-memory=SIZE', told)


class Inputs(Case):
    """Values and constants in the place of files, and what standard input may be."""

    def test_scalars(self):
        run = ('run', 'y(i) = alpha * x(i)', INTERP, '-i', 'x:@ones', '-d', 'i:1')
        for value, said in (('2.5', '1 2.5'), ('-inf', '1 -inf'), ('1e-3', '1 0.001')):
            self.assertEqual(self.good(*run, '-i', f'alpha:{value}'), said + '\n')
        complexes = ('-t', 'alpha:c128', '-t', 'x:c128', '-t', 'y:c128')
        self.assertEqual(self.good(*run, '-i', 'alpha:(1,-2)', *complexes), '1 1 -2\n')
        self.assertEqual(self.good('run', 'b = a', INTERP, '-i', 'a:true', '-t', 'a:bool', '-t', 'b:bool'), '1\n')
        self.write('2.5', '7\n')
        self.assertIn('./2.5', self.bad(2, 'it is not a value of type i32', *run, '-i', 'alpha:2.5', '-t', 'alpha:i32'))
        self.bad(1, './2.5: the name does not give', *run, '-i', 'alpha:./2.5')
        self.assertEqual(self.good('run', 'b = a', INTERP, '-i', 'a:3', '--fill', 'a:1', '--fill', 'b:1'), '3\n')

    def test_constant(self):
        self.assertEqual(self.good('run', 'y(i) = x(i)', INTERP, '-i', 'x:@constant(2.5)', '-d', 'i:2'), '1 2.5\n2 2.5\n')
        self.bad(2, 'not a value of type i8', 'run', 'y(i) = x(i)', '-i', 'x:@constant(2.5)', '-d', 'i:2', '-t', 'x:i8',
                 INTERP)

    def test_standard_input(self):
        run = ('run', 'y(i) = A(i,j) * x(j)', '-f', 'A:csr', '-i', 'A:-', '-i', 'x:x.tns', INTERP)
        matrix = '%%MatrixMarket matrix coordinate real general\n2 9 2\n1 2 5\n2 1 7\n'
        self.write('x.tns', '1 1\n2 10\n')
        self.assertEqual(self.good(*run, input=matrix), '1 50\n2 7\n')
        self.assertEqual(self.good(*run, input='1 2 5\n2 1 7\n'), '1 50\n2 7\n')
        self.write('x.tns', '10 1\n')
        self.bad(1, 'x.tns:1:1: the coordinate 10 is beyond the size 9', *run, input=matrix)
        self.write('B.mtx', matrix)
        both = ('run', 'C(i,j) = A(i,j) + B(i,j)', '-i', 'A:-', '-i', 'B:B.mtx', INTERP)
        self.bad(1, 'the file has 8 columns, but mode 2 of A has the size 9', *both, input=matrix.replace('2 9', '2 8'))

    def test_base(self):
        self.write('x.tns', '0 5\n2 7\n')
        run = ('run', 'y(i) = x(i)', '-f', 'x:sparse', '-f', 'y:sparse', '-i', 'x:x.tns', INTERP)
        self.assertEqual(self.good(*run, '--base=0'), '0 5\n2 7\n')
        self.bad(1, '--base=0', *run)

    def test_integers_and_symmetry(self):
        self.write('A.tns', '1 2 3\n2 1 3\n')
        self.good('run', 'B(i,j) = A(i,j)', '-t', 'A:i32', '-t', 'B:i32', '-i', 'A:A.tns', '-o', 'B:B.mtx', '--symmetric',
                  '-f', 'B:csr', '-f', 'A:csr', INTERP)
        self.assertEqual(self.read('B.mtx'), '%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 3\n')


class Memory(Case):
    """What takes more memory than may be used is refused, and said to be what it is."""

    def setUp(self):
        super().setUp()
        self.write('A.mtx', '%%MatrixMarket matrix coordinate real general\n2147483647 2 1\n1 1 5\n')
        self.run_it = ('run', 'y(i) = A(i,j) * x(j)', '-f', 'y:sparse', '-i', 'A:A.mtx', '-i', 'x:@ones', INTERP,
                       '--max-memory=1G')

    def test_mostly_empty(self):
        said = self.bad(3, 'A: level 2 (compressed): its arrays take 8.0 GiB', *self.run_it, '-f', 'A:csr')
        self.assertIn('dcsr, coo', said)
        self.assertIn('--max-memory=SIZE', said)
        for form in ('dcsr', 'coo'):
            self.assertEqual(self.good(*self.run_it, '-f', f'A:{form}'), '1 5\n')

    def test_values(self):
        said = self.bad(3, 'y is dense, and its 1000000000 components of f64 take 7.5 GiB, more than the', 'run',
                        'y(i) = x(i)', '-f', 'x:sparse', '-f', 'y:dense', '-i', 'x:@sparse(0,1)', '-d', 'i:1000000000',
                        INTERP, '--max-memory=1G')
        self.assertIn('-f y:sparse; or --max-memory=SIZE allows for more', said)
        self.bad(3, 'may be used', 'run', 'y(i) = x(i)', '-i', 'x:@ones', '-d', 'i:1000000000', INTERP, '--max-memory=1G')

    def test_results_of_kernels(self):
        self.bad(3, 'level 2 (compressed): its arrays take 8.0 GiB', 'convert', 'A.mtx', 'B.tns', '-f', 'csr', INTERP,
                 '--max-memory=1G')
        self.good('convert', 'A.mtx', 'B.tns', '-f', 'dcsr', INTERP, '--max-memory=1G')

    def test_the_machines(self):
        self.bad(3, 'may be used', 'run', 'y(i) = x(i)', '-i', 'x:@ones', '-d', 'i:1000000000000', INTERP, '--index=64')

    def test_sizes(self):
        for size in ('1', '1k', '3T', '8000000T'):
            self.assertIn('a.tns', self.run_here('info', 'a.tns', '--max-memory', size).stderr)
        for size in ('', '0', '-1', 'M', '1.5G', '1GB', '9000000T', '99999999999999999999999999'):
            self.assertEqual(self.run_here('info', 'a.tns', f'--max-memory={size}').returncode, 2, size)


class Cost(Small):
    def test_as_text(self):
        done = self.run_here('run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns', '--time')
        self.assertEqual((done.returncode, done.stdout), (0, ''))
        for line in ('read', 'pack', 'generate', 'compile', 'load', 'run', '  moves', 'write'):
            self.assertRegex(done.stderr, rf'(?m)^{line} +\d+\.\d+ (ms|MB)')
        self.assertRegex(done.stderr, r'median of \d+')

    def test_as_json(self):
        done = self.run_here('run', SPMV, INTERP, '-f', 'x:dense', '-i', 'A:A.mtx', '-i', 'x:x.tns', '--time=json', '-o',
                             'y:-')
        self.assertEqual((done.returncode, done.stdout), (0, '1 14\n3 15\n'))
        said = json.loads(done.stderr)
        self.assertEqual(said['engine'], 'interp')
        self.assertEqual(said['bytes'], 4 * 4 + 3 * 4 + 3 * 8 + 3 * 8 + 3 * 8)
        self.assertGreaterEqual(said['runs'], 3)
        for key in ('read_ms', 'pack_ms', 'generate_ms', 'compile_ms', 'load_ms', 'run_ms', 'write_ms', 'gb_per_s'):
            self.assertGreaterEqual(said[key], 0)
        self.assertGreater(said['peak_bytes'], 1 << 20)

    def test_compound_runs_once(self):
        done = self.run_here('run', 'y(i) += A(i,j) * x(j)', INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns', '--time=json',
                             '-o', 'y:-')
        self.assertEqual((done.stdout, json.loads(done.stderr)['runs']), ('1 14\n3 15\n', 1))

    @unittest.skipUnless(os.environ.get('SPCC_HAS_CC'), 'no C compiler')
    def test_where_the_code_came_from(self):
        arguments = ('run', SPMV, '--jit=cc', '-i', 'A:A.mtx', '-i', 'x:x.tns', '--time=json')
        said = [json.loads(self.run_here(*arguments).stderr) for _ in range(2)]
        self.assertEqual([one['origin'] for one in said], ['compiled', 'disk'])
        self.assertEqual([one['engine'] for one in said], ['cc', 'cc'])

    def test_plan_for_what_was_read(self):
        """An array of all columns would take 16 GB, and as much in flags."""
        self.write('wide.tns', '1 1 1\n3000000000 2000000000 2\n')
        self.write('long.tns', '1 1\n3000000000 2\n')
        run = ('run', 'y(j) = a(i,j) * b(i)', INTERP, '--index=64', '-f', 'a:coo', '-f', 'b:s', '-f', 'y:coo')
        self.assertEqual(self.good(*run, '-i', 'a:wide.tns', '-i', 'b:long.tns'), '1 1\n2000000000 4\n')

    def test_plan_is_refused_before_anything_is_read(self):
        self.bad(1, 'error[E', 'run', SPMV, INTERP, '-s', 'split(j,j0,j1,down,x)', '-i', 'A:missing.mtx', '-i', 'x:x.tns')


class Real(Case):
    def test_matrix_times_vector(self):
        expected = {}
        listed, size = rows_of_matrix()
        for row, column, value in listed:
            expected[row + 1,] = expected.get((row + 1,), 0) + value * column
        for form in ('csr', 'dcsr', 'coo', 'csc', 'dense'):
            text = self.good('run', SPMV, '-f', 'A:' + form, '-i', 'A:' + MATRIX, '-i', 'x:@index')
            got = entries(text)
            for row in range(1, size + 1):
                value, true = got.get((row,), 0.0), expected.get((row,), 0.0)
                self.assertLess(abs(value - true), 1e-9 * max(1, abs(true)), (form, row))

    def test_plain(self):
        """With and without vectors the same numbers come out; only the order of the sums differs."""
        arguments = ('run', SPMV, '-f', 'A:csr', '-i', 'A:' + MATRIX, '-i', 'x:@index')
        plain = entries(self.good(*arguments, '--plain'))
        for place, value in entries(self.good(*arguments)).items():
            self.assertAlmostEqual(plain.pop(place), value, delta=1e-9 * max(1, abs(value)))
        self.assertEqual(plain, {})
        self.assertNotIn('f64x', self.good('explain', '--emit=imperative', SPMV, '-f', 'A:csr', '--plain'))
        self.assertIn('f64x', self.good('explain', '--emit=imperative', SPMV, '-f', 'A:csr'))

    def test_plans_from_files_and_from_sizes(self):
        """The tensors at hand and their sizes in options lead to the same plan."""
        rows, size = rows_of_matrix()
        for statement, formats in PLANNED:
            with self.subTest(statement):
                sizes = [f'-d{var}:{size}' for var in sorted(set(re.findall(r'\b[a-z]\b(?=[,)])', statement)))]
                both = ['explain', statement, '--serial', *(f'-f{tensor}' for tensor in formats.split())]
                told = self.good(*both, *sizes, '--nnz', f'A:{len(rows)}')
                found = self.good(*both, '-i', 'A:' + MATRIX)
                plans = [re.findall(r'(?m)^plan: .*(?:\n  .*)*', text) for text in (told, found)]
                self.assertEqual(len(plans[0]), 1)
                self.assertEqual(*plans)

    def test_tensor_times_vector(self):
        with gzip.open(FACTS, 'rt') as file:
            listed = [tuple(map(int, line.split())) for line in file if not line.startswith('#')]
        expected = {}
        for i, j, k, value in listed:
            expected[i, j] = expected.get((i, j), 0) + value * (k - 1)
        expected = {key: value for key, value in expected.items() if value}
        for form, result in (('csf', 'csr'), ('csf', 'dense'), ('coo', 'dense')):
            text = self.good('run', 'B(i,j) = T(i,j,k) * x(k)', '-f', 'T:' + form, '-f', 'B:' + result, '-t', 'T:i64', '-t',
                             'x:i64', '-t', 'B:i64', '-i', 'T:' + FACTS, '-i', 'x:-',
                             input='\n'.join(f'{k + 1} {k}' for k in range(2215)) + '\n')
            self.assertEqual(entries(text), expected)


class Wrong(Small):
    def test_names(self):
        given = ('run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns')
        self.bad(2, 'B is not in the statement', *given, '-i', 'B:b.mtx')
        self.bad(2, 'x is an operand, the result is y', *given, '-o', 'x:x2.tns')
        self.bad(2, 'x has no input', *given[:5])
        self.bad(2, 'does not read it', *given, '-i', 'y:@ones')
        self.bad(1, 'called B', *given, '-f', 'B:csr')
        self.bad(1, 'type of A', *given, '-t', 'A:f63')
        self.bad(2, 'expected T:FILE', *given, '-o', 'y:')
        self.bad(2, 'standard input', 'run', SPMV, '-i', 'A:-', '-i', 'x:-')
        self.bad(2, 'run needs a statement', 'run')

    def test_statements_before_files(self):
        self.bad(1, 'error[E101]', 'run', 'y(i) = A(i,j', '-i', 'A:nowhere.mtx')
        self.bad(1, 'format of A', 'run', SPMV, '-f', 'A:csx', '-i', 'A:nowhere.mtx', '-i', 'x:@ones')

    def test_files(self):
        def read(name, said, text=None):
            if text is not None:
                self.write(name, text)
            self.bad(1, said, 'run', SPMV, INTERP, '-f', 'A:csr', '-i', 'A:' + name, '-i', 'x:@ones', '-o', 'y:y.tns')
            self.assertNotIn('y.tns', os.listdir(self.folder))
        head = '%%MatrixMarket matrix coordinate real general\n'
        read('nowhere.mtx', 'nowhere.mtx: cannot be opened: No such file')
        read('.', 'cannot be read: Is a directory')
        read('a.mtx', 'a.mtx:1:1', 'no header\n')
        read('a.mtx', 'a.mtx:3:1', head + '2 2 1\n3 1 1\n')
        read('a.mtx', 'a.mtx:4:1: the file ends after 1 of 2', head + '2 2 2\n1 1 1\n')
        read('a.mtx', 'a.mtx:4:1', head + '2 2 1\n1 1 1\n2 2 1\n')
        read('a.mtx', 'a.mtx:3:3', head + '2 2 1\n1 1.5 1\n')
        read('a.tns', 'a.tns:1', '1 1 1 1\n')
        with open(self.path('cut.mtx.gz'), 'wb') as file, open(MATRIX, 'rb') as whole:
            file.write(whole.read(5000))
        read('cut.mtx.gz', 'cut.mtx.gz')
        os.chmod(self.path('a.mtx'), 0)
        if os.getuid() != 0:
            read('a.mtx', 'Permission denied')

    def test_recipes(self):
        for recipe in ('@one', '@random()', '@random(x)', '@sparse(2,1)', '@'):
            self.bad(2, 'is no recipe', 'run', 'y(i) = x(i)', INTERP, '-i', 'x:' + recipe, '-d', 'i:3')

    def test_outputs(self):
        given = ('run', SPMV, INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns')
        self.bad(1, 'nowhere/y.tns: cannot be written: No such file', *given, '-o', 'y:nowhere/y.tns')
        self.bad(1, 'does not give the file format', *given, '-o', 'y:y.dat')
        self.write('t.tns', '1 1 1 1\n')
        self.bad(1, 'error[E', 'run', 'y(i,j,k) = t(i,j,k)', INTERP, '-i', 't:t.tns', '-o', 'y:y.mtx')
        if os.path.exists('/dev/full'):
            with open('/dev/full', 'w') as full:
                self.bad(3, 'No space left', *given, stdout=full)
        self.assertEqual(sorted(set(os.listdir(self.folder)) - {'cache'}), ['A.mtx', 't.tns', 'x.tns'])

    def test_zeros_that_results_store(self):
        self.write('e.tns', '1 3 5\n2 2 0\n2 3 1\n')
        given = ('run', 'B(i,j) = 2 * E(i,j)', INTERP, '-f', 'E:csr', '-f', 'B:csr', '-i', 'E:e.tns')
        self.assertEqual(self.good(*given), '1 3 10\n2 2 0\n2 3 2\n')
        self.assertEqual(self.good(*given, '--drop-zeros'), '1 3 10\n2 3 2\n')
        self.good('run', 'B(i,j) = 2 * E(i,j)', INTERP, '-f', 'B:dense', '-i', 'E:e.tns', '-o', 'B:b.mtx')
        self.assertEqual(self.read('b.mtx'), '%%MatrixMarket matrix array real general\n2 3\n0\n0\n0\n0\n10\n2\n')
        self.assertEqual(self.good('run', 'B(i,j) = E(i,j)', INTERP, '-i', 'E:b.mtx'), '1 3 10\n2 3 2\n')

    def test_scalars_in_files(self):
        self.write('e.tns', '')
        self.assertEqual(self.good('run', 's = t', INTERP, '-i', 't:e.tns'), '0\n')
        self.assertEqual(self.good('run', 's = t', INTERP, '-i', 't:e.tns', '--fill', 't:3'), '3\n')
        self.write('c.tns', '2.0 1.0\n')
        complex_ones = ('-t', 's:c128', '-t', 't:c128')
        for name in ('s.tns', 's.mtx', 's.mtx.gz'):
            self.good('run', 's = t', INTERP, '-i', 't:c.tns', '-o', 's:' + name, *complex_ones)
            self.assertEqual(self.good('run', 's = t', INTERP, '-i', 't:' + name, *complex_ones), '2 1\n')
        self.bad(1, 'so 1 is expected', 'run', 's = t', INTERP, '-i', 't:c.tns')
        self.bad(1, 't has the order 0', 'run', 's = t', INTERP, '-i', 't:A.mtx')

    @unittest.skipUnless(os.environ.get('SPCC_HAS_CC'), 'no C compiler')
    def test_scalars_do_not_depend_on_threads(self):
        tensors = ['-f', 'A:csr', '-i', 'A:@sparse(0.02,65)', '--jit=cc']
        sizes = ['-d', 'i:1500', '-d', 'j:1500']
        for statement, more in (('s = A(i,j) * A(j,k) * A(i,k)', ['-d', 'k:1500']),
                                ('s = A(i,j) * x(j)', ['-i', 'x:@random(5)'])):
            said = {self.good('run', statement, *tensors, *sizes, *more, f'--threads={n}') for n in (1, 2, 3, 7)}
            self.assertEqual(len(said), 1, statement)

    def test_values_that_do_not_fit(self):
        self.bad(1, 'A.mtx', 'run', 'y(i) = A(i,j)', INTERP, '-t', 'A:u8', '-t', 'y:u8', '-i',
                 'A:' + self.write('A.mtx', SMALL.replace('3e0', '300')))


class InfoOfMachine(Small):
    """spcc info without a file: the cache, the engines and the target."""

    def told(self):
        said = json.loads(self.good('info', '--json'))
        self.assertEqual(set(said), {'version', 'cache', 'engines', 'target'})
        return said

    def test_engines(self):
        engines = self.told()['engines']
        self.assertEqual(list(engines), ['pack', 'clang', 'cc', 'interp'])
        self.assertEqual(engines['interp'], {'is': "spcc's interpreter", 'trouble': None})
        text = self.good('info')
        self.assertRegex(text, r'\Aversion   \d+\.\d+\.\d+\ncache     .*/cache/spcc\n          0 kernels, 0\.0 MB of')
        self.assertIn("\ninterp    spcc's interpreter\n", text)
        text = self.good('info', env={**self.environment, 'SPCC_CC': 'nowhere', 'CC': 'nowhere'})
        self.assertRegex(text, r'(?m)^cc        not there: .*nowhere')

    @unittest.skipUnless(os.environ.get('SPCC_HAS_CC'), 'no C compiler')
    def test_kernels(self):
        for n, statement in enumerate(('y(i) = x(i)', 'y(i) = 2 * x(i)')):
            self.good('run', statement, '--jit=cc', '-i', 'x:x.tns')
            cache = self.told()['cache']
            self.assertEqual((cache['kernels'], cache['trouble']), (n + 1, None))
            self.assertLess(0, cache['bytes'])
            self.assertLess(cache['bytes'], cache['limit'])
        self.assertEqual(len(os.listdir(cache['folder'])), 2)

    def test_cache_that_cannot_be_used(self):
        os.makedirs(self.path('cache/spcc'))
        os.chmod(self.path('cache/spcc'), 0o777)
        cache = self.told()['cache']
        self.assertEqual(set(cache), {'folder', 'trouble'})
        self.assertIn('it must belong to you and be writable by you alone', cache['trouble'])
        self.assertRegex(self.good('info'), r'(?m)^          the kernel cache .* is not used: it must')
        homeless = {name: value for name, value in self.environment.items() if name not in ('HOME', 'XDG_CACHE_HOME')}
        self.assertIn('\ncache     none\n', self.good('info', env=homeless))

    @unittest.skipUnless(os.path.exists('/proc/self/task'), 'no /proc')
    def test_cache_that_keeps_nothing(self):
        self.without_room()
        self.assertIn(' keeps nothing new: ', self.told()['cache']['trouble'])
        self.assertRegex(self.good('info'), r'(?m)^ {10}0 kernels.*\n {10}the kernel cache .* keeps nothing new: ')


class Info(Small):
    def test_matrix(self):
        text = self.good('info', MATRIX)
        for line in ('kind      matrix', 'size      966 x 966', 'stored    35338, 3.79% of the components',
                     'values    real'):
            self.assertIn('\n' + line, text)
        self.assertRegex(text, r'(?m)^1 +966 +0 +21 +69 +36\.6 +11\.8$')
        self.assertIn('\nsymmetry  pattern only\nband      325 below and 325 above the diagonal, 599 diagonals\n', text)
        self.assertIn('\nblocks    10825 blocks of 2 x 2, 81.6% full\n', text)

    def test_tensor(self):
        text = self.good('info', FACTS)
        self.assertIn('\nkind      tensor of order 3\nsize      23 x 1484 x 2215\nstored    4465, ', text)

    def test_small_ones(self):
        self.assertIn('\nkind      vector\nsize      3\n', self.good('info', 'x.tns'))
        self.assertIn('\nkind      vector\nsize      3\n', self.good('info', '-', input=X))
        self.assertIn('\nkind      scalar\nsize      1\nstored    1', self.good('info', self.write('a.tns', '3\n')))
        self.write('p.mtx', '%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n')
        self.assertIn('\nvalues    pattern\n', self.good('info', 'p.mtx'))
        self.assertEqual(json.loads(self.good('info', 'p.mtx', '--json'))['values'], 'pattern')
        self.write('u.mtx', '%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 2 4000000000\n')
        self.assertIn('\nvalues    integers, from 4e+09 to 4e+09\n', self.good('info', 'u.mtx'))
        for kind, said in (('f32', 'real, from -0.5 to 300.25'), ('c64', 'complex'), ('i16', 'integers, from -1 to 300'),
                           ('i8', 'integers, from -1 to 100'), ('u32', 'integers, from 1 to 300'), ('bool', 'bool')):
            numbers = {'f32': '-0.5 300.25', 'c64': '-1,1 2,3', 'i16': '-1 300', 'i8': '-1 100'}.get(kind, '1 300')
            self.write('n.tns', ''.join(f'{i} {n}\n'.replace(',', ' ')
                                        for i, n in enumerate(numbers.split(), 1)))
            self.good('run', 'y(i) = n(i)', INTERP, '-t', f'n:{kind}', '-t', f'y:{kind}', '-i', 'n:n.tns', '-o', 'y:n.npz')
            self.assertIn(f'\nvalues    {said}', self.good('info', 'n.npz'), kind)
        huge = self.good('info', self.write('a.tns', '1 1\n5000000000000 1\n'))
        self.assertRegex(huge, r'(?m)^1 +5000000000000 +4999999999998 +0 +1 +0\.0 +0\.0$')

    def test_symmetry(self):
        def symmetry(kind, field, *lines):
            self.write('s.mtx', f'%%MatrixMarket matrix coordinate {field} {kind}\n3 3 {len(lines)}\n'
                       + ''.join(line + '\n' for line in lines))
            return re.search(r'(?m)^symmetry  (.*)$', self.good('info', 's.mtx'))[1]
        self.assertEqual(symmetry('symmetric', 'real', '1 1 2', '3 1 5'), 'symmetric')
        self.assertEqual(symmetry('general', 'real', '1 3 5', '3 1 5'), 'symmetric')
        self.assertEqual(symmetry('general', 'real', '1 3 5', '3 1 4'), 'pattern only')
        self.assertEqual(symmetry('general', 'real', '1 3 5', '3 2 5'), 'none')
        self.assertEqual(symmetry('skew-symmetric', 'real', '3 1 5'), 'skew-symmetric')
        self.assertEqual(symmetry('hermitian', 'complex', '1 1 2 0', '3 1 5 1'), 'hermitian')
        self.assertEqual(symmetry('general', 'integer', '1 3 9007199254740993', '3 1 9007199254740992'),
                         'pattern only')

    def test_json(self):
        self.write('t.mtx', '%%MatrixMarket matrix coordinate integer general\n4 5 4\n1 1 2\n1 5 3\n3 2 -1\n4 4 7\n')
        said = json.loads(self.good('info', 't.mtx', '--json'))
        self.assertEqual([said[key] for key in ('file', 'order', 'stored', 'values', 'least', 'most')],
                         ['t.mtx', 2, 4, 'integers', -1, 7])
        self.assertEqual(said['modes'][0], {'dimension': 4, 'empty': 1, 'least': 0, 'most': 2, 'mean': 1,
                                            'deviation': 0.707107})
        self.assertEqual([said[key] for key in ('symmetry', 'symmetric_pattern', 'below', 'above', 'diagonals')],
                         ['none', False, 1, 4, 3])
        self.assertEqual(said['blocks'], [{'size': 2, 'count': 4, 'fill': 0.25}, {'size': 4, 'count': 2, 'fill': 0.125},
                                          {'size': 8, 'count': 1, 'fill': 0.0625}])
        self.assertEqual(said['bytes'], {
            'dense': 4 * 5 * 8, 'coo': 2 * 4 + 4 * 16, 'csr': 5 * 4 + 4 * 12, 'csc': 6 * 4 + 4 * 12,
            'dcsr': 2 * 4 + 3 * 4 + 4 * 4 + 4 * 12, 'dcsc': 2 * 4 + 4 * 4 + 5 * 4 + 4 * 12, 'ell': 4 + 4 * 2 * 12,
            'dia': 2 * 4 + 3 * 4 + 3 * 4 * 8, 'bcsr(2,2)': 3 * 4 + 4 * 4 + 4 * 4 * 8,
            'bcsr(4,4)': 2 * 4 + 2 * 4 + 2 * 16 * 8, 'bcsr(8,8)': 2 * 4 + 4 + 64 * 8,
            'bcsc(2,2)': 4 * 4 + 4 * 4 + 4 * 4 * 8, 'bcsc(4,4)': 3 * 4 + 2 * 4 + 2 * 16 * 8,
            'bcsc(8,8)': 2 * 4 + 4 + 64 * 8, 'csb(2)': 7 * 4 + 4 * 16, 'csb(4)': 3 * 4 + 4 * 16, 'csb(8)': 2 * 4 + 4 * 16,
            'sell(2)': 3 * 4 + 6 * 12, 'sell(4)': 2 * 4 + 8 * 12, 'sell(8)': 2 * 4 + 16 * 12,
            **{f'hicoo({b})': 16 + n * 8 + (n + 1) * 8 + 4 * 10 for b, n in ((2, 4), (4, 2), (8, 1))},
            **{f'fibers({t})': 2 * 4 + 3 * 4 + 4 * 4 + 4 * 12 for t in (2, 4, 8)},
            'bitmap': 4 * 5 * 9, 'hash': 4 + 8 * 4 + 4 + 8 * 4 * 12, 'mode-generic': 2 * 4 + 3 * 4 + 3 * 5 * 8})
        said = json.loads(self.good('info', self.write('u.tns', '1 1 1 5\n1 2 1 6\n2 2 2 7\n'), '--json'))
        self.assertEqual(said['bytes'], {'dense': 64, 'coo': 8 + 3 * 20, 'sparse': 8 + 8 + 12 + 12 + 16 + 12 + 24,
                                         **{f'fibers{t}': 8 + 12 + 12 + 16 + 12 + 24 for t in ('', '(2)', '(4)', '(8)')},
                                         **{f'bcsf({t})': 8 + 8 + 12 + 12 + 16 + 12 + 24 for t in (2, 4, 8)},
                                         **{f'hicoo({b})': 16 + 3 * 4 + 2 * 8 + 3 * 11 for b in (2, 4, 8)},
                                         'bitmap': 8 * 9, 'mode-generic': 8 + 3 * 8 + 3 * 2 * 8,
                                         'hash': 4 + 4 * 4 + 4 + 4 * 4 * 4 + 4 + 4 * 4 * 2 * 12})
        self.assertEqual(json.loads(self.good('info', self.write('v.tns', '2 inf\n'), '--json'))['stored'], 1)

    def test_nan(self):
        self.write('n.tns', '1 nan\n2 nan\n')
        self.assertIn('\nvalues    real, all of them NaN\n', self.good('info', 'n.tns'))
        said = json.loads(self.good('info', 'n.tns', '--json'))
        self.assertEqual((said['nan'], 'least' in said, 'most' in said), (2, False, False))
        self.write('n.tns', '1 nan\n2 5\n4 1\n')
        self.assertIn('\nvalues    real, from 1 to 5, 1 of them NaN\n', self.good('info', 'n.tns'))
        said = json.loads(self.good('info', 'n.tns', '--json'))
        self.assertEqual((said['nan'], said['least'], said['most']), (1, 1, 5))
        self.assertNotIn('"nan"', self.good('info', 'x.tns', '--json'))

    def test_empty(self):
        self.write('e.mtx', '%%MatrixMarket matrix coordinate real general\n3 0 0\n')
        self.assertIn('\nsize      3 x 0\nstored    0\nvalues    none\n', self.good('info', 'e.mtx'))

    def test_wrong(self):
        self.bad(1, 'nowhere.mtx: cannot be opened', 'info', 'nowhere.mtx')
        self.bad(2, 'is not an option of spcc run', 'run', SPMV, '--json')
        self.bad(1, 'the line 100 100 0', 'info', '-', input='')
        self.bad(2, 'info needs a file for --plot, -f or -t', 'info', '--plot')
        self.bad(2, 'is not an option of spcc info', 'info', 'x.tns', '-d', 'i:3')


if __name__ == '__main__':
    main()
