/* C(i,j) = A(i,k) * B(k,j)
 *     C        f64   ds
 *     A        f64   ds
 *     B        f64   ds
 * schedule: reorder(i, k, j); precompute(A(i,k) * B(k,j), w, {j,j,jp}, bytemap)
 * made by spcc VERSION with
 *     spcc 'C(i,j) = A(i,k) * B(k,j)' -f 'A:csr' -f 'B:csr' -f 'C:csr' --plain
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B_vals        B's values
 *   C2_pos_out    C, level 2 (compressed): where each segment begins and ends
 *   C2_crd_out    C, level 2 (compressed): coordinates
 *   C_vals_out    C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 *
 * Each ..._out is set to an array that the caller frees, to NULL if the function fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static int evaluate_compare_i32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t B2_dimension,
             const int32_t *B2_pos, const int32_t *B2_crd, const double *B_vals,
             int32_t **C2_pos_out, int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int status = 1;
    int64_t pC2 = 0, C2_capacity = 16;
    int32_t *C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    int32_t *C2_crd = (int32_t *)calloc((size_t)C2_capacity, sizeof(int32_t));
    double *C_vals = (double *)calloc((size_t)C2_capacity, sizeof(double));
    bool *w1_map = (bool *)calloc((size_t)B2_dimension + 1, sizeof(bool));
    int32_t *w1_crd = (int32_t *)calloc((size_t)B2_dimension + 1, sizeof(int32_t));
    double *w_vals = (double *)calloc((size_t)B2_dimension + 1, sizeof(double));
    if (!C2_pos || !C2_crd || !C_vals || !w1_map || !w1_crd || !w_vals) goto done;
    for (int32_t i = 0; i < A1_dimension; i++) {
        int32_t nw1 = 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            double A_val = A_vals[pA2];
            for (int32_t pB2 = B2_pos[k]; pB2 < B2_pos[k + 1]; pB2++) {
                int32_t jp = B2_crd[pB2];
                if (!w1_map[jp]) { w1_map[jp] = true; w1_crd[nw1++] = jp; }
                w_vals[jp] += A_val * B_vals[pB2];
            }
        }
        qsort(w1_crd, (size_t)nw1, sizeof(int32_t), evaluate_compare_i32);
        if (C2_capacity < pC2 + nw1) {
            C2_capacity = 2 * C2_capacity + nw1;
            void *longer_C2_crd = realloc(C2_crd, (size_t)C2_capacity * sizeof(int32_t));
            void *longer_C_vals = realloc(C_vals, (size_t)C2_capacity * sizeof(double));
            C2_crd = longer_C2_crd ? (int32_t *)longer_C2_crd : C2_crd;
            C_vals = longer_C_vals ? (double *)longer_C_vals : C_vals;
            if (!longer_C2_crd || !longer_C_vals) goto done;
        }
        for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
            int32_t j = w1_crd[pw1];
            C_vals[pC2] = w_vals[j];
            C2_crd[pC2++] = j;
            w1_map[j] = false; w_vals[j] = 0.0;
        }
        C2_pos[i + 1] = (int32_t)pC2;
    }
    status = pC2 > 2147483647 ? 2 : 0;
done:
    free(w1_map); free(w1_crd); free(w_vals);
    if (status != 0) { free(C2_pos); free(C2_crd); free(C_vals); }
    *C2_pos_out = status != 0 ? NULL : C2_pos; *C2_crd_out = status != 0 ? NULL : C2_crd;
    *C_vals_out = status != 0 ? NULL : C_vals;
    return status;
}
