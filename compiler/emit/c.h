/* c.h - what the files of the C backend share.
 *
 *   c_name.c         names of variables and types, literals
 *   c_scope.c        short names where blocks keep them apart
 *   c_words.c        names that are taken
 *   c_helper.c       the small functions that a kernel needs around it
 *   c_growth.c       functions that make arrays longer
 *   c_expression.c   expressions
 *   c_vector.c       expressions on vectors
 *   c_statement.c    statements, wrapped into lines
 *   c_memory.c       statements about arrays as a whole
 *   c_plain.c        memory in plain C
 *   c_blas.c         matrix products by a library
 *   c_stream.c       stores past the caches
 *   c_parallel.c     parallel loops, and how their parts hand over arrays
 *   c_uses.c         how a statement uses each variable
 *   c_body.c         bodies of functions
 *   c.c              functions and whole files
 *   cuda.c           the table of what CUDA does otherwise
 *   cuda_host.c      host code around launches
 *   cuda_device.c    what threads of launches do together
 *   cuda_complex.c   complex numbers
 *   cuda_registers.c registers of a thread, and loads that it keeps under way
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_EMIT_C_H
#define SPCC_EMIT_C_H

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "compiler/emit/emit.h"
#include "compiler/imperative/var_map.h"

enum { C_COLUMNS = 100, C_INDENT = 4 };

/* A line may be broken there, and has a blank otherwise; at a late break only if it cannot be
 * broken elsewhere. */
#define C_BREAK      "\1"
#define C_LATE_BREAK "\2"

/* How tightly an expression binds in C. */
enum c_place {
    C_ANY,
    C_SELECT,
    C_OR,
    C_AND,
    C_BITOR,
    C_BITXOR,
    C_BITAND,
    C_EQUAL,
    C_LESS,
    C_NOT, /* `!a`: binds as C_UNARY, but compilers warn about !a == b */
    C_ADD,
    C_MUL,
    C_UNARY,
    C_POSTFIX,
};

/* An expression as text. */
struct c_piece {
    const char *text;
    enum c_place place;
    /* a literal of type int in place of another type: right wherever C converts it */
    bool weak;
    bool wide; /* of type int, and still to be converted to its own, smaller type */
};

struct c_vector {
    enum type type;
    int lanes;
};

struct c_variables {
    const struct imp_var **at;
    size_t n, capacity;
};

/* The body of an `if` that makes arrays longer.  If it stands in several places it becomes a
 * function. */
struct c_growth {
    const struct imp *body;
    int places;
    const char *name; /* of the function; NULL: there is none */
    struct c_variables changed, read;
    bool fails; /* it may set the status */
};

/* The body of a parallel loop or of a launch, which becomes a function. */
struct c_part {
    const struct imp *of;
    const struct imp_function *in;
    const char *name;
    struct c_variables outer; /* the variables from around that it uses */
};

/* The names of a function's variables in C. */
struct c_names {
    struct var_map own, out, longer; /* const char * */
    VEC(const char *) made;          /* names that are not those of the variables themselves */
};

struct c_writer {
    struct context *cx;
    bool jit, iso, in_range;
    const struct c_device *device; /* what CUDA does otherwise; NULL: this is C */
    const struct imp_function *kernel;
    const char *const *others; /* kernels in the file; NULL-terminated, or NULL */
    /* the function that is being written: the kernel, a helper, or a part of a parallel loop */
    const struct imp_function *function;
    bool part;                /* it is a part */
    const struct imp *launch; /* the launch, if it is a part that is one */
    struct text code;         /* the functions so far */
    struct text helpers;      /* the helpers that are needed so far */
    int indent;

    VEC(const char *) helper;    /* their names */
    VEC(struct c_vector) vector; /* vector types that are needed so far */
    struct c_names names;        /* of this function */
    struct var_map uses;         /* of the body of `used`, a function */
    const struct imp_function *used;
    struct c_variables array;  /* arrays that this function makes */
    struct c_variables placed; /* those of them that are declared where they are made */
    bool hoisted;              /* variables are declared at the top */
    bool uses_type[TYPE_COUNT];
    bool uses_string, uses_allocation, uses_release, uses_sort, uses_size, uses_restrict, uses_libm;
    bool uses_math, uses_complex; /* headers; only if `iso` */

