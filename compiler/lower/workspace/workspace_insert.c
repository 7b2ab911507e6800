/* workspace_insert.c - workspaces that are inserted into in any order (dense, bytemap): every
 * component has its place.
 *
 * The memory is the kernel's, and what was touched is emptied after the consumer, so that the next
 * producer finds it as the prologue left it.  Where the producer itself begins with fills at the
 * components of a pattern (compiler/tree/masked_compute.c), nothing else is read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/workspace.h"

enum { SMALL_BYTES = 4096 };

/* Returns the number of positions in the last of these levels. */
static const struct imp *positions(struct kernel *k, const struct workspace *ws, int levels)
{
    return kernel_positions(k, ws->assign->arg[0], 0, levels, imp_i64(k->cx, 1));
}

/* Finds the positions of these levels: those of all teams of a launch, or those of this team. */
static void find_positions(struct kernel *k, const struct workspace *ws, int levels, bool all,
                           const struct imp **begin, const struct imp **end)
{
    *begin = workspace_zero(k);
    *end = positions(k, ws, levels);
    if (ws->team && all)
        *end = imp_op2(k->cx, OP_MUL, ws->teams, *end);
    if (ws->team && !all) {
        *begin = imp_op2(k->cx, OP_MUL, ws->team, *end);
        *end = imp_op2(k->cx, OP_ADD, *begin, *end);
    }
}

static void fill_values(struct kernel *k, const struct workspace *ws, bool all)
{
    const struct imp *begin, *end;
    find_positions(k, ws, ws->code.tensor->format->levels, all, &begin, &end);
    const struct imp *fill =
        imp_fill(k->cx, ws->code.values, begin, end, imp_literal(k->cx, ws->code.tensor->fill));
    if (k->computes)
        imp_add(&k->b, ws->row ? mark_fill(k, ws->row, fill) : fill);
}

/* Returns the number of elements that the levels [0, levels) have at most, if it is known and
 * small; else 0. */
static int64_t few_elements(const struct workspace *ws, int levels, enum type type)
{
    int64_t n = 1;
    for (int level = 0; level < levels && n > 0; level++) {
        const struct index_var *var = workspace_var(ws, level);
        int64_t most = var->size > 0 ? var->size : var->most;
        n = most <= SMALL_BYTES ? n * most : 0;
        n = n * (int64_t)type_size(type) <= SMALL_BYTES ? n : 0;
    }
    return n;
}

void insert_allocate(struct kernel *k, const struct imp_var *array, const struct imp *elements)
{
    imp_add(&k->b, imp_declare(k->cx, array, NULL));
    imp_add(&k->b, imp_alloc(k->cx, array, elements));
    vec_push(k->cx->arena, &k->epilogue, imp_free(k->cx, array));
}

/* Allocates an array for the positions of the levels [0, levels). */
static void allocate_levels(struct kernel *k, const struct workspace *ws,
                            const struct imp_var *array, int levels)
{
    /* a device has no part in the memory of a function */
    int64_t few = ws->team || k->cx->cuda ? 0 : few_elements(ws, levels, array->type);
    const struct imp *all = few ? imp_i64(k->cx, few) : positions(k, ws, levels);
    ((struct imp_var *)(size_t)array)->small = few > 0;
    insert_allocate(k, array, ws->team ? imp_op2(k->cx, OP_MUL, ws->teams, all) : all);
}

/* Returns the number of positions in the last of these levels below this many of the first. */
static const struct imp *positions_below(struct kernel *k, const struct workspace *ws, int levels,
                                         const struct imp *of_first)
{
    return kernel_positions(k, ws->assign->arg[0], 1, levels, of_first);
}

/* Clears the levels: no position has a coordinate. */
static void clear_levels(struct kernel *k, const struct workspace *ws)
{
    const struct imp *begin, *end;
    for (int level = 0; level < ws->code.tensor->format->levels; level++) {
        struct level_code code = workspace_level(k, ws, level, workspace_zero(k));
        if (!code.format->type->clear)
            continue;
        find_positions(k, ws, level + 1, false, &begin, &end);
        code.format->type->clear(&code, begin, end);
    }
}

/* Are the values an array of the launch, which is new to each producer? */
static bool is_placed(const struct workspace *ws) { return ws->code.values->place != PLACE_MEMORY; }

/* Does the producer begin with assignments to all that is read? */
static bool is_defined(const struct workspace *ws)
{
    return ws->assign->args > 2 && !is_placed(ws);
}

