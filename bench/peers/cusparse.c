/* cusparse.c - NVIDIA's cuSPARSE as a peer of spcc bench --target=cuda, by one of its algorithms.
 *
 * ALGORITHM is 1, 2 or 3, cuSPARSE's number; what has fewer, or none of that number, is refused.
 * Operands go to the GPU, buffers are made and preprocessing runs before time is taken, which
 * events of the GPU tell.  What makes a new result each time (products and sums of matrices) makes
 * it as spcc does, from the device's pool.
 *
 * No header of CUDA's is needed: what is used of the driver and of cuSPARSE is declared here.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>

#define PEER_HAS_CLOCK
#include "peer.h"

/* Of cuSPARSE's header: types of values and of indices, orders of dense matrices, algorithms. */
enum { R_32F = 0, R_64F = 1, INDEX_32 = 2, COLUMNS = 1, ROWS = 2, NUMERIC = 1, CSC_1 = 1 };
enum { SPMV_COO_1 = 1, SPMV_CSR_1 = 2, SPMV_CSR_2 = 3, SPMV_COO_2 = 4 };
enum { SPMM_CSR_2 = 6, SPMM_CSR_3 = 12, SPGEMM_1 = 3, SDDMM = 0 };
static const int type = sizeof(value) == sizeof(double) ? R_64F : R_32F;
static const value one = 1, zero = 0;

typedef void *object; /* descriptors of matrices, vectors, products */
typedef void *array;  /* on the GPU */

static struct {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*retain)(object *, int);
    int (*push)(object);
    int (*allocate)(uint64_t *, size_t, object);
    int (*release)(uint64_t, object);
    int (*put)(uint64_t, const void *, size_t, object);
    int (*get)(void *, uint64_t, size_t, object);
    int (*wait)(object);
    int (*event)(object *, unsigned);
    int (*record)(object, object);
    int (*elapsed)(float *, object, object);
} cu;

static struct {
    int (*create)(object *);
    int (*version)(object, int *);
    int (*csr)(object *, int64_t, int64_t, int64_t, array, array, array, int, int, int, int);
    int (*coo)(object *, int64_t, int64_t, int64_t, array, array, array, int, int, int);
    int (*vector)(object *, int64_t, array, int);
    int (*matrix)(object *, int64_t, int64_t, int64_t, array, int, int);
    int (*drop)(object);
    int (*drop_vector)(object);
    int (*drop_matrix)(object);
    int (*size)(object, int64_t *, int64_t *, int64_t *);
    int (*set)(object, array, array, array);
    int (*mv_room)(object, int, const void *, object, object, const void *, object, int, int,
                   size_t *);
    int (*mv_prepare)(object, int, const void *, object, object, const void *, object, int, int,
                      array);
    int (*mv)(object, int, const void *, object, object, const void *, object, int, int, array);
    int (*mm_room)(object, int, int, const void *, object, object, const void *, object, int, int,
                   size_t *);
    int (*mm_prepare)(object, int, int, const void *, object, object, const void *, object, int,
                      int, array);
    int (*mm)(object, int, int, const void *, object, object, const void *, object, int, int,
              array);
    int (*sddmm_room)(object, int, int, const void *, object, object, const void *, object, int,
                      int, size_t *);
    int (*sddmm_prepare)(object, int, int, const void *, object, object, const void *, object, int,
                         int, array);
    int (*sddmm)(object, int, int, const void *, object, object, const void *, object, int, int,
                 array);
    int (*product)(object *);
    int (*drop_product)(object);
    int (*work)(object, int, int, const void *, object, object, const void *, object, int, int,
                object, size_t *, array);
    int (*estimate)(object, int, int, const void *, object, object, const void *, object, int, int,
                    object, float, size_t *, array, size_t *);
    int (*compute)(object, int, int, const void *, object, object, const void *, object, int, int,
                   object, size_t *, array);
    int (*copy)(object, int, int, const void *, object, object, const void *, object, int, int,
                object);
    int (*csc_room)(object, int, int, int, array, array, array, array, array, array, int, int, int,
                    int, size_t *);
    int (*csc)(object, int, int, int, array, array, array, array, array, array, int, int, int, int,
               array);
    int (*about)(object *);
    int (*add_room)(object, int, int, const value *, object, int, array, array, array,
                    const value *, object, int, array, array, array, object, array, array, array,
                    size_t *);
    int (*add_count)(object, int, int, object, int, array, array, object, int, array, array, object,
                     array, int *, array);
    int (*add)(object, int, int, const value *, object, int, array, array, array, const value *,
               object, int, array, array, array, object, array, array, array, array);
} sparse;

