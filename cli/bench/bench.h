/* bench.h - the benchmark harness: kernels on inputs, in turns with peers, and what came of it.
 *
 * What is measured is in bench.def.  bench.c goes through it, neighbours.c through the suite of
 * neighbours; inputs.c makes the inputs, case.c the tensors and kernels of one case, measure.c
 * takes the times, report.c shows the figures.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_BENCH_H
#define SPCC_CLI_BENCH_BENCH_H

#include <stdio.h>

#include "cli/args.h"
#include "spcc.h"

enum { BENCH_ORDER = 8, BENCH_TENSORS = 12, BENCH_STEPS = 8, BENCH_SAMPLES = 1000 };

/* Rows of bench.def; the columns are explained there. */
struct bench_suite {
    char letter;
    const char *name, *peers;
    int runs;
    const char *brief;
};

struct bench_case;

/* What is done: a kernel is run, or something is done with files. */
enum bench_step { BENCH_KERNEL = 0, BENCH_PACK, BENCH_READ, BENCH_WRITE, BENCH_RUN };

struct bench_kernel {
    const char *suites, *name, *statement, *formats, *sizes, *work, *types, *inputs;
    const char *schedule; /* NULL: the planner's alone */
    enum bench_step step;
    const char *same;   /* tensors that are promised to have one pattern, "A,W"; NULL: none */
    bool plans_nothing; /* beside the schedule */
    bool computes;      /* values, into a pattern that is there before */
    bool knows_sizes;   /* they are constants of the code */
    bool is_mode;       /* averaged with the rows of that name */
    bool on_gpu;        /* it runs there whatever --target says */
    bool is_weighed;    /* the bytes that A's format stores are shown */
    /* the bytes that move at least, of a case whose result is there; NULL: operands once, and the
     * result */
    double (*moves)(const struct bench_case *c);
};

extern const struct bench_suite bench_suites[];
extern const int bench_n_suites;
extern const struct bench_kernel bench_kernels[];
extern const int bench_n_kernels;

/* Returns how many modes its input has. */
int bench_kernel_order(const struct bench_kernel *kernel);

/* ---- inputs ---- */

/* Components of a tensor, no two at one place. */
struct bench_entries {
    int order;
    int64_t dimension[BENCH_ORDER];
    int64_t n;
    int64_t *coordinates; /* as in spcc_tensor_from_coords */
    double *values;
};

/* An input: a row of bench.def, or a file. */
struct bench_input {
    char *name;
    const char *suites;                          /* NULL: a file, which is in all */
    char *path;                                  /* of a file */
    int order;                                   /* of a file, -1: not known before it is read */
    void (*make)(struct bench_entries *entries); /* NULL: the generator of that name */
    double scale;
    bool is_made;
    struct bench_entries entries; /* what the generator or the file gives */
    spcc_statistics *stats;
};

struct bench_inputs {
    struct bench_input *input;
    int n;
};

/* Those of bench.def, each with `entries` times its scale, and those of a file or a folder (NULL:
 * none).  To be freed in every case. */
enum cli_status bench_inputs_list(struct bench_inputs *inputs, const char *path);
void bench_inputs_free(struct bench_inputs *inputs);

/* Make or read it, unless that has been done. */
enum cli_status bench_input_make(spcc_context *context, struct bench_input *input, double entries);

/* Bytes in this format, of those that have names; 0: not known. */
int64_t bench_input_bytes(const struct bench_input *input, const char *format);

/* ... in the one that takes least. */
int64_t bench_input_least_bytes(const struct bench_input *input);

/* ---- cases ---- */

/* A tensor of a case. */
struct bench_tensor {
    char name[32], format[256]; /* "": dense */
    bool has_infinity;          /* as its fill */
    bool is_alike;              /* with A's places */
    int order;
    int64_t dimension[BENCH_ORDER];
    bool is_result; /* of the first statement that has it */
    unsigned steps; /* a bit for each statement that has it */
    spcc_tensor *is;
    spcc_tensor *there; /* on the GPU, where the case is and the tensor may be; NULL: it is not */
};

/* A kernel on an input: formats and a type. */
struct bench_case {
    const struct bench_kernel *kernel;
    const struct bench_input *input;
    const char *formats; /* the alternative, with the length */
    int formats_length;
    spcc_type type;
    bool counts; /* every value is 1 */
    bool on_gpu; /* it runs there, and time is taken there */
    bool serial; /* no loop is shared by threads */
    bool plain;  /* ISO C as in a textbook, without the kernel's schedule */
    char *statement[BENCH_STEPS];
    int steps;
    struct bench_tensor tensor[BENCH_TENSORS];
    int tensors, result; /* the number of the last statement's */
    double flops;
    struct bench_files *files; /* NULL: a kernel */
};

/* Its tensors.  CLI_DONE with *fits false where the input does not suit the kernel. */
enum cli_status bench_case_make(spcc_context *context, struct bench_case *c, bool *fits);
void bench_case_free(struct bench_case *c);

/* Returns the result as it is on the GPU now, here, for those who compare it. */
spcc_status bench_case_fetch(spcc_context *context, struct bench_case *c);

/* Its tensor of this name; NULL: there is none. */
const struct bench_tensor *bench_case_tensor(const struct bench_case *c, const char *name);

/* Returns the format of the input in this case. */
const char *bench_case_format(const struct bench_case *c);

