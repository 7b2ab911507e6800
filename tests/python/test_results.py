"""Results: of which class and type they are, where they go, how long they live.

SPDX-License-Identifier: MIT
"""
import gc

import numpy as np
import pytest
from conftest import TYPES, matrix, values

import spcc

sp = pytest.importorskip('scipy.sparse')

SPMV, PRODUCT, SUM = 'y(i) = A(i,j) * x(j)', 'C(i,j) = A(i,k) * B(k,j)', 'C(i,j) = A(i,j) + B(i,j)'


@pytest.mark.parametrize('cls', [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.csc_matrix], ids=lambda c: c.__name__)
def test_results_are_of_the_operands_class(rng, cls):
    A, B = matrix(rng, shape=(6, 5), cls=cls), matrix(rng, shape=(5, 4), cls=cls)
    C = spcc.run(PRODUCT, A=A, B=B)
    assert type(C) is cls and np.allclose(C.toarray(), A.toarray() @ B.toarray())
    C.check_format(full_check=True)
    assert C.has_canonical_format and type(C + C) is cls
    assert type(spcc.run(SUM, A=A, B=A)) is cls
    mixed = spcc.run(SUM, A=A, B=sp.csr_array(A))
    assert type(mixed).__name__.endswith('_array')


def test_results_act_as_those_of_scipy(rng):
    A = matrix(rng, shape=(6, 6))
    C = spcc.run(PRODUCT, A=A, B=A)
    expected = A @ A
    assert set(vars(C)) >= set(vars(sp.csr_array((1, 1))))
    for f in (lambda M: (M @ M).toarray(), lambda M: M.T.toarray(), lambda M: M[1:3].toarray(), lambda M: M.sum(),
              lambda M: M.copy().toarray(), lambda M: (2 * M).tocsc().toarray(), lambda M: M.power(2).toarray()):
        assert np.allclose(f(C), f(expected))
    C[0, 0] = 9
    assert C[0, 0] == 9


@pytest.mark.parametrize('format, name', [('csr', 'csr'), ('csc', 'csc'), ('coo', 'coo'), ('bcsr(2,2)', 'bsr')])
def test_a_format_is_a_class(rng, format, name):
    A = matrix(rng, shape=(6, 4))
    C = spcc.run('C(i,j) = 2 * A(i,j)', A=A, format=format)
    assert C.format == name and np.array_equal(C.toarray(), 2 * A.toarray())


def test_indices_of_results_are_as_long_as_the_operands(rng):
    A = matrix(rng, shape=(6, 6))
    B = A.copy()
    B.indices, B.indptr = B.indices.astype('i8'), B.indptr.astype('i8')
    for a, b, index in ((A, A, 'i4'), (A, B, 'i8'), (B, B, 'i8')):
        for format in (False, 'csc'):
            C = spcc.run(PRODUCT, A=a, B=b, format=format)
            assert C.indices.dtype == C.indptr.dtype == np.dtype(index)
            assert np.allclose(C.toarray(), A.toarray() @ A.toarray())


def test_sizes_beyond_32_bits(rng):
    """Kernels and results have 64 bits where 32 are too few, and later calls of such kernels are right, too."""
    huge = sp.csc_array((2**31, 1))
    assert spcc.run(SUM, A=huge, B=huge).shape == (2**31, 1)
    K = spcc.compile(SUM, A='csc', B='csc')
    small = sp.csc_array(np.array([[0.0], [3]]))
    tall = sp.csc_array((np.array([5.0]), np.array([2**40]), np.array([0, 1])), shape=(2**41, 1))
    assert K(small, small).toarray().tolist() == [[0], [6]]
    for _ in range(2):
        both = K(tall, tall)
        assert both.shape == (2**41, 1) and both.indices.tolist() == [2**40] and both.data.tolist() == [10]
        assert K(small, small).toarray().tolist() == [[0], [6]]
    T = spcc.Tensor.from_coords([[0, 2**33], [1, 0]], [1.0, 2], (2**34, 2), 'csc')
    assert T.levels[1]['crd'].tolist() == [2**33, 0]
    C = spcc.Tensor.from_coords([[0, 2**33], [1, 0]], [1.0, 2], (2**34, 2))
    assert spcc.Tensor(C, 'dcsr').coords()[0][0].tolist() == [0, 2**33]
    assert spcc.run('s = T(i,j)', T=T) == 3


