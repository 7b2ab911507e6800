#ifndef SPCC_HAS_c128
#define SPCC_HAS_c128
/* A complex number: in memory as C's double _Complex. */
struct alignas(16) c128 {
    double re, im;

    c128() = default;
    __host__ __device__ c128(double re_, double im_ = 0) : re(re_), im(im_) {}
    friend __host__ __device__ c128 operator+(c128 a, c128 b) { return c128(a.re + b.re, a.im + b.im); }
    friend __host__ __device__ c128 operator-(c128 a, c128 b) { return c128(a.re - b.re, a.im - b.im); }
    friend __host__ __device__ c128 operator-(c128 a) { return c128(-a.re, -a.im); }
    friend __host__ __device__ bool operator==(c128 a, c128 b) { return a.re == b.re && a.im == b.im; }
    friend __host__ __device__ bool operator!=(c128 a, c128 b) { return !(a == b); }
    __host__ __device__ c128 &operator+=(c128 b) { return *this = *this + b; }
    __host__ __device__ c128 &operator-=(c128 b) { return *this = *this - b; }
    __host__ __device__ c128 &operator*=(c128 b) { return *this = *this * b; }

    __host__ __device__ bool infinite() const { return isinf(re) || isinf(im); }
    /* Of an infinity its direction; else without the parts that are NaN. */
    __host__ __device__ c128 direction() const
    {
        bool ends = infinite();
        return c128(copysign(ends ? isinf(re) : isnan(re) ? 0 : fabs(re), re),
                  copysign(ends ? isinf(im) : isnan(im) ? 0 : fabs(im), im));
    }
    friend __host__ __device__ c128 operator*(c128 a, c128 b)
    {
        c128 c(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
        if (!isnan(c.re) || !isnan(c.im))
            return c;
        if (!a.infinite() && !b.infinite() && !isinf(a.re * b.re) && !isinf(a.im * b.im)
            && !isinf(a.re * b.im) && !isinf(a.im * b.re))
            return c;
        const double inf = (double)__builtin_inf();
        a = a.direction();
        b = b.direction();
        return c128(inf * (a.re * b.re - a.im * b.im), inf * (a.re * b.im + a.im * b.re));
    }
};
#endif
