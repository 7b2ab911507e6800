"""test_examples.py - the statement files of examples/statements, against plain computations.

    test_examples.py SPCC

What an example gives is not compared with another program that could be wrong in the same way: a rank is one that a further
round does not change, a solution leaves no residual, an eigenvector is one, and levels are those of a queue.  The files are
one that is made here and those of tests/data, and those of the folder that SPCC_DATA names, else of ../shared/data beside
the source tree, where it is there.

SPDX-License-Identifier: MIT
"""
import gzip
import math
import os
import random

import support
from support import Case, main

SOURCE = os.path.abspath(os.environ.get('SPCC_SOURCE', '.'))
EXAMPLES = os.path.join(SOURCE, 'examples', 'statements')
REAL = os.environ.get('SPCC_DATA') or os.path.join(SOURCE, '..', 'shared', 'data')


def read_matrix(path):
    """The sizes, and the entries by rows: [(column, value)], from 0."""
    with (gzip.open(path, 'rt') if path.endswith('.gz') else open(path, encoding='utf-8')) as file:
        lines = [line.split() for line in file if line[0] not in '%\n']
    m, n = map(int, lines.pop(0)[:2])
    rows = [[] for _ in range(m)]
    for line in lines:
        rows[int(line[0]) - 1].append((int(line[1]) - 1, float(line[2]) if line[2:] else 1.0))
    return m, n, rows


def read_vector(text, n):
    x = [0.0] * n
    for line in text.splitlines():
        i, value = line.split()
        x[int(i) - 1] = float(value)
    return x


def product(rows, x):
    return [sum(value * x[j] for j, value in row) for row in rows]


def norm(x):
    return math.sqrt(sum(value * value for value in x))


class Example(Case):
    def setUp(self):
        super().setUp()
        draw = random.Random(1)
        edges = {(draw.randrange(60), draw.randrange(60)) for _ in range(100)}
        edges |= {(j, i) for i, j in edges}
        self.write('small.mtx', f'%%MatrixMarket matrix coordinate real general\n60 60 {len(edges)}\n'
                   + ''.join(f'{i + 1} {j + 1} {1 + (i * j) % 3}\n' for i, j in sorted(edges)))

    def files(self, *real):
        yield self.path('small.mtx')
        yield os.path.join(support.DATA, 'ldg_diffusion.mtx.gz')
        for name in real:
            path = os.path.join(REAL, name + '.mtx.gz')
            if os.path.exists(path):
                yield path
            else:
                print(f'{name} is not there: left out')

    def example(self, name, *options):
        return self.good('run', os.path.join(EXAMPLES, name + '.spcc'), *options)

    def test_bfs(self):
        self.write('start.tns', '1 1\n')
        for path in self.files('email-Enron', 'delaunay_n15'):
            _, n, rows = read_matrix(path)
            level, queue = [0] * n, [0]
            level[0] = 1
            for i in queue:
                for j, _ in rows[i]:
                    if level[j] == 0:
                        level[j] = level[i] + 1
                        queue.append(j)
            said = self.example('bfs', '-i', f'A:{path}', '-i', 'frontier:start.tns', '-o', 'level:-')
            self.assertEqual(read_vector(said, n), level, path)

    def test_pagerank(self):
        for path in self.files('NotreDame_www', 'email-Enron'):
            _, n, rows = read_matrix(path)
            rank = read_vector(self.example('pagerank', '-i', f'A:{path}', '-i', 'rank:@ones', '-o', 'rank:-'), n)
            self.assertAlmostEqual(sum(rank), 1, delta=1e-9)
            lost = sum(rank[i] for i in range(n) if not rows[i])
            again = [(0.15 + 0.85 * lost) / n] * n
            for i, row in enumerate(rows):
                for j, _ in row:
                    again[j] += 0.85 * rank[i] / len(row)
            self.assertLess(sum(abs(a - b) for a, b in zip(again, rank)), 1e-11, path)

    def test_cg(self):
        for path in self.files('delaunay_n15', 'copter2'):
            _, n, rows = read_matrix(path)
            shift = 1 + max(sum(abs(value) for _, value in row) for row in rows)
            said = self.example('cg', '-i', f'A:{path}', '-i', f'shift:{shift!r}', '-i', 'b:@index', '-o', 'x:-')
            x = read_vector(said, n)
            rest = [i - y - shift * v for i, (y, v) in enumerate(zip(product(rows, x), x))]
            self.assertLess(norm(rest), 1e-9 * norm(range(n)), path)

    def test_power(self):
        for path in self.files('email-Enron', 'copter2'):
            _, n, rows = read_matrix(path)
            done = self.run_here('run', os.path.join(EXAMPLES, 'power.spcc'), '-i', f'A:{path}', '-i', 'x:@ones', '-o',
                                 'lambda:lambda.tns', '-o', 'x:x.tns')
            self.assertEqual(done.returncode, 0, done.stderr)
            x, value = read_vector(self.read('x.tns'), n), float(self.read('lambda.tns'))
            rest = [y - value * v for y, v in zip(product(rows, x), x)]
            held = 'did not hold' not in done.stderr
            self.assertAlmostEqual(norm(x), 1, delta=1e-12)
            self.assertLess(norm(rest), (1e-7 if held else 1e-2) * abs(value), path)
            bound = max(sum(abs(v) for _, v in row) for row in rows)  # Gershgorin
            self.assertLessEqual(abs(value), bound * (1 + 1e-12))


if __name__ == '__main__':
    main()
