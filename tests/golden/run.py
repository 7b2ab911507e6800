#!/usr/bin/env python3
"""run.py - what spcc prints, compared with what it is known to print.

    run.py SPCC [FILE.spcc ...] [--update] [--only STAGE] [--compilers N] [--other-compilers] [--no-compile]
    run.py --itself             check the runner on a spcc that is made up

An input `x.spcc` is a statement file (docs/language.md), which spcc reads itself. Beside it lie the outputs that are
compared, any of

    x.notation x.concrete x.plan x.graph.dot x.lattice x.imperative x.c x.h    of `spcc emit`, by --emit=STAGE
    x.plain.c                                                       of `spcc emit --plain`
    x.cu                                                            of `spcc emit --target=cuda`
    x.err                                                           a statement that is refused: the diagnostics

The functions that several kernels have with them stand once, in helpers/, by their names; those of --plain, which begin
with the kernel's name, in helpers/plain/. An x.c includes those that it has, so that a change of one changes one file.

Statements are planned with --serial, but for those in the folders parallel and cuda, which show what users get who do
not ask. Those in the folder cuda are for a GPU; g++ compiles each x.cu with the emulator of tests/gpu in front of it.

--update, or SPCC_UPDATE_GOLDENS=1, writes those that are there anew; an input that has none yet gets x.err if it is
refused, else x.lattice and x.c. To have another stage, make an empty file of its name first. Every x.c is also
compiled by each compiler found, as C11 and as C++17, with warnings as errors; so is what --plain makes of every
statement that has an x.c, with -Wpedantic (complex numbers are C's alone), and no extension may show in it.
--compilers: by N of each language at most, as C++17 without making code, and no x.cu, for gpu-goldens compiles what is
in them. --other-compilers: by those that --compilers 1 leaves out.
SPDX-License-Identifier: MIT
"""
import difflib
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

STAGES = ('notation', 'concrete', 'plan', 'graph.dot', 'lattice', 'imperative', 'c', 'h', 'plain.c', 'cu')
HERE = os.path.dirname(os.path.abspath(__file__))
WARNINGS = ['-Wall', '-Wextra', '-Wshadow', '-Werror', '-O1']
OBJECT = ['-S', '-o', os.devnull]
EVERY = slice(None)
LANGUAGES = {'C11': (('gcc', 'clang', 'clang-22'), ['-x', 'c', '-std=c11']),
             'C++17': (('g++', 'clang++', 'clang++-22'), ['-x', 'c++', '-std=c++17'])}


# As short as a textbook: so many lines at most from the first #include on.
PLAIN_LINES = {'spmv_csr': 14, 'inner_product': 23, 'add_csr': 47, 'spgemm_csr': 61}
SYNTAX = ['-fsyntax-only']
STRICT = ['-Wpedantic', *SYNTAX]
# Of the names that begin with two underscores the standard has one, and all compilers for C++ the other.
EXTENSION = re.compile(r'\b(?!__cplusplus\b|__restrict\b)__\w+|\b(?:asm|typeof)\b|\(\{')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def difference(path, golden, got):
    """A fault, if there is a difference."""
    if got != golden:
        yield ''.join(difflib.unified_diff(golden.splitlines(True), got.splitlines(True), path, 'as it is now'))


def normalized(text):
    """Without what changes from release to release, and what this runner adds to the command."""
    text = re.sub(r'^( \*     spcc .*) --serial$', r'\1', text, flags=re.M)
    return re.sub(r'\bspcc \d+\.\d+\.\d+\b', 'spcc VERSION', text)


