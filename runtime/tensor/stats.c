/* stats.c - facts about the pattern of a tensor.
 *
 * The list of coordinates is sorted by rows.  Then slices, diagonals and blocks are counted: in
 * tables if these are not much larger than the list, otherwise by sorting.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runtime/tensor/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/value/value.h"
#include "runtime/tensor/alloc.h"

/* Is an array of this many elements worth its memory: are there not many more than components? */
static bool is_small(int64_t limit, int64_t n) { return limit / 8 <= n + 1024; }

static int compare_keys(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* ---- slices ---- */

/* Both functions write the numbers of components of the slices that are not empty, and return the
 * number of these slices. */
static int64_t count_slices(const struct coords *c, int m, int64_t *length)
{
    for (int64_t k = 0; k < c->n; k++)
        length[c->coordinate[m][k]]++;
    return c->dimension[m];
}

/* For many more slices than components: one run for each slice that is not empty. */
static int64_t sort_slices(const struct coords *c, int m, int64_t *length)
{
    int64_t slices = 0;
    if (c->n > 0)
        memcpy(length, c->coordinate[m], (size_t)c->n * sizeof *length);
    qsort(length, (size_t)c->n, sizeof *length, compare_keys);
    /* a run is at least as long as what is written for it */
    for (int64_t begin = 0, end; begin < c->n; begin = end) {
        for (end = begin + 1; end < c->n && length[end] == length[begin];)
            end++;
        length[slices++] = end - begin;
    }
    return slices;
}

/* Each bin's end has the same ratio to its beginning, so that all together reach from the least to
 * the most; but each has at least one number. */
static void choose_bins(const struct stats_mode *mode, struct stats_histogram *histogram)
{
    double end = (double)mode->most + 1;
    int64_t bound = mode->least;
    histogram->bins = 0;
    while (bound <= mode->most) {
        histogram->bound[histogram->bins++] = bound;
        int left = STATS_BINS - histogram->bins;
        double wider = left > 0 && bound > 0
                           ? (double)bound * pow(end / (double)bound, 1.0 / (left + 1))
                           : end;
        bound = left == 0                                   ? mode->most + 1
                : bound == 0 || wider < (double)(bound + 1) ? bound + 1
                                                            : (int64_t)wider;
    }
    histogram->bound[histogram->bins] = mode->most + 1;
}

static void fill_bins(const int64_t *length, int64_t slices, int64_t empty,
                      struct stats_histogram *histogram)
{
    memset(histogram->slices, 0, sizeof histogram->slices);
    if (empty > 0)
        histogram->slices[0] = empty;
    for (int64_t i = 0; i < slices; i++) {
        int low = 0, high = histogram->bins;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            *(histogram->bound[middle] <= length[i] ? &low : &high) = middle;
        }
        histogram->slices[low]++;
    }
}

static void measure_slices(const int64_t *length, int64_t slices, struct stats_mode *mode,
                           double *squares)
{
    for (int64_t i = 0; i < slices; i++) {
        mode->used += length[i] > 0;
        mode->least = length[i] < mode->least ? length[i] : mode->least;
        mode->most = length[i] > mode->most ? length[i] : mode->most;
        *squares += (double)length[i] * (double)length[i];
    }
    if (slices < mode->dimension)
        mode->least = 0;
}

static enum rt_status measure_mode(const struct coords *c, int m, struct stats *stats,
                                   struct rt_error *error)
{
    struct stats_mode *mode = &stats->mode[m];
    double squares = 0, slices = (double)c->dimension[m];
    bool counts = is_small(c->dimension[m], c->n);
    *mode =
        (struct stats_mode){.dimension = c->dimension[m], .least = c->dimension[m] > 0 ? c->n : 0};
    int64_t *length = rt_array_zeroed(counts ? c->dimension[m] : c->n, sizeof *length);
    if (!length)
        return rt_no_memory(error);
    int64_t told = (counts ? count_slices : sort_slices)(c, m, length);
    measure_slices(length, told, mode, &squares);
    if (mode->dimension > 0) {
        choose_bins(mode, &stats->histogram[m]);
        fill_bins(length, told, mode->dimension - told, &stats->histogram[m]);
    }
    free(length);
    mode->mean = slices > 0 ? (double)c->n / slices : 0;
    double variance = slices > 0 ? squares / slices - mode->mean * mode->mean : 0;
    mode->deviation = variance > 0 ? sqrt(variance) : 0;
    return RT_OK;
}

/* ---- matrices ---- */

/* Counts the different numbers, all of them in [0, limit). -1: no memory. */
static int64_t count_distinct(const struct coords *c, int64_t limit,
                              int64_t (*number)(const struct coords *, int64_t))
{
    int64_t distinct = 0;
    if (is_small(limit, c->n)) {
        bool *seen = rt_array_zeroed(limit, sizeof *seen);
        for (int64_t k = 0; seen && k < c->n; k++) {
            bool *at = &seen[number(c, k)];
            distinct += !*at;
            *at = true;
        }
        free(seen);
        return seen ? distinct : -1;
    }
    int64_t *keys = rt_array(c->n, sizeof *keys);
    for (int64_t k = 0; keys && k < c->n; k++)
        keys[k] = number(c, k);
    if (keys)
        qsort(keys, (size_t)c->n, sizeof *keys, compare_keys);
    for (int64_t k = 0; keys && k < c->n; k++)
        distinct += k == 0 || keys[k] != keys[k - 1];
    free(keys);
    return keys ? distinct : -1;
}

