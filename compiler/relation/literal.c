/* literal.c - a variable that is a number: the 3 of A(3,j).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/relation/relation_code.h"

static int literal_sources(const struct cin_relation *r, const struct index_var *var,
                           const struct index_var *from[2])
{
    (void)r;
    (void)var;
    (void)from;
    return 0;
}

static int64_t literal_values(const struct cin_relation *r, int child, const int64_t parent[2])
{
    (void)child;
    (void)parent;
    return r->child[0]->size;
}

/* ---- code ---- */

static const struct imp *literal_coordinate(const struct relation_code *code,
                                            const struct cin_relation *r,
                                            const struct index_var *var)
{
    (void)var;
    return imp_int(code->b->cx, code->coordinates, r->size);
}

/* The mode has no such coordinate. */
static void literal_check(const struct relation_code *code, const struct cin_relation *r)
{
    const struct imp *size = code->size_of(code, r->child[0]);
    const struct imp *beyond = relation_op(code, OP_LE, size, relation_int(code, size, r->size));
    imp_add(code->b, imp_if(code->b->cx, beyond, imp_fail(code->b->cx, STATUS_OUT_OF_RANGE), NULL));
}

const struct relation_type relation_literal = {
    .name = "literal",
    .arguments = "cn",
    .sources = literal_sources,
    .values = literal_values,
    .coordinate = literal_coordinate,
    .check = literal_check,
};
