/* mkl.c - Intel's MKL as a peer of spcc bench: its inspector-executor sparse BLAS.
 *
 * The package has no headers, so what is used is declared here.  Multiplications by vectors and
 * dense matrices are optimized first (mkl_sparse_optimize), which is not timed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>

#include "peer.h"

typedef struct matrix *matrix;
struct description {
    int type, mode, diagonal;
};
enum { ZERO_BASED = 0, AS_IT_IS = 10, TRANSPOSED = 11, GENERAL = 20, ROW_MAJOR = 101, MANY = 1000 };

static const struct description general = {GENERAL, 0, 0};

static struct {
    int (*set_hint)(matrix, int, struct description, int);
    int (*set_dense_hint)(matrix, int, struct description, int, int, int);
    int (*optimize)(matrix);
    int (*destroy)(matrix);
    int (*order)(matrix);
    int (*spmm)(int, matrix, matrix, matrix *);
    int (*convert)(matrix, int, matrix *);
    void (*threads)(int);
    int (*create_csr)(matrix *, int, int, int, int *, int *, int *, value *);
    int (*create_csc)(matrix *, int, int, int, int *, int *, int *, value *);
    int (*create_coo)(matrix *, int, int, int, int, int *, int *, value *);
    int (*create_bsr)(matrix *, int, int, int, int, int, int *, int *, int *, value *);
    int (*mv)(int, value, matrix, struct description, const value *, value, value *);
    int (*mm)(int, value, matrix, struct description, int, const value *, int, int, value, value *,
              int);
    int (*add)(int, matrix, value, matrix, matrix *);
    int (*export_csr)(matrix, int *, int *, int *, int **, int **, int **, value **);
} mkl;

static matrix operand[2], result;
static value *dense;
static int64_t size;

/* ---- the library ---- */

static const struct {
    void *at;
    const char *name; /* %c: d or s */
} symbols[] = {
    {&mkl.set_hint, "mkl_sparse_set_mv_hint"},
    {&mkl.set_dense_hint, "mkl_sparse_set_mm_hint"},
    {&mkl.optimize, "mkl_sparse_optimize"},
    {&mkl.destroy, "mkl_sparse_destroy"},
    {&mkl.order, "mkl_sparse_order"},
    {&mkl.spmm, "mkl_sparse_spmm"},
    {&mkl.convert, "mkl_sparse_convert_csr"},
    {&mkl.threads, "MKL_Set_Num_Threads"},
    {&mkl.create_csr, "mkl_sparse_%c_create_csr"},
    {&mkl.create_csc, "mkl_sparse_%c_create_csc"},
    {&mkl.create_coo, "mkl_sparse_%c_create_coo"},
    {&mkl.create_bsr, "mkl_sparse_%c_create_bsr"},
    {&mkl.mv, "mkl_sparse_%c_mv"},
    {&mkl.mm, "mkl_sparse_%c_mm"},
    {&mkl.add, "mkl_sparse_%c_add"},
    {&mkl.export_csr, "mkl_sparse_%c_export_csr"},
};

/* Where the user says; where the loader looks; beside Python, where its package puts it. */
static void *open_library(char *why, size_t room)
{
    static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"};
    const char *path = getenv("SPCC_PEER_PATH");
    char prefix[512] = "", full[640];
    void *library = NULL;
    setenv("KMP_BLOCKTIME", "1", 0); /* ms; threads that wait longer disturb the others' turns */
    FILE *python = popen("python3 -c 'import sys; print(sys.prefix)' 2>/dev/null", "r");
    if (python && fgets(prefix, sizeof prefix, python))
        prefix[strcspn(prefix, "\n")] = 0;
    if (python)
        pclose(python);
    if (path)
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    for (size_t n = 0; n < 3 && !library && !path; n++) {
        snprintf(full, sizeof full, "%s/lib/%s", prefix, names[n]);
        library = dlopen(names[n], RTLD_NOW | RTLD_GLOBAL);
        library = library ? library : dlopen(full, RTLD_NOW | RTLD_GLOBAL);
    }
    if (!library)
        snprintf(why, room, "no libmkl_rt.so");
    return library;
}

