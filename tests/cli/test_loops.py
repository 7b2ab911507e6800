"""test_loops.py - loops in statement files.

    test_loops.py SPCC

SPDX-License-Identifier: MIT
"""
import os
import random
import re
import signal
import subprocess
import time

import support
from support import Case, main

INTERP = '--jit=interp'


class Loops(Case):
    def run_text(self, text, *options, **named):
        return self.good('run', '-', INTERP, *options, input=text, **named)

    def test_so_many_times(self):
        self.assertEqual(self.run_text('repeat 5 {\n    n += 1\n    s += n\n}\n', '-o', 'n:-', '-o', 's:-'), '5\n15\n')
        self.assertEqual(self.run_text('a = 1\nrepeat 3 {\na *= 2\n}\nb = a\na = 0\n', '-o', 'b:-'), '8\n')

    def test_until(self):
        halve = 'x = 1\nrepeat {\n    x *= 0.5\n    n += 1\n} until (x < 0.01)\n'
        self.assertEqual(self.run_text(halve, '-o', 'n:-'), '7\n')
        self.assertEqual(self.run_text(halve), '7\n')  # the last result; the condition is none
        self.assertEqual(self.run_text('repeat {\n n += 1\n} until (or(and(n > 2, n*n > 20), not(n < 9)))\n'), '5\n')
        self.assertEqual(self.run_text('repeat 9 {\n n += 1\n} until (n >= 1)\n', '-o', 'until:-'), '1\n')

    def test_a_condition_over_tensors(self):
        self.write('x.tns', '1 1\n2 5\n3 2\n')
        text = 'repeat {\n    x(i) *= 2\n    n += 1\n} until (all(i, x(i) > 30))\n'
        self.assertEqual(self.run_text(text, '-i', 'x:x.tns', '-o', 'n:-'), '5\n')

    def test_until_nothing_is_stored(self):
        self.write('wake.spcc', """
tensor x, y: sparse
tensor n i64
repeat {
    y(i) = keep(x(i) - 1, x(i) > 1)
    x(i) = y(i)
    n += stored(x)
} until (stored(x) == 0)
""")
        self.write('x.tns', '1 1\n3 2\n4 4\n')
        self.assertEqual(self.good('run', 'wake.spcc', '-i', 'x:x.tns', '-o', 'n:-'), '4\n')

    def test_at_most(self):
        text = 'repeat 4 {\n    n += 1\n} until (\n    n > %d)\nm = n\n'
        self.assertEqual(self.run_text(text % 3), '4\n')
        done = self.run_here('run', '-', INTERP, input=text % 4)
        self.assertEqual((done.returncode, done.stdout), (0, '4\n'))
        self.assertEqual(done.stderr, '-:3:1: note: the condition did not hold after 4 rounds\n  } until (\n  ^~~~~~~~~\n')
        done = self.run_here('run', '-', INTERP, input='repeat 3 {\n x += 1\n repeat 2 {\n  y += x\n } until (y > 4)\n}\n')
        self.assertEqual((done.returncode, done.stdout), (0, '9\n'))
        self.assertIn('after 2 rounds in 1 of the 3 times that the loop was run', done.stderr)

    def test_loops_in_loops(self):
        text = ('repeat 2 {\n    repeat 3 {\n        repeat 2 {\n            a += 1\n        }\n        repeat 5 {\n'
                '            b += 1\n        }\n    }\n    c += 1\n}\nrepeat 2 {\n    d += 1\n}\n')
        self.assertEqual(self.run_text(text, *(w for t in 'abcd' for w in ('-o', t + ':-'))), '12\n30\n2\n2\n')

    def test_random_nests(self):
        """Counters in nests of loops, against the same loops here."""
        draw = random.Random(8)
        for _ in range(20):
            lines, counts = [], {}

            def block(indent, times, depth):
                for _ in range(draw.randint(1, 3)):
                    if depth < 3 and draw.random() < 0.5:
                        n = draw.randint(1, 4)
                        lines.append(f'{indent}repeat {n} {{')
                        block(indent + draw.choice(('', '  ', '\t')), times * n, depth + 1)
                        lines.append(indent + '}')
                    else:
                        name = f't{len(counts)}'
                        counts[name] = times
                        lines.append(f'{indent}{name} += 1')
            block('', 1, 0)
            wanted = [word for name in counts for word in ('-o', name + ':-')]
            self.assertEqual(self.run_text('\n'.join(lines) + '\n', *wanted), ''.join(f'{n}\n' for n in counts.values()))

    def test_lines_that_go_on(self):
        text = ('  a = 1\n  b = 2\nrepeat 2 {   # twice\n\n# a comment\n\n\ta +=\n\t    b\n\tb += 1   # more\n\n'
                '    # and one\n  }\nc = a\n  + b\n')
        self.assertEqual(self.run_text(text), '10\n')

    def test_a_tensor_called_repeat(self):
        text = self.good('-', '--emit=notation', input='repeat = until\nrepeat += 3\nrepeat min= 2\n')
        self.assertIn('repeat min= 2', text)

    def test_sparse_tensors_change_their_pattern(self):
        self.write('x.tns', '1 1\n')
        self.write('A.tns', ''.join(f'{i} {i % 9 + 1} 1\n' for i in range(1, 10)))
        text = 'tensor A: csr\ntensor x, y: sparse\nrepeat 4 {\n    y(j) = A(i,j) * x(i)\n    x(i) += y(i)\n}\n'
        self.assertEqual(self.run_text(text, '-i', 'A:A.tns', '-i', 'x:x.tns'), '1 1\n2 4\n3 6\n4 4\n5 1\n')

    def test_emit(self):
        text = 'x = 1\nrepeat 9 {\n    x += y(i)\n    repeat 2 {\n        x *= 2\n    }\n} until (x > 2)\n'
        code = self.good('-', input=text)
        self.assertEqual(re.findall(r'(?m)^(?:int (\w+)\(|/\* (repeat .*|}.*) \*/$)', code),
                         [('compute_x', ''), ('', 'repeat 9 {'), ('compute_x_2', ''), ('', 'repeat 2 {'),
                          ('compute_x_3', ''), ('', '}'), ('compute_until', ''), ('', '} until (x > 2)')])
        self.assertIn('# repeat 9 {\n\n# compute_x_2: x += y(i)\n', self.good('-', '--emit=notation', input=text))
        self.assertIn('# repeat 9 {\n', self.good('explain', '-', input=text))
        self.assertIn('// } until (x > 2)\n', self.good('-', '--emit=lattice.dot', input=text))
        one = self.good('-', input='repeat 2 {\n    x += 1\n}\n')
        self.assertTrue(one.startswith('/* repeat 2 { */\n\n') and one.endswith('\n/* } */\n'))

    def test_time(self):
        text = 'repeat 50 {\n    n += 1\n} until (n >= 40)\n'
        told = self.run_here('run', '-', INTERP, '--time', input=text).stderr
        self.assertRegex(told, r'(?m)^run .* sum of 80$')
        self.assertRegex(told, r'(?m)^ .* ms   40 of n \+= 1$')
        told = self.run_here('run', '-', INTERP, '--time=json', input=text).stderr
        self.assertRegex(told, r'"statements": \[\{"run_ms": [^}]*"runs": 40\}, \{')

    def test_an_interrupt_ends_it(self):
        self.write('ever.spcc', 'repeat {\n    n += 1\n} until (n < 0)\n')
        running = subprocess.Popen([support.SPCC, 'run', 'ever.spcc', INTERP, '-o', 'n:n.tns'], cwd=self.folder,
                                   env=self.environment, stderr=subprocess.PIPE)
        time.sleep(0.3)
        self.assertIsNone(running.poll())
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()
        self.assertNotEqual(running.returncode, 0)
        self.assertEqual(told, b'')
        self.assertFalse(os.path.exists(self.path('n.tns')))

    def test_words_of_other_languages_are_names_too(self):
        text = 'for(i) = if(i)\nwhile += loop(i)\nend min= x(i)\nrepeat(i) = 2 * if(i)\nbreak=1\n'
        self.assertEqual(self.good('-', '--emit=notation', input=text).count('compute_'), 5)
        # the remedies are what a file can have
        self.write('loop.spcc', 'repeat 20 {\n    y(i) = select(x(i) > 1, 2 * x(i), y(i))\n    s = sum(i, y(i))\n'
                   '} until (s < 1e-6)\n')
        self.good('loop.spcc')

    def test_wrong(self):
        for text, place, said in (
                ('repeat {\n    x += 1\n}\n', '1:1', 'this loop never ends'),
                ('repeat 2 {\n    x += 1\n', '1:1', 'this loop is not closed'),
                ('repeat 2 {\n}\n', '2:1', 'there is nothing to repeat'),
                ('x = 1\n}\n', '2:1', 'no loop to close'),
                ('repeat 2 { x += 1 }\n', '1:12', 'on a line of its own'),
                ('repeat 0 {\nx += 1\n}\n', '1:8', 'at least once'),
                ('repeat n {\nx += 1\n}\n', '1:8', 'a loop begins as in'),
                ('repeat\n', '1:7', 'a loop begins as in'),
                ('repeat 2\nx += 1\n', '1:9', 'a loop begins as in'),
                ('repeat 99999999999999999999 {\nx += 1\n}\n', '1:8', 'too large'),
                ('repeat 2 {\nx += 1\n} while (x < 1)\n', '3:3', 'until (CONDITION)'),
                ('repeat 2 {\nx += 1\n} until x < 1\n', '3:9', 'in parentheses'),
                ('repeat 2 {\nx += 1\n} until (x <\n    )\n', '4:5', 'expected'),
                ('repeat 2 {\nx += 1\n} until (x + until(i))\n', '3:14', 'until'),
                ('tensor until f32\nrepeat 2 {\nx += 1\n} until (x > 1)\n', '4:1', 'type of until is given twice'),
                ('repeat 2 {\nx += 1\nname q\n}\n', '4:1', 'has to follow the name'),
                ('name q\nrepeat 2 {\nx += 1\n}\n', '2:1', 'has to follow the name'),
                ('repeat 2 {\n' * 65, '65:1', 'too many loops'),
                # words of other languages
                ('x = 1\nif (x > 1) {\nx = 2\n}\n', '2:1', 'there is no if: a condition is part of an expression'),
                ('x = 1\nif (x > 1) x *= 2\n', '2:1', 'there is no if'),
                ('else {\nx = 2\n}\n', '1:1', 'there is no else'),
                ('repeat 2 {\nx += 1\n} else {\nx = 1\n}\n', '3:3', 'select('),
                ('x = 1\nfor k in 1..10 {\n  x += 1\n}\n', '2:1', 'there is no for: the only loop is repeat'),
                ('for (k = 0; k < 10; k++) {\n  x += 1\n}\n', '1:1', 'there is no for'),
                ('for k in range(10):\n  x += 1\n', '1:1', 'there is no for'),
                ('for (i) y(i) = x(i)\n', '1:1', 'there is no for'),
                ('while (x > 1e-6) {\n  x *= 0.5\n}\n', '1:1', 'there is no while'),
                ('while x == 1:\n  x *= 0.5\n', '1:1', 'there is no while'),
                ('loop 3 {\n  x += 1\n}\n', '1:1', 'there is no loop'),
                ('do {\n  x += 1\n} while (x < 3)\n', '1:1', 'there is no do'),
                ('until (x > 3) {\n  x += 1\n}\n', '1:1', 'only repeat begins a block'),
                ('x = 1\n{\n  x += 1\n}\n', '2:1', 'only repeat begins a block'),
                ('Repeat 2 {\n  x += 1\n}\n', '1:1', 'did you mean repeat?'),
                ('repeat (2) {\n  x += 1\n}\n', '1:8', 'written in digits'),
                ('repeat 2 times {\nx += 1\n}\n', '1:10', 'a loop begins as in'),
                ('repeat 2 {\nx += 1\nif (x > 1) break\n}\n', '3:1', 'there is no if'),
                ('repeat 2 {\nx += 1\nbreak\n}\n', '3:1', 'there is no break'),
                ('repeat 2 {\nx += 1\nend\n', '3:1', 'there is no end: a loop is closed by }'),
                ('tensr A: csr\nx = A(i)\n', '1:1', 'did you mean tensor?'),
        ):
            self.write('wrong.spcc', text)
            told = self.bad(1, f'wrong.spcc:{place}: ', 'run', 'wrong.spcc', INTERP)
            self.assertIn(said, told)


if __name__ == '__main__':
    main()
