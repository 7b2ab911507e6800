/* workspace_twice.c - lists that loops on a GPU make, in two runs
 * (lower/parallel/assembly_twice.c).
 *
 *     the loops                          count the entries of each part
 *     a scan                             says where each part's begin
 *     the loops                          store them
 *     a sort by coordinates              where they did not come in order (base/grid.c)
 *     entries of one component           are one: those that begin one are counted by a scan, and
 *                                        each of them is a thread's, which combines the others in
 *                                        the order in which they came
 *     below a dense level                each row's segment is searched for
 *
 * So the list is the same each time, and the one that a CPU makes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/workspace.h"

/* ---- the two runs ---- */

/* Opens the list, which is empty at first if the loops may not run at all. */
static void open_list(struct kernel *k, struct workspace *ws)
{
    ws->root = list_root(ws);
    if (ws->producer && tree_is_conditional(k->cx, ws->tree, ws->producer->statement, ws->assign)) {
        struct imp_var *n = kernel_var(k, TYPE_I64, "n%s", ws->code.tensor->name);
        ws->capacity = n;
        ws->room = imp_let(&k->b, n, workspace_zero(k));
    }
    list_open_arrays(k, ws, ws->room);
}

void list_run(struct workspace *ws, bool tallies, const struct imp_var *count)
{
    ws->tallies = tallies;
    ws->count = count;
}

void list_allocate(struct kernel *k, struct workspace *ws, const struct imp *many)
{
    struct imp_var *count = (struct imp_var *)ws->capacity;
    if (count) {
        imp_add(&k->b, imp_assign(k->cx, count, OP_NONE, many));
        list_free(k, ws);
    } else {
        count = kernel_var(k, TYPE_I64, "n%s", ws->code.tensor->name);
        imp_let(&k->b, count, many);
    }
    const struct imp *n = imp_read(k->cx, count);
    workspace_check_entries(k, ws, n);
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_alloc(k->cx, ws->crd[level], n));
    if (k->computes)
        imp_add(&k->b, imp_alloc(k->cx, ws->vals, n));
    ws->count = count;
}

static void put_entry(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op,
                      const struct imp *value)
{
    (void)op;
    if (!ws->count || !k->launch) {
        kernel_refuse(k, cin_gpu(k->program, k->program->statement),
                      "%s is a list, and what appends to it is in no loop that threads share",
                      ws->code.tensor->name);
        return;
    }
    if (!ws->tallies)
        list_put(k, scope, ws, value);
    if (!ws->single)
        imp_add(&k->b, imp_increment(k->cx, ws->count));
}

/* ---- in order, each component once ---- */

/* The entries as they were stored, and their order. */
struct ordered {
    const struct imp_var *order; /* NULL if they were stored in order */
    const struct imp *at;        /* where the order begins */
};

static const struct imp *entry_of(struct kernel *k, const struct ordered *o, const struct imp *p)
{
    struct context *cx = k->cx;
    return o->order ? imp_load(cx, o->order, imp_op2(cx, OP_ADD, o->at, p)) : p;
}

static const struct imp *let_entry(struct kernel *k, const struct workspace *ws,
                                   const struct ordered *o, const struct imp *p, const char *what)
{
    const struct imp *entry = imp_cast(k->cx, TYPE_I64, entry_of(k, o, p));
    return imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_%s", ws->code.tensor->name, what), entry);
}

static const char *entry_name(struct kernel *k, const struct workspace *ws)
{
    return arena_printf(k->cx->arena, "p%s", ws->code.tensor->name);
}

/* Puts each entry where it belongs. */
static void arrange(struct kernel *k, struct workspace *ws, const struct ordered *o)
{
    struct grid g;
    list_new_arrays(k, ws, 0);
    const struct imp *p = grid_each(&g, k, entry_name(k, ws), imp_read(k->cx, ws->count));
    list_move(k, ws, let_entry(k, ws, o, p, "from"), p);
    grid_end_each(&g);
}

/* Finds, for each entry, whether it is the first of its component. */
static void find_first_entries(struct kernel *k, const struct workspace *ws,
                               const struct ordered *o, const struct imp_var *first)
{
    struct context *cx = k->cx;
    struct grid g;
    const struct imp *p = grid_each(&g, k, entry_name(k, ws), imp_read(cx, ws->count)),
                     *zero = imp_i64(cx, 0), *one = imp_i64(cx, 1);
    struct imp_var *is = kernel_var(k, TYPE_I64, "%s_is_first", ws->code.tensor->name);
    imp_let(&k->b, is, one);
    imp_begin(&k->b);
    const struct imp *here = let_entry(k, ws, o, p, "from"),
                     *before = let_entry(k, ws, o, imp_op2(cx, OP_SUB, p, one), "before"),
                     *same = NULL;
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        same = imp_both(cx, same,
                        imp_op2(cx, OP_EQ, imp_load(cx, ws->crd[level], here),
                                imp_load(cx, ws->crd[level], before)));
    imp_add(&k->b, imp_assign(cx, is, OP_NONE, imp_select(cx, same, zero, one)));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, p, zero), imp_end(&k->b), NULL));
    imp_add(&k->b, imp_store(cx, first, p, OP_NONE, imp_read(cx, is)));
    grid_end_each(&g);
}

