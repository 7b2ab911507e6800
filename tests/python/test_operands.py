"""Operands: every class and type, where they lie, and that they are not copied.

SPDX-License-Identifier: MIT
"""
import numpy as np
import pytest
from conftest import TYPES, matrix, values

import spcc
from spcc import _core
from spcc._adapt import adapt

sp = pytest.importorskip('scipy.sparse')

CLASSES = [getattr(sp, f'{format}_{library}') for format in ('csr', 'csc', 'coo', 'bsr', 'dia', 'lil', 'dok')
           for library in ('array', 'matrix')]
IDENTITY = 'B(i,j) = A(i,j)'


def dense(thing):
    return spcc.run(IDENTITY, A=thing, format=None)


@pytest.mark.parametrize('cls', CLASSES, ids=lambda c: c.__name__)
def test_every_class_is_read(rng, cls):
    A = matrix(rng, shape=(8, 6), cls=cls)
    assert np.array_equal(dense(A), A.toarray())


@pytest.mark.parametrize('dtype', TYPES)
@pytest.mark.parametrize('cls', [sp.csr_array, sp.csc_matrix, sp.coo_array, sp.bsr_array, sp.dia_array],
                         ids=lambda c: c.__name__)
def test_every_type_is_read_where_it_is(rng, cls, dtype):
    A = matrix(rng, dtype, (8, 6), cls=cls)
    with spcc.copies() as made:
        operand = adapt(A, 'A')
        assert np.array_equal(dense(A), A.toarray())
    assert made == []
    assert np.shares_memory(operand.values, A.data)
    for own in ('indptr', 'indices', 'coords', 'row'):
        array = getattr(A, own, None)
        if isinstance(array, np.ndarray):
            assert any(np.shares_memory(array, borrowed) for borrowed in operand.arrays)


@pytest.mark.parametrize('dtype', TYPES)
def test_dense_operands_are_read_where_they_are(rng, dtype):
    T = values(rng, dtype, (4, 3, 5))
    for modes in [(0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)]:
        turned = T.transpose(modes)
        with spcc.copies() as made:
            operand = adapt(turned, 'T')
            assert np.array_equal(spcc.run('B(i,j,k) = T(i,j,k)', T=turned), turned)
        assert made == [] and operand.values.ctypes.data == T.ctypes.data


CUTS = [np.s_[::2], np.s_[:, ::-1], np.s_[::-1, 1:], np.s_[:, :3], np.s_[1:-1, ::3], np.s_[::-1, ::-1], np.s_[3:4, ::2],
        np.s_[2], np.s_[:, 2], np.s_[::-3, 2], np.s_[0:0, ::2]]


@pytest.mark.parametrize('dtype', TYPES)
def test_arrays_of_any_strides_are_read_where_they_are(rng, dtype):
    whole = values(rng, dtype, (6, 7))
    for cut in CUTS:
        T = whole[cut]
        letters = 'ij'[:T.ndim]
        with spcc.copies() as made:
            assert np.array_equal(spcc.einsum(f'{letters}->{letters[::-1]}', T), T.T), cut
            assert np.array_equal(spcc.Tensor(T).to_numpy(), T)
            assert np.array_equal(spcc.Tensor(T).convert('dense').to_numpy(), T)
        assert made == []
        assert T.size == 0 or np.shares_memory(adapt(T, 'T').values, whole)


def test_random_views_of_arrays(rng):
    whole = values(rng, 'f8', (5, 4, 6))
    for _ in range(60):
        V = whole.transpose(rng.permutation(3))
        V = V[tuple(slice(None, None, int(rng.choice([-3, -2, -1, 1, 2, 3]))) for _ in range(3))]
        V = V[tuple(slice(int(rng.integers(0, n)), int(rng.integers(1, n + 1))) for n in V.shape)]
        if rng.random() < 0.3:
            V = np.broadcast_to(V[:, :1], V.shape)
        with spcc.copies() as made:
            assert np.array_equal(spcc.run('B(k,j,i) = V(i,j,k)', V=V), V.transpose())
            assert np.allclose(spcc.run('b(j) = V(i,j,k)', V=V), V.sum((0, 2)))
        assert made == []


