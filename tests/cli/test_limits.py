#!/usr/bin/env python3
"""test_limits.py - any statement below 64 kB is answered, with code or a refusal, within 500 MB.

    test_limits.py PROGRAM [--all]      --all: also what takes seconds

Whatever takes ever more steps ends in the hang limit.  No time is asserted.
SPDX-License-Identifier: MIT
"""
import os
import resource
import sys

import support
from support import Case

MEMORY = 500 * 1000 * 1000
HANG = 1200


def formats(names, spelling):
    return [word for name in names for word in ('-f', f'{name}:{spelling}')]


def total(names, access='({0}(i))', between=' + '):
    return between.join(access.format(name) for name in names)


def names(count, letter='b'):
    return [f'{letter}{k}' for k in range(count)]


def mixed(count, first, second, access='{0}(i,j)'):
    """A sum of matrices, in two formats by turns."""
    b = names(count)
    return ['Y(i,j) = ' + total(b, access), *formats(b[::2] + ['Y'], first), *formats(b[1::2], second)]


def chain(count, result, spelling):
    matrices = [f'A{k}' for k in range(count)]
    return [f'{result} = ' + '*'.join(f'A{k}(i{k},i{k + 1})' for k in range(count)), *formats(matrices, spelling)]


def directives(text):
    return ['y(i) = A(i,j) * x(j)', '-f', 'A:csr', '-s', text]


def outer_parts(count):
    return directives('; '.join(f'split({f"p{k - 1}" if k else "i"}, p{k}, q{k}, down, 2)' for k in range(count)))


def inner_parts(count):
    return directives('; '.join(f'split({f"q{k - 1}" if k else "j"}, p{k}, q{k}, up, 2)' for k in range(count)))


def lists(count):
    text = ['precompute(A(i,j) * x(j), w0, {j}, coo)']
    text += [f'precompute(w{k}(j), w{k + 1}, {{j}}, coo)' for k in range(count)]
    return directives('; '.join(text))


