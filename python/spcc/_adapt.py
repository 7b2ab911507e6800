"""Objects of other libraries as operands: which format they are, and which arrays they have.

Nothing is copied that spcc can read where it is.  What is copied is told to copies().

SPDX-License-Identifier: MIT
"""
import functools
import sys
import threading

import numpy as np

from . import _core, _formats
from ._errors import BindingError
from ._known import facts_of
from ._types import NAMES, fill_text, value_name

_LETTERS = 'ijklmnopqrstuvwxyzabcdefghIJKLMN'


class Copy:
    """A copy that had to be made: of which operand, why, and how many bytes."""

    def __init__(self, name, reason, bytes):
        self.name, self.reason, self.bytes = name, reason, bytes

    def __repr__(self):
        return f'Copy({self.name}: {self.reason}, {self.bytes} bytes)'


_copies = threading.local()


class copies:
    """with copies() as made: made is the list of the copies of operands made inside."""

    def __enter__(self):
        self.outer = getattr(_copies, 'list', None)
        self.made = _copies.list = []
        return self.made

    def __exit__(self, *error):
        _copies.list = self.outer
        if self.outer is not None:
            self.outer.extend(self.made)


def tell_copy(name, reason, array):
    made = getattr(_copies, 'list', None)
    if made is not None:
        made.append(Copy(name, reason, array.nbytes))
    return array


class Operand:
    """An object as spcc can borrow it."""
    __slots__ = ('name', 'cls', 'format', 'shape', 'arrays', 'values', 'fill', 'attributes', 'core', 'kind', 'facts')

    def __init__(self, name, cls, format, shape, arrays, values, attributes=None, fill=None, kind='dense', facts=None):
        self.name, self.cls, self.format, self.shape = name, cls, format, shape
        self.arrays, self.values, self.fill = arrays, values, fill
        self.attributes = attributes  # by which a caller in C finds its arrays; None: it cannot
        self.core = None
        self.kind = kind              # of library: dense, matrix, array, pydata, spcc
        self.facts = facts            # what is known of the arrays (_known.py)

    @property
    def type(self):
        return self.core.type if self.core is not None else NAMES[self.values.dtype]

    def borrow(self, is_wide=False):
        if self.core is None:
            format = _formats.spelled(self.format, len(self.shape), is_wide)
            checked = format, self.shape, self.values.size
            remembers = self.facts is not None and self.values.dtype != bool  # whose values are checked, too
            is_checked = remembers and checked in self.facts
            self.core = _core.borrow(format, self.type, self.shape, self.arrays, self.values, self.fill, False, is_checked,
                                     self.name)
            if remembers:
                self.facts[checked] = True
        return self.core


def adapt(thing, name):
    """The operand that a thing is; BindingError if it is none."""
    adapter = _ADAPTERS.get(type(thing)) or _find_adapter(thing, name)
    return adapter(thing, name)


# ---- arrays ----

@functools.lru_cache(None)
def dense_format(levels):
    """The modes, level by level, as a format; None: in order."""
    if list(levels) == sorted(levels):
        return None
    return 'dense:' + ','.join(map(str, levels))


def layout(array):
    """The modes of an array from the farthest strides to the nearest, if there are no gaps; None: there are."""
    if array.flags.c_contiguous:
        return tuple(range(array.ndim))
    if array.flags.f_contiguous:
        return tuple(range(array.ndim))[::-1]
    order = sorted(range(array.ndim), key=lambda m: (-array.strides[m], m))
    stride = array.itemsize
    for m in reversed(order):
        if array.shape[m] != 1 and array.strides[m] != stride:
            return None
        stride *= array.shape[m]
    return tuple(order)


def readable(array, name, what='values'):
    """The array as C reads one of its type; a copy where it has other bytes, no alignment, or strides between values."""
    if not array.dtype.isnative:
        return tell_copy(name, f'{what} with the bytes of another machine', array.astype(array.dtype.newbyteorder('=')))
    if not array.flags.aligned:
        return tell_copy(name, f'{what} that are not aligned', array.copy())
    if any(stride % array.itemsize for stride, size in zip(array.strides, array.shape) if size > 1):
        return tell_copy(name, f'{what} whose strides are no multiple of their size', array.copy())
    return array


