/* skip_strips.c - strips of a segment in which nothing is marked.
 *
 *     for (p = pos[k]; p < pos[k + 1]; p++) {
 *         j = crd[p];
 *         if (marked[j])
 *             t += a[p] * w[j];
 *     }
 *
 * looks up one mark after the other, and finds few: rows of a product seldom meet a mask.  Several
 * marks are looked up at once, without a branch for each, up to the first strip that has one:
 *
 *     from = pos[k];
 *     if (plain > 0)
 *         plain--;
 *     else
 *         for (; from < min(pos[k + 1], last - 7); from += 8)
 *             if (marked[crd[from]] | ... | marked[crd[from + 7]]) {
 *                 plain = 4;
 *                 break;
 *             }
 *     for (p = from; p < pos[k + 1]; p++) ...
 *
 * A strip may go on into the segments behind, up to where the loop's mark says that the last one
 * ends: short segments are one strip, and nobody has to foresee where they end.  Where marks are
 * met, the next segments are gone through as they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/optimize/prefetch.h"
#include "compiler/optimize/simplify.h"

/* How many segments behind a strip with a mark are not looked at in strips. */
enum { PLAIN = 4 };

/* Does the statement change the array? */
static bool changes_array(const struct imp *imp, void *data)
{
    return imp->var == data && !imp_is_expression(imp);
}

const struct imp *vectorize_skipped(const struct vectorizer *z, const struct imp *loop)
{
    const struct lanes along = lanes_in(z->cx, loop);
    const struct imp *body = loop->arg[2], *last = body_last(body);
    if (!z->around || !lanes_is_counted(loop) || !loop->mark || !loop->mark->last
        || !loop->mark->compact || vector_is_asked(loop) || !declares_first(body)
        || last->kind != IMP_IF || last->args > 2 || imp_has(body, IMP_LOOPS)
        || !pass_is_in(z->options, "skip_strips"))
        return NULL;
    const struct imp *here = imp_read(z->cx, loop->var),
                     *marked = lanes_scalar(&along, last->arg[0], here);
    if (marked->kind != IMP_LOAD || marked->type != TYPE_BOOL
        || imp_any(body, changes_array, (void *)marked->var))
        return NULL;
    const struct imp *at = imp_bare(marked->arg[0]);
    return vector_reads_entry(at, loop->var) ? marked : NULL;
}

/* Returns the variable that counts the segments still to be gone through as they are.  It is
 * declared in front of the outermost loop around. */
static struct imp_var *plain_segments(struct vectorizer *z, const struct imp *loop)
{
    struct ahead *outermost = z->around;
    while (outermost->outer)
        outermost = outermost->outer;
    const char *name = arena_printf(z->cx->arena, "%s_plain", imp_stem(loop->var));
    struct imp_var *plain = vector_var(z, name, TYPE_I32, 1);
    vec_push(z->cx->arena, &outermost->before,
             imp_declare(z->cx, plain, imp_int(z->cx, TYPE_I32, 0)));
    return plain;
}

/* Returns the loop over strips from `from` on, up to the first that has a mark. */
static const struct imp *strips(struct vectorizer *z, const struct imp *loop,
                                const struct imp *marked, const struct imp_var *from,
                                const struct imp *end, const struct imp_var *plain)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    const struct lanes along = lanes_in(cx, loop);
    const struct imp *entry = imp_bare(marked->arg[0]), *at = imp_read(cx, from),
                     *zero = imp_int(cx, TYPE_I32, 0);
    /* half a line of coordinates, which seldom goes far beyond the segment's lines */
    const int half = (int)z->target->line / (2 * (int)type_size(entry->type)),
              strip = half < VECTOR_LANES ? half : VECTOR_LANES;
    const struct imp *any =
        lanes_together(&along, imp_cast(cx, TYPE_I32, marked), (struct lanes_place){at, 0}, strip);
    const struct imp *past =
        imp_op2(cx, OP_MIN, end, lanes_plus(cx, prefetch_last(z, loop), 1 - strip));
    imp_begin(&b);
    const char *name = arena_printf(cx->arena, "%s_strips", imp_stem(loop->var));
    past = imp_let(&b, vector_var(z, name, end->type, 1), imp_cast(cx, end->type, past));
    const struct imp *found[] = {imp_assign(cx, plain, OP_NONE, imp_int(cx, TYPE_I32, PLAIN)),
                                 imp_break(cx)};
    const struct imp *step[] = {
        imp_if(cx, imp_op2(cx, OP_NE, any, zero), imp_block(cx, found, 2), NULL),
        imp_assign(cx, from, OP_ADD, imp_int(cx, from->type, strip))};
    imp_add(&b, imp_while(cx, imp_op2(cx, OP_LT, at, past), imp_block(cx, step, 2)));
    return imp_end(&b);
}

const struct imp *vectorize_skips(struct vectorizer *z, const struct imp *loop)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    const struct imp *marked = vectorize_skipped(z, loop);
    if (!marked)
        return NULL;
    struct imp_var *plain = plain_segments(z, loop);
    const struct imp *left = imp_read(cx, plain), *one = imp_int(cx, TYPE_I32, 1);
    imp_begin(&b);
    struct imp_var *from =
        vector_var(z, arena_printf(cx->arena, "%s_from", imp_stem(loop->var)), loop->var->type, 1);
    const struct imp *begin = imp_let(&b, from, loop->arg[0]), *end = vector_end(z, &b, loop);
    imp_add(&b,
            imp_if(cx, imp_op2(cx, OP_GT, left, imp_int(cx, TYPE_I32, 0)),
                   imp_assign(cx, plain, OP_SUB, one), strips(z, loop, marked, from, end, plain)));
    imp_add(&b, imp_between(cx, loop, begin, end));
    return imp_end(&b);
}
