/* spmv.c - y = A x on arrays that the program has already, without a copy of any.
 *
 * A is the matrix of a one-dimensional Poisson problem in CSR: 2 on the diagonal, -1 beside it.
 * The kernel is compiled once and run twice: y = A x, then r = A y on the result of the first run.
 *
 * SPDX-License-Identifier: MIT
 */
#include <spcc.h>
#include <stdio.h>

enum { N = 1000 };

static int32_t pos[N + 1], crd[3 * N];
static double vals[3 * N], x[N], y[N], z[N];

static void make_matrix(void)
{
    int32_t p = 0;
    for (int32_t i = 0; i < N; i++) {
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, p++) {
            crd[p] = j;
            vals[p] = i == j ? 2 : -1;
        }
        pos[i + 1] = p;
        x[i] = (double)i * i;
    }
}

/* Second differences of i*i are 2, and of constants 0; near the ends the neighbours are missing. */
static int wrong(void)
{
    int count = 0;
    for (int i = 2; i < N - 2; i++)
        count += y[i] != -2 || z[i] != 0;
    return count;
}

int main(void)
{
    spcc_context *cx = NULL;
    spcc_kernel *spmv = NULL;
    spcc_tensor *A = NULL, *tx = NULL, *ty = NULL, *tz = NULL;
    make_matrix();

    const int64_t rows[] = {N}, square[] = {N, N};
    const spcc_array arrays[] = {{pos, N + 1}, {crd, pos[N]}};
    const spcc_tensor_options result = {.size = sizeof result, .writable = true};
    const spcc_declaration csr[] = {{.name = "A", .format = "csr"}};
    const spcc_compile_options options = {
        .size = sizeof options, .declarations = csr, .n_declarations = 1};

    int failed =
        spcc_context_new(NULL, &cx) != SPCC_OK
        || spcc_tensor_borrow(cx, "csr", SPCC_F64, 2, square, arrays, 2, vals, pos[N], NULL, &A)
               != SPCC_OK
        || spcc_tensor_borrow(cx, NULL, SPCC_F64, 1, rows, NULL, 0, x, N, NULL, &tx) != SPCC_OK
        || spcc_tensor_borrow(cx, NULL, SPCC_F64, 1, rows, NULL, 0, y, N, &result, &ty) != SPCC_OK
        || spcc_tensor_borrow(cx, NULL, SPCC_F64, 1, rows, NULL, 0, z, N, &result, &tz) != SPCC_OK
        || spcc_compile(cx, "y(i) = A(i,j) * x(j)", &options, &spmv) != SPCC_OK
        || spcc_run(cx, spmv, ty, A, tx) != SPCC_OK || spcc_run(cx, spmv, tz, A, ty) != SPCC_OK;
    if (failed)
        fputs(spcc_message(cx), stderr);
    else
        printf("y[0] = %g, y[1] = %g, ..., y[%d] = %g: %s\n", y[0], y[1], N - 1, y[N - 1],
               wrong() ? "wrong" : "right");

    spcc_tensor_free(A);
    spcc_tensor_free(tx);
    spcc_tensor_free(ty);
    spcc_tensor_free(tz);
    spcc_kernel_free(spmv);
    spcc_context_free(cx);
    return failed || wrong();
}
