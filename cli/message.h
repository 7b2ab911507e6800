/* message.h - what the program says on standard error, in colour where that is a terminal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_MESSAGE_H
#define SPCC_CLI_MESSAGE_H

#include <stdarg.h>
#include <stdio.h>

#include "cli/args.h"
#include "spcc.h"

/* What a piece of a message is, and so its colour. */
enum message_part { MESSAGE_ERROR, MESSAGE_NOTE, MESSAGE_HELP, MESSAGE_STRONG };

/* Colours from here on: always, never, or where standard error is a terminal that has them and
 * NO_COLOR is not set. */
void message_colour(enum cli_color when);

/* What a line begins with, and a blank after it. */
void message_label(enum message_part part, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text and nothing more.  Here as in the others what a terminal would obey is written out
 * (spcc_printable). */
void message_put(const char *text);

/* A line. */
void message_line(const char *format, va_list args);
void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "  help: MESSAGE" */
void message_help(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The line of the text in which byte begin is, and a caret under the bytes from there to end. */
void message_draw(enum message_part part, const char *text, int begin, int end);

/* A diagnostic without its place: what it is and says, and, after the place, its notes and its
 * help. */
void message_head(const spcc_diagnostic *d);
void message_tail(const spcc_diagnostic *d);

/* All of it, as spcc_message has it. */
void message_diagnostic(const spcc_diagnostic *d);

/* A text as a string of JSON, NULL as null. */
void message_json(FILE *out, const char *text);

/* Returns how many columns the bytes take: continuation bytes of UTF-8 take none. */
int message_columns(const char *begin, const char *end);

#endif
