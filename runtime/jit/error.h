/* error.h - texts that go with a status.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_ERROR_H
#define SPCC_JIT_ERROR_H

#include "runtime/jit/jit.h"

/* Put a formatted text, to free(), into *error (NULL if there is no memory for it) and return
 * status. */
enum jit_status error_set(char **error, enum jit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
