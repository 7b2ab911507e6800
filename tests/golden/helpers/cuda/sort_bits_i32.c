#ifndef SPCC_HAS_sort_bits_i32
#define SPCC_HAS_sort_bits_i32
/* Eight bits of what a key is above the least. */
static __host__ __device__ inline int32_t sort_bits_i32(int32_t key, int64_t low, int64_t shift)
{
    return (int32_t)(shr_u64((uint64_t)(key - low), (uint64_t)shift) & 255);
}
#endif
