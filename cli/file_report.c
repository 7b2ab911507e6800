/* file_report.c - messages about statement files, drawn into their lines.
 *
 * The library speaks of bytes of a statement, schedule or format that it was given.  Where these
 * bytes stand in the file is known.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/file_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/library.h"
#include "cli/names.h"
#include "compiler/base/suggest.h"

/* ---- drawing ---- */

static const char *line_of(const struct file *file, int place)
{
    const char *line = file->text + place;
    while (line > file->text && line[-1] != '\n')
        line--;
    return line;
}

static int line_number(const struct file *file, int place)
{
    int line = 1;
    for (int k = 0; k < place; k++)
        line += file->text[k] == '\n';
    return line;
}

/* Prints "FILE:LINE:COLUMN: ". */
static void put_place(const struct file *file, int place)
{
    message_label(MESSAGE_STRONG, "%s:%d:%d:", file->path, line_number(file, place),
                  message_columns(line_of(file, place), file->text + place) + 1);
}

bool file_wrong(const struct file *file, int begin, int end, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_place(file, begin);
    message_line(format, args);
    va_end(args);
    message_draw(MESSAGE_ERROR, file->text, begin, end);
    return false;
}

void file_note(const struct file *file, const struct file_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_place(file, text->place[0]);
    message_label(MESSAGE_NOTE, "note:");
    message_line(format, args);
    va_end(args);
    message_draw(MESSAGE_NOTE, file->text, text->place[0], text->place[text->n - 1] + 1);
}

/* Adds the statement's names of one kind.  false: no memory. */
static bool add_names(struct names *names, const spcc_statement *statement, bool is_variable)
{
    int n = is_variable ? spcc_statement_variables(statement) : spcc_statement_tensors(statement);
    for (int k = 0; k < n; k++) {
        const char *name = is_variable ? spcc_statement_variable_name(statement, k)
                                       : spcc_statement_tensor_name(statement, k);
        if (!file_is_literal(name) && names_add(names, name) < 0)
            return false;
    }
    return true;
}

void file_help_names(const struct file *file, const char *name, bool is_variable)
{
    char list[160] = "";
    size_t used = 0;
    struct names names = {0};
    struct suggestion near = suggest_for(name);
    for (int s = 0; s < file->n && add_names(&names, file->statement[s].parsed, is_variable);)
        s++;
    for (int n = 0; n < names.n; n++) {
        suggest_consider(&near, names.name[n], strlen(names.name[n]));
        if (used + strlen(names.name[n]) + 8 < sizeof list)
            used += (size_t)sprintf(list + used, "%s%s", n ? ", " : "", names.name[n]);
    }
    if (near.nearest)
        message_help("did you mean %.*s?", near.length, near.nearest);
    else if (used)
        message_help("the %s are %s", is_variable ? "index variables" : "tensors", list);
    names_free(&names);
}

int file_find_word(const struct file *file, const char *value)
{
    for (int w = 0; w < file->n_words; w++)
        if (value >= file->word[w].at && value <= file->word[w].at + file->word[w].n)
            return w;
    return -1;
}

bool file_find_value(const struct file *file, const char *value, struct file_text *found)
{
    int w = file_find_word(file, value);
    if (w < 0)
        return false;
    int before = (int)(value - file->word[w].at);
    *found = (struct file_text){file->word[w].at + before, file->word[w].place + before,
                                file->word[w].n - before};
    return true;
}

/* ---- messages of the library ---- */

/* Finds the part of the file with byte k of the joined schedule, which library.c joins with "; ".
 */
static bool find_in_schedules(const struct file *file, int s, int *k, struct file_text *found)
{
    const struct cli_request *request = &file->statement[s].request;
    int i = 0;
    for (const struct cli_setting *setting; (setting = cli_next(request, CLI_FLAG_SCHEDULE, &i));) {
        int n = (int)strlen(setting->value);
        const struct file_statement *statement = &file->statement[s];
        for (int l = 0; *k <= n && l < statement->n_schedule; l++) {
            *found = statement->schedule[l];
            if (found->at == setting->value)
                return true;
        }
        if (*k <= n)
            return file_find_value(file, setting->value, found);
        *k -= n + 2;
    }
    return false;
}

