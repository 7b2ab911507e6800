"""test_convert.py - spcc convert: files into other files, by way of formats.

    test_convert.py SPCC

SPDX-License-Identifier: MIT
"""
import ast
import gzip
import importlib.util
import io
import json
import struct
import subprocess
import zipfile

import support
from support import Case, main

INTERP = '--jit=interp'
SMALL = '%%MatrixMarket matrix coordinate integer general\n3 4 4\n1 1 1\n3 2 3\n1 4 2\n2 1 9007199254740993\n'
# figure 1a of the benchmark suite's paper
EXAMPLE = '1 1 1 1\n1 2 1 2\n2 1 1 3\n2 1 3 4\n3 2 2 5\n3 3 3 6\n4 1 2 7\n4 4 3 8\n'


LETTERS = {'b1': '?', 'i1': 'b', 'i2': 'h', 'i4': 'i', 'i8': 'q', 'u1': 'B', 'u8': 'Q', 'f4': 'f', 'f8': 'd'}


def array(data):
    """Shape and elements of an array in NumPy's form: numbers, or text."""
    assert data[:8] == b'\x93NUMPY\1\0', data[:8]
    begin = 10 + struct.unpack('<H', data[8:10])[0]
    head = data[10:begin].decode('ascii')
    assert begin % 64 == 0 and head.endswith('\n'), begin
    head = ast.literal_eval(head)
    assert sorted(head) == ['descr', 'fortran_order', 'shape'] and not head['fortran_order'], head
    order, code = head['descr'][0], head['descr'][1:]
    if code[0] == 'S':
        return head['shape'], data[begin:].decode('ascii')
    assert order == ('|' if code[1:] == '1' else '<'), head
    numbers = struct.iter_unpack('<' + LETTERS[code], data[begin:])
    return head['shape'], [number for number, in numbers]



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

    def test_pipes_and_devices(self):
        self.assertEqual(self.good('convert', '/dev/stdin', '/dev/stdout', input='2 1.5\n1 2\n'), '1 2\n2 1.5\n')
        self.assertEqual(self.good('convert', '/dev/stdin', '-', input=SMALL), self.good('convert', 'A.mtx', '-'))
        self.good('convert', 'A.mtx', '/dev/null')
        self.bad(1, 'the file has no entries', 'convert', '/dev/null', '-')
        self.write('B', '1 1 1\n')
        self.bad(1, 'the name does not give the file format', 'convert', 'B', '-')
        run = ('run', 'y(i) = A(i,j) * x(j)', '-i', 'A:/dev/stdin', '-i', 'x:@ones', INTERP)
        self.assertEqual(self.good(*run, input=SMALL), '1 3\n2 9007199254740992\n3 3\n')

    def test_formats(self):
        sorted_by_rows = '1 1 1\n1 4 2\n2 1 9007199254740993\n3 2 3\n'
        for form in ('csr', 'dcsr', 'coo', 'dense', 'ss'):
            self.assertEqual(self.good('convert', 'A.mtx', '-', '-f', form, INTERP), sorted_by_rows, form)
        by_columns = '1 1 1\n2 1 9007199254740993\n3 2 3\n1 4 2\n'
        for form in ('csc', 'dcsc', 'coo:1,0'):
            self.assertEqual(self.good('convert', 'A.mtx', '-', '-f', form, INTERP), by_columns, form)

    def test_edges(self):
        self.write('g.txt', '# FromNodeId\tToNodeId\n0\t2\n1\t0\n')
        self.assertEqual(self.good('convert', 'g.txt', '-', '--base=0'), '0 2 1\n1 0 1\n')
        self.good('convert', 'g.txt', 'g.edges')
        self.assertEqual(self.read('g.edges'), '1 3\n2 1\n')
        self.good('convert', 'g.edges', 'g.mtx')
        self.assertEqual(self.read('g.mtx'),
                         '%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 3\n2 1\n')
        self.good('convert', 'A.mtx', 'A.el')
        self.assertEqual(self.read('A.el'), self.good('convert', 'A.mtx', '-'))
        self.write('t.tns', '1 2 3 0.5\n')
        self.bad(1, 'a list of edges is a matrix, and the tensor has the order 3', 'convert', 't.tns', 't.edges')

    def npz(self, name):
        """The arrays of a .npz file, by their names."""
        with zipfile.ZipFile(self.path(name)) as file:
            self.assertIsNone(file.testzip())
            return {member[:-4]: array(file.read(member)) for member in file.namelist()}

    def test_numpy(self):
        """What is written is what NumPy and SciPy store; it is read back."""
        def form(name, *arguments):
            self.good('convert', 'A.mtx', name, *arguments, INTERP)
            self.assertEqual(sorted(self.good('convert', name, '-').split('\n')),
                             sorted(self.good('convert', 'A.mtx', '-').split('\n')))
            return self.npz(name) if name.endswith('.npz') else None
        big = 9007199254740993
        self.assertEqual(form('csr.npz', '-f', 'csr'), {
            'format': ((), 'csr'), 'shape': ((2,), [3, 4]), 'data': ((4,), [1, 2, big, 3]),
            'indices': ((4,), [0, 3, 0, 1]), 'indptr': ((4,), [0, 2, 3, 4])})
        self.assertEqual(form('csc.npz', '-f', 'csc'), {
            'format': ((), 'csc'), 'shape': ((2,), [3, 4]), 'data': ((4,), [1, big, 3, 2]),
            'indices': ((4,), [0, 1, 2, 0]), 'indptr': ((5,), [0, 2, 3, 3, 4])})
        self.assertEqual(form('coo.npz'), {
            'format': ((), 'coo'), 'shape': ((2,), [3, 4]), 'data': ((4,), [1, 2, big, 3]),
            'row': ((4,), [0, 0, 1, 2]), 'col': ((4,), [0, 3, 0, 1])})
        dense = ((3, 4), [1, 0, 0, 2, big, 0, 0, 0, 0, 3, 0, 0])
        self.assertEqual(form('dense.npz', '-f', 'dense'), {'arr_0': dense})
        form('A.npy')
        with open(self.path('A.npy'), 'rb') as file:
            self.assertEqual(array(file.read()), dense)
        form('byte.npz', '-f', 'bcsr(3,2)')
        self.write('t.tns', '1 2 3 0.5\n2 1 1 -1\n')
        self.good('convert', 't.tns', 't.npz', '-t', 'f32')
        self.assertEqual(self.npz('t.npz'), {
            'format': ((), 'coo'), '_is_array': ((), [True]), 'shape': ((3,), [2, 2, 3]), 'data': ((2,), [0.5, -1]),
            'coords': ((3, 2), [0, 1, 1, 0, 2, 0])})
        self.good('convert', 't.npz', 'u.tns')
        self.assertEqual(self.read('u.tns'), self.read('t.tns'))
        self.good('convert', '-', 's.npy', input='2.5\n')
        self.assertEqual(self.good('convert', 's.npy', '-'), '2.5\n')
        self.bad(1, 'not written compressed by xz', 'convert', 'A.mtx', 'B.mtx.xz')
        if importlib.util.find_spec('scipy'):
            self.check_scipy()

    def check_scipy(self):
        import numpy
        import scipy.io
        import scipy.sparse
        matrix = scipy.io.mmread(io.StringIO(SMALL)).toarray()
        for name in ('csr', 'csc', 'coo'):
            read = scipy.sparse.load_npz(self.path(name + '.npz'))
            self.assertEqual(read.format, name)
            self.assertTrue((read.toarray() == matrix).all() and read.dtype == numpy.int64)
        self.assertTrue((numpy.load(self.path('A.npy')) == matrix).all())
        self.assertEqual(scipy.sparse.load_npz(self.path('t.npz')).shape, (2, 2, 3))

    def test_what_is_kept(self):
        """Pattern, integer and one triangle, where the file that is read has them."""
        banner = '%%MatrixMarket matrix coordinate'
        for head in ('pattern symmetric\n3 3 2\n1 1\n3 2\n', 'integer symmetric\n3 3 2\n1 1 4\n3 2 5\n',
                     'real skew-symmetric\n3 3 1\n3 2 0.5\n', 'complex hermitian\n3 3 2\n1 1 2 0\n3 2 0.5 -1\n',
                     'pattern general\n3 4 2\n1 1\n3 2\n', 'real general\n3 4 2\n1 1 1\n3 2 1\n'):
            text = self.read(self.write('a.mtx', f'{banner} {head}'))
            for form in ((), ('-f', 'csr', INTERP), ('-f', 'dcsc', INTERP), ('-f', 'bcsr(2,2)', INTERP)):
                for via in ('b.mtx', 'b.ttx', 'b.rb', 'b.rb.gz'):
                    self.good('convert', 'a.mtx', via, *form)
                    self.good('convert', via, 'c.mtx')
                    self.assertEqual(self.read('c.mtx'), text, (via, form))
        self.write('a.mtx', f'{banner} real symmetric\n2 2 1\n2 1 5\n')
        self.good('convert', 'a.mtx', 'b.mtx', '--symmetric=no')
        self.assertEqual(self.read('b.mtx'), f'{banner} real general\n2 2 2\n1 2 5\n2 1 5\n')
        self.good('convert', 'b.mtx', 'c.mtx', '--symmetric')
        self.assertEqual(self.read('c.mtx'), self.read('a.mtx'))
        self.bad(1, 'is not skew-symmetric', 'convert', 'b.mtx', 'd.mtx', '--symmetric=skew-symmetric')
        self.bad(1, 'is not symmetric', 'convert', 'A.mtx', 'd.mtx', '--symmetric')
        self.bad(2, "'both' is none of", 'convert', 'b.mtx', 'd.mtx', '--symmetric=both')

    def test_stored_zeros(self):
        """A pattern stays as it is, by way of each format and file that can tell zeros from padding."""
        whole, rest = '1 1 0\n1 4 5\n3 2 0\n', '1 4 5\n'
        self.write('z.mtx', f'%%MatrixMarket matrix coordinate real general\n3 4 3\n{whole}')
        for form, is_padded in (('csr', 0), ('csc', 0), ('coo', 0), ('dcsr', 0), ('ell', 0), ('hash', 0),
                                ('bitmap', 0), ('csb(2)', 0), ('(i,j)->(j-i:dense,i:compressed,j:offset)', 0),
                                ('bcsr(2,2)', 1), ('dia', 1), ('mode-generic', 1), ('dense', 1)):
            for to in ('-', 'b.mtx', 'b.rb', 'b.npz', 'b.edges'):
                text = self.good('convert', 'z.mtx', to, '-f', form, INTERP)
                text = text if to == '-' else self.good('convert', to, '-')
                self.assertEqual(sorted(text.splitlines(True)), (rest if is_padded else whole).splitlines(True),
                                 (form, to))
                text = self.good('convert', 'z.mtx', to, '-f', form, '--drop-zeros', INTERP)
                self.assertEqual(text if to == '-' else self.good('convert', to, '-'), rest, (form, to))

    def test_arrays(self):
        """A dense matrix is an array in a .mtx file, column by column, whatever the order of its levels."""
        banner = '%%MatrixMarket matrix array'
        self.write('a.tns', '1 1 4\n2 1 5\n3 2 6\n')
        for form in ('dense', 'dense:1,0', '(i,j)->(i/2:dense,j:dense,i%2:dense)'):
            self.good('convert', 'a.tns', 'b.mtx', '-f', form, INTERP)
            self.assertEqual(self.read('b.mtx'), f'{banner} real general\n3 2\n4\n5\n0\n0\n0\n6\n', form)
        self.write('s.mtx', '%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 4\n3 3 7\n')
        self.good('convert', 's.mtx', 'b.mtx', '-f', 'dense', INTERP)
        self.assertEqual(self.read('b.mtx'), f'{banner} integer symmetric\n3 3\n0\n4\n0\n0\n0\n7\n')
        self.good('convert', 'b.mtx', 'c.mtx')
        self.assertEqual(self.read('c.mtx'), self.read('s.mtx'))

    def test_papers_formats(self):
        """The arrays and bytes of the example of the paper of the benchmark suite, and its refusals."""
        self.write('ex.tns', EXAMPLE)
        self.write('semi.tns', '1 1 1 1\n1 1 2 2\n2 1 1 3\n2 1 2 4\n3 3 1 5\n3 3 2 6\n')
        for file, form, size, arrays in (
                ('ex.tns', 'coo', 136, ['0  0  1  1  2  2  3  3', '0  1  0  0  1  2  0  3', '0  0  0  2  1  2  1  2']),
                ('ex.tns', 'hicoo(2)', 160, ['0  0  1  1', '0  0  0  1', '0  1  0  1', '0  3  4  6  8',
                                             '0  0  1  1  0  1  0  1', '0  1  0  0  1  0  0  1',
                                             '0  0  0  0  1  1  0  0']),
                ('ex.tns', 'ghicoo(2; 0,1)', 152, ['0  1  1', '0  0  1', '0  4  6  8', '0  0  0  2  1  1  2  2']),
                ('ex.tns', 'shicoo(2; 2)', 170, ['0  1  1', '0  0  1', '0  3  5  7', '0  0  1  0  1  0  1']),
                ('semi.tns', 'scoo(2)', 56, ['0  1  2', '0  0  2', '1  2  3  4  5  6'])):
            text = self.good('info', file, '-f', form, '-t', 'f32')
            said = json.loads(self.good('info', file, '-f', form, '-t', 'f32', '--json'))
            self.assertEqual([said['bytes'], sum(a['bytes'] for a in said['arrays'])], [size, size], form)
            self.assertRegex(text, rf'(?m)^ +all +{size}$')
            for array in arrays:
                self.assertRegex(text, f'(?m)  {array}$', (form, array))
        self.assertEqual([(level['nodes'], level['longest']) for level in said['levels']], [(3, 3), (3, 1), (6, 2)])
        square = ''.join(f'{i} {j} 1\n' for i in range(1, 5) for j in range(1, 5))
        for form, first, second in (('hicoo(1)', '0 0 1 1 0 0 1 1 2 2 3 3 2 2 3 3', '0 1 0 1 2 3 2 3 0 1 0 1 2 3 2 3'),
                                    ('hicoo(1):1,0', '0 0 1 1 0 0 1 1 2 2 3 3 2 2 3 3',
                                     '0 1 0 1 2 3 2 3 0 1 0 1 2 3 2 3'),
                                    ('hicoo(1, lexicographic)', '0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3',
                                     '0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3')):
            lines = self.good('info', self.write('square.tns', square), '-f', form).splitlines()
            crd = [line.split()[5:] for line in lines if line[6:10] == 'crd ']
            self.assertEqual([crd[0], crd[1]], [first.split(), second.split()], form)
        self.write('f.tns', ''.join(f'1 1 {k} {k}\n' for k in range(1, 6)) + '2 3 2 6\n'
                   + ''.join(f'3 1 {k} {k}\n' for k in range(1, 4)))
        for form, fibers, longest in (('fibers(2)', 6, 2), ('bcsf(2)', 6, 2), ('fibers(1)', 9, 1), ('fibers', 3, 5),
                                      ('bcsf(5)', 3, 5)):
            levels = json.loads(self.good('info', 'f.tns', '-f', form, '--json'))['levels']
            self.assertEqual([levels[1]['nodes'], levels[2]['longest']], [fibers, longest], form)
        for form in ('hicoo', 'hicoo(0)', 'hicoo(257)', 'hicoo(2,foo)', 'ghicoo(4; 7)', 'scoo(0,1,2)', 'fibers(0)',
                     'bcsf', '(i,j,k) -> (i : compressed, j : compressed, k : compressed(most=2))',
                     '(i,j,k) -> (i : compressed, j : compressed(nonunique), k : compressed(most=0))',
                     '(i,j,k) -> (i : dense, j : compressed(nonunique), k : dense(most=2))'):
            if 'dense(' in form:
                self.bad(1, 'dense has no bound', 'info', 'ex.tns', '-f', form)
                continue
            self.assertIn('\n  help: ', self.bad(1, form, 'info', 'ex.tns', '-f', form))

    def test_a_name_too_many(self):
        self.write('x.tns', EXAMPLE)
        for words in (('info', 'x.tns', '-f', 'A:hicoo(2)'), ('convert', 'x.tns', '-', '-f', 'A:csf'),
                      ('info', 'x.tns', '-t', 'A:f32'), ('cpd', 'x.tns', '-r', '2', '-f', 'X:mmcsf')):
            alone = words[-1].split(':')[1]
            self.assertIn(f"  help: write {words[-2]} '{alone}'", self.bad(2, 'has no name here', *words))
        self.good('info', 'x.tns', '-f', 'csf:2,1,0')

    def test_names_of_parts(self):
        self.write('x.tns', EXAMPLE)
        self.assertIn('did you mean csf-all?', self.bad(1, 'sell, part, any, mmcsf', 'info', 'x.tns', '-f', 'csf-al'))
        for form, why in (('mmcsf:2,1,0', 'write mmcsf, or mmcsf(static)'), ('heavy', 'write heavy(t)'),
                          ('csf-all(2)', 'write csf-all'), ('mmcsf(dynamic)', 'write mmcsf, or mmcsf(static)')):
            self.bad(1, why, 'info', 'x.tns', '-f', form)

    def test_papers_conversions(self):
        """The same entries, of orders 2 to 5."""
        for order in range(2, 6):
            entries = ''.join(' '.join(str(1 + (n * (m + 3) + n // 5) % 5) for m in range(order)) + f' {n + 1}\n'
                              for n in range(8))
            self.write('x.tns', entries)
            self.good('convert', 'x.tns', 'y.tns')
            for form in ('hicoo(2)', 'ghicoo(2; 1)', f'scoo({order - 1})', 'shicoo(2; 0)', 'fibers', 'fibers(2)',
                         'bcsf(1)'):
                text = self.good('convert', 'x.tns', '-', '-f', form, '--drop-zeros', INTERP)
                self.assertEqual(sorted(text.splitlines()), sorted(self.read('y.tns').splitlines()), (order, form))

    def test_base(self):
        self.write('zero.tns', '0 3 5\n1 0 7\n')
        self.good('convert', 'zero.tns', 'same.tns', '--base=0')
        self.assertEqual(self.read('same.tns'), '0 3 5\n1 0 7\n')
        self.good('convert', 'zero.tns', 'b.mtx', '--base=0')
        self.assertIn('real general\n2 4 2\n1 4 5\n2 1 7\n', self.read('b.mtx'))
        self.assertIn('--base=0', self.bad(1, 'zero.tns:1:1: the coordinate 0 is below 1', 'info', 'zero.tns'))
        self.assertIn('2 x 4', self.good('info', 'zero.tns', '--base=0'))

    def test_standard_input(self):
        self.assertEqual(self.good('convert', '-', '-', input=SMALL), '1 1 1\n1 4 2\n2 1 9007199254740993\n3 2 3\n')
        done = subprocess.run([support.SPCC, 'convert', '-', '-'], input=gzip.compress(SMALL.encode()), check=True,
                              stdout=subprocess.PIPE)
        self.assertEqual(done.stdout, b'1 1 1\n1 4 2\n2 1 9007199254740993\n3 2 3\n')

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

        self.write('c.tns', '1 2 1 -2\n')
        self.bad(1, 'whether a value is the last number of a line or the last two',
                 'convert', 'c.tns', '-', '-t', 'c128')

    def test_wrong(self):
        self.bad(2, 'a file to read and one to write', 'convert', 'A.mtx')
        self.bad(2, 'one argument too many', 'convert', 'A.mtx', 'B.tns', 'C.tns')
        self.bad(1, 'nowhere.mtx: cannot be opened', 'convert', 'nowhere.mtx', 'B.tns')
        self.bad(1, 'does not give the file format', 'convert', 'A.mtx', 'B.dat')
        self.bad(1, 'csx', 'convert', 'A.mtx', 'B.tns', '-f', 'csx')
        self.bad(2, 'f63', 'convert', 'A.mtx', 'B.tns', '-t', 'f63')
        self.bad(2, 'is not an option of spcc convert', 'convert', 'A.mtx', 'B.tns', '-d', 'i:3')


if __name__ == '__main__':
    main()
