/* trial.c - one case under test: compiling it, and asking the oracle.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tests/support/trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/target.h"
#include "tests/support/rng.h"
#include "tests/support/trial_parts.h"

void trial_fail(struct trial *t, const char *format, ...)
{
    if (t->verdict == TRIAL_FAILED)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(t->why, sizeof t->why, format, args);
    va_end(args);
    t->verdict = TRIAL_FAILED;
}

const char *trial_unwound(const struct context *cx)
{
    return cx->failure == CONTEXT_NO_MEMORY ? "out of memory"
           : cx->bug                        ? cx->bug
                                            : "unwound without saying why";
}

/* ---- what the oracle is told ---- */

static void add_component(const struct oracle_tensor *o, struct value *component,
                          const struct case_entry *entry, int64_t *coordinate)
{
    for (int m = 0; m < o->order; m++)
        coordinate[m] = entry->coordinate[m];
    component[oracle_place(o, coordinate)] = entry->value;
}

/* A level without arrays of its own, a number apart, has every coordinate that there can be. */
static bool stores_something(const struct level_type *type)
{
    bool stores = false;
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        stores |= type->array[a].kind != LEVEL_NO_ARRAY && type->array[a].kind != LEVEL_SCALAR;
    return stores;
}

static void tell(struct context *cx, struct oracle_tensor *o, const struct case_tensor *t,
                 const struct format *format)
{
    struct oracle_level *level = arena_array(cx->arena, struct oracle_level, format->levels);
    int64_t *coordinate = arena_array(cx->arena, int64_t, t->entries * t->order);
    *o = (struct oracle_tensor){.name = t->name,
                                .type = t->type,
                                .order = t->order,
                                .dimension = t->dimension,
                                .fill = t->fill,
                                .levels = format->levels,
                                .level = level,
                                .entries = t->entries,
                                .coordinate = coordinate};
    int64_t n = oracle_components(o);
    struct value *component = arena_array(cx->arena, struct value, n);
    for (int64_t i = 0; i < n; i++)
        component[i] = t->fill;
    for (int e = 0; e < t->entries; e++)
        add_component(o, component, &t->entry[e], coordinate + (int64_t)e * t->order);
    for (int l = 0; l < format->levels; l++)
        level[l] =
            (struct oracle_level){format->level[l].map, !stores_something(format->level[l].type)};
    o->component = component;
}

/* Its parts, with the entries that are in each (pack.c). */
static void tell_parts(struct trial *t, struct oracle_tensor *o, const struct case_tensor *tensor,
                       const struct format_parts *parts)
{
    struct oracle_tensor *part = arena_array(t->cx->arena, struct oracle_tensor, parts->parts);
    for (int k = 0; k < parts->parts; k++)
        tell(t->cx, &part[k], case_part(t->cx->arena, tensor, parts->parts, k, t->test->shuffle),
             parts->part[k]);
    o->part = part;
    o->parts = parts->parts;
}

/* False: its format is none. */
static bool tell_tensor(struct trial *t, int number, struct format_defaults defaults)
{
    const struct case_tensor *tensor = &t->test->tensor[number];
    const char *name = tensor->name, *text = tensor->format;
    const struct format_parts *parts = NULL;
    const struct format *format;
    if (format_parts_named(text)) {
        parts = format_parts_parse(t->cx, name, text, tensor->order, NULL, defaults);
        format = parts ? parts->part[0] : NULL;
    } else
        format = format_parse(t->cx, name, text, tensor->order, defaults);
    if (!format)
        return false;
    tell(t->cx, &t->known[number], tensor, format);
    if (parts)
        tell_parts(t, &t->known[number], tensor, parts);
    return true;
}

/* False if a format is not understood: the compiler has to say so as well. */
static bool ask_oracle(struct trial *t)
{
    const struct test_case *test = t->test;
    struct tin_declarations declared = case_declarations(t->cx->arena, test);
    t->known = arena_array(t->cx->arena, struct oracle_tensor, test->tensors);
    for (int i = 0; i < test->tensors; i++)
        if (!tell_tensor(t, i, declared.defaults))
            return false;
    struct oracle_input input = {t->known, test->tensors, declared.size, declared.sizes};
    t->expected = oracle_evaluate(t->cx, t->parsed, &input);
    return true;
}

