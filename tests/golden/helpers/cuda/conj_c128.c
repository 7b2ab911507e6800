#ifndef SPCC_HAS_conj_c128
#define SPCC_HAS_conj_c128
static __host__ __device__ inline c128 conj_c128(c128 a)
{
    return c128(a.re, -a.im);
}
#endif
