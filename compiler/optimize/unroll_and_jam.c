/* unroll_and_jam.c - several iterations of a loop at once.
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
 * that a sum's bits do not depend on where the loop begins.
 *
 * Where the loop's mark says that its iterations are apart, their statements take turns: none reads
 * what another writes, and arrays do not overlap.  Of other loops only what an iteration reads from
 * arrays that nobody writes goes ahead.  That pays where a counter says where an entry goes: a
 * processor that does not know yet where it stores to may hold back what is loaded behind that.
 *
 *     for (; p < end - 3; p += 4) {
 *         j0 = crd[p];         ...  j3 = crd[p + 3];
 *         v0 = vals[p];        ...  v3 = vals[p + 3];
 *         q0 = next[j0]++;  X[q0] = v0;  ...  q3 = next[j3]++;  X[q3] = v3;
 *     }
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

struct jam {
    struct vectorizer *z;
    struct imp_builder b;
    const struct imp *loop;
    VEC(const struct imp *) ahead; /* of the body: what an iteration does ahead of earlier ones, */
    VEC(const struct imp *) rest;  /* and what it does when they have ended */
    int held;                      /* the values that an iteration has in registers */
};

/* ---- iterations that share vectors ---- */

/* Is the inner loop the same in each iteration, of sums into scalars of the iteration? */
static bool is_inner(struct jam *j, const struct imp *inner)
{
    int sums = 0;
    if (!lanes_is_counted(inner) || !inner->mark || inner->mark->asked
        || inner->mark->iterations != ITERATIONS_REDUCE || !imp_is_fixed(j->loop, inner->arg[0])
        || !imp_is_fixed(j->loop, inner->arg[1]))
        return false;
    for (int i = 0; i < body_count(inner->arg[2]); i++) {
        const struct imp *at = body_at(inner->arg[2], i);
        sums += at->kind == IMP_ASSIGN;
        if (at->kind == IMP_ASSIGN ? !imp_declares_inside(j->loop, at->var)
                                   : at->kind != IMP_DECLARE)
            return false;
    }
    j->held = sums > j->held ? sums : j->held;
    return sums > 0;
}

struct sharing {
    struct lanes inner, outer;
};

/* Is it a vector that is the same in each iteration of the outer loop? */
static bool is_shared_vector(const struct imp *imp, void *data)
{
    const struct sharing *s = data;
    if (imp->kind != IMP_LOAD || !lanes_is_contiguous(&s->inner, imp->arg[0]))
        return false;
    const struct imp *at = imp_read(s->inner.cx, s->inner.var);
    return !lanes_vary(&s->outer, lanes_scalar(&s->inner, imp->arg[0], at));
}

static bool reads_shared(const struct jam *j, const struct imp *inner)
{
    struct sharing s = {lanes_in(j->z->cx, inner), lanes_in(j->z->cx, j->loop)};
    return imp_any(s.inner.body, is_shared_vector, &s);
}

/* Takes declarations and inner loops, and then stores, all of which may go ahead.  False if the
 * body is something else, or if no inner loop reads a vector that iterations share.  Runs over
 * positions are short. */
static bool take_apart(struct jam *j)
{
    const struct imp *body = j->loop->arg[2];
    bool shares = false, stores = false;
    j->held = 1;
    if (j->loop->mark->iterations != ITERATIONS_APART || j->loop->mark->last
        || !imp_is_pure(j->loop))
        return false;
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *at = body_at(body, i);
        bool inner = at->kind == IMP_FOR && is_inner(j, at);
        stores |= at->kind == IMP_STORE;
        if (stores ? at->kind != IMP_STORE : !inner && (at->kind != IMP_DECLARE || at->args == 0))
            return false;
        shares |= inner && reads_shared(j, at);
        vec_push(j->z->cx->arena, &j->ahead, at);
    }
    return shares;
}

/* ---- entries ---- */

static bool is_lazy(const struct imp *imp, void *data) { return imp_is_lazy(imp); }

/* Returns the variable, declared ahead, of the value that is read. */
static const struct imp *declared(struct jam *j, const struct imp *load)
{
    struct context *cx = j->z->cx;
    for (size_t i = 0; i < j->ahead.n; i++)
        if (imp_equal(j->ahead.at[i]->arg[0], load))
            return imp_read(cx, j->ahead.at[i]->var);
    const char *name = arena_printf(cx->arena, "%s_here", imp_stem(load->var));
    struct imp_var *var = vector_var(j->z, name, load->type, load->lanes);
    vec_push(cx->arena, &j->ahead, imp_declare(cx, var, load));
    return imp_read(cx, var);
}

/* Returns the expression with variables for the elements that it reads. */
static const struct imp *with_reads(void *data, const struct imp *imp)
{
    struct jam *j = data;
    if (vector_reads_entry(imp, j->loop->var))
        return declared(j, imp);
    return imp_map(j->z->cx, imp, with_reads, j);
}

