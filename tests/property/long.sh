#!/bin/sh
# long.sh - the long run of random statements, by hand or by night: 20,000 interpreted, 2,000 by each C compiler.
#
#     long.sh BUILD [SEED]
# SPDX-License-Identifier: MIT
set -eu
build=$1 seed=${2:-$(date +%s)}
statements=$build/tests/property/property_statements
plugin=$build/runtime/jit/spcc_clang.so
echo "seed $seed"
status=0
"$statements" --seed "$seed" --count 20000 --failures 20 || status=1
"$statements" --seed "$seed" --count 2000 --failures 20 --engine cc --flags '-Wall -Wextra -Werror' || status=1
"$statements" --seed "$seed" --count 2000 --failures 20 --engine cc --flags '-O3 -march=native' || status=1
if [ -e "$plugin" ]; then
    "$statements" --seed "$seed" --count 2000 --failures 20 --engine clang || status=1
fi
exit $status
