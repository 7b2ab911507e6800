/* spcc.h - sparse tensor algebra, compiled.
 *
 * spcc turns a statement in tensor index notation into a loop nest for the formats its tensors are
 * stored in, compiles it to machine code inside the process, and runs it on your arrays:
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
 * This header is the manual, in the order in which you are likely to need it:
 *
 *     1  statuses and contexts       what every call returns, where messages are
 *     2  value types
 *     3  tensors                     made from coordinates, from your arrays, from files; read
 *                                    back, converted, looked at
 *     4  one statement, one call     spcc_eval
 *     5  compile once, run many      spcc_compile, spcc_run; spcc_tune
 *     6  assemble once, compute many for results whose pattern does not change
 *     7  generated source            spcc_emit
 *     8  looking closer              diagnostics, what a statement names, what a kernel cost
 *
 * The rules that hold everywhere:
 *
 *   Status.    A function that can fail returns a spcc_status, and SPCC_OK is 0.  Its last
 *              parameter is what it makes, which is NULL after a failure.  What went wrong is told
 *              by spcc_message.
 *   Threads.   There is no global state, but for the names of unfinished files (spcc_clean_up) and
 *              for how many threads are at work, so that contexts in several threads share the
 *              processors.  A context is used by one thread at a time; several contexts by several
 *              threads at once.  Kernels never change: any number of threads may run one kernel at
 *              once, each with a context and a result of its own.  Operands are only read.
 *   Manners.   The library prints nothing, never ends the process, and calls no function of yours.
 *              Where memory is short, SPCC_ENGINE_AUTO leaves a kernel that Clang has no room for
 *              to the next engine, with a note; once Clang has run out of memory in a compilation,
 *              it is not used again in the process.
 *   Ownership. What a function gives through its last parameter is yours, to be freed with the
 *              function of its type; each of these accepts NULL.  Tensors and kernels do not need
 *              their context to live on.  Texts that are returned as const char * belong to the
 *              object they are asked of.
 *   Options.   An options pointer may be NULL.  A structure of options starts with its size, which
 *              you set to sizeof of it, and a member that is zero means the default; so programs
 *              built against an older header go on working.
 *   Numbers.   In arguments and arrays modes, levels and coordinates count from 0, as C does, and
 *              so does the order of the modes in a format, "ds:1,0".  Messages count modes, levels,
 *              entries, lines and arguments from 1, as files do coordinates.  Sizes and coordinates
 *              are int64_t.  Complex values are two floating-point numbers, real and imaginary.
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

/* Every status: X(NAME, number, message).  The numbers never change: 1 to 19 say that what was
 * given is wrong, 20 to 39 that the machine is, 70 that spcc is. */
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

/* A context holds the settings, the compilers that were found, the kernels compiled through it, and
 * the messages of the last call. */
typedef struct spcc_context spcc_context;

/* Who turns a kernel into something that runs.  Each gives the same values; where they are rounded,
 * the last bits may differ (a multiplication and an addition may be rounded as one). */
typedef enum spcc_engine {
    /* the first of these that is there; that it is only the interpreter is noted */
    SPCC_ENGINE_AUTO = 0,
    SPCC_ENGINE_CLANG = 1, /* Clang inside this process, opened when it is first needed */
    SPCC_ENGINE_CC = 2,    /* the system's C compiler, in a process of its own */
    /* no compiler: interpreted, slowly, with every array access checked */
    SPCC_ENGINE_INTERP = 3
} spcc_engine;

typedef struct spcc_options {
    size_t size; /* sizeof(spcc_options) */
    spcc_engine engine;
    const char *cache; /* directory of compiled kernels; "": none.
                                NULL: $XDG_CACHE_HOME/spcc or ~/.cache/spcc */
    /* 32 or 64: of stored positions and coordinates where a format does not say; 0: 32 */
    int index_bits;
    /* that reading, packing and parallel kernels use, whatever else is at work in the process;
     * results do not depend on it, but for the last bits of sums into arrays.  0: as many as
     * OMP_NUM_THREADS says, else as there are processors, less those that other calls use; one in
     * a parallel region of OpenMP's */
    int threads;
    /* the C compiler and its first arguments; NULL: $SPCC_CC, $CC, or cc, gcc, clang */
    const char *cc;
    const char *plugin; /* the file of the Clang plug-in; NULL: as installed */
    /* make a crash of Clang inside this process an error, by signal handlers that are there
     * while it compiles: for a program of your own, not for a library in others' */
    bool catch_crashes;
    /* bytes that the process may use when a call needs more, or SPCC_ERROR_MEMORY says for what;
     * 0: 80 % of what machine, control group and process have to give at that time.  What
     * kernels and compilers allocate for themselves is not counted before it is there */
    int64_t max_memory;
    /* how remedies spell what a user of yours would set, as {"index", "--index=%s", "memory",
     * "--max-memory=%s", NULL}: names of settings, each with what stands for it, %s being the
     * value; it outlives the context.  Settings that are not listed, and all if it is NULL, are
     * spelled as members of these structures: base, declaration, dimensions, emit, format, index,
     * memory, name, no_plan, numbers, size, symmetry */
    const char *const *spellings;
    /* bytes of arrays that a result keeps from run to run, as room for the next (spcc_run);
     * 0: all that its last run had in use, -1: none */
    int64_t max_spare;
} spcc_options;

/* Fails with SPCC_ERROR_MEMORY or SPCC_ERROR_ARGUMENT; there is no message then but the status's
 * text. */
SPCC_API spcc_status spcc_context_new(const spcc_options *options, spcc_context **context);
SPCC_API void spcc_context_free(spcc_context *context);

