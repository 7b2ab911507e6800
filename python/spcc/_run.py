"""run: a statement on objects, compiled for what they are at first, and found again after.

SPDX-License-Identifier: MIT
"""
import collections
import keyword
import threading

import numpy as np

from . import _core, _engines
from ._adapt import adapt, canonical, is_scipy, layout
from ._errors import ArgumentError, BindingError
from ._kernel import Declared, Kernel, Statement, _format_of, operators_of, result_types, sizes_of
from ._show import Text
from ._types import DTYPES, fill_text, text_of

_MOST = 512  # kernels that are kept
_lock = threading.Lock()
_kernels = collections.OrderedDict()
_statements = {}
_BY_VALUE = np.lib.NumpyVersion(np.__version__) < '2.0.0'  # NumPy promotes numbers of Python's by their values
_COMPRESSED = set()  # classes of SciPy
_engines.on_change.append(_kernels.clear)


def _signature(things, name):
    """What two things have in common that one kernel serves.  A thing that has to be looked at more closely is from then
    on what was found."""
    thing = things[name]
    cls = type(thing)
    if cls is np.ndarray:
        modes = 0 if thing.flags.c_contiguous else layout(thing)
        if modes is not None and thing.dtype.isnative:
            return cls, thing.dtype, thing.ndim, modes
    elif cls in _COMPRESSED or is_scipy(thing) and thing.format in ('csr', 'csc') and len(thing.shape) == 2:
        _COMPRESSED.add(cls)
        return cls, len(thing.shape), thing.data.dtype, thing.indices.dtype, canonical(thing)
    elif _weak(thing):
        return cls, np.min_scalar_type(thing) if _BY_VALUE else None
    operand = things[name] = adapt(thing, name)
    return operand.kind, operand.format, operand.type, len(operand.shape), operand.fill


def statement_of(text, operators=None):
    """Its names, which are remembered."""
    text_of(text, 'the statement')
    key = text, tuple(operators_of(operators))
    parsed = _statements.get(key)
    if parsed is None:
        parsed = Statement(text, operators)
        if len(_statements) >= _MOST:
            _statements.clear()
        _statements[key] = parsed
    return parsed


def _weak(thing):
    """A number of Python's has no type of its own: it takes that of the others, as in NumPy."""
    return type(thing) in (int, float, complex, bool)


def _strong(number, dtype, name):
    try:
        return np.asarray(number, dtype)
    except OverflowError:
        raise BindingError(f'{name} is {number}, which {dtype} does not hold') from None


def _types(parsed, things):
    """(the operands, their types): numbers of Python's take the type that the others have together."""
    operands = [adapt(thing, name) for name, thing in things.items()]
    strong = [DTYPES[o.type] for o, thing in zip(operands, things.values()) if not _weak(thing)]
    if strong and len(strong) < len(operands):
        common = np.result_type(*strong, *(thing for thing in things.values() if _weak(thing)))
        for k, thing in enumerate(things.values()):
            if _weak(thing):
                operands[k] = adapt(_strong(thing, common, operands[k].name), operands[k].name)
    return operands


def _compile_for(text, parsed, operands, format, dtype, fill, options):
    declared = {o.name: Declared(o.format, o.type, o.fill) for o in operands}
    results = parsed.names[:parsed.results]
    formats = dict.fromkeys(results, _format_of(format))
    types = result_types(text, parsed, declared, formats, dtype, options.get('operators'))
    for name in results:
        declared[name] = Declared(formats[name], types[name], fill_text(fill))
    return Kernel(text, declared, options)


def _kernel_for(text, parsed, things, format, dtype, fill, options):
    key = (text, format, dtype, fill, tuple(sorted((k, str(v)) for k, v in options.items() if v)),
           tuple([_signature(things, name) for name in list(things)]))
    kernel = _kernels.get(key)
    if kernel is not None:
        return kernel
    kernel = _compile_for(text, parsed, _types(parsed, things), format, dtype, fill, options)
    with _lock:
        _kernels[key] = kernel
        while len(_kernels) > _MOST:
            _kernels.popitem(last=False)
    return kernel


