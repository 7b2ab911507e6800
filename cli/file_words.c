/* file_words.c - turns statement files into words of a command line.
 *
 * Everything that a file says about tensors and index variables becomes words of a command line,
 * which the parser for these reads.  So a file can say what options can, and nothing else.  The
 * place of each byte of a word, statement or schedule in the file is kept, so that the library's
 * messages can be drawn into the file's own lines.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "cli/file_parts.h"
#include "cli/message.h"

/* ---- texts ---- */

/* Makes an empty text with room for n bytes. */
struct file_text file_new_text(struct file *file, size_t n)
{
    struct file_text text = {.at = file_keep(file, n + 1, 1),
                             .place = file_keep(file, n + 1, sizeof *text.place)};
    return text;
}

void file_add_byte(struct file_text *text, char c, int place)
{
    if (!text->at || !text->place)
        return;
    text->at[text->n] = c;
    text->place[text->n++] = place;
    text->place[text->n] = place + 1;
}

void file_add_part(struct file_text *text, const struct file_text *from, int begin, int end)
{
    for (int k = begin; k < end; k++)
        file_add_byte(text, from->at[k], from->place[k]);
}

/* ---- the words of options ---- */

/* Adds a word.  Bytes that are not in the file, such as a dash, have the place of the next byte. */
void file_add_word(struct file *file, const char *before, const struct file_text *name,
                   const struct file_text *value)
{
    size_t length =
        strlen(before) + 1 + (size_t)(name ? name->n : 0) + (size_t)(value ? value->n : 0);
    const struct file_text *first = name ? name : value;
    struct file_text word = file_new_text(file, length);
    file->word = file_keep_more(file, file->word, file->n_words, sizeof *file->word);
    file->words = file_keep_more(file, file->words, file->n_words, sizeof *file->words);
    file->word_line = file_keep_more(file, file->word_line, file->n_words, sizeof *file->word_line);
    if (file->no_memory)
        return;
    for (const char *c = before; *c; c++)
        file_add_byte(&word, *c, first->place[0]);
    if (name)
        file_add_part(&word, name, 0, name->n);
    if (name && value)
        file_add_byte(&word, ':', value->place[0]);
    if (value)
        file_add_part(&word, value, 0, value->n);
    file->word[file->n_words] = word;
    file->words[file->n_words++] = word.at;
}

/* Reports what the parser of command lines says of a line's words.  false if it complains. */
static bool report_words(struct file *file, enum cli_status status, const struct cli_error *error,
                         const struct file_text *line)
{
    if (status == CLI_BAD_MACHINE)
        file->no_memory = true;
    if (status == CLI_BAD_USAGE) {
        file_wrong(file, line->place[0], line->place[line->n - 1] + 1, "%s", error->message);
        if (error->help[0])
            message_help("%s", error->help);
    }
    return status == CLI_DONE;
}

/* Checks the words that a line has added by themselves; parsing all of them finds what is given
 * twice. */
bool file_check_words(struct file *file, const struct file_text *line)
{
    const struct cli_request *request = &file->request;
    const char *command = request->names_command ? cli_commands[request->command].name : NULL;
    const char *argv[] = {request->argv[0], command ? command : request->subject, request->subject};
    struct cli_request own;
    struct cli_error error;
    if (file->no_memory)
        return false;
    enum cli_status status =
        cli_parse_with(file->n_words - file->n_checked, file->words + file->n_checked,
                       command ? 3 : 2, argv, &own, &error);
    cli_request_free(&own);
    for (; file->n_checked < file->n_words; file->n_checked++)
        file->word_line[file->n_checked] = *line;
    return report_words(file, status, &error, line);
}

/* Parses all words, together with the command line. */
bool file_parse_words(struct file *file)
{
    struct cli_request request;
    struct cli_error error;
    if (file->no_memory)
        return false;
    enum cli_status status = cli_parse_with(file->n_words, file->words, file->request.argc,
                                            file->request.argv, &request, &error);
    if (status == CLI_DONE) {
        cli_request_free(&file->request);
        file->request = request;
        return true;
    }
    cli_request_free(&request);
    int w = error.value ? file_find_word(file, error.value) : -1;
    return report_words(file, status, &error, &file->word_line[w < 0 ? file->n_words - 1 : w]);
}
