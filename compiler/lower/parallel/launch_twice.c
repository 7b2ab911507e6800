/* launch_twice.c - a nest that is launched twice: to count what results get, and to store it
 * (assembly_twice.c).
 *
 * The host has to know how many parts there are, to make room for a number from each.  Where the
 * loop's iterations are numbered each is a part:
 *
 *     for (step = thread of the grid; step < n; ...)
 *         pC2 = 0                                       pC2 = C2_begin[step]
 *         the row                                       the row, stored
 *         C2_begin[step] = pC2
 *
 * Else a part is a team's share of the work.  Where each iteration puts one entry into a list, and
 * does nothing else, the list is as long as the loop, and the first run is left out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/launch.h"

/* ---- parts ---- */

/* Are the iterations numbered, one for each place of results that have places? */
static bool has_numbers(struct parallel *p)
{
    return forall_counts(&p->f) && !p->f.lattice->guards
           && !(p->have_places && forall_single(&p->f));
}

static const struct imp *count_iterations(struct parallel *p)
{
    struct context *cx = p->k->cx;
    const struct cursor *only = forall_only(&p->f);
    const struct imp *begin = share_i64(p, only ? only->begin : forall_first(&p->f)),
                     *n = imp_op2(cx, OP_SUB, share_i64(p, only ? only->end : forall_end(&p->f)),
                                  begin);
    if (begin->kind != IMP_LITERAL) /* differences of nothing end before they begin */
        n = imp_op2(cx, OP_MAX, n, imp_i64(cx, 0));
    return share_named(p, n, arena_printf(cx->arena, "n%s", p->f.lattice->var->name));
}

/* Returns how many parts there are, for the host. */
static const struct imp *find_parts(struct parallel *p)
{
    struct launch l = {.k = p->k, .tag = p->tag};
    if (has_numbers(p))
        return count_iterations(p);
    launch_open_grid(&l, p->node->statement, INT32_MAX);
    launch_find_parts(p, l.team.teams, l.team.lanes);
    return share_i64(p, imp_read(p->k->cx, p->parts));
}

/* ---- iterations ---- */

static void enter(void *data, const struct forall *f, const struct imp *number)
{
    struct parallel *p = data;
    struct kernel *k = p->k;
    const struct imp *at = f->var ? imp_read(k->cx, f->var) : NULL;
    p->part = (struct imp_var *)f->step;
    if (number->kind != IMP_VAR) {
        p->part = kernel_var(k, TYPE_I64, "part");
        imp_let(&k->b, p->part, number);
    }
    p->from = at;
    p->past = at ? imp_next(k->cx, at) : NULL;
    rows_enter(p);
    twice_enter(p);
}

static void leave(void *data)
{
    struct parallel *p = data;
    if (!rows_leave(p))
        twice_leave(p);
}

void twice_adopt(struct parallel *p, const struct parallel *host)
{
    struct forall_each *each = arena_make(p->k->cx->arena, struct forall_each);
    *each = (struct forall_each){enter, leave, p};
    for (int r = 0; r < TIN_RESULTS_MAX; r++) {
        p->way[r] = host->way[r];
        p->kept[r] = host->kept[r];
    }
    p->apart.at = host->apart.at;
    p->apart.n = p->apart.capacity = host->apart.n;
    p->have_places = host->have_places;
    p->all = host->all;
    p->rows = host->rows;
    p->parts = host->parts;
    p->begin = host->begin;
    p->end = host->end;
    p->before = host->before;
    p->work = host->work;
    p->many = host->many;
    p->weights.at = host->weights.at;
    p->weights.n = p->weights.capacity = host->weights.n;
    p->f.each = host->parts ? NULL : each;
}

static void run_twice(struct parallel *p, const struct scope *scope)
{
    if (p->rows)
        rows_run(p, scope);
    else
        launch_nest(p->k, scope, p);
}

/* Results that have a place for each component: one run stores all of them. */
static void launch_once(struct parallel *p, const struct scope *scope)
{
    twice_turn(p);
    launch_nest(p->k, scope, NULL);
    twice_close(p);
}

bool launch_twice(struct kernel *k, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    struct parallel p = {.k = k, .tag = cin_parallel(k->program, node->statement), .node = node};
    if (!node->lattice->points)
        return false;
    p.rows = rows_find(&p);
    bool twice = twice_find(&p);
    if (!twice && !p.rows)
        return false;
    if (!p.rows && !twice_counts(&p)) {
        launch_once(&p, scope);
        return true;
    }
    p.f = forall_open(k, scope);
    p.all = find_parts(&p);
    imp_begin(&k->b);
    if (twice)
        twice_open(&p, p.all);
    if (p.rows)
        rows_count(&p, scope);
    if (twice)
        run_twice(&p, scope);
    const struct imp *first = imp_end(&k->b);
    if (p.parts || p.rows || !twice_once(&p, first))
        imp_add_all(&k->b, first);
    if (twice)
        twice_turn(&p);
    run_twice(&p, scope);
    if (twice)
        twice_close(&p);
    if (p.rows)
        rows_close(&p);
    return true;
}
