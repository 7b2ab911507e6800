/* slowest.c - how long it takes to compile the items of suites, to C code or to a refusal.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/conformance/slowest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMES = 3 };

struct timing {
    char text[ITEM_TEXT];
    double ms;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double compile(const struct test_case *test)
{
    double start = now();
    struct context *cx = context_new();
    if (cx && context_protect(cx)) {
        struct pipeline_request request = {.expression = test->statement,
                                           .declared = case_declarations(cx->arena, test)};
        struct pipeline pipeline;
        pipeline_run(cx, &request, STAGE_C, &pipeline);
    }
    context_free(cx);
    return now() - start;
}

static double measure(const struct suite *suite, int item)
{
    static struct test_case test;
    double least = 0;
    suite->fill(item, 0, &test);
    for (int i = 0; i < TIMES; i++) {
        double ms = compile(&test);
        least = i == 0 || ms < least ? ms : least;
    }
    return least;
}

static int slower_first(const void *a, const void *b)
{
    double x = ((const struct timing *)a)->ms, y = ((const struct timing *)b)->ms;
    return (x < y) - (x > y);
}

void slowest_print(const struct suite *const *suite, int suites, const char *only, int most)
{
    static struct timing timing[2 * ITEMS_MAX];
    int n = 0;
    for (int s = 0; s < suites; s++)
        for (int item = 0; item < suite[s]->count && n < 2 * ITEMS_MAX; item++) {
            suite[s]->print(item, timing[n].text, ITEM_TEXT);
            if (!only || strstr(timing[n].text, only))
                timing[n++].ms = measure(suite[s], item);
        }
    qsort(timing, (size_t)n, sizeof *timing, slower_first);
    for (int i = 0; i < n && i < most; i++)
        printf("%8.2f ms  %s\n", timing[i].ms, timing[i].text);
}