    bool fails;        /* this function may fail */
    bool returns;      /* it may fail, and returns at once, since it has nothing to release */
    bool uses_fail;    /* it may fail, and goes to a label behind its end */
    bool may_fail_yet; /* it may fail here or further down in this part */
    /* failures other than a lack of memory, by bits: they need a variable `status` */
    unsigned statuses;
    bool parts_fail;             /* its parallel loops may fail: they need a variable `failed` */
    VEC(struct c_growth) growth; /* of this kernel */
    VEC(struct c_part) parts;    /* likewise */
    /* a function that makes arrays longer is being written: a failure returns false */
    bool in_growth;
    /* plain C: variables that go up by one where this statement reads them */
    struct c_variables stepped;
};

/* ---- c_name.c ---- */

const char *c_type(struct c_writer *w, enum type type);
/* Are numbers of this type of a type of ours (cuda_complex.c), with functions for C's operators? */
static inline bool c_has_own_type(const struct c_writer *w, enum type type)
{
    return w->device && type_is_complex(type);
}
const char *c_vector_type(struct c_writer *w, enum type type, int lanes);
const char *c_var_type(struct c_writer *w, const struct imp_var *var);
const char *c_name(struct c_writer *w, const struct imp_var *var);
/* Is the name taken here, so that no variable may have it? */
bool c_is_reserved(const struct c_writer *w, const char *name);
/* Returns a name OF_what for something that belongs to a function and stands beside it in the file.
 * It gets a number, OF_2_what, if something of a kernel in the file has, or may have, that name. */
const char *c_file_name(struct c_writer *w, const struct imp_function *of, const char *what);
/* Names the variables that the function's body declares, before any of it is written. */
void c_name_variables(struct c_writer *w, const struct imp *body);
/* Names the parameters of a function that declares nothing. */
void c_name_parameters(struct c_writer *w, const struct c_variables *parameters);
/* Returns the name of the pointer by which an out parameter is passed. */
const char *c_out_name(struct c_writer *w, const struct imp_var *var);
/* Returns the name of the variable for the array that realloc returns. */
const char *c_longer_name(struct c_writer *w, const struct imp_var *var);
/* Returns the name of the function's own memory for an array of arrays. */
const char *c_few_name(struct c_writer *w, const struct imp_var *var);
struct c_piece c_literal(struct c_writer *w, struct value value);
/* Returns a literal that has exactly its type. */
const char *c_strong_literal(struct c_writer *w, struct value value);

/* ---- c_helper.c: each returns the helper's name ---- */

/* Returns a helper's name.  In plain C it is KERNEL_name, so that no guard is needed where a file
 * has several kernels. */
const char *c_helper_name(struct c_writer *w, const char *helper);
/* Starts to define a helper of this name in w->helpers.  False: it is defined. */
bool c_helper_begin(struct c_writer *w, const char *name);
void c_helper_end(struct c_writer *w);
/* Are helpers guarded by #ifndef, and does the user choose where memory comes from? */
bool c_is_guarded(const struct c_writer *w);

/* Returns the prefix of the C library's functions for this type. */
const char *c_library(struct c_writer *w, enum type type);
/* Returns the name of the operator for this type as a function: div_i32, min_f64, ... */
const char *c_op_helper(struct c_writer *w, enum op op, enum type type);
/* Returns the name of a conversion that is undefined in C if a value does not fit: i32_from_f64. */
const char *c_cast_helper(struct c_writer *w, enum type to, enum type from);
const char *c_complex_helper(struct c_writer *w, enum type type);
const char *c_allocate_helper(struct c_writer *w);
const char *c_reallocate_helper(struct c_writer *w);
const char *c_release_helper(struct c_writer *w);
/* Allocates an array of arrays; the second releases it with the arrays in it. */
const char *c_allocate_arrays_helper(struct c_writer *w);
const char *c_free_arrays_helper(struct c_writer *w);
/* Replaces an array by one of these for good. */
const char *c_move_array_helper(struct c_writer *w);
/* Joins an array with those that parts have made; `team` is an OpenMP clause. */
const char *c_join_arrays_helper(struct c_writer *w, const char *team);
/* Moves elements within an array. */
const char *c_move_helper(struct c_writer *w, const char *team);
/* Reads an element that other threads change; the second replaces it unless another thread has
 * changed it. */
const char *c_load_helper(struct c_writer *w, enum type type);
const char *c_exchange_helper(struct c_writer *w, enum type type);
const char *c_threads_helper(struct c_writer *w);
const char *c_stop_own(struct c_writer *w);
const char *c_team_own(struct c_writer *w, int indent);
const char *c_team_join(const struct c_writer *w, int indent);

/* ---- c_expression.c, c_vector.c ---- */

/* Returns the expression with exactly its type. */
struct c_piece c_expression(struct c_writer *w, const struct imp *imp);
struct c_piece c_vector_expression(struct c_writer *w, const struct imp *imp);

