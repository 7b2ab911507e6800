/* parse.h - imperative IR from text: what imp_print writes, and helpers with types as parameters.
 *
 * docs/ir.md has the grammar.  Nothing is converted that does not say so: operands have one type,
 * and a number has that of what it is combined with, assigned to or passed for; elsewhere it says
 * its own, as in i64(1).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_TEXT_PARSE_H
#define SPCC_IMPERATIVE_TEXT_PARSE_H

#include "compiler/imperative/builder.h"

/* Returns the kernel that the text ends with, with the helpers before it; NULL after a diagnostic.
 * It keeps the invariants of imp_check.  Its parameters have no roles: what they are to the caller
 * is not in the text. */
const struct imp_function *imp_parse(struct context *cx, const char *text);

/* A helper's definition; it may have types as parameters, which follow its name: i64
 * search<T>(const T *crd, ...) {...} */
struct imp_definition {
    const char *name, *text;
};

/* Definitions, which may call each other without going in circles. */
struct imp_library {
    const struct imp_definition *at;
    int n;
};

/* Returns the library's helper with these types, from the list, or made and added to it, after
 * those that it calls.  It is named after both: search_i32. NULL after a diagnostic. */
const struct imp_function *imp_instantiate(struct context *cx, const struct imp_library *library,
                                           const char *name, const enum type *type, int types,
                                           struct imp_helpers *helpers);

#endif
