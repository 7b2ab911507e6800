"""test_emit.py - spcc emit and spcc explain: texts, where they go, and what they are.

    test_emit.py SPCC

SPDX-License-Identifier: MIT
"""
import collections
import os
import re
import resource
import shlex
import shutil
import signal
import stat
import subprocess
import unittest
from xml.etree import ElementTree

from support import SPMV, Case, main, run

ADD = ('A(i,j) = B(i,j) + C(i,j)', '-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr')


def without_command(text):
    """Generated C without the command that reproduces it."""
    return re.sub(r'(?m)^ \*     spcc .*\n', '', text)


class Size(Case):
    """Code is bounded by construction: regions of nested loops multiply, and stop doing so in time."""

    def lines(self, statement, *formats, more=()):
        return self.good(statement, *(word for f in formats for word in ('-f', f)), *more).count('\n')

    def test_sums_grow_with_their_operands(self):
        for n in (10, 40, 160):
            names = [f'a{k}' for k in range(n)]
            statement = 'y(i) = ' + ' + '.join(f'{name}(i)' for name in names)
            formats = ('y:sparse', *(f'{name}:sparse' for name in names))
            self.assertLess(self.lines(statement, *formats, more=('--serial',)), 100 + 15 * n)
            self.assertLess(self.lines(statement, *formats), 400 + 20 * n)

    def test_pairs_of_vectors(self):
        for n in range(1, 7):
            pairs = [(f'B{k}', f'D{k}') for k in range(n)]
            statement = 'Y(j,i) = C(j,i)' + ''.join(f' + {b}(j) + {d}(i)' for b, d in pairs)
            lines = self.lines(statement, 'Y:csr', 'C:csr', *(f'{v}:sparse' for pair in pairs for v in pair))
            self.assertLess(lines, 600)

    def test_nests_of_unlike_operands(self):
        formats = ('Y:mode-generic:0,2,1', 'A:c', 'B:dss', 'C:sss')
        for factor in ('min(B(j,i,k), A(i) - A(i) * A(k))', '(B(i,i,k)*A(i) - (C(k,i,j) + A(j)))'):
            self.assertLess(self.lines(f'Y(j,k,i) = C(i,k,j) - (C(k,i,j) + A(j)) * {factor}', *formats), 2500)


