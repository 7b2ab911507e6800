/* emit.c - texts: generated source, the stages before it, and tables of formats, operators and the
 * like.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/base/suggest.h"
#include "compiler/base/text.h"
#include "compiler/format/names.h"
#include "compiler/format/parts.h"
#include "compiler/notation/words.h"
#include "compiler/registry.h"
#include "compiler/schedule.h"
#include "runtime/api/gpu.h"
#include "runtime/api/kernel.h"
#include "runtime/api/packed.h"
#include "runtime/api/target.h"
#include "runtime/api/tuned.h"
#include "runtime/jit/jit.h"

/* ---- stages ---- */

struct emitting {
    const char *statement;
    const spcc_compile_options *options;
    spcc_stage stage;
    char *text;
};

static spcc_status give_text(char **to, const char *text)
{
    *to = api_strdup(text);
    return *to ? SPCC_OK : SPCC_ERROR_MEMORY;
}

/* Runs a body that makes a text, and gives the text to the user. */
static spcc_status call_for_text(spcc_context *context, api_body *body, void *arguments,
                                 char *const *made, char **text)
{
    if (!text)
        return api_lacks(context, "text");
    spcc_status status = api_call(context, body, arguments);
    *text = *made;
    return status;
}

/* Finds the last stage that has to run for the text. */
static bool last_stage(spcc_stage stage, enum stage *last)
{
    switch (stage) {
    case SPCC_STAGE_HEADER: *last = STAGE_HEADER; return true;
    case SPCC_STAGE_C:
    case SPCC_STAGE_EXPLAIN: *last = STAGE_C; return true;
    case SPCC_STAGE_NOTATION: *last = STAGE_NOTATION; return true;
    case SPCC_STAGE_CONCRETE: *last = STAGE_CONCRETE; return true;
    case SPCC_STAGE_PLAN: *last = STAGE_PLAN; return true;
    case SPCC_STAGE_LATTICE:
    case SPCC_STAGE_LATTICE_DOT:
    case SPCC_STAGE_LATTICE_SVG:
    case SPCC_STAGE_GRAPH_DOT:
    case SPCC_STAGE_GRAPH_SVG: *last = STAGE_LATTICE; return true;
    case SPCC_STAGE_IMPERATIVE:
    case SPCC_STAGE_PASSES: *last = STAGE_IMPERATIVE; return true;
    }
    return false;
}

/* Returns the stage's text; NULL after a diagnostic. */
static const char *stage_text(struct context *cx, const struct pipeline *p, spcc_stage stage,
                              enum stage last)
{
    switch (stage) {
    case SPCC_STAGE_EXPLAIN: return pipeline_explain(cx, p);
    case SPCC_STAGE_PASSES: return pipeline_passes(cx, p);
    case SPCC_STAGE_LATTICE_DOT: return pipeline_draw(cx, p, PICTURE_LATTICE_DOT);
    case SPCC_STAGE_LATTICE_SVG: return pipeline_draw(cx, p, PICTURE_LATTICE_SVG);
    case SPCC_STAGE_GRAPH_DOT: return pipeline_draw(cx, p, PICTURE_GRAPH_DOT);
    case SPCC_STAGE_GRAPH_SVG: return pipeline_draw(cx, p, PICTURE_GRAPH_SVG);
    case SPCC_STAGE_C:
    case SPCC_STAGE_HEADER:
    case SPCC_STAGE_NOTATION:
    case SPCC_STAGE_CONCRETE:
    case SPCC_STAGE_PLAN:
    case SPCC_STAGE_LATTICE:
    case SPCC_STAGE_IMPERATIVE: break;
    }
    return pipeline_dump(cx, p, last);
}

