/* latency.c - spcc bench --latency: the time from a statement to a kernel that can be called.
 *
 * Each kernel is compiled in rounds, on its smallest input: with an empty cache, from the cache in
 * another context, and once more in that context.  Before, the process opens what it opens only
 * once, Clang or a GPU's driver and NVRTC; that time is reported first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/bench/latency.h"

#include <string.h>

#include "cli/bench/peers.h"
#include "cli/library.h"
#include "cli/timing.h"

enum { ROUNDS = 5, MOST_ROUNDS = 100 };

/* The times of all rounds. */
struct latencies {
    double generate[MOST_ROUNDS], compile[MOST_ROUNDS], load[MOST_ROUNDS];
    double cold[MOST_ROUNDS], disk[MOST_ROUNDS], memory[MOST_ROUNDS];
    int n;
};

struct latency {
    const struct cli_request *request;
    struct bench_peers scratch; /* for its folder */
    int caches;                 /* so far, each with another name */
};

/* Compiles the case's last step; *ms is the time of the call. */
static spcc_status compile(spcc_context *context, const struct bench_case *c, double *ms,
                           spcc_kernel_info *info)
{
    spcc_kernel *kernel;
    double begin = timing_now_ms();
    spcc_status said = bench_case_compile(context, c, c->steps - 1, &kernel);
    *ms = timing_now_ms() - begin;
    if (said == SPCC_OK)
        *info = *spcc_kernel_get_info(kernel);
    spcc_kernel_free(kernel);
    return said;
}

/* Opens a context with a cache of its own. */
static enum cli_status open_cache(struct latency *l, int number, spcc_context **context)
{
    char cache[96];
    enum cli_status status;
    snprintf(cache, sizeof cache, "%s/cache-%d", l->scratch.folder, number);
    *context = library_open_cache(l->request, cache, &status);
    return status;
}

static enum cli_status measure_round(struct latency *l, const struct bench_case *c,
                                     struct latencies *all)
{
    spcc_context *first, *again;
    spcc_kernel_info info, other;
    int number = l->caches++, k = all->n;
    enum cli_status status = open_cache(l, number, &first);
    if (status != CLI_DONE)
        return status;
    status = library_report(first, compile(first, c, &all->cold[k], &info));
    spcc_context_free(first);
    if (status == CLI_DONE)
        status = open_cache(l, number, &again);
    if (status != CLI_DONE)
        return status;
    status = library_report(again, compile(again, c, &all->disk[k], &other));
    if (status == CLI_DONE)
        status = library_report(again, compile(again, c, &all->memory[k], &other));
    spcc_context_free(again);
    all->generate[k] = info.generate_ms;
    all->compile[k] = info.compile_ms;
    all->load[k] = info.load_ms;
    all->n += status == CLI_DONE;
    return status;
}

static void print_row(const struct bench_case *c, struct latencies *all)
{
    double *column[] = {all->generate, all->compile, all->load, all->cold, all->disk, all->memory};
    printf("%-10s %-12.*s %-4s", c->kernel->name, c->formats_length, c->formats,
           spcc_type_name(c->type));
    for (size_t k = 0; k < sizeof column / sizeof *column; k++)
        printf(" %9.3f", timing_median(column[k], all->n));
    putchar('\n');
    fflush(stdout);
}

/* Opens what a process opens once. */
static enum cli_status open_first(struct latency *l, const struct bench_case *c)
{
    spcc_kernel_info info;
    spcc_context *context;
    double ms;
    enum cli_status status = open_cache(l, l->caches++, &context);
    if (status != CLI_DONE)
        return status;
    status = library_report(context, compile(context, c, &ms, &info));
    if (status == CLI_DONE)
        printf("ms from a statement to a kernel that can be called; %.1f for the first one\n\n"
               "%-10s %-12s type %9s %9s %9s %9s %9s %9s\n",
               ms, "kernel", "format", "generate", "compile", "load", "cold", "disk", "memory");
    spcc_context_free(context);
    return status;
}

static enum cli_status measure_case(struct latency *l, const struct bench_case *c)
{
    struct latencies all = {.n = 0};
    int rounds = l->request->runs > 0 ? l->request->runs : ROUNDS;
    enum cli_status status = l->caches == 0 ? open_first(l, c) : CLI_DONE;
    rounds = rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
    while (status == CLI_DONE && all.n < rounds && !bench_ended_by())
        status = measure_round(l, c, &all);
    if (status == CLI_DONE && all.n > 0)
        print_row(c, &all);
    return status;
}

/* Measures a kernel on the first input that suits it. */
static enum cli_status measure_kernel(struct latency *l, const struct bench_means *means,
                                      const struct bench_kernel *kernel,
                                      const struct bench_choice *choice)
{
    enum cli_status status = CLI_DONE;
    bool fits = false;
    for (int i = 0; i < means->inputs->n && status == CLI_DONE && !fits; i++) {
        struct bench_input *input = &means->inputs->input[i];
        struct bench_case c = {.kernel = kernel,
                               .input = input,
                               .formats = kernel->formats,
                               .formats_length = (int)strcspn(kernel->formats, "|"),
                               .type = strchr(kernel->types, 'r') ? SPCC_F64 : SPCC_BOOL,
                               .on_gpu = kernel->on_gpu || l->request->target == CLI_TARGET_CUDA,
                               .serial = l->request->serial};
        if (!bench_is_wanted_input(choice, kernel, input)
            || (input->order >= 0 && input->order != bench_kernel_order(kernel)))
            continue;
        status = bench_input_make(means->context[0], input, means->entries);
        if (status == CLI_DONE)
            status = bench_case_make(means->context[0], &c, &fits);
        if (status == CLI_DONE && fits)
            status = measure_case(l, &c);
        bench_case_free(&c);
    }
    return status;
}

enum cli_status bench_latency(const struct bench_means *means, const struct bench_choice *choice)
{
    struct latency l = {.request = means->request};
    enum cli_status status = bench_peers_open(&l.scratch, NULL, false);
    for (int k = 0; k < bench_n_kernels && status == CLI_DONE && !bench_ended_by(); k++)
        if (bench_is_wanted(choice, &bench_kernels[k]) && bench_kernels[k].step == BENCH_KERNEL
            && !bench_kernels[k].computes)
            status = measure_kernel(&l, means, &bench_kernels[k], choice);
    bench_peers_close(&l.scratch);
    return status;
}
