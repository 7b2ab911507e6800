/* assembly_capacity.c - how much a result gets at most, or a list, counted ahead.
 *
 * The loops are run once more, before all others, for the number of components that they put into
 * the workspace (compiler/tree/capacity.c says when): C(i,j) = A(i,k) * B(k,j)
 *
 *     for i
 *         row = 0
 *         for k in A(i,:)
 *             row += the length of B(k,:)
 *         room += min(row, the size of j)
 *
 * That is a small part of what they do, and an array that grows from little is copied several
 * times, to memory that the system has to give anew each time.  But where rows have much in common
 * it is far too much.  So at first there is room for a part of it; when that is full, as much as
 * comes of the coordinates that are done is expected of the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/parallel/parallel.h"
#include "compiler/lower/result/result.h"

const struct imp *room_positions(struct kernel *k, const struct tree_room *room, int64_t most,
                                 bool *fits)
{
    const struct imp *sum = NULL;
    bool all = room->at.n == 1;
    *fits = false; /* as long as nothing is known */
    for (size_t i = 0; i < room->at.n; i++) {
        const struct tree_room_at at = room->at.at[i];
        const struct imp *n = k->parallel ? share_positions(k->parallel, at.access, at.level)
                                          : operand_end(k, at.access, at.level);
        if (!n)
            return NULL;
        n = imp_cast(k->cx, TYPE_I64, n);
        sum = sum ? imp_op2(k->cx, OP_ADD, sum, n) : n;
        const struct level_format *level = &at.access->tensor->format->level[at.level];
        all &= !level->type->size && index_max(level->pos) <= most;
    }
    *fits = all || most == INT64_MAX; /* as many as there is memory for have been stored */
    return sum;
}

struct room_count {
    const struct tensor_var *source; /* the workspace */
    const struct imp_var *all, *row; /* so many in all rows; in this one */
};

static void add(struct kernel *k, const struct imp_var *to, const struct imp *n)
{
    imp_add(&k->b, imp_assign(k->cx, to, OP_ADD, n));
}

static void count_forall(struct kernel *k, const struct result *r, const struct scope *scope)
{
    static const struct imp_mark unmarked = {.iterations = ITERATIONS_IN_ORDER};
    struct forall f = forall_open(k, scope);
    f.mark = &unmarked;
    if (!tree_is_segment(f.node)) {
        forall_run(&f);
        return;
    }
    const struct imp *length = imp_op2(k->cx, OP_SUB, f.cursor[0].end, f.cursor[0].begin);
    add(k, r->counted->row, imp_cast(k->cx, TYPE_I64, length));
}

/* What the producer puts there is no more than there are coordinates. */
static void count_where(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct cin *where = scope->place->node->statement;
    struct room_count here = *r->counted;
    if (!cin_assigns(where->arg[1], here.source)) {
        lower_statement(k, scope, 0);
        return;
    }
    struct imp_var *row = kernel_var(k, TYPE_I64, "%s_row", r->access->tensor->name);
    imp_let(&k->b, row, imp_int(k->cx, TYPE_I64, 0));
    here.row = row;
    r->counted = &here;
    lower_statement(k, scope, 1);
    const struct index_var *var = result_var(r, result_format(r)->levels - 1);
    add(k, here.all,
        imp_op2(k->cx, OP_MIN, imp_read(k->cx, row),
                imp_cast(k->cx, TYPE_I64, kernel_size(k, var))));
}

static void count(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    switch (node->statement->kind) {
    case CIN_FORALL: count_forall(k, r, scope); break;
    case CIN_WHERE: count_where(k, r, scope); break;
    default:
        for (int i = 0; i < node->children; i++)
            lower_statement(k, scope, i);
    }
}

static const struct assembly_way counting = {.lower = count};

/* The share of a part: the cursors are then those of the loop that follows, again. */
static void count_share(struct parallel *p)
{
    const struct forall before = p->f;
    p->f = forall_open(p->k, before.scope);
    share_narrow(p);
    forall_run(&p->f);
    p->f = before;
}

static const struct tensor_var *source(const struct result *r)
{
    const struct assembly *a = r->assembly;
    return tree_room_source(r->tree, a->group[a->groups - 1].last);
}

bool room_is_counted(const struct kernel *k, const struct result *r)
{
    return !k->request->plain && r->assembly->groups > 0 && source(r)
           && !tree_room_list(k->cx, r->tree);
}

void room_count(struct kernel *k, struct result *r, const struct scope *scope)
{
    static const struct assembly nothing = {.kind = ASSEMBLY_APPEND};
    const struct result before = *r;
    struct imp_var *all = kernel_var(k, TYPE_I64, "%s_room", before.access->tensor->name);
    struct room_count counted = {.source = source(r), .all = all};
    const struct imp *room = imp_let(&k->b, all, imp_int(k->cx, TYPE_I64, 0));
    r->counted = &counted;
    r->way = &counting;
    r->assembly = &nothing;
    k->computes = false;
    if (k->parallel)
        count_share(k->parallel);
    else
        lower_program(k, r, scope);
    k->computes = k->request->computes;
    *r = before;
    r->room = room;
}

/* ---- what is made of it ---- */

enum { PART = 16, FIRST_CAPACITY = 16 };