static spcc_status emit(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct emitting *a = arguments;
    struct pipeline_request request;
    struct pipeline p = {0};
    spcc_compile_options o = {0};
    enum stage last;
    if (!last_stage(a->stage, &last))
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the stage %d is none of spcc_stage",
                         (int)a->stage);
    if (!kernel_request(api, cx, a->statement, a->options, &request)
        || !api_options(cx, "spcc_compile_options", &o, sizeof o, a->options))
        return api_status(cx);
    if (o.kind == SPCC_SPLIT)
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_emit: a text has one function; emit SPCC_ASSEMBLE, then "
                         "SPCC_COMPUTE");
    if (!request.command && !o.plan_for_tensors) /* no command line says that */
        request.command = kernel_command(cx, &request);
    request.weighs = a->stage == SPCC_STAGE_EXPLAIN;
    request.check_passes = a->stage == SPCC_STAGE_PASSES;
    if (!request.cuda)
        tuned_find(api, cx, &o, &request);
    if (!pipeline_run(cx, &request, last, &p))
        return api_status(cx);
    if (request.tuned && p.planned && !p.is_tuned)
        tuned_complain(cx);
    const char *doubt = tin_doubt(cx, p.checked);
    if (doubt)
        api_note(cx, "%s", doubt);
    kernel_note_distribution(cx, p.distributed_times);
    const char *text = stage_text(cx, &p, a->stage, last);
    return text ? give_text(&a->text, text) : api_status(cx);
}

spcc_status spcc_emit(spcc_context *context, const char *statement,
                      const spcc_compile_options *options, spcc_stage stage, char **text)
{
    struct emitting a = {statement, options, stage, NULL};
    return call_for_text(context, emit, &a, &a.text, text);
}

/* ---- tables ---- */

static void add_word(struct text *out, bool there, const char *word, const char *between,
                     size_t start)
{
    if (there)
        text_printf(out, "%s%s", out->n > start ? between : "", word);
}

/* Adds blanks up to a column of the line that begins at `line`. */
static void pad(struct text *out, size_t line, size_t column)
{
    do
        text_add(out, " ");
    while (out->n - line < column);
}

static void add_properties(struct text *out, unsigned properties)
{
    size_t start = out->n;
    add_word(out, properties & LEVEL_FULL, "full", " ", start);
    add_word(out, properties & LEVEL_ORDERED, "ordered", " ", start);
    add_word(out, properties & LEVEL_UNIQUE, "unique", " ", start);
    add_word(out, properties & LEVEL_BRANCHLESS, "branchless", " ", start);
    add_word(out, properties & LEVEL_COMPACT, "compact", " ", start);
}

static void add_capabilities(struct text *out, const struct level_type *level)
{
    size_t start = out->n;
    add_word(out, level->bounds != NULL, "iterate", " ", start);
    add_word(out, level->locate != NULL, level->locates_fast ? "locate" : "search", " ", start);
    add_word(out, level->append_coordinate != NULL, "append", " ", start);
    add_word(out, level->size != NULL, "insert", " ", start);
    add_word(out, level->scan != NULL, "count", " ", start);
}

static void add_level(struct text *out, const struct level_type *level)
{
    size_t line = out->n;
    text_printf(out, "%c", level->letter ? level->letter : ' ');
    if (level->variant_letter)
        text_printf(out, " %c", level->variant_letter);
    pad(out, line, 5);
    text_add(out, level->name);
    pad(out, line, 16);
    add_properties(out, level->properties);
    pad(out, line, 50);
    add_capabilities(out, level);
    text_add(out, "\n     ");
    size_t start = out->n;
    for (int k = 0; k < LEVEL_ARRAYS; k++)
        add_word(out, level->array[k].kind != LEVEL_NO_ARRAY, level->array[k].name, " ", start);
    text_printf(out, "%s: %s\n", out->n == start ? "no arrays" : "", level->brief);
}

static void table_levels(struct text *out)
{
    text_add(out, "     level type properties                        capabilities\n     arrays: "
                  "what is stored\n");
    for (const struct level_type *const *level = registry_levels; *level; level++)
        add_level(out, *level);
}

static void table_types(struct text *out)
{
    text_add(out, "type  bytes  in C\n");
    for (int t = 0; t < TYPE_COUNT; t++)
        text_printf(out, "%-5s %5d  %s\n", type_name((enum type)t), (int)type_size((enum type)t),
                    type_c_name((enum type)t));
}

static void add_algebra(struct text *out, enum op op)
{
    size_t start = out->n;
    add_word(out, op_associative(op), "associative", " ", start);
    add_word(out, op_commutative(op), "commutative", " ", start);
    add_word(out, op_idempotent(op), "idempotent", " ", start);
}