def test_the_number_of_bits_can_be_changed_at_any_time(rng):
    A = matrix(rng, shape=(6, 6))
    K = spcc.compile(PRODUCT, A='csr', B='csr')
    T = spcc.Tensor(A, 'dcsr')
    assert K(A, A).indices.dtype == np.int32
    before = spcc.configure(index_bits=64)
    try:
        wide = spcc.Tensor(A, 'dcsr')
        assert wide.levels[1]['crd'].dtype == np.int64 and T.levels[1]['crd'].dtype == np.int32
        assert K(A, A).indices.dtype == np.int64
        assert np.allclose(spcc.run('y(i) = T(i,j) * W(i,j)', T=T, W=wide, format=None), (A * A).sum(1))
    finally:
        spcc.configure(**before)
    assert wide.levels[1]['crd'].dtype == np.int64 and np.array_equal(wide.to_numpy(), A.toarray())
    assert K(A, A).indices.dtype == np.int32 and np.allclose(K(A, A).toarray(), (A @ A).toarray())
    with pytest.raises(spcc.ArgumentError, match='32 or 64'):
        spcc.configure(index_bits=16)
    assert spcc.configure()['index_bits'] == before['index_bits']


def test_what_sees_the_arrays_of_a_tensor_keeps_them(rng):
    A = matrix(rng, shape=(60, 60))
    K = spcc.compile('C(i,j) = s * A(i,j)', A='dcsr', format='dcsr')
    big, small = spcc.Tensor(A, 'dcsr'), spcc.Tensor(matrix(rng, shape=(60, 60), density=0.05), 'dcsr')
    out = K(2.0, small)
    seen = out.values, out.levels[1]['crd'], K(1.0, small).values
    before = [array.copy() for array in seen]
    for operand in (big, small, big, big, small):
        assert K(3.0, operand, out=out) is out
        assert np.array_equal(out.to_numpy(), 3 * operand.to_numpy())
    assert all(np.array_equal(a, b) for a, b in zip(seen, before))
    update = spcc.compile('U(i,j) += A(i,j)', A='csr', U='csr')
    U = spcc.Tensor(A, 'csr', 'f4').convert('csr', 'f8')
    values = U.values
    kept = values.copy()
    update(A, out=U)
    assert np.array_equal(U.to_numpy(), 2 * A.toarray()) and np.array_equal(values, kept)


def test_other_formats_are_tensors(rng):
    A = matrix(rng, shape=(6, 4))
    for format in ('dcsr', 'ell', 'dia', 'bitmap', 'hash', 'bcsr(4,4)'):
        C = spcc.run('C(i,j) = 2 * A(i,j)', A=A, format=format)
        assert isinstance(C, spcc.Tensor), format
        assert np.array_equal(C.to_numpy(), 2 * A.toarray()), format
    assert np.array_equal(spcc.run('C(i,j) = 2 * A(i,j)', A=A, format='dense:1,0'), 2 * A.toarray())


def test_one_mode_and_three(rng):
    A = matrix(rng)
    y = spcc.run('y(j) = A(i,j)', A=A)
    total = y.toarray() if hasattr(y, 'toarray') else np.asarray(y)
    assert np.allclose(total.reshape(-1), A.toarray().sum(0))
    T = spcc.generate('@sparse(0.2,3)', (4, 5, 6), 'csf')
    D = spcc.run('D(i,j,k) = 2 * T(i,j,k)', T=T)
    assert np.allclose(spcc.Tensor(D).to_numpy(), 2 * T.to_numpy())


@pytest.mark.parametrize('a', TYPES)
@pytest.mark.parametrize('b', ['f4', 'i8', 'u1', '?', 'c8'])
def test_numpys_promotion_is_the_results_type(rng, a, b):
    A, x = matrix(rng, a), values(rng, b, 7)
    try:
        expected = A.toarray() @ x
    except TypeError:
        pytest.skip('NumPy has no such product')
    y = spcc.run(SPMV, A=A, x=x)
    assert y.dtype == np.result_type(a, b) and np.allclose(y, expected)


def test_dtype_and_fill(rng):
    A = matrix(rng, 'f4')
    assert spcc.run('C(i,j) = A(i,j)', A=A, dtype='f8').dtype == np.float64
    assert spcc.run('s = A(i,j)', A=A, dtype=np.float64) == A.toarray().sum()
    K = spcc.compile('C(i,j) = A(i,j) + 1', A=('csr', 'f4'), format='dcsr', fill=1)
    C = K(A)
    assert C.fill == 1 and C.dtype == np.float32 and np.array_equal(C.to_numpy(), A.toarray() + 1)