/* Writes `t = min(t, v)` or max if t and v are variables, floating-point vectors.  False: it is
 * another assignment. */
bool c_vector_choice(struct c_writer *w, const struct imp *assign);
/* Returns the same as text, in parentheses unless it binds at least as tightly as `place`. */
const char *c_at(struct c_writer *w, const struct imp *imp, enum c_place place);
static inline const char *c_enclose(struct c_writer *w, struct c_piece piece, enum c_place place)
{
    return piece.place < place ? arena_printf(w->cx->arena, "(%s)", piece.text) : piece.text;
}
/* Returns the expression as text where C converts it to imp's type anyway: in an assignment, as an
 * argument. */
const char *c_value(struct c_writer *w, const struct imp *imp);
/* Returns the expression as a subscript, or as a summand beside a pointer. */
const char *c_position(struct c_writer *w, const struct imp *imp, enum c_place place);
/* Returns a vector in memory, `*(f64x8 *)(y + i)`. */
const char *c_vector_at(struct c_writer *w, const struct imp_var *array, const struct imp *position,
                        int lanes);

/* ---- c_statement.c ---- */

__attribute__((format(printf, 3, 4))) void c_line(struct c_writer *w, int hanging,
                                                  const char *format, ...);
/* In plain C, makes one line of the lines that w->code has got since it had `mark` characters, if
 * it fits. */
void c_join_lines(struct c_writer *w, size_t mark);
/* Writes a statement, or all statements of a block. */
void c_statements(struct c_writer *w, const struct imp *imp);
void c_statement(struct c_writer *w, const struct imp *imp);
/* Writes the first of n statements, with those that are written together with it.  Returns their
 * number. */
int c_step(struct c_writer *w, const struct imp *const *arg, int n);
/* Returns the statements of a block, or the statement by itself. */
const struct imp *const *c_parts(const struct imp *const *imp, int *n);
void c_declare(struct c_writer *w, const struct imp *imp);
/* Writes `target op= value`; `current` is the target as an expression. */
void c_assignment(struct c_writer *w, const char *target, const struct imp *current, enum op op,
                  const struct imp *value);
/* Returns the sign before `=` in C, or NULL if C has no such assignment with the same meaning. */
const char *c_compound_sign(enum op op, enum type type);
/* May the statement leave the function by failing? */
bool c_may_fail(const struct c_writer *w, const struct imp *imp);

/* Leaves the function with "no memory" if the condition holds. */
void c_fail_if(struct c_writer *w, const char *condition);

/* ---- c_uses.c ---- */

enum c_use {
    C_USED = 1,
    C_DECLARED = 2,
    C_WRITTEN = 4,
    C_SHARED = 8, /* updated atomically, like other parts do */
    /* gets another array's memory */
    C_TAKEN = 16
};

/* Returns how the statement uses each of its variables.  c_own_uses: how the function does that is
 * being written. */
struct var_map c_uses(struct context *cx, const struct imp *statement);
struct var_map *c_own_uses(struct c_writer *w);
bool c_is(struct context *cx, struct var_map *uses, const struct imp_var *var, enum c_use use);

/* ---- c_body.c ---- */

/* Writes the body of the function w->function, without braces. */
void c_body(struct c_writer *w, const struct imp *body);

/* ---- c_blas.c ---- */

/* Returns the names of the library functions that the kernel calls, as a list in words; NULL: it
 * calls none. */
const char *c_blas_functions(struct c_writer *w);
/* Writes the start of the helper that multiplies: the library does the work if it is there. */
void c_blas_call(struct c_writer *w);

/* ---- c_stream.c ---- */

/* Writes an IMP_IN_LINE. */
const char *c_in_line(struct c_writer *w, const struct imp *imp);
/* Is it the store of a vector that goes past the caches?  c_stream writes it. */
bool c_is_streamed(const struct imp *imp);
/* Writes that store. */
void c_stream(struct c_writer *w, const struct imp *imp);
/* Writes, at the end of a function with this body, that its stores past the caches are complete. */
void c_stream_end(struct c_writer *w, const struct imp *body);

/* ---- c_parallel.c ---- */

/* Finds the parts of the kernel's parallel loops, and names them before anything else is named.
 * They become functions in front of the kernel. */
void c_find_parts(struct c_writer *w);
const struct imp_function *c_part_function(struct c_writer *w, const struct c_part *part);
/* Is the array, a parameter of the function, only read there? */
bool c_is_read_only(struct c_writer *w, const struct imp_var *array);
/* Do other parts, or other threads of a launch, use elements of the array that the function stores,
 * while it runs?  Of a pointer that is `restrict` CUDA's compilers would keep an element in a
 * register across a barrier. */
