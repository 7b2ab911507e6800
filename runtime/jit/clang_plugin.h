/* clang_plugin.h - what the Clang plug-in offers to the program that opens it: C source in, object
 * out.
 *
 * The plug-in is the one file of spcc that is C++ and the only thing that links LLVM.  It is opened
 * by dlopen when it is first needed, because just opening it costs a seventieth of a second.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_CLANG_PLUGIN_H
#define SPCC_JIT_CLANG_PLUGIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever anything below does. */
enum { CLANG_PLUGIN_ABI = 3 };

enum clang_openmp {
    CLANG_OPENMP_NONE, /* the source has no pragmas of OpenMP */
    CLANG_OPENMP_SIMD, /* only those that need no runtime */
    CLANG_OPENMP_FULL,
};

struct clang_request {
    const char *source;       /* NUL-terminated */
    const char *const *flags; /* of clang -cc1, NULL-terminated, after ours; or NULL */
    int level;                /* 0 to 3 */
    enum clang_openmp openmp;
    int wraps;         /* signed integers that overflow wrap around */
    int catch_crashes; /* see jit.h */
    /* NULL: this machine's; else what LLVM might have taken it for */
    const char *cpu;
    /* asked now and then, in the thread that compiles: not 0 where nobody wants the object any
     * more, so that it is made in the fewest steps; NULL: it is wanted */
    int (*unwanted)(const void *data);
    const void *data;
};

struct clang_reply {
    void *object; /* by malloc; NULL on failure */
    size_t size;
    char *text;  /* by malloc: messages, or NULL */
    int crashed; /* the failure is the compiler's, not the source's */
};

enum clang_result {
    CLANG_COMPILED,
    CLANG_REJECTED,
    /* whatever the source: Clang has crashed or run out of memory before in the process */
    CLANG_UNUSABLE,
};

struct clang_plugin {
    int abi;
    const char *version; /* "22.1.8" */
    /* If compiled, reply has an object; else it has a text that says why not (NULL: no memory).
     * Many threads may be in here at once. */
    enum clang_result (*compile)(const struct clang_request *request, struct clang_reply *reply);
};

/* The one symbol of the plug-in. */
#define CLANG_PLUGIN_SYMBOL "spcc_clang_plugin"
__attribute__((visibility("default"))) const struct clang_plugin *spcc_clang_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
