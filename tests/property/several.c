/* several.c - random pairs and triples of statements compiled together against each by itself.
 *
 *     property_several [--seed N] [--count N] [--engine interp|cc|clang]
 *     property_several --case N              one case, as printed where it failed
 *
 * What a kernel of several statements leaves has the same components, stored and not, with the
 * same values: these are small integers, so that no order of sums changes them.  Each is tried as
 * it is planned, and with loops shared as they are drawn, where these can be.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spcc.h"

enum { STATEMENTS_MAX = 3, TENSORS = 8, SIZES = 3 };

/* ---- drawing ---- */

static uint64_t state;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % n);
}

struct tensor {
    const char *name, *index; /* an index variable a letter */
    const char *format;
    spcc_tensor *is;
};

struct trial {
    spcc_context *context;
    struct tensor operand[TENSORS];
    char statement[STATEMENTS_MAX][256], result_index[STATEMENTS_MAX][4];
    const char *result_format[STATEMENTS_MAX];
    char used[STATEMENTS_MAX][64]; /* index variables */
    bool compound[STATEMENTS_MAX];
    int n;
    int64_t size[SIZES];
};

static const char *const results[STATEMENTS_MAX] = {"y", "z", "s"};
static const char *const vectors[] = {"d", "s", "hash", "d", "bitmap"};
static const char *const result_vectors[] = {"d", "s", "d", "s", "d", "s", "hash", "bitmap"};
static const char *const matrices[] = {"dd",  "csr",    "csc", "dcsr",
                                       "coo", "dd:1,0", "csr", "bcsr(2,2)"};
static const char *const result_matrices[] = {"dd", "csr", "csc", "dcsr", "coo", "csr", "dok"};

static const char *format_for(int order, bool result)
{
    if (order == 0)
        return NULL;
    if (order == 1)
        return result ? result_vectors[draw(sizeof result_vectors / sizeof *result_vectors)]
                      : vectors[draw(sizeof vectors / sizeof *vectors)];
    return result ? result_matrices[draw(sizeof result_matrices / sizeof *result_matrices)]
                  : matrices[draw(sizeof matrices / sizeof *matrices)];
}

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* There is room: all texts are short. */
static void add(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsprintf(strchr(text, 0), format, args);
    va_end(args);
}

static void add_access(char *text, const char *name, const char *index)
{
    add(text, "%s", name);
    for (int k = 0; index[k]; k++)
        add(text, "%c%c", k ? ',' : '(', index[k]);
    add(text, "%s", *index ? ")" : "");
}

/* An operand, or what a statement before computes. */
static void draw_factor(struct trial *t, int s, char *text, char *used)
{
    if (s > 0 && draw(3) == 0) {
        int of = (int)draw((unsigned)s);
        add_access(text, results[of], t->result_index[of]);
        strcat(used, t->result_index[of]);
        return;
    }
    const struct tensor *o = &t->operand[draw(TENSORS)];
    add_access(text, o->name, o->index);
    strcat(used, o->index);
}

static void draw_statement(struct trial *t, int s)
{
    char value[256] = "", *used = t->used[s];
    int factors = 1 + (int)draw(3);
    for (int f = 0; f < factors; f++) {
        if (f)
            add(value, " %c ", "**********+-"[draw(12)]);
        draw_factor(t, s, value, used);
    }
    char *index = t->result_index[s];
    for (const char *v = "ijk"; *v; v++)
        if (strchr(used, *v) && draw(3) && strlen(index) < 2)
            *strchr(index, 0) = *v;
    if (strlen(index) == 2 && draw(4) == 0) {
        char first = index[0];
        index[0] = index[1];
        index[1] = first;
    }
    t->result_format[s] = format_for((int)strlen(index), true);
    t->compound[s] = draw(5) == 0;
    add_access(t->statement[s], results[s], index);
    add(t->statement[s], " %s %s", t->compound[s] ? "+=" : "=", value);
}

static int order_of(const struct tensor *tensor) { return (int)strlen(tensor->index); }

