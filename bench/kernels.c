/* kernels.c - generated kernels beside hand-written ones, on one thread and in one run.
 *
 *     kernels NAME.so [ROWS]
 *
 * NAME.so holds the generated functions spmv, spmm, spmm32 (its extent known to be 32), mttkrp and
 * mttkrp32, compiled by the compiler that compiled this program.  All forms of a kernel run in
 * turns, many times; the fastest run of each is printed, and its ratio to the fastest hand-written
 * form of the same loop structure.  bench/kernels.py does the whole measurement for several
 * compilers.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/hand.h"

enum { ROUNDS = 40, COLUMNS = 32, PER_ROW = 10 };

typedef int generated_spmv(int, int, const int *, const int *, const double *, const double *,
                           double *);
typedef int generated_spmm(int, int, const int *, const int *, const double *, int, const double *,
                           double *);
typedef int generated_mttkrp(int, int, int, const int *, const int *, const int *, const int *,
                             const int *, const int *, const double *, int, const double *,
                             const double *, double *);

/* ---- data ---- */

static unsigned long state = 88172645463325252u;

static unsigned long next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void *memory(size_t n, size_t size)
{
    void *at = malloc(n * size);
    if (!at) {
        fputs("kernels: no memory\n", stderr);
        exit(3);
    }
    return at;
}

