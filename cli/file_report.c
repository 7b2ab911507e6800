/* file_report.c - messages about statement files, drawn into their lines.
 *
 * The library speaks of bytes of the statement, schedule or format that it was given; where each of them came from is
 * known.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/file_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/library.h"

/* ---- drawing ---- */

static bool is_in_character(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

static int columns(const char *begin, const char *end)
{
    int n = 0;
    for (; begin < end; begin++)
        n += !is_in_character(*begin);
    return n;
}

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

/* "FILE:LINE:COLUMN: " */
static void put_place(const struct file *file, int place)
{
    fprintf(stderr, "%s:%d:%d: ", file->path, line_number(file, place),
            columns(line_of(file, place), file->text + place) + 1);
}

/* The line, and a caret under the bytes from begin to end. */
static void put_line(const struct file *file, int begin, int end)
{
    const char *line = line_of(file, begin), *stop = line + strcspn(line, "\r\n");
    const char *from = file->text + begin, *to = file->text + end < stop ? file->text + end : stop;
    fputs("  ", stderr);
    for (const char *c = line; c < stop; c++)
        fputc((unsigned char)*c < ' ' ? ' ' : *c, stderr);
    fprintf(stderr, "\n%*s^", 2 + columns(line, from), "");
    for (int k = 1, marked = columns(from, to); k < marked; k++)
        fputc('~', stderr);
    fputc('\n', stderr);
}

bool file_wrong(const struct file *file, int begin, int end, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_place(file, begin);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    put_line(file, begin, end);
    return false;
}

/* The place of an option's value in the file; false: it is not from there. */
bool file_find_value(const struct file *file, const char *value, struct file_text *found)
{
    for (int w = 0; w < file->n_words; w++) {
        const struct file_text *word = &file->word[w];
        if (value >= word->at && value <= word->at + word->n) {
            int before = (int)(value - word->at);
            *found = (struct file_text){word->at + before, word->place + before, word->n - before};
            return true;
        }
    }
    return false;
}

/* ---- messages of the library ---- */

/* The part of the file that byte k of the joined schedule is from; library.c joins them with "; ". */
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

/* The operator of this text. */
static bool find_operator(const struct file *file, const char *operator, struct file_text *found)
{
    int i = 0;
    for (const struct cli_setting *setting; (setting = cli_next(&file->request, CLI_FLAG_OP, &i));)
        if (strcmp(setting->value, operator) == 0)
            return file_find_value(file, setting->value, found);
    return false;
}

/* "format of A", and so on */
static bool find_setting(const struct file *file, int s, const char *source, struct file_text *found)
{
    char word[16];
    const char *of = strstr(source, " of ");
    if (!of || of - source >= (int)sizeof word)
        return false;
    memcpy(word, source, (size_t)(of - source));
    word[of - source] = 0;
    enum cli_flag flag = cli_flag_named(word);
    const char *value = flag == CLI_FLAG_FORMAT || flag == CLI_FLAG_TYPE || flag == CLI_FLAG_FILL || flag == CLI_FLAG_SIZE
                            ? library_setting(&file->statement[s].request, flag, of + 4) : NULL;
    return value && file_find_value(file, value, found);
}

/* Where in the file the diagnostic's bytes are. */
static bool find_place(const struct file *file, int s, const spcc_diagnostic *d, int *begin, int *end)
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
        is_found = find_setting(file, s, d->source, &text);
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
        fprintf(stderr, "%s:%d: ", file->path, line_number(file, begin));
    if (d->severity == SPCC_SEVERITY_NOTE)
        fputs("note: ", stderr);
    else
        fprintf(stderr, "error[E%03d]: ", d->code);
    if (d->source && strcmp(d->source, "expression") != 0)
        fprintf(stderr, "%s: ", d->source);
    fprintf(stderr, "%s\n", d->message);
    if (has_place)
        put_line(file, begin, end);
    else if (d->source && d->text[0])
        fprintf(stderr, "  %s\n", d->text);
    for (int k = 0; k < d->n_notes; k++)
        fprintf(stderr, "  note: %s\n", d->notes[k]);
    if (d->help)
        fprintf(stderr, "  help: %s\n", d->help);
}

enum cli_status file_report(const struct file *file, int s, spcc_status status)
{
    int n = spcc_diagnostic_count(file->context);
    if (!file->path || n == 0)
        return library_report(file->context, status);
    for (int i = 0; i < n; i++)
        put_diagnostic(file, s, spcc_diagnostic_get(file->context, i));
    enum cli_status exit_status = library_exit_status(status);
    return exit_status == CLI_BAD_USAGE ? CLI_BAD_INPUT : exit_status; /* what is wrong is in the file */
}

enum cli_status file_complain(const struct file *file, int s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (file->path)
        put_place(file, file->statement[s].text.place[0]);
    else
        fputs("spcc: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    if (!file->path)
        return CLI_BAD_USAGE;
    put_line(file, file->statement[s].text.place[0], file->statement[s].text.place[file->statement[s].text.n - 1] + 1);
    return CLI_BAD_INPUT;
}
