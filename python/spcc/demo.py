"""python -m spcc.demo: four kernels on random tensors, checked, and by which engine each ran.

packs/demo.spcc has the same statements.

SPDX-License-Identifier: MIT
"""
import sys

import numpy as np

from . import _engines
from ._kernel import compile
from ._tensor import Tensor, generate


def _random(*shape):
    return np.random.default_rng(len(shape)).random(shape)


def _sparse(format, *shape):
    return generate('@sparse(0.05,7)', shape, format)


def cases():
    """(name, statement, operands, the result by NumPy)"""
    A, B, T = _sparse('csr', 200, 150), _sparse('csr', 150, 120), _sparse('csf', 40, 30, 20)
    x, P, Q = _random(150), _random(200, 16), _random(16, 150)
    U, V = _random(30, 8), _random(20, 8)
    a, b, t = A.to_numpy(), B.to_numpy(), T.to_numpy()
    yield 'SpMV', 'y(i) = A(i,j) * x(j)', {'A': A, 'x': x}, a @ x
    yield 'SpGEMM', 'C(i,j) = A(i,k) * B(k,j)', {'A': A, 'B': B}, a @ b
    yield 'SDDMM', 'R(i,j) = A(i,j) * P(i,k) * Q(k,j)', {'A': A, 'P': P, 'Q': Q}, a * (P @ Q)
    yield ('MTTKRP', 'M(i,r) = T(i,j,k) * U(j,r) * V(k,r)', {'T': T, 'U': U, 'V': V},
           np.einsum('ijk,jr,kr->ir', t, U, V))


def main():
    wrong = 0
    print(_engines.info())
    for name, statement, operands, expected in cases():
        kernel = compile(statement, formats=operands)
        result = kernel(**operands)
        dense = Tensor(result).to_numpy()
        is_right = np.allclose(dense, expected)
        wrong += not is_right
        engine, = set(kernel.engine.values())
        print(f'{name:8} {"right" if is_right else "WRONG"}  {engine:8} {statement}')
    return wrong


if __name__ == '__main__':
    sys.exit(main())
