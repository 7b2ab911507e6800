#ifndef SPCC_HAS_cuda_allocate
#define SPCC_HAS_cuda_allocate
#ifndef __CUDACC_RTC__
/* Room for n elements. */
template <class T>
static inline cudaError_t cuda_allocate(T *&array, int64_t n, cudaStream_t stream)
{
    if (n < 0 || (uint64_t)n > (size_t)-1 / sizeof(T))
        return cudaErrorMemoryAllocation;
    return SPCC_ALLOC((void **)&array, (n > 0 ? (size_t)n : 1) * sizeof(T), stream);
}
#endif
#endif
