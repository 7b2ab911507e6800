/* hand_rows.c - by hand: a sparse matrix and dense rows.
 *
 * Rows of the result in registers, a tile of columns at a time; gathered rows asked for ahead.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hand.h"

static bool prepare_rows(void) { return take_result("Y"), take_matrix(); }

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
                fetch_row(x + crd[p + ROWS] * columns + r, TILE);
                add_row(sum, vals[p], x + crd[p] * columns + r, TILE);
            }
            put_row(dense + i * columns + r, sum, TILE);
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
            fetch_row(y + (int64_t)crd[p + ROWS] * TILE, TILE);
            for (int k = 0; k < TILE / LANES; k++)
                sum += row[k] * *(const lanes *)(other + k * LANES);
            value all = 0;
            for (int k = 0; k < LANES; k++)
                all += sum[k];
            rvals[p] = vals[p] * all;
        }
    }
}
