/* machine.h - a program that runs; what the files of the interpreter share.
 *
 *   interpret.c          translation, expressions, statements, the whole run
 *   machine_array.c      arrays: every access checked
 *   machine_parallel.c   parallel loops, and who touches what in them
 *   machine_launch.c     launches: the threads of a block in lockstep
 *   machine_race.c       which threads of a launch touch what, and when
 *   machine_device.c     host code of a GPU that is there
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_IMPERATIVE_RUN_MACHINE_H
#define SPCC_IMPERATIVE_RUN_MACHINE_H

#include <setjmp.h>

#include "compiler/base/vec.h"
#include "compiler/imperative/run/interpret.h"
#include "compiler/imperative/var_map.h"

/* An array while the program runs. */
struct store {
    const struct imp_var *var;
    struct store
        *of; /* another, for which this stands: the caller's, or one that is taken; or NULL */
    char *data;
    int64_t length;
    bool *written;         /* element by element, if the program allocated it; NULL: all are */
    bool owned;            /* the program allocated it */
    bool private;          /* declared in the part that runs */
    struct store *kept;    /* of an array of arrays: those in it */
    struct touch *touch;   /* element by element; NULL: no part has touched it yet */
    struct visit **visits; /* ... and no thread of a launch */
    struct store *each;    /* of a thread's own array: for each thread */
};

/* A scalar or vector variable: as many values as it has lanes. */
struct cell {
    const struct imp_var *var;
    struct value *at;
    bool set;
    struct cell *each; /* in a launch: for each thread; else NULL */
};

struct code {
    const struct imp *imp;
    struct cell *cell;
    struct store *store;
    struct routine *routine; /* IMP_CALL: what is called; IMP_LAUNCH: what it is in */
    struct code **arg;
    struct value *temporary; /* lanes of each operand that is a vector, or a call's arguments */
    const struct code *condition; /* IMP_FOR: is the variable below the end */
};

/* A function with the storage of its variables. */
struct routine {
    const struct imp_function *function;
    struct var_map place; /* of scalars a struct cell, of arrays a struct store */
    VEC(struct store *) store;
    struct code *body;
    bool launched; /* what is met now is in a launch: each thread has its own */
};

struct machine {
    struct context *cx;
    struct routine *routine; /* the helpers, then the kernel */
    int routines;
    struct imp_options options;
    jmp_buf *out;
    char fault[400]; /* "" if there is none */
    enum imp_status status;
    int64_t steps;
    struct imp_counts counts;
    struct value result; /* of the helper that has just returned */

    int64_t loop, part; /* the number of the parallel loop that runs, and its part; 0 loops: none */
    bool parallel;      /* one runs */
    /* the element that an IMP_ATOMIC is at */
    const struct store *updated;
    int64_t updated_at;

    int threads;             /* the most that a block has */
    int thread;              /* of the block: the one that is at work */
    struct lockstep *launch; /* that runs, or NULL */
    int64_t launches;
};

/* Returns the variable, of the thread that is at work. */
static inline struct cell *cell_here(const struct machine *m, struct cell *cell)
{
    return cell->each ? &cell->each[m->thread] : cell;
}

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_RETURN };

/* ---- interpret.c ---- */

__attribute__((format(printf, 2, 3))) _Noreturn void machine_fault(struct machine *m,
                                                                   const char *format, ...);
_Noreturn void machine_stop(struct machine *m, enum imp_status status);
void machine_eval(struct machine *m, const struct code *code, struct value *out);
/* Returns where the routine's variable is. */
struct cell *machine_cell(struct machine *m, struct routine *routine, const struct imp_var *var);
struct store *machine_store(struct machine *m, struct routine *routine, const struct imp_var *var);
/* Returns an integer that an i64 has; the largest one for more. */
int64_t machine_number(struct value v);
int64_t machine_integer(struct machine *m, const struct code *code);
enum flow machine_run(struct machine *m, const struct code *code);
/* One more statement: a fault, or the end of the run, where there have been too many. */
void machine_step(struct machine *m, const struct code *code);
/* The variable that the code declares or assigns gets this value, or is combined with it. */
void machine_assign(struct machine *m, const struct code *code, const struct value *value);
/* The parameters of the helper are these arguments; of arrays, the caller's. */
void machine_pass(struct machine *m, const struct code *call);

/* ---- machine_array.c ---- */

void machine_check_bounds(struct machine *m, const struct store *store, int64_t at, int64_t n);
void machine_load(struct machine *m, struct store *store, int64_t at, int n, struct value *out);
/* Whose memory it is. */
struct store *machine_memory(const struct machine *m, struct store *store);
/* The bounds are checked. */
void machine_put(struct machine *m, struct store *store, int64_t at, struct value value);
/* *old is what was there; NULL: nobody asks. */
void machine_atomic(struct machine *m, const struct code *code, struct value *old);
/* Gives the array room for n elements. */
void machine_resize(struct machine *m, struct store *store, int64_t n);
void machine_release(struct machine *m, struct store *store);
void machine_keep(struct machine *m, const struct code *code);
void machine_take(struct machine *m, const struct code *code);
void machine_move(struct machine *m, const struct code *code);
void machine_join(struct machine *m, const struct code *code);

/* ---- machine_parallel.c ---- */

/* A part touches an element; update: the IMP_ATOMIC by which, or NULL.  A fault where another part
 * of the same loop touches it too and the order makes a difference. */
void machine_touch(struct machine *m, struct store *memory, const struct imp_var *name, int64_t at,
                   bool writes, const struct imp *update);
void machine_run_parallel(struct machine *m, const struct code *code);
/* Does the order of two atomic updates make no difference to what is stored? */
bool machine_commute(const struct imp *a, const struct imp *b);

/* ---- machine_launch.c ---- */

void machine_run_launch(struct machine *m, const struct code *code);
/* Memory for an array of a launch; and nothing is in it. */
void machine_place(struct machine *m, struct store *store);
void machine_forget(struct store *placed);

/* Teams of 2, 4, 8, 16 and 32 lanes. */
enum { TEAMS = 5 };

/* A block that runs; its time goes on with barriers. */
struct lockstep {
    struct machine *m;
    int threads;
    int64_t block, time;
    int64_t block_barrier;             /* when all threads had their last one */
    int64_t (*team_barrier)[TEAMS];    /* by thread: when its teams had theirs */
    const struct imp *statement;       /* that is at work */
    uint64_t turns;                    /* so far */
    int *orders, *order;               /* of threads: some, and the one of this turn */
    struct threads *broken, *returned; /* have left the loop, the helper */
    struct value *given, *result;      /* by thread */
    int64_t *lane;
};

/* ---- machine_device.c ----
 *
 * Statements of host code where there is a device. */

void machine_device_allocate(struct machine *m, struct store *store, int64_t n);
void machine_device_fill(struct machine *m, const struct code *code);
void machine_device_copy(struct machine *m, const struct code *code);
/* What a load would give. */
void machine_device_fetch(struct machine *m, const struct code *load, struct value *out);
void machine_device_launch(struct machine *m, const struct code *code);

/* ---- machine_race.c ---- */

/* The thread touches an element, as in machine_touch.  A fault where another thread does, one of
 * them writes, and no barrier is between them. */
void machine_visit(struct machine *m, struct store *memory, const struct imp_var *name, int64_t at,
                   bool writes, const struct imp *update);

#endif
