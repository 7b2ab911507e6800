/* parallel_share.c - into how many parts a parallel loop goes, and what each of them has.
 *
 * What is shared out are positions where the loop runs along one operand, else coordinates; where
 * operands are merged each is searched for where the part begins.  The work before a position or
 * coordinate (parallel_work.c) ascends, so that each part finds where it begins and ends by binary
 * search: one heavy row holds nobody up but its own part.  Where the work is in proportion to x
 * shares are even, and need no search; of a list's entries each begins with a run of one
 * coordinate.  A single part has all, and searches for nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"
#include "compiler/target.h"

/* ---- parts ---- */

static void let_parts(struct parallel *p, const struct imp *parts)
{
    p->parts = kernel_var(p->k, TYPE_I32, "parts");
    imp_let(&p->k->b, p->parts, imp_cast(p->k->cx, TYPE_I32, parts));
}

/* Finds the number of parts if the schedule says how many iterations each has. */
static void find_asked(struct parallel *p)
{
    struct context *cx = p->k->cx;
    const struct imp *chunk = imp_i64(cx, p->tag->factor), *fits = compact_fits(p),
                     *n = imp_op2(cx, OP_SUB, share_i64(p, p->end), share_i64(p, p->begin));
    if (fits)
        chunk = share_named(p, imp_select(cx, fits, chunk, imp_op2(cx, OP_MAX, n, imp_i64(cx, 1))),
                            "chunk");
    p->chunk = chunk;
    const struct imp *up = imp_op2(cx, OP_ADD, n, imp_op2(cx, OP_SUB, chunk, imp_i64(cx, 1)));
    struct imp_var *parts = kernel_var(p->k, TYPE_I64, "chunks");
    const struct imp *chunks = imp_let(&p->k->b, parts, imp_op2(cx, OP_DIV, up, chunk));
    kernel_check_most(p->k, chunks, INT32_MAX);
    let_parts(p, chunks);
}

/* Returns the work that is worth a part.  A part with an array of its own has to fill that and then
 * to combine it, which is as much work as the loop does for each element: on 2026-11-23, two
 * threads were 1.3 to 1.7 times as fast as one at y = A x by columns with 10,000 to 600,000
 * entries, three or ten in a column. */
static const struct imp *find_grain(struct parallel *p)
{
    struct context *cx = p->k->cx;
    const struct imp *grain = imp_i64(cx, target_of(cx)->part_work);
    for (size_t i = 0; i < p->arrays.n; i++)
        grain = imp_op2(cx, OP_ADD, grain, p->arrays.at[i].length);
    if (grain->kind == IMP_LITERAL)
        return grain;
    struct imp_var *var = kernel_var(p->k, TYPE_I64, "grain");
    var->positive = true;
    return imp_let(&p->k->b, var, grain);
}

/* Returns the most parts: so many that each thread ends when others do; one if there is only one
 * thread. */
static const struct imp *most_of(struct parallel *p, const struct imp *threads)
{
    struct context *cx = p->k->cx;
    const struct imp *each = imp_i64(cx, PARTS_EACH),
                     *most = imp_op2(cx, OP_MIN, imp_op2(cx, OP_MUL, each, share_i64(p, threads)),
                                     imp_i64(cx, PARTS_MOST)),
                     *several = imp_op2(cx, OP_GT, threads, imp_int(cx, TYPE_I32, 1));
    return imp_select(cx, several, most, imp_i64(cx, 1));
}

/* Finds the number of parts: at most that of the iterations, if these may be fewer than the work;
 * else `iterations` is NULL.  The number of threads is asked for only if there is work for several.
 */
static void find_parts(struct parallel *p, const struct imp *work, const struct imp *iterations,
                       bool heavy, bool fixed)
{
    struct context *cx = p->k->cx;
    const struct imp *grain = find_grain(p), *most = imp_i64(cx, PARTS_MOST), *one = imp_i64(cx, 1),
                     *threads = imp_threads(cx);
    if (heavy && fixed && p->arrays.n == 0)
        most = imp_i64(cx, PARTS_EACH); /* a scalar's: of the input, not of the threads */
    else if (heavy)
        most = imp_op2(cx, OP_MIN, share_i64(p, threads), most);
    else if (!fixed)
        most = most_of(p, threads);
    if (iterations)
        most = imp_op2(cx, OP_MIN, most, imp_op2(cx, OP_MAX, iterations, one));
    const struct imp *worth_two = imp_op2(cx, OP_MUL, imp_i64(cx, 2), grain),
                     *parts = imp_op2(cx, OP_MIN, most, imp_op2(cx, OP_DIV, work, grain));
    parts = imp_select(cx, imp_op2(cx, OP_LT, work, worth_two), one, parts);
    const struct imp *fits = compact_fits(p);
    if (fits)
        parts = imp_select(cx, fits, parts, one);
    let_parts(p, parts);
    p->parts->positive = true;
}

