/* hand.c - kernels written by hand, as a peer of spcc bench: the best forms found by experiment.
 *
 * Sums in several lanes, rows of a dense result in registers, streams and gathered rows asked for
 * ahead of time, a row marked once where it is compared with many, sizes counted or bounded before
 * anything is appended.  Each loop is one for one thread or, where its parts are independent, for
 * several (OpenMP).
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <omp.h>

#include "peer.h"

/* Entries ahead: of streams, of gathered rows, of counters that are scattered to. */
enum { STREAM = 256, ROWS = 8, SCATTER = 16, TILE = 32, LANES = 64 / (int)sizeof(value) };

typedef value lanes __attribute__((vector_size(64), aligned(sizeof(value)), may_alias));
typedef value four
    __attribute__((vector_size(4 * sizeof(value)), aligned(sizeof(value)), may_alias));

static bool is_parallel;
static int m, n;             /* of A */
static const int *pos, *crd; /* of its last level */
static const value *vals;
static value *dense;         /* a dense result, */
static int64_t size;         /* and its components */
static int32_t *rpos, *rcrd; /* a result by compressed rows */
static value *rvals;

static bool peer_start(char *name, size_t room)
{
    snprintf(name, room, "by hand");
    return true;
}

static void peer_threads(int threads)
{
    omp_set_num_threads(threads);
    is_parallel = threads > 1;
}

/* ---- inputs and results ---- */

static bool take_matrix(void)
{
    m = peer_size("A", 0), n = peer_size("A", 1);
    pos = peer_level("A", 1, "pos"), crd = peer_level("A", 1, "crd");
    vals = peer_values("A");
    return true;
}

static void take_result(const char *name)
{
    size = 1;
    for (int k = 0; k < peer_find(name)->order; k++)
        size *= peer_size(name, k);
    dense = peer_memory(size, sizeof *dense);
}

static bool prepare_vector(void) { return take_result("y"), take_matrix(); }

static bool prepare_rows(void) { return take_result("Y"), take_matrix(); }

static void drop_rows(void)
{
    free(rpos);
    free(rcrd);
    free(rvals);
    rpos = rcrd = NULL;
    rvals = NULL;
}

static void new_rows(int64_t rows, int64_t most)
{
    drop_rows();
    rpos = peer_memory(rows + 1, sizeof *rpos);
    rcrd = peer_memory(most, sizeof *rcrd);
    rvals = peer_memory(most, sizeof *rvals);
    rpos[0] = 0;
}

static void finish(void)
{
    drop_rows();
    free(dense);
    dense = NULL;
}

static void give_dense(void) { peer_give_dense(dense, size); }

static void give_rows(void) { peer_give_rows(m, rpos, rcrd, rvals, false); }

static void give_columns(void) { peer_give_rows(n, rpos, rcrd, rvals, true); }

/* ---- matrix and vector ---- */

static inline value dot_row(int begin, int end, const value *x)
{
    four t = {0};
    int p = begin;
    for (; p < end - 3; p += 4) {
        __builtin_prefetch(vals + p + STREAM);
        __builtin_prefetch(crd + p + STREAM);
        four gathered = {x[crd[p]], x[crd[p + 1]], x[crd[p + 2]], x[crd[p + 3]]};
        t += *(const four *)(vals + p) * gathered;
    }
    value sum = (t[0] + t[1]) + (t[2] + t[3]);
    for (; p < end; p++)
        sum += vals[p] * x[crd[p]];
    return sum;
}

static void run_spmv(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        dense[i] = dot_row(pos[i], pos[i + 1], x);
}

/* Blocks of 4 x 4, a vector for an inner column: four rows of y in one register. */
static void run_blocks(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int b = 0; b < m / 4; b++) {
        four sum[4] = {{0}};
        for (int p = pos[b]; p < pos[b + 1]; p++) {
            const value *block = vals + (int64_t)p * 16;
            four part = *(const four *)(x + (int64_t)crd[p] * 4);
            for (int i = 0; i < 4; i++)
                sum[i] += *(const four *)(block + 4 * i) * part;
        }
        for (int i = 0; i < 4; i++)
            dense[4 * b + i] = (sum[i][0] + sum[i][1]) + (sum[i][2] + sum[i][3]);
    }
}

static bool prepare_blocks(void) { return prepare_vector() && m % 4 == 0 && n % 4 == 0; }

static bool prepare_diagonals(void)
{
    take_result("y");
    m = peer_size("A", 0), n = peer_size("A", 1);
    pos = peer_level("A", 0, "pos"), crd = peer_level("A", 0, "crd");
    vals = peer_values("A");
    return true;
}

