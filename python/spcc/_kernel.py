"""Kernels: compiled for formats and types, called with objects.

A kernel is for the structure of its operands' formats.  The types of indices, and the order in which the modes of a dense
operand lie in memory, are those of the objects that it is called with: for each combination that it meets it compiles a
variant.

SPDX-License-Identifier: MIT
"""
import threading
from collections.abc import Mapping

import numpy as np

from . import _core, _engines, _formats
from ._adapt import adapt, layout, tell_copy
from ._errors import ArgumentError, BindingError, LimitError
from ._results import wrapper
from ._show import Picture, Text, timed
from ._types import DTYPES, NAMES, fill_text, name_of, text_of

STAGES = {'c': 0, 'header': 1, 'notation': 2, 'concrete': 3, 'plan': 4, 'lattice': 5, 'lattice-dot': 6, 'imperative': 7,
          'explain': 8, 'graph-dot': 9, 'graph': 10, 'lattice-svg': 11, 'passes': 12}
_OPTIONS = {'schedule': None, 'no_plan': False, 'serial': False, 'plain': False, 'algebra': False, 'sizes': None,
            'operators': None, 'cuda': False}


def operators_of(operators):
    """A list of texts."""
    if operators is not None and not isinstance(operators, (list, tuple)):
        raise ArgumentError(f'operators is {operators!r}: it is a list of texts')
    return [text_of(text, 'an operator') for text in operators or []]


def sizes_of(sizes):
    """A dictionary of index variables and their sizes; None: there is none."""
    if sizes is not None and not (isinstance(sizes, Mapping) and all(isinstance(n, int) for n in sizes.values())):
        raise ArgumentError(f'sizes is {sizes!r}: it is a dictionary of index variables and whole numbers')
    return sizes


class Statement:
    """The tensors that a statement names: the results, then the operands, each with its variables."""

    def __init__(self, text, operators=None):
        text_of(text, 'the statement')
        self.results, tensors = _core.names(text, [], operators=operators_of(operators))
        self.names = [name for name, _, _ in tensors]
        self.variables = {name: variables for name, variables, _ in tensors}
        self.read = {name for name, _, reads in tensors[:self.results] if reads}
        self.operands = self.names[self.results:]

    def order(self, name):
        return len(self.variables[name])

    def sources(self, result):
        """Of each mode of a result an operand and a mode that have its size; None: no operand has."""
        return [next(((k, self.variables[name].index(variable)) for k, name in enumerate(self.operands)
                      if variable in self.variables[name]), None) for variable in self.variables[result]]


class Declared:
    """What a tensor of a statement was declared as.  format False: nobody has said."""
    __slots__ = ('format', 'type', 'fill')

    def __init__(self, format=None, type='f64', fill=None):
        self.format, self.type, self.fill = format, type, fill

    def state(self):
        return self.format, self.type, self.fill


def _is_type(text):
    """Is it a type, as spcc or NumPy spells it, and not a format?"""
    try:
        return text in DTYPES or text[-1:].isdigit() and np.dtype(text) in NAMES
    except (TypeError, SyntaxError, ValueError):
        return False


def declare(what, name, default='f64', order=None):
    """From a format, a dtype, a pair of both, an object to be like, or None for dense."""
    if isinstance(what, Declared):
        return what
    if what is None:
        return Declared(None, default)
    if isinstance(what, str):
        return Declared(None, name_of(what)) if _is_type(what) else Declared(what, default)
    if isinstance(what, (np.dtype, type)):
        return Declared(None, name_of(what))
    if isinstance(what, tuple) and 1 <= len(what) <= 3 and (what[0] is None or isinstance(what[0], str)):
        format, dtype, fill = (*what, None, None)[:3]
        return Declared(format, default if dtype is None else name_of(dtype), fill_text(fill))
    operand = adapt(what, name)
    if order is not None and len(operand.shape) != order:
        raise BindingError(f'{name} is declared by something of {len(operand.shape)} modes, and has {order}')
    return Declared(operand.format, operand.type, operand.fill)


def _format_of(format):
    return format if format is False else text_of(format, 'the format', True)


