#!/usr/bin/env python3
"""suite_test.py - kernels of the sparse tensor benchmark suite on a GPU have the results of loops by hand.

    suite_test.py SPCC NAMES    on the driver that SPCC_LIBCUDA names, kernels as spcc bench has them

SPDX-License-Identifier: MIT
"""
import csv
import subprocess
import sys
import tempfile


def check_promises(spcc):
    """Patterns are compared where tensors are on the GPU; a promise that does not hold is complained of."""
    words = [spcc, 'run', 'Z(i,j) = A(i,j) + W(i,j)', '-d', 'i:9', '-d', 'j:9', '-i', 'A:@sparse(0.3,1)', '--same', 'A,W']
    words += [word for name in 'AWZ' for word in ('-f', name + ':coo')]
    for recipe, status in (('@sparse(0.3,1)', 0), ('@sparse(0.3,2)', 1)):
        here, there = (subprocess.run(words + ['-i', 'W:' + recipe, *more], capture_output=True, text=True)
                       for more in ([], ['--target=cuda']))
        if (there.returncode, there.stdout, there.stderr) != (status, here.stdout, here.stderr):
            sys.exit(f'{recipe}: {there.returncode}, {there.stdout}{there.stderr} where {here.stderr} was expected')


def main():
    spcc, names = sys.argv[1:]
    check_promises(spcc)
    with tempfile.TemporaryDirectory() as folder:
        table = folder + '/rows.csv'
        said = subprocess.run([spcc, 'bench', names, '--quick', '--entries=300', '--runs=1', '--threads=1',
                               '--peers=hand', '--csv=' + table], capture_output=True, text=True)
        if said.returncode:
            sys.exit(said.stdout + said.stderr)
        with open(table, encoding='utf-8') as file:
            rows = list(csv.DictReader(file))
    if 'hand: not there' in said.stdout:
        print('there is no compiler for loops by hand')
        sys.exit(77)
    by = {who: sorted((row['kernel'], row['statement'], row['input']) for row in rows if row['by'] == who)
          for who in ('spcc', 'hand')}
    wrong = [row for row in rows if row['right'] != 'yes']
    print(len(by['spcc']), 'cases,', len(wrong), 'wrong')
    if wrong or by['spcc'] != by['hand'] or {row['kernel'] for row in rows} != set(names.split(',')):
        sys.exit(f'{wrong}\n{said.stdout}')


main()
