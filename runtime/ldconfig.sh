#!/bin/sh
# ldconfig.sh - once all is installed by root: the loader's cache anew, so that it finds the library where it looks.
# SPDX-License-Identifier: MIT
if [ "$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then
    ldconfig
fi