def of_order(count, *orders):
    variables = [f'i{k}' for k in range(count)]
    turned = {'as it is': variables, 'backwards': variables[::-1], 'from the middle': variables[count // 2:] +
              variables[:count // 2]}
    text = ' + '.join(f'{name}({",".join(turned[order])})' for name, order in zip('ABC', orders))
    return [f'Y({",".join(variables)}) = {text}', *formats(['Y', *'ABC'[:len(orders)]], 's' * count)]


FOUND = 'Y(j,k,i) = C(i,k,j) - ({} + A(j)) * min(B(j,i,k), A(i) - A(i) * A(k))'
BLOCKED = ['-f', 'Y:mode-generic:0,2,1', '-f', 'A:c', '-f', 'B:dss', '-f', 'C:sss']

SHORT = {
    'a product that distributes': [FOUND.format('C(k,i,j)'), *BLOCKED],
    'a sum inside a product': [FOUND.format('B(i,i,k) * A(i) - C(k,i,j)'), *BLOCKED],
    '250 sparse vectors': ['y(i) = ' + total(names(250), '{0}(i)'), *formats(names(250), 's')],
    '900 sparse vectors': ['y(i) = ' + total(names(900), '{0}(i)'), *formats(names(900), 's')],
    '900 dense vectors': ['y(i) = ' + total(names(900), '{0}(i)')],
    'a product of 250': ['y(i) = ' + total(names(250), '{0}(i)', '*'), *formats([*names(250), 'y'], 's')],
    'a chain of 50': chain(50, 'Y(i0,i50)', 'csr'),
    'a chain of 120, sparse': chain(120, 'Y(i0,i120)', 'csr'), # was a write beyond an array
    'a chain of 120, dense': chain(120, 'Y(i0,i120)', 'dd'),
    'a chain of 250 to a scalar': chain(250, 'y', 'csr'),
    '120 sums': ['y = ' + total(names(120), '{0}(i_{0})'), *formats(names(120), 's')],
    'order 10, three ways': of_order(10, 'as it is', 'backwards', 'from the middle'),
    'order 12, backwards': of_order(12, 'backwards'),
    '500 splits': outer_parts(500),
    '3000 reorders': directives('; '.join(['reorder(j,i)', 'reorder(i,j)'] * 1500)),
    '100 lists': lists(100),
    'parentheses': ['y = ' + '(' * 30000 + '1' + ')' * 30000],
    'signs': ['y = ' + '-' * 60000 + 'b'],
    'powers': ['y = ' + 'b**' * 20000 + '2'],
    'a long name': ['y = b' + 'x' * 60000],
    'digits': ['y = ' + '1' * 60000],
    'digits behind the point': ['y = 0.' + '1' * 60000 + 'e-300'],
    'a long format': ['y(i) = A(i,j)', '-f', 'A:' + 's' * 60000],
    'a format of 4000 blocks': ['y(i) = A(i,j)', '-f',
                                'A:(i,j)->(' + ','.join(f'i/{k}:dense' for k in range(2, 4000)) + ')'],
    '1000 operators': ['y = x'] + [word for k in range(1000)
                                   for word in ('--op', f'f{k}(a,b)=a+b; commutative, associative')],
    'a deep operator': ['y(i) = f(x(i), z(i))', '--op', 'f(a,b)=' + 'a>b?a:' * 10000 + 'b; commutative, associative'],
}
LONG = {
    '14 splits of outer parts': outer_parts(14),
    '14 splits of inner parts': inner_parts(14),
    '60 splits of inner parts': inner_parts(60),
    '100 matrices by rows and columns': mixed(100, 'csr', 'csc'),
    '900 matrices by rows and columns': mixed(900, 'csr', 'csc'),
    '300 hashed matrices and diagonals': mixed(300, 'dok', 'dia'),
    '100 matrices and their transposes': mixed(100, 'csr', 'csr', '{0}(i,j) * {0}(j,i)'),
    '250 sums in a product': ['y(i) = ' + '*'.join(f'(A{k}(i,j{k}) + b{k}(j{k}))' for k in range(250)),
                              *formats(names(250, 'A'), 'csr'), *formats(names(250), 's')],
}
FILES = {
    'statements': '\n'.join(f'y{k}(i) = a{k}(i)' for k in range(4000)),
    'a line that goes on': 'y = ' + '\n  + '.join(['a(i)'] * 6000),
    'names': 'tensor ' + ', '.join(names(9000)) + ' : csr\ny = 1',
    'loops': 'repeat 1 { ' * 5000 + 'y = 1' + ' }' * 5000,
    'no end of a loop': 'repeat 1 {\n' * 5000,
    'control characters': ''.join(chr(1 + k % 31) for k in range(60000)),
    'sizes': '\n'.join(f'size v{k} = {k}' for k in range(4000)) + '\ny(v1) = 1',
}


class Limits(Case):
    def answered(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sanitized = os.environ.get('SPCC_SANITIZED') # which take more addresses than that
        done = self.run_here(*arguments, timeout=HANG, preexec_fn=None if sanitized else limit)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr[-300:])
        self.assertNotIn('out of memory', done.stderr)
        self.assertTrue(done.stdout if done.returncode == 0 else done.stderr)

    def test_statements(self):
        for name, arguments in {**SHORT, **(LONG if '--all' in OPTIONS else {})}.items():
            with self.subTest(name):
                self.answered('emit', *arguments)

    def test_files(self):
        for name, text in FILES.items():
            with self.subTest(name):
                self.assertLess(len(text), 1 << 17)
                self.answered('emit', self.write('hostile.spcc', text))

    def test_refusal(self):
        self.bad(1, 'error[E604]: compiling this takes more', 'emit',
                 *mixed(900, 'csr', 'csc'))
        # a remedy of hundreds of directives, each weighed on a tree, stood in the obstacle's way
        product = '(A(i,o) + A(j,o)) * (A(j,i) + A(i,o)) * A(j,k) * (A(l,j) + A(j,l)) * (A(o,k) + A(i,l))'
        self.bad(1, 'error[E504]: A cannot be iterated', 'emit', 'y = ' + product, '-f', 'A:csb(3)', '--no-plan',
                 '-s', f'distribute({product})')
        self.bad(1, 'makes 121 nested loops', 'emit', *chain(120, 'Y(i0,i120)', 'csr'))


if __name__ == '__main__':
    OPTIONS = [word for word in sys.argv if word == '--all']
    sys.argv = [word for word in sys.argv if word != '--all']
    support.main()
