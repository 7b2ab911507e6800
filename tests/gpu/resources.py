#!/usr/bin/env python3
"""resources.py - what the kernels of CUDA goldens take, by ptxas.

    resources.py SPCC NVCC [--arch 75,80,90] FILE ...

A FILE is a statement (x.spcc), which SPCC compiles, or source of CUDA (x.cu), such as kernels by hand. For each kernel
the table has the lines in the braces of its function, and of the device's functions that the file has beside it,
without comments and blank lines, the bytes that a block shares, and the registers of a thread on each architecture,
with an * where some are spilled.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r'^(?:SPCC_KERNEL|static __(?:global|device|host)__|template\b).*', re.M)


def source_of(spcc, path):
    """The text of CUDA; None: the statement is refused."""
    if path.endswith('.cu'):
        with open(path, encoding='utf-8') as file:
            return file.read()
    run = subprocess.run([spcc, 'emit', path, '--target=cuda'], capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else None


def functions_of(source):
    """[(text in front of the parameters, lines)] of the functions that a device runs."""
    source = re.sub(r'/\*.*?\*/|//[^\n]*', '', source, flags=re.S)
    lines = [line for line in source.splitlines() if line.strip()]
    found, at = [], 0
    while at < len(lines):
        head = lines[at]
        if not FUNCTION.match(head) or head.rstrip().endswith(';'):
            at += 1
            continue
        end = next((i for i in range(at, len(lines)) if lines[i].startswith('}')), len(lines) - 1)
        body = next((i for i in range(at, end) if lines[i].rstrip().endswith('{')), at) + 1
        found.append((' '.join(lines[at:body]), end - body))
        at = end + 1
    return found


def usage_of(nvcc, path, arch):
    """{kernel's name: (registers, shared bytes, are some spilled)}"""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([nvcc, '-std=c++17', '-O3', '-cubin', '-arch=sm_' + arch, '-Xptxas', '-v', path, '-o',
                              os.path.join(folder, 'kernels.cubin')], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stderr)
    usage, name, spills = {}, None, False
    for line in run.stderr.splitlines():
        entry = re.search(r"Compiling entry function '_Z[A-Z]*(\d+)(\w+)'", line)
        spilled = re.search(r'(\d+) bytes spill stores', line)
        used = re.search(r'Used (\d+) registers', line)
        if entry:
            name = entry.group(2)[:int(entry.group(1))]
        elif spilled:
            spills = spilled.group(1) != '0'
        elif used and name:
            shared = re.search(r'(\d+) bytes smem', line)
            usage[name] = (int(used.group(1)), int(shared.group(1)) if shared else 0, spills)
            name = None
    return usage


def rows_of(options, path):
    source = source_of(options.spcc, path)
    if source is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        file = path
        if not path.endswith('.cu'):
            file = os.path.join(folder, 'kernels.cu')
            with open(file, 'w', encoding='utf-8') as out:
                out.write(source)
        usage = [usage_of(options.nvcc, file, arch) for arch in options.arch.split(',')]
    functions = functions_of(source)
    kernels = {name: lines for head, lines in functions for name in usage[0] if re.search(r'\b%s\(' % name, head)}
    beside = sum(lines for head, lines in functions if '__global__' not in head and 'SPCC_KERNEL' not in head)
    return [(os.path.basename(path).rsplit('.', 1)[0], name, kernels.get(name, 0), beside, usage[0][name][1],
             ['%d%s' % (u[name][0], '*' if u[name][2] else '') for u in usage]) for name in reversed(list(usage[0]))]


def main():
    parser = argparse.ArgumentParser(description='what the kernels of CUDA goldens take')
    parser.add_argument('spcc')
    parser.add_argument('nvcc')
    parser.add_argument('--arch', default='75,80,90')
    parser.add_argument('file', nargs='+')
    options = parser.parse_args()
    archs = options.arch.split(',')
    print('| file | kernel | lines | beside | shared | ' + ' | '.join('sm_' + arch for arch in archs) + ' |')
    print('|---' * (5 + len(archs)) + '|')
    for path in options.file:
        for file, name, lines, beside, shared, registers in rows_of(options, path):
            print('| %s | %s | %d | %d | %d | %s |' % (file, name, lines, beside, shared, ' | '.join(registers)),
                  flush=True)


if __name__ == '__main__':
    main()
