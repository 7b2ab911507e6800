/* mttkrp.c - the matricized tensor times Khatri-Rao product, the heart of the CP decomposition:
 *
 *     A(i,r) = sum over k, l of B(i,k,l) * C(k,r) * D(l,r)        B sparse in csf, the others dense
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <spcc.h>
#include <stdio.h>
#include <stdlib.h>

enum { I = 40, K = 50, L = 60, RANK = 16 };

/* The same from the coordinates of B, one component at a time. */
static double difference(const spcc_tensor *A, const spcc_tensor *B, const double *c,
                         const double *d)
{
    static double expected[I][RANK];
    int64_t stored = spcc_tensor_stored(B);
    int64_t *at = malloc(sizeof(int64_t[3]) * (size_t)stored);
    double *b = malloc(sizeof(double) * (size_t)stored), worst = 0;
    const double *a = spcc_tensor_values(A);
    int64_t n = at && b ? spcc_tensor_unpack(B, at, b) : 0;
    for (int64_t e = 0; e < n; e++)
        for (int r = 0; r < RANK; r++)
            expected[at[3 * e]][r] +=
                b[e] * c[at[3 * e + 1] * RANK + r] * d[at[3 * e + 2] * RANK + r];
    for (int k = 0; k < I * RANK; k++)
        worst = fmax(worst, fabs(a[k] - expected[k / RANK][k % RANK]));
    free(at);
    free(b);
    return n == stored ? worst : INFINITY;
}

int main(void)
{
    const int64_t b[] = {I, K, L}, c[] = {K, RANK}, d[] = {L, RANK};
    spcc_context *cx = NULL;
    spcc_tensor *A = NULL, *B = NULL, *C = NULL, *D = NULL;
    int failed =
        spcc_context_new(NULL, &cx) != SPCC_OK
        || spcc_tensor_generate(cx, "@sparse(0.01,1)", "csf", SPCC_F64, 3, b, NULL, &B) != SPCC_OK
        || spcc_tensor_generate(cx, "@random(2)", NULL, SPCC_F64, 2, c, NULL, &C) != SPCC_OK
        || spcc_tensor_generate(cx, "@random(3)", NULL, SPCC_F64, 2, d, NULL, &D) != SPCC_OK
        || spcc_tensor_new(cx, NULL, SPCC_F64, 2, NULL, NULL, &A) != SPCC_OK
        || spcc_eval(cx, "A(i,r) = B(i,k,l) * C(k,r) * D(l,r)",
                     (spcc_binding[]){{"A", A}, {"B", B}, {"C", C}, {"D", D}}, 4)
               != SPCC_OK;
    if (failed) {
        fputs(spcc_message(cx), stderr);
    } else {
        double worst = difference(A, B, spcc_tensor_values(C), spcc_tensor_values(D));
        printf("%lld components of B, largest difference %g\n", (long long)spcc_tensor_stored(B),
               worst);
        failed = !(worst < 1e-12);
    }
    spcc_tensor_free(A);
    spcc_tensor_free(B);
    spcc_tensor_free(C);
    spcc_tensor_free(D);
    spcc_context_free(cx);
    return failed;
}
