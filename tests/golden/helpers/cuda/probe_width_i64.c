#ifndef SPCC_HAS_probe_width_i64
#define SPCC_HAS_probe_width_i64
/* How many places a table has for so many coordinates: a power of two, of which a quarter stays free. */
static __host__ __device__ inline int64_t probe_width_i64(int64_t room)
{
    int64_t width = 32;
    #pragma unroll 1
    while (width / 4 * 3 < room)
        width *= 2;
    return width;
}
#endif
