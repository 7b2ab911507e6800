/* spcc.h - sparse tensor algebra, compiled.
 *
 * spcc turns a statement in tensor index notation into loops for the formats of its tensors. It
 * compiles the loops to machine code inside the process, and runs the code on your arrays:
 *
 *     spcc_context *cx;
 *     spcc_tensor *A, *x, *y;
 *     if (spcc_context_new(NULL, &cx) != SPCC_OK)
 *         return 1;
 *     if (spcc_tensor_read(cx, "A.mtx", "csr", SPCC_F64, NULL, &A) != SPCC_OK
 *         || spcc_tensor_generate(cx, "@ones", NULL, SPCC_F64, 1, columns, NULL, &x) != SPCC_OK
 *         || spcc_tensor_new(cx, NULL, SPCC_F64, 1, NULL, NULL, &y) != SPCC_OK)
 *         return 1;
 *     const spcc_binding tensors[] = {{"y", y}, {"A", A}, {"x", x}};
 *     if (spcc_eval(cx, "y(i) = A(i,j) * x(j)", tensors, 3) != SPCC_OK)
 *         fputs(spcc_message(cx), stderr);
 *
 * This header is the reference manual:
 *
 *     1  statuses and contexts        the value that every call returns; messages
 *     2  value types
 *     3  tensors                      from coordinates, arrays and files; conversion, statistics
 *     4  one statement, one call      spcc_eval
 *     5  compile once, run many       spcc_compile, spcc_run; spcc_tune, spcc_tune_formats
 *     6  assemble once, compute many  for results whose pattern does not change
 *     7  generated source             spcc_emit
 *     8  looking closer               diagnostics, names in a statement, costs of a kernel
 *     9  packs                        kernels for machines without a compiler
 *
 * These rules hold everywhere:
 *
 *   Status.    A function that can fail returns a spcc_status; SPCC_OK is 0.  A function that makes
 *              an object returns it through its last parameter, which is NULL after a failure.
 *              spcc_message describes the error.
 *   Threads.   Use a context in one thread at a time.  Different threads may use different contexts
 *              at once.  Kernels never change: any number of threads may run one kernel at once,
 *              each with its own context and result.  Operands are only read.  There are two
 *              global variables: the names of unfinished files (spcc_clean_up), and the number of
 *              threads at work, by which contexts share the processors.
 *   Manners.   The library prints nothing, never ends the process, and calls none of your
 *              functions but an spcc_allocator's.  If memory is too short for Clang,
 *              SPCC_ENGINE_AUTO compiles with the next engine and adds a note.  If Clang runs out
 *              of memory in a compilation, the process does not use it again.
 *   Ownership. You own an object that a function returns through its last parameter.  Free it with
 *              the function of its type; each of these accepts NULL.  Tensors and kernels remain
 *              valid after their context is freed.  A const char * that a function returns belongs
 *              to the object that the function was called with.
 *   Options.   An options pointer may be NULL.  A structure of options begins with its size: set it
 *              to sizeof the structure.  A member that is zero means the default.  Programs built
 *              with an older header therefore continue to work.
 *   Numbers.   In arguments and arrays, modes, levels and coordinates count from 0.  So does the
 *              order of the modes in a format, "ds:1,0".  Messages count modes, levels, entries,
 *              lines and arguments from 1, as files count coordinates.  Sizes and coordinates
 *              are int64_t.  A complex value is two floating-point numbers, real and imaginary.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_H
#define SPCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SPCC_API __attribute__((visibility("default")))
#else
#define SPCC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ======== 1. Statuses and contexts ======== */

/* Every status: X(NAME, number, message).  The numbers never change.  1 to 19 are errors in the
 * input, 20 to 39 errors of the machine, 40 is a call that was stopped, and 70 is a bug in spcc. */
#define SPCC_STATUS_MAP(X)                                                                      \
    X(OK, 0, "no error")                                                                        \
    X(ERROR_STATEMENT, 1, "the statement is wrong")                                             \
    X(ERROR_FORMAT, 2, "a format, value type or fill is wrong")                                 \
    X(ERROR_SCHEDULE, 3, "the schedule is wrong, or cannot be applied")                         \
    X(ERROR_UNSUPPORTED, 4, "the statement is right but cannot be compiled with these formats") \
    X(ERROR_TENSOR, 5, "the arrays or coordinates are not a valid tensor")                      \
    X(ERROR_FILE, 6, "a file is missing, or does not follow its format")                        \
    X(ERROR_LIMIT, 7, "a size exceeds the index type or another limit")                         \
    X(ERROR_BINDING, 8, "the tensors do not fit the statement")                                 \
    X(ERROR_ARGUMENT, 9, "a function was called with arguments that it does not take")          \
    X(ERROR_MEMORY, 20, "out of memory")                                                        \
    X(ERROR_COMPILER, 21, "no C compiler, or one that failed")                                  \
    X(ERROR_SYSTEM, 22, "the operating system refused")                                         \
    X(STOPPED, 40, "the call was stopped")                                                      \
    X(ERROR_BUG, 70, "a bug in spcc")

typedef enum spcc_status {
#define SPCC_STATUS_ENUM(NAME, number, message) SPCC_##NAME = number,
    SPCC_STATUS_MAP(SPCC_STATUS_ENUM)
#undef SPCC_STATUS_ENUM
        SPCC_STATUS_LAST = SPCC_ERROR_BUG
} spcc_status;

/* "SPCC_ERROR_FILE"; "a file is missing, or ...".  Never NULL. */
SPCC_API const char *spcc_status_name(spcc_status status);
SPCC_API const char *spcc_status_text(spcc_status status);

/* The version of this header, and of the library, "0.2.0". */
#define SPCC_VERSION_MAJOR 0
#define SPCC_VERSION_MINOR 2
#define SPCC_VERSION_PATCH 0
SPCC_API const char *spcc_version(void);

/* A context holds the settings, the compilers that it has found, the kernels compiled with it, and
 * the messages of the last call. */
typedef struct spcc_context spcc_context;

/* The engine that compiles or interprets a kernel.  All engines compute the same values.  The last
 * bits of rounded values may differ, since a multiplication and an addition may be rounded once. */
typedef enum spcc_engine {
    /* the first of these that is available; a note says if that is the interpreter */
    SPCC_ENGINE_AUTO = 0,
    SPCC_ENGINE_CLANG = 1, /* Clang inside this process, loaded when it is first needed */
    SPCC_ENGINE_CC = 2,    /* the system's C compiler, in a process of its own */
    /* no compiler: slow, with every array access checked */
    SPCC_ENGINE_INTERP = 3,
    /* NVRTC and the driver of NVIDIA's GPUs, each opened when it is first needed: for kernels of
     * SPCC_LANGUAGE_CUDA, which have no other engine but the interpreter */
    SPCC_ENGINE_GPU = 4,
    /* kernels that were compiled before (spcc_options.packs): SPCC_ENGINE_AUTO looks for them
     * first.  It is no engine to ask for */
    SPCC_ENGINE_PACK = 5
} spcc_engine;

/* Functions of yours that allocate the arrays of tensors.  Without them, malloc does.  All three
 * must be given; user is passed on to them.  They do what malloc, realloc and free do:
 *
 *   allocate     bytes (at least 1), aligned for every type of C (max_align_t, 16 bytes on x86-64
 *                and arm64); NULL if there is no memory, which is SPCC_ERROR_MEMORY or SPCC_STOPPED
 *   reallocate   an array that these functions made, with room for this many bytes (at least 1),
 *                longer or shorter, possibly elsewhere; NULL if there is no memory, and the array
 *                as it was
 *   release      give such an array back; never NULL
 *
 * Calls come from the thread that calls the library.  They also come from several threads at once,
 * even in one context: from those that run a parallel kernel.  With 1 thread (spcc_options.threads)
 * there are no others.  The functions must not leave by longjmp or an exception, and must not call
 * the library with the same context, except spcc_stop.
 *
 * They and user must live as long as the context and every tensor that was made with it: a tensor
 * gives its arrays back to where they are from.  A result's arrays come from the context that runs
 * the kernel.  What a kernel works in comes from there, too.  All else is malloc's: messages, the
 * compiler, kernels, and what reading and packing work in.
 *
 * The library keeps no arrays of such memory from run to run (spcc_options.max_spare): the
 * functions may. */
typedef struct spcc_allocator {
    void *(*allocate)(void *user, size_t bytes);
    void *(*reallocate)(void *user, void *array, size_t bytes);
    void (*release)(void *user, void *array);
    void *user;
} spcc_allocator;

