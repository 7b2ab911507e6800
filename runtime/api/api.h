/* api.h - what the files of the C API share: the context, and the edge that every call passes.
 *
 * A public function packs its arguments into a structure and hands a body to api_call.  The body
 * works in a fresh compiler context, whose diagnostics become the call's messages, and may be left
 * by longjmp at any allocation from its arena: what it owns beyond the arena it keeps in the
 * structure, where the public function frees it after a failure.
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
    char *target;                             /* as the user has it; NULL: the default */
    struct target *machine;       /* that it is, if it has no name of its own; made when needed */
    const char *const *spellings; /* the user's, which may be NULL */
    bool catch_crashes;
    struct jit *jit;              /* made when it is first needed */
    struct gpu *gpu;              /* likewise */
    struct kernel_cache *kernels; /* likewise */
    atomic_bool stop;             /* set by any thread */
    struct memory memory;         /* of tensors' arrays, if the user gives one */
    bool gives_memory;

    /* Of the last call: its memory, and that of its messages if it is another. */
    struct context *call, *adopted;
    const char *file; /* that it reads or writes; NULL: none */
    const char *message;
    int diagnostics;
    const spcc_diagnostic *diagnostic;
};

/* The types of positions and coordinates of so many bits, 32 or 64. */
struct format_defaults api_defaults(int index_bits);

typedef spcc_status api_body(struct spcc_context *api, struct context *cx, void *arguments);

/* Forget the last call and run body; the call's status, its messages kept.  After SPCC_OK
 * diagnostics of code 0 are notes; a body that returns anything else has reported why. */
spcc_status api_call(struct spcc_context *api, api_body *body, void *arguments);

/* Run body in another compiler context than the call's, and come back also when it unwinds: a bug
 * is then reported in that context. */
spcc_status api_guarded(struct spcc_context *api, struct context *cx, api_body *body,
                        void *arguments);

/* From now on the call's messages are those of this other compiler context, which the API then
 * owns. */
void api_adopt(struct spcc_context *api, struct context *cx);

/* Report an error without a place, and return status; its code is by the status. */
spcc_status api_error(struct context *cx, spcc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A call that is given nothing to put its answer into, or nothing to work on: says that it lacks
 * this. */
spcc_status api_lacks(struct spcc_context *api, const char *what);
void api_note(struct context *cx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message with what its user calls the settings that it speaks of. */
const char *api_spell(const struct spcc_context *api, struct context *cx, const char *message);

/* Report an error of the runtime's. */
spcc_status api_fail(struct context *cx, const struct rt_error *error);

/* The status for the first of the context's diagnostics. */
spcc_status api_status(const struct context *cx);

/* Copy a structure of options that starts with its size over `to`, which has been zeroed and has
 * known bytes: false after a diagnostic if its size is not set or it asks for what is not known
 * here.  from may be NULL. */
bool api_options(struct context *cx, const char *name, void *to, size_t known, const void *from);
/* ... without a diagnostic, and from is not NULL. */
bool api_copy_options(void *to, size_t known, const void *from);

/* A clock that only goes forward. */
double api_now_ms(void);

/* A copy in malloc's memory; NULL if there is none, or of NULL. */
char *api_strdup(const char *s);

/* Free a text from malloc and give a copy in cx's arena, without newlines at its end, and cut where
 * it is very long; otherwise if it is NULL. */
const char *api_take_text(struct context *cx, char *text, const char *otherwise);

/* A copy in cx's arena as it may be shown. */
const char *api_printable(struct context *cx, const char *text);

/* The compiler's value type; false for a number that is none. */
bool api_type(spcc_type type, enum type *to);
spcc_type api_type_of(enum type type);

/* The context's jit; NULL after a diagnostic. */
struct jit *api_jit(struct spcc_context *api, struct context *cx);

/* The GPU, found when it is first asked for; NULL after a diagnostic, whose status *status is. */
struct gpu *api_gpu(struct spcc_context *api, struct context *cx, spcc_status *status);

/* How many threads there are for the kernel that this thread runs, which asks. */
int run_threads(void);

/* What this thread runs, and from now on works for. */
void *run_team(void);
void run_join(void *team);

/* Where it looks whether it is to end; never NULL. */
const volatile bool *run_stop_flag(void);

/* Memory for it, as realloc and free: what its result had before, or the user's. */
void *run_resize(void *array, size_t bytes);
void run_release(void *array);

#endif
