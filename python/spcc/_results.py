"""Results as objects of other libraries: views of spcc's memory, which keep it.

SPDX-License-Identifier: MIT
"""
import functools
import sys

import numpy as np

from . import _formats
from ._types import DTYPES, fill_value


def array_of(view, dtype):
    return np.ndarray(len(view), dtype, view)


def wrapper(format, order, type, kind):
    """The function that makes an object of a tensor of this format: of the library `kind` (see Operand.kind)."""
    made, modes = _formats.kind_of(format, order)
    if made == 'dense':
        return functools.partial(_dense, modes)
    if kind != 'spcc':
        scipy = _scipy()
        if kind == 'pydata' and made in ('csr', 'csc', 'coo', 'vector'):
            return _pydata
        if scipy is not None and made in ('csr', 'csc'):
            return _compressed(made, 'matrix' if kind == 'matrix' else 'array', DTYPES[type], format)
        if scipy is not None and made == 'bsr':
            return functools.partial(_blocks, kind, modes)
        if made in ('coo', 'vector'):
            return functools.partial(_coordinates, kind)
    return _tensor


def _scipy():
    if 'scipy.sparse' not in sys.modules:
        try:
            import scipy.sparse
        except ImportError:
            return None
    return sys.modules['scipy.sparse']


def _tensor(core):
    from ._tensor import Tensor
    return Tensor._of(core)


def _dense(modes, core):
    shape, _, values = core.parts()
    array = array_of(values, DTYPES[core.type]).reshape([shape[m] for m in modes])
    return array.transpose(np.argsort(modes)) if modes else array[()]


# ---- scipy.sparse ----

def _compressed(made, library, dtype, format):
    """SciPy's constructors take many times as long as a small kernel.  What one makes of an empty matrix is a pattern
    for others, if what it remembers is what is known here."""
    cls = getattr(_scipy(), f'{made}_{library}')
    properties = _formats.parse(format, 2)[1][1].properties
    index = np.dtype(DTYPES[_formats.parse(format, 2)[1][1].arrays[1][1]])
    ordered, unique = bool(properties & _formats.ORDERED), bool(properties & _formats.UNIQUE)
    pattern = dict(cls((0, 0), dtype=dtype).__dict__)
    known = {'_shape', 'data', 'indices', 'indptr'} <= set(pattern)

    def build(core):
        shape, (pos, crd), values = core.parts()
        data, indices, indptr = array_of(values, dtype), array_of(crd, index), array_of(pos, index)
        if not known:
            return cls((data, indices, indptr), shape=shape, copy=False)
        matrix = cls.__new__(cls)
        fields = matrix.__dict__
        fields.update(pattern)
        fields['_shape'], fields['data'], fields['indices'], fields['indptr'] = shape, data, indices, indptr
        fields['_has_sorted_indices'], fields['_has_canonical_format'] = ordered, ordered and unique
        return matrix
    return build


def _blocks(kind, size, core):
    shape, (pos, crd), values = core.parts()
    rows, columns = size
    if shape[0] % rows or shape[1] % columns:
        return _tensor(core)
    index = np.dtype(DTYPES[_formats.parse(core.format, 2)[1][1].arrays[1][1]])
    data = array_of(values, DTYPES[core.type]).reshape(-1, rows, columns)
    cls = getattr(_scipy(), 'bsr_matrix' if kind == 'matrix' else 'bsr_array')
    return cls((data, array_of(crd, index), array_of(pos, index)), shape=shape, copy=False)


@functools.lru_cache(None)
def _scipy_lists(order):
    """Has SciPy lists of coordinates of this order?  Older ones have matrices alone."""
    scipy = _scipy()
    try:
        return scipy is not None and len(scipy.coo_array((1,) * order).shape) == order
    except (TypeError, ValueError):
        return False


def _lists(core):
    """(coordinates by mode, values) of a list of coordinates, as they are."""
    _, levels = _formats.parse(core.format, len(core.shape))
    coords = [None] * len(levels)
    for level, arrays in zip(levels, core.levels):
        coords[level.map] = array_of(arrays['crd'], DTYPES[dict(level.arrays)['crd']])
    return coords, array_of(core.values, DTYPES[core.type])


def _coordinates(kind, core):
    shape = core.shape
    scipy = _scipy()
    if core.fill == '0' and _scipy_lists(len(shape)):
        coords, values = _lists(core)
        cls = scipy.coo_matrix if kind == 'matrix' and len(shape) == 2 else scipy.coo_array
        made = cls((values, tuple(coords)), shape=shape, copy=False)
        made.has_canonical_format = list(_modes(core)) == list(range(len(shape))) and _is_strict(core)
        return made
    return _pydata(core) if 'sparse' in sys.modules else _tensor(core)


def _modes(core):
    return [level.map for level in _formats.parse(core.format, len(core.shape))[1]]


def _is_strict(core):
    last = _formats.parse(core.format, len(core.shape))[1][-1]
    both = _formats.ORDERED | _formats.UNIQUE
    return last.properties & both == both


# ---- PyData's sparse ----

def _pydata(core):
    import sparse
    dtype = DTYPES[core.type]
    fill = fill_value(core.fill, dtype)
    if _formats.kind_of(core.format, len(core.shape))[0] in ('csr', 'csc'):
        made, modes = _formats.kind_of(core.format, 2)
        shape, (pos, crd), values = core.parts()
        index = DTYPES[_formats.parse(core.format, 2)[1][1].arrays[1][1]]
        return sparse.GCXS((array_of(values, dtype), array_of(crd, index), array_of(pos, index)), shape=shape,
                           compressed_axes=(modes[0],), fill_value=fill)
    coords, values = _lists(core)
    return sparse.COO(np.stack(coords), values, shape=core.shape, has_duplicates=False,
                      sorted=_modes(core) == sorted(_modes(core)), fill_value=fill)
