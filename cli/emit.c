/* emit.c - spcc emit and spcc explain: a stage of a statement as text, or of each statement of a
 * file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/file.h"
#include "cli/job.h"
#include "cli/library.h"
#include "cli/message.h"
#include "cli/paths.h"
#include "cli/progress.h"

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

static spcc_stage stage(const struct cli_request *request)
{
    switch (request->stage) {
    case CLI_STAGE_DEFAULT: break;
    case CLI_STAGE_NOTATION: return SPCC_STAGE_NOTATION;
    case CLI_STAGE_CONCRETE: return SPCC_STAGE_CONCRETE;
    case CLI_STAGE_PLAN: return SPCC_STAGE_PLAN;
    case CLI_STAGE_GRAPH_DOT: return SPCC_STAGE_GRAPH_DOT;
    case CLI_STAGE_GRAPH_SVG: return SPCC_STAGE_GRAPH_SVG;
    case CLI_STAGE_LATTICE: return SPCC_STAGE_LATTICE;
    case CLI_STAGE_LATTICE_DOT: return SPCC_STAGE_LATTICE_DOT;
    case CLI_STAGE_LATTICE_SVG: return SPCC_STAGE_LATTICE_SVG;
    case CLI_STAGE_IMPERATIVE: return SPCC_STAGE_IMPERATIVE;
    case CLI_STAGE_C: return SPCC_STAGE_C;
    case CLI_STAGE_PASSES: return SPCC_STAGE_PASSES;
    }
    if (request->command == CLI_EXPLAIN)
        return SPCC_STAGE_EXPLAIN;
    return request->output && ends_with(request->output, ".h") ? SPCC_STAGE_HEADER : SPCC_STAGE_C;
}

/* Writes into a file that is not the statements' own, which must not be lost. */
static enum cli_status write_text(const struct file *file, const char *path, const char *text)
{
    if (!file->path || !path || !paths_are_same(file->path, path))
        return library_write_text(file->context, &file->request, text, path);
    library_complain("-o %s: the statements are in this file", path);
    return CLI_BAD_USAGE;
}

bool texts_add(struct texts *all, const char *text)
{
    size_t more = strlen(text);
    char *grown = realloc(all->at, all->n + more + 1);
    if (!grown)
        return false;
    memcpy(grown + all->n, text, more + 1);
    all->at = grown;
    all->n += more;
    return true;
}

static bool is_code(spcc_stage stage)
{
    return stage == SPCC_STAGE_C || stage == SPCC_STAGE_HEADER;
}

/* Texts are written one after the other; pictures are not. */
static bool is_picture(spcc_stage stage)
{
    return stage == SPCC_STAGE_GRAPH_SVG || stage == SPCC_STAGE_LATTICE_SVG;
}

/* Adds "TEXT", or "NAME: TEXT", as a comment in the stage's language. */
static bool add_comment(struct texts *all, spcc_stage stage, const char *name, const char *text)
{
    bool is_graph = stage == SPCC_STAGE_LATTICE_DOT || stage == SPCC_STAGE_GRAPH_DOT;
    const char *begin = is_code(stage) ? "/* " : is_graph ? "// " : "# ";
    return texts_add(all, begin) && (!name || (texts_add(all, name) && texts_add(all, ": ")))
           && texts_add(all, text) && texts_add(all, is_code(stage) ? " */\n" : "\n");
}

/* Adds what precedes a statement's text: a separating line, the loops that begin, and the name if
 * it is no code. */
static bool add_head(struct texts *all, const struct file *file, int s, spcc_stage stage)
{
    const struct cli_request *request = &file->statement[s].request;
    bool good = s == 0 || texts_add(all, "\n");
    for (int l = 0; l < file->n_loops && good && !is_picture(stage); l++)
        if (file->loop[l].begin == s)
            good = add_comment(all, stage, NULL, file->loop[l].head.at) && texts_add(all, "\n");
    bool is_named = file->is_several && !is_code(stage);
    return good && (!is_named || add_comment(all, stage, request->function, request->subject));
}

