/* workspace.c - temporary tensors: made by the producer of a where, read by its consumer (thesis 5.4, 6.2).
 *
 * A workspace's format is a format, and its consumer reads it like any operand.  The producer writes in one of two ways:
 *
 *   insert   (dense, bytemap) every component has its place, found or made at once.  What was touched is emptied after the
 *            consumer, so that the next producer finds it as the kernel's prologue left it.
 *   list     (coo) entries are appended in the order in which they come, a component perhaps in several shares.  Where they
 *            did not come in storage order the list is sorted before the consumer runs, and shares are combined.  Below a
 *            dense level (csr) its segments are then counted, and a row is found at once.
 *
 * Whether a list has to be sorted shows in the loops around the assignment: it is in order if they are the loops of its
 * levels, from the root down, each in ascending order.  Levels that the outermost loops run through are in order already,
 * and a stable sort by the levels above keeps them so: from rows to columns takes one pass of counting.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/kernel.h"

enum { FIRST_CAPACITY = 16, SCAN = 16 };

/* ---- lookups ---- */

struct workspace *kernel_workspace(const struct kernel *k, const struct tensor_var *tensor)
{
    for (size_t i = k->workspaces.n; i-- > 0;)
        if (k->workspaces.at[i]->code.tensor == tensor)
            return k->workspaces.at[i];
    return NULL;
}

struct tensor_code *workspace_code(struct kernel *k, const struct tensor_var *tensor)
{
    struct workspace *ws = kernel_workspace(k, tensor);
    context_assert(k->cx, ws);
    return &ws->code;
}

bool workspace_is_list(const struct format *format)
{
    for (int level = 0; level < format->levels; level++) {
        const struct level_type *type = format->level[level].type;
        if (!type->append_coordinate || (level > 0) != !!(type->properties & LEVEL_BRANCHLESS))
            return false;
    }
    return format->levels > 0;
}

/* Rows: a list below a dense level. */
static bool is_rows(const struct format *format)
{
    struct format below = *format;
    below.level++;
    below.levels--;
    return format->levels > 1 && level_has(&format->level[0], LEVEL_FULL) && format->level[0].type->size &&
           !format->level[0].type->insert && workspace_is_list(&below);
}

static bool is_inserted(const struct format *format)
{
    for (int level = 0; level < format->levels; level++)
        if (!format->level[level].type->size || format->level[level].type->width)
            return false;
    return true;
}

static const struct index_var *level_var(const struct workspace *ws, int level)
{
    return access_level_var(ws->assign->arg[0], level);
}

static struct level_code level_code(struct kernel *k, const struct workspace *ws, int level, const struct imp *parent)
{
    return kernel_level(k, ws->assign->arg[0], level, parent, NULL);
}

static const struct imp *zero(struct kernel *k) { return imp_int(k->cx, TYPE_I64, 0); }

static const struct imp *plus_one(struct kernel *k, const struct imp *e)
{
    return imp_op2(k->cx, OP_ADD, e, imp_int(k->cx, e->type, 1));
}
const struct imp *workspace_entries(struct kernel *k, const struct workspace *ws)
{
    return imp_read(k->cx, ws->count);
}

/* Where a list's coordinates of a level are. */
static const struct imp_var **coordinates_of(struct workspace *ws, int level)
{
    return level < ws->root ? &ws->rows : code_array(&ws->code, level, LEVEL_COORDINATES);
}

const struct imp *workspace_coordinate(struct kernel *k, const struct workspace *ws, int level, const struct imp *entry)
{
    return imp_load(k->cx, *coordinates_of((struct workspace *)ws, level), entry);
}

/* ---- memory ---- */

static void add_prologue(struct kernel *k, const struct imp *statement)
{
    vec_push(k->cx->arena, &k->prologue, statement);
}

static void declare_array(struct kernel *k, const struct imp_var *array)
{
    add_prologue(k, imp_declare(k->cx, array, NULL));
}

const struct imp_var *workspace_array(struct kernel *k, enum type type, const char *name, const struct imp *elements)
{
    struct imp_var *array = imp_array(k->cx, kernel_name(k, "%s", name), type, false);
    array->restricted = true;
    declare_array(k, array);
    imp_add(&k->b, imp_alloc(k->cx, array, elements));
    return array;
}

