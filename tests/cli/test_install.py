"""test_install.py - what `meson install` puts where, and whether a program can be built with it.

    test_install.py SOURCE BUILD

SPDX-License-Identifier: MIT
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = BUILD = None
EXPECTED = ('bin/spcc', 'include/spcc.h', 'libspcc.so', 'pkgconfig/spcc.pc', 'man/man1/spcc.1', 'completions/spcc',
            'site-functions/_spcc', 'vendor_completions.d/spcc.fish')


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = dict(os.environ, DESTDIR=self.folder, HOME=self.folder, XDG_CACHE_HOME=self.folder + '/cache')
        done = subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild'], env=self.environment, timeout=120,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.files = [os.path.join(at, name) for at, _, names in os.walk(self.folder) for name in names]

    def installed(self, end):
        found = [path for path in self.files if path.endswith('/' + end)]
        self.assertEqual(len(found), 1, (end, found))
        return found[0]

    def test_files(self):
        for end in EXPECTED:
            self.installed(end)
        self.assertEqual([path for path in self.files if path.endswith(('.a', '.o', '.c'))], [])

    def test_program(self):
        done = subprocess.run([self.installed('bin/spcc'), 'y(i) = x(i)'], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ''))

    @unittest.skipUnless(shutil.which('pkg-config') and shutil.which('cc'), 'no pkg-config or no C compiler')
    @unittest.skipIf(os.environ.get('SPCC_SANITIZED'), 'a sanitized library wants a sanitized program')
    def test_library(self):
        config = self.installed('pkgconfig/spcc.pc')
        prefix = self.installed('include/spcc.h')[:-len('/include/spcc.h')]
        flags = subprocess.run(['pkg-config', '--define-variable=prefix=' + prefix, '--cflags', '--libs', config],
                               capture_output=True, text=True, check=True, timeout=60).stdout.split()
        program = os.path.join(self.folder, 'spmv')
        subprocess.run(['cc', os.path.join(SOURCE, 'examples', 'spmv.c'), '-o', program, *flags, '-lm'], check=True,
                       timeout=60)
        library = os.path.dirname(self.installed('libspcc.so'))
        subprocess.run([program], check=True, timeout=60, stdout=subprocess.DEVNULL,
                       env=dict(self.environment, LD_LIBRARY_PATH=library))


if __name__ == '__main__':
    BUILD = sys.argv.pop()
    SOURCE = sys.argv.pop()
    unittest.main()
