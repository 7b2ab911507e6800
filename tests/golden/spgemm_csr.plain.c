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
 * Each ..._out is set to an array that the caller frees, unless the function fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline int32_t evaluate_max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* key[0, n) in ascending order: sorted by inserting at smaller and smaller gaps (Shell). */
static inline void evaluate_sort_shell_i32(int64_t n, int32_t *key)
{
    int64_t gap = n;
    while (gap > 1) {
        gap = (5 * gap + 1) / 11;
        for (int64_t p = gap; p < n; p++) {
            int32_t moved = key[p];
            int64_t to = p;
            while (to >= gap && key[to - gap] > moved) {
                key[to] = key[to - gap];
                to -= gap;
            }
            key[to] = moved;
        }
    }
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, const int32_t *A2_pos,
             const int32_t *A2_crd, const double *A_vals, int32_t B2_dimension,
             const int32_t *B2_pos, const int32_t *B2_crd, const double *B_vals,
             int32_t **C2_pos_out, int32_t **C2_crd_out, double **C_vals_out)
{
    (void)A2_dimension;
    int status = 1;
    void *longer_array;
    int32_t pC2 = 0, C2_capacity = 16, nw1 = 0;
    int32_t *C2_pos = (int32_t *)calloc((size_t)A1_dimension + 1, sizeof(int32_t));
    int32_t *C2_crd = (int32_t *)calloc((size_t)C2_capacity + 1, sizeof(int32_t));
    double *C_vals = (double *)calloc((size_t)C2_capacity + 1, sizeof(double));
    bool *w1_map = (bool *)calloc((size_t)B2_dimension + 1, sizeof(bool));
    int32_t *w1_crd = (int32_t *)calloc((size_t)B2_dimension + 1, sizeof(int32_t));
    double *w_vals = (double *)calloc((size_t)B2_dimension + 1, sizeof(double));
    if (!C2_pos || !C2_crd || !C_vals || !w1_map || !w1_crd || !w_vals)
        goto fail;
    for (int32_t i = 0; i < A1_dimension; i++) {
        nw1 = 0;
        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
            int32_t k = A2_crd[pA2];
            double A_val = A_vals[pA2];
            for (int32_t pB2 = B2_pos[k]; pB2 < B2_pos[k + 1]; pB2++) {
                int32_t jp = B2_crd[pB2];
                if (!w1_map[jp]) {
                    w1_map[jp] = true;
                    w1_crd[nw1++] = jp;
                }
                w_vals[jp] += A_val * B_vals[pB2];
            }
        }
        evaluate_sort_shell_i32(nw1, w1_crd);
        int64_t C2_needed = (int64_t)pC2 + nw1;
        if (C2_capacity < C2_needed) {
            if (C2_needed > 2147483647)
                goto too_large;
            C2_capacity = evaluate_max_i32(C2_capacity > 1073741823 ? 2147483647 : 2 * C2_capacity,
                (int32_t)C2_needed);
            longer_array = realloc(C2_crd, ((size_t)C2_capacity + 1) * sizeof(int32_t));
            if (!longer_array)
                goto fail;
            C2_crd = (int32_t *)longer_array;
            longer_array = realloc(C_vals, ((size_t)C2_capacity + 1) * sizeof(double));
            if (!longer_array)
                goto fail;
            C_vals = (double *)longer_array;
        }
        for (int32_t pw1 = 0; pw1 < nw1; pw1++) {
            int32_t j = w1_crd[pw1];
            C_vals[pC2] = w_vals[j];
            C2_crd[pC2++] = j;
        }
        for (int32_t pw = 0; pw < nw1; pw++) {
            w1_map[w1_crd[pw]] = false;
            w_vals[w1_crd[pw]] = 0.0;
        }
        C2_pos[i + 1] = pC2;
    }
    free(w1_map);
    free(w1_crd);
    free(w_vals);
    *C2_pos_out = C2_pos;
    *C2_crd_out = C2_crd;
    *C_vals_out = C_vals;
    return 0;

too_large:
    status = 2;
fail:
    free(C2_pos);
    free(C2_crd);
    free(C_vals);
    free(w1_map);
    free(w1_crd);
    free(w_vals);
    return status;
}
