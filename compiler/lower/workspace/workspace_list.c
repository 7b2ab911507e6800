/* workspace_list.c - workspaces that are lists: appended to in the order in which entries come, a
 * component perhaps in several shares.
 *
 * Where entries did not come in storage order the list is sorted before the consumer runs, and
 * shares are combined.  Below a dense level (csr) its segments are then counted, and a row is found
 * at once; entries that are in order but for their rows are not sorted, but shared out to the rows.
 *
 * Whether a list has to be sorted shows in the loops around the assignment, which each ascend.
 * Where they are those of its levels it is in order.  Else a stable sort by its first levels is
 * enough, if entries that agree in these come in the order of the others: from rows to columns it
 * takes the columns.  And where the first of all ascend, as from rows to blocks the rows of blocks,
 * those that agree in them are sorted among themselves.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/workspace/segments.h"
#include "compiler/lower/workspace/workspace.h"

enum { FIRST_CAPACITY = 16 };

/* ---- what is a list ---- */

const struct imp *workspace_entries(struct kernel *k, const struct workspace *ws)
{
    return imp_read(k->cx, ws->count);
}

/* Returns where a list's coordinates of a level are. */
const struct imp_var **list_coordinates(struct workspace *ws, int level)
{
    return level < ws->root ? &ws->rows : code_array(&ws->code, level, LEVEL_COORDINATES);
}

const struct imp *workspace_coordinate(struct kernel *k, const struct workspace *ws, int level,
                                       const struct imp *entry)
{
    return imp_load(k->cx, *list_coordinates((struct workspace *)ws, level), entry);
}

/* ---- entries as they come ---- */

static void open_array(struct kernel *k, const struct imp_var *array, const struct imp *room)
{
    workspace_declare(k, array);
    if (room)
        imp_add(&k->b, imp_alloc(k->cx, array, room));
}

static int64_t most_entries(const struct workspace *ws)
{
    return index_max(ws->code.tensor->format->level[ws->root].pos);
}

/* Returns a capacity for as many entries as operands say; or a small one, which grows. */
static const struct imp *first_capacity(struct kernel *k, struct workspace *ws)
{
    struct tree_capacity room = {0};
    bool fits = false;
    const struct imp *n = NULL, *most = imp_i64(k->cx, most_entries(ws));
    if (ws->producer && tree_entries(k->cx, ws->tree, ws->producer, &room))
        n = operand_positions(k, &room, most_entries(ws), &fits);
    if (n && fits)
        return ws->room = n;
    struct imp_var *capacity = kernel_var(k, ws->count->type, "%s_capacity", ws->code.tensor->name);
    capacity->capacity = true;
    ws->capacity = capacity;
    n = n ? imp_op2(k->cx, OP_MIN, n, most) : imp_i64(k->cx, FIRST_CAPACITY);
    return imp_let(&k->b, capacity, imp_cast(k->cx, capacity->type, n));
}

void list_open_arrays(struct kernel *k, struct workspace *ws, const struct imp *room)
{
    const struct tensor_var *t = ws->code.tensor;
    const struct format *format = t->format;
    const struct imp_var *pos = *code_array(&ws->code, ws->root, LEVEL_POSITIONS);
    ws->crd = arena_array(k->cx->arena, const struct imp_var *, format->levels);
    workspace_declare(k, pos);
    if (ws->root == 0)
        imp_add(&k->b, imp_alloc(k->cx, pos, imp_i64(k->cx, 2)));
    else
        ws->rows = kernel_array(k, format->level[0].crd, "%s1_crd", t->name);
    for (int level = 0; level < format->levels; level++) {
        ws->crd[level] = *list_coordinates(ws, level);
        open_array(k, ws->crd[level], room);
    }
    ws->vals = ws->code.values;
    if (k->computes)
        open_array(k, ws->vals, room);
}

static void open_list(struct kernel *k, struct workspace *ws)
{
    const struct tensor_var *t = ws->code.tensor;
    ws->root = list_root(ws);
    enum type type = level_position_type(t->format->level[ws->root].pos);
    struct imp_var *count = kernel_var(k, type, "n%s", t->name);
    ws->count = count;
    imp_let(&k->b, count, imp_int(k->cx, type, 0));
    list_open_arrays(k, ws, ws->joined ? NULL : first_capacity(k, ws));
}

