/* jit.c - how long a kernel takes to load.
 *
 *     jit [clang|cc]
 *
 * Prints milliseconds: the first kernel of a process (opening Clang and making the jit count), the
 * median of later ones, and hits in the cache on disk, in a new jit each: the first one, the median
 * of later ones, and what loading takes of that.  The kernel is SpMV, changed a little each time so
 * that no cache knows it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/jit/jit.h"

enum { ROUNDS = 21, SOURCE_SIZE = 2000 };

static const char source_format[] =
    "typedef __INT32_TYPE__ int32_t;\n"
    "int spmv(int32_t A1_dimension, const int32_t *restrict A2_pos, const int32_t *restrict "
    "A2_crd,\n"
    "         const double *restrict A_vals, const double *restrict x_vals, double *restrict "
    "y_vals)\n"
    "{\n"
    "    for (int32_t i = 0; i < A1_dimension; i++) {\n"
    "        double sum = %d;\n"
    "        for (int32_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)\n"
    "            sum += A_vals[pA2] * x_vals[A2_crd[pA2]];\n"
    "        y_vals[i] = sum;\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *ms, int n)
{
    qsort(ms, (size_t)n, sizeof *ms, by_value);
    return ms[n / 2];
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void get_kernel(struct jit *jit, enum jit_engine engine, int number, struct jit_times *times)
{
    static const char *const names[] = {"spmv", NULL};
    char source[SOURCE_SIZE], *error = NULL;
    struct jit_kernel *kernel;
    snprintf(source, sizeof source, source_format, number);
    if (jit_compile(jit, engine, source, names, &kernel, times, &error) != JIT_OK) {
        fprintf(stderr, "%s\n", error ? error : "no memory");
        exit(3);
    }
    jit_release(kernel);
}

static struct jit *make_jit(const char *cache)
{
    struct jit_options options = {.size = sizeof options, .cache = cache};
    struct jit *jit;
    if (jit_new(&options, &jit, NULL) != JIT_OK)
        exit(3);
    return jit;
}

int main(int argc, char **argv)
{
    enum jit_engine engine = argc > 1 && strcmp(argv[1], "cc") == 0 ? JIT_CC : JIT_CLANG;
    char cache[] = "/tmp/spcc-bench-XXXXXX";
    double compiled[ROUNDS], found[ROUNDS], load[ROUNDS];
    struct jit_times times;
    if (!mkdtemp(cache))
        return 3;
    double start = now_ms();
    struct jit *jit = make_jit(cache);
    get_kernel(jit, engine, 0, &times);
    double first = now_ms() - start;
    for (int i = 0; i < ROUNDS; i++) {
        get_kernel(jit, engine, i + 1, &times);
        compiled[i] = times.total_ms;
    }
    jit_free(jit);
    for (int i = 0; i < ROUNDS; i++) {
        start = now_ms();
        jit = make_jit(cache);
        get_kernel(jit, engine, i, &times);
        found[i] = now_ms() - start;
        load[i] = times.load_ms;
        jit_free(jit);
        if (times.origin != JIT_FROM_DISK)
            return 70;
    }
    double first_hit = found[0];
    printf("%-6s first kernel %7.2f   later %7.2f   disk hit first %6.3f   later %6.3f   of which "
           "loading %6.3f  ms\n",
           engine == JIT_CC ? "cc" : "clang", first, median(compiled, ROUNDS), first_hit,
           median(found, ROUNDS), median(load, ROUNDS));
    fflush(stdout);
    return execlp("rm", "rm", "-rf", cache, (char *)NULL);
}
