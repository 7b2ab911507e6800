"""The compilers of kernels: which there are, and which there would be.

The C part tries Clang in the process, then a C compiler, then interprets.  Where there is no C compiler in PATH and the
package ziglang is installed, `zig cc` is the C compiler.

SPDX-License-Identifier: MIT
"""
import os

from . import _core
from ._errors import ArgumentError, Error, forget_notes

NAMES = {0: 'auto', 1: 'clang', 2: 'cc', 3: 'interp', 4: 'gpu', 5: 'pack'}
_NUMBERS = {name: number for number, name in NAMES.items() if name != 'pack'}
_options = {'engine': 'auto', 'threads': 0, 'index_bits': 0, 'max_memory': 0, 'cache': None, 'cc': None, 'plugin': None,
            'target': None, 'packs': None}
_prepared = False
on_change = []  # what is to be forgotten then


def configure(**options):
    """Set options of all calls from now on, and return those that were: engine ('auto', 'clang', 'cc', 'interp', 'gpu'),
    threads, index_bits, max_memory, cache (a folder; '': none), packs, cc, plugin, target.  See spcc_options in spcc.h."""
    global _options, _prepared
    before, wanted = _options, {**_options, **options}
    for key in options:
        if key not in before:
            raise ArgumentError(f'{key} is no option', help='the options are ' + ', '.join(before))
    if wanted['engine'] not in _NUMBERS:
        raise ArgumentError(f'{wanted["engine"]!r} is no engine', help='the engines are ' + ', '.join(_NUMBERS))
    if wanted['index_bits'] not in (0, 32, 64):
        raise ArgumentError(f'index_bits is {wanted["index_bits"]!r}: it is 32 or 64')
    for key, most in (('threads', 4096), ('max_memory', 2**63 - 1)):
        if not isinstance(wanted[key], int) or not 0 <= wanted[key] <= most:
            raise ArgumentError(f'{key} is {wanted[key]!r}: it is a number from 0 to {most}')
    for key in ('cache', 'packs', 'cc', 'plugin', 'target'):
        if isinstance(wanted[key], os.PathLike):
            wanted[key] = os.fspath(wanted[key])
        if wanted[key] is not None and not isinstance(wanted[key], str):
            raise ArgumentError(f'{key} is {wanted[key]!r}: it is a text or None')
    _apply(wanted, wanted['cc'])
    _options, _prepared = wanted, False
    forget_notes()
    for forget in on_change:
        forget()
    return dict(before)


def index_bits():
    """Of positions and coordinates where a format does not say.  Contexts have 32 all the time, so that the text of a
    format means the same before and after."""
    return _options['index_bits'] or 32


def _apply(options, cc):
    options = {**options, 'engine': _NUMBERS[options['engine']], 'cc': cc}
    del options['index_bits']
    _core.configure(**options)


def _zig():
    """`zig cc` of the package ziglang; None: it is not installed."""
    import importlib.util  # which takes longer to import than the rest of the package
    spec = importlib.util.find_spec('ziglang')
    folder = os.path.dirname(spec.origin) if spec and spec.origin else None
    program = os.path.join(folder, 'zig') if folder else None
    return f'{program} cc' if program and os.access(program, os.X_OK) and ' ' not in program else None


def _has_cc():
    import shutil
    named = os.environ.get('SPCC_CC') or os.environ.get('CC')
    return bool(named) or any(shutil.which(name) for name in ('cc', 'gcc', 'clang'))


def environment():
    """What a process of spcc's program needs to be told of compilers."""
    zig = None if _has_cc() else _zig()
    return {'SPCC_CC': zig} if zig else {}


def prepare():
    """Before the first kernel is compiled: is there a compiler that is not in PATH?"""
    global _prepared
    if _prepared:
        return
    _prepared = True
    if _options['cc'] is None and not _has_cc():
        zig = _zig()
        if zig:
            _apply(_options, zig)


def engines():
    """In the order in which they are tried: (name, is it there, its version or why it is not)."""
    prepare()
    rows = []
    for number in (1, 2, 3):
        try:
            rows.append((NAMES[number], True, _core.describe_engine(number)))
        except Error as error:
            rows.append((NAMES[number], False, str(error).splitlines()[0]))
    zig = _zig()
    rows.insert(2, ('zig', zig is not None, zig or 'the package ziglang is not installed'))
    return rows


def info():
    """What spcc finds on this machine, as a text."""
    lines = [f'version   {_core.version}']
    for name, is_there, text in engines():
        lines.append(f'{name:9} {"" if is_there else "not there: "}{text}')
    return '\n'.join(lines)
