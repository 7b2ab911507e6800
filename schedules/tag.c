/* tag.c - unroll(i, n) and vectorize(i [, try]): how a loop runs (thesis 6.6).
 *
 *     before    forall(i) y(i) = 2 * x(i)
 *     after     forall(i) y(i) = 2 * x(i) : unroll(i, 4)                              unroll(i, 4)
 *
 * The statement does not change; the loops that are made of the forall get the tag.  unroll: n
 * iterations in a step, the remaining ones one by one.  vectorize: as many iterations at once as a
 * vector has lanes; in a loop over a row, as many as fit into registers.  With both, n vectors in
 * a step.
 *
 * Preconditions: the loop does not have the tag yet.  A vectorized loop contains no loops, and
 * reduces by associative and commutative operators.  Whether a loop merges operands, or otherwise
 * cannot run in vectors, is found when it is lowered.  With `try` such a loop stays as it is, and
 * a remark says why.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "schedules/loops.h"

enum { UNROLL_MOST = 64 };

static const struct cin_program *apply_unroll(struct context *cx, const struct cin_program *program,
                                              const struct schedule_call *call)
{
    if (call->arguments != 2)
        return loops_refuse(cx, program, call, -1,
                            "it takes a loop and the number of iterations in a step");
    int64_t n;
    const struct cin *loop = loops_find(cx, program, call, 0);
    if (!loop)
        return NULL;
    if (!loops_number(call, 1, UNROLL_MOST, &n) || n < 2)
        return loops_refuse(cx, program, call, 1, "the factor is a number from 2 to %d",
                            UNROLL_MOST);
    struct cin_tag tag = {.var = loop->index[0], .kind = TAG_UNROLL, .factor = n};
    return loops_with_tag(cx, program, call, tag);
}

/* Keeps the loop innermost. */
static const struct cin_program *pinned(struct context *cx, const struct cin_program *program,
                                        const struct index_var *var)
{
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    const struct index_var **all =
        arena_array(cx->arena, const struct index_var *, program->ordereds + 1);
    for (int i = 0; i < program->ordereds; i++)
        all[i] = program->ordered[i];
    all[result->ordereds++] = var;
    result->ordered = all;
    return result;
}

/* Says why the loop cannot run in vectors whatever the formats are; NULL if it may. */
static const char *scalar_reason(struct context *cx, const struct cin *loop)
{
    enum op fixed = loops_fixed(cx, loop);
    if (cx->cuda)
        return "code for a GPU has no vectors";
    if (cin_has(loop->arg[0], CIN_FORALL))
        return arena_printf(cx->arena, "the loop over %s contains loops", loop->index[0]->name);
    if (fixed != OP_NONE)
        return arena_printf(cx->arena, "%s is not associative and commutative",
                            operator_name(cx, fixed));
    return NULL;
}

static const struct cin_program *apply_vectorize(struct context *cx,
                                                 const struct cin_program *program,
                                                 const struct schedule_call *call)
{
    bool tries = call->arguments == 2 && !strcmp(call->argument[1].text, "try");
    if (call->arguments != 1 && !tries)
        return loops_refuse(cx, program, call, -1, "it takes a loop, and optionally try");
    const struct cin *loop = loops_find(cx, program, call, 0);
    const char *why = loop ? scalar_reason(cx, loop) : NULL;
    if (why && tries) {
        diag_remark(cx, call->argument[0].span, "vectorize: %s", why);
        return program;
    }
    if (why)
        loops_refuse(cx, program, call, 0, "%s", why);
    if (!loop || why)
        return NULL;
    struct cin_tag tag = {.var = loop->index[0], .kind = TAG_VECTORIZE, .tries = tries};
    program = loops_with_tag(cx, program, call, tag);
    return program ? pinned(cx, program, tag.var) : NULL;
}

const struct schedule_type schedule_unroll = {
    .name = "unroll",
    .usage = "unroll(i, n)",
    .brief = "run n iterations of i in each step",
    .apply = apply_unroll,
};

const struct schedule_type schedule_vectorize = {
    .name = "vectorize",
    .usage = "vectorize(i [, try])",
    .brief = "run iterations of i at once, in vectors",
    .apply = apply_vectorize,
};