/* ---- lists ---- */

static void open_list(struct kernel *k, struct workspace *ws)
{
    const struct tensor_var *t = ws->code.tensor;
    const struct format *format = t->format;
    enum type type = level_position_type(format->level[ws->root].pos);
    struct imp_var *count = kernel_var(k, type, "n%s", t->name), *capacity = kernel_var(k, type, "%s_capacity", t->name);
    ws->count = count;
    ws->capacity = capacity;
    ws->crd = arena_array(k->cx->arena, const struct imp_var *, format->levels);
    imp_let(&k->b, count, imp_int(k->cx, type, 0));
    const struct imp *room = imp_let(&k->b, capacity, imp_int(k->cx, type, FIRST_CAPACITY));
    const struct imp_var *pos = *code_array(&ws->code, ws->root, LEVEL_POSITIONS);
    declare_array(k, pos);
    if (ws->root == 0)
        imp_add(&k->b, imp_alloc(k->cx, pos, imp_int(k->cx, TYPE_I64, 2)));
    else
        ws->rows = imp_array(k->cx, kernel_name(k, "%s1_crd", t->name), format->level[0].crd, false);
    for (int level = 0; level < format->levels; level++) {
        ws->crd[level] = *coordinates_of(ws, level);
        declare_array(k, ws->crd[level]);
        imp_add(&k->b, imp_alloc(k->cx, ws->crd[level], room));
    }
    ws->vals = ws->code.values;
    if (k->request->computes) {
        declare_array(k, ws->vals);
        imp_add(&k->b, imp_alloc(k->cx, ws->vals, room));
    }
}

static void grow_list(struct kernel *k, const struct workspace *ws)
{
    struct context *cx = k->cx;
    imp_begin(&k->b);
    kernel_double(k, ws->capacity);
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_resize(cx, ws->crd[level], imp_read(cx, ws->capacity)));
    if (k->request->computes)
        imp_add(&k->b, imp_resize(cx, ws->vals, imp_read(cx, ws->capacity)));
    const struct imp *grow = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_EQ, imp_read(cx, ws->count), imp_read(cx, ws->capacity)), grow, NULL));
}

static void append(struct kernel *k, const struct scope *scope, const struct workspace *ws, const struct imp *value)
{
    struct context *cx = k->cx;
    const struct imp *at = imp_read(cx, ws->count);
    grow_list(k, ws);
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_store(cx, ws->crd[level], at, OP_NONE, scope_coordinate(scope, level_var(ws, level))));
    if (value)
        imp_add(&k->b, imp_store(cx, ws->vals, at, OP_NONE, value));
    imp_add(&k->b, imp_assign(cx, ws->count, OP_ADD, imp_int(cx, ws->count->type, 1)));
}

/* The last levels that the outermost loops of the producer run through in order: the first of them. */
static int sorted_from(const struct workspace *ws, const struct scope *scope)
{
    int levels = ws->code.tensor->format->levels;
    if (!scope->in_order || !scope->distinct)
        return levels;
    for (int first = 0; first < levels; first++) {
        bool same = scope->bound.n - scope->outside >= levels - first;
        for (int level = first; level < levels && same; level++)
            same = scope->bound.var[scope->outside + level - first] == level_var(ws, level);
        if (same)
            return first;
    }
    return levels;
}

/* Does each run of the loops around reach another component? */
static bool is_distinct(const struct kernel *k, const struct workspace *ws, const struct scope *scope)
{
    const struct cin *access = ws->assign->arg[0];
    struct bound_vars known = bound_none(k->request->program);
    bool distinct = scope->distinct;
    for (int i = 0; i < access->indices; i++)
        if (!bound_has(&known, access->index[i]))
            known = bound_with(&known, access->index[i]);
    for (int i = scope->outside; i < scope->bound.n; i++)
        distinct &= bound_has(&known, scope->bound.var[i]);
    return distinct;
}

