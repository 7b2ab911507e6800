/* statements.c - random statements: each is right, or refused with a diagnostic.
 *
 *     property_statements [--seed S] [--count N] [--engine interp|cc|clang|emulator|gpu]
 *                         [--flags "..."] [--case SEED] [--replay FILE or FOLDER]
 *                         [--tries N] [--failures N] [--max-refused PERCENT] [--on-gpu N]
 *                         [--fail-on CODE] [--narrow] [--factors] [--in-parts] [--verbose]
 *
 * Every case is compiled, checked stage by stage, run, and compared with the dense oracle
 * (tests/support/trial.h).  With an engine of compiled code, several kernels at a time are compiled
 * from one source, called, and compared as well.  What is replayed with one is interpreted by its
 * first kernel alone: a replay by the interpreter does the rest.  With the emulator each case that
 * has one is run with a random schedule for a GPU, as CUDA source on this CPU, and with no other;
 * with gpu, on the GPU, by NVRTC, twice.
 *
 * --narrow: every case is at the limit of what the result's positions and coordinates count.
 *
 * --factors: every case has a product of 6 to 10 factors.
 *
 * --in-parts: most operands are tensors in parts.
 *
 * --on-gpu: the test fails if fewer schedules for a GPU are accepted and run.
 *
 * --fail-on: a refusal with this code (504 of E504) is a failure, too, to be made smaller.
 *
 * A child process does the work and notes in shared memory where it is.  When it finds a failure,
 * or dies of one, its parent makes the case smaller, trying each simplification in a process of its
 * own, and prints what is left in a form that --replay takes.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/base/text.h"
#include "runtime/jit/jit.h"
#include "tests/support/batch.h"
#include "tests/support/case.h"
#include "tests/support/rng.h"
#include "tests/support/trial.h"

enum {
    CODES = 1000,
    BATCH = 16,
    EMULATED = 64,
    SECONDS = 120 /* of processor time */,
    SKIP = 77,
    REASONS = 64
};

/* Why statements were refused: a message without its names and numbers, and the first case that
 * got it. */
struct reason {
    char text[160];
    int code;
    long n;
    uint64_t seed;
};

/* What child and parent share. */
struct report {
    uint64_t seed; /* of the case at hand */
    long begun;    /* cases begun */
    bool failed, skipped;
    long right, refused, ill_formed, by_code[CODES];
    struct reason reason[REASONS];
    /* seconds of processor time to compile and interpret a case, and which one */
    double slowest;
    int longest;
    uint64_t slowest_seed, longest_seed;
    int64_t compared, unknown;
    long launched; /* schedules for a GPU that were not refused */
    char why[TRIAL_TEXT];
};

struct options {
    uint64_t seed, one;
    bool has_one, verbose;
    enum case_kind kind;
    long count;
    int tries, failures; /* of shrinking; so many are shown before giving up */
    double max_refused;  /* percent */
    long on_gpu;         /* so many runs on a GPU are wanted */
    int fail_on;         /* a diagnostic's code, or 0 */
    const char *replay, *flags;
    struct batch_engine engine;
};

/* Cases that are given, not drawn; a test case is large. */
struct given {
    const struct test_case *test;
    int n;
};

/* ---- a case ---- */

static void draw(const struct options *options, struct test_case *test, uint64_t seed)
{
    case_random(test, seed, options->kind);
}

static void note_failure(struct report *report, const struct trial *t)
{
    report->failed = true;
    snprintf(report->why, sizeof report->why, "%s", t->why);
}