class Helpers:
    """The functions that kernels have with them: a file each in a folder."""
    # by the stage: a function with its comment, its guard, and what it needs before it; and its name
    PATTERN = {'c': re.compile(r'^#ifndef SPCC_HAS_(?P<name>\w+)\n#define SPCC_HAS_(?P=name)\n'
                               r'.*?^(?:};?|.*\);)\n(?:#endif\n)+\n',
                               re.S | re.M),
               'plain.c': re.compile(r'^(?:#ifdef _OPENMP\n#include <omp\.h>\n#endif\n)?(?:/\* (?:(?!\*/).)*\*/\n)?'
                                     r'static inline [\w ]+\**evaluate_(?!grow_)(?P<name>\w+)\([^{}]*\)\n{\n.*?^}\n\n',
                                     re.S | re.M)}
    PATTERN['cu'] = PATTERN['c']
    PLACE = {'c': '', 'plain.c': 'plain', 'cu': 'cuda'}

    def __init__(self, folder):
        self.folder, self.text = folder, {}

    def taken_out(self, source, stage, base):
        """The source with includes instead of them."""
        def include(match):
            path = os.path.join(self.folder, self.PLACE[stage], match['name'] + '.c')
            text = match[0][:-1]
            if self.text.setdefault(path, text) != text:
                return match[0]
            return f'#include "{os.path.relpath(path, os.path.dirname(base))}"\n\n'
        if stage not in self.PATTERN:
            return source
        source = self.PATTERN[stage].sub(include, source)
        return re.sub(r'^(#include ".*"\n)\n(?=#include ")', r'\1', source, flags=re.M)

    def found(self):
        """The paths of those that are there."""
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.folder) for name in names]

    def check(self, update, every):
        """The faults, as text; every: no other kernels have any."""
        for path, text in sorted(self.text.items()):
            if update:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                write(path, text)
            else:
                yield from difference(path, read(path) if os.path.exists(path) else '', text)
        for path in sorted(set(self.found()) - set(self.text)) if every else ():
            if update:
                os.remove(path)
            else:
                yield f'{path}: no kernel has it'


class Case:
    def __init__(self, spcc, path):
        self.spcc, self.path, self.base = spcc, path, path[:-len('.spcc')]
        self.outputs = [s for s in STAGES + ('err',) if os.path.exists(f'{self.base}.{s}')]

    def sources(self):
        return [f'{self.base}.{s}' for s in self.outputs if s in ('c', 'plain.c')]

    def emit(self, stage):
        """What spcc prints, and its status."""
        folder, name = os.path.split(os.path.abspath(self.path))
        command = [self.spcc, 'emit', name]
        if os.path.basename(folder) == 'cuda':
            command.append('--target=cuda')
        elif os.path.basename(folder) != 'parallel':
            command.append('--serial')
        if stage == 'h':
            with tempfile.TemporaryDirectory() as place:
                header = os.path.join(place, 'kernel.h')
                done = subprocess.run(command + ['-o', header], capture_output=True, text=True, cwd=folder)
                return (read(header) if done.returncode == 0 else ''), done.stderr, done.returncode
        if stage == 'plain.c':
            command.append('--plain')
        elif stage not in ('c', 'cu', 'err'):
            command.append('--emit=' + stage)
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        return done.stdout, done.stderr, done.returncode

    def choose_outputs(self):
        _, _, status = self.emit('c')
        cuda = os.path.basename(os.path.dirname(os.path.abspath(self.path))) == 'cuda'
        self.outputs = ['err'] if status == 1 else ['cu'] if cuda else ['lattice', 'c']

    def actual(self, stage):
        """The output of a stage, and what is wrong besides."""
        out, err, status = self.emit(stage)
        if stage == 'err':
            return normalized(err), None if status == 1 and not out else f'status {status} where 1 is expected'
        trouble = f'status {status}\n{err}' if status else f'standard error is not empty:\n{err}' if err else None
        return normalized(out), trouble

    def check(self, update, only, helpers):
        """The faults, as text."""
        if not self.outputs and update:
            self.choose_outputs()
        if not self.outputs:
            yield f'{self.path}: has no output beside it; run with --update'
        for stage in self.outputs:
            if only and stage != only:
                continue
            golden = f'{self.base}.{stage}'
            got, trouble = self.actual(stage)
            lines = got[got.find('#include'):].count('\n')
            most = PLAIN_LINES.get(os.path.basename(self.base)) if stage == 'plain.c' else None
            if most and lines > most:
                trouble = trouble or f'{lines} lines of code, where {most} are the most'
            got = helpers.taken_out(got, stage, self.base)
            if trouble:
                yield f'{golden}: {trouble}'
            elif update:
                write(golden, got)
            else:
                yield from difference(golden, read(golden), got)


@functools.lru_cache(maxsize=None)
def has_openmp(compiler):
    done = subprocess.run([compiler, '-fopenmp', '-x', 'c', '-fsyntax-only', '-'], input='#include <omp.h>\n',
                          capture_output=True, text=True)
    return done.returncode == 0


