/* test_passes.c - what each pass of the list makes of the cases in NAME.ir, and what it leaves.
 *
 *     test_passes FOLDER
 *
 * A case is a line that says what is tried, a kernel, and what the pass makes of it:
 *
 *     # The sum is known.
 *     kernel f(f64 *x) {
 *         x[0] = 1.0 + 1.0
 *     }
 *     =>
 *     kernel f(f64 *x) {
 *         x[0] = 2
 *     }
 *
 * which the list makes simple again; or `=> the same`, or `=> refused: MESSAGE`.  A pass has two
 * cases at least that it changes, and one that it leaves.  What it makes computes the same, bit by
 * bit, on small numbers.  A case that begins with the name of a rewrite of the pass is changed in
 * another way without that rewrite.  With SPCC_UPDATE_GOLDENS=1 the files are written anew.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/context.h"
#include "compiler/base/text.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"
#include "compiler/target.h"

struct tally {
    int changed, left, refused, faults;
};

static const char *read_file(struct context *cx, const char *path)
{
    struct text in = text_new(cx->arena);
    char piece[4096];
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        text_addn(&in, piece, n);
    fclose(file);
    return in.at;
}

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    return file && (fputs(text, file), fclose(file)) == 0;
}

static int fault(struct tally *tally, const struct pass *pass, const char *title, const char *what)
{
    printf("%s: %s: %s\n", pass->name, title, what);
    return ++tally->faults;
}

/* ---- runs ---- */

enum { LENGTH = 2048, RUNS = 8 };

/* A flag has bit `at` of the run's number.  Integers ascend along an array, so that they may be
 * coordinates, each once, and segments, which follow each other. */
static struct value element(enum type type, int at, int run)
{
    if (type == TYPE_BOOL)
        return value_int(type, run >> at % 3 & 1);
    int small = type_is_integer(type) ? at : at * 5 % 7 + run;
    return value_convert(value_int(TYPE_I64, small), type);
}

static struct imp_argument *arguments(struct context *cx, const struct imp_function *f, int size,
                                      int run)
{
    struct imp_argument *argument = arena_array(cx->arena, struct imp_argument, f->params);
    for (int k = 0; k < f->params; k++) {
        const struct imp_var *var = f->param[k].var;
        size_t bytes = (size_t)type_size(var->type);
        argument[k].value = element(var->type, var->type == TYPE_BOOL ? k : size, run);
        if (!var->array)
            continue;
        argument[k].data = arena_alloc(cx->arena, bytes * LENGTH);
        argument[k].length = LENGTH;
        for (int i = 0; i < LENGTH; i++)
            value_store(element(var->type, i, run), (char *)argument[k].data + (size_t)i * bytes);
    }
    return argument;
}

/* The parameter whose arrays differ after two runs; NULL: none. */
static const struct imp_var *find_other(const struct imp_function *f, const struct imp_argument *a,
                                        const struct imp_argument *b)
{
    for (int k = 0; k < f->params; k++)
        if (a[k].data && memcmp(a[k].data, b[k].data, LENGTH * type_size(f->param[k].var->type)))
            return f->param[k].var;
    return NULL;
}

/* What is different when both run; NULL: nothing. */
static const char *difference(struct context *cx, const struct imp_function *before,
                              const struct imp_function *after)
{
    static const int sizes[] = {0, 1, 3, 5, 19, 37};
    for (size_t i = 0; i < RUNS * sizeof sizes / sizeof *sizes; i++) {
        int size = sizes[i / RUNS], run = (int)(i % RUNS);
        struct imp_argument *a = arguments(cx, before, size, run),
                            *b = arguments(cx, before, size, run);
        struct imp_run was = imp_interpret(cx, before, a, NULL),
                       is = imp_interpret(cx, after, b, NULL);
        if (was.fault || is.fault)
            return was.fault ? was.fault : is.fault;
        if (was.status != is.status)
            return "another status";
        const struct imp_var *other = was.status == STATUS_OK ? find_other(before, a, b) : NULL;
        if (other)
            return arena_printf(cx->arena, "another %s, size %d", other->name, size);
    }
    return NULL;
}

/* ---- cases ---- */

/* Is the rewrite that the case is named after what changes it? */
static bool is_by_its_name(struct context *cx, const struct pass *pass, const char *title,
                           const struct imp_function *function, struct pass_options options,
                           const struct imp_function *after)
{
    struct text with = text_new(cx->arena), without = text_new(cx->arena);
    size_t name = strcspn(title + 2, ": ");
    if (title[2 + name] != ':')
        return true;
    options.without = arena_printf(cx->arena, "%.*s", (int)name, title + 2);
    imp_print(&with, after);
    imp_print(&without, pass->apply(cx, function, &options));
    return strcmp(with.at, without.at) != 0;
}

