#ifndef SPCC_HAS_sort_block_move_i32_i32
#define SPCC_HAS_sort_block_move_i32_i32
/* The entries [begin, end) of order and key go behind those of their digit that are before them: count says where those of this block begin, from the position `to` on.  `next` and `ahead` are shared: a number for each digit, and one for each digit and warp. */
static __device__ inline void sort_block_move_i32_i32(int32_t *key, int32_t *order, int64_t low,
                                                      int64_t shift, int64_t begin, int64_t end,
                                                      int64_t to, const int64_t *__restrict__ count,
                                                      int32_t block, int32_t blocks, int32_t thread,
                                                      int64_t *next, int32_t *ahead)
{
    int32_t lane = thread % 32;
    int32_t warp = thread / 32;
    next[thread] = to + count[(int64_t)thread * blocks + block];
    int64_t tile = begin;
    #pragma unroll 1
    for (; tile < end; tile += 256) {
        int64_t at_ = tile + thread;
        bool in = at_ < end;
        int32_t moved = 0;
        int32_t digit = 0;
        if (in) {
            moved = key[at_];
            digit = sort_bits_i32(moved, low, shift);
        }
        for (int32_t w = 0; w < 8; w++)
            ahead[w * 256 + thread] = 0;
        __syncthreads();
        uint32_t alike = sort_alike_i32(digit, in);
        int32_t rank = (int32_t)popcount_u32(alike & (shl_u32(1, (uint32_t)lane) - 1));
        if (in && rank == 0)
            ahead[warp * 256 + digit] = (int32_t)popcount_u32(alike);
        __syncthreads();
        int32_t sum = 0;
        for (int32_t w = 0; w < 8; w++) {
            int32_t here = ahead[w * 256 + thread];
            ahead[w * 256 + thread] = sum;
            sum += here;
        }
        __syncthreads();
        if (in) {
            int64_t place = next[digit] + (ahead[warp * 256 + digit] + rank);
            int32_t entry = order[at_];
            key[place] = moved;
            order[place] = entry;
        }
        __syncthreads();
        next[thread] += sum;
    }
}
#endif
