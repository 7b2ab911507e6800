/* order.c - the order of a run of directly nested loops.
 *
 * The loops must follow the levels of the accesses inside: a level that cannot be located in O(1)
 * comes after the levels above it, one that is sparse had better, and a result that is appended to
 * needs all its loops in storage order and those of reductions inside them.  Among the orders that
 * satisfy this, innermost goes the loop in which most dense accesses are contiguous (in a loop over
 * stored coordinates none is: it gathers), and free loops come before reduced ones; otherwise the
 * order stays.  Where no order satisfies every access, those that come first win.  The loops over
 * the parts of a variable stand for its loop, in their order.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

struct ordering {
    struct context *cx;
    const struct cin_program *program;
    const struct index_var *const *var;
    int n;
    bool **before; /* transitively closed */
    int *weight;   /* how well it suits the innermost place */
    bool *free;
    bool *sparse; /* over stored coordinates */
};

/* Is the loop that of the variable, or of a part of it? */
static bool is_of(const struct ordering *o, int loop, const struct index_var *var)
{
    return cin_is_part(o->program, o->var[loop], var, CIN_ANY);
}

/* Puts loop a before b, unless b is before a already. */
static void constrain(struct ordering *o, int a, int b)
{
    if (a < 0 || b < 0 || a == b || o->before[b][a])
        return;
    o->before[a][b] = true;
    for (int i = 0; i < o->n; i++)
        for (int j = 0; j < o->n; j++)
            o->before[i][j] |= (i == a || o->before[i][a]) && (j == b || o->before[b][j]);
}

/* Puts the loops of one variable before those of another. */
static void constrain_vars(struct ordering *o, const struct index_var *one,
                           const struct index_var *other)
{
    for (int a = 0; a < o->n; a++)
        for (int b = 0; b < o->n && is_of(o, a, one); b++)
            if (is_of(o, b, other) && !is_of(o, b, one))
                constrain(o, a, b);
}

/* Puts the loops over a variable's parts in the order in which the variable ascends. */
static void constrain_parts(struct ordering *o, const struct index_var *var)
{
    const struct cin_relation *split = cin_split(o->program, var);
    if (!split)
        return;
    constrain_vars(o, split->child[0], split->child[1]);
    constrain_parts(o, split->child[0]);
    constrain_parts(o, split->child[1]);
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
            constrain_vars(o, access_level_var(access, above), access_level_var(access, level));
    }
}

static void follow_result(struct ordering *o, const struct cin *result)
{
    int assembled = format_assembled(result->tensor->format);
    for (int level = 0; level < assembled; level++) {
        const struct index_var *var = access_level_var(result, level);
        if (level > 0)
            constrain_vars(o, access_level_var(result, level - 1), var);
        constrain_parts(o, var);
        for (int a = 0; a < o->n; a++)
            for (int b = 0; b < o->n && is_of(o, a, var); b++)
                if (!o->free[b])
                    constrain(o, a, b);
    }
    for (int level = assembled; assembled > 0 && level < result->tensor->format->levels; level++)
        constrain_vars(o, access_level_var(result, assembled - 1), access_level_var(result, level));
}

static void find_sparse(struct ordering *o, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++)
        for (int loop = 0; loop < o->n; loop++)
            if (is_of(o, loop, access_level_var(access, level)))
                o->sparse[loop] |= !level_has(&format->level[level], LEVEL_FULL);
}

/* Weighs the loops by an access.  A dense last level is walked along contiguously by its variable's
 * loop, or by that of its last part, and jumped in by the others. */
static void weigh(struct ordering *o, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++) {
        const struct index_var *var = access_level_var(access, level);
        for (int loop = 0; loop < o->n && !plan_is_iterated(&format->level[level]); loop++) {
            if (!is_of(o, loop, var))
                continue;
            bool steps = o->var[loop] == var || cin_whole(o->program, o->var[loop], CIN_LAST);
            if (level < format->levels - 1 || !steps)
                o->weight[loop]--;
            else if (!o->sparse[loop])
                o->weight[loop]++;
        }
    }
}

/* Returns the best of those loops that none of the others has to precede. */
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

/* Sorts the loops.  Once the innermost is chosen, the others keep free before reduced and then
 * their order. */
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

static struct ordering start(struct context *cx, const struct cin_program *program,
                             const struct var_list *loops)
{
    int n = (int)loops->n;
    struct ordering o = {.cx = cx, .program = program, .var = loops->at, .n = n};
    o.before = arena_array(cx->arena, bool *, n);
    for (int i = 0; i < n; i++)
        o.before[i] = arena_array(cx->arena, bool, n);
    o.weight = arena_array(cx->arena, int, n);
    o.free = arena_array(cx->arena, bool, n);
    o.sparse = arena_array(cx->arena, bool, n);
    return o;
}

/* Adds the constraints of each access: it wants the loops in the order of its levels, but loops of
 * a target are free. */
static void add_constraints(struct ordering *o, const struct chain *chain, const bool *skip)
{
    struct cin_list read = cin_operands(o->cx, chain->body),
                    made = cin_assignments(o->cx, chain->body);
    for (size_t i = 0; i < made.n; i++)
        for (int k = 0; k < made.at[i]->arg[0]->indices; k++)
            for (int j = 0; j < o->n; j++)
                o->free[j] |= is_of(o, j, made.at[i]->arg[0]->index[k]);
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

struct var_list plan_order(struct context *cx, const struct cin_program *program,
                           const struct chain *chain, const bool *skip)
{
    struct ordering o = start(cx, program, &chain->loops);
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

static void order_all(struct context *cx, const struct cin_program *program, bool keeps,
                      struct order_list *orders, const struct cin *cin)
{
    if (cin->kind == CIN_FORALL) {
        struct chain chain = plan_chain(cx, cin);
        struct var_list sorted = chain.loops;
        if (chain.loops.n > 1 && !plan_is_ordered(program, &chain.loops))
            sorted = plan_order(cx, program, &chain, NULL);
        if (!var_list_equal(&sorted, &chain.loops))
            vec_push(cx->arena, orders, keeps ? chain.loops : sorted);
        cin = chain.body;
    }
    for (int i = 0; i < cin->args; i++)
        if (!cin_is_expression(cin->arg[i]))
            order_all(cx, program, keeps, orders, cin->arg[i]);
}

struct order_list plan_orders(struct context *cx, const struct cin_program *program, bool keeps)
{
    struct order_list orders = {0};
    const struct cin_program *unfolded = plan_unfold(cx, program);
    program = unfolded ? unfolded : program;
    order_all(cx, program, keeps, &orders, program->statement);
    return orders;
}
