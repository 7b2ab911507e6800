/* c.h - what the files of the C backend share.
 *
 *   c_name.c         names of variables and types, literals
 *   c_scope.c        short names where blocks keep them apart
 *   c_words.c        names that are taken
 *   c_helper.c       the small functions that a kernel needs around it
 *   c_growth.c       what makes arrays longer, as functions
 *   c_expression.c   expressions
 *   c_vector.c       expressions on vectors
 *   c_statement.c    statements, wrapped into lines
 *   c_memory.c       statements about arrays as a whole
 *   c_plain.c        memory in plain C
 *   c_blas.c         matrix products by a library
 *   c_stream.c       stores past the caches
 *   c_parallel.c     parallel loops, and what their parts do together
 *   c_uses.c         what a statement does with each variable
 *   c_body.c         bodies of functions
 *   c.c              functions and whole files
 *   cuda.c           what a file of CUDA has otherwise
 *   cuda_host.c      host code around launches
 *   cuda_device.c    what threads of launches do together
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

/* Where a line may be broken, a blank otherwise; and where only if it cannot be broken
 * elsewhere. */
#define C_BREAK      "\1"
#define C_LATE_BREAK "\2"

/* How tightly C binds. */
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

/* An expression in C. */
struct c_piece {
    const char *text;
    enum c_place place;
    /* a literal of type int that stands for another type: right wherever C converts it */
    bool weak;
    bool wide; /* of type int, to be converted to its own, smaller type */
};

struct c_vector {
    enum type type;
    int lanes;
};

struct c_variables {
    const struct imp_var **at;
    size_t n, capacity;
};

/* The body of an `if` that makes arrays longer; of those that stand in several places a function
 * is made. */
struct c_growth {
    const struct imp *body;
    int places;
    const char *name; /* of the function; NULL: there is none */
    struct c_variables changed, read;
    bool fails; /* it may set the status */
};

/* The body of a parallel loop, or of a launch, as a function. */
struct c_part {
    const struct imp *of;
    const struct imp_function *in;
    const char *name;
    struct c_variables outer; /* the variables from around that it uses */
};

/* What the variables of a function are called. */
struct c_names {
    struct var_map own, out, longer; /* const char * */
    VEC(const char *) made;          /* those that are not the variables' own */
};

struct c_writer {
    struct context *cx;
    bool jit, iso, in_range;
    const struct c_device *device; /* what CUDA has otherwise; NULL: this is C */
    const struct imp_function *kernel;
    const char *const *others; /* kernels in the file; NULL-terminated, or NULL */
    /* that is being written: the kernel, a helper of it, or a part of a parallel loop */
    const struct imp_function *function;
    bool part;                /* the last of these */
    const struct imp *launch; /* ... that is a launch: which one */
    struct text code;         /* of the functions */
    struct text helpers;      /* the text of those needed so far */
    int indent;

    VEC(const char *) helper;    /* names of those needed so far */
    VEC(struct c_vector) vector; /* vector types needed so far */
    struct c_names names;        /* of this function */
    struct var_map uses;         /* of the body of the function `used` */
    const struct imp_function *used;
    struct c_variables array;  /* those that this function makes */
    struct c_variables placed; /* of these, those that are declared where they are made */
    bool hoisted;              /* what is declared here is declared at the top */
    bool uses_type[TYPE_COUNT];
    bool uses_string, uses_allocation, uses_release, uses_sort, uses_size, uses_restrict, uses_libm;
    bool uses_math, uses_complex; /* their headers: never where `iso` is not set */

    bool fails;        /* this function may fail */
    bool returns;      /* ... and returns where it does, since it has nothing to release */
    bool uses_fail;    /* else it goes to a label behind its end */
    bool may_fail_yet; /* at this place or after it, in this part */
    /* other than that there is no memory, by bits: a variable `status` */
    unsigned statuses;
    bool parts_fail;             /* of its parallel loops: a variable `failed` */
    VEC(struct c_growth) growth; /* of this kernel */
    VEC(struct c_part) parts;    /* likewise */
    /* that is being written: a failure returns false */
    bool in_growth;
    struct c_variables stepped; /* in plain C: where this statement reads them they go up by one */
};

/* ---- c_name.c ---- */

const char *c_type(struct c_writer *w, enum type type);
const char *c_vector_type(struct c_writer *w, enum type type, int lanes);
const char *c_var_type(struct c_writer *w, const struct imp_var *var);
const char *c_name(struct c_writer *w, const struct imp_var *var);
/* May no variable have this name here? */
bool c_is_reserved(const struct c_writer *w, const char *name);
/* OF_what, for what a function has in the file besides itself: with a number, OF_2_what,
 * where something of this kernel's or of another's in the file is, or may be, called so. */
