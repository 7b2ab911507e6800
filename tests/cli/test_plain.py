"""test_plain.py - what --plain prints, compiled and run as somebody does who pastes it.

    test_plain.py SPCC

Kernels run on small tensors that are drawn, under the compiler's sanitizers where it has them; the result is compared
with sums over dictionaries.  Every call is made again and again with one request for memory more that is granted:
what fails says so, gives nothing and keeps nothing.
SPDX-License-Identifier: MIT
"""
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SPCC = None
FLAGS = ['-std=c11', '-O2', '-g', '-Wall', '-Wextra', '-Wshadow', '-Werror']
SANITIZE = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']
SIZE = {'i': 5, 'j': 7, 'k': 6, 'l': 4}

# Memory that is refused after `granted` requests.
REFUSING = """
#include <stdlib.h>
extern int granted;
static inline void *refusing_calloc(size_t n, size_t size) { return granted-- > 0 ? calloc(n, size) : NULL; }
static inline void *refusing_realloc(void *p, size_t size) { return granted-- > 0 ? realloc(p, size) : NULL; }
#define calloc refusing_calloc
#define realloc refusing_realloc
"""


class Tensor:
    """NAME(indices), by levels: d(ense), s(compressed), u(compressed, not unique), q(singleton); order: the modes'."""

    def __init__(self, name, indices, levels, order=None, percent=40):
        self.name, self.indices, self.levels = name, indices, levels
        self.order = order or range(len(indices))
        self.percent = percent
        self.sizes = [SIZE[indices[m]] for m in self.order]

    def draw(self, rng):
        places = itertools.product(*[range(SIZE[x]) for x in self.indices])
        dense = set(self.levels) <= {'d'}
        return {at: rng.randint(1, 9) for at in places if dense or rng.randrange(100) < self.percent}

    def dimensions(self):
        return {f'{self.name}{m + 1}_dimension': SIZE[x] for m, x in enumerate(self.indices)}

    def arrays(self, entries):
        """The arrays by their names in C."""
        made, coordinates = self.dimensions(), sorted(tuple(at[m] for m in self.order) for at in entries)
        parents = [()]
        for k, kind in enumerate(self.levels):
            if kind == 'd':
                parents = [p + (c,) for p in parents for c in range(self.sizes[k])]
                continue
            if kind == 'q':
                made[f'{self.name}{k + 1}_crd'] = [c[k] for c in coordinates]
                parents = coordinates
                continue
            pos, crd, next_parents = [0], [], []
            for p in parents:
                below = [c[:k + 1] for c in coordinates if c[:k] == p]
                below = below if kind == 'u' else sorted(set(below))
                crd += [c[k] for c in below]
                next_parents += below
                pos.append(len(crd))
            made[f'{self.name}{k + 1}_pos'], made[f'{self.name}{k + 1}_crd'] = pos, crd
            parents = next_parents
        by = {tuple(at[m] for m in self.order): v for at, v in entries.items()}
        parents = coordinates if self.levels[-1:] == 'q' else parents
        made[f'{self.name}_vals'] = [by.get(p, 0) for p in parents]
        return made

    def entries(self, arrays):
        """What arrays have, by coordinates in the order of the modes."""
        places = [((), 0)]
        for k, kind in enumerate(self.levels):
            if kind == 'd':
                places = [(c + (x,), p * self.sizes[k] + x) for c, p in places for x in range(self.sizes[k])]
                continue
            crd = arrays[f'{self.name}{k + 1}_crd']
            if kind == 'q':
                places = [(c + (crd[p],), p) for c, p in places]
                continue
            pos = arrays[f'{self.name}{k + 1}_pos']
            places = [(c + (crd[at],), at) for c, p in places for at in range(pos[p], pos[p + 1])]
        stored = [c for c, _ in places]
        assert stored == sorted(stored), 'coordinates are not in order'
        assert len(set(stored)) == len(stored), 'a coordinate is stored twice'
        values = arrays[f'{self.name}_vals']
        made = {}
        for c, p in places:
            made[tuple(c[list(self.order).index(m)] for m in range(len(c)))] = values[p]
        return made


