"""Bad input: each is an exception that names operand and mode, and none a crash.

SPDX-License-Identifier: MIT
"""
import pickle
import random
import warnings

import numpy as np
import pytest
from conftest import matrix, values

import spcc

sp = pytest.importorskip('scipy.sparse')

SPMV = 'y(i) = A(i,j) * x(j)'


@pytest.fixture
def K():
    return spcc.compile(SPMV, A='csr')


@pytest.fixture
def A(rng):
    return matrix(rng)


@pytest.fixture(params=[False, True], ids=['first', 'repeated'])
def used(request, K, A):
    """A kernel before its first call, and one whose calls are done in C."""
    if request.param:
        K(A, np.ones(7))
        K(A, np.ones(7))
    return K


def refuses(kind, match, call, *args, **named):
    with pytest.raises(kind, match=match) as caught:
        call(*args, **named)
    assert isinstance(caught.value, spcc.Error) and caught.value.status > 0
    return caught.value


def test_the_statement_is_wrong():
    error = refuses(spcc.StatementError, 'j', spcc.compile, 'y(i) = A(i,j * x(j)')
    assert error.status == 1 and error.code > 0 and '^' in str(error)
    source, text, begin, end = error.span
    assert text == 'y(i) = A(i,j * x(j)' and 0 <= begin <= end <= len(text)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and again.span == error.span and str(again) == str(error)
    refuses(spcc.FormatError, 'cssr', spcc.compile, SPMV, A='cssr')
    refuses(spcc.FormatError, 'f16', spcc.compile, SPMV, A=('csr', 'f16'))
    refuses(spcc.ScheduleError, 'reorder', spcc.compile, SPMV, A='csr', schedule='reorder(k,i)')
    refuses(spcc.ArgumentError, 'B', spcc.compile, SPMV, B='csr')
    refuses(spcc.ArgumentError, 'threds', spcc.configure, threds=2)
    refuses(spcc.ArgumentError, 'fast', spcc.configure, engine='fast')
    refuses(spcc.ArgumentError, 'threads', spcc.configure, threads=-1)


def test_arguments_of_other_types(K, A, tmp_path):
    x = np.ones(7)
    calls = [lambda: spcc.run(3, A=A, x=x), lambda: spcc.compile(None), lambda: spcc.run('y(i)=\0A(i,j)*x(j)', A=A, x=x),
             lambda: spcc.run('y(i) = \udc80A(i,j)', A=A), lambda: spcc.run(SPMV, A=A, x=x, format=3),
             lambda: spcc.compile(SPMV, A='csr', format=3), lambda: spcc.compile(SPMV, A='csr', schedule=3),
             lambda: spcc.compile(SPMV, A='csr', sizes=[1]), lambda: spcc.compile(SPMV, A='csr', sizes={'i': 'a'}),
             lambda: spcc.compile(SPMV, A='csr', operators='f(x) = x'),
             lambda: spcc.compile(SPMV, A='csr', operators=[3]), lambda: spcc.generate('@ones', (1.5,)),
             lambda: spcc.generate('@ones', 3.0), lambda: spcc.generate('@ones', (1,) * 33),
             lambda: spcc.generate('@ones', (2**70,)), lambda: spcc.read(None), lambda: spcc.Tensor(A).write(None),
             lambda: spcc.Tensor(A, 3), lambda: spcc.describe(3), lambda: spcc.configure(threads='2'),
             lambda: spcc.configure(threads=10**9), lambda: spcc.configure(max_memory=-1),
             lambda: spcc.configure(cache=3), lambda: spcc.configure(threads=1, no=2)]
    for call in calls:
        refuses(spcc.ArgumentError, '', call)
    refuses(spcc.BindingError, 'A is declared by something of 0 modes', spcc.compile, SPMV, A=3)
    for path in ([(0, 9), (0, 1)], [(0, 0), (0, 1)], [(0, 'a'), (0, 1)]):
        refuses(spcc.StatementError, 'path', spcc.einsum, 'ij,jk,kl->il', A, A.T, A, optimize=path)
    refuses(spcc.StatementError, 'labels', spcc.einsum, 3)
    before = spcc.configure(cache=tmp_path)  # a refused option leaves the others as they were
    assert spcc.configure(**before)['threads'] == before['threads']


