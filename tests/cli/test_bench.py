"""test_bench.py - spcc bench: its table, its figures as comma-separated values, its inputs, and how it is interrupted.

    test_bench.py SPCC

No test looks at how long anything takes.
SPDX-License-Identifier: MIT
"""
import csv
import os
import re
import signal
import subprocess
from xml.etree import ElementTree

import support
from support import Case, main

MATRIX = '%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 1\n1 3 2\n3 2 3\n3 4 1\n'
PEERS = os.path.join(os.environ.get('SPCC_SOURCE', '.'), 'bench', 'peers')

# A peer of residual: its result is that of spcc, read from a file, or wrong; or it ends in the middle.
PEER = '''#!/usr/bin/env python3
import sys
def answer(text):
    print(text, flush=True)
answer('peer of the test')
for line in sys.stdin:
    kind, _, rest = line.strip().partition(' ')
    if kind == 'case':
        folder = rest.split(' ', 1)[1]
        lines = open(folder + '/case').read().split(chr(10))
        answer('yes' if 'statement y(i) = b(i) - A(i,j) * x(j)' in lines else 'no')
        assert any(line.startswith('array A 1 crd') for line in lines), lines
        rows = next(int(line.split()[4]) for line in lines if line.startswith('tensor y '))
    elif kind == 'turn':
        {turn}
    elif kind == 'result':
        open(folder + '/result.vals', 'wb').write(bytes(8 * rows))
        answer('dense %d' % rows)
    elif kind == 'done':
        answer('ok')
'''
PICTURE = '{http://www.w3.org/2000/svg}'
TINY = ('--entries=300', '--runs=1', '--jit=interp')


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


