/* hand_products.c - by hand: sums and products of sparse matrices.
 *
 * Operands' entries bound the result's, so that nothing is checked for each entry; merges have arms
 * without branches; a row that many are compared with, or that many are added to, is marked.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hand.h"

/* A matrix by rows. */
struct rows {
    const int *pos, *crd;
    const value *vals;
};

static struct rows operand[3]; /* B, C, and what else is added */
static const struct rows *left, *right, *addend;

static struct rows take_rows(const char *name)
{
    return (struct rows){peer_level(name, 1, "pos"), peer_level(name, 1, "crd"), peer_values(name)};
}

static bool prepare_two(void) { return operand[0] = take_rows("B"), take_matrix(); }

static bool prepare_three(void) { return operand[1] = take_rows("C"), prepare_two(); }

/* ---- merges ---- */

/* Entries, and where the next one goes. */
struct run {
    const int *crd;
    const value *vals;
    int64_t n;
};

static inline struct run run_of(const struct rows *rows, int i)
{
    return (struct run){rows->crd + rows->pos[i], rows->vals + rows->pos[i],
                        rows->pos[i + 1] - rows->pos[i]};
}

static inline int64_t append_run(const struct run *rest, int64_t from, int *to_crd, value *to,
                                 int64_t at)
{
    memcpy(to_crd + at, rest->crd + from, (size_t)(rest->n - from) * sizeof *to_crd);
    memcpy(to + at, rest->vals + from, (size_t)(rest->n - from) * sizeof *to);
    return at + rest->n - from;
}

/* The sum of two; how many entries it has. */
static inline int64_t add_runs(struct run a, struct run b, int *to_crd, value *to)
{
    int64_t at = 0, p = 0, q = 0;
    while (p < a.n && q < b.n) {
        int i = a.crd[p], j = b.crd[q];
        to_crd[at] = i < j ? i : j;
        to[at++] = (i <= j ? a.vals[p] : 0) + (j <= i ? b.vals[q] : 0);
        p += i <= j;
        q += j <= i;
    }
    at = append_run(&a, p, to_crd, to, at);
    return append_run(&b, q, to_crd, to, at);
}

static struct rows matrix(void) { return (struct rows){pos, crd, vals}; }

static int64_t fill_sum(int first, int last, int64_t at)
{
    struct rows a = matrix();
    for (int i = first; i < last; i++) {
        at += add_runs(run_of(&a, i), run_of(&operand[0], i), rcrd + at, rvals + at);
        rpos[i + 1] = (int)at;
    }
    return at;
}

static int64_t bound_sum(int i) { return (int64_t)pos[i] + operand[0].pos[i]; }

static void run_add(void) { make_rows(m, bound_sum, fill_sum); }

/* The sum of the first two stays in the first-level cache. */
static int64_t fill_sum_of_three(int first, int last, int64_t at)
{
    struct rows a = matrix();
    int64_t most = 0;
    for (int i = first; i < last; i++) {
        int64_t both = bound_sum(i + 1) - bound_sum(i);
        most = both > most ? both : most;
    }
    int *some_crd = peer_memory(most, sizeof *some_crd);
    value *some = peer_memory(most, sizeof *some);
    for (int i = first; i < last; i++) {
        struct run sum = {some_crd, some, 0};
        sum.n = add_runs(run_of(&a, i), run_of(&operand[0], i), some_crd, some);
        at += add_runs(sum, run_of(&operand[1], i), rcrd + at, rvals + at);
        rpos[i + 1] = (int)at;
    }
    free(some_crd);
    free(some);
    return at;
}

static int64_t bound_sum_of_three(int i) { return bound_sum(i) + operand[1].pos[i]; }

static void run_add_three(void) { make_rows(m, bound_sum_of_three, fill_sum_of_three); }

static int64_t fill_common(int first, int last, int64_t at)
{
    for (int i = first; i < last; i++) {
        struct run b = run_of(&operand[0], i);
        int64_t p = pos[i], q = 0;
        while (p < pos[i + 1] && q < b.n) {
            int j = crd[p], k = b.crd[q];
            rcrd[at] = j;
            rvals[at] = vals[p] * b.vals[q];
            at += j == k;
            p += j <= k;
            q += k <= j;
        }
        rpos[i + 1] = (int)at;
    }
    return at;
}

static int64_t bound_common(int i) { return pos[i]; }

static void run_multiply(void) { make_rows(m, bound_common, fill_common); }

/* ---- products ---- */

static int64_t *products; /* what rows of left * right + addend have at most, in rows before */

static int64_t bound_product(int i) { return products[i]; }

static void count_products(void)
{
    products = peer_memory((int64_t)m + 1, sizeof *products);
    products[0] = 0;
#pragma omp parallel for schedule(static) if (is_parallel)
    for (int i = 0; i < m; i++) {
        int64_t all = 0;
        for (int p = left->pos[i]; p < left->pos[i + 1]; p++)
            all += right->pos[left->crd[p] + 1] - right->pos[left->crd[p]];
        all += addend ? addend->pos[i + 1] - addend->pos[i] : 0;
        products[i + 1] = all < n ? all : n;
    }
    for (int i = 0; i < m; i++)
        products[i + 1] += products[i];
}

