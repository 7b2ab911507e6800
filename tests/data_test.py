#!/usr/bin/env python3
"""data_test.py - spcc run on real matrices and tensors, against sums made here.

    data_test.py SPCC FOLDER [--all] [--only WORD,...]
    data_test.py --itself          check that planted faults are found

The files are those of FOLDER, and those of the folder that the environment variable SPCC_DATA names, else of
../shared/data beside the source tree.  Without --all the largest are left out, and the others are not run in every
format, type and engine.  --only: the cases whose name has all of these words; a name is as "arrow spmv csr f64 cc".

A result is right if each component differs from the exact sum by no more than rounding allows: for a sum of n terms
t in a type of unit roundoff u and least positive number v, (n + 5) (u (|t1| + |t2| + ...) + v); integers are exact.
Where the exact value of a component is 0, it may be left out of a file.
SPDX-License-Identifier: MIT
"""
import gzip
import os
import re
import subprocess
import sys
import tempfile
import time

ROUNDOFF = {'f64': 2.0**-53, 'f32': 2.0**-24, 'c128': 2.0**-53, 'i64': 0.0}
LEAST = {'f64': 2.0**-1074, 'f32': 2.0**-149, 'c128': 2.0**-1074, 'i64': 0.0}
TYPES = tuple(ROUNDOFF)
ENGINES = tuple(engine for engine in ('clang', 'cc', 'interp')
                if os.environ.get('SPCC_HAS_' + engine.upper(), 'yes'))
DENSE_MOST = 1 << 27   # components of a dense tensor
FILE_MOST = 400000     # bytes, without --all
RANK = 3               # columns of MTTKRP's matrices


def number(text):
    try:
        return int(text)
    except ValueError:
        return float(text)


