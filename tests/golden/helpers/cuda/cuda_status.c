#ifndef SPCC_HAS_cuda_status
#define SPCC_HAS_cuda_status
#ifndef __CUDACC_RTC__
/* The function ends where a call fails, or a launch. */
#define SPCC_TRY(call)                         \
    do {                                       \
        if ((status = cuda_status(call)) != 0) \
            goto fail;                         \
    } while (0)
#define SPCC_GRID(kernel, blocks, threads, stream, ...)                \
    do {                                                               \
        if ((blocks) > 0)                                              \
            SPCC_LAUNCH(kernel, blocks, threads, stream, __VA_ARGS__); \
        SPCC_TRY(cudaGetLastError());                                  \
    } while (0)

/* 0, 1 where there is no memory, and else the error's number, negated. */
static inline int cuda_status(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? 1 : -(int)error;
}
#endif
#endif