def compile_one(job):
    path, compiler, language, flags = job
    done = subprocess.run([compiler, *flags, *WARNINGS, path], capture_output=True, text=True)
    return f'{path}: {compiler} refuses it as {language}:\n{done.stderr}' if done.returncode else None


def compile_all(paths, which, more=()):
    """Each file by each compiler that is there; only one of each brand, and of a language's those that `which` takes.
    Files with parallel loops with OpenMP, too."""
    jobs = []
    for language, (compilers, flags) in LANGUAGES.items():
        brands = {}
        for compiler in filter(shutil.which, compilers):
            brands.setdefault(compiler.split('-')[0], compiler)
        made = more or (SYNTAX if which.stop is not None and language == 'C++17' else OBJECT)
        jobs += [(path, compiler, language, [*flags, *made])
                 for path in paths for compiler in list(brands.values())[which]
                 if not more or language == 'C11' or '_Complex' not in read(path)]
    jobs += [(path, compiler, f'{language} with OpenMP', ['-fopenmp', *flags]) for path, compiler, language, flags in jobs
             if '#pragma omp' in read(path) and has_openmp(compiler)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        faults = [fault for fault in pool.map(compile_one, jobs) if fault]
    return faults, len(jobs)


def compile_cuda(cases):
    """Each x.cu by g++, for the emulator."""
    emulator = os.path.join(HERE, '..', 'gpu', 'cuda_on_cpu.h')
    flags = ['-x', 'c++', '-std=c++17', '-include', emulator, '-Wno-unused-function', '-Wno-unknown-pragmas']
    jobs = [(f'{case.base}.cu', 'g++', 'CUDA', [*flags, *OBJECT]) for case in cases if 'cu' in case.outputs]
    jobs = jobs if shutil.which('g++') else []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [fault for fault in pool.map(compile_one, jobs) if fault], len(jobs)


def plain_faults(cases, compilers):
    """What --plain makes of the statements that compile: nothing that ISO C does not have."""
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for case in cases:
            text, trouble = case.actual('plain.c')
            extensions = sorted(set(EXTENSION.findall(re.sub(r'/\*.*?\*/', '', text, flags=re.S))))
            if trouble or extensions:
                faults.append(f'{case.path}, --plain: {trouble or extensions}')
            sources.append(os.path.join(folder, os.path.basename(case.base) + '.c'))
            write(sources[-1], text)
        refused, compiled = compile_all(sources, compilers, STRICT)
    return faults + refused, compiled


def run(spcc, paths, update=False, only=None, compilers=EVERY, every=False, folder=HERE):
    """All faults, as text, and a summary; every: these are all cases that there are, so that no other has helpers."""
    cases = [Case(os.path.abspath(spcc), path) for path in sorted(paths)]
    helpers = Helpers(os.path.join(folder, 'helpers'))
    faults = [fault for case in cases for fault in case.check(update, only, helpers)]
    faults += helpers.check(update, every and not only)
    compiled = 0
    if compilers:
        compiling = [case for case in cases if case.sources()]
        refused, compiled = compile_all([source for case in compiling for source in case.sources()], compilers)
        plain, strict = plain_faults(compiling, compilers)
        cuda, emulated = ([], 0) if compilers.stop else compile_cuda(cases)
        faults += refused + plain + cuda
        compiled += strict + emulated
    outputs = sum(len(case.outputs) for case in cases)
    return faults, f'{len(cases)} statements, {outputs} outputs, {compiled} compilations, {len(faults)} faults'


FAKE = '''#!/usr/bin/env python3
import sys
with open(sys.argv[2]) as file:
    statement = file.read().splitlines()[-1]
if 'bad' in statement:
    sys.stderr.write("bad.spcc:1:1: error[E101]: bad\\n  " + statement + "\\n  ^\\n")
    sys.exit(1)
stage = next((a[7:] for a in sys.argv if a.startswith('--emit=')), 'c')
print('/* spcc 1.2.3 ' + stage + ' ' + statement + ' */' if stage == 'c' else stage)
if 'vector' in statement:
    print('typedef double f64x4 __attribute__((vector_size(32)));')
if 'unused' in statement:
    print('static int f(void) { return 0; }')
if 'helper' in statement and stage == 'c':
    print('#ifndef SPCC_HAS_one\\n#define SPCC_HAS_one\\nstatic inline int one(void)\\n{\\n    return 1;\\n}\\n#endif\\n')
if stage == 'c':
    print('int kernel(void);')
'''


def check_helpers(run, spcc, folder):
    """A helper stands once, and two kernels include it."""
    paths = [os.path.join(folder, name) for name in ('first.spcc', 'second.spcc')]
    helper = os.path.join(folder, 'helpers', 'one.c')
    for path in paths:
        write(path, 'y = helper\n')
    assert run(spcc, paths, update=True, compilers=None)[0] == []
    assert os.listdir(os.path.dirname(helper)) == ['one.c'] and 'return 1;' in read(helper)
    assert all('#include "helpers/one.c"\n' in read(path[:-4] + 'c') for path in paths)
    assert run(spcc, paths, compilers=None, every=True)[0] == []
    write(helper, read(helper).replace('1', '2'))
    faults, _ = run(spcc, paths, compilers=None)
    assert len(faults) == 1 and '+    return 1;' in faults[0], 'a helper that has changed'
    write(os.path.join(folder, 'helpers', 'two.c'), '')
    assert len(run(spcc, paths, compilers=None, every=True)[0]) == 2, 'a helper that no kernel has'
    assert run(spcc, paths, update=True, compilers=None, every=True)[0] == []
    assert os.listdir(os.path.dirname(helper)) == ['one.c']


def check_itself():
    with tempfile.TemporaryDirectory() as folder:
        spcc = os.path.join(folder, 'spcc')
        write(spcc, FAKE)
        os.chmod(spcc, 0o755)
        inputs = {name: os.path.join(folder, name + '.spcc') for name in ('good', 'bad', 'unused', 'vector')}
        write(inputs['good'], '# spcc: -f A:csr\ny(i) = A(i,j)\n')
        write(inputs['bad'], 'y(i) = bad\n')
        write(inputs['unused'], 'y = unused\n')
        write(inputs['vector'], 'y = vector\n')
        paths = list(inputs.values())
        run = functools.partial(globals()['run'], folder=folder)
        good = [inputs['good'], inputs['bad']]
        assert len(run(spcc, paths, compilers=None)[0]) == 4, 'outputs are missing'
        assert run(spcc, paths, update=True, compilers=None)[0] == []
        assert read(os.path.join(folder, 'good.c')).startswith('/* spcc VERSION c y(i) = A(i,j) */')
        assert '^' in read(os.path.join(folder, 'bad.err'))
        assert run(spcc, good)[0] == []
        faults, _ = run(spcc, [inputs['vector']])
        assert len(faults) == 1 and '__attribute__' in faults[0], 'an extension'
        faults, _ = run(spcc, good + [inputs['unused']])
        assert faults and all('refuses it' in fault for fault in faults), 'a warning is an error'
        write(os.path.join(folder, 'good.lattice'), 'something else\n')
        faults, _ = run(spcc, good, compilers=None)
        assert len(faults) == 1 and '-something else' in faults[0] and '+lattice' in faults[0]
        assert run(spcc, good, only='c', compilers=None)[0] == []
        check_helpers(run, spcc, folder)
        write(inputs['bad'], 'y(i) = fine\n')
        faults, _ = run(spcc, [inputs['bad']], compilers=None)
        assert len(faults) == 1 and 'status 0' in faults[0], 'a refusal that does not come any more'


def main(arguments):
    if arguments == ['--itself']:
        check_itself()
        return 0
    update = os.environ.get('SPCC_UPDATE_GOLDENS', '') not in ('', '0')
    compilers, only, words = EVERY, None, []
    arguments = list(arguments)
    while arguments:
        word = arguments.pop(0)
        if word == '--update':
            update = True
        elif word == '--no-compile':
            compilers = None
        elif word == '--compilers' and arguments:
            compilers = slice(int(arguments.pop(0)))
        elif word == '--other-compilers':
            compilers = slice(1, None)
        elif word == '--only' and arguments:
            only = arguments.pop(0)
        else:
            words.append(word)
    if not words or words[0].startswith('-'):
        sys.stderr.write(__doc__)
        return 2
    paths = words[1:] or [os.path.join(HERE, folder, name) for folder in ('', 'parallel', 'cuda')
                          for name in os.listdir(os.path.join(HERE, folder)) if name.endswith('.spcc')]
    faults, summary = run(words[0], paths, update, only, compilers, every=not words[1:])
    for fault in faults:
        print(fault)
    print(summary)
    return 1 if faults or not paths else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
