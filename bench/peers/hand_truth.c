/* hand_truth.c - by hand: a step of a breadth-first search, in truth values.
 *
 * A row is left as soon as one of its neighbours has been reached.
 *
 * SPDX-License-Identifier: MIT
 */
#include <omp.h>

#include "peer.h"

enum { WORTHWHILE = 20000 }; /* entries; fewer are for one thread */

static value *dense;

static bool peer_start(char *name, size_t room)
{
    snprintf(name, room, "by hand");
    return true;
}

static void peer_threads(int threads) { omp_set_num_threads(threads); }

static bool prepare(void)
{
    dense = peer_memory(peer_size("y", 0), sizeof *dense);
    return true;
}

static void run(void)
{
    const int *pos = peer_level("A", 1, "pos"), *crd = peer_level("A", 1, "crd");
    const value *vals = peer_values("A"), *x = peer_values("x");
    int rows = peer_size("y", 0);
#pragma omp parallel for schedule(static) if (pos[rows] >= WORTHWHILE)
    for (int i = 0; i < rows; i++) {
        int p = pos[i];
        while (p < pos[i + 1] && !(vals[p] && x[crd[p]]))
            p++;
        dense[i] = p < pos[i + 1];
    }
}

static void give(void) { peer_give_dense(dense, peer_size("y", 0)); }

static void finish(void)
{
    free(dense);
    dense = NULL;
}

const struct peer_kernel kernels[] = {
    {"y(i) = any(j, A(i,j) * x(j))", "A:csr", prepare, run, give, finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
