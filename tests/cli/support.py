"""support.py - what the tests of the program share: running it, and small files for it.

SPDX-License-Identifier: MIT
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

SPCC = None
SPMV = 'y(i) = A(i,j) * x(j)'
DATA = os.path.join(os.environ.get('SPCC_SOURCE', '.'), 'tests', 'data')


def run(*arguments, **options):
    """The program's end, with what it wrote as texts; options are those of subprocess.run."""
    options.setdefault('stdin', subprocess.DEVNULL if 'input' not in options else None)
    if options['stdin'] is None:
        del options['stdin']
    for stream in ('stdout', 'stderr'):
        options.setdefault(stream, subprocess.PIPE)
    return subprocess.run([SPCC, *map(str, arguments)], text=True, **options)


class Case(unittest.TestCase):
    """Each test works in a folder of its own, with a kernel cache of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, 'cache'), LC_ALL='C.UTF-8')

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), 'w', encoding='utf-8') as file:
            file.write(text)
        return name

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as file:
            return file.read()

    def run_here(self, *arguments, **options):
        return run(*arguments, cwd=self.folder, **{'env': self.environment, **options})

    def good(self, *arguments, **options):
        """What it prints; it has nothing to complain of, and may say which formats it has chosen."""
        done = self.run_here(*arguments, **options)
        said = re.sub(r'(?m)^note: \w+ is stored as .*\n', '', done.stderr)
        self.assertEqual((done.returncode, said), (0, ''), arguments)
        return done.stdout

    def bad(self, status, said, *arguments, **options):
        """It ends with this status, says this, and prints no results."""
        done = self.run_here(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout or ''), (status, ''), (arguments, done.stderr))
        self.assertIn(said, done.stderr, arguments)
        return done.stderr


def main():
    global SPCC
    SPCC = os.path.abspath(sys.argv.pop(1))
    unittest.main('__main__')
