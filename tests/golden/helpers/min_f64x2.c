#ifndef SPCC_HAS_min_f64x2
#define SPCC_HAS_min_f64x2
/* Lane by lane; NaN where a or b is. */
static inline void min_f64x2(f64x2 *a, const f64x2 *b)
{
    i64x2 is_nan = *a != *a;
#ifdef __clang__
    i64x2 is_a = *a < *b;
    f64x2 least = (f64x2)(((i64x2)*a & is_a) | ((i64x2)*b & ~is_a));
#else
    f64x2 least = *b;
#pragma GCC unroll 1
    for (int k = 0; k < 2; k++)
        least[k] = (*a)[k] < (*b)[k] ? (*a)[k] : (*b)[k];
#endif
    *a = (f64x2)(((i64x2)*a & is_nan) | ((i64x2)least & ~is_nan));
}
#endif