/* Adds what follows it: the loops that end, the inner before the outer. */
static bool add_tail(struct texts *all, const struct file *file, int s, spcc_stage stage)
{
    bool good = true;
    for (int l = file->n_loops - 1; l >= 0 && good && !is_picture(stage); l--)
        if (file->loop[l].end == s + 1)
            good = texts_add(all, "\n") && add_comment(all, stage, NULL, file->loop[l].tail.at);
    return good;
}

char *emit_function_name(const struct cli_request *request)
{
    static const char *const names[] = {[CLI_KERNEL_DEFAULT] = "evaluate",
                                        [CLI_KERNEL_COMPUTE] = "compute",
                                        [CLI_KERNEL_ASSEMBLE] = "assemble",
                                        [CLI_KERNEL_FUSED] = "evaluate"};
    const char *own = request->function ? request->function : names[request->kernel];
    const char *prefix = request->prefix ? request->prefix : "";
    size_t size = strlen(prefix) + strlen(own) + 1;
    char *name = malloc(size);
    if (name)
        snprintf(name, size, "%s%s", prefix, own);
    return name;
}

static void free_names(char **names)
{
    for (char **name = names; name && *name; name++)
        free(*name);
    free(names);
}

/* Returns the names of the functions of all statements, and NULL, to be freed.  NULL: no memory. */
static char **function_names(const struct file *file)
{
    char **names = calloc((size_t)file->n + 1, sizeof *names);
    for (int s = 0; s < file->n && names; s++) {
        names[s] = emit_function_name(&file->statement[s].request);
        if (!names[s]) {
            free_names(names);
            return NULL;
        }
    }
    return names;
}

/* What makes the options of a statement. */
struct source {
    const struct file *file;
    emit_options *options;
    const void *data;
};

/* Makes the options by the request alone. */
static bool options_of_request(const void *data, int s, const struct cli_request *request,
                               struct library_options *made)
{
    (void)data;
    (void)s;
    return library_options_make(made, request, 0);
}

/* names: of the functions of all statements. */
static enum cli_status emit_request(const struct source *source, int s,
                                    const struct cli_request *request, char *const *names,
                                    struct texts *all)
{
    const struct file *file = source->file;
    struct library_options made;
    struct progress progress;
    char *text = NULL, *name = request->prefix ? emit_function_name(request) : NULL;
    spcc_status said = SPCC_ERROR_MEMORY;
    bool has_room = source->options(source->data, s, request, &made) && (name || !request->prefix);
    if (name)
        made.options.name = name;
    made.options.others = (const char *const *)names;
    progress_begin(&progress, "planning %s", request->subject);
    if (has_room)
        said = spcc_emit(file->context, request->subject, &made.options, stage(request), &text);
    progress_end(&progress);
    enum cli_status status = file_report(file, s, said);
    if (status == CLI_DONE
        && !(add_head(all, file, s, stage(request)) && texts_add(all, text)
             && add_tail(all, file, s, stage(request))))
        status = library_no_memory();
    spcc_free(text);
    free(name);
    library_options_free(&made);
    return status;
}

static enum cli_status refuse_pictures(const struct file *file)
{
    library_complain("%s has %d statements, and a picture is of one", file->path, file->n);
    message_help(
        "the Graphviz graphs of several follow one another: --emit=graph.dot, --emit=lattice.dot");
    return CLI_BAD_USAGE;
}

enum cli_status emit_reading(const struct file *file, int s)
{
    const struct cli_request *request = &file->statement[s].request;
    struct library_options made;
    char *text = NULL;
    spcc_status said = SPCC_ERROR_MEMORY;
    if (library_options_make(&made, request, 0))
        said =
            spcc_emit(file->context, request->subject, &made.options, SPCC_STAGE_NOTATION, &text);
    /* notes are printed where the statement is compiled */
    enum cli_status status = said == SPCC_OK ? CLI_DONE : file_report(file, s, said);
    if (status == CLI_DONE && request->warns) {
        message_label(MESSAGE_NOTE, "note:");
        message_put(request->subject);
        fprintf(stderr, " is read as %s", text);
    }
    spcc_free(text);
    library_options_free(&made);
    return status;
}