static inline void fetch_product(int64_t p)
{
    int row = left->crd[p];
    __builtin_prefetch(right->crd + right->pos[row]);
    __builtin_prefetch(right->vals + right->pos[row]);
}

/* Where a component of the row is, or -1 and less than the row's begin: nothing is cleared. */
static int64_t fill_unsorted(int first, int last, int64_t at)
{
    int64_t *where = peer_memory(n, sizeof *where);
    memset(where, 0xFF, (size_t)n * sizeof *where);
    for (int i = first; i < last; i++) {
        int64_t begin = at;
        for (int p = left->pos[i]; p < left->pos[i + 1]; p++) {
            fetch_product(p + ROWS < left->pos[m] ? p + ROWS : p);
            value factor = left->vals[p];
            for (int q = right->pos[left->crd[p]]; q < right->pos[left->crd[p] + 1]; q++) {
                int j = right->crd[q];
                if (where[j] >= begin) {
                    rvals[where[j]] += factor * right->vals[q];
                } else {
                    where[j] = at;
                    rcrd[at] = j;
                    rvals[at++] = factor * right->vals[q];
                }
            }
        }
        rpos[i + 1] = (int)at;
    }
    free(where);
    return at;
}

/* A row's sums, a bit for each component that is there, and a bit for each word of bits. */
struct sums {
    value *of;
    uint64_t *is_there, *has_some;
};

static inline void add_to_sum(const struct sums *sums, int j, value what)
{
    sums->of[j] += what;
    sums->is_there[j >> 6] |= UINT64_C(1) << (j & 63);
    sums->has_some[j >> 12] |= UINT64_C(1) << (j >> 6 & 63);
}

/* In order, and all is 0 again. */
static inline int64_t take_sums(const struct sums *sums, int64_t at)
{
    for (int64_t u = 0; u <= n >> 12; u++)
        for (; sums->has_some[u]; sums->has_some[u] &= sums->has_some[u] - 1) {
            int64_t w = u << 6 | __builtin_ctzll(sums->has_some[u]);
            for (; sums->is_there[w]; sums->is_there[w] &= sums->is_there[w] - 1) {
                int64_t j = w << 6 | __builtin_ctzll(sums->is_there[w]);
                rcrd[at] = (int)j;
                rvals[at++] = sums->of[j];
                sums->of[j] = 0;
            }
        }
    return at;
}

static void *zeros(int64_t count, size_t each)
{
    void *at = peer_memory(count, each);
    memset(at, 0, (size_t)count * each);
    return at;
}

static int64_t fill_sorted(int first, int last, int64_t at)
{
    struct sums sums = {zeros(n, sizeof(value)), zeros((n >> 6) + 1, sizeof(uint64_t)),
                        zeros((n >> 12) + 1, sizeof(uint64_t))};
    for (int i = first; i < last; i++) {
        for (int p = left->pos[i]; p < left->pos[i + 1]; p++) {
            fetch_product(p + ROWS < left->pos[m] ? p + ROWS : p);
            value factor = left->vals[p];
            for (int q = right->pos[left->crd[p]]; q < right->pos[left->crd[p] + 1]; q++)
                add_to_sum(&sums, right->crd[q], factor * right->vals[q]);
        }
        for (int p = addend ? addend->pos[i] : 0; addend && p < addend->pos[i + 1]; p++)
            add_to_sum(&sums, addend->crd[p], addend->vals[p]);
        at = take_sums(&sums, at);
        rpos[i + 1] = (int)at;
    }
    free(sums.of);
    free(sums.is_there);
    free(sums.has_some);
    return at;
}

static void make_product(const struct rows *a, const struct rows *b, const struct rows *more,
                         fill_rows *fill)
{
    left = a, right = b, addend = more;
    count_products();
    make_rows(m, bound_product, fill);
    free(products);
}

static void run_spgemm(void)
{
    struct rows a = matrix();
    make_product(&a, &a, NULL, fill_sorted);
}

static void run_unsorted(void)
{
    struct rows a = matrix();
    make_product(&a, &a, NULL, fill_unsorted);
}

static void run_spgemm_add(void)
{
    struct rows a = matrix();
    make_product(&a, &a, &operand[0], fill_sorted);
}

/* The product of the first two need not be sorted. */
static void run_chain(void)
{
    struct rows a = matrix();
    make_product(&a, &a, NULL, fill_unsorted);
    int32_t *some_pos = rpos, *some_crd = rcrd;
    value *some = rvals;
    struct rows both = {some_pos, some_crd, some};
    rpos = rcrd = NULL, rvals = NULL;
    make_product(&both, &a, NULL, fill_sorted);
    free(some_pos);
    free(some_crd);
    free(some);
}

/* ---- marked rows ---- */

/* The mask's row is marked with where its entries are, and the product goes there only. */
static void run_masked(void)
{
    const int *bpos = operand[0].pos, *bcrd = operand[0].crd;
    const value *bvals = operand[0].vals;
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
