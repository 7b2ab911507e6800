/* neighbours.c - spcc bench neighbours, and algebra: each kernel's time over that of something
 * that it should be near.
 *
 * That is another kernel of spcc's, a loop by hand, or a library.  For a kernel on two threads it
 * may be half the time of two serial kernels at once, each on tensors of its own: the gain of two
 * threads that share only caches and memory.  A row stands if the ratio is at most its bound.
 *
 * Every result is compared with that of plain C, without vectors and without the row's schedule.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/bench/neighbours.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/library.h"
#include "cli/progress.h"

/* Kernels with more operations are left out. */
static const double most_flops = 1e9;

static const struct bench_neighbour rows[] = {
#define ROW(suite_, name_, statement_, formats_, inputs_, bound_, ...) \
    {.suite = suite_,                                                  \
     .name = name_,                                                    \
     .statement = statement_,                                          \
     .formats = formats_,                                              \
     .inputs = inputs_,                                                \
     .bound = bound_,                                                  \
     __VA_ARGS__},
#define NEIGHBOUR(...) ROW("neighbours", __VA_ARGS__)
#define ALGEBRA(...)   ROW("algebra", __VA_ARGS__)
#include "cli/bench/bench.def"
#undef NEIGHBOUR
#undef ALGEBRA
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

/* A row on an input, in one of its formats. */
struct contest {
    const struct bench_means *means;
    const struct bench_neighbour *row;
    struct bench_kernel kernel, other;
    struct bench_case is, plain, against, again; /* the last two: of `over`, if no peer */
    spcc_context *beside;                        /* for what runs at the same time */
    struct bench_times times, over;
};

/* All rows: their outcomes, and the contexts for them. */
struct neighbours {
    const struct bench_means *means;
    spcc_context *beside; /* a second one with one thread */
    struct bench_standings all;
    enum cli_status status;
};

/* ---- rows ---- */

static bool has_any(const char *text, const char *words)
{
    for (const char *w = words; *w; w += strcspn(w, ","), w += *w == ',') {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(w, ","), w);
        if (word[0] && strstr(text, word))
            return true;
    }
    return false;
}

static bool is_wanted(const struct bench_neighbour *row, const char *suite, const char *words)
{
    return strcmp(row->suite, suite) == 0
           && (!words[0] || has_any(row->name, words) || has_any(row->formats, words));
}

bool bench_neighbours_have(const char *suite, const char *words)
{
    for (int r = 0; r < ROWS; r++)
        if (is_wanted(&rows[r], suite, words))
            return true;
    return false;
}

static struct bench_kernel kernel_of(const struct bench_neighbour *row)
{
    return (struct bench_kernel){.suites = "n",
                                 .name = row->name,
                                 .statement = row->statement,
                                 .formats = row->formats,
                                 .sizes = row->sizes ? row->sizes : "",
                                 .work = row->work ? row->work : "",
                                 .types = "r",
                                 .inputs = row->inputs,
                                 .schedule = row->schedule,
                                 .step = row->step};
}

/* Writes "8 times A x". */
static void name_other(const struct bench_neighbour *row, char *name, size_t room)
{
    if (row->over.peer)
        snprintf(name, room, "%s", row->over.peer);
    else if (row->over.is_twice)
        snprintf(name, room, "two alone");
    else if (row->over.times > 1)
        snprintf(name, room, "%g times %s", row->over.times, row->over.name);
    else
        snprintf(name, room, "%s", row->over.name);
}

void bench_neighbours_list(const char *suite, const char *words)
{
    for (int r = 0; r < ROWS; r++) {
        char other[64];
        const struct bench_neighbour *row = &rows[r];
        if (!is_wanted(row, suite, words))
            continue;
        name_other(row, other, sizeof other);
        printf("%-17s %s\n%-17s %s", row->name, row->statement, "", row->formats);
        printf("%s%s", row->schedule ? "; " : "", row->schedule ? row->schedule : "");
        printf("; at most %g of %s\n", row->bound, other);
    }
}

/* ---- results ---- */

static void note_status(struct neighbours *n, enum cli_status status)
{
    if (status != CLI_DONE && !bench_ended_by() && n->status == CLI_DONE)
        n->status = status;
}

