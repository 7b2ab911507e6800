"""test_program.py - the program itself: what goes where, and with which exit status.

    test_program.py SPCC

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import unittest

import support
from support import SPMV, Case, main, run


class Help(Case):
    def check_help(self, *arguments, expected):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ''), arguments)
        self.assertIn(expected, done.stdout)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_version(self):
        done = run('--version')
        self.assertRegex(done.stdout, r'^spcc \d+\.\d+\.\d+\n$')
        self.assertEqual((done.returncode, done.stderr), (0, ''))

    def test_help(self):
        self.check_help('-h', expected='usage: spcc [emit] EXPR')
        self.check_help('--help', expected='For example:')
        self.check_help('run', '-h', expected='--jit')
        self.check_help('help', expected='Topics')
        self.assertNotIn('--jit', run('explain', '-h').stdout)

    def test_every_topic(self):
        topics = run('help').stdout.split('TOPIC\':\n')[1].splitlines()[:-2]
        self.assertGreater(len(topics), 5)
        for topic in topics:
            self.check_help('help', topic.split()[0], expected='\n')

    def test_tables_are_the_library_s(self):
        for topic, rows in (('formats', ('s u  compressed', 'pos crd', 'Names: dense')), ('types', ('c128     16',)),
                            ('schedules', ('reorder(i, j, ...)',)), ('operators', ('select(a, b, c)',))):
            for row in rows:
                self.check_help('help', topic, expected=row)

    def test_commands_and_options(self):
        self.check_help('help', 'run', expected='usage: spcc run EXPR')
        self.check_help('help', 'emit', expected='usage: spcc [emit] EXPR')
        self.check_help('help', '--emit', expected='--emit=STAGE')
        self.check_help('help', '-f', expected='--format T:FORMAT')
        self.check_help('help', 'jit', expected='clang cc interp')

    def test_every_word(self):
        for word, expected in (('csr', 'compressed sparse rows'), ('bcsr', 'bcsr(r,c) is a format'),
                               ('u', 's u  compressed'),
                               ('compressed', 's u  compressed'), ('reorder', 'reorder(i, j, ...)'), ('sqrt', 'sqrt(a)'),
                               ('min', 'min(j, ...) is a reduction'), ('sum', 'sum(j, ...)'), ('f64', '8 bytes, double'),
                               ('+', 'a + b')):
            self.check_help('help', word, expected=expected)
        for wrong, near in (('crs', 'csr'), ('reordr', 'reorder'), ('compresed', 'compressed'), ('fromats', 'formats')):
            self.assertIn(f'did you mean spcc help {near}?', run('help', wrong).stderr)

    def test_no_such_topic(self):
        done = run('help', 'fromats')
        self.assertEqual((done.returncode, done.stdout), (2, ''))
        self.assertIn("no help on 'fromats'", done.stderr)
        self.assertIn('did you mean spcc help formats?', done.stderr)


class Status(Case):
    def test_wrong_command_line(self):
        for arguments in ([], ['--xyzzy'], ['run'], [SPMV, '-f', 'A:'], ['rnu', '-h=1']):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ''), arguments)
            self.assertTrue(done.stderr.startswith('spcc: '), done.stderr)

    @unittest.skipUnless(os.path.exists('/dev/full'), 'no /dev/full')
    def test_full_disk(self):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([support.SPCC, '--help'], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn('standard output: No space left', done.stderr)

    def test_reader_that_goes_away(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([support.SPCC, '--help'], stdout=write, stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual(done.stderr, '')
        self.assertIn(done.returncode, (0, -13))


if __name__ == '__main__':
    main()
