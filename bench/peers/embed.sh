#!/bin/sh
# embed.sh - the files as C: their names and texts, one after the other, up to a name that is NULL.
#
#     embed.sh FILE... > OUT
#
# SPDX-License-Identifier: MIT
set -e
echo '#include "cli/bench/peers.h"'
echo 'const struct bench_text bench_texts[] = {'
for file; do
    echo "    {\"$(basename "$file")\","
    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/     "&\\n"/' "$file"
    echo '     ""},'
done
echo '    {0, 0}};'