/* Gives the arrays as many entries as the capacity says. */
static void resize_list(struct kernel *k, const struct workspace *ws)
{
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_resize(k->cx, ws->crd[level], imp_read(k->cx, ws->capacity)));
    if (k->computes)
        imp_add(&k->b, imp_resize(k->cx, ws->vals, imp_read(k->cx, ws->capacity)));
}

void workspace_check_entries(struct kernel *k, const struct workspace *ws, const struct imp *n)
{
    kernel_check_most(k, n, most_entries(ws));
}

const struct imp *workspace_capacity(struct kernel *k, const struct workspace *ws,
                                     const struct imp *n)
{
    struct context *cx = k->cx;
    if (!ws->capacity)
        return ws->room ? ws->room : n;
    enum type type = ws->capacity->type;
    const struct imp *now = imp_cast(cx, TYPE_I64, imp_read(cx, ws->capacity)),
                     *most = imp_i64(cx, most_entries(ws)),
                     *half = imp_i64(cx, most_entries(ws) / 2);
    const struct imp *twice = imp_select(cx, imp_op2(cx, OP_GT, now, half), most,
                                         imp_op2(cx, OP_MUL, imp_i64(cx, 2), now));
    imp_begin(&k->b);
    imp_add(&k->b, imp_assign(cx, ws->capacity, OP_NONE,
                              imp_cast(cx, type, imp_op2(cx, OP_MAX, n, twice))));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, n, now), imp_end(&k->b), NULL));
    return imp_read(cx, ws->capacity);
}

static void grow_list(struct kernel *k, const struct workspace *ws)
{
    struct context *cx = k->cx;
    imp_begin(&k->b);
    kernel_double(k, ws->capacity, NULL, most_entries(ws));
    resize_list(k, ws);
    const struct imp *grow = imp_end(&k->b);
    imp_add(&k->b,
            imp_if(cx, imp_op2(cx, OP_EQ, imp_read(cx, ws->count), imp_read(cx, ws->capacity)),
                   grow, NULL));
}

void list_put(struct kernel *k, const struct scope *scope, const struct workspace *ws,
              const struct imp *value)
{
    struct context *cx = k->cx;
    const struct imp *at = imp_read(cx, ws->count);
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_store(cx, ws->crd[level], at, OP_NONE,
                                 scope_coordinate(scope, workspace_var(ws, level))));
    if (value)
        imp_add(&k->b, imp_store(cx, ws->vals, at, OP_NONE, value));
}

static void append(struct kernel *k, const struct scope *scope, struct workspace *ws, enum op op,
                   const struct imp *value)
{
    if (ws->capacity)
        grow_list(k, ws);
    list_put(k, scope, ws, value);
    imp_add(&k->b, imp_increment(k->cx, ws->count));
}

struct list_sort {
    const struct workspace *ws;
    const struct list_key *key; /* the most significant first */
    int keys;
    const struct imp_var *turns; /* for the numbers of keys that have to be made; or NULL */
    const struct imp_var *order, *other;
    const struct imp_var *place; /* NULL in a plain kernel */
};

/* Sorts the entries [begin, end) by a key: by its digits if there is room to count them. */
static const struct imp *sort_call(struct kernel *k, const struct list_sort *s,
                                   const struct sort_key *key, const struct imp *begin,
                                   const struct imp *end)
{
    struct context *cx = k->cx;
    const struct imp *number = imp_read(cx, key->number), *order = imp_read(cx, s->order),
                     *other = imp_read(cx, s->other);
    if (!s->place) {
        const struct imp *arg[] = {begin, end, number, order, other};
        return prelude_call(&k->b, "sort_merging", &key->number->type, 1, arg, 5);
    }
    const struct imp *arg[] = {begin,     end,   number, key->low,
                               key->size, order, other,  imp_read(cx, s->place)};
    return prelude_call(&k->b, "sort_by", &key->number->type, 1, arg, 8);
}

