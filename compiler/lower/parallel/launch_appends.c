/* launch_appends.c - loops in a launch of which each step appends once: by all lanes of the team.
 *
 *     for (p = from; p < to; p++)            n = to - from
 *         A_crd[pA] = w_crd[p]               for (at = lane; at < n; at += lanes)
 *         A_vals[pA] = w_vals[p]                 p = from + at
 *         pA += 1                                A_crd[pA + at] = w_crd[p]
 *                                                A_vals[pA + at] = w_vals[p]
 *                                            pA += n
 *
 * Where a step is certain to append, which one it is says where: no lane has to wait for others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/lower/parallel/launch.h"

enum { COUNTERS = 8 };

struct appends {
    struct context *cx;
    const struct imp *loop;
    const struct imp_var *counter[COUNTERS];
    int counters;
    bool fits;
};

static bool is_counter(const struct appends *a, const struct imp *e)
{
    e = imp_bare(e);
    for (int i = 0; e->kind == IMP_VAR && i < a->counters; i++)
        if (a->counter[i] == e->var)
            return true;
    return false;
}

bool launch_is_one(const struct imp *e)
{
    e = imp_bare(e);
    return e->kind == IMP_LITERAL && type_is_integer(e->type)
           && value_convert(e->value, TYPE_I64).i == 1;
}

/* Counters of what is outside go up by one. */
static void find_counter(struct appends *a, const struct imp *imp)
{
    bool is = imp->op == OP_ADD && type_is_integer(imp->var->type) && launch_is_one(imp->arg[0])
              && !imp_declares_inside(a->loop, imp->var)
              && !is_counter(a, imp_read(a->cx, imp->var)) && a->counters < COUNTERS;
    a->fits &= is;
    if (is)
        a->counter[a->counters++] = imp->var;
}

static bool stores_elsewhere(const struct imp *imp, void *data)
{
    const struct appends *a = data;
    return imp->kind == IMP_STORE && !(imp->op == OP_NONE && is_counter(a, imp->arg[0]));
}

bool launch_stores_to(const struct imp *imp, void *array)
{
    return imp->kind == IMP_STORE && imp->var == array;
}

static bool reads_stored(const struct imp *imp, void *data)
{
    const struct appends *a = data;
    return imp->kind == IMP_LOAD && imp_any(a->loop, launch_stores_to, (void *)(size_t)imp->var);
}

/* Declarations, stores, and then counters: none of them is read once it has gone up. */
static void look(struct appends *a, const struct imp *body)
{
    for (int i = 0; i < body_count(body) && a->fits; i++) {
        const struct imp *imp = body_at(body, i);
        if (imp->kind == IMP_BLOCK)
            look(a, imp);
        else if (imp->kind == IMP_ASSIGN)
            find_counter(a, imp);
        else
            a->fits &= (imp->kind == IMP_DECLARE && imp->args && !imp->var->array
                        && imp_is_pure(imp->arg[0]) && !a->counters)
                       || (imp->kind == IMP_STORE && !a->counters);
    }
}

/* Returns the body without the counting. */
static const struct imp *uncounted(struct kernel *k, const struct imp *body)
{
    imp_begin(&k->b);
    for (int i = 0; i < body_count(body); i++)
        if (body_at(body, i)->kind == IMP_BLOCK)
            imp_add_all(&k->b, uncounted(k, body_at(body, i)));
        else if (body_at(body, i)->kind != IMP_ASSIGN)
            imp_add(&k->b, body_at(body, i));
    return imp_end(&k->b);
}

/* Returns the body in the step of this number: with the values of the loop's variable and of its
 * counters there. */
static const struct imp *in_step(struct kernel *k, const struct appends *a, const struct imp *step)
{
    struct context *cx = k->cx;
    const struct imp *loop = a->loop, *body = uncounted(k, loop->arg[2]);
    struct imp_var *var = kernel_var(k, loop->var->type, "%s", imp_stem(loop->var));
    imp_begin(&k->b);
    imp_let(
        &k->b, var,
        imp_cast(cx, var->type, imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, loop->arg[0]), step)));
    body = imp_replaced(cx, body, imp_read(cx, loop->var), imp_read(cx, var));
    for (int i = 0; i < a->counters; i++) {
        const struct imp *counter = imp_read(cx, a->counter[i]);
        body = imp_replaced(cx, body, counter,
                            imp_op2(cx, OP_ADD, counter, imp_cast(cx, counter->type, step)));
    }
    imp_add_all(&k->b, body);
    return imp_end(&k->b);
}

bool launch_appends(const struct launch *l, const struct team *team, const struct imp *loop,
                    struct launch_run *run)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    struct appends a = {.cx = cx, .loop = loop, .fits = loop->kind == IMP_FOR && loop->n == 1};
    if (a.fits)
        look(&a, loop->arg[2]);
    if (!a.fits || !a.counters || imp_any(loop->arg[2], stores_elsewhere, &a)
        || imp_any(loop->arg[2], reads_stored, &a))
        return false;
    struct imp_var *many = kernel_var(k, TYPE_I64, "n%s", imp_stem(loop->var)),
                   *at = kernel_var(k, TYPE_I64, "at");
    const struct imp *n = imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, loop->arg[1]),
                                  imp_cast(cx, TYPE_I64, loop->arg[0]));
    run->before = imp_declare(cx, many, imp_op2(cx, OP_MAX, n, imp_i64(cx, 0)));
    n = imp_read(cx, many);
    run->loop = imp_for(cx, at, imp_cast(cx, TYPE_I64, team->lane), n, team->lanes,
                        in_step(k, &a, imp_read(cx, at)));
    imp_begin(&k->b);
    for (int i = 0; i < a.counters; i++)
        imp_add(&k->b, imp_assign(cx, a.counter[i], OP_ADD, imp_cast(cx, a.counter[i]->type, n)));
    run->after = imp_end(&k->b);
    return true;
}
