/* test_emit.c - emitted C against the interpreter: every operator and conversion in every type,
 * random programs, memory that runs out at every step; through a compiler of C11 and one of C++17,
 * without warnings.
 *
 *     test_imperative_emit [every]
 *
 * every: through every compiler that there is, six at most.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/text.h"
#include "compiler/emit/emit.h"
#include "compiler/imperative/stream.h"
#include "compiler/imperative/text/parse.h"
#include "compiler/optimize/optimize.h"
#include "tests/imperative/compile.h"
#include "tests/imperative/loops.h"
#include "tests/imperative/programs.h"
#include "tests/imperative/protect.h"
#include "tests/imperative/random.h"

/* Random programs compare what cannot be equal. */
#define RANDOM_FLAGS \
    "-Wno-type-limits -Wno-unknown-warning-option -Wno-tautological-overlap-compare"

enum { KERNELS = 1000, ALL = 100 };

struct batch {
    struct context *cx;
    struct text source;
    const struct imp_function *kernel[KERNELS];
    int kernels;
    struct imp_argument *(*arguments)(struct rng *rng, const struct imp_function *function);
};

static struct batch *new_batch(struct context *cx)
{
    struct batch *batch = arena_make(cx->arena, struct batch);
    batch->cx = cx;
    batch->source = text_new(cx->arena);
    text_add(&batch->source, compile_prologue());
    batch->arguments = random_arguments;
    return batch;
}

/* Has plain C nothing for it, or no C++? */
static bool is_extension(const struct imp *imp, void *data)
{
    (void)data;
    return imp->lanes > 1 || imp->kind == IMP_PREFETCH || type_is_complex(imp->type)
           || type_is_complex(imp->computed) || (imp->var && type_is_complex(imp->var->type));
}

static bool is_plain(const struct imp_function *kernel)
{
    bool is = !imp_any(kernel->body, is_extension, NULL);
    for (int i = 0; i < kernel->helpers; i++)
        is = is && !imp_any(kernel->helper_at[i]->body, is_extension, NULL);
    return is;
}

/* Every second one as plain C, if it can be. */
static void add_kernel(struct batch *batch, const struct imp_function *kernel)
{
    const char *error = imp_check(batch->cx, kernel);
    if (error)
        fail_msg("%s", error);
    struct emit_options options = {.iso = batch->kernels % 2 == 1 && is_plain(kernel)};
    text_add(&batch->source, emit_c(batch->cx, kernel, &options, NULL));
    text_add(&batch->source, compile_wrapper(batch->cx, kernel));
    assert_true(batch->kernels < KERNELS);
    batch->kernel[batch->kernels++] = kernel;
}

/* Compile by every compiler, or by at most so many, and let `verify` look at the library. */
static void for_compilers(const struct batch *batch, const char *flags, int most,
                          void (*verify)(const struct batch *batch, void *library))
{
    int found = 0;
    for (const struct compiler *compiler = compilers; compiler->name && found < most; compiler++) {
        if (!compiler_is_chosen(compiler))
            continue;
        void *library = compile_library(compiler, batch->source.at, flags);
        assert_non_null(library);
        verify(batch, library);
        dlclose(library);
        found++;
    }
    assert_true(found > 0);
}

/* ---- every operator and conversion ---- */

static struct imp_param array(struct context *cx, const char *name, enum type type, bool constant)
{
    return (struct imp_param){
        .var = imp_array(cx, name, type, constant), .role = ROLE_VALUES, .meaning = "elements"};
}

/* x0[i], x1[i], … as arguments of an operator, and a kernel that stores a value of them. */
struct elements {
    struct imp_param param[4];
    struct imp_var *i;
    const struct imp *at, *arg[3];
};

static struct elements *elements(struct context *cx, const enum type *operand, int args)
{
    struct elements *e = arena_make(cx->arena, struct elements);
    e->i = imp_var(cx, "i", TYPE_I32);
    e->at = imp_read(cx, e->i);
    for (int a = 0; a < args; a++) {
        e->param[a] = array(cx, arena_printf(cx->arena, "x%d", a), operand[a], true);
        e->arg[a] = imp_load(cx, e->param[a].var, e->at);
    }
    return e;
}