const struct imp *room_first(struct kernel *k, const struct result *r, const struct append_group *g,
                             const struct imp *least)
{
    struct context *cx = k->cx;
    const struct imp *part = imp_op2(cx, OP_DIV, r->room, imp_int(cx, TYPE_I64, PART));
    return imp_op2(cx, OP_MIN, imp_op2(cx, OP_MAX, part, least),
                   imp_int(cx, TYPE_I64, append_most(r, g)));
}

/* The outermost loop, if it is over coordinates, of which products with positions are numbers: from
 * which on, and past which. */
static bool find_outermost(struct kernel *k, const struct scope *scope,
                           const struct index_var **var, const struct imp **from,
                           const struct imp **past)
{
    struct parallel *p = k->parallel;
    const struct tree_place *at = scope->place;
    while (at->outer)
        at = at->outer;
    if (at->node->statement->kind != CIN_FORALL || k->request->coordinates == TYPE_I64)
        return false;
    *var = at->node->statement->index[0];
    if (p && (p->node != at->node || share_cursor(p)))
        return false;
    *from = p ? p->from : kernel_low(k, *var);
    *past = p ? p->past : kernel_end(k, *var);
    return true;
}

/* a - b, in i64. */
static const struct imp *distance(struct kernel *k, const struct imp *a, const struct imp *b)
{
    a = imp_cast(k->cx, TYPE_I64, a);
    return b ? imp_op2(k->cx, OP_SUB, a, imp_cast(k->cx, TYPE_I64, b)) : a;
}

/* Of each of the others as many are expected as of those that are done, and some more, as far as
 * there can be. */
void room_expect(struct kernel *k, const struct result *r, const struct scope *scope,
                 const struct append_group *g, const struct imp *now)
{
    struct context *cx = k->cx;
    const char *name = r->access->tensor->name;
    const struct index_var *var;
    const struct imp *from, *past, *capacity = imp_read(cx, g->capacity);
    if (!r->room || capacity->type == TYPE_I64 || !find_outermost(k, scope, &var, &from, &past))
        return;
    struct imp_var *done = kernel_var(k, TYPE_I64, "%s_done", name),
                   *expected = kernel_var(k, TYPE_I64, "%s_expected", name);
    done->positive = true;
    imp_let(&k->b, done, imp_next(cx, distance(k, scope_coordinate(scope, var), from)));
    const struct imp *product =
                         imp_op2(cx, OP_MUL, distance(k, now, NULL), distance(k, past, from)),
                     *n =
                         imp_let(&k->b, expected, imp_op2(cx, OP_DIV, product, imp_read(cx, done)));
    n = imp_op2(cx, OP_ADD, n, imp_op2(cx, OP_DIV, n, imp_int(cx, TYPE_I64, PART)));
    n = imp_op2(cx, OP_MIN, n, r->room);
    n = imp_op2(cx, OP_MAX, n, imp_cast(cx, TYPE_I64, capacity));
    n = imp_op2(cx, OP_MIN, n, imp_int(cx, TYPE_I64, append_most(r, g)));
    imp_add(&k->b, imp_assign(cx, g->capacity, OP_NONE, imp_cast(cx, capacity->type, n)));
}

/* ---- room for a group ---- */

int64_t append_most(const struct result *r, const struct append_group *g)
{
    return index_max(result_format(r)->level[g->first].pos);
}

bool append_is_last(const struct result *r, const struct append_group *g)
{
    return g == &r->group[r->assembly->groups - 1];
}

/* How many positions the counter can count. */
static int64_t most_counted(const struct result *r, const struct append_group *g)
{
    return g->wide ? INT64_MAX : append_most(r, g);
}

/* How many coordinates of the outermost loop there are, likewise. */
static const struct imp *count_coordinates(struct kernel *k, const struct result *r,
                                           const struct append_group *g,
                                           const struct index_var *var, bool *fits)
{
    const struct parallel *p = k->parallel;
    const struct imp *n = p ? imp_op2(k->cx, OP_SUB, p->past, p->from) : kernel_size(k, var);
    *fits = index_max(k->request->coordinates) <= most_counted(r, g);
    return imp_cast(k->cx, TYPE_I64, n);
}

/* How many positions of the operands there are, in the part of a parallel loop those that it has;
 * NULL: that is not known.  *fits: they are surely as many as positions can count. */
static const struct imp *count_positions(struct kernel *k, const struct result *r,
                                         const struct append_group *g, bool *fits)
{
    struct tree_room room = {0};
    *fits = false;
    if (!tree_room(k->cx, r->tree, g->last, &room))
        return NULL;
    if (room.all)
        return count_coordinates(k, r, g, room.all, fits);
    return room_positions(k, &room, most_counted(r, g), fits);
}

bool append_is_wide(struct kernel *k, const struct result *r, const struct append_group *g)
{
    bool fits, may = k->request->plain && r->way->grow && k->request->tree->results == 1
                     && !cin_has_parallel(k->program, k->program->statement);
    return may && !(count_positions(k, r, g, &fits) && fits);
}

/* As much as operands say; or it grows from little. */
const struct imp *append_room(struct kernel *k, const struct result *r, struct append_group *g)
{
    struct context *cx = k->cx;
    const struct imp *n = count_positions(k, r, g, &g->fits),
                     *first = imp_int(cx, TYPE_I64, FIRST_CAPACITY);
    g->has_all = n && !k->parallel;
    if (!n)
        return append_is_last(r, g) && r->room ? room_first(k, r, g, first) : first;
    return g->fits ? n : imp_op2(cx, OP_MIN, n, imp_int(cx, TYPE_I64, append_most(r, g)));
}