/* Combines the entries of the component that begins with entry p, of n. */
static void combine(struct kernel *k, const struct workspace *ws, const struct ordered *o,
                    const struct imp_var *first, const struct imp *p, const struct imp *n)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    struct imp_var *sum = kernel_var(k, ws->vals->type, "%s_val", name),
                   *next = kernel_var(k, TYPE_I64, "%s_next", name);
    const struct imp *to = imp_load(cx, first, p), *at = imp_read(cx, next),
                     *goes_on = imp_op2(cx, OP_EQ, imp_load(cx, first, imp_next(cx, at)),
                                        imp_load(cx, first, imp_next(cx, p)));
    imp_let(&k->b, sum, imp_load(cx, ws->vals, let_entry(k, ws, o, p, "from")));
    imp_let(&k->b, next, imp_next(cx, p));
    imp_begin(&k->b);
    imp_add(&k->b,
            imp_assign(cx, sum, list_combines_by(ws), imp_load(cx, ws->vals, entry_of(k, o, at))));
    imp_add(&k->b, imp_increment(cx, next));
    imp_add(&k->b,
            imp_while(cx, imp_op2(cx, OP_AND, imp_op2(cx, OP_LT, at, n), goes_on), imp_end(&k->b)));
    imp_add(&k->b, imp_store(cx, ws->code.values, to, OP_NONE, imp_read(cx, sum)));
}

/* Puts the first entry of each component where that belongs, with what all of them make. */
static void gather_sorted(struct kernel *k, struct workspace *ws, const struct ordered *o)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    const struct imp *n = imp_read(cx, ws->count);
    struct imp_var *all = kernel_var(k, TYPE_I64, "n%s_gathered", name);
    const struct imp_var *first = workspace_array(
        k, TYPE_I64, arena_printf(cx->arena, "%s_first", name), grid_scan_room(k, n));
    struct grid g;
    find_first_entries(k, ws, o, first);
    grid_scan(k, first, n);
    imp_let(&k->b, all, imp_fetch(cx, imp_load(cx, first, n)));
    ws->count = all;
    list_new_arrays(k, ws, 0);
    const struct imp *p = grid_each(&g, k, entry_name(k, ws), n), *to = imp_load(cx, first, p);
    imp_begin(&k->b);
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_store(cx, *list_coordinates(ws, level), to, OP_NONE,
                                 imp_load(cx, ws->crd[level], entry_of(k, o, p))));
    if (k->computes)
        combine(k, ws, o, first, p, n);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, to, imp_load(cx, first, imp_next(cx, p))),
                          imp_end(&k->b), NULL));
    grid_end_each(&g);
    imp_add(&k->b, imp_free(cx, first));
}

/* ---- segments ---- */

/* Finds where the segment of each row begins in the list, and where the last one ends. */
static void find_rows(struct kernel *k, struct workspace *ws)
{
    struct context *cx = k->cx;
    struct grid g;
    const struct imp *rows =
        imp_cast(cx, TYPE_I64, workspace_level(k, ws, 0, workspace_zero(k)).dimension);
    const struct imp_var *pos = *code_array(&ws->code, ws->root, LEVEL_POSITIONS);
    imp_add(&k->b, imp_alloc(cx, pos, imp_next(cx, rows)));
    const struct imp *row = grid_each(&g, k, arena_printf(cx->arena, "%s_row", ws->rows->name),
                                      imp_next(cx, rows)),
                     *at = find_first(k, ws->rows, workspace_zero(k), imp_read(cx, ws->count), row);
    imp_add(&k->b, imp_store(cx, pos, row, OP_NONE, imp_cast(cx, pos->type, at)));
    grid_end_each(&g);
    imp_add(&k->b, imp_free(cx, ws->rows));
}

/* Makes an empty list if loops that no operand has anything for have made no run. */
static void make_empty(struct kernel *k, struct workspace *ws)
{
    list_allocate(k, ws, workspace_zero(k));
}

/* Sorts the entries. */
static void sort(struct kernel *k, struct workspace *ws, struct ordered *o)
{
    int keys;
    const struct list_key *key = list_keys(k, ws, 0, &keys);
    const struct imp *n = imp_read(k->cx, ws->count);
    const char *name = ws->code.tensor->name;
    enum type type = level_position_type(ws->code.tensor->format->level[ws->root].pos);
    struct sort_key *by = arena_array(k->cx->arena, struct sort_key, keys);
    for (int i = 0; i < keys; i++) {
        by[i] = key[i].by;
        if (!key[i].planes)
            continue;
        struct grid g;
        by[i].number =
            workspace_array(k, TYPE_I64, arena_printf(k->cx->arena, "%s_turns%d", name, i + 1), n);
        list_put_turns(k, ws, &key[i], by[i].number, grid_each(&g, k, entry_name(k, ws), n));
        grid_end_each(&g);
    }
    if (keys > 0)
        o->order = grid_sort(k, name, type, n, by, keys, &o->at);
    for (int i = 0; i < keys; i++)
        if (key[i].planes)
            imp_add(&k->b, imp_free(k->cx, by[i].number));
}

static void finish_list(struct kernel *k, struct workspace *ws)
{
    struct ordered o = {0};
    if (!ws->count)
        make_empty(k, ws);
    sort(k, ws, &o);
    if (ws->repeats)
        gather_sorted(k, ws, &o);
    else if (o.order)
        arrange(k, ws, &o);
    if (o.order)
        imp_add(&k->b, imp_free(k->cx, o.order));
    if (o.order || ws->repeats)
        list_free(k, ws);
    if (ws->root > 0) {
        find_rows(k, ws);
        return;
    }
    ws->code.entries = imp_read(k->cx, ws->count);
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    code.format->type->append_begin(&code);
    code.format->type->append_edges(&code, workspace_zero(k), imp_read(k->cx, ws->count));
}

const struct workspace_way workspace_twice = {
    .open = open_list,
    .store = put_entry,
    .finish = finish_list,
    .close = list_close,
};
