#ifndef SPCC_HAS_search_i32
#define SPCC_HAS_search_i32
/* Where the coordinate is in crd[low, end), which ascends; -1 if it is not. */
static __host__ __device__ inline int64_t search_i32(const int32_t *__restrict__ crd, int64_t low,
                                                     int64_t end, int64_t coordinate)
{
    int64_t high = end;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (crd[middle] < coordinate)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && crd[low] == coordinate ? low : -1;
}
#endif
