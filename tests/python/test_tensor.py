"""spcc.Tensor, files, recipes, and what kernels say of themselves.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import matrix

import spcc

sp = pytest.importorskip('scipy.sparse')

FORMATS = ['csr', 'csc', 'coo', 'dcsr', 'ell', 'dia', 'bcsr(2,3)', 'hash', 'bitmap', 'dense', 'dense:1,0', 'csr(unordered)']


@pytest.mark.parametrize('format', FORMATS)
def test_any_format(rng, format):
    A = matrix(rng, shape=(6, 9))
    T = spcc.Tensor(A, format)
    assert T.shape == (6, 9) and T.ndim == 2 and T.dtype == np.float64 and T.fill == 0 and T.stored >= A.nnz
    assert np.array_equal(T.to_numpy(), A.toarray()) and np.array_equal(np.asarray(T), A.toarray())
    coords, values = T.coords()
    assert sum(values) == A.sum() and len(coords) == 2
    assert np.allclose(spcc.run('y(i) = A(i,j) * x(j)', A=T, x=np.ones(9)), A @ np.ones(9))
    assert T.nbytes == T.values.nbytes + sum(a.nbytes for level in T.levels for a in level.values())
    assert format.split('(')[0].split(':')[0] or repr(T)
    T.check()


@pytest.mark.parametrize('format, name', [('csr', 'csr'), ('csc', 'csc'), ('coo', 'coo'), ('bcsr(2,3)', 'bsr')])
def test_to_scipy_is_a_view(rng, format, name):
    A = matrix(rng, shape=(6, 9))
    T = spcc.Tensor(A, format)
    B = T.to_scipy()
    assert B.format == name and np.array_equal(B.toarray(), A.toarray())
    assert np.shares_memory(B.data, T.values)
    assert np.shares_memory(spcc.Tensor(B).values, T.values)


def test_what_is_no_class_of_scipy(rng):
    T = spcc.Tensor(matrix(rng), 'dcsr')
    with pytest.raises(spcc.UnsupportedError, match='no class'):
        T.to_scipy()
    assert 'stored=' in repr(T)
    assert np.array_equal(T.convert('csr').to_scipy().toarray(), T.to_numpy())
    assert T.convert('coo', 'f4').dtype == np.float32


@pytest.mark.parametrize('format, stored', [('csr', 2), ('coo', 2), ('dense:1,0', 6), ('bcsr(1,3)', 6)])
def test_a_copy_of_an_array_has_what_is_not_the_fill(format, stored):
    a = np.array([[0, 1.0, -0.0], [0, 0, 2]])
    for array in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2], a.astype('>f8'), spcc.Tensor(a), a > 0):
        T = spcc.Tensor(array, format)
        assert T.stored == stored and np.array_equal(T.to_numpy(), array) and 'fill' not in repr(T)
    F = spcc.Tensor(a, format, 'f4', fill=1)
    assert F.stored in (5, 6) and F.fill == 1 and np.array_equal(F.to_numpy(), a)


def test_files_keep_the_sign_of_zero(tmp_path):
    a = np.array([[-0.0, 1], [0, -0.0]])
    for name in ('a.npy', 'a.npz', 'a.mtx'):
        spcc.Tensor(a).write(tmp_path / name)
        for format in (None, 'csr', 'bcsr(1,2)'):
            T = spcc.read(tmp_path / name, format)
            assert np.array_equal(np.signbit(spcc.run('B(i,j) = A(i,j)', A=T, format='dense')), np.signbit(a))
    assert np.array_equal(np.signbit(np.load(tmp_path / 'a.npy')), np.signbit(a))


def test_files_of_one_mode(tmp_path):
    v = sp.coo_array(np.array([0, 1.5, 0, 2]))
    if len(v.shape) != 1:
        pytest.skip('SciPy has no vectors')
    for make in (sp.coo_array, sp.csr_array):
        sp.save_npz(tmp_path / 'v.npz', make(v))
        assert np.array_equal(spcc.read(tmp_path / 'v.npz').to_numpy(), v.toarray())


def test_coordinates_and_fills():
    T = spcc.Tensor.from_coords(([0, 1, 1], [2, 0, 0]), [1.0, 2.0, 3.0], (2, 3), 'csr')
    assert np.array_equal(T.to_numpy(), [[0, 0, 1], [5, 0, 0]])
    F = spcc.Tensor.from_coords(([0], [1]), np.array([7.0]), (2, 2), 'dcsr', fill=-1.5)
    assert F.fill == -1.5 and np.array_equal(F.to_numpy(), [[-1.5, 7], [-1.5, -1.5]])
    C = spcc.Tensor.from_coords(([0],), np.array([1j]), (2,), 'sparse', fill=2 - 1j)
    assert C.fill == 2 - 1j and np.array_equal(C.to_numpy(), [1j, 2 - 1j])
    assert spcc.Tensor.from_coords((), np.array([3.0]), (), 'dense').to_numpy() == 3
    assert spcc.Tensor.from_coords(([1],), np.array([True]), (2,), 'sparse').to_numpy().tolist() == [False, True]


def test_tensors_in_parts(rng):
    dense = rng.random((3, 4, 5)) * (rng.random((3, 4, 5)) < 0.4)
    T = spcc.Tensor(dense, 'mmcsf')
    assert T.format.startswith('part(') and len(T.parts) >= 1 and spcc.Tensor(dense).parts == []
    assert np.array_equal(T.to_numpy(), dense) and sum(part.to_numpy() for part in T.parts).shape == dense.shape
    assert np.array_equal(sum(part.to_numpy() for part in T.parts), dense)
    assert sum(part.values.size for part in T.parts) == T.stored and not T.parts[0].values.flags.writeable
    for name in ('values', 'levels'):
        with pytest.raises(spcc.UnsupportedError, match='in parts'):
            getattr(T, name)
    expected = dense.sum((1, 2))
    assert np.allclose(spcc.run('y(i) = T(i,j,k)', T=T, format=None), expected)
    assert np.allclose(spcc.compile('y(i) = T(i,j,k)', T=T, format=None)(T), expected)
    assert np.array_equal(spcc.Tensor(T, 'csf').to_numpy(), dense)
    with pytest.raises(spcc.UnsupportedError):
        T.to_scipy()


def test_coordinates_that_are_none():
    for coords, values, shape, match in [([[0.5], [0]], [1.0], (2, 2), 'mode 1 have the type float64'),
                                         ([[0], [1, 1]], [1.0], (2, 2), 'mode 2 have the shape'),
                                         ([[0]], [1.0], (2, 2), 'of 1 modes, and the shape has 2'),
                                         ([[0], [0]], [1.0, 2.0], (2, 2), 'mode 1 have the shape')]:
        with pytest.raises(spcc.BindingError, match=match):
            spcc.Tensor.from_coords(coords, values, shape)


def test_files_that_list_coordinates_are_sparse(tmp_path):
    for name, text, format in [('a.mtx', '%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n', 'ds'),
                               ('a.tns', '1 2 5\n2 1 3\n', 'ds'), ('v.tns', '1 2\n3 4\n', 's'),
                               ('t.tns', '1 2 1 5\n2 1 3 3\n', 'sss'),
                               ('d.mtx', '%%MatrixMarket matrix array real general\n2 1\n1\n2\n', 'dd')]:
        (tmp_path / name).write_text(text)
        assert spcc.read(tmp_path / name).format == format, name
    assert spcc.read(tmp_path / 'a.tns', shape=(3, 4)).shape == (3, 4)
    assert spcc.read(tmp_path / 'a.tns', shape=(2**33, 2), format='csc').shape == (2**33, 2)
    (tmp_path / 'far.tns').write_text(f'1 1 1 1\n{2**33} 2 1 5\n')
    far = spcc.read(tmp_path / 'far.tns')
    assert far.shape == (2**33, 2, 1) and far.levels[0]['crd'].tolist() == [0, 2**33 - 1]


def test_files(rng, tmp_path):
    A = matrix(rng)
    spcc.Tensor(A).write(tmp_path / 'a.mtx')
    assert np.array_equal(spcc.read(tmp_path / 'a.mtx', 'csr').to_numpy(), A.toarray())
    assert spcc.read(str(tmp_path / 'a.mtx'), 'csr', np.float32).dtype == np.float32
    with pytest.raises(spcc.FileError, match='none.mtx'):
        spcc.read(tmp_path / 'none.mtx')
    assert spcc.generate('@ones', (3,)).to_numpy().tolist() == [1, 1, 1]
    with pytest.raises(spcc.ArgumentError):
        spcc.generate(3)


def test_kernels_say_what_they_are(rng):
    K = spcc.compile('y(i) = A(i,j) * x(j)', A='csr')
    assert K.names == ('y', 'A', 'x') and 'y(i) = A(i,j) * x(j)' in repr(K)
    assert 'for (' in K.source and 'A2_pos' in K.source
    assert '<pre>' in K.source._repr_html_()
    assert 'csr' in K.explain() or 'ds' in K.explain()
    assert 'forall' in K.schedule and K.lattice and K.lattice.svg.startswith('<svg') and K.graph.svg.startswith('<svg')
    assert K.lattice._repr_svg_() == K.lattice.svg
    with pytest.raises(spcc.ArgumentError, match='no stage'):
        K.emit('assembler')
    assert set(K.engine.values()) <= {'pack', 'clang', 'cc', 'interp'}
    assert 'compressed' in spcc.describe('csr')


def test_schedules_and_operators(rng):
    A, x = matrix(rng), np.ones(7)
    K = spcc.compile('y(i) = A(i,j) * x(j)', A='csc', schedule='reorder(j,i)', serial=True)
    assert np.allclose(K(A.tocsc(), x), A @ x)
    M = spcc.compile('y(i) = sum(j, top(A(i,j), x(j)))', A='csr', operators=['top(x,y) = x > y ? x : y'])
    assert np.allclose(M(A, x), np.maximum(A.toarray(), x).sum(1))


def test_plans_are_measured(rng, tmp_path):
    if not any(is_there for name, is_there, _ in spcc.engines() if name in ('clang', 'cc')):
        pytest.skip('no compiler')
    before = spcc.configure(engine='auto')
    try:
        A = matrix(rng, shape=(50, 50))
        plans = spcc.tune('y(i) = A(i,j) * x(j)', A=A, x=np.ones(50), plans=2, runs=2)
        assert plans and plans[0].trouble is None and plans[0].ms > 0 and 'ms' in repr(plans[0])
        y = spcc.run('y(i) = A(i,j) * x(j)', A=A, x=np.ones(50), schedule=plans[0].schedule)
        assert np.allclose(y, A @ np.ones(50))
    finally:
        spcc.configure(**before)


def test_the_program():
    done = subprocess.run([sys.executable, '-m', 'spcc', 'y(i) = A(i,j) * x(j)', '-f', 'A:csr', '--emit=concrete'],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == 'forall(i) forall(j) y(i) += A(i,j) * x(j)\n'
    done = subprocess.run([sys.executable, '-m', 'spcc', 'y(i) = '], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and 'error' in done.stderr
    assert os.path.exists(spcc.__file__)
