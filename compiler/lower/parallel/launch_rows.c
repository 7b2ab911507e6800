/* launch_rows.c - loops on a GPU whose teams make a table for each row, in bins of rows.
 *
 *     launch                              how much is put into the tables of each row: its room
 *     lists                               bin(i, 96, 1536): of rows with room for 96 at most, for
 *                                         1536, and others
 *     for each list, in each run:
 *     launch                              a team has a row of the list
 *         a warp each, of the first: tables of 128 places, which a block shares
 *         of the second: tables of 2048
 *         of the others: tables in memory, as wide as the widest row needs
 *
 * A table is as wide as its row needs, and emptied, filled and listed in steps of the team.  So a
 * row costs what is put into it, however many columns there are.  (Nagasaka, Nukada and Matsuoka,
 * High-performance and memory-saving sparse general matrix-matrix multiplication for NVIDIA Pascal
 * GPU, 2017, have rows in groups, and tables in shared memory.)  Which rows are in a list follows
 * from the data, their order in it does not; each row stores where it would anyway.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/launch.h"
#include "compiler/lower/workspace/workspace.h"

/* What else threads of a block share, at most; and what tables in memory take together. */
enum { BESIDE = 1024, MEMORY = 1 << 30 };

/* Of what is left, or of all rows, tables are in memory. */
enum { IN_MEMORY = ROW_BINS - 1 };

/* ---- which there are ---- */

static const struct imp_var *array_of(struct kernel *k, const struct tensor_var *t, enum type type,
                                      const char *what)
{
    struct imp_var *array = kernel_array(k, type, "%s_%s", t->name, what);
    array->restricted = true;
    return array;
}

/* As many places as `probe_width` of the prelude has for this many. */
static int places_for(int64_t room)
{
    int places = GPU_WARP;
    while (places / 4 * 3 < room)
        places *= 2;
    return places;
}

struct launch_rows *rows_find(struct parallel *p)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct cin_list made = tree_rows(cx, p->node->statement);
    if (!made.n)
        return NULL;
    struct launch_rows *rows = arena_make(cx->arena, struct launch_rows);
    rows->seen.table = arena_array(cx->arena, struct kernel_table, (int)made.n);
    rows->seen.tables = (int)made.n;
    const struct cin_tag *bin = cin_find_tag(k->program, p->tag->var, TAG_BIN);
    rows->bins = bin ? 0 : IN_MEMORY;
    for (int i = 0; bin && i < IN_MEMORY; i++) {
        rows->most[i] = (int)(i == 0 ? bin->factor : bin->second);
        rows->places[i] = places_for(rows->most[i]);
    }
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        enum type crd = k->request->coordinates;
        rows->seen.table[i] = (struct kernel_table){
            made.at[i], array_of(k, t, crd, "key"), array_of(k, t, crd, "crd"),
            k->request->computes ? array_of(k, t, t->type, "vals") : NULL};
    }
    return rows;
}

/* ---- places ---- */

/* Returns the bytes that the tables of a team take in shared memory. */
static int64_t shared_bytes(const struct kernel *k, const struct launch_rows *rows, int bin)
{
    int64_t bytes = 0;
    for (int i = 0; i < rows->seen.tables; i++) {
        const struct kernel_table *t = &rows->seen.table[i];
        int64_t crd = (int64_t)type_size(t->key->type),
                value = k->computes && t->values ? (int64_t)type_size(t->values->type) : 0;
        bytes += rows->places[bin] * (crd + value) + (rows->most[bin] + 1) * crd;
    }
    return bytes;
}

static bool is_shared(const struct kernel *k, const struct launch_rows *rows, int bin)
{
    return rows->places[bin] > 0 && shared_bytes(k, rows, bin) <= GPU_SHARED_MOST - BESIDE;
}

int rows_threads(const struct kernel *k, const struct launch_rows *rows, int lanes, int most)
{
    int threads = most;
    if (!rows || rows->seen.counts || !rows->seen.places)
        return threads;
    while (threads > lanes && threads > GPU_WARP
           && threads / lanes * shared_bytes(k, rows, rows->bin) > GPU_SHARED_MOST - BESIDE)
        threads /= 2;
    return threads;
}

bool rows_are_narrow(const struct launch_rows *rows)
{
    return rows && (rows->seen.counts || rows->bin == 0);
}

/* ---- room ---- */

static bool fills_table(const struct cin *cin, void *data)
{
    return cin->kind == CIN_ASSIGN && kernel_table(data, cin->arg[0]->tensor);
}

bool rows_leave_out(struct kernel *k, const struct cin *statement)
{
    return k->launch && k->launch->rows && k->launch->rows->counts
           && !cin_any(statement, fills_table, k);
}

