/* on_gpu.c - the largest eigenvalue of a matrix by power iteration, on a GPU.
 *
 * The tensors go to the GPU's memory once and stay there: each step is three kernels, and nothing
 * is copied but a number in the end.  Exits with 77 where there is no GPU.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "spcc.h"

enum { N = 50, STEPS = 200 };

static spcc_context *context;

/* A call that has to succeed. */
static void must(spcc_status status)
{
    if (status == SPCC_OK)
        return;
    fprintf(stderr, "%s\n", spcc_message(context));
    exit(1);
}

/* The matrix with 2 on the diagonal and -1 beside it. */
static spcc_tensor *make_matrix(void)
{
    static int64_t coordinates[3 * N][2];
    static double values[3 * N];
    const int64_t dimensions[] = {N, N};
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < N) {
                coordinates[n][0] = i;
                coordinates[n][1] = j;
                values[n++] = i == j ? 2 : -1;
            }
    spcc_tensor *made;
    must(spcc_tensor_from_coords(context, "csr", SPCC_F64, 2, dimensions, n, coordinates[0], values,
                                 NULL, &made));
    return made;
}

/* A copy in the GPU's memory; the host's is freed. */
static spcc_tensor *move(spcc_tensor *tensor)
{
    spcc_tensor *there;
    must(spcc_tensor_to_gpu(context, tensor, &there));
    spcc_tensor_free(tensor);
    return there;
}

static spcc_kernel *compile(const char *statement, bool has_matrix, const char *schedule)
{
    const spcc_declaration A = {.name = "A", .format = "csr"};
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = &A,
                                    .n_declarations = has_matrix,
                                    .schedule = schedule,
                                    .language = SPCC_LANGUAGE_CUDA};
    spcc_kernel *kernel;
    must(spcc_compile(context, statement, &options, &kernel));
    return kernel;
}

static double number_of(const spcc_tensor *there)
{
    spcc_tensor *here;
    must(spcc_tensor_from_gpu(context, there, &here));
    double number = *(const double *)spcc_tensor_values(here);
    spcc_tensor_free(here);
    return number;
}

int main(void)
{
    static double start[N], zero[N];
    const int64_t n = N;
    char *gpu;
    must(spcc_context_new(NULL, &context));
    if (spcc_engine_describe(context, SPCC_ENGINE_GPU, &gpu) != SPCC_OK) {
        puts(spcc_message(context));
        spcc_context_free(context);
        return 77;
    }
    puts(gpu);
    spcc_free(gpu);

    for (int i = 0; i < N; i++)
        start[i] = i % 2 ? -1 : 1 + i * 1e-3;
    spcc_tensor *A = make_matrix(), *x, *y, *s;
    must(spcc_tensor_dense(context, SPCC_F64, 1, &n, start, &x));
    must(spcc_tensor_dense(context, SPCC_F64, 1, &n, zero, &y));
    must(spcc_tensor_scalar(context, SPCC_F64, zero, &s));
    A = move(A), x = move(x), y = move(y), s = move(s);

    spcc_kernel *multiply = compile("y(i) = A(i,j) * x(j)", true, NULL),
                *square =
                    compile("s = y(i) * y(i)", false, "parallelize(i, gpu_thread, temporary)"),
                *scale = compile("x(i) = y(i) / sqrt(s)", false, NULL);
    for (int step = 0; step < STEPS; step++) {
        must(spcc_run(context, multiply, y, A, x));
        must(spcc_run(context, square, s, y));
        must(spcc_run(context, scale, x, y, s));
    }
    double value = sqrt(number_of(s)), expected = 2 + 2 * cos(3.14159265358979323846 / (N + 1));
    printf("the largest eigenvalue is %.3f, by the formula %.3f\n", value, expected);

    spcc_kernel_free(multiply);
    spcc_kernel_free(square);
    spcc_kernel_free(scale);
    spcc_tensor_free(A);
    spcc_tensor_free(x);
    spcc_tensor_free(y);
    spcc_tensor_free(s);
    spcc_context_free(context);
    return fabs(value - expected) < 1e-2 ? 0 : 1;
}
