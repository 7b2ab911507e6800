/* parallel_handed.c - what parts of a parallel loop hand over: numbers and arrays by part, and what
 * is done with them behind the loop.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>

#include "compiler/lower/parallel/parallel.h"

struct result *parallel_next(const struct parallel *p, const struct result *before)
{
    struct result *r = kernel_next_result(p->k, p->node->statement, before);
    while (r && !p->way[r->rank])
        r = kernel_next_result(p->k, p->node->statement, r);
    return r;
}

struct result *parallel_next_by(const struct parallel *p, const struct parts_way *way,
                                const struct result *before)
{
    struct result *r = parallel_next(p, before);
    while (r && p->way[r->rank] != way)
        r = parallel_next(p, r);
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
                numbers->small ? imp_i64(cx, PARTS_MOST + 1)
                               : imp_next(cx, imp_read(cx, p->parts)));
}

/* Returns where a part's n-th array is. */
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
    imp_add(&p->k->b,
            imp_join(cx, whole, handed, imp_i64(cx, n), begin, imp_read(cx, p->parts), elements));
}

void parallel_each(struct parallel *p, const struct imp_var *part, const struct imp *body)
{
    struct context *cx = p->k->cx;
    imp_add(&p->k->b, imp_for(cx, part, imp_int(cx, TYPE_I32, 0), imp_read(cx, p->parts), 1, body));
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
