/* compute.c - kernels that compute values only, beside fused ones and loops by hand.
 *
 *     compute [ROWS]
 *
 * Linked with what spcc makes of three statements (bench/compute.py).  All forms of a kernel run in
 * turns; a ratio is the median of those of the rounds, whose forms ran one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 41, PER_ROW = 10, AHEAD = 8, LANES = 8 };

typedef double vector __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

/* ---- what spcc makes ---- */

#define CSR int32_t, int32_t, const int32_t *, const int32_t *, const double *
#define OUT int32_t **, int32_t **, double **
int scale_fused(CSR, OUT);
int scale_compute(CSR, double *);
int sampled_fused(CSR, int32_t, const double *, const double *, OUT);
int sampled_compute(CSR, int32_t, const double *, const double *, double *);
int product_fused(CSR, int32_t, const int32_t *, const int32_t *, const double *, OUT);
int product_compute(CSR, int32_t, const int32_t *, const int32_t *, const double *, const int32_t *,
                    const int32_t *, double *);

/* ---- data ---- */

struct matrix {
    int32_t rows, *pos, *crd;
    double *vals;
};

struct problem {
    struct matrix a, c;
    int32_t columns; /* of x and y */
    double *x, *y;
};

static uint64_t state = 88172645463325252u;

static uint64_t next_random(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static void *memory(size_t n, size_t size)
{
    void *at = malloc(n * size);
    if (!at) {
        fputs("compute: no memory\n", stderr);
        exit(3);
    }
    return at;
}

static double *reals(size_t n)
{
    double *at = memory(n, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)next_random(1000) / 1000;
    return at;
}

/* Square, with PER_ROW entries a row at random places, each in its own part of the row. */
static struct matrix random_matrix(int32_t rows)
{
    struct matrix a = {.rows = rows};
    int32_t part = rows / PER_ROW;
    a.pos = memory((size_t)rows + 1, sizeof *a.pos);
    a.crd = memory((size_t)rows * PER_ROW + AHEAD, sizeof *a.crd);
    for (int32_t i = 0; i <= rows; i++)
        a.pos[i] = i * PER_ROW;
    for (int32_t p = 0; p < rows * PER_ROW; p++)
        a.crd[p] = p % PER_ROW * part + (int32_t)next_random((uint64_t)part);
    memset(a.crd + rows * PER_ROW, 0, AHEAD * sizeof *a.crd);
    a.vals = reals((size_t)rows * PER_ROW);
    return a;
}

/* ---- by hand ---- */

static void scale_hand(struct problem *p)
{
    const double *restrict a = p->a.vals;
    double *restrict c = p->c.vals;
    for (int32_t at = 0, n = p->a.pos[p->a.rows]; at < n; at++)
        c[at] = 2 * a[at];
}

static double sum(vector v)
{
    return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

/* Loads lifted, the rows of y that come next asked for, the lanes added up as a tree; the columns
 * are a multiple of 16. */
static void sampled_hand(struct problem *p)
{
    const int32_t *restrict pos = p->a.pos, *restrict crd = p->a.crd, n = p->columns;
    double *restrict c = p->c.vals;
    for (int32_t i = 0; i < p->a.rows; i++) {
        const double *restrict x = p->x + (int64_t)i * n;
        for (int32_t at = pos[i]; at < pos[i + 1]; at++) {
            const double *restrict y = p->y + (int64_t)crd[at] * n, *restrict next =
                                                                        p->y
                                                                        + (int64_t)crd[at + AHEAD]
                                                                              * n;
            vector even = {0}, odd = {0};
            for (int32_t k = 0; k < n; k += 2 * LANES) {
                __builtin_prefetch(next + k);
                __builtin_prefetch(next + k + LANES);
                even += *(const vector *)(x + k) * *(const vector *)(y + k);
                odd += *(const vector *)(x + k + LANES) * *(const vector *)(y + k + LANES);
            }
            c[at] = p->a.vals[at] * sum(even + odd);
        }
    }
}

/* ---- the forms ---- */

static void release(int status, int32_t *pos, int32_t *crd, double *vals)
{
    free(pos);
    free(crd);
    free(vals);
    if (status != 0)
        exit(3);
}

#define A(p) (p)->a.rows, (p)->a.rows, (p)->a.pos, (p)->a.crd, (p)->a.vals

static void scale_both(struct problem *p)
{
    int32_t *pos, *crd;
    double *vals;
    int status = scale_fused(A(p), &pos, &crd, &vals);
    release(status, pos, crd, vals);
}

static void scale_values(struct problem *p) { scale_compute(A(p), p->c.vals); }

static void sampled_both(struct problem *p)
{
    int32_t *pos, *crd;
    double *vals;
    int status = sampled_fused(A(p), p->columns, p->x, p->y, &pos, &crd, &vals);
    release(status, pos, crd, vals);
}

static void sampled_values(struct problem *p)
{
    sampled_compute(A(p), p->columns, p->x, p->y, p->c.vals);
}

static void product_both(struct problem *p)
{
    int32_t *pos, *crd;
    double *vals;
    int status = product_fused(A(p), p->a.rows, p->a.pos, p->a.crd, p->a.vals, &pos, &crd, &vals);
    release(status, pos, crd, vals);
}

static void product_values(struct problem *p)
{
    product_compute(A(p), p->a.rows, p->a.pos, p->a.crd, p->a.vals, p->c.pos, p->c.crd, p->c.vals);
}

/* ---- measuring ---- */

typedef void form(struct problem *p);

static double now(void)
{
    struct timespec t;
    /* not the time in which others had the processor */
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double time_of(form *f, struct problem *p)
{
    double start = now();
    f(p);
    return now() - start;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *at)
{
    qsort(at, ROUNDS, sizeof *at, compare);
    return at[ROUNDS / 2];
}

/* by_hand may be NULL. */
static void measure(const char *name, struct problem *p, form *both, form *values, form *by_hand)
{
    double fused[ROUNDS], computed[ROUNDS], to_fused[ROUNDS], to_hand[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        int at = round < 0 ? 0 : round;
        fused[at] = time_of(both, p);
        computed[at] = time_of(values, p);
        to_fused[at] = computed[at] / fused[at];
        to_hand[at] = by_hand ? computed[at] / time_of(by_hand, p) : NAN;
    }
    printf("%-12s fused %8.2f ms  compute %8.2f ms  compute/fused %5.2f", name, median(fused),
           median(computed), median(to_fused));
    if (by_hand)
        printf("  compute/hand %5.2f", median(to_hand));
    printf("\n");
}

/* Do both leave the same values?  All there is to divide by is positive. */
static void check(const char *name, struct problem *p, form *values, form *by_hand)
{
    size_t n = (size_t)p->a.pos[p->a.rows];
    double *expected = memory(n, sizeof *expected);
    by_hand(p);
    memcpy(expected, p->c.vals, n * sizeof *expected);
    memset(p->c.vals, 0, n * sizeof *expected);
    values(p);
    for (size_t i = 0; i < n; i++)
        if (fabs(p->c.vals[i] - expected[i]) > 1e-9 * (1 + fabs(expected[i]))) {
            fprintf(stderr, "compute: %s is wrong at %zu\n", name, i);
            exit(1);
        }
    free(expected);
}

int main(int argc, char **argv)
{
    int32_t rows = argc > 1 ? atoi(argv[1]) : 100000;
    struct problem p = {.a = random_matrix(rows - rows % PER_ROW)};
    p.c = (struct matrix){p.a.rows, p.a.pos, p.a.crd, reals((size_t)p.a.pos[p.a.rows])};
    p.x = reals((size_t)p.a.rows * 32);
    p.y = reals((size_t)p.a.rows * 32);
    check("scaling", &p, scale_values, scale_hand);
    measure("scaling", &p, scale_both, scale_values, scale_hand);
    for (p.columns = 16; p.columns <= 32; p.columns += 16) {
        const char *name = p.columns == 16 ? "SDDMM 16" : "SDDMM 32";
        check(name, &p, sampled_values, sampled_hand);
        measure(name, &p, sampled_both, sampled_values, sampled_hand);
    }
    free(p.c.vals);
    if (product_fused(A(&p), p.a.rows, p.a.pos, p.a.crd, p.a.vals, &p.c.pos, &p.c.crd, &p.c.vals))
        return 3;
    measure("SpGEMM", &p, product_both, product_values, NULL);
    return 0;
}
