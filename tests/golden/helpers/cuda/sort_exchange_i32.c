#ifndef SPCC_HAS_sort_exchange_i32
#define SPCC_HAS_sort_exchange_i32
/* One step of the network over list[at, at + n), by so many lanes: pairs that are d apart, or the first step of a run, whose second half goes down.  What would be behind n is above all else. */
static __host__ __device__ inline void sort_exchange_i32(int32_t *__restrict__ list, int64_t at_,
                                                         int64_t n, int64_t d, bool first,
                                                         int32_t lane, int32_t lanes)
{
    int64_t pair = lane;
    int64_t within = pair & (d - 1);
    #pragma unroll 1
    while (2 * (pair - within) < n) {
        int64_t low = 2 * pair - within;
        int64_t high = first ? low + 2 * (d - within) - 1 : low + d;
        if (high < n) {
            int32_t a = list[at_ + low];
            int32_t b = list[at_ + high];
            if (a > b) {
                list[at_ + low] = b;
                list[at_ + high] = a;
            }
        }
        pair += lanes;
        within = pair & (d - 1);
    }
}
#endif