typedef struct spcc_options {
    size_t size; /* sizeof(spcc_options) */
    spcc_engine engine;
    const char *cache; /* the directory of compiled kernels; "": none.
                                NULL: $XDG_CACHE_HOME/spcc or ~/.cache/spcc */
    /* bits of stored positions and coordinates if a format does not give them: 32 or 64; 0: 32 */
    int index_bits;
    /* the number of threads for reading, packing and parallel kernels, whatever else is at work in
     * the process.  Results do not depend on it, except for the last bits of sums into arrays.
     * 0: OMP_NUM_THREADS if it is set, else the number of processors, less the threads that other
     * calls use; 1 in a parallel region of OpenMP */
    int threads;
    /* the C compiler and its first arguments; NULL: $SPCC_CC, $CC, or cc, gcc, clang */
    const char *cc;
    const char *plugin; /* the file of the Clang plug-in; NULL: the installed one */
    /* make a crash of Clang inside this process an error.  Signal handlers catch it; they are
     * installed while Clang compiles.  For programs, not for libraries inside other programs */
    bool catch_crashes;
    /* the most bytes that the process may use.  A call that needs more fails with
     * SPCC_ERROR_MEMORY, and the message says for what.  0: 80 % of what the machine, the control
     * group and the limits of the process leave at that time.  Memory that kernels and compilers
     * allocate for themselves counts once it is allocated */
    int64_t max_memory;
    /* how help in messages spells settings, such as {"index", "--index=%s", "memory",
     * "--max-memory=%s", NULL}: the name of a setting, then its spelling, where %s stands for the
     * value.  The array must outlive the context.  NULL, and for settings that are not listed:
     * members of these structures.  The settings are algebra, base, declaration, dimensions,
     * emit, format, index, language, memory, name, no_plan, numbers, order, same, size and
     * symmetry */
    const char *const *spellings;
    /* the most bytes of arrays that a result keeps between runs, as room for the next run
     * (spcc_run); 0: as much as its last run used, -1: none */
    int64_t max_spare;
    /* copied; NULL: malloc, realloc and free */
    const spcc_allocator *allocator;
    /* the machine that code is made for: a name (spcc_target_describe), "native" for this machine
     * with its caches, or the path of a file with a machine's figures.  A mistake in it is an error
     * of the calls that generate code.  NULL: the machine by name that this one is, for kernels
     * that run here; "generic" for code that is printed */
    const char *target;
    /* packs of kernels (chapter 9), files with ':' between them; "": none.  NULL: those that
     * $SPCC_PACKS lists, and those in the folder packs beside the library or where it is installed.
     * A pack that cannot be used is passed over, and spcc_compile leaves a note */
    const char *packs;
    /* the library that does matrix products where the planner finds that cheaper, or a schedule
     * says blas: a file's name as dlopen finds it, with cblas_dgemm and cblas_sgemm.  spcc_compile
     * fails if it cannot be opened.  NULL: only schedules call one, which is what the process has
     */
    const char *blas;
} spcc_options;

/* Fails with SPCC_ERROR_MEMORY or SPCC_ERROR_ARGUMENT.  The only message is then the text of the
 * status. */
SPCC_API spcc_status spcc_context_new(const spcc_options *options, spcc_context **context);
SPCC_API void spcc_context_free(spcc_context *context);

/* The messages of the last call with this context.  They show the place in the statement or file:
 *
 *     error[E203]: j has two sizes
 *       y(i) = A(i,j) * x(j)
 *                         ^
 *       note: A(i,j) gives it the size 3
 *
 * "" if there are none.  A call that succeeds may leave notes.  Every call with a context first
 * discards the messages of the previous call, except spcc_message and spcc_diagnostic_*. */
SPCC_API const char *spcc_message(const spcc_context *context);

/* Stop the call that works with this context, from a signal handler or from another thread.  The
 * call returns SPCC_STOPPED.  So does every later call with this context, until spcc_clear_stop:
 * no call slips through between two others.  spcc_stop is async-signal-safe.  The context must not
 * be freed meanwhile; NULL is accepted.
 *
 * A compilation ends after some hundredths of a second: the C compiler is killed, and Clang skips
 * what it can (all optimizations, from LLVM 18 on).  A run ends within some hundredths of a second,
 * on all of its threads: compiled kernels look now and then whether they are to end, and an
 * interpreted kernel ends at once.  Packing and reading end when they next allocate memory.
 *
 * A stopped call leaves nothing behind: no tensor, no kernel, no file, no lost memory.  Results are
 * as they were.  For a result that is written in place, such as a dense one that is there, a run
 * that may take long makes a copy first.  A run that cannot take long for its result's size, as y =
 * A x, makes none: it ends by itself, and the call returns what it would have returned.  So does a
 * run for whose copy there is no memory.  spcc_run_options.overwrite gives the old values up.  The
 * result of a kernel of kind SPCC_SPLIT may have its new pattern. */
SPCC_API void spcc_stop(spcc_context *context);

/* Let calls with this context work again.  For the thread that uses the context. */
SPCC_API void spcc_clear_stop(spcc_context *context);

/* Remove the unfinished files of this process and kill its compilers.  For the signal handler of a
 * program that is about to end; any thread may call it.  Async-signal-safe.  The library installs
 * no handler that does this. */
SPCC_API void spcc_clean_up(void);

/* A copy of a text, such as the name of a file, that is safe to show on a terminal; free it with
 * spcc_free.  Control characters, characters that change the direction of text, and bytes that are
 * no UTF-8 are written out, as \x1b or \u202e.  Messages of the library are safe already.
 * NULL: no memory. */
SPCC_API char *spcc_printable(const char *text);

/* Free a text (spcc_emit) or an array (spcc_tensor_take_array) that a function has returned. */
SPCC_API void spcc_free(void *text);

/* ======== 2. Value types ======== */

/* Every value type: X(NAME, number, name, bytes). */
#define SPCC_TYPE_MAP(X)   \
    X(F64, 0, "f64", 8)    \
    X(F32, 1, "f32", 4)    \
    X(I8, 2, "i8", 1)      \
    X(I16, 3, "i16", 2)    \
    X(I32, 4, "i32", 4)    \
    X(I64, 5, "i64", 8)    \
    X(U8, 6, "u8", 1)      \
    X(U16, 7, "u16", 2)    \
    X(U32, 8, "u32", 4)    \
    X(U64, 9, "u64", 8)    \
    X(BOOL, 10, "bool", 1) \
    X(C64, 11, "c64", 8)   \
    X(C128, 12, "c128", 16)

typedef enum spcc_type {
#define SPCC_TYPE_ENUM(NAME, number, name, bytes) SPCC_##NAME = number,
    SPCC_TYPE_MAP(SPCC_TYPE_ENUM)
#undef SPCC_TYPE_ENUM
        SPCC_TYPE_LAST = SPCC_C128
} spcc_type;

/* The name, "f64", and the bytes of a value, 8.  NULL and 0 if the number is no type. */
SPCC_API const char *spcc_type_name(spcc_type type);
SPCC_API size_t spcc_type_size(spcc_type type);

/* The type of this name; false if there is none. */
SPCC_API bool spcc_type_parse(const char *name, spcc_type *type);

/* ======== 3. Tensors ======== */

/* A tensor: a format, a value type, a size for every mode, a fill value, and arrays.
 *
 * A format says how the coordinates are stored, level by level (docs/formats.md).  In every
 * function below it is a text: a name ("csr", "coo", "csf"), one letter for each level ("ds",
 * "ss:1,0"), or a description in full ("(i,j) -> (i : dense, j : compressed)").  NULL means that
 * every level is dense.
 *
 * The fill is the value of the components that are not stored.  It is 0 by default. */
typedef struct spcc_tensor spcc_tensor;

typedef struct spcc_tensor_options {
    size_t size;      /* sizeof(spcc_tensor_options) */
    const char *name; /* the name of the tensor in messages; NULL: none */
    const char *fill; /* "0" (or NULL), "inf", "-1.5", "true", "(1,-2)" */
    /* spcc_tensor_borrow: the arrays are known to be valid and are not checked */
    bool trusted;
    /* spcc_tensor_borrow: the tensor may be a result, and its values may be written */
    bool writable;
    /* spcc_tensor_borrow: the arrays are in the memory of the GPU that kernels of
     * SPCC_LANGUAGE_CUDA run on.  Complex numbers are aligned to their size there.  What is in the
     * arrays is not checked.  Such kernels read them where they are, and
     * write them there if they are a dense result's.  All other functions say that the tensor has
     * no arrays. */
    bool on_gpu;
} spcc_tensor_options;

/* A tensor without stored components, to be a result.  Its dense levels hold the fill.  If
 * dimensions is NULL, the first run with this result takes the sizes from the operands. */
SPCC_API spcc_status spcc_tensor_new(spcc_context *context, const char *format, spcc_type type,
                                     int order, const int64_t *dimensions,
                                     const spcc_tensor_options *options, spcc_tensor **tensor);

/* A scalar: a tensor of order 0.  *value has the type, and is copied. */
SPCC_API spcc_status spcc_tensor_scalar(spcc_context *context, spcc_type type, const void *value,
                                        spcc_tensor **tensor);

/* A dense tensor, its last mode contiguous ("row-major").  values holds the product of the
 * dimensions, and is copied. */