class Text(Case):
    def test_copies_for_one_of_two_results(self):
        """A directive about an operand of one statement, whose variables are split, is no other's."""
        text = self.good('C(i,j) = A(i,j) + B(i,j); D(i,j) = A(i,j) * B(i,j)', '-f', 'C:dcsc', '-f', 'D:dcsc', '-f',
                         'A:csb(2)', '-f', 'B:bcsr(2,2)')
        self.assertIn('collect(D, ', text)

    def test_work_is_bounded(self):
        """An entry that is used 27e18 times is as much work as one that is used a million times."""
        sizes = (word for v in 'jkl' for word in ('-d', v + ':3000000'))
        text = self.good('y(i) = sum(j, k, l, max(x(i), a(j) + b(k) + c(l)))', '-f', 'x:sparse', *sizes)
        self.assertRegex(text, r'int64_t work = x1_dimension \+ 131073 \* ')

    def test_emit_is_the_default(self):
        text = self.good(SPMV, '-f', 'A:csr')
        self.assertIn('int evaluate(', text)
        self.assertIn('A2_crd', text)
        self.assertEqual(text, self.good('emit', SPMV, '-f', 'A:csr'))
        self.assertEqual(text, self.good('emit', SPMV, '-f', 'A:csr', '--emit=c', '--target=c', '-o', '-'))

    def test_name_that_is_a_word_of_c(self):
        said = self.bad(2, "error[E606]: 'int' cannot be the name of a function in C and C++", SPMV, '--name=int')
        self.assertIn('--name', said)

    def test_names_that_are_taken(self):
        for name in ('malloc', 'free', 'sqrt', 'sinf', 'cabsl', 'printf', 'int32_t', 'uint_fast8_t', 'NULL', 'memset',
                     'INT32_MAX', 'UINT64_C', 'INFINITY', 'I', 'M_PI', 'index', 'y1', 'div', 'main', 'SPCC_MALLOC',
                     'allocate_array', 'div_i32', 'make_c64', 'i32_from_f64', 'f64x8', 'argument', '_x'):
            self.bad(2, f"error[E606]: '{name}' cannot be the name", SPMV, '--name=' + name)
        for name in ('spmv_f64', 'total', 'integrate', 'INT', 'sum', 'y2', 'A_t', 'cosine', 'from_f64', 'stride', 'sinx'):
            self.assertIn(f'int {name}(', self.good(SPMV, '--name=' + name))

    @unittest.skipUnless(shutil.which('cc') and shutil.which('c++'), 'no C or C++ compiler')
    def test_variables_that_are_macros(self):
        for name in ('INT32_MAX', 'NULL', 'SIZE_MAX', 'RAND_MAX', 'I', 'HUGE_VAL', 'SPCC_FREE', 'main', 'malloc', 'index'):
            text = self.good(f'y({name}) = sum(k, sqrt(A({name},k) * x({name})))', '-f', 'y:sparse', '-f', 'A:dcsr')
            self.write('k.c', '#include <complex.h>\n#include <math.h>\n#include <stdlib.h>\n' + text)
            self.write('k.cc', '#include <cmath>\n#include <cstdlib>\n' + text)
            for compiler, file in ((('cc', '-std=gnu11'), 'k.c'), (('c++', '-std=c++17'), 'k.cc')):
                subprocess.run([*compiler, '-Wall', '-Wextra', '-Werror', '-fsyntax-only', self.path(file)], check=True)

    def test_functions_without_loops(self):
        said = self.bad(1, 'error[E502]: format of A: level 2 of A stores (i+j)/4', 'y(i) = A(i,j)', '-f',
                        'A:(i,j)->(i:dense,(i+j)/4:compressed,(i+j)%4:dense)')
        self.assertIn('\n  (i,j)->(i:dense,(i+j)/4', said)
        self.assertIn('\n  help: ', said)

    def test_statement_may_start_with_a_dash(self):
        self.bad(1, 'error[E1', '--', '-y(i) = x(i)')

    @unittest.skipUnless(shutil.which('cc') and shutil.which('c++'), 'no C or C++ compiler')
    def test_compiles_alone(self):
        for arguments in ((SPMV, '-f', 'A:csr'), (*ADD, '--index=64'), (*ADD, '--kernel=assemble'),
                          (*ADD, '--kernel=compute', '-t', 'A:c64', '-t', 'B:c64', '-t', 'C:c64')):
            self.good(*arguments, '-o', 'k.c')
            flags = ['-Wall', '-Wextra', '-Werror', '-fsyntax-only', self.path('k.c')]
            subprocess.run(['cc', '-std=c11', *flags], check=True)
            if 'c64' not in str(arguments):
                subprocess.run(['c++', '-std=c++17', '-x', 'c++', *flags], check=True)

    def test_head_reproduces_it(self):
        text = self.good(*ADD, '-t', 'A:f32', '-t', 'B:f32', '-t', 'C:f32', '--index=64', '--kernel=assemble',
                         '--name=sum_of_two', '-d', 'i:7', '-s', 'reorder(i,j)')
        command = re.search(r'(?m)^ \*     (spcc .*)$', text)[1]
        self.assertEqual(text, self.good(*shlex.split(command)[1:]))

    def test_stages(self):
        stages = {
            'notation': 'y(i) = sum(j, A(i,j) * x(j))\n',
            'concrete': 'forall(i) forall(j) y(i) += A(i,j) * x(j)\n',
            'plan': 'forall(i) forall(j) y(i) += A(i,j) * x(j) : parallelize(i, cpu_thread, no_races)\n'
                    'schedule: parallelize(i, cpu_thread, no_races)\n',
        }
        for stage, text in stages.items():
            for command in ('emit', 'explain'):
                self.assertEqual(self.good(command, SPMV, '-f', 'A:csr', '--emit=' + stage), text)
        self.assertIn('lattice of j', self.good(SPMV, '-f', 'A:csr', '--emit=lattice'))
        self.assertIn('A2_pos[i + 1]', self.good(SPMV, '-f', 'A:csr', '--emit', 'imperative'))
        self.assertIn('int evaluate(', self.good('explain', SPMV, '--emit=c'))

    def test_graphviz(self):
        text = self.good(*ADD, '--emit=lattice.dot')
        self.assertRegex(text, r'^digraph lattices \{\n')
        self.assertIn('p1_0 -> p1_1', text)
        if shutil.which('dot'):
            subprocess.run(['dot', '-Tcanon', '-o', os.devnull], input=text, text=True, check=True)

    def test_iteration_graph(self):
        """A path stops where a level is resolved: A twice, y and x once."""
        self.assertEqual(self.good(SPMV, '-f', 'A:csr', '--emit=graph.dot'), """digraph iteration {
  root [shape=point];
  n0 [label="i\\ni ∈ U"];
  n1 [label="j\\nj ∈ A2"];
  s0 [shape=box, label="y(i) += A(i,j) * x(j)"];
  root -> n0 [style=bold, color=gray, arrowhead=none];
  n0 -> n1 [style=bold, color=gray, arrowhead=none];
  n1 -> s0 [style=bold, color=gray, arrowhead=none];
  root -> n0 [color="#2563eb", label="y(i): 1 dense", style=dashed];
  root -> n0 [color="#c2410c", label="A(i,j): 1 dense"];
  n0 -> n1 [color="#c2410c", label="A(i,j): 2 compressed"];
  root -> n1 [color="#15803d", label="x(j): 1 dense"];
}
""")
        if shutil.which('dot'):
            text = self.good(*ADD, '--emit=graph.dot')
            subprocess.run(['dot', '-Tcanon', '-o', os.devnull], input=text, text=True, check=True, timeout=60)

    def test_derived_graph(self):
        """What a relation derives is linked to what it derives it from, with or without loops; thesis 3-14, 3-16."""
        split = ('y(i) = A(i,j) * x(j)', '-f', 'A:csr', '--no-plan', '-s')
        text = self.good(*split, 'split(j,j0,j1,down,64)', '--emit=graph.dot')
        for line in ('n1 [label="j0\\nj0 ∈ blocks of A2"]', 'n2 [label="j1 → j\\nj1 ∈ A2"]', 'v0 [label="j", style=dotted]',
                     'v0 -> n1 [style=dotted, constraint=false, label="split(down, 64)"]'):
            self.assertIn(line, text)
        text = self.good(*split, 'collapse(i,j,f); pos(f,p,A(i,j)); split(p,p0,p1,down,64)', '--emit=graph.dot')
        for part in ('p0 ∈ blocks of positions of A2', 'p1 ∈ 0..64', 'label="collapse"', 'label="pos(A2)"'):
            self.assertIn(part, text)
        texts, shapes = self.drawing(*split, 'split(j,j0,j1,down,64)', '--emit=graph.svg')
        self.assertEqual((texts.count('split(down, 64)'), texts.count('j0 ∈ blocks of A2')), (1, 1))
        text = self.good('a(i) = (b(i) + c(i)) * d(i)', *'-f b:s -f c:s -f d:s --emit=graph.dot'.split())
        self.assertIn('i ∈ b1 ∩ d1 ∪ c1 ∩ d1', text)

    def drawing(self, *arguments):
        """A picture's texts, and its shapes by their first class."""
        root = ElementTree.fromstring(self.good(*arguments))
        self.assertEqual(root.tag, '{http://www.w3.org/2000/svg}svg')
        self.assertNotIn('{http://www.w3.org/2000/svg}script', {e.tag for e in root.iter()})
        shapes = collections.Counter(e.get('class', '').split(' ')[0] for e in root.iter())
        return [e.text for e in root.iter('{http://www.w3.org/2000/svg}text')], shapes

    def test_graph_as_picture(self):
        texts, shapes = self.drawing(SPMV, '-f', 'A:csr', '--emit=graph.svg')
        self.assertEqual([text for text in texts if text[0] in '123'], ['1 dense', '2 compressed', '1 dense', '1 dense'])
        self.assertEqual((shapes['bar'], shapes['card'], shapes['open'], shapes['f1']), (2, 1, 3, 1))
        for part in ('i', 'j', 'y(i)', 'A(i,j)', 'x(j)', 'y(i) += A(i,j) * x(j)'):
            self.assertIn(part, texts)
        texts, shapes = self.drawing('C(i,j) = A(i,k) * B(k,j)', '-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr',
                                     '--emit=graph.svg')
        self.assertEqual((shapes['bar'], shapes['card'], texts.count('2 compressed')), (4, 2, 3))
        texts, shapes = self.drawing('y(i) = A(i,i) < 1', '-f', 'A:csr', '-t', 'y:bool', '--emit=graph.svg')
        self.assertIn('1 dense, 2 compressed', texts)
        self.assertIn('y(i) = A(i,i) < 1.0', texts)

    def test_path_that_turns_back(self):
        """Stored by columns and visited by rows, both dense."""
        for form, turns in (('dd', 0), ('dd:1,0', 1)):
            text = self.good(SPMV, '-f', 'A:' + form, '--no-plan', '--emit=graph.svg')
            self.assertEqual(len(re.findall(r'd="M\d+ \d+C', text)), turns)

    def test_lattice_as_picture(self):
        texts, shapes = self.drawing(*ADD, '--emit=lattice.svg')
        self.assertEqual((shapes['card'], shapes['edge']), (4, 2))
        self.assertIn('{B(i,j).2, C(i,j).2}', texts)
        self.assertEqual(self.drawing('a = b', '--emit=lattice.svg')[1]['card'], 0)

    def test_too_large_to_be_drawn(self):
        many = 'a(i) = ' + ' + '.join(f'b{k}(i)' for k in range(40))
        self.bad(1, '\n  help: as a Graphviz graph it has no limits: --emit=graph.dot', many, '--emit=graph.svg')
        self.good(many, '--emit=graph.dot')
        many += ''.join(f' * c{k}(i)' for k in range(40))
        self.bad(1, '\n  help: as Graphviz graphs they have no limits: --emit=lattice.dot', many, '--emit=lattice.svg',
                 *[word for k in range(40) for word in ('-f', f'b{k}:s')])
        self.write('two.spcc', 'y(i) = x(i)\nz(i) = y(i)\n')
        self.bad(2, 'two.spcc has 2 statements, and a picture is of one', 'two.spcc', '--emit=graph.svg')
        self.assertEqual(self.good('two.spcc', '--emit=graph.dot').count('digraph iteration'), 2)

    def test_passes(self):
        def changes(*more):
            text = self.good('explain', SPMV, '-f', 'A:csr', '--serial', '--passes', *more)
            return {part.split(':')[0]: part.split('\n')[1:] for part in text.rstrip('\n').split('\n\n')}

        fast, plain = changes(), changes('--plain')
        ir = self.good('emit', SPMV, '-f', 'A:csr', '--serial', '--emit=imperative')
        self.assertEqual(fast['hoist'], ['  nothing'])
        self.assertEqual(list(plain), [name for name in plain if name not in ('hoist', 'vectorize')])
        self.assertIn('  - ' + ' ' * 12 + 'i32 j = A2_crd[pA2]', plain['read_once'])
        # What the last pass has added is the code, in its order; all that is shown is changed, or next to it.
        rest = iter(ir.split('\n'))
        self.assertTrue(all(line[4:] in rest for line in fast['vectorize'] if line[2] == '+'))
        self.assertTrue(any(line[2] == '-' for line in fast['vectorize']))
        shown = [line[2] for line in fast['vectorize'] if line != '    ...']
        self.assertNotIn('   ', ''.join(shown))
        self.bad(2, '--passes is not an option of spcc emit', 'emit', SPMV, '--passes')

    def test_explain_launches(self):
        formats = [word for name in 'ABC' for word in ('-f', f'{name}:csr')]
        text = self.good('explain', 'C(i,j) = A(i,k) * B(k,j)', *formats, '--target=cuda')
        self.assertRegex(text, r'(?s)\nlaunches\n.*  updates are atomic, and give the same')

    def test_explain(self):
        text = self.good('explain', SPMV, '-f', 'A:csr')
        places = [text.index(part) for part in ('tensor index notation', 'formats', 'concrete index notation', 'plan',
                                                'iteration graph', 'iteration lattices', 'imperative IR')]
        self.assertEqual(places, sorted(places))