/* Makes memory for the whole kernel, with nothing in it. */
static void make_inserted(struct kernel *k, struct workspace *ws)
{
    const struct format *format = ws->code.tensor->format;
    imp_begin(&k->b);
    for (int level = 0; level < format->levels; level++) {
        const struct level_type *type = format->level[level].type;
        for (int array = 0; array < LEVEL_ARRAYS; array++)
            if (type->array[array].kind == LEVEL_COORDINATES
                || type->array[array].kind == LEVEL_FLAGS)
                allocate_levels(k, ws, ws->code.array[level][array], level + 1);
        if (ws->code.scalar[level])
            imp_let(&k->b, ws->code.scalar[level], imp_int(k->cx, ws->code.scalar[level]->type, 0));
    }
    if (workspace_is_tracked(ws))
        clear_levels(k, ws);
    bits_open(k, ws);
    if (ws->placed)
        allocate_levels(k, ws, ws->placed->at, 1);
    else if (k->computes && !is_placed(ws))
        allocate_levels(k, ws, ws->code.values, format->levels);
    if (!ws->placed && (workspace_is_tracked(ws) || is_defined(ws)))
        fill_values(k, ws, true);
    workspace_end_prologue(k);
}

void insert_open(struct kernel *k, struct workspace *ws)
{
    const struct format *format = ws->code.tensor->format;
    make_inserted(k, ws);
    for (int level = 0; level < format->levels; level++)
        if (ws->code.scalar[level])
            imp_add(&k->b, imp_assign(k->cx, ws->code.scalar[level], OP_NONE,
                                      imp_int(k->cx, ws->code.scalar[level]->type, 0)));
    if (workspace_is_tracked(ws) || is_defined(ws))
        return;
    clear_levels(k, ws);
    ws->row = format->levels == 1 ? ++k->rows : 0;
    if (!ws->covered)
        fill_values(k, ws, false);
}

static void insert_component(struct kernel *k, struct workspace *ws,
                             const struct imp *const *coordinate, enum op op,
                             const struct imp *value)
{
    const struct imp *found, *position = ws->team ? ws->team : workspace_zero(k);
    for (int level = 0; level < ws->code.tensor->format->levels; level++) {
        struct level_code code = workspace_level(k, ws, level, position);
        position = code.format->type->insert
                       ? bits_insert(k, ws, &code, coordinate[level])
                       : code.format->type->locate(&code, coordinate[level], &found);
    }
    if (value)
        kernel_store(k, ws->code.tensor, ws->code.values, position, op, value);
}

static void insert(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op,
                   const struct imp *value)
{
    int levels = ws->code.tensor->format->levels;
    const struct imp **coordinate = arena_array(k->cx->arena, const struct imp *, levels);
    for (int level = 0; level < levels; level++)
        coordinate[level] = scope_coordinate(scope, workspace_var(ws, level));
    insert_component(k, ws, coordinate, op, value);
}

/* Empties what is below a position of the first level, and the values there. */
static void empty_below(struct kernel *k, const struct workspace *ws, const struct imp *at)
{
    struct context *cx = k->cx;
    int levels = ws->code.tensor->format->levels;
    const struct imp *first = imp_cast(cx, TYPE_I64, at), *one = imp_i64(cx, 1),
                     *fill = imp_literal(cx, ws->code.tensor->fill), *from, *to;
    for (int level = 1; level < levels; level++) {
        struct level_code code = workspace_level(k, ws, level, workspace_zero(k));
        from = positions_below(k, ws, level + 1, first);
        to = imp_op2(cx, OP_ADD, from, positions_below(k, ws, level + 1, one));
        if (code.format->type->clear)
            code.format->type->clear(&code, from, to);
        if (k->computes && level + 1 == levels)
            imp_add(&k->b, imp_fill(cx, ws->code.values, from, to, fill));
    }
    if (k->computes && levels == 1)
        imp_add(&k->b, imp_store(cx, ws->code.values, at, OP_NONE, fill));
}

