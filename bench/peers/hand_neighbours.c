/* hand_neighbours.c - by hand: neighbours of the kernels in the other files.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hand.h"

/* ---- blocks and diagonals times dense rows ---- */

/* Columns in registers for each of the four rows of a block; blocks ahead. */
enum { WIDE = 2 * LANES, BLOCKS = 4 };

static bool prepare_block_rows(void)
{
    return prepare_rows() && m % 4 == 0 && n % 4 == 0 && peer_size("X", 1) % WIDE == 0;
}

/* The rows of a row of blocks stay in registers, so many columns at a time. */
static void run_block_rows(void)
{
    const value *x = peer_values("X");
    int64_t columns = peer_size("X", 1);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int b = 0; b < m / 4; b++)
        for (int64_t r = 0; r < columns; r += WIDE) {
            lanes sum[4][WIDE / LANES] = {{{0}}};
            for (int p = pos[b]; p < pos[b + 1]; p++) {
                const value *block = vals + (int64_t)p * 16;
                const value *rows = x + (int64_t)crd[p] * 4 * columns + r;
                const value *ahead = x + (int64_t)crd[p + BLOCKS] * 4 * columns + r;
                for (int j = 0; j < 4; j++)
                    fetch_row(ahead + j * columns, WIDE);
                for (int j = 0; j < 4; j++)
                    for (int i = 0; i < 4; i++)
                        add_row(sum[i], block[4 * i + j], rows + j * columns, WIDE);
            }
            for (int i = 0; i < 4; i++)
                put_row(dense + (4 * (int64_t)b + i) * columns + r, sum[i], WIDE);
        }
}

static bool prepare_diagonal_rows(void)
{
    take_result("Y");
    m = peer_size("A", 0), n = peer_size("A", 1);
    pos = peer_level("A", 0, "pos"), crd = peer_level("A", 0, "crd");
    vals = peer_values("A");
    return peer_size("X", 1) % TILE == 0;
}

/* A row of the result in registers, the diagonals inside. */
static void run_diagonal_rows(void)
{
    const value *x = peer_values("X");
    int64_t columns = peer_size("X", 1);
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        for (int64_t r = 0; r < columns; r += TILE) {
            lanes sum[TILE / LANES] = {{0}};
            for (int p = pos[0]; p < pos[1]; p++) {
                int j = i + crd[p];
                if (j >= 0 && j < n)
                    add_row(sum, vals[(int64_t)p * m + i], x + j * columns + r, TILE);
            }
            put_row(dense + i * columns + r, sum, TILE);
        }
}

/* ---- sums and maxima ---- */

static inline value add_lanes(lanes all)
{
    value sum = 0;
    for (int k = 0; k < LANES; k++)
        sum += all[k];
    return sum;
}

/* Of an array. */
static value sum_all(const value *of, int64_t count)
{
    lanes sum[4] = {{0}};
    int64_t p = 0;
    for (; p < count - (4 * LANES - 1); p += 4 * LANES)
        for (int k = 0; k < 4; k++)
            sum[k] += *(const lanes *)(of + p + k * LANES);
    value all = add_lanes(sum[0] + sum[1] + (sum[2] + sum[3]));
    for (; p < count; p++)
        all += of[p];
    return all;
}

static bool prepare_sum(void)
{
    take_result("s");
    vals = peer_values("A");
    stored = peer_find("A")->stored;
    return true;
}

static void run_sum(void)
{
    value all = 0;
    int parts = count_parts();
#pragma omp parallel for schedule(static, 1) reduction(+ : all) if (is_parallel)
    for (int t = 0; t < parts; t++)
        all += sum_all(vals + stored * t / parts, stored * (t + 1) / parts - stored * t / parts);
    dense[0] = all;
}

static inline value sum_row(const value *of, int64_t count)
{
    four sum = {0};
    int64_t p = 0;
    for (; p < count - 3; p += 4)
        sum += *(const four *)(of + p);
    value all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; p < count; p++)
        all += of[p];
    return all;
}

/* Padding may hold anything, so that it is not added: a row ends at the coordinate -1. */
static inline value sum_padded_row(const int *row, const value *of, int64_t width)
{
    value sum[2] = {0};
    int64_t p = 0;
    for (; p < width - 1 && row[p + 1] >= 0; p += 2) {
        sum[0] += of[p];
        sum[1] += of[p + 1];
    }
    if (p < width && row[p] >= 0)
        sum[0] += of[p];
    return sum[0] + sum[1];
}

static void run_padded_sums(void)
{
    int64_t width = pos[0];
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        dense[i] = sum_padded_row(crd + i * width, vals + i * width, width);
}

static bool prepare_padded_sum(void)
{
    take_result("s");
    take_padded();
    return true;
}

