/* result_split.c - a result with a level that bounds how many children a parent has (most=2).
 *
 * It is assembled like any other, each parent once with all of its children.  Then a parent with
 * too many of them is there several times, each with the next; children stay where they are:
 *
 *     crd   | 4     7           9   |        4     7  7  9
 *     pos   | 0     2           5   | 6      0     2  4  5  6
 *
 *     from: at which position the first of each parent's is
 *     where there are more than before
 *         coordinates and segments of the list that the parents are in, from copies
 *         the segments above that list end where its positions are now
 *
 * On a GPU each step of these loops is a thread's, and a scan says where the positions are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/base/grid.h"
#include "compiler/lower/parallel/parallel.h"

struct splitting {
    struct kernel *k;
    const struct result *r;
    int first, level;           /* the list's, and the one with the bound */
    const struct imp *n, *made; /* positions of the list before and after, i64 */
    const struct imp_var *from; /* n + 1 */
};

static const struct imp *number(const struct splitting *s, int64_t n)
{
    return imp_i64(s->k->cx, n);
}

static struct imp_var *local(const struct splitting *s, const char *what)
{
    return kernel_var(s->k, TYPE_I64, "%s_%s", s->r->access->tensor->name, what);
}

static const struct imp_var *segments(const struct splitting *s, int level)
{
    return result_array(s->k, s->r, level, LEVEL_POSITIONS);
}

/* Returns how many positions the result has in the levels above this one. */
static const struct imp *positions_above(const struct splitting *s, int level)
{
    const struct imp *positions = number(s, 1);
    for (int l = 0; l < level; l++) {
        const struct level_format *format = &result_format(s->r)->level[l];
        if (level_has(format, LEVEL_BRANCHLESS))
            continue;
        positions = segments(s, l) ? imp_load(s->k->cx, segments(s, l), positions)
                                   : kernel_positions(s->k, s->r->access, l, l + 1, positions);
        positions = imp_cast(s->k->cx, TYPE_I64, positions);
    }
    return positions;
}

/* for at in [0, n): the statements that are added until end_loop.  On a GPU each iteration is a
 * thread's.  begin_loop returns at. */
struct loop {
    struct grid grid;
    struct imp_var *at;
    const struct imp *n;
};

static const struct imp *begin_loop(const struct splitting *s, struct loop *l, const struct imp *n)
{
    *l = (struct loop){.n = n};
    if (s->k->cx->cuda)
        return grid_each(&l->grid, s->k, imp_stem(local(s, "at")), n);
    l->at = local(s, "at");
    imp_begin(&s->k->b);
    return imp_read(s->k->cx, l->at);
}

static void end_loop(const struct splitting *s, struct loop *l)
{
    if (l->at)
        imp_add(&s->k->b, imp_for(s->k->cx, l->at, number(s, 0), l->n, 1, imp_end(&s->k->b)));
    else
        grid_end_each(&l->grid);
}

/* Returns how often the list's position is needed for all of its children. */
static const struct imp *times_needed(const struct splitting *s, const struct imp *here)
{
    struct context *cx = s->k->cx;
    const struct imp_var *pos = segments(s, s->level);
    const struct imp *children = imp_cast(
        cx, TYPE_I64,
        imp_op2(cx, OP_SUB, imp_load(cx, pos, imp_next(cx, here)), imp_load(cx, pos, here)));
    const struct imp *more = imp_op2(
        cx, OP_DIV, imp_op2(cx, OP_MAX, imp_op2(cx, OP_SUB, children, number(s, 1)), number(s, 0)),
        number(s, result_format(s->r)->level[s->level].most));
    return imp_next(cx, more);
}

/* Adds up where the positions begin, one after the other. */
static void sum_from(struct splitting *s, struct imp_var *made)
{
    struct context *cx = s->k->cx;
    struct loop l;
    s->made = imp_let(&s->k->b, made, number(s, 0));
    made->counts = true;
    const struct imp *here = begin_loop(s, &l, s->n);
    imp_add(&s->k->b, imp_store(cx, s->from, here, OP_NONE, s->made));
    imp_add(&s->k->b, imp_assign(cx, made, OP_ADD, times_needed(s, here)));
    end_loop(s, &l);
    imp_add(&s->k->b, imp_store(cx, s->from, s->n, OP_NONE, s->made));
}

/* Does the same by a scan, on a GPU. */
static void scan_from(struct splitting *s, struct imp_var *made)
{
    struct context *cx = s->k->cx;
    struct loop l;
    const struct imp *here = begin_loop(s, &l, s->n);
    imp_add(&s->k->b, imp_store(cx, s->from, here, OP_NONE, times_needed(s, here)));
    end_loop(s, &l);
    grid_scan(s->k, s->from, s->n);
    s->made = imp_let(&s->k->b, made, imp_fetch(cx, imp_load(cx, s->from, s->n)));
}

/* Finds where each of the list's positions begins, if it is there as often as it takes. */
static void find_from(struct splitting *s)
{
    struct context *cx = s->k->cx;
    struct imp_var *made = local(s, "made");
    s->from = workspace_array(s->k, TYPE_I64,
                              arena_printf(cx->arena, "%s_from", s->r->access->tensor->name),
                              cx->cuda ? grid_scan_room(s->k, s->n) : imp_next(cx, s->n));
    if (cx->cuda)
        scan_from(s, made);
    else
        sum_from(s, made);
}

