#ifndef SPCC_HAS_cblas_sgemm
#define SPCC_HAS_cblas_sgemm
#ifdef __cplusplus
extern "C"
#endif
void cblas_sgemm(int order, int a_across, int b_across, int m, int n, int k, float alpha,
                 const float *a, int a_step, const float *b, int b_step, float beta,
                 float *c, int c_step);
#endif
