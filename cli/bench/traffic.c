/* traffic.c - the least number of bytes that kernels of the sparse tensor benchmark suite move,
 * for the roofline (Li and others, "A Sparse Tensor Benchmark Suite for CPUs and GPUs", 2020,
 * table I).
 *
 * The table is for three modes, values of four bytes and coordinates of four bytes.  Here there is
 * any number of modes and either type.  M is the number of components, F of fibers, R of a
 * factor's columns, N the order.  Rows of factors come from memory each time; in blocks, at most
 * once for each of the block's coordinates.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "cli/bench/bench.h"

enum { COORDINATE = 4, POINTER = 8, EDGE = 128 };

static double count_components(const struct bench_case *c) { return (double)c->input->entries.n; }

static double value_bytes(const struct bench_case *c) { return (double)spcc_type_size(c->type); }

static double count_columns(const struct bench_case *c, const char *factor)
{
    return (double)bench_case_tensor(c, factor)->dimension[1];
}

double traffic_tew(const struct bench_case *c) { return 3 * value_bytes(c) * count_components(c); }

double traffic_ts(const struct bench_case *c) { return 2 * value_bytes(c) * count_components(c); }

/* Values, the mode's coordinates and the vector; what the result stores. */
double traffic_ttv(const struct bench_case *c)
{
    double V = value_bytes(c), M = count_components(c);
    double F = (double)spcc_tensor_stored(c->tensor[c->result].is);
    return (2 * V + COORDINATE) * M + (COORDINATE * (c->input->order - 1) + V) * F;
}

/* Values and coordinates, with a row of the matrix for each; rows of the result. */
double traffic_ttm(const struct bench_case *c)
{
    double V = value_bytes(c), M = count_components(c), R = count_columns(c, "U");
    double F = (double)spcc_tensor_stored(c->tensor[c->result].is) / R;
    return (V + COORDINATE) * M + V * R * (M + F) + COORDINATE * (c->input->order - 1) * F;
}

/* A row of each factor for each component, and one of the result. */
double traffic_coo_mttkrp(const struct bench_case *c)
{
    double V = value_bytes(c), M = count_components(c), N = c->input->order;
    return N * V * M * count_columns(c, "X") + (COORDINATE * N + V) * M;
}

double traffic_hicoo_mttkrp(const struct bench_case *c)
{
    const spcc_tensor *A = bench_case_tensor(c, "A")->is;
    double V = value_bytes(c), M = count_components(c), N = c->input->order, blocks = 0;
    for (int k = 0; k < 3; k++) {
        const char *what = spcc_tensor_array_name(A, 0, k);
        if (what && strcmp(what, "crd") == 0)
            blocks = (double)spcc_tensor_array(A, 0, k).length;
    }
    double rows = blocks * EDGE < M ? blocks * EDGE : M;
    return N * V * rows * count_columns(c, "X") + (N + V) * M + (COORDINATE * N + POINTER) * blocks;
}