/* What the pass makes of the kernel, as the file says it. */
static void add_result(struct context *cx, const struct pass *pass, const char *title,
                       const char *kernel, struct text *out, struct tally *tally)
{
    const struct pass_options options = {.plain = pass->code != CODE_FAST, .stops = true};
    struct text before = text_new(cx->arena);
    const struct imp_function *function = imp_parse(cx, kernel), *after;
    if (!function) {
        fault(tally, pass, title, diag_render(cx));
        return;
    }
    imp_print(&before, function);
    text_add(out, before.at);
    if ((pass->requires & FACT_SIMPLE) && imp_simplify(cx, function) != function)
        fault(tally, pass, title, "the kernel is not simple, as the pass requires");
    after = pass->apply(cx, function, &options);
    if (!after) {
        tally->refused++;
        const struct diag *diag = &cx->diags.at[cx->diags.n - 1];
        text_printf(out, "=> refused: %s\n\n", diag->message);
        return;
    }
    const char *broken = imp_check(cx, after);
    if (broken)
        fault(tally, pass, title, broken);
    if ((pass->maintains & FACT_SIMPLE) && imp_simplify(cx, after) != after)
        fault(tally, pass, title, "the result could be simpler");
    if (after == function) {
        tally->left++;
        text_add(out, "=> the same\n\n");
        return;
    }
    if (!is_by_its_name(cx, pass, title, function, options, after))
        fault(tally, pass, title, "no other code without what it is named after");
    const char *differs = difference(cx, function, after);
    if (differs)
        fault(tally, pass, title, differs);
    tally->changed++;
    text_add(out, "=>\n");
    imp_print(out, imp_simplify(cx, after));
    text_add(out, "\n");
}

/* The file as it should be. */
static const char *expected(struct context *cx, const struct pass *pass, const char *is,
                            struct tally *tally)
{
    struct text out = text_new(cx->arena);
    while (*is) {
        size_t title = strcspn(is, "\n"), end;
        const char *kernel = is + title, *result = strstr(kernel, "\n=>"), *next;
        if (*is != '#' || !result) {
            fault(tally, pass, is, "a case begins with #, and has a line that begins with =>");
            return is;
        }
        next = strstr(result, "\n# ");
        end = next ? (size_t)(next + 1 - is) : strlen(is);
        const char *name = arena_printf(cx->arena, "%.*s", (int)title, is);
        text_printf(&out, "%s\n", name);
        add_result(cx, pass, name,
                   arena_printf(cx->arena, "%.*s\n", (int)(result - kernel), kernel), &out, tally);
        is += end;
    }
    while (out.n > 1 && out.at[out.n - 1] == '\n' && out.at[out.n - 2] == '\n')
        out.at[--out.n] = '\0';
    return out.at;
}

/* The first line that is not as it should be. */
static void show(const char *is, const char *should)
{
    int line = 1;
    size_t at = 0;
    for (; is[at] && is[at] == should[at]; at++)
        line += is[at] == '\n';
    while (at > 0 && should[at - 1] != '\n')
        at--;
    printf("line %d: the pass makes\n%.400s\n", line, should + at);
}

static int check_pass(const struct pass *pass, const char *folder, bool update)
{
    struct tally tally = {0};
    struct context *cx = context_new();
    if (!cx || !context_protect(cx)) {
        printf("%s: unwound: %s\n", pass->name, cx && cx->bug ? cx->bug : "no memory");
        return 1;
    }
    struct target target = *TARGET_GENERIC;
    target.foreseen = 2;
    cx->target = &target;
    const char *path = arena_printf(cx->arena, "%s/%s.ir", folder, pass->name),
               *is = read_file(cx, path), *should = is ? expected(cx, pass, is, &tally) : NULL;
    if (!is)
        fault(&tally, pass, path, "there is no such file");
    else if (tally.changed < 2 && tally.refused < 2)
        fault(&tally, pass, path, "two cases at least that the pass changes");
    else if (tally.left < 1)
        fault(&tally, pass, path, "one case at least that the pass leaves");
    if (is && update && !tally.faults && strcmp(is, should) != 0 && !write_file(path, should))
        fault(&tally, pass, path, "cannot be written");
    if (is && !update && strcmp(is, should) != 0) {
        fault(&tally, pass, path, "not as it should be");
        show(is, should);
    }
    context_free(cx);
    return tally.faults;
}

int main(int argc, char **argv)
{
    const char *wish = getenv("SPCC_UPDATE_GOLDENS");
    int faults = argc != 2;
    for (int i = 0; i < passes_count && argc == 2; i++)
        faults += check_pass(&passes[i], argv[1], wish && strcmp(wish, "0") != 0 && *wish);
    printf("%d passes, %d faults\n", passes_count, faults);
    return faults > 0;
}
