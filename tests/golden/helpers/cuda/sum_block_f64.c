#ifndef SPCC_HAS_sum_block_f64
#define SPCC_HAS_sum_block_f64
/* The sum over the threads of the block, in each of them. */
static __device__ inline double sum_block_f64(double v, int32_t thread, int32_t threads,
                                              double *ends)
{
    double sum = sum_team32_f64(v);
    if (thread % 32 == 0)
        ends[thread / 32] = sum;
    __syncthreads();
    double end = 0.0;
    if (thread % 32 < threads / 32)
        end = ends[thread % 32];
    double all = sum_team32_f64(end);
    return all;
}
#endif