static void note_order(const struct kernel *k, struct workspace *ws, const struct scope *scope)
{
    int from = sorted_from(ws, scope);
    ws->sorted_from = from > ws->sorted_from ? from : ws->sorted_from;
    ws->scattered |= from > 0;
    ws->repeats |= !is_distinct(k, ws, scope);
}

/* What entries are sorted by: a number for each, in [low, low + size). */
struct list_key { const struct imp_var *number; const struct imp *low, *size; };

/* order: the entries by the keys, the first first. */
static void sort_list(struct kernel *k, const struct workspace *ws, const struct imp_var *order,
                      const struct list_key *key, int keys)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    const struct imp *n = imp_read(cx, ws->count);
    struct imp_var *p = kernel_var(k, ws->count->type, "p%s", name);
    const struct imp_var *other = workspace_array(k, order->type, arena_printf(cx->arena, "%s_other", name), n);
    const struct imp_var *place = workspace_array(k, TYPE_I64, arena_printf(cx->arena, "%s_place", name),
                                                  imp_int(cx, TYPE_I64, SORT_RADIX + 1));
    imp_add(&k->b, imp_for(cx, p, imp_int(cx, p->type, 0), n, 1, LOOP_SERIAL,
                           imp_store(cx, order, imp_read(cx, p), OP_NONE, imp_read(cx, p))));
    while (keys-- > 0)
        sort_entries(k, key[keys].number, key[keys].low, key[keys].size, n, order, other, place);
    imp_add(&k->b, imp_free(cx, other));
    imp_add(&k->b, imp_free(cx, place));
}

/* Entry `from` has the coordinates of the entry that was gathered last. */
static const struct imp *is_same(struct kernel *k, const struct workspace *ws, const struct imp *from,
                                 const struct imp *gathered)
{
    struct context *cx = k->cx;
    const struct imp *last = imp_op2(cx, OP_SUB, gathered, imp_int(cx, gathered->type, 1));
    const struct imp *same = imp_op2(cx, OP_GT, gathered, imp_int(cx, gathered->type, 0));
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        same = imp_op2(cx, OP_AND, same, imp_op2(cx, OP_EQ, imp_load(cx, ws->crd[level], from),
                                                 workspace_coordinate(k, ws, level, last)));
    return same;
}

/* Put entry `from` at `to`. */
static void move(struct kernel *k, const struct workspace *ws, const struct imp *from, const struct imp *to)
{
    struct context *cx = k->cx;
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_store(cx, *coordinates_of((struct workspace *)ws, level), to, OP_NONE,
                                 imp_load(cx, ws->crd[level], from)));
    if (k->request->computes)
        imp_add(&k->b, imp_store(cx, ws->code.values, to, OP_NONE, imp_load(cx, ws->vals, from)));
}

/* Shares of a component are combined: where entry `from` goes with the one gathered last it is added to it. */
static void combine(struct kernel *k, const struct workspace *ws, const struct imp *from, const struct imp_var *gathered)
{
    struct context *cx = k->cx;
    const struct imp *to = imp_read(cx, gathered), *one = imp_int(cx, to->type, 1), *share = imp_block(cx, NULL, 0);
    enum op op = ws->assign->op == OP_NONE ? OP_ADD : ws->assign->op;
    if (k->request->computes)
        share = imp_store(cx, ws->code.values, imp_op2(cx, OP_SUB, to, one), op, imp_load(cx, ws->vals, from));
    imp_begin(&k->b);
    move(k, ws, from, to);
    imp_add(&k->b, imp_assign(cx, gathered, OP_ADD, one));
    const struct imp *next = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, is_same(k, ws, from, to), share, next));
}

