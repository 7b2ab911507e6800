#ifndef SPCC_HAS_probe_next_i64
#define SPCC_HAS_probe_next_i64
static __host__ __device__ inline int64_t probe_next_i64(int64_t slot, int64_t width)
{
    return (slot + 1) & (width - 1);
}
#endif