/* Names of one or two letters, accesses and numbers become _: they differ from case to case. */
static void generalize(const char *why, char *text, size_t size)
{
    size_t n = 0, end = strcspn(why, "\n");
    const char *begin = strchr(why, ':');
    for (size_t i = begin && begin < why + end ? (size_t)(begin - why) + 2 : 0;
         i < end && n + 1 < size;) {
        size_t word = 0;
        while (i + word < end && (isalnum((unsigned char)why[i + word]) || why[i + word] == '_'))
            word++;
        bool name =
            word > 0
            && (word == 1 || isdigit((unsigned char)why[i + 1]) || isdigit((unsigned char)why[i]));
        if (name && why[i + word] == '(')
            word += strcspn(why + i + word, ")") + 1;
        for (size_t k = 0; k < (word ? word : 1) && !name && n + 1 < size; k++)
            text[n++] = why[i + k];
        if (name)
            text[n++] = '_';
        i += word ? word : 1;
    }
    text[n] = '\0';
}

static void count_reason(struct report *report, const struct trial *t)
{
    struct reason reason = {.code = t->code, .n = 1, .seed = t->test->seed};
    int i = 0;
    generalize(t->why, reason.text, sizeof reason.text);
    while (i < REASONS - 1 && report->reason[i].n
           && (report->reason[i].code != reason.code
               || strcmp(report->reason[i].text, reason.text) != 0))
        i++;
    if (report->reason[i].n)
        report->reason[i].n++;
    else
        report->reason[i] = reason;
}

static void count(const struct options *options, struct report *report, const struct trial *t)
{
    report->compared += t->compared;
    report->unknown += t->unknown;
    report->launched += t->launched;
    if (t->verdict == TRIAL_RIGHT) {
        report->right++;
    } else if (t->verdict == TRIAL_REFUSED && t->code == options->fail_on && !report->failed) {
        note_failure(report, t);
    } else if (t->verdict == TRIAL_REFUSED) {
        report->refused++;
        report->ill_formed += t->code < DIAG_FORMAT;
        report->by_code[t->code >= 0 && t->code < CODES ? t->code : 0]++;
        count_reason(report, t);
        if (options->verbose)
            printf("%s\n%s\n", t->test->statement, t->why);
    } else if (!report->failed) {
        note_failure(report, t);
    }
}

/* All that the interpreter can say about a case once it has run it. */
static void interpret_rest(struct trial *t, const struct test_case *test)
{
    trial_interpret_plain(t);
    trial_interpret_reordered(t);
    trial_interpret_positions(t);
    trial_interpret_parallel(t);
    trial_interpret_on_gpu(t);
    if (*test->schedule)
        trial_interpret_scheduled(t, test->schedule);
    trial_interpret_tables(t);
    trial_interpret_distributed(t);
    trial_interpret_factored(t);
    trial_interpret_in_two(t);
    trial_interpret_given(t);
}

static void note_most(struct report *report, uint64_t seed, double seconds, int lines)
{
    if (lines > report->longest) {
        report->longest = lines;
        report->longest_seed = seed;
    }
    if (seconds > report->slowest) {
        report->slowest = seconds;
        report->slowest_seed = seed;
    }
}

/* Run n cases and count them.  The trials are large: the caller lends them. */
static void run_batch(const struct options *options, struct report *report, struct test_case *test,
                      struct trial *trial, int n)
{
    for (int i = 0; i < n; i++) {
        report->seed = test[i].seed;
        report->begun++;
        clock_t begun = clock();
        trial_open(&trial[i], &test[i]);
        trial_interpret(&trial[i], &trial[i].pipeline);
        if (!options->engine.for_gpu && (!options->replay || !options->engine.compiled))
            interpret_rest(&trial[i], &test[i]);
        note_most(report, test[i].seed, (double)(clock() - begun) / CLOCKS_PER_SEC, trial[i].lines);
    }
    if (options->engine.compiled)
        batch_call(&options->engine, trial, n, &report->seed);
    for (int i = 0; i < n; i++) {
        report->seed = report->failed ? report->seed : test[i].seed;
        count(options, report, &trial[i]);
        trial_close(&trial[i]);
    }
}

/* ---- the child ---- */

static bool open_engine(struct options *options, struct report *report)
{
    const char *trouble = batch_open(&options->engine, options->flags);
    if (trouble)
        printf("skipped: %s\n", trouble);
    report->skipped = trouble != NULL;
    return !trouble;
}

