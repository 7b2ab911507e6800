#!/usr/bin/env python3
"""headers.py - include/spcc.h compiles alone, as C11, C17 and C++17, without a warning, by every compiler here; and so
does the example at its head.

    headers.py INCLUDE_DIRECTORY

SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import subprocess
import sys

COMPILERS = ('gcc', 'clang', 'clang-22')
LANGUAGES = (('c', 'c11'), ('c', 'c17'), ('c++', 'c++17'))
STRICT = ('-Wall', '-Wextra', '-pedantic', '-Werror', '-Wshadow', '-Wconversion', '-Wundef')
# Included twice, and used as a program uses it; zero-initialised structures need no cast in either language.
PROGRAM = b'''#include <spcc.h>
#include <spcc.h>
spcc_status use(spcc_context *cx, spcc_tensor *y);
spcc_status use(spcc_context *cx, spcc_tensor *y)
{
    spcc_binding bindings[1] = {{"y", y}};
    spcc_array array = {&bindings, 1};
    spcc_status status = spcc_eval(cx, "y = 1", bindings, (int)array.length);
    spcc_kernel *kernel = NULL;
    if (status == SPCC_OK)
        status = spcc_run(cx, kernel, y) != SPCC_OK ? spcc_run(cx, kernel, y, bindings[0].tensor, y) : SPCC_OK;
    return status != SPCC_OK ? status : spcc_tensor_write(cx, y, "-");
}
'''


EXAMPLE = '''#include <stdio.h>
#include <spcc.h>
int example(const int64_t *columns);
int example(const int64_t *columns)
{
%s    return 0;
}
'''


def compiles(compiler, language, standard, include, program):
    command = [compiler, '-x', language, '-std=' + standard, *STRICT, '-I', include, '-fsyntax-only', '-']
    return subprocess.run(command, input=program, check=False).returncode == 0


def example(include):
    """The first indented block of the head comment, as a program."""
    with open(os.path.join(include, 'spcc.h'), encoding='utf-8') as text:
        block = re.search(r'\n((?: \*     .*\n)+)', text.read()).group(1)
    return (EXAMPLE % block.replace(' * ', '')).encode()


def main():
    include = sys.argv[1]
    found = [c for c in COMPILERS if shutil.which(c)]
    failures = 0
    for compiler in found:
        for language, standard in LANGUAGES:
            failures += not compiles(compiler, language, standard, include, PROGRAM)
            failures += not compiles(compiler, language, standard, include, example(include))
    print(f'{len(found)} compilers, {failures} failures')
    return 1 if failures or not found else 0


if __name__ == '__main__':
    sys.exit(main())
