/* difference.c - the difference of two variables: diagonals (Wolfe, 1986).
 *
 *     d = j - i
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/relation/relation_code.h"

static int difference_sources(const struct cin_relation *r, const struct index_var *var,
                              const struct index_var *from[2])
{
    bool is_child = var == r->child[0];
    from[0] = is_child || var == r->parent[1] ? r->parent[0] : r->parent[1];
    from[1] = is_child ? r->parent[1] : r->child[0];
    return 2;
}

static bool difference_exceeds(const struct cin_relation *r, const struct index_var *var)
{
    return var != r->child[0];
}

/* No diagonal is empty. */
static bool difference_has_some(const struct cin_relation *r)
{
    (void)r;
    return true;
}

static bool difference_equation(const struct cin_relation *r, int n, const struct index_var *of[3])
{
    of[0] = r->parent[0];
    of[1] = r->parent[1];
    of[2] = r->child[0];
    return n < 1;
}

/* In j = i + d, once i is known, j steps with d. */
static const struct index_var *difference_steps_with(const struct cin_relation *r,
                                                     const struct index_var *var)
{
    return var == r->parent[0] && var != r->parent[1] ? r->child[0] : NULL;
}

static int64_t difference_values(const struct cin_relation *r, int child, const int64_t parent[2])
{
    (void)r;
    (void)child;
    return parent[0] > 0 && parent[1] > 0 ? parent[0] + parent[1] - 1 : -1;
}

/* ---- code ---- */

static const struct imp *difference_size(const struct relation_code *code,
                                         const struct cin_relation *r, int child)
{
    const struct imp *a = code->size_of(code, r->parent[0]), *b = code->size_of(code, r->parent[1]);
    (void)child;
    const struct imp *all =
        relation_op(code, OP_SUB, relation_op(code, OP_ADD, a, b), relation_int(code, a, 1));
    /* without coordinates there is no difference */
    return relation_op(code, OP_MAX, all, relation_int(code, a, 0));
}

static const struct imp *difference_low(const struct relation_code *code,
                                        const struct cin_relation *r)
{
    const struct imp *b = code->size_of(code, r->parent[1]);
    return relation_op(code, OP_SUB, relation_int(code, b, 1), b);
}

static const struct imp *difference_end(const struct relation_code *code,
                                        const struct cin_relation *r)
{
    return code->size_of(code, r->parent[0]);
}

/* d = j - i, i = j - d, j = i + d */
static const struct imp *difference_coordinate(const struct relation_code *code,
                                               const struct cin_relation *r,
                                               const struct index_var *var)
{
    const struct index_var *from[2];
    difference_sources(r, var, from);
    bool adds = var == r->parent[0] && var != r->parent[1];
    return relation_op(code, adds ? OP_ADD : OP_SUB, code->at(code, from[0]),
                       code->at(code, from[1]));
}

static const struct imp *difference_ahead(const struct relation_code *code,
                                          const struct cin_relation *r)
{
    return code->at(code, r->parent[1]);
}

static const struct imp *difference_in_range(const struct relation_code *code,
                                             const struct cin_relation *r,
                                             const struct index_var *var)
{
    const struct imp *at = code->at(code, var);
    (void)r;
    return relation_op(code, OP_AND, relation_op(code, OP_GE, at, relation_int(code, at, 0)),
                       relation_op(code, OP_LT, at, code->size_of(code, var)));
}

static const struct imp *difference_holds(const struct relation_code *code,
                                          const struct cin_relation *r, int n)
{
    (void)n;
    return relation_op(
        code, OP_EQ, code->at(code, r->child[0]),
        relation_op(code, OP_SUB, code->at(code, r->parent[0]), code->at(code, r->parent[1])));
}

static bool difference_narrows(const struct relation_code *code, const struct cin_relation *r,
                               const struct index_var *var, const struct index_var *loop,
                               const struct imp **begin, const struct imp **end)
{
    const struct index_var *from[2];
    if (!var)
        return false;
    difference_sources(r, var, from);
    if (from[0] != loop && from[1] != loop)
        return false;
    const struct imp *size = code->size_of(code, var),
                     *other = code->at(code, from[0] == loop ? from[1] : from[0]);
    const struct imp *one = relation_int(code, size, 1), *first, *past;
    if (var == r->parent[0]) { /* 0 <= loop + other < size */
        first = relation_op(code, OP_SUB, relation_int(code, size, 0), other);
        past = relation_op(code, OP_SUB, size, other);
    } else if (loop == r->parent[0]) { /* 0 <= loop - other < size */
        first = other;
        past = relation_op(code, OP_ADD, size, other);
    } else { /* 0 <= other - loop < size */
        first = relation_op(code, OP_ADD, relation_op(code, OP_SUB, other, size), one);
        past = relation_op(code, OP_ADD, other, one);
    }
    *begin = relation_op(code, OP_MAX, *begin, first);
    *end = relation_op(code, OP_MIN, *end, past);
    return true;
}

const struct relation_type relation_difference = {
    .name = "skew",
    .arguments = "pqc",
    .sources = difference_sources,
    .exceeds = difference_exceeds,
    .has_some = difference_has_some,
    .equation = difference_equation,
    .steps_with = difference_steps_with,
    .values = difference_values,
    .size = difference_size,
    .low = difference_low,
    .end = difference_end,
    .coordinate = difference_coordinate,
    .ahead = difference_ahead,
    .in_range = difference_in_range,
    .holds = difference_holds,
    .narrows = difference_narrows,
};
