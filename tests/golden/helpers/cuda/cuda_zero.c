#ifndef SPCC_HAS_cuda_zero
#define SPCC_HAS_cuda_zero
#ifndef __CUDACC_RTC__
/* Elements of size bytes, from begin to end, become 0. */
static inline cudaError_t cuda_zero(void *array, int64_t begin, int64_t end, size_t size,
                                    cudaStream_t stream)
{
    if (begin >= end)
        return cudaSuccess;
    return cudaMemsetAsync((char *)array + (size_t)begin * size, 0,
                           (size_t)(end - begin) * size, stream);
}
#endif
#endif