def test_calls_that_are_repeated_with_arrays_of_any_strides(rng):
    """Such calls are made in C: for each layout that was met, and for objects of the same layout."""
    K = spcc.compile('y(i) = A(i,j) * x(j)')
    whole, line = rng.random((12, 20)), rng.random(40)
    cuts = [whole[:10, ::2], whole[9::-1, ::2], whole[:10, 5:15], whole[:10, 15:5:-1], whole.T[5:15, :10],
            whole.T[5:15, 9::-1], np.broadcast_to(line[:10], (10, 10)), np.broadcast_to(line[:10, None], (10, 10)),
            whole[3:4, :10], whole[0:0, :10], whole[:, :10]]
    lines = [line[:10], line[:20:2], line[30:10:-2], line[9::-1], np.broadcast_to(line[3], (10,))]
    for _ in range(2):
        for A in cuts:
            for x in lines:
                assert np.allclose(K(A, x), A @ x)
    taught = spcc.compile('z(i) = 2 * A(i,j)')
    taught(cuts[0])
    taught._call = None  # Python's part is not needed again
    for A in (cuts[0], cuts[1], cuts[2], whole[1:11, ::2][:, ::-1], cuts[9]):
        assert np.allclose(taught(A), 2 * A.sum(1))


def test_a_mode_that_repeats_its_values(rng):
    x = np.broadcast_to(np.float64(3), (1000, 6))
    K = spcc.compile('y(i) = A(i,j) * x(j)')
    with spcc.copies() as made:
        assert np.array_equal(K(x, np.ones(6)), np.full(1000, 18.0))
    assert made == [] and adapt(x, 'x').borrow().bytes < 100


def test_strides_between_values_are_copied_and_told(rng):
    records = np.zeros(5, [('a', 'c8'), ('b', 'f4')])
    records['a'] = values(rng, 'c8', 5)
    with spcc.copies() as made:
        assert np.array_equal(spcc.run('B(i) = A(i)', A=records['a']), records['a'])
    assert len(made) == 1 and 'multiple' in made[0].reason


def test_other_bytes_lists_and_tables_are_copied_and_told(rng):
    A = matrix(rng)
    for thing, name in [(A.toarray().astype('>f8'), 'bytes'), (A.toarray().tolist(), 'list'), (A.tolil(), 'lil'),
                        (A.todok(), 'dok')]:
        with spcc.copies() as made:
            assert np.array_equal(dense(thing), A.toarray())
        assert any(name in copy.reason for copy in made), name


def test_nothing_is_listed_outside(rng):
    with spcc.copies() as outer:
        with spcc.copies() as inner:
            dense([[1.0, 2.0]])
        dense([[1.0]])
    dense([[3.0]])
    assert len(inner) == 1 and len(outer) == 2


@pytest.mark.parametrize('index', [np.int32, np.int64])
def test_indices_of_both_sizes(rng, index):
    A = matrix(rng)
    A.indices, A.indptr = A.indices.astype(index), A.indptr.astype(index)
    K = spcc.compile('y(i) = A(i,j) * x(j)', A='csr')
    x = values(rng, 'f8', 7)
    with spcc.copies() as made:
        assert np.allclose(K(A, x), A.toarray() @ x)
    assert made == []


def test_unsorted_and_duplicated_entries_stay_as_they_are():
    A = sp.csr_array((np.array([1., 2, 4, 8]), np.array([2, 0, 2, 1]), np.array([0, 3, 4])), shape=(2, 3))
    indices = A.indices.copy()
    assert np.array_equal(dense(A), [[2, 0, 5], [0, 8, 0]])
    assert np.array_equal(A.indices, indices)
    C = sp.coo_array((np.array([1., 2, 4]), (np.array([1, 0, 1]), np.array([2, 0, 2]))), shape=(2, 3))
    assert np.array_equal(dense(C), [[2, 0, 0], [0, 0, 5]])
    assert C.nnz == 3


def test_a_product_of_unsorted_operands(rng):
    A, B = matrix(rng, shape=(6, 5)), matrix(rng, shape=(5, 8))
    A.indices = np.concatenate([A.indices[a:b][::-1] for a, b in zip(A.indptr, A.indptr[1:])])
    A.data = np.concatenate([A.data[a:b][::-1] for a, b in zip(A.indptr, A.indptr[1:])])
    A.has_sorted_indices = False
    C = spcc.run('C(i,j) = A(i,k) * B(k,j)', A=A, B=B)
    assert np.allclose(C.toarray(), A.toarray() @ B.toarray())


@pytest.mark.parametrize('offsets, width', [([0], 7), ([-2, 3], 7), ([1, -1, 0], 7), ([2], 5), ([-3, 0], 11)])
def test_diagonals(rng, offsets, width):
    A = sp.dia_array((values(rng, 'f8', (len(offsets), width)), offsets), shape=(6, 7))
    assert np.array_equal(dense(A), A.toarray())


@pytest.mark.parametrize('size', [(1, 1), (2, 3), (4, 2)])
def test_blocks(rng, size):
    A = sp.bsr_array(matrix(rng, shape=(8, 6)).toarray(), blocksize=size)
    x = values(rng, 'f8', 6)
    assert np.allclose(spcc.run('y(i) = A(i,j) * x(j)', A=A, x=x), A.toarray() @ x)


