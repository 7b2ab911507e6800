/* pack.c - spcc pack: the kernels of statements in one file, for machines without a compiler.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/file.h"
#include "cli/library.h"
#include "cli/progress.h"

/* The names that wheels have for machines. */
#if defined(__aarch64__)
#define PLATFORM "linux_aarch64"
#else
#define PLATFORM "linux_x86_64"
#endif

/* ---- lists of words ---- */

enum { WORDS = 16, WORD_SIZE = 32 };

/* The words of "f64,f32"; without a word, one that is "". */
struct words {
    char at[WORDS][WORD_SIZE];
    int n;
};

static bool read_words(struct words *words, const char *option, const char *list)
{
    *words = (struct words){.n = list ? 0 : 1};
    for (size_t n; list && *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (n == 0 || n >= WORD_SIZE || words->n == WORDS)
            break;
        memcpy(words->at[words->n++], list, n);
    }
    if (words->n > 0 && (!list || !*list))
        return true;
    library_complain("--%s: '%s' is not a list of words with commas between them", option,
                     list ? list : "");
    return false;
}

/* ---- a pack ---- */

/* A pack in the making. */
struct packing {
    const struct file *file;
    const struct cli_request *request;
    struct words types, widths, machines;
    const char *machine[WORDS]; /* their targets */
    spcc_pack *pack;
    struct texts header; /* of the functions so far */
};

/* Returns the target for a name of --isa. */
static const char *target_of(const char *isa)
{
    static const char *const levels[][2] = {
        {"v2", "x86-64"}, {"v3", "x86-64-v3"}, {"v4", "x86-64-v4"}};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(levels[i][0], isa) == 0)
            return levels[i][1];
    return isa;
}

static bool read_lists(struct packing *p)
{
    const struct cli_request *request = p->request;
    if (!read_words(&p->types, "types", request->types)
        || !read_words(&p->widths, "widths", request->widths)
        || !read_words(&p->machines, "isa", request->isa))
        return false;
    for (int w = 0; w < p->widths.n; w++) {
        const char *width = p->widths.at[w];
        if (*width && strcmp(width, "32") != 0 && strcmp(width, "64") != 0) {
            library_complain("--widths: '%s' is neither 32 nor 64", width);
            return false;
        }
    }
    for (int t = 0; t < p->types.n; t++) {
        spcc_type type;
        if (*p->types.at[t] && !spcc_type_parse(p->types.at[t], &type)) {
            library_complain("--types: '%s' is not a type; 'spcc help types' lists the types",
                             p->types.at[t]);
            return false;
        }
    }
    for (int m = 0; m < p->machines.n; m++)
        p->machine[m] = target_of(p->machines.at[m]);
    return true;
}

/* ---- one kernel ---- */

/* Returns NAME, followed by the type and the width if there are several; to be freed.  NULL: no
 * memory. */
static char *name_of(const struct packing *p, const struct cli_request *request, const char *type,
                     const char *width)
{
    struct texts name = {emit_function_name(request), 0};
    name.n = name.at ? strlen(name.at) : 0;
    bool is_whole = name.at
                    && (p->types.n == 1 || (texts_add(&name, "_") && texts_add(&name, type)))
                    && (p->widths.n == 1 || (texts_add(&name, "_i") && texts_add(&name, width)));
    if (is_whole)
        return name.at;
    free(name.at);
    return NULL;
}

/* Gives the type to tensors without one. */
static bool declare_types(struct library_options *made, const struct file_statement *statement,
                          const char *type)
{
    for (int t = 0; *type && t < spcc_statement_tensors(statement->parsed); t++) {
        const char *name = spcc_statement_tensor_name(statement->parsed, t);
        if (!library_setting(&statement->request, CLI_FLAG_TYPE, name)
            && !library_declare_type(made, name, type))
            return false;
    }
    return true;
}