static const struct imp_function *stored(struct context *cx, const char *name, struct elements *e,
                                         int args, const struct imp *value)
{
    e->param[args] = array(cx, "y", value->type, false);
    struct imp_function *kernel = arena_make(cx->arena, struct imp_function);
    kernel->name = name;
    kernel->params = args + 1;
    kernel->param = e->param;
    kernel->body =
        imp_for(cx, e->i, imp_int(cx, TYPE_I32, 0), imp_int(cx, TYPE_I32, RANDOM_ELEMENTS), 1,
                imp_store(cx, e->param[args].var, e->at, OP_NONE, value));
    return imp_simplify(cx, kernel);
}

/* y[i] = e(x0[i], x1[i], x2[i]) for all elements. */
static const struct imp_function *elementwise(struct context *cx, const char *name,
                                              const enum type *operand, int args, enum op op,
                                              enum type result)
{
    struct elements *e = elements(cx, operand, args);
    const struct imp *value =
        op == OP_NONE ? imp_cast(cx, result, e->arg[0]) : imp_op(cx, op, e->arg, args);
    return stored(cx, name, e, args, value);
}

/* y[i] = ~(t)(x0[i] <= x1[i]): the complement of a truth value, of which compilers warn. */
static const struct imp_function *complement(struct context *cx, const char *name, enum type type)
{
    struct elements *e = elements(cx, (const enum type[]){TYPE_F32, TYPE_F32}, 2);
    const struct imp *truth = imp_cast(cx, type, imp_op(cx, OP_LE, e->arg, 2));
    return stored(cx, name, e, 2, imp_op(cx, OP_NOT, &truth, 1));
}

static void add_operators(struct batch *batch)
{
    struct context *cx = batch->cx;
    for (int o = 0; !op_converts((enum op)o); o++) { /* which are casts */
        for (int t = 0; t < TYPE_COUNT; t++) {
            enum type operand[] = {o == OP_SELECT ? TYPE_BOOL : (enum type)t, (enum type)t,
                                   (enum type)t};
            if (op_is_of_values((enum op)o) && op_accepts((enum op)o, operand))
                add_kernel(batch, elementwise(cx, arena_printf(cx->arena, "op%d_%d", o, t), operand,
                                              op_arity((enum op)o), (enum op)o, TYPE_F64));
        }
    }
    for (int t = 0; t < TYPE_COUNT; t++)
        if (type_is_integer((enum type)t))
            add_kernel(batch,
                       complement(cx, arena_printf(cx->arena, "complement%d", t), (enum type)t));
}

static void add_conversions(struct batch *batch)
{
    for (int from = 0; from < TYPE_COUNT; from++) {
        for (int to = 0; to < TYPE_COUNT; to++) {
            enum type operand[] = {(enum type)from};
            const char *name = arena_printf(batch->cx->arena, "cast%d_%d", from, to);
            add_kernel(batch, elementwise(batch->cx, name, operand, 1, OP_NONE, (enum type)to));
        }
    }
}

static bool near_real(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return (isnan(a) && isnan(b)) || a == b;
    return fabs(a - b) <= tolerance * (1 + fmax(fabs(a), fabs(b)));
}

/* Equal but for what a library function may round, or a single-precision one compute in single
 * precision. */
static bool near_value(struct value a, struct value b)
{
    double tolerance = type_size(type_real(a.type)) == 4 ? 1e-4 : 1e-11;
    if (type_is_float(a.type))
        return near_real(a.f, b.f, tolerance);
    if (!type_is_complex(a.type))
        return value_equal(a, b);
    double size = 1 + fabs(a.c.re) + fabs(a.c.im);
    return (near_real(a.c.re, b.c.re, tolerance) && near_real(a.c.im, b.c.im, tolerance))
           || (fabs(a.c.re - b.c.re) <= tolerance * size
               && fabs(a.c.im - b.c.im) <= tolerance * size);
}

