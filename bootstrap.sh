#!/usr/bin/env bash
# bootstrap.sh - from a bare Debian 12 to a built, tried and tested spcc.
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$(dirname "$0")"

usage() {
    cat <<'END'
usage: ./bootstrap.sh [--minimal] [test [all]]

  ./bootstrap.sh            install what is missing, build into ./build, run y = A x on a real matrix
  ./bootstrap.sh test       the same, then a thorough slice of the tests: some minutes
  ./bootstrap.sh test all   the same, then the rest: the long tests, ASan and UBSan, fuzzing, threads under TSan
                            (the slice itself is not repeated if it has passed and nothing has changed since)

  --minimal                 without LLVM: the system's C compiler alone, to build spcc and to compile kernels
  --help                    this text

Missing packages are installed with apt-get, as root or through sudo, after a line that says how much that is;
otherwise the command to run is printed, and the status is 3 if spcc cannot be built without.  With nothing missing
no network is needed.  What the steps print goes to build/bootstrap.log, and is shown if they fail.
END
}

needed=(gcc g++ libc6-dev meson ninja-build pkg-config libcmocka-dev zlib1g-dev python3)
# To compile kernels inside the process, and for the tests by a second compiler, with libFuzzer, of the sources' form.
optional=(llvm-22-dev libclang-22-dev libclang-cpp22-dev clang-22 libclang-rt-22-dev clang-format-14)
# To read .bz2, .xz and .zst files.
optional+=(libbz2-dev liblzma-dev libzstd-dev)
# To build the Python package, and test it.
optional+=(python3-dev python3-scipy python3-pytest)

say() { printf '== %s\n' "$*"; }
complain() { printf 'bootstrap.sh: %s\n' "$*" >&2; }

# quietly COMMAND...: what it prints goes to the log, and is shown if it fails.
quietly() {
    local before
    before=$(wc -l <"$log")
    "$@" </dev/null >>"$log" 2>&1 && return
    tail -n "+$((before + 1))" "$log" | tail -n 60 >&2
    complain "failed: $* (all of it: $log)"
    return 1
}

# ---- packages ----

is_installed() { [ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = "install ok installed" ]; }

missing() {
    local package
    for package in "$@"; do
        is_installed "$package" || printf '%s\n' "$package"
    done
}

may_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

is_available() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# LLVM's OpenMP, for the threads of kernels: one version of it can be installed, and any will do.
has_openmp() {
    local version
    for version in {14..30}; do
        if is_installed "libomp-$version-dev"; then return 0; fi
    done
    return 1
}

missing_optional() {
    missing "${optional[@]}"
    if ! has_openmp; then echo libomp-22-dev; fi
}

# Of the optional packages those that can be had; Debian's own clang and OpenMP where there are none of 22.
choose_optional() {
    local package
    for package in $(missing_optional); do
        if is_available "$package"; then printf '%s\n' "$package"; fi
    done
    if ! has_openmp && ! is_available libomp-22-dev && is_available libomp-dev; then
        echo libomp-dev
    fi
    if ! command -v clang-22 >/dev/null && ! is_available clang-22 && ! is_installed clang && is_available clang; then
        echo clang
    fi
}

# What installing these packages comes to, with all that they need.
sizes() {
    local all
    all=$(apt-get -s -qq install --no-install-recommends "$@" 2>/dev/null | sed -n 's/^Inst \([^ ]*\).*/\1/p')
    # shellcheck disable=SC2086 # one word a package
    apt-cache show --no-all-versions $all 2>/dev/null | awk '
        /^Package:/ { n++ } /^Size:/ { get += $2 } /^Installed-Size:/ { disk += $2 }
        END { printf "%d packages, %.0f MB to download, %.0f MB on disk", n, get / 1e6, disk * 1024 / 1e6 }'
}