/* ---- compiling ---- */

static bool parses_back(struct trial *t)
{
    struct text text = text_new(t->cx->arena);
    tin_print(&text, t->parsed);
    const struct tin *again = tin_parse(t->cx, text.at);
    if (!again || !tin_equal(t->parsed, again))
        trial_fail(t, "the statement printed as `%s` does not parse back to itself\n%s", text.at,
                   diag_render(t->cx));
    else if (t->test->nodes && !case_is_parse(t->test, t->parsed))
        trial_fail(t, "the statement is parsed as `%s`", text.at);
    return t->verdict == TRIAL_RIGHT;
}

/* The compiler said no: it has to say why. */
static void take_refusal(struct trial *t)
{
    const char *text = diag_render(t->cx);
    t->code = t->cx->diags.n ? (int)t->cx->diags.at[0].code : 0;
    if (t->cx->diags.n == 0 || !*text)
        trial_fail(t, "refused without a diagnostic");
    else if (t->code == DIAG_BUG)
        trial_fail(t, "refused as a bug: %s", text);
    for (size_t i = 0; i < t->cx->diags.n; i++)
        if (!t->cx->diags.at[i].message || !*t->cx->diags.at[i].message)
            trial_fail(t, "a diagnostic without a message");
    if (t->verdict == TRIAL_FAILED)
        return;
    t->verdict = TRIAL_REFUSED;
    snprintf(t->why, sizeof t->why, "%s", text);
}

/* A statement that means something is not ill-formed.  The oracle knows the rules that statements
 * drawn at random can break. */
static void check_refusal(struct trial *t)
{
    if (t->verdict != TRIAL_REFUSED || t->code >= DIAG_FORMAT || !t->test->nodes)
        return;
    t->parsed = tin_parse(t->cx, t->test->statement);
    if (t->parsed && ask_oracle(t) && !t->expected.refusal)
        trial_fail(t, "refused although it means something: %s", t->why);
}

static uint64_t machine_of(const struct trial *t)
{
    return t->test->machine ? t->test->machine : t->test->shuffle;
}

const struct target *trial_target(const struct trial *t, int part_work)
{
    struct target *target = arena_copy(t->cx->arena, TARGET_GENERIC, sizeof *target);
    struct rng rng = {machine_of(t)};
    target->part_work = part_work ? part_work : target->part_work;
    target->vector_bytes = 16 << rng_below(&rng, 3);
    target->row_bytes = target->vector_bytes << rng_below(&rng, 5);
    target->registers = 1 << rng_below(&rng, 7);
    target->sums = 1 + rng_below(&rng, TARGET_SUMS_MOST);
    target->gather_bytes = 16 << rng_below(&rng, 3);
    target->scatter_lanes = 1 << rng_below(&rng, 5);
    target->line = 16 << rng_below(&rng, 4);
    target->l3 = 1 << (10 + rng_below(&rng, 11));
    target->streams = 1 + rng_below(&rng, 16);
    target->prefetch_ahead = 1 + rng_below(&rng, 32);
    target->scatter_ahead = 1 + rng_below(&rng, 32);
    target->seek_ratio = 2 + rng_below(&rng, 16);
    target->lines = 1 + rng_below(&rng, 60);
    target->foreseen = rng_below(&rng, 4);
    target->lane_work = 1 + rng_below(&rng, 4);
    target->grid_blocks = 1 + rng_below(&rng, 3);
    return target;
}

struct pipeline_request trial_request(const struct trial *t)
{
    const uint64_t machine = machine_of(t);
    return (struct pipeline_request){
        .expression = t->test->statement,
        .declared = case_declarations(t->cx->arena, t->test),
        .operators = case_operators(t->cx->arena, t->test),
        .n_operators = t->test->operators,
        .check_passes = true,
        .weighs = machine % 2,
        /* threads share loops in half of the cases, in a quarter of
         * these where that is worth it: never, as small as they are */
        .serial = machine / 4 % 2,
        .target = trial_target(t, (int)(machine / 8 % 4) * trial_part_scale(t))};
}