/* Single-precision overflow and the special cases of complex functions depend on how they are
 * computed. */
static bool needs_tame_values(const struct imp_function *kernel)
{
    enum type type = kernel->param[kernel->params - 2].var->type;
    int op;
    if (sscanf(kernel->name, "op%d", &op) != 1 || random_is_exact((enum op)op, type))
        return false;
    return type_is_complex(type) || type == TYPE_F32;
}

static void tame(struct rng *rng, const struct imp_function *kernel, struct imp_argument *argument)
{
    for (int i = 0; i + 1 < kernel->params; i++) {
        enum type type = kernel->param[i].var->type;
        for (size_t at = 0; at < RANDOM_ELEMENTS; at++) {
            double re = (rng_below(rng, 33) - 16) / 8.0, im = (rng_below(rng, 33) - 16) / 8.0;
            value_store(value_complex(type, re, im),
                        (char *)argument[i].data + at * type_size(type));
        }
    }
}

static void report(const struct imp_function *kernel, const struct imp_argument *argument,
                   size_t at, struct value got, struct value expected)
{
    char a[64], b[64];
    value_print(got, a, sizeof a);
    value_print(expected, b, sizeof b);
    fprintf(stderr, "%s gives %s, not %s, of", kernel->name, a, b);
    for (int i = 0; i + 1 < kernel->params; i++) {
        enum type type = kernel->param[i].var->type;
        value_print(value_load(type, (char *)argument[i].data + at * type_size(type)), a, sizeof a);
        fprintf(stderr, " %s", a);
    }
    fprintf(stderr, "\n");
    fail();
}

static void compare_elementwise(const struct batch *batch, void *library, int k, struct rng *rng)
{
    const struct imp_function *kernel = batch->kernel[k];
    struct imp_argument *expected = random_arguments(rng, kernel);
    if (needs_tame_values(kernel))
        tame(rng, kernel, expected);
    struct imp_argument *got = copy_arguments(kernel, expected);
    struct imp_run run = imp_interpret(batch->cx, kernel, expected, NULL);
    assert_null(run.fault);
    assert_int_equal(compile_run(library, kernel, got), STATUS_OK);
    int last = kernel->params - 1;
    enum type type = kernel->param[last].var->type;
    for (size_t at = 0; at < RANDOM_ELEMENTS; at++) {
        struct value a = value_load(type, (char *)got[last].data + at * type_size(type));
        struct value b = value_load(type, (char *)expected[last].data + at * type_size(type));
        if (!near_value(a, b))
            report(kernel, expected, at, a, b);
    }
    free_arguments(kernel, expected);
    free_arguments(kernel, got);
}

static void verify_elementwise(const struct batch *batch, void *library)
{
    for (int k = 0; k < batch->kernels; k++) {
        struct rng rng = {(uint64_t)k};
        for (int round = 0; round < 10; round++)
            compare_elementwise(batch, library, k, &rng);
    }
}

static void test_operators(void **state)
{
    PROTECT((struct context *)*state);
    struct batch *batch = new_batch(*state);
    add_operators(batch);
    for_compilers(batch, "", ALL, verify_elementwise);
}

static void test_conversions(void **state)
{
    PROTECT((struct context *)*state);
    struct batch *batch = new_batch(*state);
    add_conversions(batch);
    for_compilers(batch, "", ALL, verify_elementwise);
}

/* ---- random programs ---- */

static void verify_random(const struct batch *batch, void *library)
{
    for (int k = 0; k < batch->kernels; k++) {
        const struct imp_function *kernel = batch->kernel[k];
        struct rng rng = {(uint64_t)k};
        struct imp_argument *expected = batch->arguments(&rng, kernel),
                            *got = copy_arguments(kernel, expected);
        struct imp_run run =
            imp_interpret(batch->cx, kernel, expected, &(struct imp_options){.max_steps = 1000000});
        if (run.fault)
            fail_msg("%s: %s", kernel->name, run.fault);
        assert_int_equal(compile_run(library, kernel, got), run.status);
        for (int i = 0; i < kernel->params; i++)
            got[i].length = expected[i].length;
        if (!same_results(kernel, expected, got))
            fail_msg("%s computes something else", kernel->name);
        free_arguments(kernel, expected);
        free_arguments(kernel, got);
    }
}

