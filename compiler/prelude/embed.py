#!/usr/bin/env python3
"""embed.py - the definitions in files of imperative IR as a table in C.

    embed.py OUTPUT.c FILE.ir ...

A definition reaches from the comment above it to a line that is a brace; what else is in the files is
for those who read them.
SPDX-License-Identifier: MIT
"""
import os
import re
import sys

DEFINITION = re.compile(r'(?:^//.*\n)*^\w+ (\w+)[<(][^\n]*\{\n(?:.*\n)*?\}\n', re.M)


def c_string(text):
    lines = (line.replace('\\', '\\\\').replace('"', '\\"') for line in text.splitlines())
    return '\n'.join(f'     "{line}\\n"' for line in lines)


def main(output, *paths):
    entries = []
    for path in sorted(paths, key=os.path.basename):
        with open(path, encoding='utf-8') as file:
            for found in DEFINITION.finditer(file.read()):
                entries.append(f'    {{"{found[1]}",\n{c_string(found[0])}}},\n')
    with open(output, 'w', encoding='utf-8') as file:
        file.write(f'/* {os.path.basename(output)} - made by compiler/prelude/embed.py. */\n'
                   '#include "compiler/prelude/prelude.h"\n\n'
                   'static const struct imp_definition definition[] = {\n' + ''.join(entries) + '};\n\n'
                   f'const struct imp_library prelude = {{definition, {len(entries)}}};\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
