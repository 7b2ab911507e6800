/* assembly_capacity.c - how much room a result has that is appended to.
 *
 * Room is made for as many positions as operands say, or it grows from little.  How many the last
 * group gets at most may have been counted ahead (loop/forall_count.c).  That is far too much where
 * rows have much in common.  So at first there is room for a part of it; when that is full, as much
 * as comes of the coordinates that are done is expected of the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/result/result.h"

const struct tensor_var *capacity_source(const struct result *r)
{
    const struct assembly *a = r->assembly;
    return tree_capacity_source(r->tree, a->group[a->groups - 1].last);
}

bool capacity_is_counted(const struct kernel *k, const struct result *r)
{
    return !k->request->plain && r->assembly->groups > 0 && capacity_source(r)
           && !tree_capacity_list(k->cx, r->tree);
}

/* ---- what is made of it ---- */

enum { PART = 16, FIRST_CAPACITY = 16 };

/* Returns the room at first: a part of what is counted ahead, but `least` (i64) at least. */
static const struct imp *capacity_first(struct kernel *k, const struct result *r,
                                        const struct append_group *g, const struct imp *least)
{
    struct context *cx = k->cx;
    const struct imp *part = imp_op2(cx, OP_DIV, r->room, imp_i64(cx, PART));
    return imp_op2(cx, OP_MIN, imp_op2(cx, OP_MAX, part, least), imp_i64(cx, append_most(r, g)));
}

/* Finds where the outermost loop begins and ends, if it is over coordinates, so that products of
 * coordinates and positions are numbers. */
static bool find_outermost(struct kernel *k, const struct scope *scope,
                           const struct index_var **var, const struct imp **from,
                           const struct imp **past)
{
    const struct kernel_part *part = k->part;
    const struct tree_place *at = scope->place;
    while (at->outer)
        at = at->outer;
    if (at->node->statement->kind != CIN_FORALL || k->request->coordinates == TYPE_I64)
        return false;
    *var = at->node->statement->index[0];
    if (part && (part->node != at->node || !part->has_coordinates))
        return false;
    *from = part ? part->from : kernel_low(k, *var);
    *past = part ? part->past : kernel_end(k, *var);
    return true;
}

/* Returns a - b, in i64. */
static const struct imp *distance(struct kernel *k, const struct imp *a, const struct imp *b)
{
    a = imp_cast(k->cx, TYPE_I64, a);
    return b ? imp_op2(k->cx, OP_SUB, a, imp_cast(k->cx, TYPE_I64, b)) : a;
}

/* Expects of each other coordinate as many positions as of those that are done, and some more, as
 * far as there can be so many. */
void capacity_expect(struct kernel *k, const struct result *r, const struct scope *scope,
                     const struct append_group *g, const struct imp *now)
{
    struct context *cx = k->cx;
    const char *name = r->access->tensor->name;
    const struct index_var *var;
    const struct imp *from, *past, *capacity = imp_read(cx, g->capacity);
    if (!r->room || capacity->type == TYPE_I64 || !find_outermost(k, scope, &var, &from, &past))
        return;
    struct imp_var *done = kernel_var(k, TYPE_I64, "%s_done", name),
                   *expected = kernel_var(k, TYPE_I64, "%s_expected", name);
    done->positive = true;
    imp_let(&k->b, done, imp_next(cx, distance(k, scope_coordinate(scope, var), from)));
    const struct imp *product =
                         imp_op2(cx, OP_MUL, distance(k, now, NULL), distance(k, past, from)),
                     *n =
                         imp_let(&k->b, expected, imp_op2(cx, OP_DIV, product, imp_read(cx, done)));
    n = imp_op2(cx, OP_ADD, n, imp_op2(cx, OP_DIV, n, imp_i64(cx, PART)));
    n = imp_op2(cx, OP_MIN, n, r->room);
    n = imp_op2(cx, OP_MAX, n, imp_cast(cx, TYPE_I64, capacity));
    n = imp_op2(cx, OP_MIN, n, imp_i64(cx, append_most(r, g)));
    imp_add(&k->b, imp_assign(cx, g->capacity, OP_NONE, imp_cast(cx, capacity->type, n)));
}

/* ---- room for a group ---- */

int64_t append_most(const struct result *r, const struct append_group *g)
{
    return index_max(result_format(r)->level[g->first].pos);
}

bool append_is_last(const struct result *r, const struct append_group *g)
{
    return g == &r->group[r->assembly->groups - 1];
}

/* Returns how many positions the counter can count. */
static int64_t most_counted(const struct result *r, const struct append_group *g)
{
    return g->wide ? INT64_MAX : append_most(r, g);
}

/* Returns how many coordinates the outermost loop has. */
static const struct imp *count_coordinates(struct kernel *k, const struct result *r,
                                           const struct append_group *g,
                                           const struct index_var *var, bool *fits)
{
    const struct kernel_part *part = k->part;
    const struct imp *n =
        part ? imp_op2(k->cx, OP_SUB, part->past, part->from) : kernel_size(k, var);
    *fits = index_max(k->request->coordinates) <= most_counted(r, g);
    return imp_cast(k->cx, TYPE_I64, n);
}

/* Returns how many positions the operands have, of which a part of a parallel loop has its own;
 * NULL if that is not known.  *fits: positions can surely count them. */
static const struct imp *count_positions(struct kernel *k, const struct result *r,
                                         const struct append_group *g, bool *fits)
{
    struct tree_capacity room = {0};
    *fits = false;
    if (!tree_capacity(k->cx, r->tree, g->last, &room))
        return NULL;
    if (room.all)
        return count_coordinates(k, r, g, room.all, fits);
    return operand_positions(k, &room, most_counted(r, g), fits);
}

bool append_is_wide(struct kernel *k, const struct result *r, const struct append_group *g)
{
    bool fits, may = r->way->grow && k->request->tree->results == 1
                     && !cin_has_parallel(k->program, k->program->statement);
    const struct imp *n = count_positions(k, r, g, &fits);
    return may && !fits && (n || k->request->plain);
}

/* Returns what operands say; else a small room, which grows. */
const struct imp *append_capacity(struct kernel *k, const struct result *r, struct append_group *g)
{
    struct context *cx = k->cx;
    const struct imp *n = count_positions(k, r, g, &g->fits), *first = imp_i64(cx, FIRST_CAPACITY);
    g->has_all = n && !k->part;
    if (!n)
        return append_is_last(r, g) && r->room ? capacity_first(k, r, g, first) : first;
    return g->fits ? n : imp_op2(cx, OP_MIN, n, imp_i64(cx, append_most(r, g)));
}

/* Returns 0: nothing is known of what will come.  (Levels with a width are those of an empty
 * result.) */
const struct imp *append_most_children(struct kernel *k, const struct result *r, int level)
{
    return imp_i64(k->cx, 0);
}
