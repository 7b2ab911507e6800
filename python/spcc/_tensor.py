"""spcc.Tensor: a tensor in any of spcc's formats.

SPDX-License-Identifier: MIT
"""
import functools
import os

import numpy as np

from . import _core, _engines, _formats
from ._adapt import adapt
from ._errors import ArgumentError, BindingError, FileError, UnsupportedError
from ._results import array_of, wrapper
from ._types import DTYPES, fill_text, fill_value, name_of, shape_of, text_of


class Tensor:
    """Tensor(thing, format=None, dtype=None, fill=None): a thing's arrays, borrowed if it has that format already, or a
    copy in it.  Without a format it has the one that it is in.  A copy of an array in a format that is not dense has the
    components that are not the fill."""
    __slots__ = ('_core', '__weakref__')

    def __init__(self, thing, format=None, dtype=None, fill=None):
        text_of(format, 'the format', True)
        operand = adapt(thing, 'the tensor')
        core = operand.borrow()
        order = len(operand.shape)
        type = core.type if dtype is None else name_of(dtype)
        wanted = core.format if format is None else format
        same = format is None or _formats.configured(format, order) == _formats.canonical(core.format, order)
        if not same or type != core.type or fill is not None:
            _engines.prepare()
            made = functools.partial(_chosen, operand) if _chooses(core, wanted, order) else core.convert
            core = _formats.roomy(lambda: made(wanted, type, fill_text(fill)))
        self._core = core

    @classmethod
    def _of(cls, core):
        self = cls.__new__(cls)
        self._core = core
        return self

    @classmethod
    def from_coords(cls, coords, values, shape, format='coo', fill=None):
        """From coordinates, one array for each mode, and values; duplicates are summed."""
        values, coords = np.ascontiguousarray(values), [np.asarray(c) for c in coords]
        shape = shape_of(shape)
        if len(coords) != len(shape):
            raise BindingError(f'there are coordinates of {len(coords)} modes, and the shape has {len(shape)}')
        for m, c in enumerate(coords):
            if c.size and c.dtype.kind not in 'iu':
                raise BindingError(f'coordinates of mode {m + 1} have the type {c.dtype}, and are integers')
            if c.shape != values.shape or values.ndim != 1:
                raise BindingError(f'coordinates of mode {m + 1} have the shape {c.shape}, and the values {values.shape}')
        at = np.stack([c.astype(np.int64) for c in coords], axis=-1) if coords else np.empty((values.size, 0), np.int64)
        at = np.ascontiguousarray(at)
        return _roomy(lambda: _core.from_coords(format, name_of(values.dtype), shape, at, values, fill_text(fill), None))

    shape = property(lambda self: self._core.shape)
    ndim = property(lambda self: len(self._core.shape))
    dtype = property(lambda self: DTYPES[self._core.type])
    format = property(lambda self: self._core.format)
    nbytes = property(lambda self: self._core.bytes, doc='The bytes of all its arrays.')
    stored = property(lambda self: self._core.stored, doc='The number of its values, padding included.')

    @property
    def fill(self):
        """The value of the components that are not stored."""
        return fill_value(self._core.fill, self.dtype)

    @property
    def levels(self):
        """Of each level its arrays by name: views."""
        if _formats.in_parts(self.format):
            raise UnsupportedError('a tensor in parts has no levels of its own', help='.parts has the tensors')
        types = [dict(level.arrays) for level in _formats.parse(self.format, self.ndim)[1]]
        return [{name: array_of(view, DTYPES[own[name]]) for name, view in level.items()}
                for own, level in zip(types, self._core.levels)]

    @property
    def values(self):
        """Its values, in the order of storage: a view."""
        if _formats.in_parts(self.format):
            raise UnsupportedError('a tensor in parts has no values of its own', help='.parts has the tensors')
        return array_of(self._core.values, self.dtype)

    @property
    def parts(self):
        """The tensors that it consists of, if its format is of several: views."""
        return [Tensor._of(self._core.part(k)) for k in range(self._core.count)]

    def coords(self):
        """(an array of coordinates for each mode, values) of the stored components."""
        n = self._core.stored
        at, values = np.empty((n, self.ndim), np.int64), np.empty(n, self.dtype)
        n = self._core.unpack(at, values)
        return tuple(at[:n].T), values[:n]

    def convert(self, format, dtype=None, fill=None):
        """A copy in another format, of another type."""
        return Tensor(self, format, self.dtype if dtype is None else dtype, fill)

    def check(self):
        """Raise TensorError if its arrays are none of the format."""
        self._core.check()

    def write(self, path):
        """Into a file, of the kind that its name says (docs/files.md)."""
        self._core.write(_path_of(path))

    # ---- as objects of other libraries ----

    def to_scipy(self):
        """A view as the class of scipy.sparse that the format is; UnsupportedError if it is none."""
        made = wrapper(self.format, self.ndim, self._core.type, 'array')(self._core)
        if isinstance(made, (Tensor, np.ndarray)) or not hasattr(made, 'format'):
            raise UnsupportedError(f'the format {self.format} of a tensor of {self.shape} is no class of scipy.sparse',
                                   help='.convert("csr") is a copy in a format that is')
        return made

    def to_numpy(self):
        """All its components."""
        if _formats.is_dense(self.format, self.ndim):
            return np.asarray(wrapper(self.format, self.ndim, self._core.type, 'spcc')(self._core))
        dense = np.full(self.shape, self.fill, self.dtype)
        at, values = self.coords()
        if _formats.parse(self.format, self.ndim)[1] and values.dtype != bool:
            np.add.at(dense, at, values - self.fill if self.fill == 0 else 0)
            if self.fill != 0:
                dense[at] = values
        else:
            dense[at] = values
        return dense

    def __dlpack__(self, **options):
        if not _formats.is_dense(self.format, self.ndim):
            raise BufferError(f'DLPack has dense arrays, and the format is {self.format}: .to_numpy() is a dense copy')
        array = self.to_numpy()
        if not array.flags.writeable and np.lib.NumpyVersion(np.__version__) < '2.1.0':
            array = array.copy()  # older ones cannot say that it is not to be written
        return array.__dlpack__(**options)

    def __dlpack_device__(self):
        return 1, 0

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.to_numpy(), dtype)

    def __repr__(self):
        fill = '' if self.fill == 0 else f', fill={self._core.fill}'
        return f'spcc.Tensor(shape={self.shape}, dtype={self.dtype}, format={self.format!r}, stored={self.stored}{fill})'

    def __reduce__(self):
        at, values = self.coords()
        return Tensor.from_coords, (at, values, self.shape, self.format, self.fill)


