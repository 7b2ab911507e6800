"""Formats: in parts, and which object of which library each result is.

SPDX-License-Identifier: MIT
"""
import functools

from . import _core, _engines
from ._errors import FormatError, LimitError

FULL, ORDERED, UNIQUE = 1, 2, 4


class Level:
    """A level of a format: its type, its properties as bits, what it stores, and the types of its arrays."""
    __slots__ = ('type', 'properties', 'map', 'most', 'arrays')

    def __init__(self, type, properties, map, most, arrays):
        self.type, self.properties, self.map, self.most, self.arrays = type, properties, map, most, tuple(arrays)

    @property
    def structure(self):
        """All but the types of its arrays."""
        return self.type, self.properties, self.map, self.most


def in_parts(text):
    """Is it of a tensor that is in parts, as spcc gives it?"""
    return text is not None and text.startswith(('part(', 'any('))


@functools.lru_cache(4096)
def parse(text, order):
    """(the text that spcc gives it, its levels); of a tensor in parts a level that is like no other."""
    if in_parts(text):
        return text, (Level('parts', 0, text, 0, ()),)
    canonical, levels = _core.format_levels(text, order, 32, False)
    return canonical, tuple(Level(*level) for level in levels)


def canonical(text, order):
    """The text by which formats that are alike are the same; None: dense, in order."""
    if text is None:
        return None
    try:
        text, levels = parse(text, order)
    except FormatError:
        return text  # of parts, or none: whoever uses it complains
    in_order = all(level.type == 'dense' and level.map == m for m, level in enumerate(levels))
    return None if in_order else text


def is_dense(text, order):
    """Is every level dense, of a mode?"""
    return all(level.type == 'dense' and isinstance(level.map, int) for level in parse(text, order)[1])


def is_full(text, order):
    """Has every level all coordinates?"""
    try:
        return all(level.properties & FULL for level in parse(text, order)[1])
    except FormatError:  # of parts, or none: whoever uses it complains
        return False


def structure(text, order):
    """What a kernel's declared format and an operand's have in common: all but the types of indices, and of dense
    tensors all but how they lie in memory."""
    levels = parse(text, order)[1]
    if all(level.type in ('dense', 'strided', 'strided(unit)') and isinstance(level.map, int) for level in levels):
        return 'dense'
    return tuple(level.structure for level in levels)


@functools.lru_cache(4096)
def kind_of(text, order):
    """(kind, modes level by level) of the objects of other libraries that a format is; kind is dense, csr, csc, vector,
    coo, bsr or None."""
    levels = parse(text, order)[1]
    modes = tuple(level.map for level in levels)
    types = [level.type for level in levels]
    if is_dense(text, order):
        return 'dense', modes
    unbounded = all(level.most == 0 for level in levels)
    if types == ['dense', 'compressed'] and unbounded and modes in ((0, 1), (1, 0)):
        return ('csr' if modes == (0, 1) else 'csc'), modes
    if types == ['compressed'] and modes == (0,):
        return 'vector', modes
    if types[:1] == ['compressed'] and set(types[1:]) == {'singleton'} and sorted(map(str, modes)) == \
            [str(m) for m in range(order)]:
        return 'coo', modes
    if types == ['dense', 'compressed', 'dense', 'dense'] and unbounded:
        return _blocks(modes)
    return None, modes


def _blocks(modes):
    try:
        (i, divides, (rows,)), (j, over, (columns,)) = modes[:2]
    except (TypeError, ValueError):
        return None, modes
    is_bsr = modes == ((0, '/', (rows,)), (1, '/', (columns,)), (0, '%', (rows,)), (1, '%', (columns,)))
    return ('bsr', (rows, columns)) if is_bsr and i == 0 and j == 1 and divides == over else (None, modes)


def has_long_indices(text, order):
    """Are its coordinates of 64 bits?"""
    try:
        return any(('crd', 'i64') in level.arrays for level in parse(text, order)[1])
    except FormatError:  # the compilation says so, and of which tensor
        return False


@functools.lru_cache(4096)
def with_long_indices(text, order):
    """The same format with positions and coordinates of 64 bits where the text does not say their types."""
    try:
        return text if text is None or in_parts(text) else _core.format_levels(text, order, 64, False)[0]
    except FormatError:
        return text


def configured(text, order):
    """A user's text as canonical() has it, with the integers that configure(index_bits=) says."""
    text = canonical(text, order)
    return with_long_indices(text, order) if _engines.index_bits() == 64 else text


# ---- sizes beyond 32 bits ----

class wide:
    """with wide(): positions, coordinates and kernels have 64 bits where formats do not say."""

    def __init__(self, on=True):
        self.on = on

    def __enter__(self):
        self.before = _core.set_wide(self.on)

    def __exit__(self, *error):
        _core.set_wide(self.before)


def roomy(make):
    """make(), with 64 bits if configure(index_bits=) says so, or if 32 are too few."""
    if _engines.index_bits() != 64:
        try:
            return make()
        except LimitError:
            pass
    with wide():
        return make()


def spelled(text, order, is_wide):
    """A format of this module, where texts leave out 32 bits, as it is given inside wide()."""
    return _spelled(text, order) if is_wide else text


@functools.lru_cache(4096)
def _spelled(text, order):
    return text if text is None or in_parts(text) else _core.format_levels(text, order, 32, True)[0]


def likely(text, order):
    """The format for a result that nobody chose, from the one that spcc would give it: one that is an object of SciPy's."""
    if text is None or is_dense(text, order):
        return None
    if order == 1:
        return 'sparse'
    if order > 2:
        return 'coo'
    modes = [level.map for level in parse(text, order)[1] if isinstance(level.map, int)]
    return 'csc' if modes == [1, 0] else 'csr'