def _flat(array, name, what):
    array = readable(np.asarray(array), name, what)
    if not array.flags.c_contiguous:
        array = tell_copy(name, f'{what} with gaps between elements', np.ascontiguousarray(array))
    return array


def values_of(array, name):
    array = _flat(array, name, 'values')
    value_name(array.dtype, name)
    return array


def from_numpy(array, name):
    cls = type(array)
    if cls is not np.ndarray and np.any(getattr(array, 'mask', False)):
        raise BindingError(f'{name} is a masked array, and {np.count_nonzero(array.mask)} of its values are masked',
                           help=f'{name}.filled(0) is an array with other values there')
    array = np.asarray(array)
    value_name(array.dtype.newbyteorder('=') if not array.dtype.isnative else array.dtype, name)
    array = readable(array, name)
    levels = layout(array)
    attributes = () if cls in (np.ndarray, np.memmap) else None  # others may have more to look at, as masks
    if levels is None:
        operand = Operand(name, cls, None, array.shape, (), array, attributes)
        operand.core = _formats.roomy(lambda: _core.borrow_strided(array, name))
        operand.format = operand.core.format
        return operand
    return Operand(name, cls, dense_format(levels), array.shape, (), array.transpose(levels), attributes)


_HOST, _PINNED = (1, 0), 3  # of DLPack's devices


def _from_scalar(value, name):
    if type(value) is int and not -2**63 <= value < 2**64:
        raise BindingError(f'{name} is {value}, which no type holds')
    return from_numpy(np.asarray(value), name)


def _from_list(value, name):
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise BindingError(f'{name}: {error}') from None
    return from_numpy(tell_copy(name, 'a list', array), name)


def _from_dlpack(thing, name):
    device = thing.__dlpack_device__() if hasattr(thing, '__dlpack_device__') else _HOST
    if device[0] not in (_HOST[0], _PINNED):
        raise BindingError(f'{name} is in the memory of a device (DLPack\'s number {int(device[0])}), which kernels for '
                           'this machine\'s processor do not read', help='copy it: .cpu(), .get()')
    try:
        array = np.from_dlpack(thing)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise BindingError(f'{name} gives no array of this machine\'s memory by __dlpack__: {error}') from None
    return from_numpy(array, name)


def _from_array_interface(thing, name):
    return from_numpy(np.asarray(thing), name)


# ---- scipy.sparse ----

@functools.lru_cache(None)
def compressed_format(order, first, second, index, properties=''):
    """A dense level of mode `first` and a compressed one of mode `second`; of a vector the latter alone."""
    options = f'compressed({properties}pos={NAMES[index]}, crd={NAMES[index]})'
    modes = ','.join(_LETTERS[:order])
    level = f'{_LETTERS[second]} : {options}'
    return f'({modes}) -> ({level})' if order == 1 else f'({modes}) -> ({_LETTERS[first]} : dense, {level})'


def canonical(matrix):
    """What the levels have to be: SciPy remembers what it has found."""
    try:
        if matrix.has_canonical_format:
            return ''
        return 'nonunique, ' if matrix.has_sorted_indices else 'unordered, nonunique, '
    except (TypeError, ValueError):  # of arrays that do not go together, which are refused later
        return 'unordered, nonunique, '


def _indices(matrix, name):
    indptr, indices = _flat(matrix.indptr, name, 'indptr'), _flat(matrix.indices, name, 'indices')
    for what, array in (('indptr', indptr), ('indices', indices)):
        if array.dtype not in NAMES or array.dtype.kind not in 'iu' or array.ndim != 1:
            raise BindingError(f'{name}: {what} is of the type {array.dtype}, with {array.ndim} modes')
    if indptr.dtype != indices.dtype:
        indptr = tell_copy(name, 'indptr of another type than indices', indptr.astype(indices.dtype))
    return indptr, indices


def _library(matrix):
    return 'array' if type(matrix).__name__.endswith('_array') else 'matrix'


