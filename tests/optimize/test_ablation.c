/* test_ablation.c - how many of the benchmark's kernels each pass, and rewrite of the vectorizer,
 * changes.
 *
 *     test_ablation [list]
 *
 * The code is for a machine of which all is known, and for a GPU.  What has served one kernel is a
 * case and no rule: each has to change the code of FEW kernels at least, of those that
 * cli/bench/bench.def has, which is to say that the code without it is another.  With an argument
 * the numbers are printed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/neighbours.h"
#include "compiler/base/context.h"
#include "compiler/base/vec.h"
#include "compiler/emit/emit.h"
#include "compiler/optimize/pass.h"
#include "compiler/pipeline.h"
#include "compiler/target.h"

enum { FEW = 5, FORMATS = 8, MODES = 5, NAMES = 40 };

struct kernel {
    const char *statement, *formats, *schedule;
    int size; /* of all its modes; 0: not known */
};

static const struct kernel kernels[] = {
#define KERNEL(suites, name, statement, formats, sizes, work, types, inputs) \
    {statement, formats, NULL, 0},
#include "cli/bench/bench.def"
#undef KERNEL
#define TRANSPOSE(name, statement, size, permutation) {statement, "", NULL, size},
#include "cli/bench/cutt.def"
#undef TRANSPOSE
};

static const struct bench_neighbour neighbours[] = {
#define NEIGHBOUR(name_, statement_, formats_, inputs_, bound_, ...) \
    {.statement = statement_, .formats = formats_, __VA_ARGS__},
#include "cli/bench/bench.def"
#undef NEIGHBOUR
};

/* The rewrites of the vectorizer, by the names of their files. */
static const char *const rewrites[] = {
    "squares",    "register_tile", "strip_rows",     "unroll_and_jam",
    "loop_lanes", "prefetch",      "gather_scatter", "skip_strips",
};

struct ablated {
    const char *name;
    bool is_rewrite;
    int kernels;
};

struct ablation {
    struct ablated at[NAMES];
    int n, kernels;
};

/* A pass that says what cannot be, or does what a schedule asks for, or without which there is no
 * code, is not for speed or looks. */
static bool is_needed(const char *name)
{
    return !strcmp(name, "simplify") || !strcmp(name, "refuse_vectors") || !strcmp(name, "unroll");
}

static void add_names(struct ablation *all)
{
    for (int i = 0; i < passes_count; i++)
        if (!is_needed(passes[i].name))
            all->at[all->n++] = (struct ablated){passes[i].name, false, 0};
    for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites; i++)
        all->at[all->n++] = (struct ablated){rewrites[i], true, 0};
}

/* Every variable of the statement, of those from i on, has this size; 0: none is known. */
static void declare_sizes(struct context *cx, const char *statement, int size,
                          struct tin_declarations *to)
{
    struct tin_size *sizes = arena_array(cx->arena, struct tin_size, MODES);
    for (int m = 0; m < MODES && size; m++) {
        const char *var = arena_printf(cx->arena, "%c", 'i' + m);
        if (strstr(statement, var))
            sizes[to->sizes++] = (struct tin_size){var, size};
    }
    to->size = sizes;
}

/* The formats that the alternative has for tensors of the statement. */
static struct tin_declarations declared(struct context *cx, const char *statement,
                                        const char *formats, size_t length)
{
    struct tin_declaration *tensor = arena_array(cx->arena, struct tin_declaration, FORMATS);
    int n = 0;
    for (size_t at = 0; at < length; at += strcspn(formats + at, " |") + 1) {
        size_t word = strcspn(formats + at, " |"), name = strcspn(formats + at, ":~");
        const char *access = arena_printf(cx->arena, "%.*s(", (int)name, formats + at);
        if (!strstr(statement, access))
            continue;
        tensor[n++] = (struct tin_declaration){
            .name = arena_printf(cx->arena, "%.*s", (int)name, formats + at),
            .format =
                arena_printf(cx->arena, "%.*s", (int)(word - name - 1), formats + at + name + 1),
            .fill = formats[at + name] == '~' ? "inf" : NULL};
    }
    return (struct tin_declarations){
        .tensor = tensor, .tensors = n, .defaults = {TYPE_I32, TYPE_I32}};
}