SPCC_API spcc_status spcc_tensor_dense(spcc_context *context, spcc_type type, int order,
                                       const int64_t *dimensions, const void *values,
                                       spcc_tensor **tensor);

/* A tensor of any format, packed from n components in any order.  Component k has the coordinates
 * coordinates[k*order] ... coordinates[k*order + order-1] and the value values[k].  Duplicates are
 * summed.  The arrays are copied. */
SPCC_API spcc_status spcc_tensor_from_coords(spcc_context *context, const char *format,
                                             spcc_type type, int order, const int64_t *dimensions,
                                             int64_t n, const int64_t *coordinates,
                                             const void *values, const spcc_tensor_options *options,
                                             spcc_tensor **tensor);

/* An array of a level: its first element, and the number of elements. */
typedef struct spcc_array {
    const void *at;
    int64_t length;
} spcc_array;

/* A tensor on your own arrays, which are not copied.  They must outlive the tensor, and their
 * pattern must not change.  arrays holds the n_arrays arrays of all levels, from the first level to
 * the last.  Those of a level come in this order:
 *
 *     compressed   pos    where the children of each position of the level above begin; and the end
 *                         of the last ones
 *                  crd    a coordinate for each position
 *     singleton    crd    a coordinate for each position
 *     padded       width  one number: the positions below each position of the level above
 *                  crd    a coordinate for each; -1 after the last ones
 *     hashed       width  one number, a power of two: the positions below each position of the
 *                         level above
 *                  crd    a coordinate for each, or -1 if it is free.  Coordinate c, a uint64_t, is
 *                         at the first position that was free, from
 *                         (c * 0x9e3779b97f4a7c15 >> 32) % width on.  At least one is free
 *     bitmap       map    a bool for each coordinate
 *     strided      stride one number: how far the value of a coordinate is from the one before
 *     bytemap      count  one number: the stored coordinates
 *                  map    a bool for each coordinate
 *                  crd    the stored coordinates, with room for all coordinates
 *
 * Dense, range, offset and strided(unit) levels have no arrays.  The type of map is bool.  pos,
 * width, stride and count have the integer type of positions, and crd that of coordinates; the
 * format or the context's index_bits give these types.  In an unsigned type, the largest number
 * stands for -1.  Padded and hashed levels of differences (j-i) store the distance from the least
 * difference.  A csr matrix of m rows has two arrays:
 *
 *     level 0   dense        none
 *     level 1   compressed   pos of m + 1 elements, crd of pos[m] elements
 *
 * A coo matrix of n components has three: {0, n} and the rows of the compressed level, then the
 * columns of the singleton level.  values holds one value for each of the n_values positions of the
 * last level.  Values outside of the tensor are ignored: in blocks that reach beyond its sizes, at
 * the ends of diagonals, and where a padded or hashed level has no coordinate or a bitmap no flag.
 *
 * The arrays are checked once, in one pass: positions must be monotone and in range, coordinates in
 * range, and sorted and unique if the format says so, and bools 0 or 1.  The message of
 * SPCC_ERROR_TENSOR names the level, the array and the element.
 *
 * Each array is aligned as C aligns its elements, and needs no more. */
SPCC_API spcc_status spcc_tensor_borrow(spcc_context *context, const char *format, spcc_type type,
                                        int order, const int64_t *dimensions,
                                        const spcc_array *arrays, int n_arrays, const void *values,
                                        int64_t n_values, const spcc_tensor_options *options,
                                        spcc_tensor **tensor);

/* A dense tensor on an array as it is found.  values is where the component is whose coordinates
 * are all 0; from one coordinate of mode m to the next the value is strides[m] values further,
 * which may be negative, or 0 where a mode repeats its values: so a mode of size 1 is broadcast.
 * Nothing is copied but the strides.  The tensor's format is dense levels, in the order of the
 * strides, if there are no gaps between values: then it can also be a result.  Else it is strided
 * levels, and the tensor is an operand. */
SPCC_API spcc_status spcc_tensor_borrow_strided(spcc_context *context, spcc_type type, int order,
                                                const int64_t *dimensions, const int64_t *strides,
                                                const void *values,
                                                const spcc_tensor_options *options,
                                                spcc_tensor **tensor);

/* Copy a tensor's arrays to the memory of the GPU, for kernels of SPCC_LANGUAGE_CUDA; such a copy
 * may be a result, of which a sparse one gets new arrays there.  And back, from a tensor that is
 * there; the arrays are checked. */
SPCC_API spcc_status spcc_tensor_to_gpu(spcc_context *context, const spcc_tensor *tensor,
                                        spcc_tensor **there);
SPCC_API spcc_status spcc_tensor_from_gpu(spcc_context *context, const spcc_tensor *there,
                                          spcc_tensor **tensor);

/* The same with a parsed format, which serves any number of tensors. */
typedef struct spcc_format spcc_format;
SPCC_API spcc_status spcc_format_parse(spcc_context *context, const char *text, int order,
                                       spcc_format **format);
/* A format whose positions and coordinates have this many bits, 32 or 64, where the text does not
 * give their types.  0: as the context has it. */
SPCC_API spcc_status spcc_format_parse_with(spcc_context *context, const char *text, int order,
                                            int index_bits, spcc_format **format);
SPCC_API void spcc_format_free(spcc_format *format);

/* A format in parts, for a program that maps it to one of another library. */

/* Properties of a level: bits. */
enum spcc_level_property {
    SPCC_LEVEL_FULL = 1,       /* every coordinate is stored below every parent */
    SPCC_LEVEL_ORDERED = 2,    /* the coordinates below a parent ascend */
    SPCC_LEVEL_UNIQUE = 4,     /* each is stored at most once below a parent */
    SPCC_LEVEL_BRANCHLESS = 8, /* every parent has one child, or a place for one */
    SPCC_LEVEL_COMPACT = 16,   /* every position between the first and the last has a coordinate */
    SPCC_LEVEL_MORTON = 32     /* the levels that have it are in the order of their bits */
};

/* What a level stores: a mode, as i, or a function of modes, as i/4, i%4 or j-i. */
typedef enum spcc_map_kind {
    SPCC_MAP_MODE = 0,
    SPCC_MAP_CONSTANT = 1,
    SPCC_MAP_ADD = 2, /* the others: of left and right */
    SPCC_MAP_SUB = 3,
    SPCC_MAP_DIV = 4, /* rounded down */
    SPCC_MAP_MOD = 5  /* never negative */
} spcc_map_kind;

typedef struct spcc_map {
    spcc_map_kind kind;
    int mode;                            /* of SPCC_MAP_MODE; -1 of others */
    int64_t constant;                    /* of SPCC_MAP_CONSTANT; 0 of others */
    const struct spcc_map *left, *right; /* NULL of those two */
} spcc_map;

/* Members may be added at the end: only the library makes these. */
typedef struct spcc_level {
    const char *type;    /* "compressed" */
    unsigned properties; /* of enum spcc_level_property */
    int mode;            /* the mode that it stores, or -1 if it stores a function */
    const spcc_map *map;
    int64_t most; /* children below a parent; 0: there is no bound */
    int n_arrays; /* as in spcc_tensor_borrow, from which the names are */
    const char *array_name[3];
    spcc_type array_type[3];
} spcc_level;

/* Valid until the format is freed.  NULL, and 0, if there is no such level, or no format.  The text
 * is as spcc_tensor_format gives it. */
SPCC_API int spcc_format_order(const spcc_format *format);
SPCC_API int spcc_format_levels(const spcc_format *format);
SPCC_API const spcc_level *spcc_format_level(const spcc_format *format, int level);
SPCC_API const char *spcc_format_text(const spcc_format *format);

SPCC_API spcc_status spcc_tensor_borrow_as(spcc_context *context, const spcc_format *format,
                                           spcc_type type, const int64_t *dimensions,
                                           const spcc_array *arrays, int n_arrays,
                                           const void *values, int64_t n_values,
                                           const spcc_tensor_options *options,
                                           spcc_tensor **tensor);

/* Give a tensor that borrows its arrays other arrays; its sizes stay.  They are checked like the
 * first ones, unless the tensor is trusted.  They are in the memory of the GPU if the first ones
 * were.  After a failure the tensor has its old arrays. */
SPCC_API spcc_status spcc_tensor_rebind(spcc_context *context, spcc_tensor *tensor,
                                        const spcc_array *arrays, int n_arrays, const void *values,
                                        int64_t n_values);

/* Check the arrays of a tensor that was borrowed, also with trusted set.  SPCC_ERROR_TENSOR as from
 * spcc_tensor_borrow. */
SPCC_API spcc_status spcc_tensor_check(spcc_context *context, const spcc_tensor *tensor);

typedef struct spcc_read_options {
    size_t size; /* sizeof(spcc_read_options) */
    const char *name;
    const char *fill;
    int order; /* refuse a file of another order; 0: any order */
    /* the sizes (order must be given); -1: the size in the file; NULL: all sizes in the file */
    const int64_t *dimensions;
    /* values have the type that the file states, such as SPCC_I64 or SPCC_C128, or SPCC_F64 if it
     * states none; the parameter type is ignored */
    bool own_type;
    /* refuse a file of another order than 0 (order, which is 0 then, cannot say this) */
    bool scalar;
    bool zero_based; /* coordinates of .tns and .edges files begin at 0 */
} spcc_read_options;

