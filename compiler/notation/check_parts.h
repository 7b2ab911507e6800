/* check_parts.h - the state of tin_check; private to its files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_CHECK_PARTS_H
#define SPCC_NOTATION_CHECK_PARTS_H

#include "compiler/base/vec.h"
#include "compiler/notation/check.h"

struct tensor_use {
    struct tensor_var *var;
    const struct tin *access; /* its first */
    const struct tin_declaration *format, *type, *fill;
};

struct index_use {
    struct index_var *var;
    struct span span; /* its first */
    bool indexes;     /* some access uses it */
    /* towards the variable that stands for all of the same size */
    const struct index_var *same;
    const char *size_of; /* the variable that -d gave the size to */
};

struct check {
    struct context *cx;
    const struct tin_declarations *declared;
    VEC(struct tensor_use) tensors; /* the results are the first */
    int results, at;                /* how many; that of the statement at hand */
    VEC(struct index_use) indices;
    size_t errors; /* diagnostics before this check */
    /* the result's index variables; those of the reductions around */
    struct bits left, bound;
};

static inline bool check_failed(const struct check *c) { return c->cx->diags.n > c->errors; }

static inline struct span check_span(const struct tin *node, int i)
{
    return node->index_span ? node->index_span[i] : node->span;
}

static inline int check_find_tensor(const struct check *c, const char *name)
{
    for (size_t i = 0; i < c->tensors.n; i++)
        if (c->tensors.at[i].var->name == name)
            return (int)i;
    return -1;
}

static inline int check_find_index(const struct check *c, const char *name)
{
    for (size_t i = 0; i < c->indices.n; i++)
        if (c->indices.at[i].var->name == name)
            return (int)i;
    return -1;
}

static inline bool check_has_enough(const struct check *c)
{
    return c->cx->diags.n >= c->errors + TIN_ERRORS_MAX;
}

/* ---- check_same.c ---- */

/* The tensors that are promised to have one pattern. */
void check_declare_same(struct check *c);

/* ---- check_sizes.c ---- */

/* The sizes of index variables: those that are declared, and equal ones where two index one
 * mode. */
void check_declare_sizes(struct check *c, const struct tin *all);
/* ... and those that are expected, for plans. */
void check_expect_sizes(struct check *c);

#endif
