/* plan_order.c - the order of a run of directly nested loops.
 *
 * The loops must follow the levels of the accesses inside: a level that cannot be located in O(1)
 * comes after the levels above it, one that is sparse had better, and a result that is appended to
 * needs all its loops in storage order and those of reductions inside them.  Among the orders that
 * satisfy this, innermost goes the loop in which most dense accesses are contiguous (in a loop over
 * stored coordinates none is: it gathers), and free loops come before reduced ones; otherwise the
 * order stays.  Where no order satisfies every access, those that come first win.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/tree/tree.h"
#include "schedules/plan.h"

struct ordering {
    struct context *cx;
    const struct index_var *const *var;
    int n;
    bool **before; /* transitively closed */
    int *weight;   /* how well it suits the innermost place */
    bool *free;
    bool *sparse; /* over stored coordinates */
};

static int place_of(const struct ordering *o, const struct index_var *var)
{
    for (int i = 0; i < o->n; i++)
        if (o->var[i] == var)
            return i;
    return -1;
}

/* a before b, unless b is before a already. */
static void constrain(struct ordering *o, int a, int b)
{
    if (a < 0 || b < 0 || a == b || o->before[b][a])
        return;
    o->before[a][b] = true;
    for (int i = 0; i < o->n; i++)
        for (int j = 0; j < o->n; j++)
            o->before[i][j] |= (i == a || o->before[i][a]) && (j == b || o->before[b][j]);
}

bool plan_is_iterated(const struct level_format *level)
{
    return !level_has(level, LEVEL_FULL) || !level->type->locates_fast;
}

/* Levels that are iterated come after all levels above them; fast: only those that could be
 * located in O(1). */
static void follow_levels(struct ordering *o, const struct cin *access, bool fast)
{
    const struct format *format = access->tensor->format;
    for (int level = 1; level < format->levels; level++) {
        const struct level_format *own = &format->level[level];
        if (!plan_is_iterated(own) || own->type->locates_fast != fast)
            continue;
        for (int above = 0; above < level; above++)
            constrain(o, place_of(o, access_level_var(access, above)),
                      place_of(o, access_level_var(access, level)));
    }
}

static void follow_result(struct ordering *o, const struct cin *result)
{
    int assembled = format_assembled(result->tensor->format);
    for (int level = 0; level < assembled; level++) {
        int at = place_of(o, access_level_var(result, level));
        if (level > 0)
            constrain(o, place_of(o, access_level_var(result, level - 1)), at);
        for (int i = 0; i < o->n; i++)
            if (!o->free[i])
                constrain(o, at, i);
    }
    for (int level = assembled; assembled > 0 && level < result->tensor->format->levels; level++)
        constrain(o, place_of(o, access_level_var(result, assembled - 1)),
                  place_of(o, access_level_var(result, level)));
}

static void find_sparse(struct ordering *o, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++) {
        int at = place_of(o, access_level_var(access, level));
        if (at >= 0)
            o->sparse[at] |= !level_has(&format->level[level], LEVEL_FULL);
    }
}

/* A dense last level is walked along contiguously by its variable, and jumped in by the others. */
static void weigh(struct ordering *o, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++) {
        int at = place_of(o, access_level_var(access, level));
        if (at < 0 || plan_is_iterated(&format->level[level]))
            continue;
        if (level < format->levels - 1)
            o->weight[at]--;
        else if (!o->sparse[at])
            o->weight[at]++;
    }
}

/* The best of those that nothing left comes after. */
static int pick_innermost(const struct ordering *o, const bool *left)
{
    int best = -1;
    for (int i = 0; i < o->n; i++) {
        bool last = left[i];
        for (int j = 0; j < o->n; j++)
            last &= !(left[j] && o->before[i][j]);
        if (!last)
            continue;
        bool better = best < 0 || o->weight[i] > o->weight[best]
                      || (o->weight[i] == o->weight[best] && (!o->free[i] || o->free[best]));
        if (better)
            best = i;
    }
    return best;
}

