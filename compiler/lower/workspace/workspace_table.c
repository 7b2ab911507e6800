/* workspace_table.c - workspaces that are one hash table each, which grows: rows with so many
 * columns that an array of them all would be too large (hash SpGEMM: Nagasaka et al., Parallel
 * Computing 90, 2019).
 *
 * When the table is full what is in it moves to one twice as wide.  A run of the where begins with
 * the width that the last one had, or half of it if that used little, so that no run takes much
 * longer for what another needed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/workspace/workspace.h"

enum { FIRST_WIDTH = 16, LITTLE = 8 };

static const struct imp *width(struct kernel *k, const struct workspace *ws)
{
    return imp_read(k->cx, ws->code.scalar[0]);
}

static void size_table(struct kernel *k, const struct workspace *ws,
                       const struct imp *(*size)(struct context *, const struct imp_var *,
                                                 const struct imp *))
{
    const struct imp *room = imp_read(k->cx, ws->capacity);
    imp_add(&k->b, size(k->cx, *code_array(&ws->code, 0, LEVEL_COORDINATES), room));
    if (k->computes)
        imp_add(&k->b, size(k->cx, ws->code.values, room));
}

static void clear(struct kernel *k, const struct workspace *ws)
{
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    code.format->type->clear(&code, workspace_zero(k), width(k, ws));
}

/* Empties the table, and makes it narrower if the last run needed no more. */
static void empty(struct kernel *k, const struct workspace *ws)
{
    struct context *cx = k->cx;
    const struct imp_var *scalar = ws->code.scalar[0];
    const struct imp *part = imp_op2(cx, OP_DIV, width(k, ws), imp_int(cx, scalar->type, LITTLE));
    const struct imp *little = imp_op2(cx, OP_LT, imp_read(cx, ws->count), part);
    const struct imp *wide =
        imp_op2(cx, OP_GT, width(k, ws), imp_int(cx, scalar->type, FIRST_WIDTH));
    const struct imp *half = imp_op2(cx, OP_DIV, width(k, ws), imp_int(cx, scalar->type, 2));
    if (ws->again)
        imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_AND, little, wide),
                              imp_assign(cx, scalar, OP_NONE, half), NULL));
    imp_add(&k->b, imp_assign(cx, ws->count, OP_NONE, imp_int(cx, ws->count->type, 0)));
    clear(k, ws);
}

static void open_table(struct kernel *k, struct workspace *ws)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    struct imp_var *scalar = (struct imp_var *)ws->code.scalar[0];
    enum type type = scalar->type;
    struct imp_var *capacity = kernel_var(k, type, "%s_capacity", name),
                   *count = kernel_var(k, type, "n%s", name);
    const struct imp *first = imp_int(cx, type, FIRST_WIDTH), *none = imp_int(cx, type, 0);
    const struct imp_var *crd = *code_array(&ws->code, 0, LEVEL_COORDINATES);
    ws->capacity = capacity;
    ws->count = count;
    imp_begin(&k->b);
    workspace_declare(k, crd);
    vec_push(cx->arena, &k->epilogue, imp_free(cx, crd));
    if (k->computes) {
        workspace_declare(k, ws->code.values);
        vec_push(cx->arena, &k->epilogue, imp_free(cx, ws->code.values));
    }
    imp_let(&k->b, capacity, first);
    imp_let(&k->b, scalar, first);
    imp_let(&k->b, count, none);
    size_table(k, ws, imp_alloc);
    workspace_end_prologue(k);
    empty(k, ws);
}

/* ---- growing ---- */

/* Puts what is in the table aside in arrays. */
static struct entries take_out(struct kernel *k, const struct workspace *ws)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    struct imp_var *slot = kernel_var(k, TYPE_I64, "p%s", name),
                   *n = kernel_var(k, TYPE_I64, "n%s_taken", name);
    const struct imp *at = imp_read(cx, slot), *to = imp_let(&k->b, n, workspace_zero(k)),
                     *count = imp_read(cx, ws->count);
    struct entries out = {.n = imp_read(cx, n),
                          .crd = arena_array(cx->arena, const struct imp_var *, 1)};
    out.crd[0] = workspace_array(k, k->request->coordinates,
                                 arena_printf(cx->arena, "%s1_taken", name), count);
    if (k->computes)
        out.values = workspace_array(k, ws->code.tensor->type,
                                     arena_printf(cx->arena, "%s_taken", name), count);
    imp_begin(&k->b);
    imp_add(&k->b, imp_store(cx, out.crd[0], to, OP_NONE, code.format->type->access(&code, at)));
    if (out.values)
        imp_add(&k->b, imp_store(cx, out.values, to, OP_NONE, imp_load(cx, ws->code.values, at)));
    imp_add(&k->b, imp_increment(cx, n));
    const struct imp *filled =
        imp_if(cx, code.format->type->occupied(&code, at), imp_end(&k->b), NULL);
    imp_add(&k->b, imp_for(cx, slot, workspace_zero(k), width(k, ws), 1, filled));
    return out;
}

