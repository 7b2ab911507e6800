/* message.c - messages on standard error, in colour if that is a terminal.
 *
 * The library's diagnostics are drawn from their parts, as the library draws them: without colours
 * the text is that of spcc_message.  The colours are the eight that terminals have had since
 * ECMA-48, so they follow the user's palette, light or dark.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* There is one standard error. */
static bool has_colours;

static bool terminal_has_colours(void)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(refused && *refused) && terminal && *terminal
           && strcmp(terminal, "dumb") != 0;
}

void message_colour(enum cli_color when)
{
    switch (when) {
    case CLI_COLOR_AUTO: has_colours = terminal_has_colours(); break;
    case CLI_COLOR_ALWAYS: has_colours = true; break;
    case CLI_COLOR_NEVER: has_colours = false; break;
    }
}

static void begin_part(enum message_part part)
{
    static const char *const start[] = {[MESSAGE_ERROR] = "\033[1;31m",
                                        [MESSAGE_NOTE] = "\033[1;36m",
                                        [MESSAGE_HELP] = "\033[1;32m",
                                        [MESSAGE_STRONG] = "\033[1m"};
    if (has_colours)
        fputs(start[part], stderr);
}

static void end_part(void)
{
    if (has_colours)
        fputs("\033[0m", stderr);
}

void message_put(const char *text)
{
    char *shown = spcc_printable(text);
    fputs(shown ? shown : "(out of memory)", stderr);
    spcc_free(shown);
}

static void put_formatted(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    message_put(text ? text : "(out of memory)");
    free(text);
}

void message_line(const char *format, va_list args)
{
    put_formatted(format, args);
    fputc('\n', stderr);
}

void message_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_line(format, args);
    va_end(args);
}

void message_label(enum message_part part, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    begin_part(part);
    put_formatted(format, args);
    end_part();
    fputc(' ', stderr);
    va_end(args);
}

void message_help(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_label(MESSAGE_HELP, "  help:");
    message_line(format, args);
    va_end(args);
}

int message_columns(const char *begin, const char *end)
{
    int n = 0;
    for (; begin < end; begin++)
        n += ((unsigned char)*begin & 0xC0) != 0x80;
    return n;
}

/* Prints a character of a line in one column, so that the caret fits: U+FFFD if it cannot be shown,
 * a blank for a tab. */
static void put_character(const char **at, const char *end)
{
    char character[5] = "";
    size_t n = 1;
    while (*at + n < end && n < 4 && ((unsigned char)(*at)[n] & 0xC0) == 0x80)
        n++;
    memcpy(character, *at, n);
    char *shown = spcc_printable(character);
    bool is_safe = shown && strcmp(shown, character) == 0;
    fputs(is_safe ? character : **at == '\t' ? " " : "\xef\xbf\xbd", stderr);
    spcc_free(shown);
    *at += n;
}

void message_draw(enum message_part part, const char *text, int begin, int end)
{
    int length = (int)strlen(text);
    const char *from = text + (begin < length ? begin : length),
               *to = text + (end < length ? end : length);
    const char *line = from;
    while (line > text && line[-1] != '\n')
        line--;
    const char *stop = line + strcspn(line, "\r\n");
    fputs("  ", stderr);
    for (const char *c = line; c < stop;)
        put_character(&c, stop);
    fprintf(stderr, "\n%*s", 2 + message_columns(line, from), "");
    begin_part(part);
    fputc('^', stderr);
    for (int k = 1, marked = message_columns(from, to < stop ? to : stop); k < marked; k++)
        fputc('~', stderr);
    end_part();
    fputc('\n', stderr);
}

/* Is it about a file?  A file has no text to draw: its name says where, with line and column if
 * they are known. */
static bool is_file(const spcc_diagnostic *d)
{
    return !d->text[0] && strcmp(d->source, "expression") != 0;
}

void message_head(const spcc_diagnostic *d)
{
    if (d->severity == SPCC_SEVERITY_NOTE)
        message_label(MESSAGE_NOTE, "note:");
    else if (d->code)
        message_label(MESSAGE_ERROR, "error[E%03d]:", d->code);
    else
        message_label(MESSAGE_ERROR, "error:");
    if (d->source && is_file(d) && d->line > 0)
        fprintf(stderr, "%s:%d:%d: ", d->source, d->line, d->column);
    else if (d->source && strcmp(d->source, "expression") != 0)
        fprintf(stderr, "%s: ", d->source);
    begin_part(MESSAGE_STRONG);
    fputs(d->message, stderr);
    end_part();
    fputc('\n', stderr);
}

void message_tail(const spcc_diagnostic *d)
{
    for (int k = 0; k < d->n_notes; k++) {
        message_label(MESSAGE_NOTE, "  note:");
        fprintf(stderr, "%s\n", d->notes[k]);
    }
    if (d->help)
        message_help("%s", d->help);
}

void message_diagnostic(const spcc_diagnostic *d)
{
    message_head(d);
    if (d->source && !is_file(d))
        message_draw(d->severity == SPCC_SEVERITY_NOTE ? MESSAGE_NOTE : MESSAGE_ERROR, d->text,
                     d->begin, d->end);
    message_tail(d);
}

void message_json(FILE *out, const char *text)
{
    fputs(text ? "\"" : "null", out);
    for (const char *at = text; at && *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if ((unsigned char)*at < ' ')
            fprintf(out, "\\u%04x", *at);
        else
            fputc(*at, out);
    }
    if (text)
        fputc('"', out);
}
