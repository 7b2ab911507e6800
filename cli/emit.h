/* emit.h - the texts that are asked for beside what a command does.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_EMIT_H
#define SPCC_CLI_EMIT_H

#include "cli/file.h"
#include "cli/library.h"

/* The options to plan statement s by, as the request says, which is the statement's or one like it;
 * false: no memory.  For library_options_free in every case. */
typedef bool emit_options(const void *data, int s, const struct cli_request *request,
                          struct library_options *made);

/* Statements that follow one another and whose loops the planner puts together become one, unless a
 * line of the file is about one of them (file_join.c). */
enum cli_status file_join(struct file *file, emit_options *options, const void *data);

/* Print the request's views of all statements, or write them to their files; what is wrong has
 * been complained about. */
enum cli_status emit_views(const struct file *file, emit_options *options, const void *data);

/* Check statement s by itself, with its formats, types and fills; what is wrong has been complained
 * about.  With -W say how it is read, all sums written out, on standard error. */
enum cli_status emit_reading(const struct file *file, int s);

/* Texts, one after the other; `at` is to be freed. */
struct texts {
    char *at;
    size_t n;
};

/* False: no memory. */
bool texts_add(struct texts *all, const char *text);

/* Returns what the request's function is called, to be freed; NULL: no memory. */
char *emit_function_name(const struct cli_request *request);

#endif
