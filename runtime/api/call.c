/* call.c - calls of the API: messages, statuses, and the one place that failures unwind to.
 *
 * A call's messages are in the arena of the compiler context that made them.  The API's context
 * keeps that until the next call.  If there is no memory for messages, the constants below take
 * their place.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/base/printable.h"
#include "compiler/base/text.h"
#include "compiler/registry.h"
#include "runtime/api/api.h"
#include "runtime/tensor/memory.h"

static const char no_memory_text[] = "error: out of memory\n";
static const spcc_diagnostic no_memory = {
    .severity = SPCC_SEVERITY_ERROR, .status = SPCC_ERROR_MEMORY, .message = "out of memory"};
static const char stopped_text[] = "error: the call was stopped\n";
static const spcc_diagnostic stopped = {
    .severity = SPCC_SEVERITY_ERROR, .status = SPCC_STOPPED, .message = "the call was stopped"};

_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler sets the flag that stops a call");

char *api_strdup(const char *s)
{
    size_t n = s ? strlen(s) + 1 : 0;
    char *copy = s ? malloc(n) : NULL;
    return copy ? memcpy(copy, s, n) : NULL;
}

double api_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

const char *api_take_text(struct context *cx, char *text, const char *otherwise)
{
    char copy[4096];
    size_t n = text ? strnlen(text, sizeof copy - 1) : 0;
    while (n > 0 && text[n - 1] == '\n')
        n--;
    if (n > 0)
        memcpy(copy, text, n);
    copy[n] = '\0';
    free(text); /* before the arena may unwind */
    return n > 0 ? arena_strdup(cx->arena, copy) : otherwise;
}

const char *api_printable(struct context *cx, const char *text)
{
    size_t size = printable(NULL, 0, text, false) + 1;
    char *shown = arena_array(cx->arena, char, size);
    printable(shown, size, text, false);
    return shown;
}

/* ---- options ---- */

/* No structure is as large: a size above this was not set. */
enum { OPTIONS_MOST = 4096 };

/* An older or newer program knows a shorter or longer structure.  Members that are missing are
 * zero, and members that are not known here have to be zero.  A structure that is only a size is a
 * pointer's size, taken by mistake. */
bool api_copy_options(void *to, size_t known, const void *from)
{
    size_t given;
    memcpy(&given, from, sizeof given);
    if (given <= sizeof given || given > OPTIONS_MOST)
        return false;
    for (size_t i = known; i < given; i++)
        if (((const unsigned char *)from)[i])
            return false;
    memcpy(to, from, given < known ? given : known);
    return true;
}

bool api_options(struct context *cx, const char *name, void *to, size_t known, const void *from)
{
    if (!from || api_copy_options(to, known, from))
        return true;
    api_error(cx, SPCC_ERROR_ARGUMENT,
              "%s does not start with its size, or asks for what spcc %s does not know", name,
              SPCC_VERSION);
    return false;
}

/* ---- errors and notes ---- */

static enum diag_code code_of(spcc_status status)
{
    switch (status) {
    case SPCC_ERROR_STATEMENT: return DIAG_SYNTAX;
    case SPCC_ERROR_FORMAT: return DIAG_FORMAT;
    case SPCC_ERROR_SCHEDULE: return DIAG_SCHEDULE;
    case SPCC_ERROR_UNSUPPORTED: return DIAG_LOWER;
    case SPCC_ERROR_TENSOR: return DIAG_TENSOR;
    case SPCC_ERROR_FILE: return DIAG_FILE_OPEN;
    case SPCC_ERROR_LIMIT: return DIAG_LIMIT;
    case SPCC_ERROR_BINDING: return DIAG_BINDING;
    case SPCC_ERROR_ARGUMENT: return DIAG_ARGUMENT;
    case SPCC_ERROR_COMPILER: return DIAG_COMPILER;
    case SPCC_ERROR_SYSTEM: return DIAG_SYSTEM;
    case SPCC_ERROR_MEMORY: return DIAG_MEMORY;
    case SPCC_OK:
    case SPCC_STOPPED:
    case SPCC_ERROR_BUG: return DIAG_BUG;
    }
    return DIAG_BUG;
}

