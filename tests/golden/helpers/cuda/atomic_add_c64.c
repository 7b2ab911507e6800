#ifndef SPCC_HAS_atomic_add_c64
#define SPCC_HAS_atomic_add_c64
/* A part after the other: no sum needs both at once. */
static __device__ inline void atomic_add_c64(c64 *at, c64 a)
{
    atomicAdd(&at->re, a.re);
    atomicAdd(&at->im, a.im);
}
#endif
