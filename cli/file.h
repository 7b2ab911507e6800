/* file.h - statement files: several statements, and what holds for all of them (docs/language.md).
 *
 * What is said on the command line alone is such a file too, of one statement and without a path.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_FILE_H
#define SPCC_CLI_FILE_H

#include "cli/args.h"
#include "spcc.h"

/* A text made of parts of the file: byte k of it stands at place[k] there. */
struct file_text {
    char *at;
    int *place;
    int n;
};

struct file_statement {
    struct cli_request request;      /* as if the statement stood on a command line by itself; borrows */
    spcc_statement *parsed;
    struct file_text text;
    const char *name;                /* of its function, by a line of the file; NULL: none */
    struct file_text *schedule;      /* the lines before it */
    int n_schedule;
};

struct file {
    const char *path;                /* NULL: there is none */
    struct cli_request request;      /* what holds for all statements; owned if there is a path */
    spcc_context *context;
    struct file_statement *statement;
    int n;
    char *text;                      /* all of the file */
    struct file_text *word;          /* the options that it gives */
    const char **words;
    int n_words;
    void **kept;                     /* memory that goes with it */
    int n_kept;
    bool no_memory;
};

/* Read and parse what a request for emit, explain or run has as its subject, and open a context for it.  What is wrong has
 * been complained about.  The request must outlive the file, which is to be closed in every case. */
enum cli_status file_open(struct file *file, const struct cli_request *request);
void file_close(struct file *file);

/* Print what the last call of the library has to say about statement s, at its places in the file, and give the exit
 * status. */
enum cli_status file_report(const struct file *file, int s, spcc_status status);

/* Complain about statement s as a whole, and give CLI_BAD_INPUT where it stands in a file, else CLI_BAD_USAGE. */
enum cli_status file_complain(const struct file *file, int s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
