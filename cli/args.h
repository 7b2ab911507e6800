/* args.h - the command line, parsed.
 *
 * Parsing is pure: it opens nothing and prints nothing.  Statements, formats, types, schedules,
 * fills and recipes stay text here; the library checks them, with carets.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_ARGS_H
#define SPCC_CLI_ARGS_H

#include <stdbool.h>

#include "cli/flags.h"

/* The exit statuses; README and 'spcc help status' promise them. */
enum cli_status {
    CLI_DONE = 0,
    CLI_BAD_INPUT = 1,
    CLI_BAD_USAGE = 2,
    CLI_BAD_MACHINE = 3,
    CLI_BUG = 70
};

/* ORDER CHOICES: as in flags.def; zero stands for the default. */
enum cli_stage {
    CLI_STAGE_DEFAULT,
    CLI_STAGE_NOTATION,
    CLI_STAGE_CONCRETE,
    CLI_STAGE_PLAN,
    CLI_STAGE_GRAPH_DOT,
    CLI_STAGE_GRAPH_SVG,
    CLI_STAGE_LATTICE,
    CLI_STAGE_LATTICE_DOT,
    CLI_STAGE_LATTICE_SVG,
    CLI_STAGE_IMPERATIVE,
    CLI_STAGE_C,
    CLI_STAGE_PASSES /* --passes */
};
enum cli_target { CLI_TARGET_DEFAULT, CLI_TARGET_C, CLI_TARGET_CUDA };
enum cli_kernel { CLI_KERNEL_DEFAULT, CLI_KERNEL_COMPUTE, CLI_KERNEL_ASSEMBLE, CLI_KERNEL_FUSED };
enum cli_jit { CLI_JIT_DEFAULT, CLI_JIT_CLANG, CLI_JIT_CC, CLI_JIT_INTERP };
enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };
enum { CLI_RUNS_MOST = 1000 };
enum cli_symmetry {
    CLI_SYMMETRY_DEFAULT,
    CLI_SYMMETRY_SYMMETRIC,
    CLI_SYMMETRY_SKEW,
    CLI_SYMMETRY_HERMITIAN,
    CLI_SYMMETRY_NONE
};
enum cli_time { CLI_TIME_NONE, CLI_TIME_TEXT, CLI_TIME_JSON };

/* One option that may be given several times, in the order of the command line. */
struct cli_setting {
    enum cli_flag flag; /* FORMAT TYPE FILL OP SIZE SCHEDULE INPUT OUTPUT */
    const char *name;   /* the tensor or index variable; NULL: the option has none */
    const char *value;  /* what follows it; types in spcc's spelling */
    /* SIZE: the last, where the value has several with commas between them */
    long long size;
    bool from_file; /* a statement file says it */
};

/* A text to print beside what else is done: a stage, or a kernel as C. */
struct cli_view {
    enum cli_stage stage;
    enum cli_kernel kernel;
    const char *path; /* NULL: standard output */
};

/* Owns its arrays and strings; fields of zero mean the default. */
struct cli_request {
    /* where none is named CLI_RUN if there is an input, else CLI_EMIT */
    enum cli_command command;
    bool names_command;
    int argc; /* what was parsed, but for a file's words; borrowed */
    const char *const *argv;
    /* the statement or their file, info's file, bench's suite, help's topic; NULL: there is none */
    const char *subject;
    const char *second;       /* convert's file to write */
    enum cli_flag wants_help; /* CLI_FLAG_BRIEF or CLI_FLAG_HELP, else CLI_FLAG_NONE */
    struct cli_setting *settings;
    int n_settings;
    /* of taco's options; none: emit prints the one that stage and kernel say */
    struct cli_view *views;
    int n_views;
    /* where emit, explain and pack write; NULL or "-": standard output */
    const char *output;
    const char *function; /* --name */
    const char *prefix;   /* of functions' names; NULL: none */
    enum cli_stage stage;
    enum cli_target target;
    bool plot;
    const char *plot_file; /* NULL: as characters */
    enum cli_kernel kernel;
    const char *target_cpu; /* NULL: the default */
    const char *blas;       /* NULL: none */
    int vector_bits;        /* 256 or 512 */
    bool plain;
    enum cli_jit jit;
    enum cli_time time;
    enum cli_color color; /* of messages */
    int index_bits, threads;
    int runs; /* for --time, tune, bench; 0: as many as it takes */
    /* of cpd; 0: not given */
    int rank, iterations;
    double tolerance;
    bool has_tolerance;
    long long seed;
    int plans; /* that tune tries; 0: as many as the library says */
    /* whose formats are tuned, with commas between; "": all that are sparse; NULL: none */
    const char *tuned_operands;
    long long max_memory; /* bytes */
    bool zero_based;      /* --base=0 */
    enum cli_symmetry symmetry;
    bool no_plan, no_tuned, serial, distributes, json, gpu, warns, sync, drop_zeros;
    bool quick, latency;
    bool lists;        /* bench: says what there is */
    long long entries; /* of the largest input that is made up; 0: as many as there are */
    const char *data;  /* a file or folder; NULL: what the environment says */
    const char *peers; /* which; "": all; NULL: none */
    const char *isa, *types, *widths; /* of pack: lists; NULL: the default */
    const char *header;               /* NULL: none */
    bool wheel;
    bool csv;
    const char *csv_file; /* NULL: standard output, in place of the table */
    bool svg;
    const char *svg_file; /* likewise */
    char *storage;
};

/* Why a command line is wrong: one sentence that names the argument, and a remedy ("": none). */
struct cli_error {
    char message[512];
    char help[256];
    /* of the setting that says again what another says; NULL: it is something else */
    const char *value;
};

/* Parses argv[1..argc).  Returns CLI_DONE, CLI_BAD_USAGE or CLI_BAD_MACHINE (no memory); unless
 * done, the error says why.  The request must be freed in every case. */
enum cli_status cli_parse(int argc, const char *const *argv, struct cli_request *request,
                          struct cli_error *error);

/* The same with the options that a statement file gives: what the command line says about a tensor
 * or index variable takes the place of what they do.  The words must outlive the request, as
 * argv must. */
enum cli_status cli_parse_with(int n_words, const char *const *words, int argc,
                               const char *const *argv, struct cli_request *request,
                               struct cli_error *error);
void cli_request_free(struct cli_request *request);

/* Is what stands in the place of a statement the name of a statement file, or '-', standard
 * input? */
bool cli_is_file(const char *subject);

/* The settings of one kind: the next one at or after *i, which is moved beyond it, or NULL.
 *     int i = 0;
 *     for (const struct cli_setting *s; (s = cli_next(request, CLI_FLAG_INPUT, &i));) ... */
const struct cli_setting *cli_next(const struct cli_request *request, enum cli_flag flag, int *i);

#endif
