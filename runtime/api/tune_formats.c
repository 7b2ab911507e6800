/* tune_formats.c - finds the format of each operand with which a statement is the fastest on these
 * tensors.
 *
 * Operands come one after the other, each with those before it in their best formats.  The operand
 * is converted twice to a format that could serve (candidates.h), since the first conversion
 * compiles its kernel.  The statement is compiled for the format and run, and its results are
 * compared with those of the operands as given.  A few runs say which formats are the fastest.
 * These run in turns with the given one (trial.h), and only they are in memory at the same time.
 * The least time counts: on a busy machine it says more than the median of few runs.
 *
 * The functions here are sequences of calls of the C API, and their messages are those of the last
 * one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/text.h"
#include "runtime/api/candidates.h"
#include "runtime/api/trial.h"
#include "runtime/api/tuned.h"

/* The fastest run in turns; a few first runs of each say which these are. */
enum { FINALISTS = 4, FIRST_RUNS = 3 };

/* A format that by the planner takes this many times the steps of the given one may take for ever.
 */
static const double STEPS_MOST = 10;

/* A format of an operand. */
struct entry {
    char *format;
    char *narrow; /* the same with the narrowest types; NULL: it has them */
    bool given;
    int64_t bytes;
    double convert_ms, ms;
    int runs;
    double steps;
    struct spcc_tensor *converted; /* the members from here on are set only while it is tried */
    struct spcc_tensor **tensors;
    struct trial trial;
};

struct operand {
    int binding;
    char *name, *key, *unkept;
    struct entry *entry; /* the first is the given one, until they are sorted */
    int n;
    struct spcc_tensor *best; /* NULL: the given tensor */
};

struct tune {
    struct spcc_context *context;
    const char *statement;
    const spcc_compile_options *options;
    const spcc_tune_formats_options *options_of_tune;
    spcc_tune_formats_options how;
    spcc_binding *bindings; /* operands become the best of theirs */
    int n_bindings;
    struct trial_options o;
    struct trials trials;
    struct entry given; /* all operands as they are */
    struct operand *operand;
    int n;
};

/* ---- what is owned ---- */

/* Frees the members that are set only while it is tried. */
static void release_entry(struct entry *e)
{
    spcc_tensor_free(e->converted);
    free(e->tensors);
    spcc_kernel_free(e->trial.kernel);
    e->converted = NULL;
    e->tensors = NULL;
    e->trial.kernel = NULL;
}

static void free_entry(struct entry *e)
{
    release_entry(e);
    trial_free(&e->trial);
    free(e->format);
    free(e->narrow);
}

static void free_tune(struct tune *t)
{
    for (int k = 0; k < t->n; k++) {
        struct operand *o = &t->operand[k];
        for (int i = 0; i < o->n; i++)
            free_entry(&o->entry[i]);
        free(o->entry);
        free(o->name);
        free(o->key);
        free(o->unkept);
        spcc_tensor_free(o->best);
    }
    free_entry(&t->given);
    trials_free(&t->trials);
    free(t->operand);
    free(t->bindings);
    free(t->o.declarations);
}

/* ---- one format ---- */

/* Binds the operand to this tensor from now on. */
static void bind_operand(struct tune *t, const struct operand *o, struct spcc_tensor *tensor)
{
    t->bindings[o->binding].tensor = tensor;
    for (int i = 0; i < t->o.options.n_declarations; i++)
        if (!strcmp(t->o.declarations[i].name, o->name))
            t->o.declarations[i] = (spcc_declaration){.name = o->name, .tensor = tensor};
}

struct with_entry {
    struct tune *tune;
    struct entry *entry;
};

/* Asks the planner for the steps. */
static spcc_status reckon(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct with_entry *a = arguments;
    struct pipeline_request request;
    struct pipeline p;
    struct plan_alternative best;
    if (!kernel_request(api, cx, a->tune->statement, &a->tune->o.options, &request))
        return api_status(cx);
    request.weighs = true;
    if (!pipeline_run(cx, &request, STAGE_PLAN, &p))
        return api_status(cx);
    a->entry->steps = pipeline_best(cx, &request, &p, 1, &best, 1) ? best.cost : 0;
    return SPCC_OK;
}