static void work_all(struct options *options, struct report *report, struct test_case *test,
                     struct trial *trial)
{
    struct rng rng = {options->seed};
    int size = options->engine.for_gpu ? EMULATED : options->engine.compiled ? BATCH : 1;
    for (long i = 0; i < report->begun; i++)
        rng_next(&rng);
    while (report->begun < options->count && !report->failed) {
        long left = options->count - report->begun;
        int n = left < size ? (int)left : size;
        for (int i = 0; i < n; i++)
            draw(options, &test[i], rng_next(&rng));
        run_batch(options, report, test, trial, n);
    }
}

/* Only these cases, or all from where the last child stopped. */
static void work(struct options *options, struct report *report, const struct given *only)
{
    struct test_case *test = calloc(EMULATED, sizeof *test);
    struct trial *trial = calloc(EMULATED, sizeof *trial);
    if (!test || !trial) {
        report->failed = true;
        snprintf(report->why, sizeof report->why, "no memory");
    } else if (only) {
        memcpy(test, only->test, (size_t)only->n * sizeof *test);
        run_batch(options, report, test, trial, only->n);
    } else {
        work_all(options, report, test, trial);
    }
    free(test);
    free(trial);
}

static const char *describe_end(int status)
{
    static char text[64];
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "%s",
                 WTERMSIG(status) == SIGPROF ? "does not end" : strsignal(WTERMSIG(status)));
    else
        snprintf(text, sizeof text, "ended with status %d (a sanitizer's report?)",
                 WEXITSTATUS(status));
    return text;
}

/* Do the work in a child; true if nothing failed and the child ended as it should. */
static bool supervise(struct options *options, struct report *report, const struct given *only,
                      bool quiet)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (quiet && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
            _exit(3);
        const struct itimerval limit = {.it_value.tv_sec = only ? only->n * SECONDS : 0};
        setitimer(ITIMER_PROF, &limit, NULL);
        if (!options->engine.compiled || open_engine(options, report))
            work(options, report, only);
        batch_close(&options->engine);
        exit(0); /* not _exit: leaks are found at exit */
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0 || status != 0) {
        report->failed = true;
        snprintf(report->why, sizeof report->why, "%s",
                 child < 0 ? strerror(errno) : describe_end(status));
    }
    return !report->failed;
}

/* ---- the parent ---- */

struct shrinking {
    struct options *options;
    struct report *report; /* of the runs that shrinking takes */
    const char *why;       /* the case failed at first */
};

/* Do two failures begin with the same words?  Numbers differ. */
static bool is_alike(const char *a, const char *b)
{
    size_t n = 0;
    while (n < 24 && a[n] && a[n] == b[n])
        n++;
    return n >= 24 || a[n] == b[n] || strcspn(a, "0123456789)") <= n;
}

static bool still_fails(const struct test_case *test, void *data)
{
    struct shrinking *s = data;
    memset(s->report, 0, sizeof *s->report);
    return !supervise(s->options, s->report, &(struct given){test, 1}, true)
           && is_alike(s->why, s->report->why);
}

static void print_case(const struct test_case *test)
{
    struct arena *arena = arena_new(NULL, NULL);
    if (!arena)
        return;
    struct text text = text_new(arena);
    case_command(&text, test);
    text_add(&text, "\n\n");
    case_print(&text, test);
    printf("%s\n", text.at);
    arena_free(arena);
}

/* Show the case at which a run failed, and what is left of it; scratch is for the runs that this
 * takes. */
static void explain(struct options *options, const struct report *report, struct test_case *test,
                    struct report *scratch)
{
    struct shrinking s = {options, scratch, report->why};
    printf("FAILED, seed %llu: %s\n", (unsigned long long)test->seed, report->why);
    print_case(test);
    if (still_fails(test, &s)) {
        case_shrink(test, still_fails, &s, options->tries);
        memset(scratch, 0, sizeof *scratch);
        supervise(options, scratch, &(struct given){test, 1}, false);
        printf("\nSmaller: %s\n", scratch->why);
        print_case(test);
    } else {
        printf("\nBy itself it does not fail.\n");
    }
}