/* What the last call that took this context has to say, with the place in the statement or file
 * drawn:
 *
 *     error[E203]: j has two sizes
 *       y(i) = A(i,j) * x(j)
 *                         ^
 *       note: A(i,j) gives it the size 3
 *
 * "" if there is nothing.  A call that succeeds may leave notes.  Every call with a context first
 * forgets the messages of the one before, spcc_message and spcc_diagnostic_* excepted. */
SPCC_API const char *spcc_message(const spcc_context *context);

/* Remove the unfinished files of this process, and kill its compilers: for a signal handler of a
 * program that is about to end, in whatever thread.  Async-signal-safe.  The library installs no
 * handler for that. */
SPCC_API void spcc_clean_up(void);

/* A copy of a text from elsewhere, the name of a file say, that is safe to show on a terminal, to
 * spcc_free: control characters, those that change the direction of text, and bytes that are no
 * UTF-8 are written out, as \x1b or \u202e. Messages of the library are like that.  NULL: no
 * memory. */
SPCC_API char *spcc_printable(const char *text);

/* Free a text that a function gave (spcc_emit), or an array (spcc_tensor_take_array). */
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

/* "f64"; 8.  NULL and 0 for a number that is no type. */
SPCC_API const char *spcc_type_name(spcc_type type);
SPCC_API size_t spcc_type_size(spcc_type type);

/* The type of this name; false if there is none. */
SPCC_API bool spcc_type_parse(const char *name, spcc_type *type);

/* ======== 3. Tensors ======== */

/* A tensor: a format, a value type, a size for every mode, a fill value, and arrays.
 *
 * A format says how the coordinates are stored, level by level (docs/formats.md).  In every
 * function below it is a text: a name ("csr", "coo", "csf"), one letter a level ("ds", "ss:1,0"),
 * or in full ("(i,j) -> (i : dense, j : compressed)"); NULL means that every level is dense.
 *
 * The fill value, 0 unless told otherwise, is the value of the components that are not stored. */
typedef struct spcc_tensor spcc_tensor;

typedef struct spcc_tensor_options {
    size_t size;      /* sizeof(spcc_tensor_options) */
    const char *name; /* what messages call it; NULL: nothing */
    const char *fill; /* "0" (or NULL), "inf", "-1.5", "true", "(1,-2)" */
    /* spcc_tensor_borrow: the arrays are known to be valid, do not check them */
    bool trusted;
    /* spcc_tensor_borrow: the tensor may be a result; its values are then written */
    bool writable;
} spcc_tensor_options;

/* A tensor without stored components: what a result starts as.  Its dense levels hold the fill.  If
 * dimensions is NULL, the first run that has it as its result takes the sizes from the operands. */
SPCC_API spcc_status spcc_tensor_new(spcc_context *context, const char *format, spcc_type type,
                                     int order, const int64_t *dimensions,
                                     const spcc_tensor_options *options, spcc_tensor **tensor);

/* A scalar: a tensor of order 0.  *value is of the type, and copied. */
SPCC_API spcc_status spcc_tensor_scalar(spcc_context *context, spcc_type type, const void *value,
                                        spcc_tensor **tensor);

/* A dense tensor, its last mode contiguous ("row-major").  values holds the product of the
 * dimensions, and is copied. */
SPCC_API spcc_status spcc_tensor_dense(spcc_context *context, spcc_type type, int order,
                                       const int64_t *dimensions, const void *values,
                                       spcc_tensor **tensor);

/* A tensor of any format packed from n components in any order: component k has the coordinates
 * coordinates[k*order] ... coordinates[k*order + order-1] and the value values[k].  Duplicates are
 * summed. Copies everything. */
SPCC_API spcc_status spcc_tensor_from_coords(spcc_context *context, const char *format,
                                             spcc_type type, int order, const int64_t *dimensions,
                                             int64_t n, const int64_t *coordinates,
                                             const void *values, const spcc_tensor_options *options,
                                             spcc_tensor **tensor);

/* An array of a level: its first element, and how many there are. */
typedef struct spcc_array {
    const void *at;
    int64_t length;
} spcc_array;

/* A tensor on your own arrays, without a copy: they must outlive the tensor and not change their
 * pattern. arrays holds the levels' arrays from the first level to the last, n_arrays in all, those
 * of a level in this order:
 *
 *     compressed   pos    where the children of each position of the level above begin, and where
 *                         the last end
 *                  crd    a coordinate for each position
 *     singleton    crd    a coordinate for each position
 *     padded       width  one number: so many positions below each position of the level above
 *                  crd    a coordinate for each, and behind the last ones -1
 *     hashed       width  one number, a power of two: so many positions below each position of the
 *                  level above
 *                  crd    a coordinate for each, or -1: coordinate c is at the first place that was
 *                         free, from (c * 0x9e3779b97f4a7c15 >> 32) % width on, c being a uint64_t,
 *                         and at least one stays free
 *     bitmap       map    a bool for each coordinate
 *     bytemap      count  one number: so many coordinates
 *                  map    a bool for each coordinate
 *                  crd    the coordinates, with room for every one
 *
 * Dense, range and offset have none.  map is of bools, pos, width and count are of the integer type
 * that the format or the context's index_bits say for positions, crd of that for coordinates; where
 * such a type has no sign, its largest number stands for -1.  Padded and hashed levels of
 * differences (j-i) store their distance from the least of them.  A csr matrix of m rows has two
 * arrays:
 *
 *     level 0   dense        none
 *     level 1   compressed   pos of m + 1 elements, crd of pos[m] elements
 *
 * and coo has the compressed level's two {0, n} and the rows, then the singleton level's one, the
 * columns.  values holds one value for each position of the last level, n_values in all; those
 * beyond the tensor, in blocks that its sizes are no multiples of and on the ends of diagonals, are
 * not looked at.
 *
 * The arrays are checked once, in one pass: positions monotone and in range, coordinates in range,
 * sorted and unique where the format says so; bools 0 or 1.  SPCC_ERROR_TENSOR names the level,
 * the array and the element. */