static void add_operator(struct text *out, enum op op)
{
    size_t line = out->n;
    switch (op_syntax(op)) {
    case SYNTAX_INFIX: text_printf(out, "a %s b", op_name(op)); break;
    case SYNTAX_PREFIX: text_printf(out, "%sa", op_name(op)); break;
    case SYNTAX_CALL:
        text_printf(out, "%s(", op_name(op));
        for (int i = 0; i < op_arity(op); i++)
            text_printf(out, "%s%c", i ? ", " : "", 'a' + i);
        text_add(out, ")");
        break;
    }
    pad(out, line, 20);
    add_algebra(out, op);
    while (out->n > line && out->at[out->n - 1] == ' ')
        out->at[--out->n] = '\0';
    text_add(out, "\n");
}

static void table_operators(struct text *out)
{
    for (int op = 0; op < OP_COUNT; op++)
        add_operator(out, (enum op)op);
}

/* Adds words in lines of at most 80 columns.  The first line has begun; the others are indented. */
static void add_wrapped(struct text *out, const char *words, size_t line, size_t indent)
{
    for (bool is_first = true; *words; is_first = false) {
        size_t n = strcspn(words, " ");
        bool fits = is_first || out->n - line + 1 + n <= 80;
        text_add(out, is_first ? "" : fits ? " " : "\n");
        if (!fits) {
            line = out->n;
            pad(out, line, indent);
        }
        text_addn(out, words, n);
        words += n + strspn(words + n, " ");
    }
    text_add(out, "\n");
}

static void table_schedules(struct text *out)
{
    enum { BRIEF = 24 };
    for (const struct schedule_type *const *schedule = registry_schedules; *schedule; schedule++) {
        size_t line = out->n;
        text_add(out, (*schedule)->usage);
        if (out->n - line >= BRIEF) {
            text_add(out, "\n");
            line = out->n;
        }
        pad(out, line, BRIEF);
        add_wrapped(out, (*schedule)->brief, line, BRIEF);
    }
}

static void table_formats(struct text *out)
{
    for (int f = 0; f < format_names_count; f++)
        text_printf(out, "%-13s %s\n", format_names[f].name, format_names[f].brief);
    for (int f = 0; f < format_parts_names_count; f++)
        text_printf(out, "%-13s %s\n", format_parts_names[f].name, format_parts_names[f].brief);
}

struct describing {
    spcc_table table;
    char *text;
};

static spcc_status describe_stages(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct describing *a = arguments;
    struct text out = text_new(cx->arena);
    switch (a->table) {
    case SPCC_TABLE_LEVELS: table_levels(&out); return give_text(&a->text, out.at);
    case SPCC_TABLE_TYPES: table_types(&out); return give_text(&a->text, out.at);
    case SPCC_TABLE_OPERATORS: table_operators(&out); return give_text(&a->text, out.at);
    case SPCC_TABLE_SCHEDULES: table_schedules(&out); return give_text(&a->text, out.at);
    case SPCC_TABLE_FORMATS: table_formats(&out); return give_text(&a->text, out.at);
    }
    return api_error(cx, SPCC_ERROR_ARGUMENT, "the table %d is none of spcc_table", (int)a->table);
}

spcc_status spcc_describe(spcc_context *context, spcc_table table, char **text)
{
    struct describing a = {table, NULL};
    return call_for_text(context, describe_stages, &a, &a.text, text);
}

/* ---- one word ---- */

static bool is_word(const char *name, const char *word, struct suggestion *near)
{
    suggest_consider(near, name, strlen(name));
    return strcmp(name, word) == 0;
}

/* Adds the levels that a name stands for: of order 3 if the name has any order. */
static void describe_expansion(struct text *out, const struct format_name *name)
{
    enum { ORDER = 3 };
    struct format_arguments arguments = {.parameter = {"r", "c"}};
    if (name->parameters == 1)
        arguments.parameter[0] = arena_printf(out->arena, "%c", name->usage[1]);
    arguments.modes = name->modes == FORMAT_BLOCKED ? 3 : name->modes == FORMAT_DENSE ? 4 : 0;
    int order = name->order_max < ORDER ? name->order_max : ORDER;
    const char *levels = format_name_expand(out->arena, name, order, &arguments);
    if (name->expansion)
        text_printf(out, "  for tensors of order %d\n  %s\n", order, levels);
    else if (name->modes)
        text_printf(out, "  %s(%s%s) of order %d: %s\n", name->name, name->parameters ? "b; " : "",
                    name->modes == FORMAT_BLOCKED ? "0,1" : "2", order, levels);
    else
        text_printf(out, "  of order %d: %s\n", order, levels);
}