def run(statement, out=None, format=False, dtype=None, fill=None, schedule=None, serial=False, algebra=False,
        sizes=None, operators=None, tensors=None, **operands):
    """Run a statement on operands by name: run("y(i) = A(i,j) * x(j)", A=A, x=x).

    It is compiled for the classes, formats and types of the operands when such are met first.  tensors is a dictionary for
    names that are none of Python's, or are those of other arguments; sizes is one of index variables whose sizes no
    operand has."""
    parsed = statement_of(statement, operators)
    given = {**tensors, **operands} if tensors else operands
    things = {}
    for name in parsed.operands:
        if name not in given:
            raise ArgumentError(f'there is nothing for {name} of {statement}', help=_how_to_give(name))
        things[name] = given[name]
    if len(given) > len(things):
        out = _results_among(parsed, given, things, out)
    options = {'schedule': schedule, 'serial': serial, 'algebra': algebra, 'sizes': sizes_of(sizes), 'operators': operators}
    if out is not None and format is False and isinstance(out, np.ndarray):
        format = None
    kernel = _kernel_for(statement, parsed, things, format, dtype, fill, options)
    values = [_strong(thing, DTYPES[kernel._declared[name].type], name) if _weak(thing) else thing
              for name, thing in things.items()]
    return kernel(*values) if out is None else kernel(*values, out=out)


def _results_among(parsed, given, things, out):
    """A result that is given by its name is where it goes, as out= is."""
    names = parsed.names[:parsed.results]
    for name in given:
        if name not in things and name not in names:
            raise ArgumentError(f'{name} is no tensor of the statement', help='its tensors are ' + ', '.join(parsed.names))
    found = [given.get(name) for name in names]
    if out is not None:
        raise ArgumentError('a result is given by its name and by out=')
    return found[0] if len(found) == 1 else tuple(found)


def _how_to_give(name):
    """A remedy if Python takes the name for something else."""
    is_own = name in run.__code__.co_varnames[:run.__code__.co_argcount] or keyword.iskeyword(name)
    return f'tensors={{{name!r}: ...}} has names that mean something else to Python' if is_own else None


class Plan:
    """A plan that was measured: its schedule, the median of its runs in ms, the planner's estimate in steps."""

    def __init__(self, schedule, steps, ms, runs, planned, trouble):
        self.schedule, self.steps, self.ms, self.runs = schedule, steps, ms, runs
        self.planned, self.trouble = planned, trouble

    def __repr__(self):
        what = self.trouble or f'{self.ms:.4g} ms'
        whose = ' as planned' if self.planned else ''
        return f'Plan({what}{whose}: {self.schedule or "no directives"})'


def tune(statement, plans=0, runs=0, format=False, dtype=None, fill=None, tensors=None, **operands):
    """Measure the best plans for a statement on operands, the fastest first.  schedule= of run and compile takes one."""
    parsed = statement_of(statement)
    given = {**(tensors or {}), **operands}
    missing = [name for name in parsed.operands if name not in given]
    if missing:
        raise ArgumentError(f'there is nothing for {missing[0]} of {statement}')
    operands = _types(parsed, {name: given[name] for name in parsed.operands})
    kernel = _compile_for(statement, parsed, operands, format, dtype, fill, {})
    cores = [(o.name, o.borrow()) for o in operands]
    formats = kernel._result_formats([(o.name, o.format, o.type, o.fill) for o in operands])
    for name, text in formats.items():
        d = kernel._declared[name]
        cores.append((name, _core.new(text, d.type, parsed.order(name), None, d.fill)))
    found, unkept = _core.tune(plans, runs, statement, cores)
    return [Plan(*row) for row in found]
