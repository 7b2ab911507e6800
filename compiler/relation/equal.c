/* equal.c - two variables with loops of their own that must be equal, such as the second i of
 * A(i,i) in a result.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/relation/relation_code.h"

static int equal_sources(const struct cin_relation *r, const struct index_var *var,
                         const struct index_var *from[2])
{
    (void)r;
    (void)var;
    (void)from;
    return -1;
}

static bool equal_equation(const struct cin_relation *r, int n, const struct index_var *of[3])
{
    of[0] = r->parent[0];
    of[1] = r->child[0];
    of[2] = NULL;
    return n < 1;
}

static int64_t equal_values(const struct cin_relation *r, int child, const int64_t parent[2])
{
    (void)r;
    (void)child;
    return parent[0];
}

/* ---- code ---- */

static const struct imp *equal_size(const struct relation_code *code, const struct cin_relation *r,
                                    int child)
{
    (void)child;
    return code->size_of(code, r->parent[0]);
}

static const struct imp *equal_holds(const struct relation_code *code, const struct cin_relation *r,
                                     int n)
{
    (void)n;
    return relation_op(code, OP_EQ, code->at(code, r->child[0]), code->at(code, r->parent[0]));
}

/* The other variable has the same size, so the coordinate is in range. */
static bool equal_narrows(const struct relation_code *code, const struct cin_relation *r,
                          const struct index_var *var, const struct index_var *loop,
                          const struct imp **begin, const struct imp **end)
{
    (void)var;
    if (loop != r->parent[0] && loop != r->child[0])
        return false;
    *begin = code->at(code, loop == r->child[0] ? r->parent[0] : r->child[0]);
    *end = relation_op(code, OP_ADD, *begin, relation_int(code, *begin, 1));
    return true;
}

const struct relation_type relation_equal = {
    .name = "equal",
    .arguments = "pc",
    .ties = true,
    .sources = equal_sources,
    .equation = equal_equation,
    .values = equal_values,
    .size = equal_size,
    .holds = equal_holds,
    .narrows = equal_narrows,
};
