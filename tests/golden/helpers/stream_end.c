#ifndef SPCC_HAS_stream_end
#define SPCC_HAS_stream_end
/* Waits for what is stored past the caches. */
static inline void stream_end(void)
{
#ifdef __SSE2__
    __builtin_ia32_sfence();
#endif
}
#endif
