/* golden.c - the statements of tests/golden/cuda, with data for them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/gpu/golden.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/target.h"
#include "tests/support/rng.h"

/* Sizes that make rows long enough for a team of a schedule, or, fixed, that its bounds ask for. */
static const struct {
    const char *name, *var;
    int size;
    bool fixed;
} sizes[] = {
    {"spmv_block", "i", 3, false},       {"spmv_block", "j", 130, false},
    {"taco_spmv", "i", 20, false},       {"taco_spmv", "j", 20, false},
    {"taco_spmm", "i", 100, false},      {"taco_spmm", "j", 3, false},
    {"taco_spmm", "k", 128, true},       {"taco_sddmm", "i", 3, false},
    {"taco_sddmm", "k", 3, false},       {"taco_sddmm", "j", 128, true},
    {"taco_ttm", "i", 20, false},        {"taco_ttm", "j", 5, false},
    {"taco_ttm", "k", 3, false},         {"taco_ttm", "l", 128, true},
    {"taco_ttv", "i", 20, false},        {"taco_ttv", "j", 5, false},
    {"taco_ttv", "k", 4, false},         {"taco_mttkrp", "i", 9, false},
    {"taco_mttkrp", "j", 32, true},      {"taco_mttkrp", "k", 8, false},
    {"taco_mttkrp", "l", 5, false},      {"row_maxima", "i", 11, false},
    {"planned_sddmm", "i", 9, false},    {"planned_mttkrp", "i", 5, false},
    {"planned_mttkrp", "k", 4, false},   {"planned_mttkrp", "l", 3, false},
    {"planned_ttm", "i", 5, false},      {"planned_ttm", "j", 4, false},
    {"planned_ttv", "i", 5, false},      {"planned_ttv", "j", 4, false},
    {"spmv_balanced", "i", 3, false},    {"spmv_balanced", "j", 400, false},
    {"place_columns", "i", 4, false},    {"place_columns", "j", 3, false},
    {"rows_merged", "i", 9, false},      {"rows_merged", "j", 60, false},
    {"planned_maxima", "i", 9, false},   {"planned_maxima", "j", 90, false},
    {"planned_mttkrp_4", "i", 5, false}, {"planned_mttkrp_4", "j", 4, true},
    {"planned_mttkrp_4", "k", 4, true},  {"planned_mttkrp_4", "l", 3, true},
};

/* Sizes of the first variable and of others, for checks and for timings. */
enum { ROWS = 21, COLUMNS = 12, LARGE_COLUMNS = 32, CUBE = 64 /* times fewer rows in order 3 */ };

/* ---- reading ---- */

static char *read_file(struct context *cx, const char *path)
{
    enum { MOST = 1 << 16 };
    char *text = arena_alloc(cx->arena, MOST);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, MOST - 1, file)] = '\0';
    fclose(file);
    return text;
}

static const char *behind(const char *line, const char *word)
{
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 ? line + n : NULL;
}

/* A line of a statement file, as far as such files are used here. */
static void read_line(struct context *cx, struct golden *golden, struct text *formats,
                      const char *line)
{
    struct test_case *test = golden->test;
    char name[8], type[8] = "f64", format[CASE_FORMAT], var[8];
    int size;
    const char *rest;
    if (!*line || *line == '#')
        return;
    if ((rest = behind(line, "schedule "))) {
        golden->schedule =
            *golden->schedule ? arena_printf(cx->arena, "%s; %s", golden->schedule, rest) : rest;
    } else if ((rest = behind(line, "tensor "))) {
        bool read = sscanf(rest, "%7[^: ]: %255s", name, format) == 2
                    || sscanf(rest, "%7s %7[^:]: %255s", name, type, format) == 3;
        assert_true(read);
        text_printf(formats, "%s:%s %s\n", name, format, type);
    } else if ((rest = behind(line, "size "))) {
        assert_int_equal(sscanf(rest, "%7s = %d", var, &size), 2);
        golden->size[golden->sizes++] = (struct tin_size){arena_strdup(cx->arena, var), size};
    } else if (*test->statement) {
        fail_msg("%s: has a line that its test does not read: %s", golden->name, line);
    } else {
        snprintf(test->statement, sizeof test->statement, "%s", line);
    }
}

/* Its format and its type. */
static void find_format(struct context *cx, const char *formats, struct case_tensor *t)
{
    const char *begin = arena_printf(cx->arena, "%s:", t->name), *found = "dense f64";
    for (const char *line = formats; *line; line += strcspn(line, "\n") + 1)
        found = behind(line, begin) ? behind(line, begin) : found;
    size_t n = strcspn(found, " ");
    snprintf(t->format, sizeof t->format, "%.*s", (int)n, found);
    bool is_type = type_parse(found + n + 1, strcspn(found + n + 1, "\n"), &t->type);
    assert_true(is_type);
    t->fill = value_zero(t->type);
}

static int64_t size_of(const struct golden *golden, const char *var)
{
    for (int i = 0; i < golden->sizes; i++)
        if (strcmp(golden->size[i].var, var) == 0)
            return golden->size[i].size;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(sizes[i].name, golden->name) == 0 && strcmp(sizes[i].var, var) == 0
            && (sizes[i].fixed || !golden->rows))
            return sizes[i].size;
    bool first = strcmp(var, "i") == 0;
    int64_t rows = golden->rows / (strchr(golden->test->statement, 'l') ? CUBE : 1);
    return !golden->rows ? first ? ROWS : COLUMNS : first ? rows : LARGE_COLUMNS;
}

struct adding {
    struct context *cx;
    struct golden *golden;
    const char *formats;
};

