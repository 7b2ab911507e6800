/* on_gpu.c - every combination of the conformance table on a GPU, and a few statements into every
 * format of a result: by the interpreter, which finds races.
 *
 *     on_gpu TABLE [--update] [--verbose]
 *
 * Of each combination the simplest schedule for a GPU that is accepted is run: the planner's own,
 * or a loop of gpu_thread, the outermost that goes, in the loops of the plan or in those of the
 * statement, or one loop over an operand's positions.  The result has to be the oracle's.  What
 * none is accepted for is in the table, with the reason.  Every third combination is of complex
 * numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/concrete/concrete.h"
#include "compiler/target.h"
#include "compiler/tree/tree.h"
#include "tests/conformance/combinations.h"
#include "tests/conformance/results.h"
#include "tests/support/trial_parts.h"

enum {
    LOOPS = 12,
    REASONS = 24,
    REASON = 200,
    ITEM = 512,
    BLOCKS = 2,
    SCHEDULE = 4096,
    EXPRESSIONS = 64
};

/* Why combinations of an expression are refused, how many, and the first of them. */
struct reason {
    char text[REASON], first[ITEM];
    int n;
};

struct row {
    int dense, pattern, assembled, right, planned, wrong;
    struct reason reason[REASONS];
};

/* ---- what is run ---- */

/* A combination, perhaps with complex numbers, or (NULL) the result with this number. */
struct item {
    const struct combination *combination;
    bool complex;
    int result;
};

static int fillings_of(const struct item *item)
{
    return item->combination ? FILLINGS : RESULT_FILLINGS;
}

/* With other imaginary parts than the real ones. */
static void make_complex(struct test_case *test)
{
    for (int i = 0; i < test->tensors; i++) {
        struct case_tensor *t = &test->tensor[i];
        t->type = TYPE_C128;
        t->fill = value_convert(t->fill, TYPE_C128);
        for (int e = 0; e < t->entries; e++)
            t->entry[e].value = value_complex(TYPE_C128, t->entry[e].value.f, e % 4 - 1);
    }
}

static void fill_item(const struct item *item, int filling, struct test_case *test)
{
    if (item->combination)
        combination_fill(item->combination, (enum filling)filling, test);
    else
        results_case(item->result, filling, test);
    if (item->complex)
        make_complex(test);
}

static void print_item(const struct item *item, char *text, size_t size)
{
    if (item->combination)
        combination_print(item->combination, text, size);
    else
        results_print(item->result, text, size);
}

struct attempt {
    bool found;
    struct pipeline kernel;  /* in the context of the trial that found it */
    char schedule[SCHEDULE]; /* "": the planner's own */
    char why[REASON];        /* nothing was found: the first refusal */
};

/* What a run needs, and what comes of it. */
struct bench {
    struct test_case found_test, test;
    struct trial found, trial; /* in which the schedule is found, and with other tensors */
    struct attempt attempt;
    struct row row[EXPRESSIONS], into[RESULT_FORMATS];
};

/* The same with all fillings: so is the machine, which has a small grid. */
static struct pipeline_request request_of(struct trial *t, const char *schedule)
{
    struct pipeline_request request = trial_request(t);
    struct target *target = arena_copy(t->cx->arena, TARGET_GENERIC, sizeof *target);
    target->grid_blocks = BLOCKS;
    target->lane_work = 1;
    request.target = target;
    request.schedule = schedule;
    request.no_plan = *schedule != '\0';
    request.serial = request.no_plan;
    request.weighs = false;
    request.cuda = true;
    return request;
}

static bool accepts(struct trial *t, struct attempt *a, const char *schedule)
{
    struct pipeline_request request = request_of(t, schedule);
    size_t before = t->cx->diags.n;
    a->found = pipeline_run(t->cx, &request, STAGE_C, &a->kernel);
    if (!a->found && *schedule && !*a->why && t->cx->diags.n > before)
        snprintf(a->why, sizeof a->why, "%s", t->cx->diags.at[before].message);
    t->cx->diags.n = before;
    snprintf(a->schedule, sizeof a->schedule, "%s", schedule);
    return a->found;
}