def _from_compressed(matrix, name):
    column = matrix.format == 'csc'
    indptr, indices = _indices(matrix, name)
    values = values_of(matrix.data, name)
    n = int(indptr[-1]) if indptr.size else 0
    format = compressed_format(len(matrix.shape), 1 if column else 0, 0 if column or len(matrix.shape) == 1 else 1,
                               indices.dtype, canonical(matrix))
    if not 0 <= n <= min(indices.size, values.size):
        raise BindingError(f'{name}: indptr ends at {n}, and there are {min(indices.size, values.size)} entries')
    return Operand(name, type(matrix), format, matrix.shape, (indptr, indices[:n]), values[:n],
                   ('indptr', 'indices', 'data') if n == indices.size == values.size else None,
                   kind=_library(matrix), facts=facts_of((matrix.indptr, matrix.indices)))


@functools.lru_cache(None)
def list_format(order, index, sorted, unique):
    """A list of coordinates."""
    type = NAMES[index]
    loose = '' if sorted else 'unordered, '
    last = '' if unique else 'nonunique, '
    modes = _LETTERS[:order]
    levels = [f'{modes[0]} : compressed({loose}{last if order == 1 else "nonunique, "}pos=i64, crd={type})']
    for m in range(1, order):
        levels.append(f'{modes[m]} : singleton({loose}{last if m == order - 1 else "nonunique, "}crd={type})')
    return f'({",".join(modes)}) -> ({", ".join(levels)})'


def _is_sorted(coords):
    """Are they in the order of the modes, as SciPy's and PyData's lists are once duplicates were summed?"""
    if coords[0].size < 2:
        return True
    equal = np.ones(coords[0].size - 1, bool)
    for column in coords:
        if np.any(equal & (column[1:] < column[:-1])):
            return False
        equal &= column[1:] == column[:-1]
    return not equal.any()


def coordinates(coords, values, shape, canonical, name, cls, kind, facts, fill=None):
    coords = tuple(_flat(c, name, f'coordinates of mode {m + 1}') for m, c in enumerate(coords))
    index = coords[0].dtype
    if index not in NAMES or any(c.dtype != index for c in coords):
        coords = tuple(tell_copy(name, 'coordinates of several types', c.astype(np.int64)) for c in coords)
        index = np.dtype(np.int64)
    facts = {} if facts is None else facts
    if canonical and 'sorted' not in facts:
        facts['sorted'] = _is_sorted(coords)
    canonical = canonical and facts['sorted']
    end = np.array([0, coords[0].size])
    return Operand(name, cls, list_format(len(coords), index, canonical, canonical), tuple(shape), (end, *coords),
                   values_of(values, name), kind=kind, fill=fill, facts=facts)


def _from_coo(matrix, name):
    coords = matrix.coords if hasattr(matrix, 'coords') else (matrix.row, matrix.col)
    return coordinates(coords, matrix.data, matrix.shape, matrix.has_canonical_format, name, type(matrix),
                       _library(matrix), facts_of(coords))


@functools.lru_cache(None)
def _block_format(rows, columns, index, properties):
    options = f'compressed({properties}pos={NAMES[index]}, crd={NAMES[index]})'
    return f'(i,j) -> (i/{rows} : dense, j/{columns} : {options}, i%{rows} : dense, j%{columns} : dense)'


def _from_blocks(matrix, name):
    indptr, indices = _indices(matrix, name)
    format = _block_format(*matrix.blocksize, indices.dtype, canonical(matrix))
    values = values_of(matrix.data, name)
    n = int(indptr[-1]) if indptr.size else 0
    return Operand(name, type(matrix), format, matrix.shape, (indptr, indices[:n]), values[:n].reshape(-1),
                   kind=_library(matrix), facts=facts_of((matrix.indptr, matrix.indices)))


