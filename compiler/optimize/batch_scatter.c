/* batch_scatter.c - entries that go where counters say, four at a step.
 *
 *     for (p = begin; p < end; p++) {
 *         j = crd[p];
 *         q = next[j]++;
 *         X[q] = vals[p];
 *     }
 *
 * becomes
 *
 *     middle = begin + (end - begin) / 4 * 4;
 *     for (p = begin; p < middle; p += 4) {
 *         j0 = crd[p];         v0 = vals[p];        ...  j3 = crd[p + 3];     v3 = vals[p + 3];
 *         q0 = next[j0]++;     X[q0] = v0;          ...  q3 = next[j3]++;     X[q3] = v3;
 *     }
 *
 * and the rest one by one, to the bit the same.  A processor that does not know yet where it stores
 * to may hold back what is loaded behind that: what four entries are is read before.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { TOGETHER = 4 };

struct together {
    struct vectorizer *z;
    const struct imp_var *var;     /* the loop's */
    VEC(const struct imp *) reads; /* declarations of what an entry is, */
    VEC(const struct imp *) rest;  /* and what is done with it */
};

static bool is_lazy(const struct imp *imp, void *data)
{
    (void)data;
    return imp_is_lazy(imp);
}

/* The variable that has what is read, declared in front of all that is done with it. */
static const struct imp *declared(struct together *t, const struct imp *load)
{
    struct context *cx = t->z->cx;
    for (size_t i = 0; i < t->reads.n; i++)
        if (imp_equal(t->reads.at[i]->arg[0], load))
            return imp_read(cx, t->reads.at[i]->var);
    const char *name = arena_printf(cx->arena, "%s_here", imp_stem(load->var));
    struct imp_var *var = vector_var(t->z, name, load->type, load->lanes);
    vec_push(cx->arena, &t->reads, imp_declare(cx, var, load));
    return imp_read(cx, var);
}

/* With variables for what it reads. */
static const struct imp *with_reads(struct together *t, const struct imp *imp)
{
    if (vector_reads_entry(imp, t->var))
        return declared(t, imp);
    if (imp->args == 0)
        return imp;
    const struct imp **arg = arena_array(t->z->cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++)
        arg[i] = with_reads(t, imp->arg[i]);
    return imp_with_args(t->z->cx, imp, arg);
}

/* Take the body apart; false: it does not only read, compute and store. */
static bool take_apart(struct together *t, const struct imp *body)
{
    struct context *cx = t->z->cx;
    if (imp_any(body, is_lazy, NULL))
        return false;
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *s = body_at(body, i);
        if (s->kind == IMP_DECLARE && s->args && vector_reads_entry(s->arg[0], t->var))
            vec_push(cx->arena, &t->reads, s);
        else if ((s->kind == IMP_DECLARE && s->args) || s->kind == IMP_STORE)
            vec_push(cx->arena, &t->rest, with_reads(t, s));
        else
            return false;
    }
    return true;
}

/* Some iterations, of which each first reads. */
static const struct imp *iterations(struct together *t, const struct imp *loop)
{
    struct context *cx = t->z->cx;
    struct imp_builder b = {.cx = cx};
    const struct imp *copy[TOGETHER];
    const int reads = (int)t->reads.n, all = reads + (int)t->rest.n;
    imp_begin(&b);
    for (int i = 0; i < all; i++)
        imp_add(&b, i < reads ? t->reads.at[i] : t->rest.at[i - reads]);
    const struct imp *one = imp_for(cx, loop->var, loop->arg[0], loop->arg[1], 1, imp_end(&b));
    for (int k = 0; k < TOGETHER; k++)
        copy[k] = unroll_iteration(t->z, one, lanes_plus(cx, imp_read(cx, loop->var), k));
    imp_begin(&b);
    for (int k = 0; k < TOGETHER; k++)
        for (int i = 0; i < reads; i++)
            imp_add(&b, copy[k]->arg[i]);
    for (int k = 0; k < TOGETHER; k++)
        for (int i = reads; i < all; i++)
            imp_add(&b, copy[k]->arg[i]);
    return imp_end(&b);
}

/* The body for each position from `begin` on. */
static const struct imp *one_by_one(struct together *t, const struct imp *loop,
                                    const struct imp *begin)
{
    struct context *cx = t->z->cx;
    struct imp_var *var = vector_var(t->z, imp_stem(loop->var), loop->var->type, 1);
    var->base_name = imp_stem(loop->var);
    const struct imp *one = imp_for(cx, loop->var, begin, loop->arg[1], 1, loop->arg[2]),
                     *body = unroll_iteration(t->z, one, imp_read(cx, var));
    return imp_for(cx, var, begin, loop->arg[1], 1, body);
}

const struct imp *vectorize_together(struct vectorizer *z, const struct imp *loop)
{
    struct context *cx = z->cx;
    struct together t = {.z = z, .var = loop->var};
    struct imp_builder b = {.cx = cx};
    if (!lanes_is_counted(loop) || vector_factor(loop) || !vectorize_has_targets(cx, loop)
        || !take_apart(&t, loop->arg[2]))
        return NULL;
    imp_begin(&b);
    const char *name = arena_printf(cx->arena, "%s_begin", imp_stem(loop->var));
    const struct imp *begin = imp_let(&b, vector_var(z, name, loop->var->type, 1), loop->arg[0]),
                     *middle = vector_whole(z, &b, loop, begin, loop->arg[1], TOGETHER);
    imp_add(&b, imp_for(cx, loop->var, begin, middle, TOGETHER, iterations(&t, loop)));
    imp_add(&b, one_by_one(&t, loop, middle));
    return imp_end(&b);
}