static enum cli_status add_standing(struct neighbours *n, const struct bench_standing *s)
{
    struct bench_standings *all = &n->all;
    FILE *table = n->means->table;
    if (all->n == all->room) {
        int room = 2 * all->room + 64;
        struct bench_standing *more = realloc(all->of, (size_t)room * sizeof *more);
        if (!more)
            return library_no_memory();
        all->of = more;
        all->room = room;
    }
    all->of[all->n++] = *s;
    if (table)
        bench_print_standing(table, s);
    if (table && ferror(table))
        bench_end(SIGPIPE);
    return CLI_DONE;
}

static double least(const struct bench_times *times)
{
    double ms = times->n > 0 ? times->ms[0] : 0;
    for (int k = 1; k < times->n; k++)
        ms = times->ms[k] < ms ? times->ms[k] : ms;
    return ms;
}

static struct bench_standing standing_of(const struct contest *c, int threads)
{
    const struct bench_neighbour *row = c->row;
    struct bench_standing s = {.row = row,
                               .entries = c->is.input->entries.n,
                               .threads = threads,
                               .ms = least(&c->times),
                               .over_ms = least(&c->over),
                               .bound = row->bound};
    double times = row->over.is_twice ? 0.5 : row->over.times > 0 ? row->over.times : 1;
    s.over_ms *= times;
    s.ratio = s.over_ms > 0 ? s.ms / s.over_ms : 0;
    snprintf(s.format, sizeof s.format, "%s", bench_case_format(&c->is));
    snprintf(s.input, sizeof s.input, "%s", c->is.input->name);
    name_other(row, s.over, sizeof s.over);
    return s;
}

/* ---- one contest ---- */

static enum cli_status compare_sides(const struct contest *c, const struct bench_case *other,
                                     bool *is_wrong)
{
    bool is_same;
    spcc_context *context = c->means->context[0];
    enum cli_status status = bench_cases_check(context, &c->is, other, &is_same);
    if (status != CLI_DONE || is_same)
        return status;
    *is_wrong = true;
    library_complain("%s of %s on %s: the result is not that of plain C", c->row->name,
                     bench_case_format(&c->is), c->is.input->name);
    return CLI_BAD_INPUT;
}

static struct bench_peer *find_peer(const struct contest *c)
{
    struct bench_peers *peers = c->means->peers;
    for (int p = 0; p < peers->n && c->row->over.peer; p++)
        if (strcmp(peers->peer[p].name, c->row->over.peer) == 0 && peers->peer[p].takes_part)
            return &peers->peer[p];
    return NULL;
}

/* Measures both in turns. */
static enum cli_status take_times(struct contest *c, const struct bench_run *run,
                                  const struct bench_run *against, const struct bench_run *again,
                                  struct bench_peer *peer, spcc_context *context)
{
    const struct cli_request *request = c->means->request;
    struct bench_contestant both[] = {
        {.run = run, .times = &c->times},
        {.run = against, .beside = again, .peer = peer, .times = peer ? &peer->times : &c->over}};
    c->times.most = c->over.most = request->runs > 0 ? request->runs : BENCH_SAMPLES;
    c->times.n = c->over.n = 0;
    spcc_status said =
        bench_measure(both, against || peer ? 2 : 1, request->quick ? 60 : 300, request->runs);
    if (peer)
        c->over = peer->times;
    return library_report(context, said);
}

/* Makes the kernel to compare with, and the one that runs at the same time. */
static spcc_status make_others(struct contest *c, spcc_context *context, struct bench_run *against,
                               struct bench_run *again)
{
    spcc_context *first = c->row->over.is_twice ? c->means->context[0] : context;
    spcc_status said = SPCC_OK;
    if (c->against.kernel)
        said = bench_run_make(against, first, &c->against);
    if (said == SPCC_OK && c->again.kernel)
        said = bench_run_make(again, c->beside, &c->again);
    return said;
}

