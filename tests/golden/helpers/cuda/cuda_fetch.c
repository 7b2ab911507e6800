#ifndef SPCC_HAS_cuda_fetch
#define SPCC_HAS_cuda_fetch
#ifndef __CUDACC_RTC__
/* What is in the device's memory, when all before it is done. */
template <class T>
static inline cudaError_t cuda_fetch(T &value, const T *from, cudaStream_t stream)
{
    cudaError_t error = cudaMemcpyAsync(&value, from, sizeof(T), cudaMemcpyDeviceToHost, stream);
    return error != cudaSuccess ? error : cudaStreamSynchronize(stream);
}
#endif
#endif
