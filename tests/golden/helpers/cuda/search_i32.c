#ifndef SPCC_HAS_search_i32
#define SPCC_HAS_search_i32
/* Where the coordinate is in crd[low, end), which ascends; -1 if it is not. */
static __host__ __device__ inline int64_t search_i32(const int32_t *__restrict__ crd, int64_t low,
                                                     int64_t end, int64_t coordinate)
{
    int64_t from = low;
    int64_t length = end - low;
    #pragma unroll 1
    while (length > 1) {
        int64_t half = length / 2;
        from = crd[from + half - 1] < coordinate ? from + half : from;
        length -= half;
    }
    return length == 1 && crd[from] == coordinate ? from : -1;
}
#endif