static void describe_formats(struct text *out, const char *word, struct suggestion *near)
{
    for (int f = 0; f < format_names_count; f++) {
        const struct format_name *name = &format_names[f];
        if (!is_word(name->name, word, near))
            continue;
        text_printf(out, "%s%s is a format: %s\n", word, name->usage, name->brief);
        describe_expansion(out, name);
    }
}

static void describe_parts(struct text *out, const char *word, struct suggestion *near)
{
    for (int f = 0; f < format_parts_names_count; f++) {
        const struct parts_name *name = &format_parts_names[f];
        if (is_word(name->name, word, near))
            text_printf(out, "%s%s is a format of tensors in parts: %s\n", word, name->usage,
                        name->brief);
    }
}

static void describe_levels(struct text *out, const char *word, struct suggestion *near)
{
    for (const struct level_type *const *level = registry_levels; *level; level++) {
        bool is_letter = word[0] && !word[1]
                         && (word[0] == (*level)->letter || word[0] == (*level)->variant_letter);
        if (!is_word((*level)->name, word, near) && !is_letter)
            continue;
        text_add(out, "a level type:\n");
        add_level(out, *level);
    }
}

static void describe_schedules(struct text *out, const char *word, struct suggestion *near)
{
    for (const struct schedule_type *const *schedule = registry_schedules; *schedule; schedule++)
        if (is_word((*schedule)->name, word, near))
            text_printf(out, "%s\n  a directive: %s\n", (*schedule)->usage, (*schedule)->brief);
}

/* Returns what a call of the operator gives if its name does not say it. */
static const char *meaning_of(enum op op)
{
    static const char *const meaning[OP_COUNT] = {
        [OP_SELECT] = "b where a holds, and c elsewhere",
        [OP_STORED] = "true where the tensor whose component a is stores it, a zero too;\n"
                      "  without indices, as in stored(A), how many components A stores",
        [OP_KEEP] = "a where b holds; elsewhere nothing is stored.  It is all of a right-hand side",
    };
    return meaning[op];
}

static void describe_operators(struct text *out, const char *word, struct suggestion *near)
{
    enum op reduction;
    for (int op = 0; op < OP_COUNT; op++) {
        if (!is_word(op_name((enum op)op), word, near))
            continue;
        text_add(out, "an operator: ");
        add_operator(out, (enum op)op);
        if (meaning_of((enum op)op))
            text_printf(out, "  %s\n", meaning_of((enum op)op));
    }
    if (reduction_find(word, strlen(word), &reduction))
        text_printf(out, "%s(j, ...) is a reduction over the index variable j\n", word);
    words_suggest(near);
}

static void describe_types(struct text *out, const char *word, struct suggestion *near)
{
    enum type type;
    for (int t = 0; t < TYPE_COUNT; t++)
        is_word(type_name((enum type)t), word, near);
    if (type_parse(word, strlen(word), &type))
        text_printf(out, "%s is a type: %d byte%s, %s in C\n", word, (int)type_size(type),
                    type_size(type) == 1 ? "" : "s", type_c_name(type));
}

struct describing_word {
    const char *word;
    char *text;
};

static spcc_status describe_word(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct describing_word *a = arguments;
    struct text out = text_new(cx->arena);
    if (!a->word)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "there is no word");
    struct suggestion near = suggest_for(a->word);
    describe_formats(&out, a->word, &near);
    describe_parts(&out, a->word, &near);
    describe_levels(&out, a->word, &near);
    describe_schedules(&out, a->word, &near);
    describe_operators(&out, a->word, &near);
    describe_types(&out, a->word, &near);
    if (out.n > 0)
        return give_text(&a->text, out.at);
    spcc_status status = api_error(cx, SPCC_ERROR_ARGUMENT, "'%s' is no word of spcc's", a->word);
    if (near.nearest)
        diag_help(cx, &cx->diags.at[cx->diags.n - 1], "%.*s", near.length, near.nearest);
    return status;
}

