"""einsum: NumPy's spellings, and the cases of its peers' own tests where they are installed.

The peers' tests run with their einsum as it is, and every call of it is noted.  What NumPy accepts of them spcc has to
make the same of: of dense operands, of lists of coordinates, and of CSR where there are two modes.

SPDX-License-Identifier: MIT
"""
import importlib
import inspect
import itertools
import os

import numpy as np
import pytest
from conftest import values

import spcc

sp = pytest.importorskip('scipy.sparse')

SPELLINGS = ['ij,jk->ik', 'ij,jk', 'ij->ji', 'ij->j', 'ij->', 'ii', 'ii->i', 'i,j', 'i,j->ij', 'i,i', 'ij,ij->ij',
             'ij,kj->ik',
             '...j,jk->...k', '...ii->...i', 'i...,i...', 'ij,jk,kl->il', 'ijk,jr,kr->ir', ',ij->ij', 'ab,AB->aB']


def operands(subscripts, rng, dtype='f8'):
    sizes = dict(zip('ijklrabAB', (4, 5, 6, 3, 2, 3, 4, 2, 5)))
    sizes['j' if 'ii' in subscripts else 'z'] = 5
    shapes = []
    for part in subscripts.partition('->')[0].split(','):
        before, dots, after = part.partition('...')
        shape = [sizes[c] for c in before] + [2, 3][:2 if dots else 0] + [sizes[c] for c in after]
        shapes.append(values(rng, dtype, shape))
    return shapes


@pytest.mark.parametrize('subscripts', SPELLINGS)
def test_spellings(rng, subscripts):
    things = operands(subscripts, rng)
    expected = np.einsum(subscripts, *things)
    result = spcc.einsum(subscripts, *things)
    assert np.allclose(result, expected) and np.shape(result) == expected.shape
    out = np.empty(expected.shape)
    assert spcc.einsum(subscripts, *things, out=out) is out and np.allclose(out, expected)


def test_lists_of_numbers(rng):
    a, b = rng.random((3, 4)), rng.random((4, 5))
    assert np.allclose(spcc.einsum(a, [0, 1], b, [1, 2]), a @ b)
    assert np.allclose(spcc.einsum(a, [0, 1], b, [1, 2], [2, 0]), (a @ b).T)
    assert np.allclose(spcc.einsum(a, [..., 1], b, [1, 2], [..., 2]), a @ b)


def test_modes_of_size_one_broadcast(rng):
    a, b = rng.random((3, 1)), rng.random((4, 5))
    assert np.allclose(spcc.einsum('ij,jk->ik', a, b), np.einsum('ij,jk->ik', a, b))
    assert np.allclose(spcc.einsum('...j,...j->...j', rng.random((1, 4)), rng.random((6, 4))).shape, (6, 4))
    with pytest.raises(spcc.UnsupportedError, match='mode 2 of a sparse operand'):
        spcc.einsum('ij,jk->ik', sp.csr_array(a), b)


def test_paths_are_followed(rng):
    a, b, c = rng.random((3, 4)), rng.random((4, 5)), rng.random((5, 6))
    expected = a @ b @ c
    for path in (['einsum_path', (0, 1), (0, 1)], [(1, 2), (0, 1)], [(0, 1, 2)], np.einsum_path('ij,jk,kl', a, b, c)[0],
                 True, False, 'greedy'):
        assert np.allclose(spcc.einsum('ij,jk,kl->il', a, b, c, optimize=path), expected)


def test_complex_operands_go_into_a_real_dtype_if_that_is_said(rng):
    a, b = values(rng, 'c16', (3, 4)), values(rng, 'c8', (4, 2))
    c = rng.random((2, 3))
    for path in (True, [(0, 1), (0, 1)]):
        for first in (a, sp.csr_array(a)):
            result = spcc.einsum('ij,jk,ki->ik', first, b, c, dtype='f8', casting='unsafe', optimize=path, format='dense')
            assert result.dtype == np.float64 and np.allclose(result, np.einsum('ij,jk,ki->ik', a.real, b.real, c))
    with pytest.raises(spcc.BindingError, match='operand 2 of einsum is complex') as caught:
        spcc.einsum('ij,jk->ik', a.real, b, dtype='f8')
    assert 'casting="unsafe"' in caught.value.help
    with pytest.raises(spcc.UnsupportedError, match='casting'):
        spcc.einsum('ij->i', a, casting='some')


def test_sparse_operands_make_sparse_results(rng):
    A = sp.csr_array(values(rng, 'f8', (6, 5)) * (rng.random((6, 5)) < 0.3))
    assert spcc.einsum('ij,jk->ik', A, A.T.tocsr()).format == 'csr'
    assert isinstance(spcc.einsum('ij,j->i', A, np.ones(5)), np.ndarray)
    assert np.array_equal(spcc.einsum('ij,jk->ik', A, np.ones((5, 2)), format='dense'), A @ np.ones((5, 2)))
    assert spcc.einsum('ij->', A, dtype='f4').dtype == np.float32


# ---- the peers' cases ----

