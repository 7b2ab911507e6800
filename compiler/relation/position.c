/* position.c - a variable over the stored positions of a level (thesis 3.2, 5.2 and 6.4).
 *
 *     p             the position of A(i,j) on its second level: for CSR, from 0 to A2_pos[rows]
 *     j = A2_crd[p], and i is the row with A2_pos[i] <= p < A2_pos[i + 1]
 *
 * Each level of the access, from `base` to the one that is walked, has a relation.  parent[0] is
 * the level's coordinate, parent[1] the position of the parent (NULL at the base), child[0] the
 * position, `size` the level.  If positions of a level are its coordinates, as on a dense first
 * level, they are one variable.  The walked positions count from the first one below the position
 * that the loops around have located: with base 1, p goes through the row i.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "compiler/relation/relation_code.h"

static int position_sources(const struct cin_relation *r, const struct index_var *var,
                            const struct index_var *from[2])
{
    from[0] = r->child[0];
    return var == r->child[0] ? -1 : 1;
}

static int64_t position_values(const struct cin_relation *r, int child, const int64_t parent[2])
{
    (void)r;
    (void)child;
    (void)parent;
    return -1;
}

/* ---- code ---- */

static const struct imp *position_size(const struct relation_code *code,
                                       const struct cin_relation *r, int child)
{
    (void)child;
    context_assert(code->b->cx, !r->base); /* else it is found at the base */
    return imp_cast(code->b->cx, code->coordinates,
                    code->positions(code, r->access, (int)r->size + 1));
}

/* Returns the coordinate at the position: the stored one, or the position's place among its
 * siblings. */
static const struct imp *position_coordinate(const struct relation_code *code,
                                             const struct cin_relation *r,
                                             const struct index_var *var)
{
    const struct imp *at = code->position(code, r);
    struct level_code level = code->level(code, r->access, (int)r->size);
    const struct level_type *type = level.format->type;
    if (var == r->parent[1])
        return type->parent_of ? type->parent_of(&level, at) : code->parent_of(code, r);
    return type->access ? type->access(&level, at) : type->coordinate_of(&level, at);
}

/* The coordinate's type must hold their number. */
static void position_check(const struct relation_code *code, const struct cin_relation *r)
{
    struct context *cx = code->b->cx;
    const struct imp *n = code->positions(code, r->access, (int)r->size + 1);
    if (type_size(n->type) <= type_size(code->coordinates))
        return;
    const struct imp *most =
        imp_literal(cx, value_convert(value_highest(code->coordinates), TYPE_I64));
    imp_add(code->b, imp_if(cx, imp_op2(cx, OP_GT, n, most), imp_fail(cx, STATUS_TOO_LARGE), NULL));
}

const struct relation_type relation_position = {
    .name = "pos",
    .arguments = "pca",
    .positions = true,
    .sources = position_sources,
    .values = position_values,
    .size = position_size,
    .coordinate = position_coordinate,
    .check = position_check,
};