/* A tensor from a file.  The name gives the kind of file (docs/files.md): Matrix Market (.mtx, and
 * .ttx for tensors of any order), Rutherford-Boeing (.rb), FROSTT (.tns), lists of edges (.edges),
 * NumPy (.npy, .npz).  Each may be compressed (.mtx.gz).  An archive (.zip, .tar.gz) must hold one
 * tensor, or the path goes on with its name ("x.zip/a.mtx").  "-" is standard input: Matrix Market
 * if it begins like such a file, else .tns; so is a pipe or a device whose name gives no kind.
 * Most .tns and .edges files give no sizes: unless the options give them, they are the largest
 * coordinates (spcc_tensor_info says so).  Duplicates are summed.  A scalar is dense, whatever the
 * format.  The message of SPCC_ERROR_FILE names the file, line and column. */
SPCC_API spcc_status spcc_tensor_read(spcc_context *context, const char *path, const char *format,
                                      spcc_type type, const spcc_read_options *options,
                                      spcc_tensor **tensor);

/* Write the tensor to a file.  The name gives the kind of file; "-" is standard output, as .tns.  A
 * dense matrix, vector or scalar is written to .mtx as an array, and every tensor is to .npy.
 * Other files list the stored components by their coordinates.  Components that equal the fill are
 * left out of dense tensors, and of blocks and diagonals, where they may be padding.  The order is
 * that of storage, and for blocks, diagonals and hash tables that of the coordinates.  The file
 * appears when it is complete, or not at all, however the process ends.  A crash of the machine may
 * leave an empty file, unless the options set sync. */
SPCC_API spcc_status spcc_tensor_write(spcc_context *context, const spcc_tensor *tensor,
                                       const char *path);

/* The symmetries by which one triangle of a matrix gives all of it. */
typedef enum spcc_symmetry {
    SPCC_GENERAL = 0, /* none */
    SPCC_SYMMETRIC = 1,
    SPCC_SKEW_SYMMETRIC = 2,
    SPCC_HERMITIAN = 3
} spcc_symmetry;

typedef struct spcc_write_options {
    size_t size;     /* sizeof(spcc_write_options) */
    bool sync;       /* return when file and folder are on the disk (fsync) */
    bool zero_based; /* coordinates of .tns and .edges files begin at 0 */
    bool pattern;    /* .mtx, .ttx, .rb, .edges: leave out the values if all are 1 */
    /* .mtx, .ttx, .rb: write one triangle; SPCC_ERROR_FILE if the matrix lacks the symmetry */
    spcc_symmetry symmetry;
    bool drop_zeros; /* leave out stored components that equal the fill */
} spcc_write_options;

SPCC_API spcc_status spcc_tensor_write_with(spcc_context *context, const spcc_tensor *tensor,
                                            const char *path, const spcc_write_options *options);

/* Write a text, such as one of spcc_emit, to a file, which likewise appears when it is complete. */
SPCC_API spcc_status spcc_text_write(spcc_context *context, const char *text, const char *path,
                                     const spcc_write_options *options);

/* Does a file of this kind give the sizes of its tensor?  Looks at the name only.
 * SPCC_MAY_BE_SIZED for standard input, "-", for archives, and for names that give no kind. */
typedef enum spcc_sized { SPCC_UNSIZED = 0, SPCC_SIZED = 1, SPCC_MAY_BE_SIZED = 2 } spcc_sized;
SPCC_API spcc_sized spcc_path_sized(const char *path);

/* Does the file hold every component, as a Matrix Market array does?  Other files list components
 * by their coordinates, for which a sparse format is natural.  Reads the beginning of the file.
 * False if the file cannot be read, and for a pipe, from which nothing is read. */
SPCC_API bool spcc_file_is_array(const char *path);

/* Parse a value of the type, such as "2.5", "inf", "true" or "(1,-2)", into spcc_type_size(type)
 * bytes.  False if the text is no value; *value is then unchanged. */
SPCC_API bool spcc_value_parse(const char *text, spcc_type type, void *value);

/* A tensor from a recipe:
 *
 *     @ones                   every component 1
 *     @index                  0, 1, 2, ... in the order of the modes, the last one fastest
 *     @constant(VALUE)        every component that value
 *     @random(SEED)           every component uniform in [0, 1)
 *     @sparse(DENSITY,SEED)   each component stored with that probability, uniform in [0, 1)
 *     @kronecker(SEED,STORED;P,...)   STORED components, uniform in [0, 1), at places of a
 *                             stochastic Kronecker graph with this initiator
 *     @powerlaw(SEED,STORED,EXPONENT,MODE,...)   the same, with coordinates by power laws, but in
 *                             these modes evenly
 *     @irrS4d/100(SEED)       one of those, by the name of a preset, divided by 100
 *
 * The seed is 0 if it is left out, as in @random.  The same recipe gives the same tensor every
 * time, with any number of threads.  Instead of [0, 1), integers are from 1 to 9, and a bool is
 * true; both parts of complex values are drawn.  docs/files.md has more.
 *
 * Presets have sizes: dimensions may be NULL, and spcc_recipe_dimensions says the order and, where
 * there is room for this many, the sizes; it is 0 of other recipes. */
SPCC_API int spcc_recipe_dimensions(const char *recipe, int room, int64_t *dimensions);
SPCC_API spcc_status spcc_tensor_generate(spcc_context *context, const char *recipe,
                                          const char *format, spcc_type type, int order,
                                          const int64_t *dimensions,
                                          const spcc_tensor_options *options, spcc_tensor **tensor);

/* Free the tensor and the arrays that it owns.  Borrowed arrays are left alone. */
SPCC_API void spcc_tensor_free(spcc_tensor *tensor);

/* Free the memory that a result keeps for its next run (spcc_run), and the room in its own arrays
 * beyond their lengths.  This may move the arrays. */
SPCC_API void spcc_tensor_trim(spcc_tensor *tensor);

/* The properties of a tensor.  A dimension is -1 while it is not known (spcc_tensor_new).  The text
 * of the format parses back to the same format.  The fill is spelled as in the options. */
SPCC_API int spcc_tensor_order(const spcc_tensor *tensor);
SPCC_API int64_t spcc_tensor_dimension(const spcc_tensor *tensor, int mode);
SPCC_API spcc_type spcc_tensor_type(const spcc_tensor *tensor);
SPCC_API const char *spcc_tensor_format(const spcc_tensor *tensor);
SPCC_API const char *spcc_tensor_fill(const spcc_tensor *tensor);

/* Its arrays, valid until the tensor is freed or is the result of another run.  Array k of a level
 * is {NULL, 0} if the level has no such array.  Its name is one of spcc_tensor_borrow, such as
 * "pos", and its type an integer type or SPCC_BOOL. */
SPCC_API int spcc_tensor_levels(const spcc_tensor *tensor);
SPCC_API spcc_array spcc_tensor_array(const spcc_tensor *tensor, int level, int k);
SPCC_API const char *spcc_tensor_array_name(const spcc_tensor *tensor, int level, int k);
SPCC_API spcc_type spcc_tensor_array_type(const spcc_tensor *tensor, int level, int k);

/* A tensor may be in parts (docs/formats.md): "part(csf; csf:2,1,0)" is the sum of two tensors that
 * have no component in common, "mmcsf" one of up to as many parts as modes.  It is made from
 * coordinates, files and recipes, and by spcc_tensor_convert, and is an operand as others are.  The
 * parts have the levels, arrays and values; spcc_tensor_stored, spcc_tensor_bytes and
 * spcc_tensor_unpack are of all of them.  A format such as "any(csr; csc)" stores the tensor in
 * each of the formats, and a statement reads the best one: spcc_tensor_is_repeated, and
 * spcc_tensor_stored is that of one.
 *
 * The number of its parts, 0 if it is in one, and each of them, which belongs to the tensor and is
 * valid as long as that. */
SPCC_API int spcc_tensor_parts(const spcc_tensor *tensor);
SPCC_API const spcc_tensor *spcc_tensor_part(const spcc_tensor *tensor, int part);
SPCC_API bool spcc_tensor_is_repeated(const spcc_tensor *tensor);

/* What the levels of a tensor with sizes hold: coordinates that have a value below them, and how
 * many of these are below one of the level above at most.  nodes has room for all levels. */
typedef struct spcc_level_nodes {
    int64_t nodes, longest;
} spcc_level_nodes;
SPCC_API void spcc_tensor_nodes(const spcc_tensor *tensor, spcc_level_nodes *nodes);

/* Take an array, or the values, out of a tensor that owns them.  You own them then, and free them
 * by the tensor's allocator; without one, with free() or spcc_free.  Ask for their length before,
 * by spcc_tensor_array and spcc_tensor_stored.  NULL if there is no such array, or if it is
 * borrowed.  The tensor still has its sizes and its other arrays.  It cannot be an operand any
 * more, but a result, like one made without sizes. */
