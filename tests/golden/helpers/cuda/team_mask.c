#ifndef SPCC_HAS_team_mask
#define SPCC_HAS_team_mask
/* The lanes of the warp that are in the thread's team of so many, one bit each. */
static __device__ inline uint32_t team_mask(int lanes)
{
    return ((1u << lanes) - 1) << (threadIdx.x % 32 / lanes * lanes);
}
#endif
