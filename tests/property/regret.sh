#!/bin/sh
# regret.sh - the plans of many statements against all that was weighed for them, by hand or by night.
#
#     regret.sh BUILD [SEED [COUNT [JOBS]]]
#
# SPDX-License-Identifier: MIT
set -eu
build=$1 seed=${2:-$(date +%s)} count=${3:-400} jobs=${4:-$(nproc)}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
echo "seed $seed"
shard=0 pids=
while [ "$shard" -lt "$jobs" ]; do
    "$build/tests/property/regret" --seed "$((seed + shard))" --count "$((count / jobs))" >"$logs/$shard" 2>&1 &
    pids="$pids $!" shard=$((shard + 1))
done
status=0
for pid in $pids; do wait "$pid" || status=1; done
cat "$logs"/*
exit $status
