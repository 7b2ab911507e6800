/* blas.c - blas(i, j, k): three loops as a call of a library's matrix product.
 *
 *     before    forall(i) forall(j) forall(k) C(i,j) += A(i,k) * B(k,j)
 *     after     forall(k) forall(i) forall(j) C(i,j) += A(i,k) * B(k,j) : blas(i); blas(j); blas(k)
 *     blas(i, j, k)
 *
 * i and j are the loops of the product's rows and columns, k is the summed loop.  k moves outside,
 * so that the sums start from a filled result.  The tags turn the three loops into a call of
 * cblas_dgemm or cblas_sgemm with beta = 1 (Dongarra et al., A set of level 3 Basic Linear Algebra
 * Subprograms, 1990).  Modes that form one index of the product are collapsed first.
 *
 * Preconditions: the loops are nested directly in each other, and contain only a sum of products
 * of two tensors.  All three tensors are dense, of f64 or of f32, and each is contiguous along one
 * of its loops.  Either i or j may be that loop, since the transposed product gives the same
 * result.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/concrete/gemm.h"
#include "schedules/loops.h"

/* Finds the three loops that the call names.  false after a diagnostic. */
static bool find_loops(struct context *cx, const struct cin_program *program,
                       const struct schedule_call *call, const struct cin *loop[GEMM_LOOPS])
{
    for (int l = 0; l < GEMM_LOOPS; l++) {
        if (!(loop[l] = loops_find(cx, program, call, l)))
            return false;
        if (cin_is_tagged(program, loop[l]->index[0]))
            return loops_refuse(cx, program, call, l,
                                "the loop is unrolled, vectorized or parallel, or of a matrix "
                                "product, and would be replaced");
        for (int before = 0; before < l; before++)
            if (loop[before] == loop[l])
                return loops_refuse(cx, program, call, l, "the loop is named twice");
    }
    return true;
}

/* Returns the outermost of these loops, and what the innermost contains.  NULL after a diagnostic
 * if they are not nested directly in each other. */
static const struct cin *find_nest(struct context *cx, const struct cin_program *program,
                                   const struct schedule_call *call,
                                   const struct cin *const loop[GEMM_LOOPS],
                                   const struct cin **body)
{
    const struct cin *outermost = NULL;
    for (int l = 0; l < GEMM_LOOPS; l++) {
        bool inside = false;
        for (int around = 0; around < GEMM_LOOPS; around++)
            inside |= loop[around]->arg[0] == loop[l];
        if (!inside && outermost)
            return loops_refuse(cx, program, call, l,
                                "the loop is not directly inside that over one of the others");
        outermost = inside ? outermost : loop[l];
    }
    *body = outermost->arg[0]->arg[0]->arg[0];
    return outermost;
}

static const struct cin_program *apply_blas(struct context *cx, const struct cin_program *program,
                                            const struct schedule_call *call)
{
    const struct cin *loop[GEMM_LOOPS], *body = NULL;
    const struct index_var *var[GEMM_LOOPS];
    struct cin_gemm gemm;
    if (call->arguments != GEMM_LOOPS)
        return loops_refuse(cx, program, call, -1,
                            "it takes the loop over rows, that over columns, and that which sums");
    if (!find_loops(cx, program, call, loop))
        return NULL;
    if (cx->cuda)
        return loops_refuse(cx, program, call, -1, "code for a GPU calls no library");
    const struct cin *nest = find_nest(cx, program, call, loop, &body);
    if (!nest)
        return NULL;
    for (int l = 0; l < GEMM_LOOPS; l++)
        var[l] = loop[l]->index[0];
    const char *why = cin_gemm_of(cx, program, body, var, &gemm);
    if (why)
        return loops_refuse(cx, program, call, -1, "%s", why);
    for (int l = 0; l < GEMM_LOOPS; l++) {
        struct cin_tag tag = {.var = var[l], .kind = TAG_GEMM};
        program = loops_with_tag(cx, program, call, tag);
    }
    struct cin_program *result = arena_copy(cx->arena, program, sizeof *program);
    body = cin_forall(cx, var[GEMM_M], cin_forall(cx, var[GEMM_N], body));
    result->statement =
        cin_replace(cx, program->statement, nest, cin_forall(cx, var[GEMM_K], body));
    return loops_checked(cx, program, call, result);
}

const struct schedule_type schedule_blas = {
    .name = "blas",
    .usage = "blas(i, j, k)",
    .brief = "the sum over k of products is a call of cblas_dgemm",
    .apply = apply_blas,
};
