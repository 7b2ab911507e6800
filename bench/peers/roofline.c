/* roofline.c - what the machine can do at most: the peer of spcc bench that computes no statement.
 *
 * triad (a = b + s c, McCalpin's STREAM) gives bytes a second, of as many bytes as the tensor n has
 * components; gather reads as many of a vector at random places; fma multiplies and adds in
 * registers, a dozen sums at once, because one waits for its own result.  In the place of a result
 * each says how much of that a run is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <omp.h>

#include "peer.h"

enum { SUMS = 12, LANES = 64 / (int)sizeof(value), STEPS = 200000 };

typedef value lanes __attribute__((vector_size(64)));

static value *a, *b, *c;
static int32_t *at;
static int64_t n;
static volatile value sink;

static bool peer_start(char *name, size_t room)
{
    snprintf(name, room, "roofline");
    return true;
}

static void peer_threads(int threads) { omp_set_num_threads(threads); }

static void give(int64_t amount) { printf("amount %lld\n", (long long)amount); }

static void finish(void)
{
    free(a);
    free(b);
    free(c);
    free(at);
    a = b = c = NULL;
    at = NULL;
}

/* Touched first by those who use it. */
static value *fill(void)
{
    value *x = peer_memory(n, sizeof *x);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        x[i] = (value)(i % 7);
    return x;
}

static bool prepare_triad(void)
{
    n = peer_find("n")->dimension[0] / (3 * (int64_t)sizeof(value)) + 1;
    a = fill(), b = fill(), c = fill();
    return true;
}

static void run_triad(void)
{
    value s = sink;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

static void give_triad(void) { give(3 * n * (int64_t)sizeof(value)); }

static bool prepare_gather(void)
{
    uint64_t state = 1;
    n = peer_find("n")->dimension[0] / ((int64_t)sizeof(value) + (int64_t)sizeof *at) + 1;
    a = fill();
    at = peer_memory(n, sizeof *at);
    for (int64_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        at[i] = (int32_t)((state >> 33) % (uint64_t)n);
    }
    return true;
}

static void run_gather(void)
{
    value sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += a[at[i]];
    sink = sum;
}

static void give_gather(void) { give(n); }

static void run_fma(void)
{
#pragma omp parallel
    {
        lanes sum[SUMS], factor = {0}, term = {0};
        for (int k = 0; k < SUMS; k++)
            sum[k] = factor;
        factor += (value)0.999, term += (value)0.001;
        for (int i = 0; i < STEPS; i++)
#pragma GCC unroll 12
            for (int k = 0; k < SUMS; k++)
                sum[k] = sum[k] * factor + term;
        for (int k = 1; k < SUMS; k++)
            sum[0] += sum[k];
        sink = sum[0][0];
    }
}

static void give_fma(void) { give((int64_t)2 * SUMS * LANES * STEPS * omp_get_max_threads()); }

const struct peer_kernel kernels[] = {
    {"triad", NULL, prepare_triad, run_triad, give_triad, finish},
    {"gather", NULL, prepare_gather, run_gather, give_gather, finish},
    {"fma", NULL, NULL, run_fma, give_fma, finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