/* The entries in order, each component once; order is NULL if they are so already. */
static void gather(struct kernel *k, const struct workspace *ws, const struct imp_var *order)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    enum type type = ws->count->type;
    struct imp_var *p = kernel_var(k, type, "p%s", name), *gathered = NULL;
    const struct imp *from = imp_read(cx, p), *to = from;
    if (ws->repeats) {
        gathered = kernel_var(k, type, "%s_gathered", name);
        imp_let(&k->b, gathered, imp_int(cx, type, 0));
    }
    imp_begin(&k->b);
    if (order)
        from = imp_let(&k->b, kernel_var(k, type, "%s_from", name), imp_load(cx, order, from));
    if (gathered)
        combine(k, ws, from, gathered);
    else
        move(k, ws, from, to);
    const struct imp *loop = imp_end(&k->b);
    imp_add(&k->b, imp_for(cx, p, imp_int(cx, type, 0), imp_read(cx, ws->count), 1, LOOP_SERIAL, loop));
    if (gathered)
        imp_add(&k->b, imp_assign(cx, ws->count, OP_NONE, imp_read(cx, gathered)));
}

/* Sort into new arrays, which take the place of those that were appended to. */
static void rearrange(struct kernel *k, struct workspace *ws, const struct list_key *key, int keys)
{
    struct context *cx = k->cx;
    const struct tensor_var *t = ws->code.tensor;
    const struct imp *n = imp_read(cx, ws->count);
    const struct imp_var *order = workspace_array(k, ws->count->type, arena_printf(cx->arena, "%s_order", t->name), n);
    sort_list(k, ws, order, key, keys);
    for (int level = 0; level < t->format->levels; level++)
        *coordinates_of(ws, level) =
            workspace_array(k, ws->crd[level]->type, arena_printf(cx->arena, "%s%d_sorted", t->name, level + 1), n);
    if (k->request->computes)
        ws->code.values = workspace_array(k, t->type, arena_printf(cx->arena, "%s_sorted", t->name), n);
    gather(k, ws, order);
    imp_add(&k->b, imp_free(cx, order));
    for (int level = 0; level < t->format->levels; level++)
        imp_add(&k->b, imp_free(cx, ws->crd[level]));
    if (k->request->computes)
        imp_add(&k->b, imp_free(cx, ws->vals));
}

static void sort_by_coordinates(struct kernel *k, struct workspace *ws)
{
    struct list_key *key = arena_array(k->cx->arena, struct list_key, ws->sorted_from);
    for (int level = 0; level < ws->sorted_from; level++) {
        struct level_code code = level_code(k, ws, level, zero(k));
        key[level] = (struct list_key){ws->crd[level], code.low ? imp_cast(k->cx, TYPE_I64, code.low) : zero(k),
                                       code.dimension};
    }
    rearrange(k, ws, key, ws->sorted_from);
}

void workspace_sort(struct kernel *k, struct workspace *ws, const struct imp_var *number, const struct imp *size)
{
    struct list_key key = {number, zero(k), size};
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        ws->crd[level] = *code_array(&ws->code, level, LEVEL_COORDINATES);
    ws->vals = ws->code.values;
    ws->repeats = false;
    rearrange(k, ws, &key, 1);
}

/* Count the entries of each row: where its segment begins and ends. */
static void make_segments(struct kernel *k, struct workspace *ws, const struct imp_var *pos)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    struct imp_var *p = kernel_var(k, ws->count->type, "p%s", name), *i = kernel_var(k, TYPE_I64, "i%s", name);
    const struct imp *rows = imp_cast(cx, TYPE_I64, level_code(k, ws, 0, zero(k)).dimension);
    const struct imp *one = imp_int(cx, pos->type, 1);
    const struct imp *row = imp_cast(cx, TYPE_I64, imp_load(cx, ws->rows, imp_read(cx, p)));
    imp_add(&k->b, imp_alloc(cx, pos, plus_one(k, rows)));
    imp_add(&k->b, imp_fill(cx, pos, zero(k), plus_one(k, rows), imp_int(cx, pos->type, 0)));
    imp_add(&k->b, imp_for(cx, p, imp_int(cx, p->type, 0), imp_read(cx, ws->count), 1, LOOP_SERIAL,
                           imp_store(cx, pos, plus_one(k, row), OP_ADD, one)));
    imp_add(&k->b, imp_for(cx, i, zero(k), rows, 1, LOOP_SERIAL,
                           imp_store(cx, pos, plus_one(k, imp_read(cx, i)), OP_ADD, imp_load(cx, pos, imp_read(cx, i)))));
    imp_add(&k->b, imp_free(cx, ws->rows));
}

