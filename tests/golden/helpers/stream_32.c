#ifndef SPCC_HAS_stream_32
#define SPCC_HAS_stream_32
/* Stores a vector past the caches. */
static inline void stream_32(void *at, const void *vector)
{
    typedef long long lanes __attribute__((vector_size(32), may_alias));
    typedef long long any __attribute__((vector_size(32), aligned(1), may_alias));
#if defined(__clang__)
    __builtin_nontemporal_store(*(const any *)vector, (lanes *)at);
#elif defined(__AVX__)
    __builtin_ia32_movntdq256((lanes *)at, *(const any *)vector);
#elif defined(__SSE2__)
    typedef long long part __attribute__((vector_size(16), may_alias));
    lanes all = *(const any *)vector;
    for (int i = 0; i < 2; i++)
        __builtin_ia32_movntdq((part *)at + i, ((const part *)&all)[i]);
#else
    *(lanes *)at = *(const any *)vector;
#endif
}
#endif
