/* job.h - what spcc run, tune and explain work on: the tensors of the statements, their sizes, and
 * the kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_JOB_H
#define SPCC_CLI_JOB_H

#include "cli/file.h"
#include "cli/library.h"
#include "cli/names.h"
#include "cli/timing.h"

enum { ORDER_MOST = 32 };

/* A tensor of the statements. */
struct tensor {
    const char *name;
    int order;
    /* mode m has the extent first_mode + m, or another of its class */
    int first_mode;
    int first;                       /* the statement in which it appears first */
    bool starts_as_result;           /* there it is the result, */
    bool is_read;                    /* whose values before that count */
    const struct cli_setting *input; /* NULL: the result starts as fills */
    const char *format, *fill;
    char *chosen;  /* the format, where nothing says it: owned */
    int results;   /* of this many statements */
    bool is_tuned; /* it was chosen since spcc tune found it the fastest */
    spcc_type type;
    spcc_tensor *is;
    spcc_tensor *on_gpu; /* a copy for kernels that run there; NULL: none as yet */
};

/* How well a size is known; each stands above those before it. */
enum knowledge { AT_LEAST, FROM_FILE, GIVEN };

/* The size of a mode and of those that it must agree with. */
struct extent {
    /* another of its class, nearer to the one that speaks for it; itself */
    int same;
    const char *variable; /* for messages */
    int64_t size;         /* -1: nothing is known */
    enum knowledge known;
};

/* A statement's kernel. */
struct step {
    spcc_kernel *kernel;
    spcc_tensor **arguments;
    int n_arguments;
    /* of one run the median; in a file with loops, of all of them together */
    double run_ms;
    int64_t runs;
    int64_t bytes;
};

struct job {
    struct file file;
    const struct cli_request *request;
    spcc_context *context;
    struct tensor *tensor; /* by their numbers in names */
    struct names names;
    int tensors;
    struct extent *extent;
    int extents;
    struct step *step; /* for each statement */
    struct timing time;
    spcc_kernel_info kernels; /* their costs, summed */
};

/* Read the statements, check and plan them, and read their inputs.  What is wrong has been
 * complained about.  To be closed in every case. */
enum cli_status job_open(struct job *job, const struct cli_request *request);
void job_close(struct job *job);

/* What the statement's request says, and the formats that were chosen for its tensors; what has
 * been read speaks for itself.  An emit_options. */
bool job_options(const void *job, int s, const struct cli_request *request,
                 struct library_options *made);

/* Returns the tensor of that name, or NULL. */
struct tensor *job_find(const struct job *job, const char *name);

/* Two modes that must agree; a size of one: a lower one that is better known stands. */
void job_join_extents(struct job *job, int a, int b);
void job_note_extent(struct job *job, int mode, int64_t size, enum knowledge known);

/* Is its input a file? */
bool job_is_from_file(const struct tensor *tensor);

/* Give formats to inputs and results of which nothing is said, and tell which: before a plan is
 * made, and once the inputs are read.  Not where --time=json has standard error for its object. */
enum cli_status job_choose_formats(struct job *job);
enum cli_status job_tell_formats(struct job *job);

/* Read and make the inputs, and the results as they are before the first statement. */
enum cli_status job_read_inputs(struct job *job);

/* What a call of the library about statement s and its tensors takes. */
struct job_asking {
    struct library_options made;
    spcc_binding *bindings;
    int n_bindings;
};

/* False: no memory.  To be ended by job_asked in every case. */
bool job_ask(const struct job *job, int s, struct job_asking *asking);
void job_asked(struct job_asking *asking);

/* Convert inputs whose format was chosen here to those that spcc tune has found for them. */
enum cli_status job_take_tuned(struct job *job);

/* The kernel of statement s, for the tensors that are there. */
enum cli_status job_compile(struct job *job, int s);

/* Run statement s once, whose kernel is there. */
enum cli_status job_run_once(struct job *job, int s);

/* Run the statements in order, loops as often as they say.  What is wrong has been complained
 * about. */
enum cli_status job_run(struct job *job);

/* What --time asks for, on standard error. */
void job_report_time(struct job *job);

#endif