/* Once the innermost is chosen, the others keep free before reduced and then their order. */
static void sort_loops(struct ordering *o, const struct index_var **sorted)
{
    bool *left = arena_array(o->cx->arena, bool, o->n);
    memset(left, true, sizeof *left * (size_t)o->n);
    for (int at = o->n; at-- > 0;) {
        int i = pick_innermost(o, left);
        context_assert(o->cx, i >= 0);
        sorted[at] = o->var[i];
        left[i] = false;
        if (at == o->n - 1)
            memset(o->weight, 0, sizeof *o->weight * (size_t)o->n);
    }
}

static struct ordering start(struct context *cx, const struct var_list *loops)
{
    int n = (int)loops->n;
    struct ordering o = {.cx = cx, .var = loops->at, .n = n};
    o.before = arena_array(cx->arena, bool *, n);
    for (int i = 0; i < n; i++)
        o.before[i] = arena_array(cx->arena, bool, n);
    o.weight = arena_array(cx->arena, int, n);
    o.free = arena_array(cx->arena, bool, n);
    o.sparse = arena_array(cx->arena, bool, n);
    return o;
}

/* An access wants the loops in the order of its levels; those with a target's loops are free. */
static void add_constraints(struct ordering *o, const struct chain *chain, const bool *skip)
{
    struct cin_list read = cin_operands(o->cx, chain->body),
                    made = cin_assignments(o->cx, chain->body);
    for (size_t i = 0; i < made.n; i++)
        for (int j = 0; j < o->n; j++)
            o->free[j] |= cin_uses_var(made.at[i]->arg[0], o->var[j]);
    for (size_t i = 0; i < read.n; i++)
        find_sparse(o, read.at[i]);
    for (size_t i = 0; i < made.n; i++) {
        if (!made.at[i]->arg[0]->tensor->temporary && (!skip || !skip[i]))
            follow_result(o, made.at[i]->arg[0]);
        weigh(o, made.at[i]->arg[0]);
    }
    for (int fast = 0; fast <= 1; fast++)
        for (size_t i = 0; i < read.n; i++)
            if (!skip || !skip[made.n + i])
                follow_levels(o, read.at[i], fast);
    for (size_t i = 0; i < read.n; i++)
        weigh(o, read.at[i]);
}

struct var_list plan_order(struct context *cx, const struct chain *chain, const bool *skip)
{
    struct ordering o = start(cx, &chain->loops);
    struct var_list sorted = {0};
    add_constraints(&o, chain, skip);
    sorted.n = sorted.capacity = (size_t)o.n;
    sorted.at = arena_array(cx->arena, const struct index_var *, o.n);
    sort_loops(&o, sorted.at);
    return sorted;
}

struct chain plan_chain(struct context *cx, const struct cin *forall)
{
    struct chain chain = {.body = forall};
    for (; chain.body->kind == CIN_FORALL; chain.body = chain.body->arg[0])
        vec_push(cx->arena, &chain.loops, chain.body->index[0]);
    return chain;
}

bool plan_is_ordered(const struct cin_program *program, const struct var_list *loops)
{
    for (int i = 0; i < program->ordereds; i++)
        if (var_list_has(loops, program->ordered[i]))
            return true;
    for (size_t i = 0; i < loops->n; i++)
        if (cin_positions(program->relation, program->relations, loops->at[i]))
            return true;
    return false;
}

static void order_all(struct context *cx, const struct cin_program *program, struct text *out,
                      const struct cin *cin)
{
    if (cin->kind == CIN_FORALL) {
        struct chain chain = plan_chain(cx, cin);
        struct var_list sorted = chain.loops;
        if (chain.loops.n > 1 && !plan_is_ordered(program, &chain.loops))
            sorted = plan_order(cx, &chain, NULL);
        if (!var_list_equal(&sorted, &chain.loops))
            text_printf(out, "%s%s", out->n ? "; " : "", plan_reorder(cx, &sorted));
        cin = chain.body;
    }
    for (int i = 0; i < cin->args; i++)
        if (!cin_is_expression(cin->arg[i]))
            order_all(cx, program, out, cin->arg[i]);
}

const char *plan_orders(struct context *cx, const struct cin_program *program)
{
    struct text out = text_new(cx->arena);
    const struct cin_program *unfolded = plan_unfold(cx, program);
    order_all(cx, program, &out, unfolded ? unfolded->statement : program->statement);
    return out.at;
}