/* ---- the libraries ---- */

struct symbol {
    void *at;
    const char *name; /* %c: D or S */
};

static const struct symbol of_driver[] = {
    {&cu.init, "cuInit"},
    {&cu.device, "cuDeviceGet"},
    {&cu.retain, "cuDevicePrimaryCtxRetain"},
    {&cu.push, "cuCtxPushCurrent_v2"},
    {&cu.allocate, "cuMemAllocAsync"},
    {&cu.release, "cuMemFreeAsync"},
    {&cu.put, "cuMemcpyHtoDAsync_v2"},
    {&cu.get, "cuMemcpyDtoHAsync_v2"},
    {&cu.wait, "cuStreamSynchronize"},
    {&cu.event, "cuEventCreate"},
    {&cu.record, "cuEventRecord"},
    {&cu.elapsed, "cuEventElapsedTime"},
    {NULL, NULL},
};

static const struct symbol of_cusparse[] = {
    {&sparse.create, "cusparseCreate"},
    {&sparse.version, "cusparseGetVersion"},
    {&sparse.csr, "cusparseCreateCsr"},
    {&sparse.coo, "cusparseCreateCoo"},
    {&sparse.vector, "cusparseCreateDnVec"},
    {&sparse.matrix, "cusparseCreateDnMat"},
    {&sparse.drop, "cusparseDestroySpMat"},
    {&sparse.drop_vector, "cusparseDestroyDnVec"},
    {&sparse.drop_matrix, "cusparseDestroyDnMat"},
    {&sparse.size, "cusparseSpMatGetSize"},
    {&sparse.set, "cusparseCsrSetPointers"},
    {&sparse.mv_room, "cusparseSpMV_bufferSize"},
    {&sparse.mv_prepare, "cusparseSpMV_preprocess"},
    {&sparse.mv, "cusparseSpMV"},
    {&sparse.mm_room, "cusparseSpMM_bufferSize"},
    {&sparse.mm_prepare, "cusparseSpMM_preprocess"},
    {&sparse.mm, "cusparseSpMM"},
    {&sparse.sddmm_room, "cusparseSDDMM_bufferSize"},
    {&sparse.sddmm_prepare, "cusparseSDDMM_preprocess"},
    {&sparse.sddmm, "cusparseSDDMM"},
    {&sparse.product, "cusparseSpGEMM_createDescr"},
    {&sparse.drop_product, "cusparseSpGEMM_destroyDescr"},
    {&sparse.work, "cusparseSpGEMM_workEstimation"},
    {&sparse.estimate, "cusparseSpGEMM_estimateMemory"},
    {&sparse.compute, "cusparseSpGEMM_compute"},
    {&sparse.copy, "cusparseSpGEMM_copy"},
    {&sparse.csc_room, "cusparseCsr2cscEx2_bufferSize"},
    {&sparse.csc, "cusparseCsr2cscEx2"},
    {&sparse.about, "cusparseCreateMatDescr"},
    {&sparse.add_room, "cusparse%ccsrgeam2_bufferSizeExt"},
    {&sparse.add_count, "cusparseXcsrgeam2Nnz"},
    {&sparse.add, "cusparse%ccsrgeam2"},
    {NULL, NULL},
};

/* By the name that the user gives, or one of some; the title says what is missing. */
static bool open_library(const char *given, const char *const *names, const struct symbol *symbol,
                         char *title, size_t room)
{
    void *library = given ? dlopen(given, RTLD_NOW | RTLD_GLOBAL) : NULL;
    snprintf(title, room, "no %s", given ? given : names[0]);
    for (; !given && *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_GLOBAL);
    for (; library && symbol->name; symbol++) {
        char name[64];
        snprintf(name, sizeof name, symbol->name, type == R_64F ? 'D' : 'S');
        void *found = dlsym(library, name);
        snprintf(title, room, "no %s", name);
        if (!found)
            return false;
        memcpy(symbol->at, &found, sizeof found);
    }
    return library;
}