SPCC_API spcc_status spcc_tensor_borrow(spcc_context *context, const char *format, spcc_type type,
                                        int order, const int64_t *dimensions,
                                        const spcc_array *arrays, int n_arrays, const void *values,
                                        int64_t n_values, const spcc_tensor_options *options,
                                        spcc_tensor **tensor);

/* The same with a format that is parsed already, once for many tensors. */
typedef struct spcc_format spcc_format;
SPCC_API spcc_status spcc_format_parse(spcc_context *context, const char *text, int order,
                                       spcc_format **format);
SPCC_API void spcc_format_free(spcc_format *format);
SPCC_API spcc_status spcc_tensor_borrow_as(spcc_context *context, const spcc_format *format,
                                           spcc_type type, const int64_t *dimensions,
                                           const spcc_array *arrays, int n_arrays,
                                           const void *values, int64_t n_values,
                                           const spcc_tensor_options *options,
                                           spcc_tensor **tensor);

/* Put other arrays under a tensor that borrows, of the same sizes; checked like the first unless
 * that was trusted.  After a failure it has those that it had. */
SPCC_API spcc_status spcc_tensor_rebind(spcc_context *context, spcc_tensor *tensor,
                                        const spcc_array *arrays, int n_arrays, const void *values,
                                        int64_t n_values);

/* Check the arrays of a tensor, which may have been borrowed with trusted set: SPCC_ERROR_TENSOR
 * as from spcc_tensor_borrow. */
SPCC_API spcc_status spcc_tensor_check(spcc_context *context, const spcc_tensor *tensor);

typedef struct spcc_read_options {
    size_t size; /* sizeof(spcc_read_options) */
    const char *name;
    const char *fill;
    int order; /* refuse a file of another order; 0: take what comes */
    /* the sizes (needs order), -1 where the file is to say; NULL: the file says */
    const int64_t *dimensions;
    /* values of the type that the file states, SPCC_I64 or SPCC_C128, and SPCC_F64 where it
     * states none: type is not looked at */
    bool own_type;
    /* refuse a file of another order than 0 (without order, which says so of the others) */
    bool scalar;
    bool zero_based; /* coordinates of .tns and .edges files begin at 0 */
} spcc_read_options;

/* A tensor from a file, whose kind its name tells (docs/files.md): Matrix Market (.mtx, and .ttx
 * for tensors of any order), Rutherford-Boeing (.rb), FROSTT (.tns), lists of edges (.edges), NumPy
 * (.npy, .npz), each also compressed (.mtx.gz); of an archive (.zip, .tar.gz) the only tensor, or
 * the one that the path goes on with ("x.zip/a.mtx"); "-" is standard input, Matrix Market if it
 * begins like that, else .tns.  .tns and .edges files mostly carry no sizes: where options give
 * none, the largest coordinate does (spcc_tensor_info says so).  Duplicates are summed.  A scalar
 * is dense whatever the format.  SPCC_ERROR_FILE names the file, line and column. */
SPCC_API spcc_status spcc_tensor_read(spcc_context *context, const char *path, const char *format,
                                      spcc_type type, const spcc_read_options *options,
                                      spcc_tensor **tensor);

/* The tensor as a file, of the kind its name tells; "-" is standard output, as .tns.  A dense
 * matrix, vector or scalar is an array in .mtx files, as all tensors are in .npy files.  Lists of
 * coordinates have what a tensor stores, but not what equals the fill of a dense one, nor of blocks
 * and diagonals, where it may be padding.  Components come in the order in which they are stored,
 * and from blocks, diagonals and hash tables in the order of their coordinates.  The file appears
 * under its name once it is complete, or not at all, however the process ends; a crash of the
 * machine may leave an empty file, unless options ask for sync. */
SPCC_API spcc_status spcc_tensor_write(spcc_context *context, const spcc_tensor *tensor,
                                       const char *path);

/* What a matrix may be, so that one triangle says all of it. */
typedef enum spcc_symmetry {
    SPCC_GENERAL = 0, /* nothing */
    SPCC_SYMMETRIC = 1,
    SPCC_SKEW_SYMMETRIC = 2,
    SPCC_HERMITIAN = 3
} spcc_symmetry;

typedef struct spcc_write_options {
    size_t size;     /* sizeof(spcc_write_options) */
    bool sync;       /* return when file and folder are on the disk (fsync) */
    bool zero_based; /* coordinates of .tns and .edges files begin at 0 */
    bool pattern;    /* .mtx, .ttx, .rb, .edges: leave the values out if all are 1 */
    /* .mtx, .ttx, .rb: write one triangle; SPCC_ERROR_FILE if the matrix is not like that */
    spcc_symmetry symmetry;
    bool drop_zeros; /* leave stored components out that equal the fill */
} spcc_write_options;

SPCC_API spcc_status spcc_tensor_write_with(spcc_context *context, const spcc_tensor *tensor,
                                            const char *path, const spcc_write_options *options);

/* A text, such as one of spcc_emit, as a file: in the same way complete or not at all. */
SPCC_API spcc_status spcc_text_write(spcc_context *context, const char *text, const char *path,
                                     const spcc_write_options *options);

/* Does a file of that name say its sizes?  By its name alone; of standard input, "-", and of
 * archives that is not known. */
