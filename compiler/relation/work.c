/* work.c - positions in parts of equal work, in which the end of a row counts as an entry does
 * (Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016).
 *
 *     rows 0 1 2 3 4, of which A2_pos is 0 2 2 2 5 6        steps: e e . . . e e e . e .
 *     split(p, b, q, work, 4)                               parts: e e . . | . e e e | . e .
 *
 * The positions of a level and the ends of the rows above are the steps of a path.  Each part has
 * `size` steps, some of them positions, perhaps none.  Part b begins after d = size * b steps.  If
 * r is the last row that begins no later, with A2_pos[r] + r <= d, the part begins at the position
 * d - r.  child[0] is the part, child[1] counts its positions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/relation/relation_code.h"

static bool work_exceeds(const struct cin_relation *r, const struct index_var *var)
{
    return var == r->parent[0];
}

static int64_t work_values(const struct cin_relation *r, int child, const int64_t parent[2])
{
    (void)parent;
    return child == 1 ? r->size : -1;
}

/* ---- code ---- */

static const struct imp *work_size(const struct relation_code *code, const struct cin_relation *r,
                                   int child)
{
    struct context *cx = code->b->cx;
    if (child == 1)
        return imp_int(cx, code->coordinates, r->size);
    const struct imp *steps = code->steps(code, r),
                     *up = relation_op(code, OP_ADD, steps, relation_int(code, steps, r->size - 1));
    return imp_cast(cx, code->coordinates,
                    relation_op(code, OP_DIV, up, relation_int(code, up, r->size)));
}

static const struct imp *work_ahead(const struct relation_code *code, const struct cin_relation *r)
{
    const struct imp *past;
    return code->part(code, r, &past);
}

static const struct imp *work_coordinate(const struct relation_code *code,
                                         const struct cin_relation *r, const struct index_var *var)
{
    /* no loop goes over the divided positions, so they follow from parts alone */
    context_assert(code->b->cx, var == r->parent[0]);
    return relation_op(code, OP_ADD, work_ahead(code, r), code->at(code, r->child[1]));
}

/* Returns the number of the part's positions. */
static const struct imp *length(const struct relation_code *code, const struct cin_relation *r)
{
    const struct imp *past, *from = code->part(code, r, &past);
    return relation_op(code, OP_SUB, past, from);
}

static const struct imp *work_in_range(const struct relation_code *code,
                                       const struct cin_relation *r, const struct index_var *var)
{
    (void)var;
    return relation_op(code, OP_LT, code->at(code, r->child[1]), length(code, r));
}

/* A part has at most as many positions as steps. */
static bool work_narrows(const struct relation_code *code, const struct cin_relation *r,
                         const struct index_var *var, const struct index_var *loop,
                         const struct imp **begin, const struct imp **end)
{
    (void)begin;
    if (var != r->parent[0] || loop != r->child[1])
        return false;
    bool whole = (*end)->kind == IMP_LITERAL && value_convert((*end)->value, TYPE_I64).i == r->size;
    *end = whole ? length(code, r) : relation_op(code, OP_MIN, *end, length(code, r));
    return true;
}

const struct relation_type relation_work = {
    .name = "split",
    .arguments = "pcdwn",
    .parts = true,
    .sources = parts_sources,
    .exceeds = work_exceeds,
    .steps_with = parts_step_with,
    .values = work_values,
    .size = work_size,
    .coordinate = work_coordinate,
    .ahead = work_ahead,
    .in_range = work_in_range,
    .narrows = work_narrows,
};
