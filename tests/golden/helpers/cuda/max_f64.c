#ifndef SPCC_HAS_max_f64
#define SPCC_HAS_max_f64
/* NaN if a or b is. */
static __host__ __device__ inline double max_f64(double a, double b)
{
    double most = a > b ? a : b;
    return a != a ? a : most;
}
#endif
