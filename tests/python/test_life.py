"""Threads, forks, interrupts, pickles, and that nothing is lost.

SPDX-License-Identifier: MIT
"""
import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import matrix

import spcc

sp = pytest.importorskip('scipy.sparse')

SPMV, PRODUCT = 'y(i) = A(i,j) * x(j)', 'C(i,j) = A(i,k) * B(k,j)'


def script(text, **environment):
    """A process of its own."""
    start = ('import numpy as np, scipy.sparse as sp, os, signal, sys, threading, time, warnings, spcc\n'
             'A = sp.csr_array(np.arange(12.0).reshape(3, 4)); x = np.arange(4.0)\n')
    return subprocess.run([sys.executable, '-c', start + textwrap.dedent(text)], capture_output=True, text=True,
                          timeout=240, env={**os.environ, **environment})


def test_threads_share_a_kernel(rng):
    A, B = matrix(rng, shape=(60, 50)), matrix(rng, shape=(50, 40))
    K, M = spcc.compile(SPMV, A='csr'), spcc.compile(PRODUCT, A='csr', B='csr')
    wrong = []

    def work(seed):
        own = np.random.default_rng(seed)
        for _ in range(15):
            x = own.random(50)
            y, C = K(A, x), M(A, B)
            if not (np.allclose(y, A @ x) and np.allclose(C.toarray(), A.toarray() @ B.toarray())):
                wrong.append(seed)
            if not np.allclose(spcc.run('z(i) = A(i,j) * x(j) + %d' % (seed % 3), A=A, x=x), A @ x + seed % 3):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_errors_are_those_of_the_thread(rng):
    A = matrix(rng)
    K = spcc.compile(SPMV, A='csr')
    found = []

    def work(n):
        for _ in range(50):
            try:
                K(A, np.ones(n))
            except spcc.BindingError as error:
                found.append((n, str(n) in str(error)))

    threads = [threading.Thread(target=work, args=(n,)) for n in (11, 22, 33, 44)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200 and all(right for _, right in found)


def test_a_fork_after_a_parallel_run():
    done = script('''
        n = 200000
        B = sp.csr_array((np.ones(4 * n), np.tile(np.arange(4), n), np.arange(n + 1) * 4), shape=(n, 4))
        spcc.configure(threads=4)
        K = spcc.compile("y(i) = A(i,j) * x(j)", A="csr")
        expected = B @ x
        assert np.allclose(K(B, x), expected)
        for turn in range(2):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                good = all(np.allclose(K(B, x), expected) for _ in range(3))
                good &= np.allclose(spcc.run("y(i) = 2 * A(i,j) * x(j)", A=B, x=x), 2 * expected)
                os._exit(0 if good else 1)
            assert os.waitpid(child, 0)[1] == 0
        assert np.allclose(K(B, x), expected)
    ''')
    assert done.returncode == 0, done.stderr


def test_an_interrupt_stops_a_run():
    done = script('''
        spcc.configure(engine="interp")
        n = 3000
        dense = np.ones((n, n))
        y = np.full(n, 7.0)
        K = spcc.compile("y(i) = A(i,j) * B(i,k) * x(j)")
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.perf_counter()
        try:
            K(dense, dense, np.ones(n), out=y)
        except KeyboardInterrupt:
            print("stopped", time.perf_counter() - start < 5)
        K2 = spcc.compile("y(i) = A(i,j) * x(j)", A="csr")
        assert np.allclose(K2(A, x), A @ x)
    ''')
    assert done.stdout == 'stopped True\n', done.stderr


@pytest.mark.parametrize('threads', [1, 2])
def test_an_interrupt_stops_machine_code(threads):
    """... which would be at it for hours."""
    done = script(f'''
        spcc.configure(engine={os.environ.get("SPCC_TEST_ENGINE", "auto")!r}, threads={threads})
        n = 30000
        x, y = np.ones(n), np.full(n, 7.0)
        K = spcc.compile("y(i) = sum(j, sum(k, max(max(x(i), x(j)), x(k))))")
        K(x[:10])
        for run in (lambda: K(x), lambda: K(x, out=y)):
            threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            try:
                run()
            except KeyboardInterrupt:
                print("stopped", (y == 7).all())
        assert (K(x[:10], out=y[:10]) == 100).all()
    ''')
    assert done.stdout == 'stopped True\n' * 2, done.stderr


def test_a_handler_that_returns_lets_the_call_go_on():
    done = script('''
        spcc.configure(engine="interp")
        seen = []
        signal.signal(signal.SIGINT, lambda *a: seen.append(1))
        n = 400
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        K = spcc.compile("s = A(i,j) * B(j,k)")
        end = time.perf_counter() + 20
        while not seen and time.perf_counter() < end:
            assert K(np.ones((n, n)), np.ones((n, 8))) == n * n * 8
        print(len(seen))
    ''')
    assert done.stdout == '1\n', done.stderr


def test_kernels_and_tensors_pickle(rng):
    A = matrix(rng)
    K = pickle.loads(pickle.dumps(spcc.compile(SPMV, A=('csr', 'f8'), dtype='f8', schedule='reorder(i,j)')))
    x = np.ones(7)
    assert np.allclose(K(A, x), A @ x) and K.statement == SPMV
    M = pickle.loads(pickle.dumps(spcc.compile(PRODUCT, A='csr', B='csr')))
    assert np.allclose(M(A, A.T.tocsr()).toarray(), (A @ A.T).toarray())
    for format in ('csr', 'coo', 'dcsr', 'bcsr(2,2)'):
        T = spcc.Tensor(A, format)
        again = pickle.loads(pickle.dumps(T))
        assert again.format == T.format and np.array_equal(again.to_numpy(), A.toarray())


def resident():
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def leaks(call, runs):
    """Does the process grow with calls?  Allocators keep some: growth has to go on."""
    for _ in range(runs // 4):
        call()
    gc.collect()
    grown = []
    for _ in range(3):
        before = resident()
        for _ in range(runs):
            call()
        gc.collect()
        grown.append(resident() - before)
    return min(grown) > runs * 16


def test_nothing_is_lost(rng):
    runs = int(os.environ.get('SPCC_LEAK_RUNS', '1000'))
    A, B = matrix(rng), matrix(rng, shape=(7, 9))
    x, y = np.ones(7), np.empty(9)
    K, M = spcc.compile(SPMV, A='csr'), spcc.compile(PRODUCT, A='csr', B='csr')
    D = A.tocoo()

    def fails():
        try:
            K(A, np.ones(6))
        except spcc.Error:
            pass

    def other_arrays():
        K(A.copy(), x.copy())

    calls = [lambda: K(A, x, out=y), lambda: K(A, x), lambda: M(A, B), lambda: spcc.run(SPMV, A=A, x=x), fails,
             other_arrays, lambda: spcc.run(SPMV, A=D, x=x), lambda: spcc.Tensor(A).levels, lambda: K(A=A, x=x),
             lambda: spcc.Tensor(A, 'csr').to_scipy()]
    assert [k for k, call in enumerate(calls) if leaks(call, runs if k < 6 else runs // 4)] == []


def test_objects_go_when_nobody_has_them(rng):
    import weakref
    A, x = matrix(rng), np.ones(7)
    K = spcc.compile(SPMV, A='csr')
    K(A, x)
    y = K(A, x)
    gone = [weakref.ref(A.indices), weakref.ref(A.data), weakref.ref(x), weakref.ref(K), weakref.ref(y)]
    del A, x, K, y
    gc.collect()
    assert [ref() is None for ref in gone] == [True] * 5


def test_the_gil_is_released():
    done = script('''
        spcc.configure(engine="interp")
        n = 400
        K = spcc.compile("s = A(i,j) * B(j,k)")
        ticks, stop = [], threading.Event()
        def tick():
            while not stop.is_set():
                ticks.append(1)
                time.sleep(0.001)
        thread = threading.Thread(target=tick)
        thread.start()
        before = len(ticks)
        K(np.ones((n, n)), np.ones((n, 40)))
        during = len(ticks) - before
        stop.set()
        thread.join()
        print(during > 5)
    ''')
    assert done.stdout == 'True\n', done.stderr


def test_time_is_told(rng):
    spent = spcc.compile(SPMV, A='csr').time(matrix(rng), np.ones(7))
    assert spent.ms > 0 and spent.bytes > 0 and spent.runs >= 3 and spent.roof > 0 and 'GB/s' in repr(spent)
    assert time.perf_counter() > 0