def csr(name, indices):
    return Tensor(name, indices, 'ds')


def parameters(source):
    """(type, stars, name) of each of the function's."""
    text = re.search(r'^int evaluate\((.*?)\)\n\{', source, re.S | re.M).group(1)
    made = []
    for parameter in ' '.join(text.split()).split(', '):
        kind, stars, name = re.fullmatch(r'(?:const )?(\w+) (\**)(\w+)', parameter).groups()
        made.append((kind, len(stars), name))
    return made


def lengths(result):
    """How long the result's arrays are, in C, once it is there."""
    made, positions = {}, '1'
    for k, kind in enumerate(result.levels):
        if kind == 'd':
            positions = f'({positions} * {result.sizes[k]})'
            continue
        if kind != 'q':
            made[f'{result.name}{k + 1}_pos'] = f'{positions} + 1'
            positions = f'{result.name}{k + 1}_pos[{positions}]'
        made[f'{result.name}{k + 1}_crd'] = positions
    made[f'{result.name}_vals'] = positions
    return made


def driver(source, result, arrays):
    """A program that calls the function until it succeeds, and prints its arrays."""
    lines = ['#include <stdint.h>', '#include <stdio.h>', '#include <stdlib.h>', 'int granted;']
    arguments, outs, dense = [], [], []
    lines.append(re.search(r'^int evaluate\(.*?\)\n', source, re.S | re.M).group(0).rstrip() + ';')
    lines += ['int main(void)', '{']
    for kind, stars, name in parameters(source):
        if stars == 2:
            bare = name[:-4]
            lines.append(f'    static {kind} no_{bare}; {kind} *{bare} = &no_{bare};')
            outs.append(bare)
            arguments.append(f'&{bare}')
        elif stars == 1 and name == f'{result.name}_vals':
            n = 1
            for size in result.sizes:
                n *= size
            lines.append(f'    static {kind} {name}[{n}];')
            dense.append(name)
            arguments.append(name)
        elif stars == 1:
            values = arrays[name]
            lines.append(f'    {kind} *{name} = malloc({len(values)} * sizeof({kind}) + !{len(values)});')
            lines += [f'    {name}[{i}] = {v};' for i, v in enumerate(values)]
            arguments.append(name)
        else:
            arguments.append(str(arrays[name]))
    lines += ['    int status = 1, most = 0;', '    for (; status == 1; most++) {', '        granted = most;',
              f'        status = evaluate({", ".join(arguments)});']
    lines += [f'        if (status != 0 && {bare}) return 9;' for bare in outs]
    lines += ['    }', '    printf("status %d\\n", status);', '    if (status != 0) goto end;']
    for bare, n in lengths(result).items():
        lines += [f'    printf("{bare}");', f'    for (int at = 0; at < {n}; at++) printf(" %g", (double){bare}[at]);',
                  '    puts("");']
    lines += [f'    free({bare});' for bare in outs] + ['end:']
    lines += [f'    free({name});' for kind, stars, name in parameters(source) if stars == 1 and name not in dense]
    return '\n'.join(lines + ['    return 0;', '}', ''])


def evaluate(value, result, tensors, entries):
    """What the result is, by sums over all coordinates."""
    names = sorted(set(''.join(t.indices for t in tensors)))
    made = {}
    for at in itertools.product(*[range(SIZE[x]) for x in names]):
        where = dict(zip(names, at))
        v = value(*[entries[t.name].get(tuple(where[x] for x in t.indices), 0) for t in tensors])
        to = tuple(where[x] for x in result.indices)
        made[to] = made.get(to, 0) + v
    return {c: v for c, v in made.items() if v != 0}


