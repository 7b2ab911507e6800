/* status.h - how functions of the runtime fail: a plain status, and a text that says what is wrong
 * and where.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TENSOR_STATUS_H
#define SPCC_TENSOR_STATUS_H

#include "compiler/base/diag.h"

enum rt_status {
    RT_OK,
    RT_INPUT, /* what was given is wrong: a file, arrays, sizes */
    RT_NO_MEMORY,
    RT_SYSTEM, /* the machine refused: a full disk, a read error */
};

enum { RT_MESSAGE = 1024, RT_HELP = 256 };

/* Set by a function that returns another status than RT_OK; the texts are one sentence without a
 * full stop. */
struct rt_error {
    enum rt_status status;
    enum diag_code code;
    char message[RT_MESSAGE]; /* "A: level 2 (compressed): ...", "x.mtx:3:7: ..." */
    char help[RT_HELP];       /* a remedy, or "" */
};

/* Write the error, unless it is NULL, and return its status. */
enum rt_status rt_fail(struct rt_error *error, enum rt_status status, enum diag_code code,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
enum rt_status rt_no_memory(struct rt_error *error);

/* Adds a remedy to the error just written, unless it is NULL. */
void rt_help(struct rt_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
