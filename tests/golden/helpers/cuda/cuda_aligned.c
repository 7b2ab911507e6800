#ifndef SPCC_HAS_cuda_aligned
#define SPCC_HAS_cuda_aligned
#ifndef __CUDACC_RTC__
/* Each array begins at a multiple of what its elements need, or it is an error. */
template <class... T> static inline cudaError_t cuda_aligned(const T *...array)
{
    size_t over[] = {(size_t)array % alignof(T)...};
    for (size_t bytes : over)
        if (bytes != 0)
            return cudaErrorMisalignedAddress;
    return cudaSuccess;
}
#endif
#endif