/* ---- shares ---- */

const struct imp *share_before(struct parallel *p, const struct imp *whole, const struct imp *part)
{
    return imp_op2(p->k->cx, OP_DIV, imp_op2(p->k->cx, OP_MUL, whole, share_i64(p, part)),
                   share_i64(p, imp_read(p->k->cx, p->parts)));
}

/* Returns in a variable the least of [begin, end) with this much work before it: of coordinates,
 * which are at this position of work_searched, or, with that operand, of its positions. */
static const struct imp *bisect(struct parallel *p, const struct cursor *operand,
                                const struct imp *begin, const struct imp *end,
                                const struct imp *position, const struct imp *work)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    enum type type = begin->type;
    const struct cursor *of = operand ? operand : share_cursor(p);
    const char *name = of ? of->code.position_name : p->f.lattice->var->name;
    bool even;
    struct imp_var *low = kernel_var(k, type, "%s_low", name),
                   *high = kernel_var(k, type, "%s_high", name),
                   *middle = kernel_var(k, type, "%s_middle", name);
    imp_let(&k->b, low, begin);
    imp_let(&k->b, high, end);
    imp_begin(&k->b);
    const struct imp *half =
        imp_op2(cx, OP_DIV, imp_op2(cx, OP_SUB, imp_read(cx, high), imp_read(cx, low)),
                imp_int(cx, type, 2));
    const struct imp *at = imp_let(&k->b, middle, imp_op2(cx, OP_ADD, imp_read(cx, low), half));
    const struct imp *before =
        operand ? work_before(p, imp_load(cx, block_coordinates(&operand->code), at), at, &even)
                : work_before(p, at, position, &even);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, before, work),
                          imp_assign(cx, low, OP_NONE, imp_next(cx, at)),
                          imp_assign(cx, high, OP_NONE, at)));
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_LT, imp_read(cx, low), imp_read(cx, high)), body));
    return imp_read(cx, low);
}

/* Returns the coordinate with this much work before it, the work being what two operands store: it
 * is on the diagonal of that many steps through both (Green, Odeh and Birk, Merge path, 2012). */
static const struct imp *on_diagonal(struct parallel *p, const struct cursor *const two[2],
                                     const struct imp *work)
{
    struct context *cx = p->k->cx;
    const struct imp *arg[9], *steps = work;
    enum type type[2];
    for (int i = 0; i < 2; i++) {
        const struct imp_var *crd = block_coordinates(&two[i]->code);
        type[i] = crd->type;
        arg[3 * i] = imp_read(cx, crd);
        arg[3 * i + 1] = share_i64(p, two[i]->begin);
        arg[3 * i + 2] = share_i64(p, two[i]->end);
        steps = imp_op2(cx, OP_SUB, steps, arg[3 * i + 1]);
    }
    arg[6] = steps;
    arg[7] = share_i64(p, p->begin);
    arg[8] = share_i64(p, p->end);
    return imp_cast(cx, p->begin->type,
                    prelude_call(&p->k->b, "find_on_diagonal", type, 2, arg, 9));
}

/* Returns the coordinate with this much work before it, which is what one operand stores: that
 * behind the entry of this number. */
static const struct imp *behind_entry(struct parallel *p, const struct cursor *c,
                                      const struct imp *work)
{
    struct context *cx = p->k->cx;
    const struct imp *entry = imp_op2(cx, OP_SUB, work, imp_i64(cx, 1)),
                     *last = imp_load(cx, block_coordinates(&c->code), entry),
                     *x = imp_next(cx, imp_cast(cx, p->begin->type, last));
    x = imp_select(cx, imp_op2(cx, OP_GT, work, share_i64(p, c->begin)), x, p->begin);
    return share_named(p, imp_select(cx, imp_op2(cx, OP_GT, work, share_i64(p, c->end)), p->end, x),
                       arena_printf(cx->arena, "%s_at", p->f.lattice->var->name));
}

