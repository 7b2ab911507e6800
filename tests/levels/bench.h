/* bench.h - a kernel around the code functions of one level, interpreted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_TESTS_LEVELS_BENCH_H
#define SPCC_TESTS_LEVELS_BENCH_H

#include "tests/levels/sample.h"

#include "compiler/imperative/run/interpret.h"
#include "compiler/level_code.h"
#include "compiler/optimize/optimize.h"

enum { FOUND_MOST = 2 * NODES_MOST };

/* A kernel around one level's code: the level's arrays, and what it reports in `found` and
 * `position`. */
struct bench {
    struct context *cx;
    struct sample *sample;
    struct imp_unit unit;
    struct imp_builder to;
    struct level_code code;
    struct imp_var *array[LEVEL_ARRAYS], *reported, *found, *position;
    struct imp_param param[3 * LEVEL_ARRAYS + 2];
    struct imp_argument argument[3 * LEVEL_ARRAYS + 2];
    int params;
    int64_t coordinate_at[FOUND_MOST], position_at[FOUND_MOST];
    bool back; /* report the coordinate that follows from the position, and its parent */
};

static inline const struct level_type *type_of(const struct bench *b)
{
    return b->sample->format.type;
}

static inline void add_param(struct bench *b, const struct imp_var *var, bool out, void *data,
                             int64_t length)
{
    b->param[b->params] = (struct imp_param){.var = var, .role = ROLE_ARRAY, .out = out};
    b->argument[b->params++] = (struct imp_argument){.data = data, .length = length};
}

/* made: the kernel makes the arrays. */
static inline void declare_arrays(struct bench *b, bool made)
{
    struct sample *s = b->sample;
    for (int a = 0; a < LEVEL_ARRAYS; a++) {
        const struct level_array *array = &s->format.type->array[a];
        if (array->kind == LEVEL_NO_ARRAY)
            continue;
        const char *name = arena_printf(b->cx->arena, "A1_%s", array->name);
        b->array[a] = imp_array(b->cx, name, level_array_type(&s->format, a), !made);
        b->code.array[a] = b->array[a];
        add_param(b, b->array[a], made, made ? NULL : s->level.array[a],
                  made ? 0 : s->level.length[a]);
    }
}

static inline void open_bench(struct bench *b, struct context *cx, struct sample *s, bool made,
                              uint64_t *seed)
{
    memset(b, 0, sizeof *b);
    b->cx = cx;
    b->sample = s;
    enum type coordinates = random_below(seed, 2) ? TYPE_I32 : TYPE_I64;
    b->to = (struct imp_builder){.cx = cx, .unit = &b->unit};
    b->code = (struct level_code){
        .b = &b->to, .format = &s->format, .coordinates = coordinates, .position_name = "pA1"};
    b->code.dimension = imp_int(cx, coordinates, s->level.dimension);
    b->code.low = s->level.low ? imp_int(cx, coordinates, s->level.low) : NULL;
    declare_arrays(b, made);
    b->found = imp_array(cx, "found", TYPE_I64, false);
    b->position = imp_array(cx, "position", TYPE_I64, false);
    add_param(b, b->found, false, b->coordinate_at, FOUND_MOST);
    add_param(b, b->position, false, b->position_at, FOUND_MOST);
    imp_begin(&b->to);
    b->reported = imp_var(cx, "reported", TYPE_I64);
    imp_let(&b->to, b->reported, imp_int(cx, TYPE_I64, 0));
}

/* What the level's array of kind LEVEL_SCALAR holds goes into a variable. */
static inline void read_scalar(struct bench *b)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        if (type_of(b)->array[a].kind == LEVEL_SCALAR) {
            struct imp_var *scalar = imp_var(b->cx, "scalar", b->array[a]->type);
            imp_let(&b->to, scalar, imp_load(b->cx, b->array[a], imp_int(b->cx, TYPE_I64, 0)));
            b->code.scalar = scalar;
        }
}

static inline void stand_below(struct bench *b, int64_t parent)
{
    enum type type = random_below(&(uint64_t){(uint64_t)parent}, 2) ? TYPE_I32 : TYPE_I64;
    b->code.parent = imp_int(b->cx, type, parent);
    b->code.parent_next = imp_int(b->cx, type, parent + 1);
}

/* found[reported] = coordinate; position[reported++] = position */
static inline void report(struct bench *b, const struct imp *coordinate, const struct imp *position)
{
    struct imp_builder *to = &b->to;
    const struct level_type *type = type_of(b);
    const struct imp *at = imp_read(b->cx, b->reported);
    if (b->back) {
        coordinate = (type->access ? type->access : type->coordinate_of)(&b->code, position);
        position = type->parent_of(&b->code, position);
    }
    imp_add(to, imp_store(b->cx, b->found, at, OP_NONE, imp_cast(b->cx, TYPE_I64, coordinate)));
    imp_add(to, imp_store(b->cx, b->position, at, OP_NONE, imp_cast(b->cx, TYPE_I64, position)));
    imp_add(to, imp_assign(b->cx, b->reported, OP_ADD, imp_int(b->cx, TYPE_I64, 1)));
}

/* As it is, or simplified. */
static inline void run_bench(struct bench *b, bool simplified)
{
    struct imp_function function = {.name = "f",
                                    .result = TYPE_I32,
                                    .params = b->params,
                                    .param = b->param,
                                    .body = imp_end(&b->to),
                                    .helpers = (int)b->unit.helpers.n,
                                    .helper_at = b->unit.helpers.at};
    const char *error = imp_check(b->cx, &function);
    if (error)
        fail_msg("%s: %s", type_of(b)->name, error);
    const struct imp_function *as_run = simplified ? imp_simplify(b->cx, &function) : &function;
    struct imp_run run = imp_interpret(b->cx, as_run, b->argument, NULL);
    if (run.fault)
        fail_msg("%s: %s", type_of(b)->name, run.fault);
    assert_int_equal(run.status, STATUS_OK);
}

static inline const struct imp *number(struct bench *b, int64_t i)
{
    return imp_int(b->cx, TYPE_I64, i);
}

static inline void emit_epilogue(struct bench *b)
{
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        if (type_of(b)->array[a].kind == LEVEL_SCALAR)
            imp_add(&b->to, imp_store(b->cx, b->array[a], number(b, 0), OP_NONE,
                                      imp_read(b->cx, b->code.scalar)));
}

/* The level that has come out is the one that was to be made. */
static inline void is_made(struct bench *b)
{
    struct sample *s = b->sample;
    int param = 0;
    for (int a = 0; a < LEVEL_ARRAYS; a++)
        if (b->array[a]) {
            s->level.array[a] = b->argument[param].data;
            s->level.length[a] = b->argument[param++].length;
        }
    for (int64_t i = 0; i < s->nodes.n; i++)
        s->position[i] = b->position_at[i];
    struct level_fault fault = {.at = -1, .why = NULL};
    if (!s->format.type->check(&s->level, s->nodes.parents, &s->positions, &fault))
        fail_msg("%s as made: %s[%lld], %s", s->format.type->name, fault.array, (long long)fault.at,
                 fault.why);
    nodes_are_there(s);
}

#endif
