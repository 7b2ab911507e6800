"""test_file.py - statement files: what they say, what is made of them, and what is said about them.

    test_file.py SPCC

SPDX-License-Identifier: MIT
"""
import os
import random
import re
import shutil
import subprocess
import unittest

from support import Case, main

INTERP = '--jit=interp'
SMALL = '%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n1 3 2\n3 2 3\n'
CHAIN = """# Three statements that share tensors.
tensor A, T: csr
tensor x f32           # comments may follow
name product
schedule reorder(i,j)
y(i) = A(i,j)
    * x(j)

# Between lines of one statement, too.
T(i,j) = 2 *
# here
    A(i,j)
z(i) = T(i,j) * x(j) + y(i)
"""


class Small(Case):
    def setUp(self):
        super().setUp()
        self.write('A.mtx', SMALL)
        self.write('chain.spcc', CHAIN)

    def refused(self, text, place, said, status=1, command=('emit',)):
        """What is wrong is told with its place: FILE:LINE:COLUMN, the line, a caret in that column."""
        self.write('wrong.spcc', text)
        told = self.bad(status, f'wrong.spcc:{place}: ', *command, 'wrong.spcc')
        self.assertIn(said, told)
        if ':' in place:
            line, column = map(int, place.split(':'))
            drawn = told.split(f'wrong.spcc:{place}: ')[1].splitlines()
            self.assertEqual(drawn[1], '  ' + text.splitlines()[line - 1].replace('\t', ' '))
            self.assertEqual(drawn[2].index('^'), column + 1)
        return told