class Options(Case):
    def test_kernel_and_name(self):
        fused, assemble, compute = (self.good(*ADD, '--kernel=' + kind) for kind in ('fused', 'assemble', 'compute'))
        self.assertEqual(fused.replace(' --kernel=fused', ''), self.good(*ADD))
        self.assertIn('int assemble(', assemble)
        self.assertNotIn('A_vals', assemble)
        self.assertIn('int compute(', compute)
        self.assertNotIn('malloc', compute)
        self.assertIn('int sum_of_two(', self.good(*ADD, '--name=sum_of_two'))

    def test_fill(self):
        shortest = ('y(i) = min(j, A(i,j) + x(j))', '-f', 'A:csr')
        stored_only = 'lattice of j: coiterating {A(i,j).2}'
        self.assertIn(stored_only, self.good(*shortest, '--fill', 'A:inf', '--emit=lattice'))
        self.assertNotIn(stored_only, self.good(*shortest, '--emit=lattice'))

    def test_index_size_type(self):
        self.assertIn('const int64_t *restrict A2_crd', self.good(SPMV, '-f', 'A:csr', '--index=64'))
        self.assertIn('const int32_t *restrict A2_crd', self.good(SPMV, '-f', 'A:csr', '--index=32'))
        self.assertRegex(self.good(SPMV, '-f', 'A:csr', '-d', 'i:9876', '--serial'), r'i < 9876;')
        text = self.good(SPMV, '-t', 'A:i16', '-t', 'x:i8', '-t', 'y:i64')
        for parameter in ('const int16_t *restrict A_vals', 'const int8_t *restrict x_vals', 'int64_t *restrict y_vals'):
            self.assertIn(parameter, text)

    def test_stored_components(self):
        turned = ('A(i,j) = B(i,j) + C(j,i)', '-f', 'A:csr', '-f', 'B:csr', '-f', 'C:csr')
        few = turned + ('-d', 'i:1000000', '-d', 'j:1000000', '--nnz', 'B:1000000', '--nnz', 'C:112')
        # an array of all rows is worth it where there are as many components
        self.assertIn('format(w, csr)', self.good(*turned, '--emit=plan'))
        self.assertIn('format(w, coo)', self.good(*few, '--emit=plan'))
        self.assertRegex(self.good('explain', *few), r'\n  with .*B\.2 = 1,.* C\.2 = 0\.0001')
        self.assertIn(" --nnz B:1000000 --nnz C:112\n", self.good(*few))
        # of 1024 rows 1024 entries at random take 647, and plans are made for such numbers
        coo = self.good('explain', 'A(i,j) = B(i,j) + C(j,i)', '-f', 'A:csr', '-f', 'B:csr', '-f', 'C:coo', '-d', 'i:1000',
                        '-d', 'j:1000', '--nnz', 'C:1000')
        self.assertRegex(coo, r'\n  with .*C\.1 = 647\.\d+, C\.2 = 1\.58')

    def test_schedule(self):
        plan = self.good('y(i) = A(i,j) * x(j)', '-s', 'reorder(j,i)', '--emit=plan')
        self.assertRegex(plan, r'^forall\(j\) forall\(i\)')
        twice = self.good('y(i) = A(i,j) * x(j)', '-s', 'reorder(j,i)', '-s', 'reorder(i,j)', '--emit=plan')
        self.assertRegex(twice, r'^forall\(i\) forall\(j\)')
        self.assertRegex(self.good(SPMV, '-f', 'A:csc', '--emit=plan'), r'^forall\(j\) forall\(i\)')
        self.assertRegex(self.good(SPMV, '--no-plan', '--emit=plan'), r'^forall\(i\) forall\(j\)')
        printed = self.good(SPMV, '-f', 'A:csr', '-s', 'reorder(i, j) ; \n', '--emit=plan').split('schedule: ')[1]
        self.assertIn('; parallelize(', printed)
        self.assertIn(printed, self.good(SPMV, '-f', 'A:csr', '--no-plan', '-s', printed, '--emit=plan'))

    def test_spellings_of_taco(self):
        ours = self.good('A(i,j) = B(i,j) * C(i,j)', '-f', 'B:ds:0,1', '-f', 'C:ds', '-t', 'B:f32', '-t', 'C:f64',
                         '-d', 'i:5', '-s', 'reorder(i,j)')
        theirs = self.good('A(i,j) = B(i,j) * C(i,j)', '-f=B:ds:0,1', '-f=C:ds', '-t=B:float', '-t=C:double',
                           '-d=i:5', '-s=reorder(i,j)')
        self.assertEqual(ours, theirs)
        for theirs, our in (('uchar', 'u8'), ('short', 'i16'), ('int', 'i32'), ('longlong', 'i64'),
                            ('complexfloat', 'c64'), ('complexdouble', 'c128'), ('bool', 'bool')):
            self.assertEqual(self.good('y(i) = x(i)', '-t=x:' + theirs, '-t=y:c128', '--emit=concrete'),
                             self.good('y(i) = x(i)', '-t', 'x:' + our, '-t', 'y:c128', '--emit=concrete'))


