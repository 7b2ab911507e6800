"""einsum, as NumPy spells it, of sparse and dense operands.

SPDX-License-Identifier: MIT
"""
import functools

import numpy as np

from ._adapt import adapt
from ._errors import BindingError, StatementError, UnsupportedError
from ._run import run
from ._types import DTYPES, name_of

_CASTINGS = 'no', 'equiv', 'safe', 'same_kind', 'unsafe'
_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'


def einsum(*operands, out=None, optimize=True, dtype=None, format=False, casting='safe', order='K'):
    """einsum("ij,jk->ik", A, B), einsum(A, [0, 1], B, [1, 2]): the sum of products of the operands.

    optimize is accepted as NumPy has it.  A path such as opt_einsum's is followed, pair by pair; otherwise spcc orders the
    product by its own costs.  casting="unsafe" lets complex operands go into a real dtype, without their imaginary
    parts."""
    if casting not in _CASTINGS or order not in ('K', 'C', 'A'):
        raise UnsupportedError(f'einsum has no casting={casting!r}' if casting not in _CASTINGS else
                               f'einsum has no order={order!r}: results are in the order of their indices')
    wanted = None if dtype is None else DTYPES[name_of(dtype)]
    subscripts, things = _split(operands)
    things = [thing if hasattr(thing, 'shape') else np.asarray(thing) for thing in things]
    inputs, output = parse(subscripts, _shapes(things))
    path = _path_of(optimize)
    if path is not None and len(things) > 2:
        inputs, things = _contract(inputs, things, output, path, wanted, casting)
    return _sum(inputs, output, things, out, wanted, casting, format)


# ---- subscripts ----