class Emit(Small):
    def test_one_function_a_statement(self):
        text = self.good('chain.spcc')
        self.assertEqual(re.findall(r'(?m)^int (\w+)\(', text), ['product', 'compute_T', 'compute_z'])
        self.assertEqual(text, self.good('emit', 'chain.spcc', '-o', '-'))
        self.assertEqual(text, self.good('-', input=CHAIN))

    @unittest.skipUnless(shutil.which('cc') and shutil.which('c++'), 'no C or C++ compiler')
    def test_compiles_as_one_file(self):
        self.good('chain.spcc', '-o', 'k.c')
        self.good('chain.spcc', '-o', 'k.h')
        for compiler, language, standard in (('cc', 'c', 'c11'), ('c++', 'c++', 'c++17')):
            for name in ('k.c', 'k.h'):
                subprocess.run([compiler, '-x', language, '-std=' + standard, '-Wall', '-Wextra', '-Werror',
                                '-fsyntax-only', self.path(name)], check=True)

    @unittest.skipUnless(shutil.which('cc'), 'no C compiler')
    def test_functions_that_are_called_as_parts_of_others(self):
        """compute_C_part is what a part of compute_C would be called."""
        self.write('parts.spcc', 'tensor A, B, C, C_part: csr\nC(i,j) = A(i,j) + B(i,j)\n'
                   'C_part(i,j) = A(i,k) * B(k,j)\nname compute_C_part_chunk\ny(i) = A(i,j) * x(j)\n')
        for more in ((), ('--prefix=a_',)):
            text = self.good('parts.spcc', '-o', 'k.c', *more) or self.read('k.c')
            subprocess.run(['cc', '-Wall', '-Wextra', '-Werror', '-Wshadow', '-fsyntax-only', self.path('k.c')], check=True)
            functions = re.findall(r'(?m)^(?:static )?(?:int|void) (\w+)\(', text)
            self.assertEqual(len(functions), len(set(functions)))

    def test_a_single_statement_is_as_on_the_command_line(self):
        text = self.good('y(i) = A(i,j) * x(j)', '-f', 'A:csr', '-t', 'A:f32', '--fill', 'x:0', '-d', 'j:5', '-s',
                         'reorder(i,j)')
        self.write('one.spcc', 'tensor A f32: csr\nsize j = 5\ntensor x fill 0\nschedule reorder(i,j)\n'
                   'y(i) = A(i,j) * x(j)\n')
        self.write('other.spcc', "# spcc: -f A:csr -t=A:float --fill 'x:0'\n# spcc: -d j:5 -s \"reorder(i,j)\"\n"
                   'y(i) = A(i,j) * x(j)\n')
        def same(text):
            return re.sub(r'(?m)^ \*     spcc .*\n', '', text)
        self.assertEqual(same(self.good('one.spcc')), same(text))
        self.assertEqual(same(self.good('other.spcc')), same(text))

    def test_stored_components(self):
        options = ('-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr', '-d', 'i:1000000', '-d', 'j:1000000')
        many, few = ('explain', 'A(i,j) = B(i,j) + C(j,i)', *options, '--nnz'), ('--nnz', 'C:112')
        lines = 'size i = 1000000, j = 1000000\nA(i,j) = B(i,j) + C(j,i)\n'
        self.write('few.spcc', 'tensor A: csr\ntensor B stored 1000000: csr\ntensor C f64 stored 112 fill 0: csr\n' + lines)
        self.write('both.spcc', 'tensor A: csr\ntensor B, C stored 1000000: csr\n' + lines)
        def weighed(text):
            return text[text.index('\nalternatives'):]
        text = self.good('explain', 'few.spcc')
        self.assertRegex(text, r'\n  with .*B\.2 = 1,.* C\.2 = 0\.0001')
        self.assertEqual(weighed(text), weighed(self.good(*many, 'B:1000000', *few)))
        both = self.good('explain', 'both.spcc')
        self.assertEqual(weighed(both), weighed(self.good(*many, 'B:1000000', '--nnz', 'C:1000000')))
        # the command line takes the place of what the file says
        self.assertEqual(weighed(self.good('explain', 'both.spcc', *few)), weighed(text))

    def test_stages_and_explanations(self):
        text = self.good('chain.spcc', '--emit=notation')
        self.assertEqual(text, '# product: y(i) = A(i,j) * x(j)\ny(i) = sum(j, A(i,j) * x(j))\n\n'
                         '# compute_T: T(i,j) = 2 * A(i,j)\nT(i,j) = 2.0 * A(i,j)\n\n'
                         '# compute_z: z(i) = T(i,j) * x(j) + y(i)\nz(i) = sum(j, T(i,j) * x(j)) + y(i)\n')
        self.assertEqual(self.good('explain', 'chain.spcc').count('imperative IR'), 3)

    def test_the_command_line_comes_after(self):
        self.write('one.spcc', 'tensor A: csr\ny(i) = A(i,j) * x(j)\n')
        self.assertIn('A1_crd', self.good('one.spcc', '-f', 'A:coo'))
        self.assertNotIn('A1_crd', self.good('one.spcc'))

    def test_operators(self):
        self.write('op.spcc', 'op f(x,y) = x > y\n    ? x : y; commutative, associative, identity=-inf\n'
                   'tensor A: csr\nop(i) = f(j, A(i,j))\ns f= op(i)\n')
        text = self.good('op.spcc', '--emit=notation')
        self.assertIn('op(i) = f(j, A(i,j))', text)
        self.assertIn('s f= sum(i, op(i))', text)
        self.write('more.spcc', 'y(i) = g(x(i))\n')
        self.assertIn('y(i) = g(x(i))', self.good('more.spcc', '--op', 'g(x) = 2 * x', '--emit=notation'))

    def test_names(self):
        self.write('n.spcc', 'y(i) = a(i)\ny(i) += b(i)\ntensor tensor: s\ns = tensor(i)\nsize(i) = 1 + y(i)\n')
        self.assertIn('# compute_y_2: y(i) += b(i)\n', self.good('n.spcc', '--emit=notation'))
        self.assertIn('# compute_size: size(i) = 1 + y(i)\n', self.good('n.spcc', '--emit=notation'))
        self.assertIn('s min= min(i, b(i))', self.good('-', '--emit=notation', input='s min= min(i, b(i))\r\n'))


