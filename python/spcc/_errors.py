"""Exceptions by the status of the C API, and notes as warnings.

SPDX-License-Identifier: MIT
"""
import sys
import warnings

from . import _core


class Error(Exception):
    """What spcc refuses.  str() is the message, with the place in the statement that it is about, and the remedy.

    status   the number of the status in spcc.h
    code     that of error[E203], 203; 0: none
    span     (source, text, begin, end): the bytes of a text that it is about; None: no place
    help     a remedy, or None
    """
    status = 0

    def __init__(self, message, code=0, span=None, help=None):
        super().__init__(message)
        self.code, self.span, self.help = code, span, help

    def __str__(self):
        told = self.help is None or '\n  help: ' in self.args[0]
        return self.args[0] if told else f'{self.args[0]}\n  help: {self.help}'

    def __reduce__(self):
        return type(self), (self.args[0], self.code, self.span, self.help)


class StatementError(Error, ValueError):
    status = 1


class FormatError(Error, ValueError):
    status = 2


class ScheduleError(Error, ValueError):
    status = 3


class UnsupportedError(Error, NotImplementedError):
    status = 4


class TensorError(Error, ValueError):
    status = 5


class FileError(Error, OSError):
    status = 6


class LimitError(Error, OverflowError):
    status = 7


class BindingError(Error, ValueError, TypeError):
    """The tensors do not fit the statement, or what the kernel was compiled for."""
    status = 8


class ArgumentError(Error, TypeError):
    status = 9


class OutOfMemoryError(Error, MemoryError):
    status = 20


class CompilerError(Error, RuntimeError):
    status = 21


class MachineError(Error, OSError):
    status = 22


class StoppedError(Error, RuntimeError):
    status = 40


class BugError(Error, RuntimeError):
    status = 70


class Note(UserWarning):
    """A remark of spcc's that is no error."""


_BY_STATUS = {kind.status: kind for kind in Error.__subclasses__()}


def _make_error(status, message, told):
    code, span, help = 0, None, None
    if told:
        code, _, help, source, text, begin, end = told
        span = (source, text, begin, end) if source else None
    return _BY_STATUS.get(status, BugError)(message.rstrip('\n'), code, span, help)


_told = set()


def note(message):
    """Warn, of the same thing once."""
    message = message.rstrip('\n')
    if message.startswith('note: '):
        message = message[len('note: '):]
    if message not in _told:
        _told.add(message)
        warnings.warn(message, Note, stacklevel=_users_level())


def _users_level():
    """Of the caller of this package, as warn() counts."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get('__package__') == __package__:
        level, frame = level + 1, frame.f_back
    return level


def forget_notes():
    """What was warned of may be warned of again."""
    _told.clear()


_core.set_hooks(_make_error, note)
