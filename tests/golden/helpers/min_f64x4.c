#ifndef SPCC_HAS_min_f64x4
#define SPCC_HAS_min_f64x4
/* Lane by lane; NaN where a or b is. */
static inline void min_f64x4(f64x4 *a, const f64x4 *b)
{
    i64x4 is_nan = *a != *a;
#ifdef __clang__
    i64x4 is_a = *a < *b;
    f64x4 least = (f64x4)(((i64x4)*a & is_a) | ((i64x4)*b & ~is_a));
#else
    f64x4 least = *b;
#pragma GCC unroll 1
    for (int k = 0; k < 4; k++)
        least[k] = (*a)[k] < (*b)[k] ? (*a)[k] : (*b)[k];
#endif
    *a = (f64x4)(((i64x4)*a & is_nan) | ((i64x4)least & ~is_nan));
}
#endif