/* Rows in blocks that stay in the first-level cache, the diagonals inside. */
static void run_diagonals(void)
{
    enum { BLOCK = 1024 };
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int b = 0; b < m; b += BLOCK) {
        int end = b + BLOCK < m ? b + BLOCK : m;
        memset(dense + b, 0, (size_t)(end - b) * sizeof *dense);
        for (int p = pos[0]; p < pos[1]; p++) {
            int d = crd[p], first = b > -d ? b : -d, last = end < n - d ? end : n - d;
            const value *diagonal = vals + (int64_t)p * m;
            for (int i = first; i < last; i++)
                dense[i] += diagonal[i] * x[i + d];
        }
    }
}

/* Four minima, because one waits for its own result. */
static void run_min_plus(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++) {
        value least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
        int p = pos[i], end = pos[i + 1];
        for (; p < end - 3; p += 4)
            for (int k = 0; k < 4; k++) {
                value sum = vals[p + k] + x[crd[p + k]];
                least[k] = sum < least[k] ? sum : least[k];
            }
        for (; p < end; p++) {
            value sum = vals[p] + x[crd[p]];
            least[0] = sum < least[0] ? sum : least[0];
        }
        least[0] = least[0] < least[1] ? least[0] : least[1];
        least[2] = least[2] < least[3] ? least[2] : least[3];
        dense[i] = least[0] < least[2] ? least[0] : least[2];
    }
}

/* ---- with dense rows ---- */

static inline void fetch_row(const value *row)
{
    for (int r = 0; r < TILE; r += LANES)
        __builtin_prefetch(row + r);
}

static inline void add_row(lanes sum[TILE / LANES], value factor, const value *row)
{
#pragma GCC unroll 8
    for (int k = 0; k < TILE / LANES; k++)
        sum[k] += factor * *(const lanes *)(row + k * LANES);
}

/* Not by memcpy, for which the sums would leave their registers. */
static inline void put_row(value *row, const lanes sum[TILE / LANES])
{
#pragma GCC unroll 8
    for (int k = 0; k < TILE / LANES; k++)
        *(lanes *)(row + k * LANES) = sum[k];
}

static bool prepare_spmm(void) { return prepare_rows() && peer_size("X", 1) % TILE == 0; }

/* crd has as many entries behind its last one as are asked for ahead. */
static void run_spmm(void)
{
    const value *x = peer_values("X");
    int64_t columns = peer_size("X", 1);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        for (int64_t r = 0; r < columns; r += TILE) {
            lanes sum[TILE / LANES] = {{0}};
            for (int p = pos[i]; p < pos[i + 1]; p++) {
                fetch_row(x + crd[p + ROWS] * columns + r);
                add_row(sum, vals[p], x + crd[p] * columns + r);
            }
            put_row(dense + i * columns + r, sum);
        }
}

static bool prepare_sddmm(void) { return take_matrix() && peer_size("X", 1) == TILE; }

static void run_sddmm(void)
{
    const value *x = peer_values("X"), *y = peer_values("Y");
    new_rows(m, pos[m]);
    memcpy(rpos, pos, ((size_t)m + 1) * sizeof *pos);
    memcpy(rcrd, crd, (size_t)pos[m] * sizeof *crd);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++) {
        lanes row[TILE / LANES];
        memcpy(row, x + (int64_t)i * TILE, sizeof row);
        for (int p = pos[i]; p < pos[i + 1]; p++) {
            const value *other = y + (int64_t)crd[p] * TILE;
            lanes sum = {0};
            fetch_row(y + (int64_t)crd[p + ROWS] * TILE);
            for (int k = 0; k < TILE / LANES; k++)
                sum += row[k] * *(const lanes *)(other + k * LANES);
            value all = 0;
            for (int k = 0; k < LANES; k++)
                all += sum[k];
            rvals[p] = vals[p] * all;
        }
    }
}

/* ---- sums and products of matrices ---- */

/* No check for each entry: the operands' entries bound the result's.  Both arms are one without
 * branches. */
static void run_add(void)
{
    const int *bpos = peer_level("B", 1, "pos"), *bcrd = peer_level("B", 1, "crd");
    const value *bvals = peer_values("B");
    int at = 0;
    new_rows(m, (int64_t)pos[m] + bpos[m]);
    for (int i = 0; i < m; i++) {
        int p = pos[i], pend = pos[i + 1], q = bpos[i], qend = bpos[i + 1];
        while (p < pend && q < qend) {
            int a = crd[p], b = bcrd[q];
            rcrd[at] = a < b ? a : b;
            rvals[at++] = (a <= b ? vals[p] : 0) + (b <= a ? bvals[q] : 0);
            p += a <= b;
            q += b <= a;
        }
        memcpy(rcrd + at, crd + p, (size_t)(pend - p) * sizeof *crd);
        memcpy(rvals + at, vals + p, (size_t)(pend - p) * sizeof *vals);
        at += pend - p;
        memcpy(rcrd + at, bcrd + q, (size_t)(qend - q) * sizeof *crd);
        memcpy(rvals + at, bvals + q, (size_t)(qend - q) * sizeof *vals);
        at += qend - q;
        rpos[i + 1] = at;
    }
}