class Bench(Case):
    def setUp(self):
        super().setUp()
        self.environment.pop('SPCC_DATA', None)
        self.scratch = self.environment['TMPDIR'] = self.path('scratch')
        os.mkdir(self.scratch)

    def figures(self, *arguments):
        return rows_of(self.good('bench', *arguments, *TINY, '--csv'))

    def test_table(self):
        lines = self.good('bench', 'spmv', *TINY, '--threads=2').split('\n')
        head = next(i for i, line in enumerate(lines) if line.startswith('kernel '))
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertEqual(lines[head].split()[:6], ['kernel', 'format', 'input', 'stored', 'type', 'T'])
        first, second = lines[head + 1].split(), lines[head + 2].split()
        self.assertEqual(first[:7], ['spmv', 'csr', 'uniform/100', first[3], 'f64', '1', 'spcc'])
        self.assertEqual(second[:2], ['2', 'spcc'])
        self.assertEqual(len({len(line) for line in lines[head:] if line}), 1)

    def test_figures(self):
        """Bytes and operations are those of the tensors at hand."""
        self.write('a.mtx', MATRIX)
        rows = [row for row in self.figures('spmv', '--data=a.mtx', '--threads=3') if row['input'] == 'a']
        self.assertEqual({row['threads'] for row in rows}, {'1', '2', '3'})
        self.assertEqual({row['type'] for row in rows}, {'f64', 'f32'})
        row = next(r for r in rows if (r['kernel'], r['format'], r['type']) == ('spmv', 'csr', 'f64'))
        self.assertEqual((row['stored'], row['operations'], row['runs'], row['by']), ('4', '8', '1', 'spcc'))
        self.assertEqual(int(row['bytes']), 4 * (3 + 1) + 4 * 4 + 8 * 4 + 8 * 4 + 8 * 3)
        self.assertLessEqual({'csr', 'csc', 'coo', 'dcsr'}, {row['format'] for row in rows})
        self.assertGreater(float(row['least_ms']), 0)

    def test_same_inputs(self):
        """What is made up is the same every time."""
        def facts():
            return [(row['input'], row['stored'], row['operations'], row['bytes']) for row in self.figures('spgemm')]
        self.assertEqual(facts(), facts())

    def test_skewed(self):
        power = next(row for row in self.figures('spmv') if row['input'] == 'power')
        self.assertLess(int(power['stored']), 300)   # of entries at one place the first counts

    def test_all(self):
        """Every kernel of both suites runs, on something at least."""
        for suite, names in (('all', 20), ('thesis', 5)):
            rows = self.figures(suite, '--threads=1')
            self.assertGreater(len({row['kernel'] for row in rows}), names)
            self.assertTrue(all(float(row['least_ms']) >= 0 for row in rows))
        quick = self.figures('--quick', '--threads=1')
        self.assertEqual({row['type'] for row in quick}, {'f64'})

    def test_data(self):
        os.mkdir(self.path('more'))
        self.write('more/b.tns', '1 1 1 5\n2 3 1 1\n')
        self.write('more/a.mtx', MATRIX)
        self.write('more/notes.txt', 'no tensor')
        self.assertIn('b', {row['input'] for row in self.figures('ttv', '--data=more')})
        # A(i,k) * A(k,j) of a matrix that is not square is nothing.
        self.assertNotIn('a', {row['input'] for row in self.figures('spgemm', '--data=more')})
        self.environment['SPCC_DATA'] = 'more'
        self.assertIn('a', {row['input'] for row in self.figures('add')})
        done = self.run_here('bench', 'add', *TINY, '--data=none.mtx')
        self.assertEqual(done.returncode, 1)
        self.assertIn('none.mtx', done.stderr)

    def test_files(self):
        table = self.good('bench', 'residual', *TINY, '--csv=out.csv')
        self.assertIn('kernel ', table)
        self.assertEqual({row['kernel'] for row in rows_of(self.read('out.csv'))}, {'residual'})

    def test_picture(self):
        """Three panels, with a point for each that is measured, also where peers have odd names."""
        self.good('bench', 'spmv,add', '--quick', '--threads=2', *TINY, '--csv=out.csv', '--svg=out.svg')
        rows = [row for row in rows_of(self.read('out.csv')) if float(row['least_ms']) > 0]
        root = ElementTree.parse(self.path('out.svg')).getroot()
        names = [text.text for text in root.iter(PICTURE + 'text')]
        for name in ('operations a byte', 'stored entries', 'threads', 'spcc', 'spmv', 'add'):
            self.assertIn(name, names)
        points = [circle[0].text for circle in root.iter(PICTURE + 'circle') if len(circle)]
        one = [point for point in points if ', 1 threads, spcc' in point]
        self.assertEqual(sum(point.startswith('spmv csr, banded, f64, 1 threads') for point in one), 3)
        self.assertLessEqual(len({point.split(', ')[1] for point in points}), len({row['input'] for row in rows}))
        self.assertIn('prefers-color-scheme:dark', root.find(PICTURE + 'style').text)
        alone = self.good('bench', 'bfs', *TINY, '--svg')
        self.assertEqual(ElementTree.fromstring(alone).tag, PICTURE + 'svg')
        self.bad(2, 'cannot both go to standard output', 'bench', '--svg', '--csv')

    def test_mistakes(self):
        self.assertIn('did you mean spmv?', self.bad(2, "no suite or kernel 'smpv'", 'bench', 'add,smpv'))
        self.assertIn('suites are all', self.bad(2, "no suite or kernel 'quux'", 'bench', 'quux'))
        self.bad(2, "'out.txt' does not end in .csv", 'bench', '--csv=out.txt')
        self.assertIn('did you mean mkl?', self.bad(2, "no peer 'mlk'", 'bench', '--peers=mlk'))
        self.bad(2, './none: No such file', 'bench', '--peers=./none')
        self.bad(2, "'0' is not a number of entries", 'bench', '--entries=0')
        self.bad(2, '--quick is not an option of spcc run', 'run', 'y = x', '--quick')

    def peer(self, turn):
        self.write('peer.py', PEER.format(turn=turn))
        os.chmod(self.path('peer.py'), 0o755)
        return self.run_here('bench', 'residual', '--quick', '--threads=1', *TINY, '--peers=./peer.py')

    def test_wrong_peer(self):
        done = self.peer("answer('times 1.5 2.5')")
        self.assertEqual(done.returncode, 1)
        self.assertIn('residual of csr on banded: the peer peer.py has another result', done.stderr)
        row = next(line for line in done.stdout.split('\n') if ' peer.py ' in line)
        self.assertEqual(row.split()[1:4], ['peer.py', '1', '1.500'])
        self.assertTrue(row.endswith('WRONG'), row)
        self.assertIn('peers peer.py: of the test', done.stdout)

    def test_right_peer(self):
        """A matrix of zeros and a vector that is taken away from itself: the result is zeros, as the peer's."""
        self.write('peer.py', PEER.format(turn="answer('times 1')").replace('bytes(8 * rows)',
                                                                            "open(folder + '/b.vals', 'rb').read()"))
        os.chmod(self.path('peer.py'), 0o755)
        self.write('zero.mtx', '%%MatrixMarket matrix coordinate real general\n5 5 2\n1 1 0\n4 2 0\n')
        done = self.run_here('bench', 'residual', '--quick', '--threads=1', *TINY, '--data=zero.mtx', '--peers=./peer.py',
                             '--csv')
        rows = [row for row in rows_of(done.stdout) if row['input'] == 'zero' and row['type'] == 'f64']
        self.assertEqual([(row['by'], row['right']) for row in rows], [('spcc', 'yes'), ('peer.py', 'yes')])

    def test_peer_that_ends(self):
        done = self.peer('sys.exit(3)')
        self.assertIn('the peer peer.py has ended', done.stderr)
        self.assertIn('residual ', done.stdout)
        self.assertNotIn(' peer.py  ', done.stdout.split('kernel ')[1])

    def test_peers(self):
        """Those that are there compute the same; hand is, where there is a compiler."""
        table = self.good('bench', 'spmv,add,multiply,masked,triangles,min-plus,ttv', '--quick', '--threads=1', *TINY,
                          '--peers=hand')
        if 'not there' not in table:
            self.assertGreater(table.count(' hand '), 30)
        self.assertEqual(os.listdir(self.scratch), [])

    def test_statements_of_peers(self):
        """What peers compute is what is measured, letter by letter."""
        with open(os.path.join(PEERS, '..', '..', 'cli', 'bench.def'), encoding='utf-8') as file:
            measured = file.read()
        for name in os.listdir(PEERS):
            with open(os.path.join(PEERS, name), encoding='utf-8') as file:
                for statement in re.findall(r'''["'](\w+\([\w,]+\) = [^"']*)["']''', file.read()):
                    self.assertIn(f'"{statement}"', measured, name)

    def test_interrupted(self):
        """What there is by then is in the table and the file."""
        process = subprocess.Popen([support.SPCC, 'bench', '--entries=3000', '--csv=out.csv', '--jit=interp'], text=True,
                                   cwd=self.folder, env=self.environment, stdout=subprocess.PIPE)
        lines = [process.stdout.readline() for _ in range(12)]
        process.send_signal(signal.SIGINT)
        lines += process.stdout.read().splitlines()
        self.assertEqual(process.wait(), -signal.SIGINT)
        self.assertEqual(os.listdir(self.scratch), [])
        process.stdout.close()
        rows = rows_of(self.read('out.csv'))
        self.assertEqual(rows[0]['kernel'], 'spmv')
        self.assertEqual(len(rows), sum(' spcc ' in line for line in lines[1:]))


if __name__ == '__main__':
    main()