/* Small integers in some places. */
static spcc_tensor *draw_tensor(struct trial *t, const char *name, const char *index,
                                const char *format)
{
    int order = (int)strlen(index), n = 0;
    int64_t dimension[2] = {1, 1}, coordinates[128];
    double values[64];
    spcc_tensor_options options = {.size = sizeof options, .name = name};
    spcc_tensor *made = NULL;
    for (int m = 0; m < order; m++)
        dimension[m] = t->size[index[m] - 'i'];
    unsigned density = 1 + draw(4);
    for (int64_t a = 0; a < dimension[0]; a++)
        for (int64_t b = 0; b < dimension[1]; b++) {
            if (order && draw(4) >= density)
                continue;
            coordinates[n * order] = a;
            if (order == 2)
                coordinates[n * order + 1] = b;
            values[n++] = 1 + (double)draw(5);
        }
    if (spcc_tensor_from_coords(t->context, format, SPCC_F64, order, dimension, n, coordinates,
                                values, &options, &made)
        != SPCC_OK) {
        fputs(spcc_message(t->context), stderr);
        exit(2);
    }
    return made;
}

static void draw_trial(struct trial *t)
{
    static const struct tensor operands[TENSORS] = {
        {.name = "A", .index = "ij"}, {.name = "B", .index = "ij"}, {.name = "C", .index = "jk"},
        {.name = "D", .index = "ik"}, {.name = "x", .index = "j"},  {.name = "w", .index = "i"},
        {.name = "v", .index = "k"},  {.name = "u", .index = "i"}};
    for (int k = 0; k < SIZES; k++)
        t->size[k] = 1 + draw(6);
    for (int k = 0; k < TENSORS; k++) {
        t->operand[k] = operands[k];
        t->operand[k].format = format_for(order_of(&t->operand[k]), false);
        t->operand[k].is =
            draw_tensor(t, operands[k].name, operands[k].index, t->operand[k].format);
    }
    t->n = 2 + (draw(3) == 0);
    for (int s = 0; s < t->n; s++)
        draw_statement(t, s);
}

/* ---- running ---- */

static spcc_tensor *find(struct trial *t, spcc_tensor *const *result, const char *name)
{
    for (int s = 0; s < t->n; s++)
        if (strcmp(results[s], name) == 0)
            return result[s];
    for (int k = 0; k < TENSORS; k++)
        if (strcmp(t->operand[k].name, name) == 0)
            return t->operand[k].is;
    return NULL;
}

/* Compile for the tensors, and run. */
static spcc_status run(struct trial *t, const char *statement, const char *schedule, bool no_plan,
                       spcc_tensor *const *result)
{
    spcc_statement *parsed;
    spcc_declaration declaration[TENSORS + STATEMENTS_MAX];
    spcc_tensor *tensor[TENSORS + STATEMENTS_MAX];
    spcc_kernel *kernel = NULL;
    spcc_status status = spcc_statement_parse(t->context, statement, &parsed);
    if (status != SPCC_OK)
        return status;
    int n = spcc_statement_tensors(parsed);
    for (int k = 0; k < n; k++) {
        const char *name = spcc_statement_tensor_name(parsed, k);
        declaration[k] = (spcc_declaration){.name = name, .tensor = find(t, result, name)};
    }
    spcc_compile_options options = {.size = sizeof options,
                                    .declarations = declaration,
                                    .n_declarations = n,
                                    .schedule = schedule,
                                    .no_plan = no_plan};
    status = spcc_compile(t->context, statement, &options, &kernel);
    for (int k = 0; kernel && k < n; k++)
        tensor[k] = find(t, result, spcc_kernel_tensor_name(kernel, k));
    if (kernel)
        status = spcc_run_array(t->context, kernel, tensor, n);
    spcc_kernel_free(kernel);
    spcc_statement_free(parsed);
    return status;
}

/* As they are before: compound ones hold something. */
static void make_results(struct trial *t, spcc_tensor **result)
{
    uint64_t now = state;
    state = 77;
    for (int s = 0; s < t->n; s++)
        result[s] = draw_tensor(t, results[s], t->result_index[s], t->result_format[s]);
    state = now;
}

static void free_results(struct trial *t, spcc_tensor **result)
{
    for (int s = 0; s < t->n; s++)
        spcc_tensor_free(result[s]);
}

/* ---- comparing ---- */

struct component {
    int64_t at[2];
    double value;
};

static int by_coordinates(const void *a, const void *b)
{
    const struct component *p = a, *q = b;
    for (int m = 0; m < 2; m++)
        if (p->at[m] != q->at[m])
            return p->at[m] < q->at[m] ? -1 : 1;
    return 0;
}