static void run_multiply(void)
{
    const int *bpos = peer_level("B", 1, "pos"), *bcrd = peer_level("B", 1, "crd");
    const value *bvals = peer_values("B");
    int at = 0;
    new_rows(m, pos[m]);
    for (int i = 0; i < m; i++) {
        for (int p = pos[i], q = bpos[i]; p < pos[i + 1] && q < bpos[i + 1];) {
            int a = crd[p], b = bcrd[q];
            rcrd[at] = a;
            rvals[at] = vals[p] * bvals[q];
            at += a == b;
            p += a <= b;
            q += b <= a;
        }
        rpos[i + 1] = at;
    }
}

/* The mask's row is marked with where its entries are, and the product goes there only. */
static void run_masked(void)
{
    const int *bpos = peer_level("B", 1, "pos"), *bcrd = peer_level("B", 1, "crd");
    const value *bvals = peer_values("B");
    new_rows(m, bpos[m]);
    memcpy(rpos, bpos, ((size_t)m + 1) * sizeof *bpos);
    memcpy(rcrd, bcrd, (size_t)bpos[m] * sizeof *bcrd);
#pragma omp parallel if (is_parallel)
    {
        int *mark = peer_memory(n, sizeof *mark);
        memset(mark, 0xFF, (size_t)n * sizeof *mark);
#pragma omp for schedule(dynamic, 256)
        for (int i = 0; i < m; i++) {
            for (int q = bpos[i]; q < bpos[i + 1]; q++)
                mark[bcrd[q]] = q, rvals[q] = 0;
            for (int p = pos[i]; p < pos[i + 1] && bpos[i] < bpos[i + 1]; p++)
                for (int s = pos[crd[p]]; s < pos[crd[p] + 1]; s++)
                    if (mark[crd[s]] >= 0)
                        rvals[mark[crd[s]]] += vals[p] * vals[s];
            for (int q = bpos[i]; q < bpos[i + 1]; q++)
                mark[bcrd[q]] = -1, rvals[q] *= bvals[q];
        }
        free(mark);
    }
}

static bool prepare_number(void)
{
    size = 1;
    dense = peer_memory(1, sizeof *dense);
    return take_matrix();
}

/* A row of A is marked once, and the rows of its neighbours are looked up in it. */
static void run_triangles(void)
{
    double all = 0;
#pragma omp parallel reduction(+ : all) if (is_parallel)
    {
        value *mark = calloc((size_t)n + 1, sizeof *mark);
#pragma omp for schedule(dynamic, 256)
        for (int i = 0; i < m; i++) {
            for (int p = pos[i]; p < pos[i + 1]; p++)
                mark[crd[p]] = vals[p];
            for (int p = pos[i]; p < pos[i + 1]; p++) {
                value sum = 0;
                for (int s = pos[crd[p]]; s < pos[crd[p] + 1]; s++)
                    sum += vals[s] * mark[crd[s]];
                all += (double)(vals[p] * sum);
            }
            for (int p = pos[i]; p < pos[i + 1]; p++)
                mark[crd[p]] = 0;
        }
        free(mark);
    }
    dense[0] = (value)all;
}

/* Counters and targets are asked for before they are used. */
static void run_to_columns(void)
{
    new_rows(n, pos[m]);
    memset(rpos, 0, ((size_t)n + 1) * sizeof *rpos);
    for (int p = 0; p < pos[m]; p++) {
        __builtin_prefetch(rpos + crd[p + SCATTER < pos[m] ? p + SCATTER : p] + 1, 1);
        rpos[crd[p] + 1]++;
    }
    for (int j = 0; j < n; j++)
        rpos[j + 1] += rpos[j];
    for (int i = 0; i < m; i++)
        for (int p = pos[i]; p < pos[i + 1]; p++) {
            int near = p + SCATTER < pos[m] ? p + SCATTER : p;
            int far = near + SCATTER < pos[m] ? near + SCATTER : near;
            __builtin_prefetch(rpos + crd[far], 1);
            __builtin_prefetch(rcrd + rpos[crd[near]], 1);
            __builtin_prefetch(rvals + rpos[crd[near]], 1);
            int to = rpos[crd[p]]++;
            rcrd[to] = i;
            rvals[to] = vals[p];
        }
    memmove(rpos + 1, rpos, (size_t)n * sizeof *rpos);
    rpos[0] = 0;
}