/* Takes the entries' values ahead, before counters say where the entries go.  False if there are no
 * counters, or if the body does more than read, compute and store. */
static bool take_entries(struct jam *j)
{
    struct context *cx = j->z->cx;
    const struct imp *body = j->loop->arg[2];
    j->ahead.n = 0;
    if (!vectorize_has_targets(cx, j->loop) || imp_any(body, is_lazy, NULL))
        return false;
    for (int i = 0; i < body_count(body); i++) {
        const struct imp *s = body_at(body, i);
        if (imp_defines(s) && vector_reads_entry(s->arg[0], j->loop->var))
            vec_push(cx->arena, &j->ahead, s);
        else if ((imp_defines(s)) || s->kind == IMP_STORE)
            vec_push(cx->arena, &j->rest, with_reads(j, s));
        else
            return false;
    }
    j->held = (int)j->ahead.n;
    return true;
}

/* ---- pieces ---- */

/* Makes one loop of the inner loops at this place of n bodies.  False if it has no vectors. */
static bool add_inner(struct jam *j, const struct imp *const *body, int n, int place)
{
    struct context *cx = j->z->cx;
    const struct imp *first = body_at(body[0], place);
    imp_begin(&j->b);
    for (int k = 0; k < n; k++) {
        const struct imp *inner = body_at(body[k], place), *sum = inner->arg[2];
        if (k > 0)
            sum = unroll_iteration(j->z, inner, imp_read(cx, first->var));
        imp_add_all(&j->b, sum);
    }
    const struct imp *all = vectorize_lanes(j->z, imp_around(cx, first, imp_end(&j->b)), n);
    if (all)
        imp_add(&j->b, all);
    return all;
}

/* Adds n bodies: the part that goes ahead statement by statement, the rest body after body.  False
 * if an inner loop has no vectors. */
static bool add_together(struct jam *j, const struct imp *const *body, int n)
{
    const int ahead = (int)j->ahead.n, all = body_count(body[0]);
    bool vectors = true;
    for (int i = 0; i < ahead; i++) {
        if (body_at(body[0], i)->kind == IMP_FOR)
            vectors &= add_inner(j, body, n, i);
        else
            for (int k = 0; k < n; k++)
                imp_add(&j->b, body_at(body[k], i));
    }
    for (int k = 0; k < n; k++)
        for (int i = ahead; i < all; i++)
            imp_add(&j->b, body_at(body[k], i));
    return vectors;
}

/* Adds the loop over steps of n iterations.  False if there are no vectors. */
static bool add_loop(struct jam *j, const struct imp *end, int n)
{
    struct context *cx = j->z->cx;
    const struct imp_var *var = j->loop->var;
    const struct imp *at = imp_read(cx, var), *body[TARGET_SUMS_MOST];
    imp_begin(&j->b);
    for (size_t i = 0; i < j->ahead.n; i++)
        imp_add(&j->b, j->ahead.at[i]);
    for (size_t i = 0; i < j->rest.n; i++)
        imp_add(&j->b, j->rest.at[i]);
    const struct imp *one = imp_around(cx, j->loop, imp_end(&j->b));
    body[0] = one->arg[2];
    for (int k = 0; k < n && n > 1; k++)
        body[k] = unroll_iteration(j->z, one, lanes_plus(cx, at, k));
    imp_begin(&j->b);
    bool jammed = add_together(j, body, n);
    imp_add(&j->b, vector_steps(cx, j->loop, end, n, imp_end(&j->b)));
    return jammed;
}

/* Returns how many iterations hide the time of an addition, if registers hold their values; 1 if
 * the loop certainly has fewer. */
static int iterations(const struct jam *j)
{
    const struct target *target = j->z->target;
    const int64_t most = vector_most(j->loop);
    int n = (int)target->sums;
    while (n > 1 && n * j->held > target->registers)
        n--;
    return most >= 0 && most < n ? 1 : n;
}

const struct imp *vectorize_jam(struct vectorizer *z, const struct imp *loop)
{
    struct jam j = {.z = z, .b = {.cx = z->cx}, .loop = loop};
    if (!lanes_is_counted(loop) || !loop->mark || loop->mark->asked
        || (!take_apart(&j) && !take_entries(&j)))
        return NULL;
    const int n = iterations(&j);
    struct ahead *around = z->around;
    z->around = NULL;
    imp_begin(&j.b);
    imp_let(&j.b, loop->var, loop->arg[0]);
    const struct imp *end = vector_end(z, &j.b, loop);
    bool jammed =
        n > 1 && add_loop(&j, end, n) && (vector_is_multiple(loop, n) || add_loop(&j, end, 1));
    const struct imp *all = imp_end(&j.b);
    z->around = around;
    return jammed ? all : NULL;
}
