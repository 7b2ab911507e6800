#!/usr/bin/env python3
"""headers.py - include/spcc.h compiles alone, as C11, C17 and C++17, without a warning, by every compiler here.

    headers.py INCLUDE_DIRECTORY

SPDX-License-Identifier: MIT
"""
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
    return status != SPCC_OK ? status : spcc_tensor_write(cx, y, "-");
}
'''


def main():
    found = [c for c in COMPILERS if shutil.which(c)]
    failures = 0
    for compiler in found:
        for language, standard in LANGUAGES:
            command = [compiler, '-x', language, '-std=' + standard, *STRICT, '-I', sys.argv[1], '-fsyntax-only', '-']
            failures += subprocess.run(command, input=PROGRAM, check=False).returncode != 0
    print(f'{len(found)} compilers, {failures} failures')
    return 1 if failures or not found else 0


if __name__ == '__main__':
    sys.exit(main())
