/* NaN if a or b is. */
static inline double evaluate_min_f64(double a, double b)
{
    double least = a < b ? a : b;
    return a != a ? a : least;
}
