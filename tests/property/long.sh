#!/bin/sh
# long.sh - the long run of random statements, by hand or by night: 50,000, each interpreted and compiled.
#
#     long.sh BUILD [SEED [COUNT [JOBS [MAX_REFUSED]]]]
#
# Shards run side by side, each with its own seed and by turns with Clang and the system's C compiler; every other run of
# the latter is at -O3.  A failure is made smaller and printed; the whole fails if a shard does, or if one refuses more
# than MAX_REFUSED percent.
# SPDX-License-Identifier: MIT
set -eu
build=$1 seed=${2:-$(date +%s)} count=${3:-50000} jobs=${4:-$(nproc)} most=${5:-0.5}
statements=$build/tests/property/property_statements
shards=8
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
echo "seed $seed"

engine_of() {
    if [ $(($1 % 2)) = 1 ] && [ -e "$build/runtime/jit/spcc_clang.so" ]; then
        echo clang
    else
        echo cc
    fi
}

run_shard() {
    engine=$(engine_of "$1") flags='-Wall -Wextra -Werror'
    [ "$engine" = cc ] && [ $(($1 % 4)) = 2 ] && flags='-O3 -march=native'
    [ "$engine" = clang ] && flags=
    status=0
    "$statements" --seed "$((seed + $1))" --count "$((count / shards))" --failures 20 --max-refused "$most" \
        --engine "$engine" --flags "$flags" >"$logs/$1" 2>&1 || status=$?
    echo "$status" >"$logs/$1.status"
}

# One lane of shards a job.
lane=0 lanes=
while [ "$lane" -lt "$jobs" ]; do
    (shard=$lane; while [ "$shard" -lt "$shards" ]; do run_shard "$shard"; shard=$((shard + jobs)); done) &
    lanes="$lanes $!"
    lane=$((lane + 1))
done
for pid in $lanes; do wait "$pid"; done
status=0 shard=0
while [ "$shard" -lt "$shards" ]; do
    echo "== shard $shard, $(engine_of "$shard")"
    cat "$logs/$shard"
    [ "$(cat "$logs/$shard.status")" = 0 ] || status=1
    shard=$((shard + 1))
done
exit $status
