/* hand_tensors.c - by hand: tensors of any order, as coordinate trees and as lists of coordinates.
 *
 * Rows of 16 or 32 in registers, gathered rows asked for ahead of time, a fiber's sum multiplied by
 * the rows above it once; results that have a known pattern are not searched for one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hand.h"

#define ALWAYS static inline __attribute__((always_inline))

static const int *tree_pos[PEER_ORDER], *tree_crd[PEER_ORDER]; /* of A's levels */
static const value *factor[PEER_ORDER];                        /* by level; NULL: the result's */
static int order, given;                                       /* the result's level */

static bool take_tree(void)
{
    order = peer_find("A")->order;
    m = peer_size("A", 0);
    for (int level = 0; level < order; level++) {
        tree_pos[level] = peer_level("A", level, "pos");
        tree_crd[level] = peer_level("A", level, "crd");
    }
    pos = tree_pos[order - 1], crd = tree_crd[order - 1];
    vals = peer_values("A");
    stored = peer_find("A")->stored;
    return true;
}

static bool take_coordinates(void)
{
    order = peer_find("A")->order;
    m = peer_size("A", 0);
    for (int level = 0; level < order; level++)
        tree_crd[level] = peer_level("A", level, "crd");
    crd = tree_crd[order - 1];
    vals = peer_values("A");
    stored = peer_find("A")->stored;
    return true;
}

/* ---- fibers of a tensor of order three ---- */

static int fibers;
static const int *fiber_pos, *fiber_row, *fiber_column;
static int *made_pos, *made_row, *made_column;

static void drop_fibers(void)
{
    free(made_pos);
    free(made_row);
    free(made_column);
    made_pos = made_row = made_column = NULL;
    finish();
}

/* Which row each is in. */
static void look_at_tree(void)
{
    fibers = tree_pos[1][tree_pos[0][1]];
    free(made_row);
    fiber_pos = pos, fiber_column = tree_crd[1];
    fiber_row = made_row = peer_memory(fibers, sizeof *made_row);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int s = 0; s < tree_pos[0][1]; s++)
        for (int f = tree_pos[1][s]; f < tree_pos[1][s + 1]; f++)
            made_row[f] = tree_crd[0][s];
}

/* A fiber begins where the first two coordinates are others than before. */
static void look_at_list(void)
{
    const int *i = tree_crd[0], *j = tree_crd[1];
    made_pos = peer_memory(stored + 1, sizeof *made_pos);
    made_row = peer_memory(stored + 1, sizeof *made_row);
    made_column = peer_memory(stored + 1, sizeof *made_column);
    fibers = 0;
    for (int64_t p = 0; p < stored; p++) {
        made_pos[fibers] = (int)p;
        made_row[fibers] = i[p];
        made_column[fibers] = j[p];
        fibers += p == 0 || i[p] != i[p - 1] || j[p] != j[p - 1];
    }
    made_pos[fibers] = (int)stored;
    fiber_pos = made_pos, fiber_row = made_row, fiber_column = made_column;
}

static bool prepare_tree(void) { return take_tree() && (look_at_tree(), true); }

static void sum_fibers(void)
{
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int f = 0; f < fibers; f++) {
        value sum = 0;
        for (int p = fiber_pos[f]; p < fiber_pos[f + 1]; p++)
            sum += vals[p] * x[crd[p]];
        rvals[f] = sum;
    }
}

/* The pattern is known: it is that of A's fibers. */
static void run_ttv(void)
{
    new_rows(0, fibers);
    memcpy(rcrd, fiber_column, (size_t)fibers * sizeof *rcrd);
    sum_fibers();
}

static void run_list_ttv(void)
{
    drop_fibers();
    look_at_list();
    new_rows(0, fibers);
    sum_fibers();
}

static void give_fibers(void) { give_list(fiber_row, fiber_column, rvals, fibers); }

