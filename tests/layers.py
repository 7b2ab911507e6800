#!/usr/bin/env python3
"""layers.py - who may include whom, and the rules that hold for every file.

    layers.py ROOT      check the source tree; one line a fault, status 1 if there is any
    layers.py --itself  check that planted faults are found

The rooms and what they may include come from the table in docs/architecture.md.  A room calls what it
may include, and no more.  Who calls whom is found without a compiler: in the text, by the names of functions
and tables that a file defines for others.
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
# Files that call each other in a circle are read together: so many are the most.
CIRCLE = 9
FUNCTION = re.compile(r'^(?!typedef\b|else\b)([A-Za-z_][\w \t*\n]*?)\b(\w+)\s*\(([^;{}]*?)\)\s*\{', re.M)
TABLE = re.compile(r'^(?:const )?struct \w+ \**(?:const )?(\w+)(?:\[[^\]\n]*\])* = ', re.M)
OWN = re.compile(r'^(?:[A-Z]+ )?static\b[^;{}()=]*?\b(\w+)\s*(?:\[[^\]\n]*\]\s*)*[(=;,]', re.M)
LOCAL = re.compile(r'(?<![\w.>])(?!return\b|else\b|case\b|goto\b|sizeof\b)[A-Za-z_]\w*[ ]\**(\w+)\s*'
                   r'(?:\[[^\]\n]*\]\s*)*(?=[=;,)])|,\s*\**(\w+)\s*(?==[^=])|,\s*\*+(\w+)\s*(?=[;,)])')
ATTRIBUTE = re.compile(r'__attribute__\(\((?:[^()]|\([^()]*\))*\)\) ?')
MACRO = re.compile(r'^#define (\w+)((?:.*\\\n)*.*)', re.M)
NAME = re.compile(r'(?<![\w.])(?<!->)(?<!struct )(?<!enum )([A-Za-z_]\w*)(\s*\()?')
# What spcc has written, not a person.
GENERATED = ('examples/paste/spmv.c', 'examples/paste/spmv.h', 'examples/gpu/spmv.cu', 'examples/gpu/spmv.h')


class Table:
    """The rooms: where each is, and which rooms it may include, itself and in turn."""

    def __init__(self, markdown):
        self.where, self.direct = {}, {}
        self.named = set(re.findall(r'`([\w/]+(?:\.c|\.h|\.cpp|\.def))`', markdown))
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


class Calls:
    """Which files call which: a file calls those whose functions and tables it names, and those that the inline
    functions and macros of a header call which it names."""

    def __init__(self, files):
        codes = {path: ATTRIBUTE.sub('', without_comments(text)) for path, text in files.items()
                 if path.startswith(SHORT) and path.endswith(('.c', '.h', '.cpp'))}
        self.where, self.inline = {}, {}
        for path, code in codes.items():
            if path.endswith('.h'):
                self.inline.update(MACRO.findall(code))
                for m in FUNCTION.finditer(code):
                    self.inline[m[2]] = re.match(r'[^\n]*\}\n|.*?^\}', code[m.end():], re.M | re.S)[0]
            else:
                for name in {m[2] for m in FUNCTION.finditer(code) if 'static' not in m[1].split()} | \
                        set(TABLE.findall(code)):
                    self.where.setdefault(name, []).append(path)
        self.of = {path: self.called(path, code) for path, code in codes.items() if not path.endswith('.h')}

    def called(self, path, code):
        """File -> the names of it that this one uses, and where first."""
        own, found, seen = set(OWN.findall(code)), {}, set()
        local = {name for names in LOCAL.findall(code) for name in names}

        def look(text, line_of):
            for match in NAME.finditer(text):
                name, files = match[1], self.where.get(match[1], ())
                if name in own or (name in local and not match[2]):
                    continue
                if name in self.inline:
                    if name not in seen:
                        seen.add(name)
                        look(self.inline[name], lambda _, line=line_of(match.start()): line)
                elif len(files) == 1 and files[0] != path:
                    found.setdefault(files[0], {}).setdefault(name, line_of(match.start()))
        look(re.sub(r'^#.*$', '', code, flags=re.M), lambda at: code.count('\n', 0, at) + 1)
        return found

    def circles(self):
        """The files of each circle, by Tarjan's algorithm."""
        number, low, stack, circles = {}, {}, [], []

        def visit(path):
            number[path] = low[path] = len(number)
            stack.append(path)
            for other in self.of[path]:
                if other not in number:
                    visit(other)
                if other in stack:
                    low[path] = min(low[path], low[other])
            if low[path] == number[path]:
                at = stack.index(path)
                circles.append(sorted(stack[at:]))
                del stack[at:]
        for path in self.of:
            if path not in number:
                visit(path)
        return circles


