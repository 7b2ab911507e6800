/* diag.h - diagnostics: what is wrong, where, why, and what to do about it.
 *
 * Passes report and go on, so that one run shows every mistake.  A diagnostic points into a source
 * text by a span; rendering draws the line with a caret under it:
 *
 *     error[E203]: j indexes a mode of size 3 here and of size 4 there
 *       y(i) = A(i,j) * x(j)
 *                         ^
 *       note: A(i,j) gives it the size 3
 *       help: ...
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_BASE_DIAG_H
#define SPCC_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

struct context;
struct text;

/* A piece of user text that spans point into: the statement, a schedule, a format, a file. */
struct source {
    const char *name; /* "expression", "schedule", "format of A", a file's name */
    const char *text;
};

/* Bytes [begin, end) of source->text.  source may be NULL: no place. */
struct span {
    const struct source *source;
    int begin, end;
};

/* From the start of a to the end of b; both in the same source. */
struct span span_join(struct span a, struct span b);

/* Stable codes, one an error a user can make: CODE, number, meaning.
 *   1xx  syntax            2xx  names, orders, types, sizes     3xx  formats
 *   4xx  schedules         5xx  cannot be lowered               6xx  files, tensors
 *   7xx  the machine       9xx  a bug of ours
 * What is worth saying although nothing is wrong has none. */
enum diag_code {
    DIAG_REMARK = 0, /* no error */
#define DIAG(name, number, meaning) DIAG_##name = number,
#include "compiler/base/diag.def"
#undef DIAG
};

struct diag {
    enum diag_code code;
    struct span span;
    const char *message; /* one sentence, no full stop */
    const char *note[4]; /* facts that explain it */
    /* a remedy, or NULL.  What the user of the library sets it names, {index 64}, for the user to
     * spell (runtime/api/settings.def) */
    const char *help;
};

struct diag_list {
    struct diag *at;
    size_t n, capacity;
};

/* Adds an error.  The pointer is good until the next one is added. */
struct diag *diag_error(struct context *cx, enum diag_code code, struct span span,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Adds a remark, which is no error, unless it is there already. */
void diag_remark(struct context *cx, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_note(struct context *cx, struct diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_help(struct context *cx, struct diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes one diagnostic as in the drawing above. */
void diag_print(struct text *out, const struct diag *diag);

/* Returns all of the context's diagnostics, rendered, in the arena; "" if there are none. */
const char *diag_render(struct context *cx);

#endif
