#ifndef SPCC_HAS_thread_count
#define SPCC_HAS_thread_count
#ifdef _OPENMP
#include <omp.h>
#endif
/* How many threads a parallel loop has here. */
static inline int32_t thread_count(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}
#endif