ALWAYS void sum_fiber_rows(int width)
{
    const value *x = peer_values("X");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int f = 0; f < fibers; f++) {
        lanes sum[TILE / LANES] = {{0}};
        for (int p = fiber_pos[f]; p < fiber_pos[f + 1]; p++) {
            fetch_row(x + (int64_t)crd[p + ROWS] * width, width);
            add_row(sum, vals[p], x + (int64_t)crd[p] * width, width);
        }
        put_row(rvals + (int64_t)f * width, sum, width);
    }
}

enum { SHORT = 16 }; /* rows of the results below */

static void run_ttm(void)
{
    new_rows(0, (int64_t)fibers * SHORT);
    memcpy(rcrd, fiber_column, (size_t)fibers * sizeof *rcrd);
    sum_fiber_rows(SHORT);
}

static void run_list_ttm(void)
{
    drop_fibers();
    look_at_list();
    new_rows(0, (int64_t)fibers * SHORT);
    sum_fiber_rows(SHORT);
}

static bool prepare_ttm(void) { return prepare_tree() && peer_size("X", 1) == SHORT; }

static bool prepare_list_ttm(void) { return take_coordinates() && peer_size("X", 1) == SHORT; }

static void give_fiber_rows(void)
{
    int32_t *all = peer_memory(3 * SHORT * (int64_t)fibers, sizeof *all), *at = all;
    for (int f = 0; f < fibers; f++)
        for (int r = 0; r < SHORT; r++) {
            *at++ = fiber_row[f];
            *at++ = fiber_column[f];
            *at++ = r;
        }
    peer_give_sparse(3, all, rvals, (int64_t)SHORT * fibers);
    free(all);
}

/* ---- matricized tensor times Khatri-Rao product ---- */

/* Which mode each level has: as a format "csf:1,0,2" says, or as they come. */
static void order_levels(int mode[PEER_ORDER])
{
    const char *s = strchr(peer_find("A")->format, ':');
    for (int level = 0; level < order; level++) {
        mode[level] = s ? atoi(s + 1) : level;
        s = s ? strchr(s + 1, ',') : NULL;
    }
}

/* The factors' names are those of the other modes, in order; the result has the one that is left,
 * whose variable is its first. */
static bool prepare_factors(void)
{
    static const char *const names[] = {"X", "Z", "W", "V"};
    int mode[PEER_ORDER], result = peer_kernel->statement[2] - 'i';
    take_result("Y");
    order_levels(mode);
    for (int level = 0; level < order; level++) {
        factor[level] = NULL;
        if (mode[level] == result)
            given = level;
        else
            factor[level] = peer_values(names[mode[level] - (mode[level] > result)]);
    }
    return peer_size("Y", 1) == TILE || peer_size("Y", 1) == SHORT;
}

static bool prepare_mttkrp(void) { return take_tree() && prepare_factors(); }

static bool prepare_list_mttkrp(void) { return take_coordinates() && prepare_factors(); }

/* What is below a node, summed: entries times the rows of the levels below, of which there are as
 * many as the function's name says. */
ALWAYS void sum_1(lanes *sum, int node, int width)
{
    const value *rows = factor[order - 1];
    for (int p = pos[node]; p < pos[node + 1]; p++) {
        fetch_row(rows + (int64_t)crd[p + ROWS] * width, width);
        add_row(sum, vals[p], rows + (int64_t)crd[p] * width, width);
    }
}

ALWAYS void add_product(lanes *sum, const lanes *other, const value *row, int width)
{
#pragma GCC unroll 8
    for (int k = 0; k < width / LANES; k++)
        sum[k] += other[k] * *(const lanes *)(row + k * LANES);
}

#define SUM_BELOW(depth, less)                                                              \
    ALWAYS void sum_##depth(lanes *sum, int node, int width)                                \
    {                                                                                       \
        const int *of = tree_pos[order - depth], *at = tree_crd[order - depth];             \
        for (int p = of[node]; p < of[node + 1]; p++) {                                     \
            lanes below[TILE / LANES] = {{0}};                                              \
            sum_##less(below, p, width);                                                    \
            add_product(sum, below, factor[order - depth] + (int64_t)at[p] * width, width); \
        }                                                                                   \
    }