const char *c_file_name(struct c_writer *w, const struct imp_function *of, const char *what);
/* Name the variables that the function's body declares; before anything of it is written. */
void c_name_variables(struct c_writer *w, const struct imp *body);
/* Name the parameters of a function that declares nothing. */
void c_name_parameters(struct c_writer *w, const struct c_variables *parameters);
/* The name of the pointer through which an out parameter leaves. */
const char *c_out_name(struct c_writer *w, const struct imp_var *var);
/* The name of what realloc gives for an array. */
const char *c_longer_name(struct c_writer *w, const struct imp_var *var);
/* The name of an array of arrays where it has one. */
const char *c_few_name(struct c_writer *w, const struct imp_var *var);
struct c_piece c_literal(struct c_writer *w, struct value value);
/* A literal of exactly its type. */
const char *c_strong_literal(struct c_writer *w, struct value value);

/* ---- c_helper.c: each returns the helper's name ---- */

/* A helper's own name; in plain C it is KERNEL_name, so that it needs no guard where several
 * kernels are in a file. */
const char *c_helper_name(struct c_writer *w, const char *helper);
/* Open the definition of a helper of this name in w->helpers; false if it is there already. */
bool c_helper_begin(struct c_writer *w, const char *name);
void c_helper_end(struct c_writer *w);
/* Do helpers stand behind guards, and is the memory's source the user's? */
bool c_is_guarded(const struct c_writer *w);

/* What the C library's functions of this type have before their names. */
const char *c_library(struct c_writer *w, enum type type);
/* The operator in this type as a function: div_i32, min_f64, ... */
const char *c_op_helper(struct c_writer *w, enum op op, enum type type);
/* A conversion that C leaves undefined where the value does not fit: i32_from_f64. */
const char *c_cast_helper(struct c_writer *w, enum type to, enum type from);
const char *c_complex_helper(struct c_writer *w, enum type type);
const char *c_allocate_helper(struct c_writer *w);
const char *c_reallocate_helper(struct c_writer *w);
const char *c_release_helper(struct c_writer *w);
/* Room for arrays; what releases it, with them. */
const char *c_allocate_arrays_helper(struct c_writer *w);
const char *c_free_arrays_helper(struct c_writer *w);
/* What stands in for an array that one of them becomes. */
const char *c_move_array_helper(struct c_writer *w);
/* An array and those that parts have made, one behind the other; team: a clause of OpenMP's. */
const char *c_join_arrays_helper(struct c_writer *w, const char *team);
/* Elements of an array that move within it. */
const char *c_move_helper(struct c_writer *w, const char *team);
/* Read an element that other threads change; put another value there unless one of them has. */
const char *c_load_helper(struct c_writer *w, enum type type);
const char *c_exchange_helper(struct c_writer *w, enum type type);
const char *c_threads_helper(struct c_writer *w);
const char *c_team_own(struct c_writer *w, int indent);
const char *c_team_join(const struct c_writer *w, int indent);

/* ---- c_expression.c, c_vector.c ---- */

/* The expression with exactly its type. */
struct c_piece c_expression(struct c_writer *w, const struct imp *imp);
struct c_piece c_vector_expression(struct c_writer *w, const struct imp *imp);
/* The same as text that stands where at least this binding is asked for. */
const char *c_at(struct c_writer *w, const struct imp *imp, enum c_place place);
static inline const char *c_enclose(struct c_writer *w, struct c_piece piece, enum c_place place)
{
    return piece.place < place ? arena_printf(w->cx->arena, "(%s)", piece.text) : piece.text;
}
/* As text where C converts it to imp's type anyway: an assignment, an argument. */
const char *c_value(struct c_writer *w, const struct imp *imp);
/* As a subscript, or in a sum with a pointer. */
const char *c_position(struct c_writer *w, const struct imp *imp, enum c_place place);
/* A vector in memory, `*(f64x8 *)(y + i)`. */
const char *c_vector_at(struct c_writer *w, const struct imp_var *array, const struct imp *position,
                        int lanes);

/* ---- c_statement.c ---- */

__attribute__((format(printf, 3, 4))) void c_line(struct c_writer *w, int hanging,
                                                  const char *format, ...);
/* In plain C: the lines written since w->code had so many characters become one if it fits. */
void c_join_lines(struct c_writer *w, size_t mark);
/* A statement, or the statements of a block. */
void c_statements(struct c_writer *w, const struct imp *imp);
void c_statement(struct c_writer *w, const struct imp *imp);
/* The first of n statements, with what is written together with it; how many these are. */
int c_step(struct c_writer *w, const struct imp *const *arg, int n);
/* The statements of a block, or the statement itself. */
const struct imp *const *c_parts(const struct imp *const *imp, int *n);
void c_declare(struct c_writer *w, const struct imp *imp);
/* `target op= value`; current is the target as an expression. */
void c_assignment(struct c_writer *w, const char *target, const struct imp *current, enum op op,
                  const struct imp *value);