struct loops {
    const char *name[LOOPS];
    int n;
};

static bool add_loop(const struct cin *cin, void *data)
{
    struct loops *loops = data;
    if (cin->kind == CIN_FORALL && loops->n < LOOPS)
        loops->name[loops->n++] = cin->index[0]->name;
    return false;
}

/* The outermost loop that goes, of these. */
static bool try_loops(struct trial *t, struct attempt *a, const struct cin *statement,
                      const char *plan)
{
    static const enum cin_races races[] = {RACES_NONE, RACES_ATOMICS, RACES_TEMPORARY};
    struct loops loops = {0};
    cin_any(statement, add_loop, &loops);
    for (int l = 0; l < loops.n; l++)
        for (int r = 0; r < 3; r++) {
            const char *schedule =
                arena_printf(t->cx->arena, "%s%sparallelize(%s, gpu_thread, %s)", plan,
                             *plan ? "; " : "", loops.name[l], cin_races_name(races[r]));
            if (accepts(t, a, schedule))
                return true;
        }
    return false;
}

/* All loops as one, over the positions of an operand: those of one that is a list. */
static bool try_positions(struct trial *t, struct attempt *a, const struct cin *statement)
{
    struct loops loops = {0};
    struct cin_list read = cin_operands(t->cx, statement);
    cin_any(statement, add_loop, &loops);
    for (size_t o = 0; o < read.n; o++)
        for (int n = 2; n <= 3 && n <= loops.n; n++) {
            struct text schedule = text_new(t->cx->arena);
            for (int l = 1; l < n; l++)
                text_printf(&schedule, "collapse(%s, %s, f%d); ", l > 1 ? "f1" : loops.name[0],
                            loops.name[l], l);
            text_printf(&schedule, "pos(f%d, p, ", n - 1);
            cin_print(t->cx, &schedule, read.at[o]);
            text_add(&schedule, "); parallelize(p, gpu_thread, atomics)");
            if (accepts(t, a, schedule.at))
                return true;
        }
    return false;
}

static void find_schedule(struct trial *t, struct attempt *a)
{
    struct pipeline_request request = request_of(t, "");
    struct pipeline planned;
    memset(a, 0, sizeof *a);
    request.serial = true; /* a plan, whether or not it has a loop for the GPU */
    if (accepts(t, a, "") || !pipeline_run(t->cx, &request, STAGE_PLAN, &planned))
        return;
    if (!try_loops(t, a, planned.planned->statement, planned.plan)
        && !try_loops(t, a, planned.concrete->statement, ""))
        try_positions(t, a, planned.concrete->statement);
}

/* What kind of result it has. */
static void count(const struct trial *t, struct row *row)
{
    bool dense = strcmp(t->test->tensor[0].format, "dense") == 0,
         pattern = t->pipeline.tree && t->pipeline.tree->assembly.kind == ASSEMBLY_PATTERN;
    row->dense += dense;
    row->pattern += !dense && pattern;
    row->assembled += !dense && !pattern;
}

static void note_refusal(struct row *row, const struct attempt *a, const char *item)
{
    int i = 0;
    while (i < REASONS - 1 && row->reason[i].n && strcmp(row->reason[i].text, a->why) != 0)
        i++;
    if (!row->reason[i].n++) {
        memcpy(row->reason[i].text, a->why, sizeof row->reason[i].text);
        snprintf(row->reason[i].first, sizeof row->reason[i].first, "%s", item);
    }
}

/* The schedule of a combination, if it is one to be run; false: it is not, or is refused.  The
 * trial stays open. */
static bool find(struct bench *b, const struct item *c, struct row *row, const char *item)
{
    struct trial *t = &b->found;
    fill_item(c, 0, &b->found_test);
    trial_open(t, &b->found_test);
    b->attempt.found = false;
    if (t->verdict == TRIAL_RIGHT) {
        count(t, row);
        if (context_protect(t->cx))
            find_schedule(t, &b->attempt);
        else
            snprintf(b->attempt.why, REASON, "%s", trial_unwound(t->cx));
        if (!b->attempt.found)
            note_refusal(row, &b->attempt, item);
    }
    return b->attempt.found;
}

