/* hand_blocks.c - by hand: the kernels of the sparse tensor benchmark suite, on lists of
 * coordinates and in blocks.
 *
 * As there, the result's pattern is there before: element-wise kernels are a loop over values,
 * products with a vector or a matrix a loop over fibers, whose ends A's format has.  MTTKRP in
 * blocks goes to the rows of a block once, and then by elements of a byte; rows that the next
 * blocks begin with are asked for ahead.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hand.h"

enum { EDGE = 128, NEXT_BLOCKS = 8 };

static int32_t *place[PEER_ORDER]; /* coordinates of A's entries, by mode */
static int product;                /* the mode that is summed over; -1: none */
static int fiber_count;
static int64_t *fiber_end; /* of fiber f the entries from fiber_end[f] to fiber_end[f + 1] */

/* The modes of A's blocks, of which those of fibers are all others than they sum over; false:
 * another format. */
static bool take_blocked(bool blocked[PEER_ORDER])
{
    const char *format = peer_find("A")->format;
    const bool whole = strncmp(format, "hicoo(128)", 10) == 0, fibers = format[0] == '(';
    for (int mode = 0; mode < order; mode++)
        blocked[mode] = whole || (fibers && mode != product);
    return whole || fibers;
}

/* Whole coordinates of so many elements in blocks of so many modes. */
static void place_blocks(const bool blocked[PEER_ORDER], int blocks, int64_t elements)
{
    const int *ends = peer_level("A", blocks, "pos");
    int level = 0;
    for (int mode = 0; mode < order; mode++) {
        if (!blocked[mode])
            continue;
        const int *block = peer_level("A", level, "crd");
        const uint8_t *element = peer_elements("A", blocks + level++, "crd");
        for (int64_t b = 0, p = 0; p < elements; b++)
            for (; p < ends[b + 1]; p++)
                place[mode][p] = EDGE * block[b] + element[p];
    }
}

/* The modes in the order of the format's list, "coo:0,2,1"; what is not of fibers comes last. */
static void place_list(int levels, int64_t elements)
{
    const char *s = strchr(peer_find("A")->format, ':');
    for (int level = 0; level < levels; level++) {
        int mode = s ? atoi(s + 1) : level;
        memcpy(place[mode], peer_level("A", level, "crd"), (size_t)elements * sizeof(int32_t));
        s = s ? strchr(s + 1, ',') : NULL;
    }
}

/* Each entry has its fiber's coordinates, and its own in the last level. */
static void spread_fibers(int last)
{
    const int *ends = peer_level("A", last, "pos");
    for (int mode = 0; mode < order; mode++) {
        if (mode == product)
            continue;
        int64_t p = stored;
        for (int f = fiber_count - 1; f >= 0; f--)
            while (p > ends[f])
                place[mode][--p] = place[mode][f];
    }
    memcpy(place[product], peer_level("A", last, "crd"), (size_t)stored * sizeof(int32_t));
    for (int f = 0; f <= fiber_count; f++)
        fiber_end[f] = ends[f];
}

static void make_places(void)
{
    for (int mode = 0; mode < order; mode++) {
        place[mode] = peer_memory(stored + ROWS, sizeof(int32_t));
        memset(place[mode] + stored, 0, ROWS * sizeof(int32_t));
    }
}

static bool take_entries(void)
{
    bool blocked[PEER_ORDER] = {false};
    const struct peer_tensor *A = peer_find("A");
    order = A->order;
    stored = A->stored;
    vals = A->vals;
    product = -1;
    bool has_blocks = take_blocked(blocked);
    if (!has_blocks && strncmp(A->format, "coo", 3) != 0)
        return false;
    make_places();
    if (has_blocks)
        place_blocks(blocked, order, stored);
    else
        place_list(order, stored);
    return true;
}

static void drop_places(void)
{
    for (int mode = 0; mode < order; mode++) {
        free(place[mode]);
        place[mode] = NULL;
    }
    free(fiber_end);
    fiber_end = NULL;
    finish();
}

/* ---- element-wise ---- */

static bool prepare_values(void) { return take_entries() && (new_rows(0, stored), true); }

static void run_sum_alike(void)
{
    const value *other = peer_values("W");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int64_t p = 0; p < stored; p++)
        rvals[p] = vals[p] + other[p];
}

static void run_scaled(void)
{
    const value factor_of_all = *peer_values("s");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int64_t p = 0; p < stored; p++)
        rvals[p] = factor_of_all * vals[p];
}

/* The result has so many values for each of A's entries from first[e] on, in the place of the mode
 * that was summed over, if there is one. */
static void give_places(const int64_t *first, int64_t entries, int width)
{
    bool is_vector = product >= 0 && width == 0;
    int modes = order - is_vector, values = width > 0 ? width : 1;
    int32_t *all = peer_memory(modes * values * entries, sizeof *all), *at = all;
    for (int64_t e = 0; e < entries; e++)
        for (int r = 0; r < values; r++)
            for (int mode = 0; mode < order; mode++)
                if (mode != product || width > 0)
                    *at++ = mode == product ? r : place[mode][first ? first[e] : e];
    peer_give_sparse(modes, all, rvals, values * entries);
    free(all);
}

static void give_alike(void) { give_places(NULL, stored, 0); }

/* ---- fibers ---- */