/* `simple`: as the compiler emits them; else with everything in that simplification removes. */
static struct batch *random_batch(struct context *cx, uint64_t seed, bool simple)
{
    struct batch *batch = new_batch(cx);
    struct rng rng = {seed};
    /* gcc makes ~x of 255 - x, and then warns of what it is compared with. */
    text_add(&batch->source, "#if defined(__GNUC__) && !defined(__clang__)\n"
                             "#pragma GCC diagnostic ignored \"-Wsign-compare\"\n#endif\n");
    for (int i = 0; i < 100; i++) {
        const struct imp_function *kernel =
            random_program(cx, &rng, arena_printf(cx->arena, "random%d", i));
        add_kernel(batch, simple ? imp_simplify(cx, kernel) : kernel);
    }
    return batch;
}

static void test_random(void **state)
{
    PROTECT((struct context *)*state);
    for_compilers(random_batch(*state, 1, true), RANDOM_FLAGS, ALL, verify_random);
}

static void test_random_unsimplified(void **state)
{
    PROTECT((struct context *)*state);
    for_compilers(random_batch(*state, 2, false), "-w", 2, verify_random);
}

/* ---- vectors ---- */

static void test_vectors(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct batch *batch = new_batch(cx);
    struct rng rng = {5};
    batch->arguments = random_loops_arguments;
    for (int i = 0; i < 180; i++) {
        enum loops_kind kind = (enum loops_kind)(i % LOOPS_KINDS);
        const struct imp_function *kernel =
            random_loops(cx, &rng, arena_printf(cx->arena, "loops%d", i), kind);
        add_kernel(batch,
                   imp_vectorize(cx, imp_simplify(cx, kernel), VECTORS(16 << i / LOOPS_KINDS % 3)));
    }
    for_compilers(batch, "", ALL, verify_random);
}

/* y = min(y, (f64)x), of four rows of x in registers, or of all elements of x into y[0]: gcc 12
 * breaks down over the minimum of a vector that has just been converted. */
static const struct imp_function *converted(struct context *cx, bool row)
{
    struct imp_param *param = arena_array(cx->arena, struct imp_param, 2);
    struct imp_var *i = imp_var(cx, "i", TYPE_I32), *r = imp_var(cx, "r", TYPE_I32),
                   *t = imp_var(cx, "t", TYPE_F64);
    const struct imp *zero = imp_int(cx, TYPE_I32, 0), *rows = imp_int(cx, TYPE_I32, 4);
    const struct imp *n = imp_int(cx, TYPE_I32, row ? 4 : 16), *at = imp_read(cx, r), *body,
                     *all[3];
    param[0] = array(cx, "x", TYPE_F32, true);
    param[1] = array(cx, "y", TYPE_F64, false);
    const struct imp *from =
        row ? imp_op2(cx, OP_ADD, imp_op2(cx, OP_MUL, imp_read(cx, i), rows), at) : at;
    const struct imp *value = imp_cast(cx, TYPE_F64, imp_load(cx, param[0].var, from));
    body = row ? imp_store(cx, param[1].var, at, OP_MIN, value) : imp_assign(cx, t, OP_MIN, value);
    const struct imp_mark inner = {.iterations = ITERATIONS_REDUCE, .row = row},
                          outer = {.reduces_row = row};
    all[1] = imp_marked(cx, imp_for(cx, r, zero, n, 1, body),
                        arena_copy(cx->arena, &inner, sizeof inner));
    all[0] = imp_declare(cx, t, imp_load(cx, param[1].var, zero));
    all[2] = imp_store(cx, param[1].var, zero, OP_NONE, imp_read(cx, t));
    struct imp_function *kernel = arena_make(cx->arena, struct imp_function);
    kernel->name = row ? "row" : "all";
    kernel->params = 2;
    kernel->param = param;
    kernel->body = !row ? imp_block(cx, all, 3)
                        : imp_marked(cx, imp_for(cx, i, zero, rows, 1, all[1]),
                                     arena_copy(cx->arena, &outer, sizeof outer));
    return imp_vectorize(cx, kernel, VECTORS(32));
}

