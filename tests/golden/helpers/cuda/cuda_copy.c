#ifndef SPCC_HAS_cuda_copy
#define SPCC_HAS_cuda_copy
#ifndef __CUDACC_RTC__
/* n elements go to a position, from one of another array. */
template <class T>
static inline cudaError_t cuda_copy(T *array, int64_t at, const T *other, int64_t first,
                                    int64_t n, cudaStream_t stream)
{
    if (n <= 0)
        return cudaSuccess;
    return cudaMemcpyAsync(array + at, other + first, (size_t)n * sizeof(T),
                           cudaMemcpyDeviceToDevice, stream);
}
#endif
#endif