/* The operator before `=`, or NULL if C has none that means the same. */
const char *c_compound_sign(enum op op, enum type type);
/* May the statement leave the function, or some statement in it? */
bool c_may_fail(const struct c_writer *w, const struct imp *imp);

/* Leave the function if this holds, since there is no memory. */
void c_fail_if(struct c_writer *w, const char *condition);

/* ---- c_uses.c ---- */

enum c_use {
    C_USED = 1,
    C_DECLARED = 2,
    C_WRITTEN = 4,
    C_SHARED = 8, /* with other parts, atomically */
    C_TAKEN = 16  /* another array's memory */
};

/* How each of its variables is used. */
struct var_map c_uses(struct context *cx, const struct imp *statement);
/* ... in the function that is being written. */
struct var_map *c_own_uses(struct c_writer *w);
bool c_is(struct context *cx, struct var_map *uses, const struct imp_var *var, enum c_use use);

/* ---- c_body.c ---- */

/* The body of the function w->function, without braces. */
void c_body(struct c_writer *w, const struct imp *body);

/* ---- c_blas.c ---- */

/* The library's functions that the kernel calls, as words; NULL: none. */
const char *c_blas_functions(struct c_writer *w);
/* At the beginning of the helper that multiplies: the library does it, and it returns. */
void c_blas_call(struct c_writer *w);

/* ---- c_stream.c ---- */

/* An IMP_IN_LINE. */
const char *c_in_line(struct c_writer *w, const struct imp *imp);
/* Is it a vector that need not stay in the caches? */
bool c_is_streamed(const struct imp *imp);
/* A statement that stores it. */
void c_stream(struct c_writer *w, const struct imp *imp);
/* At the end of a function with this body: its own such stores are done. */
void c_stream_end(struct c_writer *w, const struct imp *body);

/* ---- c_parallel.c ---- */

/* The parts of the kernel's parallel loops, as functions in front of it: their names, before
 * anything else is named, and what each has for a function. */
void c_find_parts(struct c_writer *w);
const struct imp_function *c_part_function(struct c_writer *w, const struct c_part *part);
/* Is the array, a parameter of the function, only read in it? */
bool c_is_read_only(struct c_writer *w, const struct imp_var *array);
/* Do other parts touch elements of the array that this one touches, too? */
bool c_is_shared(struct c_writer *w, const struct imp_var *array);
/* A statement each. */
void c_parallel(struct c_writer *w, const struct imp *imp);
/* A clause of OpenMP's with how many threads a loop has, or nothing. */
const char *c_team(struct c_writer *w);
void c_keep(struct c_writer *w, const struct imp *imp);
void c_take(struct c_writer *w, const struct imp *imp);
void c_move(struct c_writer *w, const struct imp *imp);
void c_join(struct c_writer *w, const struct imp *imp);
void c_atomic(struct c_writer *w, const struct imp *imp);
const struct c_part *c_part_of(const struct c_writer *w, const struct imp *imp);
/* The body of a parallel loop, or of a launch. */
static inline const struct imp *c_part_body(const struct imp *of) { return of->arg[of->args - 1]; }
static inline bool c_is_part(const struct imp *imp)
{
    return imp->kind == IMP_PARALLEL || imp->kind == IMP_LAUNCH;
}
/* The element is read, and exchanged for what is made of it unless it has changed; in `before` is
 * what was there, for the lines in braces that `old` is one of, or NULL. */
void c_exchange(struct c_writer *w, const struct imp *imp, const char *old);

/* Is what a variable is declared or assigned an update, or fetched: lines of its own? */
static inline bool c_is_event(const struct imp *imp)
{
    return (imp->kind == IMP_DECLARE || imp->kind == IMP_ASSIGN) && imp->args
           && (imp->arg[0]->kind == IMP_UPDATE || imp->arg[0]->kind == IMP_FETCH);
}

/* ---- cuda.c ---- */

