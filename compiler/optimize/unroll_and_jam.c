/* unroll_and_jam.c - several iterations of a loop through an inner loop at once.
 *
 *     for (i = begin; i < end; i++) {
 *         t = 0;
 *         for (j = 0; j < n; j++) t += A[i*n + j] * x[j];
 *         y[i] = t;
 *     }
 *
 * reads x again for each i.  Taken four at a time, with a vector v for each t,
 *
 *     for (; i < end - 3; i += 4) {
 *         v0 = v1 = v2 = v3 = {0};
 *         for (j = 0; j < n - 3; j += 4) {
 *             v0 += A[i*n + j .. +4] * x[j .. +4];
 *             v1 += A[(i + 1)*n + j .. +4] * x[j .. +4];  ...
 *         }
 *         ...
 *     }
 *
 * x is read once for four sums, which do not wait for each other.  This is unroll-and-jam
 * (Callahan, Carr and Kennedy, 1990).  The iterations that are left have a vector each, too, so
 * that a sum's bits do not depend on where the loop begins.  Loads of later iterations come before
 * stores of earlier ones: the loop's mark says that none reads what another writes, and arrays do
 * not overlap.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

enum { AT_ONCE = 4 };

struct jam {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *loop;
};

/* ---- does the code have this shape? ---- */

/* Is the inner loop the same in each iteration, a sum into a scalar that the iteration has? */
static bool is_inner(const struct jam *j, const struct imp *inner)
{
    const struct imp *last = body_last(inner->arg[2]);
    bool sums = lanes_is_counted(inner) && inner->mark && !inner->mark->asked
                && inner->mark->iterations == ITERATIONS_REDUCE && last->kind == IMP_ASSIGN;
    for (int i = 0; sums && i + 1 < body_count(inner->arg[2]); i++)
        sums = body_at(inner->arg[2], i)->kind == IMP_DECLARE;
    return sums && imp_declares_inside(j->loop, last->var) && imp_is_fixed(j->loop, inner->arg[0])
           && imp_is_fixed(j->loop, inner->arg[1]);
}

/* Are there surely too few iterations? */
static bool is_short(const struct imp *loop)
{
    const struct imp *begin = loop->arg[0], *end = loop->arg[1];
    bool known = begin->kind == IMP_LITERAL && end->kind == IMP_LITERAL;
    return (known && end->value.i - begin->value.i < AT_ONCE)
           || (loop->mark->most && loop->mark->most < AT_ONCE);
}

/* Declarations and inner loops, then stores. */
static bool fits(const struct jam *j)
{
    const struct imp *body = j->loop->arg[2];
    int loops = 0, stores = 0;
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        if (at->kind == IMP_STORE)
            stores++;
        else if (at->kind == IMP_FOR && is_inner(j, at))
            loops++;
        else if (at->kind != IMP_DECLARE || at->args == 0)
            return false;
        if (stores > 0 && at->kind != IMP_STORE)
            return false;
    }
    return loops > 0 && imp_is_pure(j->loop);
}

struct sharing {
    struct lanes inner, outer;
};

/* A vector that is the same in each iteration of the outer loop. */
static bool is_shared(const struct imp *imp, void *data)
{
    const struct sharing *s = data;
    if (imp->kind != IMP_LOAD || !lanes_is_contiguous(&s->inner, imp->arg[0]))
        return false;
    const struct imp *at = imp_read(s->inner.cx, s->inner.var);
    return !lanes_vary(&s->outer, lanes_scalar(&s->inner, imp->arg[0], at));
}

/* Does an inner loop read such a vector? */
static bool shares(const struct jam *j)
{
    const struct imp *body = j->loop->arg[2];
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *inner = body_at(body, i);
        struct sharing s = {{j->z->cx, inner->var, inner->arg[inner->args - 1]},
                            {j->z->cx, j->loop->var, body}};
        if (inner->kind == IMP_FOR && imp_any(s.inner.body, is_shared, &s))
            return true;
    }
    return false;
}

/* ---- pieces ---- */

/* One loop for the inner loops at this place of n bodies; false: that has no vectors. */
static bool add_inner(struct jam *j, const struct imp *const *body, int n, int place)
{
    struct context *cx = j->z->cx;
    const struct imp *first = body_at(body[0], place);
    imp_begin(&j->b);
    for (int k = 0; k < n; k++) {
        const struct imp *inner = body_at(body[k], place), *sum = inner->arg[2];
        if (k > 0)
            sum = unroll_iteration(j->z, inner, imp_read(cx, first->var));
        for (int i = 0; i < body_count(sum); i++)
            imp_add(&j->b, body_at(sum, i));
    }
    const struct imp *arg[] = {first->arg[0], first->arg[1], imp_end(&j->b)};
    const struct imp *all = vectorize_reduction(j->z, imp_with_args(cx, first, arg), n);
    if (all)
        imp_add(&j->b, all);
    return all;
}

/* The bodies, statement by statement; false: an inner loop has no vectors. */
static bool add_together(struct jam *j, const struct imp *const *body, int n)
{
    bool vectors = true;
    for (int i = 0; i < body_count(body[0]); i++) {
        if (body_at(body[0], i)->kind == IMP_FOR)
            vectors &= add_inner(j, body, n, i);
        else
            for (int k = 0; k < n; k++)
                imp_add(&j->b, body_at(body[k], i));
    }
    return vectors;
}

/* As long as there are so many iterations left; false: there are no vectors. */
static bool add_loop(struct jam *j, const struct imp *end, int n)
{
    struct context *cx = j->z->cx;
    const struct imp_var *var = j->loop->var;
    const struct imp *at = imp_read(cx, var), *body[AT_ONCE] = {j->loop->arg[2]};
    for (int k = n > 1 ? 0 : 1; k < n; k++)
        body[k] = unroll_iteration(j->z, j->loop, lanes_plus(cx, at, k));
    imp_begin(&j->b);
    bool jammed = add_together(j, body, n);
    imp_add(&j->b, imp_assign(cx, var, OP_ADD, imp_int(cx, var->type, n)));
    const struct imp *more = imp_op2(cx, OP_LT, at, lanes_plus(cx, end, 1 - n));
    imp_add(&j->b, imp_while(cx, more, imp_end(&j->b)));
    return jammed;
}

const struct imp *vectorize_jam(struct vectorizer *z, const struct imp *loop)
{
    struct jam j = {.z = z, .b = {.cx = z->cx}, .loop = loop};
    if (!lanes_is_counted(loop) || loop->mark->asked || loop->mark->last || is_short(loop)
        || !fits(&j) || !shares(&j))
        return NULL;
    struct ahead *around = z->around;
    z->around = NULL;
    imp_begin(&j.b);
    imp_let(&j.b, (struct imp_var *)(size_t)loop->var, loop->arg[0]);
    const struct imp *end = vector_end(z, &j.b, loop);
    bool jammed =
        add_loop(&j, end, AT_ONCE) && (vector_is_multiple(loop, AT_ONCE) || add_loop(&j, end, 1));
    const struct imp *all = imp_end(&j.b);
    z->around = around;
    return jammed ? all : NULL;
}