/* How many operations the kernel has on this input, of which only `order` and entries count. */
enum cli_status bench_count_work(spcc_context *context, const struct bench_kernel *kernel,
                                 const struct bench_input *input, double *flops, bool *fits);

/* The kernels of a case, for this many threads. */
struct bench_run {
    spcc_context *context;
    const struct bench_case *of;
    spcc_kernel *kernel[BENCH_STEPS];
    spcc_tensor *arguments[BENCH_STEPS][BENCH_TENSORS];
    int n_arguments[BENCH_STEPS];
    double first_ms; /* of the run that finds nothing in the caches */
    int64_t bytes;
};

/* Compile them, and run them once.  To be freed in every case. */
spcc_status bench_run_make(struct bench_run *run, spcc_context *context,
                           const struct bench_case *c);
/* Its time, of kernels on a GPU without that of copies; it had begun with the call. */
spcc_status bench_run_once(const struct bench_run *run, double *ms);
void bench_run_free(struct bench_run *run);

/* Returns the bytes that kernels of the sparse tensor benchmark suite move at least: traffic.c. */
double traffic_tew(const struct bench_case *c);
double traffic_ts(const struct bench_case *c);
double traffic_ttv(const struct bench_case *c);
double traffic_ttm(const struct bench_case *c);
double traffic_coo_mttkrp(const struct bench_case *c);
double traffic_hicoo_mttkrp(const struct bench_case *c);

/* Its step s, as it is run. */
spcc_status bench_case_compile(spcc_context *context, const struct bench_case *c, int s,
                               spcc_kernel **kernel);

/* Have they the same result, of one statement? */
enum cli_status bench_cases_check(spcc_context *context, const struct bench_case *c,
                                  const struct bench_case *other, bool *is_same);

/* ---- files ---- */

/* Cases of steps with files, in a folder that there is: what bench_case_make and bench_run_once are
 * for kernels. */
enum cli_status bench_files_make(spcc_context *context, struct bench_case *c, const char *folder);
spcc_status bench_files_once(spcc_context *context, const struct bench_case *c);
void bench_files_free(struct bench_files *files); /* NULL: nothing */
/* That are read and written. */
int64_t bench_files_bytes(const struct bench_case *c);
/* Returns the file that the last run has written. */
const char *bench_files_out(const struct bench_case *c);
/* For peers; false if it cannot be written. */
bool bench_files_describe(const struct bench_case *c, const char *folder, FILE *out);

/* ---- measuring ---- */

struct bench_peer;

/* Times of one of those who compute a case. */
struct bench_times {
    double ms[BENCH_SAMPLES];
    int n, most;
};

/* Who takes turns: a kernel, two at once, or a peer. */
struct bench_contestant {
    const struct bench_run *run, *beside; /* beside: at once with it, by a thread of its own */
    struct bench_peer *peer;              /* in place of a run */
    struct bench_times *times;
};

/* Each in turns, until all together had this many milliseconds, or each this many runs (0: no
 * matter). */
spcc_status bench_measure(const struct bench_contestant *all, int n, double ms, int runs);

/* From now on signals that would end the program end what is being measured instead. */
void bench_watch(bool is_on);
void bench_end(int number);
/* The signal that did; 0: none. */
int bench_ended_by(void);

/* ---- figures ---- */

/* A row of the table. */
struct bench_row {
    const struct bench_kernel *kernel;
    char format[256], input[64], by[32];
    int order;
    int64_t entries;
    spcc_type type;
    int threads;
    int samples, modes; /* modes > 1: all figures are means of this many rows */
    double min_ms, median_ms, mean_ms;
    int64_t bytes, storage; /* storage: of A */
    double flops;
    double roof_ms; /* the machine cannot be faster; 0: not known */
    double ratio;   /* to the time of spcc, */
    double ours_ms; /* which is this */
    bool is_wrong;  /* its result is not spcc's */
};

struct bench_rows {
    struct bench_row *row;
    int n, room;
};

/* What it is measured on, for the heading. */
struct bench_machine {
    char processor[64], engine[64];
    int processors;
};

/* What this many threads do in a millisecond: bytes of triad, numbers gathered, operations. */
struct bench_rates {
    int threads;
    double triad, gather, fma;
};

/* Who makes kernels with that method. */
void bench_machine_look(spcc_context *context, enum cli_jit jit, struct bench_machine *machine);
void bench_print_heading(FILE *out, const struct bench_machine *machine, const char *suite,
                         bool is_quick);
/* What the columns of kernels mean. */
void bench_print_legend(FILE *out, bool has_peers, bool on_gpu);
/* 0 where it is not known. */
void bench_print_rates(FILE *out, const struct bench_rates *rates);
/* Without peers there is nothing to compare with, and no column for it. */
void bench_print_columns(FILE *out, bool has_peers);
void bench_print_row(FILE *out, const struct bench_row *row, const struct bench_row *before,
                     bool has_peers);
/* The bytes of A's format, below its row. */
void bench_print_storage(FILE *out, const struct bench_row *row);
/* Of the rows from `first` on, of one kernel: append the mean of those that are alike but for the
 * mode, into means, which has room for as many. */
int bench_mean_rows(const struct bench_rows *rows, int first, struct bench_row *means);
/* As texts to free; NULL: no memory. */
char *bench_csv(const struct bench_rows *rows);
/* Returns the machine's rates for numbers of threads. */
char *bench_svg(const struct bench_rows *rows, const struct bench_machine *machine,
                const struct bench_rates *rates, int n_rates);

#endif