SUM_BELOW(2, 1)
SUM_BELOW(3, 2)
SUM_BELOW(4, 3)

/* Into the result's rows, of nodes of its level, times the rows above. */
ALWAYS void put_nodes(int first, int last, const lanes *above, value *y, int depth, int width)
{
    const int *at = tree_crd[given];
    for (int p = first; p < last; p++) {
        value *row = y + (int64_t)at[p] * width;
        lanes below[TILE / LANES] = {{0}};
        switch (depth) {
        case 0: break;
        case 1: sum_1(below, p, width); break;
        case 2: sum_2(below, p, width); break;
        case 3: sum_3(below, p, width); break;
        default: sum_4(below, p, width); break;
        }
        if (depth == 0)
            fetch_row(y + (int64_t)at[p + ROWS] * width, width);
#pragma GCC unroll 8
        for (int k = 0; k < width / LANES; k++)
            *(lanes *)(row + k * LANES) += depth == 0 ? vals[p] * above[k] : below[k] * above[k];
    }
}

/* Nodes of a level down to the result's. */
static void descend(int level, int first, int last, const lanes *above, value *y, int width)
{
    if (level == given) {
        switch (2 * (order - 1 - given) + (width == TILE)) {
        case 0: put_nodes(first, last, above, y, 0, SHORT); break;
        case 1: put_nodes(first, last, above, y, 0, TILE); break;
        case 2: put_nodes(first, last, above, y, 1, SHORT); break;
        case 3: put_nodes(first, last, above, y, 1, TILE); break;
        case 4: put_nodes(first, last, above, y, 2, SHORT); break;
        case 5: put_nodes(first, last, above, y, 2, TILE); break;
        case 6: put_nodes(first, last, above, y, 3, SHORT); break;
        case 7: put_nodes(first, last, above, y, 3, TILE); break;
        case 8: put_nodes(first, last, above, y, 4, SHORT); break;
        default: put_nodes(first, last, above, y, 4, TILE); break;
        }
        return;
    }
    for (int p = first; p < last; p++) {
        const value *row = factor[level] + (int64_t)tree_crd[level][p] * width;
        lanes product[TILE / LANES];
        for (int k = 0; k < width / LANES; k++)
            product[k] = above[k] * *(const lanes *)(row + k * LANES);
        descend(level + 1, tree_pos[level + 1][p], tree_pos[level + 1][p + 1], product, y, width);
    }
}

/* Slices have rows of their own if the result's mode is theirs; else each thread has a result. */
static void run_mttkrp(void)
{
    enum { SLICES = 16 };
    int width = peer_size("Y", 1), slices = tree_pos[0][1];
    struct copies copies = {.n = 1};
    lanes ones[TILE / LANES];
    for (int k = 0; k < TILE / LANES; k++)
        ones[k] = (lanes){0} + 1;
    if (given > 0)
        copies = copy_result();
    else
        memset(dense, 0, (size_t)size * sizeof *dense);
#pragma omp parallel for schedule(dynamic, 1) if (is_parallel)
    for (int s = 0; s < slices; s += SLICES) {
        value *y = given > 0 ? copies.of[omp_get_thread_num()] : dense;
        descend(0, s, s + SLICES < slices ? s + SLICES : slices, ones, y, width);
    }
    sum_copies(&copies);
}

