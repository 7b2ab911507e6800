#!/usr/bin/env python3
"""papers_test.py - holds the table of docs/papers.md to the source.

    papers_test.py SOURCE
    papers_test.py --itself

Each of the checks has one row, in order, and every row says where it is shown: by places in backquotes as in docs/thesis.md
(thesis_test.py), by commands, or by why there is nothing. In a command

    spcc NAME             cli/commands.def has the name
    spcc bench A,B        each is a suite, or a kernel's name, of a table cli/bench/*.def, or such a table's; a table may
                          be included with an end for its names: #define ON(name) name "-OMP"
    --flag                cli/flags.def has it

SPDX-License-Identifier: MIT
"""
import glob
import os
import re
import sys

from thesis_test import read

CHECKS = 46
ROW = re.compile(r'^\| (\d+) \| ([^|]+) \| ([^|]+) \|$')
PLACE = re.compile(r'^([\w./-]+\.(?:c|h|py|def|spcc|plan|ir))(?::(\w+))?$')
EXCUSE = re.compile(r'not there|a GPU is needed')


def rows_of(markdown):
    return [(int(match[1]), match[3]) for match in map(ROW.match, markdown.split('\n')) if match]


def wrong_place(source, place):
    match = PLACE.match(place)
    if not match:
        return 'is no place' if re.search(r'\.\w+(:|$)', place) else None
    path = os.path.join(source, match[1] if '/' in match[1] else 'tests/golden/' + match[1])
    if not os.path.isfile(path):
        return 'is not there'
    return f'has no {match[2]}' if match[2] and not re.search(rf'\b{match[2]}\b', read(path)) else None


def wrong_command(source, command):
    words = command.split()
    if not re.search(rf'COMMAND\([^"]*"{re.escape(words[1])}"', read(os.path.join(source, 'cli/commands.def'))):
        return f'has no {words[1]}'
    measured = words[2].split(',') if words[1] == 'bench' and len(words) > 2 else []
    tables = {os.path.basename(path)[:-4]: read(path) for path in glob.glob(os.path.join(source, 'cli/bench/*.def'))}
    rows = ''.join(tables.values())
    ends = re.findall(r'#define \w+\(name\) name "(.*)"', rows)
    for name in measured:
        written = [name] + [name[:-len(end)] for end in ends if name.endswith(end)]
        if name not in tables and not any(re.search(rf'"{re.escape(word)}[" ]', rows) for word in written):
            return f'measures no {name}'
    flags = read(os.path.join(source, 'cli/flags.def'))
    for word in words[2:]:
        if word.startswith('--') and f'"{word.split("=")[0][2:]}"' not in flags:
            return f'has no {word}'
    return None


def faults_of(source):
    rows = rows_of(read(os.path.join(source, 'docs', 'papers.md')))
    faults = [] if [number for number, _ in rows] == [*range(1, CHECKS + 1)] else ['the checks are not 1 to 46, in order']
    for number, where in rows:
        quoted = re.findall(r'`([^`]+)`', where)
        for text in quoted:
            wrong = wrong_command(source, text) if text.startswith('spcc ') else wrong_place(source, text)
            if wrong:
                faults.append(f'{number}: {text} {wrong}')
        if not any(text.startswith('spcc ') or PLACE.match(text) for text in quoted) and not EXCUSE.search(where):
            faults.append(f'{number}: says neither where nor why not')
    return faults


def check_itself():
    import tempfile
    with tempfile.TemporaryDirectory() as source:
        def write(path, text):
            path = os.path.join(source, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)

        def faults_with(where, numbers=range(1, CHECKS + 1)):
            write('docs/papers.md', '\n'.join(f'| {n} | a | {where if n == 9 else "not there: why"} |' for n in numbers))
            return faults_of(source)

        write('cli/commands.def', 'COMMAND(BENCH, \'b\', "bench", "")\n')
        write('cli/flags.def', 'FLAG(CSV, "csv")\n')
        write('cli/bench/bench.def', 'SUITE(\'p\', "pasta")\nKERNEL("p", "COO-TS")\nKERNEL("m", "TTM 16")\n'
              '#define ON(name) name "-GPU"\n')
        write('tests/a.py', 'def test_b(): pass\n')
        write('tests/golden/a.spcc', 'y = 1\n')
        right = '`tests/a.py:test_b`, `a.spcc`, `spcc bench pasta --csv`, `spcc bench COO-TS,TTM,COO-TS-GPU`'
        assert faults_with(right) == [], faults_with(right)
        assert faults_with('`tests/a.py:test_c`') == ['9: tests/a.py:test_c has no test_c']
        assert faults_with('`b.spcc`') == ['9: b.spcc is not there']
        assert faults_with('`a.spec`')[0] == '9: a.spec is no place'
        assert faults_with('`spcc bunch`') == ['9: spcc bunch has no bunch']
        assert faults_with('`spcc bench COO`') == ['9: spcc bench COO measures no COO']
        assert faults_with('`spcc bench --svg`') == ['9: spcc bench --svg measures no --svg']
        assert faults_with('`spcc bench pasta --svg`') == ['9: spcc bench pasta --svg has no --svg']
        assert faults_with('somewhere') == ['9: says neither where nor why not']
        assert faults_with(right, range(1, CHECKS)) == ['the checks are not 1 to 46, in order']


def main(arguments):
    if arguments == ['--itself']:
        check_itself()
        return 0
    if len(arguments) != 1:
        sys.stderr.write(__doc__)
        return 2
    faults = faults_of(os.path.abspath(arguments[0]))
    for fault in faults:
        print('docs/papers.md:', fault)
    print(f'{len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