static spcc_status order_tensors(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct with_entry *a = arguments;
    const struct spcc_kernel *kernel = a->entry->trial.kernel;
    (void)api;
    a->entry->tensors = a->entry->trial.tensor =
        calloc((size_t)kernel->arguments, sizeof(struct spcc_tensor *));
    return a->entry->tensors ? kernel_order_bindings(cx, kernel, a->tune->bindings,
                                                     a->tune->n_bindings, a->entry->tensors)
                             : SPCC_ERROR_MEMORY;
}

/* Compiles its kernel for the operands as they are bound. */
static spcc_status prepare(struct tune *t, struct entry *e, bool required)
{
    struct with_entry with = {t, e};
    spcc_status status =
        trial_compile(t->context, t->statement, &t->o.options, &e->trial, required);
    return status == SPCC_OK && e->trial.kernel ? api_call(t->context, order_tensors, &with)
                                                : status;
}

/* Measures the second conversion. */
static spcc_status convert(struct tune *t, struct entry *e, const struct spcc_tensor *from)
{
    spcc_tensor_options options = {.size = sizeof options};
    spcc_status status = SPCC_OK;
    for (int round = 0; round < 2 && status == SPCC_OK; round++) {
        spcc_tensor_free(e->converted);
        double start = api_now_ms();
        status = spcc_tensor_convert(t->context, from, e->format, spcc_tensor_type(from), &options,
                                     &e->converted);
        e->convert_ms = api_now_ms() - start;
    }
    return status == SPCC_OK ? SPCC_OK : trial_give_up(t->context, status, &e->trial);
}

static spcc_status note_narrow(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct with_entry *a = arguments;
    const char *narrow = candidates_narrow(cx, a->entry->converted, api->defaults);
    a->entry->narrow = api_strdup(narrow);
    return narrow && !a->entry->narrow ? SPCC_ERROR_MEMORY : SPCC_OK;
}

/* Reports steps so many that the run may take for ever. */
static spcc_status check_steps(struct tune *t, struct entry *e)
{
    spcc_status status = api_call(t->context, reckon, &(struct with_entry){t, e});
    if (status != SPCC_OK)
        return trial_give_up(t->context, status, &e->trial);
    if (e->steps <= STEPS_MOST * t->given.steps)
        return SPCC_OK;
    char text[128];
    snprintf(text, sizeof text, "the planner reckons with %.3g times the steps",
             e->steps / t->given.steps);
    e->trial.trouble = api_strdup(text);
    return e->trial.trouble ? SPCC_OK : SPCC_ERROR_MEMORY;
}

/* Binds the operand in this format and compiles a kernel, unless that has trouble. */
static spcc_status open_entry(struct tune *t, const struct operand *o, struct entry *e,
                              struct spcc_tensor *from)
{
    spcc_status status = e->given ? SPCC_OK : convert(t, e, from);
    if (status != SPCC_OK || e->trial.trouble)
        return status;
    struct spcc_tensor *is = e->given ? from : e->converted;
    e->bytes = spcc_tensor_bytes(is);
    bind_operand(t, o, is);
    status = e->given ? SPCC_OK : check_steps(t, e);
    return status == SPCC_OK && !e->trial.trouble ? prepare(t, e, false) : status;
}

/* Runs it a few times. */
static spcc_status try_entry(struct tune *t, const struct operand *o, struct entry *e,
                             struct spcc_tensor *from)
{
    struct trial *trial = &e->trial;
    spcc_status status = trial->trouble ? SPCC_OK : open_entry(t, o, e, from);
    if (status == SPCC_OK && !trial->trouble)
        status = trial_compare(&t->trials, trial, "with the operands as they are given");
    if (status == SPCC_OK && !trial->trouble)
        status = trial_turns(&t->trials, &trial, 1, FIRST_RUNS);
    e->ms = trial->least;
    e->runs = trial->runs;
    if (status == SPCC_OK && !trial->trouble && e->converted && !e->narrow)
        status = api_call(t->context, note_narrow, &(struct with_entry){t, e});
    release_entry(e);
    bind_operand(t, o, from);
    return status;
}

/* ---- the formats of an operand ---- */

struct with_operand {
    struct tune *tune;
    struct operand *operand;
    struct candidates candidates;
};

