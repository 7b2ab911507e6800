#!/bin/sh
# embed.sh - the files as C: const char bench_text_NAME[], NAME being the file's, with _ for other characters.
#
#     embed.sh FILE... > OUT
#
# SPDX-License-Identifier: MIT
set -e
echo '#include "cli/bench_peers.h"'
for file; do
    name=$(basename "$file" | sed 's/[^A-Za-z0-9]/_/g')
    echo "const char bench_text_$name[] ="
    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/    "&\\n"/' "$file"
    echo '    "";'
done
