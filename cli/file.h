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
    /* as if the statement stood on a command line by itself; borrows */
    struct cli_request request;
    spcc_statement *parsed;
    struct file_text text;
    const char *name;           /* of its function, by a line of the file; NULL: none */
    const char *function;       /* what it is called then; NULL: as a single statement's is */
    struct file_text *schedule; /* the lines before it */
    int n_schedule;
    bool is_condition; /* of the loop that ends after it */
};

/* Statements that are repeated; loops stand in the order in which they begin, the outer of two
 * first. */
struct file_loop {
    int begin, end;              /* the statements [begin, end) */
    int condition;               /* the last of them, which makes CONDITION; -1: none */
    long long most;              /* how often; 0: until the condition holds */
    struct file_text head, tail; /* "repeat 20 {" and "} until (s < 1e-6)" */
    int around;                  /* the loop around it; -1: none */
};

/* The scalar that holds what the last condition was. */
#define FILE_CONDITION "until"

struct file {
    const char *path; /* NULL: there is none */
    /* what holds for all statements; owned if there is a path */
    struct cli_request request;
    spcc_context *context;
    struct file_statement *statement;
    int n;
    bool is_several;         /* there are several statements in the file */
    spcc_statement **parsed; /* statements before they were joined */
    int n_parsed;
    struct file_loop *loop;
    int n_loops;
    int open_loop;          /* the innermost that is not closed yet; -1: none */
    char *text;             /* all of the file */
    struct file_text *word; /* the options that it gives */
    const char **words;
    struct file_text *word_line; /* the line that each is from */
    int n_words;
    int n_checked; /* of them, each line's by themselves */
    void **kept;   /* memory that goes with it */
    int n_kept;
    bool no_memory;
};

/* Read and parse what a request for emit, explain or run has as its subject, and open a context for
 * it.  What is wrong has been complained about.  The request must outlive the file, which is to
 * be closed in every case. */
enum cli_status file_open(struct file *file, const struct cli_request *request);
void file_close(struct file *file);

/* Print what the last call of the library has to say about statement s, at its places in the file,
 * and give the exit status. */
enum cli_status file_report(const struct file *file, int s, spcc_status status);

/* "FILE:LINE:COLUMN: note: " and the message on standard error, about a text of the file. */
void file_note(const struct file *file, const struct file_text *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Help about a name that no statement has: the tensor or index variable that was probably meant, or
 * the names that there are. */
void file_help_names(const struct file *file, const char *name, bool is_variable);

/* Is this number in the place of an index variable?  It says nothing of the size but that it is
 * larger. */
bool file_is_literal(const char *variable);

/* Complain about statement s as a whole, and give CLI_BAD_INPUT where it stands in a file, else
 * CLI_BAD_USAGE. */
enum cli_status file_complain(const struct file *file, int s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
