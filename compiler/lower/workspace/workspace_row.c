/* workspace_row.c - rows that the teams of a launch make, each in a table of its own
 * (levels/row_table.c, lower/parallel/launch_rows.c).
 *
 *     the table is emptied               as wide as this row needs: by all lanes
 *     the producer                       inserts, several lanes at once
 *     the list                           of what the table has, in order (prelude/table.ir)
 *     the consumer                       goes along the list, and locates in the table
 *
 * Before that a launch counts, for each row, how much its producer inserts: the room.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/gpu.h"
#include "compiler/imperative/query.h"
#include "compiler/lower/workspace/workspace.h"

/* ---- the room ---- */

static void open_room(struct kernel *k, struct workspace *ws)
{
    struct imp_var *count = kernel_var(k, TYPE_I64, "n%s", ws->code.tensor->name);
    imp_let(&k->b, count, workspace_zero(k));
    ws->count = count;
}

static void count_room(struct kernel *k, const struct scope *scope, struct workspace *ws,
                       enum op op, const struct imp *value)
{
    (void)scope, (void)op, (void)value;
    imp_add(&k->b, imp_increment(k->cx, ws->count));
}

static void note_room(struct kernel *k, struct workspace *ws)
{
    imp_add(&k->b, imp_assign(k->cx, k->launch->rows->room, OP_MAX, imp_read(k->cx, ws->count)));
}

const struct workspace_way workspace_room = {
    .open = open_room,
    .store = count_room,
    .finish = note_room,
};

/* ---- the table ---- */

/* Returns the block's array of this many elements.  All regions of a loop share it, since an
 * iteration is in one of them. */
static const struct imp_var *shared_array(struct kernel *k, const void *of, const char *name,
                                          enum type type, int length)
{
    struct kernel_launch *launch = k->launch;
    for (size_t i = 0; i < launch->shared.n; i++)
        if (launch->shared_for.at[i] == of)
            return launch->shared.at[i];
    const struct imp_var *array =
        imp_placed(k->cx, imp_unused_name(&k->b, name), type, PLACE_SHARED, length);
    vec_push(k->cx->arena, &launch->placed, imp_declare(k->cx, array, NULL));
    vec_push(k->cx->arena, &launch->shared, array);
    vec_push(k->cx->arena, &launch->shared_for, of);
    return array;
}

/* Returns an array in which each team of the block has this many elements. */
static const struct imp_var *share_array(struct kernel *k, const struct imp_var *like, int each)
{
    return shared_array(k, like, imp_stem(like), like->type, (int)k->launch->block_teams * each);
}

static const struct imp *named(struct kernel *k, const struct workspace *ws, const char *what,
                               const struct imp *value)
{
    return imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_%s", ws->code.tensor->name, what), value);
}

/* Returns where the team's share of an array begins. */
static const struct imp *team_times(struct kernel *k, const struct imp *each)
{
    const struct kernel_launch *launch = k->launch;
    return imp_op2(k->cx, OP_MUL, launch->rows->places ? launch->in_block : launch->team, each);
}

/* Declares the arrays of all teams, and finds where those of this team are. */
static void place_table(struct kernel *k, struct workspace *ws, const struct kernel_table *table)
{
    const struct kernel_rows *rows = k->launch->rows;
    struct level_table *at = arena_make(k->cx->arena, struct level_table);
    const struct level_format *bytemap = ws->code.tensor->format->level;
    const struct imp_var **key = code_array(&ws->code, 0, LEVEL_FLAGS),
                         **list = code_array(&ws->code, 0, LEVEL_COORDINATES);
    bool shared = rows->places > 0;
    *key = shared ? share_array(k, table->key, rows->places) : table->key;
    *list = shared ? share_array(k, table->list, rows->listed + 1) : table->list;
    if (k->computes)
        ws->code.values = shared ? share_array(k, table->values, rows->places) : table->values;
    const struct imp *width = shared ? imp_i64(k->cx, rows->places) : rows->width,
                     *listed = shared ? imp_i64(k->cx, rows->listed) : rows->width,
                     *lists = team_times(k, imp_next(k->cx, listed));
    at->format = *bytemap;
    at->format.type = bytemap->type->in_table;
    at->format.crd = table->key->type;
    at->begin = named(k, ws, "base", team_times(k, width));
    at->list = named(k, ws, "list", imp_next(k->cx, lists));
    ws->code.table = at;
}

