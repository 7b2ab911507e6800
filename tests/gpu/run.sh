#!/bin/bash
# run.sh - the kernels of tests/golden/cuda on a GPU: checked, sanitized, timed.
#
#     run.sh build FOLDER      where spcc is built (in $BUILD, or build): a program, by nvcc for the
#                              architecture $ARCH (sm_90), and one for the CPU, which stands in for
#                              it; and calls of them, whose results are known
#     run.sh FOLDER            on a machine with a GPU, to which FOLDER was carried, and nothing
#                              else.  Each step has a limit, 8 minutes in all
#
# $OUT, or FOLDER/out, gets a log of each step and gpu.csv; the table comes last.  Nothing of the
# card is set.  Without a GPU, or without nvcc's program, the CPU runs the checks, and it is said.
# Timings are of $ROWS rows (262144, of order 3 a 64th), ten runs each, with a launch's cost.
# Where the driver and NVRTC are, $STATEMENTS statements (100) print what they print without a GPU, and
# $RANDOM_STATEMENTS (2000) of tests/property are right; and spcc bench is beside cuSPARSE, if that is there,
# of inputs with 4 * $ENTRIES entries (2500000): bench.log is the table, bench.csv the figures.
# SPDX-License-Identifier: MIT
here=$(cd "$(dirname "$0")" && pwd)
say() { printf '%4ds  %s\n' "$SECONDS" "$*"; }

# what is missing: a line, and the usage
refuse() {
    say "$1"
    sed -n '2,/^# SPDX/p' "$0" | sed '$d; s/^# \{0,1\}//'
    exit 2
}

build() {
    [ -n "$1" ] || refuse "build takes the folder to build in"
    local folder=$1 tests=$here/.. nvcc
    nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
    mkdir -p "$folder" && cp "$here/run.sh" "$folder" || exit 1
    SPCC_SOURCE=$tests/.. "${BUILD:-$tests/../build}/tests/gpu/test_cuda_goldens" write "$folder" \
        "${ROWS:-262144}" >"$folder/write.log" 2>&1 || { cat "$folder/write.log"; exit 1; }
    grep 'no timing' "$folder/write.log"
    g++ -std=c++17 -O1 -x c++ -include "$here/cuda_on_cpu.h" -I"$here" "$folder/kernels.cu" \
        -o "$folder/on_cpu" || exit 1
    if [ -z "$nvcc" ]; then
        say "there is no nvcc: the program for a GPU is missing"
    else
        "$nvcc" -std=c++17 -arch="${ARCH:-sm_90}" -O3 -fmad=false -lineinfo -Xcompiler -Wno-unused-function \
            -I"$here" "$folder/kernels.cu" -o "$folder/on_gpu" || exit 1
    fi
    local build=${BUILD:-$tests/../build}
    cp "$build/spcc" "$build/tests/property/property_statements" "$here/run_test.py" "$folder" || exit 1
    say "built: $(ls "$folder"/*.result | wc -l) checks, $(ls "$folder"/*.large | wc -l) timings"
}

# Random statements, each twice: so many, in as many processes as there are processors.
run_random() {
    local jobs each pids=() job
    jobs=$(nproc)
    each=$(($2 / jobs + 1))
    for ((job = 0; job < jobs; job++)); do
        "$1/property_statements" --engine gpu --seed $((20001 + job)) --count $each --failures 5 \
            >"$OUT/random-$job.log" 2>&1 &
        pids+=($!)
    done
    for ((job = 0; job < jobs; job++)); do
        wait "${pids[job]}" || { cat "$OUT/random-$job.log"; return 1; }
    done
    awk '/ right, / { right += $1; runs += $(NF - 4) } END { print right, "right,", runs, "runs on the GPU" }' \
        "$OUT"/random-*.log
}

# spcc run with --target=cuda, beside without: by the driver and NVRTC that are there.
run_statements() {
    local missing
    missing=$("$1/spcc" info --gpu 2>&1 | sed -n 's/^gpu *not there: //p')
    if [ -n "$missing" ]; then
        say "statements, bench: left out: $missing"
        return
    fi
    if command -v python3 >/dev/null; then
        step 45 statements python3 "$1/run_test.py" "$1/spcc" "${STATEMENTS:-100}"
    else
        say "statements: left out: there is no Python"
    fi
    step 90 random "$here/run.sh" random "$1" "${RANDOM_STATEMENTS:-2000}"
    step 120 bench "$1/spcc" bench gpu --target=cuda --entries="${ENTRIES:-2500000}" --csv="$OUT/bench.csv"
}

failed=0
# seconds, name, command ...: its output is NAME.log
step() {
    local limit=$1 name=$2
    shift 2
    timeout "$limit" "$@" >"$OUT/$name.log" 2>&1
    local rc=$?
    [ $rc = 0 ] || failed=1
    say "$name: rc $rc; $(grep -v '^$' "$OUT/$name.log" | tail -1 | cut -c1-100)"
}

run() {
    [ -x "$1/on_cpu" ] || refuse "there are no kernels in $1: run.sh build $1 makes them"
    local folder=$1 program=$1/on_cpu checks=() timed=("$1"/*.large)
    export OUT=${OUT:-$folder/out}
    mkdir -p "$OUT" || exit 1
    if [ -x "$folder/on_gpu" ] && nvidia-smi >"$OUT/card.log" 2>&1; then
        program=$folder/on_gpu
        say "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
    else
        say "on this CPU: there is no GPU, or no program for it; one kernel is timed"
        timed=("$folder/spmv_rows.large")
    fi
    for result in "$folder"/*.result; do
        checks+=("${result%.result}.call" "$result")
    done
    step 45 check "$program" check "${checks[@]}"
    run_statements "$folder"
    local sanitizer
    sanitizer=$(command -v compute-sanitizer ||
        ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
    if [ "$program" = "$folder/on_gpu" ] && [ -n "$sanitizer" ]; then
        for tool in memcheck racecheck synccheck; do
            step 30 $tool "$sanitizer" --tool $tool --error-exitcode 9 \
                "$program" check "${checks[@]}"
        done
    else
        say "memcheck, racecheck, synccheck: left out, without a GPU or compute-sanitizer"
    fi
    step 60 time "$program" time "${timed[@]}"
    { echo "kernel,microseconds,bytes,GB/s"; cat "$OUT/time.log"; } >"$OUT/gpu.csv"
    grep -hv ': right$' "$OUT/check.log"
    echo
    awk -F, '{ printf "%-28s %14s %14s %8s\n", $1, $2, $3, $4 }' "$OUT/gpu.csv"
    [ ! -s "$OUT/bench.log" ] || { cat "$OUT/bench.log"; echo; }
    say "$(grep -c ': right$' "$OUT/check.log") of $((${#checks[@]} / 2)) checks right"
    [ $failed = 0 ] || say "a step FAILED"
    return $failed
}

case "$1" in
build) build "$2" ;;
random) run_random "$2" "$3" ;;
'' | -*) refuse "a folder is missing" ;;
*) run "$1" ;;
esac