typedef enum spcc_sized { SPCC_UNSIZED = 0, SPCC_SIZED = 1, SPCC_MAY_BE_SIZED = 2 } spcc_sized;
SPCC_API spcc_sized spcc_path_sized(const char *path);

/* Does the file hold every component, as a Matrix Market array does?  The others list components by
 * their coordinates, for which a sparse format is the natural one.  The file's beginning is looked
 * at; false of one that cannot be read, and of a pipe, from which nothing is taken. */
SPCC_API bool spcc_file_is_array(const char *path);

/* A value of a type from a text such as "2.5", "inf", "true", "(1,-2)", into spcc_type_size(type)
 * bytes; false, and nothing written, if it is none. */
SPCC_API bool spcc_value_parse(const char *text, spcc_type type, void *value);

/* A tensor from a recipe:
 *
 *     @ones                   every component 1
 *     @index                  0, 1, 2, ... in the order of the modes, the last one fastest
 *     @constant(VALUE)        every component that value
 *     @random(SEED)           every component uniform in [0, 1)
 *     @sparse(DENSITY,SEED)   each component there with that probability, uniform in [0, 1)
 *
 * A seed that is left out, as in @random, is 0.  The same recipe gives the same tensor every time.
 * Integers are 1 to 9 instead of in [0, 1), bool is true; complex values have both parts drawn. */
SPCC_API spcc_status spcc_tensor_generate(spcc_context *context, const char *recipe,
                                          const char *format, spcc_type type, int order,
                                          const int64_t *dimensions,
                                          const spcc_tensor_options *options, spcc_tensor **tensor);

/* Frees what the tensor owns, and never what it borrows. */
SPCC_API void spcc_tensor_free(spcc_tensor *tensor);

/* Give back the memory that a result keeps for its next run (spcc_run), and what its own arrays
 * have beyond their lengths; they may then be elsewhere. */
SPCC_API void spcc_tensor_trim(spcc_tensor *tensor);

/* What a tensor is.  dimension is -1 while it is not known (spcc_tensor_new); format is a text that
 * parses back to the same format; fill is as in the options. */
SPCC_API int spcc_tensor_order(const spcc_tensor *tensor);
SPCC_API int64_t spcc_tensor_dimension(const spcc_tensor *tensor, int mode);
SPCC_API spcc_type spcc_tensor_type(const spcc_tensor *tensor);
SPCC_API const char *spcc_tensor_format(const spcc_tensor *tensor);
SPCC_API const char *spcc_tensor_fill(const spcc_tensor *tensor);

/* Its arrays, good until the tensor is freed or the result of another run. Array k of a level is
 * {NULL, 0} if the level has no such array; its name is "pos", "crd" and the like
 * (spcc_tensor_borrow), its type SPCC_I32 and the like. */
SPCC_API int spcc_tensor_levels(const spcc_tensor *tensor);
SPCC_API spcc_array spcc_tensor_array(const spcc_tensor *tensor, int level, int k);
SPCC_API const char *spcc_tensor_array_name(const spcc_tensor *tensor, int level, int k);
SPCC_API spcc_type spcc_tensor_array_type(const spcc_tensor *tensor, int level, int k);

/* Take an array, or the values, out of a tensor that owns them: yours from now on, to free() or
 * spcc_free, and as long as spcc_tensor_array and spcc_tensor_stored said before; NULL where there
 * is none or it is borrowed.  The tensor then says its sizes, has the arrays that are left, is no
 * operand, and can be a result, as one made without sizes. */
SPCC_API void *spcc_tensor_take_array(spcc_tensor *tensor, int level, int k);
SPCC_API void *spcc_tensor_take_values(spcc_tensor *tensor);

/* The values, and how many: one for each position of the last level. */
SPCC_API const void *spcc_tensor_values(const spcc_tensor *tensor);
SPCC_API int64_t spcc_tensor_stored(const spcc_tensor *tensor);

/* Bytes in all its arrays. */
SPCC_API int64_t spcc_tensor_bytes(const spcc_tensor *tensor);

/* What it cost to make.  Members may be added at the end: only the library makes these. */
typedef struct spcc_tensor_info {
    double read_ms; /* from a file, or a recipe, to a list of coordinates */
    /* from that list, or yours, to its levels; 0 where there was none */
    double pack_ms;
    /* Of the file that it is from: */
    bool sized;   /* it says the sizes */
    bool pattern; /* it has no values, each is 1 */
    int symmetry; /* it has one triangle of the matrix: an spcc_symmetry */
} spcc_tensor_info;

/* Good until the tensor is freed. */
SPCC_API const spcc_tensor_info *spcc_tensor_get_info(const spcc_tensor *tensor);

/* The stored components, in the order in which they are stored: coordinates as in
 * spcc_tensor_from_coords.  Either array may be NULL; there must be room for spcc_tensor_stored
 * components.  Returns how many there are. */
SPCC_API int64_t spcc_tensor_unpack(const spcc_tensor *tensor, int64_t *coordinates, void *values);

/* The same tensor in another format and of another type: a kernel for B(i,...) = A(i,...) is
 * compiled, or found compiled, and run.  The fill, where the options do not give one, is the
 * tensor's, of the new type. SPCC_ERROR_UNSUPPORTED if the format cannot hold the pattern. */
SPCC_API spcc_status spcc_tensor_convert(spcc_context *context, const spcc_tensor *tensor,
                                         const char *format, spcc_type type,
                                         const spcc_tensor_options *options,
                                         spcc_tensor **converted);

/* What the pattern of a tensor is like.  A slice of a mode is what is left when its coordinate is
 * fixed: a row, a column. Members may be added at the end of these: only the library makes them. */