class Joined(Small):
    """Statements whose loops the planner puts together become one."""

    def heads(self, text, *options):
        self.write('j.spcc', text)
        return re.findall(r'(?m)^# (compute_\w+|own): (.*)', self.good('j.spcc', '--emit=plan', *options))

    def test_common_loops(self):
        y, z = 'tensor A: csr\ny(i) = A(i,j) * x(j)\n', 'z(i) = A(i,j) * w(j)\n'
        self.assertEqual(self.heads(y + z), [('compute_y_z', 'y(i) = A(i,j) * x(j); z(i) = A(i,j) * w(j)')])
        self.assertIn('int compute_y_z(', self.good('j.spcc'))
        apart = (y + z).replace(')\n', ') ;\n')
        self.assertEqual(self.heads(apart), [('compute_y_z', 'y(i) = A(i,j) * x(j); z(i) = A(i,j) * w(j) ;')])
        self.assertIn('share(i, i2); share(j, j2)', self.good('explain', 'j.spcc'))
        self.assertIn('# compute_z: ', self.good('j.spcc', '--emit=notation')) # what stands in the file
        third = self.heads(y + z + 's = z(i) * z(i)\nB(i,j) = A(i,j) * 2\n')
        self.assertEqual([name for name, _ in third], ['compute_y_z', 'compute_s', 'compute_B'])

    def test_left_alone(self):
        y, z = 'tensor A: csr\ny(i) = A(i,j) * x(j)\n', 'z(i) = A(i,j) * w(j)\n'
        for text, *options in ((y + 'name own\n' + z,), (y + 'schedule reorder(i,j)\n' + z,), (y + z, '--no-plan'),
                               (y + z, '--kernel=compute'), (y + 'repeat 2 {\n' + z + '}\n',),
                               (y + 'z(i) = B(i,j) * w(j)\n',), (y + 'y(i) += A(i,j) * w(j)\n',),
                               (y + 'x(i) = A(i,j) * w(j)\n',)):
            self.assertEqual(len(self.heads(text, *options)), 2, text)

    def test_in_loops(self):
        y, z = 'tensor A: csr\ny(i) = A(i,j) * x(j)\n', 'z(i) = A(i,j) * w(j)\n'
        text = self.heads(y + 'repeat 2 {\nu(i) = A(i,j) * x(j)\n' + z + '} until (sum(i, u(i) * z(i)) > 0)\nv = A(i,j)\n')
        self.assertEqual([name for name, _ in text], ['compute_y', 'compute_u_z', 'compute_until', 'compute_v'])
        self.write('x.tns', '1 1\n2 3\n3 5\n')
        run = ('run', 'j.spcc', INTERP, '-i', 'A:A.mtx', '-i', 'x:x.tns', '-i', 'w:@ones', '-o', 'z:-', '-o', 'v:-')
        self.assertEqual(self.good(*run), '1 3\n3 3\n6\n')

    def test_names(self):
        """The second's variables are the first's where they go through the same."""
        first = 'tensor A: csr\ny(i) = A(i,j) * x(j)\n'
        for second, said in (('z(k) = A(l,k) * w(l)', 'z(j) = A(i,j) * w(i)'),
                             ('z(j) = A(j,i) * w(i)', 'z(i) = A(i,j) * w(j)'),
                             ('z(k) = sum(l, 1.e0 * A(k,l)) * 2', 'z(i) = sum(j, 1.e0 * A(i,j)) * 2')):
            self.assertEqual(self.heads(first + second + '\n'),
                             [(f'compute_y_{second[0]}', f'y(i) = A(i,j) * x(j); {said}')])
        self.assertEqual(self.heads('tensor A, B: csr\ntensor v: s\ny(i) = v(i) * A(i,j)\nz(k) = v(k) * B(k,j)\n'),
                         [('compute_y_z', 'y(i) = v(i) * A(i,j); z(i) = v(i) * B(i,j2)')])
        self.write('j.spcc', first + 'size l = 4000\nz(k) = A(l,k) * w(l)\n')
        for options, sizes in (((), '-d i:4000'), (('-d', 'A:4000,50'), '-d i:4000 -d j:50')):
            made = re.findall('spcc .* -f .*', self.good('j.spcc', '--plain', *options))
            self.assertEqual(made, [f"spcc 'y(i) = A(i,j) * x(j); z(j) = A(i,j) * w(i)' -f 'A:csr' {sizes} "
                                    '--name=compute_y_z --plain'])

    def test_what_they_compute(self):
        """... is what they do apart: each with a name of its own."""
        rng = random.Random(5)
        operands = ('A(%s,%s)', 'B(%s,%s)', 'x(%s)', 'w(%s)')
        given = [f for t in 'ABxw' for f in ('-i', f'{t}:@sparse(0.4,{ord(t)})')]
        joined = 0
        for _ in range(25):
            lines = []
            for result in 'yzuv'[:rng.randint(2, 4)]:
                names = rng.choice(('ij', 'ji', 'kl', 'jk'))
                factors = [o % tuple(rng.choice((names, names[::-1]))[:o.count('%')])
                           for o in rng.sample(operands, rng.randint(1, 3))]
                used = [n for n in names if any(f'{n}' in f[1:] for f in factors)]
                left = used[:rng.randint(0, len(used))]
                lines.append(result + (f'({",".join(left)})' if left else '') + ' = ' + ' * '.join(factors))
            formats = {'A': rng.choice(('csr', 'csc', 'dcsr', 'dense')), 'B': 'csr', 'w': 's'}
            head = ''.join(f'tensor {t}: {formats[t]}\n' for t in formats if f'{t}(' in ''.join(lines))
            self.write('a.spcc', head + ''.join(f'name f{n}\n{line}\n' for n, line in enumerate(lines)))
            self.write('j.spcc', head + '\n'.join(lines) + '\n')
            out = [o for line in lines for o in ('-o', f'{line[0]}:-')]
            sizes = [s for n in 'ijkl' for s in ('-d', f'{n}:5') if any(n in line for line in lines)]
            run = [*given, *sizes, *out, INTERP, '--serial']
            run = [o for k, o in enumerate(run) if not self.is_unused(run, k, ''.join(lines))]
            done, apart = (self.run_here('run', f, *run) for f in ('j.spcc', 'a.spcc'))
            self.assertEqual((done.returncode, done.stdout), (0, apart.stdout), (lines, done.stderr))
            joined += 'share(' in self.good('explain', 'j.spcc')
        self.assertGreater(joined, 3)

    @staticmethod
    def is_unused(words, k, text):
        """Is it an input, with its flag, of a tensor that the statements have not?"""
        of = words[k + 1] if words[k] == '-i' else words[k]
        return '@sparse' in of and of[0] + '(' not in text