bool c_is_shared(struct c_writer *w, const struct imp_var *array);
/* Writes a parallel loop. */
void c_parallel(struct c_writer *w, const struct imp *imp);
/* Returns the OpenMP clause with the number of threads of a loop, or "". */
const char *c_team(struct c_writer *w);
void c_keep(struct c_writer *w, const struct imp *imp);
void c_take(struct c_writer *w, const struct imp *imp);
void c_move(struct c_writer *w, const struct imp *imp);
void c_join(struct c_writer *w, const struct imp *imp);
void c_atomic(struct c_writer *w, const struct imp *imp);
const struct c_part *c_part_of(const struct c_writer *w, const struct imp *imp);
/* Returns the body of a parallel loop or a launch. */
static inline const struct imp *c_part_body(const struct imp *of) { return of->arg[of->args - 1]; }
/* Is the function a launch's, or one that threads of launches call? */
static inline bool c_is_on_device(const struct c_writer *w)
{
    return w->launch || (w->device && w->function->helper && !w->function->launches);
}
static inline bool c_is_part(const struct imp *imp)
{
    return imp->kind == IMP_PARALLEL || imp->kind == IMP_LAUNCH;
}
/* Writes an update by compare and swap, which reads the element, computes, and tries again until no
 * other thread has changed it.  `old` is the variable that gets the old value, and the update is in
 * braces; or NULL. */
void c_exchange(struct c_writer *w, const struct imp *imp, const char *old);

/* Is the variable declared as, or assigned, an update or a fetch, which takes lines of its own? */
static inline bool c_is_event(const struct imp *imp)
{
    return (imp->kind == IMP_DECLARE || imp->kind == IMP_ASSIGN) && imp->args
           && (imp->arg[0]->kind == IMP_UPDATE || imp->arg[0]->kind == IMP_FETCH);
}

/* ---- cuda.c ---- */

/* The ways in which CUDA differs from C.  With this table the files above need not know others. */
struct c_device {
    bool (*is_reserved)(const char *name);
    const char *(*type)(struct c_writer *w, enum type type);
    /* The names of an operator on complex numbers, and of a conversion of them to others. */
    const char *(*function)(struct c_writer *w, enum op op, enum type type);
    const char *(*convert)(struct c_writer *w, enum type to, enum type from);
    /* Can the kernel be written?  Else a diagnostic says why not. */
    bool (*accepts)(struct c_writer *w);
    void (*includes)(struct text *out);
    /* the words in front of the current function's type, and its first lines */
    const char *(*before)(const struct c_writer *w);
    void (*begin)(struct c_writer *w);
    /* the words in front of a launch's name, and of a loop */
    const char *(*bounds)(struct c_writer *w);
    void (*loop)(struct c_writer *w, const struct imp *loop);
    /* May the host statement fail because it calls the driver? */
    bool (*calls)(const struct imp *imp);
    /* Writes the checks before the first statement of the kernel that may fail. */
    void (*check)(struct c_writer *w);
    /* Writes the statement.  False: C's way is right. */
    bool (*statement)(struct c_writer *w, const struct imp *imp);
    /* Writes the fetch into a variable that is declared. */
    void (*fetch)(struct c_writer *w, const struct imp *imp);
    /* Writes the first of n statements, which releases an array, with those behind it that do too.
     * Returns their number; 0: it releases none. */
    int (*free)(struct c_writer *w, const struct imp *const *arg, int n);
    /* Releases arrays on the way out. */
    void (*release)(struct c_writer *w, const struct imp_var *const *var, int n);
    struct c_piece (*exchange)(struct c_writer *w, const struct imp *imp);
    /* The call that updates an element and gives its old value; NULL: there is no such
     * instruction. */
    const char *(*update)(struct c_writer *w, const struct imp *imp);
    const char *(*load_helper)(struct c_writer *w, enum type type);
    const char *(*exchange_helper)(struct c_writer *w, enum type type);
};
extern const struct c_device c_cuda;

/* Returns the words in front of a small function. */
static inline const char *c_inline(const struct c_writer *w)
{
    return w->device ? "static __host__ __device__ inline " : "static inline ";
}

/* ---- cuda_host.c: host code, a statement each ---- */

