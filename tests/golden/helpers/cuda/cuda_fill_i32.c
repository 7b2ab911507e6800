#ifndef SPCC_HAS_cuda_fill_i32
#define SPCC_HAS_cuda_fill_i32
SPCC_KERNEL void __launch_bounds__(256) cuda_fill_i32_block(int32_t *array, int64_t n, int32_t value)
{
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * 256)
        array[i] = value;
}

#ifndef __CUDACC_RTC__
/* Elements from begin to end become the value. */
static inline cudaError_t cuda_fill_i32(int32_t *array, int64_t begin, int64_t end, int32_t value,
                                        cudaStream_t stream)
{
    int64_t n = end - begin, blocks = n / 256 + 1;
    if (n > 0)
        SPCC_LAUNCH(cuda_fill_i32_block, (unsigned)(blocks < 8448 ? blocks : 8448), 256, stream,
                    array + begin, n, value);
    return cudaGetLastError();
}
#endif
#endif