class Variant:
    """A kernel that was compiled, and how its results become objects."""
    __slots__ = ('compiled', 'formats', 'wrap')

    def __init__(self, compiled, formats, wrap):
        self.compiled, self.formats, self.wrap = compiled, formats, wrap


class Kernel(_core.Caller):
    """A compiled statement: K(A, x), K(A, x, out=y), K(A=A, x=x).  compile() makes it."""

    def __init__(self, text, declared, options, kind=None):
        self.statement = text
        self._options = options
        self._declared = declared
        self._kind = kind
        self._parsed = Statement(text, options.get('operators'))
        self._variants = {}
        self._is_wide = False  # a call had something beyond 32 bits
        self._lock = threading.Lock()
        self._check_names()

    def _check_names(self):
        for name in self._declared:
            if name not in self._parsed.names:
                raise ArgumentError(f'{name} is declared, and no tensor of {self.statement}',
                                    help='its tensors are ' + ', '.join(self._parsed.names))

    def __repr__(self):
        return f'spcc.Kernel({self.statement!r})'

    def __reduce__(self):
        return _restore, (self.statement, {name: d.state() for name, d in self._declared.items()}, self._options,
                          self._kind)

    names = property(lambda self: tuple(self._parsed.names), doc='Its tensors, results first.')

    # ---- calls ----

    def _call(self, args, named):
        out, operands = self._bind(args, dict(named))
        if not self._wide:
            try:
                return self._run(out, operands)
            except LimitError:
                self._is_wide = True
        return self._run(out, operands)

    @property
    def _wide(self):
        """Have positions and coordinates 64 bits, and what counts in loops?"""
        return self._is_wide or _engines.index_bits() == 64

    def _run(self, out, operands):
        variant, tensors, finish = self._tensors(out, operands)
        variant.compiled.run(tensors)
        self._teach(variant, operands)
        made = finish()
        return made[0] if self._parsed.results == 1 else tuple(made)

    def _tensors(self, out, operands):
        """(variant, the kernel's tensors, the function that then gives the results)"""
        with _formats.wide(self._wide):
            variant = self._variant_for(operands)
            cores = [operand.borrow(self._wide) for operand in operands]
            results, finish = self._results(variant, out, operands)
        return variant, results + cores, finish

    def _bind(self, args, named):
        """(out, the operands in order)"""
        names, parsed = self._parsed.operands, self._parsed
        out = named.pop('out', None)
        if len(args) > len(names):
            raise ArgumentError(f'the kernel takes {len(names)} operands ({", ".join(names)}) and is given {len(args)}')
        things = dict(zip(names, args))
        for name, thing in named.items():
            if name not in names:
                raise ArgumentError(f'{name} is no operand of {self.statement}',
                                    help='its operands are ' + ', '.join(names))
            if name in things:
                raise ArgumentError(f'{name} is given twice')
            things[name] = thing
        missing = [name for name in names if name not in things]
        if missing:
            raise ArgumentError(f'the kernel takes {len(names)} operands ({", ".join(names)}): there is none for '
                                + ', '.join(missing))
        if out is None and parsed.read:
            raise BindingError(f'{", ".join(sorted(parsed.read))} is read by the statement', help='give it as out=')
        return out, [self._fit(adapt(things[name], name)) for name in names]

    def _fit(self, operand):
        """What the kernel was compiled for?"""
        declared = self._declared[operand.name]
        name, order = operand.name, self._parsed.order(operand.name)
        if len(operand.shape) != order:
            raise BindingError(f'{name} has {len(operand.shape)} modes, and {order} in {self.statement}')
        if operand.type != declared.type:
            raise BindingError(f'{name} has values of the type {DTYPES[operand.type]}, and the kernel was compiled for '
                               f'{DTYPES[declared.type]}', help=f'spcc.compile(..., {name}=({declared.format!r}, '
                               f'"{operand.type}")), or spcc.run, which compiles for what it is given')
        if (operand.fill or '0') != (declared.fill or '0'):
            raise BindingError(f'{name} has the fill {operand.fill or 0}, and the kernel was compiled for '
                               f'{declared.fill or 0}')
        given, wanted = (_formats.structure(format, order) for format in (operand.format, declared.format))
        if given != wanted:
            operand.borrow()  # what is no tensor at all says so
            raise BindingError(f'{name} has the format {operand.format or "dense"} ({operand.cls.__name__}), and the '
                               'kernel was compiled for '
                               f'{declared.format or "dense"}',
                               help=f'spcc.Tensor({name}, {declared.format or "dense"!r}) is a copy in that format')
        return operand

    def _variant_for(self, operands):
        formats = {o.name: _formats.canonical(o.format, len(o.shape)) for o in operands}
        return self._variant(formats, self._kind or library_of({o.kind for o in operands}))

    def _variant(self, formats, kind):
        key = tuple(formats.values()), kind, self._wide
        variant = self._variants.get(key)
        if variant is None:
            with self._lock:
                variant = self._variants.get(key)
                if variant is None:
                    variant = self._variants[key] = self._compile(formats, kind)
        return variant

    def _compile_now(self):
        """The variant for what was declared, which says whether the statement compiles at all."""
        with _formats.wide(self._wide):
            self._variant({name: _formats.canonical(self._declared[name].format, self._parsed.order(name))
                           for name in self._parsed.operands}, self._kind or 'array')

    def _compile(self, formats, kind):
        _engines.prepare()
        declarations = [(name, formats[name], self._declared[name].type, self._declared[name].fill)
                        for name in self._parsed.operands]
        formats = {**formats, **self._result_formats(declarations)}
        declarations += [(name, formats[name], self._declared[name].type, self._declared[name].fill)
                         for name in self._parsed.names[:self._parsed.results]]
        compiled = _core.compile(self.statement, self._spelled(declarations), **self._compile_options())
        wrap = [wrapper(formats[name], self._parsed.order(name), self._declared[name].type, kind)
                for name in self._parsed.names[:self._parsed.results]]
        return Variant(compiled, formats, wrap)

    def _result_formats(self, declarations):
        """Of each result: as declared, or one that suits what the operands are declared as.  Indices are of 64 bits if an
        operand's are."""
        names = self._parsed.names[:self._parsed.results]
        formats = {name: self._declared[name].format for name in names}
        is_long = self._wide or any(_formats.has_long_indices(format, self._parsed.order(name))
                                    for name, format, _, _ in declarations)
        declarations = self._spelled(declarations + [(name, formats[name] or None, self._declared[name].type,
                                                      self._declared[name].fill) for name in names])
        for r, name in enumerate(names):
            if formats[name] is False:
                likely = _core.emit(-1 - r, self.statement, declarations, operators=self._operators)
                formats[name] = _formats.likely(likely, self._parsed.order(name))
            if is_long:
                formats[name] = _formats.with_long_indices(formats[name], self._parsed.order(name))
        return formats

    def _spelled(self, declarations):
        return [(name, _formats.spelled(format, self._parsed.order(name), self._wide), *rest)
                for name, format, *rest in declarations]

    @property
    def _operators(self):
        return operators_of(self._options.get('operators'))

    def _compile_options(self):
        options = {key: value for key, value in self._options.items() if value}
        options['operators'] = self._operators
        options['sizes'] = list((self._options.get('sizes') or {}).items())
        text_of(self._options.get('schedule'), 'the schedule', True)
        return options

    # ---- results ----

    def _results(self, variant, out, operands):
        """(tensors for the results, the function that then gives the objects)"""
        names = self._parsed.names[:self._parsed.results]
        outs = [out] if len(names) == 1 else list(out) if out is not None else [None] * len(names)
        if len(outs) != len(names):
            raise ArgumentError(f'out= has {len(outs)} objects for {len(names)} results')
        cores, finishers = [], []
        for r, name in enumerate(names):
            core, finish = (self._new(variant, r, name) if outs[r] is None
                            else self._given(variant, name, outs[r]))
            cores.append(core)
            finishers.append(finish)
        return cores, lambda: [finish() for finish in finishers]

    def _new(self, variant, r, name):
        d = self._declared[name]
        format = _formats.spelled(variant.formats[name], self._parsed.order(name), self._wide)
        core = _core.new(format, d.type, self._parsed.order(name), None, d.fill)
        return core, lambda: variant.wrap[r](core)

    def _given(self, variant, name, out):
        d = self._declared[name]
        if hasattr(out, '_core'):
            return self._given_tensor(name, out)
        if not isinstance(out, np.ndarray):
            raise BindingError(f'out= for {name} is of the class {type(out).__name__}: results go into NumPy\'s arrays and '
                               'into spcc.Tensor')
        if not _formats.is_dense(variant.formats[name], self._parsed.order(name)):
            raise BindingError(f'out= for {name} is an array, and {name} is sparse', help='format="dense" makes it dense')
        self._check_out(name, out, d.type)
        wanted = _formats.kind_of(variant.formats[name], out.ndim)[1]
        if layout(out) == wanted and out.flags.aligned:
            return self._writable(name, out, variant.formats[name], wanted), lambda: out
        return self._through_copy(name, out, variant.formats[name], wanted)

    def _given_tensor(self, name, out):
        """A run gives a sparse result other arrays.  Those that somebody sees stay as they are."""
        core = out._core
        if core.views == 0 or _formats.is_dense(core.format, len(core.shape)):
            return core, lambda: out
        format = _formats.spelled(core.format, len(core.shape), self._wide)
        own = core.convert(format, core.type, None) if name in self._parsed.read else \
            _core.new(format, core.type, len(core.shape), None, None if core.fill == '0' else core.fill)

        def finish():
            out._core = own
            return out
        return own, finish

    def _check_out(self, name, out, type):
        if out.dtype != DTYPES[type] or not out.dtype.isnative:
            raise BindingError(f'out= for {name} has values of the type {out.dtype}, and {name} has {DTYPES[type]}')
        if out.ndim != self._parsed.order(name):
            raise BindingError(f'out= for {name} has {out.ndim} modes, and {name} has {self._parsed.order(name)}')
        if not out.flags.writeable:
            raise BindingError(f'out= for {name} is read-only')

    def _through_copy(self, name, out, format, modes):
        copy = np.empty([out.shape[m] for m in modes], out.dtype).transpose(np.argsort(modes))
        copy[...] = out
        tell_copy('out', 'a result with gaps between its values', copy)

        def finish():
            out[...] = copy
            return out
        return self._writable(name, copy, format, modes), finish

    def _writable(self, name, out, format, modes):
        """What is in it does not matter unless the statement reads it: numpy.empty has bytes that are no bool."""
        return _core.borrow(format, name_of(out.dtype), out.shape, (), out.transpose(modes), None, True,
                            name not in self._parsed.read, name)

    # ---- calls in C ----

    def _teach(self, variant, operands):
        """Let C do calls like this one, if it can."""
        name = self._parsed.names[0]
        sources, d, format = self._parsed.sources(name), self._declared[name], variant.formats[name]
        if self._parsed.results != 1 or self._parsed.read or len(operands) > 7 or d.fill or \
                any(o.attributes is None or o.fill for o in operands):
            return
        order = self._parsed.order(name)
        is_dense = _formats.is_dense(format, order)
        if None in sources or (is_dense and format is not None):
            return
        slots = [(name, np.ndarray, (), None if not is_dense else format, d.type, order)]
        for o in operands:
            slots.append((o.name, o.cls, o.attributes, o.format, o.type, len(o.shape)))
        make, dtype = (np.empty, DTYPES[d.type]) if is_dense else (variant.wrap[0], None)
        self._learn(variant.compiled, slots, sources, None if is_dense else format, make, dtype)

    # ---- looking closer ----

    def emit(self, stage):
        """A stage on the way from the statement to code, by its name: 'c', 'plan', 'lattice', 'explain', ..."""
        if stage not in STAGES:
            raise ArgumentError(f'{stage!r} is no stage', help='the stages are ' + ', '.join(STAGES))
        declarations = [(name, *self._declared[name].state()) for name in self._parsed.operands]
        with _formats.wide(self._wide):
            declarations += [(name, format, *self._declared[name].state()[1:])
                             for name, format in self._result_formats(declarations).items()]
            return Text(_core.emit(STAGES[stage], self.statement, self._spelled(declarations), **self._compile_options()))

    def explain(self):
        """The statement after each stage."""
        return self.emit('explain')

    @property
    def source(self):
        """The kernel as C."""
        return self.emit('c')

    @property
    def schedule(self):
        """The loops as they were planned."""
        return self.emit('plan')

    @property
    def lattice(self):
        """The iteration lattices of its loops; in a notebook a picture."""
        return Picture(self.emit('lattice'), lambda: self.emit('lattice-svg'))

    @property
    def graph(self):
        """Its loops, and the paths of accesses through them; in a notebook a picture."""
        return Picture(self.emit('graph-dot'), lambda: self.emit('graph'))

    @property
    def engine(self):
        """The engine of each variant that was compiled, by its operands' formats."""
        return {key[0]: _engines.NAMES[variant.compiled.info[0]] for key, variant in self._variants.items()}

    def time(self, *args, **named):
        """The median time of a call, and what of the memory's speed that is."""
        out, operands = self._bind(args, dict(named))
        variant, tensors, _ = self._tensors(out, operands)
        return timed(lambda: variant.compiled.run(tensors), lambda: variant.compiled.traffic(tensors))


