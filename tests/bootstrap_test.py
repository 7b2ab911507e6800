"""bootstrap_test.py - what bootstrap.sh says, on a system that is made up.

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
REAL = ('bash', 'cat', 'chmod', 'dirname', 'find', 'head', 'mkdir', 'rm', 'tail', 'touch', 'wc', 'sed', 'awk', 'env')
NEEDED = 'gcc g++ libc6-dev meson ninja-build pkg-config libcmocka-dev zlib1g-dev python3'
# It says of one test that it failed, and goes on when somebody has seen that, or has not for too long.
MESON = """
import json, os, sys, time
if sys.argv[1] != 'test':
    sys.exit(0)
print('[1/1] Linking target test_one')
print('1/2 spcc / one FAIL 0.01s')
limit = time.monotonic() + 30
while not os.path.exists('seen') and time.monotonic() < limit:
    time.sleep(0.01)
print('2/2 spcc / two OK 0.01s' if os.path.exists('seen') else 'nobody has seen it')
os.makedirs('build/meson-logs', exist_ok=True)
with open('build/meson-logs/testlog-slice.json', 'w') as log:
    for result in ('FAIL', 'OK'):
        print(json.dumps({'name': 'test', 'result': result}), file=log)
sys.exit(1)
"""


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
        self.system(1000, NEEDED)
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

    def system_that_builds(self):
        """One where nothing is missing, and what is built prints three components."""
        self.system(1000, NEEDED)
        self.fake('python3', f'exec "{sys.executable}" "$@"')
        self.fake('meson', f"exec '{sys.executable}' -c '{MESON.replace(chr(39), chr(34))}' \"$@\"")
        self.fake('ninja', 'printf \'#!/bin/bash\\nprintf "1 1\\\\n2 2\\\\n3 3\\\\n"\\n\' >build/spcc; chmod +x build/spcc')

    def test_it_ends_with_what_comes_next(self):
        self.system_that_builds()
        status, out, err = self.run_it('--minimal')
        self.assertEqual((status, err), (0, ''))
        self.assertIn('3 components in all', out)
        after = out.split('== next\n')[1]
        for words in (self.folder + '/build/spcc\n', f'export PATH="{self.folder}/build:$PATH"\n', 'docs/tutorial.md\n',
                      './bootstrap.sh --minimal test\n', 'meson install -C build ', 'docs/install.md\n'):
            self.assertIn(words, after)

    def test_results_are_printed_when_they_come(self):
        self.system_that_builds()
        with subprocess.Popen(['bash', os.path.join(self.folder, 'bootstrap.sh'), '--minimal', 'test'], text=True,
                              env={'PATH': self.programs}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as running:
            out = ''
            for line in running.stdout:
                out += line
                if 'one FAIL' in line:
                    with open(os.path.join(self.folder, 'seen'), 'w', encoding='utf-8'):
                        pass
        self.assertNotIn('nobody has seen it', out)
        self.assertIn('1 passed, 1 failed\n', out)
        self.assertNotIn('== next', out)
        self.assertEqual(running.returncode, 1)


if __name__ == '__main__':
    BOOTSTRAP = sys.argv.pop()
    unittest.main()