/* Empties a table of the width that this row needs, which has a place for each coordinate at most.
 */
static void open_row(struct kernel *k, struct workspace *ws)
{
    struct context *cx = k->cx;
    const struct kernel_table *table = kernel_table(k, ws->code.tensor);
    const struct kernel_launch *launch = k->launch;
    const enum type i64 = TYPE_I64;
    place_table(k, ws, table);
    struct level_table *at = (struct level_table *)(size_t)ws->code.table;
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    const struct imp *most =
        imp_op2(cx, OP_MIN, launch->rows->has, imp_cast(cx, TYPE_I64, code.dimension));
    at->width = named(k, ws, "width", prelude_call(&k->b, "probe_width", &i64, 1, &most, 1));
    imp_let(&k->b, ws->code.scalar[0], imp_int(cx, ws->code.scalar[0]->type, 0));
    const struct imp *end = imp_op2(cx, OP_ADD, at->begin, at->width);
    code.format->type->clear(&code, at->begin, end);
    if (k->computes)
        imp_add(&k->b, imp_fill(cx, ws->code.values, at->begin, end,
                                imp_literal(cx, ws->code.tensor->fill)));
}

static void insert(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op,
                   const struct imp *value)
{
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    const struct imp *at =
        code.format->type->insert(&code, scope_coordinate(scope, workspace_var(ws, 0)), NULL);
    if (value)
        kernel_store(k, ws->code.tensor, ws->code.values, at, op, value);
}

/* Returns the array through which a block's threads add up. */
static const struct imp *ends(struct kernel *k, const struct workspace *ws)
{
    const struct tensor_var *t = ws->code.tensor;
    const char *name = arena_printf(k->cx->arena, "%s_ends", t->name);
    return imp_read(k->cx, shared_array(k, t, name, TYPE_I32, GPU_WARP + 1));
}

/* Does the code read the array or the variable, but for variables that it reads no more? */
static bool reads(const struct imp *code, const struct imp *all, const struct imp_var *var)
{
    bool declares = code->kind == IMP_DECLARE, some = !declares && code->var == var;
    if (!imp_uses(code, var))
        return false;
    if (declares && code->var != var)
        return reads(all, all, code->var);
    for (int i = 0; i < code->args && !some; i++)
        some = reads(code->arg[i], all, var);
    return some;
}

/* Begins the consumer's code. */
static void begin_consumer(struct kernel *k, struct workspace *ws)
{
    (void)ws;
    imp_begin(&k->b);
}

/* Lists what is in the table, in order if the consumer asks for that, and counts it. */
static void list_row(struct kernel *k, struct workspace *ws)
{
    struct context *cx = k->cx;
    struct kernel_launch *launch = k->launch;
    const struct level_table *at = ws->code.table;
    const struct imp *consumer = imp_end(&k->b);
    const struct imp_var *key = *code_array(&ws->code, 0, LEVEL_FLAGS),
                         *list = *code_array(&ws->code, 0, LEVEL_COORDINATES),
                         *count = ws->code.scalar[0];
    const struct imp *before = imp_op2(cx, OP_SUB, at->list, imp_i64(cx, 1)),
                     *sorts =
                         imp_literal(cx, value_int(TYPE_BOOL, reads(consumer, consumer, list))),
                     *arg[] = {imp_read(cx, key),
                               at->begin,
                               at->width,
                               imp_read(cx, list),
                               before,
                               sorts,
                               imp_read(cx, launch->thread),
                               NULL,
                               NULL};
    int args = 7, lanes = launch->is_block ? 0 : launch->lanes;
    if (launch->is_block) {
        arg[args++] = imp_int(cx, TYPE_I32, launch->lanes);
        arg[args++] = ends(k, ws);
    }
    const struct imp *make =
        imp_do(cx, prelude_call(&k->b, launch->is_block ? "sort_table_block" : "sort_table_warp",
                                &key->type, 1, arg, args));
    vec_push(cx->arena, &launch->apart, make);
    imp_add(&k->b, imp_barrier(cx, lanes));
    imp_add(&k->b, make);
    imp_add(&k->b, imp_barrier(cx, lanes));
    imp_add(&k->b,
            imp_assign(cx, count, OP_NONE, imp_cast(cx, count->type, imp_load(cx, list, before))));
    imp_add_all(&k->b, consumer);
}

const struct workspace_way workspace_row = {
    .open = open_row,
    .store = insert,
    .finish = begin_consumer,
    .close = list_row,
};