static bool peer_start(char *name, size_t room)
{
    void *library = open_library(name, room);
    if (!library)
        return false;
    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++) {
        char symbol[64];
        snprintf(symbol, sizeof symbol, symbols[s].name, sizeof(value) == 8 ? 'd' : 's');
        void *found = dlsym(library, symbol);
        snprintf(name, room, "libmkl_rt.so has no %s", symbol);
        if (!found)
            return false;
        memcpy(symbols[s].at, &found, sizeof found);
    }
    struct {
        int major, minor, update;
        char *rest[5];
    } version = {0, 0, 0, {NULL}};
    void (*get_version)(void *);
    void *found = dlsym(library, "MKL_Get_Version");
    memcpy(&get_version, &found, sizeof found);
    if (found)
        get_version(&version);
    snprintf(name, room, "MKL %d.%d.%d", version.major, version.minor, version.update);
    return true;
}

static void peer_threads(int threads) { mkl.threads(threads); }

/* ---- inputs and results ---- */

static matrix make(const char *name)
{
    matrix made = NULL;
    const char *format = peer_find(name)->format;
    int rows = peer_size(name, 0), columns = peer_size(name, 1);
    value *vals = peer_values(name);
    if (strcmp(format, "coo") == 0) {
        mkl.create_coo(&made, ZERO_BASED, rows, columns, (int)peer_find(name)->stored,
                       peer_level(name, 0, "crd"), peer_level(name, 1, "crd"), vals);
        return made;
    }
    int *pos = peer_level(name, 1, "pos"), *crd = peer_level(name, 1, "crd");
    if (strcmp(format, "csc") == 0)
        mkl.create_csc(&made, ZERO_BASED, rows, columns, pos, pos + 1, crd, vals);
    else if (strcmp(format, "csr") == 0)
        mkl.create_csr(&made, ZERO_BASED, rows, columns, pos, pos + 1, crd, vals);
    else
        mkl.create_bsr(&made, ZERO_BASED, ROW_MAJOR, (rows + 3) / 4, (columns + 3) / 4, 4, pos,
                       pos + 1, crd, vals);
    return made;
}

/* Blocks must not reach beyond the matrix. */
static bool prepare_times(int operation, const char *result_name)
{
    const char *format = peer_find("A")->format;
    bool is_whole = peer_size("A", 0) % 4 == 0 && peer_size("A", 1) % 4 == 0;
    if (strcmp(format, "bcsr(4,4)") == 0 && !is_whole)
        return false;
    size = 1;
    for (int m = 0; m < peer_find(result_name)->order; m++)
        size *= peer_size(result_name, m);
    dense = peer_memory(size, sizeof *dense);
    operand[0] = make("A");
    if (peer_find(result_name)->order == 1)
        mkl.set_hint(operand[0], operation, general, MANY);
    else
        mkl.set_dense_hint(operand[0], operation, general, ROW_MAJOR, peer_size(result_name, 1),
                           MANY);
    mkl.optimize(operand[0]);
    return true;
}

static bool prepare_spmv(void) { return prepare_times(AS_IT_IS, "y"); }

static bool prepare_transposed(void) { return prepare_times(TRANSPOSED, "y"); }

static bool prepare_spmm(void) { return prepare_times(AS_IT_IS, "Y"); }

static bool prepare_one(void) { return (operand[0] = make("A")) != NULL; }

static bool prepare_two(void) { return prepare_one() && (operand[1] = make("B")) != NULL; }

static void drop(matrix *m)
{
    if (*m)
        mkl.destroy(*m);
    *m = NULL;
}

static void finish(void)
{
    drop(&operand[0]);
    drop(&operand[1]);
    drop(&result);
    free(dense);
    dense = NULL;
}

static void give_dense(void) { peer_give_dense(dense, size); }

