/* share_memory.c - arrays that are filled or copied in parts, in kernels whose loops have parts.
 *
 *     fill(y, 0, n, 0);
 *     parallel for (part ...) ...
 *
 * One thread fills what several then write to, which takes a large share of the time where there
 * is little to be done for each element.  A fill or a copy is a loop like any other, so threads
 * share it where there is work for more than one:
 *
 *     shares = n < 2 * grain ? 1 : min(threads, n / grain);
 *     parallel for (share = 0; share < shares; share++)
 *         fill(y, n * share / shares, n * (share + 1) / shares, 0);
 *
 * The threads are those that the kernel's loops need anyway, and memory that the system gives anew
 * is mapped by all of them.
 *
 * Where only the first part writes to the array, since each other one has an array of its own that
 * it fills, the first one fills this one, and all have the same to do:
 *
 *     parallel for (part ...)
 *         if (part == 0) { fill(y, 0, n, 0); ... } else { double *y_2; ... }
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/query.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"
#include "compiler/target.h"

/* Is there a first part? */
static bool has_parts(const struct imp *loop)
{
    const struct imp *parts = loop->arg[0];
    return loop->kind == IMP_PARALLEL
           && (parts->kind == IMP_THREADS || (parts->kind == IMP_VAR && parts->var->positive));
}

/* Is it what the first part alone does, and the array used nowhere else in it? */
static bool is_first_part(const struct imp *imp, const struct imp_var *part,
                          const struct imp_var *array)
{
    const struct imp *is = imp->kind == IMP_IF ? imp->arg[0] : NULL;
    return is && imp->args == 3 && imp_is_op(is, OP_EQ) && imp_is_read(is->arg[0], part)
           && is->arg[1]->kind == IMP_LITERAL && value_is_zero(is->arg[1]->value)
           && imp_mentions(imp->arg[1], array) && !imp_mentions(imp->arg[2], array);
}

static const struct imp *with_fill(struct context *cx, const struct imp *branch,
                                   const struct imp *fill)
{
    const struct imp *const both[] = {fill, branch->arg[1]};
    return imp_if(cx, branch->arg[0], imp_block(cx, both, 2), branch->arg[2]);
}

/* Returns the parallel loop with the fill inside its parts; NULL: others use the array, too. */
static const struct imp *filling(struct context *cx, const struct imp *loop, const struct imp *fill)
{
    struct imp_builder b = {.cx = cx};
    bool found = false;
    imp_begin(&b);
    for (int i = 0; i < body_count(loop->arg[1]); i++) {
        const struct imp *at = body_at(loop->arg[1], i);
        bool uses = imp_mentions(at, fill->var);
        if (uses && (found || !is_first_part(at, loop->var, fill->var)))
            return NULL;
        found |= uses;
        imp_add(&b, uses ? with_fill(cx, at, fill) : at);
    }
    return found ? imp_around(cx, loop, imp_end(&b)) : NULL;
}

/* May the fill be done behind the statement, which does not use the array? */
static bool may_wait(const struct imp *statement, const struct imp *fill)
{
    bool may = !imp_has(statement, IMP_BIT(RETURN));
    for (int i = 0; i < fill->args; i++)
        may &= imp_is_fixed(statement, fill->arg[i]);
    return may;
}

/* Moves the fill, the n-th statement, into the first statement behind it that uses the array.
 * false: it cannot. */
static bool goes_inside(struct context *cx, const struct imp **statement, int n, int end)
{
    const struct imp *fill = statement[n], *loop;
    if (fill->kind != IMP_FILL || imp_has(fill, IMP_BIT(LOAD) | IMP_BIT(CALL)))
        return false;
    int at = n + 1;
    while (at < end && !imp_mentions(statement[at], fill->var) && may_wait(statement[at], fill))
        at++;
    if (at == end || !has_parts(statement[at]) || !(loop = filling(cx, statement[at], fill)))
        return false;
    statement[at] = loop;
    return true;
}

/* ---- shares ---- */

/* Returns the elements of a fill or a copy between arrays, in i64; NULL: it is neither, or of a
 * length that is known. */
static const struct imp *length_of(struct context *cx, const struct imp *imp)
{
    if (imp->kind == IMP_COPY && imp->arg[1]->var != imp->var && imp->arg[3]->kind != IMP_LITERAL)
        return imp_cast(cx, TYPE_I64, imp->arg[3]);
    if (imp->kind == IMP_FILL && imp->arg[1]->kind != IMP_LITERAL)
        return imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, imp->arg[1]),
                       imp_cast(cx, TYPE_I64, imp->arg[0]));
    return NULL;
}

