/* bench.c - spcc bench: measures kernels on inputs, in formats and types, with numbers of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/choose.h"
#include "cli/bench/cutt.h"
#include "cli/bench/figures.h"
#include "cli/bench/latency.h"
#include "cli/bench/neighbours.h"
#include "cli/bench/peers.h"
#include "cli/bench/roof.h"
#include "cli/commands.h"
#include "cli/library.h"
#include "cli/progress.h"
#include "cli/timing.h"

/* Kernels with more operations are left out; with --quick, those with a tenth of these. */
static const double most_flops = 2e9, most_flops_on_gpu = 1e11;

const struct bench_suite bench_suites[] = {
#define SUITE(letter, name, peers, runs, brief) {letter, name, peers, runs, brief},
#include "cli/bench/bench.def"
#undef SUITE
};
const int bench_n_suites = (int)(sizeof bench_suites / sizeof *bench_suites);

const struct bench_kernel bench_kernels[] = {
#define KERNEL(suites, name, statement, formats, sizes, work, types, inputs) \
    VARIANT(suites, name, statement, formats, sizes, work, types, inputs, .schedule = NULL)
#define VARIANT(SUITES, NAME, STATEMENT, FORMATS, SIZES, WORK, TYPES, INPUTS, ...) \
    {.suites = SUITES,                                                             \
     .name = NAME,                                                                 \
     .statement = STATEMENT,                                                       \
     .formats = FORMATS,                                                           \
     .sizes = SIZES,                                                               \
     .work = WORK,                                                                 \
     .types = TYPES,                                                               \
     .inputs = INPUTS,                                                             \
     __VA_ARGS__},
#define STEP(suites, name, statement, formats, end, done) \
    VARIANT(suites, name, statement, formats, end, "", "r", NULL, .step = BENCH_##done)
#include "cli/bench/bench.def"
#undef KERNEL
#undef VARIANT
#undef STEP
};
const int bench_n_kernels = (int)(sizeof bench_kernels / sizeof *bench_kernels);

struct bench {
    const struct cli_request *request;
    struct bench_choice choice;
    spcc_context *context[BENCH_THREADS_KINDS];
    int threads[BENCH_THREADS_KINDS];
    int n_threads;
    struct bench_machine machine;
    struct bench_inputs inputs;
    struct bench_rows rows;
    struct bench_row shown; /* the last row in the table */
    enum cli_status status;
    FILE *table; /* NULL: no table */
    struct bench_peers peers;
    struct bench_roofs roofs;
    struct bench_rates rates[BENCH_THREADS_KINDS];
    bool on_gpu;      /* everything runs there: --target=cuda */
    char *gpu;        /* its name, if a GPU is asked for */
    double copy_rate; /* bytes read and written in a millisecond by a copy there; 0: not known */
    int n_cases;      /* so far */
};

/* Opens contexts for one, two, four threads and so on, and for as many as are asked for. */
static enum cli_status open_contexts(struct bench *b)
{
    struct cli_request request = *b->request;
    enum cli_status status = CLI_DONE;
    int most = request.threads > 0 ? request.threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int t = 1; status == CLI_DONE; t = 2 * t < most ? 2 * t : most) {
        request.threads = b->threads[b->n_threads] = t;
        b->context[b->n_threads] = library_open(&request, &status);
        b->n_threads += status == CLI_DONE;
        if (t >= most || b->n_threads == BENCH_THREADS_KINDS)
            break;
    }
    return status;
}

/* ---- measuring ---- */

/* Returns 0 for as many as there is time for. */
static int count_runs(const struct bench *b)
{
    return b->request->runs > 0 ? b->request->runs : b->choice.usual->runs;
}

/* Measures ours and the peers' that take part, in turns. */
static spcc_status measure_run(struct bench *b, const struct bench_run *run,
                               struct bench_times *times)
{
    struct bench_contestant all[BENCH_PEERS + 1] = {{.run = run, .times = times}};
    int n = 1;
    for (int p = 0; p < b->peers.n; p++)
        if (b->peers.peer[p].takes_part)
            all[n++] = (struct bench_contestant){.peer = &b->peers.peer[p],
                                                 .times = &b->peers.peer[p].times};
    return bench_measure(all, n, b->request->quick ? 100 : 500, count_runs(b));
}

/* ---- the machine's rates ---- */

