/* gemm.c - loops that are a library's matrix product: a call of the prelude's multiply, which the C
 * backend has the library do.
 *
 * The tensors begin where the three loops have their first coordinates.  In memory a step of a loop
 * is as many components as there are below the level of the last of its modes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/gemm.h"

#include "compiler/concrete/gemm.h"

static const struct imp *step(struct kernel *k, const struct cin_gemm *gemm, int which, int loop)
{
    const struct cin *access = gemm->access[which];
    return kernel_positions(k, access, gemm->level[which][loop] + 1, access->tensor->format->levels,
                            imp_i64(k->cx, 1));
}

/* Returns where the loops begin in the tensor. */
static const struct imp *corner_of(struct kernel *k, const struct scope *scope,
                                   const struct cin *access, bool is_target)
{
    const int levels = access->tensor->format->levels;
    if (is_target && kernel_is_result(k, access->tensor))
        return result_locate(k, kernel_find_result(k, access->tensor), scope, 0, levels,
                             imp_i64(k->cx, 0));
    const struct access_place *at = scope_access(scope, access);
    return operand_locate(k, scope, access, at ? at->levels : 0, levels,
                          operand_place(k, scope, access))
        .position;
}

static void call_library(struct kernel *k, const struct scope *scope, const struct cin_gemm *gemm)
{
    struct context *cx = k->cx;
    const struct imp *arg[15];
    int args = 0;
    for (int w = 0; w < GEMM_ACCESSES; w++) {
        const struct cin *access = gemm->access[w];
        arg[args++] = imp_read(cx, kernel_code(k, access->tensor)->values);
        arg[args++] = corner_of(k, scope, access, w == GEMM_C);
    }
    for (int l = 0; l < GEMM_LOOPS; l++)
        arg[args++] = kernel_size(k, gemm->loop[l]);
    arg[args++] = step(k, gemm, GEMM_C, GEMM_M);
    for (int w = GEMM_A; w <= GEMM_B; w++) {
        int row = w == GEMM_A ? GEMM_M : GEMM_K, column = w == GEMM_A ? GEMM_K : GEMM_N;
        bool across = gemm->level[w][column] != gemm->access[w]->tensor->format->levels - 1;
        arg[args++] = step(k, gemm, w, across ? column : row);
        arg[args++] = imp_int(cx, TYPE_BOOL, across);
    }
    arg[args++] = imp_int(cx, TYPE_BOOL, gemm->minus);
    enum type type = gemm->access[GEMM_C]->type;
    imp_add(&k->b, imp_do(cx, prelude_call(&k->b, "multiply", &type, 1, arg, args)));
}

bool lower_gemm(struct kernel *k, const struct scope *outer)
{
    struct cin_gemm gemm;
    const char *why;
    if (!cin_gemm_at(k->cx, k->program, outer->place->node->statement, &gemm, &why))
        return false;
    context_assert(k->cx, !why);
    struct scope scope = *outer;
    struct reductions reductions = reductions_begin(k, &scope);
    struct scope inside = scope;
    for (int l = 0; l < GEMM_LOOPS; l++)
        scope_bind(k, &inside, gemm.loop[l], imp_int(k->cx, k->request->coordinates, 0));
    if (k->computes)
        call_library(k, &inside, &gemm);
    reductions_end(k, outer, &scope, &reductions);
    return true;
}