/* What CUDA has otherwise than C.  By this table the files above know nothing of those below. */
struct c_device {
    bool (*is_reserved)(const char *name);
    /* Is there code for the kernel?  Else a diagnostic says why not. */
    bool (*accepts)(struct c_writer *w);
    void (*includes)(struct text *out);
    /* what stands before the type of the function that is written; what it begins with */
    const char *(*before)(const struct c_writer *w);
    void (*begin)(struct c_writer *w);
    /* ... and what stands before a launch's name, and before a loop */
    const char *(*bounds)(struct c_writer *w);
    void (*loop)(struct c_writer *w, const struct imp *loop);
    /* May the statement, of host code, fail, as calls do? */
    bool (*calls)(const struct imp *imp);
    /* Write it; false: it is as in C. */
    bool (*statement)(struct c_writer *w, const struct imp *imp);
    /* The variable, which is declared already, gets what is fetched. */
    void (*fetch)(struct c_writer *w, const struct imp *imp);
    /* Write the first of n statements, and those behind it that release arrays as it does, and say
     * how many; 0: it releases none. */
    int (*free)(struct c_writer *w, const struct imp *const *arg, int n);
    /* Release arrays on the way out. */
    void (*release)(struct c_writer *w, const struct imp_var *const *var, int n);
    struct c_piece (*exchange)(struct c_writer *w, const struct imp *imp);
    /* The call that updates an element, and gives what was there; NULL: no instruction does. */
    const char *(*update)(struct c_writer *w, const struct imp *imp);
    const char *(*load_helper)(struct c_writer *w, enum type type);
    const char *(*exchange_helper)(struct c_writer *w, enum type type);
};
extern const struct c_device c_cuda;

/* What stands before a small function of the file. */
static inline const char *c_inline(const struct c_writer *w)
{
    return w->device ? "static __host__ __device__ inline " : "static inline ";
}

/* ---- cuda_host.c: host code, a statement each ---- */

bool c_cuda_calls(const struct imp *imp);
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
/* A declaration or an assignment of an update. */
void c_cuda_update(struct c_writer *w, const struct imp *imp);
struct c_piece c_cuda_exchange(struct c_writer *w, const struct imp *imp);
const char *c_cuda_atomic(struct c_writer *w, const struct imp *imp);
const char *c_cuda_load_helper(struct c_writer *w, enum type type);
const char *c_cuda_exchange_helper(struct c_writer *w, enum type type);

/* ---- cuda_registers.c ---- */

/* How many threads a block of the launch has, and how many blocks are to be there at once. */
const char *c_cuda_bounds(struct c_writer *w);
/* What stands before the loop. */
void c_cuda_loop(struct c_writer *w, const struct imp *loop);

/* ---- c_memory.c: a statement each ---- */

/* Does it ask for memory? */
bool c_allocates(const struct imp *imp);
/* The first of n statements, with those that follow it and ask for memory, too; how many these
 * are. */
int c_allocate(struct c_writer *w, const struct imp *const *arg, int n);
void c_release_array(struct c_writer *w, const struct imp_var *var);
/* All of them; many in a loop. */
void c_release_arrays(struct c_writer *w, const struct imp_var *const *var, int n);
/* Is the value stored as zero bytes only? */
bool c_is_zero_bytes(const struct imp *imp);
void c_fill(struct c_writer *w, const struct imp *imp);
void c_copy(struct c_writer *w, const struct imp *imp);
void c_prefetch(struct c_writer *w, const struct imp *imp);

/* ---- c_plain.c: where `iso` is set ---- */

/* How many statements from the first on make arrays and go together; 0: the first does not. */
int c_plain_group(const struct c_writer *w, const struct imp *const *arg, int n);
/* The arrays that such statements make are declared there. */
void c_plain_place(struct c_writer *w, const struct imp *const *arg, int n);
bool c_is_placed(const struct c_writer *w, const struct imp_var *array);
int c_plain_allocate(struct c_writer *w, const struct imp *const *arg, int n);
/* How many statements from the first on become calls of realloc; and these. */
int c_plain_resizes(const struct c_writer *w, const struct imp *const *arg, int n);
void c_plain_resize(struct c_writer *w, const struct imp *const *arg, int n);
/* Arrays are released in lines of several; once, since they keep what they were. */
void c_plain_release(struct c_writer *w, const struct imp_var *const *var, int n);
/* into[i], for each of n statements in a row: the one before it that does its work, too; -1: none.
 * How many do their own. */
int c_plain_steps(const struct imp *const *arg, int n, int *into);
/* The name of a helper that the C library has, too; NULL: it has not. */
const char *c_plain_library(const struct imp_function *helper);
/* A call of it. */
struct c_piece c_plain_call(struct c_writer *w, const struct imp *imp);

/* ---- c_growth.c ---- */

/* The functions in front of the kernel; once, before it is written. */
void c_growth_functions(struct c_writer *w);
/* What the `if` does instead of its body, as an expression that is true if it could; NULL: its
 * body. */
const char *c_growth_call(struct c_writer *w, const struct imp *imp);

#endif
