"""scipy_peer.py - SciPy as a peer of spcc bench, a program of its own (peer.h has the others' conversation).

    scipy_peer.py TYPE scipy|fmm

As fmm it is fast_matrix_market, whose matrices are SciPy's, and which reads and writes files only.
SPDX-License-Identifier: MIT
"""
import gzip
import os
import sys
import time

try:
    import numpy
    import scipy
    import scipy.sparse as sparse
    import scipy.io
    FMM = None
    if sys.argv[2:] == ['fmm']:
        import fast_matrix_market as FMM
except ImportError as missing:
    print('none', missing)
    sys.exit(0)

VALUE = {'f32': numpy.float32, 'f64': numpy.float64, 'bool': numpy.bool_}[sys.argv[1]]


class Case:
    """The tensors of a case: arrays as NumPy's, matrices as SciPy's."""

    def __init__(self, folder, threads):
        self.folder, self.threads, self.statement, self.formats = folder, threads, '', ''
        self.format, self.shape, self.arrays, self.is_result = {}, {}, {}, None
        with open(os.path.join(folder, 'case'), encoding='ascii') as file:
            for line in file:
                self.note(line.rstrip('\n'))

    def note(self, line):
        kind, _, rest = line.partition(' ')
        words = rest.split()
        if kind == 'statement':
            self.statement = rest
        elif kind == 'formats':
            self.formats = rest
        elif kind == 'tensor':
            self.format[words[0]], self.shape[words[0]] = words[1], [int(w) for w in words[3:]]
        elif kind == 'file':
            self.file = rest
            self.written = 'peer' + rest[rest.index('.', rest.rindex('/')):]
        elif kind == 'list' and (self.statement, self.formats) in KERNELS:
            self.list = self.load(words[2], VALUE), *self.load(words[1], numpy.int64).reshape(int(words[0]), -1).T
        elif kind == 'array' and (self.statement, self.formats) in KERNELS:
            self.arrays[tuple(words[:3])] = self.load(words[4], numpy.int32)
        elif kind == 'values' and (self.statement, self.formats) in KERNELS:
            self.arrays[words[0]] = self.load(words[2], VALUE)

    def load(self, name, kind):
        return numpy.fromfile(os.path.join(self.folder, name), kind)

    def tensor(self, name):
        if name == '@':
            return self
        kind, shape, values = self.format[name], self.shape[name], self.arrays[name]
        if kind == 'dense':
            return values.reshape(shape)
        if kind == 'coo':
            return sparse.coo_matrix((values, (self.arrays[name, '0', 'crd'], self.arrays[name, '1', 'crd'])), shape)
        if kind == 'dia':
            # A diagonal has a row's component at the row, and SciPy's at the column.
            offsets = self.arrays[name, '0', 'crd']
            data = numpy.zeros((len(offsets), shape[1]), VALUE)
            for k, d in enumerate(offsets):
                rows = numpy.arange(max(0, -d), min(shape[0], shape[1] - d))
                data[k, rows + d] = values[k * shape[0] + rows]
            return sparse.dia_matrix((data, offsets), shape)
        if kind.startswith('bcsr'):
            side = int(kind[5:].split(',')[0])
            blocks = (values.reshape(-1, side, side), self.arrays[name, '1', 'crd'], self.arrays[name, '1', 'pos'])
            return sparse.bsr_matrix(blocks, [(d + side - 1) // side * side for d in shape])
        make = sparse.csc_matrix if kind == 'csc' else sparse.csr_matrix
        return make((values, self.arrays[name, '1', 'crd'], self.arrays[name, '1', 'pos']), shape)

    def read(self):
        if FMM:
            return FMM.mmread(self.file, parallelism=self.threads)
        scipy.io._fast_matrix_market.PARALLELISM = self.threads
        return scipy.io.mmread(self.file)

    def write(self, matrix):
        path = os.path.join(self.folder, self.written)
        if path.endswith('.gz'):
            with gzip.open(path, 'wb', 6) as out:
                self.write_to(out, matrix)
        else:
            self.write_to(path, matrix)
        return self.written

    def write_to(self, out, matrix):
        if FMM:
            FMM.mmwrite(out, matrix, parallelism=self.threads)
        else:
            scipy.io._fast_matrix_market.PARALLELISM = self.threads
            scipy.io.mmwrite(out, matrix)

    def give(self, result):
        if isinstance(result, str):
            return f'file {result}'
        file = os.path.join(self.folder, 'result.')
        if not sparse.issparse(result):
            numpy.ascontiguousarray(result, VALUE).tofile(file + 'vals')
            return f'dense {result.size}'
        result = result.tocoo()
        numpy.stack((result.row, result.col), 1).astype(numpy.int32).tofile(file + 'crd')
        result.data.astype(VALUE).tofile(file + 'vals')
        return f'sparse {result.nnz}'


def spmv(A, x):
    """Blocks reach beyond a matrix whose size is no multiple of theirs."""
    m = len(x)
    if A.shape[1] == m:
        return A @ x
    return (A @ numpy.pad(x, (0, A.shape[1] - m)))[:m]


def spmv_transposed(A, x):
    m = len(x)
    return A.T @ x if A.shape[0] == m else (A.T @ numpy.pad(x, (0, A.shape[0] - m)))[:m]


def pack(case):
    """What it becomes has the columns of a row in order, and duplicates added."""
    vals, *crd = case.list
    return sparse.coo_matrix((vals, tuple(crd)), case.shape['A'])


def multiply_file(case):
    A = case.read().tocsr().astype(VALUE, copy=False)
    return case.write((A @ numpy.ones(A.shape[1], VALUE)).reshape(-1, 1))


SPMV = 'y(i) = A(i,j) * x(j)'
KERNELS = {
    **{(SPMV, 'A:' + f): (spmv, 'Ax') for f in ('csr', 'csc', 'coo', 'dia', 'bcsr(4,4)')},
    **{('y(j) = A(i,j) * x(i)', 'A:' + f): (spmv_transposed, 'Ax') for f in ('csr', 'csc', 'coo', 'dia', 'bcsr(4,4)')},
    ('y(i) = 0.85 * sum(j, A(i,j) * x(j)) + 0.15 * b(i)', 'A:csr'):
        (lambda A, x, b: VALUE(0.85) * (A @ x) + VALUE(0.15) * b, 'Axb'),
    ('y(i) = any(j, A(i,j) * x(j))', 'A:csr'): (lambda A, x: A @ x, 'Ax'),
    ('y(i) = b(i) - A(i,j) * x(j)', 'A:csr'): (lambda b, A, x: b - A @ x, 'bAx'),
    ('Y(i,r) = A(i,j) * X(j,r)', 'A:csr'): (lambda A, X: A @ X, 'AX'),
    ('C(i,j) = A(i,j) + B(i,j)', 'A:csr B:csr C:csr'): (lambda A, B: A + B, 'AB'),
    ('C(i,j) = A(i,j) + B(i,j)', 'A:coo B:coo C:coo'): (lambda A, B: A + B, 'AB'),
    ('D(i,j) = A(i,j) + B(i,j) + C(i,j)', 'A:csr B:csr C:csr D:csr'): (lambda A, B, C: A + B + C, 'ABC'),
    ('C(i,j) = A(i,j) * B(i,j)', 'A:csr B:csr C:csr'): (lambda A, B: A.multiply(B), 'AB'),
    ('C(i,j) = A(i,k) * A(k,j)', 'A:csr C:csr'): (lambda A: (A @ A).sorted_indices(), 'A'),
    ('C(i,j) = A(i,k) * A(k,j)', 'A:csr C:(i,j)->(i:dense,j:compressed(unordered))'): (lambda A: A @ A, 'A'),
    ('C(i,j) = B(i,j) * A(i,k) * A(k,j)', 'A:csr B:csr C:csr'): (lambda B, A: B.multiply(A @ A), 'BA'),
    ('C(i,j) = A(i,k) * A(k,j) + B(i,j)', 'A:csr B:csr C:csr'): (lambda A, B: A @ A + B, 'AB'),
    ('D(i,j) = A(i,k) * A(k,l) * A(l,j)', 'A:csr D:csr'): (lambda A: (A @ A @ A).sorted_indices(), 'A'),
    ('B(i,j) = A(i,j)', 'A:coo B:csr'): (lambda A: A.tocsr(), 'A'),
    ('B(i,j) = A(i,j)', 'A:csc B:csr'): (lambda A: A.tocsr(), 'A'),
    ('B(i,j) = A(i,j)', 'A:csr B:csc'): (lambda A: A.tocsc(), 'A'),
    ('B(i,j) = A(i,j)', 'A:coo B:csc'): (lambda A: A.tocsc(), 'A'),
    ('B(i,j) = A(i,j)', 'A:bcsr(4,4) B:csr'): (lambda A: A.tocsr(), 'A'),
    ('B(i,j) = A(i,j)', 'A:csc B:coo'): (lambda A: A.tocoo(copy=True), 'A'),
    ('B(i,j) = A(i,j)', 'A:csr B:coo'): (lambda A: A.tocoo(copy=True), 'A'),
    ('B(i,j) = A(i,j)', 'A:csr B:bcsr(4,4)'): (lambda A: A.tobsr((4, 4)), 'A'),
    ('pack A(i,j)', 'A:csr'): (lambda case: pack(case).tocsr(), '@'),
    ('pack A(i,j)', 'A:csc'): (lambda case: pack(case).tocsc(), '@'),
    ('B(i,j) = A(i,j); y(i) = B(i,j) * x(j)', 'A:coo B:csr'): (lambda A, x: A.tocsr() @ x, 'Ax'),
}


# Both have those, on as many threads as are asked for.
FILES = {
    ('read A(i,j)', 'A:csr'): (lambda case: case.read().tocsr(), '@'),
    ('write A(i,j)', 'A:csr'): (lambda case, A: case.write(A), '@A'),
    ('y(i) = A(i,j) * x(j), from file to file', 'A:csr'): (multiply_file, '@'),
}
KERNELS = FILES if FMM else {**KERNELS, **FILES}


def load(folder, threads):
    """The function of the case and what it takes, or None; blocks must fit the matrix."""
    case = Case(folder, threads)
    if threads > 1 and (case.statement, case.formats) not in FILES:
        return None
    function, names = KERNELS.get((case.statement, case.formats), (None, ''))
    is_copy = case.statement == 'B(i,j) = A(i,j)'
    if function and is_copy and 'bcsr(4,4)' in case.formats and any(d % 4 for d in case.shape['A']):
        return None
    return function and (case, function, [case.tensor(name) for name in names])


def turn(function, tensors, turn_ms):
    """Runs for so many milliseconds; the first, in cold caches, does not count if others follow, as one does
    unless it took so long."""
    cold_ms, times, result = 100, [], None
    while not times or (sum(times) < turn_ms and len(times) < 1000) or (len(times) == 1 and times[0] < cold_ms):
        result = None
        begin = time.perf_counter()
        result = function(*tensors)
        times.append(1e3 * (time.perf_counter() - begin))
    return times[1:] or times, result


def main():
    print('peer', f'fast_matrix_market {FMM.__version__}' if FMM else f'SciPy {scipy.__version__}', flush=True)
    loaded = result = None
    for line in sys.stdin:
        words = line.split(None, 2)
        if words[0] == 'case':
            loaded = load(words[2].rstrip('\n'), int(words[1]))
            print('yes' if loaded else 'no', flush=True)
        elif words[0] == 'turn':
            times, result = turn(loaded[1], loaded[2], float(words[1]))
            print('times', *(f'{t:.6f}' for t in times), flush=True)
        elif words[0] == 'result':
            print(loaded[0].give(result), flush=True)
        elif words[0] == 'done':
            loaded = result = None
            print('ok', flush=True)


if __name__ == '__main__':
    main()
