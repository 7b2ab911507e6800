"""A plug-in of pytest's: scipy.sparse with its kernels replaced by spcc's, for scipy's own tests.

    python -m pytest -p scipy_kernels --pyargs scipy.sparse.tests.test_base

SPDX-License-Identifier: MIT
"""
import os

import numpy as np
import pytest
from scipy.sparse import _compressed

import spcc

spcc.configure(engine=os.environ.get('SPCC_TEST_ENGINE', 'auto'), cache='')
BINARY = {'_plus_': 'A(i,j) + B(i,j)', '_minus_': 'A(i,j) - B(i,j)', '_elmul_': 'A(i,j) * B(i,j)'}
ran = {'spcc': 0, 'scipy': 0}
Compressed = _compressed._cs_matrix
_vector = getattr(Compressed, '_matmul_vector', None) or Compressed._mul_vector
_several = getattr(Compressed, '_matmul_multivector', None) or Compressed._mul_multivector
_sparse = getattr(Compressed, '_matmul_sparse', None) or Compressed._mul_sparse_matrix
_binary = Compressed._binopt


def is_taken(*things):
    """float16 and long double are types of spcc's that are not, and objects are none."""
    ran['scipy' if any(t.dtype.char in 'egGO' for t in things) else 'spcc'] += 1
    return not any(t.dtype.char in 'egGO' for t in things)


def vector(self, x):
    x = np.asarray(x)
    if self.ndim != 2 or not is_taken(self, x):
        return _vector(self, x)
    return spcc.run('y(i) = A(i,j) * x(j)', A=self, x=x.ravel(), format=None)


def several(self, X):
    X = np.asarray(X)
    if self.ndim != 2 or not is_taken(self, X):
        return _several(self, X)
    return spcc.run('Y(i,k) = A(i,j) * X(j,k)', A=self, X=X, format=None)


def product(self, other):
    if self.ndim != 2 or other.ndim != 2 or not is_taken(self, other):
        return _sparse(self, other)
    return of_class(self, spcc.run('C(i,j) = A(i,k) * B(k,j)', A=self, B=self.__class__(other), format=self.format))


def binary(self, other, op):
    truth = op == '_minus_' and self.dtype == other.dtype == bool
    if op not in BINARY or self.ndim != 2 or truth or not is_taken(self, other):
        return _binary(self, other, op)
    made = spcc.run('C(i,j) = ' + BINARY[op], A=self, B=self.__class__(other), format=self.format)
    made.eliminate_zeros()
    return of_class(self, made)


def of_class(like, made):
    """Subclasses of the tests' own."""
    return made if type(made) is type(like) else like.__class__((made.data, made.indices, made.indptr), shape=made.shape)


for names, kernel in ((('_matmul_vector', '_mul_vector'), vector), (('_matmul_multivector', '_mul_multivector'), several),
                      (('_matmul_sparse', '_mul_sparse_matrix'), product), (('_binopt',), binary)):
    for name in names:
        if hasattr(Compressed, name):
            setattr(Compressed, name, kernel)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f'kernels: {ran["spcc"]} by spcc, {ran["scipy"]} of types that spcc has not')
