/* graphblas.c - SuiteSparse:GraphBLAS as a peer of spcc bench.
 *
 * Matrices are opaque there: making them is not timed.  A result counts when it is materialized,
 * its rows sorted.
 *
 * SPDX-License-Identifier: MIT
 */
#include <GraphBLAS.h>

#include "peer.h"

#define DOUBLE      (sizeof(value) == sizeof(double))
#define TYPE        _Generic((value)0, double : GrB_FP64, float : GrB_FP32, bool : GrB_BOOL)
#define PLUS        (DOUBLE ? GrB_PLUS_FP64 : GrB_PLUS_FP32)
#define MINUS       (DOUBLE ? GrB_MINUS_FP64 : GrB_MINUS_FP32)
#define TIMES       (DOUBLE ? GrB_TIMES_FP64 : GrB_TIMES_FP32)
#define PLUS_MONOID (DOUBLE ? GrB_PLUS_MONOID_FP64 : GrB_PLUS_MONOID_FP32)
#define PLUS_TIMES  (DOUBLE ? GrB_PLUS_TIMES_SEMIRING_FP64 : GrB_PLUS_TIMES_SEMIRING_FP32)
#define MIN_PLUS    (DOUBLE ? GrB_MIN_PLUS_SEMIRING_FP64 : GrB_MIN_PLUS_SEMIRING_FP32)
#define NAMED(operation)                \
    (_Generic((value)0, double          \
              : operation##_FP64, float \
              : operation##_FP32, bool  \
              : operation##_BOOL))

enum { MATRICES = 4 };

static GrB_Matrix matrix[MATRICES], result;
static GrB_Vector vector, other_vector, result_vector;
static value number;

static bool peer_start(char *name, size_t room)
{
    int version[3] = {0};
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS)
        return false;
    GxB_Global_Option_get(GxB_LIBRARY_VERSION, version);
    snprintf(name, room, "GraphBLAS %d.%d.%d", version[0], version[1], version[2]);
    return true;
}

static void peer_threads(int threads) { GxB_set(GxB_NTHREADS, threads); }

/* ---- inputs ---- */

static GrB_Matrix make_matrix(const char *name)
{
    GrB_Matrix made = NULL;
    GrB_Index rows = (GrB_Index)peer_size(name, 0), columns = (GrB_Index)peer_size(name, 1);
    GrB_Index n = (GrB_Index)peer_find(name)->stored;
    bool is_dense = strcmp(peer_find(name)->format, "dense") == 0;
    const int32_t *pos = is_dense ? NULL : peer_level(name, 1, "pos");
    const int32_t *crd = is_dense ? NULL : peer_level(name, 1, "crd");
    GrB_Index *i = peer_memory((int64_t)n, sizeof *i), *j = peer_memory((int64_t)n, sizeof *j);
    for (GrB_Index r = 0; r < rows; r++) {
        GrB_Index end = is_dense ? (r + 1) * columns : (GrB_Index)pos[r + 1];
        for (GrB_Index p = is_dense ? r * columns : (GrB_Index)pos[r]; p < end; p++) {
            i[p] = r;
            j[p] = is_dense ? p % columns : (GrB_Index)crd[p];
        }
    }
    GrB_Matrix_new(&made, TYPE, rows, columns);
    NAMED(GrB_Matrix_build)(made, i, j, peer_values(name), n, NAMED(GrB_PLUS));
    GrB_Matrix_wait(made, GrB_MATERIALIZE);
    free(i);
    free(j);
    return made;
}

static GrB_Vector make_vector(const char *name)
{
    GrB_Vector made = NULL;
    GrB_Index n = (GrB_Index)peer_size(name, 0), *i = peer_memory((int64_t)n, sizeof *i);
    for (GrB_Index k = 0; k < n; k++)
        i[k] = k;
    GrB_Vector_new(&made, TYPE, n);
    NAMED(GrB_Vector_build)(made, i, peer_values(name), n, NAMED(GrB_PLUS));
    GrB_Vector_wait(made, GrB_MATERIALIZE);
    free(i);
    return made;
}

static bool prepare_one(void) { return (matrix[0] = make_matrix("A")) != NULL; }

static bool prepare_two(void) { return prepare_one() && (matrix[1] = make_matrix("B")) != NULL; }

static bool prepare_three(void) { return prepare_two() && (matrix[2] = make_matrix("C")) != NULL; }

static bool prepare_dense(void) { return prepare_one() && (matrix[1] = make_matrix("X")) != NULL; }

static bool prepare_vector(void) { return (vector = make_vector("x")) != NULL && prepare_one(); }

static bool prepare_vectors(void)
{
    return (other_vector = make_vector("b")) != NULL && prepare_vector();
}

static void finish(void)
{
    for (int m = 0; m < MATRICES; m++)
        if (matrix[m])
            GrB_Matrix_free(&matrix[m]);
    if (result)
        GrB_Matrix_free(&result);
    if (vector)
        GrB_Vector_free(&vector);
    if (other_vector)
        GrB_Vector_free(&other_vector);
    if (result_vector)
        GrB_Vector_free(&result_vector);
}

/* ---- results ---- */

static GrB_Matrix new_result(const char *like)
{
    if (result)
        GrB_Matrix_free(&result);
    GrB_Index columns;
    GrB_Matrix_ncols(&columns, strcmp(like, "X") == 0 ? matrix[1] : matrix[0]);
    GrB_Matrix_new(&result, TYPE, (GrB_Index)peer_size("A", 0), columns);
    return result;
}

static GrB_Vector new_vector(int mode)
{
    if (result_vector)
        GrB_Vector_free(&result_vector);
    GrB_Vector_new(&result_vector, TYPE, (GrB_Index)peer_size("A", mode));
    return result_vector;
}

static void settle(void) { GrB_Matrix_wait(result, GrB_MATERIALIZE); }

static void give_matrix(void)
{
    GrB_Index n;
    GrB_Matrix_nvals(&n, result);
    GrB_Index *i = peer_memory((int64_t)n, sizeof *i), *j = peer_memory((int64_t)n, sizeof *j);
    value *vals = peer_memory((int64_t)n, sizeof *vals);
    int32_t *all = peer_memory(2 * (int64_t)n, sizeof *all);
    NAMED(GrB_Matrix_extractTuples)(i, j, vals, &n, result);
    for (GrB_Index k = 0; k < n; k++) {
        all[2 * k] = (int32_t)i[k];
        all[2 * k + 1] = (int32_t)j[k];
    }
    peer_give_sparse(2, all, vals, (int64_t)n);
    free(i);
    free(j);
    free(vals);
    free(all);
}

/* What is not stored is the fill. */
static void give_vector_with(value fill)
{
    GrB_Index size, n;
    GrB_Vector_size(&size, result_vector);
    n = size;
    GrB_Index *i = peer_memory((int64_t)n, sizeof *i);
    value *vals = peer_memory((int64_t)n, sizeof *vals);
    value *dense = peer_memory((int64_t)size, sizeof *dense);
    NAMED(GrB_Vector_extractTuples)(i, vals, &n, result_vector);
    for (GrB_Index k = 0; k < size; k++)
        dense[k] = fill;
    for (GrB_Index k = 0; k < n; k++)
        dense[i[k]] = vals[k];
    peer_give_dense(dense, (int64_t)size);
    free(i);
    free(vals);
    free(dense);
}

static void give_vector(void) { give_vector_with(0); }

static void give_distances(void) { give_vector_with((value)(1 / 0.0)); }

static void give_dense(void)
{
    GrB_Index rows, columns, n;
    GrB_Matrix_nrows(&rows, result);
    GrB_Matrix_ncols(&columns, result);
    n = rows * columns;
    GrB_Index *i = peer_memory((int64_t)n, sizeof *i), *j = peer_memory((int64_t)n, sizeof *j);
    value *vals = peer_memory((int64_t)n, sizeof *vals), *dense = calloc(n + 1, sizeof *dense);
    NAMED(GrB_Matrix_extractTuples)(i, j, vals, &n, result);
    for (GrB_Index k = 0; k < n && dense; k++)
        dense[i[k] * columns + j[k]] = vals[k];
    peer_give_dense(dense, (int64_t)(rows * columns));
    free(i);
    free(j);
    free(vals);
    free(dense);
}

static void give_number(void) { peer_give_dense(&number, 1); }

/* ---- kernels ---- */

static void run_spmv(void)
{
    GrB_mxv(new_vector(0), NULL, NULL, PLUS_TIMES, matrix[0], vector, NULL);
    GrB_Vector_wait(result_vector, GrB_MATERIALIZE);
}

static void run_transposed(void)
{
    GrB_mxv(new_vector(1), NULL, NULL, PLUS_TIMES, matrix[0], vector, GrB_DESC_T0);
    GrB_Vector_wait(result_vector, GrB_MATERIALIZE);
}

/* b, of which the product is taken away. */
static void run_residual(void)
{
    if (result_vector)
        GrB_Vector_free(&result_vector);
    GrB_Vector_dup(&result_vector, other_vector);
    GrB_mxv(result_vector, NULL, MINUS, PLUS_TIMES, matrix[0], vector, NULL);
    GrB_Vector_wait(result_vector, GrB_MATERIALIZE);
}

static void run_pagerank(void)
{
    GrB_mxv(new_vector(0), NULL, NULL, PLUS_TIMES, matrix[0], vector, NULL);
    NAMED(GrB_Vector_apply_BinaryOp1st)
    (result_vector, NULL, NULL, TIMES, (value)0.85, result_vector, NULL);
    NAMED(GrB_Vector_apply_BinaryOp1st)
    (result_vector, NULL, PLUS, TIMES, (value)0.15, other_vector, NULL);
    GrB_Vector_wait(result_vector, GrB_MATERIALIZE);
}

static void run_any(void)
{
    GrB_mxv(new_vector(0), NULL, NULL, GrB_LOR_LAND_SEMIRING_BOOL, matrix[0], vector, NULL);
    GrB_Vector_wait(result_vector, GrB_MATERIALIZE);
}

static void run_min_plus(void)
{
    GrB_mxv(new_vector(0), NULL, NULL, MIN_PLUS, matrix[0], vector, NULL);
    GrB_Vector_wait(result_vector, GrB_MATERIALIZE);
}

static void run_spmm(void)
{
    GrB_mxm(new_result("X"), NULL, NULL, PLUS_TIMES, matrix[0], matrix[1], NULL);
    settle();
}

static void run_add(void)
{
    GrB_eWiseAdd(new_result("A"), NULL, NULL, PLUS, matrix[0], matrix[1], NULL);
    settle();
}

static void run_add3(void)
{
    run_add();
    GrB_eWiseAdd(result, NULL, NULL, PLUS, result, matrix[2], NULL);
    settle();
}

static void run_multiply(void)
{
    GrB_eWiseMult(new_result("A"), NULL, NULL, TIMES, matrix[0], matrix[1], NULL);
    settle();
}

static void run_spgemm(void)
{
    GrB_mxm(new_result("A"), NULL, NULL, PLUS_TIMES, matrix[0], matrix[0], NULL);
    settle();
}

static void run_masked(void)
{
    GrB_mxm(new_result("A"), matrix[1], NULL, PLUS_TIMES, matrix[0], matrix[0], GrB_DESC_S);
    GrB_eWiseMult(result, NULL, NULL, TIMES, result, matrix[1], NULL);
    settle();
}

static void run_spgemm_add(void)
{
    GrB_mxm(new_result("A"), NULL, NULL, PLUS_TIMES, matrix[0], matrix[0], NULL);
    GrB_eWiseAdd(result, NULL, NULL, PLUS, result, matrix[1], NULL);
    settle();
}

static void run_chain(void)
{
    GrB_mxm(new_result("A"), NULL, NULL, PLUS_TIMES, matrix[0], matrix[0], NULL);
    GrB_mxm(result, NULL, NULL, PLUS_TIMES, result, matrix[0], NULL);
    settle();
}

static void run_triangles(void)
{
    GrB_mxm(new_result("A"), matrix[0], NULL, PLUS_TIMES, matrix[0], matrix[0], GrB_DESC_S);
    GrB_eWiseMult(result, NULL, NULL, TIMES, result, matrix[0], NULL);
    NAMED(GrB_Matrix_reduce)(&number, NULL, PLUS_MONOID, result, NULL);
}

#define THREE "A:csr B:csr C:csr"

const struct peer_kernel kernels[] = {
    {"y(i) = A(i,j) * x(j)", "A:csr", prepare_vector, run_spmv, give_vector, finish},
    {"y(j) = A(i,j) * x(i)", "A:csr", prepare_vector, run_transposed, give_vector, finish},
    {"y(i) = b(i) - A(i,j) * x(j)", "A:csr", prepare_vectors, run_residual, give_vector, finish},
    {"y(i) = 0.85 * sum(j, A(i,j) * x(j)) + 0.15 * b(i)", "A:csr", prepare_vectors, run_pagerank,
     give_vector, finish},
    {"y(i) = any(j, A(i,j) * x(j))", "A:csr", prepare_vector, run_any, give_vector, finish},
    {"y(i) = min(j, A(i,j) + x(j))", "A~csr", prepare_vector, run_min_plus, give_distances, finish},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:csr", prepare_dense, run_spmm, give_dense, finish},
    {"C(i,j) = A(i,j) + B(i,j)", THREE, prepare_two, run_add, give_matrix, finish},
    {"D(i,j) = A(i,j) + B(i,j) + C(i,j)", THREE " D:csr", prepare_three, run_add3, give_matrix,
     finish},
    {"C(i,j) = A(i,j) * B(i,j)", THREE, prepare_two, run_multiply, give_matrix, finish},
    {"C(i,j) = A(i,k) * A(k,j)", "A:csr C:csr", prepare_one, run_spgemm, give_matrix, finish},
    {"C(i,j) = B(i,j) * A(i,k) * A(k,j)", THREE, prepare_two, run_masked, give_matrix, finish},
    {"C(i,j) = A(i,k) * A(k,j) + B(i,j)", THREE, prepare_two, run_spgemm_add, give_matrix, finish},
    {"D(i,j) = A(i,k) * A(k,l) * A(l,j)", "A:csr D:csr", prepare_one, run_chain, give_matrix,
     finish},
    {"n = A(i,j) * A(j,k) * A(i,k)", "A:csr", prepare_one, run_triangles, give_number, finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
