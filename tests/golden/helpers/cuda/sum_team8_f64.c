#ifndef SPCC_HAS_sum_team8_f64
#define SPCC_HAS_sum_team8_f64
/* The sum over the team of 8 lanes, in each of them. */
static __device__ inline double sum_team8_f64(double v)
{
    double sum = v;
    sum += __shfl_xor_sync(team_mask(8), sum, 4, 8);
    sum += __shfl_xor_sync(team_mask(8), sum, 2, 8);
    sum += __shfl_xor_sync(team_mask(8), sum, 1, 8);
    return sum;
}
#endif