def test_scalars_are_scalars_of_numpy(rng):
    A = matrix(rng)
    K = spcc.compile('s = A(i,j) * A(i,j)', A='csr')
    for _ in range(3):
        s = K(A)
        assert isinstance(s, np.float64) and np.isclose(s, (A.toarray() ** 2).sum())


# ---- out ----

def test_out_is_written_and_returned(rng):
    A, x = matrix(rng), values(rng, 'f8', 7)
    K = spcc.compile(SPMV, A='csr')
    for _ in range(3):
        y = np.full(9, np.nan)
        assert K(A, x, out=y) is y and np.allclose(y, A @ x)
        assert K(x=x, A=A, out=y) is y
        assert spcc.run(SPMV, A=A, x=x, y=y) is y


def test_out_of_any_strides(rng):
    A = matrix(rng)
    B = values(rng, 'f8', (7, 4))
    text = 'C(i,j) = A(i,k) * B(k,j)'
    expected = A.toarray() @ B
    for out in (np.empty((9, 4)), np.empty((4, 9)).T, np.empty((9, 8))[:, ::2], np.empty((9, 4))[::-1]):
        for _ in range(2):
            out[...] = 0
            assert spcc.run(text, A=A, B=B, out=out) is out and np.allclose(out, expected)


def test_what_lies_in_out_does_not_matter(rng):
    A, x = matrix(rng, '?'), np.ones(7, bool)
    junk = np.full(18, 255, 'u1').view(bool)
    K = spcc.compile(SPMV, A=('csr', bool), x=bool)
    for call in (K, K, lambda A, x, out: spcc.run(SPMV, A=A, x=x, out=out)):
        for out in (junk[:9], junk[::2]):
            out.view('u1')[:] = 255
            assert call(A, x, out=out) is out and np.array_equal(out.view('u1'), (A.toarray() @ x).view('u1'))
    junk.view('u1')[:] = 255
    with pytest.raises(spcc.TensorError, match='vals.0. is 255, which is no bool'):
        spcc.run('y(i) |= and(A(i,j), x(j))', A=A, x=x, y=junk[:9])


def test_compound_assignments_read_out(rng):
    A, x = matrix(rng), values(rng, 'f8', 7)
    K = spcc.compile('y(i) += A(i,j) * x(j)', A='csr')
    y = np.ones(9)
    for n in range(1, 4):
        K(A, x, out=y)
        assert np.allclose(y, 1 + n * (A @ x))
    with pytest.raises(spcc.BindingError, match='y is read'):
        K(A, x)


def test_a_tensor_as_out_keeps_its_room(rng):
    A = matrix(rng)
    K = spcc.compile('C(i,j) = 2 * A(i,j)', A='csr', format='csr')
    T = spcc.Tensor(K(A))
    out = spcc.run('C(i,j) = 3 * A(i,j)', A=A, format='dcsr')
    K2 = spcc.compile('C(i,j) = 2 * A(i,j)', A='csr', format='dcsr')
    assert K2(A, out=out) is out and np.array_equal(out.to_numpy(), 2 * A.toarray())
    assert np.array_equal(T.to_numpy(), 2 * A.toarray())


def test_several_results(rng):
    A, x, w = matrix(rng), values(rng, 'f8', 7), values(rng, 'f8', 9)
    K = spcc.compile('y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)', A='csr')
    for _ in range(2):
        y, z = K(A, x, w)
        assert np.allclose(y, A @ x) and np.allclose(z, A.T @ w)
    y0, z0 = np.empty(9), np.empty(7)
    K(A, x, w, out=(y0, z0))
    assert np.allclose(y0, A @ x) and np.allclose(z0, A.T @ w)


# ---- memory ----

def test_results_are_views_that_keep_their_memory(rng):
    A, B = matrix(rng, shape=(40, 30)), matrix(rng, shape=(30, 20))
    expected = A.toarray() @ B.toarray()
    K = spcc.compile(PRODUCT, A='csr', B='csr')
    C = K(A, B)
    assert C.data.base is not None and not C.data.flags.owndata and C.data.flags.writeable
    data, indices, indptr = C.data, C.indices, C.indptr
    del A, B, K, C
    gc.collect()
    junk = [np.full(1000, np.nan) for _ in range(100)]
    assert np.allclose(sp.csr_array((data, indices, indptr), shape=(40, 20)).toarray(), expected) and len(junk) == 100


