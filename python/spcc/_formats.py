"""Formats: in parts, and which object of which library each result is.

SPDX-License-Identifier: MIT
"""
import functools

from . import _core, _engines

FULL, ORDERED, UNIQUE, MORTON = 1, 2, 4, 32
_MODES = 'ijklmnopqrstuvwxyzabcdefghIJKLMN'


class Level:
    """A level of a format: its type, its properties as bits, what it stores, and the types of its arrays."""
    __slots__ = ('type', 'properties', 'map', 'most', 'arrays')

    def __init__(self, type, properties, map, most, arrays):
        self.type, self.properties, self.map, self.most, self.arrays = type, properties, map, most, tuple(arrays)

    @property
    def structure(self):
        """All but the types of its arrays."""
        return self.type, self.properties, self.map, self.most


@functools.lru_cache(4096)
def parse(text, order):
    """(the text that spcc gives it, its levels)"""
    canonical, levels = _core.format_levels(text, order)
    return canonical, tuple(Level(*level) for level in levels)


def canonical(text, order):
    """The text by which formats that are alike are the same; None: dense, in order."""
    if text is None:
        return None
    text, levels = parse(text, order)
    in_order = all(level.type == 'dense' and level.map == m for m, level in enumerate(levels))
    return None if in_order else text


def is_dense(text, order):
    """Is every level dense, of a mode?"""
    return all(level.type == 'dense' and isinstance(level.map, int) for level in parse(text, order)[1])


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
    return any(('crd', 'i64') in level.arrays for level in parse(text, order)[1])


def _print_map(map):
    if isinstance(map, int):
        return _MODES[map]
    if len(map) == 1:
        return str(map[0])
    left, operator, right = map
    return f'({_print_map(left)}{operator}{_print_map(right)})'


def with_long_indices(text, order):
    """The same format with positions and coordinates of 64 bits, if it has any and the text does not say their types."""
    if text is None or '=' in text or is_dense(text, order):
        return text
    levels = []
    for level in parse(text, order)[1]:
        if level.type not in ('dense', 'compressed', 'singleton') or level.properties & MORTON or level.most:
            return text
        words = [f'{name}=i64' for name, _ in level.arrays]
        if level.type != 'dense':
            words += ['nonunique'] * (not level.properties & UNIQUE) + ['unordered'] * (not level.properties & ORDERED)
        levels.append(f'{_print_map(level.map)} : {level.type}' + (f'({", ".join(words)})' if words else ''))
    return f'({",".join(_MODES[:order])}) -> ({", ".join(levels)})'


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


# "csr" is another format where indices are of 64 bits.
_engines.on_change += [parse.cache_clear, kind_of.cache_clear]
