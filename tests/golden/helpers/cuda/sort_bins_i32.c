#ifndef SPCC_HAS_sort_bins_i32
#define SPCC_HAS_sort_bins_i32
SPCC_KERNEL void __launch_bounds__(32) sort_bins_i32_block_2(int64_t *__restrict__ count)
{
    const int32_t thread = (int32_t)threadIdx.x;
    if (thread < 4)
        count[thread] = 0;
}

SPCC_KERNEL void __launch_bounds__(256, 4) sort_bins_i32_2_block_2(const int64_t *__restrict__ room,
                                                                   int64_t n, int64_t warp,
                                                                   int64_t block,
                                                                   int32_t *__restrict__ list,
                                                                   int64_t *count)
{
    const int32_t block_2 = (int32_t)blockIdx.x;
    const int32_t thread = (int32_t)threadIdx.x;
    #pragma unroll 1
    for (int64_t i = (int64_t)block_2 * 256 + thread; i < n; i += 2162688) {
        int64_t here = room[i];
        int64_t bin = (int64_t)(here > warp) + (here > block);
        int64_t at_ = atomicAdd((unsigned long long *)&count[bin], 1);
        list[bin * n + at_] = (int32_t)i;
        if (bin == 2) {
            atomicMax((long long *)&count[3], here);
        }
    }
}

#ifndef __CUDACC_RTC__
/* Rows in lists, one for each bin: those with room for at most `warp`, for at most `block`, and others. list[bin * n, ...) has the numbers of the bin's rows, in any order, count[bin] how many these are, and count[3] is the most room of all. */
static inline void sort_bins_i32(const int64_t *__restrict__ room, int64_t n, int64_t warp,
                                 int64_t block, int32_t *__restrict__ list,
                                 int64_t *__restrict__ count, cudaStream_t stream)
{
    SPCC_LAUNCH(sort_bins_i32_block_2, 1, 32, stream, count);
    SPCC_LAUNCH(sort_bins_i32_2_block_2, (int32_t)min_i64((n + 256) / 256, 8448), 256, stream, room,
                n, warp, block, list, count);
}
#endif
#endif