void rows_enter(struct parallel *p)
{
    struct kernel *k = p->k;
    struct launch_rows *rows = p->rows;
    if (!rows)
        return;
    if (!rows->seen.counts) {
        rows->seen.has = imp_let(&k->b, kernel_var(k, TYPE_I64, "room"),
                                 imp_load(k->cx, rows->room, imp_read(k->cx, p->part)));
        return;
    }
    struct imp_var *room = kernel_var(k, TYPE_I64, "room");
    imp_let(&k->b, room, imp_i64(k->cx, 0));
    rows->seen.room = room;
}

bool rows_leave(struct parallel *p)
{
    struct kernel *k = p->k;
    bool counts = p->rows && p->rows->seen.counts;
    if (counts)
        imp_add(&k->b, imp_store(k->cx, p->rows->room, imp_read(k->cx, p->part), OP_NONE,
                                 imp_read(k->cx, p->rows->seen.room)));
    return counts;
}

static const struct imp_var *new_array(struct kernel *k, const struct imp_var *array,
                                       const struct imp *elements)
{
    imp_add(&k->b, imp_declare(k->cx, array, NULL));
    imp_add(&k->b, imp_alloc(k->cx, array, elements));
    return array;
}

static const struct imp *number(struct kernel *k, int64_t n) { return imp_i64(k->cx, n); }

static const struct imp *let(struct kernel *k, const char *name, const struct imp *value)
{
    return imp_let(&k->b, kernel_var(k, TYPE_I64, "%s", name), value);
}

/* Returns the most room of the bin's rows; where there are no bins all rows are in the last. */
static const struct imp *most_room(struct kernel *k, const struct launch_rows *rows, int bin)
{
    return number(k, rows->bins == 0 ? rows->most[bin] : -1);
}

/* Rows by bins; gives the most room that one needs. */
static const struct imp *sort_rows(struct kernel *k, struct launch_rows *rows)
{
    struct context *cx = k->cx;
    const struct imp_var *count = kernel_array(k, TYPE_I64, "row_count");
    struct imp_var *list = kernel_array(k, k->request->coordinates, "row_list");
    list->restricted = true;
    rows->list = new_array(k, list, imp_op2(cx, OP_MUL, rows->parts, number(k, ROW_BINS)));
    new_array(k, count, number(k, ROW_BINS + 1));
    const struct imp *arg[] = {imp_read(cx, rows->room), rows->parts,        most_room(k, rows, 0),
                               most_room(k, rows, 1),    imp_read(cx, list), imp_read(cx, count)};
    imp_add(&k->b, imp_do(cx, prelude_call(&k->b, "sort_bins", &list->type, 1, arg, 6)));
    const struct imp *found[ROW_BINS + 1];
    for (int i = 0; i <= ROW_BINS; i++)
        found[i] = let(k, i < ROW_BINS ? arena_printf(cx->arena, "rows%d", i + 1) : "room_most",
                       imp_fetch(cx, imp_load(cx, count, number(k, i))));
    imp_add(&k->b, imp_free(cx, count));
    for (int i = 0; i < ROW_BINS; i++)
        rows->many[i] = found[i];
    return found[ROW_BINS];
}

/* Returns the places of the widest table in memory. */
static const struct imp *widest(struct kernel *k, struct launch_rows *rows, const struct imp *room)
{
    struct context *cx = k->cx;
    const enum type i64 = TYPE_I64;
    const struct imp *most = number(k, 0), *width, *some;
    for (int i = 0; i < rows->seen.tables; i++) {
        const struct cin *access = rows->seen.table[i].assign->arg[0];
        const struct imp *size =
            imp_cast(cx, TYPE_I64, kernel_size(k, access_level_var(access, 0)));
        most = imp_op2(cx, OP_MAX, most, size);
    }
    most = imp_op2(cx, OP_MIN, most, room);
    some = imp_op2(cx, OP_GT, rows->many[IN_MEMORY], number(k, 0));
    for (int bin = rows->bins; bin < IN_MEMORY; bin++)
        if (!is_shared(k, rows, bin)) {
            most = imp_op2(cx, OP_MAX, most, number(k, rows->most[bin]));
            some = imp_op2(cx, OP_OR, some, imp_op2(cx, OP_GT, rows->many[bin], number(k, 0)));
        }
    width = prelude_call(&k->b, "probe_width", &i64, 1, &most, 1);
    return let(k, "table_width", imp_select(cx, some, width, number(k, 0)));
}

/* As many tables in memory as fit there, but one block's at least. */
static void allocate_tables(struct kernel *k, struct launch_rows *rows, const struct imp *room)
{
    struct context *cx = k->cx;
    int64_t bytes = 0;
    const struct imp *width = widest(k, rows, room), *one = number(k, 1), *fit;
    for (int i = 0; i < rows->seen.tables; i++) {
        const struct kernel_table *t = &rows->seen.table[i];
        bytes += (int64_t)(2 * type_size(t->key->type))
                 + (t->values ? (int64_t)type_size(t->values->type) : 0);
    }
    fit = imp_op2(cx, OP_DIV, number(k, MEMORY / bytes), imp_op2(cx, OP_ADD, width, one));
    fit = imp_op2(cx, OP_MIN, fit, number(k, LAUNCH_TEAMS));
    fit = imp_op2(cx, OP_MAX, fit, number(k, LAUNCH_THREADS / GPU_WARP)); /* those of a block */
    rows->teams = let(k, "tables", fit);
    rows->seen.width = width;
    for (int i = 0; i < rows->seen.tables; i++) {
        const struct kernel_table *t = &rows->seen.table[i];
        const struct imp *all = imp_op2(cx, OP_MUL, rows->teams, width);
        new_array(k, t->key, all);
        new_array(k, t->list, imp_op2(cx, OP_MUL, rows->teams, imp_op2(cx, OP_ADD, width, one)));
        if (t->values)
            new_array(k, t->values, all);
    }
}