static void finish_list(struct kernel *k, struct workspace *ws)
{
    struct context *cx = k->cx;
    const struct imp_var *pos = *code_array(&ws->code, ws->root, LEVEL_POSITIONS);
    if (ws->scattered)
        sort_by_coordinates(k, ws);
    else if (ws->repeats)
        gather(k, ws, NULL);
    if (ws->root > 0) {
        make_segments(k, ws, pos);
        return;
    }
    imp_add(&k->b, imp_store(cx, pos, zero(k), OP_NONE, imp_int(cx, pos->type, 0)));
    imp_add(&k->b, imp_store(cx, pos, imp_int(cx, TYPE_I64, 1), OP_NONE, imp_cast(cx, pos->type, imp_read(cx, ws->count))));
}

static void close_list(struct kernel *k, const struct workspace *ws)
{
    imp_add(&k->b, imp_free(k->cx, *code_array(&ws->code, ws->root, LEVEL_POSITIONS)));
    for (int level = ws->root; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_free(k->cx, *code_array(&ws->code, level, LEVEL_COORDINATES)));
    if (k->request->computes)
        imp_add(&k->b, imp_free(k->cx, ws->code.values));
}

/* ---- inserted ---- */

/* How many positions there are in the last of so many levels. */
static const struct imp *positions(struct kernel *k, const struct workspace *ws, int levels)
{
    return kernel_positions(k, ws->assign->arg[0], 0, levels, imp_int(k->cx, TYPE_I64, 1));
}

static void fill_values(struct kernel *k, const struct workspace *ws)
{
    if (k->request->computes)
        imp_add(&k->b, imp_fill(k->cx, ws->code.values, zero(k), positions(k, ws, ws->code.tensor->format->levels),
                                imp_literal(k->cx, ws->code.tensor->fill)));
}

static void allocate(struct kernel *k, const struct imp_var *array, const struct imp *elements)
{
    imp_add(&k->b, imp_declare(k->cx, array, NULL));
    imp_add(&k->b, imp_alloc(k->cx, array, elements));
    vec_push(k->cx->arena, &k->epilogue, imp_free(k->cx, array));
}

/* Is what was touched known, so that it alone is emptied? */
static bool is_tracked(const struct workspace *ws)
{
    const struct format *format = ws->code.tensor->format;
    return format->levels == 1 && format->level[0].type->lists;
}

/* Memory for the whole kernel, with nothing in it. */
static void make_inserted(struct kernel *k, struct workspace *ws)
{
    const struct format *format = ws->code.tensor->format;
    imp_begin(&k->b);
    for (int level = 0; level < format->levels; level++) {
        const struct level_type *type = format->level[level].type;
        for (int array = 0; array < LEVEL_ARRAYS; array++)
            if (type->array[array].kind == LEVEL_COORDINATES || type->array[array].kind == LEVEL_FLAGS)
                allocate(k, ws->code.array[level][array], positions(k, ws, level + 1));
        struct level_code code = level_code(k, ws, level, zero(k));
        if (ws->code.scalar[level])
            imp_let(&k->b, (struct imp_var *)ws->code.scalar[level], imp_int(k->cx, ws->code.scalar[level]->type, 0));
        if (type->clear)
            type->clear(&code, zero(k), positions(k, ws, level + 1));
    }
    if (k->request->computes)
        allocate(k, ws->code.values, positions(k, ws, format->levels));
    if (is_tracked(ws))
        fill_values(k, ws);
    const struct imp *block = imp_end(&k->b);
    for (int i = 0; i < block->args; i++)
        add_prologue(k, block->arg[i]);
}

static void open_inserted(struct kernel *k, struct workspace *ws)
{
    const struct format *format = ws->code.tensor->format;
    make_inserted(k, ws);
    for (int level = 0; level < format->levels; level++)
        if (ws->code.scalar[level])
            imp_add(&k->b, imp_assign(k->cx, ws->code.scalar[level], OP_NONE,
                                      imp_int(k->cx, ws->code.scalar[level]->type, 0)));
    if (!is_tracked(ws))
        fill_values(k, ws);
}