static void test_converted(void **state)
{
    PROTECT((struct context *)*state);
    struct batch *batch = new_batch(*state);
    add_kernel(batch, converted(*state, false));
    add_kernel(batch, converted(*state, true));
    for_compilers(batch, "", ALL, verify_random);
    for_compilers(batch, "-O3", ALL, verify_random);
}

/* Every operator that vectors have, on every type of lanes: y[0 .. lanes) = op(x0, x1, x2). */
static const struct imp_function *vector_operator(struct context *cx, enum op op, enum type type,
                                                  int lanes)
{
    struct imp_param *param = arena_array(cx->arena, struct imp_param, 4);
    const struct imp *zero = imp_int(cx, TYPE_I32, 0), *arg[3];
    for (int a = 0; a < 4; a++)
        param[a] = array(cx, a < 3 ? arena_printf(cx->arena, "x%d", a) : "y", type, a < 3);
    for (int a = 0; a < 3; a++)
        arg[a] = imp_load_lanes(cx, param[a].var, zero, lanes);
    const enum type operand[] = {op == OP_SELECT ? TYPE_BOOL : type, type, type};
    if (type_is_complex(type) || !op_accepts(op, operand))
        return NULL;
    const struct imp *less = imp_op2(cx, OP_LT, arg[0], arg[1]), *value;
    if (op == OP_SELECT)
        value = imp_select(
            cx, imp_op2(cx, OP_AND, less, imp_op1(cx, OP_NOT, imp_op2(cx, OP_EQ, arg[1], arg[2]))),
            arg[0], arg[1]);
    else
        value = imp_op(cx, op, arg, op_arity(op));
    if (value->type == TYPE_BOOL)
        value = imp_select(cx, value, arg[2], imp_broadcast(cx, imp_int(cx, type, 7), lanes));
    struct imp_function *kernel = arena_make(cx->arena, struct imp_function);
    kernel->name = arena_printf(cx->arena, "vector%d_%d_%d", (int)op, (int)type, lanes);
    kernel->params = 4;
    kernel->param = param;
    kernel->body = imp_store(cx, param[3].var, zero, OP_NONE, value);
    return imp_check(cx, kernel) ? NULL : kernel;
}

/* y[0 .. lanes) = lanes of x0 and x1, in another order. */
static const struct imp_function *shuffle(struct context *cx, enum type type, int lanes)
{
    struct imp_param *param = arena_array(cx->arena, struct imp_param, 3);
    const struct imp *zero = imp_int(cx, TYPE_I32, 0), *arg[2];
    int order[16];
    for (int a = 0; a < 3; a++)
        param[a] = array(cx, a < 2 ? arena_printf(cx->arena, "x%d", a) : "y", type, a < 2);
    for (int a = 0; a < 2; a++)
        arg[a] = imp_load_lanes(cx, param[a].var, zero, lanes);
    for (int i = 0; i < lanes; i++)
        order[i] = (5 * i + 3) % (2 * lanes);
    struct imp_function *kernel = arena_make(cx->arena, struct imp_function);
    kernel->name = arena_printf(cx->arena, "shuffle_%d_%d", (int)type, lanes);
    kernel->params = 3;
    kernel->param = param;
    kernel->body =
        imp_store(cx, param[2].var, zero, OP_NONE, imp_shuffle(cx, arg[0], arg[1], order, lanes));
    return imp_check(cx, kernel) ? NULL : kernel;
}