/* Returns the least x in [begin, end) with this much work before it.  If an operand would be
 * searched for each x, the operand's position with as much is found first: x is behind the
 * coordinate before that position, and not behind its own. */
static const struct imp *search_share(struct parallel *p, const struct imp *work)
{
    struct context *cx = p->k->cx;
    const struct cursor *c = work_searched(p), *of[2];
    int operands = work_is_of(p, of);
    if (operands)
        return operands > 1 ? on_diagonal(p, of, work) : behind_entry(p, of[0], work);
    if (!c)
        return bisect(p, NULL, p->begin, p->end, NULL, work);
    const struct imp_var *crd = block_coordinates(&c->code);
    enum type type = p->begin->type;
    const struct imp *at = bisect(p, c, c->begin, c->end, NULL, work);
    const struct imp *last = imp_load(cx, crd, imp_op2(cx, OP_SUB, at, imp_int(cx, at->type, 1)));
    const struct imp *low = imp_select(cx, imp_op2(cx, OP_GT, at, c->begin),
                                       imp_next(cx, imp_cast(cx, type, last)), p->begin);
    const struct imp *high = imp_select(cx, imp_op2(cx, OP_LT, at, c->end),
                                        imp_cast(cx, type, imp_load(cx, crd, at)), p->end);
    return bisect(p, NULL, low, high, at, work);
}

/* Do the operands begin where the loop does? */
static bool is_whole(struct parallel *p)
{
    return parallel_is_outermost(p) && p->begin->kind == IMP_LITERAL
           && value_is_zero(p->begin->value);
}

/* Finds the positions or coordinates that are shared out. */
static void find_whole(struct parallel *p)
{
    struct context *cx = p->k->cx;
    struct cursor *only = share_cursor(p);
    p->begin = only ? only->begin : forall_first(&p->f);
    p->end = only ? only->end : forall_end(&p->f);
    if (!only && p->begin->kind != IMP_LITERAL) /* differences of nothing end before they begin */
        p->end = share_named(p, imp_op2(cx, OP_MAX, p->begin, p->end),
                             arena_printf(cx->arena, "%s_end", p->f.lattice->var->name));
}

/* Returns their work.  *fewer: the number of iterations if it may be less than that; else NULL. */
static const struct imp *find_work(struct parallel *p, const struct imp **fewer)
{
    struct context *cx = p->k->cx;
    bool even;
    const struct imp *work = work_before(p, p->end, NULL, &even);
    p->before = work_before(p, p->begin, NULL, &even);
    if (is_whole(p))
        p->before = imp_i64(cx, 0);
    else if (!even)
        p->before = share_named(p, p->before, "work_before");
    work = imp_op2(cx, OP_SUB, work, p->before);
    const struct imp *across =
        even && !share_cursor(p) && parallel_is_outermost(p) ? work_across(p) : NULL;
    *fewer = across ? share_i64(p, imp_op2(cx, OP_SUB, p->end, p->begin)) : NULL;
    work = share_named(p, across ? imp_op2(cx, OP_ADD, work, across) : work, "work");
    p->work = even ? NULL : work;
    return work;
}

void share_find(struct parallel *p, bool heavy, bool fixed)
{
    const struct imp *fewer;
    find_whole(p);
    if (p->tag->factor) {
        find_asked(p);
        return;
    }
    const struct imp *work = find_work(p, &fewer);
    find_parts(p, work, fewer, heavy, fixed);
    if (p->work && join_has_places(p)) {
        p->from_of = parallel_numbers(p, p->begin->type, "%s_from_of", p->f.lattice->var->name);
        p->past_of = parallel_numbers(p, p->begin->type, "%s_past_of", p->f.lattice->var->name);
    }
}

void share_find_many(struct parallel *p, int64_t most, int64_t grain)
{
    struct context *cx = p->k->cx;
    const struct imp *fewer, *one = imp_i64(cx, 1);
    find_whole(p);
    const struct imp *work = find_work(p, &fewer),
                     *parts = imp_op2(cx, OP_DIV, work, imp_i64(cx, grain)),
                     *each = share_i64(p, imp_op2(cx, OP_SUB, p->end, p->begin));
    parts = imp_op2(cx, OP_MIN, imp_op2(cx, OP_MIN, parts, each), imp_i64(cx, most));
    let_parts(p, imp_op2(cx, OP_MAX, parts, one));
    p->parts->positive = true;
    p->many = true;
}

