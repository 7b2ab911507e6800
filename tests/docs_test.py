#!/usr/bin/env python3
"""docs_test.py - runs the examples of README.md, CONTRIBUTING.md and docs/*.md, follows their links to files, and
finds prose of more than 100 columns.

    docs_test.py SOURCE BUILD [FILE.md ...] [--update]
    docs_test.py --itself

An example is a fenced block of sh or c right below a comment `<!-- test -->`:

    <!-- test -->
    ```sh
    spcc 'y(i) = A(i,j) * x(j)' -f A:csr --emit=concrete
    ```

    ```text
    forall(i) forall(j) y(i) += A(i,j) * x(j)
    ```

A block that follows with nothing but empty lines between is what it prints, standard output and standard error
together; a line `...` in it stands for any lines, and `...` within a line for anything. The comment may go on:

    <!-- test: status 1 -->     of sh: it ends with this status
    <!-- test: compile -->      of c: it is compiled only; without it, linked with the library and run, and it is C++ too
    <!-- test: as spmv.c -->    of either: it is written to a file of this name first, and not run

sh runs with -e in a folder that the examples of one file share. There, spcc is on the PATH, `build` is the build folder,
and the folders of the source tree are in place.
SPDX-License-Identifier: MIT
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

COMMENT = re.compile(r'^<!-- test(?::\s*(.*?))?\s*-->\s*$')
LINK = re.compile(r'\]\((?!\w+:)([^)#\s]+)')
FENCE = re.compile(r'^(`{3,}|~{3,})\s*(\w*)')
COLUMNS = 100


class Block:
    def __init__(self, language, line, text, last):
        self.language, self.line, self.text, self.last = language, line, text, last


def fenced(lines, at):
    """The fenced block that begins at a line, or None."""
    match = FENCE.match(lines[at]) if at < len(lines) else None
    if not match:
        return None
    end = at + 1
    while end < len(lines) and not lines[end].startswith(match[1]):
        end += 1
    return Block(match[2], at + 1, '\n'.join(lines[at + 1:end]) + '\n', end)


def examples(markdown):
    """Pairs of a block and what it prints, or None, with the words of its comment."""
    lines, at = markdown.split('\n'), 0
    while at < len(lines):
        comment = COMMENT.match(lines[at])
        block = fenced(lines, at + 1) if comment else fenced(lines, at)
        at = block.last + 1 if block else at + 1
        if not comment:
            continue
        if not block:
            yield None, None, at
            continue
        after = at
        while after < len(lines) and not lines[after].strip():
            after += 1
        output = fenced(lines, after) if after < len(lines) else None
        yield block, output, comment[1] or ''


def as_pattern(expected):
    """A regular expression for an expected output."""
    parts = []
    for line in expected.rstrip('\n').split('\n'):
        if line.strip() == '...':
            parts.append(r'(?:.*\n)*?')
        else:
            parts.append('.*'.join(re.escape(piece) for piece in line.rstrip().split('...')) + r'[ \t]*\n')
    return re.compile(''.join(parts) + r'\Z')


def prepare(folder, source, build):
    for name in os.listdir(source):
        if not name.startswith('.') and not os.path.exists(os.path.join(source, name, 'meson-info')):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
    if not os.path.lexists(os.path.join(folder, 'build')):
        os.symlink(build, os.path.join(folder, 'build'))


class Runner:
    def __init__(self, source, build, folder):
        self.source, self.build, self.folder = source, build, folder
        self.environment = dict(os.environ, PATH=build + os.pathsep + os.environ['PATH'], LC_ALL='C.UTF-8',
                                XDG_CACHE_HOME=os.path.join(folder, '.cache'), LD_LIBRARY_PATH=build)

    def execute(self, command, text=None):
        return subprocess.run(command, cwd=self.folder, env=self.environment, input=text, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run_c(self, text, only_compile):
        name = os.path.join(self.folder, 'example.c')
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)
        flags = ['-std=c11', '-Wall', '-Wextra', '-I', os.path.join(self.source, 'include'), name]
        if only_compile:
            return self.execute(['cc', *flags, '-c', '-o', os.devnull])
        if shutil.which('c++'):
            done = self.execute(['c++', '-x', 'c++', '-std=c++17', *flags[1:], '-fsyntax-only'])
            if done.returncode:
                return done
        done = self.execute(['cc', *flags, '-o', 'example', '-L', self.build, '-lspcc', '-lm'])
        return done if done.returncode else self.execute(['./example'])

    def run(self, block, words):
        """Status and output of an example."""
        saved = re.match(r'as (\S+)$', words)
        if saved:
            with open(os.path.join(self.folder, saved[1]), 'w', encoding='utf-8') as file:
                file.write(block.text)
            return 0, None
        if block.language == 'c' and words != 'compile' and os.environ.get('SPCC_SANITIZED'):
            done = self.run_c(block.text, True)  # a library with a sanitizer wants a program with the same one
            return done.returncode, None
        if block.language == 'c':
            done = self.run_c(block.text, words == 'compile')
        else:
            done = self.execute(['bash', '-e'], block.text)
        return done.returncode, done.stdout


def check_example(runner, block, output, words):
    """What is wrong with an example, as text, or None; and what it printed."""
    wanted = re.match(r'status (\d+)$', words)
    known = not words or wanted or words == 'compile' or words.startswith('as ')
    if not known or block.language not in ('sh', 'c'):
        return f'is a test that is not understood: {block.language} {words}', None
    status, printed = runner.run(block, words)
    if status != (int(wanted[1]) if wanted else 0):
        return f'ends with status {status}:\n{printed}', None
    if output is None or printed is None or as_pattern(output.text).match(normal(printed)):
        return None, printed
    lines = difflib.unified_diff(output.text.splitlines(), normal(printed).splitlines(), 'as documented', 'as it is',
                                 lineterm='')
    return 'prints something else:\n' + '\n'.join(lines), printed


def normal(printed):
    return printed if printed.endswith('\n') or not printed else printed + '\n'


def updated(lines, output, printed):
    """The lines with the output block's text replaced."""
    return lines[:output.line] + normal(printed).rstrip('\n').split('\n') + lines[output.last:]


