#ifndef SPCC_HAS_cuda_status
#define SPCC_HAS_cuda_status
#ifndef __CUDACC_RTC__
/* 0, 1 where there is no memory, and else the error's number, negated. */
static inline int cuda_status(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? 1 : -(int)error;
}
#endif
#endif
