/* vectorize.c - explicit vectors where C compilers do not find them.
 *
 * They keep the order of floating-point sums, so that reductions stay scalar; they unroll short
 * loops before they look at them, and then see none; and they do not keep a row of a result in
 * registers over the loops that add to it.  Which loops may be rewritten their marks say; the files
 * here (vectorize.h) say how.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>

#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"
#include "compiler/optimize/vectorize.h"

/* ---- what is asked ---- */

/* Why a loop has no vectors. */
static const char *reason(const struct imp *loop)
{
    if (loop->kind == IMP_WHILE)
        return "merges operands, so that the number of its steps is not known in advance";
    if (loop->mark->iterations == ITERATIONS_IN_ORDER)
        return "only stores one component after the other";
    return "cannot use vectors: it has conditions, components that are not adjacent, or types "
           "without vectors";
}

/* The least size of a component that is read or written. */
static bool find_size(const struct imp *imp, void *data)
{
    int *least = data, size = INT_MAX;
    if (imp->kind == IMP_LOAD || imp->kind == IMP_STORE)
        size = (int)type_size(imp->var->type);
    *least = size < *least ? size : *least;
    return false;
}

/* Has it fewer iterations than a vector has lanes?  What is asked for is right then for other
 * sizes. */
static bool is_too_short(const struct vectorizer *z, const struct imp *loop)
{
    int bytes = (int)z->target->vector_bytes, least = bytes;
    imp_any(loop, find_size, &least);
    return loop->mark->most > 0 && loop->mark->most < bytes / least;
}

/* Say why there are no vectors; false: only as a remark. */
static bool is_refused(struct context *cx, const struct imp_asked *asked, const char *why)
{
    if (asked->tries)
        diag_remark(cx, asked->span, "vectorize: %s", why);
    else
        diag_error(cx, DIAG_PRECONDITION, asked->span, "vectorize: %s", why);
    return !asked->tries;
}

static bool is_left_scalar(const struct imp *imp, void *data)
{
    struct vectorizer *z = data;
    if (!vector_is_asked(imp))
        return false;
    const struct imp_asked *asked = imp->mark->asked;
    if (imp->kind == IMP_FOR && *var_map_at(z->cx, &z->done, asked->loop))
        return false;
    if (is_too_short(z, imp)) {
        diag_remark(z->cx, asked->span,
                    "vectorize: the loop over %s has fewer iterations than a vector has lanes",
                    asked->loop);
        return false;
    }
    return is_refused(z->cx, asked,
                      arena_printf(z->cx->arena, "the loop over %s %s", asked->loop, reason(imp)));
}

static bool asks_for_vectors(const struct imp *imp, void *data)
{
    return vector_is_asked(imp) && is_refused(data, imp->mark->asked, "plain C has no vectors");
}

const struct imp_function *imp_refuse_vectors(struct context *cx,
                                              const struct imp_function *function,
                                              const struct pass_options *options)
{
    return imp_any(function->body, asks_for_vectors, cx) ? NULL : function;
}

/* ---- the walk ---- */

static const struct imp *statement(struct vectorizer *z, const struct imp *imp);

static bool is_loop(const struct imp *imp, void *data)
{
    (void)data;
    return imp->kind == IMP_FOR || imp->kind == IMP_WHILE;
}

/* So many nodes vectors may add to a program, unless they are asked for: where a loop stands many
 * times in the code, once for each set of operands that are there, the first ones have them. */
enum { NODES_MOST = 3000 };

/* The vectors, counted, that stand for a loop; NULL as it is. */
static const struct imp *counted(struct vectorizer *z, const struct imp *loop,
                                 const struct imp *vectors)
{
    if (vectors) {
        vector_note(z, loop);
        z->nodes += vectors->size - loop->size;
    }
    return vectors;
}

static const struct imp *children(struct vectorizer *z, const struct imp *imp)
{
    const struct imp **arg = arena_array(z->cx->arena, const struct imp *, imp->args);
    struct ahead here = {.loop = imp}, *around = z->around;
    bool loops = imp->kind == IMP_FOR || imp->kind == IMP_WHILE || imp->kind == IMP_PARALLEL;
    if (loops)
        z->around = imp->kind == IMP_FOR ? &here : NULL;
    for (int i = 0; i < imp->args; i++)
        arg[i] = imp_is_expression(imp->arg[i]) ? imp->arg[i] : statement(z, imp->arg[i]);
    z->around = around;
    return vectorize_behind(z, &here, imp_with_args(z->cx, imp, arg));
}

/* The nest that this fill is for, in vectors that start from what it fills with, and so without it;
 * NULL: it stays. */
static const struct imp *without_fill(struct vectorizer *z, const struct imp *block, int at,
                                      int *nest)
{
    const struct imp *fill = block->arg[at];
    const struct imp_mark *of = fill->mark;
    if (z->nodes > NODES_MOST || fill->kind != IMP_FILL || !of || fill->arg[2]->kind != IMP_LITERAL)
        return NULL;
    for (*nest = at + 1; *nest < block->args; ++*nest) {
        const struct imp *loop = block->arg[*nest];
        if (loop->mark && of->row && loop->mark->reduces_row == of->row
            && pass_is_in(z->options, "tile"))
            return counted(z, loop, vectorize_tile(z, loop, fill->arg[2]));
        if (loop->mark && loop->kind == IMP_FOR && of->start && loop->mark->start == of->start
            && pass_is_in(z->options, "register_tile"))
            return counted(z, loop, vectorize_registers(z, loop, fill));
    }
    return NULL;
}

