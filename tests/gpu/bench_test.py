#!/usr/bin/env python3
"""bench_test.py - spcc bench on a GPU, beside a cuSPARSE of ours, and how long kernels take to be there.

    bench_test.py SPCC CUSPARSE     on the driver that SPCC_LIBCUDA names

SPDX-License-Identifier: MIT
"""
import csv
import os
import subprocess
import sys
import tempfile

# What each algorithm computes; with --quick of f64.
ALGORITHMS = {'cusparse': {'spmv', 'sddmm 32', 'spgemm', 'add', 'to csc'},
              'cusparse2': {'spmv', 'spmm 128', 'spgemm'},
              'cusparse3': {'spmm 128', 'spgemm'}}
KERNELS = {'spmv', 'spmm 128', 'sddmm 32', 'spgemm', 'add', 'to csc', 'mttkrp2 32'}


def bench(spcc, *words):
    return subprocess.run([spcc, 'bench', *words, '--target=cuda', '--quick', '--runs=1'], capture_output=True, text=True)


def check_table(spcc, cusparse):
    with tempfile.TemporaryDirectory() as folder:
        table = folder + '/rows.csv'
        said = bench(spcc, 'gpu', '--entries=30', '--csv=' + table,
                     '--peers=' + ','.join(f'{name}={cusparse}' for name in ALGORITHMS))
        if said.returncode:
            sys.exit(said.stdout + said.stderr)
        with open(table, encoding='utf-8') as file:
            rows = list(csv.DictReader(file))
    if 'cusparse: not there' in said.stdout:
        print('there is no compiler for the peer')
        return
    computed = {who: {row['kernel'] for row in rows if row['by'] == who} for who in ['spcc', *ALGORITHMS]}
    missing = {who: names - computed[who] for who, names in {'spcc': KERNELS, **ALGORITHMS}.items()
               if names - computed[who]}
    wrong = [row for row in rows if row['right'] != 'yes']
    print(len(rows), 'rows,', len(wrong), 'wrong')
    if missing or wrong or {row['type'] for row in rows} != {'f64'} or 'algorithm 3' not in said.stdout:
        sys.exit(f'{missing}\n{wrong}\n{said.stdout}')


def check_absent(spcc):
    none = os.path.realpath(__file__)
    said = bench(spcc, 'spgemm', '--entries=30', '--peers=cusparse=' + none)
    if said.returncode or 'cusparse: not there: no ' + none not in said.stdout:
        sys.exit(said.stdout + said.stderr)


def check_latency(spcc):
    said = bench(spcc, 'add', '--latency')
    rows = [line.split() for line in said.stdout.splitlines() if line.startswith('add ')]
    times = [[float(number) for number in row[-6:]] for row in rows]
    if said.returncode or not rows or any(not cold >= generate + made + load > disk > memory
                                          for generate, made, load, cold, disk, memory in times):
        sys.exit(said.stdout + said.stderr)


def check_words(spcc):
    for words, text in ((['neighbours'], 'about processors'), (['add', '--latency', '--svg'], 'as a table')):
        said = bench(spcc, *words)
        if said.returncode != 2 or text not in said.stderr:
            sys.exit(f'{words}: {said.returncode}, {said.stderr}')


def main():
    spcc, cusparse = sys.argv[1:]
    check_words(spcc)
    check_absent(spcc)
    check_latency(spcc)
    check_table(spcc, cusparse)


main()
