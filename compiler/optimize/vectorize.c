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

/* Returns why a loop has no vectors. */
static const char *reason(const struct imp *loop)
{
    if (loop->kind == IMP_WHILE)
        return "merges operands, so that the number of its steps is not known in advance";
    if (loop->mark->iterations == ITERATIONS_IN_ORDER)
        return "only stores one component after the other";
    return "cannot use vectors: it has conditions, components that are not adjacent, or types "
           "without vectors";
}

/* Finds the least size of a component that is read or written. */
static bool find_size(const struct imp *imp, void *data)
{
    int *least = data, size = INT_MAX;
    if (imp->kind == IMP_LOAD || imp->kind == IMP_STORE)
        size = (int)type_size(imp->var->type);
    *least = size < *least ? size : *least;
    return false;
}

/* Has the loop fewer iterations than a vector has lanes?  The schedule may still be right for other
 * sizes. */
static bool is_too_short(const struct vectorizer *z, const struct imp *loop)
{
    int bytes = (int)z->target->vector_bytes, least = bytes;
    imp_any(loop, find_size, &least);
    return loop->mark->most > 0 && loop->mark->most < bytes / least;
}

/* Says why there are no vectors.  False if that is only a remark. */
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

static const struct imp *rewrite_statement(void *z, const struct imp *imp);

/* The most nodes that vectors add to a program, unless the schedule asks for them.  Where a loop
 * stands many times in the code, once for each set of present operands, the first ones get vectors.
 */
enum { NODES_MOST = 3000 };

/* Counts the nodes of the vectors in place of a loop, and returns them; NULL stays NULL. */
static const struct imp *counted(struct vectorizer *z, const struct imp *loop,
                                 const struct imp *vectors)
{
    if (vectors) {
        vector_note(z, loop);
        z->nodes += vectors->size - loop->size;
    }
    return vectors;
}

/* Returns the rewritten loop between the statements in front of it and behind it. */
static const struct imp *with_carried(struct vectorizer *z, const struct ahead *here,
                                      const struct imp *with)
{
    struct imp_builder b = {.cx = z->cx};
    if (here->before.n == 0)
        return with;
    imp_begin(&b);
    for (size_t i = 0; i < here->before.n; i++)
        imp_add_all(&b, here->before.at[i]);
    imp_add(&b, with);
    for (size_t i = 0; i < here->behind.n; i++)
        imp_add_all(&b, here->behind.at[i]);
    return imp_end(&b);
}

static const struct imp *children(struct vectorizer *z, const struct imp *imp)
{
    struct ahead here = {.loop = imp, .outer = z->around}, *around = z->around;
    bool loops = imp->kind == IMP_FOR || imp->kind == IMP_WHILE || imp->kind == IMP_PARALLEL;
    if (loops)
        z->around = imp->kind == IMP_FOR ? &here : NULL;
    const struct imp *with = imp_map(z->cx, imp, rewrite_statement, z);
    z->around = around;
    const struct imp *fetches =
        imp->kind == IMP_FOR ? vectorize_nested_ahead(z, &here, NULL, 0) : NULL;
    if (fetches)
        with = imp_around(z->cx, with, vector_pair(z->cx, fetches, with->arg[2]));
    return with_carried(z, &here, vectorize_behind(z, &here, with));
}

static const struct imp *nest(struct vectorizer *z, struct nest *of);

/* Returns the place of the nest that may take the i-th statement in: that statement, or a nest that
 * it fills an array for, or one behind it.  -1 if there is none. */
static int nest_of(const struct imp *block, int i)
{
    const struct imp *at = block->arg[i];
    const struct imp_mark *of = at->mark;
    bool fills = at->kind == IMP_FILL && of && at->arg[2]->kind == IMP_LITERAL;
    const int last = fills ? block->args - 1 : at->kind == IMP_FOR ? i + 1 : i;
    for (int n = i; n <= last && n < block->args; n++) {
        const struct imp_mark *mark = block->arg[n]->mark;
        if (mark && mark->reduces_row && (!fills || mark->reduces_row == of->row))
            return n;
        if (mark && fills && n > i && of->start && mark->start == of->start)
            return n;
    }
    return -1;
}

/* Rewrites the n-th statement of the block, a nest, with the statements beside it from the i-th one
 * on.  done[k] becomes the code in place of the k-th statement, which is empty if the nest has it.
 */
static void with_beside(struct vectorizer *z, const struct imp *block, int i, int n,
                        const struct imp **done)
{
    const struct imp *nothing = imp_block(z->cx, NULL, 0), *first = block->arg[i];
    struct nest of = {.loop = block->arg[n],
                      .fill = first->kind == IMP_FILL ? first : NULL,
                      .before = n == i + 1 && first->kind == IMP_FOR ? first : NULL,
                      .behind = n + 1 < block->args ? block->arg[n + 1] : NULL};
    done[n] = nest(z, &of);
    if (of.fill || of.before)
        done[i] = nothing;
    if (of.behind)
        done[n + 1] = nothing;
}

static const struct imp *block(struct vectorizer *z, const struct imp *imp)
{
    const struct imp **done = arena_array(z->cx->arena, const struct imp *, imp->args);
    for (int i = 0; i < imp->args; i++) {
        const int n = done[i] ? -1 : nest_of(imp, i);
        if (n >= 0 && !done[n])
            with_beside(z, imp, i, n, done);
        done[i] = done[i] ? done[i] : rewrite_statement(z, imp->arg[i]);
    }
    return imp_with_args(z->cx, imp, done);
}

/* Returns the loop, or the code in its place, behind prefetches: of rows at stored coordinates, if
 * the loop is innermost; of the segment that it goes through; or of the targets of its entries. */
