#!/usr/bin/env bash
# bootstrap.sh - from a bare Debian 12 to a built and tried spcc.
#
#     ./bootstrap.sh          install what is missing, build into ./build, run y = A x on a real matrix
#     ./bootstrap.sh test     the same, then all tests, and again under ASan and UBSan
#
# Packages are installed with apt only if some are missing, so that it works without a network once they are
# there.  LLVM and Clang 22 (from Debian's security suite) and OpenMP are optional: spcc builds without.
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$(dirname "$0")"

needed=(gcc g++ libc6-dev meson ninja-build pkg-config libcmocka-dev zlib1g-dev python3)
optional=(llvm-22-dev libclang-22-dev libclang-cpp22-dev clang-22 libclang-rt-22-dev)
openmp=(libomp5-19 libomp5-14)

say() { printf '\n== %s\n' "$*"; }

is_installed() { [ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = "install ok installed" ]; }

missing() {
    local package
    for package in "$@"; do
        is_installed "$package" || printf '%s\n' "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

may_install() { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

is_available() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# A clang for the second-compiler tests: 22 where there is one, else Debian's own.
choose_optional() {
    local package wanted=()
    for package in $(missing "${optional[@]}"); do
        if is_available "$package"; then wanted+=("$package"); fi
    done
    if ! command -v clang-22 >/dev/null && ! is_available clang-22 && ! is_installed clang; then
        wanted+=(clang)
    fi
    if [ "$(missing "${openmp[@]}" | wc -l)" = "${#openmp[@]}" ]; then
        for package in "${openmp[@]}"; do
            if is_available "$package"; then wanted+=("$package"); break; fi
        done
    fi
    printf '%s\n' ${wanted+"${wanted[@]}"}
}

install_packages() {
    local required wanted
    mapfile -t required < <(missing "${needed[@]}")
    mapfile -t wanted < <(missing "${optional[@]}")
    if [ "${#required[@]}" = 0 ] && [ "${#wanted[@]}" = 0 ]; then
        return
    fi
    if ! command -v apt-get >/dev/null || ! may_install; then
        if [ "${#required[@]}" = 0 ]; then return; fi
        echo "bootstrap.sh: please install: ${required[*]}" >&2
        exit 3
    fi
    say "installing packages"
    as_root apt-get update -q || echo "bootstrap.sh: no fresh package lists; going on with what there is" >&2
    if [ "${#required[@]}" != 0 ]; then
        apt_install "${required[@]}"
    fi
    mapfile -t wanted < <(choose_optional | sed '/^$/d')
    if [ "${#wanted[@]}" != 0 ]; then
        apt_install "${wanted[@]}" || echo "bootstrap.sh: going on without ${wanted[*]}" >&2
    fi
}

# build FOLDER [meson's options]
build() {
    local folder=$1
    shift
    if [ -f "$folder/build.ninja" ]; then
        meson configure "$folder" "$@" >/dev/null
    else
        meson setup "$folder" "$@"
    fi
    ninja -C "$folder"
}

# The main job: y = A x, with a real matrix and x = (1, 1, ...).
try_it() {
    say "y = A x on a real matrix"
    ./build/spcc run "y(i) = A(i,j) * x(j)" -f A:csr -i A:tests/data/ldg_diffusion.mtx.gz \
        -i x:@ones -o y:- >build/y.tns
    head -n 5 build/y.tns
    echo "... $(wc -l <build/y.tns) components in all, in build/y.tns"
}

# run_tests FOLDER: all its tests; what came of each is in the folder's testlog.json.
run_tests() {
    rm -f "$1/meson-logs/testlog.json"
    meson test -C "$1" --no-rebuild --print-errorlogs || failed=1
}

# The closing line, from all the logs.
count_tests() {
    python3 - "$@" <<'END'
import json, sys
results = [json.loads(line)['result'] for log in sys.argv[1:] for line in open(log)]
passed = sum(result in ('OK', 'EXPECTEDFAIL') for result in results)
skipped = results.count('SKIP')
tail = f', {skipped} skipped' if skipped else ''
print(f'{passed} passed, {len(results) - passed - skipped} failed{tail}')
sys.exit(passed == 0 or len(results) != passed + skipped)
END
}

# A compiler that has libFuzzer and the sanitizers, if there is one.
hostile_compiler() {
    local cc
    for cc in clang-22 clang; do
        if command -v "$cc" >/dev/null && echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n)
            { return p && n > 1 && p[1] == 0; }' |
            "$cc" -x c - -fsanitize=fuzzer,address,undefined -o /dev/null 2>/dev/null; then
            echo "$cc"
            return
        fi
    done
}

# The second build is the one that the test `fuzz` of the first would make for itself.
test_all() {
    local folders=(build) failed=0 folder cc hostile=build/fuzz
    cc=$(hostile_compiler)
    if [ -n "$cc" ]; then
        say "building for ASan, UBSan and the fuzzers, with $cc"
        CC=$cc CXX=${cc/clang/clang++} build "$hostile" -Dfuzz=true -Db_sanitize=address,undefined -Dclang=disabled
        folders+=("$hostile")
    else
        say "no clang with libFuzzer: no tests under ASan and UBSan"
    fi
    for folder in "${folders[@]}"; do
        say "the tests in $folder"
        run_tests "$folder"
    done
    count_tests "${folders[@]/%//meson-logs/testlog.json}" || failed=1
    return "$failed"
}

case "${1-}" in
"" | test) ;;
*)
    echo "usage: ./bootstrap.sh [test]" >&2
    exit 2
    ;;
esac
install_packages
say "building"
build build
try_it
if [ "${1-}" = test ]; then
    test_all
fi
