#!/usr/bin/env python3
"""Matrix products by a library: who multiplies, what comes out, what is refused.

    test_blas.py SPCC LIBRARY

LIBRARY is tests/cli/cblas.c, which says on standard error what it is called for.
SPDX-License-Identifier: MIT
"""
import os
import random
import subprocess
import sys
import unittest

import support

SIZES = {'b': 2, 'i': 3, 'j': 4, 'k': 5, 'l': 3}
# the statement, its schedule, more arguments, the calls
PRODUCTS = [
    ('C(i,j) = A(i,k) * B(k,j)', 'blas(i,j,k)', (), 'NN 3 4 5'),
    ('C(i,j) = A(i,k) * B(k,j)', 'blas(j,i,k)', (), 'NN 3 4 5'),
    ('C(i,j) = A(k,i) * B(k,j)', 'blas(i,j,k)', (), 'TN 3 4 5'),
    ('C(i,j) = A(k,i) * B(j,k)', 'blas(i,j,k)', (), 'TT 3 4 5'),
    ('C(i,j) = B(k,j) * A(i,k)', 'blas(i,j,k)', (), 'NN 3 4 5'),
    ('C(j,i) = A(i,k) * B(j,k)', 'blas(i,j,k)', (), 'NT 4 3 5'),
    ('C(i,j) = A(i,k) * B(k,j)', 'blas(i,j,k)', ('-f', 'A:dd:1,0', '-f', 'C:dd:1,0'), 'TN 4 3 5'),
    ('C(b,i,j) = A(b,i,k) * B(b,k,j)', 'blas(i,j,k)', (), 'NN 3 4 5\nNN 3 4 5'),
    ('C(i,b,j) = A(i,b,k) * B(k,b,j)', 'reorder(b,i,j,k); blas(i,j,k)', (), 'NN 3 4 5\nNN 3 4 5'),
    ('C(i,j) = A(b,i,k) * B(b,k,j)', 'reorder(b,i,j,k); blas(i,j,k)', (), 'NN 3 4 5\nNN 3 4 5'),
    ('C(i,j) = A(i,k,l) * B(k,l,j)', 'collapse(k,l,f); blas(i,j,f)', (), 'NN 3 4 15'),
    ('C(j,i,b) = A(i,b,k) * B(k,j)', 'reorder(j,i,b,k); collapse(i,b,f); blas(f,j,k)', (), 'TT 4 6 5'),
]
# what the planner calls the library for, the calls; sizes are known
PLANNED = [
    ('C(i,j) = A(i,k) * B(k,j)', 'NN 90 80 70'),
    ('C(i,j) = A(k,i) * B(j,k)', 'TT 90 80 70'),
    ('C(i,j) += A(i,k) * B(k,j)', 'NN 90 80 70'),
    ('C(i,j) -= A(i,k) * B(k,j)', 'NN 90 80 70'),
    ('C(i,j) = 2 * A(i,k) * B(k,j)', 'NN 90 80 70'),
    ('C(i,j) = A(i,j) - A(i,k) * B(k,j)', 'NN 90 80 80'),
    ('C(i,j) = max(sum(k, A(i,k) * B(k,j)), 0.25)', 'NN 90 80 70'),
    ('C(i,j) = A(i,k) * B(k,j) + A(i,l) * B(l,j)', 'NN 90 80 70'),
    ('C(i,j) = A(i,k) * B(k,l) * A(j,l)', None),
    ('C(b,i,j) = A(b,i,k) * B(b,k,j)', 'NN 90 80 70\nNN 90 80 70\nNN 90 80 70'),
    ('C(i,j) = A(i,k,b) * B(b,k,j)', 'NN 90 80 210'),
    ('C(j,b,i) = A(i,k,b) * B(k,j)', None),
    ('C(i,j,b) = A(i,k,b) * B(b,k,j)', 'NN 90 80 70\nNN 90 80 70\nNN 90 80 70'),
    ('C(i,b,j) += A(b,k,i) * B(j,k)', None),
]
# ... and what it leaves to loops
NOT_PLANNED = [
    ('C(i,j) = A(i,k) * B(k,j)', ('-di:4', '-dj:4', '-dk:4')),
    ('C(i) = A(i,k) * B(k)', ('-di:90', '-dk:70')),
    ('C(i,j) = A(i) * B(j)', ('-di:90', '-dj:80')),
    ('C(i,j) = A(i,k) * B(k,j)', ('-di:90', '-dj:80', '-dk:70', '-fA:csr')),
    ('C(i,j) = A(i,k) * B(k,j)', ('-di:90', '-dj:80', '-dk:70', '-tA:i32', '-tB:i32', '-tC:i32')),
    ('C(i,j) = A(i,k) * B(k,j)', ('-di:90', '-dj:80', '-dk:70', '-tA:f32')),
    ('C(i,j) = max(k, A(i,k) * B(k,j))', ('-di:90', '-dj:80', '-dk:70')),
]
REFUSED = [
    ('A(i,k) * B(k,j)', 'blas(i,j)', (), 'it takes the loop over rows, that over columns, and that which sums'),
    ('A(i,k) * B(k,j)', 'blas(i,j,l)', (), 'there is no loop over l'),
    ('A(i,k) * B(k,j)', 'blas(i,j,i)', (), 'the loop is named twice'),
    ('A(i,k) * B(k,j)', 'blas(i,k,j)', (), 'C has no mode of k'),
    ('A(i,k) * B(k,j)', 'unroll(j,2); blas(i,j,k)', (), 'the loop is unrolled'),
    ('A(i,k) * B(k,j)', 'split(i,io,ii,up,2); blas(ii,j,k)', (), 'C has no mode of ii'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-f', 'A:csr'), 'A is not dense'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-f', 'A:bitmap'), 'A is not dense'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-t', 'A:f32'), 'three tensors have to be f64, or f32, or complex'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-t', 'A:i32', '-t', 'B:i32', '-t', 'C:i32'), 'have to be f64, or f32, or complex'),
    ('sum(k, A(i,k) + B(k,j))', 'blas(i,j,k)', (), 'what is assigned is no sum of products of two tensors'),
    ('A(i,k) * B(k,j) * D(k)', 'blas(i,j,k)', (), 'what is assigned is no sum of products of two tensors'),
    ('A(i,k,b) * B(k,j,b)', 'reorder(b,i,j,k); blas(i,j,k)', (), 'A is contiguous along none of these loops'),
    ('A(i,k,l) * B(l,k,j)', 'collapse(k,l,f); blas(i,j,f)', (), 'B has the modes of f not in this order, or apart'),
    ('A(b,i,k) * B(b,k,j)', 'blas(i,j,k)', (), 'the loop is not directly inside that over one of the others'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k); split(i,io,ii,up,2)', (), 'of a matrix product, and would be replaced'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k); reorder(i,j,k)', (), 'would be of no matrix product any more'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k); parallelize(i,cpu_thread,no_races)', (), 'one of its loops is unrolled'),
    ('A(b,i,k) * B(b,k,j)', 'reorder(b,i,j,k); blas(i,j,k); parallelize(b,cpu_thread,temporary)', (),
     'threads combine into a result'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('--target=cuda',), 'code for a GPU calls no library'),
]


