#!/usr/bin/env python3
"""report.py - the tables and the picture of docs/performance.md and README.md, from one run of spcc bench.

    report.py SPCC [--whole] [--again] [OPTION...]

runs `SPCC bench --quick --peers` with the options, which takes some minutes, and writes what comes out between the
lines `<!-- bench: begin -->` and `<!-- bench: end -->` of both files, and docs/performance.svg.  The table and the
figures of the run stay beside SPCC as bench.txt and bench.csv; with --again they are used once more, nothing is run.

--whole runs all of `SPCC bench --peers`, on the files of SPCC_DATA too, which takes an hour, and writes one table
between `<!-- whole: begin -->` and `<!-- whole: end -->` of docs/performance.md; whole.txt and whole.csv stay.
SPDX-License-Identifier: MIT
"""
import csv
import datetime
import math
import os
import shlex
import statistics
import subprocess
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKS = '<!-- {}: begin -->\n', '<!-- {}: end -->\n'
QUICK, WHOLE = ['bench', '--quick', '--peers'], ['bench', '--peers']
# What the README compares: kernels, and libraries as they call themselves.
README_KERNELS = ['spmv', 'spmv T', 'spmm 32', 'add', 'spgemm', 'triangles']
LIBRARIES = {'eigen': 'Eigen', 'graphblas': 'GraphBLAS', 'mkl': 'MKL', 'scipy': 'SciPy'}
WIDTH = 98      # columns of a paragraph
LARGE = 0.05  # inputs count that are at least so large a part of the largest


def run(spcc, words, files):
    """The rows, and what the heading says of the machine."""
    load = os.getloadavg()[0]
    picture = os.path.join(ROOT, 'docs', 'performance.svg') if words[:3] == QUICK else f'{files}.svg'
    command = [spcc, *words, f'--csv={files}.csv', f'--svg={picture}']
    with open(files + '.txt', 'w', encoding='utf-8') as out:
        out.write(f'{datetime.date.today()}, load {load:.1f}: {shlex.join(["spcc", *words])}\n')
        out.flush()
        status = subprocess.run(command, stdout=out, check=False).returncode
    if status:
        print(f'{command[0]} bench ends with status {status}; {files}.txt says why, if a result is wrong', file=sys.stderr)


def read(files, kind='f64'):
    """What was run when, the machine, the peers, and rows of a type on large inputs."""
    with open(files + '.txt', encoding='utf-8') as file:
        lines = file.read().split('\n')
    table = next(i for i, line in enumerate(lines) if line.startswith('kernel '))
    rates = [line.strip() for line in lines[:table] if ': triad ' in line]
    peers = [line.split(': ', 1)[1].strip() for line in lines[:table]
             if line[:6] in ('peers ', '      ') and 'not there' not in line]
    with open(files + '.csv', encoding='utf-8') as file:
        rows = [row for row in csv.DictReader(file) if row['type'] == kind]
    most = max(int(row['stored']) for row in rows)
    return {'when': lines[0], 'machine': lines[2], 'rates': rates, 'peers': peers,
            'rows': [row for row in rows if int(row['stored']) >= LARGE * most]}


def mean(ratios):
    ratios = [r for r in ratios if r > 0]
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def shown(value):
    return '' if value is None else f'{value:.2f}' if value < 99.5 else f'{value:.0f}'


class Figures:
    """Rows by kernel, format, who computed, and threads; of each its inputs."""

    def __init__(self, rows):
        self.of, self.cases, self.by, self.threads = {}, [], [], []
        for row in rows:
            case = row['kernel'], row['format'].replace(' ', '')
            for known, new in ((self.cases, case), (self.by, row['by']), (self.threads, int(row['threads']))):
                if new not in known:
                    known.append(new)
            self.of.setdefault((case, row['by'], int(row['threads'])), {})[row['input']] = row
        self.by.remove('spcc')

    def inputs(self, case, by='spcc', threads=1):
        return self.of.get((case, by, threads), {})

    def ratio(self, case, by, threads):
        rows = self.inputs(case, by, threads).values()
        return mean(float(row['ratio']) for row in rows if row['right'] == 'yes')

    def roof(self, case, threads):
        shares = [float(row['roof']) for row in self.inputs(case, threads=threads).values()]
        return f'{100 * statistics.median(shares):.0f} %' if any(shares) else ''

    def speedup(self, case, threads, by='spcc'):
        one, several = self.inputs(case, by), self.inputs(case, by, threads)
        return mean(float(one[name]['least_ms']) / float(row['least_ms']) for name, row in several.items()
                    if name in one and float(row['least_ms']) > 0)

    def best(self, case, threads, peers):
        """Of these peers the one that takes least, and its time over spcc's."""
        ratios = [(self.ratio(case, by, threads), by) for by in self.by if by in peers]
        return min(((r, by) for r, by in ratios if r is not None), default=(None, ''))


