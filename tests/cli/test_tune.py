"""test_tune.py - spcc tune: the table, and that run and explain take what it has found.

    test_tune.py SPCC

SPDX-License-Identifier: MIT
"""
import os
import unittest

from support import Case, main

SPGEMM = 'C(i,j) = A(i,k) * B(k,j)'
INPUTS = ('-f', 'A:csr', '-f', 'B:csr', '-i', 'A:@sparse(0.1,1)', '-i', 'B:@sparse(0.1,2)', '-d', 'i:60', '-d', 'j:60',
          '-d', 'k:60')
CHAIN = '''
tensor A, B, C, D: csr
C(i,j) = A(i,k) * B(k,j)
D(i,j) = C(i,k) * A(k,j)
'''


class Tune(Case):
    def tune(self, *arguments, plans=('--plans=3',)):
        done = self.run_here('tune', *arguments, '--runs=2', *plans)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)
        return done.stdout

    def explain(self, *arguments):
        return self.run_here('explain', *arguments)

    def test_table(self):
        table = self.tune(SPGEMM, *INPUTS).splitlines()
        self.assertEqual(table[0], SPGEMM)
        self.assertEqual(table[1].split()[:4], ['ms', 'ratio', 'steps', 'plan;'])
        plans = [line for line in table[2:] if line[2:30].strip()]
        self.assertGreater(len(plans), 1)
        self.assertEqual([line[0] for line in plans].count('*'), 1)
        self.assertIn(' 1.00 ', next(line for line in plans if line[0] == '*'))
        times = [float(line[2:].split()[0]) for line in plans]
        self.assertEqual(times, sorted(times))

    def test_load(self):
        """A busy machine is warned of; while the load crosses the limit, either is right."""
        limit = 0.5 + 0.5 * os.sysconf('SC_NPROCESSORS_ONLN')
        before = os.getloadavg()[0] >= limit
        said = self.run_here('tune', SPGEMM, *INPUTS, '--runs=1', '--plans=1').stderr
        if before == (os.getloadavg()[0] >= limit):
            self.assertEqual('warning: the load average is' in said, before, said)

    def test_plans(self):
        table = self.tune(SPGEMM, *INPUTS, plans=('--plans=1',)).splitlines()
        self.assertEqual(len([line for line in table[2:] if line[2:30].strip()]), 1)
        self.bad(2, "--plans: '65' is not a number of plans", 'tune', SPGEMM, *INPUTS, '--plans=65')

    def test_explained(self):
        self.assertNotIn('\ntuned: ', self.explain(SPGEMM, *INPUTS).stdout)
        self.tune(SPGEMM, *INPUTS)
        told = self.explain(SPGEMM, *INPUTS)
        self.assertEqual(told.returncode, 0)
        self.assertRegex(told.stdout, r'\ntuned: (the fastest|the planner\'s own is the fastest) of \d plans')
        for ignores in ('--no-tuned', '--plan=model', '--plan=none'):
            self.assertNotIn('\ntuned: ', self.explain(SPGEMM, *INPUTS, ignores).stdout)
        self.assertNotIn('\ntuned: ', self.explain(SPGEMM, '-f', 'A:csr', '-f', 'B:csr').stdout)

    def test_run_takes_it(self):
        arguments = ('run', SPGEMM, *INPUTS, '-f', 'C:csr', '-o', 'C:-')
        before = self.good(*arguments)
        self.tune(SPGEMM, *INPUTS)
        self.assertEqual(self.good(*arguments), before)

    def test_file(self):
        self.write('chain.spcc', CHAIN)
        inputs = ('-i', 'A:@sparse(0.1,1)', '-i', 'B:@sparse(0.1,2)', '-d', 'i:30', '-d', 'j:30', '-d', 'k:30')
        table = self.tune('chain.spcc', *inputs)
        self.assertIn('C(i,j) = A(i,k) * B(k,j)\n', table)
        self.assertIn('\nD(i,j) = C(i,k) * A(k,j)\n', table)
        told = self.explain('chain.spcc', *inputs)
        self.assertEqual(told.stdout.count('\ntuned: '), 2, told.stderr)

    def test_formats(self):
        self.write('a.tns', ''.join(f'{3 * k + 1} {k}\n' for k in range(40)))
        arguments = ('s = a(i) * x(i)', '-i', 'a:a.tns', '-i', 'x:@index', '-d', 'i:150')
        before = self.good('run', *arguments)
        done = self.run_here('tune', *arguments, '--formats', '--runs=2')
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], arguments[0])
        self.assertEqual(lines[1].split()[:6], ['ms', 'ratio', 'convert', 'pays', 'after', 'memory'])
        self.assertTrue(lines[1].endswith('format of a; * is as it is'), lines[1])
        self.assertEqual({line[54:] for line in lines[2:] if '(' not in line}, {'sparse', 'bitmap', 'dense'})
        self.assertEqual([line[54:] for line in lines if line[0] == '*'], ['sparse'])
        fastest = lines[2][54:]
        self.assertIn('note: the fastest format is kept for spcc run where no -f gives one', done.stderr)
        found = 'the fastest format that spcc tune --formats found'
        for command in ('run', 'explain', 'tune'):
            told = self.run_here(command, *arguments)
            self.assertEqual(told.returncode, 0, told.stderr)
            self.assertEqual(found in told.stderr, fastest != 'sparse', told.stderr)
        self.assertEqual(self.good('run', *arguments), before)
        for ignores in (('-f', 'a:sparse'), ('--no-tuned',)):
            told = self.run_here('run', *arguments, *ignores)
            self.assertEqual(told.stdout, before)
            self.assertNotIn(found, told.stderr)

    def test_format_mistakes(self):
        self.bad(2, 'B is no operand of the statement that could be stored otherwise', 'tune', SPGEMM.replace('B', 'D'),
                 '--formats=A,B', '-f', 'A:csr', '-f', 'D:csr', '-i', 'A:@sparse(0.1,1)', '-i', 'D:@sparse(0.1,2)',
                 '-d', 'i:6', '-d', 'j:6', '-d', 'k:6')
        self.bad(2, '--formats is not an option of spcc run', 'run', SPGEMM, *INPUTS, '--formats')

    def test_mistakes(self):
        self.bad(2, 'A has no input', 'tune', SPGEMM)
        self.bad(2, 'tune needs a statement', 'tune')
        self.bad(2, '--no-plan is not an option of spcc tune', 'tune', SPGEMM, *INPUTS, '--no-plan')
        self.bad(3, 'interpreted tell nothing', 'tune', SPGEMM, *INPUTS, '-f', 'C:csr', '--jit=interp')

    def test_without_a_cache(self):
        self.environment['XDG_CACHE_HOME'] = '/proc/nowhere'
        done = self.run_here('tune', SPGEMM, *INPUTS, '--runs=2')
        self.assertEqual(done.returncode, 0)
        self.assertIn('note: the fastest plan is not kept: the kernel cache /proc/nowhere/spcc is not used', done.stderr)


if __name__ == '__main__':
    main()
