/* openblas.c - OpenBLAS as a peer of spcc bench: products of dense matrices.
 *
 * What is used of it is declared here, since its headers need not be installed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>

#include "peer.h"

enum { ROW_MAJOR = 101, AS_IT_IS = 111 };

static struct {
    void (*gemv)(int, int, int, int, value, const value *, int, const value *, int, value, value *,
                 int);
    void (*gemm)(int, int, int, int, int, int, value, const value *, int, const value *, int, value,
                 value *, int);
    void (*threads)(int);
    const char *(*config)(void);
} blas;

static value *dense;
static int64_t size;

/* A function of the library, by its name; false if it has none of it. */
static bool look_up(void *library, const char *name, void *at)
{
    void *found = dlsym(library, name);
    memcpy(at, &found, sizeof found);
    return found != NULL;
}

static bool peer_start(char *name, size_t room)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};
    const char *path = getenv("SPCC_PEER_PATH");
    bool is_double = sizeof(value) == sizeof(double);
    void *library = NULL;
    setenv("OPENBLAS_THREAD_TIMEOUT", "20",
           0); /* 2^20 cycles; then they sleep, and disturb nobody */
    for (int n = 0; n < 2 && !library; n++)
        library = dlopen(path ? path : names[n], RTLD_NOW);
    snprintf(name, room, "no libopenblas.so");
    if (!library || !look_up(library, is_double ? "cblas_dgemv" : "cblas_sgemv", &blas.gemv)
        || !look_up(library, is_double ? "cblas_dgemm" : "cblas_sgemm", &blas.gemm)
        || !look_up(library, "openblas_set_num_threads", &blas.threads)
        || !look_up(library, "openblas_get_config", &blas.config))
        return false;
    const char *config = blas.config(); /* "OpenBLAS 0.3.21 ...", and how it was made */
    snprintf(name, room, "%.*s", (int)(9 + strcspn(config + 9, " ")), config);
    return true;
}

static void peer_threads(int threads) { blas.threads(threads); }

static bool prepare(const char *result)
{
    size = 1;
    for (int m = 0; m < peer_find(result)->order; m++)
        size *= peer_size(result, m);
    dense = peer_memory(size, sizeof *dense);
    return true;
}

static bool prepare_vector(void) { return prepare("y"); }

static bool prepare_matrix(void) { return prepare("Y"); }

static void run_gemv(void)
{
    int rows = peer_size("A", 0), columns = peer_size("A", 1);
    blas.gemv(ROW_MAJOR, AS_IT_IS, rows, columns, 1, peer_values("A"), columns, peer_values("x"), 1,
              0, dense, 1);
}

static void run_gemm(void)
{
    int rows = peer_size("A", 0), inner = peer_size("A", 1), columns = peer_size("X", 1);
    blas.gemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, rows, columns, inner, 1, peer_values("A"), inner,
              peer_values("X"), columns, 0, dense, columns);
}

static void give(void) { peer_give_dense(dense, size); }

static void finish(void)
{
    free(dense);
    dense = NULL;
}

const struct peer_kernel kernels[] = {
    {"y(i) = A(i,j) * x(j)", "A:dense", prepare_vector, run_gemv, give, finish},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:dense", prepare_matrix, run_gemm, give, finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
