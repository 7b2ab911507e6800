#ifndef SPCC_HAS_cuda_copy
#define SPCC_HAS_cuda_copy
#ifndef __CUDACC_RTC__
/* n elements of size bytes go to a position, from one of another array. */
static inline cudaError_t cuda_copy(void *array, int64_t at, const void *other,
                                    int64_t first, int64_t n, size_t size,
                                    cudaStream_t stream)
{
    if (n <= 0)
        return cudaSuccess;
    return cudaMemcpyAsync((char *)array + (size_t)at * size,
                           (const char *)other + (size_t)first * size, (size_t)n * size,
                           cudaMemcpyDeviceToDevice, stream);
}
#endif
#endif