def library_of(kinds):
    """Results are of the library of the operands: arrays before matrices, as SciPy has it."""
    return next((kind for kind in ('pydata', 'array', 'matrix') if kind in kinds), 'array')


def _restore(text, declared, options, kind):
    return Kernel(text, {name: Declared(*state) for name, state in declared.items()}, options, kind)


def _promoted(declared):
    """The type that operands have together, by NumPy's rules."""
    return name_of(np.result_type(*(DTYPES[d.type] for d in declared))) if declared else 'f64'


def result_types(text, parsed, declared, formats, dtype=None, operators=None):
    """The types of the results, in a dictionary: dtype, or those of the values that they are assigned.  What the statement
    reads has the type that the operands have together.  formats are those of results of which one is known."""
    if dtype is not None:
        return dict.fromkeys(parsed.names[:parsed.results], name_of(dtype))
    operands = [(name, d.format, d.type, d.fill) for name, d in declared.items()]
    common = _promoted(declared.values())
    results = [(name, formats.get(name) or None, common, None) for name in parsed.names[:parsed.results]]
    spelled = [(name, _formats.spelled(format, parsed.order(name), False), *rest)
               for name, format, *rest in operands + results]
    types = _core.result_types(parsed.results, text, spelled, operators=operators_of(operators))
    return dict(zip(parsed.names, types))