static void give_result(void)
{
    int base, rows, columns, *begin, *end, *crd;
    value *vals;
    mkl.export_csr(result, &base, &rows, &columns, &begin, &end, &crd, &vals);
    int32_t *pos = peer_memory(rows + 1, sizeof *pos);
    memcpy(pos, begin, (size_t)rows * sizeof *pos);
    pos[rows] = end[rows - 1];
    peer_give_rows(rows, pos, crd, vals, false);
    free(pos);
}

/* ---- kernels ---- */

static void run_spmv(void) { mkl.mv(AS_IT_IS, 1, operand[0], general, peer_values("x"), 0, dense); }

static void run_transposed(void)
{
    mkl.mv(TRANSPOSED, 1, operand[0], general, peer_values("x"), 0, dense);
}

static void run_residual(void)
{
    memcpy(dense, peer_values("b"), (size_t)size * sizeof *dense);
    mkl.mv(AS_IT_IS, -1, operand[0], general, peer_values("x"), 1, dense);
}

static void run_pagerank(void)
{
    memcpy(dense, peer_values("b"), (size_t)size * sizeof *dense);
    mkl.mv(AS_IT_IS, (value)0.85, operand[0], general, peer_values("x"), (value)0.15, dense);
}

static void run_spmm(void)
{
    int columns = peer_size("X", 1);
    mkl.mm(AS_IT_IS, 1, operand[0], general, ROW_MAJOR, peer_values("X"), columns, columns, 0,
           dense, columns);
}

static void run_add(void)
{
    drop(&result);
    mkl.add(AS_IT_IS, operand[0], 1, operand[1], &result);
}

static void run_unsorted(void)
{
    drop(&result);
    mkl.spmm(AS_IT_IS, operand[0], operand[0], &result);
}

static void run_spgemm(void)
{
    run_unsorted();
    mkl.order(result);
}

static void run_to_rows(void)
{
    drop(&result);
    mkl.convert(operand[0], AS_IT_IS, &result);
}

const struct peer_kernel kernels[] = {
    {"y(i) = A(i,j) * x(j)", "A:csr", prepare_spmv, run_spmv, give_dense, finish},
    {"y(i) = A(i,j) * x(j)", "A:csc", prepare_spmv, run_spmv, give_dense, finish},
    {"y(i) = A(i,j) * x(j)", "A:coo", prepare_spmv, run_spmv, give_dense, finish},
    {"y(i) = A(i,j) * x(j)", "A:bcsr(4,4)", prepare_spmv, run_spmv, give_dense, finish},
    {"y(j) = A(i,j) * x(i)", "A:csr", prepare_transposed, run_transposed, give_dense, finish},
    {"y(j) = A(i,j) * x(i)", "A:csc", prepare_transposed, run_transposed, give_dense, finish},
    {"y(j) = A(i,j) * x(i)", "A:coo", prepare_transposed, run_transposed, give_dense, finish},
    {"y(j) = A(i,j) * x(i)", "A:bcsr(4,4)", prepare_transposed, run_transposed, give_dense, finish},
    {"y(i) = 0.85 * sum(j, A(i,j) * x(j)) + 0.15 * b(i)", "A:csr", prepare_spmv, run_pagerank,
     give_dense, finish},
    {"y(i) = b(i) - A(i,j) * x(j)", "A:csr", prepare_spmv, run_residual, give_dense, finish},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:csr", prepare_spmm, run_spmm, give_dense, finish},
    {"C(i,j) = A(i,j) + B(i,j)", "A:csr B:csr C:csr", prepare_two, run_add, give_result, finish},
    {"C(i,j) = A(i,k) * A(k,j)", "A:csr C:csr", prepare_one, run_spgemm, give_result, finish},
    {"C(i,j) = A(i,k) * A(k,j)", "A:csr C:(i,j)->(i:dense,j:compressed(unordered))", prepare_one,
     run_unsorted, give_result, finish},
    {"B(i,j) = A(i,j)", "A:coo B:csr", prepare_one, run_to_rows, give_result, finish},
    {"B(i,j) = A(i,j)", "A:csc B:csr", prepare_one, run_to_rows, give_result, finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
