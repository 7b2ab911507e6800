/* level_code.c - what level types use to append code: names, and helpers that find coordinates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/level_code.h"

enum type level_position_type(enum type array) { return array == TYPE_I32 ? TYPE_I32 : TYPE_I64; }

struct imp_var *level_local(const struct level_code *code, enum type type, const char *suffix)
{
    const char *name = code->position_name;
    if (suffix)
        name = arena_printf(code->b->cx->arena, "%s_%s", name, suffix);
    return imp_new_var(code->b, type, name);
}

const struct imp *level_search(const struct level_code *code, const struct imp_var *crd,
                               const struct imp *begin, const struct imp *end,
                               const struct imp *coordinate, const struct imp **found)
{
    struct context *cx = code->b->cx;
    const struct imp *arg[] = {imp_read(cx, crd), begin, end, coordinate};
    const struct imp *search = prelude_call(code->b, "search", &crd->type, 1, arg, 4);
    const struct imp *p = imp_let(code->b, level_local(code, TYPE_I64, NULL), search);
    *found = imp_op2(cx, OP_GE, p, imp_i64(cx, 0));
    return p;
}

const struct imp *level_seek(const struct level_code *code, const struct imp_var *crd,
                             const struct imp *from, const struct imp *end, const struct imp *least)
{
    const struct imp *arg[] = {imp_read(code->b->cx, crd), from, end, least};
    return prelude_call(code->b, "seek", &crd->type, 1, arg, 4);
}

const struct imp *level_probe(const struct level_code *code, const struct imp_var *crd,
                              const struct imp *begin, const struct imp *width,
                              const struct imp *coordinate)
{
    const struct imp *arg[] = {imp_read(code->b->cx, crd), begin, width, coordinate};
    return imp_let(code->b, level_local(code, TYPE_I64, NULL),
                   prelude_call(code->b, "probe", &crd->type, 1, arg, 4));
}
