/* cpd_solve.h - the small dense algebra of spcc cpd: R x R matrices, row by row.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_CPD_SOLVE_H
#define SPCC_CLI_CPD_SOLVE_H

#include <stdbool.h>

/* Returns the inverse of a symmetric matrix without negative eigenvalues, which is overwritten, by
 * its Cholesky factor.  *ridge: what had to be added to its diagonal, 0 where it has an inverse;
 * false: it has numbers that are not finite. */
bool cpd_invert(double *matrix, int n, double *inverse, double *ridge);

#endif