static const struct imp *block(struct vectorizer *z, const struct imp *imp)
{
    VEC(const struct imp *) out = {0};
    const struct imp **done = arena_array(z->cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++) {
        int nest;
        const struct imp *vectors = done[i] ? NULL : without_fill(z, imp, i, &nest);
        if (vectors)
            done[nest] = vectors;
        else
            vec_push(z->cx->arena, &out, done[i] ? done[i] : statement(z, imp->arg[i]));
    }
    return (int)out.n == imp->args ? imp_with_args(z->cx, imp, out.at)
                                   : imp_block(z->cx, out.at, (int)out.n);
}

/* The loop, or what came of it, behind prefetches of the rows that it goes along, which lie at
 * stored coordinates, if it is innermost, or of the segment that it goes through; or with those of
 * where its entries go. */
static const struct imp *with_fetches(struct vectorizer *z, const struct imp *loop,
                                      const struct imp *rewritten)
{
    const struct imp *fetches = NULL;
    if (loop->kind != IMP_FOR || loop->n != 1)
        return rewritten;
    bool innermost = !imp_any(loop->arg[2], is_loop, NULL);
    if (z->around && innermost && loop->mark && loop->mark->iterations == ITERATIONS_APART)
        fetches = vectorize_row_ahead(z, z->around, loop);
    if (z->around && !fetches)
        fetches = vectorize_segment_ahead(z, z->around, loop);
    if (innermost)
        rewritten = vectorize_with_targets(z, loop, rewritten);
    return fetches ? imp_block(z->cx, (const struct imp *const[]){fetches, rewritten}, 2)
                   : rewritten;
}

static const struct imp *lanes(struct vectorizer *z, const struct imp *loop)
{
    return vectorize_lanes(z, loop, (int)z->target->sums);
}

static const struct imp *tile(struct vectorizer *z, const struct imp *nest)
{
    return vectorize_tile(z, nest, NULL);
}

static const struct imp *registers(struct vectorizer *z, const struct imp *nest)
{
    return vectorize_registers(z, nest, NULL);
}

enum { ANY = -1 };

/* What may stand for a loop, in the order in which it is tried: of a for loop, or of any that adds
 * to a row, whose iterations are of that kind. */
static const struct {
    const char *name;
    int kind;
    const struct imp *(*apply)(struct vectorizer *z, const struct imp *loop);
} rewrites[] = {
    {"tile", ANY, tile},
    {"register_tile", ANY, registers},
    {"strip_rows", ITERATIONS_REDUCE, vectorize_rows},
    {"unroll_and_jam", ANY, vectorize_jam},
    {"loop_lanes", ANY, lanes},
};

static const struct imp *in_vectors(struct vectorizer *z, const struct imp *loop)
{
    const int kind = loop->mark ? (int)loop->mark->iterations : ITERATIONS_IN_ORDER;
    const struct imp *vectors = NULL;
    for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites && !vectors; i++)
        if ((loop->kind == IMP_FOR || rewrites[i].apply == tile)
            && (rewrites[i].kind == ANY || rewrites[i].kind == kind)
            && pass_is_in(z->options, rewrites[i].name))
            vectors = rewrites[i].apply(z, loop);
    return counted(z, loop, vectors);
}

/* The outermost loop, or what came of it, or both by how many segments it goes through. */
static const struct imp *with_spread(struct vectorizer *z, const struct imp *loop,
                                     const struct imp *rewritten)
{
    if (loop->kind != IMP_FOR || z->around || !pass_is_in(z->options, "spread"))
        return rewritten;
    const struct imp *spread = vectorize_spread(z, loop, rewritten);
    return spread ? spread : rewritten;
}

static const struct imp *statement(struct vectorizer *z, const struct imp *imp)
{
    if (imp->kind == IMP_BLOCK)
        return block(z, imp);
    if (imp->kind == IMP_LAUNCH) /* its lanes are threads */
        return imp;
    bool stays = vector_is_refused(imp) || (z->nodes > NODES_MOST && !vector_is_asked(imp));
    const struct imp *vectors = stays ? NULL : in_vectors(z, imp);
    vectors = vectors ? vectors : children(z, imp);
    return stays ? vectors : with_fetches(z, imp, with_spread(z, imp, vectors));
}

const struct imp_function *imp_vectorize(struct context *cx, const struct imp_function *function,
                                         const struct pass_options *options)
{
    struct vectorizer z = {
        .cx = cx, .function = function, .options = options, .target = target_of(cx)};
    const struct imp *body = statement(&z, function->body);
    if (imp_any(function->body, is_left_scalar, &z))
        return NULL;
    if (body == function->body)
        return function;
    vec_push(cx->arena, &z.ends, body);
    struct imp_function *vectorized = arena_copy(cx->arena, function, sizeof *function);
    vectorized->body = imp_block(cx, z.ends.at, (int)z.ends.n);
    return imp_simplify(cx, vectorized);
}
