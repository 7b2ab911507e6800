/* split.c - a variable as a block and a place in the block: quotient and remainder (thesis 3.2,
 * 6.4).
 *
 *     down    i = i0 * size + i1                 blocks of `size` coordinates
 *     up      i = i0 * values(i1) + i1           `size` blocks
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/relation/relation_code.h"

static bool split_exceeds(const struct cin_relation *r, const struct index_var *var)
{
    return var == r->parent[0] && (r->size < 1 || !index_var_is_multiple(var, r->size));
}

/* No block begins beyond the dimension, unless the number of blocks is given. */
static bool split_has_some(const struct cin_relation *r) { return !r->up; }

static bool split_equation(const struct cin_relation *r, int n, const struct index_var *of[3])
{
    of[0] = r->parent[0];
    of[1] = n < 2 ? r->child[n] : NULL;
    of[2] = NULL;
    return n < 2;
}

static int64_t split_stride(const struct cin_relation *r) { return r->up ? 0 : r->size; }

/* Does the directive give the child's number of values? */
static bool is_fixed(const struct cin_relation *r, int child) { return (child == 0) == r->up; }

static int64_t split_values(const struct cin_relation *r, int child, const int64_t parent[2])
{
    if (is_fixed(r, child))
        return r->size;
    return parent[0] < 0 ? -1 : parent[0] / r->size + (parent[0] % r->size > 0);
}

/* ---- code ---- */

static const struct imp *split_size(const struct relation_code *code, const struct cin_relation *r,
                                    int child)
{
    struct context *cx = code->b->cx;
    const struct imp *whole = code->size_of(code, r->parent[0]),
                     *by = relation_int(code, whole, r->size);
    if (is_fixed(r, child))
        return by;
    /* rounded up, without a sum that could overflow */
    const struct imp *rest = relation_op(code, OP_GT, relation_op(code, OP_MOD, whole, by),
                                         relation_int(code, whole, 0));
    return relation_op(code, OP_ADD, relation_op(code, OP_DIV, whole, by),
                       imp_cast(cx, whole->type, rest));
}

/* Returns the first coordinate of the block. */
static const struct imp *split_ahead(const struct relation_code *code, const struct cin_relation *r)
{
    return relation_op(code, OP_MUL, code->at(code, r->child[0]), code->size_of(code, r->child[1]));
}

static const struct imp *split_coordinate(const struct relation_code *code,
                                          const struct cin_relation *r, const struct index_var *var)
{
    const struct imp *by = code->size_of(code, r->child[1]);
    if (var != r->parent[0])
        return relation_op(code, var == r->child[0] ? OP_DIV : OP_MOD, code->at(code, r->parent[0]),
                           by);
    return relation_op(code, OP_ADD, split_ahead(code, r), code->at(code, r->child[1]));
}

/* Returns the rest of the dimension from the block's beginning on.  It cannot overflow as the
 * coordinate may. */
static const struct imp *left(const struct relation_code *code, const struct cin_relation *r)
{
    return relation_op(code, OP_SUB, code->size_of(code, r->parent[0]), split_ahead(code, r));
}

static const struct imp *split_in_range(const struct relation_code *code,
                                        const struct cin_relation *r, const struct index_var *var)
{
    (void)var;
    return relation_op(code, OP_LT, code->at(code, r->child[1]), left(code, r));
}

static const struct imp *split_holds(const struct relation_code *code, const struct cin_relation *r,
                                     int n)
{
    const struct imp *whole = code->at(code, r->parent[0]), *by = code->size_of(code, r->child[1]);
    return relation_op(code, OP_EQ, code->at(code, r->child[n]),
                       relation_op(code, n ? OP_MOD : OP_DIV, whole, by));
}

static bool split_narrows(const struct relation_code *code, const struct cin_relation *r,
                          const struct index_var *var, const struct index_var *loop,
                          const struct imp **begin, const struct imp **end)
{
    (void)begin;
    if (var != r->parent[0] || loop != r->child[1])
        return false;
    *end = relation_op(code, OP_MIN, *end, left(code, r));
    return true;
}

const struct relation_type relation_split = {
    .name = "split",
    .arguments = "pcdun",
    .parts = true,
    .sources = parts_sources,
    .exceeds = split_exceeds,
    .has_some = split_has_some,
    .equation = split_equation,
    .steps_with = parts_step_with,
    .stride = split_stride,
    .values = split_values,
    .size = split_size,
    .coordinate = split_coordinate,
    .ahead = split_ahead,
    .in_range = split_in_range,
    .holds = split_holds,
    .narrows = split_narrows,
};