static spcc_status find_entries(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct with_operand *a = arguments;
    const struct tune *t = a->tune;
    struct operand *o = a->operand;
    spcc_status status = candidates_find(api, cx, o->name, t->bindings[o->binding].tensor,
                                         t->how.formats, t->how.n_formats, &a->candidates);
    if (status != SPCC_OK)
        return status;
    o->entry = calloc((size_t)a->candidates.n + 1, sizeof *o->entry); /* and a narrow one */
    if (!o->entry)
        return SPCC_ERROR_MEMORY;
    for (; o->n < a->candidates.n; o->n++) {
        const struct candidate *from = &a->candidates.at[o->n];
        struct entry *e = &o->entry[o->n];
        e->given = o->n == 0;
        e->bytes = from->bytes;
        e->format = api_strdup(from->format);
        e->trial.trouble = api_strdup(from->trouble);
        if (!e->format || (from->trouble && !e->trial.trouble))
            return SPCC_ERROR_MEMORY;
    }
    return SPCC_OK;
}

static int faster_first(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    if (!p->trial.trouble != !q->trial.trouble)
        return p->trial.trouble ? 1 : -1;
    return (p->ms > q->ms) - (p->ms < q->ms);
}

/* Tries the fastest with narrow positions and coordinates, which is another format. */
static spcc_status try_narrow(struct tune *t, struct operand *o, struct spcc_tensor *from)
{
    struct entry *fastest = &o->entry[0];
    for (int i = 1; i < o->n; i++)
        if (faster_first(&o->entry[i], fastest) < 0)
            fastest = &o->entry[i];
    for (int i = 0; i < o->n && fastest->narrow; i++)
        if (!strcmp(o->entry[i].format, fastest->narrow))
            return SPCC_OK;
    if (!fastest->narrow || t->how.n_formats > 0)
        return SPCC_OK;
    struct entry *e = &o->entry[o->n];
    e->format = api_strdup(fastest->narrow);
    if (!e->format)
        return SPCC_ERROR_MEMORY;
    o->n++;
    return try_entry(t, o, e, from);
}

/* Runs the fastest and the given one in turns. */
static spcc_status try_finalists(struct tune *t, struct operand *o, struct spcc_tensor *from)
{
    struct trial *trial[FINALISTS + 1];
    int n = 0;
    spcc_status status = SPCC_OK;
    qsort(o->entry, (size_t)o->n, sizeof *o->entry, faster_first);
    for (int i = 0; i < o->n && status == SPCC_OK; i++) {
        struct entry *e = &o->entry[i];
        if (e->trial.trouble || (i >= FINALISTS && !e->given))
            continue;
        status = open_entry(t, o, e, from);
        e->trial.runs = 0;
        if (!e->trial.trouble)
            trial[n++] = &e->trial;
    }
    bind_operand(t, o, from);
    if (status == SPCC_OK)
        status = trial_turns(&t->trials, trial, n, t->how.runs);
    for (int i = 0; i < o->n; i++) {
        struct entry *e = &o->entry[i];
        if (e->trial.kernel) {
            e->ms = e->trial.least;
            e->runs = e->trial.runs;
        }
    }
    return status;
}

/* ---- what comes of it ---- */

static const struct entry *given_of(const struct operand *o)
{
    int i = 0;
    while (!o->entry[i].given)
        i++;
    return &o->entry[i];
}

static spcc_status keep_formats(struct spcc_context *api, struct context *cx, void *arguments)
{
    const struct with_operand *a = arguments;
    struct operand *o = a->operand;
    const struct entry *given = given_of(o), *best = &o->entry[0];
    int n = 0;
    for (int i = 0; i < o->n; i++)
        n += !o->entry[i].trial.trouble;
    const char *sentence =
        best->given ? arena_printf(cx->arena, "the fastest of %d formats", n)
                    : arena_printf(cx->arena, "the fastest of %d formats, %.2f times as fast as %s",
                                   n, given->ms / best->ms, given->format);
    const char *trouble = tuned_keep(api, cx, o->key, best->format, sentence);
    o->unkept = api_strdup(trouble);
    return trouble && !o->unkept ? SPCC_ERROR_MEMORY : SPCC_OK;
}

