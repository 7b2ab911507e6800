/* block.c - walking a level whose coordinates the loops go through in blocks (thesis 3.2, 5.2 and
 * 5.3).
 *
 *     for j0 of the blocks that A has                pA2 to pA2_next: those with crd / 1024 == j0
 *         for j1 of the block                        j = crd, j1 = j - j0 * 1024
 *
 * A level that stores j is walked by j0, the outer part of j, in runs of one block, and then by j1
 * in the positions that the run has.  Where the loop over j0 is outside those that lead to the
 * level, the block's positions are searched for. Differences are walked likewise: in the loop over
 * d where i is known, j is d + i.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"

static const struct imp *ahead(struct kernel *k, const struct scope *outside,
                               const struct cin_relation *r)
{
    struct relation_code code = kernel_relation(k, outside);
    return r->type->ahead(&code, r);
}

const struct imp *block_coordinate(struct kernel *k, const struct scope *outside,
                                   const struct lattice_iterator *it, const struct imp *coordinate)
{
    for (int i = 0; i < it->path.steps; i++) {
        const struct cin_relation *r = it->path.step[i].by;
        bool divides = it->path.step[i].divides;
        const struct imp *by = divides ? kernel_size(k, r->child[1]) : ahead(k, outside, r);
        coordinate = imp_op2(k->cx, divides ? OP_DIV : OP_SUB, coordinate, by);
    }
    return coordinate;
}

/* ---- bounds ---- */

const struct imp *find_first(struct kernel *k, const struct imp_var *array, const struct imp *begin,
                             const struct imp *end, const struct imp *least)
{
    const struct imp *arg[] = {imp_read(k->cx, array), begin, end, least};
    return prelude_call(&k->b, "find_first", &array->type, 1, arg, 4);
}

bool block_is_larger(const struct lattice_iterator *it, const struct index_var *block)
{
    for (int i = it->path.steps; i-- > 0;)
        if (!it->path.step[i].divides)
            return !block || it->path.step[i].by->child[0] != block;
    return false;
}

/* Finds the coordinates of the level that lead to the values [first, past) at the end of the path,
 * by going back along it, in numbers that hold what is behind the last block. */
static void trace_back(struct kernel *k, const struct scope *outside,
                       const struct lattice_iterator *it, const struct imp **first,
                       const struct imp **past)
{
    struct context *cx = k->cx;
    for (int i = it->path.steps; i-- > 0;) {
        const struct cin_relation *r = it->path.step[i].by;
        bool divides = it->path.step[i].divides;
        const struct imp *by = divides ? kernel_size(k, r->child[1]) : ahead(k, outside, r);
        by = imp_cast(cx, TYPE_I64, by);
        *first = imp_op2(cx, divides ? OP_MUL : OP_ADD, by, *first);
        *past = imp_op2(cx, divides ? OP_MUL : OP_ADD, by, *past);
        if (i == 0)
            continue;
        /* the next block begins there, and a last part reaches beyond; differences also lead to
         * before this one */
        *past = imp_op2(cx, OP_MIN, *past, imp_cast(cx, TYPE_I64, kernel_size(k, r->parent[0])));
        if (!divides && r->type->low)
            *first = imp_op2(cx, OP_MAX, *first, imp_i64(cx, 0));
    }
}

const struct imp_var *block_coordinates(const struct level_code *code)
{
    const struct imp_var *crd = NULL;
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        if (code->format->type->array[i].kind == LEVEL_COORDINATES)
            crd = code->array[i];
    return crd;
}

void block_search(struct kernel *k, const struct scope *outside, const struct lattice_iterator *it,
                  const struct level_code *code, const struct imp *first, const struct imp *past,
                  const struct imp *when, const struct imp **begin, const struct imp **end)
{
    trace_back(k, outside, it, &first, &past);
    const struct imp_var *crd = block_coordinates(code);
    const struct imp *from = find_first(k, crd, *begin, *end, first);
    if (when)
        from = imp_select(k->cx, when, from, *begin);
    from = imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_begin", code->position_name), from);
    const struct imp *to = find_first(k, crd, from, *end, past);
    if (when)
        to = imp_select(k->cx, when, to, *end);
    *end = imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_past", code->position_name), to);
    *begin = from;
}

void block_bounds(struct kernel *k, const struct scope *outside, const struct lattice_iterator *it,
                  const struct index_var *loop, const struct level_code *code,
                  const struct imp **begin, const struct imp **end)
{
    struct context *cx = k->cx;
    const struct imp *low = kernel_low(k, loop),
                     *past = imp_cast(cx, TYPE_I64, kernel_end(k, loop));
    const struct imp *first = low ? imp_cast(cx, TYPE_I64, low) : imp_i64(cx, 0);
    block_search(k, outside, it, code, first, past, NULL, begin, end);
}
