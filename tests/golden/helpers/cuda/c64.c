#ifndef SPCC_HAS_c64
#define SPCC_HAS_c64
/* A complex number: in memory as C's float _Complex. */
struct alignas(8) c64 {
    float re, im;

    c64() = default;
    __host__ __device__ c64(float re_, float im_ = 0) : re(re_), im(im_) {}
    friend __host__ __device__ c64 operator+(c64 a, c64 b) { return c64(a.re + b.re, a.im + b.im); }
    friend __host__ __device__ c64 operator-(c64 a, c64 b) { return c64(a.re - b.re, a.im - b.im); }
    friend __host__ __device__ c64 operator-(c64 a) { return c64(-a.re, -a.im); }
    friend __host__ __device__ bool operator==(c64 a, c64 b) { return a.re == b.re && a.im == b.im; }
    friend __host__ __device__ bool operator!=(c64 a, c64 b) { return !(a == b); }
    __host__ __device__ c64 &operator+=(c64 b) { return *this = *this + b; }
    __host__ __device__ c64 &operator-=(c64 b) { return *this = *this - b; }
    __host__ __device__ c64 &operator*=(c64 b) { return *this = *this * b; }

    __host__ __device__ bool infinite() const { return isinf(re) || isinf(im); }
    /* Of an infinity its direction; else without the parts that are NaN. */
    __host__ __device__ c64 direction() const
    {
        bool ends = infinite();
        return c64(copysignf(ends ? isinf(re) : isnan(re) ? 0 : fabsf(re), re),
                  copysignf(ends ? isinf(im) : isnan(im) ? 0 : fabsf(im), im));
    }
    friend __host__ __device__ c64 operator*(c64 a, c64 b)
    {
        c64 c(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
        if (!isnan(c.re) || !isnan(c.im))
            return c;
        if (!a.infinite() && !b.infinite() && !isinf(a.re * b.re) && !isinf(a.im * b.im)
            && !isinf(a.re * b.im) && !isinf(a.im * b.re))
            return c;
        const float inf = (float)__builtin_inf();
        a = a.direction();
        b = b.direction();
        return c64(inf * (a.re * b.re - a.im * b.im), inf * (a.re * b.im + a.im * b.re));
    }
};
#endif