static int64_t diagonal_of(const struct coords *c, int64_t k)
{
    return c->coordinate[1][k] - c->coordinate[0][k] + c->dimension[0] - 1;
}

static enum rt_status measure_band(const struct coords *c, struct stats *stats,
                                   struct rt_error *error)
{
    int64_t limit;
    for (int64_t k = 0; k < c->n; k++) {
        int64_t distance = c->coordinate[1][k] - c->coordinate[0][k];
        stats->above = distance > stats->above ? distance : stats->above;
        stats->below = -distance > stats->below ? -distance : stats->below;
    }
    if (__builtin_add_overflow(c->dimension[0], c->dimension[1], &limit))
        limit = INT64_MAX;
    stats->diagonals = c->n > 0 ? count_distinct(c, limit, diagonal_of) : 0;
    return stats->diagonals < 0 ? rt_no_memory(error) : RT_OK;
}

/* The entries come row by row.  Each column of blocks remembers its last row of blocks with an
 * entry. */
static int64_t count_blocks(const struct coords *c, int64_t size, int64_t *last)
{
    int64_t blocks = 0;
    for (int64_t k = 0; k < c->n; k++) {
        int64_t row = c->coordinate[0][k] / size + 1, *at = &last[c->coordinate[1][k] / size];
        blocks += *at != row;
        *at = row;
    }
    return blocks;
}

/* Nothing is reported about blocks if there are far more columns than components. */
static enum rt_status measure_blocks(const struct coords *c, struct stats *stats,
                                     struct rt_error *error)
{
    for (int b = 0; b < STATS_BLOCKS && is_small(c->dimension[1], c->n); b++) {
        int64_t size = stats_block_size(b);
        int64_t *last = rt_array_zeroed(c->dimension[1] / size + 1, sizeof *last);
        if (!last)
            return rt_no_memory(error);
        stats->blocks[b] = (struct stats_blocks){size, count_blocks(c, size, last)};
        free(last);
    }
    return RT_OK;
}

/* Finds the entry at (row, column) of a list sorted by rows, -1 if there is none. */
static int64_t find_entry(const struct coords *c, int64_t row, int64_t column)
{
    int64_t low = 0, high = c->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2, i = c->coordinate[0][middle],
                j = c->coordinate[1][middle];
        if (i < row || (i == row && j < column))
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->n && c->coordinate[0][low] == row && c->coordinate[1][low] == column ? low : -1;
}

static struct value value_at(const struct coords *c, int64_t entry)
{
    return value_load(c->type, (char *)c->vals + (size_t)entry * type_size(c->type));
}

/* Compares two values across the diagonal. */
static void compare_values(const struct coords *c, int64_t a, int64_t b, struct stats *stats)
{
    struct value x = value_at(c, a), y = value_at(c, b);
    bool is_equal = value_equal(x, y), is_complex = type_is_complex(c->type),
         is_integer = type_is_integer(c->type);
    bool is_opposite = is_integer && x.u == -y.u;
    x = value_convert(x, TYPE_C128); /* integers lose their last bits */
    y = value_convert(y, TYPE_C128);
    stats->symmetric &= is_equal;
    stats->skew &= is_integer ? is_opposite : x.c.re == -y.c.re && x.c.im == -y.c.im;
    stats->hermitian &= is_complex ? x.c.re == y.c.re && x.c.im == -y.c.im : is_equal;
}

static void measure_symmetry(const struct coords *c, struct stats *stats)
{
    bool is_square = c->dimension[0] == c->dimension[1];
    stats->symmetric_pattern = stats->symmetric = stats->skew = stats->hermitian = is_square;
    for (int64_t k = 0; k < c->n && stats->symmetric_pattern; k++) {
        int64_t other = find_entry(c, c->coordinate[1][k], c->coordinate[0][k]);
        if (other < 0)
            stats->symmetric_pattern = stats->symmetric = stats->skew = stats->hermitian = false;
        else if (stats->symmetric || stats->skew || stats->hermitian)
            compare_values(c, k, other, stats);
    }
}

static enum rt_status measure_matrix(const struct coords *c, struct stats *stats,
                                     struct rt_error *error)
{
    enum rt_status status = measure_band(c, stats, error);
    if (status == RT_OK)
        status = measure_blocks(c, stats, error);
    if (status == RT_OK)
        measure_symmetry(c, stats);
    return status;
}

/* ---- all statistics ---- */

enum rt_status stats_compute(struct coords *coords, int threads, struct stats *stats,
                             struct rt_error *error)
{
    *stats = (struct stats){.order = coords->order, .stored = coords->n, .components = 1};
    for (int m = 0; m < coords->order; m++)
        stats->components *= (double)coords->dimension[m];
    enum rt_status status = coords_sort(coords, threads, error);
    for (int m = 0; m < coords->order && status == RT_OK; m++)
        status = measure_mode(coords, m, stats, error);
    if (status == RT_OK && coords->order == 2)
        status = measure_matrix(coords, stats, error);
    return status;
}