/* Sorts all entries by a number of their coordinates' bits, if any of them has such bits. */
static void sort_by_turns(struct kernel *k, const struct list_sort *s, const struct list_key *key)
{
    struct context *cx = k->cx;
    const struct imp *n = imp_cast(cx, TYPE_I64, imp_read(cx, s->ws->count));
    struct imp_var *p = kernel_var(k, TYPE_I64, "p%s", s->ws->code.tensor->name);
    struct sort_key by = key->by;
    by.number = s->turns;
    imp_begin(&k->b);
    imp_begin(&k->b);
    list_put_turns(k, s->ws, key, s->turns, imp_read(cx, p));
    imp_add(&k->b, imp_for(cx, p, workspace_zero(k), n, 1, imp_end(&k->b)));
    imp_add(&k->b, imp_do(cx, sort_call(k, s, &by, workspace_zero(k), n)));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, by.size, imp_i64(cx, 1)), imp_end(&k->b), NULL));
}

/* Sorts the entries [begin, end) by the keys. */
static void sort_entries(struct kernel *k, const struct list_sort *s, const struct imp *begin,
                         const struct imp *end)
{
    for (int n = s->keys; n-- > 0;)
        if (s->key[n].planes)
            sort_by_turns(k, s, &s->key[n]);
        else
            imp_add(&k->b, imp_do(k->cx, sort_call(k, s, &s->key[n].by, begin, end)));
}

/* Sorts entries that agree in the first levels, which come in order, by the keys. */
static void sort_below(struct kernel *k, const struct workspace *ws, const struct list_sort *s,
                       int levels)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    struct imp_var *begin = kernel_var(k, ws->count->type, "%s_run", name),
                   *end = kernel_var(k, ws->count->type, "%s_run_end", name);
    const struct imp *n = imp_read(cx, ws->count),
                     *from = imp_let(&k->b, begin, imp_int(cx, begin->type, 0));
    imp_begin(&k->b);
    const struct imp *to = imp_let(&k->b, end, imp_next(cx, from));
    const struct imp *more = imp_op2(cx, OP_LT, to, n);
    for (int level = 0; level < levels; level++)
        more = imp_op2(cx, OP_AND, more,
                       imp_op2(cx, OP_EQ, imp_load(cx, ws->crd[level], to),
                               imp_load(cx, ws->crd[level], from)));
    imp_add(&k->b, imp_while(cx, more, imp_increment(cx, end)));
    sort_entries(k, s, from, to);
    imp_add(&k->b, imp_assign(cx, begin, OP_NONE, to));
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_LT, from, n), body));
}

/* Puts the entries' numbers into `order`, sorted by the keys, if the levels before these come in
 * order already. */
static void sort_list(struct kernel *k, const struct workspace *ws, const struct imp_var *order,
                      const struct list_key *key, int keys, int ascending)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    const struct imp *n = imp_read(cx, ws->count);
    struct imp_var *p = kernel_var(k, TYPE_I64, "p%s", name);
    struct list_sort s = {ws, key, keys, NULL, order, NULL, NULL};
    if (key[0].planes)
        s.turns = workspace_array(k, TYPE_I64, arena_printf(cx->arena, "%s_turns", name), n);
    s.other = workspace_array(k, TYPE_I64, arena_printf(cx->arena, "%s_other", name), n);
    if (!k->request->plain)
        s.place = workspace_array(k, TYPE_I64, arena_printf(cx->arena, "%s_place", name),
                                  imp_i64(cx, SORT_PLACES));
    imp_add(&k->b, imp_for(cx, p, workspace_zero(k), imp_cast(cx, TYPE_I64, n), 1,
                           imp_store(cx, order, imp_read(cx, p), OP_NONE, imp_read(cx, p))));
    if (ascending > 0)
        sort_below(k, ws, &s, ascending);
    else
        sort_entries(k, &s, workspace_zero(k), n);
    imp_add(&k->b, imp_free(cx, s.other));
    if (s.place)
        imp_add(&k->b, imp_free(cx, s.place));
    if (s.turns)
        imp_add(&k->b, imp_free(cx, s.turns));
}