spcc_status spcc_describe_word(spcc_context *context, const char *word, char **text)
{
    struct describing_word a = {word, NULL};
    return call_for_text(context, describe_word, &a, &a.text, text);
}

/* ---- engines ---- */

struct asking {
    spcc_engine engine;
    char *text;
};

static spcc_status ask_engine(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct asking *a = arguments;
    char *error = NULL;
    if (a->engine == SPCC_ENGINE_INTERP)
        return give_text(&a->text, "spcc's interpreter");
    if (a->engine == SPCC_ENGINE_GPU) {
        spcc_status status;
        struct gpu *gpu = api_gpu(api, cx, &status);
        return gpu ? give_text(&a->text, gpu_describe(cx, gpu)) : status;
    }
    if (a->engine != SPCC_ENGINE_CLANG && a->engine != SPCC_ENGINE_CC
        && a->engine != SPCC_ENGINE_PACK)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "the engine %d is none that there is",
                         (int)a->engine);
    struct jit *jit = api_jit(api, cx);
    if (!jit)
        return api_status(cx);
    if (a->engine == SPCC_ENGINE_PACK) {
        const char *packs = packed_describe(cx, jit_packs(jit));
        return packs ? give_text(&a->text, packs) : SPCC_ERROR_COMPILER;
    }
    a->text = jit_engine_name(jit, a->engine == SPCC_ENGINE_CLANG ? JIT_CLANG : JIT_CC, &error);
    if (a->text)
        return SPCC_OK;
    return api_error(cx, SPCC_ERROR_COMPILER, "%s",
                     api_take_text(cx, error, "this engine is not there"));
}

spcc_status spcc_engine_describe(spcc_context *context, spcc_engine engine, char **text)
{
    struct asking a = {engine, NULL};
    return call_for_text(context, ask_engine, &a, &a.text, text);
}

/* ---- the target ---- */

static spcc_status describe_target(struct spcc_context *api, struct context *cx, void *arguments)
{
    char **made = arguments;
    const struct target *target;
    if (!api_target(api, cx, &target))
        return api_status(cx);
    target = target ? target : target_host();
    struct text out = text_new(cx->arena);
    text_printf(&out, "# %s: %s\n", api_printable(cx, target->name), target->what);
    target_print(&out, target, true);
    return give_text(made, out.at);
}

spcc_status spcc_target_describe(spcc_context *context, char **text)
{
    char *made = NULL;
    return call_for_text(context, describe_target, &made, &made, text);
}

/* ---- the cache ---- */

struct looking {
    spcc_cache_info *info;
};

/* Returns a structure with its strings behind it in one block. */
static spcc_cache_info *cache_info_of(const struct jit_cache *cache)
{
    size_t path = cache->path ? strlen(cache->path) + 1 : 0,
           trouble = cache->trouble ? strlen(cache->trouble) + 1 : 0;
    spcc_cache_info *info = malloc(sizeof *info + path + trouble);
    if (!info)
        return NULL;
    char *texts = (char *)(info + 1);
    *info = (spcc_cache_info){.kernels = -1, .bytes = -1, .limit = -1};
    if (cache->path)
        info->folder = memcpy(texts, cache->path, path);
    if (cache->trouble)
        info->trouble = memcpy(texts + path, cache->trouble, trouble);
    if (cache->used) {
        info->kernels = (int64_t)cache->kernels;
        info->bytes = (int64_t)cache->bytes;
        info->limit = (int64_t)cache->limit;
    }
    return info;
}

static spcc_status look_at_cache(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct looking *a = arguments;
    struct jit *jit = api_jit(api, cx);
    struct jit_cache cache;
    if (!jit)
        return api_status(cx);
    if (jit_look_at_cache(jit, &cache))
        a->info = cache_info_of(&cache);
    free(cache.trouble);
    return a->info ? SPCC_OK : SPCC_ERROR_MEMORY;
}

spcc_status spcc_cache_look(spcc_context *context, spcc_cache_info **info)
{
    struct looking a = {NULL};
    if (!info)
        return api_lacks(context, "info");
    spcc_status status = api_call(context, look_at_cache, &a);
    *info = a.info;
    return status;
}