typedef struct spcc_mode_statistics {
    int64_t dimension;
    int64_t used;        /* slices with a stored component */
    int64_t least, most; /* stored components of a slice, empty ones included */
    double mean, deviation;
} spcc_mode_statistics;

typedef struct spcc_block_statistics {
    int64_t size;  /* blocks of size x size, aligned to it */
    int64_t count; /* with a stored component */
    double fill;   /* the share of their components that is stored */
} spcc_block_statistics;

typedef struct spcc_format_size {
    const char *format;
    /* of arrays and values, positions and coordinates of 32 bits where these are enough */
    int64_t bytes;
} spcc_format_size;

/* The slices of a mode by how many stored components they have: bin b has those with bounds[b] to
 * bounds[b + 1] - 1.  Bins are of one number where there are few, and otherwise the wider the
 * larger their numbers are. */
typedef struct spcc_histogram {
    int n_bins;
    /* n_bins + 1, ascending, from the least that a slice has to one more than the most */
    const int64_t *bounds;
    const int64_t *slices; /* n_bins; their sum is the dimension */
} spcc_histogram;

typedef struct spcc_statistics {
    int order;
    int64_t stored;                    /* components */
    double components;                 /* the product of the dimensions */
    const spcc_mode_statistics *modes; /* order of them */
    int n_formats;
    const spcc_format_size *formats; /* those that suit the order, the smallest first */
    /* The rest is about matrices, and 0 of others. */
    /* how far below and above the diagonal components are stored */
    int64_t below, above;
    int64_t diagonals;      /* with a stored component */
    bool symmetric_pattern; /* with (i,j) also (j,i) is stored; then, by the values: */
    bool symmetric, skew_symmetric, hermitian;
    int n_blocks;
    const spcc_block_statistics *blocks;
    /* Of all again. */
    const spcc_histogram *histograms; /* order of them */
} spcc_statistics;

SPCC_API spcc_status spcc_tensor_statistics(spcc_context *context, const spcc_tensor *tensor,
                                            spcc_statistics **statistics);
SPCC_API void spcc_statistics_free(spcc_statistics *statistics);

/* Where the stored components are: a raster of rows x columns blocks over two modes, whatever the
 * coordinates in the others; counts[r * columns + c], for which there must be room, is how many are
 * in block r of row_mode and block c of column_mode.  Of n blocks of a mode of dimension d, block b
 * begins at the coordinate b * d / n, rounded up.  There are at least 1 and, but for one of a
 * mode of dimension 0, at most d and 65536.  row_mode may be -1, for none; rows is 1 then. */
SPCC_API spcc_status spcc_tensor_density(spcc_context *context, const spcc_tensor *tensor,
                                         int row_mode, int column_mode, int rows, int columns,
                                         int64_t *counts);

/* ======== 4. One statement, one call ======== */

/* A name in a statement, and the tensor that it stands for. */
typedef struct spcc_binding {
    const char *name;
    spcc_tensor *tensor;
} spcc_binding;

/* Compile a statement for these tensors, and run it.  Every tensor of the statement is bound, the
 * result too, which is overwritten (a compound assignment such as y(i) += ... combines with the
 * values it has).  The plan is made for their sizes.  The kernel stays in the context: the same
 * statement on tensors of the same formats, types, fills and, about, sizes is not compiled
 * again.  A plan that spcc_tune has kept for them is taken. */
SPCC_API spcc_status spcc_eval(spcc_context *context, const char *statement,
                               const spcc_binding *bindings, int n_bindings);

/* ======== 5. Compile once, run many ======== */

/* A compiled statement. It is bound to formats, value types and fills, and to no sizes but those
 * that were declared.
 *
 * Statements with ';' between them are compiled together, up to eight: "y(i) = A(i,j) * x(j);
 * z(j) = A(i,j) * w(i)" is one kernel with two results, which may go through A once for both.  An
 * index variable is the same in all of them; one may read what those before it compute.  What they
 * compute and store is what they would one after the other.  The kind is SPCC_FUSED. */
typedef struct spcc_kernel spcc_kernel;

/* What is known of a tensor before it is there.  Give a tensor, or texts; NULL: dense, f64, 0. */
typedef struct spcc_declaration {
    const char *name;
    /* take format, type and fill from it; the others must be NULL then */
    const spcc_tensor *tensor;
    const char *format, *type, *fill;
} spcc_declaration;

/* The size of an index variable, if it is known already: a constant of the generated code. */
typedef struct spcc_variable_size {
    const char *variable;
    int64_t size;
} spcc_variable_size;

/* How many components of a tensor are stored, about, if it is known already: plans are made for
 * that. */
typedef struct spcc_stored_number {
    const char *tensor;
    int64_t components;
} spcc_stored_number;

typedef enum spcc_kind {
    SPCC_FUSED = 0,    /* one function: the result's pattern and its values */
    SPCC_ASSEMBLE = 1, /* its pattern only; this and what follows for one statement only */
    SPCC_COMPUTE = 2,  /* its values only, into a pattern assembled before */
    SPCC_SPLIT = 3     /* the last two: chapter 6 (not for spcc_emit) */
} spcc_kind;

