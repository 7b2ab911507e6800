#ifndef SPCC_HAS_cuda_release
#define SPCC_HAS_cuda_release
#ifndef __CUDACC_RTC__
template <class T> static inline cudaError_t cuda_release_one(cudaStream_t stream, T *&array)
{
    T *was = array;
    array = NULL;
    return was ? SPCC_RELEASE((void *)was, stream) : cudaSuccess;
}

/* Arrays are released, and NULL then; the first error. */
template <class... T> static inline cudaError_t cuda_release(cudaStream_t stream, T *&...array)
{
    cudaError_t error = cudaSuccess;
    cudaError_t each[] = {cuda_release_one(stream, array)...};
    for (cudaError_t one : each)
        error = error != cudaSuccess ? error : one;
    return error;
}
#endif
#endif
