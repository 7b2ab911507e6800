#!/bin/sh
# archive.sh - the static library: one object whose only global names are those of the C API.
#
#     archive.sh OUT.a IN.a IN.a COMPILER...
#
# What the shared library's visibility does at run time is done here for a program's linker: names that are hidden become
# local, so that they cannot clash with the program's own.
# SPDX-License-Identifier: MIT
set -eu
out=$1 core=$2 installed=$3
shift 3
"$@" -r -nostdlib -o "$out.o" -Wl,--whole-archive "$core" "$installed" -Wl,--no-whole-archive
objcopy --localize-hidden "$out.o"
rm -f "$out"
ar rcs "$out" "$out.o"
rm "$out.o"
