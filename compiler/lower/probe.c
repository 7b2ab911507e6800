/* probe.c - locating in hash tables with linear probing, and the names of what level types declare.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/kernel.h"

struct imp_var *level_local(const struct level_code *code, enum type type, const char *suffix)
{
    return kernel_var(code->kernel, type, "%s%s%s", code->position_name, suffix ? "_" : "", suffix ? suffix : "");
}

/* The slot where a coordinate's search begins: index_slot. */
static const struct imp *first_slot(struct context *cx, const struct imp *coordinate, const struct imp *mask)
{
    const struct imp *factor = imp_literal(cx, (struct value){.type = TYPE_U64, .u = INDEX_HASH});
    const struct imp *half = imp_literal(cx, (struct value){.type = TYPE_U64, .u = UINT64_C(1) << 32});
    const struct imp *product = imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_U64, coordinate), factor);
    return imp_op2(cx, OP_AND, imp_cast(cx, TYPE_I64, imp_op2(cx, OP_DIV, product, half)), mask);
}

/* int64_t probe_T(const T *crd, int64_t begin, int64_t width, C coordinate): the position of the coordinate, or the empty
 * one where it would go. */
static const struct imp_function *make_probe(struct kernel *k, const char *name, enum type crd_type, enum type coordinates)
{
    struct context *cx = k->cx;
    struct imp_builder b = {.cx = cx};
    struct imp_var *crd = imp_array(cx, "crd", crd_type, true), *begin = imp_var(cx, "begin", TYPE_I64);
    struct imp_var *width = imp_var(cx, "width", TYPE_I64), *sought = imp_var(cx, "coordinate", coordinates);
    struct imp_var *slot = imp_var(cx, "slot", TYPE_I64), *mask = imp_var(cx, "mask", TYPE_I64);
    const struct imp *one = imp_int(cx, TYPE_I64, 1);
    imp_begin(&b);
    const struct imp *m = imp_let(&b, mask, imp_op2(cx, OP_SUB, imp_read(cx, width), one));
    const struct imp *s = imp_let(&b, slot, first_slot(cx, imp_read(cx, sought), m));
    const struct imp *position = imp_op2(cx, OP_ADD, imp_read(cx, begin), s), *at = imp_load(cx, crd, position);
    const struct imp *filled = imp_op2(cx, OP_NE, at, imp_cast(cx, crd_type, imp_int(cx, TYPE_I64, -1)));
    const struct imp *other = imp_op2(cx, OP_NE, imp_cast(cx, coordinates, at), imp_read(cx, sought));
    const struct imp *next = imp_op2(cx, OP_AND, imp_op2(cx, OP_ADD, s, one), m);
    imp_add(&b, imp_while(cx, imp_op2(cx, OP_AND, filled, other), imp_assign(cx, slot, OP_NONE, next)));
    imp_add(&b, imp_return(cx, position));

    const struct imp_var *param[] = {crd, begin, width, sought};
    struct imp_function probe = {.name = name, .result = TYPE_I64, .body = imp_end(&b)};
    probe.brief = "Where the coordinate is in the table crd[begin, begin + width), or the empty place where it goes.";
    return kernel_add_helper(k, probe, param, 4);
}

static const struct imp_function *probe_function(struct kernel *k, enum type crd_type, enum type coordinates)
{
    const char *name = arena_printf(k->cx->arena, "probe_%s", type_name(crd_type));
    const struct imp_function *known = kernel_find_helper(k, name);
    return known ? known : make_probe(k, name, crd_type, coordinates);
}

const struct imp *level_probe(const struct level_code *code, const struct imp_var *crd, const struct imp *begin,
                              const struct imp *width, const struct imp *coordinate)
{
    struct context *cx = code->b->cx;
    const struct imp *arg[] = {imp_read(cx, crd), imp_cast(cx, TYPE_I64, begin), imp_cast(cx, TYPE_I64, width),
                               imp_cast(cx, code->coordinates, coordinate)};
    const struct imp_function *probe = probe_function(code->kernel, crd->type, code->coordinates);
    return imp_let(code->b, level_local(code, TYPE_I64, NULL), imp_call(cx, probe, arg, 4));
}