SPCC_API void *spcc_tensor_take_array(spcc_tensor *tensor, int level, int k);
SPCC_API void *spcc_tensor_take_values(spcc_tensor *tensor);

/* The allocator of the tensor's arrays: that of the context that made it or, for a result, of the
 * context whose run made its arrays.  False, and *allocator is all NULL, if they are malloc's or
 * borrowed. */
SPCC_API bool spcc_tensor_allocator(const spcc_tensor *tensor, spcc_allocator *allocator);

/* The values, one for each position of the last level, and their number. */
SPCC_API const void *spcc_tensor_values(const spcc_tensor *tensor);
SPCC_API int64_t spcc_tensor_stored(const spcc_tensor *tensor);

/* The bytes of all its arrays. */
SPCC_API int64_t spcc_tensor_bytes(const spcc_tensor *tensor);

/* How a tensor was made.  Members may be added at the end: only the library makes these. */
typedef struct spcc_tensor_info {
    double read_ms; /* time from a file or a recipe to a list of coordinates */
    /* time from that list, or yours, to the levels; 0 without a list */
    double pack_ms;
    /* Facts about the file that it was read from: */
    bool sized;   /* the file gives the sizes */
    bool pattern; /* the file has no values; each is 1 */
    int symmetry; /* an spcc_symmetry: the file has one triangle of such a matrix */
} spcc_tensor_info;

/* Valid until the tensor is freed. */
SPCC_API const spcc_tensor_info *spcc_tensor_get_info(const spcc_tensor *tensor);

/* Write the stored components, in the order of storage, into arrays as those of
 * spcc_tensor_from_coords.  Either array may be NULL; it must have room for spcc_tensor_stored
 * components.  Returns their number. */
SPCC_API int64_t spcc_tensor_unpack(const spcc_tensor *tensor, int64_t *coordinates, void *values);

/* A copy of the tensor in another format and of another type.  Compiles a kernel for
 * B(i,...) = A(i,...), or finds it compiled, and runs it.  Unless the options give a fill, it is
 * that of the tensor, in the new type.  SPCC_ERROR_UNSUPPORTED if the format cannot hold the
 * pattern. */
SPCC_API spcc_status spcc_tensor_convert(spcc_context *context, const spcc_tensor *tensor,
                                         const char *format, spcc_type type,
                                         const spcc_tensor_options *options,
                                         spcc_tensor **converted);

/* Statistics of the pattern of a tensor.  A slice of a mode has all components with one coordinate
 * in that mode: a row, a column.  Members may be added at the end of these structures: only the
 * library makes them. */
typedef struct spcc_mode_statistics {
    int64_t dimension;
    int64_t used;        /* slices with a stored component */
    int64_t least, most; /* stored components of a slice, empty ones included */
    double mean, deviation;
} spcc_mode_statistics;

typedef struct spcc_block_statistics {
    int64_t size;  /* blocks of size x size, aligned to it */
    int64_t count; /* with a stored component */
    double fill;   /* the share of their components that are stored */
} spcc_block_statistics;

typedef struct spcc_format_size {
    const char *format;
    /* of arrays and values, with positions and coordinates of 32 bits if these are enough */
    int64_t bytes;
} spcc_format_size;

/* The slices of a mode, counted by their stored components: bin b counts the slices with bounds[b]
 * to bounds[b + 1] - 1 components.  If there are few numbers, each has a bin of its own.  Otherwise
 * bins are wider for larger numbers. */
typedef struct spcc_histogram {
    int n_bins;
    /* n_bins + 1, ascending, from the least of a slice to one more than the most */
    const int64_t *bounds;
    const int64_t *slices; /* n_bins; their sum is the dimension */
} spcc_histogram;

typedef struct spcc_statistics {
    int order;
    int64_t stored;                    /* components */
    double components;                 /* the product of the dimensions */
    const spcc_mode_statistics *modes; /* order of them */
    int n_formats;
    const spcc_format_size *formats; /* those for this order, the smallest first */
    /* Matrices only, 0 for other tensors: */
    /* the bandwidth below and above the diagonal */
    int64_t below, above;
    int64_t diagonals;      /* with a stored component */
    bool symmetric_pattern; /* (j,i) is stored wherever (i,j) is; then, for the values: */
    bool symmetric, skew_symmetric, hermitian;
    int n_blocks;
    const spcc_block_statistics *blocks;
    /* All tensors: */
    const spcc_histogram *histograms; /* order of them */
} spcc_statistics;

SPCC_API spcc_status spcc_tensor_statistics(spcc_context *context, const spcc_tensor *tensor,
                                            spcc_statistics **statistics);
SPCC_API void spcc_statistics_free(spcc_statistics *statistics);

/* Count the stored components in a raster of rows x columns blocks over two modes; their
 * coordinates in other modes do not matter.  counts[r * columns + c] is the number in block r of
 * row_mode and block c of column_mode; counts must have room for all blocks.  If a mode of
 * dimension d has n blocks, block b begins at the coordinate b * d / n, rounded up.  n is at least
 * 1 and at most d and 65536; it is 1 if d is 0.  row_mode may be -1, for none; rows is 1 then. */
SPCC_API spcc_status spcc_tensor_density(spcc_context *context, const spcc_tensor *tensor,
                                         int row_mode, int column_mode, int rows, int columns,
                                         int64_t *counts);

/* ======== 4. One statement, one call ======== */

/* A name in a statement, and its tensor. */
typedef struct spcc_binding {
    const char *name;
    spcc_tensor *tensor;
} spcc_binding;

/* Compile a statement for these tensors, and run it.  Bind every tensor of the statement.  The
 * result is overwritten; a compound assignment such as y(i) += ... combines with its old values.
 * The plan is made for the sizes of the tensors, or is one that spcc_tune has kept for them.  The
 * kernel stays in the context: the same statement on tensors of the same formats, types, fills and
 * roughly the same sizes is not compiled again.  Sizes and numbers of stored components, those of
 * the result too, are roughly the same if they have the same first three binary digits.  Any other
 * makes a new plan, which takes milliseconds.  For tensors that grow in a loop, compile once and
 * call spcc_run. */
SPCC_API spcc_status spcc_eval(spcc_context *context, const char *statement,
                               const spcc_binding *bindings, int n_bindings);

/* ======== 5. Compile once, run many ======== */

/* A compiled statement.  It is for certain formats, value types and fills, and for all sizes but
 * those that were declared.
 *
 * Up to eight statements with ';' between them are compiled together: "y(i) = A(i,j) * x(j);
 * z(j) = A(i,j) * w(i)" is one kernel with two results, which may go through A once for both.  An
 * index variable is the same in all statements.  A statement may read the results of those before
 * it.  The results are the same as if each statement ran by itself.  The kind is SPCC_FUSED. */
typedef struct spcc_kernel spcc_kernel;

/* The format, type and fill of a tensor of the statement.  Give a tensor that has them, or texts;
 * NULL: dense, f64, 0. */
typedef struct spcc_declaration {
    const char *name;
    /* has the format, type and fill; the texts must be NULL then */
    const spcc_tensor *tensor;
    const char *format, *type, *fill;
} spcc_declaration;

/* The size of an index variable, if it is known: it becomes a constant of the generated code. */
typedef struct spcc_variable_size {
    const char *variable;
    int64_t size;
} spcc_variable_size;

/* The approximate number of stored components of a tensor, if it is known.  Only the plan depends
 * on it. */
typedef struct spcc_stored_number {
    const char *tensor;
    int64_t components;
} spcc_stored_number;

/* What spcc_emit generates, and what kernels are compiled from.  Those of CUDA run on the first
 * GPU of the machine: a run copies the tensors there, and the results back.  SPCC_ERROR_SYSTEM if
 * there is no driver, no GPU or no NVRTC, SPCC_ERROR_MEMORY if its memory is full; results are then
 * as they were. */
typedef enum spcc_language {
    SPCC_LANGUAGE_C = 0,
    SPCC_LANGUAGE_CUDA = 1 /* CUDA C++, for a GPU: the loops with a GPU's units in the schedule */
} spcc_language;

typedef enum spcc_kind {
    SPCC_FUSED = 0, /* one function makes the result's pattern and its values */
    /* The others take a single statement. */
    SPCC_ASSEMBLE = 1, /* the pattern only */
    SPCC_COMPUTE = 2,  /* the values only, into a pattern that was assembled before */
    SPCC_SPLIT = 3     /* two functions, one for each: chapter 6 (not for spcc_emit) */
} spcc_kind;

/* May the planner make sums of products of a product with a sum, (A - m) x = A x - m x, or the
 * other way round, where that takes far fewer steps?  Integers stay the same; floats round
 * otherwise, and terms that cancel may leave few right digits. */
