"""test_generated.py - the manual page and the completions that the build writes.

    test_generated.py FOLDER_WITH_THEM

A shell or man that is not installed is left out, and said so.
SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

FOLDER = None


def path(name):
    return os.path.join(FOLDER, name)


def text(name):
    with open(path(name), encoding='utf-8') as file:
        return file.read()


def need(program):
    return unittest.skipUnless(shutil.which(program), f'{program} is not installed')


class Generated(unittest.TestCase):
    def complete_in_bash(self, *words):
        script = ('source "$1"; shift; COMP_WORDS=(spcc "$@"); COMP_CWORD=$#; compopt() { :; }; '
                  '_spcc; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(['bash', '-c', script, 'bash', path('spcc'), *words],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        return done.stdout.split()

    @need('bash')
    def test_bash(self):
        self.assertEqual(self.complete_in_bash('--ta'), ['--target=', '--target-cpu='])
        self.assertEqual(self.complete_in_bash('--jit', '=', 'c'), ['clang', 'cc'])
        self.assertEqual(self.complete_in_bash('--jit', '='), ['clang', 'cc', 'interp'])
        self.assertEqual(self.complete_in_bash('help', 'form'), ['formats'])
        self.assertIn('explain', self.complete_in_bash('exp'))

    @need('bash')
    def test_bash_formats(self):
        # `A:cs` is three words to bash, or one where ':' does not break words.
        for words in (('-f', 'A', ':', 'cs'), ('--format', '=', 'A', ':', 'cs'), ('y = A', '-f', 'A', ':', 'cs')):
            self.assertEqual(self.complete_in_bash(*words), ['csf', 'csr', 'csc', 'csb', 'csf-all'], words)
        self.assertEqual(self.complete_in_bash('-f', 'A:dc'), ['A:dcsr', 'A:dcsc'])
        self.assertIn('mode-generic', self.complete_in_bash('-f', 'A', ':'))
        self.assertEqual(self.complete_in_bash('-f', 'A', ':', 'csr', 'exp'), self.complete_in_bash('run', 'exp'))
        self.assertEqual(self.complete_in_bash('-f', '"A:(i,j)->(i:dense,j:comp'), ['A:(i,j)->(i:dense,j:compressed'])

    @need('fish')
    def test_fish_formats(self):
        for line in ('spcc -f A:dc', 'spcc --format A:dc'):
            done = subprocess.run(['fish', '--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', path('spcc.fish'),
                                   line], capture_output=True, text=True)
            self.assertEqual((done.stdout.split(), done.stderr), (['A:dcsr', 'A:dcsc'], ''), line)

    def test_all_complete_formats(self):
        for shell in ('spcc', '_spcc', 'spcc.fish'):
            for name in ('dcsr', 'mode-generic', 'bytemap', 'singleton'):
                self.assertRegex(text(shell), rf'[ \']{name}[ \'\n]', shell)

    @need('zsh')
    def test_zsh(self):
        subprocess.run(['zsh', '-n', path('_spcc')], check=True)

    @need('fish')
    def test_fish(self):
        subprocess.run(['fish', '-n', path('spcc.fish')], check=True)

    def test_all_name_every_option(self):
        options = re.findall(r'\\fB\\-\\-\\fR\\fB(.+?)\\fR', text('spcc.1'))
        options = [option.replace('\\-', '-') for option in options]
        self.assertGreater(len(options), 15)
        for option in options:
            self.assertIn('--' + option, text('spcc'))
            self.assertIn('--' + option, text('_spcc'))
            self.assertIn('-l ' + option + ' ', text('spcc.fish'))

    def test_manual_has_the_library_s_tables(self):
        for row in ('compressed ordered unique', 'c128     16', 'reorder(i, j, ...)', 'select(a, b, c)'):
            self.assertIn(row, text('spcc.1'))

    @need('groff')
    def test_manual(self):
        done = subprocess.run(['groff', '-man', '-Tutf8', '-ww', path('spcc.1')], capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, b''))


if __name__ == '__main__':
    FOLDER = sys.argv.pop(1)
    unittest.main()