/* Empties what was touched (where cleanup, thesis 6.2). */
void insert_close(struct kernel *k, struct workspace *ws)
{
    if (!workspace_is_tracked(ws) || !ws->again)
        return;
    struct context *cx = k->cx;
    struct imp_var *p = kernel_var(k, ws->code.scalar[0]->type, "p%s", ws->code.tensor->name);
    const struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    imp_begin(&k->b);
    const struct imp *at =
        imp_load(cx, *code_array(&ws->code, 0, LEVEL_COORDINATES), imp_read(cx, p));
    if (code.low) /* differences begin below 0, positions do not */
        at = imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, at), imp_cast(cx, TYPE_I64, code.low));
    imp_add(&k->b, imp_store(cx, *code_array(&ws->code, 0, LEVEL_FLAGS), at, OP_NONE,
                             imp_int(cx, TYPE_BOOL, 0)));
    if (!ws->placed)
        empty_below(k, ws, at);
    const struct imp *body = imp_end(&k->b);
    static const struct imp_mark apart = {.iterations =
                                              ITERATIONS_APART}; /* each coordinate once */
    const struct imp *loop =
        imp_for(cx, p, imp_int(cx, p->type, 0), imp_read(cx, ws->code.scalar[0]), 1, body);
    imp_add(&k->b, imp_marked(cx, loop, &apart));
}

/* ---- what is in it ---- */

/* Gives entry number n these coordinates and the value at this position. */
static void add_entry(struct kernel *k, const struct workspace *ws, const struct entries *in,
                      const struct imp *n, const struct imp *const *coordinate,
                      const struct imp *position)
{
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_store(k->cx, in->crd[level], n, OP_NONE, coordinate[level]));
    if (in->values)
        imp_add(&k->b, imp_store(k->cx, in->values, n, OP_NONE,
                                 imp_load(k->cx, ws->code.values, position)));
}

/* Adds the entries of the levels from this one on, below a position, where the list or the flags
 * have one. */
static void take_below(struct kernel *k, const struct workspace *ws, const struct entries *in,
                       const struct imp_var *n, const struct imp **coordinate, int level,
                       const struct imp *position, const struct imp *found)
{
    struct context *cx = k->cx;
    imp_begin(&k->b);
    if (level == ws->code.tensor->format->levels) {
        add_entry(k, ws, in, imp_read(cx, n), coordinate, position);
        imp_add(&k->b, imp_increment(cx, n));
        const struct imp *entry = imp_end(&k->b);
        imp_add(&k->b, found ? imp_if(cx, found, entry, NULL) : entry);
        return;
    }
    bool listed = level == 0 && workspace_is_tracked(ws);
    const struct imp *here = NULL;
    const struct index_var *var = workspace_var(ws, level);
    struct imp_var *at = listed
                             ? kernel_var(k, ws->code.scalar[0]->type, "p%s", ws->code.tensor->name)
                             : kernel_var(k, k->request->coordinates, "%s", var->name);
    struct level_code code = workspace_level(k, ws, level, position);
    const struct imp *low = listed ? NULL : kernel_low(k, var);
    coordinate[level] = imp_read(cx, at);
    if (listed)
        coordinate[level] = imp_cast(cx, k->request->coordinates,
                                     code.format->type->access(&code, coordinate[level]));
    position = code.format->type->locate(&code, coordinate[level], &here);
    take_below(k, ws, in, n, coordinate, level + 1, position,
               listed ? NULL : imp_both(k->cx, found, here));
    imp_add(&k->b, imp_for(cx, at, low ? low : imp_int(cx, at->type, 0),
                           listed ? imp_read(cx, ws->code.scalar[0]) : kernel_end(k, var), 1,
                           imp_end(&k->b)));
}

static void take_inserted(struct kernel *k, struct workspace *ws, struct entries *in)
{
    struct context *cx = k->cx;
    const struct tensor_var *t = ws->code.tensor;
    int levels = t->format->levels;
    const struct imp *room = workspace_is_tracked(ws)
                                 ? positions_below(k, ws, levels, imp_read(cx, ws->code.scalar[0]))
                                 : positions(k, ws, levels);
    struct imp_var *n = kernel_var(k, TYPE_I64, "n%s_taken", t->name);
    in->crd = arena_array(cx->arena, const struct imp_var *, levels);
    for (int level = 0; level < levels; level++)
        in->crd[level] =
            workspace_array(k, k->request->coordinates,
                            arena_printf(cx->arena, "%s%d_taken", t->name, level + 1), room);
    if (k->computes)
        in->values =
            workspace_array(k, t->type, arena_printf(cx->arena, "%s_taken", t->name), room);
    in->n = imp_let(&k->b, n, workspace_zero(k));
    take_below(k, ws, in, n, arena_array(cx->arena, const struct imp *, levels), 0,
               workspace_zero(k), NULL);
}

const struct workspace_way workspace_insert = {
    .open = insert_open,
    .store = insert,
    .finish = bits_finish,
    .close = insert_close,
    .take_out = take_inserted,
    .put = insert_component,
};