static void test_shuffles(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct batch *batch = new_batch(cx);
    for (int type = 0; type < TYPE_COUNT; type++) {
        for (int lanes = 2; lanes <= 8; lanes *= 2) {
            const struct imp_function *kernel =
                type_is_complex((enum type)type) ? NULL : shuffle(cx, (enum type)type, lanes);
            if (kernel)
                add_kernel(batch, kernel);
        }
    }
    assert_true(batch->kernels >= 24);
    for_compilers(batch, "", ALL, verify_random);
}

/* y[0 .. lanes) = x[0 .. lanes) + x[0 .. lanes), past the caches if a line begins there. */
static const struct imp_function *stream(struct context *cx, enum type type, int lanes)
{
    struct imp_param *param = arena_array(cx->arena, struct imp_param, 2);
    const struct imp *zero = imp_int(cx, TYPE_I32, 0);
    for (int a = 0; a < 2; a++)
        param[a] = array(cx, a ? "y" : "x", type, !a);
    const struct imp *x = imp_load_lanes(cx, param[0].var, zero, lanes),
                     *store = imp_store(cx, param[1].var, zero, OP_NONE, imp_op2(cx, OP_ADD, x, x)),
                     *begins = imp_op2(cx, OP_EQ, imp_in_line(cx, param[1].var, zero, 64), zero);
    struct imp_function *kernel = arena_make(cx->arena, struct imp_function);
    kernel->name = arena_printf(cx->arena, "stream_%s_%d", type_name(type), lanes);
    kernel->params = 2;
    kernel->param = param;
    kernel->body = imp_if(cx, begins, imp_streamed(cx, store), store);
    return imp_check(cx, kernel) ? NULL : kernel;
}

static void test_streams(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct batch *batch = new_batch(cx);
    static const enum type types[] = {TYPE_U8, TYPE_I16, TYPE_F32, TYPE_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int lanes = IMP_STREAM_LEAST / (int)type_size(types[t]);
             lanes <= RANDOM_ELEMENTS && lanes * (int)type_size(types[t]) <= 64; lanes *= 2)
            add_kernel(batch, stream(cx, types[t], lanes));
    for_compilers(batch, "", ALL, verify_random);
}

static void test_vector_operators(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct batch *batch = new_batch(cx);
    for (int op = 0; op < OP_COUNT; op++) {
        for (int type = 0; type < TYPE_COUNT; type++) {
            const struct imp_function *kernel =
                vector_operator(cx, (enum op)op, (enum type)type, 4);
            if (kernel)
                add_kernel(batch, kernel);
        }
    }
    assert_true(batch->kernels > 120);
    for_compilers(batch, "", ALL, verify_random);
}

/* ---- helpers with effects, and arrays of the kernel's own ---- */

static struct imp_argument *sorted_arguments(struct rng *rng, const struct imp_function *kernel)
{
    struct imp_argument *argument = random_arguments(rng, kernel);
    argument[0].value = value_int(TYPE_I32, rng_percent(rng, 20) ? 101 : RANDOM_ELEMENTS);
    return argument;
}

static struct batch *sorted_batch(struct context *cx)
{
    struct batch *batch = new_batch(cx);
    batch->arguments = sorted_arguments;
    add_kernel(batch, program_sorted(cx));
    return batch;
}

static void test_sorted(void **state)
{
    PROTECT((struct context *)*state);
    struct batch *batch = sorted_batch(*state);
    assert_non_null(strstr(batch->source.at,
                           "static inline void sort_i32(int32_t *restrict crd, int32_t n)\n"));
    assert_non_null(strstr(batch->source.at, "\n    sort_i32(w1_crd, n);\n"));
    assert_non_null(strstr(batch->source.at, "        return;\n"));
    for_compilers(batch, "", ALL, verify_random);
}

/* ---- lines of plain C ---- */

