/* neighbours.h - kernels beside their neighbours, loops by hand and libraries: which times stand.
 *
 * The rows are NEIGHBOUR and ALGEBRA in bench.def.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_NEIGHBOURS_H
#define SPCC_CLI_BENCH_NEIGHBOURS_H

#include "cli/bench/bench.h"
#include "cli/bench/peers.h"

/* A row of bench.def; what it does not say is NULL or 0. */
struct bench_neighbour {
    const char *suite, *name, *statement, *formats, *inputs, *sizes, *work, *schedule;
    enum bench_step step;
    const char *threads; /* "12": on one, and on two; NULL: on one */
    /* What it is measured against: another kernel this many times, a peer, or itself, twice
     * at once. */
    struct {
        double times;
        const char *name, *statement, *formats; /* formats NULL: the row's own */
        const char *peer;
        bool is_twice;
    } over;
    /* Its time over that is to be at most this, and so is the geometric mean over the inputs (0: no
     * matter). */
    double bound, mean;
};

/* What came of a row on an input. */
struct bench_standing {
    const struct bench_neighbour *row;
    char format[96], input[64], over[32];
    int64_t entries;
    int threads;
    double ms, over_ms; /* the least times; 0: there is none */
    double ratio, bound;
    bool is_wrong;
};

struct bench_standings {
    struct bench_standing *of;
    int n, room;
};

/* With what a suite is measured. */
struct bench_means {
    const struct cli_request *request;
    spcc_context *const *context; /* for each number of threads */
    const int *threads;
    int n_threads;
    struct bench_inputs *inputs;
    double entries; /* of an input whose scale is 1 */
    struct bench_peers *peers;
    FILE *table; /* NULL: none is printed */
};

/* Rows of the suite whose names or formats have one of the words, with commas between these; "":
 * all. */
enum cli_status bench_neighbours(const struct bench_means *means, const char *suite,
                                 const char *words);
void bench_neighbours_list(const char *suite, const char *words);
/* Are there such rows? */
bool bench_neighbours_have(const char *suite, const char *words);

/* ---- figures (neighbours_report.c) ---- */

void bench_print_standing_columns(FILE *out);
void bench_print_standing(FILE *out, const struct bench_standing *s);
/* How many stand. */
void bench_print_standings(FILE *out, const struct bench_standings *all);
/* As a text to free; NULL: no memory. */
char *bench_standings_csv(const struct bench_standings *all);

#endif