static int unpack(const spcc_tensor *tensor, struct component *all)
{
    int64_t coordinates[1024];
    double values[512];
    int order = spcc_tensor_order(tensor);
    int n = (int)spcc_tensor_unpack(tensor, coordinates, values);
    for (int k = 0; k < n; k++) {
        all[k] = (struct component){.value = values[k]};
        for (int m = 0; m < order; m++)
            all[k].at[m] = coordinates[k * order + m];
    }
    qsort(all, (size_t)n, sizeof *all, by_coordinates);
    return n;
}

static bool is_same(const spcc_tensor *a, const spcc_tensor *b)
{
    struct component one[512], other[512];
    int n = unpack(a, one);
    if (unpack(b, other) != n)
        return false;
    for (int k = 0; k < n; k++)
        if (by_coordinates(&one[k], &other[k]) || one[k].value != other[k].value)
            return false;
    return true;
}

/* ---- a trial ---- */

static struct {
    long together, refused, shared, parallel, skipped;
} count;

static const char *together(const struct trial *t)
{
    static char text[1024];
    *text = 0;
    for (int s = 0; s < t->n; s++)
        sprintf(strchr(text, 0), "%s%s", s ? "; " : "", t->statement[s]);
    return text;
}

static bool complain(struct trial *t, uint64_t seed, const char *schedule, const char *what)
{
    printf("FAILED, --case %" PRIu64 ": %s\nspcc emit '%s'", seed, what, together(t));
    for (int k = 0; k < TENSORS; k++)
        if (strstr(together(t), t->operand[k].name))
            printf(" -f '%s:%s'", t->operand[k].name, t->operand[k].format);
    for (int s = 0; s < t->n; s++)
        if (t->result_format[s])
            printf(" -f '%s:%s'", results[s], t->result_format[s]);
    printf(" -s '%s'\n%s\n", schedule ? schedule : "", spcc_message(t->context));
    return false;
}

static void print(const char *what, const spcc_tensor *tensor)
{
    struct component all[512];
    int n = unpack(tensor, all);
    printf("%s:", what);
    for (int k = 0; k < n; k++)
        printf(" (%d,%d) %g", (int)all[k].at[0], (int)all[k].at[1], all[k].value);
    printf("\n");
}

static bool complain_of(struct trial *t, uint64_t seed, const char *schedule, bool no_plan, int s,
                        const spcc_tensor *apart, const spcc_tensor *together)
{
    complain(t, seed, schedule, results[s]);
    printf(no_plan ? "without a plan\n" : "");
    print("apart", apart);
    print("together", together);
    return false;
}

/* What statement s calls its loop over a variable: i, or where statements before it have that, i2
 * or i3. */
static const char *loop_name(const struct trial *t, int s, char var)
{
    static char name[8][4];
    static int next;
    int n = 1;
    for (int before = 0; before < s; before++)
        n += strchr(t->used[before], var) != NULL;
    char *to = name[next++ % 8];
    snprintf(to, 4, n > 1 ? "%c%d" : "%c", var, n);
    return to;
}

/* The statement's loops with the shared ones outside. */
static void add_order(const struct trial *t, int s, const char *shared, char *text)
{
    char order[4];
    snprintf(order, sizeof order, "%s", shared);
    for (const char *v = "ijk"; *v; v++)
        if (strchr(t->used[s], *v) && !strchr(order, *v))
            add(order, "%c", *v);
    if (strlen(order) < 2)
        return;
    add(text, "%s", *text ? "; reorder(" : "reorder(");
    for (int k = 0; order[k]; k++)
        add(text, "%s%s", k ? "," : "", loop_name(t, s, order[k]));
    add(text, ")");
}

/* Parts of a few iterations each, so that there are several. */
static void add_parallel(const char *loop, char *text)
{
    static const char *const races[] = {"no_races", "temporary", "atomics"}, *const shares[] = {
                                                                                 "static",
                                                                                 "dynamic"};
    add(text, "; parallelize(%s, cpu_thread, %s, %s, %u)", loop, races[draw(3)], shares[draw(2)],
        1 + draw(3));
}

