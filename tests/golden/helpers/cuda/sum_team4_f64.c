#ifndef SPCC_HAS_sum_team4_f64
#define SPCC_HAS_sum_team4_f64
/* The sum over the team of 4 lanes, in each of them. */
static __device__ inline double sum_team4_f64(double v)
{
    double sum = v;
    sum += __shfl_xor_sync(team_mask(4), sum, 2, 4);
    sum += __shfl_xor_sync(team_mask(4), sum, 1, 4);
    return sum;
}
#endif
