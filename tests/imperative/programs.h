/* programs.h - imperative programs built by hand, as lowering makes them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_IMPERATIVE_PROGRAMS_H
#define SPCC_TESTS_IMPERATIVE_PROGRAMS_H

#include "compiler/imperative/builder.h"

/* y(i) = A(i,j) * x(j), A in csr: A1_dimension A2_dimension A2_pos A2_crd A_vals x_vals y_vals. */
const struct imp_function *program_spmv(struct context *cx, enum type type);

/* Y(i,r) = A(i,j) * X(j,r), loops i, j, r; extent: of r, or 0: known at run time only.
 * A1_dimension A2_dimension X2_dimension A2_pos A2_crd A_vals X_vals Y_vals. */
const struct imp_function *program_spmm(struct context *cx, enum type type, int64_t extent);
/* Y(j,r) += A(i,j) * X(i,r), likewise. */
const struct imp_function *program_spmm_transposed(struct context *cx, enum type type,
                                                   int64_t extent);

/* B(i,j) = A(i,j) from rows to columns, behind the scan: each entry goes where the counter of its
 * column says.  A1_dimension A2_dimension A2_pos A2_crd A_vals B2_pos B2_crd B_vals. */
const struct imp_function *program_scatter(struct context *cx, enum type type);

/* Y(i,r) = A(i,k,l) * B(k,r) * C(l,r), A in csf, loops i, k, l, r.
 * A1_dimension X2_dimension A2_pos A2_crd A3_pos A3_crd A_vals B_vals C_vals Y_vals. */
const struct imp_function *program_mttkrp(struct context *cx, enum type type, int64_t extent);

/* s = sum or another reduction over i of a(i) * b(i): n a_vals b_vals s_vals. */
const struct imp_function *program_dot(struct context *cx, enum type type, enum op op);

/* c(i) = a(i) + b(i), sparse vectors: merged into a result that grows.
 * n a1_pos a1_crd a_vals b1_pos b1_crd b_vals c1_pos_out c1_crd_out c_vals_out. */
const struct imp_function *program_merge(struct context *cx, enum type type);

/* p = the first position in a1_crd whose coordinate is not below target, by a helper that searches:
 * n target a1_crd p_vals. */
const struct imp_function *program_search(struct context *cx);

/* The coordinates in ascending order, gathered in an array of the kernel's own, which grows, and
 * sorted there by a helper; too large if there are more than 100: n a1_crd p_vals. */
const struct imp_function *program_sorted(struct context *cx);

#endif
