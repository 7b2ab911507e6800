#ifndef SPCC_HAS_cuda_fetch
#define SPCC_HAS_cuda_fetch
#ifndef __CUDACC_RTC__
/* What is in the device's memory, when all before it is done. */
static inline cudaError_t cuda_fetch(void *value, const void *from, size_t size,
                                     cudaStream_t stream)
{
    cudaError_t error = cudaMemcpyAsync(value, from, size, cudaMemcpyDeviceToHost, stream);
    return error != cudaSuccess ? error : cudaStreamSynchronize(stream);
}
#endif
#endif