/* Has entry `from` the coordinates of the entry that was gathered last? */
static const struct imp *is_same(struct kernel *k, const struct workspace *ws,
                                 const struct imp *from, const struct imp *gathered)
{
    struct context *cx = k->cx;
    const struct imp *last = imp_op2(cx, OP_SUB, gathered, imp_int(cx, gathered->type, 1));
    const struct imp *same = imp_op2(cx, OP_GT, gathered, imp_int(cx, gathered->type, 0));
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        same = imp_op2(cx, OP_AND, same,
                       imp_op2(cx, OP_EQ, imp_load(cx, ws->crd[level], from),
                               workspace_coordinate(k, ws, level, last)));
    return same;
}

/* Puts entry `from` at `to`. */
void list_move(struct kernel *k, const struct workspace *ws, const struct imp *from,
               const struct imp *to)
{
    struct context *cx = k->cx;
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_store(cx, *list_coordinates((struct workspace *)ws, level), to, OP_NONE,
                                 imp_load(cx, ws->crd[level], from)));
    if (k->computes)
        imp_add(&k->b, imp_store(cx, ws->code.values, to, OP_NONE, imp_load(cx, ws->vals, from)));
}

/* Combines the shares of a component: adds entry `from` to the one gathered last if both have the
 * same coordinates. */
static void combine_shares(struct kernel *k, const struct workspace *ws, const struct imp *from,
                           const struct imp_var *gathered)
{
    struct context *cx = k->cx;
    const struct imp *to = imp_read(cx, gathered), *one = imp_int(cx, to->type, 1),
                     *share = imp_block(cx, NULL, 0);
    enum op op = list_combines_by(ws);
    if (k->computes)
        share = imp_store(cx, ws->code.values, imp_op2(cx, OP_SUB, to, one), op,
                          imp_load(cx, ws->vals, from));
    imp_begin(&k->b);
    list_move(k, ws, from, to);
    imp_add(&k->b, imp_assign(cx, gathered, OP_ADD, one));
    const struct imp *next = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, is_same(k, ws, from, to), share, next));
}

/* Gathers each component once from entries that come in an order; NULL if it is their own. */
static void gather_components(struct kernel *k, const struct workspace *ws,
                              const struct imp_var *order)
{
    struct context *cx = k->cx;
    const char *name = ws->code.tensor->name;
    enum type type = ws->count->type;
    struct imp_var *p = kernel_var(k, type, "p%s", name),
                   *gathered = kernel_var(k, type, "%s_gathered", name);
    const struct imp *from = imp_read(cx, p);
    imp_let(&k->b, gathered, imp_int(cx, type, 0));
    imp_begin(&k->b);
    if (order)
        from = imp_let(&k->b, kernel_var(k, TYPE_I64, "%s_from", name), imp_load(cx, order, from));
    combine_shares(k, ws, from, gathered);
    const struct imp *loop = imp_end(&k->b);
    imp_add(&k->b, imp_for(cx, p, imp_int(cx, type, 0), imp_read(cx, ws->count), 1, loop));
    imp_add(&k->b, imp_assign(cx, ws->count, OP_NONE, imp_read(cx, gathered)));
}

static const struct imp_var *new_coordinates(struct kernel *k, const struct workspace *ws,
                                             int level)
{
    const char *name = arena_printf(k->cx->arena, "%s%d_sorted", ws->code.tensor->name, level + 1);
    return workspace_array(k, ws->crd[level]->type, name, imp_read(k->cx, ws->count));
}

static const struct imp_var *new_values(struct kernel *k, const struct workspace *ws)
{
    const struct tensor_var *t = ws->code.tensor;
    return workspace_array(k, t->type, arena_printf(k->cx->arena, "%s_sorted", t->name),
                           imp_read(k->cx, ws->count));
}

/* Arrays for the entries in order, from a level on, take the place of those that were appended to.
 */
void list_new_arrays(struct kernel *k, struct workspace *ws, int first)
{
    for (int level = first; level < ws->code.tensor->format->levels; level++)
        *list_coordinates(ws, level) = new_coordinates(k, ws, level);
    if (k->computes)
        ws->code.values = new_values(k, ws);
}

