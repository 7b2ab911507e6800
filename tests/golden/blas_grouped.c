/* C(b,j,i) = A(i,k,l) * B(b,j,k,l)
 *     C        f32   ddd
 *     A        f32   ddd
 *     B        f32   dddd
 * schedule: collapse(k,l,f); blas(i,j,f)
 * made by spcc VERSION with
 *     spcc 'C(b,j,i) = A(i,k,l) * B(b,j,k,l)' -t 'C:f32' -t 'A:f32' -t 'B:f32' -s 'collapse(k,l,f); blas(i,j,f)'
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of k
 *   A3_dimension  size of mode 3 of A: the range of l
 *   A_vals        A's values
 *   B1_dimension  size of mode 1 of B: the range of b
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B_vals        B's values
 *   C_vals        C's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0, or 1 where there is no memory, or 2 where a result has more components than its
 * positions can count.
 *
 * Calls cblas_sgemm: link with a BLAS library that has the interface for C, as -lopenblas.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

#include "helpers/cblas_sgemm.c"
#include "helpers/div_i32.c"
#include "helpers/multiply_f32.c"

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t A1_dimension, int32_t A2_dimension, int32_t A3_dimension,
             const float *restrict A_vals, int32_t B1_dimension, int32_t B2_dimension,
             const float *restrict B_vals, float *restrict C_vals)
{
    int status = 1;
    int32_t f_size;
    int64_t C_base, base;
    if (A2_dimension > div_i32(2147483647, A3_dimension > 1 ? A3_dimension : 1)) {
        status = 2;
        goto fail;
    }
    f_size = A2_dimension * A3_dimension;
    C_base = (int64_t)B2_dimension * A1_dimension;
    base = (int64_t)A2_dimension * A3_dimension;
    for (int32_t b = 0; b < B1_dimension; b++) {
        memset(C_vals + b * C_base, 0, (size_t)C_base * sizeof(float));
        multiply_f32(C_vals, (int64_t)b * B2_dimension * A1_dimension, B_vals, (int64_t)b
                     * B2_dimension * A2_dimension * A3_dimension, A_vals, 0, B2_dimension,
                     A1_dimension, f_size, A1_dimension, base, false, base, true, false);
    }
    return 0;

fail:
    return status;
}