static void run_padded_sum(void)
{
    value all = 0;
    int64_t width = pos[0];
#pragma omp parallel for schedule(static) reduction(+ : all) if (is_parallel)
    for (int i = 0; i < m; i++)
        all += sum_padded_row(crd + i * width, vals + i * width, width);
    dense[0] = all;
}

/* What is absent is 0, and counts once. */
static inline value greatest(int64_t begin, int64_t end)
{
    value most = end - begin < n ? 0 : -INFINITY;
    for (int64_t p = begin; p < end; p++)
        most = vals[p] > most ? vals[p] : most;
    return most;
}

static void run_maxima(void)
{
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        dense[i] = greatest(pos[i], pos[i + 1]);
}

static void run_list_maxima(void)
{
    int parts = count_parts();
    for (int i = 0; i < m; i++)
        dense[i] = n > 0 ? 0 : -INFINITY;
#pragma omp parallel for schedule(static, 1) if (is_parallel)
    for (int t = 0; t < parts; t++) {
        int64_t p = part_of_list(list_row, stored, t, parts), next;
        int64_t end = part_of_list(list_row, stored, t + 1, parts);
        for (; p < end; p = next) {
            for (next = p + 1; next < end && list_row[next] == list_row[p];)
                next++;
            dense[list_row[p]] = greatest(p, next);
        }
    }
}

/* ---- a sum of matrices and a vector ---- */

static bool prepare_two_vectors(void) { return take_result("y"), prepare_two(); }

static inline value dot_run(struct run a, const value *x)
{
    four t = {0};
    int64_t p = 0;
    for (; p < a.n - 3; p += 4) {
        four gathered = {x[a.crd[p]], x[a.crd[p + 1]], x[a.crd[p + 2]], x[a.crd[p + 3]]};
        t += *(const four *)(a.vals + p) * gathered;
    }
    value sum = (t[0] + t[1]) + (t[2] + t[3]);
    for (; p < a.n; p++)
        sum += a.vals[p] * x[a.crd[p]];
    return sum;
}

/* Not merged. */
static void run_sum_spmv(void)
{
    struct rows a = matrix();
    const value *x = peer_values("x");
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++)
        dense[i] = dot_run(run_of(&a, i), x) + dot_run(run_of(&operand[0], i), x);
}

/* ---- results with A's pattern ---- */

static void copy_pattern(void)
{
    new_rows(m, stored);
    memcpy(rpos, pos, ((size_t)m + 1) * sizeof *pos);
}

static void run_copy(void)
{
    copy_pattern();
    copy_values(crd);
}

static void run_twice(void)
{
    copy_pattern();
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int64_t p = 0; p < stored; p++) {
        rcrd[p] = crd[p];
        rvals[p] = 2 * vals[p];
    }
}

static void run_normalised(void)
{
    copy_pattern();
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++) {
        value sum = sum_row(vals + pos[i], pos[i + 1] - pos[i]);
        for (int p = pos[i]; p < pos[i + 1]; p++) {
            rcrd[p] = crd[p];
            rvals[p] = vals[p] / sum;
        }
    }
}

/* ---- products with transposes, and of many ---- */

static struct rows take_over(void)
{
    struct rows result = {rpos, rcrd, rvals};
    rpos = rcrd = NULL, rvals = NULL;
    return result;
}

static void drop(struct rows *result)
{
    free((void *)result->pos);
    free((void *)result->crd);
    free((void *)result->vals);
}

static bool prepare_square(void) { return take_matrix() && m == n; }

static bool prepare_two_squares(void) { return prepare_two() && m == n; }

/* Of a square matrix. */
static struct rows transpose_of(struct rows of)
{
    struct rows a = matrix();
    int64_t entries = stored;
    pos = of.pos, crd = of.crd, vals = of.vals, stored = of.pos[m];
    transpose(m, m);
    pos = a.pos, crd = a.crd, vals = a.vals, stored = entries;
    return take_over();
}

static void multiply_transposed(struct rows a, struct rows b, bool is_left)
{
    struct rows turned = transpose_of(is_left ? a : b);
    make_product(is_left ? &turned : &a, is_left ? &b : &turned, NULL, fill_sorted);
    drop(&turned);
}

static void run_transposed_product(void) { multiply_transposed(matrix(), matrix(), true); }

static void run_product_transposed(void) { multiply_transposed(matrix(), matrix(), false); }

static void run_transposed_two(void) { multiply_transposed(matrix(), operand[0], true); }

static void run_two_transposed(void) { multiply_transposed(matrix(), operand[0], false); }

/* Six of them; only the last product has to be sorted. */
static void run_chain_of_six(void)
{
    struct rows a = matrix(), all = a;
    for (int k = 2; k <= 6; k++) {
        make_product(&all, &a, NULL, k < 6 ? fill_unsorted : fill_sorted);
        if (k > 2)
            drop(&all);
        if (k < 6)
            all = take_over();
    }
}
