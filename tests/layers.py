#!/usr/bin/env python3
"""layers.py - who may include whom, and the rules that hold for every file.

    layers.py ROOT      check the source tree; one line a fault, status 1 if there is any
    layers.py --itself  check that planted faults are found

The rooms and what they may include come from the table in docs/architecture.md.
SPDX-License-Identifier: MIT
"""
import os
import re
import sys

SOURCE = ('.c', '.h', '.cpp', '.def')
COMMENTED = SOURCE + ('.py', '.sh', '.build')
PURE = ('compiler/', 'levels/', 'schedules/')
# Calls of the C library, not of a member or a static function that has the same name.
IMPURE = re.compile(r'(?<!\.)(?<!->)\b(getenv|fopen|open|popen|system|fork|exec[lv][ep]?e?|printf|fprintf|vprintf|'
                    r'vfprintf|puts|fputs|putchar|perror|exit|_exit|abort|assert|time|clock|rand|signal|setlocale)\s*\(|'
                    r'\b(stdout|stderr|stdin|errno|environ)\b')
STATIC = re.compile(r'^static\b[^;{}()=]*?\b(\w+)\s*\(', re.M)
# The guard behind the arena's handler, which must not return.
PERMITTED = {('compiler/base/arena.c', 'abort(')}
UNFINISHED = re.compile(r'\b(TO' r'DO|FIX' r'ME|XX' r'X)\b')
MUTABLE = re.compile(r'^(?:static\s+)?(?!.*\b(?:const|typedef|extern|return|goto)\b)'
                     r'(?:unsigned\s+|struct\s+|enum\s+)?\w+\s+\**\w+(?:\[[^\]]*\])*\s*(?:=|;)')
LINE, CODE = 124, 100   # columns
SHORT = ('compiler/', 'schedules/', 'levels/', 'runtime/', 'cli/')
LINES = 600
# Flags of the program, which the library does not know; command.c spells a command, jit/ those of C compilers.
FLAG = re.compile(r'(?<![^\s"(])(--[a-z]|-[fdtsio] [^"]|-[fdtsio]")')
FLAGLESS, FLAGS_OF_OTHERS = PURE + ('runtime/',), ('runtime/api/command.c', 'runtime/jit/')
SETTINGS = (('runtime/api/settings.def', 'SETTING'), ('cli/spellings.def', 'SPELLING'))
# What spcc has written, not a person.
GENERATED = ('examples/paste/spmv.c', 'examples/paste/spmv.h')


class Table:
    """The rooms: where each is, and which rooms it may include, itself and in turn."""

    def __init__(self, markdown):
        self.where, self.direct = {}, {}
        rows = markdown.split('<!-- layers', 1)[1].splitlines()
        for row in rows:
            cells = [cell.strip() for cell in row.strip().strip('|').split('|')]
            if len(cells) != 4 or not cells[1].startswith('`'):
                continue
            room, where, below, _ = cells
            for name in filter(None, (b.strip() for b in below.split(','))):
                if name not in self.direct:
                    raise ValueError(f'{room} may include {name}, which is no room below it')
            self.where[where.strip('`')] = room
            self.direct[room] = {b.strip() for b in below.split(',') if b.strip()}

    def room(self, path):
        fits = [where for where in self.where if path.startswith(where)]
        return self.where[max(fits, key=len)] if fits else None

    def may_include(self, room):
        reach, todo = {room}, [room]
        while todo:
            for below in self.direct[todo.pop()] - reach:
                reach.add(below)
                todo.append(below)
        return reach