typedef enum spcc_algebra { SPCC_ALGEBRA_AS_WRITTEN, SPCC_ALGEBRA_DISTRIBUTE } spcc_algebra;

typedef struct spcc_compile_options {
    size_t size; /* sizeof(spcc_compile_options) */
    /* for the tensors that are not dense f64 with fill 0 */
    const spcc_declaration *declarations;
    int n_declarations;
    const spcc_variable_size *sizes;
    int n_sizes;
    /* directives with ';' between them; spcc_describe lists the directives */
    const char *schedule;
    bool no_plan; /* apply the schedule and nothing else */
    spcc_kind kind;
    spcc_engine engine; /* SPCC_ENGINE_AUTO: the engine of the context */
    const char *name;   /* the name of the generated function; NULL: one by its kind */
    /* the command in its head comment; NULL: the command of spcc that makes it */
    const char *command;
    /* the length of vectors in the code, 256 or 512; 0: as the context's target has them */
    int vector_bits;
    /* your own operators: "f(x,y) = x > y ? x : y; commutative, associative, identity=-inf"
     * (docs/language.md) */
    const char *const *operators;
    int n_operators;
    /* short ISO C without vectors, as in a textbook, on one thread unless the schedule says
     * otherwise; vector_bits is ignored */
    bool plain;
    const spcc_stored_number *stored;
    int n_stored;
    /* Plan for the sizes of the tensors in the declarations, to three binary digits: their
     * dimensions, and the numbers of positions of their levels, unless they store nothing yet.  Or
     * take a plan that spcc_tune has kept for such tensors.  The kernel accepts other sizes too. */
    bool plan_for_tensors;
    bool untuned; /* ignore plans that spcc_tune has kept */
    /* share no loop among threads unless the schedule says so */
    bool serial;
    /* spcc_emit: the functions whose texts go into one file, then NULL.  The helpers in a text get
     * names that are none of these.  NULL: none */
    const char *const *others;
    spcc_algebra algebra;   /* what the planner may make of sums of products */
    spcc_language language; /* with SPCC_LANGUAGE_CUDA: not plain */
    /* promises: the tensors that each names, "X,W", have one pattern in one format, or in formats
     * that begin with the same levels.  A run compares them and fails with SPCC_ERROR_BINDING; an
     * emitted function does not. */
    const char *const *same;
    int n_same;
} spcc_compile_options;

/* Compile a statement, unless the context or the cache on disk has its kernel. */
SPCC_API spcc_status spcc_compile(spcc_context *context, const char *statement,
                                  const spcc_compile_options *options, spcc_kernel **kernel);
SPCC_API void spcc_kernel_free(spcc_kernel *kernel);

/* The kernel's tensors, in the order in which the statement names them: 0 is the result.  Of
 * several statements, the first spcc_kernel_results are the results. */
SPCC_API int spcc_kernel_results(const spcc_kernel *kernel);
SPCC_API int spcc_kernel_tensors(const spcc_kernel *kernel);
SPCC_API const char *spcc_kernel_tensor_name(const spcc_kernel *kernel, int k);

/* Run the kernel on tensors.  spcc_run(context, kernel, y, A, x) takes all spcc_kernel_tensors
 * tensors as arguments, in the kernel's order; spcc_run_array takes an array of them.  spcc_run is
 * a macro (in C++ a template) that counts its arguments.  If there are too few or too many,
 * SPCC_ERROR_ARGUMENT names the kernel's tensors and those that are missing.  The messages go to
 * the context, which need not be the one that compiled the kernel.
 *
 * Before anything is written, the call checks the tensors.  Their formats, types and fills must be
 * those that the kernel was compiled for.  Modes with the same index variable must have the same
 * size; the message of SPCC_ERROR_BINDING names both tensors and modes.  The result must share no
 * memory with an operand.
 *
 * A dense result is written in place, also in borrowed arrays that are writable.  So are the values
 * of a sparse result if the statement updates a part of it, as A(2,3) += 5 does: if that would
 * change a component that is not stored, SPCC_ERROR_BINDING says so, and nothing has changed.  Any
 * other sparse result gets new arrays, which the tensor owns.  Its old arrays, unless they are
 * borrowed, and the kernel's temporary memory stay as room for the next run.  Repeated runs into
 * one result therefore allocate nothing after the third run, except for the temporary memory of
 * other threads than the caller's.  A result thus takes up to twice its size.  spcc_tensor_trim
 * frees the room, and spcc_options.max_spare limits it.  If a run fails, the result keeps its old
 * pattern.  spcc_run_options.overwrite gives this up for half of the memory. */
SPCC_API spcc_status spcc_run_array(spcc_context *context, const spcc_kernel *kernel,
                                    spcc_tensor *const *tensors, int n_tensors);
#ifndef __cplusplus
#define spcc_run(context, kernel, ...)                                       \
    spcc_run_array((context), (kernel), (spcc_tensor *const[]){__VA_ARGS__}, \
                   (int)(sizeof((spcc_tensor *const[]){__VA_ARGS__}) / sizeof(spcc_tensor *)))
#endif

/* Where the time of a run on a GPU went, by its clock: the tensors there, the kernels, and the
 * results back. */
typedef struct spcc_gpu_times {
    double there_ms, kernel_ms, back_ms;
    int64_t there_bytes, back_bytes;
} spcc_gpu_times;

/* The bytes that a copy from the GPU's memory to the GPU's memory reads and writes in a
 * millisecond, measured now: no kernel is faster.  0: the clock is too coarse. */
SPCC_API spcc_status spcc_gpu_copy_rate(spcc_context *context, double *bytes);

typedef struct spcc_run_options {
    size_t size; /* sizeof(spcc_run_options) */
    int threads; /* for this run, as in spcc_options; 0: as the context says */
    /* The old arrays of sparse results are room for this run: such a result needs half of the
     * memory, and often less time, because the caches hold one set of arrays and not two.  If the
     * run fails, the result is as spcc_tensor_take_array leaves it: it has sizes and no components.
     * A result that the statement reads keeps its arrays until the run ends, and so does one that
     * borrows them.  If it is written in place it may have some new values after a run that was
     * stopped (spcc_stop). */
    bool overwrite;
    spcc_gpu_times *gpu_times; /* set by a run on a GPU; NULL: nobody asks */
    /* The CUstream, or cudaStream_t, that a run on a GPU is in.  If all results are dense and on
     * the GPU the run does not wait for it, and has no times: until the program has synchronized
     * with it, it frees none of the run's tensors, nor its kernel, and uses them in no other
     * stream.  NULL: one of spcc's, in order with the default stream, which the run waits for. */
    void *gpu_stream;
} spcc_run_options;

SPCC_API spcc_status spcc_run_with(spcc_context *context, const spcc_kernel *kernel,
                                   spcc_tensor *const *tensors, int n_tensors,
                                   const spcc_run_options *options);

/* Find the fastest plan.  spcc_tune compiles the best plans by the planner's estimate, and runs
 * them in turns on the given tensors.  It keeps the fastest in the cache beside the compiled
 * kernels. spcc_eval then uses that plan for these tensors, and for others of the same formats,
 * types, fills and roughly the same sizes, with as many threads, on this processor and in this
 * version of spcc. So do spcc_compile and spcc_emit if the options set plan_for_tensors. */
typedef struct spcc_tune_options {
    size_t size; /* sizeof(spcc_tune_options) */
    int plans;   /* the most plans to run; 0: 8 */
    int runs;    /* the runs of each plan, at most 1000; 0: until the median is reliable */
} spcc_tune_options;

/* A plan and its measured time.  Members may be added at the end of these structures: only the
 * library makes them. */
typedef struct spcc_tuned_plan {
    /* all its directives, including the given ones, for spcc_compile with no_plan; "": none */
    const char *schedule;
    double steps; /* its cost by the planner's estimate, in steps of a simple loop */
    double ms;    /* the median of its runs */
    int runs;     /* a plan that takes more than twice as long as another is not run again */
    bool planned; /* the planner chooses this plan */
    /* why the plan is not considered: its kernel does not compile, or its result differs by more
     * than roundings; NULL: it is considered */
    const char *trouble;
} spcc_tuned_plan;

typedef struct spcc_tuning {
    int n_plans;
    const spcc_tuned_plan *plans; /* the fastest first, those with trouble last */
    const char *unkept;           /* why the fastest was not kept, a sentence; NULL: it was */
} spcc_tuning;

/* Bind every tensor of the statement.  Results are not written; there must be memory for two more
 * of them.  The bound tensors declare the operands that the options do not declare.  The kind must
 * be SPCC_FUSED.  A compiler is needed. */
SPCC_API spcc_status spcc_tune(spcc_context *context, const char *statement,
                               const spcc_compile_options *options, const spcc_binding *bindings,
                               int n_bindings, const spcc_tune_options *how, spcc_tuning **tuning);
SPCC_API void spcc_tuning_free(spcc_tuning *tuning);

