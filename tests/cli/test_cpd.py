"""test_cpd.py - spcc cpd: decompositions of tensors.

    test_cpd.py SPCC

SPDX-License-Identifier: MIT
"""
import math
import os
import signal
import subprocess

import support
from support import Case, main

INTERP = '--jit=interp'


class Decomposition(Case):
    def write_rank_two(self):
        """A tensor of rank 2, and what its entries are."""
        a, b, c = ([1, 2, 0], [3, 1, 1]), ([1, -1], [0, 2]), ([2, 1, 1, 0], [1, 0, 3, 1])
        lines = []
        for i in range(3):
            for j in range(2):
                for k in range(4):
                    value = sum(a[r][i] * b[r][j] * c[r][k] for r in range(2))
                    if value:
                        lines.append(f'{i + 1} {j + 1} {k + 1} {value}')
        self.write('x.tns', '\n'.join(lines) + '\n')
        return {tuple(int(n) - 1 for n in line.split()[:3]): int(line.split()[3]) for line in lines}

    @staticmethod
    def fits(out):
        return [float(line.split()[-1]) for line in out.splitlines() if line.startswith('iteration')]

    def factor(self, name):
        lines = [line for line in self.read(name).splitlines() if not line.startswith('%')]
        rows, columns = map(int, lines[0].split())
        values = list(map(float, lines[1:]))
        self.assertEqual(len(values), rows * columns)
        return [[values[column * rows + row] for column in range(columns)] for row in range(rows)]

    def test_exact_rank(self):
        entries = self.write_rank_two()
        for form in ('csf', 'mmcsf', 'mmcsf(static)', 'heavy(5)', 'csf-all'):
            out = self.good('cpd', 'x.tns', '-r', '2', '-f', form, '--iterations=200', '--tolerance=0', '-o', 'm', INTERP)
            fits = self.fits(out)
            self.assertEqual(len(fits), 200)
            self.assertGreater(fits[-1], 0.99)
            factors = [self.factor(f'm.{m}.mtx') for m in (1, 2, 3)]
            weights = [float(line.split()[-1]) for line in self.read('m.lambda.tns').splitlines()]
            for factor in factors:
                for r in range(2):
                    self.assertAlmostEqual(sum(row[r] ** 2 for row in factor), 1, places=9)
            rest = square = 0
            for i in range(3):
                for j in range(2):
                    for k in range(4):
                        model = sum(weights[r] * factors[0][i][r] * factors[1][j][r] * factors[2][k][r] for r in range(2))
                        rest += (entries.get((i, j, k), 0) - model) ** 2
                        square += entries.get((i, j, k), 0) ** 2
            self.assertAlmostEqual(1 - math.sqrt(rest / square), fits[-1], places=6)

    def test_repeatable(self):
        self.write_rank_two()
        same = [self.good('cpd', 'x.tns', '-r2', '--seed=7', '--serial', '--iterations=5', INTERP) for _ in range(2)]
        other = self.good('cpd', 'x.tns', '-r2', '--seed=8', '--serial', '--iterations=5', INTERP)
        self.assertEqual(*same)
        self.assertNotEqual(same[0], other)

    def test_tolerance(self):
        self.write_rank_two()
        fits = self.fits(self.good('cpd', 'x.tns', '-r1', '--tolerance=0.01', INTERP))
        self.assertLess(len(fits), 50)
        self.assertLess(abs(fits[-1] - fits[-2]), 0.01)

    def test_matrix_and_order_four(self):
        self.write('a.mtx', '%%MatrixMarket matrix array real general\n2 2\n3\n0\n0\n4\n')
        self.assertGreater(self.fits(self.good('cpd', 'a.mtx', '-r2', '-f', 'mmcsf', INTERP))[-1], 0.999)
        self.write('four.tns', '1 1 1 1 2\n2 2 2 2 3\n')
        self.assertGreater(self.fits(self.good('cpd', 'four.tns', '-r2', '-f', 'mmcsf', '--seed=5', INTERP))[-1], 0.99)

    def test_singular(self):
        self.write('one.tns', '1 1 1 2\n')
        done = self.run_here('cpd', 'one.tns', '-r3', INTERP)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('the Gram matrix is singular', done.stderr)
        self.assertGreater(self.fits(done.stdout)[-1], 0.999)

    def test_magnitudes(self):
        """Values whose squares are no numbers have a model like others."""
        for value in ('1e200', '1e-200', '1e308', '5e-324'):
            self.write('big.tns', f'1 1 1 {value}\n2 2 2 {value}\n')
            for form in ('csf', 'mmcsf', 'csf-all'):
                out = self.good('cpd', 'big.tns', '-r2', '-f', form, '-o', 'm', INTERP)
                self.assertGreater(self.fits(out)[-1], 0.999)
                for line in self.read('m.lambda.tns').splitlines():
                    self.assertAlmostEqual(float(line.split()[1]) / float(value), 1, places=3)

    def test_interrupted(self):
        """The model of the last complete iteration is written, and the signal is what the program ends by."""
        self.write_rank_two()
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([support.SPCC, 'cpd', 'x.tns', '-r', '2', '-o', 'm', '--iterations=1000000',
                                        '--tolerance=0', INTERP], cwd=self.folder, env=self.environment,
                                       stdout=subprocess.PIPE, text=True)
            lines = [process.stdout.readline() for _ in range(3)]
            process.send_signal(number)
            lines += process.communicate(timeout=600)[0].splitlines()
            self.assertEqual(process.returncode, -number)
            self.assertTrue(all(line.startswith('iteration ') for line in lines))
            rows = [len(self.factor(f'm.{mode + 1}.mtx')) for mode in range(3)]
            self.assertEqual((rows, len(self.read('m.lambda.tns').split('\n'))), ([3, 2, 4], 3))
            for name in os.listdir(self.folder):
                if name.startswith('m.'):
                    os.remove(self.path(name))

    def test_mistakes(self):
        self.write_rank_two()
        self.write('v.tns', '1 2\n2 3\n')
        self.write('nan.tns', '1 1 1 nan\n2 1 1 3\n')
        self.write('inf.tns', '1 1 1 -inf\n2 1 1 3\n')
        self.write('zero.tns', '1 1 1 0\n')
        for words, said in (
                (('x.tns',), 'cpd needs a rank'),
                (('x.tns', '-r', '0'), "--rank: '0' is not a rank, from 1 to 256"),
                (('x.tns', '-r', '257'), "'257' is not a rank"),
                (('x.tns', '-r2', '--tolerance=x'), 'not a number from 0 to 1'),
                (('x.tns', '-r2', '--seed=-1'), 'is not a seed'),
                (('x.tns', '-r2', '--iterations=0'), 'not a number of iterations'),
                (('v.tns', '-r2'), 'a tensor of order 1: spcc cpd takes those of order 2 to 16'),
                (('nan.tns', '-r2'), 'a value is NaN'),
                (('nan.tns', '-r2', '-f', 'mmcsf'), 'a value is NaN'),
                (('inf.tns', '-r2'), 'a value is infinite'),
                (('zero.tns', '-r2'), 'nothing but zeros')):
            done = self.run_here('cpd', *words, INTERP)
            self.assertIn(done.returncode, (1, 2), words)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stdout, '')


if __name__ == '__main__':
    main()
