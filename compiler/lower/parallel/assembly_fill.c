/* assembly_fill.c - a result that is the copy of a list, by parts of a parallel loop over its first
 * level: count, scan, fill.
 *
 *     parallel for part                       how many positions its entries take in each group
 *     C2_begin: of these numbers              a scan, which says where each part begins
 *     parallel for part                       each appends where it begins
 *
 * Room for all is made when the list is finished (assembly_copy.c); nothing is moved afterwards.
 * Where coordinates of the first level are looked for among those that are there, as in a hash
 * table, they are inserted before the loop, and found in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

/* The state of the kernel around the loop, and numbers by part. */
struct fill {
    struct append_group *group;
    const struct imp_var **turn;
    const struct imp_var **begin; /* by group: where its positions begin */
    const struct imp_var *turns;  /* of a first level that takes turns: the part's first; or NULL */
};

static const struct level_type *first_level(const struct result *r)
{
    return result_format(r)->level[0].type;
}

static struct workspace *list_of(const struct kernel *k, const struct result *r)
{
    return kernel_workspace(k, r->assembly->list);
}

/* ---- before the loop ---- */

/* Returns how many entries from begin to end differ from those before them in one of the levels [0,
 * levels). */
static const struct imp *count(struct kernel *k, const struct result *r, int levels,
                               const struct imp *begin, const struct imp *end)
{
    struct context *cx = k->cx;
    const struct workspace *list = list_of(k, r);
    if (levels == result_format(r)->levels)
        return imp_op2(cx, OP_SUB, end, begin);
    struct imp_var *entry = kernel_var(k, begin->type, "p%s", list->code.tensor->name),
                   *n = kernel_var(k, begin->type, "n%s%d", r->access->tensor->name, levels);
    const struct imp *one = imp_increment(cx, n);
    imp_let(&k->b, n, imp_int(cx, n->type, 0));
    imp_add(&k->b,
            imp_for(cx, entry, begin, end, 1,
                    imp_if(cx, copy_differs(k, list, imp_read(cx, entry), levels), one, NULL)));
    return imp_read(cx, n);
}

static void count_part(struct parallel *p, const struct result *r, const struct imp_var *to,
                       int levels, const struct cursor *c)
{
    struct kernel *k = p->k;
    imp_add(&k->b, imp_store(k->cx, to, imp_read(k->cx, p->part), OP_NONE,
                             imp_cast(k->cx, TYPE_I64, count(k, r, levels, c->begin, c->end))));
}

/* Returns the cursor of the loop, which goes along the list alone. */
static const struct cursor *list_cursor(const struct parallel *p)
{
    return &p->f.cursor[bits_first(p->f.lattice->iterated)];
}

static void count_parts(struct parallel *p, const struct result *r, const struct fill *fill)
{
    struct kernel *k = p->k;
    p->part = kernel_var(k, TYPE_I32, "part");
    imp_begin(&k->b);
    share_take(p);
    for (int g = 0; g < r->assembly->groups; g++)
        count_part(p, r, fill->begin[g], r->group[g].last + 1, list_cursor(p));
    if (fill->turns)
        count_part(p, r, fill->turns, 1, list_cursor(p));
    imp_add(&k->b, imp_parallel(k->cx, p->part, imp_read(k->cx, p->parts), SCHEDULE_STATIC, 0,
                                imp_end(&k->b)));
    for (int g = 0; g < r->assembly->groups; g++)
        parallel_scan(p, fill->begin[g], imp_i64(k->cx, 0));
    if (fill->turns)
        parallel_scan(p, fill->turns, imp_i64(k->cx, 0));
}

static void *open_filled(struct parallel *p, struct result *r)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct fill *fill = arena_make(cx->arena, struct fill);
    *fill = (struct fill){.turn = r->turn};
    fill->begin = arena_array(cx->arena, const struct imp_var *, r->assembly->groups);
    for (int g = 0; g < r->assembly->groups; g++)
        fill->begin[g] = group_numbers(p, r, g, "begin");
    if (first_level(r)->takes_turns)
        fill->turns = parallel_numbers(p, TYPE_I64, "%s1_turns", r->access->tensor->name);
    if (tree_looks_for(first_level(r)))
        copy_insert_first(k, r);
    if (fill->turns || r->assembly->groups)
        count_parts(p, r, fill);
    p->f = forall_open(k, p->f.scope);
    return fill;
}

/* ---- in a part ---- */

/* Returns, below the first level, the position of the part's first parent, or of the next one, in
 * the level above the first group. */
static const struct imp *parents_before(struct parallel *p, const struct result *r,
                                        const struct fill *fill, const struct imp *coordinate,
                                        const struct imp *part)
{
    struct kernel *k = p->k;
    struct level_code code = result_level(k, r, 0, imp_i64(k->cx, 0));
    const struct imp *found, *position = fill->turns
                                             ? imp_load(k->cx, fill->turns, part)
                                             : code.format->type->locate(&code, coordinate, &found);
    return imp_op2(k->cx, OP_MUL, imp_cast(k->cx, TYPE_I64, position),
                   result_block_size(k, r, 1, r->group[0].first));
}

static void begin_filled(struct parallel *p, struct result *r, void *kept)
{
    struct fill *fill = kept;
    struct kernel *k = p->k;
    int groups = r->assembly->groups, levels = result_format(r)->levels;
    const struct imp *part = imp_read(k->cx, p->part),
                     **begin = arena_array(k->cx->arena, const struct imp *, groups);
    for (int g = 0; g < groups; g++)
        begin[g] = imp_load(k->cx, fill->begin[g], part);
    fill->group = groups_begin(k, r, begin,
                               groups_skip(r) ? parents_before(p, r, fill, p->from, part) : NULL);
    r->has_inserted = tree_looks_for(first_level(r));
    r->turn = arena_copy(k->cx->arena, fill->turn, sizeof *r->turn * (size_t)levels);
    if (!fill->turns)
        return;
    struct imp_var *turn = kernel_var(k, TYPE_I64, "%s", fill->turn[0]->name);
    r->turn[0] = turn;
    imp_let(&k->b, turn, imp_load(k->cx, fill->turns, part));
}

/* Ends the part's groups.  The part's last parents may have no children. */
static void end_filled(struct parallel *p, struct result *r, void *kept)
{
    const struct fill *fill = kept;
    struct kernel *k = p->k;
    const struct imp *next = imp_next(k->cx, imp_read(k->cx, p->part));
    if (groups_skip(r))
        append_skip(k, r, &r->group[0], parents_before(p, r, fill, p->past, next));
    r->group = fill->group;
    r->has_inserted = false;
    r->turn = fill->turn;
}

/* ---- behind it ---- */

static void close(struct parallel *p, struct result *r, void *kept)
{
    const struct fill *fill = kept;
    struct kernel *k = p->k;
    int groups = r->assembly->groups;
    const struct imp **total = arena_array(k->cx->arena, const struct imp *, groups);
    for (int g = 0; g < groups; g++)
        total[g] = imp_load(k->cx, fill->begin[g], imp_read(k->cx, p->parts));
    groups_close(k, r, total);
    for (int g = 0; g < groups; g++)
        imp_add(&k->b, imp_free(k->cx, fill->begin[g]));
    if (fill->turns)
        imp_add(&k->b, imp_free(k->cx, fill->turns));
}

const struct parts_way parts_filled = {
    .open = open_filled,
    .begin = begin_filled,
    .end = end_filled,
    .close = close,
};
