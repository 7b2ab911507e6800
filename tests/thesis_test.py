#!/usr/bin/env python3
"""thesis_test.py - holds the tables of docs/thesis.md to the source.

    thesis_test.py SOURCE
    thesis_test.py --itself

Each of the thesis's numbers, of chapters 1 to 7, has one row, in order, and every row says where its matter is: places in
backquotes that are there, or `otherwise` and `not yet`, and why. A place is

    path/to/file          in the source; of a table of tests, tests/NAME.h, that says the number
    path/to/file:name     ... with that name in it
    NAME.spcc             tests/golden/NAME.spcc, whose comment says the number or section of the row, unless the row
                          begins with `otherwise` or `not yet`

A golden test that says a figure's number is in this figure's row.
SPDX-License-Identifier: MIT
"""
import os
import re
import sys

# How many figures and tables each chapter numbers.
NUMBERED = {1: 14, 2: 28, 3: 34, 4: 16, 5: 7, 6: 3, 7: 15}
ROW = re.compile(r'^\| (\d[-.]\d+)([^|]*) \| ([^|]+) \| ([^|]+) \|$')
PLACE = re.compile(r'^([\w./-]+\.(?:c|h|py|def|spcc))(?::(\w+))?$')
FIGURES = re.compile(r'[Tt]hesis (?:figures?|section) (\d[-.]\d+(?:(?:, | and )\d[-.]\d+)*)')
NUMBER = re.compile(r'\d[-.]\d+')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def rows_of(markdown):
    """Number or section, and the cell that says where, of each row."""
    return [(match[1], match[4]) for match in map(ROW.match, markdown.split('\n')) if match]


def wrong_numbers(rows):
    found = [number for number, _ in rows if '-' in number]
    wanted = [f'{chapter}-{n}' for chapter, most in NUMBERED.items() for n in range(1, most + 1)]
    for number in wanted:
        if found.count(number) != 1:
            yield f'{number} has {found.count(number)} rows'
    for number in found:
        if number not in wanted:
            yield f'{number} is no number of the thesis'
    if not any(True for number in wanted if found.count(number) != 1) and found != wanted:
        yield 'the numbers are not in order'


def wrong_place(source, number, place, excused):
    """What is wrong with a place, or None; excused: the row says why it is done otherwise, or not yet."""
    match = PLACE.match(place)
    if not match:
        return 'is no place' if '.' in place or '/' in place.strip('/') else None
    path = match[1] if '/' in match[1] else 'tests/golden/' + match[1]
    path = os.path.join(source, path)
    if not os.path.isfile(path):
        return 'is not there'
    text = read(path)
    if match[2] and not re.search(rf'\b{match[2]}\b', text):
        return f'has no {match[2]}'
    says = text if place.endswith('.h') else ' '.join(FIGURES.findall(text))
    must = place.startswith('tests/') and place.endswith('.h') and not match[2] or place.endswith('.spcc')
    return 'does not say the number' if must and not excused and number not in NUMBER.findall(says) else None


def wrong_rows(source, rows):
    for number, where in rows:
        places, excused = re.findall(r'`([^`]+)`', where), bool(re.match(r'otherwise|not yet', where))
        for place in places:
            fault = wrong_place(source, number, place, excused)
            if fault:
                yield f'{number}: {place} {fault}'
        if not any(map(PLACE.match, places)) and not excused:
            yield f'{number}: says neither where nor why not'


def wrong_goldens(source, rows):
    folder = os.path.join(source, 'tests', 'golden')
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.spcc'):
            continue
        for list_ in FIGURES.findall(read(os.path.join(folder, name))):
            for number in NUMBER.findall(list_):
                if not any(number == n and f'`{name}`' in where for n, where in rows):
                    yield f'{name} says {number}, whose row does not say {name}'


def faults_of(source):
    rows = rows_of(read(os.path.join(source, 'docs', 'thesis.md')))
    return [*wrong_numbers(rows), *wrong_rows(source, rows), *wrong_goldens(source, rows)]


def check_itself():
    import tempfile
    with tempfile.TemporaryDirectory() as source:
        def write(path, text):
            path = os.path.join(source, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)

        numbers = [f'{chapter}-{n}' for chapter, most in NUMBERED.items() for n in range(1, most + 1)]

        def faults_with(where, of=numbers):
            write('docs/thesis.md', '\n'.join(f'| {n} | a | {where if n == "3-9" else "otherwise: why"} |' for n in of))
            return faults_of(source)

        write('src/a.c', 'int f(void);\n')
        write('tests/table.h', '"(3-90)"\n')
        write('tests/golden/sum.spcc', '# A sum: thesis figures 3-9.\n')
        write('tests/golden/other.spcc', 'y = 1\n')
        right = '`sum.spcc` and `src/a.c:f`, `--no-plan`'
        assert faults_with(right) == [], faults_with(right)
        assert faults_with(right + ', `src/b.c`') == ['3-9: src/b.c is not there']
        assert faults_with(right + ', `src/a.c:g`') == ['3-9: src/a.c:g has no g']
        assert faults_with(right + ', `tests/table.h`') == ['3-9: tests/table.h does not say the number']
        assert faults_with(right + ', `other.spcc`') == ['3-9: other.spcc does not say the number']
        assert faults_with('otherwise: why; `sum.spcc`, `other.spcc`') == []
        assert faults_with(right + ', `src/a`') == ['3-9: src/a is no place']
        assert faults_with('somewhere')[0] == '3-9: says neither where nor why not'
        assert faults_with('not yet: issue 1')[0] == 'sum.spcc says 3-9, whose row does not say sum.spcc'
        assert '1-1 has 0 rows' in faults_with(right, numbers[1:])
        assert '9-1 is no number of the thesis' in faults_with(right, numbers + ['9-1'])
        assert faults_with(right, numbers[::-1]) == ['the numbers are not in order']


def main(arguments):
    if arguments == ['--itself']:
        check_itself()
        return 0
    if len(arguments) != 1:
        sys.stderr.write(__doc__)
        return 2
    faults = faults_of(os.path.abspath(arguments[0]))
    for fault in faults:
        print('docs/thesis.md:', fault)
    print(f'{len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