const struct pipeline *trial_compile(struct trial *t, enum kernel_kind kind, bool plain,
                                     const char *jit_name)
{
    if (!jit_name && t->like && t->like->compiled[kind][plain])
        return t->like->compiled[kind][plain];
    struct pipeline_request request = trial_request(t);
    struct pipeline *pipeline = arena_make(t->cx->arena, struct pipeline);
    request.kind = kind;
    request.plain = plain;
    request.name = jit_name;
    request.for_jit = jit_name != NULL;
    if (!pipeline_run(t->cx, &request, STAGE_C, pipeline)) {
        trial_fail(t, "refused in the kernel kind %d, not in another:\n%s", (int)kind,
                   diag_render(t->cx));
        return NULL;
    }
    if (!jit_name)
        t->compiled[kind][plain] = pipeline;
    return pipeline;
}

/* ---- opening and closing ---- */

static void open_protected(struct trial *t)
{
    struct pipeline_request request = trial_request(t);
    bool compiled = pipeline_run(t->cx, &request, STAGE_C, &t->pipeline);
    t->parsed = t->pipeline.parsed;
    if (t->parsed && !parses_back(t))
        return;
    if (!compiled) {
        take_refusal(t);
        check_refusal(t);
        return;
    }
    if (t->cx->diags.n)
        trial_fail(t, "compiled, with a diagnostic:\n%s", diag_render(t->cx));
    else if (!ask_oracle(t))
        trial_fail(t, "compiled although a format cannot be parsed:\n%s", diag_render(t->cx));
    else if (t->expected.refusal)
        trial_fail(t, "compiled although it means nothing: %s", t->expected.refusal);
    if (t->verdict == TRIAL_RIGHT)
        trial_check_laws(t);
    if (t->verdict == TRIAL_RIGHT)
        trial_pack_operands(t);
}

/* What the kernels are like has been checked. */
static void open_like(struct trial *t)
{
    t->cx->levels = t->like->cx->levels;
    t->cx->operators = t->like->cx->operators;
    t->cx->target = t->like->cx->target;
    t->cx->cuda = t->like->cx->cuda;
    t->pipeline = t->like->pipeline;
    t->parsed = t->pipeline.parsed;
    if (!ask_oracle(t) || t->expected.refusal)
        trial_fail(t, "compiled although it means nothing: %s", t->expected.refusal);
    else
        trial_pack_operands(t);
}

void trial_take_unwound(struct trial *t)
{
    if (t->cx->failure != CONTEXT_SPENT) {
        trial_fail(t, "%s", trial_unwound(t->cx));
        return;
    }
    t->verdict = TRIAL_REFUSED; /* the library says so (call.c) */
    t->code = DIAG_LIMIT;
    snprintf(t->why, sizeof t->why, "E%d: it takes more than a compilation may", DIAG_LIMIT);
}

void trial_open_like(struct trial *t, const struct test_case *test, const struct trial *like)
{
    memset(t, 0, sizeof *t);
    t->test = test;
    t->like = like;
    t->cx = context_new();
    if (!t->cx)
        trial_fail(t, "no memory");
    else if (!context_protect(t->cx))
        trial_take_unwound(t);
    else if (like)
        open_like(t);
    else
        open_protected(t);
}

void trial_open(struct trial *t, const struct test_case *test) { trial_open_like(t, test, NULL); }

void trial_free_out(struct trial *t)
{
    for (int i = 0; i < TRIAL_PARAMS; i++) {
        free(t->out[i]);
        t->out[i] = NULL;
    }
}

void trial_close(struct trial *t)
{
    for (int r = 0; r < CASE_RANKS; r++)
        tensor_free(t->tensor[r]);
    trial_free_out(t);
    if (t->cx)
        context_free(t->cx);
}