static void print_reasons(const struct report *report)
{
    char shown[REASONS] = {0};
    for (int k = 0; k < REASONS; k++) {
        int most = -1;
        for (int i = 0; i < REASONS; i++)
            if (!shown[i] && report->reason[i].n
                && (most < 0 || report->reason[i].n > report->reason[most].n))
                most = i;
        if (most < 0)
            break;
        shown[most] = 1;
        printf("%6ld x E%03d %s; first: --case %llu\n", report->reason[most].n,
               report->reason[most].code, report->reason[most].text,
               (unsigned long long)report->reason[most].seed);
    }
}

static double percent_refused(const struct report *report)
{
    long all = report->right + report->refused;
    return all ? 100.0 * (double)report->refused / (double)all : 0;
}

static void summarize(const struct report *report, int failures)
{
    print_reasons(report);
    printf("%ld right, %d failed, %ld refused", report->right, failures, report->refused);
    for (int code = 0; code < CODES; code++)
        if (report->by_code[code])
            printf("%s %ld x E%03d", code && report->refused ? "," : ":", report->by_code[code],
                   code);
    printf("; %lld components compared, %lld of them with no certain value; %ld runs on a GPU\n",
           (long long)report->compared, (long long)report->unknown, report->launched);
    printf("%.3f %% refused, %ld of them because the statement itself is wrong\n",
           percent_refused(report), report->ill_formed);
    printf("the slowest case took %.2f s: --case %llu\n", report->slowest,
           (unsigned long long)report->slowest_seed);
    printf("the longest kernel has %d lines: --case %llu\n", report->longest,
           (unsigned long long)report->longest_seed);
}

static char *read_all(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = file ? calloc(1, 1 << 20) : NULL;
    size_t n = text ? fread(text, 1, (1 << 20) - 1, file) : 0;
    if (file)
        fclose(file);
    if (!text || n == 0)
        fprintf(stderr, "%s: cannot be read\n", name);
    return text;
}

static bool load(const char *path, struct test_case *test)
{
    char *text = read_all(path);
    const char *trouble = text ? case_read(test, text) : "";
    if (trouble && *trouble)
        fprintf(stderr, "%s: %s\n", path, trouble);
    free(text);
    return !trouble;
}

static bool parse_option(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--seed") == 0)
        o->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--case") == 0)
        o->one = strtoull(value, NULL, 10), o->has_one = true;
    else if (strcmp(name, "--count") == 0)
        o->count = strtol(value, NULL, 10);
    else if (strcmp(name, "--tries") == 0)
        o->tries = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--failures") == 0)
        o->failures = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--max-refused") == 0)
        o->max_refused = strtod(value, NULL);
    else if (strcmp(name, "--on-gpu") == 0)
        o->on_gpu = strtol(value, NULL, 10);
    else if (strcmp(name, "--fail-on") == 0)
        o->fail_on = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--flags") == 0)
        o->flags = value;
    else if (strcmp(name, "--replay") == 0)
        o->replay = value;
    else if (strcmp(name, "--engine") == 0)
        return batch_choose(&o->engine, value);
    else
        return false;
    return true;
}

static bool parse_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0)
            o->verbose = true;
        else if (strcmp(argv[i], "--narrow") == 0)
            o->kind = CASE_NARROW;
        else if (strcmp(argv[i], "--factors") == 0)
            o->kind = CASE_PRODUCT;
        else if (strcmp(argv[i], "--in-parts") == 0)
            o->kind = CASE_IN_PARTS;
        else if (i + 1 >= argc || !parse_option(o, argv[i], argv[i + 1]))
            return false;
        else
            i++;
    }
    return true;
}

/* All cases, beginning anew after each failure; the number of failures. */
static int run_all(struct options *options, struct report *report, struct test_case *test)
{
    int failures = 0;
    while (!supervise(options, &report[0], NULL, false)) {
        draw(options, test, report[0].seed);
        explain(options, &report[0], test, &report[1]);
        report[0].failed = false;
        if (++failures == options->failures || report[0].begun >= options->count)
            break;
    }
    return failures;
}

