/* figures.c - spcc bench target: this machine's figures, as a file for --target-cpu.
 *
 * A figure is not measured directly.  Kernels that depend on it are made with several values of
 * the figure, and run in turns.  The fastest value is taken, unless the old value is about as
 * fast.  Three figures are ratios of times: the work from which on two threads save a quarter; and
 * a step along two lists, and a halving of a search, each over a step of a simple loop.  The sizes
 * of caches come from the system (the target native), and all other figures stay as they are
 * there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/bench/figures.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/peers.h"
#include "cli/library.h"
#include "cli/progress.h"

enum { VALUES = 6, FIGURES = 64 };

/* A new value has to take less than this share of the time, since measurements are no better. */
static const double better = 0.97;

/* A figure, a kernel that depends on it, an input with this many entries, and the values to try. */
struct question {
    const char *figure, *statement, *formats, *sizes, *input;
    double entries;
    int value[VALUES]; /* up to the first 0 */
};

/* In this order: each is measured with the values found before it. */
static const struct question questions[] = {
    {"vector_bytes", "y(i) = A(i,j) * x(j)", "A:dense", "", "full", 2e4, {16, 32, 64}},
    {"row_bytes",
     "Y(i,r) = A(i,j) * X(j,r)",
     "A:csr",
     "r:128",
     "uniform",
     1e5,
     {64, 128, 256, 512, 1024}},
    {"sums", "n = A(i,j) * A(i,j)", "A:dense", "", "full", 2e4, {1, 2, 4, 8, 16}},
    {"gather_bytes", "y(i) = A(i,j) * x(j)", "A:csr", "", "fuller", 2e5, {16, 32, 64}},
    {"scatter_lanes", "y(j) = A(i,j) * x(i)", "A:csr", "", "fuller", 2e5, {1, 2, 4, 8}},
    {"streams", "y(i) = A(i,j) * x(j)", "A:dia", "", "full", 1e6, {4, 8, 12, 16, 24, 32}},
    {"prefetch_ahead",
     "Y(i,r) = A(i,j) * X(j,r)",
     "A:csr",
     "r:32",
     "uniform",
     2e6,
     {4, 8, 16, 32, 64}},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* The target as known so far. */
struct figures {
    const struct cli_request *request;
    struct bench_peers scratch; /* for its folder */
    struct {
        char name[32], meaning[96];
        long long value;
    } of[FIGURES];
    int n;
};

/* A contestant: a kernel for the target with one figure changed. */
struct side {
    const struct bench_kernel *kernel;
    int threads;
    const char *figure; /* NULL: no figure */
    long long value;
    spcc_context *context;
    struct bench_run run;
    struct bench_times *times;
    double ms; /* of the fastest run; 0: there can be no such target */
};

/* ---- turns ---- */

static bool write_target(const struct figures *f, const struct side *side, const char *path)
{
    FILE *out = fopen(path, "w");
    for (int k = 0; out && k < f->n; k++) {
        bool is_other = side->figure && strcmp(side->figure, f->of[k].name) == 0;
        fprintf(out, "%s %lld\n", f->of[k].name, is_other ? side->value : f->of[k].value);
    }
    bool is_written = out && !ferror(out);
    return out && fclose(out) == 0 && is_written;
}

/* Opens a context for the side's target, if such a target can exist. */
static enum cli_status open_side(const struct figures *f, struct side *side)
{
    char path[128], *text = NULL;
    enum cli_status status;
    struct cli_request request = *f->request;
    snprintf(path, sizeof path, "%s/target", f->scratch.folder);
    if (!write_target(f, side, path)) {
        library_complain("%s cannot be written", path);
        return CLI_BAD_MACHINE;
    }
    request.target_cpu = path;
    request.threads = side->threads;
    side->context = library_open(&request, &status);
    if (status == CLI_DONE && spcc_target_describe(side->context, &text) != SPCC_OK) {
        spcc_context_free(side->context);
        side->context = NULL;
    }
    spcc_free(text);
    return status;
}

static enum cli_status make_side(const struct figures *f, struct side *side,
                                 const struct bench_case *c)
{
    side->times = calloc(1, sizeof *side->times);
    if (!side->times)
        return library_no_memory();
    side->times->most = f->request->runs > 0 ? f->request->runs : BENCH_SAMPLES;
    return library_report(side->context, bench_run_make(&side->run, side->context, c));
}

static void note_time(struct side *side)
{
    for (int k = 0; side->times && k < side->times->n; k++)
        if (side->ms == 0 || side->times->ms[k] < side->ms)
            side->ms = side->times->ms[k];
}

static void close_side(struct side *side)
{
    bench_run_free(&side->run);
    free(side->times);
    spcc_context_free(side->context);
}

/* Contestants of at most two kernels, each with tensors of its own. */
struct contest {
    struct side *side;
    int n;
    struct bench_case of[2];
};

static enum cli_status make_cases(struct contest *c, const struct bench_input *input)
{
    enum cli_status status = CLI_DONE;
    for (int k = 0; k < 2 && status == CLI_DONE; k++) {
        const struct side *side = &c->side[k == 0 ? 0 : c->n - 1];
        bool fits;
        if (k == 1 && side->kernel == c->side[0].kernel)
            break;
        c->of[k] = (struct bench_case){.kernel = side->kernel,
                                       .input = input,
                                       .formats = side->kernel->formats,
                                       .formats_length = (int)strlen(side->kernel->formats),
                                       .type = SPCC_F64};
        status = bench_case_make(c->side[0].context, &c->of[k], &fits);
    }
    return status;
}

static enum cli_status take_turns(const struct figures *f, struct contest *c)
{
    struct bench_contestant all[VALUES + 1];
    enum cli_status status = CLI_DONE;
    int n = 0;
    for (int k = 0; k < c->n && status == CLI_DONE; k++) {
        struct side *side = &c->side[k];
        if (!side->context)
            continue;
        status = make_side(f, side, &c->of[side->kernel != c->side[0].kernel]);
        all[n++] = (struct bench_contestant){.run = &side->run, .times = side->times};
    }
    if (status == CLI_DONE)
        status =
            library_report(c->side[0].context, bench_measure(all, n, 100.0 * n, f->request->runs));
    for (int k = 0; k < c->n; k++)
        note_time(&c->side[k]);
    return status;
}

/* Measures all sides on an input; the first one's target must be possible. */
static enum cli_status measure_sides(const struct figures *f, struct side *side, int n,
                                     const char *name, double entries)
{
    struct bench_inputs inputs;
    struct contest c = {.side = side, .n = n};
    double most = (double)f->request->entries;
    entries = most > 0 && most < entries ? most : entries;
    enum cli_status status = bench_inputs_list(&inputs, NULL);
    for (int k = 0; k < n && status == CLI_DONE; k++)
        status = open_side(f, &side[k]);
    for (int i = 0; i < inputs.n && status == CLI_DONE; i++) {
        struct bench_input *input = &inputs.input[i];
        if (strcmp(input->name, name) != 0)
            continue;
        status = bench_input_make(side[0].context, input, entries / input->scale);
        if (status == CLI_DONE)
            status = make_cases(&c, input);
        if (status == CLI_DONE)
            status = take_turns(f, &c);
    }
    for (int k = 0; k < n; k++)
        close_side(&side[k]);
    bench_case_free(&c.of[0]);
    bench_case_free(&c.of[1]);
    bench_inputs_free(&inputs);
    return status;
}

/* ---- the figures ---- */

static void set(struct figures *f, const char *figure, long long value)
{
    for (int k = 0; k < f->n; k++)
        if (strcmp(f->of[k].name, figure) == 0)
            f->of[k].value = value;
}

static struct bench_kernel kernel_of(const char *statement, const char *formats, const char *sizes)
{
    return (struct bench_kernel){.suites = "",
                                 .name = "target",
                                 .statement = statement,
                                 .formats = formats,
                                 .sizes = sizes,
                                 .work = "",
                                 .types = "r"};
}

static enum cli_status answer(struct figures *f, const struct question *q)
{
    const struct bench_kernel kernel = kernel_of(q->statement, q->formats, q->sizes);
    struct side side[VALUES + 1] = {{.kernel = &kernel, .threads = 1}};
    int n = 1, best = 0;
    for (; n <= VALUES && q->value[n - 1]; n++) {
        side[n] = (struct side){
            .kernel = &kernel, .threads = 1, .figure = q->figure, .value = q->value[n - 1]};
    }
    enum cli_status status = measure_sides(f, side, n, q->input, q->entries);
    for (int k = 1; k < n; k++)
        if (side[k].ms > 0 && side[k].ms < side[best].ms * (best == 0 ? better : 1))
            best = k;
    if (status == CLI_DONE && best > 0)
        set(f, q->figure, q->value[best - 1]);
    return status;
}

/* Finds the rows and entries from which on two threads save a quarter: twice the work of a part. */
static enum cli_status measure_threads(struct figures *f)
{
    enum { LEAST = 2000, MOST = 2000000 };
    const struct bench_kernel kernel = kernel_of("y(i) = A(i,j) * x(j)", "A:csr", "");
    const int threads =
        f->request->threads > 0 ? f->request->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    enum cli_status status = CLI_DONE;
    for (int entries = LEAST; threads > 1 && entries <= MOST && status == CLI_DONE; entries *= 2) {
        struct side side[] = {
            {.kernel = &kernel, .threads = 1},
            {.kernel = &kernel, .threads = 2, .figure = "part_work", .value = LEAST / 2}};
        status = measure_sides(f, side, 2, "uniform", entries);
        if (status == CLI_DONE && side[1].ms > 0 && side[1].ms < 0.75 * side[0].ms) {
            set(f, "part_work", (entries + entries / 10) / 2);
            break;
        }
    }
    return status;
}

/* A figure that is a price.  An entry of the statement takes some steps of the simple loop anyway;
 * the rest of its time is for a number of the priced things. */
static const struct price {
    const char *figure, *statement, *says;
    double anyway, of;
} prices[] = {
    /* an entry of either list is a step, and mispredictions are part of its time */
    {"merge_cost", "n = A(i,j) * B(i,j)", "two lists at once over one", 0, 2},
    /* rows of 40 entries are halved as often as the planner assumes: log2(2 + 40) */
    {"search_cost", "n = A(i,j) * B(j,i)", "a search for each entry over none", 1, 5.4},
};
enum { PRICES = sizeof prices / sizeof *prices };

static enum cli_status measure_price(struct figures *f, const struct price *p)
{
    const struct bench_kernel simple = kernel_of("y(i) = A(i,j) * x(j)", "A:csr", "");
    struct bench_kernel priced = kernel_of(p->statement, "A:csr B:csr", "");
    priced.plans_nothing = true;
    struct side side[] = {{.kernel = &simple, .threads = 1}, {.kernel = &priced, .threads = 1}};
    const enum cli_status status = measure_sides(f, side, 2, "fuller", 2e5);
    if (status == CLI_DONE && side[0].ms > 0) {
        const double cost = 100 * (side[1].ms / side[0].ms - p->anyway) / p->of;
        set(f, p->figure, (long long)fmin(fmax(cost, 100), 10000));
    }
    return status;
}

static enum cli_status measure_all(struct figures *f)
{
    enum cli_status status = CLI_DONE;
    struct progress progress;
    for (int q = 0; q < QUESTIONS && status == CLI_DONE && !bench_ended_by(); q++) {
        progress_begin(&progress, "%s", questions[q].figure);
        status = answer(f, &questions[q]);
        progress_end(&progress);
    }
    progress_begin(&progress, "part_work, prices");
    if (status == CLI_DONE && !bench_ended_by())
        status = measure_threads(f);
    for (int p = 0; p < PRICES && status == CLI_DONE && !bench_ended_by(); p++)
        status = measure_price(f, &prices[p]);
    progress_end(&progress);
    return status;
}

/* ---- the command ---- */

/* Reads the old figures from a target's text. */
static enum cli_status read_figures(struct figures *f)
{
    enum cli_status status;
    char *text = NULL;
    struct cli_request request = *f->request;
    request.target_cpu = request.target_cpu ? request.target_cpu : "native";
    spcc_context *context = library_open(&request, &status);
    if (status == CLI_DONE)
        status = library_report(context, spcc_target_describe(context, &text));
    for (const char *line = text; line && *line && f->n < FIGURES; line = strchr(line, '\n') + 1)
        f->n += sscanf(line, "%31[a-z_0-9] %lld # %95[^\n]", f->of[f->n].name, &f->of[f->n].value,
                       f->of[f->n].meaning)
                == 3;
    spcc_free(text);
    spcc_context_free(context);
    return status;
}

static void print(const struct figures *f)
{
    struct bench_machine machine;
    enum cli_status status;
    spcc_context *context = library_open(f->request, &status);
    if (context)
        bench_machine_look(context, f->request->jit, &machine);
    if (context)
        printf("# measured by spcc bench target: %s, %d %s; kernels by %s\n", machine.processor,
               machine.processors, machine.processors == 1 ? "processor" : "processors",
               machine.engine);
    for (int k = 0; k < f->n; k++)
        printf("%-14s %-9lld # %s\n", f->of[k].name, f->of[k].value, f->of[k].meaning);
    spcc_context_free(context);
}

static void list(void)
{
    for (int q = 0; q < QUESTIONS; q++)
        printf("%-14s %s, %s\n", questions[q].figure, questions[q].statement, questions[q].formats);
    printf("%-14s %s\n", "part_work", "two threads over one");
    for (int p = 0; p < PRICES; p++)
        printf("%-14s %s, %s\n", prices[p].figure, prices[p].statement, prices[p].says);
}

static enum cli_status measure_figures(struct figures *f)
{
    enum cli_status status = read_figures(f);
    if (status == CLI_DONE)
        status = bench_peers_open(&f->scratch, NULL, false);
    bench_watch(true);
    if (status == CLI_DONE)
        status = measure_all(f);
    bench_watch(false);
    bench_peers_close(&f->scratch);
    if (status == CLI_DONE && !bench_ended_by())
        print(f);
    return status;
}

enum cli_status bench_figures(const struct cli_request *request)
{
    if (request->csv || request->svg || request->peers || request->data) {
        library_complain("spcc bench target has no table, and neither peers nor files");
        return CLI_BAD_USAGE;
    }
    if (request->lists)
        return list(), CLI_DONE;
    struct figures *f = calloc(1, sizeof *f);
    if (!f)
        return library_no_memory();
    f->request = request;
    enum cli_status status = measure_figures(f);
    free(f);
    if (bench_ended_by())
        raise(bench_ended_by());
    return status;
}
