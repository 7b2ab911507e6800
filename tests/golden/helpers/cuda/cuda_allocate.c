#ifndef SPCC_HAS_cuda_allocate
#define SPCC_HAS_cuda_allocate
#ifndef __CUDACC_RTC__
/* Room for n elements of size bytes. */
static inline cudaError_t cuda_allocate(void **array, int64_t n, size_t size,
                                        cudaStream_t stream)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / size)
        return cudaErrorMemoryAllocation;
    return SPCC_ALLOC(array, n > 0 ? (size_t)n * size : size, stream);
}
#endif
#endif
