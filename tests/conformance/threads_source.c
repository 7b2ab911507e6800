/* threads_source.c - kernels with parallel loops, generated from statements, as one C program for
 * ThreadSanitizer.
 *
 *     threads_source FOLDER
 *
 * writes a file for each of a few statements into each format of a result (results.h), and main.c,
 * which calls them all on one csr matrix, many parts at once, several times.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "compiler/base/text.h"
#include "tests/conformance/results.h"
#include "tests/support/trial_parts.h"

enum { KERNELS = RESULT_STATEMENTS * RESULT_FORMATS, EVERY = 4 };

/* One matrix: rows of 0 to 14 entries, the first of 150. */
static const char *const driver =
    "#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
    "enum { N = 300 };\n"
    "static int32_t pos[N + 1], crd[20 * N];\nstatic double vals[20 * N];\n"
    "static void make(void)\n{\n    int n = 0;\n"
    "    for (int i = 0; i < N; i++) {\n"
    "        int most = i == 0 ? 150 : i % 15;\n"
    "        for (int k = 0; k < most; k++, n++) {\n"
    "            crd[n] = (i * 7 % (N / most)) + k * (N / most);\n"
    "            vals[n] = 1 + n % 9;\n        }\n"
    "        pos[i + 1] = n;\n    }\n}\n";

static const char *c_name(enum type type)
{
    return type == TYPE_F64 ? "double" : type == TYPE_BOOL ? "bool" : "int32_t";
}

/* The argument for a parameter; what it assembles goes to a variable of this number. */
static void add_argument(struct text *out, const struct imp_param *param, int number)
{
    if (param->role == ROLE_DIMENSION)
        text_add(out, "N");
    else if (param->out)
        text_printf(out, "&out%d", number);
    else if (param->role == ROLE_VALUES)
        text_add(out, "vals");
    else
        text_add(out, param->var->type == TYPE_I32 && param->array == 0 ? "pos" : "crd");
}

static void add_call(struct text *out, const char *name, const struct imp_function *f)
{
    text_printf(out, "static int run_%s(void)\n{\n", name);
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            text_printf(out, "    %s *out%d = NULL;\n", c_name(f->param[i].var->type), i);
    text_printf(out, "    int status = %s(", name);
    for (int i = 0; i < f->params; i++) {
        text_add(out, i ? ", " : "");
        add_argument(out, &f->param[i], i);
    }
    text_add(out, ");\n");
    for (int i = 0; i < f->params; i++)
        if (f->param[i].out)
            text_printf(out, "    free(out%d);\n", i);
    text_add(out, "    return status;\n}\n");
}

static bool write_file(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool good = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && good;
}

/* The kernel's file, what declares it, and its call. */
static bool generate(struct trial *t, int item, const char *folder, struct text *declared,
                     struct text *calls)
{
    struct pipeline parallel;
    struct pipeline_request request = trial_request(t);
    const char *name = arena_printf(t->cx->arena, "kernel_%d", item);
    request.schedule = trial_parallel_plan(t);
    request.no_plan = true;
    request.target = trial_target(t, 50);
    request.name = name;
    if (!pipeline_run(t->cx, &request, STAGE_HEADER, &parallel)) {
        fprintf(stderr, "%s: %s", t->test->statement, diag_render(t->cx));
        return false;
    }
    text_add(declared, parallel.header);
    add_call(calls, name, parallel.imperative);
    return write_file(folder, arena_printf(t->cx->arena, "%s.c", name), parallel.c);
}

static bool generate_item(int item, const char *folder, struct text *declared, struct text *calls)
{
    static struct test_case test;
    static struct trial trial;
    memset(&trial, 0, sizeof trial);
    results_case(item, 0, &test);
    trial_open(&trial, &test);
    bool good = trial.verdict == TRIAL_RIGHT && context_protect(trial.cx)
                && generate(&trial, item, folder, declared, calls);
    if (trial.verdict != TRIAL_RIGHT)
        fprintf(stderr, "%s\n", trial.why);
    trial_close(&trial);
    return good;
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new(NULL, NULL);
    if (argc != 2 || !arena)
        return 2;
    struct text declared = text_new(arena), calls = text_new(arena), main_c = text_new(arena);
    bool good = true;
    text_add(&main_c, "int main(void)\n{\n    int status = 0;\n    make();\n"
                      "    for (int round = 0; round < 5; round++) {\n");
    for (int item = 0; item < KERNELS && good; item += EVERY) {
        good = generate_item(item, argv[1], &declared, &calls);
        text_printf(&main_c, "        status |= run_kernel_%d();\n", item);
    }
    text_add(&main_c, "    }\n    return status;\n}\n");
    struct text all = text_new(arena);
    text_printf(&all, "%s%s%s%s", driver, declared.at, calls.at, main_c.at);
    good = good && write_file(argv[1], "main.c", all.at);
    arena_free(arena);
    return good ? 0 : 1;
}
