/* parallel.c - a forall whose parts run in parallel (thesis 6.6).
 *
 *     parts = ...                                  as many as there is work for
 *     parallel for part
 *         the loop, over its share                 parallel_share.c
 *
 * Where parts add up arrays of their own the first one adds to what is there, so that the only part
 * is the loop itself:
 *
 *         if (part == 0) the loop else { an array; the loop, into that }
 *
 * A part is a small serial kernel: what is made inside the loop, workspaces among it, is made in
 * the part, and freed there.  What the loop reduces into the part has of its own and hands over,
 * and all that is combined in the order of the parts (privatize.c), so that it does not depend
 * on who ran when.  Parts of a sparse result are assembled likewise, and joined (assembly_join.c),
 * or each puts what it has in its place (assembly_fill.c, count_apart.c).  So are workspaces around
 * the loop that are lists or tables (private_workspace.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

/* Is this a tensor that is made in each iteration, which takes memory and time in proportion to its
 * dimensions? */
static bool makes_tensors(const struct cin *cin, void *data)
{
    struct context *cx = data;
    struct cin_list made =
        cin->kind == CIN_WHERE ? cin_assignments(cx, cin->arg[1]) : (struct cin_list){0};
    bool makes = false;
    for (size_t i = 0; i < made.n; i++)
        makes |= made.at[i]->arg[0]->tensor->temporary && made.at[i]->arg[0]->tensor->order > 0;
    return makes;
}

/* Makes updates atomic of what several parts store into. */
static void set_atomic(struct parallel *p, const struct tree *tree)
{
    if (p->tag->races != RACES_ATOMICS)
        return;
    for (size_t i = 0; i < p->races.n; i++)
        if (!tree_makes_apart(p->k->cx, tree, p->node, p->races.at[i].assign))
            vec_push(p->k->cx->arena, &p->atomic, p->races.at[i].assign->arg[0]->tensor);
}

/* Lowers the loop over the part's share. */
static void lower_share(struct parallel *p, struct scope *inside)
{
    struct reductions reductions;
    struct scope after = *inside;
    bool atomics = tree_is_atomic(inside->made->tree, p->node->statement);
    if (atomics)
        reductions = reductions_begin(p->k, inside);
    p->f.scope = inside;
    forall_run(&p->f);
    if (atomics)
        reductions_end(p->k, &after, inside, &reductions);
}

/* Lowers the loop for the first part, which combines into what is there, and for the others, which
 * combine into arrays of their own.  Behind it the cursors are those in front of it. */
static void lower_either(struct parallel *p, struct scope *inside)
{
    struct kernel *k = p->k;
    const struct forall before = p->f;
    const struct imp *zero = imp_int(k->cx, TYPE_I32, 0);
    imp_begin(&k->b);
    lower_share(p, inside);
    const struct imp *first = imp_end(&k->b);
    imp_begin(&k->b);
    own_arrays_begin(p);
    p->f = forall_open(k, inside);
    share_narrow(p);
    lower_share(p, inside);
    own_arrays_end(p);
    const struct imp *others = imp_end(&k->b),
                     *is_first = imp_op2(k->cx, OP_EQ, imp_read(k->cx, p->part), zero);
    imp_add(&k->b, imp_if(k->cx, is_first, first, others));
    p->f = before;
}

static const struct kernel_part *see_part(struct parallel *p)
{
    p->seen = (struct kernel_part){.node = p->node,
                                   .from = p->from,
                                   .past = p->past,
                                   .has_coordinates = !share_cursor(p),
                                   .atomic = p->atomic.at,
                                   .atomics = p->atomic.n,
                                   .positions = share_positions,
                                   .parallel = p};
    return &p->seen;
}

/* Returns the loop's body: it makes what has to be there for all of the share, and then runs the
 * loop. */