typedef struct spcc_compile_options {
    size_t size; /* sizeof(spcc_compile_options) */
    /* of the tensors that are not dense f64 with fill 0 */
    const spcc_declaration *declarations;
    int n_declarations;
    const spcc_variable_size *sizes;
    int n_sizes;
    /* directives, ';' between them: spcc_describe lists them */
    const char *schedule;
    bool no_plan; /* the schedule given and nothing else */
    spcc_kind kind;
    spcc_engine engine; /* SPCC_ENGINE_AUTO: the context's */
    const char *name;   /* of the generated function; NULL: by its kind */
    /* the command in its head comment; NULL: spcc's own that makes it */
    const char *command;
    /* of the vectors in the code, 256 or 512; 0: what the machine has where the kernel is to run
     * here, else 256 */
    int vector_bits;
    /* of your own: "f(x,y) = x > y ? x : y; commutative, associative, identity=-inf"
     * (docs/language.md) */
    const char *const *operators;
    int n_operators;
    /* ISO C without vectors, whatever vector_bits, as short as in a textbook */
    bool plain;
    const spcc_stored_number *stored;
    int n_stored;
    /* Plan for the sizes of the tensors in the declarations, to the next power of two: their
     * dimensions, and how many positions their levels have, unless they store nothing yet.  The
     * kernel runs on others as well.  A plan that spcc_tune has kept for them is taken. */
    bool plan_for_tensors;
    bool untuned; /* ... is not */
    /* no loop is shared by threads unless the schedule says so */
    bool serial;
    /* spcc_emit: the functions of the statements whose texts go into one file, then NULL: what a
     * text has besides its function is not called like another of them.  NULL: none */
    const char *const *others;
} spcc_compile_options;

/* Compile a statement, or find it compiled: in the context, else on disk. */
SPCC_API spcc_status spcc_compile(spcc_context *context, const char *statement,
                                  const spcc_compile_options *options, spcc_kernel **kernel);
SPCC_API void spcc_kernel_free(spcc_kernel *kernel);

/* The kernel's tensors, in their order in the statement: 0 is the result.  Of several statements
 * the first spcc_kernel_results are the results. */
SPCC_API int spcc_kernel_results(const spcc_kernel *kernel);
SPCC_API int spcc_kernel_tensors(const spcc_kernel *kernel);
SPCC_API const char *spcc_kernel_tensor_name(const spcc_kernel *kernel, int k);

/* Run it: spcc_run(context, kernel, y, A, x) takes the tensors one by one, in the kernel's order
 * and exactly spcc_kernel_tensors of them; spcc_run_array takes them in an array.  Where there are
 * too few or too many, SPCC_ERROR_ARGUMENT names those of the kernel, and the ones that are
 * missing: spcc_run is no function but a macro (in C++ a template) that counts.  The context is for
 * the messages, and need not be the one that compiled the kernel.
 *
 * Before anything is written it is checked that formats, types and fills are those the kernel was
 * compiled for, that the sizes agree over the index variables (SPCC_ERROR_BINDING names both
 * tensors and modes that do not), and that the result shares no memory with an operand.
 *
 * A dense result is written in place, also into borrowed arrays that are writable.  A sparse result
 * gets new arrays, which the tensor owns.  Those it had, unless they were borrowed, are kept as
 * room for the run after it, as is what the kernel worked in: run again and again into one result,
 * a kernel gets no memory from the system after the third run, but for what other threads than the
 * caller's work in.  A result so takes up to twice its size; spcc_tensor_trim gives the room back,
 * spcc_options.max_spare bounds it.  If a run fails, the result's pattern is the old one. */
SPCC_API spcc_status spcc_run_array(spcc_context *context, const spcc_kernel *kernel,
                                    spcc_tensor *const *tensors, int n_tensors);
#ifndef __cplusplus
#define spcc_run(context, kernel, ...)                                       \
    spcc_run_array((context), (kernel), (spcc_tensor *const[]){__VA_ARGS__}, \
                   (int)(sizeof((spcc_tensor *const[]){__VA_ARGS__}) / sizeof(spcc_tensor *)))
#endif

typedef struct spcc_run_options {
    size_t size; /* sizeof(spcc_run_options) */
    int threads; /* of this run, as in spcc_options; 0: as the context says */
} spcc_run_options;

SPCC_API spcc_status spcc_run_with(spcc_context *context, const spcc_kernel *kernel,
                                   spcc_tensor *const *tensors, int n_tensors,
                                   const spcc_run_options *options);

/* Which plan is the fastest?  Those that the planner holds for the best are compiled and run in
 * turns on the tensors given, and the fastest is kept in the cache beside the compiled kernels.
 * From then on it is found for these and for tensors of the same formats, types, fills and, about,
 * sizes, with as many threads, on this processor and by this version: by spcc_eval, and by
 * spcc_compile and spcc_emit where options ask for plan_for_tensors. */
typedef struct spcc_tune_options {
    size_t size; /* sizeof(spcc_tune_options) */
    int plans;   /* at most so many; 0: 8 */
    int runs;    /* of each, at most 1000; 0: until the median means something */
} spcc_tune_options;

/* A plan and how it went.  Members may be added at the end of these: only the library makes
 * them. */
typedef struct spcc_tuned_plan {
    /* all its directives, those that were given too, for spcc_compile with no_plan; "": none */
    const char *schedule;
    double steps; /* of a simple loop, that the planner reckons with */
    double ms;    /* the median of its runs */
    int runs;     /* one that takes more than twice as long as another is not run again */
    bool planned; /* it is what the planner takes */
    /* why it is not considered: its kernel does not compile, or computes something else but for
     * roundings; NULL: it is */
    const char *trouble;
} spcc_tuned_plan;

typedef struct spcc_tuning {
    int n_plans;
    const spcc_tuned_plan *plans; /* the fastest first, those in trouble last */
    const char *unkept;           /* why the fastest could not be kept, a sentence; NULL: it is */
} spcc_tuning;

/* Every tensor of the statement is bound.  Results are not written, and there must be memory for
 * two more of them.  Operands that the options do not declare are as they are bound.  The kind is
 * SPCC_FUSED, and there has to be a compiler. */
