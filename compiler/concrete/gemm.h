/* gemm.h - loops that are a product of two matrices.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CONCRETE_GEMM_H
#define SPCC_CONCRETE_GEMM_H

#include "compiler/base/vec.h"
#include "compiler/concrete/concrete.h"

/* What is assigned is C(m,n) += A(m,k) * B(k,n), or the negative of such products; m, n and k may
 * each be several modes. */
enum { GEMM_M, GEMM_N, GEMM_K, GEMM_LOOPS };
enum { GEMM_C, GEMM_A, GEMM_B, GEMM_ACCESSES };

struct cin_gemm {
    const struct index_var *loop[GEMM_LOOPS];
    const struct cin *access[GEMM_ACCESSES];
    /* by access and loop: the level of the last of its modes; -1: it has none of them */
    int level[GEMM_ACCESSES][GEMM_LOOPS];
    bool minus;
};

/* Returns the product that the assignment adds up, or whose negative; NULL: it is no sum of
 * products of two tensors. */
const struct cin *cin_gemm_product(const struct cin *assign, bool *minus);

/* Is the body of loops over these such an assignment?  NULL, or why it is none.  The components of
 * C that follow each other have another n: m and n, A and B are exchanged for that. */
const char *cin_gemm_of(struct context *cx, const struct cin_program *program,
                        const struct cin *body, const struct index_var *const loop[GEMM_LOOPS],
                        struct cin_gemm *gemm);

/* Is the forall the outermost of three with TAG_GEMM, one directly in the other: k, m, n?  *why:
 * what is wrong with them; NULL: nothing. */
bool cin_gemm_at(struct context *cx, const struct cin_program *program, const struct cin *forall,
                 struct cin_gemm *gemm, const char **why);

/* Returns what is wrong with loops of the program that have TAG_GEMM, and with which; NULL:
 * nothing. */
const char *cin_gemm_check(struct context *cx, const struct cin_program *program,
                           const struct index_var **loop);

#endif
