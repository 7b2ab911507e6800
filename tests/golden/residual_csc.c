/* r(i) = b(i) - A(i,j) * x(j)
 *     r        f64   d
 *     b        f64   d
 *     A        f64   ds:1,0
 *     x        f64   d
 * schedule: precompute(t, w, {i,i,ip}, dense); reorder(j, ip)
 * made by spcc VERSION with
 *     spcc 'r(i) = b(i) - A(i,j) * x(j)' -f 'A:csc'
 *
 *   b1_dimension  size of mode 1 of b: the range of i
 *   b_vals        b's values
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   r_vals        r's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory.
 *
 * Memory comes from malloc, realloc and free, unless SPCC_MALLOC, SPCC_REALLOC and SPCC_FREE are
 * defined.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SPCC_MALLOC
#include <stdlib.h>
#define SPCC_MALLOC malloc
#define SPCC_REALLOC realloc
#define SPCC_FREE free
#endif

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#ifndef SPCC_HAS_allocate_array
#define SPCC_HAS_allocate_array
/* Room for n elements of size bytes; NULL if there is none. */
static inline void *allocate_array(int64_t n, size_t size)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return NULL;
    return SPCC_MALLOC(n > 0 ? (size_t)n * size : size);
}
#endif

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t b1_dimension, const double *restrict b_vals, int32_t A2_dimension,
             const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
             const double *restrict A_vals, const double *restrict x_vals, double *restrict r_vals)
{
    double *w_vals = NULL;
    w_vals = (double *)allocate_array(b1_dimension, sizeof(double));
    if (!w_vals)
        goto fail;
    memset(w_vals, 0, (size_t)b1_dimension * sizeof(double));
    for (int32_t j = 0; j < A2_dimension; j++) {
        double x_val = x_vals[j];
        for (int32_t pA2 = A2_pos[j]; pA2 < A2_pos[j + 1]; pA2++) {
            int32_t ip = A2_crd[pA2];
            w_vals[ip] += A_vals[pA2] * x_val;
        }
    }
    for (int32_t i = 0; i < b1_dimension; i++)
        r_vals[i] = b_vals[i] - w_vals[i];
    SPCC_FREE(w_vals);
    return 0;

fail:
    SPCC_FREE(w_vals);
    return 1;
}
