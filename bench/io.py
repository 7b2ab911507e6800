#!/usr/bin/env python3
"""io.py - reading, packing and writing files, and `spcc run` from file to file, beside SciPy and fast_matrix_market.

    io.py BUILD [--entries N] [--rounds N] [FILE...]

BUILD is a Meson build of spcc.  Without files, matrices are made up: with values of 17 digits, plain and compressed, with
small integers, and without values.  Everyone takes turns, and medians count: of the wall-clock time (ms) and of the
processor time of all threads (cpu), which is what the work costs on a machine that others use too.  The last table is
y = A x from file to file, in processes of their own: `spcc run` with a cached kernel, and a script of SciPy's.  SciPy and
fast_matrix_market are left out where they are not installed.
SPDX-License-Identifier: MIT
"""
import argparse
import gzip
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SCRIPT = '''
import sys, scipy.io, numpy
A = scipy.io.mmread(sys.argv[1]).tocsr()
y = A @ numpy.ones(A.shape[1])
scipy.io.mmwrite(sys.argv[2], y.reshape(-1, 1))
'''

STARTER = '''
import os, sys, time
start = time.perf_counter()
_, status, usage = os.wait4(os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)
if status:
    sys.exit(1)
print(1e3 * (time.perf_counter() - start), 1e3 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss * 1024e-6)
'''


def make_file(path, field, value, entries):
    """A matrix with a tenth as many rows and columns as entries."""
    size = entries // 10
    with open(path, 'w', encoding='ascii') as file:
        file.write(f'%%MatrixMarket matrix coordinate {field} general\n{size} {size} {entries}\n')
        for _ in range(entries):
            file.write(f'{random.randint(1, size)} {random.randint(1, size)}{value()}\n')
    return path


def make_files(folder, entries):
    random.seed(1)
    real = make_file(os.path.join(folder, 'real.mtx'), 'real', lambda: ' %.17g' % random.random(), entries)
    yield real
    with open(real, 'rb') as plain, gzip.open(real + '.gz', 'wb', 6) as packed:
        shutil.copyfileobj(plain, packed)
    yield real + '.gz'
    yield make_file(os.path.join(folder, 'integer.mtx'), 'integer', lambda: ' %d' % random.randint(1, 99), entries)
    yield make_file(os.path.join(folder, 'pattern.mtx'), 'pattern', lambda: '', entries)


def timed(run):
    """The result, milliseconds, and those of the processors."""
    start, cpu = time.perf_counter(), time.process_time()
    result = run()
    return result, 1e3 * (time.perf_counter() - start), 1e3 * (time.process_time() - cpu)


def measure_others(path, out, others):
    """A row for each step of each: its name, and the times."""
    for name, mmread, mmwrite in others:
        matrix, ms, cpu = timed(lambda: mmread(path))
        yield f'{name} read', ms, cpu
        matrix, ms, cpu = timed(matrix.tocsr)
        yield f'{name} pack', ms, cpu
        _, ms, cpu = timed(lambda: mmwrite(out, matrix))
        yield f'{name} write', ms, cpu


def measure_spcc(program, path, out):
    lines = subprocess.check_output([program, '1', path, out], text=True).splitlines()
    for step, line in zip(('read', 'pack', 'write'), lines):
        ms1, ms2, _, cpu1, cpu2 = map(float, line.split())
        yield f'spcc {step}, 1 thread', ms1, cpu1
        yield f'spcc {step}, 2 threads', ms2, cpu2


def find_others():
    others = []
    try:
        from scipy.io import mmread, mmwrite
        others.append(('SciPy', mmread, mmwrite))
    except ImportError:
        print('SciPy is not installed')
    try:
        import fast_matrix_market as fmm
        for threads in (1, 2):
            others.append((f'fmm, {threads} thread{"s"[:threads - 1]},',
                           lambda path, t=threads: fmm.mmread(path, parallelism=t),
                           lambda path, matrix, t=threads: fmm.mmwrite(path, matrix, parallelism=t)))
    except ImportError:
        print('fast_matrix_market is not installed')
    return others


def show(title, rounds, columns):
    """Medians of rows that each round has."""
    print(f'{title:32}' + ''.join(f'{c:>10}' for c in columns))
    for k, row in enumerate(rounds[0]):
        medians = [statistics.median(r[k][c + 1] for r in rounds) for c in range(len(columns))]
        print(f'{row[0]:32}' + ''.join(f'{m:10.1f}' for m in medians))
    print(flush=True)


def measure_file(program, path, folder, others, count):
    rounds = []
    for _ in range(count):
        rows = list(measure_spcc(program, path, os.path.join(folder, 'out.mtx')))
        if path.endswith(('.mtx', '.mtx.gz')):
            rows += measure_others(path, os.path.join(folder, 'other.mtx'), others)
        rounds.append(rows)
    show(f'{os.path.basename(path)}, {os.path.getsize(path) / 1e6:.1f} MB', rounds, ('ms', 'cpu'))
    memory, tensor = subprocess.check_output([program, '0', path, os.path.join(folder, 'out.mtx')], text=True).split()
    print(f'resident memory at most {memory} MB, the tensor has {tensor} MB\n', flush=True)


def run_process(name, command, environment):
    """Its largest memory is told by a small process that starts it: to begin with it has as much as who does."""
    line = subprocess.check_output([sys.executable, '-S', '-c', STARTER] + command, env=environment, text=True)
    return (name, *map(float, line.split()))


def measure_whole(build, path, folder, scipy, count):
    spcc = [os.path.join(build, 'spcc'), 'run', 'y(i) = A(i,j) * x(j)', '-f', 'A:csr', '-i', f'A:{path}', '-i', 'x:@ones',
            '-o', 'y:' + os.path.join(folder, 'y.mtx')]
    script = [sys.executable, '-c', SCRIPT, path, os.path.join(folder, 'z.mtx')]
    environment = dict(os.environ, XDG_CACHE_HOME=folder)
    run_process('', spcc, environment)  # the kernel is compiled
    rounds = []
    for _ in range(count):
        rows = [run_process(f'spcc run, {t} thread{"s"[:t - 1]}', spcc + ['--threads', str(t)], environment)
                for t in (1, 2)]
        if scipy:
            rows.append(run_process('SciPy', script, environment))
        rounds.append(rows)
    show(f'y = A x, {os.path.basename(path)}', rounds, ('ms', 'cpu', 'MB'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('build')
    parser.add_argument('--entries', type=int, default=10_000_000)
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('files', nargs='*')
    options = parser.parse_intermixed_args()
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    others = find_others()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'io')
        subprocess.run([os.environ.get('CC', 'cc'), '-O2', '-D_GNU_SOURCE', '-I', source,
                        os.path.join(source, 'bench', 'io.c'), os.path.join(options.build, 'libspcc_core.a'), '-lz', '-lm',
                        '-ldl', '-lpthread', '-o', program], check=True)
        for path in options.files or make_files(folder, options.entries):
            measure_file(program, path, folder, others, options.rounds)
            if path.endswith(('.mtx', '.mtx.gz')):
                measure_whole(options.build, path, folder, any(name == 'SciPy' for name, _, _ in others), options.rounds)


if __name__ == '__main__':
    main()