def dead_links(path, markdown):
    """The links to files that are not there, as faults."""
    for number, line in enumerate(markdown.split('\n'), 1):
        for link in LINK.findall(line):
            if not os.path.exists(os.path.join(os.path.dirname(path), link)):
                yield f'{path}:{number}: the link leads nowhere: {link}'


def long_lines(path, markdown):
    """The lines of prose beyond the columns, as faults.  Listings and tables are as wide as they have to be."""
    lines, at = markdown.split('\n'), 0
    while at < len(lines):
        block = fenced(lines, at)
        if block:
            at = block.last
        elif len(lines[at]) > COLUMNS and not lines[at].startswith(('    ', '|')):
            yield f'{path}:{at + 1}: {len(lines[at])} columns of prose'
        at += 1


def check_file(source, build, path, update=False):
    """The faults of a file, as text, and how many examples it has."""
    with open(path, encoding='utf-8') as file:
        markdown = file.read()
    found, lines = list(examples(markdown)), markdown.split('\n')
    faults = list(dead_links(path, markdown)) + list(long_lines(path, markdown))
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder, source, build)
        runner = Runner(source, build, folder)
        results = []
        for block, output, words in found:
            if block is None:
                faults.append(f'{path}: a test comment without a block below it, before line {words}')
                continue
            fault, printed = check_example(runner, block, output, words)
            results.append((output, printed, fault))
            if fault and not (update and output and printed is not None):
                faults.append(f'{path}:{block.line}: the example {fault}')
    if update:
        for output, printed, fault in reversed(results):
            if fault and output and printed is not None:
                lines = updated(lines, output, printed)
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines))
    return faults, len(found)


SAMPLE = '''# Sample
```sh
exit 1
```
<!-- test -->
```sh
echo one > file; cat file; echo two
```

```text
one
...
```
<!-- test: status 3 -->
```sh
cat file; exit 3
```
<!-- test: compile -->
```c
int f(void);
int f(void) { return 1; }
```
<!-- test -->
```sh
echo 'took 12 ms'
```
```
took ... ms
```
Prose.
```
not an output
```
'''


def check_itself():
    with tempfile.TemporaryDirectory() as source:
        path = os.path.join(source, 'sample.md')

        def faults_of(text, update=False):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            return check_file(source, source, path, update)

        faults, n = faults_of(SAMPLE)
        assert (faults, n) == ([], 4), (faults, n)
        assert 'prints something else' in faults_of(SAMPLE.replace('one\n...', 'on\n...'))[0][0]
        assert 'status 3' in faults_of(SAMPLE.replace('status 3', 'status 4'))[0][0]
        assert 'status 1' in faults_of(SAMPLE.replace('return 1', 'return x'))[0][0]
        assert 'nowhere: gone.md' in faults_of('[here](sample.md#x), [there](https://there) and [gone](gone.md)\n')[0][0]
        assert faults_of('[here](sample.md#x), [there](https://there)\n')[0] == []
        wide = 'long ' * 21
        assert '105 columns of prose' in faults_of(wide)[0][0]
        assert faults_of(f'| {wide} |\n    {wide}\n```\n{wide}\n```\n')[0] == []
        assert 'without a block' in faults_of('<!-- test -->\nprose\n')[0][0]
        assert 'not understood' in faults_of('<!-- test: perhaps -->\n```sh\n```\n')[0][0]
        assert faults_of(SAMPLE.replace('one\n...', 'on\nto'), update=True)[0] == []
        with open(path, encoding='utf-8') as file:
            assert '```text\none\ntwo\n```' in file.read()


def main(arguments):
    if arguments == ['--itself']:
        check_itself()
        return 0
    update = '--update' in arguments
    words = [word for word in arguments if word != '--update']
    if len(words) < 2:
        sys.stderr.write(__doc__)
        return 2
    source, build = os.path.abspath(words[0]), os.path.abspath(words[1])
    paths = words[2:]
    if not paths:
        docs = os.path.join(source, 'docs')
        paths = [os.path.join(source, name) for name in ('README.md', 'CONTRIBUTING.md')] + sorted(
            os.path.join(docs, name) for name in os.listdir(docs) if name.endswith('.md'))
    faults, total = [], 0
    for path in filter(os.path.exists, paths):
        found, n = check_file(source, build, path, update)
        faults += found
        total += n
    for fault in faults:
        print(fault)
    print(f'{total} examples, {len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
