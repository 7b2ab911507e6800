#ifndef SPCC_HAS_sum_rows_f64
#define SPCC_HAS_sum_rows_f64
/* Stores rows that end in the block, of which each thread has the last one that it came to; what begins there is left in row_ends[32]. */
static __device__ inline void sum_rows_f64(double *vals, int64_t row, double begun,
                                           int64_t block_row, double block_begun, int64_t *row_ends,
                                           double *begun_ends, int32_t thread, int32_t warps)
{
    int64_t row_here = row;
    int32_t d = 1;
    #pragma unroll 1
    while (d < 32) {
        int64_t row_other_2 = __shfl_up_sync(0xffffffff, row, d);
        double begun_other_2 = __shfl_up_sync(0xffffffff, begun, d);
        if (thread % 32 >= d) {
            if (row < 0) {
                row = row_other_2;
                begun = begun_other_2;
            } else if (row == row_other_2) {
                begun += begun_other_2;
            }
        }
        d *= 2;
    }
    int64_t row_other = __shfl_up_sync(0xffffffff, row, 1);
    double begun_other = __shfl_up_sync(0xffffffff, begun, 1);
    if (thread % 32 == 0)
        row_other = -1;
    if (thread % 32 == 31) {
        row_ends[thread / 32] = row;
        begun_ends[thread / 32] = begun;
    }
    __syncthreads();
    #pragma unroll 1
    for (int32_t warp = 0; warp < warps; warp++) {
        if (warp == thread / 32) {
            if (row_other < 0) {
                row_other = block_row;
                begun_other = block_begun;
            } else if (row_other == block_row) {
                begun_other += block_begun;
            }
        }
        int64_t row_end = row_ends[warp];
        double begun_end = begun_ends[warp];
        if (row_end >= 0) {
            if (block_row == row_end) {
                block_begun += begun_end;
            } else {
                block_row = row_end;
                block_begun = begun_end;
            }
        }
    }
    if (thread == 0) {
        row_ends[32] = block_row;
        begun_ends[32] = block_begun;
    }
    __syncthreads();
    if (row_here >= 0 && row_other != row_here) {
        if (row_other >= 0)
            vals[row_other] += begun_other;
    }
    __syncthreads();
}
#endif
