"""test_install.py - what `meson install` puts where, and applications that are built with it.

    test_install.py SOURCE BUILD

The library shared and static, by pkg-config and by CMake, in C and in C++; a printed function pasted into a program.  The
tree is not where it was configured for, as if it had been moved, and nobody tells the loader.  What needs root (ldconfig)
is in tests/chroot.sh.
SPDX-License-Identifier: MIT
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = BUILD = None
EXPECTED = ('bin/spcc', 'include/spcc.h', 'libspcc.so', 'libspcc.a', 'pkgconfig/spcc.pc', 'cmake/spcc/spcc-config.cmake',
            'cmake/spcc/spcc-config-version.cmake', 'man/man1/spcc.1', 'completions/spcc',
            'site-functions/_spcc', 'vendor_completions.d/spcc.fish')
COMPILERS = {'C': ['cc', '-std=c11'], 'C++': ['c++', '-std=c++17', '-x', 'c++']}
WARNINGS = ['-Wall', '-Wextra', '-Werror', '-pedantic']
SANITIZED = os.environ.get('SPCC_SANITIZED')
ENGINES = {'cc': '2', 'interpreter': '3', **({'clang': '1'} if os.environ.get('SPCC_HAS_CLANG') else {})}


# It takes the version that is there, and none of another major number.
CMAKE_PROJECT = '''
cmake_minimum_required(VERSION 3.10)
project(application C CXX)
find_package(spcc 99 QUIET)
if(spcc_FOUND)
    message(FATAL_ERROR "version 99 is not there")
endif()
find_package(spcc REQUIRED)
find_package(spcc ${spcc_VERSION} EXACT REQUIRED)
add_executable(shared install_app.c)
target_link_libraries(shared spcc::spcc)
add_executable(archive install_app.cpp)
target_link_libraries(archive spcc::static)
'''


def call(command, **options):
    """What it prints; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f'{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}')
    return done.stdout