static object handle, event[2];

static bool peer_start(char *name, size_t room)
{
    static const char *const drivers[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const char *const libraries[] = {"libcusparse.so.13",
                                            "libcusparse.so.12",
                                            "libcusparse.so",
                                            "/usr/local/cuda/lib64/libcusparse.so.13",
                                            "/usr/local/cuda/lib64/libcusparse.so.12",
                                            "/usr/local/cuda/lib64/libcusparse.so",
                                            NULL};
    object context;
    int device, version = 0;
    if (!open_library(getenv("SPCC_LIBCUDA"), drivers, of_driver, name, room)
        || !open_library(getenv("SPCC_PEER_PATH"), libraries, of_cusparse, name, room))
        return false;
    snprintf(name, room, "no GPU, or cuSPARSE does not start");
    if (cu.init(0) || cu.device(&device, 0) || cu.retain(&context, device) || cu.push(context)
        || cu.event(&event[0], 0) || cu.event(&event[1], 0) || sparse.create(&handle))
        return false;
    sparse.version(handle, &version);
    snprintf(name, room, "cuSPARSE %d.%d.%d, algorithm %d", version / 1000, version / 100 % 10,
             version % 100, ALGORITHM);
    return true;
}

static void peer_threads(int threads) { (void)threads; }

/* ---- memory of the GPU ---- */

static bool failed; /* something in the case at hand */

static void try(int result) { failed |= result != 0; }

static array make_room(int64_t n, size_t size)
{
    uint64_t at = 0;
    if (!failed)
        try(cu.allocate(&at, (size_t)n * size + 16, NULL));
    return (array)(uintptr_t)at;
}

static void drop(array *at)
{
    if (*at)
        cu.release((uint64_t)(uintptr_t)*at, NULL);
    *at = NULL;
}

static array put(const void *from, int64_t n, size_t size)
{
    array at = make_room(n, size);
    if (!failed && n > 0)
        try(cu.put((uint64_t)(uintptr_t)at, from, (size_t)n * size, NULL));
    return at;
}

static void *get(array from, int64_t n, size_t size)
{
    void *at = peer_memory(n, size);
    if (n > 0)
        try(cu.get(at, (uint64_t)(uintptr_t)from, (size_t)n * size, NULL));
    try(cu.wait(NULL));
    return at;
}

static double peer_time(void (*run)(void))
{
    float ms = 0;
    try(cu.record(event[0], NULL));
    run();
    try(cu.record(event[1], NULL));
    try(cu.wait(NULL));
    try(cu.elapsed(&ms, event[0], event[1]));
    if (failed) {
        fputs("cuSPARSE failed\n", stderr);
        exit(1);
    }
    return ms;
}

/* ---- tensors ---- */

/* pos is a row for each component in a list. */
struct sparse_matrix {
    int rows, columns;
    int64_t stored;
    array pos, crd, vals;
    object is;
};

static struct sparse_matrix A, B, C; /* the operands, and a sparse result */
static array dense[3], buffer[3];    /* operands and results; what cuSPARSE works in */
static object dense_is[3], product;
static int (*drop_dense[3])(object);

static void put_matrix(struct sparse_matrix *m, const char *name)
{
    bool is_list = strcmp(peer_find(name)->format, "coo") == 0;
    m->rows = peer_size(name, 0);
    m->columns = peer_size(name, 1);
    m->stored = peer_find(name)->stored;
    m->pos = is_list ? put(peer_level(name, 0, "crd"), m->stored, sizeof(int32_t))
                     : put(peer_level(name, 1, "pos"), m->rows + 1, sizeof(int32_t));
    m->crd = put(peer_level(name, 1, "crd"), m->stored, sizeof(int32_t));
    m->vals = put(peer_values(name), m->stored, sizeof(value));
    if (is_list && !failed)
        try(sparse.coo(&m->is, m->rows, m->columns, m->stored, m->pos, m->crd, m->vals, INDEX_32, 0,
                       type));
    else if (!failed)
        try(sparse.csr(&m->is, m->rows, m->columns, m->stored, m->pos, m->crd, m->vals, INDEX_32,
                       INDEX_32, 0, type));
}

static void drop_matrix(struct sparse_matrix *m)
{
    if (m->is)
        sparse.drop(m->is);
    drop(&m->pos);
    drop(&m->crd);
    drop(&m->vals);
    *m = (struct sparse_matrix){0};
}

/* The k-th of the dense ones; a result if it has no values.  Turned: as the transposed one. */
static void put_dense(int k, const char *name, bool is_turned)
{
    const struct peer_tensor *t = peer_find(name);
    int64_t rows = t->dimension[0], columns = t->order > 1 ? t->dimension[1] : 1;
    dense[k] = t->vals ? put(t->vals, rows * columns, sizeof(value))
                       : make_room(rows * columns, sizeof(value));
    drop_dense[k] = t->order == 1 ? sparse.drop_vector : sparse.drop_matrix;
    if (failed)
        return;
    if (t->order == 1)
        try(sparse.vector(&dense_is[k], rows, dense[k], type));
    else if (is_turned)
        try(sparse.matrix(&dense_is[k], columns, rows, columns, dense[k], type, COLUMNS));
    else
        try(sparse.matrix(&dense_is[k], rows, columns, columns, dense[k], type, ROWS));
}

static void finish(void)
{
    cu.wait(NULL);
    drop_matrix(&A);
    drop_matrix(&B);
    drop_matrix(&C);
    for (int k = 0; k < 3; k++) {
        if (dense_is[k])
            drop_dense[k](dense_is[k]);
        dense_is[k] = NULL;
        drop(&dense[k]);
        drop(&buffer[k]);
    }
    if (product)
        sparse.drop_product(product);
    product = NULL;
    failed = false;
}

/* What could not be prepared takes no part. */
static bool prepared(void)
{
    bool is_good = !failed && cu.wait(NULL) == 0;
    if (!is_good)
        finish();
    return is_good;
}

static void give_dense(const char *name)
{
    const struct peer_tensor *t = peer_find(name);
    int64_t n = t->dimension[0] * (t->order > 1 ? t->dimension[1] : 1);
    value *vals = get(dense[2], n, sizeof *vals);
    peer_give_dense(vals, n);
    free(vals);
}

/* A sparse result by rows, or by columns. */
static void give_sparse(int lines, bool is_transposed)
{
    int32_t *pos = get(C.pos, lines + 1, sizeof *pos);
    int32_t *crd = get(C.crd, pos[lines], sizeof *crd);
    value *vals = get(C.vals, pos[lines], sizeof *vals);
    peer_give_rows(lines, pos, crd, vals, is_transposed);
    free(pos);
    free(crd);
    free(vals);
}

/* ---- products with dense vectors and matrices ---- */

static int algorithm;

static bool prepare_mv(void)
{
    static const int of_csr[] = {SPMV_CSR_1, SPMV_CSR_2}, of_coo[] = {SPMV_COO_1, SPMV_COO_2};
    size_t bytes = 0;
    if (ALGORITHM > 2)
        return false;
    algorithm = (strcmp(peer_find("A")->format, "coo") == 0 ? of_coo : of_csr)[ALGORITHM - 1];
    put_matrix(&A, "A");
    put_dense(0, "x", false);
    put_dense(2, "y", false);
    if (!failed)
        try(sparse.mv_room(handle, 0, &one, A.is, dense_is[0], &zero, dense_is[2], type, algorithm,
                           &bytes));
    buffer[0] = make_room((int64_t)bytes, 1);
    if (!failed)
        try(sparse.mv_prepare(handle, 0, &one, A.is, dense_is[0], &zero, dense_is[2], type,
                              algorithm, buffer[0]));
    return prepared();
}

static void run_mv(void)
{
    try(sparse.mv(handle, 0, &one, A.is, dense_is[0], &zero, dense_is[2], type, algorithm,
                  buffer[0]));
}

static void give_mv(void) { give_dense("y"); }

static bool prepare_mm(void)
{
    size_t bytes = 0;
    if (ALGORITHM < 2)
        return false;
    algorithm = ALGORITHM == 2 ? SPMM_CSR_2 : SPMM_CSR_3;
    put_matrix(&A, "A");
    put_dense(0, "X", false);
    put_dense(2, "Y", false);
    if (!failed)
        try(sparse.mm_room(handle, 0, 0, &one, A.is, dense_is[0], &zero, dense_is[2], type,
                           algorithm, &bytes));
    buffer[0] = make_room((int64_t)bytes, 1);
    if (!failed)
        try(sparse.mm_prepare(handle, 0, 0, &one, A.is, dense_is[0], &zero, dense_is[2], type,
                              algorithm, buffer[0]));
    return prepared();
}

static void run_mm(void)
{
    try(sparse.mm(handle, 0, 0, &one, A.is, dense_is[0], &zero, dense_is[2], type, algorithm,
                  buffer[0]));
}

static void give_mm(void) { give_dense("Y"); }

/* cuSPARSE samples by A's places alone: its values are multiplied where the result is given. */
static bool prepare_sddmm(void)
{
    size_t bytes = 0;
    if (ALGORITHM > 1)
        return false;
    put_matrix(&A, "A");
    put_dense(0, "X", false);
    put_dense(1, "Y", true);
    if (!failed)
        try(sparse.sddmm_room(handle, 0, 0, &one, dense_is[0], dense_is[1], &zero, A.is, type,
                              SDDMM, &bytes));
    buffer[0] = make_room((int64_t)bytes, 1);
    if (!failed)
        try(sparse.sddmm_prepare(handle, 0, 0, &one, dense_is[0], dense_is[1], &zero, A.is, type,
                                 SDDMM, buffer[0]));
    return prepared();
}

static void run_sddmm(void)
{
    try(sparse.sddmm(handle, 0, 0, &one, dense_is[0], dense_is[1], &zero, A.is, type, SDDMM,
                     buffer[0]));
}

static void give_sddmm(void)
{
    value *vals = get(A.vals, A.stored, sizeof *vals);
    for (int64_t p = 0; p < A.stored; p++)
        vals[p] *= peer_values("A")[p];
    peer_give_rows(A.rows, peer_level("A", 1, "pos"), peer_level("A", 1, "crd"), vals, false);
    free(vals);
}

/* ---- matrices as results ---- */

/* The buffers of the product before are given back: each run has its own, as a result does. */
static void end_product(void)
{
    drop_matrix(&C);
    for (int k = 0; k < 3; k++)
        drop(&buffer[k]);
    if (product)
        sparse.drop_product(product);
    product = NULL;
}

/* What it works in, by the algorithm: the first asks for how much itself, others estimate it. */
static void make_buffers(int alg)
{
    size_t first = 0, second = 0, third = 0;
    try(sparse.work(handle, 0, 0, &one, A.is, A.is, &zero, C.is, type, alg, product, &first, NULL));
    buffer[0] = make_room((int64_t)first, 1);
    if (!failed)
        try(sparse.work(handle, 0, 0, &one, A.is, A.is, &zero, C.is, type, alg, product, &first,
                        buffer[0]));
    if (!failed && alg == SPGEMM_1)
        try(sparse.compute(handle, 0, 0, &one, A.is, A.is, &zero, C.is, type, alg, product, &second,
                           NULL));
    else if (!failed) {
        const float share = 0.2f;
        try(sparse.estimate(handle, 0, 0, &one, A.is, A.is, &zero, C.is, type, alg, product, share,
                            &third, NULL, NULL));
        buffer[2] = make_room((int64_t)third, 1);
        if (!failed)
            try(sparse.estimate(handle, 0, 0, &one, A.is, A.is, &zero, C.is, type, alg, product,
                                share, &third, buffer[2], &second));
    }
    buffer[1] = make_room((int64_t)second, 1);
    if (!failed)
        try(sparse.compute(handle, 0, 0, &one, A.is, A.is, &zero, C.is, type, alg, product, &second,
                           buffer[1]));
}

static void run_product(void)
{
    const int alg = SPGEMM_1 + ALGORITHM - 1;
    int64_t rows = 0, columns = 0;
    end_product();
    C.pos = make_room(A.rows + 1, sizeof(int32_t));
    if (!failed)
        try(sparse.product(&product));
    if (!failed)
        try(sparse.csr(&C.is, A.rows, A.columns, 0, C.pos, NULL, NULL, INDEX_32, INDEX_32, 0,
                       type));
    if (!failed)
        make_buffers(alg);
    if (!failed)
        try(sparse.size(C.is, &rows, &columns, &C.stored));
    C.crd = make_room(C.stored, sizeof(int32_t));
    C.vals = make_room(C.stored, sizeof(value));
    if (!failed)
        try(sparse.set(C.is, C.pos, C.crd, C.vals));
    if (!failed)
        try(sparse.copy(handle, 0, 0, &one, A.is, A.is, &zero, C.is, type, alg, product));
}

/* Where memory does not last, that shows in a run. */
static bool prepare_product(void)
{
    put_matrix(&A, "A");
    if (!failed)
        run_product();
    return prepared();
}

static void give_product(void) { give_sparse(A.rows, false); }

static object about;

static void run_add(void)
{
    size_t bytes = 0;
    int stored = 0;
    end_product();
    C.pos = make_room(A.rows + 1, sizeof(int32_t));
    if (!failed)
        try(sparse.add_room(handle, A.rows, A.columns, &one, about, (int)A.stored, A.vals, A.pos,
                            A.crd, &one, about, (int)B.stored, B.vals, B.pos, B.crd, about, NULL,
                            C.pos, NULL, &bytes));
    buffer[0] = make_room((int64_t)bytes, 1);
    if (!failed)
        try(sparse.add_count(handle, A.rows, A.columns, about, (int)A.stored, A.pos, A.crd, about,
                             (int)B.stored, B.pos, B.crd, about, C.pos, &stored, buffer[0]));
    C.stored = stored;
    C.crd = make_room(stored, sizeof(int32_t));
    C.vals = make_room(stored, sizeof(value));
    if (!failed)
        try(sparse.add(handle, A.rows, A.columns, &one, about, (int)A.stored, A.vals, A.pos, A.crd,
                       &one, about, (int)B.stored, B.vals, B.pos, B.crd, about, C.vals, C.pos,
                       C.crd, buffer[0]));
}

static bool prepare_add(void)
{
    if (ALGORITHM > 1 || (!about && sparse.about(&about)))
        return false;
    put_matrix(&A, "A");
    put_matrix(&B, "B");
    if (!failed)
        run_add();
    return prepared();
}

static bool prepare_csc(void)
{
    size_t bytes = 0;
    if (ALGORITHM > 1)
        return false;
    put_matrix(&A, "A");
    C.pos = make_room(A.columns + 1, sizeof(int32_t));
    C.crd = make_room(A.stored, sizeof(int32_t));
    C.vals = make_room(A.stored, sizeof(value));
    if (!failed)
        try(sparse.csc_room(handle, A.rows, A.columns, (int)A.stored, A.vals, A.pos, A.crd, C.vals,
                            C.pos, C.crd, type, NUMERIC, 0, CSC_1, &bytes));
    buffer[0] = make_room((int64_t)bytes, 1);
    return prepared();
}

static void run_csc(void)
{
    try(sparse.csc(handle, A.rows, A.columns, (int)A.stored, A.vals, A.pos, A.crd, C.vals, C.pos,
                   C.crd, type, NUMERIC, 0, CSC_1, buffer[0]));
}

static void give_csc(void) { give_sparse(A.columns, true); }

/* ---- the list ---- */

const struct peer_kernel kernels[] = {
    {"y(i) = A(i,j) * x(j)", "A:csr", prepare_mv, run_mv, give_mv, finish},
    {"y(i) = A(i,j) * x(j)", "A:coo", prepare_mv, run_mv, give_mv, finish},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:csr", prepare_mm, run_mm, give_mm, finish},
    {"B(i,j) = A(i,j) * X(i,r) * Y(j,r)", "A:csr B:csr", prepare_sddmm, run_sddmm, give_sddmm,
     finish},
    {"C(i,j) = A(i,k) * A(k,j)", "A:csr C:csr", prepare_product, run_product, give_product, finish},
    {"C(i,j) = A(i,j) + B(i,j)", "A:csr B:csr C:csr", prepare_add, run_add, give_product, finish},
    {"B(i,j) = A(i,j)", "A:csr B:csc", prepare_csc, run_csc, give_csc, finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