static spcc_status tune_operand(struct tune *t, struct operand *o)
{
    struct with_operand with = {.tune = t, .operand = o};
    struct spcc_tensor *from = t->bindings[o->binding].tensor;
    spcc_status status = api_call(t->context, find_entries, &with);
    candidates_free(&with.candidates);
    for (int i = 0; i < o->n && status == SPCC_OK; i++)
        status = try_entry(t, o, &o->entry[i], from);
    if (status == SPCC_OK)
        status = try_narrow(t, o, from);
    if (status == SPCC_OK)
        status = try_finalists(t, o, from);
    if (status != SPCC_OK)
        return status;
    qsort(o->entry, (size_t)o->n, sizeof *o->entry, faster_first);
    o->best = o->entry[0].converted;
    o->entry[0].converted = NULL;
    for (int i = 0; i < o->n; i++)
        release_entry(&o->entry[i]);
    if (o->best)
        bind_operand(t, o, o->best);
    return api_call(t->context, keep_formats, &with);
}

/* ---- the operands ---- */

static bool is_named(const struct tune *t, const char *name)
{
    for (int i = 0; i < t->how.n_operands; i++)
        if (t->how.operands[i] && !strcmp(t->how.operands[i], name))
            return true;
    return false;
}

static bool is_wanted(const struct tune *t, const struct spcc_tensor *tensor, const char *name)
{
    return tensor->tensor->order > 0
           && (t->how.n_operands ? is_named(t, name) : !format_is_full(tensor->tensor->format));
}

static int find_binding(const struct tune *t, const char *name)
{
    int b = 0;
    while (b < t->n_bindings && strcmp(t->bindings[b].name, name) != 0)
        b++;
    return b;
}

static spcc_status add_operand(struct spcc_context *api, struct context *cx, struct tune *t,
                               int binding)
{
    struct operand *o = &t->operand[t->n++];
    struct pipeline_request request;
    if (!kernel_request(api, cx, t->statement, &t->o.options, &request))
        return api_status(cx);
    o->binding = binding;
    o->name = api_strdup(t->bindings[binding].name);
    o->key = api_strdup(tuned_format_key(api, cx, &request, o->name));
    return o->name && o->key ? SPCC_OK : SPCC_ERROR_MEMORY;
}

/* Checks that the named operands are there. */
static spcc_status check_operands(struct context *cx, const struct tune *t)
{
    const struct spcc_kernel *kernel = t->given.trial.kernel;
    for (int i = 0; i < t->how.n_operands; i++) {
        bool found = false;
        for (int k = kernel->results; k < kernel->arguments && t->how.operands[i]; k++)
            found |= !strcmp(kernel->argument[k].name, t->how.operands[i])
                     && is_wanted(t, t->given.tensors[k], kernel->argument[k].name);
        if (!found)
            return api_error(cx, SPCC_ERROR_ARGUMENT,
                             "%s is no operand of the statement that could be stored otherwise",
                             t->how.operands[i] ? t->how.operands[i] : "NULL");
    }
    return SPCC_OK;
}

static spcc_status find_operands(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct tune *t = arguments;
    const struct spcc_kernel *kernel = t->given.trial.kernel;
    spcc_status status = check_operands(cx, t);
    t->operand = calloc((size_t)kernel->arguments, sizeof *t->operand);
    if (!t->operand)
        return SPCC_ERROR_MEMORY;
    for (int k = kernel->results; k < kernel->arguments && status == SPCC_OK; k++)
        if (is_wanted(t, t->given.tensors[k], kernel->argument[k].name))
            status = add_operand(api, cx, t, find_binding(t, kernel->argument[k].name));
    if (status == SPCC_OK && t->n == 0)
        return api_error(cx, SPCC_ERROR_ARGUMENT, "no operand of the statement is sparse");
    return status;
}

/* ---- the calls ---- */

static spcc_status begin_tuning(struct spcc_context *api, struct context *cx, void *arguments)
{
    struct tune *t = arguments;
    const spcc_binding *given = t->bindings;
    (void)api;
    t->bindings = NULL;
    if (!api_options(cx, "spcc_tune_formats_options", &t->how, sizeof t->how, t->options_of_tune))
        return api_status(cx);
    if (t->how.n_operands < 0 || t->how.n_formats < 0 || t->how.runs < 0 || t->how.runs > RUNS_MOST
        || (t->how.n_operands && !t->how.operands) || (t->how.n_formats && !t->how.formats))
        return api_error(cx, SPCC_ERROR_ARGUMENT,
                         "spcc_tune_formats_options: there are 1 to %d runs, and no number is "
                         "negative or without its array",
                         (int)RUNS_MOST);
    spcc_status status =
        trial_options(cx, "spcc_tune_formats", t->options, given, t->n_bindings, &t->o);
    if (status != SPCC_OK)
        return status;
    t->bindings = calloc((size_t)t->n_bindings + 1, sizeof *t->bindings);
    if (!t->bindings)
        return SPCC_ERROR_MEMORY;
    if (t->n_bindings)
        memcpy(t->bindings, given, (size_t)t->n_bindings * sizeof *t->bindings);
    return SPCC_OK;
}