static void look_at_rates(struct bench *b)
{
    for (int t = 0; !b->on_gpu && t < b->n_threads && !bench_ended_by(); t++)
        b->rates[t] = bench_roof_rates(&b->roofs, t);
}

static void print_columns(struct bench *b)
{
    bench_print_legend(b->table, b->peers.n > 0, b->on_gpu);
    look_at_rates(b);
    for (int t = 0; t < b->n_threads; t++)
        if (b->rates[t].triad > 0)
            bench_print_rates(b->table, &b->rates[t]);
    bench_peers_introduce(&b->peers, b->table);
    bench_print_columns(b->table, b->peers.n > 0);
}

/* ---- rows ---- */

static enum cli_status add_row(struct bench *b, const struct bench_row *row)
{
    struct bench_rows *rows = &b->rows;
    if (rows->n == rows->room) {
        int room = 2 * rows->room + 64;
        struct bench_row *more = realloc(rows->row, (size_t)room * sizeof *more);
        if (!more)
            return library_no_memory();
        rows->row = more;
        rows->room = room;
    }
    rows->row[rows->n++] = *row;
    if (b->table && (!row->kernel->is_mode || row->modes > 1)) {
        bench_print_row(b->table, row, b->shown.kernel ? &b->shown : NULL, b->peers.n > 0);
        b->shown = *row;
    }
    if (b->table && ferror(b->table))
        bench_end(SIGPIPE);
    return CLI_DONE;
}

/* Fills in what all rows of a case share. */
static struct bench_row row_of(const struct bench_case *c, const struct bench_run *run, int threads,
                               double roof)
{
    const struct bench_tensor *A = c->files ? NULL : bench_case_tensor(c, "A");
    struct bench_row row = {.kernel = c->kernel,
                            .order = c->input->order,
                            .entries = c->input->entries.n,
                            .type = c->type,
                            .threads = threads,
                            .bytes = run->bytes,
                            .storage = A ? spcc_tensor_bytes(A->is) : 0,
                            .flops = c->flops,
                            .roof_ms = roof};
    snprintf(row.format, sizeof row.format, "%s", bench_case_format(c));
    snprintf(row.input, sizeof row.input, "%s", c->input->name);
    return row;
}

/* Adds a row for one contestant; ours are spcc's times, sorted, NULL if these are they. */
static enum cli_status add_times(struct bench *b, struct bench_row row, const char *by,
                                 struct bench_times *times, const struct bench_times *ours)
{
    if (times->n == 0)
        return CLI_DONE;
    snprintf(row.by, sizeof row.by, "%s", by);
    row.samples = times->n;
    row.median_ms = timing_median(times->ms, times->n);
    row.min_ms = times->ms[0]; /* they are sorted now */
    for (int k = 0; k < times->n; k++)
        row.mean_ms += times->ms[k] / times->n;
    row.ours_ms = ours ? ours->ms[0] : row.min_ms;
    row.ratio = ours && ours->ms[0] > 0 ? row.min_ms / ours->ms[0] : 1;
    return add_row(b, &row);
}

/* A peer with a wrong result has a row that says so. */
static enum cli_status add_peers(struct bench *b, const struct bench_case *c, int t,
                                 struct bench_row row, const struct bench_times *ours)
{
    enum cli_status status = CLI_DONE;
    for (int p = 0; p < b->peers.n; p++) {
        struct bench_peer *peer = &b->peers.peer[p];
        if (!peer->takes_part || bench_ended_by())
            continue;
        enum cli_status said = bench_peer_check(b->context[t], &b->peers, peer, c);
        status = status == CLI_DONE ? said : status;
        row.is_wrong = peer->is_wrong;
        said = add_times(b, row, peer->name, &peer->times, ours);
        status = status == CLI_DONE ? said : status;
    }
    return status;
}

/* ---- the loops ---- */

static void note_status(struct bench *b, enum cli_status status)
{
    if (status != CLI_DONE && !bench_ended_by() && b->status == CLI_DONE)
        b->status = status;
}

static void show_progress(struct progress *progress, const struct bench *b,
                          const struct bench_case *c)
{
    progress_begin(progress, "%d: %s, %.*s, %s, %s", b->n_cases, c->kernel->name, c->formats_length,
                   c->formats, c->input->name, spcc_type_name(c->type));
}

