#ifndef SPCC_HAS_i8_from_f64
#define SPCC_HAS_i8_from_f64
/* Toward zero; the nearest where it does not fit; 0 of NaN. */
static __host__ __device__ inline int8_t i8_from_f64(double a)
{
    if (a >= 128.0)
        return 127;
    return a > -128.0 ? (int8_t)a : a == a ? -128 : 0;
}
#endif
