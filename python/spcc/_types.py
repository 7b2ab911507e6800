"""Value types: NumPy's and spcc's.

SPDX-License-Identifier: MIT
"""
import operator

import numpy as np

from ._errors import ArgumentError, BindingError, FormatError

NAMES = {np.dtype(code): name for code, name in (
    ('f8', 'f64'), ('f4', 'f32'), ('i1', 'i8'), ('i2', 'i16'), ('i4', 'i32'), ('i8', 'i64'),
    ('u1', 'u8'), ('u2', 'u16'), ('u4', 'u32'), ('u8', 'u64'), ('?', 'bool'), ('c8', 'c64'),
    ('c16', 'c128'))}
DTYPES = {name: dtype for dtype, name in NAMES.items()}


_AMBIGUOUS = {'i8': 'int', 'u8': 'uint'}  # bits to spcc, bytes to NumPy


def name_of(dtype):
    """'f64', from that or from anything that NumPy takes for a dtype."""
    if isinstance(dtype, str) and dtype in _AMBIGUOUS:
        word = _AMBIGUOUS[dtype]
        raise FormatError(f'{dtype!r} has 8 bytes as NumPy reads it, and 8 bits as spcc does',
                          help=f"write '{word}64' or '{word}8'")
    if isinstance(dtype, str) and dtype in DTYPES:
        return dtype
    try:
        return NAMES[np.dtype(dtype)]
    except (KeyError, TypeError):
        raise FormatError(f'{dtype!r} is no value type of spcc',
                          help='the types are ' + ', '.join(DTYPES)) from None


def value_name(dtype, what):
    """The type of an array's values; `what` names it in messages."""
    name = NAMES.get(dtype)
    if name is None:
        near = {'e': 'float32', 'g': 'float64', 'G': 'complex128'}.get(dtype.char)
        raise BindingError(f'{what} has values of the type {dtype}, which spcc has not',
                           help=f'convert it: .astype(numpy.{near})' if near else None)
    return name


def text_of(value, what, none=False):
    """The value, a text; ArgumentError: it is none."""
    if none and value is None:
        return value
    if not isinstance(value, str):
        raise ArgumentError(f'{what} is {value!r}: it is a text')
    if '\0' in value or not value.isascii() and value.encode(errors='replace').decode() != value:
        raise ArgumentError(f'{what} is {value!r}, which has characters that no text of spcc has')
    return value


def shape_of(shape):
    """A tuple of sizes, of one if it is a number; None: not known."""
    try:
        shape = shape if shape is None or hasattr(shape, '__iter__') else (shape,)
        shape = shape if shape is None else tuple(operator.index(size) for size in shape)
    except TypeError:
        raise ArgumentError(f'the shape is {shape!r}: it is a tuple of whole numbers') from None
    if shape is not None and (len(shape) > 32 or not all(-2**63 <= size < 2**63 for size in shape)):
        raise ArgumentError(f'a tensor of {len(shape)} modes: there are at most 32' if len(shape) > 32 else
                            f'the shape is {shape!r}: a size is beyond 64 bits')
    return shape


def fill_text(value):
    """A fill value as spcc writes it; None: 0."""
    if value is None or isinstance(value, str):
        return value
    value = np.asarray(value)[()]
    if value == 0:
        return None
    if isinstance(value, (bool, np.bool_)):
        return 'true'
    if isinstance(value, (complex, np.complexfloating)):
        return f'({_number(value.real)},{_number(value.imag)})'
    return _number(value)


def _number(value):
    return repr(value.item() if hasattr(value, 'item') else value)


def fill_value(text, dtype):
    """And back."""
    if text == '0':
        return dtype.type(0)
    if text in ('true', 'false'):
        return dtype.type(text == 'true')
    if text.startswith('('):
        real, imaginary = text[1:-1].split(',')
        return dtype.type(complex(float(real), float(imaginary)))
    return dtype.type(int(text) if dtype.kind in 'iu' else float(text))
