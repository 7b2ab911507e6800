/* cpd_solve.c - the inverse of a symmetric positive definite matrix.
 *
 * V = L L', row by row (Golub and Van Loan, Matrix Computations, section 4.2), then each column of
 * the inverse by two triangular solves.  If a pivot is lost in the rounding of its row, V is
 * singular as far as its numbers tell.  Then a share of V's mean diagonal is added, ten times as
 * much at each trial.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/cpd_solve.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 12 };
static const double LOST = 1e-13, FIRST_RIDGE = 1e-12;

/* Returns false if a pivot is lost. */
static bool factor(const double *v, int n, double added, double *l)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = v[i * n + j] + (i == j ? added : 0), whole = sum;
            for (int k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            if (i == j && !(sum > LOST * whole && sum > 0))
                return false;
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    return true;
}

/* x = (L L')^-1 e_column */
static void solve_unit(const double *l, int n, int column, double *x)
{
    for (int i = 0; i < n; i++) {
        double sum = i == column;
        for (int k = 0; k < i; k++)
            sum -= l[i * n + k] * x[k];
        x[i] = sum / l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = i + 1; k < n; k++)
            sum -= l[k * n + i] * x[k];
        x[i] = sum / l[i * n + i];
    }
}

bool cpd_invert(double *matrix, int n, double *inverse, double *ridge)
{
    double trace = 0, l[256 * 256];
    for (int i = 0; i < n * n; i++)
        if (!isfinite(matrix[i]))
            return false;
    for (int i = 0; i < n; i++)
        trace += matrix[i * n + i];
    *ridge = 0;
    for (int trial = 0; !factor(matrix, n, *ridge, l); trial++) {
        if (trial == TRIALS)
            return false;
        *ridge = *ridge > 0 ? 10 * *ridge : trace > 0 ? FIRST_RIDGE * trace / n : 1;
    }
    for (int column = 0; column < n; column++)
        solve_unit(l, n, column, inverse + (long)column * n);
    return true;
}