/* A variable of A, by its letter: "... * v(k)".  Fibers are a list, or in blocks of one. */
static bool take_fibers(char vector)
{
    bool blocked[PEER_ORDER] = {false};
    const struct peer_tensor *A = peer_find("A");
    order = A->order;
    stored = A->stored;
    vals = A->vals;
    product = strchr(peer_kernel->statement, vector)[2] - 'i';
    const bool has_blocks = take_blocked(blocked);
    if (!has_blocks && strncmp(A->format, "fibers", 6) != 0)
        return false;
    const int others = order - 1;
    fiber_count = peer_level("A", 0, "pos")[1];
    if (has_blocks)
        fiber_count = peer_level("A", others, "pos")[fiber_count];
    fiber_end = peer_memory(fiber_count + 1, sizeof *fiber_end);
    make_places();
    if (has_blocks)
        place_blocks(blocked, others, fiber_count);
    else
        place_list(others, fiber_count);
    spread_fibers(has_blocks ? 2 * others : others);
    return true;
}

static bool prepare_vector_fibers(void)
{
    return take_fibers('v') && (new_rows(0, fiber_count), true);
}

static void run_vector_fibers(void)
{
    const value *v = peer_values("v");
    const int32_t *at = place[product];
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int f = 0; f < fiber_count; f++) {
        value sum = 0;
        for (int64_t p = fiber_end[f]; p < fiber_end[f + 1]; p++)
            sum += vals[p] * v[at[p]];
        rvals[f] = sum;
    }
}

static void give_vector_fibers(void) { give_places(fiber_end, fiber_count, 0); }

enum { COLUMNS = 16 };

static bool prepare_matrix_fibers(void)
{
    return take_fibers('U') && peer_size("U", 1) == COLUMNS
           && (new_rows(0, (int64_t)fiber_count * COLUMNS), true);
}

static void run_matrix_fibers(void)
{
    const value *U = peer_values("U");
    const int32_t *at = place[product];
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int f = 0; f < fiber_count; f++) {
        lanes sum[COLUMNS / LANES] = {{0}};
        for (int64_t p = fiber_end[f]; p < fiber_end[f + 1]; p++) {
            fetch_row(U + (int64_t)at[p + ROWS] * COLUMNS, COLUMNS);
            add_row(sum, vals[p], U + (int64_t)at[p] * COLUMNS, COLUMNS);
        }
        put_row(rvals + (int64_t)f * COLUMNS, sum, COLUMNS);
    }
}

static void give_matrix_fibers(void) { give_places(fiber_end, fiber_count, COLUMNS); }

/* ---- matricized tensor times Khatri-Rao product, in blocks ---- */

static const int *block_end, *block_at[PEER_ORDER];
static const uint8_t *element_at[PEER_ORDER];
static int64_t block_count;

static bool prepare_block_mttkrp(void)
{
    order = peer_find("A")->order;
    stored = peer_find("A")->stored;
    vals = peer_values("A");
    for (int mode = 0; mode < order; mode++) {
        block_at[mode] = peer_level("A", mode, "crd");
        element_at[mode] = peer_elements("A", order + mode, "crd");
    }
    block_end = peer_level("A", order, "pos");
    block_count = peer_level("A", 0, "pos")[1];
    return prepare_factors() && peer_size("Y", 1) == COLUMNS;
}

/* Where a mode's rows begin that a block is for. */
ALWAYS const value *rows_of_block(int mode, const value *rows, int64_t block)
{
    return rows + (int64_t)block_at[mode][block] * EDGE * COLUMNS;
}

/* The row of each mode that a later block begins with. */
ALWAYS void fetch_block(int64_t block, const value *y, int modes)
{
    int64_t p = block_end[block];
    for (int mode = 0; mode < modes; mode++)
        fetch_row(rows_of_block(mode, mode == given ? y : factor[mode], block)
                      + element_at[mode][p] * COLUMNS,
                  COLUMNS);
}

ALWAYS void put_blocks(int64_t first, int64_t last, value *y, int modes)
{
    for (int64_t b = first; b < last; b++) {
        const value *rows[PEER_ORDER];
        value *to = y + (int64_t)block_at[given][b] * EDGE * COLUMNS;
        for (int mode = 0; mode < modes; mode++)
            rows[mode] = mode == given ? NULL : rows_of_block(mode, factor[mode], b);
        fetch_block(b + NEXT_BLOCKS < last ? b + NEXT_BLOCKS : b, y, modes);
        for (int64_t p = block_end[b]; p < block_end[b + 1]; p++) {
            value *row = to + element_at[given][p] * COLUMNS;
#pragma GCC unroll 8
            for (int k = 0; k < COLUMNS / LANES; k++) {
                lanes all = (lanes){0} + vals[p];
                for (int mode = 0; mode < modes; mode++)
                    if (mode != given)
                        all *= *(const lanes *)(rows[mode] + element_at[mode][p] * COLUMNS
                                                + k * LANES);
                *(lanes *)(row + k * LANES) += all;
            }
        }
    }
}

static void run_block_mttkrp(void)
{
    int parts = count_parts();
    struct copies copies = copy_result();
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < parts; t++) {
        int64_t first = block_count * t / parts, last = block_count * (t + 1) / parts;
        if (order == 3)
            put_blocks(first, last, copies.of[t], 3);
        else
            put_blocks(first, last, copies.of[t], 4);
    }
    sum_copies(&copies);
}