/* One case. */
static int run_one(struct options *options, struct report *report, struct test_case *test)
{
    if (options->verbose)
        print_case(test);
    if (supervise(options, &report[0], &(struct given){test, 1}, false))
        return 0;
    explain(options, &report[0], test, &report[1]);
    report[0].failed = false;
    return 1;
}

/* So many files at a time. */
struct replay {
    char path[BATCH][PATH_MAX];
    struct test_case test[BATCH];
    int n, failures;
};

/* Those that have been read together, and if that fails each by itself. */
static void replay_read(struct options *options, struct report *report, struct replay *r)
{
    if (r->n == 0
        || (r->n > 1 && supervise(options, report, &(struct given){r->test, r->n}, false)))
        r->n = 0;
    int failures = 0;
    for (int i = 0; i < r->n; i++) {
        report->failed = false;
        if (run_one(options, report, &r->test[i]))
            failures++, printf("... of %s\n", r->path[i]);
    }
    if (r->n > 1 && !failures)
        failures++, printf("FAILED: %d together, from %s on\n", r->n, r->path[0]);
    r->failures += failures;
    r->n = 0;
}

static void replay_file(struct options *options, struct report *report, struct replay *r)
{
    if (!load(r->path[r->n], &r->test[r->n]))
        r->failures++;
    else if (++r->n == BATCH)
        replay_read(options, report, r);
}

/* A file, or every file of a folder. */
static int replay(struct options *options, struct report *report)
{
    struct replay *r = calloc(1, sizeof *r);
    DIR *folder = opendir(options->replay);
    if (!r) {
        fputs("no memory\n", stderr);
        return 1;
    }
    if (!folder) {
        snprintf(r->path[0], sizeof r->path[0], "%s", options->replay);
        replay_file(options, report, r);
    }
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(r->path[r->n], sizeof r->path[r->n], "%s/%s", options->replay, entry->d_name);
        if (entry->d_name[0] != '.')
            replay_file(options, report, r);
    }
    replay_read(options, report, r);
    if (folder)
        closedir(folder);
    int failures = r->failures;
    free(r);
    return failures;
}

static int run(struct options *options, struct report *report, struct test_case *test)
{
    if (options->replay)
        return replay(options, report);
    if (!options->has_one)
        return run_all(options, report, test);
    draw(options, test, options->one);
    return run_one(options, report, test);
}

int main(int argc, char **argv)
{
    struct options options = {
        .seed = 1, .count = 2000, .tries = 400, .failures = 1, .max_refused = 100};
    struct report *report =
        mmap(NULL, 2 * sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct test_case *test = calloc(1, sizeof *test);
    if (!parse_options(&options, argc, argv) || report == MAP_FAILED || !test) {
        fprintf(stderr,
                "usage: %s [--seed S] [--count N] [--engine interp|cc|clang|emulator|gpu] "
                "[--flags FLAGS] [--case SEED] [--replay FILE or FOLDER] [--tries N] "
                "[--failures N] [--max-refused PERCENT] [--on-gpu N] [--fail-on CODE] "
                "[--narrow] [--factors] [--in-parts] [--verbose]\n",
                argv[0]);
        return 2;
    }
    int failures = run(&options, report, test);
    /* of few statements one may be refused, which says nothing of how many are */
    bool skipped = report->skipped,
         too_many = report->refused > 1 && percent_refused(report) > options.max_refused,
         too_few = report->launched < options.on_gpu;
    if (!skipped)
        summarize(report, failures);
    if (too_many)
        printf("more than one, and than the %g %% that may be\n", options.max_refused);
    if (too_few)
        printf("%ld runs on a GPU are wanted\n", options.on_gpu);
    munmap(report, 2 * sizeof *report);
    free(test);
    return skipped ? SKIP : failures || too_many || too_few ? 1 : 0;
}