static spcc_status status_of(enum diag_code code)
{
    switch (code) {
    case DIAG_SYNTAX:
    case DIAG_LITERAL:
    case DIAG_INVARIANT:
    case DIAG_NAME:
    case DIAG_ORDER:
    case DIAG_SIZE:
    case DIAG_TYPE:
    case DIAG_RESULT:
    case DIAG_UNUSED:
    case DIAG_AMBIGUOUS:
    case DIAG_ALGEBRA: return SPCC_ERROR_STATEMENT;
    case DIAG_FORMAT:
    case DIAG_FILL: return SPCC_ERROR_FORMAT;
    case DIAG_SCHEDULE:
    case DIAG_PRECONDITION: return SPCC_ERROR_SCHEDULE;
    case DIAG_LOWER:
    case DIAG_MAP:
    case DIAG_SCATTER:
    case DIAG_CONFLICT: return SPCC_ERROR_UNSUPPORTED;
    case DIAG_FILE_OPEN:
    case DIAG_FILE_FORMAT: return SPCC_ERROR_FILE;
    case DIAG_TENSOR: return SPCC_ERROR_TENSOR;
    case DIAG_LIMIT: return SPCC_ERROR_LIMIT;
    case DIAG_BINDING: return SPCC_ERROR_BINDING;
    case DIAG_ARGUMENT: return SPCC_ERROR_ARGUMENT;
    case DIAG_COMPILER: return SPCC_ERROR_COMPILER;
    case DIAG_SYSTEM: return SPCC_ERROR_SYSTEM;
    case DIAG_MEMORY: return SPCC_ERROR_MEMORY;
    case DIAG_REMARK:
    case DIAG_BUG: return SPCC_ERROR_BUG;
    }
    return SPCC_ERROR_BUG;
}

static bool is_note(const struct diag *diag) { return diag->code == DIAG_REMARK; }

spcc_status api_status(const struct context *cx)
{
    for (size_t i = 0; i < cx->diags.n; i++)
        if (!is_note(&cx->diags.at[i]))
            return status_of(cx->diags.at[i].code);
    return SPCC_ERROR_BUG;
}

static void report_failure(struct context *cx, enum diag_code code, const char *format,
                           va_list args)
{
    diag_error(cx, code, (struct span){0}, "%s", arena_vprintf(cx->arena, format, args));
}

spcc_status api_error(struct context *cx, spcc_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_failure(cx, code_of(status), format, args);
    va_end(args);
    return status;
}

void api_note(struct context *cx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_failure(cx, DIAG_REMARK, format, args);
    va_end(args);
}

spcc_status api_fail(struct context *cx, const struct rt_error *error)
{
    if (error->status == RT_NO_MEMORY && !error->help[0])
        return SPCC_ERROR_MEMORY;
    struct diag *diag = diag_error(cx, error->code, (struct span){0}, "%s", error->message);
    if (error->help[0])
        diag_help(cx, diag, "%s", error->help);
    if (error->status == RT_NO_MEMORY)
        return SPCC_ERROR_MEMORY;
    return error->status == RT_SYSTEM ? SPCC_ERROR_SYSTEM : status_of(error->code);
}

/* ---- messages ---- */

static void find_place(struct span span, spcc_diagnostic *to)
{
    const char *text = span.source->text ? span.source->text : "";
    to->source = span.source->name;
    to->text = text;
    to->begin = span.begin;
    to->end = span.end;
    to->line = to->column = 1;
    for (int i = 0; i < span.begin && text[i]; i++) {
        to->column += ((unsigned char)text[i] & 0xC0) != 0x80;
        if (text[i] == '\n') {
            to->line++;
            to->column = 1;
        }
    }
}