def test_empty_operands():
    for cls in CLASSES:
        A = cls((3, 4))
        assert np.array_equal(dense(A), np.zeros((3, 4)))
    assert dense(np.empty((0, 4))).shape == (0, 4)
    assert spcc.run('y(i) = A(i,j) * x(j)', A=sp.csr_array((0, 4)), x=np.ones(4)).shape == (0,)
    assert np.array_equal(spcc.run('y(i) = A(i,j) * x(j)', A=sp.csr_array((2, 0)), x=np.ones(0)), [0, 0])


def test_scalars_take_the_others_type(rng):
    A = matrix(rng, 'f4')
    for number in (2, 2.0, np.float32(2), np.array(2, 'f4')):
        C = spcc.run('C(i,j) = s * A(i,j)', s=number, A=A)
        assert C.dtype == np.float32 and np.array_equal(C.toarray(), 2 * A.toarray())
    assert spcc.run('C(i,j) = s * A(i,j)', s=1j, A=A).dtype == np.complex64


def test_classes_of_numpy_and_of_others(rng):
    class Own:
        def __array__(self, dtype=None, copy=None):
            return np.arange(6.0).reshape(2, 3)

    class Lent:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    array = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(dense(Own()), array)
    assert np.array_equal(dense(Lent(array)), array)
    assert adapt(Lent(array), 'A').values.ctypes.data == array.ctypes.data
    assert np.array_equal(dense(np.ma.masked_array(array)), array)
    assert np.array_equal(dense(array.view(np.matrix)), array)
    assert np.array_equal(np.from_dlpack(spcc.Tensor(array)), array)


def test_lists_of_coordinates_of_any_order(rng):
    sparse = pytest.importorskip('sparse')
    T = values(rng, 'f8', (3, 4, 5)) * (rng.random((3, 4, 5)) < 0.3)
    C = rng.random((4, 2))
    for thing in (sparse.COO.from_numpy(T), sparse.GCXS.from_numpy(T), sparse.DOK.from_numpy(T)):
        assert np.allclose(spcc.einsum('ijk,jr->ikr', thing, C, format=None), np.einsum('ijk,jr->ikr', T, C))
    filled = sparse.COO.from_numpy(T, fill_value=1.0)
    assert np.array_equal(spcc.run('B(i,j,k) = A(i,j,k)', A=filled, format=None), T)


def _trusted(monkeypatch):
    """A list that takes of each sparse operand that is borrowed whether its arrays are taken as they are, unchecked."""
    made, borrow = [], _core.borrow

    def noted(format, type, shape, arrays, values, fill, writable, trusted, name):
        made.extend([trusted] if arrays else [])
        return borrow(format, type, shape, arrays, values, fill, writable, trusted, name)
    monkeypatch.setattr(_core, 'borrow', noted)
    return made


def _coo(A):
    return sp.coo_array(A)


def _bsr(A):
    return sp.bsr_array(A, blocksize=(2, 2))


def _pydata(name):
    return lambda A: getattr(pytest.importorskip('sparse'), name).from_scipy_sparse(sp.csr_matrix(A))


@pytest.mark.parametrize('make', [_coo, _bsr, _pydata('COO'), _pydata('GCXS')], ids=['coo', 'bsr', 'COO', 'GCXS'])
def test_large_index_arrays_are_checked_once(rng, monkeypatch, make):
    A = make(matrix(rng, shape=(120, 100), density=0.9))
    trusted = _trusted(monkeypatch)
    first = dense(A)
    assert all(np.array_equal(dense(A), first) for _ in range(3))
    assert trusted == [False, True, True, True]
    other = make(matrix(rng, shape=(120, 100), density=0.9))
    assert not np.array_equal(dense(other), first)
    assert trusted[4:] == [False]


def test_index_arrays_that_are_others_are_checked_anew(rng):
    A = _coo(matrix(rng, shape=(120, 100), density=0.9))
    dense(A)
    for bad in (A.col + 1, A.col - 1):
        wrong = sp.coo_array((A.data, (A.row, A.col)), shape=A.shape)
        wrong.col = bad
        for _ in range(2):
            with pytest.raises(spcc.TensorError, match='A'):
                dense(wrong)
    smaller = sp.coo_array((A.data, (A.row, A.col)), shape=A.shape)
    smaller._shape = (120, 99)
    with pytest.raises(spcc.TensorError, match='A'):
        dense(smaller)


def test_short_index_arrays_are_checked_each_time(rng, monkeypatch):
    A = _coo(matrix(rng))
    trusted = _trusted(monkeypatch)
    dense(A), dense(A)
    assert trusted == [False, False]
    A.col[-1] = 7
    with pytest.raises(spcc.TensorError, match='A'):
        dense(A)
