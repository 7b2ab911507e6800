/* foreign.h - what a statement in another language's notation is in tensor index notation.
 *
 * A message shows it as a remedy.  It is a guess from the text alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_NOTATION_FOREIGN_H
#define SPCC_NOTATION_FOREIGN_H

struct context;

/* Einstein summation: ij,j->i and np.einsum('ij,j->i', A, x).  NULL: the text is none. */
const char *foreign_einsum(struct context *cx, const char *text);

/* Products and transposes of matrices: y = A @ x, y[i] = A[i,:] @ x, B = A.T.  NULL: the text has
 * none. */
const char *foreign_matrices(struct context *cx, const char *text);

/* Returns the text with signs of spcc in place of others: brackets, A[i][j], A(i,:), a dot or a
 * missing operator as a product.  NULL: there are none. */
const char *foreign_signs(struct context *cx, const char *text);

#endif
