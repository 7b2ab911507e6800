/* error.c - the texts of statuses.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/jit/error.h"

#include <stdarg.h>
#include <stdio.h>

enum jit_status error_set(char **error, enum jit_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (vasprintf(error, format, args) < 0)
        *error = NULL;
    va_end(args);
    return status;
}
