#ifndef SPCC_HAS_sort_block_count_i32
#define SPCC_HAS_sort_block_count_i32
/* How many of key[begin, end) have each digit, by a block: count[digit * blocks + block]. */
static __device__ inline void sort_block_count_i32(const int32_t *__restrict__ key, int64_t low,
                                                   int64_t shift, int64_t begin, int64_t end,
                                                   int64_t *count, int32_t block, int32_t blocks,
                                                   int32_t thread, int32_t *here)
{
    here[thread] = 0;
    __syncthreads();
    int64_t at_ = begin + thread;
    #pragma unroll 1
    for (; at_ < end; at_ += 256) {
        int32_t digit = sort_bits_i32(key[at_], low, shift);
        atomicAdd(&here[digit], 1);
    }
    __syncthreads();
    count[(int64_t)thread * blocks + block] = here[thread];
}
#endif
