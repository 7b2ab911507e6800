/* wheel.h - writes Python wheels: archives by which pip puts a file beside the package spcc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_WHEEL_H
#define SPCC_API_WHEEL_H

#include "runtime/api/api.h"

/* Is this the name of a wheel? */
bool wheel_is_name(const char *path);

/* Writes a wheel that installs the bytes as spcc/packs/NAME.so; the path ends in
 * NAME-VERSION-PYTHON-ABI-PLATFORM.whl.  Returns SPCC_OK, or the status of an error that was
 * reported. */
spcc_status wheel_write(struct context *cx, const char *path, const void *bytes, size_t n);

#endif