def _split(operands):
    """(subscripts, a text or the labels of the operands and of the result; the operands)"""
    if not operands:
        raise StatementError('einsum has no operands')
    if isinstance(operands[0], str):
        return operands[0], operands[1:]
    try:
        labels = tuple(map(tuple, operands[1::2]))
        return (labels, tuple(operands[-1]) if len(operands) % 2 else None), operands[:len(operands) // 2 * 2:2]
    except TypeError:
        raise StatementError('einsum takes subscripts and operands, or operands with a list of labels after '
                             'each') from None


def _shapes(things):
    return tuple([tuple(thing.shape) for thing in things])


@functools.lru_cache(1024)
def parse(subscripts, shapes):
    """(labels of each operand, labels of the result), all in tuples."""
    if not isinstance(subscripts, str):
        return _parse_lists(*subscripts, shapes)
    text = subscripts.replace(' ', '')
    left, arrow, right = text.partition('->')
    for character in left + right:
        if character not in _LETTERS + ',.':
            raise StatementError(f'{character!r} in einsum\'s subscripts {text!r}')
    parts = left.split(',')
    if len(parts) != len(shapes):
        raise StatementError(f'einsum\'s subscripts {text!r} are for {len(parts)} operands, and there are {len(shapes)}')
    return _resolve([_labels(part, text) for part in parts], _labels(right, text) if arrow else None, shapes, text)


def _labels(part, text):
    before, dots, after = part.partition('...')
    if '.' in before + after:
        raise StatementError(f'einsum\'s subscripts {text!r} have dots that are no single ellipsis')
    return list(before) + ([...] if dots else []) + list(after)


def _parse_lists(inputs, output, shapes):
    try:
        labels = sorted({label for part in inputs + (output or (),) for label in part if label is not ...})
    except TypeError:
        raise StatementError('einsum\'s labels are numbers or letters, and Ellipsis') from None
    if len(labels) > len(_LETTERS):
        raise StatementError(f'einsum with {len(labels)} indices: there are letters for {len(_LETTERS)}')
    letter = dict(zip(labels, _LETTERS))
    letter[...] = ...
    return _resolve([[letter[x] for x in part] for part in inputs],
                    None if output is None else [letter[x] for x in output], shapes, 'of lists')


def _resolve(inputs, output, shapes, text):
    """Ellipses as labels of their own: the modes of all, from the last on, are alike."""
    widths = [len(shape) - (len(part) - (... in part)) for part, shape in zip(inputs, shapes)]
    for k, (part, shape, width) in enumerate(zip(inputs, shapes, widths)):
        if width < 0 or (width > 0 and ... not in part):
            raise StatementError(f'operand {k + 1} of einsum has {len(shape)} modes, and {len(part) - (... in part)} '
                                 f'subscripts in {text!r}')
    rest = [f'.{k}' for k in range(max([w for part, w in zip(inputs, widths) if ... in part], default=0))]
    inputs = [_expand(part, rest[len(rest) - width:]) for part, width in zip(inputs, widths)]
    if output is None:
        every = [label for part in inputs for label in part]
        output = rest + sorted(label for label in set(every) if label[0] != '.' and every.count(label) == 1)
    else:
        if rest and ... not in output:
            raise StatementError(f'einsum\'s subscripts {text!r} have an ellipsis in an operand alone')
        output = _expand(output, rest)
    known = {label for part in inputs for label in part}
    for label in output:
        if label not in known:
            raise StatementError(f'einsum\'s result has the index {label}, and no operand has it')
        if output.count(label) > 1:
            raise StatementError(f'einsum\'s result has the index {label} twice')
    return tuple(map(tuple, inputs)), tuple(output)


def _expand(part, rest):
    at = part.index(...) if ... in part else None
    return part if at is None else part[:at] + rest + part[at + 1:]


# ---- as statements ----

def _path_of(optimize):
    if isinstance(optimize, (list, tuple)) and optimize and optimize[0] == 'einsum_path':
        optimize = optimize[1:]
    if isinstance(optimize, (list, tuple)) and optimize and all(isinstance(step, (tuple, list)) for step in optimize):
        return [tuple(step) for step in optimize]
    return None


def _contract(inputs, things, output, path, dtype, casting):
    """All steps of a path but the last."""
    inputs, things = list(inputs), list(things)
    for step in path[:-1]:
        if not all(isinstance(k, int) and 0 <= k < len(things) for k in step) or len(set(step)) != len(step):
            raise StatementError(f'the path of einsum has a step {step}, and there are {len(things)} operands then')
        taken = [(inputs[k], things[k]) for k in step]
        for k in sorted(step, reverse=True):
            del inputs[k], things[k]
        needed = set(output).union(*inputs) if inputs else set(output)
        labels = tuple(sorted({label for part, _ in taken for label in part if label in needed}))
        parts, factors = zip(*taken)
        things.append(_sum(parts, labels, factors, None, dtype, casting, False))
        inputs.append(labels)
    return tuple(inputs), things


def _sizes(inputs, shapes):
    """The size of each label, and the modes of size 1 where it is larger: they are the same for all its coordinates."""
    sizes = {}
    for part, shape in zip(inputs, shapes):
        for label, size in zip(part, shape):
            known = sizes.setdefault(label, size)
            if known == 1:
                sizes[label] = size
    return sizes


@functools.lru_cache(1024)
def _ones(inputs, shapes):
    """(the modes of each operand that broadcast, the sizes of labels); None: no mode does."""
    sizes = _sizes(inputs, shapes)
    ones = [[m for m, label in enumerate(part) if shape[m] == 1 and sizes[label] != 1]
            for part, shape in zip(inputs, shapes)]
    return (ones, sizes) if any(ones) else None


def _without_ones(inputs, things):
    """Operands without the modes that broadcast."""
    shapes = _shapes(things)
    found = _ones(inputs, shapes)
    if found is None:
        return inputs, things
    parts, left, sizes = [], [], found[1]
    for part, shape, thing, ones in zip(inputs, shapes, things, found[0]):
        if ones:
            operand = adapt(thing, 'an operand')
            if operand.kind != 'dense':
                raise UnsupportedError(f'mode {ones[0] + 1} of a sparse operand of einsum has the size 1, and elsewhere '
                                       f'the size is {sizes[part[ones[0]]]}: sparse modes are not broadcast')
            thing = np.asarray(thing).reshape([n for m, n in enumerate(shape) if m not in ones])
            part = tuple(label for m, label in enumerate(part) if m not in ones)
        parts.append(part)
        left.append(thing)
    return tuple(parts), left


def _variable(label):
    return label if label.islower() else ('d' + label[1:] + '_' if label[0] == '.' else label.lower() + '_')


def _access(name, part):
    return name + ('(' + ','.join(map(_variable, part)) + ')' if part else '')


@functools.lru_cache(1024)
def statement(inputs, output, real=()):
    """The statement of a sum of products: T1, T2, ... are the operands and R the result.  Of those at the places `real`
    the real parts are taken."""
    names = [f'T{k + 1}' for k in range(len(inputs))]
    inner = sorted({label for part in inputs for label in part} - set(output))
    factors = [_access(name, part) for name, part in zip(names, inputs)]
    product = ' * '.join(f'real({factor})' if k in real else factor for k, factor in enumerate(factors))
    if inner:
        product = f'sum({",".join(map(_variable, inner))}, {product})'
    return f'{_access("R", output)} = {product}', names


def _made_real(things, dtype, casting):
    """The places of the complex operands, if dtype is real."""
    if dtype is None or dtype.kind == 'c':
        return ()
    places = tuple(k for k, thing in enumerate(things) if adapt(thing, f'operand {k + 1}').type in ('c64', 'c128'))
    if places and casting != 'unsafe':
        raise BindingError(f'operand {places[0] + 1} of einsum is complex, and dtype is {dtype}',
                           help='casting="unsafe" takes its real part, as in NumPy')
    return places


def _sum(inputs, output, things, out, dtype, casting, format):
    inputs, things = _without_ones(inputs, things)
    text, names = statement(inputs, output, _made_real(things, dtype, casting))
    return run(text, out=out, dtype=dtype, format=format, tensors=dict(zip(names, things)))
