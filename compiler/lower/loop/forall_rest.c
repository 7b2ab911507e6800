/* forall_rest.c - what is done once for all coordinates that the loops of a forall do not come to
 * (the lattice's rest).
 *
 *     for (p = pos[i]; p < pos[i + 1]; p++)
 *         t = max(t, A_vals[p]);
 *     if (pos[i + 1] - pos[i] < n)
 *         t = max(t, 0);
 *
 * How many coordinates the loops come to, the bounds of a single one say; elsewhere each region
 * counts itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

static bool is_always(struct context *cx, const struct lattice *lattice, struct bits loop)
{
    const struct lattice_point **point;
    bool covered;
    return lattice_cases(cx, lattice, loop, &point, &covered) == 1 && covered;
}

/* Is each position of the one cursor a coordinate where the loop's one point holds? */
static const struct cursor *only_counted(struct forall *f)
{
    const struct cursor *only = forall_only(f);
    return only && !only->format->type->occupied
                   && is_always(f->k->cx, f->lattice, bits_one((int)(only - f->cursor)))
               ? only
               : NULL;
}

void forall_count(struct forall *f)
{
    struct kernel *k = f->k;
    if (!f->lattice->rest || bits_empty(f->lattice->iterated) || only_counted(f))
        return;
    enum type type = k->request->coordinates;
    f->visited = kernel_var(k, type, "%s_visited", f->lattice->var->name);
    imp_let(&k->b, f->visited, imp_int(k->cx, type, 0));
}

/* Returns how many coordinates the loops come to. */
static const struct imp *visited(struct forall *f)
{
    struct context *cx = f->k->cx;
    const struct cursor *only = f->visited ? NULL : only_counted(f);
    if (f->visited)
        return imp_read(cx, f->visited);
    return only ? imp_op2(cx, OP_SUB, only->end, only->begin)
                : imp_int(cx, f->k->request->coordinates, 0);
}

/* Does it count how often something is done? */
static bool has_times(struct context *cx, const struct cin *rest)
{
    struct cin_list made = cin_assignments(cx, rest);
    bool has = false;
    for (size_t i = 0; i < made.n; i++)
        has |= !lattice_is_once(cx, made.at[i]);
    return has;
}

void forall_rest(struct forall *f)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    if (!f->lattice->rest)
        return;
    const struct lattice_point *point = &f->lattice->point[f->lattice->points - 1];
    const struct imp *size = imp_op2(cx, OP_SUB, forall_end(f), forall_first(f)),
                     *come_to = visited(f);
    enum type type = type_promote(size->type, come_to->type);
    size = imp_cast(cx, type, size);
    come_to = imp_cast(cx, type, come_to);
    struct scope resting = *f->scope;
    struct times_place times = {.outer = f->scope->times};
    if (has_times(cx, point->body)) {
        times.count = imp_cast(cx, TYPE_I64, imp_op2(cx, OP_SUB, size, come_to));
        resting.times = arena_copy(cx->arena, &times, sizeof times);
    }
    f->scope = &resting;
    f->visited = NULL;
    imp_begin(&k->b);
    f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
    imp_let(&k->b, f->var, forall_first(f));
    forall_inside(f, bits_none());
    const struct imp *rest = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, come_to, size), rest, NULL));
}
