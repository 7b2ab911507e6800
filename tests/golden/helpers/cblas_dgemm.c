#ifndef SPCC_HAS_cblas_dgemm
#define SPCC_HAS_cblas_dgemm
#ifdef __cplusplus
extern "C"
#endif
void cblas_dgemm(int order, int a_across, int b_across, int m, int n, int k, double alpha,
                 const double *a, int a_step, const double *b, int b_step, double beta,
                 double *c, int c_step);
#endif
