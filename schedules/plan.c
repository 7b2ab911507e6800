/* plan.c - the planner: which directives complete a statement.
 *
 * So far it orders loops.  In every run of directly nested foralls the loops must follow the levels of the accesses
 * inside: a level that cannot be located in O(1) comes after the levels above it, and a result that is appended to needs
 * all its loops in storage order and those of reductions inside them.  Among the orders that satisfy this, innermost goes
 * the loop in which most dense accesses are contiguous (in a loop over stored coordinates none is: it gathers), and free
 * loops come before reduced ones; otherwise the order stays.  Where no order satisfies every operand, those that come
 * first in the statement win, and the lowering searches the others or refuses.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/lattice/lattice.h"
#include "schedules/schedules.h"

enum { LOOPS_MAX = 64 };

struct ordering {
    struct context *cx;
    const struct index_var *var[LOOPS_MAX];
    int n;
    bool before[LOOPS_MAX][LOOPS_MAX];       /* transitively closed */
    int weight[LOOPS_MAX];                   /* how well it suits the innermost place */
    bool free[LOOPS_MAX];
    bool sparse[LOOPS_MAX];                  /* over stored coordinates */
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

static const struct index_var *level_var(const struct cin *access, int level)
{
    int mode = access->tensor->format->level[level].mode;
    return mode < 0 ? NULL : access->index[mode];
}

/* Levels that are iterated come after all levels above them. */
static void follow_levels(struct ordering *o, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    for (int level = 1; level < format->levels; level++)
        for (int above = 0; above < level && !format->level[level].type->locates_fast; above++)
            constrain(o, place_of(o, level_var(access, above)), place_of(o, level_var(access, level)));
}

static int last_appended(const struct format *format)
{
    int last = -1;
    for (int level = 0; level < format->levels; level++)
        if (!format->level[level].type->size)
            last = level;
    return last;
}

static void follow_result(struct ordering *o, const struct cin *result)
{
    int last = last_appended(result->tensor->format);
    for (int level = 0; level <= last; level++) {
        int at = place_of(o, level_var(result, level));
        if (level > 0)
            constrain(o, place_of(o, level_var(result, level - 1)), at);
        for (int i = 0; i < o->n; i++)
            if (!o->free[i])
                constrain(o, at, i);
    }
    for (int level = last + 1; last >= 0 && level < result->tensor->format->levels; level++)
        constrain(o, place_of(o, level_var(result, last)), place_of(o, level_var(result, level)));
}

static void find_sparse(struct ordering *o, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++) {
        int at = place_of(o, level_var(access, level));
        if (at >= 0)
            o->sparse[at] |= !level_has(&format->level[level], LEVEL_FULL);
    }
}

/* A dense last level is walked along contiguously by its variable, and jumped in by the others. */
static void weigh(struct ordering *o, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    for (int level = 0; level < format->levels; level++) {
        int at = place_of(o, level_var(access, level));
        if (at < 0 || !format->level[level].type->locates_fast)
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
        bool better = best < 0 || o->weight[i] > o->weight[best] ||
                      (o->weight[i] == o->weight[best] && (!o->free[i] || o->free[best]));
        if (better)
            best = i;
    }
    return best;
}

/* Once the innermost is chosen, the others keep free before reduced and then their order. */
static void sort_loops(struct ordering *o, const struct index_var **sorted)
{
    bool left[LOOPS_MAX];
    memset(left, true, sizeof left);
    for (int at = o->n; at-- > 0;) {
        int i = pick_innermost(o, left);
        context_assert(o->cx, i >= 0);
        sorted[at] = o->var[i];
        left[i] = false;
        if (at == o->n - 1)
            memset(o->weight, 0, sizeof o->weight);
    }
}

static const struct cin *order_chain(struct ordering *o, const struct cin *forall)
{
    const struct cin *body = forall;
    for (; body->kind == CIN_FORALL && o->n < LOOPS_MAX; body = body->arg[0])
        o->var[o->n++] = body->index[0];
    struct cin_list read = cin_operands(o->cx, body), made = cin_assignments(o->cx, body);
    for (size_t i = 0; i < made.n; i++)
        for (int j = 0; j < o->n; j++)
            o->free[j] |= cin_uses_var(made.at[i]->arg[0], o->var[j]);
    for (size_t i = 0; i < read.n; i++)
        find_sparse(o, read.at[i]);
    for (size_t i = 0; i < made.n; i++) {
        follow_result(o, made.at[i]->arg[0]);
        weigh(o, made.at[i]->arg[0]);
    }
    for (size_t i = 0; i < read.n; i++) {
        follow_levels(o, read.at[i]);
        weigh(o, read.at[i]);
    }
    return body;
}

/* Has the user put a loop of the chain in order? */
static bool is_ordered(const struct cin_program *program, const struct ordering *o)
{
    for (int i = 0; i < program->ordereds; i++)
        if (place_of(o, program->ordered[i]) >= 0)
            return true;
    return false;
}

static void plan(struct context *cx, const struct cin_program *program, struct text *out, const struct cin *cin)
{
    if (cin->kind == CIN_FORALL) {
        const struct index_var *sorted[LOOPS_MAX];
        struct ordering o = {.cx = cx};
        cin = order_chain(&o, cin);
        sort_loops(&o, sorted);
        if (!is_ordered(program, &o) && memcmp(sorted, o.var, sizeof *sorted * (size_t)o.n)) {
            text_add(out, out->n ? "; reorder(" : "reorder(");
            for (int i = 0; i < o.n; i++)
                text_printf(out, "%s%s", i ? ", " : "", sorted[i]->name);
            text_add(out, ")");
        }
    }
    for (int i = 0; i < cin->args; i++)
        if (!cin_is_expression(cin->arg[i]))
            plan(cx, program, out, cin->arg[i]);
}

const char *plan_schedule(struct context *cx, const struct cin_program *program)
{
    struct text out = text_new(cx->arena);
    plan(cx, program, &out, program->statement);
    return out.at;
}
