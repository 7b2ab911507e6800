/* build.h - a jit, and one kernel that is built in it: what jit.c and build.c share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_JIT_BUILD_H
#define SPCC_JIT_BUILD_H

#include <pthread.h>

#include "runtime/jit/cache.h"
#include "runtime/jit/cc.h"
#include "runtime/jit/clang.h"
#include "runtime/jit/code.h"
#include "runtime/jit/jit.h"
#include "runtime/jit/packs.h"
#include "runtime/jit/symbols.h"

struct jit_kernel {
    struct jit *jit;
    struct jit_kernel *next; /* in jit->kernels */
    size_t references;
    unsigned char key[SHA256_SIZE];
    bool ready;     /* not while it is being built */
    bool no_openmp; /* compiled without, although the source has its pragmas */
    /* why it is not in the cache on disk; NULL: it is, or there is none */
    char *unkept;
    struct code code;
};

struct jit {
    pthread_mutex_t lock;   /* over what follows, and over the kernels' references */
    pthread_cond_t changed; /* a kernel was built, or failed */
    size_t references;      /* the owner's and one for each kernel */
    struct jit_kernel *kernels;

    /* Constant once made, or with locks of their own. */
    char *cc_command, *plugin, *openmp;
    char **flags;
    int level;
    bool catch_crashes;
    const atomic_bool *stop;
    unsigned char cpu[SHA256_SIZE];
    char *note;
    struct cache cache;
    struct packs packs;
    struct symbols symbols;
    struct clang clang;
    struct cc cc;
};

/* One call of jit_compile, jit_load_packed or jit_object. */
struct build {
    struct jit *jit;
    enum jit_engine engine;
    struct jit_packed packed; /* without an entry: an engine compiles it */
    const char *source;
    const char *const *flags;  /* behind our own */
    enum clang_openmp openmp;  /* as it is compiled */
    bool no_openmp;            /* although the source wants more */
    struct jit_kernel *kernel; /* NULL: the object is not loaded */
    struct jit_times times;
    char *error;
};

/* What the source wants of OpenMP: the pragmas that are only `simd` need no runtime. */
enum clang_openmp build_wanted_openmp(const char *source);

enum jit_status build_key(struct build *b, unsigned char key[SHA256_SIZE]);
/* Load b->kernel's code, compiled if it has to be. */
enum jit_status build_kernel(struct build *b);
/* Compile the source, and load it if there is a kernel for it; without OpenMP if it fails with it,
 * and b->no_openmp says so.  On success `entry` holds the object, which the caller frees. */
enum jit_status build_compile(struct build *b, struct cache_entry *entry);

/* As jit_engine_name. */
char *build_engine_name(struct jit *jit, enum jit_engine engine, char **error);

double build_now_ms(void);

#endif