def _chooses(core, wanted, order):
    """Is a copy of a dense tensor wanted in a format that says which components it has?"""
    return order > 0 and _formats.structure(core.format, order) == 'dense' and not _formats.is_full(wanted, order)


def _chosen(operand, wanted, type, fill):
    """The components of a dense tensor that are not the fill, in a format."""
    dtype = DTYPES[type]
    array = Tensor._of(operand.core).to_numpy().astype(dtype, copy=False)
    at = np.nonzero(array != fill_value(fill or '0', dtype))
    coords = np.ascontiguousarray(np.stack(at, axis=-1))
    return _core.from_coords(wanted, type, array.shape, coords, np.ascontiguousarray(array[at]), fill, None)


def read(path, format=None, dtype=None, shape=None, fill=None, zero_based=False):
    """A tensor from a file: Matrix Market, .tns, .npy and more (docs/files.md).

    Without a dtype it has the file's.  Without a format, what the file lists is sparse, csr or csf."""
    _engines.prepare()
    path, shape = _path_of(path), shape_of(shape)
    text_of(format, 'the format', True)

    def made(text, order):
        return _core.read(path, text, None if dtype is None else name_of(dtype), shape, fill_text(fill), zero_based,
                          order)
    if format is not None or _core.is_array(path):
        return _roomy(lambda: made(format, 0))
    if shape is not None:
        return _roomy(lambda: made({0: None, 1: 'sparse', 2: 'csr'}.get(len(shape), 'csf'), 0))
    try:
        return _roomy(lambda: made('csr', 2))
    except FileError:
        return _roomy(lambda: made('csf', 0))


def _path_of(path):
    try:
        return os.fsdecode(path)
    except TypeError:
        raise ArgumentError(f'the path is {path!r}: it is a text or a path') from None


def _roomy(make):
    return Tensor._of(_formats.roomy(make))


def generate(recipe, shape=None, format=None, dtype='f64', fill=None):
    """A tensor from a recipe such as "@sparse(0.01,7)"; a preset has a shape of its own."""
    if not isinstance(recipe, str):
        raise ArgumentError('a recipe is a text, such as "@ones"')
    shape = shape_of(shape)
    text_of(format, 'the format', True)
    return _roomy(lambda: _core.generate(recipe, format, name_of(dtype), shape, fill_text(fill)))