/* Measures ours and the peers' with this number of threads. */
static enum cli_status measure_with(struct bench *b, struct bench_case *c, int t,
                                    struct bench_times *times)
{
    struct bench_run run;
    struct progress progress;
    double roof = 0;
    show_progress(&progress, b, c);
    enum cli_status status = library_report(b->context[t], bench_run_make(&run, b->context[t], c));
    if (status == CLI_DONE && c->on_gpu)
        roof = b->copy_rate > 0 ? (double)run.bytes / b->copy_rate : 0;
    else if (status == CLI_DONE && !c->files)
        roof = bench_roof_ms(&b->roofs, c, &run, t);
    if (status == CLI_DONE)
        status = bench_peers_offer(&b->peers, c, b->threads[t], times->most, NULL);
    if (status == CLI_DONE)
        status = library_report(b->context[t], measure_run(b, &run, times));
    if (status == CLI_DONE)
        status = library_report(b->context[t], bench_case_fetch(b->context[t], c));
    progress_end(&progress);
    if (status == CLI_DONE) {
        struct bench_row row = row_of(c, &run, b->threads[t], roof);
        status = add_times(b, row, "spcc", times, NULL);
        if (status == CLI_DONE)
            status = add_peers(b, c, t, row, times);
    }
    bench_peers_done(&b->peers);
    bench_run_free(&run);
    return status;
}

static enum cli_status measure_on(struct bench *b, struct bench_case *c, int t)
{
    struct bench_times *times = calloc(1, sizeof *times);
    if (!times)
        return library_no_memory();
    times->most = count_runs(b) > 0 ? count_runs(b) : BENCH_SAMPLES;
    enum cli_status status = measure_with(b, c, t, times);
    free(times);
    return status;
}

static void measure_case(struct bench *b, struct bench_case *c)
{
    struct progress progress;
    bool fits;
    b->n_cases++;
    show_progress(&progress, b, c);
    bench_peers_forget(&b->peers);
    enum cli_status status =
        c->kernel->step == BENCH_KERNEL
            ? bench_case_make(b->context[0], c, &fits)
            : (fits = true, bench_files_make(b->context[0], c, b->peers.folder));
    progress_end(&progress);
    const int numbers = c->on_gpu ? 1 : b->n_threads; /* the numbers of threads that are measured */
    for (int t = 0; t < numbers && status == CLI_DONE && fits && !bench_ended_by(); t++)
        status = measure_on(b, c, t);
    if (b->table && c->kernel->is_weighed && b->shown.kernel == c->kernel)
        bench_print_storage(b->table, &b->shown);
    note_status(b, status);
    bench_case_free(c);
}

/* Measures a kernel in all its formats and types. */
static void measure_formats(struct bench *b, const struct bench_kernel *kernel,
                            const struct bench_input *input, double flops)
{
    static const spcc_type real[] = {SPCC_F64, SPCC_F32};
    bool is_real = strchr(kernel->types, 'r') != NULL;
    for (const char *f = kernel->formats; *f; f += strcspn(f, "|"), f += *f == '|')
        for (int t = 0; t < (is_real && !b->request->quick ? 2 : 1) && !bench_ended_by(); t++) {
            struct bench_case c = {.kernel = kernel,
                                   .input = input,
                                   .formats = f,
                                   .formats_length = (int)strcspn(f, "|"),
                                   .type = is_real ? real[t] : SPCC_BOOL,
                                   .on_gpu = b->on_gpu || kernel->on_gpu,
                                   .serial = b->request->serial,
                                   .flops = flops};
            measure_case(b, &c);
        }
}

int bench_kernel_order(const struct bench_kernel *kernel)
{
    const char *a = strstr(kernel->statement, "A(");
    int order = 1;
    for (a += 2; *a != ')'; a++)
        order += *a == ',';
    return order;
}

/* The entries of an input with scale 1. */
static double input_entries(const struct bench *b)
{
    return b->request->entries > 0 ? (double)b->request->entries : b->request->quick ? 5e5 : 5e6;
}

static void measure_kernel(struct bench *b, const struct bench_kernel *kernel)
{
    for (int i = 0; i < b->inputs.n && !bench_ended_by(); i++) {
        struct bench_input *input = &b->inputs.input[i];
        double flops;
        bool fits = true;
        if (!bench_is_wanted_input(&b->choice, kernel, input)
            || (input->order >= 0 && input->order != bench_kernel_order(kernel)))
            continue;
        enum cli_status status =
            bench_input_make(b->context[b->n_threads - 1], input, input_entries(b));
        if (status == CLI_DONE && input->order != bench_kernel_order(kernel))
            continue;
        if (status == CLI_DONE)
            status = bench_count_work(b->context[b->n_threads - 1], kernel, input, &flops, &fits);
        double most = b->on_gpu ? most_flops_on_gpu : most_flops;
        if (status == CLI_DONE && fits && flops <= most / (b->request->quick ? 10 : 1))
            measure_formats(b, kernel, input, flops);
        note_status(b, status);
    }
}