/* ---- tensors of order three, as coordinate trees ---- */

static const int *pos1, *crd1, *pos2, *crd2; /* of the levels above the last */

static bool take_tree(void)
{
    m = peer_size("A", 0);
    pos1 = peer_level("A", 0, "pos"), crd1 = peer_level("A", 0, "crd");
    pos2 = peer_level("A", 1, "pos"), crd2 = peer_level("A", 1, "crd");
    pos = peer_level("A", 2, "pos"), crd = peer_level("A", 2, "crd");
    vals = peer_values("A");
    return true;
}

/* The pattern is known: it is that of A's fibers. */
static void run_ttv(void)
{
    const value *x = peer_values("x");
    int fibers = pos2[pos1[1]];
    new_rows(0, fibers);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int f = 0; f < fibers; f++) {
        value sum = 0;
        for (int p = pos[f]; p < pos[f + 1]; p++)
            sum += vals[p] * x[crd[p]];
        rcrd[f] = crd2[f];
        rvals[f] = sum;
    }
}

static void give_fibers(void)
{
    int fibers = pos2[pos1[1]];
    int32_t *all = peer_memory(2 * (int64_t)fibers, sizeof *all);
    for (int s = pos1[0]; s < pos1[1]; s++)
        for (int f = pos2[s]; f < pos2[s + 1]; f++) {
            all[2 * (int64_t)f] = crd1[s];
            all[2 * (int64_t)f + 1] = rcrd[f];
        }
    peer_give_sparse(2, all, rvals, fibers);
    free(all);
}

static bool prepare_mttkrp(void)
{
    take_result("Y");
    return take_tree() && peer_size("Y", 1) == TILE;
}

/* A fiber's sum in registers, multiplied by its row once. */
static void run_mttkrp(void)
{
    const value *x = peer_values("X"), *z = peer_values("Z");
    memset(dense, 0, (size_t)size * sizeof *dense);
#pragma omp parallel for schedule(dynamic, 64) if (is_parallel)
    for (int s = pos1[0]; s < pos1[1]; s++) {
        lanes sum[TILE / LANES] = {{0}};
        for (int f = pos2[s]; f < pos2[s + 1]; f++) {
            lanes fiber[TILE / LANES] = {{0}};
            const value *row = x + (int64_t)crd2[f] * TILE;
            for (int p = pos[f]; p < pos[f + 1]; p++) {
                fetch_row(z + (int64_t)crd[p + ROWS] * TILE);
                add_row(fiber, vals[p], z + (int64_t)crd[p] * TILE);
            }
#pragma GCC unroll 8
            for (int k = 0; k < TILE / LANES; k++)
                sum[k] += fiber[k] * *(const lanes *)(row + k * LANES);
        }
        put_row(dense + (int64_t)crd1[s] * TILE, sum);
    }
}

#define THREE "A:csr B:csr C:csr"

const struct peer_kernel kernels[] = {
    {"y(i) = A(i,j) * x(j)", "A:csr", prepare_vector, run_spmv, give_dense, finish},
    {"y(i) = A(i,j) * x(j)", "A:bcsr(4,4)", prepare_blocks, run_blocks, give_dense, finish},
    {"y(i) = A(i,j) * x(j)", "A:dia", prepare_diagonals, run_diagonals, give_dense, finish},
    {"y(i) = min(j, A(i,j) + x(j))", "A~csr", prepare_vector, run_min_plus, give_dense, finish},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:csr", prepare_spmm, run_spmm, give_dense, finish},
    {"B(i,j) = A(i,j) * X(i,r) * Y(j,r)", "A:csr B:csr", prepare_sddmm, run_sddmm, give_rows,
     finish},
    {"C(i,j) = A(i,j) + B(i,j)", THREE, take_matrix, run_add, give_rows, finish},
    {"C(i,j) = A(i,j) * B(i,j)", THREE, take_matrix, run_multiply, give_rows, finish},
    {"C(i,j) = B(i,j) * A(i,k) * A(k,j)", THREE, take_matrix, run_masked, give_rows, finish},
    {"n = A(i,j) * A(j,k) * A(i,k)", "A:csr", prepare_number, run_triangles, give_dense, finish},
    {"B(i,j) = A(i,j)", "A:csr B:csc", take_matrix, run_to_columns, give_columns, finish},
    {"C(i,j) = A(i,j,k) * x(k)", "A:csf C:dcsr", take_tree, run_ttv, give_fibers, finish},
    {"Y(i,r) = A(i,j,k) * X(j,r) * Z(k,r)", "A:csf", prepare_mttkrp, run_mttkrp, give_dense,
     finish},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
