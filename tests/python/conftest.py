"""What the tests of the Python package share.

They run on build/python (PYTHONPATH), or on an installed package.
SPDX-License-Identifier: MIT
"""
import os

import numpy as np
import pytest

import spcc

sp = pytest.importorskip('scipy.sparse') if os.environ.get('SPCC_NO_SCIPY') is None else None

TYPES = ['f8', 'f4', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', '?', 'c8', 'c16']


@pytest.fixture(scope='session', autouse=True)
def settings(tmp_path_factory):
    """A cache of the tests' own, and the engine of the build."""
    build = os.environ.get('SPCC_BUILD', '')
    plugin = os.path.join(build, 'spcc_clang.so')
    spcc.configure(cache=str(tmp_path_factory.mktemp('cache')), plugin=plugin if os.path.exists(plugin) else None,
                   engine=os.environ.get('SPCC_TEST_ENGINE', 'auto'))


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def values(rng, dtype, shape):
    """Small numbers, so that sums of them are exact, or nearly."""
    dtype = np.dtype(dtype)
    if dtype == bool:
        return rng.random(shape) < 0.7
    numbers = rng.integers(1, 4, shape)
    return (numbers + 1j * rng.integers(0, 3, shape) if dtype.kind == 'c' else numbers).astype(dtype)


def matrix(rng, dtype='f8', shape=(9, 7), density=0.4, cls=None):
    """A csr_array, or another class."""
    dense = values(rng, dtype, shape) * (rng.random(shape) < density).astype(np.dtype(dtype))
    return (cls or sp.csr_array)(dense.astype(dtype))