/* Find the fastest formats of operands.  spcc_tune_formats converts an operand to each format that
 * could serve, runs the statement, and compares the results with those of the operands as they are.
 * The formats depend on the operand's order alone: trees and lists of coordinates in several orders
 * of the modes, padded fibers, blocks, diagonals, all components; and the fastest of them with
 * narrow positions and coordinates.  Formats that take more than four times the memory of the
 * smallest are not tried.  The fastest four and the given format run in turns.  Of several operands
 * each is tuned with those before it in their fastest formats.
 *
 * The answer is kept in the cache beside the compiled kernels, for operands of about the same sizes
 * in any sparse format.  spcc_convert_to_tuned converts an operand to the format that was kept. */
typedef struct spcc_tune_formats_options {
    size_t size;                 /* sizeof(spcc_tune_formats_options) */
    const char *const *operands; /* NULL: those that are sparse */
    int n_operands;
    const char *const *formats; /* to try; NULL: those that could serve */
    int n_formats;              /* at most 48 */
    int runs; /* the runs of each in turns, at most 1000; 0: until the median is reliable */
} spcc_tune_formats_options;

/* A format of an operand, and its measured times.  Members may be added at the end of these
 * structures: only the library makes them. */
typedef struct spcc_tuned_format {
    const char *operand, *format;
    int64_t bytes;     /* that the operand takes in this format */
    double convert_ms; /* from the given format; 0 of that */
    double ms;         /* the least time of a run of the statement */
    int runs;
    /* the runs after which the conversion has paid for itself; 0: it is the given format, -1: it is
     * slower than that */
    double pays_after;
    bool given;
    /* why the format was not measured: it takes too much memory, its kernel does not compile, or
     * its results differ by more than roundings; NULL: it was */
    const char *trouble;
} spcc_tuned_format;

typedef struct spcc_format_tuning {
    int n_formats;
    /* operand by operand; the fastest first, those with trouble last */
    const spcc_tuned_format *formats;
    const char *unkept; /* why an answer was not kept, a sentence; NULL: all were */
} spcc_format_tuning;

/* Bindings, options and results are as for spcc_tune.  Memory is needed for five more copies of an
 * operand. */
SPCC_API spcc_status spcc_tune_formats(spcc_context *context, const char *statement,
                                       const spcc_compile_options *options,
                                       const spcc_binding *bindings, int n_bindings,
                                       const spcc_tune_formats_options *how,
                                       spcc_format_tuning **tuning);
SPCC_API void spcc_format_tuning_free(spcc_format_tuning *tuning);

/* The operand in the format that was found for it, a new tensor.  NULL with SPCC_OK: nothing was
 * kept for such tensors, or the operand has that format already. */
SPCC_API spcc_status spcc_convert_to_tuned(spcc_context *context, const char *statement,
                                           const spcc_compile_options *options,
                                           const spcc_binding *bindings, int n_bindings,
                                           const char *operand, spcc_tensor **converted);

/* ======== 6. Assemble once, compute many ======== */

/* For a kernel of kind SPCC_SPLIT.  spcc_assemble makes the result's pattern from the patterns of
 * the operands, with the fill as its values.  spcc_compute computes the values into that pattern.
 * Call it again when values of operands have changed and patterns have not.  (spcc_run does both.)
 *
 * Kernels of kind SPCC_ASSEMBLE and SPCC_COMPUTE work in the same way.  Two of them go together if
 * they are of the same statement, operators and sizes; their schedules may differ.
 *
 * The result remembers for which statement and patterns it was assembled; SPCC_ERROR_BINDING if
 * these are others.  This does not hold for a result that is borrowed with trusted set.  Its
 * components get the values of the statement, or the fill if the statement has none, and values of
 * components that it does not store are dropped.  If the statement gives the result an operand's
 * pattern (C(i,j) = 2 * A(i,j), or a sum below S(i,j) * ...), the two patterns are compared and
 * must be equal. */
SPCC_API spcc_status spcc_assemble(spcc_context *context, const spcc_kernel *kernel,
                                   spcc_tensor *const *tensors, int n_tensors);
SPCC_API spcc_status spcc_compute(spcc_context *context, const spcc_kernel *kernel,
                                  spcc_tensor *const *tensors, int n_tensors);
SPCC_API spcc_status spcc_compute_with(spcc_context *context, const spcc_kernel *kernel,
                                       spcc_tensor *const *tensors, int n_tensors,
                                       const spcc_run_options *options);

/* ======== 7. Generated source ======== */

typedef enum spcc_stage {
    SPCC_STAGE_C = 0,           /* C11, to paste into a program; needs nothing of spcc */
    SPCC_STAGE_HEADER = 1,      /* a header that declares the function */
    SPCC_STAGE_NOTATION = 2,    /* the statement, checked, with every sum written out */
    SPCC_STAGE_CONCRETE = 3,    /* its loops */
    SPCC_STAGE_PLAN = 4,        /* its loops after scheduling */
    SPCC_STAGE_LATTICE = 5,     /* the iteration lattice of every loop */
    SPCC_STAGE_LATTICE_DOT = 6, /* the lattices as a Graphviz graph */
    SPCC_STAGE_IMPERATIVE = 7,  /* the imperative code that C is printed from */
    SPCC_STAGE_EXPLAIN = 8,     /* all of these, explained */
    /* the iteration graph as a Graphviz graph: the loops, and the paths of accesses through them */
    SPCC_STAGE_GRAPH_DOT = 9,
    /* the iteration graph as a picture; SPCC_ERROR_LIMIT if it is too large */
    SPCC_STAGE_GRAPH_SVG = 10,
    SPCC_STAGE_LATTICE_SVG = 11, /* the lattices as a picture; SPCC_ERROR_LIMIT likewise */
    /* what each pass changed in the imperative code, which is checked after each */
    SPCC_STAGE_PASSES = 12
} spcc_stage;

/* A stage on the way from a statement to code, as a text; free it with spcc_free.  Compiles
 * nothing. */
SPCC_API spcc_status spcc_emit(spcc_context *context, const char *statement,
                               const spcc_compile_options *options, spcc_stage stage, char **text);

/* ======== 8. Looking closer ======== */

typedef enum spcc_severity { SPCC_SEVERITY_ERROR = 0, SPCC_SEVERITY_NOTE = 1 } spcc_severity;

/* One message, in parts.  Members may be added at the end: only the library makes these. */
typedef struct spcc_diagnostic {
    spcc_severity severity;
    spcc_status status;  /* the kind of error; SPCC_OK for a note */
    int code;            /* 203 for error[E203], never changes; 0 for a note */
    const char *message; /* one sentence, no full stop */
    /* "expression", "schedule", "format of A", the name of a file; NULL: no place */
    const char *source;
    const char *text; /* the text of that source, as far as it is known; "" for files */
    int begin, end;   /* the bytes [begin, end) of text */
    int line, column; /* the place of begin, counted from 1; 0: not known */
    int n_notes;
    const char *const *notes; /* facts that explain the message */
    const char *help;         /* a remedy, or NULL */
} spcc_diagnostic;

/* The messages of spcc_message one by one; NULL if there is no message i. */
SPCC_API int spcc_diagnostic_count(const spcc_context *context);
SPCC_API const spcc_diagnostic *spcc_diagnostic_get(const spcc_context *context, int i);

/* The names in a statement.  Parsing needs to know nothing about its tensors. */
typedef struct spcc_statement spcc_statement;

SPCC_API spcc_status spcc_statement_parse(spcc_context *context, const char *text,
                                          spcc_statement **statement);
/* The same for a statement with operators of your own.  Of the options, only the operators are
 * used. */
SPCC_API spcc_status spcc_statement_parse_with(spcc_context *context, const char *text,
                                               const spcc_compile_options *options,
                                               spcc_statement **statement);
SPCC_API void spcc_statement_free(spcc_statement *statement);

/* Its tensors, each once, in the order in which they appear: 0 is the result.  Of several
 * statements, the first spcc_statement_results are the results.  Variable m of tensor k is the
 * index variable of mode m where the tensor first appears.  If a number stands there, it is that
 * number in decimal digits. */
SPCC_API int spcc_statement_results(const spcc_statement *statement);
SPCC_API int spcc_statement_tensors(const spcc_statement *statement);
SPCC_API const char *spcc_statement_tensor_name(const spcc_statement *statement, int k);
SPCC_API int spcc_statement_tensor_order(const spcc_statement *statement, int k);
SPCC_API const char *spcc_statement_variable(const spcc_statement *statement, int k, int m);

/* The places where tensors stand, from left to right.  For each: the number of the tensor, -1 if
 * there is no such place, and the variable or number that indexes its mode m there.  Variables that
 * index the same mode have the same size: in A(a,b) * A(b,c), all three variables. */
SPCC_API int spcc_statement_uses(const spcc_statement *statement);
SPCC_API int spcc_statement_use_tensor(const spcc_statement *statement, int u);
SPCC_API const char *spcc_statement_use_variable(const spcc_statement *statement, int u, int m);

