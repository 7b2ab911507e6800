#ifndef SPCC_HAS_sort_table_warp_i32
#define SPCC_HAS_sort_table_warp_i32
/* list[at] becomes how many coordinates the table crd[begin, begin + width) has; and those behind it, ascending if it sorts.  By a warp, which has met before, and meets behind it. */
static __device__ inline void sort_table_warp_i32(const int32_t *__restrict__ crd, int64_t begin,
                                                  int64_t width, int32_t *list, int64_t at_,
                                                  bool sorts, int32_t thread)
{
    int32_t lane = thread % 32;
    int64_t n = 0;
    int64_t tile = 0;
    #pragma unroll 1
    for (; tile < width; tile += 32) {
        int32_t here = crd[begin + tile + lane];
        bool is = here != -1;
        uint32_t lanes = __ballot_sync(0xffffffff, is);
        if (is)
            list[at_ + 1 + n + popcount_u32(lanes & (shl_u32(1, (uint32_t)lane) - 1))] = here;
        n += popcount_u32(lanes);
    }
    if (lane == 0)
        list[at_] = (int32_t)n;
    int64_t run = sorts ? 1 : n;
    #pragma unroll 1
    while (run < n) {
        int64_t d = run;
        #pragma unroll 1
        while (d > 0) {
            __syncwarp();
            sort_exchange_i32(list, at_ + 1, n, d, d == run, lane, 32);
            d = d / 2;
        }
        run *= 2;
    }
}
#endif
