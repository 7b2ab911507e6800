"""test_signals.py - what spcc leaves behind when it is ended: nothing; and names that are as long or as odd as they can be.

SPDX-License-Identifier: MIT
"""
import os
import random
import signal
import stat
import subprocess
import time
import unittest

import support

# In the place of a compiler: says who it is, leaves a file, starts another process, and goes on.
ENDLESS = '''#!/bin/sh
trap '' TERM HUP INT
touch "$TMPDIR/half"
sleep 1000 &
echo $$ $! > {seen}.new
mv {seen}.new {seen}
wait
sleep 1000
'''
STATEMENT = ('run', 'y(i) = x(i) + x(i)', '-i', 'x:@ones', '-d', 'i:3')


def is_alive(pid):
    """It runs, and does not only wait for its parent to look at its end."""
    try:
        with open(f'/proc/{pid}/stat', encoding='ascii') as file:
            return file.read().rpartition(')')[2].split()[0] not in 'ZX'
    except (FileNotFoundError, ProcessLookupError):  # it ended before it was looked for, or before it was read
        return False


def wait_until(is_so):
    while not is_so():
        time.sleep(0.01)


class Signals(support.Case):
    def setUp(self):
        super().setUp()
        self.scratch = self.path('scratch')
        os.mkdir(self.scratch)
        self.environment['TMPDIR'] = self.scratch

    def start(self, *arguments, **options):
        return subprocess.Popen([support.SPCC, *arguments], cwd=self.folder, env=self.environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def compiling(self):
        """spcc while its compiler runs, and the compiler's processes."""
        seen, compiler = self.path('seen'), self.path('compiler')
        self.write('compiler', ENDLESS.format(seen=seen))
        os.chmod(compiler, stat.S_IRWXU)
        self.environment['SPCC_CC'] = compiler
        process = self.start(*STATEMENT, '--jit=cc')
        wait_until(lambda: os.path.exists(seen))
        pids = [int(word) for word in self.read('seen').split()]
        os.remove(seen)
        return process, pids

    def test_while_compiling(self):
        numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT]
        if not os.environ.get('SPCC_SANITIZED'):  # a sanitizer wants to see these itself
            numbers.append(signal.SIGSEGV)
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)  # what a shell starts in the background ignores some
            with self.subTest(signal=number):
                process, pids = self.compiling()
                self.assertEqual(len(os.listdir(self.scratch)), 1)
                process.send_signal(number)
                self.assertEqual(process.wait(), -number)
                self.assertEqual(os.listdir(self.scratch), [])
                wait_until(lambda pids=pids: not any(map(is_alive, pids)))

    def test_killed_while_compiling(self):
        process, pids = self.compiling()
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL)
        wait_until(lambda: not is_alive(pids[0]))
        os.kill(pids[1], signal.SIGKILL)  # what the compiler itself has started, nobody ends
        left, = os.listdir(self.scratch)
        os.utime(os.path.join(self.scratch, left), (1000, 1000))
        del self.environment['SPCC_CC']
        self.good(*STATEMENT, '--jit=cc')
        self.assertEqual(os.listdir(self.scratch), [])

    def test_killed_at_any_time(self):
        """What is left then the next run removes, whatever its engine."""
        self.good(*STATEMENT)
        for k in range(8):
            process = self.start('run', f'y(i) = {k} * x(i)', *STATEMENT[2:], '--jit=cc')
            time.sleep(random.uniform(0, 0.2))
            process.kill()
            process.wait()
        process, pids = self.compiling()
        process.kill()
        process.wait()
        os.kill(pids[1], signal.SIGKILL)
        del self.environment['SPCC_CC']
        wait_until(lambda: not any(map(is_alive, pids)))
        self.assertNotEqual(os.listdir(self.scratch), [])
        self.good(*STATEMENT)
        self.assertEqual(os.listdir(self.scratch), [])

    def test_ignored(self):
        """As nohup does."""
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            process, pids = self.compiling()
        finally:
            signal.signal(signal.SIGHUP, before)
        process.send_signal(signal.SIGHUP)
        self.assertTrue(all(map(is_alive, pids)))
        process.terminate()
        self.assertEqual(process.wait(), -signal.SIGTERM)

    def test_while_writing(self):
        results = self.path('results')
        os.mkdir(results)
        process = self.start('run', 'y(i) = x(i)', '-i', 'x:@index', '-d', 'i:30000000',
                             '-o', 'y:results/y.tns')

        def opened(fd):
            try:
                return os.readlink(f'/proc/{process.pid}/fd/{fd}')
            except FileNotFoundError:
                return ''  # closed since the folder was listed

        wait_until(lambda: any(opened(fd).startswith(os.path.realpath(results))
                               for fd in os.listdir(f'/proc/{process.pid}/fd')))
        process.terminate()
        self.assertEqual(process.wait(), -signal.SIGTERM)
        self.assertEqual(os.listdir(results), [])