/* Frees the arrays that were appended to. */
void list_free(struct kernel *k, const struct workspace *ws)
{
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_free(k->cx, ws->crd[level]));
    if (k->computes)
        imp_add(&k->b, imp_free(k->cx, ws->vals));
}

/* Fills `to` with the elements of an array in order.  The array is of no use then. */
static void gather_array(struct kernel *k, const struct workspace *ws, const struct imp_var *order,
                         const struct imp_var *array, const struct imp_var *to)
{
    struct context *cx = k->cx;
    struct imp_var *p = kernel_var(k, ws->count->type, "p%s", ws->code.tensor->name);
    const struct imp *at = imp_read(cx, p),
                     *put = imp_store(cx, to, at, OP_NONE,
                                      imp_load(cx, array, imp_load(cx, order, at)));
    imp_add(&k->b, imp_for(cx, p, imp_int(cx, p->type, 0), imp_read(cx, ws->count), 1, put));
    imp_add(&k->b, imp_free(cx, array));
}

/* Gathers all entries in order, one array after the other: each has the caches to itself, and takes
 * the memory of the one before. */
static void gather_arrays(struct kernel *k, struct workspace *ws, const struct imp_var *order)
{
    for (int level = 0; level < ws->code.tensor->format->levels; level++) {
        const struct imp_var *to = new_coordinates(k, ws, level);
        *list_coordinates(ws, level) = to;
        gather_array(k, ws, order, ws->crd[level], to);
    }
    if (k->computes) {
        ws->code.values = new_values(k, ws);
        gather_array(k, ws, order, ws->vals, ws->code.values);
    }
    imp_add(&k->b, imp_free(k->cx, order));
}

/* Sorts into new arrays entries that agree in the first levels, by the keys. */
static void rearrange(struct kernel *k, struct workspace *ws, const struct list_key *key, int keys,
                      int ascending)
{
    const struct imp_var *order =
        workspace_array(k, TYPE_I64, arena_printf(k->cx->arena, "%s_order", ws->code.tensor->name),
                        imp_read(k->cx, ws->count));
    sort_list(k, ws, order, key, keys, ascending);
    if (!ws->repeats) {
        gather_arrays(k, ws, order);
        return;
    }
    list_new_arrays(k, ws, 0);
    gather_components(k, ws, order);
    imp_add(&k->b, imp_free(k->cx, order));
    list_free(k, ws);
}

void workspace_sort(struct kernel *k, struct workspace *ws, const struct imp_var *number,
                    const struct imp *size)
{
    struct list_key key = {.by = {number, workspace_zero(k), size}};
    for (int level = 0; level < ws->code.tensor->format->levels; level++)
        ws->crd[level] = *code_array(&ws->code, level, LEVEL_COORDINATES);
    ws->vals = ws->code.values;
    ws->repeats = false;
    rearrange(k, ws, &key, 1, 0);
}

/* Puts the entries in order, each component once. */
static void finish_order(struct kernel *k, struct workspace *ws)
{
    int keys;
    const struct list_key *key = list_keys(k, ws, ws->ascending, &keys);
    if (keys > 0)
        rearrange(k, ws, key, keys, ws->ascending);
    else if (ws->repeats)
        gather_components(k, ws, NULL);
}

/* ---- segments below a dense level ---- */

static const struct imp *row_of(struct kernel *k, const struct workspace *ws,
                                const struct imp *entry)
{
    return imp_cast(k->cx, TYPE_I64, imp_load(k->cx, ws->rows, entry));
}

/* Ends a loop over the entries, whose body was added since imp_begin. */
static void end_each_entry(struct kernel *k, const struct workspace *ws, struct imp_var *p)
{
    imp_add(&k->b, imp_for(k->cx, p, imp_int(k->cx, p->type, 0), imp_read(k->cx, ws->count), 1,
                           imp_end(&k->b)));
}

/* Counts the entries of each row, and where its segment begins and ends; returns the array that
 * says where the first entry of each goes. */
