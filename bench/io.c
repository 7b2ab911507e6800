/* io.c - how long reading, packing and writing a file takes.
 *
 *     io ROUNDS FILE OUT
 *
 * reads FILE, packs it (a matrix into csr, another tensor into csf), and writes it to OUT, on one
 * thread and on two in turns, and prints for reading, packing and writing the median milliseconds
 * of both, the median of their ratios, and the median processor time of both.  With 0 rounds it
 * does so once, on two threads, and prints the largest resident memory and the tensor's size, in
 * megabytes.  bench/io.py does the whole measurement.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "compiler/base/context.h"
#include "compiler/registry.h"
#include "runtime/io/io.h"

enum { ROUNDS_MAX = 99, STEPS = 3 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

struct sample {
    double ms[STEPS], cpu[STEPS];
    int64_t bytes;
};

/* A step is over. */
static void note(struct sample *sample, int step, double *start, double *cpu)
{
    sample->ms[step] = now(CLOCK_MONOTONIC) - *start;
    sample->cpu[step] = now(CLOCK_PROCESS_CPUTIME_ID) - *cpu;
    *start = now(CLOCK_MONOTONIC);
    *cpu = now(CLOCK_PROCESS_CPUTIME_ID);
}

static void check(enum rt_status status, const struct rt_error *error)
{
    if (status == RT_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static struct sample measure(struct context *cx, const char *path, const char *out, int threads)
{
    struct io_request request = {.type = TYPE_F64, .order = -1, .threads = threads};
    struct io_writing writing = {.threads = threads};
    struct coords coords;
    struct tensor *tensor;
    struct rt_error error;
    struct sample sample;
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    check(io_read(path, &request, &coords, &error), &error);
    note(&sample, 0, &start, &cpu);
    const struct format *format =
        format_parse(cx, "A", coords.order == 2 ? "csr" : "csf", coords.order,
                     (struct format_defaults){TYPE_I32, TYPE_I32});
    check(tensor_pack(&coords, format, value_zero(TYPE_F64), threads, NULL, &tensor, &error),
          &error);
    note(&sample, 1, &start, &cpu);
    check(io_write(out, &writing, tensor, &error), &error);
    note(&sample, 2, &start, &cpu);
    sample.bytes = tensor_bytes(tensor);
    tensor_free(tensor);
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
    static struct sample sample[2][ROUNDS_MAX];
    int rounds = argc == 4 ? atoi(argv[1]) : -1;
    if (rounds < 0 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: io ROUNDS FILE OUT\n");
        return 2;
    }
    struct context *cx = context_new();
    cx->levels = registry_levels;
    if (rounds == 0) {
        struct rusage usage;
        struct sample once = measure(cx, argv[2], argv[3], 2);
        getrusage(RUSAGE_SELF, &usage);
        printf("%.1f %.1f\n", 1024e-6 * (double)usage.ru_maxrss, 1e-6 * (double)once.bytes);
    }
    for (int round = 0; round < rounds; round++)
        for (int t = 0; t < 2; t++)
            sample[t][round] = measure(cx, argv[2], argv[3], t + 1);
    for (int step = 0; step < STEPS && rounds > 0; step++) {
        double ms[2][ROUNDS_MAX], cpu[2][ROUNDS_MAX], ratio[ROUNDS_MAX];
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < 2; t++) {
                ms[t][round] = sample[t][round].ms[step];
                cpu[t][round] = sample[t][round].cpu[step];
            }
            ratio[round] = ms[0][round] / ms[1][round];
        }
        printf("%.1f %.1f %.2f %.1f %.1f\n", median(ms[0], rounds), median(ms[1], rounds),
               median(ratio, rounds), median(cpu[0], rounds), median(cpu[1], rounds));
    }
    context_free(cx);
    return 0;
}
