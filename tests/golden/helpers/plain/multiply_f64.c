/* c += a * b, or -= if `minus`.  A step goes to the next row, or column if `across`. */
static inline void evaluate_multiply_f64(double *c, int64_t c_at, const double *a, int64_t a_at,
                                         const double *b, int64_t b_at, int64_t m, int64_t n,
                                         int64_t k, int64_t c_step, int64_t a_step, bool a_across,
                                         int64_t b_step, bool b_across, bool minus)
{
    if (m > 0 && m <= 0x7fffffff && n > 0 && n <= 0x7fffffff && k > 0 && k <= 0x7fffffff &&
        c_step > 0 && c_step <= 0x7fffffff && a_step > 0 && a_step <= 0x7fffffff &&
        b_step > 0 && b_step <= 0x7fffffff) {
        cblas_dgemm(101, a_across ? 112 : 111, b_across ? 112 : 111, (int)m, (int)n, (int)k,
                    minus ? -1 : 1, a + a_at, (int)a_step, b + b_at, (int)b_step, 1, c + c_at,
                    (int)c_step);
        return;
    }
    for (int64_t i = 0; i < m; i++) {
        for (int64_t x = 0; x < k; x++) {
            double factor = a[a_at + (a_across ? x * a_step + i : i * a_step + x)];
            if (minus) factor = -factor;
            for (int64_t j = 0; j < n; j++)
                c[c_at + i * c_step + j] += factor
                    * b[b_at + (b_across ? j * b_step + x : x * b_step + j)];
        }
    }
}