class Many(Small):
    """As many statements, tensors and sizes as a file may have: each finds its own."""

    def test_statements(self):
        n = 1000 if os.environ.get('SPCC_SANITIZED') else 10000 # a sanitizer takes a minute for those
        formats = {k: ('csr', 'coo', 'dense')[k % 3] for k in range(n)}
        text = ''.join(f'tensor A{k}: {formats[k]}\n' for k in range(0, n, 7))
        text += 'tensor ' + ', '.join(f'A{k}' for k in range(n)) + ' f32\n'
        text += ''.join(f'size i{k} = {k + 1}\n' for k in range(0, n, 5))
        text += ''.join(f'y{k % 100}(i{k}) = A{k}(i{k},j) * x(j)\n' for k in range(n))
        self.write('many.spcc', text)
        told = self.good('many.spcc', '--emit=notation', '-f', 'A14:bitmap')
        heads = re.findall(r'(?m)^# (\w+): ', told)
        self.assertEqual(heads, [f'compute_y{k % 100}' + (f'_{k // 100 + 1}' if k >= 100 else '') for k in range(n)])
        few = ''.join(f'tensor A{k} f32: {formats[k]}\nsize i{k} = {k + 1}\n' for k in (14, 15, 21))
        few += ''.join(f'y{k}(i{k}) = A{k}(i{k},j) * x(j)\n' for k in (14, 15, 21))
        code = self.good('-', '-f', 'A14:csc', '-d', 'i15:4', input=few)
        for said in ("-f 'A14:csc' -t 'A14:f32' -d i14:15 ", "-f 'A15:csr' -t 'A15:f32' -d i15:4 ",
                     "-f 'A21:csr' -t 'A21:f32' -d i21:22 "):
            self.assertIn(said, code)
        self.refused('size i = 3\n' * 2 + 'y(i) = A(i,j)\n', '2:1', 'the size of i is given twice: 3 and 3')