/* Finds the place in the runtime's messages about a file, which begin with "FILE: " or
 * "FILE:LINE:COLUMN: ". */
static void find_place_in_file(const char *file, spcc_diagnostic *to)
{
    size_t n = strlen(file);
    int line, column, length = 0;
    if (strncmp(to->message, file, n) != 0 || to->message[n] != ':')
        return;
    to->source = file;
    to->text = "";
    if (sscanf(to->message + n, ":%d:%d: %n", &line, &column, &length) == 2 && length > 0) {
        to->line = line;
        to->column = column;
        to->message += n + (size_t)length;
    } else if (to->message[n + 1] == ' ') {
        to->message += n + 2;
    }
}

static spcc_diagnostic in_parts(struct spcc_context *api, struct context *cx, spcc_status status,
                                const struct diag *diag)
{
    spcc_diagnostic to = {.severity = is_note(diag) ? SPCC_SEVERITY_NOTE : SPCC_SEVERITY_ERROR,
                          .status = is_note(diag)               ? SPCC_OK
                                    : status == SPCC_ERROR_FILE ? status
                                                                : status_of(diag->code),
                          .code = (int)diag->code,
                          .message = diag->message,
                          .help = diag->help};
    if (diag->span.source)
        find_place(diag->span, &to);
    else if (api->file)
        find_place_in_file(api->file, &to);
    enum { MOST = sizeof diag->note / sizeof *diag->note };
    while (to.n_notes < MOST && diag->note[to.n_notes])
        to.n_notes++;
    to.notes = arena_copy(cx->arena, diag->note, sizeof diag->note);
    return to;
}

/* Makes the messages; false if there is no memory. */
static bool make_messages(struct spcc_context *api, struct context *cx, spcc_status status)
{
    if (!context_protect(cx))
        return false;
    arena_allow(cx->arena, 0, 0);
    size_t n = cx->diags.n;
    if (n == 0)
        return true;
    spcc_diagnostic *parts = arena_array(cx->arena, spcc_diagnostic, n);
    struct text text = text_new(cx->arena);
    for (size_t i = 0; i < n; i++) {
        if (cx->diags.at[i].help)
            cx->diags.at[i].help = api_spell(api, cx, cx->diags.at[i].help);
        parts[i] = in_parts(api, cx, status, &cx->diags.at[i]);
        diag_print(&text, &cx->diags.at[i]);
    }
    api->message = text.at;
    api->diagnostic = parts;
    api->diagnostics = (int)n;
    return true;
}

static spcc_status out_of_memory(struct spcc_context *api)
{
    api->message = no_memory_text;
    api->diagnostic = &no_memory;
    api->diagnostics = 1;
    return SPCC_ERROR_MEMORY;
}

static spcc_status was_stopped(struct spcc_context *api)
{
    api->message = stopped_text;
    api->diagnostic = &stopped;
    api->diagnostics = 1;
    return SPCC_STOPPED;
}

static void forget(struct spcc_context *api)
{
    context_free(api->adopted);
    context_free(api->call);
    api->call = api->adopted = NULL;
    api->file = NULL;
    api->message = "";
    api->diagnostic = NULL;
    api->diagnostics = 0;
}

void api_adopt(struct spcc_context *api, struct context *cx)
{
    context_free(api->adopted);
    api->adopted = cx;
}

/* ---- the edge ---- */

static bool report_bug(struct context *cx, const char *bug)
{
    if (!context_protect(cx))
        return false;
    struct diag *diag = diag_error(cx, DIAG_BUG, (struct span){0}, "%s", bug);
    diag_help(cx, diag, "this is a bug in spcc %s; please report it with the statement and formats",
              SPCC_VERSION);
    return true;
}

static bool report_spent(struct context *cx)
{
    if (!context_protect(cx))
        return false;
    arena_allow(cx->arena, 0, 0);
    struct diag *diag = diag_error(cx, DIAG_LIMIT, (struct span){0},
                                   "compiling this takes more steps or memory than allowed");
    diag_help(cx, diag, "write it as several statements, or with fewer directives");
    return true;
}