def check_calls(table, files):
    """A room calls what it may include, or what an interface declares that it may include, a room of headers alone;
    and no circle of files that call each other is too large."""
    calls = Calls(files)
    bodies = {table.room(path) for path in files if path.endswith(('.c', '.cpp'))}
    declared = {}
    for path, text in files.items():
        if path.endswith('.h') and table.room(path) not in bodies:
            declared.setdefault(table.room(path), set()).update(re.findall(r'\w+', without_comments(text)))
    for path, called in sorted(calls.of.items()):
        allowed = table.may_include(table.room(path)) if table.room(path) else ()
        offered = set().union(*(declared.get(room, ()) for room in allowed))
        for other, names in sorted(called.items()):
            for name in names if allowed and table.room(other) not in allowed else ():
                if name not in offered:
                    yield path, names[name], f'{table.room(path)} may not call {name} of {other} ({table.room(other)})'
    for circle in calls.circles():
        if len({table.room(path) for path in circle}) > 1:
            yield circle[0], 1, 'is in a circle of files of several rooms that call each other: ' + ', '.join(circle)
        if len(circle) > CIRCLE:
            yield circle[0], 1, f'is in a circle of {len(circle)} files that call each other; {CIRCLE} are the most: ' \
                                + ', '.join(circle)


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
    for name in sorted(table.named):
        if not any(('/' + path).endswith('/' + name) for path in paths):
            yield 'docs/architecture.md', 1, f'names {name}, which is not there'
    yield from check_settings(files)
    yield from check_calls(table, files)


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
                  '| low | `compiler/low/` | | . |\n| special | `compiler/mid/low.h` | low | . |\n'
                  '| mid | `compiler/mid/` | special | . |\n| high | `cli/` | mid | . |\n')
    head = '/* {} - a file.\n * SPDX-License-Identifier: MIT\n */\n'
    good = {path: head.format(os.path.basename(path)) for path in
            ('compiler/low/a.c', 'compiler/low/a.h', 'compiler/mid/b.c', 'compiler/mid/b.h',
             'compiler/mid/low.h', 'cli/c.c')}
    good['cli/c.c'] += '#include "compiler/low/a.h"\n#include <stdio.h>\nint main(void) { printf("x"); }\n'
    good['compiler/low/a.c'] += '/* printf( */ static const int a = 1;\nint b(void) { return text_printf("exit("); }\n'
    good['compiler/mid/b.c'] += ('static const char *open(int a)\n{\n    return 0;\n}\n'
                                 'void execute(void) { open(1); x->exit(2); y.time(3); }\n'
                                 'const struct table way = {.execute = execute};\nint up(void) { return offered(); }\n')
    good['compiler/mid/low.h'] += 'int offered(void);\n'
    good['cli/c.c'] += 'int offered(void)\n{\n    return 0;\n}\nint down(void) { return 1; }\n'
    good['compiler/low/a.c'] += ('int c(struct way *way) { return b.execute() + way->up(1); }\n'
                                 'static int offered(int a) { return a; }\nint d(int down) { return offered(down); }\n')
    good['compiler/low/a.h'] += 'int execute(void);\n'
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
        ('compiler/low/a.c', 'int x(void) { return execute(); }\n', 'may not call execute'),
        ('compiler/low/e.c', 'int x(void) { return f(&way); }\n', 'may not call way'),
        ('compiler/low/a.c', '#define RUN() \\\n    execute()\nint x(void) { return RUN(); }\n', 'may not call execute'),
        ('cli/c.c', 'int x(void) { return f(&way); }\n', 'circle of files of several rooms'),
        ('compiler/mid/b.c', 'int x(void) { return down(); }\n', 'may not call down'),
    ]
    faults = [f'a fault where there is none: {fault}' for fault in check(table, good)]
    for path, line, expected in cases:
        planted = dict(good)
        planted[path] = planted.get(path, head.format(os.path.basename(path))) + line
        found = list(check(table, planted))
        if not any(expected in what for _, _, what in found):
            faults.append(f'not found in {path}: {line!r}')
    for name, known in (('mid/b.c', True), ('id/b.c', False), ('mid/none.h', False)):
        table.named = {name}
        if any(f'names {name}' in what for _, _, what in check(table, good)) == known:
            faults.append(f'a page that names {name} is judged wrongly')
    table.named = set()
    for n in (CIRCLE, CIRCLE + 1):
        ring = {f'compiler/mid/r{i}.c': head.format(f'r{i}.c') + f'int r{i}(void)\n{{\n    return r{(i + 1) % n}();\n}}\n'
                for i in range(n)}
        if any('circle' in what for _, _, what in check(table, {**good, **ring})) != (n > CIRCLE):
            faults.append(f'a circle of {n} files is judged wrongly')
    inline = {**good, 'compiler/low/a.h': good['compiler/low/a.h'] + 'static inline int g(void)\n{\n    return up();\n}\n',
              'compiler/low/a.c': good['compiler/low/a.c'] + 'int x(void) { return g(); }\n'}
    if not any('may not call up' in what for _, _, what in check(table, inline)):
        faults.append('not found: a call by an inline function')
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