/* ---- in a part ---- */

/* Does the same, and tells which parts have the one more that some have without a product of two
 * numbers that may be large, such as coordinates of 60 bits. */
static const struct imp *share_before_wide(struct parallel *p, const struct imp *whole,
                                           const struct imp *part)
{
    struct context *cx = p->k->cx;
    const struct imp *parts = share_i64(p, imp_read(cx, p->parts)), *number = share_i64(p, part),
                     *least = imp_op2(cx, OP_MUL, imp_op2(cx, OP_DIV, whole, parts), number);
    return imp_op2(cx, OP_ADD, least,
                   imp_op2(cx, OP_MIN, number, imp_op2(cx, OP_MOD, whole, parts)));
}

/* Returns where the part of this number begins, if each has as much of the work, with one more.  So
 * the end is behind the last part, even if iterations at the end have no work. */
static const struct imp *share_at(struct parallel *p, const struct imp *part)
{
    struct context *cx = p->k->cx;
    const struct imp *(*before)(struct parallel *, const struct imp *, const struct imp *) =
        p->many || (!p->work && p->begin->type == TYPE_I64) ? share_before_wide : share_before;
    if (p->work) {
        const struct imp *more = imp_op2(cx, OP_ADD, p->work, imp_i64(cx, 1)),
                         *work = imp_op2(cx, OP_ADD, p->before, before(p, more, part));
        return search_share(p, share_named(p, work, "work_from"));
    }
    const struct imp *n = share_i64(p, imp_op2(cx, OP_SUB, p->end, p->begin));
    const struct imp *at =
        p->tag->factor ? imp_op2(cx, OP_MIN, n, imp_op2(cx, OP_MUL, share_i64(p, part), p->chunk))
                       : before(p, n, part);
    return imp_op2(cx, OP_ADD, p->begin, imp_cast(cx, p->begin->type, at));
}

static const struct imp *has_several(struct parallel *p)
{
    return imp_op2(p->k->cx, OP_GT, imp_read(p->k->cx, p->parts), imp_int(p->k->cx, TYPE_I32, 1));
}

static void narrow(struct parallel *p, int bit)
{
    struct cursor *c = &p->f.cursor[bit];
    const struct imp *begin = share_i64(p, c->begin), *end = share_i64(p, c->end);
    block_search(p->k, p->f.scope, c->it, &c->code, share_i64(p, p->from), share_i64(p, p->past),
                 p->tag->factor ? NULL : has_several(p), &begin, &end);
    c->begin = imp_cast(p->k->cx, c->position->type, begin);
    c->end = imp_cast(p->k->cx, c->position->type, end);
}

/* Goes back to where the run begins. */
static void go_back(struct parallel *p, const struct imp_var *crd, const struct imp_var *var)
{
    struct context *cx = p->k->cx;
    const struct imp *at = imp_read(cx, var), *one = imp_int(cx, var->type, 1),
                     *before = imp_op2(cx, OP_SUB, at, one),
                     *alike = imp_op2(cx, OP_EQ, imp_load(cx, crd, before), imp_load(cx, crd, at));
    imp_add(&p->k->b, imp_while(cx, imp_op2(cx, OP_AND, imp_op2(cx, OP_GT, at, p->begin), alike),
                                imp_assign(cx, var, OP_SUB, one)));
}

/* Finds where the part of this number begins; with a run, in a part that holds its place. */
static void find_share(struct parallel *p, const struct imp_var *var, const struct imp *part)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct cursor *only = share_cursor(p);
    const struct imp *at = imp_read(cx, var);
    imp_add(&k->b, imp_assign(cx, var, OP_NONE, share_at(p, part)));
    if (!only || !only->runs)
        return;
    const struct imp_var *crd = block_coordinates(&only->code);
    imp_begin(&k->b);
    if (level_ascends(only->it->access->tensor->format, only->it->first))
        imp_add(&k->b,
                imp_assign(cx, var, OP_NONE,
                           imp_cast(cx, var->type,
                                    find_first(k, crd, share_i64(p, p->begin), share_i64(p, at),
                                               share_i64(p, imp_load(cx, crd, at))))));
    else
        go_back(p, crd, var);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, at, p->end), imp_end(&k->b), NULL));
}