static void insert(struct kernel *k, const struct scope *scope, const struct workspace *ws, enum op op,
                   const struct imp *value)
{
    const struct imp *found, *position = zero(k);
    for (int level = 0; level < ws->code.tensor->format->levels; level++) {
        struct level_code code = level_code(k, ws, level, position);
        const struct imp *coordinate = scope_coordinate(scope, level_var(ws, level));
        position = code.format->type->insert ? code.format->type->insert(&code, coordinate, NULL)
                                             : code.format->type->locate(&code, coordinate, &found);
    }
    if (value)
        imp_add(&k->b, imp_store(k->cx, ws->code.values, position, op, value));
}

/* The list of what was touched, in ascending order: sorted if it is short, else read off the flags. */
static void order_touched(struct kernel *k, const struct workspace *ws)
{
    struct context *cx = k->cx;
    const struct imp_var *count = ws->code.scalar[0];
    const struct imp_var *crd = *code_array(&ws->code, 0, LEVEL_COORDINATES);
    struct level_code code = level_code(k, ws, 0, zero(k));
    const struct imp *n = imp_read(cx, count), *size = imp_cast(cx, TYPE_I64, code.dimension), *found = NULL;
    struct imp_var *i = kernel_var(k, k->request->coordinates, "i%s", ws->code.tensor->name);
    imp_begin(&k->b);
    sort_coordinates(k, crd, n);
    const struct imp *sort = imp_end(&k->b);
    imp_begin(&k->b);
    imp_add(&k->b, imp_assign(cx, count, OP_NONE, imp_int(cx, count->type, 0)));
    imp_begin(&k->b);
    code.format->type->locate(&code, imp_read(cx, i), &found);
    imp_begin(&k->b);
    imp_add(&k->b, imp_store(cx, crd, n, OP_NONE, imp_read(cx, i)));
    imp_add(&k->b, imp_assign(cx, count, OP_ADD, imp_int(cx, count->type, 1)));
    imp_add(&k->b, imp_if(cx, found, imp_end(&k->b), NULL));
    imp_add(&k->b, imp_for(cx, i, imp_int(cx, i->type, 0), code.dimension, 1, LOOP_SERIAL, imp_end(&k->b)));
    const struct imp *scan = imp_end(&k->b);
    const struct imp *most = imp_op2(cx, OP_DIV, size, imp_int(cx, TYPE_I64, SCAN));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, imp_cast(cx, TYPE_I64, n), most), scan, sort));
}

/* Where cleanup (thesis 6.2): what was touched is as it was before. */
static void empty_touched(struct kernel *k, const struct workspace *ws)
{
    struct context *cx = k->cx;
    struct imp_var *p = kernel_var(k, ws->code.scalar[0]->type, "p%s", ws->code.tensor->name);
    imp_begin(&k->b);
    const struct imp *at = imp_load(cx, *code_array(&ws->code, 0, LEVEL_COORDINATES), imp_read(cx, p));
    imp_add(&k->b, imp_store(cx, *code_array(&ws->code, 0, LEVEL_FLAGS), at, OP_NONE, imp_int(cx, TYPE_BOOL, 0)));
    if (k->request->computes)
        imp_add(&k->b, imp_store(cx, ws->code.values, at, OP_NONE, imp_literal(cx, ws->code.tensor->fill)));
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_for(cx, p, imp_int(cx, p->type, 0), imp_read(cx, ws->code.scalar[0]), 1, LOOP_SERIAL, body));
}

/* ---- a where ---- */

struct workspace *workspace_open(struct kernel *k, const struct scope *scope, const struct cin *assign)
{
    const struct tensor_var *tensor = assign->arg[0]->tensor;
    struct workspace *ws = arena_make(k->cx->arena, struct workspace);
    *ws = (struct workspace){.code.tensor = tensor, .assign = assign, .again = scope->bound.n > 0};
    ws->root = is_rows(tensor->format);
    ws->list = ws->root || workspace_is_list(tensor->format);
    if (!ws->list && !is_inserted(tensor->format)) {
        struct diag *d = kernel_refuse(k, DIAG_FORMAT, tensor, "the format of the workspace %s is neither a list nor one "
                                       "that is inserted into in any order", tensor->name);
        diag_help(k->cx, d, "workspaces are dense, bytemap, coo or csr");
        return NULL;
    }
    kernel_declare_arrays(k, &ws->code);
    vec_push(k->cx->arena, &k->workspaces, ws);
    if (ws->list)
        open_list(k, ws);
    else
        open_inserted(k, ws);
    return ws;
}