class Names(support.Case):
    def test_longest(self):
        name = 'n' * 251 + '.tns'
        for _ in range(2):
            self.good(*STATEMENT, '-o', f'y:{name}', '--sync')
            self.assertEqual(self.read(name), '1 2\n2 2\n3 2\n')
        self.bad(1, 'File name too long', *STATEMENT, '-o', f'y:n{name}')
        code = 'n' * 253 + '.c'
        self.good('y(i) = x(i)', '-o', code)
        self.assertIn('int evaluate', self.read(code))

    def test_two_outputs(self):
        self.write('two.spcc', 'B(i) = x(i)\nC(i) = x(i) + x(i)\n')
        run = ('run', 'two.spcc', '-i', 'x:@ones', '-d', 'i:3')
        os.mkdir(self.path('folder'))
        said = 'are the same file'
        for b, c in (('o.tns', 'o.tns'), ('o.tns', './o.tns'), ('o.tns', 'folder/../o.tns')):
            self.bad(2, said, *run, '-o', f'B:{b}', '-o', f'C:{c}')
        self.assertNotIn('o.tns', os.listdir(self.folder))
        self.assertEqual(self.good(*run, '-o', 'B:-', '-o', 'C:-'), '1 1\n2 1\n3 1\n1 2\n2 2\n3 2\n')
        self.write('old.tns', '')
        os.link(self.path('old.tns'), self.path('hard.tns'))
        os.symlink('old.tns', self.path('soft.tns'))
        for c in ('hard.tns', 'soft.tns'):
            self.bad(2, said, *run, '-o', 'B:old.tns', '-o', f'C:{c}')
        self.good(*run, '-o', 'B:b.tns', '-o', 'C:folder/b.tns')
        self.assertEqual(self.read('folder/b.tns'), '1 2\n2 2\n3 2\n')

    def test_output_that_is_input(self):
        self.write('x.tns', '1 2\n2 3\n')
        self.good('run', 'y(i) = x(i) * x(i)', '-i', 'x:x.tns', '-o', 'y:x.tns')
        self.assertEqual(self.read('x.tns'), '1 4\n2 9\n')
        self.good('convert', 'x.tns', 'x.tns')
        self.assertEqual(self.read('x.tns'), '1 4\n2 9\n')
        self.write('s.spcc', 'y(i) = x(i)\n')
        self.bad(2, 'the statements are in this file', 's.spcc', '-o', './s.spcc')
        self.assertEqual(self.read('s.spcc'), 'y(i) = x(i)\n')


class Shown(support.Case):
    """Nothing that a terminal obeys gets there by way of a message."""
    ODD = '\x1b[31m\u202e\u2066\n\x7f'

    def assert_safe(self, text):
        for odd in '\x1b\u202e\u2066\x7f':
            self.assertNotIn(odd, text)

    def test_messages(self):
        odd = 'a' + self.ODD
        lone = self.write(odd + '.tns', 'x')
        for arguments in (('info', odd), ('info', lone), ('info', lone + '.mtx'), (odd + ' =',), ('y = ' + odd,), (odd,),
                          ('y(i) = A(i)', '-f', 'A:' + odd), ('y(i) = A(i)', '-s', odd), ('--' + odd,), ('help', odd),
                          ('y(i) = A(i)', '--fill', 'A:' + odd), ('y(i) = A(i)', '-o', odd + '/x'),
                          ('run', 'y(i) = A(i)', '-i', 'A:@' + odd, '-d', 'i:3'), ('run', 'y = a', '-i', 'a:' + odd),
                          ('y(i) = A(i)', '--jit', odd), (odd + '.spcc',), ('y(i) = A(i)', '--op', odd),
                          ('convert', lone, odd)):
            with self.subTest(arguments=arguments):
                done = self.run_here(*arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assert_safe(done.stdout + done.stderr)
        self.write(odd + '.spcc', 'y(i) = ' + odd)
        self.assert_safe(self.run_here(odd + '.spcc').stderr)
        self.assertIn('\\x1b[31m\\u202e\\u2066\\x0a\\x7f', self.run_here('info', odd + '.mtx').stderr)

    def test_info(self):
        name = self.write('a\x1b[31m.tns', '1 2\n')
        self.assertIn('file      a\\x1b[31m.tns\n', self.good('info', name))


if __name__ == '__main__':
    support.main()