/* ---- the list ---- */

/* Prints "spmv       y(i) = A(i,j) * x(j)        csr, csc, ...", one line for each row of the
 * table. */
static void list_kernels(const struct bench *b)
{
    if (b->choice.rows_with)
        bench_neighbours_list(b->choice.rows_of, b->choice.rows_with);
    for (int k = 0; k < bench_n_kernels; k++) {
        const struct bench_kernel *kernel = &bench_kernels[k];
        if (b->choice.rows_with || !bench_is_wanted(&b->choice, kernel))
            continue;
        printf("%-12s %s\n%-12s ", kernel->name, kernel->statement, "");
        for (const char *f = kernel->formats; *f; f += strcspn(f, "|"), f += *f == '|')
            printf("%s%.*s", f > kernel->formats ? " | " : "", (int)strcspn(f, "|"), f);
        printf("%s%s\n", *kernel->sizes ? "; " : "", kernel->sizes);
    }
}

/* ---- the command ---- */

static enum cli_status write_text(struct bench *b, char *text, const char *path)
{
    enum cli_status status =
        text ? library_write_text(b->context[0], b->request, text, path) : library_no_memory();
    free(text);
    return status;
}

static enum cli_status write_results(struct bench *b)
{
    const struct cli_request *request = b->request;
    enum cli_status status = CLI_DONE;
    if (request->csv)
        status = write_text(b, bench_csv(&b->rows), request->csv_file);
    if (request->svg && status == CLI_DONE)
        status = write_text(b, bench_svg(&b->rows, &b->machine, b->rates, b->n_threads),
                            request->svg_file);
    return status;
}

/* Is there a row for another mode of the kernel? */
static bool goes_on(const struct bench *b, int k)
{
    for (int next = k + 1; next < bench_n_kernels; next++)
        if (bench_is_wanted(&b->choice, &bench_kernels[next]))
            return strcmp(bench_kernels[next].name, bench_kernels[k].name) == 0;
    return false;
}

/* Adds the means of the rows from `first` on, over all modes. */
static void add_means(struct bench *b, int first)
{
    int n = b->rows.n - first;
    struct bench_row *means = calloc((size_t)n + 1, sizeof *means);
    enum cli_status status = means ? CLI_DONE : library_no_memory();
    int n_means = means ? bench_mean_rows(&b->rows, first, means) : 0;
    for (int r = 0; r < n_means && status == CLI_DONE; r++)
        status = add_row(b, &means[r]);
    free(means);
    note_status(b, status);
}

static void measure_all_kernels(struct bench *b)
{
    int first = 0;
    for (int k = 0; k < bench_n_kernels && !bench_ended_by(); k++) {
        if (!bench_is_wanted(&b->choice, &bench_kernels[k])
            || (b->on_gpu && bench_kernels[k].step != BENCH_KERNEL))
            continue;
        measure_kernel(b, &bench_kernels[k]);
        if (bench_kernels[k].is_mode && !goes_on(b, k))
            add_means(b, first);
        first = goes_on(b, k) ? first : b->rows.n;
    }
}

static void measure_kernels(struct bench *b)
{
    if (b->table)
        print_columns(b);
    else if (b->request->svg)
        look_at_rates(b);
    measure_all_kernels(b);
    if (b->rows.n == 0 && b->status == CLI_DONE && !bench_ended_by()) {
        library_complain("nothing was measured: no input suits %s", b->choice.suite);
        message_help("'spcc bench %s --list' says what each kernel needs", b->choice.suite);
        b->status = CLI_BAD_USAGE;
        return;
    }
    note_status(b, write_results(b));
}

static struct bench_means means_of(struct bench *b)
{
    return (struct bench_means){.request = b->request,
                                .context = b->context,
                                .threads = b->threads,
                                .n_threads = b->n_threads,
                                .inputs = &b->inputs,
                                .entries = b->request->latency ? 1000 : input_entries(b),
                                .peers = &b->peers,
                                .table = b->table};
}