/* Returns the number of shares, each with as much work as is worth a thread's part. */
static const struct imp *count_shares(struct vectorizer *z, struct imp_builder *b,
                                      const struct imp *n)
{
    struct context *cx = z->cx;
    int64_t grain = z->target->part_work;
    const struct imp *threads = imp_cast(cx, TYPE_I64, imp_threads(cx)),
                     *most = imp_op2(cx, OP_DIV, n, imp_i64(cx, grain)),
                     *little = imp_op2(cx, OP_LT, n, imp_i64(cx, 2 * grain)),
                     *shares =
                         imp_select(cx, little, imp_i64(cx, 1), imp_op2(cx, OP_MIN, threads, most));
    struct imp_var *var = vector_var(z, "shares", TYPE_I32, 1);
    var->positive = true;
    return imp_let(b, var, imp_cast(cx, TYPE_I32, shares));
}

/* Returns how many of n elements lie before the share with this number. */
static const struct imp *before(struct context *cx, const struct imp *n, const struct imp *share,
                                const struct imp *shares)
{
    return imp_op2(cx, OP_DIV, imp_op2(cx, OP_MUL, n, imp_cast(cx, TYPE_I64, share)),
                   imp_cast(cx, TYPE_I64, shares));
}

static const struct imp *behind(struct context *cx, const struct imp *first, const struct imp *n)
{
    return imp_op2(cx, OP_ADD, imp_cast(cx, TYPE_I64, first), n);
}

/* Returns the fill or copy of a share's elements. */
static const struct imp *in_share(struct vectorizer *z, const struct imp *imp, const struct imp *n,
                                  const struct imp *share, const struct imp *shares)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    const struct imp *from =
        imp_let(&b, vector_var(z, "from", TYPE_I64, 1), before(cx, n, share, shares));
    const struct imp *past =
        imp_let(&b, vector_var(z, "past", TYPE_I64, 1), before(cx, n, imp_next(cx, share), shares));
    imp_add(&b, imp->kind == IMP_FILL
                    ? imp_fill(cx, imp->var, behind(cx, imp->arg[0], from),
                               behind(cx, imp->arg[0], past), imp->arg[2])
                    : imp_copy(cx, imp->var, behind(cx, imp->arg[0], from), imp->arg[1]->var,
                               behind(cx, imp->arg[2], from), imp_op2(cx, OP_SUB, past, from)));
    return imp_end(&b);
}

static const struct imp *in_shares(struct vectorizer *z, const struct imp *imp, const struct imp *n)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    struct imp_var *share = vector_var(z, "share", TYPE_I32, 1);
    imp_begin(&b);
    n = imp_let(&b, vector_var(z, "elements", TYPE_I64, 1), n);
    const struct imp *shares = count_shares(z, &b, n);
    imp_add(&b, imp_parallel(cx, share, shares, SCHEDULE_STATIC, 0,
                             in_share(z, imp, n, imp_read(cx, share), shares)));
    return imp_end(&b);
}

/* ---- all ---- */

static const struct imp *shared(void *z, const struct imp *imp);

static const struct imp *shared_block(struct vectorizer *z, const struct imp *block)
{
    const struct imp **statement =
        arena_copy(z->cx->arena, block->arg, sizeof *block->arg * (size_t)block->args);
    struct imp_builder b = {.cx = z->cx};
    imp_begin(&b);
    for (int i = 0; i < block->args; i++)
        if (!goes_inside(z->cx, statement, i, block->args))
            imp_add(&b, shared(z, statement[i]));
    return imp_end(&b);
}

/* Shares out fills and copies outside loops: there each runs once. */
static const struct imp *shared(void *data, const struct imp *imp)
{
    struct vectorizer *z = data;
    if (imp->kind == IMP_BLOCK)
        return shared_block(z, imp);
    if (imp->kind == IMP_IF)
        return imp_map(z->cx, imp, shared, z);
    const struct imp *n = length_of(z->cx, imp);
    return n ? in_shares(z, imp, n) : imp;
}

const struct imp_function *imp_share_memory(struct context *cx, const struct imp_function *function,
                                            const struct pass_options *options)
{
    struct vectorizer z = {.cx = cx, .function = function, .target = target_of(cx)};
    if (!imp_has(function->body, IMP_BIT(PARALLEL)) || imp_has(function->body, IMP_BIT(LAUNCH)))
        return function;
    return imp_with_body(cx, function, shared(&z, function->body));
}
