#!/usr/bin/env python3
"""resources.py - what the kernels of CUDA goldens take, by ptxas.

    resources.py SPCC NVCC [--arch 75,80,90] FILE ...
    resources.py SPCC NVCC [--arch 75,80,90] --beside FOLDER [--hand FOLDER]

A FILE is a statement (x.spcc), which SPCC compiles, or source of CUDA (x.cu), such as kernels by hand. For each kernel
the table has its statements, and those of the device's functions that it calls, the bytes that a block shares, and the
registers of a thread on each architecture, with an * where some are spilled. A statement ends with a semicolon, or is a
condition or a loop in front of others.

--beside compares goldens of a folder with kernels by hand for the same statement (bench/gpu, unless --hand says
otherwise), all kernels of each together. It fails if a golden has more than 1.5 times as many statements, spills a
register, or shares more bytes; NVCC may be '' then, and statements alone are compared.
SPDX-License-Identifier: MIT
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

# Goldens, and what is like them by hand: a file and its kernels.
PAIRS = [
    ('spmv_rows', 'spmv.cu', ['spmv_rows_1', 'spmv_team']),
    ('spmv_teams', 'spmv.cu', ['spmv_lanes_8', 'spmv_team']),
    ('spmv_work', 'spmv.cu', ['spmv_balanced_1', 'spmv_balanced_2', 'spmv_tile', 'spmv_begun']),
    ('planned_spmv', 'spmv.cu', ['spmv_balanced_1', 'spmv_balanced_2', 'spmv_tile', 'spmv_begun']),
    ('planned_ttv', 'spmv.cu', ['spmv_balanced_1', 'spmv_balanced_2', 'spmv_tile', 'spmv_begun']),
    ('spmm_32', 'spmm.cu', ['spmm_rows_32', 'part_whole_rows', 'spmm_part', 'spmm_begun']),
    ('planned_spmm', 'spmm.cu', ['spmm_rows_32', 'part_whole_rows', 'spmm_part', 'spmm_begun']),
    ('spmm_work', 'spmm.cu', ['spmm_balanced_32_1', 'spmm_balanced_32_2', 'part_whole_rows', 'spmm_part', 'spmm_begun']),
    ('planned_ttm', 'spmm.cu', ['spmm_rows_16', 'part_whole_rows', 'spmm_part', 'spmm_begun']),
    ('planned_sddmm', 'sddmm.cu', ['sddmm_32', 'sddmm_lanes']),
    ('planned_mttkrp', 'mttkrp.cu', ['mttkrp_1', 'mttkrp_2', 'part_whole_rows', 'part_slices', 'mttkrp_1_part',
                                     'spmm_begun']),
    ('mttkrp_work', 'mttkrp.cu', ['mttkrp_1', 'mttkrp_2', 'part_whole_rows', 'part_slices', 'mttkrp_1_part',
                                  'spmm_begun']),
    ('planned_transpose', 'transpose.cu', ['transpose_1', 'transpose_tile']),
]

# Goldens that are longer, and why.
LONGER = {'planned_transpose': 'its blocks go on to further tiles, so that its grid has an end; by hand each has one'}


def source_of(spcc, path):
    """The text of CUDA; None: the statement is refused."""
    if path.endswith('.cu'):
        with open(path, encoding='utf-8') as file:
            return file.read()
    run = subprocess.run([spcc, 'emit', path, '--target=cuda'], capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else None


def functions_of(path):
    """{name: (is it a kernel?, body)} of the functions that a device runs."""
    run = subprocess.run(['g++', '-E', '-P', '-D__CUDACC_RTC__', '-x', 'c++', path], capture_output=True, text=True,
                         check=False)
    if run.returncode:
        sys.exit(run.stderr)
    text = re.sub(r'^#.*$', '', run.stdout, flags=re.M)
    found, head, at = {}, 0, 0
    for brace in re.finditer(r'[{};]', text):
        if brace.start() < at:
            continue
        at = brace.end()
        if brace.group() == '{':
            before = re.sub(r'__launch_bounds__\s*\([^)]*\)', '', text[head:brace.start()])
            depth = 1
            while depth:
                depth += {'{': 1, '}': -1}.get(text[at], 0)
                at += 1
            named = re.search(r'(\w+)\s*\(', before)
            if named and re.search(r'__(?:global|device)__', before):
                found[named.group(1)] = ('__global__' in before, text[brace.end():at - 1])
        head = at
    return found


def called_by(functions, names):
    """The functions, with those that they call."""
    seen, rest = set(), [name for name in names if name in functions]
    while rest:
        name = rest.pop()
        if name not in seen:
            seen.add(name)
            rest += [f for f in functions if re.search(r'\b%s\b' % f, functions[name][1])]
    return seen


def statements_of(body):
    """How many statements there are: those of a loop's head are one."""
    body = re.sub(r'\bfor\s*\([^;{}]*;[^;{}]*;', 'for (', body)
    heads = re.findall(r'\b(?:if|for|while|switch|else(?!\s+if))\b', body)
    return body.count(';') + len(heads)


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


