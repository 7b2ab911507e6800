"""bootstrap_test.py - what bootstrap.sh says where packages are missing, on a system that is made up.

    bootstrap_test.py BOOTSTRAP

SPDX-License-Identifier: MIT
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

BOOTSTRAP = None
REAL = ('bash', 'cat', 'dirname', 'mkdir', 'tail', 'wc', 'sed', 'awk', 'env')


class Bootstrap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='a path with blanks ')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.programs = os.path.join(self.folder, 'bin')
        os.mkdir(self.programs)
        for name in REAL:
            os.symlink(shutil.which(name), os.path.join(self.programs, name))
        shutil.copy(BOOTSTRAP, self.folder)

    def fake(self, name, script):
        path = os.path.join(self.programs, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write('#!/bin/bash\n' + script + '\n')
        os.chmod(path, 0o755)

    def system(self, user, installed):
        """One with these packages, whose user has this number; apt-get has nothing to give."""
        self.fake('id', f'echo {user}')
        self.fake('dpkg-query', f'for name; do :; done; case " {installed} " in *" $name "*) '
                  'echo -n "install ok installed" ;; *) exit 1 ;; esac')
        self.fake('apt-get', 'echo "apt-get $*"; case "$*" in *-s*) echo "Inst meson (1)"; esac; exit 100')
        self.fake('apt-cache', 'printf "Package: meson\\nInstalled-Size: 2000\\nSize: 1000000\\n"')
        self.fake('meson', 'echo "meson: here $*"; exit 1')

    def run_it(self, *words):
        done = subprocess.run(['bash', os.path.join(self.folder, 'bootstrap.sh'), *words], stdin=subprocess.DEVNULL,
                              env={'PATH': self.programs}, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_usage(self):
        status, out, err = self.run_it('--help')
        self.assertEqual((status, err), (0, ''))
        for word in ('--minimal', 'test all'):
            self.assertIn(word, out)
        for words in (['nonsense'], ['all'], ['test', 'test'], ['test', 'all', 'more']):
            status, out, err = self.run_it(*words)
            self.assertEqual((status, out), (2, ''), words)
            self.assertIn('usage: ', err)

    def test_without_root_the_line_is_printed(self):
        self.system(1000, 'gcc g++')
        status, out, err = self.run_it('--minimal')
        self.assertEqual((status, out), (3, ''))
        self.assertIn('apt-get install --no-install-recommends libc6-dev meson ninja-build', err)
        self.assertNotIn('clang', err)

    def test_without_root_and_optional_packages_it_goes_on(self):
        self.system(1000, 'gcc g++ libc6-dev meson ninja-build pkg-config libcmocka-dev zlib1g-dev python3')
        status, out, err = self.run_it()
        self.assertIn('apt-get install --no-install-recommends llvm-22-dev', err)
        self.assertIn('== building', out)
        self.assertEqual(status, 1)
        self.assertIn('meson: here setup', err, 'what a step that fails prints is shown')

    def test_as_root_sizes_come_first(self):
        self.system(0, 'gcc g++')
        status, out, err = self.run_it('--minimal', 'test')
        self.assertIn('1 packages, 1 MB to download, 2 MB on disk', out)
        self.assertIn('no fresh package lists', err)
        self.assertEqual(status, 1)


if __name__ == '__main__':
    BOOTSTRAP = sys.argv.pop()
    unittest.main()