class Blas(support.Case):
    def operands(self, statement):
        right = statement.split('=')[1]
        return [f'-i{name}:@random({seed})' for seed, name in enumerate('AB')] + [
            f'-d{var}:{size}' for var, size in SIZES.items() if var in right.lower().replace('b(', '').replace('a(', '')]

    def components(self, *arguments):
        """By coordinates, and what the library said."""
        done = self.run_here('run', '--serial', *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split() for line in done.stdout.splitlines()]
        order = arguments[0].split(')')[0].count(',') + 1
        return ({tuple(row[:order]): complex(*map(float, row[order:])) for row in rows},
                '\n'.join(line for line in done.stderr.splitlines() if line.startswith('cblas_')))

    def test_products(self):
        for statement, schedule, more, calls in PRODUCTS:
            arguments = (statement, *self.operands(statement), *more)
            expected, _ = self.components(*arguments, '--jit=interp')
            self.assertGreater(len(expected), 0)
            for type_, name in (('f64', 'cblas_dgemm'), ('f32', 'cblas_sgemm')):
                types = [f'-t{tensor}:{type_}' for tensor in 'ABC']
                for engine in ('cc', 'interp'):
                    found, said = self.components(*arguments, *types, '-s', schedule, f'--jit={engine}',
                                                  f'--blas={LIBRARY}')
                    self.assertEqual(found.keys(), expected.keys())
                    for at, value in found.items():
                        self.assertAlmostEqual(value, expected[at], 5, (statement, types, engine))
                    self.assertEqual(said, '' if engine == 'interp' else
                                     '\n'.join(f'{name} {call}' for call in calls.split('\n')), statement)

    def alike(self, found, expected, what):
        self.assertEqual(found.keys(), expected.keys(), what)
        for at, value in found.items():
            self.assertLess(abs(value - expected[at]), 1e-4 * (1 + abs(value)), (what, at))

    def test_complex(self):
        types = {'c64': 'cblas_cgemm', 'c128': 'cblas_zgemm'}
        for type_, name in types.items():
            for statement in ('C(i,j) = A(i,k) * B(k,j)', 'C(i,j) += A(k,i) * B(j,k)'):
                arguments = (statement, *self.operands(statement), *(f'-t{tensor}:{type_}' for tensor in 'ABC'))
                expected, _ = self.components(*arguments, '--jit=interp')
                for engine in ('cc', 'interp'):
                    found, said = self.components(*arguments, f'--jit={engine}', '-s', 'blas(i,j,k)',
                                                  f'--blas={LIBRARY}')
                    self.alike(found, expected, statement)
                    self.assertEqual(said.split(' ')[0], '' if engine == 'interp' else name)

    def test_planned(self):
        """The planner calls the library where that is cheaper, and copies what is no matrix."""
        for statement, calls in PLANNED:
            right = statement.split('=')[1]
            sizes = {'i': 90, 'j': 90 if 'A(j,l)' in right else 80, 'k': 80 if 'A(i,j)' in right else 70,
                     'l': 70, 'b': 3}
            arguments = [statement, '--jit=cc', *(f'-i{name}:@random({n})' for n, name in enumerate('AB')),
                         *(f'-d{var}:{size}' for var, size in sizes.items() if f'{var},' in right or f'{var})' in right)]
            expected, none = self.components(*arguments)
            found, said = self.components(*arguments, f'--blas={LIBRARY}')
            self.alike(found, expected, statement)
            self.assertEqual(none, '')
            if calls:
                self.assertEqual(said, '\n'.join(f'cblas_dgemm {call}' for call in calls.split('\n')), statement)
            self.assertIn('cblas_dgemm', said, statement)

    def test_not_planned(self):
        for statement, more in NOT_PLANNED:
            self.assertNotIn('cblas', self.good('emit', statement, '--blas=library.so', *more), (statement, more))
        self.assertNotIn('cblas', self.good('emit', 'C(i,j) = A(i,k) * B(k,j)'))
        self.assertNotIn('cblas', self.good('emit', 'C(i,j) = A(i,k) * B(k,j)', '--blas=library.so', '--target=cuda'))

    def test_planned_text(self):
        """What is printed says what it calls and what printed it; the plan can be pasted."""
        arguments = ('C(i,j) = A(i,k,l) * B(l,k,j)', '--blas=my library.so')
        code = self.good('emit', *arguments)
        for said in (' * Calls cblas_dgemm: link with', "--blas 'my library.so'", '\nvoid cblas_dgemm('):
            self.assertIn(said, code)
        plan = self.good('emit', '--emit=plan', *arguments).splitlines()
        schedule = plan[1].removeprefix('schedule: ')
        self.assertIn('blas(i, j, f)', schedule)
        again = self.good('emit', '--emit=plan', '--no-plan', arguments[0], '-s', schedule).splitlines()
        self.assertEqual(again[0], plan[0])
        self.assertIn('blas(i, j, f)', self.good('explain', *arguments))

    def test_random(self):
        """Contractions of any modes in any order, with and without modes around."""
        drawn = random.Random(45)
        for _ in range(6 if os.environ.get('SPCC_SANITIZED') else 20):
            kinds = {kind: ''.join(drawn.sample(names, drawn.randint(least, 2)))
                     for kind, names, least in (('M', 'ab', 1), ('N', 'cd', 1), ('K', 'ef', 1), ('around', 'gh', 0))}
            modes = {tensor: drawn.sample(of, len(of)) for tensor, of in (
                ('C', kinds['around'] + kinds['M'] + kinds['N']), ('A', kinds['around'] + kinds['M'] + kinds['K']),
                ('B', kinds['around'] + kinds['K'] + kinds['N']))}
            access = {tensor: f'{tensor}({",".join(of)})' for tensor, of in modes.items()}
            sign = drawn.choice(['=', '+=', '-='])
            statement = f'{access["C"]} {sign} {access["A"]} * {access["B"]}'
            sizes = {var: drawn.choice([2, 3, 5]) if kind == 'around' else
                     drawn.choice([23, 41]) if len(of) == 1 else drawn.choice([4, 7])
                     for kind, of in kinds.items() for var in of}
            arguments = [statement, '--jit=cc', '-iA:@random(1)', '-iB:@random(2)',
                         *(f'-d{var}:{size}' for var, size in sizes.items())]
            expected, _ = self.components(*arguments)
            plan = self.good('emit', '--emit=plan', statement, '--blas=of.unknown.sizes').splitlines()[1]
            found, said = self.components(*arguments, f'--blas={LIBRARY}', '--no-plan',
                                          '-s' + plan.removeprefix('schedule: '))
            self.alike(found, expected, statement)
            self.assertIn('cblas_dgemm', said, statement)

    def test_parallel(self):
        statement = 'C(b,i,j) = A(b,i,k) * B(b,k,j)'
        _, said = self.components(statement, *self.operands(statement), '--jit=cc', f'--blas={LIBRARY}', '-s',
                                  'blas(i,j,k); parallelize(b,cpu_thread,no_races)')
        self.assertEqual(said, 'cblas_dgemm NN 3 4 5\ncblas_dgemm NN 3 4 5')

    def test_empty(self):
        """A library may refuse a matrix without rows: it is not called."""
        statement = 'C(i,j) = A(i,k) * B(k,j)'
        found, said = self.components(statement, '-iA:@ones', '-iB:@ones', '-di:2', '-dj:2', '-dk:0', '--jit=cc',
                                      '-sblas(i,j,k)', f'--blas={LIBRARY}')
        self.assertEqual((set(found.values()) - {0.0}, said), (set(), ''))

    def test_refused(self):
        for right, schedule, more, said in REFUSED:
            self.bad(1, said, 'emit', 'C(i,j) = ' + right, '-s', schedule, *more)

    def test_library(self):
        statement = 'C(i,j) = A(i,k) * B(k,j)'
        arguments = ('run', statement, *self.operands(statement), '--jit=cc', '-sblas(i,j,k)')
        self.bad(3, 'the BLAS library cannot be opened', *arguments, '--blas=/is/not/there.so')
        self.bad(3, 'the BLAS library libm.so.6 has no function cblas_dgemm', *arguments, '--blas=libm.so.6')
        self.bad(3, 'the kernel calls cblas_dgemm: --blas=LIBRARY', *arguments)

    @unittest.skipIf(os.environ.get('SPCC_SANITIZED'), 'the library needs the runtime of sanitizers')
    def test_linked(self):
        """What is printed declares the function, and is linked with the library."""
        code = self.good('emit', 'C(i,j) = A(i,k) * B(k,j)', '-sblas(i,j,k)', '--name=product')
        self.write('product.c', code + '''
int main(void)
{
    double a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 1, 3}, c[4];
    return product(2, 3, a, 2, b, c) || c[0] != 8 || c[1] != 11 || c[2] != 20 || c[3] != 23;
}
''')
        compiler = os.environ.get('CC', 'cc').split()
        subprocess.run([*compiler, 'product.c', '-o', 'product', LIBRARY, f'-Wl,-rpath,{os.path.dirname(LIBRARY)}'],
                       cwd=self.folder, check=True)
        done = subprocess.run(['./product'], cwd=self.folder, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, 'cblas_dgemm NN 2 2 3\n'))


if __name__ == '__main__':
    LIBRARY = os.path.abspath(sys.argv.pop(2))
    support.main()