/* A tensor of the statement, where it stands for the first time. */
static void add_tensors(const struct adding *a, const struct tin *tin)
{
    struct test_case *test = a->golden->test;
    if (tin->kind == TIN_ACCESS) {
        for (int i = 0; i < test->tensors; i++)
            if (strcmp(test->tensor[i].name, tin->tensor->name) == 0)
                return;
        assert_true(test->tensors < CASE_TENSORS && tin->indices <= CASE_ORDER);
        struct case_tensor *t = &test->tensor[test->tensors++];
        snprintf(t->name, sizeof t->name, "%s", tin->tensor->name);
        t->order = tin->indices;
        find_format(a->cx, a->formats, t);
        for (int m = 0; m < t->order; m++)
            t->dimension[m] = size_of(a->golden, tin->index[m]->name);
    }
    for (int i = 0; i < tin->args; i++)
        add_tensors(a, tin->arg[i]);
}

static void read_golden(struct context *cx, struct golden *golden, const char *path)
{
    char *text = read_file(cx, path), *rest = NULL;
    struct text formats = text_new(cx->arena);
    golden->schedule = "";
    golden->test = arena_make(cx->arena, struct test_case);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        read_line(cx, golden, &formats, line);
    const struct tin *statement = tin_parse(cx, golden->test->statement);
    if (!statement)
        fail_msg("%s", diag_render(cx));
    golden->test->index_bits = 32;
    add_tensors(&(struct adding){cx, golden, formats.n ? formats.at : ""}, statement);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct golden *)left)->name, ((const struct golden *)right)->name);
}

int golden_read_all(struct context *cx, struct golden *golden, int64_t rows)
{
    const char *folder = arena_printf(cx->arena, "%s/tests/golden/cuda", getenv("SPCC_SOURCE"));
    DIR *directory = opendir(folder);
    int n = 0;
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".cu") != 0)
            continue;
        assert_true(n < GOLDENS_MOST);
        golden[n] = (struct golden){
            .name = arena_printf(cx->arena, "%.*s", (int)length - 3, entry->d_name), .rows = rows};
        read_golden(cx, &golden[n], arena_printf(cx->arena, "%s/%s.spcc", folder, golden[n].name));
        n++;
    }
    closedir(directory);
    qsort(golden, (size_t)n, sizeof *golden, by_name);
    return n;
}

/* ---- data ---- */

/* Eighths add up to the same in any order; thirds are rounded in each sum. */
static double draw_number(struct rng *rng, bool rounded)
{
    double v = (1 + rng_below(rng, 40)) / (rounded ? 3.0 : 8.0);
    return rng_percent(rng, 40) ? -v : v;
}

static struct value draw_value(struct rng *rng, enum type type, bool rounded)
{
    double re = draw_number(rng, rounded);
    return type_is_complex(type) ? value_complex(type, re, draw_number(rng, rounded))
                                 : value_real(type, re);
}

/* All components of a dense tensor, of others some; a row in five is empty. */
static void add_entries(struct case_tensor *t, struct rng *rng, bool rounded)
{
    bool dense = t->order == 0 || strcmp(t->format, "dense") == 0
                 || strspn(t->format, "d") == strlen(t->format);
    int64_t components = 1;
    for (int m = 0; m < t->order; m++)
        components *= t->dimension[m];
    if (dense && components > CASE_ENTRIES)
        fail_msg("%s has %lld components: its sizes belong into the table", t->name,
                 (long long)components);
    int percent = dense ? 100 : components > 800 ? (int)(36000 / components) : 45;
    t->entries = 0;
    for (int64_t place = 0; place < components && t->entries < CASE_ENTRIES; place++) {
        struct case_entry *e = &t->entry[t->entries];
        int64_t rest = place;
        for (int m = t->order - 1; m >= 0; m--) {
            e->coordinate[m] = (int32_t)(rest % t->dimension[m]);
            rest /= t->dimension[m];
        }
        if (!rng_percent(rng, percent) || (!dense && e->coordinate[0] % 5 == 3))
            continue;
        e->value = draw_value(rng, t->type, rounded);
        t->entries++;
    }
}

void golden_fill(struct golden *golden, bool rounded)
{
    struct rng rng = {(uint64_t)strlen(golden->name)};

    for (int t = 1; t < golden->test->tensors; t++)
        add_entries(&golden->test->tensor[t], &rng, rounded);
    golden->test->shuffle = 0;
}

/* ---- kernels ---- */

const struct pipeline *golden_compile(struct trial *trial, const struct golden *golden,
                                      const char *name, int grid_blocks)
{
    struct context *cx = trial->cx;
    struct target *target = arena_copy(cx->arena, TARGET_GENERIC, sizeof *target);
    struct pipeline *pipeline = arena_make(cx->arena, struct pipeline);
    target->grid_blocks = grid_blocks ? grid_blocks : target->grid_blocks;
    struct pipeline_request request = {.expression = golden->test->statement,
                                       .declared = case_declarations(cx->arena, golden->test),
                                       .schedule = golden->schedule,
                                       .cuda = true,
                                       .check_passes = true,
                                       .name = name,
                                       .target = target};
    request.declared.size = golden->size;
    request.declared.sizes = golden->sizes;
    if (trial->verdict == TRIAL_RIGHT && pipeline_run(cx, &request, STAGE_C, pipeline))
        return pipeline;
    trial_fail(trial, "%s: %s", golden->name, diag_render(cx));
    return NULL;
}

static bool is_atomic(const struct imp *imp, void *unused)
{
    (void)unused;
    return imp->kind == IMP_ATOMIC || imp->kind == IMP_UPDATE;
}

bool golden_is_atomic(const struct imp_function *kernel)
{
    return imp_any(kernel->body, is_atomic, NULL);
}
