/* bench.cuh - what bench.cu measures with: medians between events, matrices made on the device, and
 * cuSPARSE, which is opened at run time (CUSPARSE names its file) and may be missing.
 *
 * Bytes are those that have to move: operands read once, results written once.  The limit is a
 * device-to-device copy in the same process.
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "helpers.cuh"
#include <algorithm>
#include <cusparse.h>
#include <dlfcn.h>
#include <functional>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <string.h>
#include <vector>

/* ---- measuring ---- */

static void must_at(int line, int error) {
    if (!error) return;
    printf("line %d: error %d\n", line, error);
    exit(99);
}
#define MUST(call) must_at(__LINE__, (int)(call))

static double copy_speed; /* bytes read and written a second */
static double best_peer;  /* ms of cuSPARSE's best in this case; 0: none */
static FILE *csv;
static int wrong;

static double median_ms(const std::function<void()> &run) {
    static cudaEvent_t from, to;
    if (!from) {
        MUST(cudaEventCreate(&from));
        MUST(cudaEventCreate(&to));
    }
    std::vector<float> ms;
    run();
    MUST(cudaDeviceSynchronize());
    float total = 0;
    for (int k = 0; k < 11 && (k < 3 || total < 200); k++) {
        float t;
        MUST(cudaEventRecord(from));
        run();
        MUST(cudaEventRecord(to));
        MUST(cudaEventSynchronize(to));
        MUST(cudaEventElapsedTime(&t, from, to));
        ms.push_back(t);
        total += t;
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

static void line(const char *kernel, const char *data, const char *way, double ms, double bytes) {
    if (!strncmp(way, "cusparse", 8)) best_peer = best_peer ? std::min(best_peer, ms) : ms;
    const double share = bytes / (ms * 1e-3) / copy_speed, ratio = best_peer / ms;
    printf("%-12s %-12s %-22s %9.4f ms %4.0f %% of copy  %5.2f\n", kernel, data, way, ms, 100 * share, ratio);
    fflush(stdout);
    if (!csv) return;
    fprintf(csv, "%s,%s,%s,\"%s\",%.5f,%.3f,%.3f\n", sizeof(value_t) == 8 ? "f64" : "f32", kernel, data, way, ms, share, ratio);
    fflush(csv);
}

/* ---- arrays ---- */

template <class T> static T *room(size_t n) {
    T *p;
    MUST(cudaMalloc(&p, n * sizeof(T) + 16));
    return p;
}
template <class T> static T *upload(const std::vector<T> &v) {
    T *p = room<T>(v.size());
    MUST(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}
template <class... T> static void drop(T *...arrays) {
    for (void *p : {(void *)arrays...}) MUST(cudaFree(p));
}

static __host__ __device__ uint64_t mix(uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}
static __global__ void fill_numbers(value_t *v, int64_t n, uint64_t seed) {
    for (int64_t p = blockIdx.x * 256ll + threadIdx.x; p < n; p += gridDim.x * 256ll)
        v[p] = (value_t)((int)(mix(p + seed * 0x9e3779b97f4a7c15ull) >> 44 & 2047) - 1000) / 512;
}
static value_t *numbers(int64_t n, uint64_t seed) {
    value_t *p = room<value_t>(n);
    fill_numbers<<<2048, 256>>>(p, n, seed);
    return p;
}

/* The greatest difference, and the greatest number wanted. */
static __global__ void greatest(const value_t *is, const value_t *want, int64_t n, unsigned long long *most) {
    double difference = 0, number = 0;
    for (int64_t p = blockIdx.x * 256ll + threadIdx.x; p < n; p += gridDim.x * 256ll) {
        const double d = fabs((double)is[p] - want[p]);
        difference = d <= difference ? difference : d == d ? d : INFINITY;
        number = fmax(number, fabs((double)want[p]));
    }
    atomicMax(&most[0], (unsigned long long)__double_as_longlong(difference));
    atomicMax(&most[1], (unsigned long long)__double_as_longlong(number));
}
static void same(const char *what, const value_t *is, const value_t *want, int64_t n) {
    static unsigned long long *most;
    if (!most) most = room<unsigned long long>(2);
    double m[2];
    MUST(cudaMemset(most, 0, 16));
    greatest<<<1056, 256>>>(is, want, n, most);
    MUST(cudaMemcpy(m, most, 16, cudaMemcpyDeviceToHost));
    if (m[0] <= (sizeof(value_t) == 8 ? 1e-10 : 2e-3) * m[1]) return;
    wrong++;
    printf("WRONG %s: differs by %g, of %g\n", what, m[0], m[1]);
}
static void same_numbers(const char *what, const int32_t *is, const int32_t *want, size_t n) {
    std::vector<int32_t> a(n), b(n);
    MUST(cudaMemcpy(a.data(), is, n * 4, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(b.data(), want, n * 4, cudaMemcpyDeviceToHost));
    if (a == b) return;
    wrong++;
    printf("WRONG %s: coordinates or positions\n", what);
}

/* ---- matrices: lengths of rows on the host, coordinates on the device ---- */

struct matrix {
    const char *name;
    int32_t m, n;
    int64_t size;
    int32_t *pos, *crd;
    value_t *val;
    std::vector<int32_t> host_pos;
};

/* Ascending, all different: one in each of as many strips as the row has entries; or a band. */
static __global__ void fill_columns(int32_t m, int32_t n, bool band, uint64_t seed, const int32_t *pos, int32_t *crd) {
    for (int64_t i = (blockIdx.x * 256ll + threadIdx.x) / 32; i < m; i += gridDim.x * 8ll) {
        const int64_t first = pos[i], length = pos[i + 1] - first;
        const int64_t at = i - length / 2 < 0 ? 0 : i - length / 2 > n - length ? n - length : i - length / 2;
        for (int64_t k = threadIdx.x % 32; k < length; k += 32) {
            const int64_t low = n * k / length, high = n * (k + 1) / length;
            const uint64_t random = mix(seed ^ (uint64_t)i << 24 ^ k);
            crd[first + k] = (int32_t)(band ? at + k : low + (int64_t)(random % (uint64_t)(high > low ? high - low : 1)));
        }
    }
}
static matrix matrix_of(const char *name, int32_t n, std::vector<int32_t> lengths, bool band, uint64_t seed) {
    const int32_t m = (int32_t)lengths.size();
    std::vector<int32_t> pos(m + 1, 0);
    for (int32_t i = 0; i < m; i++) pos[i + 1] = pos[i] + lengths[i];
    matrix A = {name, m, n, pos[m], upload(pos), room<int32_t>(pos[m]), numbers(pos[m], seed), pos};
    fill_columns<<<4096, 256>>>(m, n, band, seed, A.pos, A.crd);
    MUST(cudaDeviceSynchronize());
    return A;
}
static matrix uniform(const char *name, double m, double n, int each, uint64_t seed) {
    return matrix_of(name, (int32_t)n, std::vector<int32_t>((size_t)m, each), false, seed);
}
static matrix banded(const char *name, double m, int each, uint64_t seed) {
    return matrix_of(name, (int32_t)m, std::vector<int32_t>((size_t)m, each), true, seed);
}
/* Lengths of a power law: the longest row has a quarter of the columns. */
static matrix power(const char *name, double m, double n, int each, uint64_t seed) {
    std::vector<int32_t> lengths((size_t)m);
    for (size_t i = 0; i < lengths.size(); i++) {
        const double u = ((mix(seed * 77 + i) >> 11) + 1) * 0x1p-53;
        lengths[i] = (int32_t)std::min(each * 0.35 * pow(u, -0.65) + (mix(i) & 1), n / 4 + 1);
    }
    return matrix_of(name, (int32_t)n, lengths, false, seed);
}
static void drop_matrix(matrix &A) { drop(A.pos, A.crd, A.val); }
static double csr_bytes(const matrix &A) { return (A.m + 1) * 4.0 + A.size * (4.0 + sizeof(value_t)); }

/* ---- cuSPARSE ---- */

static const cudaDataType TYPE = sizeof(value_t) == 8 ? CUDA_R_64F : CUDA_R_32F;
static cusparseHandle_t handle; /* NULL: there is none */
static const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;
static value_t one = 1, zero = 0;

#define SPARSE_FUNCTIONS(X)                                                                                \
    X(cusparseCreate) X(cusparseCreateCsr) X(cusparseCreateDnVec) X(cusparseCreateDnMat)                   \
    X(cusparseSpMV_bufferSize) X(cusparseSpMV_preprocess) X(cusparseSpMV) X(cusparseSpMM_bufferSize)       \
    X(cusparseSpMM_preprocess) X(cusparseSpMM) X(cusparseSDDMM_bufferSize) X(cusparseSDDMM_preprocess)     \
    X(cusparseSDDMM) X(cusparseSpGEMM_createDescr) X(cusparseSpGEMM_destroyDescr)                          \
    X(cusparseSpGEMM_workEstimation) X(cusparseSpGEMM_estimateMemory) X(cusparseSpGEMM_compute)            \
    X(cusparseSpGEMM_copy) X(cusparseSpMatGetSize) X(cusparseCsrSetPointers) X(cusparseDestroySpMat)       \
    X(cusparseCsr2cscEx2_bufferSize) X(cusparseCsr2cscEx2) X(cusparseCreateMatDescr) X(cusparseGetVersion) \
    X(cusparseDcsrgeam2_bufferSizeExt) X(cusparseXcsrgeam2Nnz) X(cusparseDcsrgeam2) X(cusparseScsrgeam2)   \
    X(cusparseScsrgeam2_bufferSizeExt)
#define SPARSE_POINTER(name) static decltype(&name) p_##name;
SPARSE_FUNCTIONS(SPARSE_POINTER)

static void open_cusparse(void) {
    const char *named = getenv("CUSPARSE");
    void *so = named && *named ? dlopen(named, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (!so) so = dlopen("libcusparse.so.12", RTLD_NOW | RTLD_GLOBAL);
    if (!so) {
        printf("no cuSPARSE: %s\n", dlerror());
        return;
    }
    bool all = true;
#define SPARSE_LOAD(name) all &= (p_##name = (decltype(p_##name))dlsym(so, #name)) != NULL;
    SPARSE_FUNCTIONS(SPARSE_LOAD)
    int version = 0;
    if (!all || p_cusparseCreate(&handle) || p_cusparseGetVersion(handle, &version)) handle = NULL;
    printf("cuSPARSE %d%s\n", version, handle ? "" : ": does not start, or lacks a function");
}
static cusparseSpMatDescr_t sparse_of(const matrix &A, value_t *val) {
    cusparseSpMatDescr_t d;
    MUST(p_cusparseCreateCsr(&d, A.m, A.n, A.size, A.pos, A.crd, val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, TYPE));
    return d;
}
static cusparseDnVecDescr_t vector_of(int64_t n, value_t *v) {
    cusparseDnVecDescr_t d;
    MUST(p_cusparseCreateDnVec(&d, n, v, TYPE));
    return d;
}
static cusparseDnMatDescr_t dense_of(int64_t m, int64_t n, int64_t step, value_t *v, cusparseOrder_t order) {
    cusparseDnMatDescr_t d;
    MUST(p_cusparseCreateDnMat(&d, m, n, step, v, TYPE, order));
    return d;
}

/* y = op(A) x */
static void peer_spmv(const char *kernel, const matrix &A, cusparseOperation_t op, value_t *x, value_t *y, double bytes) {
    if (!handle) return;
    cusparseSpMatDescr_t a = sparse_of(A, A.val);
    cusparseDnVecDescr_t dx = vector_of(op == N ? A.n : A.m, x), dy = vector_of(op == N ? A.m : A.n, y);
    for (auto alg : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
        size_t size;
        if (p_cusparseSpMV_bufferSize(handle, op, &one, a, dx, &zero, dy, TYPE, alg, &size)) continue;
        char *buffer = room<char>(size);
        if (op == N) MUST(p_cusparseSpMV_preprocess(handle, op, &one, a, dx, &zero, dy, TYPE, alg, buffer));
        double ms = median_ms([&] { MUST(p_cusparseSpMV(handle, op, &one, a, dx, &zero, dy, TYPE, alg, buffer)); });
        line(kernel, A.name, alg == CUSPARSE_SPMV_CSR_ALG1 ? "cusparse ALG1" : "cusparse ALG2", ms, bytes);
        drop(buffer);
    }
}
static void peer_spmm(const char *kernel, const matrix &A, int R, value_t *X, value_t *Y, double bytes) {
    if (!handle) return;
    cusparseSpMatDescr_t a = sparse_of(A, A.val);
    cusparseDnMatDescr_t dx = dense_of(A.n, R, R, X, CUSPARSE_ORDER_ROW), dy = dense_of(A.m, R, R, Y, CUSPARSE_ORDER_ROW);
    for (auto alg : {CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3}) {
        size_t size;
        MUST(p_cusparseSpMM_bufferSize(handle, N, N, &one, a, dx, &zero, dy, TYPE, alg, &size));
        char *buffer = room<char>(size);
        MUST(p_cusparseSpMM_preprocess(handle, N, N, &one, a, dx, &zero, dy, TYPE, alg, buffer));
        double ms = median_ms([&] { MUST(p_cusparseSpMM(handle, N, N, &one, a, dx, &zero, dy, TYPE, alg, buffer)); });
        line(kernel, A.name, alg == CUSPARSE_SPMM_CSR_ALG2 ? "cusparse ALG2" : "cusparse ALG3", ms, bytes);
        drop(buffer);
    }
}
static void peer_sddmm(const matrix &A, int K, value_t *C, value_t *D, value_t *out, double bytes) {
    if (!handle) return;
    cusparseSpMatDescr_t a = sparse_of(A, out);
    cusparseDnMatDescr_t c = dense_of(A.m, K, K, C, CUSPARSE_ORDER_ROW), d = dense_of(K, A.n, K, D, CUSPARSE_ORDER_COL);
    const auto alg = CUSPARSE_SDDMM_ALG_DEFAULT;
    size_t size;
    MUST(p_cusparseSDDMM_bufferSize(handle, N, N, &one, c, d, &zero, a, TYPE, alg, &size));
    char *buffer = room<char>(size);
    MUST(p_cusparseSDDMM_preprocess(handle, N, N, &one, c, d, &zero, a, TYPE, alg, buffer));
    line("sddmm 32", A.name, "cusparse", median_ms([&] {
        MUST(p_cusparseSDDMM(handle, N, N, &one, c, d, &zero, a, TYPE, alg, buffer)); }), bytes);
    drop(buffer);
}
/* C = A + B into arrays that have room */
static void peer_add(const matrix &A, const matrix &B, int32_t *pos, int32_t *crd, value_t *val, double bytes) {
    if (!handle) return;
    cusparseMatDescr_t d;
    MUST(p_cusparseCreateMatDescr(&d));
    size_t size;
    int all;
#define GEAM(function, T, ...)                                                                               \
    p_cusparse##function(handle, A.m, A.n, (T *)&one, d, A.size, (T *)A.val, A.pos, A.crd, (T *)&one, d, B.size, \
                         (T *)B.val, B.pos, B.crd, d, (T *)val, pos, crd, __VA_ARGS__)
    if (sizeof(value_t) == 8)
        MUST(GEAM(Dcsrgeam2_bufferSizeExt, double, &size));
    else
        MUST(GEAM(Scsrgeam2_bufferSizeExt, float, &size));
    char *buffer = room<char>(size);
    line("add", A.name, "cusparse geam2", median_ms([&] {
        MUST(p_cusparseXcsrgeam2Nnz(handle, A.m, A.n, d, A.size, A.pos, A.crd, d, B.size, B.pos, B.crd, d, pos, &all, buffer));
        if (sizeof(value_t) == 8)
            MUST(GEAM(Dcsrgeam2, double, buffer));
        else
            MUST(GEAM(Scsrgeam2, float, buffer));
    }), bytes);
    drop(buffer);
}
static void peer_convert(const matrix &A, int32_t *pos, int32_t *crd, value_t *val, double bytes) {
    if (!handle) return;
    const auto alg = CUSPARSE_CSR2CSC_ALG1;
    size_t size;
#define CSR2CSC A.m, A.n, A.size, A.val, A.pos, A.crd, val, pos, crd, TYPE, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO
    MUST(p_cusparseCsr2cscEx2_bufferSize(handle, CSR2CSC, alg, &size));
    char *buffer = room<char>(size);
    line("csr-csc", A.name, "cusparse", median_ms([&] { MUST(p_cusparseCsr2cscEx2(handle, CSR2CSC, alg, buffer)); }), bytes);
    drop(buffer);
}

/* C = A B, one run: false if the algorithm fails, for want of memory say.  The arrays are the caller's. */
struct product {
    int32_t *pos, *crd;
    value_t *val;
    int64_t size;
};
static bool peer_product(const matrix &A, const matrix &B, cusparseSpGEMMAlg_t alg, product *C) {
    cusparseSpGEMMDescr_t d;
    cusparseSpMatDescr_t a = sparse_of(A, A.val), b = sparse_of(B, B.val), c;
    size_t size[3] = {0, 0, 0};
    void *buffer[3] = {0, 0, 0};
    int64_t m, n;
    *C = {0, 0, 0, 0};
    MUST(cudaMallocAsync((void **)&C->pos, (A.m + 1) * 4ll, 0));
    MUST(p_cusparseSpGEMM_createDescr(&d));
    MUST(p_cusparseCreateCsr(&c, A.m, B.n, 0, C->pos, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, TYPE));
#define PRODUCT handle, N, N, &one, a, b, &zero, c, TYPE, alg, d
    bool bad = p_cusparseSpGEMM_workEstimation(PRODUCT, &size[0], NULL);
    bad = bad || cudaMallocAsync(&buffer[0], size[0] + 1, 0) || p_cusparseSpGEMM_workEstimation(PRODUCT, &size[0], buffer[0]);
    if (alg == CUSPARSE_SPGEMM_ALG1)
        bad = bad || p_cusparseSpGEMM_compute(PRODUCT, &size[1], NULL);
    else
        bad = bad || p_cusparseSpGEMM_estimateMemory(PRODUCT, 0.2f, &size[2], NULL, NULL)
              || cudaMallocAsync(&buffer[2], size[2] + 1, 0)
              || p_cusparseSpGEMM_estimateMemory(PRODUCT, 0.2f, &size[2], buffer[2], &size[1]);
    bad = bad || cudaMallocAsync(&buffer[1], size[1] + 1, 0) || p_cusparseSpGEMM_compute(PRODUCT, &size[1], buffer[1]);
    bad = bad || p_cusparseSpMatGetSize(c, &m, &n, &C->size);
    bad = bad || cudaMallocAsync((void **)&C->crd, C->size * 4 + 4, 0)
          || cudaMallocAsync((void **)&C->val, C->size * sizeof(value_t) + 4, 0);
    bad = bad || p_cusparseCsrSetPointers(c, C->pos, C->crd, C->val) || p_cusparseSpGEMM_copy(PRODUCT);
    for (void *p : buffer)
        if (p) MUST(cudaFreeAsync(p, 0));
    MUST(p_cusparseSpGEMM_destroyDescr(d));
    MUST(p_cusparseDestroySpMat(c));
    if (bad) cudaGetLastError();
    return !bad;
}
static void drop_product(product *C) {
    for (void *p : {(void *)C->pos, (void *)C->crd, (void *)C->val})
        if (p) MUST(cudaFreeAsync(p, 0));
    *C = {0, 0, 0, 0};
}

/* ---- to begin with ---- */

static void bench_open(const char *csv_name) {
    cudaDeviceProp prop;
    MUST(cudaGetDeviceProperties(&prop, 0));
    cudaMemPool_t pool; /* freed memory stays in the pool */
    uint64_t keep = ~0ull;
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    const size_t n = (size_t)1 << 30;
    char *a = room<char>(n), *b = room<char>(n);
    MUST(cudaMemset(a, 1, n));
    copy_speed = 2.0 * n / (median_ms([&] { MUST(cudaMemcpyAsync(b, a, n, cudaMemcpyDeviceToDevice, 0)); }) * 1e-3);
    drop(a, b);
    printf("%s, %d multiprocessors, L2 %d MB, %s; a copy: %.0f GB/s\n", prop.name, prop.multiProcessorCount,
           prop.l2CacheSize >> 20, sizeof(value_t) == 8 ? "f64" : "f32", copy_speed * 1e-9);
    csv = csv_name ? fopen(csv_name, "a") : NULL;
    open_cusparse();
}
