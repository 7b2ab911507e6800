/* api.h - the context, and the edge that every call of the C API passes.
 *
 * A public function packs its arguments into a structure and hands a body to api_call.  The body
 * works in a fresh compiler context, whose diagnostics become the call's messages.  Any allocation
 * from its arena may leave the body by longjmp.  So the body keeps what it owns beyond the arena
 * in the structure, and the public function frees that after a failure.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_API_API_H
#define SPCC_API_API_H

#include <stdatomic.h>

#include "compiler/base/context.h"
#include "compiler/format/format.h"
#include "include/spcc.h"
#include "runtime/tensor/memory.h"

struct gpu;
struct jit;
struct kernel_cache;
struct target;
struct rt_error;

struct spcc_context {
    enum spcc_engine engine;
    struct format_defaults defaults;
    int index_bits, threads;
    int64_t max_memory;                       /* bytes; 0: the default */
    int64_t max_spare;                        /* bytes that a result keeps */
    char *cache, *cc, *plugin, *packs, *blas; /* NULL: the default */
    char *target;                             /* as the user spells it; NULL: the default */
    struct target *machine;       /* the machine if it has no name of its own; made when needed */
    const char *const *spellings; /* the user's; may be NULL */
    bool catch_crashes;
    struct jit *jit;              /* made when it is first needed */
    struct gpu *gpu;              /* made when it is first needed */
    struct kernel_cache *kernels; /* made when it is first needed */
    atomic_bool stop;             /* set by any thread */
    struct memory memory;         /* for the arrays of tensors, if the user gives one */
    bool gives_memory;

    /* the last call's context, and another that its messages are in */
    struct context *call, *adopted;
    const char *file; /* the file that the call reads or writes; NULL: none */
    const char *message;
    int diagnostics;
    const spcc_diagnostic *diagnostic;
};

/* Returns the types of positions and coordinates for 32 or 64 bits. */
struct format_defaults api_defaults(int index_bits);

typedef spcc_status api_body(struct spcc_context *api, struct context *cx, void *arguments);

/* Forgets the last call, runs the body, and keeps its messages; returns the call's status.  After
 * SPCC_OK diagnostics of code 0 are notes.  A body that returns anything else has reported why. */
spcc_status api_call(struct spcc_context *api, api_body *body, void *arguments);

/* Runs the body in another compiler context than the call's, and returns also if it unwinds; that
 * context then has the report of a bug. */
spcc_status api_guarded(struct spcc_context *api, struct context *cx, api_body *body,
                        void *arguments);

/* Makes the messages of the other compiler context the call's.  The API then owns the context. */
void api_adopt(struct spcc_context *api, struct context *cx);

/* Reports an error without a place and returns the status, which its code follows from. */
spcc_status api_error(struct context *cx, spcc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports that a call lacks an argument: the place for its answer, or the object to work on. */
spcc_status api_lacks(struct spcc_context *api, const char *what);
void api_note(struct context *cx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the message with the user's names of the settings in it. */
const char *api_spell(const struct spcc_context *api, struct context *cx, const char *message);

/* Reports an error of the runtime. */
spcc_status api_fail(struct context *cx, const struct rt_error *error);

/* Returns the status for the first of the context's diagnostics. */
spcc_status api_status(const struct context *cx);

/* Copies a structure of options that starts with its size over `to`, which is zeroed and has
 * `known` bytes.  False after a diagnostic if the size is not set, or if an option is set that is
 * not known here.  from may be NULL. */
bool api_options(struct context *cx, const char *name, void *to, size_t known, const void *from);
/* The same without a diagnostic; from is not NULL. */
bool api_copy_options(void *to, size_t known, const void *from);

/* Returns a time that never goes back. */
double api_now_ms(void);

/* Returns a copy from malloc; NULL if there is no memory, or if s is NULL. */
char *api_strdup(const char *s);

/* Frees a text from malloc and returns a copy in cx's arena, without newlines at its end, and cut
 * if it is very long.  Returns `otherwise` if the text is NULL. */
const char *api_take_text(struct context *cx, char *text, const char *otherwise);

/* Returns a copy in cx's arena that can be shown. */
const char *api_printable(struct context *cx, const char *text);

/* Finds the compiler's value type; false if the number is none. */
bool api_type(spcc_type type, enum type *to);
spcc_type api_type_of(enum type type);

/* Returns the context's jit; NULL after a diagnostic. */
struct jit *api_jit(struct spcc_context *api, struct context *cx);

/* Returns the GPU, which the first call opens; NULL after a diagnostic, and its status. */
struct gpu *api_gpu(struct spcc_context *api, struct context *cx, spcc_status *status);

/* Returns how many threads the kernel may use that this thread runs; the kernel calls it. */
int run_threads(void);

/* Returns the run that this thread works for. */
void *run_team(void);
void run_join(void *team);

/* Returns the flag that says whether the run is to end; never NULL. */
const volatile bool *run_stop_flag(void);

/* Reallocates or frees memory for the run: its result's spare memory, or the user's. */
void *run_resize(void *array, size_t bytes);
void run_release(void *array);

#endif