/* Its index variables, each once, also those that only a reduction names. */
SPCC_API int spcc_statement_variables(const spcc_statement *statement);
SPCC_API const char *spcc_statement_variable_name(const spcc_statement *statement, int v);

/* Does the statement read the old values of its result k, as y(i) += ... and y(i) = 2 * y(i) do?
 * True for operands. */
SPCC_API bool spcc_statement_reads(const spcc_statement *statement, int k);
/* Does it read the old values of any result? */
SPCC_API bool spcc_statement_is_compound(const spcc_statement *statement);

/* A format for the result of a statement, if the options declare none.  It is a text; free it with
 * spcc_free.  NULL means dense.
 *
 * The format is sparse if the result equals its fill wherever the sparse operands equal their
 * fills, whatever the dense operands hold: for A(i,k) * B(k,j) of two csr matrices, and for A(i,j)
 * * d(j) of a csr matrix and a dense vector.  A level is dense for a mode that only dense operands
 * have. The first level is also dense if an operand stores it in full, or if sums with a dense
 * operand fill it.  Other levels are compressed.  The modes come in the order of the operands: the
 * sum and the product of csc matrices are csc, and A(j,i) of a csr matrix is csc. */
SPCC_API spcc_status spcc_result_format(spcc_context *context, const char *statement,
                                        const spcc_compile_options *options, char **format);
/* The same for one of several results. */
SPCC_API spcc_status spcc_result_format_of(spcc_context *context, const char *statement,
                                           const spcc_compile_options *options, int result,
                                           char **format);
/* The same for a caller that supports certain formats only.  *taken is the number of the format
 * that is nearest, or the first of several equally near ones.  A format NULL is dense.  Formats for
 * tensors of another order are skipped, so that one list serves all results; SPCC_ERROR_ARGUMENT if
 * none is left. */
SPCC_API spcc_status spcc_result_format_among(spcc_context *context, const char *statement,
                                              const spcc_compile_options *options, int result,
                                              const char *const *formats, int n_formats,
                                              int *taken);

/* The type of the value that a result is assigned, by the rules of promotion (docs/language.md),
 * whatever the options declare for the results; a sum of comparisons counts, in i64.  The type of a
 * result that the statement reads is the declared one. */
SPCC_API spcc_status spcc_result_type(spcc_context *context, const char *statement,
                                      const spcc_compile_options *options, int result,
                                      spcc_type *type);

/* Does the plan put the last of several statements with ';' between them into common loops with
 * others?  If it does not, the statement can as well be compiled by itself. */
SPCC_API spcc_status spcc_shares_loops(spcc_context *context, const char *statement,
                                       const spcc_compile_options *options, bool *shares);

typedef enum spcc_origin {
    SPCC_ORIGIN_COMPILED = 0, /* compiled by this call */
    SPCC_ORIGIN_DISK = 1,     /* found in the cache on disk */
    SPCC_ORIGIN_MEMORY = 2,   /* found in the context */
    SPCC_ORIGIN_PACK = 3      /* found in a pack */
} spcc_origin;

/* How a kernel was made.  Members may be added at the end: only the library makes these. */
typedef struct spcc_kernel_info {
    spcc_engine engine; /* never SPCC_ENGINE_AUTO */
    bool fallback;      /* interpreted because there is no compiler; note says more */
    /* where its code comes from; MEMORY: another kernel of the context has the same code */
    spcc_origin origin;
    double generate_ms; /* time from the statement to C */
    double compile_ms;  /* time of the C compiler; 0 unless SPCC_ORIGIN_COMPILED */
    double load_ms;
    const char *note; /* a remark that is no error, or NULL */
} spcc_kernel_info;

/* Valid until the kernel is freed. */
SPCC_API const spcc_kernel_info *spcc_kernel_get_info(const spcc_kernel *kernel);

/* The least bytes that a run on these tensors moves: each operand is read once, and the result is
 * written once, and also read once by a compound assignment.  -1 if the tensors do not fit the
 * kernel. */
SPCC_API int64_t spcc_kernel_traffic(const spcc_kernel *kernel, spcc_tensor *const *tensors,
                                     int n_tensors);

/* A table of what spcc offers, as a text to print; free it with spcc_free. */
typedef enum spcc_table {
    /* level types: letter, name, properties, capabilities, arrays */
    SPCC_TABLE_LEVELS = 0,
    SPCC_TABLE_TYPES = 1,     /* value types: name, other names, bytes */
    SPCC_TABLE_OPERATORS = 2, /* operators and functions: operands and results */
    SPCC_TABLE_SCHEDULES = 3, /* directives: usage and meaning */
    SPCC_TABLE_FORMATS = 4    /* formats with a name: name and meaning */
} spcc_table;

SPCC_API spcc_status spcc_describe(spcc_context *context, spcc_table table, char **text);

/* Explain a word: the name of a format, letters of levels, a level type, a directive, an operator
 * or function, or a type.  The explanation is a text; free it with spcc_free.  SPCC_ERROR_ARGUMENT
 * if the word is none of these; the message gives the nearest one. */
SPCC_API spcc_status spcc_describe_word(spcc_context *context, const char *word, char **text);

/* The compiler of an engine, "clang 22.1.8", as a text; free it with spcc_free.
 * SPCC_ERROR_COMPILER if it is not available. */
SPCC_API spcc_status spcc_engine_describe(spcc_context *context, spcc_engine engine, char **text);

/* The machine that the context's kernels are made for, as a text; free it with spcc_free.  The
 * first line is a comment, "# x86-64-v3: ...".  Then there is one figure a line, with its meaning
 * as a comment.  spcc_options.target may be a file with such lines; figures that it leaves out are
 * those of "generic", or of the machine NAME if its first line is "like NAME".  The names are
 * "generic", "x86-64", "x86-64-v3", "x86-64-v4" and "arm64". */
SPCC_API spcc_status spcc_target_describe(spcc_context *context, char **text);

/* The cache of compiled kernels on disk.  Members may be added at the end: only the library
 * makes these. */
typedef struct spcc_cache_info {
    const char *folder;     /* NULL: there is none, or its place is not known */
    int64_t kernels, bytes; /* the kernels in it, and their bytes on disk; -1: it is not used */
    int64_t limit;          /* the bytes that it may take, approximately; -1: it is not used */
    /* why it is not used or keeps no new kernels, as a sentence; NULL: it works */
    const char *trouble;
} spcc_cache_info;

/* Inspect the cache of the context, and try to write to it.  Free *info with spcc_free. */
SPCC_API spcc_status spcc_cache_look(spcc_context *context, spcc_cache_info **info);

/* ======== 9. Packs ======== */

/* Kernels in a file, for machines without a compiler, and for programs that start at once.  A
 * context finds them in its packs (spcc_options.packs) before it asks a compiler.  A kernel serves
 * requests for its statement with the same formats, types, fills and options, whatever the sizes of
 * the tensors at hand.
 *
 * A pack has each kernel for several processors, with threads and without.  It is a shared library;
 * spcc reads it as a file and needs nothing else, and C programs can call its functions, if it has
 * some.  A pack of another version of spcc, for other processors, or that is not whole is passed
 * over, and spcc_compile leaves a note. */
typedef struct spcc_pack spcc_pack;

typedef struct spcc_pack_options {
    size_t size; /* sizeof(spcc_pack_options) */
    /* targets by name that kernels are compiled for (spcc_target_describe).  0: on x86-64
     * "x86-64" (which is compiled for x86-64-v2), "x86-64-v3" and "x86-64-v4"; on arm64 "arm64" */
    const char *const *machines;
    int n_machines;
    /* functions for C programs, too: of the names in spcc_compile_options, as spcc_emit declares
     * them with SPCC_STAGE_HEADER; each is the one for the processor.  The library then needs an
     * OpenMP runtime if one of them has threads */
    bool functions;
} spcc_pack_options;

SPCC_API spcc_status spcc_pack_new(spcc_context *context, const spcc_pack_options *options,
                                   spcc_pack **pack);

/* Compile a statement into the pack, by the system's C compiler; the width of positions and
 * coordinates is the context's.  The kind is not SPCC_SPLIT. */
SPCC_API spcc_status spcc_pack_add(spcc_context *context, spcc_pack *pack, const char *statement,
                                   const spcc_compile_options *options);

/* Link the library, and write it to a file, which appears when it is complete.  If the file's name
 * is NAME-VERSION-PYTHON-ABI-PLATFORM.whl, it is a Python wheel: pip then installs the pack beside
 * the package spcc, which finds it there. */
SPCC_API spcc_status spcc_pack_write(spcc_context *context, spcc_pack *pack, const char *path);
SPCC_API void spcc_pack_free(spcc_pack *pack);

#ifdef __cplusplus
}

template <class... tensor_pointers>
inline spcc_status spcc_run(spcc_context *context, const spcc_kernel *kernel,
                            tensor_pointers... tensors)
{
    spcc_tensor *const list[] = {tensors...};
    return spcc_run_array(context, kernel, list, static_cast<int>(sizeof...(tensors)));
}
#endif

#endif