def table(heading, rows):
    lines = ['| ' + ' | '.join(heading) + ' |', '|' + '---|' * len(heading)]
    return '\n'.join(lines + ['|' + ''.join(f' {cell} |' if cell else ' |' for cell in row) for row in rows]) + '\n'


def full_table(figures, threads):
    several = ['speed-up', 'by hand'] if threads > 1 else []
    rows = []
    for case in figures.cases:
        gained = [shown(figures.speedup(case, threads, by)) for by in ('spcc', 'hand')] if several else []
        rows.append([*case, str(len(figures.inputs(case, threads=threads))), figures.roof(case, threads), *gained,
                     *(shown(figures.ratio(case, by, threads)) for by in figures.by)])
    return table(['kernel', 'format', 'inputs', 'roof', *several, *figures.by], rows)


def compared(ratio, by):
    """'**2.2 × faster than SciPy**', '1.2 × slower than MKL', or 'as fast as MKL'."""
    if ratio is None:
        return ''
    name = LIBRARIES.get(by, by)
    if f'{max(ratio, 1 / ratio):.1f}' == '1.0':
        return f'as fast as {name}'
    return f'**{ratio:.1f} × faster than {name}**' if ratio >= 1 else f'{1 / ratio:.1f} × slower than {name}'


def short_table(figures):
    """The README's kernels, in their first format, beside the fastest library."""
    rows = []
    for kernel in README_KERNELS:
        case = next((case for case in figures.cases if case[0] == kernel), None)
        if case:
            best = [figures.best(case, threads, LIBRARIES) for threads in figures.threads[:2]]
            rows.append([*case, *(compared(*one) for one in best)])
    heading = ['kernel', 'format'] + [f'on {n} thread{"s"[:n - 1]}' for n in figures.threads[:2]]
    return table(heading, rows)


def whole_table(of_type):
    """For each case how the loop by hand and the fastest library compare, on one thread and on several, by type."""
    rows, figures = [], of_type['f64']
    for case in figures.cases:
        row = [*case, str(len(figures.inputs(case)))]
        for threads in figures.threads[:2]:
            for of in of_type.values():
                libraries = [(ratio, by) for by in of.by if by != 'hand' and (ratio := of.ratio(case, by, threads))]
                ratio, by = min(libraries, default=(None, ''))
                row += [shown(of.ratio(case, 'hand', threads)), f'{shown(ratio)} {by}'.strip()]
        rows.append(row + [shown(figures.speedup(case, figures.threads[1]))] if len(figures.threads) > 1 else row)
    heading = ['kernel', 'format', 'inputs']
    for threads in figures.threads[:2]:
        heading += [f'{by}, {threads} thread{"s"[:threads - 1]}, {kind}' for kind in of_type for by in ('hand', 'library')]
    return table(heading + ['speed-up'] if len(figures.threads) > 1 else heading, rows)


def say_when(run_of):
    """Two sentences that the tables begin with."""
    when, command = run_of['when'].split(': ', 1)
    date, load = when.split(', load ')
    return textwrap.fill(f'From one run of `{command}` on {date}: {run_of["machine"]}. The load average was {load} '
                         f'before it began. Peers: {"; ".join(run_of["peers"])}.', WIDTH, break_on_hyphens=False)


def say_briefly(run_of):
    """The same in two short lines."""
    date = run_of['when'].split(', load ')[0]
    return f'Means over random matrices with 50,000 to 500,000 components, f64, on {date}:\n{run_of["machine"]}.'


def replace(path, mark, text):
    begin, end = (m.format(mark) for m in MARKS)
    with open(path, encoding='utf-8') as file:
        whole = file.read()
    before, _, rest = whole.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        sys.exit(f'{path} has no lines {begin.strip()} and {end.strip()}')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(before + begin + text + end + after)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    spcc, options = os.path.abspath(sys.argv[1]), sys.argv[2:]
    is_whole = '--whole' in options
    files = os.path.join(os.path.dirname(spcc), 'whole' if is_whole else 'bench')
    if '--again' not in options:
        run(spcc, [*(WHOLE if is_whole else QUICK), *(o for o in options if o != '--whole')], files)
    run_of = read(files)
    if is_whole:
        of_type = {kind: Figures(read(files, kind)['rows']) for kind in ('f64', 'f32')}
        replace(os.path.join(ROOT, 'docs', 'performance.md'), 'whole', say_when(run_of) + '\n\n' + whole_table(of_type))
        return
    figures = Figures(run_of['rows'])
    said = say_when(run_of)
    text = said + '\n\n```text\n' + '\n'.join(run_of['rates']) + '\n```\n'
    for threads in figures.threads:
        text += f'\n### On {threads} thread{"s" if threads > 1 else ""}\n\n' + full_table(figures, threads)
    replace(os.path.join(ROOT, 'docs', 'performance.md'), 'bench', text + '\n![the same as a picture](performance.svg)\n')
    replace(os.path.join(ROOT, 'README.md'), 'bench', say_briefly(run_of) + '\n\n' + short_table(figures))


if __name__ == '__main__':
    main()