static void measure_neighbours(struct bench *b)
{
    const struct bench_means means = means_of(b);
    if (b->table)
        bench_peers_introduce(&b->peers, b->table);
    note_status(b, bench_neighbours(&means, b->choice.rows_of, b->choice.rows_with));
}

static enum cli_status measure_all(struct bench *b)
{
    if (b->table)
        bench_print_heading(b->table, &b->machine, b->choice.suite, b->request->quick);
    if (b->table && b->gpu)
        fprintf(b->table, "%s: a copy moves %.1f GB/s; times are those of kernels\n", b->gpu,
                b->copy_rate * 1e-6);
    bench_watch(true);
    const struct bench_means means = means_of(b);
    if (b->request->latency)
        note_status(b, bench_latency(&means, &b->choice));
    else if (b->choice.rows_with)
        measure_neighbours(b);
    else
        measure_kernels(b);
    bench_watch(false);
    return b->status;
}

/* Chooses where the table goes; rows of neighbours have no picture. */
static enum cli_status choose_outputs(struct bench *b)
{
    const struct cli_request *request = b->request;
    bool csv_alone = request->csv && !request->csv_file;
    bool svg_alone = request->svg && !request->svg_file;
    if (csv_alone && svg_alone)
        library_complain("--csv and --svg cannot both go to standard output");
    else if (request->svg && b->choice.rows_with)
        library_complain("--svg: there is no picture of %s", b->choice.rows_of);
    else if (request->latency && (b->choice.rows_with || request->csv || request->svg))
        library_complain("--latency is of kernels, as a table");
    else
        return b->table = csv_alone || svg_alone ? NULL : stdout, CLI_DONE;
    return CLI_BAD_USAGE;
}

/* Kernels for a GPU need one. */
static enum cli_status look_for_gpu(struct bench *b)
{
    bool is_wanted = b->on_gpu;
    for (int k = 0; k < bench_n_kernels && !b->choice.rows_with; k++)
        is_wanted |= bench_kernels[k].on_gpu && bench_is_wanted(&b->choice, &bench_kernels[k]);
    if (!is_wanted)
        return CLI_DONE;
    spcc_status said = spcc_engine_describe(b->context[0], SPCC_ENGINE_GPU, &b->gpu);
    if (said == SPCC_OK)
        said = spcc_gpu_copy_rate(b->context[0], &b->copy_rate);
    return library_report(b->context[0], said);
}

static enum cli_status open_all(struct bench *b)
{
    const struct cli_request *request = b->request;
    const char *data = request->data ? request->data : getenv("SPCC_DATA");
    const char *peers = request->peers ? request->peers : b->choice.usual->peers;
    enum cli_status status = open_contexts(b);
    if (status == CLI_DONE)
        status = look_for_gpu(b);
    b->roofs.peers = &b->peers;
    b->roofs.threads = b->threads;
    if (status == CLI_DONE)
        bench_machine_look(b->context[0], request->jit, &b->machine);
    if (status == CLI_DONE)
        status = bench_peers_open(&b->peers, peers, b->on_gpu);
    if (status == CLI_DONE)
        status = bench_inputs_list(&b->inputs, data && data[0] ? data : NULL);
    return status;
}

static void close_all(struct bench *b)
{
    bench_peers_close(&b->peers);
    bench_inputs_free(&b->inputs);
    free(b->rows.row);
    spcc_free(b->gpu);
    for (int t = 0; t < b->n_threads; t++)
        spcc_context_free(b->context[t]);
}

enum cli_status command_bench(const struct cli_request *request)
{
    struct bench b = {
        .request = request, .status = CLI_DONE, .on_gpu = request->target == CLI_TARGET_CUDA};
    if (request->subject && strcmp(request->subject, "target") == 0)
        return bench_figures(request);
    if (request->subject && strcmp(request->subject, "cutt") == 0)
        return bench_cutt(request);
    enum cli_status status = bench_choose(&b.choice, request);
    if (status == CLI_DONE)
        status = choose_outputs(&b);
    if (status != CLI_DONE)
        return status;
    if (request->lists) {
        list_kernels(&b);
        return CLI_DONE;
    }
    status = open_all(&b);
    if (status == CLI_DONE)
        status = measure_all(&b);
    close_all(&b);
    if (bench_ended_by()) {
        fflush(stdout);
        raise(bench_ended_by());
    }
    return status;
}
