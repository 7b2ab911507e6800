#!/usr/bin/env bash
# chroot.sh - on a bare Debian and a busy machine: both commands of the README, `meson install`, and an application.
#
#     chroot.sh FOLDER [--minimal] [build] [test] [install] [user]        by hand, as root; wants debootstrap
#
# FOLDER becomes a fresh minbase of Debian 12 (one that is there is used as it is), with this machine's sources of packages.
# In it, while eight processes keep the processors busy (BUSY=n: so many):
#
#     build     ./bootstrap.sh, as nobody, who may install nothing, and as root
#     test      ./bootstrap.sh test, as root
#     install   meson install; pkg-config, the loader, and an application in C and in C++, shared and static
#     user      the two commands for a user who is not root, without a network, in a path with blanks
#
# all of them unless some are named.  --minimal is given to bootstrap.sh.
# SPDX-License-Identifier: MIT
set -euo pipefail
if [ $# = 0 ] || [ "$(id -u)" != 0 ]; then
    sed -n '2,16s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
source=$(cd "$(dirname "$0")/.." && pwd)
root=$1 options='' steps=''
shift
for word in "$@"; do
    case "$word" in
    --minimal) options=--minimal ;;
    *) steps="$steps $word" ;;
    esac
done
steps=${steps:-build test install user}
user_place="/home/user/a path with blanks/spcc"

say() { printf '\n=== %s, %s\n' "$(date -u +%T)" "$*"; }
inside() { chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }

# The first mirror that this machine's apt knows for Debian itself.
mirror() {
    { cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
        sed -nE 's/^URIs: *([^ ]*debian)\/?$/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]*debian)\/? .*/\2/p' | head -n 1
}

make_root() {
    [ ! -x "$root/usr/bin/apt-get" ] || return 0
    say "debootstrap"
    debootstrap --variant=minbase bookworm "$root" "$(mirror)" >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
    rm -f "$root/etc/apt/sources.list"
    cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/" 2>/dev/null ||
        cp /etc/apt/sources.list "$root/etc/apt/"
    cp /usr/share/keyrings/debian-archive-* "$root/usr/share/keyrings/"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# What git knows of the working tree.
copy_source() {
    rm -rf "${root:?}$1" && mkdir -p "$root$1"
    (cd "$source" && git ls-files -z | tar --null -T - -cf -) | tar -xf - -C "$root$1"
}

mounted=()
mount_all() {
    local place
    for place in proc sys dev dev/pts dev/shm; do
        mkdir -p "$root/$place"
        mount --bind "/$place" "$root/$place"
        mounted=("$root/$place" "${mounted[@]}")
    done
}

busy=()
leave() {
    local one
    for one in "${busy[@]}"; do kill "$one" 2>/dev/null || true; done
    for one in "${mounted[@]}"; do umount -l "$one" || true; done
}
trap leave EXIT

be_busy() {
    for _ in $(seq "${BUSY:-8}"); do
        nice -n "${NICE:-0}" sh -c 'while :; do :; done' &
        busy+=($!)
    done
}

# Packages are missing, and nobody may install them: the line to run, and status 3.
step_refusal() {
    local said status=0
    [ ! -x "$root/usr/bin/gcc" ] || return 0
    say "as nobody, on a bare system: ./bootstrap.sh"
    inside chown -R nobody /src/spcc
    said=$(chroot --userspec=nobody "$root" env -i PATH=/usr/bin:/bin sh -c "cd /src/spcc && ./bootstrap.sh" 2>&1) ||
        status=$?
    echo "$said"
    inside chown -R root /src/spcc
    [ "$status" = 3 ] && grep -q 'apt-get install .* meson' <<<"$said"
}

step_build() {
    copy_source /src/spcc
    step_refusal
    say "as root: ./bootstrap.sh"
    inside sh -c "cd /src/spcc && ./bootstrap.sh $options"
}

step_test() {
    say "as root: ./bootstrap.sh test"
    inside sh -c "cd /src/spcc && ./bootstrap.sh $options test"
}

step_install() {
    say "meson install, and applications"
    inside sh -ec "
        cd /src/spcc
        meson install -C build --no-rebuild >build/install.log
        spcc --version
        pkg-config --modversion spcc
        for flags in \"\$(pkg-config --libs spcc)\" \"\$(pkg-config --static --libs spcc | sed s/-lspcc/-l:libspcc.a/)\"; do
            cc -std=c11 \$(pkg-config --cflags spcc) tests/cli/install_app.c -o /tmp/app \$flags
            /tmp/app
            c++ -x c++ \$(pkg-config --cflags spcc) tests/cli/install_app.c -x none -o /tmp/app \$flags
            /tmp/app
        done
        cc \$(pkg-config --cflags spcc) examples/spmv.c -o /tmp/spmv \$(pkg-config --libs spcc) -lm
        /tmp/spmv
        ! ldd /tmp/app | grep libspcc
        ls -l /usr/local/share/man/man1/spcc.1 /usr/local/share/bash-completion/completions/spcc"
}

step_user() {
    inside id user >/dev/null 2>&1 || inside useradd -m user
    copy_source "$user_place"
    inside chown -R user /home/user
    say "as a user, without a network: ./bootstrap.sh and ./bootstrap.sh test"
    unshare -n chroot --userspec=user "$root" env -i PATH=/usr/bin:/bin HOME=/home/user sh -c \
        "cd '$user_place' && ./bootstrap.sh $options && ./bootstrap.sh $options test"
}

make_root
mount_all
be_busy
for step in $steps; do
    "step_$step"
done
say "done:$steps"