static enum cli_status measure_with(struct neighbours *n, struct contest *c, int t)
{
    struct bench_run run = {0}, against = {0}, again = {0};
    struct bench_peers *peers = c->means->peers;
    spcc_context *context = c->means->context[t];
    int threads = c->means->threads[t];
    bool is_wrong = false;
    enum cli_status right = CLI_DONE;
    enum cli_status status = library_report(context, bench_run_make(&run, context, &c->is));
    if (status == CLI_DONE && c->plain.kernel)
        right = compare_sides(c, &c->plain, &is_wrong);
    if (status == CLI_DONE)
        status = library_report(context, make_others(c, context, &against, &again));
    if (status == CLI_DONE && c->row->over.peer)
        status = bench_peers_offer(peers, &c->is, threads, BENCH_SAMPLES, c->row->over.peer);
    struct bench_peer *peer = find_peer(c);
    if (status == CLI_DONE)
        status = take_times(c, &run, against.of ? &against : NULL, again.of ? &again : NULL, peer,
                            context);
    if (status == CLI_DONE && peer && peer->takes_part) {
        enum cli_status same = bench_peer_check(context, peers, peer, &c->is);
        is_wrong |= peer->is_wrong;
        right = right == CLI_DONE ? same : right;
    }
    bench_peers_done(peers);
    if (status == CLI_DONE) {
        struct bench_standing s = standing_of(c, threads);
        s.is_wrong = is_wrong;
        status = add_standing(n, &s);
    }
    bench_run_free(&run);
    bench_run_free(&against);
    bench_run_free(&again);
    return status == CLI_DONE ? right : status;
}

/* ---- tensors ---- */

/* The plain kernel runs once. */
static enum cli_status make_plain(struct contest *c, bool *fits)
{
    struct bench_run run = {0};
    spcc_context *context = c->means->context[0];
    c->plain = c->is;
    c->plain.plain = true;
    enum cli_status status = bench_case_make(context, &c->plain, fits);
    if (status == CLI_DONE && *fits)
        status = library_report(context, bench_run_make(&run, context, &c->plain));
    bench_run_free(&run);
    return status;
}

/* The kernel to compare with has the formats of the row's alternative, or its own. */
static enum cli_status make_against(struct contest *c, bool *fits)
{
    const struct bench_neighbour *row = c->row;
    spcc_context *context = c->means->context[0];
    struct bench_case start = {.kernel = &c->kernel,
                               .input = c->is.input,
                               .formats = c->is.formats,
                               .formats_length = c->is.formats_length,
                               .type = c->is.type,
                               .serial = row->over.is_twice};
    enum cli_status status = CLI_DONE;
    if (row->over.statement) {
        c->other = c->kernel;
        c->other.statement = row->over.statement;
        c->other.schedule = NULL;
        start.kernel = &c->other;
    }
    if (row->over.formats) {
        start.formats = row->over.formats;
        start.formats_length = (int)strlen(row->over.formats);
    }
    if (!row->over.peer) {
        c->against = start;
        status = bench_case_make(context, &c->against, fits);
    }
    if (row->over.is_twice && status == CLI_DONE && *fits) {
        c->again = start;
        status = bench_case_make(c->beside, &c->again, fits);
    }
    return status;
}

static enum cli_status make_cases(struct contest *c, bool *fits)
{
    spcc_context *context = c->means->context[0];
    struct bench_case start = c->is;
    *fits = true;
    if (c->row->step != BENCH_KERNEL)
        return bench_files_make(context, &c->is, c->means->peers->folder);
    enum cli_status status = bench_case_make(context, &c->is, fits);
    if (status == CLI_DONE && *fits)
        status = make_against(c, fits);
    struct bench_case made = c->is;
    c->is = start;
    if (status == CLI_DONE && *fits)
        status = make_plain(c, fits);
    c->is = made;
    return status;
}

static void free_cases(struct contest *c)
{
    bench_case_free(&c->is);
    bench_case_free(&c->plain);
    bench_case_free(&c->against);
    bench_case_free(&c->again);
}

static void measure_formats(struct neighbours *n, const struct bench_neighbour *row,
                            const struct bench_input *input, const char *formats)
{
    struct progress progress;
    const struct bench_means *means = n->means;
    struct contest *c = calloc(1, sizeof *c);
    bool fits = false;
    if (!c) {
        note_status(n, library_no_memory());
        return;
    }
    *c =
        (struct contest){.means = means, .row = row, .kernel = kernel_of(row), .beside = n->beside};
    c->is = (struct bench_case){.kernel = &c->kernel,
                                .input = input,
                                .formats = formats,
                                .formats_length = (int)strcspn(formats, "|"),
                                .type = SPCC_F64,
                                .serial = means->request->serial};
    progress_begin(&progress, "%s, %.*s, %s", row->name, c->is.formats_length, formats,
                   input->name);
    bench_peers_forget(means->peers);
    enum cli_status status = make_cases(c, &fits);
    for (int t = 0; t < means->n_threads && status == CLI_DONE && fits && !bench_ended_by(); t++)
        if (strchr(row->threads ? row->threads : "1", '0' + means->threads[t]))
            status = measure_with(n, c, t);
    progress_end(&progress);
    note_status(n, status);
    free_cases(c);
    free(c);
}