/* Finds where the part of this number begins, and then the next. */
static void find_bounds(struct parallel *p, const struct imp_var *from, const struct imp_var *past,
                        const struct imp *part)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct cursor *only = share_cursor(p);
    if (!p->work && !(only && only->runs)) {
        find_share(p, from, part);
        find_share(p, past, imp_next(cx, part));
        return;
    }
    struct imp_var *of = kernel_var(k, TYPE_I32, "bound");
    const struct imp *end = imp_op2(cx, OP_ADD, part, imp_int(cx, TYPE_I32, 2));
    imp_begin(&k->b);
    imp_add(&k->b, imp_assign(cx, from, OP_NONE, imp_read(cx, past)));
    find_share(p, past, imp_read(cx, of));
    imp_add(&k->b, imp_for(cx, of, part, end, 1, imp_end(&k->b)));
}

/* Finds where the part begins and ends.  A single part has all. */
void share_bounds(struct parallel *p, const struct imp *part)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct cursor *only = share_cursor(p);
    const char *name = only ? only->code.position_name : p->f.lattice->var->name;
    struct imp_var *from = kernel_var(k, p->begin->type, "%s_from", name),
                   *past = kernel_var(k, p->begin->type, "%s_past", name);
    bool others = p->from_of && part->var != p->part;
    p->from = imp_let(&k->b, from, others ? imp_load(cx, p->from_of, part) : p->begin);
    p->past = imp_let(&k->b, past, others ? imp_load(cx, p->past_of, part) : p->end);
    if (others)
        return;
    imp_begin(&k->b);
    find_bounds(p, from, past, part);
    imp_add(&k->b, imp_if(cx, has_several(p), imp_end(&k->b), NULL));
}

void share_narrow(struct parallel *p)
{
    struct cursor *only = share_cursor(p);
    if (only) {
        only->begin = p->from;
        only->end = p->past;
        return;
    }
    p->f.from = p->from;
    p->f.past = p->past;
    for (int i = 0; i < p->f.lattice->sparse; i++)
        if (bits_has(p->f.lattice->iterated, i) || bits_has(p->f.lattice->following, i))
            narrow(p, i);
}

void share_take(struct parallel *p)
{
    struct context *cx = p->k->cx;
    const struct imp *part = imp_read(cx, p->part);
    share_bounds(p, part);
    if (p->from_of) {
        imp_add(&p->k->b, imp_store(cx, p->from_of, part, OP_NONE, p->from));
        imp_add(&p->k->b, imp_store(cx, p->past_of, part, OP_NONE, p->past));
    }
    share_narrow(p);
}

/* Returns how many positions the access has in the level before those of the part, or, with `past`,
 * before those of the next part; NULL if that is not known. */
static const struct imp *positions_before(struct parallel *p, const struct cin *access, int level,
                                          bool past)
{
    for (int i = 0; i < p->f.lattice->iterators; i++) {
        const struct lattice_iterator *it = &p->f.lattice->iterator[i];
        const struct cursor *c = &p->f.cursor[i];
        if (!lattice_is_at(it, access) || it->first + 1 != it->end)
            continue;
        if (level > it->first && access->tensor->format->level[it->first].type->lists)
            return NULL; /* the loop's positions are those of the list */
        const struct imp *at = i < p->f.lattice->sparse ? (past ? c->end : c->begin)
                               : share_cursor(p) /* and its positions are another's */
                                   ? NULL
                                   : work_position(p, i, past ? p->past : p->from);
        return at ? position_first(p->k, access, it->end, level + 1, share_i64(p, at)) : NULL;
    }
    return NULL;
}

const struct imp *share_positions(struct parallel *p, const struct cin *access, int level)
{
    const struct imp *from = positions_before(p, access, level, false),
                     *past = positions_before(p, access, level, true);
    return from && past ? imp_op2(p->k->cx, OP_SUB, share_i64(p, past), share_i64(p, from)) : NULL;
}

const struct imp *share_positions_before(struct parallel *p, const struct cin *access, int level)
{
    const struct imp *before = positions_before(p, access, level, false);
    context_assert(p->k->cx, before != NULL);
    return share_i64(p, before);
}
