/* library.h - between the command line and the C API: options, messages, statuses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_LIBRARY_H
#define SPCC_CLI_LIBRARY_H

#include "cli/args.h"
#include "cli/message.h"
#include "cli/names.h"
#include "spcc.h"

/* "spcc: MESSAGE" on standard error. */
void library_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Complains of it and gives its exit status. */
enum cli_status library_no_memory(void);

/* The exit status that stands for a status of the library's. */
enum cli_status library_exit_status(spcc_status status);

/* Prints what the last call has to say, notes of successful calls too, and gives the exit
 * status. */
enum cli_status library_report(spcc_context *context, spcc_status status);

/* Returns a context with the request's settings; NULL after a complaint, with *exit_status set. */
spcc_context *library_open(const struct cli_request *request, enum cli_status *exit_status);
/* ... that keeps kernels in this folder; NULL: where it does. */
spcc_context *library_open_cache(const struct cli_request *request, const char *cache,
                                 enum cli_status *exit_status);

/* How the request wants results to be written: what was read from a matrix of that symmetry (an
 * spcc_symmetry). */
spcc_write_options library_writing(const struct cli_request *request, int symmetry);

/* Write a text into a file; "-" and NULL: to standard output. */
enum cli_status library_write_text(spcc_context *context, const struct cli_request *request,
                                   const char *text, const char *path);

/* Returns what the request says about a tensor: the value of its -f, -t or --fill; NULL: nothing.
 */
const char *library_setting(const struct cli_request *request, enum cli_flag flag,
                            const char *name);

/* spcc_tensor_read, with progress on the terminal. */
spcc_status library_read(spcc_context *context, const char *path, const char *format,
                         spcc_type type, const spcc_read_options *options, spcc_tensor **tensor);

/* spcc_tensor_write, with progress on the terminal. */
spcc_status library_write(spcc_context *context, const spcc_tensor *tensor, const char *path,
                          const spcc_write_options *options);

/* What the request says about compiling, and the arrays that it points to. */
struct library_options {
    spcc_compile_options options;
    spcc_declaration *declarations;
    spcc_variable_size *sizes;
    spcc_stored_number *stored;
    const char **operators, **same;
    char *schedule;
    struct names declared; /* their numbers are those of the declarations */
};

/* With room to declare `more` tensors that the request says nothing of.  False: no memory.  To
 * be freed in every case. */
bool library_options_make(struct library_options *made, const struct cli_request *request,
                          int more);
bool library_declare_format(struct library_options *made, const char *name, const char *format);
bool library_declare_type(struct library_options *made, const char *name, const char *type);
/* By the tensor itself, in place of what is said of it; the plan is made for its sizes. */
bool library_declare_tensor(struct library_options *made, const char *name,
                            const spcc_tensor *tensor);
void library_options_free(struct library_options *made);

/* Returns the last value of an option that has no tensor's name here; NULL: it is not given. */
const char *library_alone(const struct cli_request *request, enum cli_flag flag);
/* Returns the type of -t, or that of the file (*own); false after saying that there is no such
 * type. */
bool library_file_type(const struct cli_request *request, spcc_type *type, bool *own);

#endif
