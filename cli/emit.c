/* emit.c - spcc emit and spcc explain: a stage of a statement as text, or of each statement of a file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/file.h"
#include "cli/library.h"
#include "cli/text_file.h"

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
    case CLI_STAGE_LATTICE: return SPCC_STAGE_LATTICE;
    case CLI_STAGE_LATTICE_DOT: return SPCC_STAGE_LATTICE_DOT;
    case CLI_STAGE_IMPERATIVE: return SPCC_STAGE_IMPERATIVE;
    case CLI_STAGE_C: return SPCC_STAGE_C;
    }
    if (request->command == CLI_EXPLAIN)
        return SPCC_STAGE_EXPLAIN;
    return request->output && ends_with(request->output, ".h") ? SPCC_STAGE_HEADER : SPCC_STAGE_C;
}

static enum cli_status write_text(const char *path, const char *text)
{
    if (path && strcmp(path, "-") != 0)
        return text_file_write(path, text);
    fputs(text, stdout); /* main looks whether that arrived */
    return CLI_DONE;
}

/* The texts of all statements, one after the other. */
struct texts {
    char *at;
    size_t n;
};

static bool add_text(struct texts *all, const char *text)
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

/* What stands before a statement's text, where there are several. */
static bool add_head(struct texts *all, const struct file *file, int s, spcc_stage stage)
{
    const char *comment = stage == SPCC_STAGE_LATTICE_DOT ? "//" : "#";
    const struct cli_request *request = &file->statement[s].request;
    bool is_code = stage == SPCC_STAGE_C || stage == SPCC_STAGE_HEADER;
    if (file->n == 1)
        return true;
    if (s > 0 && !add_text(all, "\n"))
        return false;
    return is_code || (add_text(all, comment) && add_text(all, " ") && add_text(all, request->function)
                       && add_text(all, ": ") && add_text(all, request->subject) && add_text(all, "\n"));
}

static enum cli_status emit_statement(const struct file *file, int s, struct texts *all)
{
    const struct cli_request *request = &file->statement[s].request;
    struct library_options made;
    char *text = NULL;
    spcc_status said = SPCC_ERROR_MEMORY;
    if (library_options_make(&made, request))
        said = spcc_emit(file->context, request->subject, &made.options, stage(request), &text);
    enum cli_status status = file_report(file, s, said);
    if (status == CLI_DONE && !(add_head(all, file, s, stage(request)) && add_text(all, text)))
        status = library_no_memory();
    spcc_free(text);
    library_options_free(&made);
    return status;
}

enum cli_status command_emit(const struct cli_request *request)
{
    struct file file;
    struct texts all = {NULL, 0};
    enum cli_status status = file_open(&file, request);
    bool is_open = status == CLI_DONE;
    for (int s = 0; is_open && s < file.n; s++) { /* what is wrong with any of them is told */
        enum cli_status one = emit_statement(&file, s, &all);
        status = status == CLI_DONE ? one : status;
    }
    if (status == CLI_DONE)
        status = write_text(file.request.output, all.at);
    free(all.at);
    file_close(&file);
    return status;
}