static double *reals(size_t n)
{
    double *at = memory(n, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)(next_random() % 1000) / 1000;
    return at;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* n positions with `each` children on average, sorted coordinates below `dimension`. */
static int *make_level(int n, int each, int dimension, int **crd)
{
    int *pos = memory((size_t)n + 1, sizeof *pos);
    pos[0] = 0;
    for (int i = 0; i < n; i++)
        pos[i + 1] = pos[i] + 1 + (int)(next_random() % (unsigned long)(2 * each - 1));
    *crd = memory((size_t)pos[n] + HAND_AHEAD, sizeof **crd);
    for (int i = 0; i < n; i++) {
        for (int p = pos[i]; p < pos[i + 1]; p++)
            (*crd)[p] = (int)(next_random() % (unsigned long)dimension);
        qsort(*crd + pos[i], (size_t)(pos[i + 1] - pos[i]), sizeof **crd, compare);
    }
    memset(*crd + pos[n], 0, HAND_AHEAD * sizeof **crd);
    return pos;
}

/* ---- one kernel in several forms ---- */

struct problem {
    int rows, columns;
    int pos1[2], *crd1; /* all rows */
    int *pos2, *crd2, *pos3, *crd3;
    double *vals, *x, *b;
    double *y, *expected;
    size_t size; /* of y */
};

typedef void runner(const struct problem *p, void *function);

struct form {
    const char *name;
    runner *run;
    void *function;
    bool by_hand; /* and with the same loops */
    double best;
};

static void run_hand_spmv(const struct problem *p, void *f)
{
    ((hand_spmv *)f)(p->rows, p->pos2, p->crd2, p->vals, p->x, p->y);
}

static void run_hand_spmm(const struct problem *p, void *f)
{
    ((hand_spmm *)f)(p->rows, COLUMNS, p->pos2, p->crd2, p->vals, p->x, p->y);
}

static void run_hand_mttkrp(const struct problem *p, void *f)
{
    ((hand_mttkrp *)f)(p->rows, COLUMNS, p->pos2, p->crd2, p->pos3, p->crd3, p->vals, p->b, p->x,
                       p->y);
}

static void run_spmv(const struct problem *p, void *f)
{
    ((generated_spmv *)f)(p->rows, p->columns, p->pos2, p->crd2, p->vals, p->x, p->y);
}

static void run_spmm(const struct problem *p, void *f)
{
    ((generated_spmm *)f)(p->rows, p->columns, p->pos2, p->crd2, p->vals, COLUMNS, p->x, p->y);
}

static void run_mttkrp(const struct problem *p, void *f)
{
    ((generated_mttkrp *)f)(p->rows, p->columns, p->columns, p->pos1, p->crd1, p->pos2, p->crd2,
                            p->pos3, p->crd3, p->vals, COLUMNS, p->b, p->x, p->y);
}

static double now(void)
{
    struct timespec t;
    /* not the time in which others had the processor */
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void check(const struct problem *p, const char *name)
{
    for (size_t i = 0; i < p->size; i++) {
        if (fabs(p->y[i] - p->expected[i]) <= 1e-9 * (1 + fabs(p->expected[i])))
            continue;
        fprintf(stderr, "kernels: %s is wrong at %zu: %g, not %g\n", name, i, p->y[i],
                p->expected[i]);
        exit(1);
    }
}

/* Every form in turn, again and again, so that what disturbs the machine disturbs all of them. */
static void measure(const char *kernel, struct problem *p, struct form *form, int forms)
{
    double best_hand = INFINITY;
    p->y = memory(p->size, sizeof *p->y);
    p->expected = memory(p->size, sizeof *p->expected);
    for (int round = -1; round < ROUNDS; round++) {
        for (int f = 0; f < forms; f++) {
            double start = now();
            form[f].run(p, form[f].function);
            double time = now() - start;
            form[f].best = round <= 0 || time < form[f].best ? time : form[f].best;
            if (round < 0 && f == 0)
                memcpy(p->expected, p->y, p->size * sizeof *p->y);
            if (round < 0)
                check(p, form[f].name);
        }
    }
    for (int f = 0; f < forms; f++)
        if (form[f].by_hand && form[f].best < best_hand)
            best_hand = form[f].best;
    for (int f = 0; f < forms; f++)
        printf("%-8s %-24s %9.2f ms %7.2f\n", kernel, form[f].name, form[f].best,
               form[f].best / best_hand);
    free(p->y);
    free(p->expected);
}

static void *symbol(void *library, const char *name)
{
    void *at = dlsym(library, name);
    if (!at) {
        fprintf(stderr, "kernels: %s\n", dlerror());
        exit(1);
    }
    return at;
}

static void matrix_kernels(void *library, int rows)
{
    struct problem p = {.rows = rows, .columns = rows, .size = (size_t)rows};
    p.pos2 = make_level(rows, PER_ROW, rows, &p.crd2);
    p.vals = reals((size_t)p.pos2[rows]);
    p.x = reals((size_t)rows * COLUMNS);
    struct form spmv[] = {
        {"four scalars", run_hand_spmv, (void *)hand_spmv_scalars, true, 0},
        {"four lanes", run_hand_spmv, (void *)hand_spmv_lanes, true, 0},
        {"generated", run_spmv, symbol(library, "spmv"), false, 0},
    };
    measure("SpMV", &p, spmv, 3);
    p.size = (size_t)rows * COLUMNS;
    struct form spmm[] = {
        {"plain loops", run_hand_spmm, (void *)hand_spmm_plain, true, 0},
        {"tiles", run_hand_spmm, (void *)hand_spmm_tiles, true, 0},
        {"tiles, prefetch", run_hand_spmm, (void *)hand_spmm_prefetch, true, 0},
        {"generated", run_spmm, symbol(library, "spmm"), false, 0},
        {"generated for 32", run_spmm, symbol(library, "spmm32"), false, 0},
    };
    measure("SpMM", &p, spmm, 5);
    free(p.pos2);
    free(p.crd2);
    free(p.vals);
    free(p.x);
}

static void tensor_kernels(void *library, int rows)
{
    int fibers = rows / 10, dimension = rows / 10;
    struct problem p = {.rows = fibers, .columns = dimension, .size = (size_t)fibers * COLUMNS};
    p.pos1[1] = fibers;
    p.crd1 = memory((size_t)fibers, sizeof *p.crd1);
    for (int i = 0; i < fibers; i++)
        p.crd1[i] = i;
    p.pos2 = make_level(fibers, PER_ROW, dimension, &p.crd2);
    p.pos3 = make_level(p.pos2[fibers], 5, dimension, &p.crd3);
    p.vals = reals((size_t)p.pos3[p.pos2[fibers]]);
    p.b = reals((size_t)dimension * COLUMNS);
    p.x = reals((size_t)dimension * COLUMNS);
    struct form mttkrp[] = {
        {"plain loops", run_hand_mttkrp, (void *)hand_mttkrp_plain, true, 0},
        {"tiles", run_hand_mttkrp, (void *)hand_mttkrp_tiles, true, 0},
        {"tiles, workspace", run_hand_mttkrp, (void *)hand_mttkrp_workspace, false, 0},
        {"generated", run_mttkrp, symbol(library, "mttkrp"), false, 0},
        {"generated for 32", run_mttkrp, symbol(library, "mttkrp32"), false, 0},
    };
    measure("MTTKRP", &p, mttkrp, 5);
    free(p.crd1);
    free(p.pos2);
    free(p.crd2);
    free(p.pos3);
    free(p.crd3);
    free(p.vals);
    free(p.b);
    free(p.x);
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
        fprintf(stderr, "kernels: %s\n", argc > 1 ? dlerror() : "usage: kernels ./NAME.so [ROWS]");
        return 2;
    }
    int rows = argc > 2 ? atoi(argv[2]) : 200000;
    matrix_kernels(library, rows);
    tensor_kernels(library, rows);
    return 0;
}