/* Two statements in loops over what they have in common, which may be parallel. */
static const char *draw_schedule(const struct trial *t)
{
    static char text[512];
    char shared[4] = "";
    int a = (int)draw((unsigned)t->n - 1), b = a + 1 + (int)draw((unsigned)(t->n - a - 1));
    unsigned first = draw(3);
    *text = 0;
    for (unsigned k = 0; k < 3; k++) {
        char var = (char)('i' + (first + k) % 3);
        if (strchr(t->used[a], var) && strchr(t->used[b], var) && draw(4))
            add(shared, "%c", var);
    }
    for (int s = a; s <= b; s += b - a)
        if (draw(3))
            add_order(t, s, shared, text);
    for (int k = 0; shared[k]; k++) {
        const char *one = loop_name(t, a, shared[k]), *other = loop_name(t, b, shared[k]);
        add(text, "%sshare(%s,%s)", *text ? "; " : "", one, other);
    }
    if (shared[0] && draw(2))
        add_parallel(loop_name(t, a, shared[draw(4) ? 0 : strlen(shared) - 1]), text);
    return text;
}

static bool is_refusal(spcc_status status)
{
    return status == SPCC_ERROR_SCHEDULE || status == SPCC_ERROR_UNSUPPORTED
           || status == SPCC_ERROR_FORMAT || status == SPCC_ERROR_STATEMENT;
}

static bool compare(struct trial *t, uint64_t seed, spcc_tensor *const *apart, const char *schedule,
                    bool no_plan)
{
    spcc_tensor *result[STATEMENTS_MAX] = {NULL};
    bool good = true;
    make_results(t, result);
    spcc_status status = run(t, together(t), schedule, no_plan, result);
    count.together++;
    if (status != SPCC_OK) {
        count.refused++;
        if (!is_refusal(status) || (!schedule && !no_plan))
            good = complain(t, seed, schedule, "is refused");
    }
    for (int s = 0; s < t->n && status == SPCC_OK && good; s++)
        if (!is_same(apart[s], result[s]))
            good = complain_of(t, seed, schedule, no_plan, s, apart[s], result[s]);
    count.shared += status == SPCC_OK && schedule && strstr(schedule, "share");
    count.parallel += status == SPCC_OK && schedule && strstr(schedule, "parallelize");
    free_results(t, result);
    return good;
}

static bool run_trial(spcc_context *context, uint64_t seed)
{
    struct trial t = {.context = context};
    spcc_tensor *apart[STATEMENTS_MAX] = {NULL};
    bool good = true, is_run = true;
    state = seed;
    draw_trial(&t);
    make_results(&t, apart);
    for (int s = 0; s < t.n && is_run; s++)
        is_run = run(&t, t.statement[s], NULL, false, apart) == SPCC_OK;
    count.skipped += !is_run;
    if (is_run) {
        good = compare(&t, seed, apart, NULL, false);
        good = good && compare(&t, seed, apart, NULL, true);
        for (int k = 0; k < 6 && good; k++)
            good = compare(&t, seed, apart, draw_schedule(&t), draw(3) == 0);
    }
    free_results(&t, apart);
    for (int k = 0; k < TENSORS; k++)
        spcc_tensor_free(t.operand[k].is);
    return good;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, one = 0;
    long n = 100;
    spcc_options options = {.size = sizeof options, .engine = SPCC_ENGINE_INTERP};
    spcc_context *context;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            n = strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--case") == 0)
            one = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--engine") == 0)
            options.engine = strcmp(argv[i + 1], "cc") == 0      ? SPCC_ENGINE_CC
                             : strcmp(argv[i + 1], "clang") == 0 ? SPCC_ENGINE_CLANG
                                                                 : SPCC_ENGINE_INTERP;
    }
    if (spcc_context_new(&options, &context) != SPCC_OK)
        return 2;
    long failed = 0;
    if (one)
        failed = !run_trial(context, one);
    for (long k = 0; k < n && !one; k++)
        failed += !run_trial(context, seed * 1000003 + (uint64_t)k * 7919 + 1);
    printf("%ld together, %ld with drawn shares, %ld in parallel, %ld refused; %ld cases skipped, "
           "%ld failed\n",
           count.together, count.shared, count.parallel, count.refused, count.skipped, failed);
    spcc_context_free(context);
    return failed || (!one && count.shared * 50 < count.together);
}