static const struct imp *lower_part(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct kernel outside = *k;
    struct scope inside = *scope;
    k->prologue.n = k->prologue.capacity = k->epilogue.n = k->epilogue.capacity = 0;
    k->prologue.at = k->epilogue.at = NULL;
    imp_begin(&k->b);
    share_take(p);
    k->part = see_part(p);
    own_begin(p, &inside);
    apart_begin(p);
    count_begin(p);
    for (struct result *r = NULL; (r = parallel_next(p, r));)
        p->way[r->rank]->begin(p, r, p->kept[r->rank]);
    if (p->arrays.n)
        lower_either(p, &inside);
    else
        lower_share(p, &inside);
    for (struct result *r = NULL; (r = parallel_next(p, r));)
        if (p->way[r->rank]->end)
            p->way[r->rank]->end(p, r, p->kept[r->rank]);
    count_end(p);
    apart_end(p);
    own_end(p);
    const struct imp *loops = imp_end(&k->b);
    imp_begin(&k->b);
    for (size_t i = 0; i < k->prologue.n; i++)
        imp_add(&k->b, k->prologue.at[i]);
    imp_add_all(&k->b, loops);
    for (size_t i = 0; i < k->epilogue.n; i++)
        imp_add(&k->b, k->epilogue.at[i]);
    k->prologue = outside.prologue;
    k->epilogue = outside.epilogue;
    k->part = NULL;
    return imp_end(&k->b);
}

void parallel_loop(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    p->part = kernel_var(k, TYPE_I32, "part");
    const struct imp *body = lower_part(p, scope);
    bool dynamic = p->tag->dynamic || compact_applies(p);
    imp_add(&k->b,
            imp_parallel(k->cx, p->part, imp_read(k->cx, p->parts),
                         dynamic ? SCHEDULE_DYNAMIC : SCHEDULE_STATIC, p->tag->dynamic, body));
}

/* Finds, for each result that the loop makes, how parts assemble it. */
static void find_assembled(struct parallel *p)
{
    /* PARTS_COUNTED is count_apart.c's, and PARTS_TWICE launch_twice.c's */
    static const struct parts_way *const ways[] = {
        [PARTS_JOINED] = &parts_joined, [PARTS_COMPACTED] = &parts_compacted,
        [PARTS_FILLED] = &parts_filled, [PARTS_COUNTED] = NULL,
        [PARTS_TWICE] = NULL,
    };
    struct kernel *k = p->k;
    for (struct result *r = NULL; (r = kernel_next_result(k, p->node->statement, r));) {
        p->way[r->rank] = ways[tree_parts(k->cx, r->tree, p->node)];
        p->have_places |= tree_parts_have_places(k->cx, r->tree, p->node);
    }
}

/* Does assembling what the parts make cost more if there are more parts? */
static bool is_heavy(struct parallel *p)
{
    bool heavy = p->segments || p->arrays.n > 0;
    for (struct result *r = NULL; (r = parallel_next(p, r));)
        heavy |= p->way[r->rank]->is_heavy && p->way[r->rank]->is_heavy(p->k, r);
    return heavy;
}

void lower_parallel(struct kernel *k, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    struct parallel p = {.k = k,
                         .tag = cin_parallel(k->program, node->statement),
                         .node = node,
                         .f = forall_open(k, scope),
                         .races = tree_races(k->cx, scope->made->tree, node)};
    if (!node->lattice->points)
        return;
    find_assembled(&p);
    own_find(&p, scope);
    apart_find(&p, scope);
    count_find(&p, scope);
    bool heavy = is_heavy(&p) || cin_any(node->statement, makes_tensors, k->cx);
    share_find(&p, heavy, p.scalars.n > 0);
    own_open(&p);
    apart_open(&p);
    count_open(&p);
    for (struct result *r = NULL; (r = parallel_next(&p, r));)
        p.kept[r->rank] = p.way[r->rank]->open(&p, r);
    set_atomic(&p, scope->made->tree);
    if (p.segments)
        count_run(&p, scope);
    else
        parallel_loop(&p, scope);
    own_combine(&p);
    apart_join(&p);
    for (struct result *r = NULL; (r = parallel_next(&p, r));)
        if (p.way[r->rank]->close)
            p.way[r->rank]->close(&p, r, p.kept[r->rank]);
    if (p.from_of) {
        imp_add(&k->b, imp_free(k->cx, p.from_of));
        imp_add(&k->b, imp_free(k->cx, p.past_of));
    }
}
