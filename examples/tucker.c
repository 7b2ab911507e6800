/* tucker.c - one step of the higher-order orthogonal iteration (HOOI), by chains of tensors times
 * matrices:
 *
 *     Y(i,q,s) = X(i,j,k) * V(j,q) * W(k,s)        X sparse, V and W with orthonormal columns
 *     U = the leading left singular vectors of Y, whose columns are its pairs (q,s)
 *
 * and the same for V and W.  X is of rank (2,2,2) here, so that after one step the core
 * G(p,q,s) = X(i,j,k) * U(i,p) * V(j,q) * W(k,s) is as long as X.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <spcc.h>
#include <stdio.h>

enum { RANK = 2, STEPS = 8 };
static const int64_t size[] = {20, 24, 28};

static spcc_context *cx;
static spcc_tensor *X, *U[3], *Y[3], *Z[3], *core;

static int eval(const char *statement, const spcc_binding *bound, int n)
{
    if (spcc_eval(cx, statement, bound, n) == SPCC_OK)
        return 1;
    fputs(spcc_message(cx), stderr);
    return 0;
}

/* Orthonormal columns from those of a dense matrix, by Gram and Schmidt. */
static void orthonormalize(spcc_tensor *matrix)
{
    double *a = (double *)spcc_tensor_values(matrix);
    for (int p = 0; p < RANK; p++) {
        double length = 0;
        for (int before = 0; before < p; before++) {
            double along = 0;
            for (int64_t i = 0; i < spcc_tensor_dimension(matrix, 0); i++)
                along += a[i * RANK + p] * a[i * RANK + before];
            for (int64_t i = 0; i < spcc_tensor_dimension(matrix, 0); i++)
                a[i * RANK + p] -= along * a[i * RANK + before];
        }
        for (int64_t i = 0; i < spcc_tensor_dimension(matrix, 0); i++)
            length += a[i * RANK + p] * a[i * RANK + p];
        for (int64_t i = 0; i < spcc_tensor_dimension(matrix, 0); i++)
            a[i * RANK + p] /= sqrt(length);
    }
}

/* The new factor of a mode: some steps of subspace iteration with Y Y'. */
static int update(int mode)
{
    static const char *const chain[] = {"Y(i,q,s) = X(i,j,k) * V(j,q) * W(k,s)",
                                        "Y(j,q,s) = X(i,j,k) * V(i,q) * W(k,s)",
                                        "Y(k,q,s) = X(i,j,k) * V(i,q) * W(j,s)"};
    const spcc_binding factors[] = {{"Y", Y[mode]},
                                    {"X", X},
                                    {"V", U[mode == 0 ? 1 : 0]},
                                    {"W", U[mode == 2 ? 1 : 2]}},
                       product[] = {{"Z", Z[mode]}, {"Y", Y[mode]}, {"U", U[mode]}},
                       copy[] = {{"U", U[mode]}, {"Z", Z[mode]}};
    int good = eval(chain[mode], factors, 4);
    for (int step = 0; step < STEPS && good; step++) {
        good = eval("Z(i,p) = Y(i,q,s) * Y(l,q,s) * U(l,p)", product, 3);
        if (good)
            orthonormalize(Z[mode]);
        good = good && eval("U(i,p) = Z(i,p)", copy, 2);
    }
    return good;
}

static double length_of(const spcc_tensor *tensor)
{
    const double *value = spcc_tensor_values(tensor);
    double sum = 0;
    for (int64_t k = 0; k < spcc_tensor_stored(tensor); k++)
        sum += value[k] * value[k];
    return sqrt(sum);
}

/* X: outer products of few sparse vectors. */
static int make_tensors(void)
{
    static const char *const sparse[] = {"@sparse(0.4,1)", "@sparse(0.4,2)", "@sparse(0.4,3)"};
    spcc_tensor *A[3] = {NULL};
    int good = spcc_tensor_new(cx, "csf", SPCC_F64, 3, size, NULL, &X) == SPCC_OK
               && spcc_tensor_new(cx, NULL, SPCC_F64, 3, NULL, NULL, &core) == SPCC_OK;
    for (int m = 0; m < 3 && good; m++) {
        const int64_t factor[] = {size[m], RANK};
        good =
            spcc_tensor_generate(cx, sparse[m], "csr", SPCC_F64, 2, factor, NULL, &A[m]) == SPCC_OK
            && spcc_tensor_generate(cx, "@random(4)", NULL, SPCC_F64, 2, factor, NULL, &U[m])
                   == SPCC_OK
            && spcc_tensor_new(cx, NULL, SPCC_F64, 3, NULL, NULL, &Y[m]) == SPCC_OK
            && spcc_tensor_new(cx, NULL, SPCC_F64, 2, NULL, NULL, &Z[m]) == SPCC_OK;
        if (good)
            orthonormalize(U[m]);
    }
    good = good
           && eval("X(i,j,k) = A(i,r) * B(j,r) * C(k,r)",
                   (spcc_binding[]){{"X", X}, {"A", A[0]}, {"B", A[1]}, {"C", A[2]}}, 4);
    for (int m = 0; m < 3; m++)
        spcc_tensor_free(A[m]);
    return good;
}

int main(void)
{
    int good = spcc_context_new(NULL, &cx) == SPCC_OK && make_tensors();
    for (int mode = 0; mode < 3 && good; mode++)
        good = update(mode);
    good =
        good
        && eval("G(p,q,s) = X(i,j,k) * U(i,p) * V(j,q) * W(k,s)",
                (spcc_binding[]){{"G", core}, {"X", X}, {"U", U[0]}, {"V", U[1]}, {"W", U[2]}}, 5);
    if (good) {
        double kept = length_of(core) / length_of(X);
        printf("%lld components, the core has %.6f of their length\n",
               (long long)spcc_tensor_stored(X), kept);
        good = kept > 0.999999 && kept < 1.000001;
    }
    for (int m = 0; m < 3; m++) {
        spcc_tensor_free(U[m]);
        spcc_tensor_free(Y[m]);
        spcc_tensor_free(Z[m]);
    }
    spcc_tensor_free(X);
    spcc_tensor_free(core);
    spcc_context_free(cx);
    return !good;
}
