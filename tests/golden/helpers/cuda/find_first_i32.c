#ifndef SPCC_HAS_find_first_i32
#define SPCC_HAS_find_first_i32
/* The first position in crd[low, end), which ascends, of what is not below the least. */
static __host__ __device__ inline int64_t find_first_i32(const int32_t *__restrict__ crd,
                                                         int64_t low, int64_t end, int64_t least)
{
    int64_t from = low;
    int64_t to = end;
    #pragma unroll 1
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (crd[middle] < least)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
#endif