/* Copies the first n elements of an array away; the array has room for as many then. */
static const struct imp_var *move_away(struct kernel *k, const struct imp_var *array,
                                       const struct imp *n, const struct imp *room)
{
    const struct imp *zero = imp_i64(k->cx, 0);
    const struct imp_var *to =
        workspace_array(k, array->type, arena_printf(k->cx->arena, "%s_before", array->name), n);
    imp_add(&k->b, imp_copy(k->cx, to, zero, array, zero, n));
    if (k->cx->cuda) {
        imp_add(&k->b, imp_free(k->cx, array));
        imp_add(&k->b, imp_alloc(k->cx, array, room));
    } else {
        imp_add(&k->b, imp_resize(k->cx, array, room));
    }
    return to;
}

/* Adds code that fails if positions cannot count the new ones. */
static void check_fits(const struct splitting *s)
{
    const enum type type = segments(s, s->first)->type;
    if (index_max(type) < INT64_MAX)
        imp_add(&s->k->b,
                imp_if(s->k->cx, imp_op2(s->k->cx, OP_GT, s->made, number(s, index_max(type))),
                       imp_fail(s->k->cx, STATUS_TOO_LARGE), NULL));
}

/* Stores at each position that comes from a former one an element of what the array was. */
static void spread(const struct splitting *s, const struct imp_var *array, bool segments)
{
    struct context *cx = s->k->cx;
    struct imp_var *part = local(s, "part");
    struct loop l;
    const int64_t most = result_format(s->r)->level[s->level].most;
    const struct imp *old_end = segments ? imp_next(cx, s->n) : s->n,
                     *new_end = segments ? imp_next(cx, s->made) : s->made;
    const struct imp_var *before = move_away(s->k, array, old_end, new_end);
    const struct imp *here = begin_loop(s, &l, s->n), *first = imp_load(cx, s->from, here),
                     *past = imp_load(cx, s->from, imp_next(cx, here)),
                     *value = imp_load(cx, before, here);
    imp_begin(&s->k->b);
    if (segments)
        value = imp_op2(cx, OP_ADD, value,
                        imp_cast(cx, array->type,
                                 imp_op2(cx, OP_MUL, imp_op2(cx, OP_SUB, imp_read(cx, part), first),
                                         number(s, most))));
    imp_add(&s->k->b, imp_store(cx, array, imp_read(cx, part), OP_NONE, value));
    imp_add(&s->k->b, imp_for(cx, part, first, past, 1, imp_end(&s->k->b)));
    end_loop(s, &l);
    if (segments)
        imp_add(&s->k->b, imp_store(cx, array, s->made, OP_NONE, imp_load(cx, before, s->n)));
    imp_add(&s->k->b, imp_free(cx, before));
}

/* Ends the segments of the level above the list where its positions are now. */
static void move_ends(const struct splitting *s)
{
    struct context *cx = s->k->cx;
    const struct imp_var *pos = segments(s, s->first);
    struct loop l;
    const struct imp *ends =
        imp_let(&s->k->b, local(s, "ends"), imp_next(cx, positions_above(s, s->first)));
    const struct imp *here = begin_loop(s, &l, ends);
    imp_add(&s->k->b,
            imp_store(cx, pos, here, OP_NONE,
                      imp_cast(cx, pos->type, imp_load(cx, s->from, imp_load(cx, pos, here)))));
    end_loop(s, &l);
}

static void split_parents(struct kernel *k, const struct result *r, int level)
{
    struct splitting s = {
        .k = k, .r = r, .first = format_split_from(result_format(r), level), .level = level};
    s.n = imp_let(&k->b, local(&s, "parents"), positions_above(&s, level));
    find_from(&s);
    imp_begin(&k->b);
    check_fits(&s);
    for (int l = s.first; l < level; l++)
        spread(&s, result_array(k, r, l, LEVEL_COORDINATES), false);
    spread(&s, segments(&s, level), true);
    move_ends(&s);
    const struct imp *all = imp_end(&k->b);
    imp_add(&k->b, imp_if(k->cx, imp_op2(k->cx, OP_GT, s.made, s.n), all, NULL));
    imp_add(&k->b, imp_free(k->cx, s.from));
}

/* Is the result assembled, and is something stored? */
static bool is_made_anew(const struct result *r)
{
    bool has_pattern = r->assembly->kind == ASSEMBLY_PATTERN || r->assembly->kind == ASSEMBLY_GIVEN
                       || r->assembly->kind == ASSEMBLY_UPDATE;
    return r->assembly->groups > 0 && !has_pattern
           && tree_assigns(r->tree, r->tree->root->statement); /* else nothing is stored */
}

void result_split(struct kernel *k, const struct result *r)
{
    const struct format *format = result_format(r);
    if (!is_made_anew(r))
        return;
    for (int level = format->levels; level-- > 0;) /* a parent may have one above it */
        if (format->level[level].most)
            split_parents(k, r, level);
}
