"""test_plot.py - spcc info --plot: patterns, density and histograms, as characters, numbers and pictures.

    test_plot.py SPCC

SPDX-License-Identifier: MIT
"""
import json
import os
import re
from xml.etree import ElementTree

from support import DATA, Case, main

MATRIX = os.path.join(DATA, 'ldg_diffusion.mtx.gz')
SMALL = '%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 1\n1 3 2\n3 2 3\n3 4 1\n'
PICTURE = '{http://www.w3.org/2000/svg}'


class Plot(Case):
    def plotted(self, *arguments, **environment):
        """What stands below the facts."""
        text = self.good('info', *arguments, '--plot', env={**self.environment, **environment})
        return text[text.index('\n\n', text.index('\nformat ')) + 2:]

    def test_small_matrix(self):
        """A block a component, and so no second picture of its density."""
        self.write('a.mtx', SMALL)
        self.assertEqual(self.plotted('a.mtx'), '\n'.join((
            'pattern, a block for 1 x 1', '┌────────┐', '│██  ██  │', '│        │', '│  ██  ██│', '└────────┘',
            '██ 100% stored', '', 'stored components of a row: how many rows', '0           1 ' + '█' * 32 + '▌',
            '1           0', '2           2 ' + '█' * 65, '', 'stored components of a column: how many columns',
            '1           4 ' + '█' * 65, '')))
        self.assertEqual(self.plotted('a.mtx', LC_ALL='C'), '\n'.join((
            'pattern, a block for 1 x 1', '+--------+', '|##  ##  |', '|        |', '|  ##  ##|', '+--------+',
            '## 100% stored', '', 'stored components of a row: how many rows', '0           1 ' + '#' * 33,
            '1           0', '2           2 ' + '#' * 65, '', 'stored components of a column: how many columns',
            '1           4 ' + '#' * 65, '')))

    def test_dots(self):
        """A diagonal of 192, two by two: every dot of Braille characters, or half of the others, on the diagonal."""
        self.write('d.mtx', '%%MatrixMarket matrix coordinate real general\n192 192 192\n'
                   + ''.join(f'{k} {k} 1\n' for k in range(1, 193)))
        lines = self.plotted('d.mtx').split('\n')
        self.assertEqual(lines[0], 'pattern, a dot for 2 x 2')
        self.assertEqual(lines[2:26], ['│' + ' ' * (2 * k) + '⠑⢄' + ' ' * (46 - 2 * k) + '│' for k in range(24)])
        self.assertEqual(lines[28], 'density, a block for 12 x 12')
        self.assertEqual(lines[30:46], ['│' + ' ' * (2 * k) + '██' + ' ' * (30 - 2 * k) + '│' for k in range(16)])
        lines = self.plotted('d.mtx', LC_ALL='C').split('\n')
        self.assertEqual(lines[2:26], ['|' + ' ' * (2 * k) + "'." + ' ' * (46 - 2 * k) + '|' for k in range(24)])

    def test_fits(self):
        for path in (MATRIX, os.path.join(DATA, 'facts3.tns.gz'), os.path.join(DATA, 'facts5.tns')):
            for locale in ('C', 'C.UTF-8'):
                text = self.plotted(path, LC_ALL=locale)
                self.assertLessEqual(max(map(len, text.split('\n'))), 80, path)
                self.assertTrue(locale != 'C' or text.isascii())

    def draw(self, path, **options):
        self.good('info', path, '--plot=p.svg', **options)
        self.assertLess(os.path.getsize(self.path('p.svg')), 200000)
        return ElementTree.parse(self.path('p.svg')).getroot()

    def blocks(self, root):
        """How many blocks each raster shows."""
        return [sum(int(n) for path in raster for n in re.findall(r'h(\d+)', path.get('d')))
                for raster in root.iter(PICTURE + 'g')]

    def test_picture(self):
        root = self.draw(self.write('a.mtx', SMALL))
        self.assertEqual(self.blocks(root), [4])
        bars = [bar for bar in root.iter(PICTURE + 'rect') if bar.get('class') == 'bar']
        self.assertEqual([bar[0].text for bar in bars], ['0: 1', '2: 2', '1: 4'])
        texts = [text.text for text in root.iter(PICTURE + 'text')]
        for part in ('a.mtx', '3 × 4, 4 stored, 33.3%', 'rows by stored components', 'columns by stored components'):
            self.assertIn(part, texts)
        self.assertIn('prefers-color-scheme:dark', root.find(PICTURE + 'style').text)

    def test_pictures_of_all_orders(self):
        self.assertEqual(self.blocks(self.draw(self.write('v.tns', '2 5\n9 1\n'))), [2])
        self.assertEqual(self.blocks(self.draw(self.write('t.tns', '1 1 1 5\n1 2 1 6\n2 2 2 7\n'))), [3, 2, 3])
        self.assertEqual(len(self.blocks(self.draw(os.path.join(DATA, 'facts5.tns')))), 4)
        self.write('e.mtx', '%%MatrixMarket matrix coordinate real general\n3 0 0\n')
        self.assertEqual(self.blocks(self.draw('e.mtx')), [0])
        self.assertIn('\nno components\n', self.good('info', 'e.mtx', '--plot'))

    def test_picture_is_small(self):
        """The worst that can be: neighbouring blocks differ everywhere."""
        n = 384
        self.write('w.mtx', f'%%MatrixMarket matrix coordinate pattern general\n{n} {n} '
                   + str(n * n // 9 + sum(1 for i in range(0, n, 3) for j in range(0, n, 3) if (i + j) % 2)) + '\n'
                   + ''.join(f'{i + 1} {j + 1}\n' + (f'{i + 2} {j + 2}\n' if (i + j) % 2 else '')
                             for i in range(0, n, 3) for j in range(0, n, 3)))
        self.assertEqual(self.blocks(self.draw('w.mtx')), [128 * 128])

    def test_odd_name(self):
        name = b'a<&>"\xff\x1b\xc3\xa9.mtx'
        with open(os.path.join(os.fsencode(self.folder), name), 'w', encoding='utf-8') as file:
            file.write(SMALL)
        self.assertEqual(self.draw(os.fsdecode(name), errors='replace').find(PICTURE + 'title').text, 'a<&>"??é.mtx')

    def test_numbers(self):
        said = json.loads(self.good('info', self.write('a.mtx', SMALL), '--plot', '--json'))
        self.assertEqual(said['density'], [{'modes': [1, 2], 'counts': [[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1]]}])
        self.assertEqual(said['histograms'][1], [{'least': 1, 'most': 1, 'slices': 4}])
        self.assertNotIn('density', json.loads(self.good('info', 'a.mtx', '--json')))
        said = json.loads(self.good('info', self.write('v.tns', '2 5\n'), '--plot', '--json'))
        self.assertEqual(said['density'], [{'modes': [1], 'counts': [[0, 1]]}])

    def test_where_it_goes(self):
        self.write('a.mtx', SMALL)
        self.assertEqual(ElementTree.fromstring(self.good('info', 'a.mtx', '--plot=-')).tag, PICTURE + 'svg')
        self.assertEqual(self.good('info', 'a.mtx', '--plot=q.svg'), self.good('info', 'a.mtx'))
        self.bad(2, "--plot: pictures are SVG, and the name 'a.png' does not end in .svg", 'info', 'a.mtx', '--plot=a.png')
        self.bad(1, 'nowhere/a.svg: cannot be written', 'info', 'a.mtx', '--plot=nowhere/a.svg')
        self.bad(1, 's.tns is a scalar, which has no pattern', 'info', self.write('s.tns', '5\n'), '--plot')
        self.bad(2, '--plot is not an option of spcc run', 'run', 'y = 1', '--plot')


if __name__ == '__main__':
    main()
