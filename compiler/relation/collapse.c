/* collapse.c - one variable that goes through two, row by row (thesis 3.2, 6.3).
 *
 *     f = i * values(j) + j
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/relation/relation_code.h"

static int collapse_sources(const struct cin_relation *r, const struct index_var *var,
                            const struct index_var *from[2])
{
    bool is_child = var == r->child[0];
    from[0] = is_child ? r->parent[0] : r->child[0];
    from[1] = r->parent[1];
    return is_child ? 2 : 1;
}

static int64_t collapse_values(const struct cin_relation *r, int child, const int64_t parent[2])
{
    int64_t n;
    (void)r;
    (void)child;
    if (parent[0] < 0 || parent[1] < 0)
        return -1;
    return __builtin_mul_overflow(parent[0], parent[1], &n) ? -1 : n;
}

/* ---- code ---- */

static const struct imp *collapse_size(const struct relation_code *code,
                                       const struct cin_relation *r, int child)
{
    (void)child;
    return relation_op(code, OP_MUL, code->size_of(code, r->parent[0]),
                       code->size_of(code, r->parent[1]));
}

static const struct imp *collapse_coordinate(const struct relation_code *code,
                                             const struct cin_relation *r,
                                             const struct index_var *var)
{
    const struct imp *by = code->size_of(code, r->parent[1]);
    if (var != r->child[0])
        return relation_op(code, var == r->parent[0] ? OP_DIV : OP_MOD, code->at(code, r->child[0]),
                           by);
    const struct imp *before = relation_op(code, OP_MUL, code->at(code, r->parent[0]), by);
    return relation_op(code, OP_ADD, before, code->at(code, r->parent[1]));
}

/* The coordinate's type must hold their number. */
static void collapse_check(const struct relation_code *code, const struct cin_relation *r)
{
    struct context *cx = code->b->cx;
    const struct imp *rows = code->size_of(code, r->parent[0]),
                     *columns = code->size_of(code, r->parent[1]);
    const struct imp *most = imp_literal(cx, value_highest(code->coordinates));
    const struct imp *fit = relation_op(
        code, OP_DIV, most, relation_op(code, OP_MAX, columns, relation_int(code, columns, 1)));
    imp_add(code->b,
            imp_if(cx, relation_op(code, OP_GT, rows, fit), imp_fail(cx, STATUS_TOO_LARGE), NULL));
}

const struct relation_type relation_collapse = {
    .name = "collapse",
    .arguments = "pqc",
    .sources = collapse_sources,
    .values = collapse_values,
    .size = collapse_size,
    .coordinate = collapse_coordinate,
    .check = collapse_check,
};