static spcc_status unwound(struct context *cx)
{
    if (cx->failure == CONTEXT_STOPPED)
        return SPCC_STOPPED;
    if (cx->failure == CONTEXT_SPENT && report_spent(cx))
        return SPCC_ERROR_LIMIT;
    if (cx->failure == CONTEXT_BUG && report_bug(cx, cx->bug ? cx->bug : "a broken invariant"))
        return SPCC_ERROR_BUG;
    return SPCC_ERROR_MEMORY;
}

spcc_status api_guarded(struct spcc_context *api, struct context *cx, api_body *body,
                        void *arguments)
{
    arena_watch(cx->arena, &api->stop);
    if (!context_protect(cx)) {
        arena_watch(cx->arena, NULL);
        return unwound(cx);
    }
    spcc_status status = body(api, cx, arguments);
    arena_watch(cx->arena, NULL);
    return status;
}

/* Does a message say for what memory was short? */
static bool is_explained(const struct context *cx)
{
    enum diag_code code = cx->diags.n > 0 ? cx->diags.at[cx->diags.n - 1].code : DIAG_REMARK;
    return code == DIAG_LIMIT || code == DIAG_MEMORY;
}

/* Tells the messages of the context that the call has failed in. */
static spcc_status tell_failure(struct spcc_context *api, spcc_status status)
{
    struct context *cx = api->adopted ? api->adopted : api->call;
    bool told = make_messages(api, cx, status);
    bool silent = status == SPCC_ERROR_MEMORY ? !is_explained(cx) : status != SPCC_OK && !told;
    return silent ? out_of_memory(api) : status;
}

/* A failure after the call was stopped, mostly a lack of memory, is told as the stop. */
spcc_status api_call(struct spcc_context *api, api_body *body, void *arguments)
{
    if (!api)
        return SPCC_ERROR_ARGUMENT;
    forget(api);
    if (atomic_load(&api->stop))
        return was_stopped(api);
    api->call = context_new();
    if (!api->call)
        return out_of_memory(api);
    api->call->levels = registry_levels;
    memory_follow((struct memory_rules){.limit = api->max_memory,
                                        .stop = &api->stop,
                                        .arrays = api->gives_memory ? &api->memory : NULL});
    spcc_status status = api_guarded(api, api->call, body, arguments);
    memory_follow((struct memory_rules){.limit = api->max_memory});
    if (status == SPCC_STOPPED || (status != SPCC_OK && atomic_load(&api->stop)))
        return was_stopped(api);
    return tell_failure(api, status);
}

static spcc_status lack(struct spcc_context *api, struct context *cx, void *what)
{
    (void)api;
    return api_error(cx, SPCC_ERROR_ARGUMENT, "%s is NULL", (const char *)what);
}

spcc_status api_lacks(struct spcc_context *api, const char *what)
{
    return api_call(api, lack, (void *)what);
}

void spcc_stop(spcc_context *context)
{
    if (context)
        atomic_store(&context->stop, true);
}

void spcc_clear_stop(spcc_context *context)
{
    if (context)
        atomic_store(&context->stop, false);
}

const char *spcc_message(const spcc_context *context) { return context ? context->message : ""; }

int spcc_diagnostic_count(const spcc_context *context)
{
    return context ? context->diagnostics : 0;
}

const spcc_diagnostic *spcc_diagnostic_get(const spcc_context *context, int i)
{
    return context && i >= 0 && i < context->diagnostics ? &context->diagnostic[i] : NULL;
}

char *spcc_printable(const char *text)
{
    if (!text)
        return NULL;
    size_t size = printable(NULL, 0, text, false) + 1;
    char *shown = malloc(size);
    if (shown)
        printable(shown, size, text, false);
    return shown;
}

void spcc_free(void *text) { free(text); }