class Run(Small):
    def test_a_byte_order_mark_is_passed_over(self):
        self.assertEqual(self.good('run', '-', '-o', 's:-', INTERP, input='\ufeffs = 2 + 3\n'), '5\n')

    def test_in_order(self):
        run = ('run', 'chain.spcc', '-i', 'A:A.mtx', '-i', 'x:@index', INTERP)
        self.assertEqual(self.good(*run), '1 12\n3 9\n')
        self.assertEqual(self.good(*run, '-o', 'y:-', '-o', 'T:T.mtx'), '1 4\n3 3\n')
        self.assertEqual(self.read('T.mtx').splitlines()[1:], ['3 3 3', '1 1 2', '1 3 4', '3 2 6'])
        self.assertEqual(self.good('run', '-', '-i', 'A:A.mtx', '-i', 'x:@index', INTERP, input=CHAIN), '1 12\n3 9\n')

    def test_sizes_go_from_statement_to_statement(self):
        self.write('c.spcc', 'B(i,k) = a(i) * b(k)\nc(j,i) = B(i,j) * d(j)\ne(k) = 1 + c(k,l)\n')
        self.write('a.tns', '1 2\n2 3\n')
        given = ('run', 'c.spcc', INTERP, '-i', 'a:a.tns', '-i', 'b:@ones', '-i', 'd:@index')
        self.assertEqual(self.good(*given, '-d', 'k:3'), '1 1\n2 6\n3 11\n')
        self.assertEqual(self.good(*given, '-d', 'j:3'), '1 1\n2 6\n3 11\n')
        self.bad(1, 'say it with -d', *given)

    def test_results_that_are_read_and_written(self):
        self.write('c.spcc', 'tensor x i64\ntensor y i64\ny(i) += x(i)\ny(i) *= 2\nx(i) = y(i)\n')
        self.write('x.tns', '1 2\n3 4\n')
        self.assertEqual(self.good('run', 'c.spcc', INTERP, '-i', 'x:x.tns'), '1 4\n3 8\n')
        self.assertEqual(self.good('run', 'c.spcc', INTERP, '-i', 'x:x.tns', '-i', 'y:x.tns'), '1 8\n3 16\n')

    def test_updates_of_sparse_results(self):
        self.write('c.spcc', 'tensor A i64: csr\nrepeat 3 {\n    A(0,0) += 5\n    A(i,i) *= 2\n}\n'
                             'A(i,j) += B(i,j)\nA(1,0) max= 7\ns = A(i,j)\n')
        self.write('A.tns', '1 1 1\n2 2 4\n')
        self.write('B.tns', '2 1 1\n2 2 1\n')
        given = ('run', 'c.spcc', INTERP, '-i', 'A:A.tns', '-i', 'B:B.tns', '-f', 'B:csr')
        self.assertEqual(self.good(*given, '-o', 'A:-', '-o', 's:-'), '1 1 78\n2 1 7\n2 2 33\n118\n')
        self.write('B.tns', '1 2 1\n2 2 1\n')
        self.bad(1, 'changes a component A(1,0) that is not stored', *given)

    def test_time(self):
        done = self.run_here('run', 'chain.spcc', '-i', 'A:A.mtx', '-i', 'x:@index', INTERP, '--time=json')
        self.assertEqual((done.returncode, done.stdout), (0, ''))
        self.assertIn('"run_ms"', done.stderr)

    def test_wrong(self):
        self.bad(2, 'A has no input', 'run', 'chain.spcc', '-i', 'x:@index')
        self.bad(2, 'q is not in the statements of chain.spcc', 'run', 'chain.spcc', '-i', 'q:@index')
        self.bad(2, 'does not read it', 'run', 'chain.spcc', '-i', 'T:@ones', '-i', 'A:A.mtx', '-i', 'x:@index')
        self.bad(2, 'x is an operand', 'run', 'chain.spcc', '-i', 'A:A.mtx', '-i', 'x:@index', '-o', 'x:-')
        self.write('x.mtx', '%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n')
        self.bad(1, 'chain.spcc:6: error', 'run', 'chain.spcc', '-i', 'A:A.mtx', '-i', 'x:x.mtx', INTERP)


