"""test_convert.py - spcc convert: files into other files, by way of formats.

    test_convert.py SPCC

SPDX-License-Identifier: MIT
"""
import gzip

from support import Case, main

INTERP = '--jit=interp'
SMALL = '%%MatrixMarket matrix coordinate integer general\n3 4 4\n1 1 1\n3 2 3\n1 4 2\n2 1 9007199254740993\n'


class Convert(Case):
    def setUp(self):
        super().setUp()
        self.write('A.mtx', SMALL)

    def test_files(self):
        self.good('convert', 'A.mtx', 'B.tns')
        self.assertEqual(self.read('B.tns'), '1 1 1\n1 4 2\n2 1 9007199254740993\n3 2 3\n')
        self.good('convert', 'A.mtx', 'B.tns.gz')
        with gzip.open(self.path('B.tns.gz'), 'rt') as file:
            self.assertEqual(file.read(), self.read('B.tns'))
        self.good('convert', 'A.mtx', 'C.mtx')
        self.assertIn('integer general\n3 4 4\n', self.read('C.mtx'))
        self.assertEqual(self.good('convert', 'A.mtx', '-'), self.read('B.tns'))
        self.assertEqual(self.good('convert', '-', '-', input='2 1.5\n1 2\n'), '1 2\n2 1.5\n')
        self.assertEqual(self.good('convert', '-', '-', input='7\n'), '7\n')

    def test_formats(self):
        sorted_by_rows = '1 1 1\n1 4 2\n2 1 9007199254740993\n3 2 3\n'
        for form in ('csr', 'dcsr', 'coo', 'dense', 'ss'):
            self.assertEqual(self.good('convert', 'A.mtx', '-', '-f', form, INTERP), sorted_by_rows, form)
        by_columns = '1 1 1\n2 1 9007199254740993\n3 2 3\n1 4 2\n'
        for form in ('csc', 'dcsc', 'coo:1,0'):
            self.assertEqual(self.good('convert', 'A.mtx', '-', '-f', form, INTERP), by_columns, form)

    def test_room(self):
        """A result in dia takes its diagonals' room, not that of as many diagonals as there are entries."""
        n = 200000
        entries = ''.join(f'{i} {i} {i}\n' for i in range(1, n + 1))
        self.write('D.mtx', f'%%MatrixMarket matrix coordinate integer general\n{10 * n} {10 * n} {n}\n' + entries)
        self.good('convert', 'D.mtx', 'D.tns', '-f', 'dia')
        self.assertEqual(self.read('D.tns'), entries)

    def test_types(self):
        self.assertEqual(self.good('convert', 'A.mtx', '-', '-t', 'f32', '-f', 'csr', INTERP),
                         '1 1 1\n1 4 2\n2 1 9007199000000000\n3 2 3\n')
        self.write('c.mtx', '%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 -2\n')
        self.assertEqual(self.good('convert', 'c.mtx', '-', '-f', 'csr', INTERP), '1 2 1 -2\n')

    def test_wrong(self):
        self.bad(2, 'a file to read and one to write', 'convert', 'A.mtx')
        self.bad(2, 'one argument too many', 'convert', 'A.mtx', 'B.tns', 'C.tns')
        self.bad(1, 'nowhere.mtx: cannot be opened', 'convert', 'nowhere.mtx', 'B.tns')
        self.bad(1, 'does not say which file format', 'convert', 'A.mtx', 'B.txt')
        self.bad(1, 'csx', 'convert', 'A.mtx', 'B.tns', '-f', 'csx')
        self.bad(2, 'f63', 'convert', 'A.mtx', 'B.tns', '-t', 'f63')
        self.bad(2, 'is not an option of spcc convert', 'convert', 'A.mtx', 'B.tns', '-d', 'i:3')


if __name__ == '__main__':
    main()