def test_borrowed_operands_stay_while_a_tensor_has_them(rng):
    A = matrix(rng)
    expected = A.toarray()
    T = spcc.Tensor(A)
    assert T.levels[1]['crd'].ctypes.data == A.indices.ctypes.data and T.values.ctypes.data == A.data.ctypes.data
    assert not T.values.flags.writeable
    del A
    gc.collect()
    assert np.array_equal(T.to_numpy(), expected)


def test_results_of_other_runs_are_not_touched(rng):
    A = matrix(rng)
    K = spcc.compile('C(i,j) = 2 * A(i,j)', A='csr')
    first = K(A)
    kept = first.toarray()
    for k in range(5):
        A.data[:] = k
        K(A)
    assert np.array_equal(first.toarray(), kept)


PROMOTED = [('y(i) = a(i) * 2.5', 'f8'), ('y(i) = 2 * a(i)', 'i8'), ('y(i) = a(i) + b(i)', 'f8'),
            ('y(i) = sqrt(a(i))', 'f8'), ('y(i) = sqrt(b(i))', 'f4'), ('y(i) = 0.5 * b(i)', 'f4'),
            ('y(i) = a(i) > 1', '?'), ('y(i) = abs(c(i))', 'f4'), ('y(i) = real(c(i)) + b(i)', 'f4'),
            ('y(i) = c(i) * d(i)', 'c16'), ('y(i) = e(i) + e(i)', 'i1'), ('y(i) = e(i) * b(i)', 'f4'),
            ('y(i) = select(a(i) > 1, e(i), 0)', 'i1'), ('y = sum(i, a(i) > 1)', 'i8'), ('y = any(i, a(i) > 1)', '?'),
            ('y = sum(i, f(i))', '?'), ('y(i) = i32(d(i))', 'i4'), ('y(i) = 3', 'f8'), ('y(i) = a(i) / e(i)', 'i8'),
            ('y = a(i) * b(i)', 'f8')]


@pytest.mark.parametrize('statement, dtype', PROMOTED)
def test_the_type_of_a_result_is_that_of_its_value(statement, dtype):
    all = {'a': np.array([1, 2, 7]), 'b': np.ones(3, 'f4'), 'c': np.array([1j, 2, 3], 'c8'), 'd': np.array([2., 3, 4]),
           'e': np.ones(3, 'i1'), 'f': np.array([True, False, True])}
    given = {name: all[name] for name in spcc._run.statement_of(statement).operands}
    if not given:
        given['sizes'] = {'i': 3}
        assert spcc.compile(statement, **given)().dtype == dtype
        return
    run, compiled = spcc.run(statement, **given), spcc.compile(statement, **given)(**given)
    assert run.dtype == compiled.dtype == dtype
    assert np.array_equal(run, compiled)


def test_results_are_no_integers_where_numpys_are_floats():
    a = np.array([1, 2, 7])
    assert np.array_equal(spcc.run('y(i) = a(i) * 2.5', a=a), a * 2.5)
    assert np.array_equal(spcc.run('y(i) = sqrt(a(i))', a=a), np.sqrt(a))
    assert spcc.run('n = sum(i, a(i) > 1)', a=a) == 2
    assert np.array_equal(spcc.run('y(i) = f64(a(i)) / 2', a=a), a / 2)


@pytest.mark.parametrize('text, help', [('i8', "'int64' or 'int8'"), ('u8', "'uint64' or 'uint8'")])
def test_types_that_numpy_spells_for_others(text, help):
    a = np.array([1, 2, 7])
    for call in (lambda: spcc.run('y(i) = a(i)', a=a, dtype=text), lambda: spcc.compile('y(i) = a(i)', a=text),
                 lambda: spcc.compile('y(i) = a(i)', a=('dense', text))):
        with pytest.raises(spcc.FormatError, match='8 bytes') as caught:
            call()
        assert help in caught.value.help
    assert spcc.compile('y(i) = a(i)', a=('dense', 'i2'))(a.astype('i2')).dtype == 'i2'
    assert spcc.compile('y(i) = a(i)', a='f4')(a.astype('f4')).dtype == 'f4'
    assert spcc.run('y(i) = a(i)', a=a, dtype='i16').dtype == 'i2'