void spcc_format_tuning_free(spcc_format_tuning *tuning)
{
    if (!tuning)
        return;
    for (int i = 0; i < tuning->n_formats; i++) {
        free((char *)tuning->formats[i].operand);
        free((char *)tuning->formats[i].format);
        free((char *)tuning->formats[i].trouble);
    }
    free((spcc_tuned_format *)tuning->formats);
    free((char *)tuning->unkept);
    free(tuning);
}

static double runs_that_pay(const struct entry *e, const struct entry *given)
{
    if (e->given)
        return 0;
    return e->ms < given->ms ? ceil(e->convert_ms / (given->ms - e->ms)) : -1;
}

/* Tells the entry; its texts go over to the user's structure. */
static bool tell_entry(struct operand *o, struct entry *e, const struct entry *given,
                       spcc_tuned_format *told)
{
    *told = (spcc_tuned_format){.operand = api_strdup(o->name),
                                .format = e->format,
                                .bytes = e->bytes,
                                .convert_ms = e->convert_ms,
                                .ms = e->ms,
                                .runs = e->runs,
                                .pays_after = runs_that_pay(e, given),
                                .given = e->given,
                                .trouble = e->trial.trouble};
    e->format = e->trial.trouble = NULL;
    return told->operand != NULL;
}

/* Makes the user's structure; NULL if there is no memory. */
static spcc_format_tuning *format_tuning_of(struct tune *t)
{
    int n = 0;
    for (int k = 0; k < t->n; k++)
        n += t->operand[k].n;
    spcc_format_tuning *told = calloc(1, sizeof *told);
    spcc_tuned_format *formats = calloc((size_t)n, sizeof *formats);
    bool fits = told && formats;
    if (!fits) {
        free(told);
        free(formats);
        return NULL;
    }
    told->formats = formats;
    for (int k = 0; k < t->n; k++) {
        struct operand *o = &t->operand[k];
        const struct entry *given = given_of(o);
        for (int i = 0; i < o->n; i++)
            fits &= tell_entry(o, &o->entry[i], given, &formats[told->n_formats++]);
        if (o->unkept && !told->unkept) {
            told->unkept = o->unkept;
            o->unkept = NULL;
        }
    }
    if (!fits)
        spcc_format_tuning_free(told);
    return fits ? told : NULL;
}

static spcc_status tune_all(struct tune *t)
{
    struct with_entry with = {t, &t->given};
    spcc_status status = prepare(t, &t->given, true);
    if (status == SPCC_OK)
        status = api_call(t->context, find_operands, t);
    if (status == SPCC_OK)
        status = api_call(t->context, reckon, &with);
    if (status == SPCC_OK)
        status = trial_first(&t->trials, &t->given.trial);
    for (int k = 0; k < t->n && status == SPCC_OK; k++)
        status = tune_operand(t, &t->operand[k]);
    return status;
}

spcc_status spcc_tune_formats(spcc_context *context, const char *statement,
                              const spcc_compile_options *options, const spcc_binding *bindings,
                              int n_bindings, const spcc_tune_formats_options *how,
                              spcc_format_tuning **tuning)
{
    struct tune t = {.context = context,
                     .statement = statement,
                     .options = options,
                     .options_of_tune = how,
                     .bindings = (spcc_binding *)bindings,
                     .n_bindings = n_bindings,
                     .trials = {.context = context}};
    if (!tuning || !context)
        return api_lacks(context, "tuning");
    *tuning = NULL;
    spcc_status status = api_call(context, begin_tuning, &t);
    if (status == SPCC_OK)
        status = tune_all(&t);
    if (status == SPCC_OK && !(*tuning = format_tuning_of(&t)))
        status = SPCC_ERROR_MEMORY;
    free_tune(&t);
    return status;
}
