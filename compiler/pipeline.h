/* pipeline.h - the compiler: strings in, strings and a kernel out.
 *
 *     struct context *cx = context_new();
 *     struct pipeline p;
 *     if (context_protect(cx) && pipeline_run(cx, &request, STAGE_C, &p)) puts(p.c);
 *     else puts(diag_render(cx));            // or cx->failure
 *     context_free(cx);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_PIPELINE_H
#define SPCC_PIPELINE_H

#include "compiler/imperative/imperative.h"
#include "compiler/notation/notation.h"
#include "compiler/optimize/pass.h"
#include "compiler/plan/plan.h"

/* In order; --emit=NAME. */
enum stage {
    STAGE_NOTATION, /* "notation"    checked, sums explicit */
    STAGE_CONCRETE, /* "concrete"    as concretized, before any schedule */
    /* "plan"        scheduled: the user's directives, then the planner's */
    STAGE_PLAN,
    STAGE_LATTICE,    /* "lattice"     the iteration lattice of every forall */
    STAGE_IMPERATIVE, /* "imperative"  lowered and simplified */
    STAGE_C,          /* "c" */
    STAGE_HEADER,     /* and what declares it, in a file.h */
};

enum kernel_kind {
    KERNEL_FUSED,    /* assemble and compute */
    KERNEL_ASSEMBLE, /* index arrays only */
    KERNEL_COMPUTE,  /* values only, into index arrays assembled before */
};

/* What one run of the pipeline may take (base/arena.h): within 5 s and 500 MB there is code, or
 * a refusal. */
enum { PIPELINE_STEPS = 200 * 1000 * 1000, PIPELINE_BYTES = 320 * 1000 * 1000 };

/* Zero means default. */
struct pipeline_request {
    const char *expression;
    struct tin_declarations declared;
    /* that the user defines, each as compiler/notation/operator.h has it */
    const char *const *operators;
    int n_operators;
    const char *schedule; /* directives, ';' between them */
    /* of the function: "evaluate", "assemble" or "compute" by its kind */
    const char *name;
    const char *const *others; /* in the same file: see emit.h */
    enum kernel_kind kind;
    bool no_plan;     /* the schedule given and nothing else */
    bool distributes; /* the planner may distribute products over sums (plan_algebra) */
    const char *blas; /* the library that may do matrix products; NULL: none */
    bool serial;      /* only those loops are parallel of which the schedule says so */
    /* directives that complete the schedule in the planner's place, where they can, and what
     * pipeline_explain says of them; NULL: none */
    const char *tuned, *tuning;
    bool weighs; /* what the planner weighs is wanted: pipeline.weighed */
    /* ISO C as a textbook has it: nothing that is only there to be fast */
    bool plain;
    const struct target *target; /* the machine that code is made for; NULL: any */
    bool cuda;                   /* CUDA source, for a GPU; excludes plain and for_jit */
    int vector_bytes;    /* of the vectors in the code, 32 or 64; 0: as the target has them */
    bool for_jit;        /* emit for the runtime: see emit.h */
    bool check_passes;   /* check the function after each pass */
    const char *without; /* of a test: the pass, or its rewrite, that does not run (pass.h) */
    /* what reproduces this, for the head comment; NULL: it does not say */
    const char *command;
};

/* What each stage made; NULL beyond the last one run. */
struct pipeline {
    const struct tin *parsed, *notation;
    /* the notation before parts took the place of operands; a line for each of these */
    const struct tin *checked;
    struct tin_parted parts;
    /* the notation in normal form, what the result held before an operand where it is one */
    const struct tin *computed;
    const struct cin_program *concrete, *planned;
    const struct cin_program *unfolded;
    /* the planned one over the levels of mapped formats: what is lowered */
    const struct tree *tree;
    /* the planner's directives as a schedule that can be pasted back */
    const char *plan;
    /* of a GPU: how it shares out the loops; NULL: nobody asked it to */
    const char *shared;
    /* ... and the whole schedule with which it would, if updates of floats may be atomic; NULL:
     * that changes nothing */
    const char *consented;
    /* ... and what else it weighed, if the request asks; all zero where nothing was planned */
    struct plan_report weighed;
    /* the plan takes this many times the steps that it would if it distributed; 0: not far more */
    double distributed_times;
    bool is_tuned; /* they are the request's `tuned`, */
    const char *tuning;
    int tensors; /* by rank: 0 the result, then the operands */
    const struct tensor_var *const *tensor;
    const struct imp_function *imperative;
    struct pass_step *pass; /* what each pass has made of it */
    int passes;
    const char *c, *header;
};

/* Runs the stages up to last; false after diagnostics.  Sets cx->levels. */
bool pipeline_run(struct context *cx, const struct pipeline_request *request, enum stage last,
                  struct pipeline *out);

/* Returns the best n plans that were weighed, at most, as directives that complete the request's
 * schedule (plan_best): the planner's first, then that without threads.  The request's `weighs` is
 * set, and STAGE_PLAN has run. */
int pipeline_best(struct context *cx, const struct pipeline_request *request,
                  const struct pipeline *p, double most, struct plan_alternative *best, int n);

/* Returns the lines of the comment above the code, ended by NULL. */
const char *const *pipeline_head(struct context *cx, const struct pipeline_request *request,
                                 const struct pipeline *p);

/* Returns a stage as text, in the arena. */
const char *pipeline_dump(struct context *cx, const struct pipeline *pipeline, enum stage stage);

/* The iteration graph and the lattices, for Graphviz or drawn; what has been through STAGE_LATTICE
 * has them.  NULL after a diagnostic: it is too large to be drawn. */
enum picture { PICTURE_GRAPH_DOT, PICTURE_GRAPH_SVG, PICTURE_LATTICE_DOT, PICTURE_LATTICE_SVG };
const char *pipeline_draw(struct context *cx, const struct pipeline *pipeline,
                          enum picture picture);

/* Returns all of them, explained for someone who has read the thesis: `spcc explain`. */
const char *pipeline_explain(struct context *cx, const struct pipeline *pipeline);

/* Returns what each pass changed in the imperative IR (pipeline_passes.c): `spcc explain --passes`.
 */
const char *pipeline_passes(struct context *cx, const struct pipeline *pipeline);

#endif
