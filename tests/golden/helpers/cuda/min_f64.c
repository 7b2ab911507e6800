#ifndef SPCC_HAS_min_f64
#define SPCC_HAS_min_f64
/* NaN if a or b is. */
static __host__ __device__ inline double min_f64(double a, double b)
{
    double least = a < b ? a : b;
    return a != a ? a : least;
}
#endif
