#ifndef SPCC_HAS_probe_first_i64
#define SPCC_HAS_probe_first_i64
/* The first place that a coordinate is looked for at, as `probe` does; and the next one. */
static __host__ __device__ inline int64_t probe_first_i64(int64_t coordinate, int64_t width)
{
    return (int64_t)((uint64_t)coordinate * 11400714819323198485u / 4294967296u) & (width - 1);
}
#endif
