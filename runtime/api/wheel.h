/* wheel.h - Python wheels: archives with which pip puts a file beside the package spcc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_WHEEL_H
#define SPCC_API_WHEEL_H

#include "runtime/api/api.h"

/* Is this the name of a wheel? */
bool wheel_is_name(const char *path);

/* Write a wheel that installs the bytes as spcc/packs/NAME.so, where the path ends in
 * NAME-VERSION-PYTHON-ABI-PLATFORM.whl.  SPCC_OK, or an error that was reported. */
spcc_status wheel_write(struct context *cx, const char *path, const void *bytes, size_t n);

#endif
