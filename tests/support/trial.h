/* trial.h - one case under test: compiled, run, and held against the oracle.
 *
 *     struct trial t;
 *     trial_open(&t, &test);                             compile it, ask the oracle
 *     if (t.verdict == TRIAL_RIGHT) trial_interpret(&t, KERNEL_FUSED, false);
 *     ... t.verdict, t.why ...
 *     trial_close(&t);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_SUPPORT_TRIAL_H
#define SPCC_SUPPORT_TRIAL_H

#include "compiler/imperative/run/interpret.h"
#include "compiler/pipeline.h"
#include "runtime/tensor/tensor.h"
#include "tests/oracle/oracle.h"
#include "tests/support/case.h"

enum trial_verdict {
    TRIAL_RIGHT, /* nothing wrong so far */
    /* the compiler refused it with a diagnostic; code and why say which */
    TRIAL_REFUSED,
    TRIAL_FAILED, /* why says what is wrong */
};

/* How parts of parallel loops assemble a result. */
enum trial_way {
    WAY_PLACE = 1,    /* every component has its place */
    WAY_ALIAS = 2,    /* the pattern is an operand's */
    WAY_COUNT = 4,    /* count, scan, fill */
    WAY_JOIN = 8,     /* chunks are joined */
    WAY_COMPACT = 16, /* each part has room of its own in it */
};

/* Do the result's positions and coordinates count its components? */
enum trial_limit {
    LIMIT_UNKNOWN, /* not asked yet */
    LIMIT_HOLDS,
    LIMIT_MAYBE, /* it depends on components that may be stored or not */
    LIMIT_BEYOND,
};

enum { TRIAL_TEXT = 4096, TRIAL_PARAMS = 128, TRIAL_KINDS = KERNEL_COMPUTE + 1 };

struct trial {
    const struct test_case *test;
    enum trial_verdict verdict;
    int code;
    char why[TRIAL_TEXT];
    struct context *cx;
    const struct tin *parsed;
    struct oracle_tensor *known; /* the case's tensors, for the oracle */
    struct oracle_result expected;
    struct pipeline pipeline; /* of the fused kernel, vectorized */
    /* of the same statement, formats and machine, and open for as long: its kernels are this
     * one's; NULL: none */
    const struct trial *like;
    const struct pipeline *compiled[TRIAL_KINDS][2]; /* by trial_compile: by kind, plain */
    /* by rank: operands as stored; [0] is made for each run */
    struct tensor *tensor[CASE_RANKS];
    const struct case_tensor *by_rank[CASE_RANKS];
    const bool *stored;   /* by the result's component: is it, by the first kernel? */
    const bool *storable; /* ... may it be?  NULL: not asked yet */
    const char *schedule; /* that it is run with just now, or NULL */
    bool cuda;            /* schedules that are given have a GPU's units */
    /* arrays that the last run assembled, by parameter */
    void *out[TRIAL_PARAMS];
    enum trial_limit limit;
    int lines; /* of the longest of its kernels, in C, over the copies asked for */
    /* set by trial_interpret_distributed: there was something; the planner did it, asked to */
    bool distributed, consented;
    bool factored; /* set by trial_interpret_factored: there was something */
    bool exact;    /* floats are the same however sums and products of them are written */
    /* how far a float may be beyond the oracle's bound, which is for the statement as written */
    double slack;
    int launched;  /* set by trial_interpret_on_gpu: so many schedules were accepted */
    unsigned ways; /* set by trial_interpret_in_parts: trial_way */
    /* components that the oracle was not sure of; all */
    int64_t unknown, compared;
};

/* Compile, ask the oracle, check the stages' own laws, pack the operands. */
void trial_open(struct trial *trial, const struct test_case *test);
/* ... with other tensors in a statement that another trial has compiled: see trial.like. */
void trial_open_like(struct trial *trial, const struct test_case *test, const struct trial *like);
void trial_close(struct trial *trial);

/* Compile once more; NULL after setting the verdict. */
const struct pipeline *trial_compile(struct trial *trial, enum kernel_kind kind, bool plain,
                                     const char *jit_name);

/* ... with all outermost loops parallel that may be, in many parts. */
const struct pipeline *trial_compile_in_parts(struct trial *trial, const char *jit_name);

/* ... with a nest of loops on a GPU, drawn at random: trial.schedule; NULL: none was accepted. */
const struct pipeline *trial_compile_on_gpu(struct trial *trial, const char *name);

/* Interpret a kernel and compare what it leaves with the oracle. */
void trial_interpret(struct trial *trial, const struct pipeline *pipeline);

/* The same for the kernel that is not vectorized. */
void trial_interpret_plain(struct trial *trial);

/* The same with the loops reordered, split and skewed at random, if that is accepted. */
void trial_interpret_reordered(struct trial *trial);

/* The same with loops collapsed, over positions, and split. */
void trial_interpret_positions(struct trial *trial);

/* The same with a loop that is parallel, in many parts, by every strategy. */
void trial_interpret_parallel(struct trial *trial);

/* The same with a nest of loops on a GPU, if that is accepted: trial.launched. */
void trial_interpret_on_gpu(struct trial *trial);

/* The same with all outermost loops parallel that may be, in many parts: trial.ways says how the
 * result is assembled, 0 if none of the loops that assemble it is parallel. */
void trial_interpret_in_parts(struct trial *trial);

/* The same with a schedule from anywhere, if that is accepted. */
void trial_interpret_scheduled(struct trial *trial, const char *schedule);

/* The same with a hash table for each row that the plan computes into a bytemap. */
void trial_interpret_tables(struct trial *trial);

/* The same with what is reduced written out as a sum of products, where it is one: by a directive,
 * and by the planner with --algebra=distribute. */
void trial_interpret_distributed(struct trial *trial);
/* ... that factors a sum. */
void trial_interpret_factored(struct trial *trial);

/* The same for the kernels assemble and compute, one after the other. */
void trial_interpret_in_two(struct trial *trial);

/* The same for the kernel compute alone, into a random pattern: what is stored has to be right. */
void trial_interpret_given(struct trial *trial);

/* Calls a kernel that was compiled from C: call(argument) is emit.h's NAME_call. */
void trial_call(struct trial *trial, const struct pipeline *pipeline,
                int (*call)(void *const *argument));

/* Run a kernel elsewhere, by a function that does as imp_interpret does, and compare what it
 * leaves. */
struct trial_runner {
    const char *name;
    struct imp_run (*run)(void *data, const struct imp_function *kernel,
                          struct imp_argument *argument);
    void *data;
};
void trial_run(struct trial *trial, const struct pipeline *pipeline,
               const struct trial_runner *runner);

/* Returns what a parameter of a kernel gets, of tensors by rank; out arrays get nothing. */
struct imp_argument trial_argument(struct tensor *const *by_rank, const struct imp_param *param);

/* Notes a failure; the first one counts. */
void trial_fail(struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