/* Entries of a list, each by itself, times rows of all other modes. */
ALWAYS void put_entries(int64_t first, int64_t last, value *y, int others, int width)
{
    const value *rows[4] = {NULL};
    const int *at[4] = {NULL}, *to = tree_crd[given];
    for (int mode = 0, k = 0; mode < order; mode++)
        if (mode != given)
            rows[k] = factor[mode], at[k++] = tree_crd[mode];
    for (int64_t p = first; p < last; p++) {
        lanes product[TILE / LANES];
        fetch_row(y + (int64_t)to[p + ROWS] * width, width);
#pragma GCC unroll 8
        for (int k = 0; k < width / LANES; k++)
            product[k] =
                vals[p] * *(const lanes *)(rows[0] + (int64_t)at[0][p] * width + k * LANES);
#pragma GCC unroll 4
        for (int o = 0; o < others; o++)
            fetch_row(rows[o] + (int64_t)at[o][p + ROWS] * width, width);
#pragma GCC unroll 4
        for (int o = 1; o < others; o++)
#pragma GCC unroll 8
            for (int k = 0; k < width / LANES; k++)
                product[k] *= *(const lanes *)(rows[o] + (int64_t)at[o][p] * width + k * LANES);
#pragma GCC unroll 8
        for (int k = 0; k < width / LANES; k++)
            *(lanes *)(y + (int64_t)to[p] * width + k * LANES) += product[k];
    }
}

static void put_list(int64_t first, int64_t last, value *y)
{
    switch (2 * order + (peer_size("Y", 1) == TILE)) {
    case 6: put_entries(first, last, y, 2, SHORT); break;
    case 7: put_entries(first, last, y, 2, TILE); break;
    case 8: put_entries(first, last, y, 3, SHORT); break;
    case 9: put_entries(first, last, y, 3, TILE); break;
    case 10: put_entries(first, last, y, 4, SHORT); break;
    default: put_entries(first, last, y, 4, TILE); break;
    }
}

static void run_list_mttkrp(void)
{
    int parts = count_parts();
    struct copies copies = {.n = 1};
    if (given > 0)
        copies = copy_result();
    else
        memset(dense, 0, (size_t)size * sizeof *dense);
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < parts; t++)
        if (given > 0)
            put_list(stored * t / parts, stored * (t + 1) / parts, copies.of[t]);
        else
            put_list(part_of_list(tree_crd[0], stored, t, parts),
                     part_of_list(tree_crd[0], stored, t + 1, parts), dense);
    sum_copies(&copies);
}

/* ---- a sorted list as a tree ---- */

/* A level's node is new where a coordinate of it or above is another than before. */
static void run_to_tree(void)
{
    int last = order - 1;
    drop_fibers();
    new_rows(0, stored);
    made_pos = peer_memory(stored + 1, sizeof *made_pos);
    made_column = peer_memory(stored + 1, sizeof *made_column);
    made_row = peer_memory(2 * (stored + 1), sizeof *made_row); /* slices: where, which */
    fibers = 0, size = 0;
    for (int64_t p = 0; p < stored; p++) {
        bool is_slice = p == 0 || tree_crd[0][p] != tree_crd[0][p - 1];
        made_row[2 * size] = fibers;
        made_row[2 * size + 1] = tree_crd[0][p];
        made_pos[fibers] = (int)p;
        made_column[fibers] = tree_crd[1][p];
        size += is_slice;
        fibers += is_slice || tree_crd[1][p] != tree_crd[1][p - 1];
    }
    made_pos[fibers] = (int)stored;
    made_row[2 * size] = fibers;
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int64_t p = 0; p < stored; p++)
        rcrd[p] = tree_crd[last][p], rvals[p] = vals[p];
}

static bool prepare_list_of_three(void) { return take_coordinates() && order == 3; }

static void give_tree(void)
{
    int32_t *all = peer_memory(3 * stored, sizeof *all), *at = all;
    for (int64_t s = 0; s < size; s++)
        for (int f = made_row[2 * s]; f < made_row[2 * s + 2]; f++)
            for (int p = made_pos[f]; p < made_pos[f + 1]; p++) {
                *at++ = made_row[2 * s + 1];
                *at++ = made_column[f];
                *at++ = rcrd[p];
            }
    peer_give_sparse(3, all, rvals, stored);
    free(all);
}