def need(*programs):
    lack = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(lack, f'no {", ".join(lack)}')


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='spcc install ')
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.environment = dict(os.environ, DESTDIR=cls.folder, HOME=cls.folder, XDG_CACHE_HOME=cls.folder + '/cache')
        call(['meson', 'install', '-C', BUILD, '--no-rebuild'], env=cls.environment)
        cls.files = [os.path.join(at, name) for at, _, names in os.walk(cls.folder) for name in names]

    def installed(self, end):
        found = [path for path in self.files if path.endswith('/' + end)]
        self.assertEqual(len(found), 1, (end, found))
        return found[0]

    def pkg_config(self, *words):
        environment = dict(self.environment, PKG_CONFIG_PATH=os.path.dirname(self.installed('pkgconfig/spcc.pc')))
        text = call(['pkg-config', *words, 'spcc'], env=environment)
        return [re.sub(r'\\(.)', r'\1', word) for word in re.findall(r'(?:\\.|\S)+', text)]

    def test_files(self):
        for end in EXPECTED:
            self.installed(end)
        self.assertEqual([path for path in self.files if path.endswith(('.o', '.c', '.h', '.a'))
                          and not path.endswith(('/spcc.h', '/libspcc.a'))], [])

    def test_program(self):
        done = subprocess.run([self.installed('bin/spcc'), 'y(i) = x(i)'], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))

    @unittest.skipUnless('clang' in ENGINES, 'no Clang in process')
    def test_program_finds_its_plugin(self):
        # Not by the path that it was configured for: nothing is there.
        text = call([self.installed('bin/spcc'), 'run', 'y = 1 + 1', '--jit=clang', '-o', 'y:-'], env=self.environment)
        self.assertEqual(text.split(), ['2'])

    def build_and_run(self, language, words, environment):
        program = os.path.join(self.folder, 'application')
        source = os.path.join(SOURCE, 'tests', 'cli', 'install_app.c')
        call([*COMPILERS[language], *WARNINGS, *self.pkg_config('--cflags'), source, '-o', program, '-x', 'none', *words])
        for engine, number in ENGINES.items():
            self.assertEqual(call([program, number], env=environment), '2 4 6\n', (language, engine))
        return program

    @need('pkg-config', 'cc', 'c++')
    @unittest.skipIf(SANITIZED, 'a sanitized library wants a sanitized program')
    def test_shared_library(self):
        for language in COMPILERS:
            self.build_and_run(language, self.pkg_config('--libs'), self.environment)

    @need('pkg-config', 'cc', 'c++', 'readelf')
    @unittest.skipIf(SANITIZED, 'a sanitized library wants a sanitized program')
    def test_static_library(self):
        # Only spcc itself is taken from an archive; it needs a loader for its compilers.
        words = ['-l:libspcc.a' if word == '-lspcc' else word for word in self.pkg_config('--libs', '--static')]
        plugin = [path for path in self.files if path.endswith('/spcc_clang.so')]
        environment = dict(self.environment, **({'SPCC_CLANG_PLUGIN': plugin[0]} if plugin else {}))
        for language in COMPILERS:
            program = self.build_and_run(language, words, environment)
            self.assertNotIn('libspcc', call(['readelf', '-d', program]))

    @need('cmake', 'cc', 'c++')
    @unittest.skipIf(SANITIZED, 'a sanitized library wants a sanitized program')
    def test_cmake(self):
        project = os.path.join(self.folder, 'cmake project')
        os.mkdir(project)
        source = os.path.join(SOURCE, 'tests', 'cli', 'install_app.c')
        shutil.copy(source, project)
        shutil.copy(source, os.path.join(project, 'install_app.cpp'))
        with open(os.path.join(project, 'CMakeLists.txt'), 'w', encoding='utf-8') as file:
            file.write(CMAKE_PROJECT)
        prefix = os.path.dirname(os.path.dirname(self.installed('bin/spcc')))
        call(['cmake', '-S', project, '-B', project + '/build', '-DCMAKE_PREFIX_PATH=' + prefix], env=self.environment)
        call(['cmake', '--build', project + '/build'], env=self.environment)
        for program in ('shared', 'archive'):
            self.assertEqual(call([f'{project}/build/{program}', ENGINES['interpreter']], env=self.environment), '2 4 6\n')

    @need('nm')
    def test_static_library_has_no_other_names(self):
        names = [line.split()[-1] for line in call(['nm', '-g', '--defined-only', self.installed('libspcc.a')]).splitlines()
                 if re.match(r'[0-9a-f]+ ', line)]
        names = [name for name in names if not re.search('asan|ubsan|tsan|sancov', name)]
        with open(os.path.join(SOURCE, 'tests', 'api', 'symbols.txt'), encoding='utf-8') as file:
            self.assertEqual(sorted(names), sorted(file.read().split()))

    @need('cc')
    def test_pasted_function(self):
        application = os.path.join(self.folder, 'pasted')
        os.mkdir(application)
        shutil.copy(os.path.join(SOURCE, 'examples', 'paste', 'main.c'), application)
        for file in ('spmv.c', 'spmv.h'):
            call([self.installed('bin/spcc'), 'y(i) = A(i,j) * x(j)', '-f', 'A:csr', '--name=spmv', '-o', file],
                 cwd=application, env=self.environment)
        call(['cc', '-std=c11', *WARNINGS, 'main.c', 'spmv.c', '-o', 'main'], cwd=application)
        self.assertEqual(call(['./main'], cwd=application), '15 0 11\n')

    def test_prefix_is_in_one_file(self):
        """Another prefix compiles no file anew, but the one that includes the header with the paths."""
        with open(os.path.join(BUILD, 'compile_commands.json'), encoding='utf-8') as file:
            commands = [entry['command'] for entry in json.load(file)]
        place = json.loads(call(['meson', 'introspect', '--buildoptions', BUILD]))
        prefix = next(option['value'] for option in place if option['name'] == 'prefix')
        self.assertEqual([command for command in commands if f'"{prefix}/' in command or f'={prefix}/' in command], [])
        including = [path for path in sources() if 'installed_paths.h' in read(path)]
        self.assertEqual([os.path.relpath(path, SOURCE) for path in including], ['runtime/jit/installed.c'])


    def test_prefix_links_no_tests(self):
        """Another prefix links anew what is installed and nothing else."""
        text = call(['ninja', '-C', BUILD, '-t', 'query', 'runtime/jit/libspcc_installed.a'])
        users = {word for word in text.split('outputs:')[1].split() if not word.startswith(('all', 'libspcc.so.'))}
        self.assertEqual(users - {'libspcc.a'}, {'spcc'})


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def sources():
    for room in ('cli', 'compiler', 'include', 'levels', 'runtime', 'schedules'):
        for at, _, names in os.walk(os.path.join(SOURCE, room)):
            yield from (os.path.join(at, name) for name in names if name.endswith(('.c', '.h', '.cpp')))


if __name__ == '__main__':
    BUILD = sys.argv.pop()
    SOURCE = sys.argv.pop()
    unittest.main()
