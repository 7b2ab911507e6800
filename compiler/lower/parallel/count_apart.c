/* count_apart.c - a result or a workspace that parts of a parallel loop assemble by counting
 * (workspace/segments.h).
 *
 * Where parts of a parallel loop have components in the same slots, each counts for itself.  The
 * scan goes over slots and, in each, over parts: so each knows where its own components go, which
 * is where they would without parts.
 *
 *     part    counts    before them    segments      where its first ones go
 *     0       2 0 1     0 0 0                        0 3 4
 *     1       1 1 0     2 0 1          0 3 4 5       2 3 5
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

/* Finds what is counted: one thing at most, since a loop that counts makes nothing else. */
void count_find(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct result *made = scope->made;
    struct cin_list assigned = cin_assignments(k->cx, p->node->statement);
    struct workspace *ws = assigned.n ? kernel_workspace(k, assigned.at[0]->arg[0]->tensor) : NULL;
    if (ws && ws->way->run && ws->producer == p->node)
        p->segments = &ws->segments;
    else if (tree_parts(k->cx, made->tree, p->node) == PARTS_COUNTED)
        p->segments = &made->segments;
}

void count_open(struct parallel *p)
{
    if (p->segments)
        p->counts = parallel_arrays(p, 1, "%s_of", segments_next_name(p->k, p->segments));
}

/* ---- in a part ---- */

static struct imp_var *own_next(struct kernel *k, const struct segments *s)
{
    struct imp_var *own = kernel_array(k, segments_type(s), "%s", segments_next_name(k, s));
    own->restricted = true;
    return own;
}

void count_begin(struct parallel *p)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct segments *s = p->segments;
    if (!s)
        return;
    struct imp_var *own = own_next(k, s);
    s->next = own;
    if (s->puts) {
        parallel_take(p, own, p->counts, 0, imp_read(cx, p->part));
        return;
    }
    imp_add(&k->b, imp_declare(cx, own, NULL));
    imp_add(&k->b, imp_alloc(cx, own, segments_slots(k, s)));
    segments_clear(k, own, segments_slots(k, s));
}

void count_end(struct parallel *p)
{
    if (p->segments && !p->segments->puts)
        parallel_keep(p, p->counts, 0, imp_read(p->k->cx, p->part), p->segments->next);
}

/* ---- between the two runs ---- */

/* Replaces the part's count of a slot by that of the parts before it, and adds it to these. */
static void add_count(struct kernel *k, const struct segments *s, const struct imp_var *own,
                      const struct imp *slot)
{
    struct context *cx = k->cx;
    struct imp_var *count = kernel_var(k, own->type, "%s_count", s->access->tensor->name);
    const struct imp *n = imp_let(&k->b, count, imp_load(cx, own, slot));
    imp_add(&k->b, imp_store(cx, own, slot, OP_NONE, imp_load(cx, s->next, slot)));
    imp_add(&k->b, imp_store(cx, s->next, slot, OP_ADD, n));
}

/* Replaces that number by the place of the part's first component in the slot. */
static void place_count(struct kernel *k, const struct segments *s, const struct imp_var *own,
                        const struct imp *slot)
{
    struct context *cx = k->cx;
    const struct imp *stride = imp_cast(cx, own->type, segments_stride(k, s));
    imp_add(&k->b, imp_store(cx, own, slot, OP_NONE,
                             imp_op2(cx, OP_ADD, imp_load(cx, s->next, slot),
                                     imp_op2(cx, OP_MUL, imp_load(cx, own, slot), stride))));
}

/* Runs the body for each slot, with the own count of each part: in parallel over slots. */
static void each_count(struct parallel *p,
                       void (*body)(struct kernel *k, const struct segments *s,
                                    const struct imp_var *own, const struct imp *slot))
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct segments *s = p->segments;
    struct imp_var *share = kernel_var(k, TYPE_I32, "share"),
                   *part = kernel_var(k, TYPE_I32, "part"),
                   *slot = kernel_var(k, TYPE_I64, "%s_parent", s->access->tensor->name),
                   *own = own_next(k, s);
    const struct imp *at = imp_read(cx, share), *after = imp_next(cx, at);
    imp_begin(&k->b);
    imp_begin(&k->b);
    parallel_take(p, own, p->counts, 0, imp_read(cx, part));
    imp_begin(&k->b);
    body(k, s, own, imp_read(cx, slot));
    const struct imp *each = imp_end(&k->b);
    imp_add(&k->b, imp_for(cx, slot, share_before(p, segments_slots(k, s), at),
                           share_before(p, segments_slots(k, s), after), 1, each));
    parallel_each(p, part, imp_end(&k->b));
    imp_add(&k->b,
            imp_parallel(cx, share, imp_read(cx, p->parts), SCHEDULE_STATIC, 0, imp_end(&k->b)));
}

void count_run(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct segments *s = p->segments;
    const bool computes = k->computes;
    s->puts = k->computes = false;
    parallel_loop(p, scope);
    segments_begin(k, s);
    const struct imp_var *total = s->next;
    each_count(p, add_count);
    k->computes = computes;
    segments_scan(k, s);
    each_count(p, place_count);
    imp_add(&k->b, imp_free(k->cx, total));
    p->f = forall_open(k, scope);
    parallel_loop(p, scope);
    imp_add(&k->b, imp_free(k->cx, p->counts));
}
