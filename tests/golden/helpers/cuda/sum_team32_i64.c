#ifndef SPCC_HAS_sum_team32_i64
#define SPCC_HAS_sum_team32_i64
/* The sum over the warp, in each of its lanes. */
static __device__ inline int64_t sum_team32_i64(int64_t v)
{
    int64_t sum = v;
    sum += __shfl_xor_sync(0xffffffff, sum, 16);
    sum += __shfl_xor_sync(0xffffffff, sum, 8);
    sum += __shfl_xor_sync(0xffffffff, sum, 4);
    sum += __shfl_xor_sync(0xffffffff, sum, 2);
    sum += __shfl_xor_sync(0xffffffff, sum, 1);
    return sum;
}
#endif
