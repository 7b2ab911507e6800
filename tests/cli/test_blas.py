#!/usr/bin/env python3
"""Matrix products by a library: who multiplies, what comes out, what is refused.

    test_blas.py SPCC LIBRARY

LIBRARY is tests/cli/cblas.c, which says on standard error what it is called for.
SPDX-License-Identifier: MIT
"""
import os
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
REFUSED = [
    ('A(i,k) * B(k,j)', 'blas(i,j)', (), 'it takes the loop over rows, that over columns, and that which sums'),
    ('A(i,k) * B(k,j)', 'blas(i,j,l)', (), 'there is no loop over l'),
    ('A(i,k) * B(k,j)', 'blas(i,j,i)', (), 'the loop is named twice'),
    ('A(i,k) * B(k,j)', 'blas(i,k,j)', (), 'C has no mode of k'),
    ('A(i,k) * B(k,j)', 'unroll(j,2); blas(i,j,k)', (), 'the loop is unrolled'),
    ('A(i,k) * B(k,j)', 'split(i,io,ii,up,2); blas(ii,j,k)', (), 'C has no mode of ii'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-f', 'A:csr'), 'A is not dense'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-f', 'A:bitmap'), 'A is not dense'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-t', 'A:f32'), 'the values of all three tensors have to be f64, or f32'),
    ('A(i,k) * B(k,j)', 'blas(i,j,k)', ('-t', 'A:i32', '-t', 'B:i32', '-t', 'C:i32'), 'have to be f64, or f32'),
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
        return {tuple(row[:-1]): float(row[-1]) for row in rows}, done.stderr.strip()

    def test_products(self):
        for statement, schedule, more, calls in PRODUCTS:
            arguments = (statement, *self.operands(statement), *more)
            expected, _ = self.components(*arguments, '--jit=interp')
            self.assertGreater(len(expected), 0)
            for types, name in (((), 'cblas_dgemm'), (('-tA:f32', '-tB:f32', '-tC:f32'), 'cblas_sgemm')):
                for engine in ('cc', 'interp'):
                    found, said = self.components(*arguments, *types, '-s', schedule, f'--jit={engine}',
                                                  f'--blas={LIBRARY}')
                    self.assertEqual(found.keys(), expected.keys())
                    for at, value in found.items():
                        self.assertAlmostEqual(value, expected[at], 5, (statement, types, engine))
                    self.assertEqual(said, '' if engine == 'interp' else
                                     '\n'.join(f'{name} {call}' for call in calls.split('\n')), statement)

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