def test_numbers_that_no_type_holds():
    x = np.ones(3, 'u1')
    for a, expected in ((1, 1), (200, 200), (1, 1)):
        assert spcc.run('y(i) = a * x(i)', a=a, x=x).tolist() == [expected] * 3
    refuses(spcc.BindingError, 'a is 1180591620717411303424', spcc.run, 'y(i) = a * x(i)', a=2**70, x=x)
    refuses(spcc.BindingError, 'a is 1180591620717411303424', spcc.run, 'y = a + b', a=2**70, b=1)
    for a in (-1, 300):  # NumPy before 2.0 takes a wider type
        try:
            assert spcc.run('y(i) = a * x(i)', a=a, x=x).tolist() == [a] * 3
        except spcc.BindingError as error:
            assert f'a is {a}, which uint8 does not hold' in str(error)


def test_too_few_and_too_many_operands(used, A):
    x = np.ones(7)
    refuses(spcc.ArgumentError, 'none for x', used, A)
    refuses(spcc.ArgumentError, 'none for A, x', used)
    refuses(spcc.ArgumentError, 'given 3', used, A, x, x)
    refuses(spcc.ArgumentError, 'B', used, A, x, B=x)
    refuses(spcc.ArgumentError, 'x is given twice', used, A, x, x=x)
    refuses(spcc.ArgumentError, 'nothing for x', spcc.run, SPMV, A=A)
    refuses(spcc.ArgumentError, 'z is no tensor', spcc.run, SPMV, A=A, x=x, z=x)


def test_shapes_that_do_not_fit(used, A):
    refuses(spcc.BindingError, 'mode 2 of A|mode 1 of x', used, A, np.ones(6))
    refuses(spcc.BindingError, 'x has 2 modes', used, A, np.ones((7, 1)))
    refuses(spcc.BindingError, 'x has 0 modes', used, A, 3.0)
    refuses(spcc.BindingError, 'y.*mode 1', used, A, np.ones(7), out=np.ones(8))
    refuses(spcc.BindingError, 'y has 2 modes', used, A, np.ones(7), out=np.ones((9, 1)))


def test_types_that_do_not_fit(used, A):
    refuses(spcc.BindingError, 'x has values of the type float32', used, A, np.ones(7, 'f4'))
    refuses(spcc.BindingError, 'A has values of the type int64', used, A.astype('i8'), np.ones(7))
    refuses(spcc.BindingError, 'float16.*', used, A, np.ones(7, 'f2'))
    refuses(spcc.BindingError, 'longdouble|float128', used, A, np.ones(7, np.longdouble))
    refuses(spcc.BindingError, 'x has values of the type object', used, A, np.array([None] * 7))
    refuses(spcc.BindingError, 'x has values of the type <U', used, A, np.array(['a'] * 7))
    refuses(spcc.BindingError, 'x is None', used, A, None)
    refuses(spcc.BindingError, 'A is of the class object', used, object(), np.ones(7))
    refuses(spcc.BindingError, 'x is of the class str', used, A, 'abc')
    refuses(spcc.BindingError, 'x', used, A, [[1, 2], [3]])
    refuses(spcc.BindingError, 'A has the format.*compiled for', used, A.tocsc(), np.ones(7))
    refuses(spcc.BindingError, 'A has the format', used, A.toarray(), np.ones(7))


def test_out_that_cannot_be_written(used, A):
    x = np.ones(7)
    still = np.ones(9)
    still.flags.writeable = False
    refuses(spcc.BindingError, 'y is read-only', used, A, x, out=still)
    refuses(spcc.BindingError, 'float32', used, A, x, out=np.ones(9, 'f4'))
    refuses(spcc.BindingError, '>f8', used, A, x, out=np.ones(9, '>f8'))
    refuses(spcc.BindingError, 'list', used, A, x, out=[0.0] * 9)
    square = matrix(np.random.default_rng(1), shape=(7, 7))
    refuses(spcc.BindingError, 'y shares memory with the operand x', used, square, x, out=x)
    wide = np.ones(12)
    refuses(spcc.BindingError, 'y shares memory with the operand x', used, square, wide[:7], out=wide[3:10])
    sum_of = spcc.compile('C(i,j) = A(i,j) + B(i,j)', A='csr', B='csr')
    refuses(spcc.BindingError, 'C is sparse', sum_of, A, A, out=np.ones((9, 7)))