static void test_lines(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    const struct imp_function *f =
        imp_parse(cx, "kernel k(const i32 n, bool *map, f64 *w) {\n"
                      "i32 p = 0\nwhile (p < n) {\n"
                      "if (map[p]) {\nw[p] += 1\n}\n"
                      "if (w[p] > f64(2)) {\nw[p + 1] = 1\nw[p + 2] = 1\nw[p + 3] = 1\n}\n"
                      "map[p] = false\nw[p] = 0\np += 1\nw[p] = 3\n}\n}\n");
    assert_non_null(f);
    const char *source = emit_c(cx, f, &(struct emit_options){.iso = true}, NULL);
    assert_non_null(strstr(source, "        if (map[p]) w[p] += 1.0;\n"));
    /* three statements are no line, and a counter steps on in one */
    assert_non_null(strstr(source, "        if (w[p] > 2.0) {\n            w[p + 1] = 1.0;\n"));
    assert_non_null(strstr(source, "        map[p] = false; w[p++] = 0.0;\n        w[p] = 3.0;\n"));
}

/* ---- text for the runtime ---- */

static void test_for_jit(void **state)
{
    struct context *cx = *state;
    PROTECT(cx);
    struct rng rng = {3};
    for (int i = 0; i < 4; i++) {
        const struct imp_function *kernel = imp_simplify(cx, random_program(cx, &rng, "kernel"));
        const char *source = emit_c(cx, kernel, &(struct emit_options){.for_jit = true}, NULL);
        assert_null(strstr(source, "#include"));
        void *library = compile_library(&compilers[0], source, RANDOM_FLAGS);
        assert_non_null(library);
        struct batch *batch = new_batch(cx);
        batch->kernel[batch->kernels++] = kernel;
        verify_random(batch, library);
        dlclose(library);
    }
}

/* ---- memory that runs out ---- */

struct purse {
    long left;
};

static void *purse_reallocate(void *data, void *old, size_t size)
{
    struct purse *purse = data;
    if (purse->left == 0)
        return NULL;
    purse->left--;
    return realloc(old, size);
}

static void purse_release(void *data, void *old) { free(old); }

/* Let the n-th allocation fail, in the library and in the interpreter; true if there was one. */
static bool fail_at(const struct batch *batch, void *library, int k, long n)
{
    const struct imp_function *kernel = batch->kernel[k];
    struct rng rng = {(uint64_t)k};
    struct imp_argument *expected = batch->arguments(&rng, kernel),
                        *got = copy_arguments(kernel, expected);
    struct purse purse = {n};
    struct imp_allocator allocator = {purse_reallocate, purse_release, &purse};
    struct imp_run run =
        imp_interpret(batch->cx, kernel, expected,
                      &(struct imp_options){.allocator = &allocator, .max_steps = 0});
    assert_null(run.fault);
    compile_fail_after(library, n);
    assert_int_equal(compile_run(library, kernel, got), run.status);
    compile_fail_after(library, -1);
    for (int i = 0; i < kernel->params; i++)
        got[i].length = expected[i].length;
    assert_true(same_results(kernel, expected, got));
    free_arguments(kernel, expected);
    free_arguments(kernel, got);
    return run.status == STATUS_NO_MEMORY;
}

static void verify_exhaustion(const struct batch *batch, void *library)
{
    int failures = 0;
    for (int k = 0; k < batch->kernels; k++)
        for (long n = 0; fail_at(batch, library, k, n); n++)
            failures++;
    assert_true(failures > batch->kernels);
}

static void test_exhaustion(void **state)
{
    PROTECT((struct context *)*state);
    for_compilers(random_batch(*state, 4, true), RANDOM_FLAGS, 1, verify_exhaustion);
    for_compilers(sorted_batch(*state), "", ALL, verify_exhaustion);
}

int main(int argc, char **argv)
{
    compilers_choose(argc == 2 && strcmp(argv[1], "every") == 0);
    const struct CMUnitTest tests[] = {
        TEST(test_operators),
        TEST(test_conversions),
        TEST(test_random),
        TEST(test_random_unsimplified),
        TEST(test_vectors),
        TEST(test_converted),
        TEST(test_vector_operators),
        TEST(test_shuffles),
        TEST(test_streams),
        TEST(test_sorted),
        TEST(test_lines),
        TEST(test_for_jit),
        TEST(test_exhaustion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
