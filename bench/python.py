#!/usr/bin/env python3
"""python.py - the Python package beside scipy.sparse and PyData's sparse: ratios of paired runs.

    PYTHONPATH=build/python python3 bench/python.py [--entries N] [--pairs N]

Each row runs spcc and the peer in turns, and prints the median of the pairs' ratios and both medians, with the target of
docs/performance.md.  A ratio below 1 is faster than the peer; "ahead" is its inverse.
SPDX-License-Identifier: MIT
"""
import argparse
import time

import numpy as np
import scipy.sparse as sp

import spcc

try:
    import sparse
except ImportError:
    sparse = None


def once(call, runs):
    start = time.perf_counter()
    for _ in range(runs):
        call()
    return (time.perf_counter() - start) / runs


def runs_of(call):
    """As many as take two milliseconds, by the fastest of some calls: others were interrupted."""
    return max(1, min(2000, int(2e-3 / max(min(once(call, 1) for _ in range(3)), 1e-7))))


def row(name, target, ours, peer, pairs, ahead=False):
    ours(), ours(), peer()
    runs, peers = runs_of(ours), runs_of(peer)
    measured = [(once(ours, runs), once(peer, peers)) for _ in range(pairs)]
    ratio = np.median([b / a if ahead else a / b for a, b in measured])
    a, b = np.median(measured, axis=0) * 1e6
    print(f'{name:42} {target:>9} {ratio:9.2f}{"x" if ahead else " "} {a:12.1f} {b:12.1f}', flush=True)


def matrix(n, entries, seed):
    rng = np.random.default_rng(seed)
    made = sp.coo_matrix((rng.random(entries), (rng.integers(0, n, entries), rng.integers(0, n, entries))), shape=(n, n))
    return sp.csr_array(made.tocsr())


def small(pairs):
    A, B, x, y = matrix(10, 30, 1), matrix(10, 30, 2), np.ones(10), np.empty(10)
    K = spcc.compile('y(i) = A(i,j) * x(j)', A='csr')
    row('K(A, x, out=y), 10 x 10, of A @ x', '<= 1.0', lambda: K(A, x, out=y), lambda: A @ x, pairs)
    row('K(A, x), 10 x 10, of A @ x', '<= 1.3', lambda: K(A, x), lambda: A @ x, pairs)
    row('run of A @ B, 10 x 10', '<= 0.5', lambda: spcc.run('C(i,j) = A(i,k) * B(k,j)', A=A, B=B), lambda: A @ B, pairs)


def large(entries, pairs):
    n = entries // 10
    A, B, x, y = matrix(n, entries, 1), matrix(n, entries, 2), np.random.default_rng(3).random(n), np.empty(n)
    K = spcc.compile('y(i) = A(i,j) * x(j)', A='csr')
    row(f'SpMV, {entries} entries', '<= 1.0', lambda: K(A, x, out=y), lambda: A @ x, pairs)
    row(f'A + B, {entries} entries', '<= 1.0', lambda: spcc.run('C(i,j) = A(i,j) + B(i,j)', A=A, B=B), lambda: A + B, pairs)
    few, text = max(3, pairs // 3), 'C(i,j) = A(i,k) * B(k,j)'
    row(f'A @ B, {entries} entries, rows in any order', '<= 1.0',
        lambda: spcc.run(text, A=A, B=B, format='csr(unordered)'), lambda: A @ B, few)
    row(f'A @ B, {entries} entries, both sorting', '', lambda: spcc.run(text, A=A, B=B),
        lambda: (A @ B).sort_indices(), few)
    row(f'A @ B, {entries} entries, spcc sorting', '', lambda: spcc.run(text, A=A, B=B), lambda: A @ B, few)


def fused(entries, pairs):
    n, k = entries // 10, 32
    A, B, C = matrix(n, entries, 1), matrix(n, entries, 2), matrix(n, entries, 4)
    P, Q = np.random.default_rng(5).random((n, k)), np.random.default_rng(6).random((k, n))
    few = max(3, pairs // 3)
    row('A . (B @ C) beside scipy', '>= 15x', lambda: spcc.run('D(i,j) = A(i,j) * B(i,k) * C(k,j)', A=A, B=B, C=C),
        lambda: A.multiply(B @ C), few, True)
    row('triangles beside scipy', '>= 15x', lambda: spcc.run('t = A(i,j) * B(j,k) * C(i,k)', A=A, B=A, C=A),
        lambda: (A @ A).multiply(A).sum(), few, True)
    row('SDDMM 32 beside scipy', '>= 15x', lambda: spcc.run('D(i,j) = A(i,j) * P(i,k) * Q(k,j)', A=A, P=P, Q=Q),
        lambda: A.multiply(P @ Q), 3, True)


def pydata(entries, pairs):
    """The peer's kernels are Numba's, compiled in the first call."""
    n, k, few = entries // 10, 16, max(3, pairs // 3)
    A, B = (sparse.GCXS.from_scipy_sparse(sp.csr_matrix(matrix(n, entries, seed))) for seed in (1, 2))
    T = sparse.random((1000, 1000, 1000), nnz=entries, random_state=7)
    C, D = (np.random.default_rng(seed).random((1000, k)) for seed in (8, 9))
    row('MTTKRP 16 beside PyData/sparse', '>= 90x', lambda: spcc.run('Y(i,r) = T(i,j,k) * C(j,r) * D(k,r)', T=T, C=C, D=D),
        lambda: sparse.einsum('ijk,jr,kr->ir', T, C, D), few, True)
    row('A + B beside PyData/sparse', '>= 90x', lambda: spcc.run('E(i,j) = A(i,j) + B(i,j)', A=A, B=B), lambda: A + B, few,
        True)
    row('triangles beside PyData/sparse', '>= 200x', lambda: spcc.run('t = A(i,j) * B(j,k) * C(i,k)', A=A, B=A, C=A),
        lambda: ((A @ A) * A).sum(), few, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--entries', type=int, default=100000)
    parser.add_argument('--pairs', type=int, default=15)
    given = parser.parse_args()
    spcc.configure(threads=1)
    print(f'spcc {spcc.__version__}, NumPy {np.__version__}, SciPy {__import__("scipy").__version__}, one thread')
    print(f'{"what":42} {"target":>9} {"ratio":>9}  {"spcc us":>12} {"peer us":>12}')
    small(given.pairs)
    large(given.entries, given.pairs)
    fused(given.entries, given.pairs)
    if sparse:
        pydata(given.entries, given.pairs)
    else:
        print('PyData/sparse is not there: pip install sparse')


main()