void workspace_finish(struct kernel *k, struct workspace *ws)
{
    if (ws->list)
        finish_list(k, ws);
    else if (is_tracked(ws) && ws->scattered && level_has(&ws->code.tensor->format->level[0], LEVEL_ORDERED))
        order_touched(k, ws);
}

void workspace_close(struct kernel *k, struct workspace *ws)
{
    if (ws->list)
        close_list(k, ws);
    else if (is_tracked(ws) && ws->again)
        empty_touched(k, ws);
}

static void put(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op, const struct imp *value)
{
    note_order(k, ws, scope);
    if (ws->list)
        append(k, scope, ws, value);
    else
        insert(k, scope, ws, op, value);
}

void workspace_store(struct kernel *k, const struct scope *scope, struct workspace *ws, const struct cin *assign)
{
    struct context *cx = k->cx;
    const struct imp *value = k->request->computes ? lower_value(k, scope, assign) : NULL;
    if (scope->held.tensor != ws->code.tensor) {
        put(k, scope, ws, assign->op, value);
        return;
    }
    imp_add(&k->b, imp_assign(cx, scope->held.reg, assign->op, imp_cast(cx, scope->held.reg->type, value)));
    if (scope->held.written)
        imp_add(&k->b, imp_assign(cx, scope->held.written, OP_NONE, imp_true(cx)));
}

/* ---- reductions ---- */

/* The one assignment to a workspace in the loop, if it reduces into one component. */
static const struct cin *held_assign(struct kernel *k, const struct scope *scope, const struct cin *forall)
{
    struct cin_list made = cin_assignments(k->cx, forall);
    const struct cin *assign = NULL;
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0]->tensor->order == 0 || !made.at[i]->arg[0]->tensor->temporary)
            continue;
        if (assign)
            return NULL;
        assign = made.at[i];
    }
    if (!assign || assign->op == OP_NONE || !kernel_workspace(k, assign->arg[0]->tensor))
        return NULL;
    for (int i = 0; i < assign->arg[0]->indices; i++)
        if (!scope_coordinate(scope, assign->arg[0]->index[i]))
            return NULL;
    return assign;
}

bool workspace_begin_reduction(struct kernel *k, struct scope *scope, const struct cin *forall)
{
    const struct cin *assign = held_assign(k, scope, forall);
    struct value start;
    if (!assign || scope->held.tensor || !k->request->computes)
        return false;
    const struct tensor_var *tensor = assign->arg[0]->tensor;
    if (!operator_identity(k->cx, assign->op, SIDE_LEFT, tensor->type, &start))
        return false;
    struct imp_var *reg = kernel_var(k, tensor->type, "%s_val", tensor->name), *written = NULL;
    imp_let(&k->b, reg, imp_literal(k->cx, start));
    if (!format_is_dense(tensor->format)) {
        written = kernel_var(k, TYPE_BOOL, "%s_written", tensor->name);
        imp_let(&k->b, written, imp_int(k->cx, TYPE_BOOL, 0));
    }
    scope->held = (struct held_component){tensor, reg, written};
    return true;
}

void workspace_end_reduction(struct kernel *k, const struct scope *scope, const struct held_component *held,
                             const struct cin *forall)
{
    const struct cin *assign = held_assign(k, scope, forall);
    imp_begin(&k->b);
    put(k, scope, kernel_workspace(k, held->tensor), assign->op, imp_read(k->cx, held->reg));
    const struct imp *store = imp_end(&k->b);
    imp_add(&k->b, held->written ? imp_if(k->cx, imp_read(k->cx, held->written), store, NULL) : store);
}
