#!/usr/bin/env python3
"""whole.py - y = A x from file to file, in processes of their own: `spcc run`, its kernel cached, and SciPy.

    whole.py SPCC [--entries N] [--rounds N] [FILE...]

Without files, a matrix is made up, with values of 17 digits and a tenth as many rows and columns as entries.  Everyone
takes turns, and medians count: of the wall-clock time (ms), of the processor time of all threads (cpu), and of the
largest resident memory (MB).  SciPy is left out where it is not installed.  `spcc bench files` measures the steps.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile

SCRIPT = '''
import sys, scipy.io, numpy
A = scipy.io.mmread(sys.argv[1]).tocsr()
y = A @ numpy.ones(A.shape[1])
scipy.io.mmwrite(sys.argv[2], y.reshape(-1, 1))
'''

# A process has as much memory, to begin with, as the one that starts it: so a small one does.
STARTER = '''
import os, sys, time
start = time.perf_counter()
_, status, usage = os.wait4(os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)
if status:
    sys.exit(1)
print(1e3 * (time.perf_counter() - start), 1e3 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss * 1024e-6)
'''


def make_file(path, entries):
    random.seed(1)
    size = entries // 10 + 1
    with open(path, 'w', encoding='ascii') as file:
        file.write(f'%%MatrixMarket matrix coordinate real general\n{size} {size} {entries}\n')
        for _ in range(entries):
            file.write(f'{random.randint(1, size)} {random.randint(1, size)} {random.random():.17g}\n')
    return path


def run_process(command, environment):
    """Milliseconds, those of the processors, megabytes."""
    line = subprocess.check_output([sys.executable, '-S', '-c', STARTER] + command, env=environment, text=True)
    return [float(word) for word in line.split()]


def measure(spcc, path, folder, count):
    run = [spcc, 'run', 'y(i) = A(i,j) * x(j)', '-f', 'A:csr', '-i', f'A:{path}', '-i', 'x:@ones', '-o',
           'y:' + os.path.join(folder, 'y.mtx')]
    environment = dict(os.environ, XDG_CACHE_HOME=folder)
    commands = {f'spcc run, {t} thread{"s"[:t - 1]}': run + ['--threads', str(t)] for t in (1, 2)}
    if subprocess.run([sys.executable, '-c', 'import scipy.io'], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        commands['SciPy'] = [sys.executable, '-c', SCRIPT, path, os.path.join(folder, 'z.mtx')]
    run_process(run, environment)  # the kernel is compiled
    rounds = [{name: run_process(command, environment) for name, command in commands.items()} for _ in range(count)]
    print(f'{os.path.basename(path) + f", {os.path.getsize(path) / 1e6:.1f} MB":32}{"ms":>10}{"cpu":>10}{"MB":>10}')
    for name in commands:
        medians = [statistics.median(column) for column in zip(*(r[name] for r in rounds))]
        print(f'{name:32}' + ''.join(f'{m:10.1f}' for m in medians), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('spcc')
    parser.add_argument('--entries', type=int, default=10_000_000)
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('files', nargs='*')
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files or [make_file(os.path.join(folder, 'real.mtx'), options.entries)]:
            measure(os.path.abspath(options.spcc), path, folder, options.rounds)


if __name__ == '__main__':
    main()