static const struct imp *with_fetches(struct vectorizer *z, const struct imp *loop,
                                      const struct imp *rewritten)
{
    const struct imp *fetches = NULL;
    if (loop->kind != IMP_FOR || loop->n != 1)
        return rewritten;
    bool innermost = !imp_has(loop->arg[2], IMP_LOOPS);
    if (z->around && innermost && loop->mark && loop->mark->iterations == ITERATIONS_APART)
        fetches = vectorize_row_ahead(z, z->around, loop, NULL, 0);
    if (z->around && !fetches)
        fetches = vectorize_segment_ahead(z, z->around, loop);
    if (innermost)
        rewritten = vectorize_with_targets(z, loop, rewritten);
    return fetches ? vector_pair(z->cx, fetches, rewritten) : rewritten;
}

static const struct imp *lanes(struct vectorizer *z, const struct imp *loop)
{
    return vectorize_lanes(z, loop, (int)z->target->sums);
}

enum { ANY = -1 };

/* The rewrites of a loop, in the order in which they are tried.  `kind` is that of the iterations
 * of the loops that they are for: for loops, and, with the statements beside it, any loop that adds
 * to a row. */
static const struct {
    const char *name;
    int kind;
    const struct imp *(*with_beside)(struct vectorizer *z, struct nest *of);
    const struct imp *(*alone)(struct vectorizer *z, const struct imp *loop);
} rewrites[] = {
    {"squares", ITERATIONS_APART, NULL, vectorize_squares},
    {"register_tile", ANY, vectorize_registers, NULL},
    {"strip_rows", ITERATIONS_REDUCE, NULL, vectorize_rows},
    {"unroll_and_jam", ANY, NULL, vectorize_jam},
    {"loop_lanes", ANY, NULL, lanes},
    {"skip_strips", ANY, NULL, vectorize_skips},
};

/* Returns the code in place of the nest; NULL if none is better than the nest. */
static const struct imp *in_vectors(struct vectorizer *z, struct nest *of)
{
    const struct imp *loop = of->loop, *vectors = NULL;
    const int kind = loop->mark ? (int)loop->mark->iterations : ITERATIONS_IN_ORDER;
    struct nest with = {.loop = loop};
    for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites && !vectors; i++) {
        with = rewrites[i].with_beside ? *of : (struct nest){.loop = loop};
        if ((loop->kind == IMP_FOR || rewrites[i].with_beside)
            && (rewrites[i].kind == ANY || rewrites[i].kind == kind)
            && pass_is_in(z->options, rewrites[i].name))
            vectors =
                rewrites[i].alone ? rewrites[i].alone(z, loop) : rewrites[i].with_beside(z, &with);
    }
    *of = with;
    return counted(z, loop, vectors);
}

/* Returns the outermost loop, or the code in its place, or both, chosen by the number of segments.
 */
static const struct imp *with_gather_scatter(struct vectorizer *z, const struct imp *loop,
                                             const struct imp *rewritten)
{
    if (loop->kind != IMP_FOR || z->around || !pass_is_in(z->options, "gather_scatter"))
        return rewritten;
    const struct imp *spread = vectorize_gather_scatter(z, loop, rewritten);
    return spread ? spread : rewritten;
}

/* Returns the nest over whole blocks, rewritten, beside the one over others; NULL if it is no such
 * nest. */
static const struct imp *in_blocks(struct vectorizer *z, const struct imp *loop)
{
    const struct imp *when, *otherwise, *whole = NULL;
    if (pass_is_in(z->options, "version_blocks") && loop->kind == IMP_FOR)
        whole = vectorize_blocks(z, loop, &when, &otherwise);
    if (whole)
        whole = imp_if(z->cx, when, rewrite_statement(z, whole), otherwise);
    return counted(z, loop, whole);
}

/* Returns the code in place of the nest and of those statements beside it that it has taken in,
 * whose fields are NULL otherwise. */
static const struct imp *nest(struct vectorizer *z, struct nest *of)
{
    const struct imp *imp = of->loop;
    bool stays = vector_is_refused(imp) || (z->nodes > NODES_MOST && !vector_is_asked(imp));
    const struct imp *vectors = stays ? NULL : in_vectors(z, of);
    if (!vectors)
        *of = (struct nest){.loop = imp};
    vectors = vectors || stays ? vectors : in_blocks(z, imp);
    vectors = vectors ? vectors : children(z, imp);
    return stays || of->fill || of->before || of->behind
               ? vectors
               : with_fetches(z, imp, with_gather_scatter(z, imp, vectors));
}

static const struct imp *rewrite_statement(void *z, const struct imp *imp)
{
    if (imp->kind == IMP_BLOCK)
        return block(z, imp);
    if (imp->kind == IMP_LAUNCH || imp_is_expression(imp)) /* a launch's lanes are threads */
        return imp;
    return nest(z, &(struct nest){.loop = imp});
}

const struct imp_function *imp_vectorize(struct context *cx, const struct imp_function *function,
                                         const struct pass_options *options)
{
    struct vectorizer z = {
        .cx = cx, .function = function, .options = options, .target = target_of(cx)};
    const struct imp *body = rewrite_statement(&z, function->body);
    if (imp_any(function->body, is_left_scalar, &z))
        return NULL;
    if (body == function->body)
        return function;
    vec_push(cx->arena, &z.ends, body);
    struct imp_function *vectorized = arena_copy(cx->arena, function, sizeof *function);
    vectorized->body = imp_block(cx, z.ends.at, (int)z.ends.n);
    return imp_simplify(cx, vectorized);
}