static const struct imp_var *make_segments(struct kernel *k, struct workspace *ws,
                                           const struct imp *rows)
{
    struct context *cx = k->cx;
    const struct tensor_var *t = ws->code.tensor;
    struct imp_var *p = kernel_var(k, ws->count->type, "p%s", t->name);
    struct level_code code = workspace_level(k, ws, ws->root, workspace_zero(k));
    const char *name = arena_printf(cx->arena, "%s%d_next", t->name, ws->root + 1);
    const struct imp_var *next = workspace_array(k, code.format->pos, name, rows);
    segments_clear(k, next, rows);
    imp_begin(&k->b);
    imp_add(&k->b, imp_store(cx, next, row_of(k, ws, imp_read(cx, p)), OP_ADD,
                             imp_int(cx, next->type, 1)));
    end_each_entry(k, ws, p);
    imp_add(&k->b,
            imp_alloc(cx, *code_array(&ws->code, ws->root, LEVEL_POSITIONS), imp_next(cx, rows)));
    code.format->type->scan(&code, rows, next, true);
    return next;
}

/* Puts each entry behind those of its row that are there. */
static void put_entries(struct kernel *k, const struct workspace *ws, const struct imp_var *next)
{
    struct context *cx = k->cx;
    struct imp_var *p = kernel_var(k, ws->count->type, "p%s", ws->code.tensor->name);
    const struct imp *entry = imp_read(cx, p);
    imp_begin(&k->b);
    struct level_code code = workspace_level(k, ws, ws->root, workspace_zero(k));
    const struct imp *to =
        segments_take(k, code.position_name, next, row_of(k, ws, entry), imp_i64(cx, 1));
    for (int level = ws->root; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_store(cx, *code_array(&ws->code, level, LEVEL_COORDINATES), to, OP_NONE,
                                 imp_load(cx, ws->crd[level], entry)));
    if (k->computes)
        imp_add(&k->b, imp_store(cx, ws->code.values, to, OP_NONE, imp_load(cx, ws->vals, entry)));
    end_each_entry(k, ws, p);
}

/* Shares entries that come in order below each row out to the rows. */
static void share_out(struct kernel *k, struct workspace *ws, const struct imp *rows)
{
    const struct imp_var *next = make_segments(k, ws, rows);
    list_new_arrays(k, ws, ws->root);
    put_entries(k, ws, next);
    imp_add(&k->b, imp_free(k->cx, next));
    list_free(k, ws);
}

static void finish_rows(struct kernel *k, struct workspace *ws)
{
    const struct imp *rows =
        imp_cast(k->cx, TYPE_I64, workspace_level(k, ws, 0, workspace_zero(k)).dimension);
    if (!ws->repeats && ws->sorted_from == ws->root) {
        share_out(k, ws, rows);
        return;
    }
    finish_order(k, ws);
    imp_add(&k->b, imp_free(k->cx, make_segments(k, ws, rows)));
    imp_add(&k->b, imp_free(k->cx, ws->rows));
}

static void finish_list(struct kernel *k, struct workspace *ws)
{
    if (ws->root > 0) {
        finish_rows(k, ws);
        return;
    }
    finish_order(k, ws);
    struct level_code code = workspace_level(k, ws, 0, workspace_zero(k));
    code.format->type->append_begin(&code);
    code.format->type->append_edges(&code, workspace_zero(k), imp_read(k->cx, ws->count));
}

void list_close(struct kernel *k, struct workspace *ws)
{
    imp_add(&k->b, imp_free(k->cx, *code_array(&ws->code, ws->root, LEVEL_POSITIONS)));
    for (int level = ws->root; level < ws->code.tensor->format->levels; level++)
        imp_add(&k->b, imp_free(k->cx, *code_array(&ws->code, level, LEVEL_COORDINATES)));
    if (k->computes)
        imp_add(&k->b, imp_free(k->cx, ws->code.values));
}

static void take_list(struct kernel *k, struct workspace *ws, struct entries *in)
{
    if (ws->root == 0)
        imp_add(&k->b, imp_free(k->cx, *code_array(&ws->code, 0, LEVEL_POSITIONS)));
    in->crd = ws->crd;
    in->values = k->computes ? ws->vals : NULL;
    in->n = workspace_entries(k, ws);
}

const struct workspace_way workspace_list = {
    .open = open_list,
    .store = append,
    .finish = finish_list,
    .close = list_close,
    .take_out = take_list,
};