SPCC_API spcc_status spcc_tune(spcc_context *context, const char *statement,
                               const spcc_compile_options *options, const spcc_binding *bindings,
                               int n_bindings, const spcc_tune_options *how, spcc_tuning **tuning);
SPCC_API void spcc_tuning_free(spcc_tuning *tuning);

/* ======== 6. Assemble once, compute many ======== */

/* Of a kernel of kind SPCC_SPLIT: make the result's pattern from those of the operands, its values
 * all the fill; and compute its values into that pattern, as often as the operands' values change
 * while their patterns do not. (spcc_run does one after the other.)  Also for kernels of kind
 * SPCC_ASSEMBLE and SPCC_COMPUTE, which go together if they were made of the same statement,
 * operators and sizes, with whatever schedules.  The result remembers what it was assembled for:
 * SPCC_ERROR_BINDING if the statement or a pattern is another.  Of a result that was borrowed with
 * trusted set nothing is remembered: its components get their values, or the fill where the
 * statement has none, and what it does not have is left out; where the statement gives it an
 * operand's pattern (C(i,j) = 2 * A(i,j), or a sum below S(i,j) * ...) it must have that, and is
 * compared with it. */
SPCC_API spcc_status spcc_assemble(spcc_context *context, const spcc_kernel *kernel,
                                   spcc_tensor *const *tensors, int n_tensors);
SPCC_API spcc_status spcc_compute(spcc_context *context, const spcc_kernel *kernel,
                                  spcc_tensor *const *tensors, int n_tensors);

/* ======== 7. Generated source ======== */

typedef enum spcc_stage {
    SPCC_STAGE_C = 0,           /* C11, to paste into a program: needs nothing of spcc's */
    SPCC_STAGE_HEADER = 1,      /* a header that declares the function */
    SPCC_STAGE_NOTATION = 2,    /* the statement, checked, with every sum written out */
    SPCC_STAGE_CONCRETE = 3,    /* its loops */
    SPCC_STAGE_PLAN = 4,        /* its loops once scheduled */
    SPCC_STAGE_LATTICE = 5,     /* the iteration lattice of every loop */
    SPCC_STAGE_LATTICE_DOT = 6, /* the same as a Graphviz graph */
    SPCC_STAGE_IMPERATIVE = 7,  /* the imperative code that C is printed from */
    SPCC_STAGE_EXPLAIN = 8,     /* all of these, explained */
    /* the iteration graph: loops, and every access's path through them, for Graphviz */
    SPCC_STAGE_GRAPH_DOT = 9,
    /* the same, drawn; SPCC_ERROR_LIMIT where it is too large to be looked at */
    SPCC_STAGE_GRAPH_SVG = 10,
    SPCC_STAGE_LATTICE_SVG = 11 /* the lattices, drawn; likewise */
} spcc_stage;

/* A stage of the way from a statement to code, as a text to spcc_free.  Compiles nothing. */
SPCC_API spcc_status spcc_emit(spcc_context *context, const char *statement,
                               const spcc_compile_options *options, spcc_stage stage, char **text);

/* ======== 8. Looking closer ======== */

typedef enum spcc_severity { SPCC_SEVERITY_ERROR = 0, SPCC_SEVERITY_NOTE = 1 } spcc_severity;

/* One message, in parts.  Members may be added at the end: only the library makes these. */
typedef struct spcc_diagnostic {
    spcc_severity severity;
    spcc_status status;  /* what kind of error; SPCC_OK for a note */
    int code;            /* the 203 of error[E203], pinned; 0 for a note */
    const char *message; /* one sentence, no full stop */
    /* "expression", "schedule", "format of A", a file's name; NULL: no place */
    const char *source;
    const char *text; /* of that source, as far as it is known; "" for files */
    int begin, end;   /* the bytes [begin, end) of text */
    int line, column; /* where begin is, counted from 1; 0: not known */
    int n_notes;
    const char *const *notes; /* facts that explain it */
    const char *help;         /* a remedy, or NULL */
} spcc_diagnostic;

/* The messages that spcc_message draws; NULL if there is no such message. */
SPCC_API int spcc_diagnostic_count(const spcc_context *context);
SPCC_API const spcc_diagnostic *spcc_diagnostic_get(const spcc_context *context, int i);

/* What a statement names, without knowing anything of its tensors: to find out what it needs. */
typedef struct spcc_statement spcc_statement;

SPCC_API spcc_status spcc_statement_parse(spcc_context *context, const char *text,
                                          spcc_statement **statement);
/* The same of a statement that uses the operators in the options, of which it takes nothing
 * else. */
SPCC_API spcc_status spcc_statement_parse_with(spcc_context *context, const char *text,
                                               const spcc_compile_options *options,
                                               spcc_statement **statement);
SPCC_API void spcc_statement_free(spcc_statement *statement);

/* Its tensors, each once, in the order in which they appear: 0 is the result, and of several
 * statements the first spcc_statement_results are the results.  Variable m of tensor
 * k indexes its mode m where it appears first; it is the number, in decimal digits, where a
 * literal stands there. */
SPCC_API int spcc_statement_results(const spcc_statement *statement);
SPCC_API int spcc_statement_tensors(const spcc_statement *statement);
SPCC_API const char *spcc_statement_tensor_name(const spcc_statement *statement, int k);
SPCC_API int spcc_statement_tensor_order(const spcc_statement *statement, int k);
SPCC_API const char *spcc_statement_variable(const spcc_statement *statement, int k, int m);

/* Each place where a tensor stands, from left to right: the number of the tensor there, -1 if there
 * is no such place, and the variable or number that indexes its mode m there.  All that index one
 * mode have the same size: in A(a,b) * A(b,c) the three variables. */