/* Do values say what is put into a table? */
static bool keeps_some(struct context *cx, const struct cin *loop)
{
    struct cin_list made = cin_assignments(cx, loop);
    bool some = false;
    for (size_t i = 0; i < made.n; i++)
        some |= cin_kept(made.at[i]) != NULL;
    return some;
}

void rows_count(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct launch_rows *rows = p->rows;
    struct imp_var *room = kernel_array(k, TYPE_I64, "rooms");
    const struct cursor *only = forall_only(&p->f);
    bool computes = k->computes;
    room->restricted = true;
    rows->parts = p->all;
    rows->begin = share_i64(p, only ? only->begin : forall_first(&p->f));
    rows->room = new_array(k, room, rows->parts);
    rows->seen.counts = true;
    k->computes = keeps_some(k->cx, p->node->statement);
    launch_nest(k, scope, p);
    rows->seen.counts = false;
    k->computes = computes;
    allocate_tables(k, rows, sort_rows(k, rows));
}

/* ---- bins ---- */

/* Returns how many blocks a bin has: one for as many rows as it has teams. */
static const struct imp *find_blocks(struct parallel *p)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct launch_rows *rows = p->rows;
    struct launch l = {.k = k, .tag = p->tag, .rows = rows};
    launch_open_grid(&l, p->node->statement, INT32_MAX);
    int64_t each = l.threads / l.team.lanes;
    const struct imp *n = imp_op2(cx, OP_ADD, rows->many[rows->bin], number(k, each - 1)),
                     *most = number(k, l.blocks);
    if (!rows->seen.places) /* whole blocks have tables */
        most = imp_op2(cx, OP_MIN, most, imp_op2(cx, OP_DIV, rows->teams, number(k, each)));
    n = imp_op2(cx, OP_MIN, imp_op2(cx, OP_DIV, n, number(k, each)), most);
    return imp_let(&k->b, kernel_var(k, TYPE_I32, "blocks"), imp_cast(cx, TYPE_I32, n));
}

void rows_run(struct parallel *p, const struct scope *scope)
{
    struct launch_rows *rows = p->rows;
    for (rows->bin = rows->bins; rows->bin < ROW_BINS; rows->bin++) {
        bool shared = is_shared(p->k, rows, rows->bin);
        rows->seen.places = shared ? rows->places[rows->bin] : 0;
        rows->seen.listed = rows->most[rows->bin];
        rows->blocks = find_blocks(p);
        launch_nest(p->k, scope, p);
    }
}

const struct imp *rows_loop(const struct launch *l, const struct imp_var *step,
                            const struct imp *body)
{
    struct kernel *k = l->k;
    struct context *cx = k->cx;
    const struct launch_rows *rows = l->rows;
    const struct team *team = &l->loops.at[0].team;
    const struct imp *each = number(k, l->threads / team->lanes),
                     *first = imp_op2(cx, OP_MUL, number(k, rows->bin), rows->parts);
    struct imp_var *at = kernel_var(k, TYPE_I64, "row");
    imp_begin(&k->b);
    const struct imp *row = imp_let(&k->b, at, team->number);
    imp_begin(&k->b);
    const struct imp *iteration = imp_load(cx, rows->list, imp_op2(cx, OP_ADD, first, row));
    imp_let(&k->b, step, imp_op2(cx, OP_ADD, rows->begin, imp_cast(cx, TYPE_I64, iteration)));
    imp_add_all(&k->b, body);
    imp_add(&k->b, imp_assign(cx, at, OP_ADD,
                              imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, rows->blocks), each)));
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_LT, row, rows->many[rows->bin]), imp_end(&k->b)));
    return imp_end(&k->b);
}

void rows_close(struct parallel *p)
{
    struct kernel *k = p->k;
    const struct launch_rows *rows = p->rows;
    imp_add(&k->b, imp_free(k->cx, rows->room));
    imp_add(&k->b, imp_free(k->cx, rows->list));
    for (int i = 0; i < rows->seen.tables; i++) {
        const struct kernel_table *t = &rows->seen.table[i];
        imp_add(&k->b, imp_free(k->cx, t->key));
        imp_add(&k->b, imp_free(k->cx, t->list));
        if (t->values)
            imp_add(&k->b, imp_free(k->cx, t->values));
    }
}