static enum cli_status add_header(struct packing *p, spcc_context *context, int s,
                                  const struct library_options *made)
{
    char *text = NULL;
    const char *subject = p->file->statement[s].request.subject;
    spcc_status said = spcc_emit(context, subject, &made->options, SPCC_STAGE_HEADER, &text);
    if (said == SPCC_OK
        && !((p->header.n == 0 || texts_add(&p->header, "\n")) && texts_add(&p->header, text)))
        said = SPCC_ERROR_MEMORY;
    spcc_free(text);
    return said == SPCC_OK ? CLI_DONE : library_report(context, said);
}

static enum cli_status add_kernel(struct packing *p, spcc_context *context, int s, const char *type,
                                  const char *width)
{
    const struct file_statement *statement = &p->file->statement[s];
    struct library_options made;
    struct progress progress;
    bool has_functions = p->request->header;
    char *name = has_functions ? name_of(p, &statement->request, type, width) : NULL;
    spcc_status said = SPCC_ERROR_MEMORY;
    bool has_room =
        library_options_make(&made, &statement->request, spcc_statement_tensors(statement->parsed))
        && declare_types(&made, statement, type) && (name || !has_functions);
    made.options.name = name;
    progress_begin(&progress, "packing %s", statement->request.subject);
    if (has_room)
        said = spcc_pack_add(context, p->pack, statement->request.subject, &made.options);
    progress_end(&progress);
    enum cli_status status =
        context == p->file->context ? file_report(p->file, s, said) : library_report(context, said);
    if (status == CLI_DONE && has_functions)
        status = add_header(p, context, s, &made);
    free(name);
    library_options_free(&made);
    return status;
}

/* Adds all kernels with positions and coordinates of this width. */
static enum cli_status add_width(struct packing *p, const char *width)
{
    enum cli_status status = CLI_DONE;
    struct cli_request own = *p->request;
    spcc_context *context = p->file->context;
    if (*width) {
        own.index_bits = atoi(width);
        context = library_open(&own, &status);
    }
    for (int t = 0; t < p->types.n && status == CLI_DONE; t++)
        for (int s = 0; s < p->file->n && status == CLI_DONE; s++)
            status = add_kernel(p, context, s, p->types.at[t], width);
    if (context != p->file->context)
        spcc_context_free(context);
    return status;
}

/* ---- the command ---- */

/* Writes NAME.so, and beside it a wheel for this version of spcc alone. */
static enum cli_status write_files(struct packing *p)
{
    spcc_context *context = p->file->context;
    const char *path = p->request->output, *dot = strrchr(path, '.');
    char *wheel = NULL;
    enum cli_status status = library_report(context, spcc_pack_write(context, p->pack, path));
    if (status != CLI_DONE || !p->request->wheel)
        return status;
    int stem = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);
    if (asprintf(&wheel, "%.*s-%s-py3-none-%s.whl", stem, path, spcc_version(), PLATFORM) < 0)
        return library_no_memory();
    status = library_report(context, spcc_pack_write(context, p->pack, wheel));
    free(wheel);
    return status;
}

static enum cli_status make_pack(struct packing *p)
{
    spcc_context *context = p->file->context;
    const spcc_pack_options options = {.size = sizeof options,
                                       .machines = p->machine,
                                       .n_machines = p->request->isa ? p->machines.n : 0,
                                       .functions = p->request->header != NULL};
    enum cli_status status = library_report(context, spcc_pack_new(context, &options, &p->pack));
    for (int w = 0; w < p->widths.n && status == CLI_DONE; w++)
        status = add_width(p, p->widths.at[w]);
    if (status == CLI_DONE)
        status = write_files(p);
    if (status == CLI_DONE && p->request->header)
        status = library_write_text(context, p->request, p->header.at, p->request->header);
    spcc_pack_free(p->pack);
    free(p->header.at);
    return status;
}

enum cli_status command_pack(const struct cli_request *request)
{
    struct file file;
    enum cli_status status = file_open(&file, request);
    struct packing packing = {.file = &file, .request = &file.request};
    if (status == CLI_DONE && !file.request.output) {
        library_complain("spcc pack needs a file to write");
        message_help("-o libkernels.so");
        status = CLI_BAD_USAGE;
    }
    if (status == CLI_DONE)
        status = read_lists(&packing) ? make_pack(&packing) : CLI_BAD_USAGE;
    file_close(&file);
    return status;
}