/* Has the pass, or the one that the rewrite is part of, changed the function at all? */
static bool may_matter(const struct pipeline *p, const struct ablated *a)
{
    const char *pass = a->is_rewrite ? "vectorize" : a->name;
    for (int i = 0; i < p->passes; i++)
        if (!strcmp(p->pass[i].pass->name, pass))
            return p->pass[i].before != p->pass[i].after;
    return false;
}

/* Note whose absence is seen in the code of the statement. */
static bool compare(struct context *cx, struct pipeline_request *request, bool *matters,
                    const struct ablation *all)
{
    struct pipeline p;
    if (!pipeline_run(cx, request, STAGE_IMPERATIVE, &p))
        return false;
    struct emit_options emitted = {
        .iso = request->plain, .cuda = request->cuda, .for_jit = request->for_jit};
    const char *with = emit_c(cx, p.imperative, &emitted, NULL);
    if (!with) /* a GPU has no code for it */
        return false;
    for (int i = 0; i < all->n; i++) {
        struct pass_options options = {
            .plain = request->plain, .stops = request->for_jit, .without = all->at[i].name};
        if (matters[i] || !may_matter(&p, &all->at[i]))
            continue;
        const struct imp_function *f = imp_optimize(cx, p.pass[0].before, &options);
        matters[i] = !f || strcmp(emit_c(cx, f, &emitted, NULL), with) != 0;
    }
    return true;
}

/* One alternative of a kernel's formats: each of its statements, as they are and plain. */
static bool try_formats(struct ablation *all, const struct kernel *kernel, const char *formats,
                        size_t length)
{
    struct context *cx = context_new();
    bool matters[NAMES] = {false}, good = cx && context_protect(cx);
    for (const char *s = kernel->statement; good && *s; s += strcspn(s, ";"), s += *s == ';') {
        s += strspn(s, " ");
        const char *statement = arena_printf(cx->arena, "%.*s", (int)strcspn(s, ";"), s);
        struct pipeline_request request = {.expression = statement,
                                           .schedule = kernel->schedule,
                                           .target = target_find("x86-64-v3")};
        request.declared = declared(cx, statement, formats, length);
        declare_sizes(cx, statement, kernel->size, &request.declared);
        request.for_jit = true;
        good = compare(cx, &request, matters, all);
        request.for_jit = false;
        request.plain = true;
        good = good && compare(cx, &request, matters, all);
        request.plain = false;
        request.cuda = true;
        if (good) /* or it is nothing for a GPU */
            compare(cx, &request, matters, all);
    }
    if (!good)
        printf("%s, %.*s: %s\n", kernel->statement, (int)length, formats,
               cx && cx->bug ? cx->bug : diag_render(cx));
    for (int i = 0; i < all->n; i++)
        all->at[i].kernels += matters[i];
    all->kernels++;
    context_free(cx);
    return good;
}

static bool try_kernel(struct ablation *all, const struct kernel *kernel)
{
    bool good = *kernel->formats || try_formats(all, kernel, "", 0);
    for (const char *f = kernel->formats; *f; f += strcspn(f, "|"), f += *f == '|')
        good = try_formats(all, kernel, f, strcspn(f, "|")) && good;
    return good;
}

int main(int argc, char **argv)
{
    static struct ablation all;
    bool good = true;
    add_names(&all);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        good = try_kernel(&all, &kernels[i]) && good;
    for (size_t i = 0; i < sizeof neighbours / sizeof *neighbours; i++) {
        const struct bench_neighbour *n = &neighbours[i];
        struct kernel kernel = {n->statement, n->formats, n->schedule, 0};
        good = (n->step != BENCH_KERNEL || try_kernel(&all, &kernel)) && good;
    }
    for (int i = 0; i < all.n; i++) {
        const struct ablated *a = &all.at[i];
        if (argc > 1)
            printf("%-22s %3d of %d kernels\n", a->name, a->kernels, all.kernels);
        if (a->kernels < FEW)
            printf("%s: changes %d kernels, not %d\n", a->name, a->kernels, FEW);
        good = good && a->kernels >= FEW;
    }
    return !good;
}
