#ifndef SPCC_HAS_probe_i32
#define SPCC_HAS_probe_i32
/* Where the coordinate is in the table crd[begin, begin + width), or the empty place where it goes. */
static __host__ __device__ inline int64_t probe_i32(const int32_t *__restrict__ crd, int64_t begin,
                                                    int64_t width, int64_t coordinate)
{
    int64_t mask = width - 1;
    int64_t slot = (int64_t)((uint64_t)coordinate * 11400714819323198485u / 4294967296u) & mask;
    #pragma unroll 1
    while (crd[begin + slot] != -1 && crd[begin + slot] != coordinate)
        slot = (slot + 1) & mask;
    return begin + slot;
}
#endif