/* Emits all statements, and reports the mistakes in each. */
static enum cli_status emit_all(const struct source *source, const struct cli_view *view,
                                struct texts *all)
{
    const struct file *file = source->file;
    char **names = function_names(file);
    enum cli_status status = names ? CLI_DONE : library_no_memory();
    for (int s = 0; s < file->n && names; s++) {
        struct cli_request request = file->statement[s].request;
        if (view == NULL && request.warns)
            emit_reading(file, s);
        bool is_fused =
            view && view->kernel == CLI_KERNEL_COMPUTE && request.kernel == CLI_KERNEL_FUSED;
        if (view)
            request.stage = view->stage;
        if (view && !is_fused)
            request.kernel = view->kernel;
        enum cli_status one = emit_request(source, s, &request, names, all);
        status = status == CLI_DONE ? one : status;
    }
    free_names(names);
    return status;
}

/* Do both views go to the same file, or to standard output, one after the other? */
static bool is_same_place(const struct cli_view *a, const struct cli_view *b)
{
    return a->path && b->path ? strcmp(a->path, b->path) == 0 : a->path == b->path;
}

enum cli_status emit_views(const struct file *file, emit_options *options, const void *data)
{
    const struct source source = {file, options, data};
    enum cli_status status = CLI_DONE;
    const struct cli_view *view = file->request.views;
    int n = file->request.n_views;
    for (int v = 0, next; v < n && status == CLI_DONE; v = next) {
        struct texts all = {NULL, 0};
        for (next = v; next < n && is_same_place(&view[v], &view[next]) && status == CLI_DONE;
             next++) {
            if (next > v && !texts_add(&all, "\n"))
                status = library_no_memory();
            if (status == CLI_DONE)
                status = emit_all(&source, &view[next], &all);
        }
        if (status == CLI_DONE)
            status = write_text(file, view[v].path, all.at);
        free(all.at);
    }
    return status;
}

/* Prints the stage that the request asks for, of all statements, or writes it to its file; or the
 * views, if there are some.  Mistakes have been reported. */
static enum cli_status emit_statements(const struct file *file, emit_options *options,
                                       const void *data)
{
    const struct source source = {file, options, data};
    struct texts all = {NULL, 0};
    if (file->n > 1 && is_picture(stage(&file->request)))
        return refuse_pictures(file);
    if (file->request.n_views > 0)
        return emit_views(file, options, data);
    enum cli_status status = emit_all(&source, NULL, &all);
    if (status == CLI_DONE)
        status = write_text(file, file->request.output, all.at);
    free(all.at);
    return status;
}

/* Stages before the plan are shown as they stand in the file. */
static enum cli_status join_statements(struct file *file)
{
    spcc_stage shown = stage(&file->request);
    return shown == SPCC_STAGE_NOTATION || shown == SPCC_STAGE_CONCRETE
               ? CLI_DONE
               : file_join(file, options_of_request, NULL);
}

enum cli_status command_emit(const struct cli_request *request)
{
    struct file file;
    enum cli_status status = file_open(&file, request);
    if (status == CLI_DONE)
        status = join_statements(&file);
    if (status == CLI_DONE)
        status = emit_statements(&file, options_of_request, NULL);
    file_close(&file);
    return status;
}

/* Explains the plan for the tensors at hand. */
enum cli_status command_explain_inputs(const struct cli_request *request)
{
    struct job job;
    enum cli_status status = job_open(&job, request);
    if (status == CLI_DONE)
        status = emit_statements(&job.file, job_options, &job);
    job_close(&job);
    return status;
}
