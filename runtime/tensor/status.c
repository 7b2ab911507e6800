/* status.c - the texts of errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "compiler/base/printable.h"

enum rt_status rt_fail(struct rt_error *error, enum rt_status status, enum diag_code code,
                       const char *format, ...)
{
    if (!error)
        return status;
    char message[RT_MESSAGE];
    va_list args;
    va_start(args, format);
    error->status = status;
    error->code = code;
    vsnprintf(message, sizeof message, format, args);
    printable(error->message, sizeof error->message, message, false);
    error->help[0] = '\0';
    va_end(args);
    return status;
}

enum rt_status rt_no_memory(struct rt_error *error)
{
    return rt_fail(error, RT_NO_MEMORY, DIAG_LIMIT, "there is not enough memory");
}

void rt_help(struct rt_error *error, const char *format, ...)
{
    if (!error)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(error->help, sizeof error->help, format, args);
    va_end(args);
}
