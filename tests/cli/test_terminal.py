"""test_terminal.py - what the program shows on a terminal only: colours, and that something takes long.

    test_terminal.py SPCC

SPDX-License-Identifier: MIT
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import support
from support import SPMV, Case, main

WRONG = ('y(i) = A(i,j) * x(j', '-f', 'A:csr')
PLAIN = 'error[E101]: this parenthesis is not closed\n  y(i) = A(i,j) * x(j\n                   ^\n'
COLOURED = ('\033[1;31merror[E101]:\033[0m \033[1mthis parenthesis is not closed\033[0m\n'
            '  y(i) = A(i,j) * x(j\n                   \033[1;31m^\033[0m\n')


class Terminal(Case):
    def setUp(self):
        super().setUp()
        self.environment['TERM'] = 'xterm'
        self.environment.pop('NO_COLOR', None)

    def open(self, *arguments, columns=80, **environment):
        """The program, with a terminal as its standard error, and the other end of that."""
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f'no terminal: {error}')
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        process = subprocess.Popen([support.SPCC, *arguments], env={**self.environment, **environment}, cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        self.addCleanup(os.close, master)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process, master

    def shown(self, *arguments, **environment):
        """All that it writes to the terminal."""
        process, master = self.open(*arguments, **environment)
        text = b''
        while True:
            try:
                part = os.read(master, 1000)
            except OSError: # how Linux says that nobody has it open
                part = b''
            if not part:
                break
            text += part
        process.wait(60)
        return text.decode().replace('\r\n', '\n')

    def shows(self, expected, *arguments, columns=80):
        """Until it says so; it goes on, and is ended with the test."""
        process, master = self.open(*arguments, columns=columns)
        text = ''
        while expected not in text:
            part = os.read(master, 1000).decode()
            self.assertTrue(part, text)
            text += part
        return process


class Colours(Terminal):
    def test_on_a_terminal(self):
        self.assertEqual(self.shown(*WRONG), COLOURED)

    def test_when_not(self):
        self.assertEqual(self.shown(*WRONG, NO_COLOR='1'), PLAIN)
        self.assertEqual(self.shown(*WRONG, NO_COLOR=''), COLOURED)
        for terminal in ('dumb', ''):
            self.assertEqual(self.shown(*WRONG, TERM=terminal), PLAIN)
        self.assertEqual(self.shown(*WRONG, '--color=never'), PLAIN)
        self.assertEqual(self.bad(1, '', *WRONG), PLAIN)

    def test_always(self):
        self.assertEqual(self.bad(1, '', *WRONG, '--color=always', env={**self.environment, 'NO_COLOR': '1'}), COLOURED)

    def test_parts(self):
        said = self.shown('y(i) = x(i)', '-f', 'x:sparce')
        for part in ('\033[1;36m  note:\033[0m the names', '\033[1;32m  help:\033[0m', '\033[1;31m^~~~~~\033[0m\n'):
            self.assertIn(part, said)
        self.assertIn('\033[1;31mspcc:\033[0m --frmat is not an option\n\033[1;32m  help:\033[0m did you mean --format?\n',
                      self.shown('y = x', '--frmat'))

    def test_statement_file(self):
        self.write('a.spcc', '# one\ny(i) = x(i) +\n')
        said = self.shown('a.spcc')
        self.assertIn('\033[1ma.spcc:2:', said)
        self.assertIn('\033[1;31merror[E101]:\033[0m', said)
        self.assertEqual(re.sub('\033\\[[0-9;]*m', '', said), self.bad(1, '', 'a.spcc'))

    def test_choices(self):
        self.bad(2, "--color: 'sometimes' is none of auto always never", *WRONG, '--color=sometimes')


class Progress(Terminal):
    def test_reading(self):
        process = self.shows('\rreading - ... 1 s', 'run', 'y(i) = x(i)', '--jit=interp', '-i', 'x:-')
        self.assertEqual((process.communicate(b'2 5\n')[0], process.returncode), (b'2 5\n', 0))

    def test_line_of_a_narrow_terminal(self):
        """What it says must fit, or each second would leave a line behind."""
        name = 'abcdefghijklmnopqrstuvwxyz.tns'
        os.mkfifo(self.path(name))
        self.shows('\rreading abcdefgh ... 1 s', 'info', name, columns=32)

    def test_compiling(self):
        os.mkfifo(self.path('never'))
        self.write('cc', '#!/bin/sh\ncat never\n')
        os.chmod(self.path('cc'), 0o755)
        self.environment['SPCC_CC'] = self.path('cc')
        self.shows('\rcompiling ' + SPMV + ' ... ', 'run', SPMV, '--jit=cc', '-i', 'A:@ones', '-i', 'x:@ones', '-d',
                   'i:2', '-d', 'j:2')

    def test_running_names_the_statement(self):
        """More than a machine does in any time."""
        self.write('two.spcc', 'y(i) = x(i)\ns = sum(i, j, k, max(z(i), z(j)) * max(z(k), z(i)))\n')
        self.shows('\rrunning s = sum(i, j, k, max(z(i), z(j)) * max(z(k), z(i))) ... ', 'run', 'two.spcc',
                   '--jit=interp', '-i', 'x:@ones', '-i', 'z:@ones', '-d', 'i:100000', '-d', 'j:100000', '-d', 'k:100000',
                   '--no-plan')

    def test_nothing_elsewhere(self):
        process = subprocess.Popen([support.SPCC, 'info', '-'], env=self.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(1.5)
        self.assertEqual(process.communicate(b'1 1\n')[1], b'')


if __name__ == '__main__':
    main()
