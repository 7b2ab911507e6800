/* pack.c - how long packing a list of coordinates takes.
 *
 *     pack FORMAT PATTERN ENTRIES ROUNDS
 *
 * PATTERN is uniform, power (rows of a power law, of which one has a tenth of all entries) or
 * ordered (uniform, sorted).  The matrix has as many rows and columns as a tenth of its entries.
 * Packs on one thread and on two in turns, and prints the median milliseconds of both, the median
 * of their ratios, the processor time of both, and by how much the resident memory grows beyond
 * the list, over the bytes of the result.  bench/pack.py does the whole measurement.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "compiler/base/context.h"
#include "compiler/registry.h"
#include "runtime/tensor/tensor.h"

enum { ROUNDS_MAX = 99 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 11;
}

static double draw_unit(uint64_t *seed) { return (double)draw(seed) / 9007199254740992.0; }

static void make_list(struct coords *list, const char *pattern, int64_t n)
{
    uint64_t seed = 1;
    int64_t size = n / 10 + 1;
    coords_init(list, 2, (const int64_t[]){size, size}, TYPE_F64);
    if (!coords_reserve(list, n))
        exit(1);
    for (int64_t i = 0; i < n; i++) {
        bool skewed = strcmp(pattern, "power") == 0;
        double row = draw_unit(&seed), column = draw_unit(&seed);
        row = !skewed ? row : draw(&seed) % 10 == 0 ? 0.3 : row * row * row * row;
        int64_t at[] = {(int64_t)(row * (double)size), (int64_t)(column * (double)size)};
        coords_add(list, at, &column);
    }
    if (strcmp(pattern, "ordered") == 0 && coords_sort(list, 0, NULL) != RT_OK)
        exit(1);
}

static struct coords copy_list(const struct coords *list)
{
    struct coords copy;
    coords_init(&copy, list->order, list->dimension, list->type);
    if (!coords_reserve(&copy, list->n))
        exit(1);
    for (int m = 0; m < list->order; m++)
        memcpy(copy.coordinate[m], list->coordinate[m], (size_t)list->n * sizeof(int64_t));
    memcpy(copy.vals, list->vals, (size_t)list->n * sizeof(double));
    copy.n = list->n;
    return copy;
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

struct sample {
    double ms, cpu;
    int64_t bytes;
};

static struct sample pack(const struct coords *list, const struct format *format, int threads)
{
    struct coords copy = copy_list(list);
    struct tensor *tensor;
    struct rt_error error;
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    if (tensor_pack(&copy, format, value_zero(TYPE_F64), threads, NULL, &tensor, &error) != RT_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    struct sample sample = {now(CLOCK_MONOTONIC) - start, now(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                            tensor_bytes(tensor)};
    tensor_free(tensor);
    coords_free(&copy);
    return sample;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return x[n / 2];
}

int main(int argc, char **argv)
{
    double ms[2][ROUNDS_MAX], cpu[2][ROUNDS_MAX], ratio[ROUNDS_MAX];
    int rounds = argc == 5 ? atoi(argv[4]) : 0;
    if (rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: pack FORMAT uniform|power|ordered ENTRIES ROUNDS\n");
        return 2;
    }
    struct context *cx = context_new();
    struct coords list;
    cx->levels = registry_levels;
    make_list(&list, argv[2], atoll(argv[3]));
    const struct format *format =
        format_parse(cx, "A", argv[1], 2, (struct format_defaults){TYPE_I32, TYPE_I32});
    struct coords copy = copy_list(&list); /* so that there has been as much with a list to pack */
    long before = peak_kilobytes();
    coords_free(&copy);
    double growth = 0;
    for (int round = 0; round < rounds; round++) {
        for (int t = 0; t < 2; t++) {
            struct sample sample = pack(&list, format, t + 1);
            ms[t][round] = sample.ms;
            cpu[t][round] = sample.cpu;
            growth = 1024.0 * (double)(peak_kilobytes() - before) / (double)sample.bytes;
        }
        ratio[round] = ms[0][round] / ms[1][round];
    }
    printf("%.1f %.1f %.2f %.1f %.1f %.2f\n", median(ms[0], rounds), median(ms[1], rounds),
           median(ratio, rounds), median(cpu[0], rounds), median(cpu[1], rounds), growth);
    coords_free(&list);
    context_free(cx);
    return 0;
}