@pytest.mark.parametrize('wrong, place', [(7, 'crd'), (-1, 'crd'), (2**31 - 1, 'crd')])
def test_an_index_out_of_range(used, A, wrong, place):
    A.indices[3] = wrong
    error = refuses(spcc.TensorError, r'A: level 2.*crd\[3\]', used, A, np.ones(7))
    assert place in str(error)
    refuses(spcc.TensorError, 'A: level 2', spcc.run, SPMV, A=A, x=np.ones(7))


def test_pointers_that_are_wrong(used, A):
    for k, wrong in [(0, 1), (2, 1000), (4, -1), (9, 10**6), (9, 2)]:
        B = A.copy()
        B.indptr[k] = wrong
        with pytest.raises(spcc.Error, match='A'):
            used(B, np.ones(7))


def test_arrays_that_are_too_short(used, A):
    for field in ('data', 'indices', 'indptr'):
        B = A.copy()
        setattr(B, field, getattr(B, field)[:-1].copy())
        with pytest.raises(spcc.Error, match='A'):
            used(B, np.ones(7))
    B = A.copy()
    B.indices = B.indices.astype('f8')
    with pytest.raises(spcc.Error, match='A'):
        used(B, np.ones(7))


def test_long_arrays_are_checked_when_they_are_others(K, rng):
    A = sp.csr_array(np.ones((100, 100)))
    x = np.ones(100)
    for _ in range(3):
        assert np.allclose(K(A, x), 100)
    B = A.copy()
    B.indices[5000] = 1000
    refuses(spcc.TensorError, r'A: level 2.*crd\[5000\]', K, B, x)
    A.indices = B.indices
    refuses(spcc.TensorError, r'A: level 2.*crd\[5000\]', K, A, x)


def test_unsorted_indices_where_sorted_ones_were_declared(used):
    A = sp.csr_array((np.ones(3), np.array([2, 0, 1]), np.array([0, 3])), shape=(1, 7))
    with pytest.raises(spcc.Error, match='A'):
        used(A, np.ones(7))
    assert np.array_equal(spcc.run(SPMV, A=A, x=np.ones(7)), [3])


def test_coordinates_out_of_range():
    for coords in ([0, 9], [0, -1]):
        C = sp.coo_array((np.ones(2), (np.array([0, 1]), np.array([0, 1]))), shape=(2, 2))
        (C.coords if hasattr(C, 'coords') else (C.row, C.col))[1][:] = coords
        refuses(spcc.TensorError, 'A: level 2', spcc.run, SPMV, A=C, x=np.ones(2))
    refuses(spcc.TensorError, 'mode', spcc.Tensor.from_coords, ([0, 5], [0, 1]), np.ones(2), (2, 2))


def test_what_pydata_and_dlpack_say():
    class Elsewhere:
        device = 2

        def __dlpack__(self, **options):
            raise BufferError('on a device')

        def __dlpack_device__(self):
            return self.device, 0

    refuses(spcc.BindingError, 'x is in the memory of a device', spcc.run, SPMV, A=np.ones((2, 2)), x=Elsewhere())
    Elsewhere.device = 1
    refuses(spcc.BindingError, 'x gives no array', spcc.run, SPMV, A=np.ones((2, 2)), x=Elsewhere())
    with pytest.raises(BufferError):
        spcc.generate('@sparse(0.5,1)', (3, 3), 'csr').__dlpack__()


def test_masked_values_are_not_read():
    masked = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    refuses(spcc.BindingError, 'x is a masked array, and 1', spcc.run, SPMV, A=np.ones((2, 2)), x=masked)
    assert np.array_equal(spcc.run(SPMV, A=np.ones((2, 2)), x=masked.filled(0)), [1, 1])
    K = spcc.compile(SPMV)
    assert np.array_equal(K(np.ones((2, 2)), np.ma.masked_array([1.0, 2.0])), [3, 3])
    refuses(spcc.BindingError, 'x is a masked array, and 1', K, np.ones((2, 2)), masked)


def test_the_text_has_the_remedy_once():
    for remedy, call in (('numpy.float32', lambda: spcc.run('y(i) = x(i)', x=np.ones(2, 'f2'))),
                         ('did you mean csr', lambda: spcc.compile('y(i) = A(i,j)', A='csrr'))):
        with pytest.raises(spcc.Error) as caught:
            call()
        assert str(caught.value).count('help: ') == 1 and remedy in str(caught.value) and remedy in caught.value.help