static void put_back(struct kernel *k, const struct workspace *ws, const struct entries *from)
{
    struct context *cx = k->cx;
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    struct imp_var *entry = kernel_var(k, TYPE_I64, "p%s", ws->code.tensor->name);
    const struct imp *at = imp_read(cx, entry);
    imp_begin(&k->b);
    const struct imp *slot = code.format->type->insert(&code, imp_load(cx, from->crd[0], at), NULL);
    if (from->values)
        imp_add(&k->b,
                imp_store(cx, ws->code.values, slot, OP_NONE, imp_load(cx, from->values, at)));
    imp_add(&k->b, imp_for(cx, entry, workspace_zero(k), from->n, 1, imp_end(&k->b)));
    imp_add(&k->b, imp_free(cx, from->crd[0]));
    if (from->values)
        imp_add(&k->b, imp_free(cx, from->values));
}

static void widen(struct kernel *k, const struct workspace *ws)
{
    struct context *cx = k->cx;
    const struct imp_var *scalar = ws->code.scalar[0];
    const struct imp *most = imp_int(cx, scalar->type, index_max(scalar->type) / 2);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, width(k, ws), most),
                          imp_fail(cx, STATUS_TOO_LARGE), NULL));
    imp_add(&k->b, imp_assign(cx, scalar, OP_MUL, imp_int(cx, scalar->type, 2)));
    imp_begin(&k->b);
    imp_add(&k->b, imp_assign(cx, ws->capacity, OP_NONE, width(k, ws)));
    size_table(k, ws, imp_resize);
    const struct imp *enlarge = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, imp_read(cx, ws->capacity), width(k, ws)), enlarge,
                          NULL));
}

static void grow(struct kernel *k, const struct workspace *ws)
{
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    const struct imp *full = code.format->type->is_full(&code, imp_read(k->cx, ws->count));
    imp_begin(&k->b);
    struct entries all = take_out(k, ws);
    widen(k, ws);
    clear(k, ws);
    put_back(k, ws, &all);
    imp_add(&k->b, imp_if(k->cx, full, imp_end(&k->b), NULL));
}

/* ---- stores ---- */

static void put_entry(struct kernel *k, struct workspace *ws, const struct imp *const *at,
                      enum op op, const struct imp *value)
{
    struct context *cx = k->cx;
    const struct imp *found, *coordinate = at[0];
    grow(k, ws);
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    const struct imp *position = code.format->type->locate(&code, coordinate, &found);
    code.located = position;
    imp_begin(&k->b);
    code.format->type->insert(&code, coordinate, NULL);
    if (value && op != OP_NONE)
        imp_add(&k->b, imp_store(cx, ws->code.values, position, OP_NONE,
                                 imp_literal(cx, ws->code.tensor->fill)));
    imp_add(&k->b, imp_increment(cx, ws->count));
    imp_add(&k->b, imp_if(cx, imp_op1(cx, OP_NOT, found), imp_end(&k->b), NULL));
    if (value)
        imp_add(&k->b, imp_store(cx, ws->code.values, position, op, value));
}

static void store_entry(struct kernel *k, const struct scope *scope, struct workspace *ws,
                        enum op op, const struct imp *value)
{
    const struct imp *coordinate = scope_coordinate(scope, workspace_var(ws, 0));
    put_entry(k, ws, &coordinate, op, value);
}

static void take_table(struct kernel *k, struct workspace *ws, struct entries *in)
{
    *in = take_out(k, ws);
}

const struct workspace_way workspace_table = {
    .open = open_table,
    .store = store_entry,
    .take_out = take_table,
    .put = put_entry,
};
