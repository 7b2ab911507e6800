"""Sparse tensor algebra, compiled: statements in tensor index notation on the arrays of NumPy, scipy.sparse and others.

    import spcc
    y = spcc.run("y(i) = A(i,j) * x(j)", A=A, x=x)
    K = spcc.compile("C(i,j) = S(i,j) * A(i,k) * B(k,j)", S="csr")
    C = K(S, A, B)
    z = spcc.einsum("ijk,jr,kr->ir", T, C, D)

docs/python.md is a tutorial.

SPDX-License-Identifier: MIT
"""
import os as _os

from . import _core
from ._adapt import Copy, copies
from ._einsum import einsum
from ._engines import configure, engines, info
from ._errors import (ArgumentError, BindingError, BugError, CompilerError, Error, FileError, FormatError, LimitError,
                      MachineError, Note, OutOfMemoryError, ScheduleError, StatementError, StoppedError, TensorError,
                      UnsupportedError)
from ._kernel import Kernel, compile
from ._run import Plan, run, tune
from ._show import Picture, Text, Time
from ._tensor import Tensor, generate, read
from ._types import text_of as _text_of

__version__ = _core.version
__all__ = ['ArgumentError', 'BindingError', 'BugError', 'CompilerError', 'Copy', 'Error', 'FileError', 'FormatError',
           'Kernel', 'LimitError', 'MachineError', 'Note', 'OutOfMemoryError', 'Picture', 'Plan', 'ScheduleError',
           'StatementError', 'StoppedError', 'Tensor', 'TensorError', 'Text', 'Time', 'UnsupportedError', 'compile',
           'configure', 'copies', 'describe', 'einsum', 'engines', 'generate', 'info', 'read', 'run', 'tune']


def describe(word):
    """What a word means to spcc: a format, a level type, a directive, an operator, a type."""
    return Text(_core.describe(_text_of(word, 'the word')))


_os.register_at_fork(after_in_child=_core.after_fork)
