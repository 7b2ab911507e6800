/* y(i) = A(i,j) * x(j)
 *     y        f64   d
 *     A        f64   ds
 *     x        f64   d
 * schedule: parallelize(i, cpu_thread, no_races)
 * made by spcc 0.2.0 with
 *     spcc 'y(i) = A(i,j) * x(j)' -f 'A:csr' --name=spmv
 *
 *   A1_dimension  size of mode 1 of A: the range of i
 *   A2_dimension  size of mode 2 of A: the range of j
 *   A2_pos        A, level 2 (compressed): where each segment begins and ends
 *   A2_crd        A, level 2 (compressed): coordinates
 *   A_vals        A's values
 *   x_vals        x's values
 *   y_vals        y's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stdint.h>

#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif

typedef double f64x4 __attribute__((vector_size(32), aligned(8), may_alias));

#ifndef SPCC_HAS_min_i64
#define SPCC_HAS_min_i64
static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
#endif

#ifndef SPCC_HAS_thread_count
#define SPCC_HAS_thread_count
#ifdef _OPENMP
#include <omp.h>
#endif
/* How many threads a parallel loop has here. */
static inline int32_t thread_count(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}
#endif

/* One of the parts, which may run at once. */
static void spmv_part(int32_t part, int32_t A1_dimension, const int32_t *restrict A2_pos,
                      const int32_t *restrict A2_crd, const double *restrict A_vals,
                      const double *restrict x_vals, double *restrict y_vals, int32_t parts,
                      int64_t work)
{
    int32_t i_from = 0;
    int32_t i_past = A1_dimension;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            i_from = i_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t i_low = 0;
            int32_t i_high = A1_dimension;
            while (i_low < i_high) {
                int32_t i_middle = i_low + (i_high - i_low) / 2;
                if ((int64_t)i_middle + A2_pos[i_middle] < work_from)
                    i_low = i_middle + 1;
                else
                    i_high = i_middle;
            }
            i_past = i_low;
        }
    }
    for (int32_t i = i_from; i < i_past; i++) {
        double y_val = 0.0;
        int32_t pA2 = A2_pos[i];
        int32_t pA2_end = A2_pos[i + 1];
        if (pA2 < pA2_end - 3) {
            f64x4 y_val0 = {0};
            for (; pA2 < pA2_end - 3; pA2 += 4)
                y_val0 += *(const f64x4 *)(A_vals + pA2)
                    * (f64x4){x_vals[A2_crd[pA2]], x_vals[A2_crd[pA2 + 1]], x_vals[A2_crd[pA2 + 2]],
                    x_vals[A2_crd[pA2 + 3]]};
            y_val += y_val0[0] + y_val0[2] + (y_val0[1] + y_val0[3]);
        }
        #pragma GCC unroll 1
        for (; pA2 < pA2_end; pA2++) {
            int32_t j = A2_crd[pA2];
            y_val += A_vals[pA2] * x_vals[j];
        }
        y_vals[i] = y_val;
    }
}

#ifdef __cplusplus
extern "C"
#endif
int spmv(int32_t A1_dimension, int32_t A2_dimension, const int32_t *restrict A2_pos,
         const int32_t *restrict A2_crd, const double *restrict A_vals,
         const double *restrict x_vals, double *restrict y_vals)
{
    (void)A2_dimension;
    int64_t work = (int64_t)A1_dimension + A2_pos[A1_dimension];
    int32_t parts = (int32_t)(work < 65536 ? 1
        : min_i64(thread_count() > 1 ? min_i64(16 * (int64_t)thread_count(), 256) : 1, work
        / 32768));
    if (parts == 1) {
        spmv_part(0, A1_dimension, A2_pos, A2_crd, A_vals, x_vals, y_vals, parts, work);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            spmv_part(part, A1_dimension, A2_pos, A2_crd, A_vals, x_vals, y_vals, parts, work);
    }
    return 0;
}