def _from_diagonals(matrix, name):
    """SciPy has a diagonal's value at its column, and so is i-j stored, and a range of columns below."""
    columns = matrix.shape[1]
    values = values_of(matrix.data, name)
    index = np.dtype(np.int32 if max(matrix.shape) < 2**31 else np.int64)
    offsets = np.asarray(matrix.offsets, index)
    inside = (offsets < columns) & (offsets > -matrix.shape[0])
    if values.shape[1] != columns or not inside.all():
        wide = np.zeros((int(inside.sum()), columns), values.dtype)
        n = min(columns, values.shape[1])
        wide[:, :n] = values[inside, :n]
        values = tell_copy(name, 'diagonals that are not as long as the rows', wide)
        offsets = offsets[inside]
    types = f'pos={NAMES[index]}, crd={NAMES[index]}'
    format = f'(i,j) -> (i-j : compressed(unordered, {types}), j : range, i : offset)'
    return Operand(name, type(matrix), format, matrix.shape, (np.array([0, offsets.size], index), -offsets),
                   values.reshape(-1), kind=_library(matrix))


def _from_lists(matrix, name):
    made = matrix.tocsr()
    tell_copy(name, f'{matrix.format}, which is no arrays', made.data)
    operand = _from_compressed(made, name)
    operand.cls, operand.attributes = type(matrix), None
    return operand


_SCIPY = {'csr': _from_compressed, 'csc': _from_compressed, 'coo': _from_coo, 'bsr': _from_blocks,
          'dia': _from_diagonals, 'lil': _from_lists, 'dok': _from_lists}


# ---- PyData's sparse ----

def _from_pydata_coo(tensor, name):
    if tensor.ndim == 0:
        return from_numpy(np.asarray(tensor.todense()), name)
    return coordinates(tuple(tensor.coords), tensor.data, tensor.shape, True, name, type(tensor), 'pydata',
                       facts_of((tensor.coords,)), fill_text(tensor.fill_value))


def _from_pydata_gcxs(tensor, name):
    if tensor.ndim != 2:
        made = tensor.tocoo()
        tell_copy(name, 'GCXS of more than two modes', made.data)
        return _from_pydata_coo(made, name)
    column = tuple(tensor.compressed_axes) == (1,)
    indptr, indices = _indices(tensor, name)
    values = values_of(tensor.data, name)
    return Operand(name, type(tensor), compressed_format(2, int(column), int(not column), indices.dtype), tensor.shape,
                   (indptr, indices), values, kind='pydata', fill=fill_text(tensor.fill_value),
                   facts=facts_of((tensor.indptr, tensor.indices)))


def _from_pydata_dok(tensor, name):
    made = tensor.to_coo()
    tell_copy(name, 'DOK, which is no arrays', made.data)
    return _from_pydata_coo(made, name)


_PYDATA = {'COO': _from_pydata_coo, 'GCXS': _from_pydata_gcxs, 'DOK': _from_pydata_dok}


# ---- which ----

def _from_tensor(tensor, name):
    core = tensor._core
    operand = Operand(name, type(tensor), core.format, core.shape, (), None, kind='spcc', fill=core.fill)
    operand.core = core
    return operand


def _as_it_is(operand, name):
    return operand


_ADAPTERS = {Operand: _as_it_is, np.ndarray: from_numpy,
             int: _from_scalar, float: _from_scalar, complex: _from_scalar, bool: _from_scalar,
             list: _from_list, tuple: _from_list}


def is_scipy(thing):
    scipy = sys.modules.get('scipy.sparse')
    return scipy is not None and scipy.issparse(thing)


def _find_adapter(thing, name):
    cls = type(thing)
    adapter = None
    if hasattr(cls, '_core') and isinstance(getattr(thing, '_core', None), _core.Tensor):
        adapter = _from_tensor
    elif is_scipy(thing):
        adapter = _SCIPY.get(thing.format)
    elif cls.__module__.partition('.')[0] == 'sparse':
        adapter = _PYDATA.get(cls.__name__)
    elif isinstance(thing, np.ndarray):
        adapter = from_numpy
    elif isinstance(thing, (np.generic, bool, int, float, complex)):
        adapter = _from_scalar
    elif hasattr(thing, '__dlpack__'):
        adapter = _from_dlpack
    elif hasattr(thing, '__array__'):
        adapter = _from_array_interface
    if adapter is None:
        what = 'None' if thing is None else f'of the class {cls.__name__}'
        raise BindingError(f'{name} is {what}, which is no array and no sparse tensor',
                           help='NumPy, scipy.sparse, sparse, __dlpack__ and spcc.Tensor are')
    _ADAPTERS[cls] = adapter
    return adapter
