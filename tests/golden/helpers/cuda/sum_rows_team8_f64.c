#ifndef SPCC_HAS_sum_rows_team8_f64
#define SPCC_HAS_sum_rows_team8_f64
/* Stores rows that end in the team, of which each lane has the last one that it came to; what begins there is left in row_left[0] of each. */
static __device__ inline void sum_rows_team8_f64(double *vals, int64_t row, double begun,
                                                 int64_t team_row, double team_begun,
                                                 int64_t *row_left, double *begun_left,
                                                 int32_t thread)
{
    int64_t row_here = row;
    int32_t d = 1;
    #pragma unroll 1
    while (d < 8) {
        int64_t row_other_3 = __shfl_up_sync(team_mask(8), row, d, 8);
        double begun_other_3 = __shfl_up_sync(team_mask(8), begun, d, 8);
        if (thread % 8 >= d) {
            if (row < 0) {
                row = row_other_3;
                begun = begun_other_3;
            } else if (row == row_other_3) {
                begun += begun_other_3;
            }
        }
        d *= 2;
    }
    int64_t row_other = __shfl_up_sync(team_mask(8), row, 1, 8);
    double begun_other = __shfl_up_sync(team_mask(8), begun, 1, 8);
    if (thread % 8 == 0)
        row_other = -1;
    if (row_other < 0) {
        row_other = team_row;
        begun_other = team_begun;
    } else if (row_other == team_row) {
        begun_other += team_begun;
    }
    int64_t row_other_2 = __shfl_sync(team_mask(8), row, 7, 8);
    double begun_other_2 = __shfl_sync(team_mask(8), begun, 7, 8);
    if (row_other_2 >= 0) {
        if (team_row == row_other_2) {
            team_begun += begun_other_2;
        } else {
            team_row = row_other_2;
            team_begun = begun_other_2;
        }
    }
    row_left[0] = team_row;
    begun_left[0] = team_begun;
    __syncwarp(team_mask(8));
    if (row_here >= 0 && row_other != row_here) {
        if (row_other >= 0)
            vals[row_other] += begun_other;
    }
    __syncwarp(team_mask(8));
}
#endif