/* Finds the operator with this text. */
static bool find_operator(const struct file *file, const char *operator, struct file_text * found)
{
    int i = 0;
    for (const struct cli_setting *setting; (setting = cli_next(&file->request, CLI_FLAG_OP, &i));)
        if (strcmp(setting->value, operator) == 0)
            return file_find_value(file, setting->value, found);
    return false;
}

/* Returns the value of the option that "format of A" and the like are about, for statement s.  NULL
 * if there is none. */
static const char *find_setting(const struct file *file, int s, const char *source)
{
    char word[16];
    const char *of = strstr(source, " of ");
    if (!of || of - source >= (int)sizeof word)
        return NULL;
    memcpy(word, source, (size_t)(of - source));
    word[of - source] = 0;
    enum cli_flag flag = cli_flag_named(word);
    bool has_value = flag == CLI_FLAG_FORMAT || flag == CLI_FLAG_TYPE || flag == CLI_FLAG_FILL
                     || flag == CLI_FLAG_SIZE;
    return has_value ? library_setting(&file->statement[s].request, flag, of + 4) : NULL;
}

/* Is it a mistake of a tensor's format, type or fill?  It is reported with the tensor's first
 * statement. */
static bool is_told(const struct file *file, int s, const spcc_diagnostic *d)
{
    const char *value = d->source ? find_setting(file, s, d->source) : NULL;
    for (int r = 0; value && r < s; r++)
        if (find_setting(file, r, d->source) == value)
            return true;
    return false;
}

/* Finds the diagnostic's bytes in the file. */
static bool find_place(const struct file *file, int s, const spcc_diagnostic *d, int *begin,
                       int *end)
{
    struct file_text text = {0};
    int from = d->begin, length = d->end - d->begin;
    bool is_found = false;
    if (d->source && strcmp(d->source, "expression") == 0) {
        text = file->statement[s].text;
        is_found = true;
    } else if (d->source && strcmp(d->source, "schedule") == 0) {
        is_found = find_in_schedules(file, s, &from, &text);
    } else if (d->source && strcmp(d->source, "operator") == 0) {
        is_found = find_operator(file, d->text, &text);
    } else if (d->source) {
        const char *value = find_setting(file, s, d->source);
        is_found = value && file_find_value(file, value, &text);
    }
    if (!is_found)
        return false;
    from = from < text.n ? from : text.n;
    int to = from + length < text.n ? from + length : text.n;
    *begin = text.place[from];
    *end = to > from ? text.place[to - 1] + 1 : *begin;
    return true;
}

static void put_diagnostic(const struct file *file, int s, const spcc_diagnostic *d)
{
    int begin = file->statement[s].text.place[0], end;
    bool has_place = find_place(file, s, d, &begin, &end);
    if (has_place)
        put_place(file, begin);
    else
        message_label(MESSAGE_STRONG, "%s:%d:", file->path, line_number(file, begin));
    message_head(d);
    if (has_place)
        message_draw(d->severity == SPCC_SEVERITY_NOTE ? MESSAGE_NOTE : MESSAGE_ERROR, file->text,
                     begin, end);
    else if (d->source && d->text[0])
        message_say("  %s", d->text);
    message_tail(d);
}

enum cli_status file_report(const struct file *file, int s, spcc_status status)
{
    int n = spcc_diagnostic_count(file->context);
    if (!file->path || n == 0)
        return library_report(file->context, status);
    for (int i = 0; i < n; i++)
        if (!is_told(file, s, spcc_diagnostic_get(file->context, i)))
            put_diagnostic(file, s, spcc_diagnostic_get(file->context, i));
    enum cli_status exit_status = library_exit_status(status);
    /* the mistake is in the file */
    return exit_status == CLI_BAD_USAGE ? CLI_BAD_INPUT : exit_status;
}

enum cli_status file_complain(const struct file *file, int s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (file->path)
        put_place(file, file->statement[s].text.place[0]);
    else
        message_label(MESSAGE_ERROR, "spcc:");
    message_line(format, args);
    va_end(args);
    if (!file->path)
        return CLI_BAD_USAGE;
    message_draw(MESSAGE_ERROR, file->text, file->statement[s].text.place[0],
                 file->statement[s].text.place[file->statement[s].text.n - 1] + 1);
    return CLI_BAD_INPUT;
}