class Kernels:
    """A file's kernels: what they are made of, and what they take on each architecture."""

    def __init__(self, options, path):
        source = source_of(options.spcc, path)
        self.usage, self.functions = [], {}
        if source is None:
            return
        with tempfile.TemporaryDirectory() as folder:
            file = path
            if not path.endswith('.cu'):
                file = os.path.join(folder, 'kernels.cu')
                with open(file, 'w', encoding='utf-8') as out:
                    out.write(source)
            self.functions = functions_of(file)
            if options.nvcc:
                self.usage = [usage_of(options.nvcc, file, arch) for arch in options.arch.split(',')]

    def names(self):
        return [name for name, (is_kernel, _) in self.functions.items() if is_kernel]

    def statements(self, names):
        return sum(statements_of(self.functions[name][1]) for name in called_by(self.functions, names))

    def takes(self, names):
        """([registers on each architecture], shared bytes, are some spilled): the most of the kernels."""
        most = []
        for used in self.usage:  # a template's name has its arguments
            most.append([max(column) for column in zip(*[used[u] for u in used for n in names
                                                         if u == n or u.startswith(n + 'I')])])
        return (['%d%s' % (m[0], '*' if m[2] else '') for m in most if m], max([m[1] for m in most if m] or [0]),
                any(m[2] for m in most if m))


def print_files(options):
    archs = options.arch.split(',')
    print('| file | kernel | statements | with helpers | shared | ' + ' | '.join('sm_' + arch for arch in archs) + ' |')
    print('|---' * (5 + len(archs)) + '|')
    for path in options.file:
        kernels = Kernels(options, path)
        for name in kernels.names():
            registers, shared, _ = kernels.takes([name])
            print('| %s | %s | %d | %d | %d | %s |'
                  % (os.path.basename(path).rsplit('.', 1)[0], name, statements_of(kernels.functions[name][1]),
                     kernels.statements([name]), shared, ' | '.join(registers)), flush=True)


def compare(options):
    """Are all goldens as good as what is written by hand?"""
    by_hand, good = {}, True
    print('| golden | statements | by hand | shared | by hand | registers | by hand |')
    print('|---' * 7 + '|')
    for golden, file, likes in PAIRS:
        if file not in by_hand:
            by_hand[file] = Kernels(options, os.path.join(options.hand, file))
        hand, ours = by_hand[file], Kernels(options, os.path.join(options.beside, golden + '.spcc'))
        if not ours.functions:
            sys.exit(golden + ': refused')
        names = [name for name in likes if name in hand.functions]
        if not names:
            sys.exit(golden + ': nothing like it is in ' + file)
        n, of = ours.statements(ours.names()), hand.statements(names)
        (registers, shared, spills), (their, their_shared, _) = ours.takes(ours.names()), hand.takes(names)
        wrong = ((['longer'] if n > 1.5 * of and golden not in LONGER else []) + (['spills'] if spills else [])
                 + (['shares more'] if shared > their_shared else []))
        good = good and not wrong
        print('| %s | %d | %d | %d | %d | %s | %s |%s' % (golden, n, of, shared, their_shared, ', '.join(registers),
                                                       ', '.join(their), ' ' + ', '.join(wrong) if wrong else ''),
              flush=True)
    for golden, why in LONGER.items():
        print('%s may be longer: %s' % (golden, why))
    return good


def main():
    parser = argparse.ArgumentParser(description='what the kernels of CUDA goldens take')
    parser.add_argument('spcc')
    parser.add_argument('nvcc')
    parser.add_argument('--arch', default='75,80,90')
    parser.add_argument('--beside')
    parser.add_argument('--hand', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../bench/gpu'))
    parser.add_argument('file', nargs='*')
    options = parser.parse_args()
    if options.beside:
        sys.exit(not compare(options))
    print_files(options)


if __name__ == '__main__':
    main()