class Wrong(Small):
    def test_operators(self):
        self.refused('y = f(x, 2)\nop f(x,y) = x\n    + * y\n', '3:7', "not '*'")
        self.refused('op f(x,y) = x - y; commutative\ny = f(x, 2)\nz = f(x, 3)\n', '1:20', 'f(1,2) = -1 and f(2,1) = 1')
        told = self.refused('op f(x) = \ny = f(x)\nz = f(x)\n', '1:10', 'not the end')
        self.assertEqual(told.count('error'), 1)
        self.refused('op f(x) = x\nop f(x) = 2 * x\ny = 1\n', '2:4', 'f is an operator that is defined already')

    def test_statements(self):
        self.refused('y(i) = A(i,j)\n    * x(j\nz(i) = 1\n', '2:8', 'not closed')
        self.refused('# é\nä = 1\n', '2:1', 'error')
        self.refused('s = "é" + q(i)\n', '1:5', 'error')
        told = self.refused('y(i) = * x(i)\nz(i) = x(i\n', '1:8', 'expected')
        self.assertIn('wrong.spcc:2:9: error', told)
        for command in ('emit', 'run', 'explain'):
            self.refused('y(i) = A(i,j)\nz(i) = A(i)\nA = 1\n', '2:1',
                         'A has the order 1 here, and the order 2 in an earlier statement', command=(command,))
            self.refused('b(i) = c(i)\ny(i) = A(i,j)\nc(i,j) = d(i,j)\nA = 1\n', '3:1', 'c has the order 2 here',
                         command=(command,))
        self.refused('y(i) = x(i)\nname q\ny(i) += A(i,j)\nname q\nz = 1\n', '5:1', 'would be called q')

    def test_tensors(self):
        self.refused('tensor A: dz\ny(i) = A(i,j)\n', '1:11', 'error[E301]')
        self.refused('tensor A g32\ny(i) = A(i,j)\n', '1:10', 'error[E204]')
        self.refused('tensor A fill x\ny(i) = A(i,j)\n', '1:15', 'error[E302]')
        self.refused('tensor A fill\ny(i) = A(i,j)\n', '1:14', 'the fill is missing')
        self.refused('tensor A stored 1e3\ny(i) = A(i,j)\n', '1:1', '1e3 is not a number of components')
        self.refused('tensor A stored : csr\ny(i) = A(i,j)\n', '1:17', 'number of stored components is missing')
        self.refused('tensor A stored 1 stored 2\ny(i) = A(i,j)\n', '1:19', 'one word too many')
        self.refused('tensor A, Z stored 3\ny(i) = A(i,j)\n', '1:11', 'Z is a tensor of no statement')
        self.refused('tensor A stored 3\ntensor A stored 4\ny(i) = A(i,j)\n', '2:1', 'A is given twice: 3 and 4')
        self.refused('tensor A f32:\ny(i) = A(i,j)\n', '1:13', 'format is missing')
        self.refused('tensor A, : csr\ny(i) = A(i,j)\n', '1:11', 'name of a tensor')
        self.refused('tensor A f32 f64\ny(i) = A(i,j)\n', '1:14', 'one word too many')
        self.refused('tensor A: csr\ntensor A: csc\ny(i) = A(i,j)\n', '2:1',
                     'the format of A is given twice: csr and csc')
        self.refused('tensor A f32\ntensor A f64\ny(i) = A(i,j)\n', '2:1', 'the type of A is given twice: f32 and f64')
        self.refused('tensor A: (i,j)->(i:dense,i+j:compressed)\ny(i) = A(i,j)\n', '1:11', 'error[E502]')
        self.refused('tensor A, Z: csr\ny(i) = A(i,j)\n', '1:11', 'error[E201]: Z is a tensor of no statement')
        told = self.refused('tensor mta: csr\ny(i) = mat(i,j)\nz = y(i)\n', '1:8', 'mta is a tensor of no statement')
        self.assertIn('did you mean mat?', told)
        told = self.refused('size r = 2\ny(i) = A(i,j)\nz = y(i)\n', '1:6', 'r is an index variable of no statement')
        self.assertIn('the index variables are i, j', told)

    def test_a_format_of_two_statements(self):
        self.write('wrong.spcc', 'tensor A: cssr\ny(i) = A(i,j)\nz(j) = A(i,j)\n')
        for command in ('emit', 'run'):
            said = self.bad(1, 'did you mean csr?', command, 'wrong.spcc')
            self.assertEqual(said.count('E301'), 1)
        self.write('wrong.spcc', 'tensor A csr\ny(i) = A(i,j)\n')
        self.bad(1, 'csr is the name of a format: -f A:csr, or tensor A:csr in a file', 'wrong.spcc')

    def test_sizes(self):
        self.refused('size i\ny(i) = A(i,j)\n', '1:7', 'as in size i = 100')
        self.refused('size i = 3\nsize i = 4\ny(i) = A(i,j)\n', '2:1', 'the size of i is given twice: 3 and 4')
        self.refused('size i =\ny(i) = A(i,j)\n', '1:8', 'missing')
        self.refused('size i = -1\ny(i) = A(i,j)\n', '1:1', 'is not a size')
        self.refused('size i = 1, r = 2\ny(i) = A(i,j)\n', '1:13', 'r is an index variable of no statement')
        self.refused('size i = 1, j = 2\ny(i) = A(i,j) * A(j,i)\n', '2:19', 'error[E203]')

    def test_schedules(self):
        self.refused('schedule reorder(j,i)\nschedule tile(j)\ny(i) = A(i,j) * x(j)\n', '2:10', 'error[E401]')
        self.refused("# spcc: -s 'tile(j)'\ny(i) = A(i,j) * x(j)\n", '1:13', 'error[E401]')
        self.refused('schedule reorder(j,\n   k)\ny(i) = A(i,j) * x(j)\n', '2:4', 'no loop over k')
        self.refused('y = 1\nname x\nschedule reorder(j,i)\n', '', 'no statement follows')

    def refused(self, text, place, said, **options):
        if place:
            return super().refused(text, place, said, **options)
        self.write('wrong.spcc', text)
        return self.bad(1, 'wrong.spcc: ' + said, 'wrong.spcc')

    def test_names(self):
        self.refused('name double\ny(i) = A(i,j)\n', '2', 'double')
        self.refused('name a b\ny(i) = A(i,j)\n', '1:6', 'not a C identifier')
        self.refused('name a\nname b\ny(i) = A(i,j)\n', '2:1', 'has a name already')

    def test_options(self):
        self.refused('# spcc: --nme=x\ny(i) = A(i,j)\n', '1:9', '--nme is not an option')
        self.refused('# spcc: -f\ny(i) = A(i,j)\n', '1:9', '-f needs an argument')
        self.refused('# spcc: y.spcc\ny(i) = A(i,j)\n', '1:9', 'is not an option')
        for option in ('-o y.tns', '-oy.tns', '-i A:A.tns', '--input=A:A.tns', '--target-cpu=mine', '--jit=cc',
                       '--blas=libevil.so', '--max-memory=1G', '--sync', '--help', '-V', '-g=A:r', '-write-source=y.c'):
            self.refused(f'# spcc: -f A:csr {option}\ny(i) = A(i,j)\n', '1:9', 'not an option of statement files')
            self.assertFalse(os.path.exists(self.path('y.c')) or os.path.exists(self.path('y.tns')))
        self.refused("# spcc: -f 'A:csr\ny(i) = A(i,j)\n", '1:12', 'quote is not closed')
        self.refused('# spcc: --kernel=compute\ny(i) = A(i,j)\n', '1:9', 'not an option of spcc run', command=('run',))

    def test_files(self):
        self.refused('# nothing\n\n', '', 'there is no statement')
        self.bad(1, 'nowhere.spcc: cannot be opened', 'nowhere.spcc')
        self.bad(1, 'not a statement file', '-', input='y = 1\0\n')
        self.bad(2, 'neither a command nor a statement', 'chain.spc')
        self.bad(2, 'use a schedule line', 'chain.spcc', '-s', 'reorder(i,j)')
        self.bad(2, 'a name line', 'chain.spcc', '--name=f')
        self.bad(2, 'Z is a tensor of no statement of chain.spcc', 'chain.spcc', '-f', 'Z:csr')


class Nonsense(Small):
    PIECES = ('tensor ', 'A', ', ', ' f32', ' fill', ' stored', ' inf', ': ', 'csr', '\n', 'size ', 'i', ' = ', '4',
              'name ', 'schedule ',
              'reorder(i,j)', 'y(i) = A(i,j)*x(j)', '# spcc: ', '-f A:csr', "'", '"', '\\', ' ', '\t', '\r\n', '# c', 'é',
              '(', ')', 'min= ', '--kernel=compute', '-d i:3', '+', '\n    ')

    def test_is_told_in_order(self):
        chance = random.Random(7)
        for _ in range(150):
            text = ''.join(chance.choice(self.PIECES) for _ in range(chance.randrange(1, 40)))
            done = self.run_here(chance.choice(('emit', 'explain', 'run')), '-', input=text)
            self.assertIn(done.returncode, (0, 1, 2), text)
            self.assertEqual(done.returncode == 0, not done.stderr, text)


if __name__ == '__main__':
    main()
