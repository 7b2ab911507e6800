"""test_taco.py - command lines of taco's: each row of docs/from-taco.md does what it says.

    test_taco.py SPCC

SPDX-License-Identifier: MIT
"""
import os
import re
import shlex
import unittest

from support import Case, main

MATRIX = '%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n1 3 2\n3 2 3\n'
SOURCE = os.environ.get('SPCC_SOURCE', '.')


def code(cell):
    match = re.search(r'`(.*)`', cell)
    return match[1] if match else None


def rows():
    """Triples: taco's command line, whether it works as typed, and spcc's own or what it says."""
    with open(os.path.join(SOURCE, 'docs', 'from-taco.md'), encoding='utf-8') as file:
        cells = [line.strip().strip('|').split(' | ') for line in file if line.startswith('| `taco ')]
    for row in cells:
        works = row[1].startswith('as typed')
        if not works and not row[1].startswith('says '):
            raise ValueError(f'neither as typed nor said: {row}')
        yield code(row[0]), works, code(row[1])


def without_command(text):
    """The text without what quotes the command line: a function's head comment, a plan's schedule."""
    return re.sub(r'^(?:/\*.*| \*.*|schedule: .*)\n', '', text, flags=re.M)


class Taco(Case):
    def setUp(self):
        super().setUp()
        self.write('foo.mtx', MATRIX)

    def spcc(self, line):
        return self.run_here(*shlex.split(line)[1:])

    def works(self, line, own):
        done = self.spcc(line)
        self.assertEqual(done.returncode, 0, (line, done.stderr))
        files = re.findall(r'-(?:write-\w+|o)=(?:\w+:)?(\S+)', line)
        self.assertTrue(done.stdout or files or '-time' in line, line)
        texts = [self.read(file) for file in files]
        for file, text in zip(files, texts):
            self.assertTrue(text, line)
            os.remove(self.path(file))
        if own:
            ours = self.spcc(own)
            self.assertEqual((ours.returncode, without_command(ours.stdout)), (0, without_command(done.stdout)),
                             (line, own, ours.stderr))
            self.assertEqual([self.read(file) for file in files], texts, (line, own))

    def test_rows(self):
        n = 0
        for line, works, other in rows():
            n += 1
            with self.subTest(line):
                if works:
                    self.works(line, other)
                    continue
                done = self.spcc(line)
                self.assertIn(done.returncode, (1, 2), line)
                said = done.stderr.splitlines()
                self.assertEqual(said[0], other, line)
                if ' is taco\'s' in said[0] or 'taco\'s ' in said[0]:
                    self.assertEqual(said[-1], '  help: spcc help taco', line)
        self.assertGreater(n, 50)

    def test_kernels_in_one_file_compile(self):
        self.good('C(i,j) = A(i,j) + B(i,j)', '-f=A:ds', '-f=B:ds', '-f=C:ds', '-prefix=my_', '-write-source=k.c')
        text = self.read('k.c')
        places = [text.index(f'int my_{name}(') for name in ('assemble', 'compute', 'evaluate')]
        self.assertEqual(places, sorted(places))

    def test_shows_the_plan_for_the_tensors_at_hand(self):
        self.write('B.tns', '1000000 1000000 1\n2 1 1\n')
        self.write('C.tns', '1000000 1000000 1\n1 1 1\n')
        args = ('A(i,j) = B(i,j) + C(j,i)', '-f=A:ds', '-f=B:ds', '-f=C:ds', '-print-concrete')
        self.assertIn('format(w, csr)', self.good(*args))
        self.assertIn('format(w, coo)', self.good(*args, '-i=B:B.tns', '-i=C:C.tns', '-o=A:A.tns'))

    def test_several_views(self):
        args = 'y(i) = A(i,j) * x(j)', '-f=A:ds'
        plan, compute, assemble = (self.good(*args, *o) for o in (['--emit=plan'], ['--kernel=compute'],
                                                                  ['--kernel=assemble']))
        self.assertEqual(self.good(*args, '-print-concrete', '-print-compute', '-write-assembly=a.c'),
                         plan + '\n' + compute)
        self.assertEqual(self.read('a.c'), assemble)
        self.assertEqual(self.good(*args, '-c', '-print-compute'), self.good(*args))

    def test_runs(self):
        done = self.run_here('y(i) = A(i,j) * x(j)', '-f=A:ds', '-i=A:foo.mtx', '-g=x:u', '-time=7')
        self.assertRegex(done.stderr, r'run .* median of 7\n')
        self.assertEqual(self.good('y(i) = A(i,j) * x(j)', '-f=A:ds', '-i=A:foo.mtx', '-g=x:u'), '1 3\n3 3\n')

    def test_sizes_of_tensors(self):
        sized = self.good('y(i) = A(i,j) * x(j)', '-d=A:4,5', '-d=x:5')
        self.assertEqual(sized, self.good('y(i) = A(i,j) * x(j)', '-d', 'i:4', '-d', 'j:5'))
        self.bad(2, '-d A:4: A has 2 modes, each with a size', 'y(i) = A(i,j) * x(j)', '-d=A:4')
        self.bad(2, '-d A:4,5,6: A has 2 modes', 'y(i) = A(i,j) * x(j)', '-d=A:4,5,6')
        self.bad(2, '-d i:4,5: i is no tensor, and has one size', 'y(i) = A(i,j) * x(j)', '-d=i:4,5')
        self.bad(1, 'j is given two sizes, 5 and 6', 'y(i) = A(i,j) * x(j)', '-d=A:4,5', '-d=x:6')

    def test_files_of_statements(self):
        self.write('two.spcc', 'tensor A: csr\ny(i) = A(i,j) * x(j)\nz(j) = A(i,j)\n')
        self.assertEqual(self.good('two.spcc', '-d=A:4,5'), self.good('two.spcc', '-d', 'i:4', '-d', 'j:5'))
        self.assertIn('int p_compute_y_z(', self.good('two.spcc', '-prefix=p_'))
        self.write('taco.spcc', 'y(i) = A(i,j) * x(j)\n# spcc: -f=A:ds -verify\n')
        self.assertIn('-verify is taco', self.bad(1, 'taco.spcc:2', 'taco.spcc'))

    def test_mistakes(self):
        spmv = 'y(i) = A(i,j) * x(j)'
        self.bad(2, '-write-source needs an argument: -write-source=FILE', spmv, '-write-source')
        self.bad(2, "-print-compute takes no argument, but 'x' follows it", spmv, '-print-compute=x')
        self.bad(2, '-g=x: expected T:FILL', spmv, '-g=x')
        self.bad(2, '-g=x:z: expected T:FILL', spmv, '-g=x:z')
        self.bad(2, "did you mean -write-source?", spmv, '-write-sorce=a.c')
        self.bad(2, "--runs: 'x' is not a number of runs", spmv, '-i=A:foo.mtx', '-time=x')
        self.bad(1, 'it takes equal numbers of loops to precompute over and with', 'Y(i,j) = A(i,j)',
                 '-s=precompute(A(i,j),{i,j},{iw},w)')
        self.bad(1, 'did you mean reorder?', spmv, '-s=reordr(i,j)')


if __name__ == '__main__':
    main()