class File:
    """A file of ours as a list of (coordinates, value), coordinates from 0; symmetric ones are not expected."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path).split('.')[0]
        with (gzip.open(path, 'rt') if path.endswith('.gz') else open(path, encoding='utf-8')) as file:
            lines = [line.split() for line in file if line[0] not in '%#\n']
        self.is_matrix = '.mtx' in path
        if self.is_matrix:
            self.sizes = tuple(map(int, lines.pop(0)[:2]))
        order = 2 if self.is_matrix else len(lines[0]) - 1
        self.entries = [(tuple(int(c) - 1 for c in line[:order]), number(line[order]) if line[order:] else 1)
                        for line in lines]
        if not self.is_matrix:
            self.sizes = tuple(max(c[m] for c, _ in self.entries) + 1 for m in range(order))
        self.order = order
        self.integral = all(float(v).is_integer() for _, v in self.entries)

    def components(self):
        n = 1
        for size in self.sizes:
            n *= size
        return n

    def transposed(self, folder):
        """A matrix of the same sizes with another pattern: the rows in reverse."""
        path = os.path.join(folder, self.name + '-reversed.mtx')
        rows, columns = self.sizes
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'%%MatrixMarket matrix coordinate real general\n{rows} {columns} {len(self.entries)}\n')
            file.writelines(f'{rows - i} {j + 1} {value!r}\n' for (i, j), value in self.entries)
        return path


class Sums(dict):
    """Component -> [sum, sum of the absolute values, number of terms]."""

    def add(self, at, term):
        entry = self.get(at)
        if entry is None:
            self[at] = [term, abs(term), 1]
        else:
            entry[0] += term
            entry[1] += abs(term)
            entry[2] += 1


def spmv(file):
    sums = Sums()
    for (i, _), value in file.entries:
        sums.add((i,), value)
    return sums


def residual(file):
    sums = Sums()
    for i in range(file.sizes[0]):
        sums.add((i,), i)
    for (i, j), value in file.entries:
        sums.add((i,), -value * j)
    return sums


def plus(file):
    sums, rows = Sums(), file.sizes[0]
    for (i, j), value in file.entries:
        sums.add((i, j), value)
        sums.add((rows - 1 - i, j), value)
    return sums


def times(file):
    sums, rows = Sums(), file.sizes[0]
    here = Sums()
    for at, value in file.entries:
        here.add(at, value)
    for (i, j), entry in here.items():
        other = here.get((rows - 1 - i, j))
        if other:
            sums.add((i, j), entry[0] * other[0])
    return sums


def ttv(file):
    sums = Sums()
    for at, value in file.entries:
        sums.add(at[:-1], value * at[-1])
    return sums


def mttkrp(file):
    sums = Sums()
    for at, value in file.entries:
        for r in range(RANK):
            sums.add((at[0], r), value * (at[1] * RANK + r))
    return sums


def modes(order):
    return 'ijklmnop'[:order]


def access(name, variables):
    return f'{name}({",".join(variables)})'


def ttv_statement(file):
    variables = modes(file.order)
    return f'{access("y", variables[:-1])} = {access("A", variables)} * x({variables[-1]})'


def mttkrp_statement(file):
    """The first factor is 0, 1, 2, ..., the others are ones."""
    variables = modes(file.order)
    factors = [access('BCDEFG'[m - 1], (variables[m], 'r')) for m in range(1, file.order)]
    return f'y(i,r) = {access("A", variables)} * {" * ".join(factors)}'


# Name, statement, reference, the other operands' inputs, formats of A each with that of the result.
MATRIX_CASES = (
    ('spmv', lambda f: 'y(i) = A(i,j) * x(j)', spmv, ('x:@ones',),
     {a: 'dense' for a in ('csr', 'dcsr', 'coo', 'dense')}),
    ('residual', lambda f: 'y(i) = b(i) - A(i,j) * x(j)', residual, ('b:@index', 'x:@index'),
     {a: 'dense' for a in ('csr', 'dcsr', 'coo', 'dense')}),
    ('plus', lambda f: 'y(i,j) = A(i,j) + B(i,j)', plus, ('B:REVERSED',),
     {a: a for a in ('csr', 'dcsr', 'coo', 'dense')}),
    ('times', lambda f: 'y(i,j) = A(i,j) * B(i,j)', times, ('B:REVERSED',),
     {a: a for a in ('csr', 'dcsr', 'coo', 'dense')}),
)
TENSOR_CASES = (
    ('ttv', ttv_statement, ttv, ('x:@index',), {'csf': 'csf', 'coo': 'dense'}),
    ('mttkrp', mttkrp_statement, mttkrp, ('B:@index', 'C:@ones', 'D:@ones', 'E:@ones'),
     {'csf': 'dense', 'coo': 'dense'}),
)


def parse(path, order, is_complex):
    """The components in a .tns, as (coordinates, value)."""
    with open(path, encoding='utf-8') as file:
        for line in file:
            words = line.split()
            at = tuple(int(c) - 1 for c in words[:order])
            value = number(words[order])
            if is_complex and float(words[order + 1]) != 0:
                yield at, complex(value, float(words[order + 1]))
            else:
                yield at, value


def allowed(kind, size, terms):
    return (terms + 5) * (ROUNDOFF[kind] * size + LEAST[kind])


def compare(path, sums, order, kind):
    """The first fault, or None."""
    seen, none = set(), (0, 0, 0)
    for at, value in parse(path, order, kind == 'c128'):
        exact, size, terms = sums.get(at, none)
        if at in seen:
            return f'component {at} is there twice'
        seen.add(at)
        if not abs(value - exact) <= allowed(kind, size, terms):
            return f'component {at} is {value}, and should be {exact}'
    for at, (exact, size, terms) in sums.items():
        if at not in seen and abs(exact) > allowed(kind, size, terms):
            return f'component {at} is not there, and should be {exact}'
    return None


class Runner:
    def __init__(self, spcc, folder, words):
        self.spcc, self.folder, self.words = spcc, folder, words
        self.right, self.refused, self.faults = 0, [], []
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, 'cache'))

    def wants(self, name):
        return all(word in name.split() for word in self.words)

    def command(self, file, case, a_format, y_format, kind, engine):
        _, statement, _, others, _ = case
        statement = statement(file)
        names = re.findall(r'[A-Zbxy](?=\()', statement)
        command = [self.spcc, 'run', statement, '--jit=' + engine, '-f', 'A:' + a_format, '-f', 'y:' + y_format,
                   '-i', 'A:' + file.path, '-o', 'y:' + os.path.join(self.folder, 'y.tns')]
        for name in names:
            command += ['-t', f'{name}:{kind}']
        for other in others:
            if other.endswith('REVERSED'):
                command += ['-i', 'B:' + self.reversed, '-f', 'B:' + a_format]
            elif other[0] in names:
                command += ['-i', other]
        if 'r' in statement:
            command += ['-d', f'r:{RANK}']
        return command

    def run(self, name, file, case, sums, a_format, y_format, kind, engine):
        command = self.command(file, case, a_format, y_format, kind, engine)
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        refusable = kind == 'i64' and not file.integral
        if done.returncode == 1 and refusable and 'is not an integer' in done.stderr:
            self.refused.append(name)
            return
        fault = f'ends with status {done.returncode}: {done.stderr}' if done.returncode or done.stderr else None
        if not fault and refusable:
            fault = 'takes values that are no integers'
        if not fault:
            order = {'ttv': file.order - 1, 'spmv': 1, 'residual': 1}.get(case[0], 2)
            fault = compare(os.path.join(self.folder, 'y.tns'), sums, order, kind)
        if fault:
            self.faults.append(name)
            print(f'{name}: {fault}\n  {" ".join(map(repr, command))}', flush=True)
        else:
            self.right += 1

    def combinations(self, file, case, everything):
        """(format of A, of y, type, engine); a few of them, other ones for other files, unless all are asked for."""
        chosen = [(a, y, kind, engine) for a, y in case[4].items() for kind in TYPES for engine in ENGINES]
        if everything:
            return chosen
        return chosen[len(file.name) % 5::7]

    def run_file(self, path, everything):
        file = None
        for case in MATRIX_CASES if '.mtx' in path else TENSOR_CASES:
            sums = None
            stem = os.path.basename(path).split('.')[0]
            if not any(self.wants(f'{stem} {case[0]} {a} {kind} {engine}')
                       for a in case[4] for kind in TYPES for engine in ENGINES):
                continue
            file = file or File(path)
            self.reversed = file.transposed(self.folder) if file.is_matrix and 'REVERSED' in str(case[3]) else None
            for a, y, kind, engine in self.combinations(file, case, everything):
                name = f'{file.name} {case[0]} {a} {kind} {engine}'
                if not self.wants(name):
                    continue
                dense = file.components() if a == 'dense' else 0
                if y == 'dense' and case[0] == 'ttv':
                    dense = max(dense, file.components() // file.sizes[-1])
                if dense > DENSE_MOST or (dense > DENSE_MOST >> 4 and engine == 'interp'):
                    continue
                sums = sums or case[2](file)
                self.run(name, file, case, sums, a, y, kind, engine)
            if self.reversed:
                os.remove(self.reversed)


def find_files(folder, everything):
    source = os.environ.get('SPCC_SOURCE', os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    other = os.environ.get('SPCC_DATA', os.path.join(source, '..', 'shared', 'data'))
    found = {}
    for place in (other, folder):
        if not os.path.isdir(place):
            print(f'there is no folder {place}')
            continue
        for name in sorted(os.listdir(place)):
            path = os.path.join(place, name)
            if re.search(r'\.(mtx|tns)(\.gz)?$', name) and (everything or os.path.getsize(path) <= FILE_MOST):
                found[name] = path
    return list(found.values())


def check_itself():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'y.tns')
        sums = Sums()
        for at, term in (((0, 0), 1), ((0, 0), 2.5), ((0, 1), 4), ((1, 1), 1), ((1, 1), -1)):
            sums.add(at, term)

        def fault(text, kind='f64'):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            return compare(path, sums, 2, kind)
        assert fault('1 1 3.5\n1 2 4\n') is None
        assert fault('1 1 3.5\n1 2 4\n2 2 0\n') is None
        assert fault('1 1 3.5000001\n1 2 4\n', 'f32') is None
        assert fault('1 1 3.5 0\n1 2 4 0\n', 'c128') is None
        assert 'should be 3.5' in fault('1 1 3.5000001\n1 2 4\n')
        assert 'should be 3.5' in fault('1 1 nan\n1 2 4\n')
        assert 'should be 4' in fault('1 1 3.5 0\n1 2 4 1\n', 'c128')
        assert 'twice' in fault('1 1 3.5\n1 1 3.5\n1 2 4\n')
        assert 'is not there' in fault('1 1 3.5\n')
        assert 'should be 0' in fault('1 1 3.5\n1 2 4\n2 1 1\n')


def main(arguments):
    if arguments == ['--itself']:
        check_itself()
        return 0
    everything = '--all' in arguments
    words = arguments[arguments.index('--only') + 1].split(',') if '--only' in arguments else []
    paths = find_files(arguments[1], everything)
    with tempfile.TemporaryDirectory() as temporary:
        runner = Runner(os.path.abspath(arguments[0]), temporary, words)
        for path in paths:
            start = time.monotonic()
            right, refused = runner.right, len(runner.refused)
            before = right + refused + len(runner.faults)
            runner.run_file(path, everything)
            if runner.right + len(runner.refused) + len(runner.faults) == before:
                continue
            print(f'{os.path.basename(path)}: {runner.right - right} right, {len(runner.refused) - refused} refused, '
                  f'{time.monotonic() - start:.1f} s', flush=True)
    print(f'{runner.right} right, {len(runner.refused)} refused, {len(runner.faults)} wrong')
    return 1 if runner.faults or not runner.right else 0


if __name__ == '__main__':
    if len(sys.argv) < 3 and sys.argv[1:] != ['--itself']:
        sys.stderr.write(__doc__)
        sys.exit(2)
    sys.exit(main(sys.argv[1:]))