bool c_cuda_calls(const struct imp *imp);
void c_cuda_check(struct c_writer *w);
void c_cuda_launch(struct c_writer *w, const struct imp *imp);
void c_cuda_allocate(struct c_writer *w, const struct imp *imp);
void c_cuda_do(struct c_writer *w, const struct imp *imp);
int c_cuda_free(struct c_writer *w, const struct imp *const *arg, int n);
void c_cuda_release(struct c_writer *w, const struct imp_var *const *var, int n);
void c_cuda_fill(struct c_writer *w, const struct imp *imp);
void c_cuda_copy(struct c_writer *w, const struct imp *imp);
void c_cuda_fetch(struct c_writer *w, const struct imp *imp);

/* ---- cuda_device.c ---- */

void c_cuda_barrier(struct c_writer *w, const struct imp *imp);
/* Writes a declaration or an assignment of an update. */
void c_cuda_update(struct c_writer *w, const struct imp *imp);
struct c_piece c_cuda_exchange(struct c_writer *w, const struct imp *imp);
const char *c_cuda_atomic(struct c_writer *w, const struct imp *imp);
const char *c_cuda_load_helper(struct c_writer *w, enum type type);
const char *c_cuda_exchange_helper(struct c_writer *w, enum type type);

/* May threads update the element at once? */
bool c_cuda_can_update(const struct imp *imp);

/* ---- cuda_complex.c: each writes what it names ---- */

const char *c_cuda_type(struct c_writer *w, enum type type);
const char *c_cuda_function(struct c_writer *w, enum op op, enum type type);
const char *c_cuda_convert(struct c_writer *w, enum type to, enum type from);
/* Returns the helper that exchanges between lanes: shfl, shfl_up, shfl_xor. */
const char *c_cuda_exchange_complex(struct c_writer *w, enum type type, const char *instruction);
/* Returns the helper of an atomic sum that does not give the old value. */
const char *c_cuda_add_complex(struct c_writer *w, enum type type);

/* ---- cuda_registers.c ---- */

/* Returns the launch bounds: the threads of a block, and how many blocks should be resident. */
const char *c_cuda_bounds(struct c_writer *w);
/* Writes the pragma in front of the loop. */
void c_cuda_loop(struct c_writer *w, const struct imp *loop);

/* ---- c_memory.c: a statement each ---- */

/* Does it ask for memory? */
bool c_allocates(const struct imp *imp);
/* Writes the first of n statements with those behind it that ask for memory too.  Returns their
 * number. */
int c_allocate(struct c_writer *w, const struct imp *const *arg, int n);
void c_release_array(struct c_writer *w, const struct imp_var *var);
/* Releases all arrays; if they are many, in a loop. */
void c_release_arrays(struct c_writer *w, const struct imp_var *const *var, int n);
/* Is the value stored as zero bytes alone? */
bool c_is_zero_bytes(const struct imp *imp);
void c_fill(struct c_writer *w, const struct imp *imp);
void c_copy(struct c_writer *w, const struct imp *imp);
void c_prefetch(struct c_writer *w, const struct imp *imp);

/* ---- c_plain.c: where `iso` is set ---- */

/* Returns the number of statements, from the first on, that make arrays and go together; 0: the
 * first makes none. */
int c_plain_group(const struct c_writer *w, const struct imp *const *arg, int n);
/* Declares the arrays that these statements make where they make them. */
void c_plain_place(struct c_writer *w, const struct imp *const *arg, int n);
bool c_is_placed(const struct c_writer *w, const struct imp_var *array);
int c_plain_allocate(struct c_writer *w, const struct imp *const *arg, int n);
/* Returns the number of statements, from the first on, that become calls of realloc; c_plain_resize
 * writes these. */
int c_plain_resizes(const struct c_writer *w, const struct imp *const *arg, int n);
void c_plain_resize(struct c_writer *w, const struct imp *const *arg, int n);
/* Releases arrays, several in a line. */
void c_plain_release(struct c_writer *w, const struct imp_var *const *var, int n);
/* Finds for each of n adjacent statements the one before it that does its work too, into[i], or -1.
 * Returns the number of those that do their own work. */
int c_plain_steps(const struct imp *const *arg, int n, int *into);
/* Returns the C library's name for this helper, or NULL. */
const char *c_plain_library(const struct imp_function *helper);
/* Returns a call of that function. */
struct c_piece c_plain_call(struct c_writer *w, const struct imp *imp);

/* ---- c_growth.c ---- */

/* Writes the functions that make arrays longer, once, before the kernel. */
void c_growth_functions(struct c_writer *w);
/* Returns the expression that the `if` has instead of its body, true if arrays could be made
 * longer; NULL: it has its body. */
const char *c_growth_call(struct c_writer *w, const struct imp *imp);

#endif