class Plain(unittest.TestCase):
    def source(self, statement, options):
        done = subprocess.run([SPCC, statement, '--plain', *options], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''), statement)
        return done.stdout

    def run_source(self, source, result, arrays):
        """The status, and the arrays of the result."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (('kernel.c', source), ('main.c', driver(source, result, arrays)), ('refusing.h', REFUSING)):
                with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                    file.write(text)
            for more in ([], [*SANITIZE, '-include', 'refusing.h']):
                build = ['cc', *FLAGS, *more, '-c', 'kernel.c']
                done = subprocess.run(build, cwd=folder, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr + source)
            done = subprocess.run(['cc', *SANITIZE, 'main.c', 'kernel.o', '-o', 'main', '-lm'], cwd=folder,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = subprocess.run(['./main'], cwd=folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr + source)
        made = {name: [int(n) for n in numbers] for name, *numbers in map(str.split, done.stdout.splitlines())}
        return made.pop('status')[0], made

    def check(self, statement, options, result, tensors, value, seed=1):
        source = self.source(statement, options)
        entries = {t.name: t.draw(random.Random(f'{seed} {t.name}')) for t in tensors}
        arrays = result.dimensions()
        for t in tensors:
            arrays.update(t.arrays(entries[t.name]))
        status, made = self.run_source(source, result, arrays)
        self.assertEqual(status, 0, statement)
        made = {c: v for c, v in result.entries(made).items() if v != 0}
        self.assertEqual(made, evaluate(value, result, tensors, entries), source)

    def test_matrices(self):
        a, b, d = csr('A', 'ij'), csr('B', 'ij'), csr('D', 'ij')
        c, f = csr('C', 'ij'), ['-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr']
        self.check('C(i,j) = A(i,j) + B(i,j)', f, c, [a, b], lambda x, y: x + y)
        self.check('C(i,j) = A(i,j) * B(i,j)', f, c, [a, b], lambda x, y: x * y)
        self.check('C(i,j) = A(i,j) - B(i,j) + D(i,j)', f + ['-f', 'D:csr'], c, [a, b, d], lambda x, y, z: x - y + z)
        self.check('C(i,j) = A(i,j) + B(i,j)', f + ['-s', 'collect(C, w)'], c, [a, b], lambda x, y: x + y)
        self.check('C(i,j) = 2 * A(i,j)', f[:2] + f[4:], c, [a], lambda x: 2 * x)

    def test_products(self):
        self.check('C(i,j) = A(i,k) * B(k,j)', ['-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr'], csr('C', 'ij'),
                   [csr('A', 'ik'), csr('B', 'kj')], lambda x, y: x * y)
        self.check('C(i,j) = A(i,k) * B(k,j)', ['-f', 'A:csc', '-f', 'B:csc', '-f', 'C:csc'],
                   Tensor('C', 'ij', 'ds', (1, 0)), [Tensor('A', 'ik', 'ds', (1, 0)), Tensor('B', 'kj', 'ds', (1, 0))],
                   lambda x, y: x * y)
        self.check('C(i,j) = A(i,k) * B(k,j)', ['-f', 'A:dcsr', '-f', 'B:csr', '-f', 'C:dcsr'], Tensor('C', 'ij', 'ss'),
                   [Tensor('A', 'ik', 'ss', percent=10), csr('B', 'kj')], lambda x, y: x * y)
        self.check('C(i,j) = A(i,k) * B(k,j)', ['-f', 'A:csr'], Tensor('C', 'ij', 'dd'),
                   [csr('A', 'ik'), Tensor('B', 'kj', 'dd')], lambda x, y: x * y)
        self.check('C(i,j) = A(i,j) * B(i,k) * D(k,j)', ['-f', 'A:csr', '-f', 'C:csr'], csr('C', 'ij'),
                   [csr('A', 'ij'), Tensor('B', 'ik', 'dd'), Tensor('D', 'kj', 'dd')], lambda x, y, z: x * y * z)

    def test_vectors(self):
        self.check('y(i) = A(i,j) * x(j)', ['-f', 'A:csr'], Tensor('y', 'i', 'd'), [csr('A', 'ij'), Tensor('x', 'j', 'd')],
                   lambda x, y: x * y)
        self.check('y(i) = A(i,j) * x(j)', ['-f', 'A:csr', '-f', 'x:s'], Tensor('y', 'i', 'd'),
                   [csr('A', 'ij'), Tensor('x', 'j', 's')], lambda x, y: x * y)
        self.check('s = a(i) * b(i)', ['-f', 'a:s', '-f', 'b:s'], Tensor('s', '', ''),
                   [Tensor('a', 'i', 's', percent=70), Tensor('b', 'i', 's', percent=70)], lambda x, y: x * y)
        self.check('C(i,j) = A(i,j,k) * x(k)', ['-f', 'A:csf', '-f', 'C:dcsr'], Tensor('C', 'ij', 'ss'),
                   [Tensor('A', 'ijk', 'sss', percent=20), Tensor('x', 'k', 'd')], lambda x, y: x * y)

    def test_conversions(self):
        coo = Tensor('A', 'ij', 'uq')
        self.check('C(i,j) = A(i,j)', ['-f', 'A:coo', '-f', 'C:csr'], csr('C', 'ij'), [coo], lambda x: x)
        self.check('C(i,j) = A(j,i)', ['-f', 'A:csr', '-f', 'C:csr'], csr('C', 'ij'), [csr('A', 'ji')], lambda x: x)
        self.check('C(i,j) = A(i,j) + B(i,j)', ['-f', 'A:coo', '-f', 'B:coo', '-f', 'C:coo'], Tensor('C', 'ij', 'uq'),
                   [coo, Tensor('B', 'ij', 'uq')], lambda x, y: x + y)
        self.check('C(i,j) = A(i,j) + B(j,i)', ['-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr'], csr('C', 'ij'),
                   [csr('A', 'ij'), csr('B', 'ji')], lambda x, y: x + y)

    def test_length(self):
        """The product is as short as a textbook's: 60 lines behind the head comment."""
        options = ['-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr', '--name=spgemm']
        source = self.source('C(i,j) = A(i,k) * B(k,j)', options)
        self.assertLessEqual(source.partition('*/\n')[2].count('\n'), 60, source)

    @unittest.skipUnless(shutil.which('c++'), 'needs a C++ compiler')
    def test_header(self):
        """A program in C++ has the function by its header, whether the source is compiled as C or as C++."""
        main = ('#include "kernel.h"\n'
                'int main() { double a = 3, x = 5, y = 0; evaluate(1, 1, &a, &x, &y); return (int)y; }\n')
        with tempfile.TemporaryDirectory() as folder:
            for name in ('kernel.c', 'kernel.h'):
                self.assertEqual(self.source('y(i) = A(i,j) * x(j)', ['-o', os.path.join(folder, name)]), '')
            with open(os.path.join(folder, 'main.cpp'), 'w', encoding='utf-8') as file:
                file.write(main)
            for command in (['cc', *FLAGS, '-c', 'kernel.c'],
                            ['c++', 'main.cpp', 'kernel.o', '-o', 'as-c'],
                            ['c++', 'main.cpp', '-include', 'kernel.h', 'kernel.c', '-o', 'as-cpp']):
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ''), command)
            for program in ('./as-c', './as-cpp'):
                self.assertEqual(subprocess.run([program], cwd=folder).returncode, 15, program)

    def test_too_large(self):
        c = csr('C', 'ij')
        for right in ('A(i,j) + B(i,j)', 'A(i,k) * B(k,j)'):
            for kind, most in (('i8', 127), ('u8', 255)):
                source = self.source(f'C(i,j) = {right}', ['-f', 'A:csr', '-f', 'B:csr', '-f',
                                                           f'C:(i,j)->(i:dense,j:compressed(pos={kind}))'])
                for n in (most, most + 1):
                    # a row of so many; A has its first component
                    arrays = {'A1_dimension': 1, 'A2_dimension': n, 'A2_pos': [0, 1], 'A2_crd': [0], 'A_vals': [1],
                              'B1_dimension': 1, 'B2_dimension': n, 'B2_pos': [0, n], 'B2_crd': range(n),
                              'B_vals': [1] * n}
                    c.sizes = [1, n]
                    status, made = self.run_source(source, c, arrays)
                    self.assertEqual((status, made.get('C2_pos')), (2, None) if n > most else (0, [0, n]), (right, n))


if __name__ == '__main__':
    SPCC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
