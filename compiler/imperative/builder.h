/* builder.h - a builder of imperative IR: it adds statements in order, in nested blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_BUILDER_H
#define SPCC_IMPERATIVE_BUILDER_H

#include "compiler/imperative/imperative.h"

/* The names in use, in a hash table; `last` is the last number that was appended to this one. */
struct imp_name {
    const char *name;
    int last;
};
struct imp_names {
    struct imp_name *at;
    size_t n, capacity;
};

struct imp_helpers {
    const struct imp_function **at;
    size_t n, capacity;
};

/* What all builders of one kernel share. */
struct imp_unit {
    struct imp_names names;
    struct imp_helpers helpers; /* that the kernel calls, callees first */
};

struct imp_builder {
    struct context *cx;
    struct imp_scope *scope;
    /* NULL if neither names nor helpers are asked for */
    struct imp_unit *unit;
};

/* Returns a name that the unit has not used: the base name, or one with a number appended; and a
 * new variable of such a name. */
const char *imp_unused_name(struct imp_builder *b, const char *base_name);
struct imp_var *imp_new_var(struct imp_builder *b, enum type type, const char *base_name);

void imp_begin(struct imp_builder *b);            /* open a block */
const struct imp *imp_end(struct imp_builder *b); /* close it: an IMP_BLOCK */
/* the last statement of the open block; NULL: it has none */
const struct imp *imp_last(const struct imp_builder *b);
/* Does the open block declare the variable with this value, and has not changed it since? */
bool imp_is_still(const struct imp_builder *b, const struct imp_var *var, struct value value);
void imp_add(struct imp_builder *b, const struct imp *statement);
/* Adds the statements of a block; or the statement, if it is no block. */
void imp_add_all(struct imp_builder *b, const struct imp *body);
/* Declares a variable and returns it as an expression. */
const struct imp *imp_let(struct imp_builder *b, const struct imp_var *var, const struct imp *init);

#endif
