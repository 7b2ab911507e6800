#ifndef SPCC_HAS_cuda_zero
#define SPCC_HAS_cuda_zero
#ifndef __CUDACC_RTC__
/* Elements from begin to end become 0. */
template <class T>
static inline cudaError_t cuda_zero(T *array, int64_t begin, int64_t end, cudaStream_t stream)
{
    if (begin >= end)
        return cudaSuccess;
    return cudaMemsetAsync(array + begin, 0, (size_t)(end - begin) * sizeof(T), stream);
}
#endif
#endif
