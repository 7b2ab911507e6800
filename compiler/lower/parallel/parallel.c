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
 * or each puts what it has in its place (assembly_fill.c, assembly_count.c).  So are workspaces
 * around the loop that are lists or tables (private_workspace.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>

#include "compiler/lower/parallel/parallel.h"
#include "compiler/lower/result/assembly.h"

void parallel_store(struct kernel *k, const struct tensor_var *tensor, const struct imp_var *array,
                    const struct imp *position, enum op op, const struct imp *value)
{
    bool atomic = false;
    for (size_t i = 0; k->parallel && i < k->parallel->atomic.n; i++)
        atomic |= k->parallel->atomic.at[i] == tensor;
    imp_add(&k->b, atomic ? imp_atomic(k->cx, array, position, op, value)
                          : imp_store(k->cx, array, position, op, value));
}

struct result *parallel_next(const struct parallel *p, const struct result *before)
{
    struct result *r = kernel_next_result(p->k, p->node->statement, before);
    while (r && !p->way[r->rank])
        r = kernel_next_result(p->k, p->node->statement, r);
    return r;
}

bool parallel_is_outermost(const struct parallel *p)
{
    return p->node->around.known.n == known_none(p->k->cx, p->k->program).n;
}

static const struct imp_var *hand(struct parallel *p, const struct imp_var *handed,
                                  const struct imp *n)
{
    vec_push(p->k->cx->arena, &p->k->prologue, imp_declare(p->k->cx, handed, NULL));
    imp_add(&p->k->b, imp_alloc(p->k->cx, handed, n));
    return handed;
}

const struct imp_var *parallel_numbers(struct parallel *p, enum type type, const char *format, ...)
{
    struct context *cx = p->k->cx;
    va_list args;
    va_start(args, format);
    struct imp_var *numbers =
        kernel_array(p->k, type, "%s", arena_vprintf(cx->arena, format, args));
    va_end(args);
    numbers->restricted = true;
    numbers->small = !p->tag->factor;
    return hand(p, numbers,
                numbers->small ? imp_int(cx, TYPE_I64, PARTS_MOST + 1)
                               : imp_next(cx, imp_read(cx, p->parts)));
}

/* Where a part's n-th array is. */
static const struct imp *place_of(struct parallel *p, const struct imp_var *arrays, int n,
                                  const struct imp *part)
{
    struct context *cx = p->k->cx;
    const struct imp *first =
        arrays->arrays > 1 ? imp_op2(cx, OP_MUL, part, imp_int(cx, part->type, arrays->arrays))
                           : part;
    return n ? imp_op2(cx, OP_ADD, first, imp_int(cx, part->type, n)) : first;
}

const struct imp_var *parallel_arrays(struct parallel *p, int each, const char *format, ...)
{
    struct context *cx = p->k->cx;
    va_list args;
    va_start(args, format);
    struct imp_var *arrays =
        kernel_array(p->k, TYPE_BOOL, "%s", arena_vprintf(cx->arena, format, args));
    va_end(args);
    arrays->arrays = each;
    return hand(p, arrays, place_of(p, arrays, 0, imp_read(cx, p->parts)));
}

void parallel_keep(struct parallel *p, const struct imp_var *handed, int n, const struct imp *part,
                   const struct imp_var *array)
{
    imp_add(&p->k->b, imp_keep(p->k->cx, handed, place_of(p, handed, n, part), array));
}

void parallel_take(struct parallel *p, const struct imp_var *array, const struct imp_var *handed,
                   int n, const struct imp *part)
{
    imp_add(&p->k->b, imp_declare(p->k->cx, array, NULL));
    imp_add(&p->k->b, imp_take(p->k->cx, array, handed, place_of(p, handed, n, part)));
}

void parallel_move(struct parallel *p, const struct imp_var *array, const struct imp_var *handed,
                   int n, const struct imp *part)
{
    imp_add(&p->k->b, imp_move(p->k->cx, array, handed, place_of(p, handed, n, part)));
}

void parallel_join(struct parallel *p, const struct imp_var *whole, const struct imp_var *handed,
                   int n, const struct imp_var *begin, const struct imp *elements)
{
    struct context *cx = p->k->cx;
    imp_add(&p->k->b, imp_join(cx, whole, handed, imp_int(cx, TYPE_I64, n), begin,
                               imp_read(cx, p->parts), elements));
}

void parallel_each(struct parallel *p, const struct imp_var *part, const struct imp *body)
{
    struct context *cx = p->k->cx;
    imp_add(&p->k->b, imp_for(cx, part, imp_int(cx, TYPE_I32, 0), imp_read(cx, p->parts), 1, body));
}

/* Does the loop make tensors, each time, that take memory and time as their dimensions do? */
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

/* What several parts store into, one after the other. */
static void set_atomic(struct parallel *p, const struct tree *tree)
{
    if (p->tag->races != RACES_ATOMICS)
        return;
    for (size_t i = 0; i < p->races.n; i++)
        if (!tree_makes_apart(p->k->cx, tree, p->node, p->races.at[i].assign))
            vec_push(p->k->cx->arena, &p->atomic, p->races.at[i].assign->arg[0]->tensor);
}

/* The loop, over the part's share. */
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

/* The first part combines into what is there, the others into arrays of their own.  Behind it the
 * cursors are those in front of it. */
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

/* The loop's body: what has to be there for all of the share, and then that. */
static const struct imp *lower_part(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct kernel outside = *k;
    struct scope inside = *scope;
    k->prologue.n = k->prologue.capacity = k->epilogue.n = k->epilogue.capacity = 0;
    k->prologue.at = k->epilogue.at = NULL;
    k->parallel = p;
    imp_begin(&k->b);
    share_take(p);
    own_begin(p, &inside);
    apart_begin(p);
    for (struct result *r = NULL; (r = parallel_next(p, r));)
        p->way[r->rank]->begin(p, r, p->kept[r->rank]);
    if (p->arrays.n)
        lower_either(p, &inside);
    else
        lower_share(p, &inside);
    for (struct result *r = NULL; (r = parallel_next(p, r));)
        if (p->way[r->rank]->end)
            p->way[r->rank]->end(p, r, p->kept[r->rank]);
    apart_end(p);
    own_end(p);
    const struct imp *loops = imp_end(&k->b);
    imp_begin(&k->b);
    for (size_t i = 0; i < k->prologue.n; i++)
        imp_add(&k->b, k->prologue.at[i]);
    for (int i = 0; i < loops->args; i++)
        imp_add(&k->b, loops->arg[i]);
    for (size_t i = 0; i < k->epilogue.n; i++)
        imp_add(&k->b, k->epilogue.at[i]);
    k->prologue = outside.prologue;
    k->epilogue = outside.epilogue;
    k->parallel = NULL;
    return imp_end(&k->b);
}

const struct imp *parallel_scan(struct parallel *p, const struct imp_var *numbers,
                                const struct imp *first)
{
    struct context *cx = p->k->cx;
    const struct imp *parts = imp_read(cx, p->parts);
    const struct imp *arg[] = {imp_read(cx, numbers), parts, first};
    imp_add(&p->k->b, imp_do(cx, prelude_call(&p->k->b, "sum_before", &numbers->type, 1, arg, 3)));
    return imp_load(cx, numbers, parts);
}

void parallel_loop(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    p->part = kernel_var(k, TYPE_I32, "part");
    const struct imp *body = lower_part(p, scope);
    bool dynamic = p->tag->dynamic || settle_applies(p);
    imp_add(&k->b,
            imp_parallel(k->cx, p->part, imp_read(k->cx, p->parts),
                         dynamic ? SCHEDULE_DYNAMIC : SCHEDULE_STATIC, p->tag->dynamic, body));
}

/* Which results parts assemble: of what the loop makes. */
static void find_assembled(struct parallel *p)
{
    static const struct parts_way *const ways[] = {
        [PARTS_JOINED] = &parts_joined,
        [PARTS_SETTLED] = &parts_settled,
        [PARTS_FILLED] = &parts_filled,
        [PARTS_COUNTED] = &parts_counted,
    };
    struct kernel *k = p->k;
    for (struct result *r = NULL; (r = kernel_next_result(k, p->node->statement, r));) {
        p->way[r->rank] = ways[tree_parts(k->cx, r->tree, p->node)];
        p->have_places |= tree_parts_have_places(k->cx, r->tree, p->node);
    }
}

/* Does it cost more to assemble a result the more parts there are? */
static bool is_heavy(struct parallel *p)
{
    bool heavy = false;
    for (struct result *r = NULL; (r = parallel_next(p, r));)
        heavy |= p->way[r->rank]->is_heavy && p->way[r->rank]->is_heavy(p->k, r);
    return heavy;
}

/* The loop, as often as the results want it. */
static void run(struct parallel *p, const struct scope *scope)
{
    bool runs = false;
    for (struct result *r = NULL; !runs && (r = parallel_next(p, r));)
        if ((runs = p->way[r->rank]->run != NULL))
            p->way[r->rank]->run(p, r, p->kept[r->rank], scope);
    if (!runs)
        parallel_loop(p, scope);
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
    bool heavy = p.arrays.n > 0 || is_heavy(&p) || cin_any(node->statement, makes_tensors, k->cx);
    share_find(&p, heavy, p.scalars.n > 0);
    own_open(&p);
    apart_open(&p);
    for (struct result *r = NULL; (r = parallel_next(&p, r));)
        p.kept[r->rank] = p.way[r->rank]->open(&p, r, scope);
    set_atomic(&p, scope->made->tree);
    run(&p, scope);
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