def compile(statement, *, format=False, dtype=None, fill=None, schedule=None, no_plan=False, serial=False, plain=False,
            algebra=False, sizes=None, operators=None, cuda=False, formats=None, **tensors):
    """Compile a statement in tensor index notation.

    Tensors are declared by name: A="csr", A=("csr", "f32"), x=numpy.float32, or A=matrix to be like that one.  Those that
    are not are dense, of float64.  format, dtype and fill are those of the result: without them its format follows from
    those of the operands, and its type too, by NumPy's rules.  formats is a dictionary for names that are none of
    Python's, or are those of other arguments."""
    parsed = Statement(statement, operators)
    given = {**(formats or {}), **tensors}
    declared = {name: declare(given.get(name), name, order=parsed.order(name)) for name in parsed.operands}
    results = {name: declare(given[name], name, None, parsed.order(name)) if name in given else
               Declared(_format_of(format), None) for name in parsed.names[:parsed.results]}
    types = result_types(statement, parsed, declared, {name: d.format for name, d in results.items()}, dtype, operators)
    for name, d in results.items():
        type = d.type if dtype is None and d.type else types[name]
        declared[name] = Declared(d.format, type, fill_text(fill) or d.fill)
    unknown = [name for name in given if name not in parsed.names]
    if unknown:
        raise ArgumentError(f'{unknown[0]} is no tensor of {statement}', help='its tensors are ' + ', '.join(parsed.names))
    options = dict(schedule=schedule, no_plan=no_plan, serial=serial, plain=plain, algebra=bool(algebra),
                   sizes=sizes_of(sizes), operators=operators, cuda=cuda)
    kernel = Kernel(statement, declared, options)
    kernel._compile_now()
    return kernel
