#!/usr/bin/env python3
"""run_test.py - spcc run with --target=cuda prints what it prints without.

    run_test.py SPCC COUNT      on the driver that SPCC_LIBCUDA names, COUNT statements, several at a time

SPDX-License-Identifier: MIT
"""
import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile

SIZES = {'i': 23, 'j': 31, 'k': 16, 'l': 9}
# The tensors by their letters: A, B, C sparse matrices, T a sparse tensor, others dense.
STATEMENTS = ['y(i) = A(i,j) * x(j)', 'y(i) += 2 * A(i,j) * x(j)', 'Y(i,k) = A(i,j) * X(j,k)',
              'B(i,j) = A(i,j) * U(i,k) * X(j,k)', 'y(i) = max(j, A(i,j) * x(j))', 'B(i,j) = 2 * A(i,j)',
              'y(i) = b(i) - A(i,j) * x(j)', 'y(i) = sum(j, A(i,j))', 'B(i,j) = A(i,j) * b(i)',
              'Y(i,k) = T(i,j,l) * X(j,k) * V(l,k)', 'Y(i,j) = T(i,j,l) * v(l)', 'Z(j,i) = W(i,j)',
              'Y(i,k) = W(i,j) * X(j,k)', 'y(i) = min(j, W(i,j) + x(j))', 'y(i) = A(i,j) * x(j) + W(i,j) * x(j)',
              'Y(i,j) = A(i,j) + W(i,j)', 'y(i) = exp(b(i)) / 2', 'y(i) = A(i,j) != 0',
              'B(i,j) = A(i,j) + C(i,j)', 'B(i,j) = A(i,j) * C(i,j)', 'B(i,k) = A(i,j) * C(j,k)',
              'B(i,j) = T(i,j,l) * v(l)', 'B(i,j) = keep(A(i,j), A(i,j) > 0.5)']
FORMATS = ['csr', 'dcsr', 'csr(pos=i64)', 'bcsr(2,2)', 'ell', 'uu']
TYPES = ['f64', 'f32', 'i64']
SPARSE = {'A': '{}', 'B': '{}', 'C': '{}', 'T': 'csf'}


def cases():
    """Each statement in some formats and types, those that differ most first."""
    for n, (text, type_) in itertools.product(range(len(FORMATS)), ((s, t) for t in TYPES for s in STATEMENTS)):
        form = FORMATS[(n + STATEMENTS.index(text)) % len(FORMATS)]
        if not (type_ == 'i64' and 'exp' in text):
            yield text, form, type_


def command(spcc, text, form, type_):
    names = sorted({text[k] for k in range(len(text) - 1) if text[k + 1] == '(' and not text[k - 1].isalpha()})
    words = [spcc, 'run', text]
    for var, size in SIZES.items():
        words += ['-d', f'{var}:{size}'] if re.search(rf'[(,]{var}[,)]', text) else []
    for name in names:
        words += ['-t', f'{name}:{type_}']
        if name in SPARSE:
            words += ['-f', f'{name}:{SPARSE[name].format(form)}']
        if name != text[0]:
            words += ['-i', f'{name}:' + ('@sparse(0.1,3)' if name in SPARSE else '@random(5)')]
    return words


def numbers(text):
    return [[float(word) for word in line.split()] for line in text.splitlines()]


def same(one, other):
    return len(one) == len(other) and all(
        len(a) == len(b) and all(abs(x - y) <= 1e-5 * max(1, abs(x)) for x, y in zip(a, b))
        for a, b in zip(one, other))


def check_times(spcc):
    """What --time says of a GPU: how near kernels come to a copy there."""
    words = [spcc, 'run', 'y(i) = x(i) + 1', '-d', 'i:9', '-i', 'x:@random(1)', '--target=cuda', '--runs=2']
    text, json = (subprocess.run(words + [how], capture_output=True, text=True).stderr for how in ('--time', '--time=json'))
    if not re.search(r'kernels +[0-9.]+ ms +[0-9.]+ GB/s, [0-9]+ % of a copy', text) or '"copy_gb_per_s": ' not in json:
        sys.exit(text + json)


def judge(words, env):
    """None: no GPU runs it; else what is wrong, '' if nothing is."""
    here = subprocess.run(words, capture_output=True, text=True, env=env)
    there = subprocess.run(words + ['--target=cuda'], capture_output=True, text=True, env=env)
    if here.returncode or 'error[E501]' in there.stderr or 'error[E402]' in there.stderr:
        return None
    if there.returncode == 0 and same(numbers(here.stdout), numbers(there.stdout)):
        return ''
    return ' '.join(f"'{w}'" for w in words) + f' --target=cuda\n{there.stderr[:400]}'


def main():
    spcc, count = sys.argv[1], int(sys.argv[2])
    wrong, right, refused = 0, 0, 0
    check_times(spcc)
    left = cases()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        env = dict(os.environ, XDG_CACHE_HOME=folder)
        while right < count and (some := list(itertools.islice(left, count - right))):
            for said in pool.map(lambda case: judge(command(spcc, *case), env), some):
                refused += said is None
                right += said == ''
                if said:
                    wrong += 1
                    print(said)
    print(f'{right} right, {wrong} wrong, {refused} that no GPU runs')
    return 0 if wrong == 0 and right == count else 1


if __name__ == '__main__':
    sys.exit(main())
