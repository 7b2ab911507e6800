#ifndef SPCC_HAS_seek_i32
#define SPCC_HAS_seek_i32
/* The same in steps that double from low on: in O(log) of how far it is. */
static __host__ __device__ inline int64_t seek_i32(const int32_t *__restrict__ crd, int64_t low,
                                                   int64_t end, int64_t least)
{
    int64_t from = low;
    int64_t to = low;
    int64_t step = 1;
    #pragma unroll 1
    while (to < end && crd[to] < least) {
        from = to + 1;
        to += step;
        step *= 2;
    }
    return find_first_i32(crd, from, to < end ? to : end, least);
}
#endif