apt_install() {
    say "installing $*: $(sizes "$@")"
    quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

apt_line() { echo "    apt-get update && apt-get install --no-install-recommends $*"; }

# Nobody here may install anything: say what would be.
tell_missing() {
    local -n lacks=$1 would_help=$2
    if [ "${#lacks[@]}" != 0 ]; then
        complain "these packages are missing; as root, run"
        apt_line "${lacks[@]}" >&2
    fi
    if [ "${#would_help[@]}" != 0 ]; then
        complain "for Clang inside the process, all compressed files and the Python package, which are not needed" \
            "(the C compiler compiles kernels then, and .gz is read), run"
        apt_line "${would_help[@]}" >&2
    fi
    if [ "${#lacks[@]}" != 0 ]; then exit 3; fi
}

install_packages() {
    local required wanted=()
    mapfile -t required < <(missing "${needed[@]}")
    if [ -z "$minimal" ]; then mapfile -t wanted < <(missing_optional); fi
    if [ "${#required[@]}" = 0 ] && [ "${#wanted[@]}" = 0 ]; then return; fi
    if ! may_install; then
        tell_missing required wanted
        return
    fi
    say "reading package lists"
    quietly as_root apt-get update -q -o Acquire::Retries=1 ||
        complain "no fresh package lists; going on with what there is"
    if [ "${#required[@]}" != 0 ]; then apt_install "${required[@]}"; fi
    if [ -z "$minimal" ]; then mapfile -t wanted < <(choose_optional); fi
    if [ "${#wanted[@]}" = 0 ]; then return; fi
    say "to compile kernels inside the process, read all compressed files, and build and test the Python package" \
        "(--minimal does without):"
    apt_install "${wanted[@]}" || complain "going on without ${wanted[*]}"
}

# ---- building ----

# configure FOLDER OPTION...: the options are Meson's.
configure() {
    local folder=$1 how=setup
    shift
    if [ -f "$folder/build.ninja" ]; then how=configure; fi
    quietly meson "$how" "$folder" "$@"
}

build() {
    if [ -t 1 ]; then
        ninja -C build # one line that changes, and what compilers complain of
    else
        quietly ninja -C build
    fi
}

# The main job: y = A x, with a real matrix and x = (1, 1, ...).
try_it() {
    say "y = A x on a real matrix"
    ./build/spcc run "y(i) = A(i,j) * x(j)" -f A:csr -i A:tests/data/ldg_diffusion.mtx.gz \
        -i x:@ones -o y:- >build/y.tns
    head -n 3 build/y.tns
    echo "... $(wc -l <build/y.tns) components in all, in build/y.tns"
}

tell_next() {
    say "next"
    cat <<END
  the program is       $PWD/build/spcc
  onto the path        export PATH="$PWD/build:\$PATH"
  the tutorial         docs/tutorial.md
  the tests            ./bootstrap.sh ${minimal:+--minimal }test
  to install it        meson install -C build         below /usr/local, as root; elsewhere: docs/install.md
END
}

# ---- tests ----

# In a log: what is not good, and of the rest, steps of building and good results, a line every ten seconds.
tersely() {
    local line good='^ *[0-9]+/[0-9]+ .* (OK|SKIP|EXPECTEDFAIL) +[0-9.]+s|^\[[0-9]+/[0-9]+\] ' said=$SECONDS
    local totals='^(Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout):|^Full log written|^ninja: |^$'
    while IFS= read -r line; do
        if [[ $line =~ $totals ]] || { [[ $line =~ $good ]] && [ $((SECONDS - said)) -lt 10 ]; }; then continue; fi
        printf '%s\n' "$line"
        said=$SECONDS
    done
}

# run_tests FOLDER SETUP [SUITE]: first builds what these tests run.  What came of each is in the log that count_tests
# reads.
run_tests() {
    local folder=$1 setup=$2 suite=${3-} command
    say "tests in $folder: $setup"
    command=(meson test -C "$folder" --print-errorlogs --setup "$setup")
    if [ -n "$suite" ]; then command+=(--suite "$suite"); fi
    logs+=("$folder/meson-logs/testlog-$setup.json")
    rm -f "$folder/meson-logs/testlog-$setup".*
    if [ -t 1 ]; then
        "${command[@]}" --quiet || failed=1
    else
        PYTHONUNBUFFERED=1 "${command[@]}" 2>&1 | tersely || failed=1 # into a pipe, Python keeps what it prints
    fi
}

# The closing lines, from all the logs.
count_tests() {
    python3 - "$@" <<'END'
import json, os, sys
tests = [json.loads(line) for log in sys.argv[1:] if os.path.exists(log) for line in open(log)]
results = [test['result'] for test in tests]
late = [test['name'] for test in tests if test['result'] == 'TIMEOUT']
if late:
    print('timed out:', ', '.join(late))
passed = sum(result in ('OK', 'EXPECTEDFAIL') for result in results)
skipped = results.count('SKIP')
tail = f', {skipped} skipped' if skipped else ''
print(f'{passed} passed, {len(results) - passed - skipped} failed{tail}')
sys.exit(passed == 0 or len(results) != passed + skipped)
END
}

# Something has changed since the slice passed in this folder.
slice_is_stale() {
    [ ! -f build/slice-passed ] || [ -n "$(find . -path ./build -prune -o -path './build-*' -prune -o -path ./.git -prune \
        -o -type f -newer build/slice-passed ! -name '*.pyc' -print -quit)" ]
}

test_slice() {
    rm -f build/slice-passed
    run_tests build slice
    if [ "$failed" = 0 ]; then touch build/slice-passed; fi
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

# Does a program under ThreadSanitizer run here?  Old ones do not where addresses are very random.
has_tsan() {
    echo 'int main(void) { return 0; }' | cc -x c - -fsanitize=thread -o build/tsan-probe 2>/dev/null && build/tsan-probe
}

# The long tests come behind the sanitized build, which is the one that the test `fuzz` among them uses.
test_rest() {
    local cc
    cc=$(hostile_compiler)
    if [ -n "$cc" ]; then
        say "building for ASan, UBSan and the fuzzers, with $cc"
        CC=$cc CXX=${cc/clang/clang++} \
            configure build/fuzz -Dfuzz=true -Db_sanitize=address,undefined -Dclang=disabled
        run_tests build/fuzz sanitized
    else
        say "no clang with libFuzzer: no tests under ASan and UBSan"
    fi
    run_tests build long long
    if has_tsan; then
        say "building for TSan"
        configure build/tsan -Db_sanitize=thread -Dclang=disabled
        run_tests build/tsan threads threads
    else
        say "programs under TSan do not run here: none of its tests"
    fi
}

# ---- main ----

minimal='' tests=''
for word in "$@"; do
    case "$tests$word" in
    --minimal | test--minimal | all--minimal) minimal=yes ;;
    test) tests='test' ;;
    testall) tests=all ;;
    *--help | *-h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
    esac
done
mkdir -p build
log=build/bootstrap.log
: >"$log"
logs=() failed=0
install_packages
say "building (log: $log)"
configure build "-Dclang=$([ -n "$minimal" ] && echo disabled || echo auto)"
build
try_it
if [ "$tests" = test ] || { [ "$tests" = all ] && slice_is_stale; }; then test_slice; fi
if [ "$tests" = all ]; then test_rest; fi
if [ -z "$tests" ]; then
    tell_next
    exit 0
fi
count_tests "${logs[@]}" || failed=1
exit "$failed"
