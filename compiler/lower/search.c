/* search.c - locating by binary search, for levels that are ordered but have no faster way.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/kernel.h"

/* low = the first position in [low, end) whose coordinate is not below the one sought. */
static const struct imp *search_loop(struct context *cx, const struct imp_var *crd, struct imp_var *low,
                                     struct imp_var *high, const struct imp_var *sought)
{
    struct imp_builder b = {.cx = cx};
    const struct imp *l = imp_read(cx, low), *h = imp_read(cx, high);
    imp_begin(&b);
    const struct imp *half = imp_op2(cx, OP_DIV, imp_op2(cx, OP_SUB, h, l), imp_int(cx, TYPE_I64, 2));
    const struct imp *middle = imp_let(&b, imp_var(cx, "middle", TYPE_I64), imp_op2(cx, OP_ADD, l, half));
    const struct imp *at = imp_cast(cx, sought->type, imp_load(cx, crd, middle));
    const struct imp *up = imp_assign(cx, low, OP_NONE, imp_op2(cx, OP_ADD, middle, imp_int(cx, TYPE_I64, 1)));
    imp_add(&b, imp_if(cx, imp_op2(cx, OP_LT, at, imp_read(cx, sought)), up, imp_assign(cx, high, OP_NONE, middle)));
    return imp_while(cx, imp_op2(cx, OP_LT, l, h), imp_end(&b));
}

/* int64_t search_T(const T *crd, int64_t low, int64_t end, C coordinate): the position, or -1. */
static const struct imp_function *make_search(struct kernel *k, const char *name, enum type crd_type)
{
    struct context *cx = k->cx;
    enum type coordinates = k->request->coordinates;
    struct imp_builder b = {.cx = cx};
    struct imp_var *crd = imp_array(cx, "crd", crd_type, true), *low = imp_var(cx, "low", TYPE_I64);
    struct imp_var *end = imp_var(cx, "end", TYPE_I64), *sought = imp_var(cx, "coordinate", coordinates);
    struct imp_var *high = imp_var(cx, "high", TYPE_I64);
    imp_begin(&b);
    imp_let(&b, high, imp_read(cx, end));
    imp_add(&b, search_loop(cx, crd, low, high, sought));
    const struct imp *at = imp_cast(cx, coordinates, imp_load(cx, crd, imp_read(cx, low)));
    const struct imp *inside = imp_op2(cx, OP_LT, imp_read(cx, low), imp_read(cx, end));
    const struct imp *same = imp_op2(cx, OP_AND, inside, imp_op2(cx, OP_EQ, at, imp_read(cx, sought)));
    imp_add(&b, imp_return(cx, imp_select(cx, same, imp_read(cx, low), imp_int(cx, TYPE_I64, -1))));

    const struct imp_var *param[] = {crd, low, end, sought};
    struct imp_function search = {.name = name, .result = TYPE_I64, .body = imp_end(&b)};
    search.brief = "Where the coordinate is in crd[low, end), which ascends; -1 if it is not.";
    return kernel_add_helper(k, search, param, 4);
}

static const struct imp_function *search_function(struct kernel *k, enum type crd_type)
{
    const char *name = arena_printf(k->cx->arena, "search_%s", type_name(crd_type));
    const struct imp_function *known = kernel_find_helper(k, name);
    return known ? known : make_search(k, name, crd_type);
}

const struct imp *level_search(const struct level_code *code, const struct imp_var *crd, const struct imp *begin,
                               const struct imp *end, const struct imp *coordinate, const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *arg[] = {imp_read(cx, crd), imp_cast(cx, TYPE_I64, begin), imp_cast(cx, TYPE_I64, end),
                               imp_cast(cx, code->coordinates, coordinate)};
    const struct imp_function *search = search_function(code->kernel, crd->type);
    const struct imp *p = imp_let(code->b, kernel_var(code->kernel, TYPE_I64, "%s", code->position_name),
                                  imp_call(cx, search, arg, 4));
    *found = imp_op2(cx, OP_GE, p, imp_int(cx, TYPE_I64, 0));
    return p;
}