PEERS = ['numpy._core.tests.test_einsum', 'numpy.core.tests.test_einsum', 'opt_einsum.tests.test_contract',
         'opt_einsum.tests.test_input', 'opt_einsum.tests.test_edge_cases', 'sparse.numba_backend.tests.test_einsum',
         'sparse.tests.test_einsum']
MOST = 300  # components of an operand


def peers_tests(module):
    """Every test function, bound, with its parameters, as far as those are listed beside it."""
    for name, thing in list(vars(module).items()):
        if inspect.isclass(thing) and name.startswith('Test'):
            for own in dir(thing):
                if own.startswith('test'):
                    yield getattr(thing(), own)
        elif name.startswith('test') and inspect.isfunction(thing):
            yield thing


def parameters_of(test):
    marks = [mark for mark in getattr(test, 'pytestmark', []) if mark.name == 'parametrize']
    choices = []
    for mark in marks:
        names = [n.strip() for n in mark.args[0].split(',')] if isinstance(mark.args[0], str) else list(mark.args[0])
        listed = [getattr(value, 'values', value) for value in list(mark.args[1])[:200]]
        choices.append([dict(zip(names, value if len(names) > 1 else [value])) for value in listed])
    for combination in itertools.product(*choices):
        yield {key: value for part in combination for key, value in part.items()}


def key_of(arguments):
    return tuple(a if isinstance(a, str) else (np.asarray(a).dtype.str, np.shape(a)) if not isinstance(a, list)
                 else tuple(map(str, a)) for a in arguments)


def collect():
    """(the calls of einsum in the peers' tests, the modules that are there)"""
    found, modules, real = {}, [], np.einsum

    def note(*arguments, **named):
        result = real(*arguments, **named)
        if all(np.size(a) <= MOST for a in arguments if not isinstance(a, str)) and np.size(result) <= 10 * MOST:
            found.setdefault(key_of(arguments), (arguments, named.get('dtype'), named.get('casting', 'safe')))
        return result

    for name in PEERS:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        modules.append(name)
        np.einsum = note
        try:
            for test in peers_tests(module):
                for named in itertools.islice(parameters_of(test), 200):
                    try:
                        test(**named)
                    except BaseException as error:  # what fails of the peer's is its own affair
                        if isinstance(error, KeyboardInterrupt):
                            raise
                    cases = [v for v in named.values() if isinstance(v, str) and set(',->').intersection(v)]
                    note_strings(cases, note)
        finally:
            np.einsum = real
    return list(found.values()), modules


def note_strings(cases, note):
    """Subscripts alone, of tests whose own einsum is another's."""
    rng = np.random.default_rng(3)
    for text in cases:
        parts = text.partition('->')[0].split(',')
        letters = sorted(set(text) - set(',->.'))
        sizes = {c: 2 + k % 3 for k, c in enumerate(letters)}
        if '.' in text or not all(c in sizes or c == ',' for c in text.partition('->')[0]) or \
                not all(c.isalpha() for c in letters):
            continue
        try:
            note(text, *[rng.random([sizes[c] for c in part]) for part in parts])
        except (ValueError, TypeError):
            pass


def refusal(arguments, named_dtype):
    """Why spcc need not take it; None: it has to."""
    dtypes = {np.asarray(a).dtype for a in arguments if not isinstance(a, (str, list))}
    if any(d.char in 'egGO' for d in dtypes) or (named_dtype is not None and np.dtype(named_dtype).char in 'egGO'):
        return 'a type that spcc has not'
    return None


def kinds(arguments):
    """The operands dense, as lists of coordinates, as CSR."""
    yield arguments
    for make in (sp.coo_array, sp.csr_array):
        yield [make(a) if isinstance(a, np.ndarray) and a.ndim == 2 and a.dtype.char not in 'egGO' else a
               for a in arguments]


def test_the_peers_cases(capsys):
    calls, modules = collect()
    if not modules:
        pytest.skip('the tests of no peer are installed')
    step = int(os.environ.get('SPCC_EINSUM_STEP', '12'))
    wrong, refused, right = [], {}, 0
    for arguments, dtype, casting in calls[::step]:
        reason = refusal(arguments, dtype)
        if reason:
            refused[reason] = refused.get(reason, 0) + 1
            continue
        expected = np.einsum(*arguments, **({'dtype': dtype, 'casting': 'unsafe'} if dtype else {}))
        for given in kinds(arguments):
            try:
                result = spcc.einsum(*given, dtype=dtype, format=None, casting=casting)
            except spcc.UnsupportedError as error:
                reason = str(error).splitlines()[0]
                refused[reason] = refused.get(reason, 0) + 1
                continue
            result = np.asarray(result)
            good = result.shape == expected.shape and np.allclose(result, expected, rtol=1e-4, equal_nan=True)
            right += good
            # NumPy before 2 looks at the value of a scalar for its type.
            scalar = any(np.ndim(a) == 0 for a in arguments if not isinstance(a, (str, list)))
            if not good or (result.dtype != expected.dtype and not scalar):
                wrong.append((key_of(arguments), [type(g).__name__ for g in given], result.dtype, expected.dtype))
    with capsys.disabled():
        print(f'\n{", ".join(modules)}: {right} right, {len(wrong)} wrong, refused: {refused}')
    assert wrong == [] and right > 20