def test_remedies_are_python():
    for remedy, call in (('sizes=', lambda: spcc.run('C(i) = 1')),
                         ("tensors={'format': ...}", lambda: spcc.run('y(i) = format(i)', format=np.ones(2))),
                         ("tensors={'lambda': ...}", lambda: spcc.run('y(i) = lambda(i)'))):
        with pytest.raises(spcc.Error) as caught:
            call()
        assert remedy in caught.value.help
    assert np.array_equal(spcc.run('C(i) = 1', sizes={'i': 3}), np.ones(3))
    assert np.array_equal(spcc.run('C(i) = 1', sizes={'i': 2}), np.ones(2))
    assert spcc.run('y(i) = format(i)', tensors={'format': np.ones(2)}).sum() == 2
    assert spcc.generate('@ones', 3).shape == (3,)


def test_a_note_is_about_the_users_line():
    with pytest.warns(spcc.Note, match='sum over i is around sqrt') as told:
        spcc.run('s = sqrt(x(i) * x(i) * 2)', x=np.ones(3))
    assert told[0].filename == __file__


def test_einsums_mistakes():
    a = np.ones((2, 3))
    for subscripts, operands in [('ij->ik', (a,)), ('ij,jk', (a,)), ('i', (a,)), ('ijk', (a,)), ('ij->ii', (a,)),
                                 ('i.j', (a,)), ('ij;', (a,)), ('...ij...', (a,))]:
        with pytest.raises(spcc.Error):
            spcc.einsum(subscripts, *operands)
    with pytest.raises(spcc.Error, match='two sizes|size'):
        spcc.einsum('ij,jk', a, a)


def test_notes_are_warnings_once(monkeypatch):
    from spcc import _errors
    _errors.forget_notes()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        _errors.note('note: something to know\n')
        _errors.note('note: something to know\n')
    assert [str(w.message) for w in caught] == ['something to know'] and caught[0].category is spcc.Note


def test_random_calls_never_crash(rng):
    """Kernels with what nobody should give them: a result that is right, or an exception of spcc's."""
    pick = random.Random(11)
    A = matrix(rng, shape=(6, 6))
    K = spcc.compile('y(i) = A(i,j) * x(j)', A='csr')
    calls = int(__import__('os').environ.get('SPCC_RANDOM_CALLS', '2000'))
    right = 0
    for _ in range(calls):
        B = A.copy()
        field = pick.choice(['indices', 'indptr', 'data', 'nothing', 'nothing'])
        if field != 'nothing':
            array = getattr(B, field)
            how = pick.choice(['element', 'cut', 'type', 'view', 'swap'])
            if how == 'element' and array.size:
                array[pick.randrange(array.size)] = pick.choice([-1, 0, 1, 5, 6, 7, 100, 2**31 - 1, -2**31])
            elif how == 'cut':
                setattr(B, field, array[:pick.randrange(array.size + 1)])
            elif how == 'type':
                setattr(B, field, array.astype(pick.choice(['f4', 'i8', 'u1', 'i2', 'c16', 'f2'])))
            elif how == 'view':
                setattr(B, field, array[::-1])
            else:
                setattr(B, field, array.byteswap().view(array.dtype.newbyteorder()))
        x = pick.choice([np.ones(6), np.ones(6), np.ones(5), np.ones(12)[::2], np.ones((6, 1)), None, [1] * 6, 1.0,
                         np.ones(6, 'f4'), np.broadcast_to(np.ones(1), (6,))])
        expected = A.toarray() @ np.ones(6)
        out = pick.choice([None, None, np.empty(6), np.empty(7), x, np.empty(12)[::2], np.empty(6, 'i8')])
        try:
            y = K(B, x) if out is None else K(B, x, out=out)
        except spcc.Error:
            continue
        right += 1
        if field == 'nothing':
            assert np.allclose(y, expected)
    assert right > calls // 20


def test_a_format_that_is_none_is_that_of_its_tensor():
    with pytest.raises(spcc.FormatError, match='format of A: cssr is neither'):
        spcc.compile('y(i) = A(i,j) * x(j)', A='cssr')
