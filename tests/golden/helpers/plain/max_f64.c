/* NaN if a or b is. */
static inline double evaluate_max_f64(double a, double b)
{
    double most = a > b ? a : b;
    return a != a ? a : most;
}