SPCC_API int spcc_statement_uses(const spcc_statement *statement);
SPCC_API int spcc_statement_use_tensor(const spcc_statement *statement, int u);
SPCC_API const char *spcc_statement_use_variable(const spcc_statement *statement, int u, int m);

/* Its index variables, each once, those that only a reduction names too. */
SPCC_API int spcc_statement_variables(const spcc_statement *statement);
SPCC_API const char *spcc_statement_variable_name(const spcc_statement *statement, int v);

/* Does it read what its tensor k, a result, held before, as y(i) += ... and y(i) = 2 * y(i) do?  Of
 * an operand true. */
SPCC_API bool spcc_statement_reads(const spcc_statement *statement, int k);
/* ... what any result held? */
SPCC_API bool spcc_statement_is_compound(const spcc_statement *statement);

/* A format for its result where the options declare none, as a text to spcc_free; NULL where it had
 * better be dense.  It is sparse where the result is its fill wherever the operands that are not
 * full are at their fills, whatever the others hold: A(i,k) * B(k,j) of two csr matrices, A(i,j) *
 * d(j) of one and a dense vector.  Levels store in full what only dense operands have, and the
 * first level also what an operand stores in full or sums with a dense one fill; the others are
 * compressed.  They store the modes in the order in which the operands do: the sum and the product
 * of csc matrices are csc, A(j,i) of csr is csc. */
SPCC_API spcc_status spcc_result_format(spcc_context *context, const char *statement,
                                        const spcc_compile_options *options, char **format);
/* The same of one of several results. */
SPCC_API spcc_status spcc_result_format_of(spcc_context *context, const char *statement,
                                           const spcc_compile_options *options, int result,
                                           char **format);
/* The same for a caller that can hold some formats only: which of these is the nearest, of equals
 * the first.  NULL is dense.  One that is for tensors of another order is passed over, so that one
 * list serves all results; SPCC_ERROR_ARGUMENT where none is left. */
SPCC_API spcc_status spcc_result_format_among(spcc_context *context, const char *statement,
                                              const spcc_compile_options *options, int result,
                                              const char *const *formats, int n_formats,
                                              int *taken);

/* Does the plan put the last of several statements, with ';' between them, into common loops with
 * others?  Those that it does not might as well be compiled apart. */
SPCC_API spcc_status spcc_shares_loops(spcc_context *context, const char *statement,
                                       const spcc_compile_options *options, bool *shares);

typedef enum spcc_origin {
    SPCC_ORIGIN_COMPILED = 0, /* just now */
    SPCC_ORIGIN_DISK = 1,     /* found in the cache on disk */
    SPCC_ORIGIN_MEMORY = 2    /* the context had it */
} spcc_origin;

/* How a kernel came about.  Members may be added at the end: only the library makes these. */
typedef struct spcc_kernel_info {
    spcc_engine engine; /* never SPCC_ENGINE_AUTO */
    bool fallback;      /* interpreted because there is no compiler; note says more */
    /* where its code came from; MEMORY: another kernel of the context has the same */
    spcc_origin origin;
    double generate_ms; /* from the statement to C */
    double compile_ms;  /* the C compiler; 0 unless SPCC_ORIGIN_COMPILED */
    double load_ms;
    /* what one may want to know although it is no error, or NULL */
    const char *note;
} spcc_kernel_info;

/* Good until the kernel is freed. */
SPCC_API const spcc_kernel_info *spcc_kernel_get_info(const spcc_kernel *kernel);

/* The fewest bytes that a run on these tensors can move: each operand read once, the result written
 * once, and read once by a compound assignment.  -1 if they do not fit the kernel. */
SPCC_API int64_t spcc_kernel_traffic(const spcc_kernel *kernel, spcc_tensor *const *tensors,
                                     int n_tensors);

/* What there is to use, as a table to print and spcc_free. */
typedef enum spcc_table {
    /* level types: letter, name, properties, capabilities, arrays */
    SPCC_TABLE_LEVELS = 0,
    SPCC_TABLE_TYPES = 1,     /* value types: name, other names, bytes */
    SPCC_TABLE_OPERATORS = 2, /* operators and functions: what they take and give */
    SPCC_TABLE_SCHEDULES = 3, /* directives: usage and meaning */
    SPCC_TABLE_FORMATS = 4    /* formats that have names: name and meaning */
} spcc_table;

SPCC_API spcc_status spcc_describe(spcc_context *context, spcc_table table, char **text);

/* What a word is: a format's name or letters of levels, a level type, a directive, an operator or
 * function, a type; as a text to spcc_free.  SPCC_ERROR_ARGUMENT if it is none of these; the
 * message has the nearest word that is. */
SPCC_API spcc_status spcc_describe_word(spcc_context *context, const char *word, char **text);

/* Who is behind an engine, "clang 22.1.8", as a text to spcc_free; SPCC_ERROR_COMPILER if it is
 * not there. */
SPCC_API spcc_status spcc_engine_describe(spcc_context *context, spcc_engine engine, char **text);

/* The cache of compiled kernels on disk.  Members may be added at the end: only the library
 * makes these. */
typedef struct spcc_cache_info {
    const char *folder;     /* NULL: there is none, or it is not known where */
    int64_t kernels, bytes; /* in it, and what they take on disk; -1: it is not used */
    int64_t limit;          /* bytes that it may take, about; -1: it is not used */
    /* why it is not used or keeps nothing new, as a sentence; NULL: nothing */
    const char *trouble;
} spcc_cache_info;

/* Look into the context's, and try to write there.  To spcc_free. */
SPCC_API spcc_status spcc_cache_look(spcc_context *context, spcc_cache_info **info);

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