class Output(Case):
    def test_file(self):
        self.assertEqual(self.good(SPMV, '-o', 'k.c'), '')
        self.assertEqual(self.read('k.c'), self.good(SPMV))
        self.assertEqual(self.good(SPMV, '-f', 'A:csr', '-o', 'k.c'), '')
        self.assertEqual(self.read('k.c'), self.good(SPMV, '-f', 'A:csr'))
        self.assertEqual(os.listdir(self.folder), ['k.c'])

    def test_header(self):
        self.good(SPMV, '-f', 'A:csr', '--name=spmv', '-o', 'spmv.h')
        text = self.read('spmv.h')
        self.assertIn('int spmv(int32_t A1_dimension', text)
        self.assertNotIn('for (', text)
        self.good(SPMV, '-f', 'A:csr', '--emit=c', '-o', 'spmv.h')
        self.assertIn('for (', self.read('spmv.h'))

    def test_keeps_links_and_permissions(self):
        self.write('there.c', 'old')
        os.chmod(self.path('there.c'), 0o640)
        os.symlink('there.c', self.path('link.c'))
        self.good(SPMV, '-o', 'link.c')
        self.assertTrue(os.path.islink(self.path('link.c')))
        self.assertIn('evaluate', self.read('there.c'))
        self.assertEqual(stat.S_IMODE(os.stat(self.path('there.c')).st_mode), 0o640)

    def test_cannot_be_written(self):
        self.bad(1, 'nowhere/k.c: cannot be written: No such file', SPMV, '-o', 'nowhere/k.c')
        self.bad(1, 'Is a directory', SPMV, '-o', '.')

    @unittest.skipUnless(os.path.exists('/dev/full'), 'no /dev/full')
    def test_full_disk(self):
        self.bad(3, '/dev/full: cannot be written: No space left', SPMV, '-o', '/dev/full')
        self.assertTrue(stat.S_ISCHR(os.stat('/dev/full').st_mode))
        with open('/dev/full', 'w') as full:
            for arguments in ((SPMV,), ('explain', SPMV), ('help', 'formats')):
                self.bad(3, 'standard output: No space left', *arguments, stdout=full)

    def test_file_stays_what_it_was(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        self.write('k.c', 'old')
        self.bad(3, 'k.c: cannot be written: File too large', SPMV, '-o', 'k.c', preexec_fn=limit)
        self.assertEqual((os.listdir(self.folder), self.read('k.c')), (['k.c'], 'old'))


class Mistakes(Case):
    def test_in_the_statement(self):
        said = self.bad(1, 'error[E101]', 'y(i) = A(i,j * x(j)')
        self.assertRegex(said, r'(?m)^  y\(i\) = A\(i,j \* x\(j\)\n +\^')
        self.bad(1, 'error[E', 'explain', 'y(i) = ')
        self.assertEqual(self.bad(1, 'error', 'y(i) = A(i,j) * A(i) + y(j)').count('error['), 2)

    def test_in_what_is_said_about_it(self):
        self.bad(1, 'format of A', SPMV, '-f', 'A:csx')
        self.bad(1, 'type of A', SPMV, '-t', 'A:f63')
        self.bad(1, 'fill', SPMV, '--fill', 'A:x')
        self.bad(1, 'called B', SPMV, '-f', 'B:csr')
        self.bad(1, 'called k', SPMV, '-d', 'k:3')
        self.bad(1, 'no tensor in the expression is called B', SPMV, '--nnz', 'B:3')
        for number in ('-1', 'x', '3,4', '1e3', '99999999999999999999'):
            self.bad(2, f'--nnz A:{number}: {number} is not a number of components', SPMV, '--nnz', 'A:' + number)
        self.bad(1, 'the size 4294967296 of i is beyond coordinates of type i32', 's = sum(i, 1)', '-d', 'i:4294967296')
        said = self.bad(1, 'there is no loop over k', SPMV, '-s', 'reorder(i,k)')
        self.assertRegex(said, r'(?m)^  reorder\(i,k\)\n +\^')
        self.bad(1, 'no directive unrol', SPMV, '-s', 'unrol(i,4)')

    def test_in_other_notations(self):
        """What a remedy says to write is taken."""
        for told, meant in (('ij,j->i', 'y(i) = A(i,j) * x(j)'), ("np.einsum('ij,j->i', A, x)", 'y(i) = A(i,j) * x(j)'),
                            ('A @ x', 'y(i) = A(i,j) * x(j)'), ('A.T', 'B(i,j) = A(j,i)'),
                            ('y(i) = A[i,:] @ x', 'y(i) = A(i,j) * x(j)')):
            said = self.bad(1, 'error[E101]', told)
            self.assertEqual(re.findall('help: write (.*)', said), [meant])
            self.good(meant)

    def test_index_variables_have_no_values(self):
        said = self.bad(1, 'E201', 'y(i) = i * x(i) + I')
        self.assertIn('help: write I_(i) in its place, with -i I_:@index', said)
        self.assertEqual(self.good('run', 'y(i) = I_(i) * x(i) + I', '-i', 'I_:@index', '-i', 'x:@ones', '-i', 'I:1',
                                   '-d', 'i:3', '--jit=interp', '-o', '-'), '1 1\n2 2\n3 3\n')

    def test_fills_of_integers(self):
        for type, fill, value in (('i32', 'inf', 2147483647), ('i8', '-inf', -128), ('u64', 'inf', 2**64 - 1),
                                  ('i64', '-inf', -2**63)):
            said = self.bad(1, 'E302', 'y(i) = x(i)', '-t', f'x:{type}', '--fill', f'x:{fill}')
            self.assertIn(f'value, {value}\n', said)
            self.good('y(i) = x(i)', '-t', f'x:{type}', '--fill', f'x:{value}')
        said = self.bad(1, 'E302', 'y(i) = x(i)', '-t', 'x:i16', '--fill', 'x:1e9')
        self.assertIn('write a whole number from -32768 to 32767', said)

    def test_what_the_planner_would_add(self):
        """The directives that a remedy names are enough, and none is named where there is no remedy."""
        statement, one, two = 'A(i,j) = B(i,j) + C(i,j)', 'A(i,j) = B(i,j)', 'A(i,j) = B(i,k) * C(k,j)'
        for statement, *options in ((statement, 'coo', 'coo', 'coo', 'collapse(i,j,f)'),
                                    (statement, 'csr', 'csr', 'csr', 'collapse(i,j,f)'),
                                    (statement, 'dcsr', 'csr', 'csr', 'reorder(j,i)'),
                                    (two, 'csr', 'csr', 'csr', 'collapse(i,j,f)'),
                                    (one, 'hash', 'csr', '', 'reorder(i,j)'), (one, 'ell', 'csr', '', 'collapse(i,j,f)'),
                                    (one, 'dense', 'coo', '', 'collapse(i,j,f); split(f,f0,f1,down,8)')):
            given = [o for t, f in zip('ABC', options) if f for o in ('-f', f'{t}:{f}')]
            run = (statement, *given, '--no-plan', '-s')
            said = self.bad(1, 'error[E', *run, options[-1])
            added = re.findall('help: add (.*) to the schedule, as the planner does without --no-plan', said)
            self.assertEqual(len(added), 1, said)
            self.good(*run, '; '.join(filter(None, (options[-1], *added))))
            loop = 'there is no loop over i, which follows from f'
            self.assertEqual(loop in said, 'E503' in said and 'collapse' in options[-1], said)

    def test_names_that_are_meant(self):
        self.assertIn('did you mean mat?', self.bad(1, 'E201', 'y(i) = mat(i,j)', '-f', 'mta:csr'))
        self.assertIn('did you mean row?', self.bad(1, 'E201', 'y(row) = A(row,j)', '-d', 'rwo:3'))
        self.assertIn('its index variables are i, j', self.bad(1, 'E201', SPMV, '-d', 'k:3'))
        self.assertIn('did you mean mat?', self.bad(2, 'is not in', 'run', 'y(i) = mat(i,j)', '-i', 'mta:@ones'))
        self.assertIn('the tensors are y, A, x', self.bad(2, 'is not in', 'run', SPMV, '-i', 'Zz:@ones'))

    def test_names_that_cuda_takes_by_how_they_begin(self):
        text = self.good('y(M_I) = M_P(M_I,CLOCK_J) * _x(CLOCK_J)', '-f', 'M_P:csr', '--target=cuda')
        for name in ('vM_P_vals', 'vM_I'):
            self.assertIn(name, text)

    def test_a_gpu(self):
        loop = 'parallelize(i, gpu_thread, no_races)'
        self.assertIn(': ' + loop, self.good(SPMV, '--target=cuda', '-s', loop, '--emit=plan'))
        self.bad(1, '--target=cuda makes code for a GPU', SPMV, '-s', loop)
        self.assertIn('SPCC_GRID(', self.good(SPMV, '--target=cuda', '-s', loop))
        self.bad(1, 'the statement assembles B in a way that a GPU does not', 'B(i,j) = A(i,j)', '-f', 'A:csr',
                 '-f', 'B:csc', '--target=cuda', '-s', 'reorder(i, j); ' + loop)
        scatter = ('y(j) = A(i,j) * x(i)', '-f', 'A:csr', '--target=cuda', '--emit=plan')
        self.assertIn('precompute(A(i,j), w', self.good(*scatter))
        scatter += ('-s', 'reorder(i, j)')
        self.bad(1, 'no loop of the statement runs on a GPU', *scatter)
        self.assertIn('reorder', self.good(*scatter, '--serial'))
        said = self.bad(1, 'no loop of the statement runs on a GPU', SPMV, '--target=cuda', '--serial')
        self.assertIn('help: give one a unit: parallelize(i, gpu_thread, atomics), say', said)
        said = self.bad(1, 'no loop of the statement', 'Y(r,c) = X(c,r)', '--target=cuda', '--serial')
        self.assertIn('parallelize(r, gpu_thread, atomics)', said)
        filled = self.good('y(i) = 0', '--target=cuda')
        self.assertIn('cuda_zero(y_vals', filled)
        self.assertNotIn('SPCC_GRID(evaluate', filled)
        copied = self.good('C(i,j) = 2 * A(i,j)', '-f', 'A:csr', '-f', 'C:csr', '--kernel=assemble', '--target=cuda')
        self.assertIn('cuda_copy(C2_crd', copied)
        self.assertIn('SPCC_GRID(', self.good(SPMV, '--target=cuda'))
        for place, unit in ('register', 'gpu_thread'), ('shared', 'gpu_block'):  # of no components
            self.good(SPMV, '-f', 'A:csr', '-d', 'j:0', '--target=cuda', '-s',
                      f'precompute(A(i,j)*x(j), w, {{j,jc,jp}}, dense, {place}); parallelize(i, {unit})')
        self.assertIn('SPCC_GRID(', self.good('B(i,j) = A(j,i)', '-f', 'A:csr', '-f', 'B:csr', '--target=cuda'))
        self.assertIn('SPCC_GRID(evaluate_block, 1, 32', self.good('s = A(2,3) * b', '-f', 'A:csr', '--target=cuda'))
        self.bad(3, 'SPCC_LIBCUDA names it', 'run', 'y(i) = 2 * x(i)', '-i', 'x:@ones', '-d', 'i:3', '--target=cuda',
                 env={**self.environment, 'SPCC_LIBCUDA': '/nowhere/libcuda.so'})
        self.bad(2, 'plain is of C', SPMV, '--target=cuda', '--plain')
        for name in ('min', 'norm', 'dim3', 'float4', 'cudaMalloc', 'threadIdx', 'remove'):
            self.bad(2, f"error[E606]: '{name}' cannot be the name of a function in CUDA", SPMV, '--target=cuda',
                     '--name=' + name)
        said = self.good('dim3(cudaMalloc) = stream(cudaMalloc,EOF)*norm(EOF)', '--target=cuda')
        self.assertIn('EOF_', said)

    def test_in_the_command_line(self):
        self.bad(2, "'fortran' is none of c cuda", SPMV, '--target=fortran')
        self.bad(2, 'did you mean imperative?', SPMV, '--emit=imperativ')
        self.bad(2, 'is not an option of spcc emit', 'emit', SPMV, '-i', 'A:x.mtx')
        self.bad(2, 'spcc run EXPR reads files', SPMV, '--time')
        self.bad(2, 'writes text, not tensors', SPMV, '-o', 'y:y.tns')
        self.bad(2, 'given twice for A', SPMV, '-f', 'A:csr', '-f', 'A:csc')
        self.bad(2, 'one argument too many', SPMV, SPMV)
        self.bad(2, 'int', SPMV, '--name=int')
        self.bad(2, 'not a C identifier', SPMV, '--name=a-b')

    def test_what_would_gain_by_algebra(self):
        note = (r'note: this takes about \d+000 times the steps that it would as a sum of products\n'
                r'  help: --algebra=distribute lets the planner make it one')
        for statement in ('y(i) = (A(i,j) - m(j)) * x(j)', 's = sum(i, j, (A(i,j) - u(i) * v(j)) ** 2)'):
            plain = run(statement, '-f', 'A:csr', '--emit=plan')
            self.assertRegex(plain.stderr, note)
            self.assertNotIn('distribute', plain.stdout)
            asked = run(statement, '-f', 'A:csr', '--emit=plan', '--algebra=distribute')
            self.assertEqual(asked.stderr, '')
            self.assertIn('schedule: distribute(', asked.stdout)
        for statement in (SPMV, 'y(i) = (A(i,j) + B(i,j)) * x(j)', 'r(i) = b(i) - A(i,j) * x(j)'):
            self.assertEqual(run(statement, '-f', 'A:csr', '--emit=plan').stderr, '')
        self.bad(2, 'distribute', SPMV, '--algebra=factor')


if __name__ == '__main__':
    main()