/* ---- all of them ---- */

/* Adds the geometric mean over inputs of the measurements since that row. */
static void add_mean(struct neighbours *n, const struct bench_neighbour *row, int first, int t)
{
    struct bench_standing mean = {.row = row, .input = "mean", .threads = t, .bound = row->mean};
    double sum = 0, all = 0;
    for (int k = first; k < n->all.n; k++) {
        const struct bench_standing *s = &n->all.of[k];
        if (s->threads != t || s->ratio <= 0)
            continue;
        snprintf(mean.format, sizeof mean.format, "%s", s->format);
        snprintf(mean.over, sizeof mean.over, "%s", s->over);
        sum += log(s->ratio);
        all++;
    }
    mean.ratio = all > 0 ? exp(sum / all) : 0;
    if (all > 1)
        note_status(n, add_standing(n, &mean));
}

static int order_of(const char *statement)
{
    int order = 1;
    for (const char *a = strstr(statement, "A("); *a != ')'; a++)
        order += *a == ',';
    return order;
}

/* Is the input named by the row, or the user's? */
static bool suits(const struct bench_neighbour *row, const struct bench_input *input)
{
    size_t n = strlen(input->name);
    bool is_named = !input->suites;
    for (const char *s = row->inputs; *s && !is_named; s += strcspn(s, " "), s += *s == ' ')
        is_named = strcspn(s, " ") == n && strncmp(s, input->name, n) == 0;
    return is_named && (input->order < 0 || input->order == order_of(row->statement));
}

static void measure_row(struct neighbours *n, const struct bench_neighbour *row)
{
    const struct bench_means *means = n->means;
    struct bench_kernel kernel = kernel_of(row);
    int first = n->all.n;
    for (int i = 0; i < means->inputs->n && !bench_ended_by(); i++) {
        struct bench_input *input = &means->inputs->input[i];
        double flops;
        bool fits = true;
        if (!suits(row, input))
            continue;
        enum cli_status status = bench_input_make(means->context[0], input, means->entries);
        if (status == CLI_DONE && input->order != order_of(row->statement))
            continue;
        if (status == CLI_DONE)
            status = bench_count_work(means->context[0], &kernel, input, &flops, &fits);
        note_status(n, status);
        if (status != CLI_DONE || !fits || flops > most_flops)
            continue;
        for (const char *f = row->formats; *f; f += strcspn(f, "|"), f += *f == '|')
            measure_formats(n, row, input, f);
    }
    for (int t = 0; t < means->n_threads && row->mean > 0 && !bench_ended_by(); t++)
        add_mean(n, row, first, means->threads[t]);
}

static enum cli_status write_csv(struct neighbours *n)
{
    const struct cli_request *request = n->means->request;
    char *text = bench_standings_csv(&n->all);
    enum cli_status status =
        text ? library_write_text(n->means->context[0], request, text, request->csv_file)
             : library_no_memory();
    free(text);
    return status;
}

static void measure_all(struct neighbours *n, const char *suite, const char *words)
{
    const struct bench_means *means = n->means;
    if (means->table)
        bench_print_standing_columns(means->table);
    for (int r = 0; r < ROWS && !bench_ended_by(); r++)
        if (is_wanted(&rows[r], suite, words))
            measure_row(n, &rows[r]);
    if (means->table)
        bench_print_standings(means->table, &n->all);
    if (means->request->csv)
        note_status(n, write_csv(n));
}

enum cli_status bench_neighbours(const struct bench_means *means, const char *suite,
                                 const char *words)
{
    struct cli_request request = *means->request;
    struct neighbours n = {.means = means, .status = CLI_DONE};
    request.threads = 1;
    n.beside = library_open(&request, &n.status);
    if (n.beside)
        measure_all(&n, suite, words);
    spcc_context_free(n.beside);
    free(n.all.of);
    return n.status;
}
