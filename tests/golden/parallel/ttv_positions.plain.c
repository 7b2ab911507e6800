/* A(i,j) = B(i,j,k) * c(k)
 *     A        f64   dd
 *     B        f64   sss
 *     c        f64   d
 * schedule: collapse(i,j,f); pos(f,p,B); split(p,chunk,q,down,16); parallelize(chunk)
 * made by spcc VERSION with
 *     spcc 'A(i,j) = B(i,j,k) * c(k)' -f 'A:dense' -f 'B:csf' -s 'collapse(i,j,f); pos(f,p,B); split(p,chunk,q,down,16); parallelize(chunk)' --plain
 *
 *   B1_dimension  size of mode 1 of B: the range of i
 *   B2_dimension  size of mode 2 of B: the range of j
 *   B3_dimension  size of mode 3 of B: the range of k
 *   B1_pos        B, level 1 (compressed): where each segment begins and ends
 *   B1_crd        B, level 1 (compressed): coordinates
 *   B2_pos        B, level 2 (compressed): where each segment begins and ends
 *   B2_crd        B, level 2 (compressed): coordinates
 *   B3_pos        B, level 3 (compressed): where each segment begins and ends
 *   B3_crd        B, level 3 (compressed): coordinates
 *   B_vals        B's values
 *   c_vals        c's values
 *   A_vals        A's values
 *
 * No two of the arrays may overlap.
 *
 * Returns 0.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int64_t evaluate_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int32_t evaluate_min_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

#ifdef _OPENMP
#include <omp.h>
#endif
/* How many threads a parallel loop has here. */
static inline int32_t evaluate_thread_count(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}

/* The first position in crd[low, end), which ascends, of what is not below the least. */
static inline int64_t evaluate_find_first_i32(const int32_t *crd, int64_t low, int64_t end,
                                              int64_t least)
{
    int64_t from = low, to = end;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (crd[middle] < least)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* One of the parts, which may run at once. */
static void evaluate_part(int32_t part, int32_t B2_dimension, const int32_t *B1_pos,
                          const int32_t *B1_crd, const int32_t *B2_pos, const int32_t *B2_crd,
                          const int32_t *B3_pos, const int32_t *B3_crd, const double *B_vals,
                          const double *c_vals, double *A_vals, int32_t chunk_size, int32_t parts,
                          int64_t work, int32_t p_size)
{
    int32_t chunk_from = 0, chunk_past = chunk_size;
    if (parts > 1) {
        for (int32_t bound = part; bound < part + 2; bound++) {
            chunk_from = chunk_past;
            int64_t work_from = (work + 1) * bound / parts;
            int32_t chunk_low = 0, chunk_high = chunk_size;
            while (chunk_low < chunk_high) {
                int32_t chunk_middle = chunk_low + (chunk_high - chunk_low) / 2;
                if ((int64_t)chunk_middle
                    + B3_pos[evaluate_min_i64((int64_t)chunk_middle * 16, p_size)] < work_from)
                    chunk_low = chunk_middle + 1;
                else
                    chunk_high = chunk_middle;
            }
            chunk_past = chunk_low;
        }
    }
    for (int32_t chunk = chunk_from; chunk < chunk_past; chunk++) {
        int32_t pB1 = (int32_t)(evaluate_find_first_i32(B2_pos, 1, (int64_t)B1_pos[1] + 1,
            (int64_t)(chunk * 16) + 1) - 1);
        for (int32_t q = 0; q < evaluate_min_i32(16, p_size - chunk * 16); q++) {
            int32_t p = chunk * 16 + q, j = B2_crd[p];
            while (B2_pos[pB1 + 1] <= p)
                pB1++;
            int32_t i = B1_crd[pB1];
            int64_t pB2 = p;
            double A_val = 0.0;
            for (int32_t pB3 = B3_pos[pB2]; pB3 < B3_pos[pB2 + 1]; pB3++)
                A_val += B_vals[pB3] * c_vals[B3_crd[pB3]];
            A_vals[(int64_t)i * B2_dimension + j] = A_val;
        }
    }
}

#ifdef __cplusplus
extern "C"
#endif
int evaluate(int32_t B1_dimension, int32_t B2_dimension, int32_t B3_dimension,
             const int32_t *B1_pos, const int32_t *B1_crd, const int32_t *B2_pos,
             const int32_t *B2_crd, const int32_t *B3_pos, const int32_t *B3_crd,
             const double *B_vals, const double *c_vals, double *A_vals)
{
    (void)B3_dimension;
    int32_t p_size = B2_pos[B1_pos[1]], chunk_size = p_size / 16 + (p_size % 16 > 0);
    memset(A_vals, 0, (size_t)((int64_t)B1_dimension * B2_dimension) * sizeof(double));
    int64_t work = (int64_t)chunk_size + B3_pos[evaluate_min_i64((int64_t)chunk_size * 16, p_size)];
    int32_t parts = (int32_t)(work < 16384 ? 1
        : evaluate_min_i64(evaluate_thread_count() > 1
        ? evaluate_min_i64(16 * (int64_t)evaluate_thread_count(), 256) : 1, work / 8192));
    if (parts == 1) {
        evaluate_part(0, B2_dimension, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd, B_vals,
                      c_vals, A_vals, chunk_size, parts, work, p_size);
    } else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (int32_t part = 0; part < parts; part++)
            evaluate_part(part, B2_dimension, B1_pos, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd,
                          B_vals, c_vals, A_vals, chunk_size, parts, work, p_size);
    }
    return 0;
}