def without_comments(text, strings=True):
    """The text with comments, and strings if asked, blanked out; lines stay where they are."""
    def blank(match):
        found = match.group(0)
        if found[0] in '"\'' and not strings:
            return found
        return re.sub(r'[^\n]', ' ', found)
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def check_includes(table, paths, path, text):
    room = table.room(path)
    if room is None:
        yield 1, 'is in no room of docs/architecture.md'
        return
    allowed = table.may_include(room)
    for number, line in enumerate(without_comments(text, strings=False).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if not match:
            continue
        candidates = (match[1], 'include/' + match[1],
                      os.path.normpath(os.path.join(os.path.dirname(path), match[1])))
        target = next((c for c in candidates if c in paths), None)
        if target is None:
            yield number, f'includes {match[1]}, which is not there'
        elif table.room(target) not in allowed:
            yield number, f'{room} may not include {target} ({table.room(target)})'


def check_purity(path, text):
    if not path.startswith(PURE):
        return
    code = without_comments(text)
    own = set(STATIC.findall(code))
    for number, line in enumerate(code.splitlines(), 1):
        for match in IMPURE.finditer(line):
            if match[1] not in own and (path, match[0]) not in PERMITTED:
                yield number, f'{match[0].rstrip("(")} in the compiler, which is a pure function'
        if MUTABLE.match(line) and path.endswith('.c'):
            yield number, 'a variable at file scope that is not const'


def check_flags(path, text):
    """No message of the library spells a flag: it names the setting, {index 64}."""
    if not path.startswith(FLAGLESS) or path.startswith(FLAGS_OF_OTHERS):
        return
    code = re.sub(r'/\*.*?\*/', lambda m: re.sub(r'[^\n]', ' ', m[0]), text, flags=re.S)
    for number, line in enumerate(code.splitlines(), 1):
        if any(FLAG.search(string) for string in re.findall(r'"(?:\\.|[^"\\\n])*"', line)):
            yield number, 'spells a flag of the program'


def check_settings(files):
    """The program has a flag for each setting that the library names, and for no other."""
    names = [set(re.findall(rf'^{word}\((\w+)', files.get(path, ''), re.M)) for path, word in SETTINGS]
    for name in sorted(names[0] ^ names[1]):
        yield SETTINGS[name in names[0]][0], 1, f'does not list {name}'


def check_form(path, text):
    name = os.path.basename(path)
    if path.endswith(COMMENTED) and name != 'meson.build' and 'SPDX-License-Identifier: MIT' not in text:
        yield 1, 'has no SPDX line'
    if path.endswith(SOURCE) and not re.match(rf'/\* {re.escape(name)} - \S', text):
        yield 1, f'does not begin with "/* {name} - what it is"'
    lines = len(text.splitlines())
    if path.startswith(SHORT) and lines > LINES:
        yield lines, f'has {lines} lines; {LINES} are the most: split it by what it does'
    for number, line in enumerate(text.splitlines(), 1):
        if UNFINISHED.search(line):
            yield number, 'is unfinished'
        if path.endswith(COMMENTED) and len(line) > (CODE if path.endswith(('.c', '.h', '.cpp')) else LINE):
            yield number, f'has {len(line)} columns'
        if path.endswith(COMMENTED) and (line.rstrip() != line or '\t' in line):
            yield number, 'has a tab, or blanks at its end'


def check(table, files):
    """files: path -> text.  All the faults, as (path, line, what)."""
    paths = set(files)
    for path, text in sorted(files.items()):
        found = [] if path in GENERATED else list(check_form(path, text))
        if path.endswith(SOURCE):
            found += check_includes(table, paths, path, text)
            found += check_purity(path, text)
            found += check_flags(path, text)
        for line, what in found:
            yield path, line, what
    yield from check_settings(files)


def read_tree(root):
    """The source files, but for hidden ones, build folders and the goldens (which are output)."""
    files = {}
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [s for s in subfolders if not s.startswith('.')
                         and not os.path.exists(os.path.join(folder, s, 'meson-private'))]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            if path.startswith('tests/golden/') and not path.endswith(('.py', 'meson.build')):
                continue
            if name.endswith(COMMENTED) or name in ('meson_options.txt', 'CMakeLists.txt'):
                with open(os.path.join(root, path), encoding='utf-8') as file:
                    files[path] = file.read()
    return files


def check_itself():
    """Each planted fault is found, and nothing else is."""
    table = Table('<!-- layers -->\n| room | where | may include | what |\n|---|---|---|---|\n'
                  '| low | `compiler/low/` | | . |\n| mid | `compiler/mid/` | low | . |\n'
                  '| special | `compiler/mid/low.h` | low | . |\n| high | `cli/` | mid | . |\n')
    head = '/* {} - a file.\n * SPDX-License-Identifier: MIT\n */\n'
    good = {path: head.format(os.path.basename(path)) for path in
            ('compiler/low/a.c', 'compiler/low/a.h', 'compiler/mid/b.c', 'compiler/mid/b.h',
             'compiler/mid/low.h', 'cli/c.c')}
    good['cli/c.c'] += '#include "compiler/low/a.h"\n#include <stdio.h>\nint main(void) { printf("x"); }\n'
    good['compiler/low/a.c'] += '/* printf( */ static const int a = 1;\nint b(void) { return text_printf("exit("); }\n'
    good['compiler/mid/b.c'] += ('static const char *open(int a)\n{\n    return 0;\n}\n'
                                 'void execute(void) { open(1); x->exit(2); y.time(3); }\n')
    cases = [
        ('compiler/low/a.c', '#include "compiler/mid/b.h"\n', 'may not include'),
        ('compiler/low/a.c', '#include "../mid/b.h"\n', 'may not include'),
        ('compiler/mid/low.h', '#include "compiler/mid/b.h"\n', 'may not include'),
        ('compiler/mid/b.c', '#include "compiler/low/none.h"\n', 'not there'),
        ('compiler/mid/b.c', 'int f(void) { return getenv("HOME") != 0; }\n', 'pure'),
        ('compiler/mid/b.c', 'void f(void) { fputs("", stderr); }\n', 'pure'),
        ('compiler/mid/b.c', 'int f(void) { return a > time(0); }\n', 'pure'),
        ('compiler/mid/b.c', 'void f(void) { open(1); execvp(x, y); }\n', 'pure'),
        ('compiler/low/a.c', 'int f(void) { return open("a", 0); }\n', 'pure'),
        ('compiler/mid/b.c', 'static const char *const a = "use --index=64";\n', 'flag'),
        ('compiler/mid/b.c', 'static const char *const a = "(-f A:csr)";\n', 'flag'),
        ('runtime/api/settings.def', 'SETTING(a, "b")\n', 'does not list a'),
        ('compiler/mid/b.c', 'static int count;\n', 'const'),
        ('compiler/mid/b.c', 'static struct foo *table[4] = {0};\n', 'const'),
        ('compiler/mid/b.c', '/* TO' 'DO */\n', 'unfinished'),
        ('compiler/mid/b.c', 'int a; \n', 'blanks'),
        ('compiler/mid/b.c', 'int a;\n' * LINES, 'split it'),
        ('compiler/mid/b.c', '/*' + 'x' * LINE + '*/\n', 'columns'),
        ('elsewhere/d.c', '', 'no room'),
    ]
    faults = [f'a fault where there is none: {fault}' for fault in check(table, good)]
    for path, line, expected in cases:
        planted = dict(good)
        planted[path] = planted.get(path, head.format(os.path.basename(path))) + line
        found = list(check(table, planted))
        if not any(expected in what for _, _, what in found):
            faults.append(f'not found in {path}: {line!r}')
    for text, expected in (('int a;\n', 'SPDX'), ('/* SPDX-License-Identifier: MIT */\n', 'does not begin')):
        if not any(expected in what for _, _, what in check(table, {'cli/c.c': text})):
            faults.append(f'not found: {expected}')
    return faults


def main():
    if sys.argv[1:] == ['--itself']:
        lines = check_itself()
    else:
        root = sys.argv[1]
        with open(os.path.join(root, 'docs', 'architecture.md'), encoding='utf-8') as file:
            table = Table(file.read())
        files = read_tree(root)
        lines = [f'{path}:{line}: {what}' for path, line, what in check(table, files)]
        if not any(path.endswith('.c') for path in files):
            lines.append('no source file was found')
    print('\n'.join(lines) if lines else 'the layers hold')
    return 1 if lines else 0


if __name__ == '__main__':
    sys.exit(main())