static bool is_right(struct bench *b, const struct item *c, int filling, const char *item)
{
    struct trial *t = &b->trial;
    fill_item(c, filling, &b->test);
    trial_open_like(t, &b->test, &b->found);
    t->schedule = b->attempt.schedule;
    trial_interpret(t, &b->attempt.kernel);
    bool right = t->verdict == TRIAL_RIGHT;
    if (!right)
        printf("WRONG: %s: %s\n", item, t->why);
    trial_close(t);
    return right;
}

static void run(struct bench *b, const struct item *c, struct row *row, bool verbose)
{
    char item[ITEM];
    bool right = true;
    print_item(c, item, sizeof item);
    const bool found = find(b, c, row, item);
    for (int f = 0; f < fillings_of(c) && right && found; f++)
        right = is_right(b, c, f, item);
    trial_close(&b->found);
    row->right += found && right;
    row->planned += found && right && !*b->attempt.schedule;
    row->wrong += !right;
    if (verbose && found)
        printf("%s: %s\n", item, b->attempt.schedule);
}

/* ---- the table ---- */

static void add_row(struct text *out, const char *title, const struct row *row)
{
    text_printf(
        out, "%s: %d dense, %d with an operand's pattern, %d assembled: %d right, %d as planned\n",
        title, row->dense, row->pattern, row->assembled, row->right, row->planned);
    for (int i = 0; i < REASONS && row->reason[i].n; i++)
        text_printf(out, "    %d refused: %s\n        first: %s\n", row->reason[i].n,
                    row->reason[i].text, row->reason[i].first);
}

static char *read_all(const char *path)
{
    enum { MOST = 1 << 18 };
    char *text = calloc(1, MOST);
    FILE *file = text ? fopen(path, "rb") : NULL;
    size_t n = file ? fread(text, 1, MOST - 1, file) : 0;
    (void)n;
    if (file)
        fclose(file);
    return text;
}

/* Is it what the file has?  Or it is written there. */
static bool settle(const struct text *table, const char *path, bool update)
{
    char *is = read_all(path);
    bool same = is && strcmp(is, table->at) == 0;
    if (!same && update) {
        FILE *file = fopen(path, "wb");
        same = file && fwrite(table->at, 1, table->n, file) == table->n;
        same = file && fclose(file) == 0 && same;
    } else if (!same) {
        printf("%s is not true; --update writes it anew. It is now:\n%s", path, table->at);
    }
    free(is);
    return same;
}

int main(int argc, char **argv)
{
    bool update = getenv("SPCC_UPDATE_GOLDENS") != NULL, verbose = false;
    int wrong = 0;
    struct bench *b = calloc(1, sizeof *b);
    struct arena *arena = arena_new(NULL, NULL);
    for (int i = 2; i < argc; i++) {
        update |= strcmp(argv[i], "--update") == 0;
        verbose |= strcmp(argv[i], "--verbose") == 0;
    }
    if (argc < 2 || !b || !arena || expressions_count > EXPRESSIONS) {
        fprintf(stderr, "usage: %s TABLE [--update] [--verbose]\n", argv[0]);
        return 2;
    }
    struct text table = text_new(arena);
    for (int e = 0; e < expressions_count; e++) {
        for (int i = 0; i < combinations_of(&expressions[e]); i++) {
            struct combination c = combination_at(&expressions[e], i);
            run(b, &(struct item){.combination = &c, .complex = i % 3 == 1}, &b->row[e], verbose);
        }
        wrong += b->row[e].wrong;
        add_row(&table, expressions[e].title, &b->row[e]);
    }
    for (int f = 0; f < RESULT_FORMATS; f++) {
        for (int s = 0; s < RESULT_STATEMENTS; s++)
            run(b, &(struct item){.result = f * RESULT_STATEMENTS + s}, &b->into[f], verbose);
        wrong += b->into[f].wrong;
        add_row(&table, arena_printf(arena, "into %s", result_formats[f]), &b->into[f]);
    }
    bool settled = settle(&table, argv[1], update);
    free(b);
    arena_free(arena);
    return wrong || !settled;
}
