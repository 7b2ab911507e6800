#!/bin/sh
# run.sh - fuzz: a few thousand inputs, always the same ones, or others each time for as many seconds as are asked.
#
#     run.sh SOURCE BUILD [SECONDS [TARGET...]]
#
# All targets, or fuzz_TARGET and so on, as many at a time as there are processors, each for SECONDS.  BUILD is made if it
# is not there: clang, libFuzzer, ASan and UBSan.  What is found stays in BUILD/found, and what was learnt in BUILD/corpus.
# SPDX-License-Identifier: MIT
set -eu

# fuzz_one TARGET: by the variables that are exported below.  255 ends xargs.
fuzz_one() {
    name=${1#fuzz_}
    seeds=$source/tests/fuzz/corpus/$name
    corpus=$build/corpus/$name
    mkdir -p "$corpus"
    [ -d "$seeds" ] || seeds=
    [ "$name" = object ] && longest=4096 || longest=600      # a header and sections' names take their room
    dictionary=$source/tests/fuzz/$name.dict
    [ -f "$dictionary" ] && dictionary=-dict=$dictionary || dictionary=
    # shellcheck disable=SC2086 # absent words are to vanish
    "$build/tests/fuzz/$1" $limit -timeout=300 -rss_limit_mb=4096 -max_len=$longest -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$build/found/$name-" $dictionary "$corpus" $seeds 2>"$build/$name.log" ||
        { tail -60 "$build/$name.log"; exit 255; }
    echo "$1 $limit: $(sed -n 's/.*number_of_executed_units: */units /p' "$build/$name.log")"
}
if [ "$1" = --one ]; then
    fuzz_one "$2"
    exit
fi

source=$1 build=$2 limit="-seed=1 -runs=${RUNS:-3000}"
shift 2
if [ $# -gt 0 ]; then
    limit="-seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ') -max_total_time=$1"
    shift
fi

for cc in clang-22 clang clang-19 clang-14; do
    command -v "$cc" >/dev/null 2>&1 || continue
    probe=$(mktemp -d)
    echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { (void)d; return n < 0; }' >"$probe/probe.c"
    if "$cc" -fsanitize=fuzzer,address "$probe/probe.c" -o "$probe/probe" 2>/dev/null; then
        rm -r "$probe"
        found=$cc
        break
    fi
    rm -r "$probe"
done
if [ -z "${found:-}" ]; then
    echo "skipped: no clang with libFuzzer"
    exit 77
fi

if [ ! -f "$build/build.ninja" ]; then
    CC=$found meson setup "$build" "$source" -Dfuzz=true -Dclang=disabled -Db_sanitize=address,undefined \
        -Db_lundef=false -Dbuildtype=debugoptimized >"$build.log" 2>&1 ||
        { cat "$build.log"; exit 1; }
fi
if [ $# -gt 0 ]; then
    targets=$(printf 'fuzz_%s ' "$@")
else
    targets=$(cd "$source/tests/fuzz" && ls fuzz_*.c | sed 's/\.c$//')
fi
# shellcheck disable=SC2086 # one word a target
ninja -C "$build" $(printf 'tests/fuzz/%s ' $targets) >"$build.log" 2>&1 || { tail -40 "$build.log"; exit 1; }

mkdir -p "$build/found"
export source build limit
# shellcheck disable=SC2086 # one word a target
printf '%s\n' $targets | xargs -P "$(nproc)" -n 1 "$0" --one
