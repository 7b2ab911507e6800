#ifndef SPCC_HAS_shfl_up_c128
#define SPCC_HAS_shfl_up_c128
static __device__ inline c128 shfl_up_c128(uint32_t mask, c128 a, int lane, int lanes = 32)
{
    return c128(__shfl_up_sync(mask, a.re, lane, lanes), __shfl_up_sync(mask, a.im, lane, lanes));
}
#endif
