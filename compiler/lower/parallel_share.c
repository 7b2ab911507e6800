/* parallel_share.c - into how many parts a parallel loop goes, and what each of them has.
 *
 * What is shared out are positions where the loop runs along one operand, else coordinates; where
 * operands are merged each is searched for where the part begins.  The work before a position or
 * coordinate x is all that operands store there and below, which their segments' ends say
 * (position_first), and x itself where the loop comes to each, or the result has a place for it:
 *
 *     work(x) = x + A2_pos[x]
 *
 * An entry at which a loop runs over a dimension, as the columns of a dense matrix, is more work by
 * the length of that, in vectors.
 *
 * It ascends, so that where a part begins is found by binary search: one heavy row holds nobody up
 * but its own part.  Where the work is in proportion to x shares are even, and need no search; of
 * a list's entries each begins with a run of one coordinate.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel.h"

/* The one cursor whose positions are shared out; NULL: coordinates are, because there is none, or
 * because they are those of the places that a part of the result has, or the list's whose
 * parts it is filled from. */
static struct cursor *shared_cursor(struct parallel *p)
{
    struct cursor *only = forall_single(&p->f);
    bool coordinates = p->fills || join_has_places(p);
    return coordinates || !only || lattice_walks_blocks(only->it) ? NULL : only;
}

static const struct imp *as_i64(struct parallel *p, const struct imp *e)
{
    return imp_cast(p->k->cx, TYPE_I64, e);
}

static const struct imp *named(struct parallel *p, const struct imp *e, const char *name)
{
    if (e->kind == IMP_VAR || e->kind == IMP_LITERAL)
        return e;
    return imp_let(&p->k->b, kernel_var(p->k, e->type, "%s", name), e);
}

/* ---- work ---- */

/* So many elements of a row take as long as one by itself; of more than so many, which are a part's
 * work several times over, it does not matter how many there are: products of sizes, of entries
 * and of parts fit into 64 bits. */
enum { IN_VECTORS = 8, USES_MOST = 1 << 20 };

/* Has the access segments in the levels [first, end)? */
static bool has_segments(const struct cin *access, int first, int end)
{
    const struct format *format = access->tensor->format;
    bool has = false;
    for (int level = first; level < end; level++)
        for (int i = 0; i < LEVEL_ARRAYS; i++)
            has |= format->level[level].type->array[i].kind == LEVEL_POSITIONS;
    return has;
}

/* What the access stores below the positions [0, position) of this level. */
static const struct imp *stored_before(struct parallel *p, const struct cin *access, int level,
                                       const struct imp *position)
{
    return as_i64(p, position_first(p->k, access, level + 1, access->tensor->format->levels,
                                    as_i64(p, position)));
}

/* Where the coordinate x is in a level that has a place for each; NULL if it has not. */
static const struct imp *located(struct parallel *p, const struct cin *access, int level,
                                 const struct imp *x)
{
    const struct level_type *type = access->tensor->format->level[level].type;
    struct place at = operand_place(p->k, p->f.scope, access);
    const struct imp *found;
    if (at.found || !(type->properties & LEVEL_FULL) || !type->locate
        || type->array[0].kind != LEVEL_NO_ARRAY)
        return NULL;
    struct level_code code = kernel_level(p->k, access, level, at.position, at.next);
    return type->locate(&code, x, &found);
}

/* Where the coordinate x is in the operand, or would be; NULL if that is not to be said. */
static const struct imp *position_of(struct parallel *p, int i, const struct imp *x)
{
    const struct lattice_iterator *it = &p->f.lattice->iterator[i];
    struct cursor *c = &p->f.cursor[i];
    if (it->first == it->end || it->path.steps > 0
        || access_level_var(it->access, it->first) != p->f.lattice->var)
        return NULL;
    if (i < p->f.lattice->sparse) {
        if (!bits_has(p->f.lattice->iterated, i))
            return NULL;
        return find_first(p->k, block_coordinates(&c->code), as_i64(p, c->begin), as_i64(p, c->end),
                          as_i64(p, x));
    }
    return located(p, it->access, it->first, x);
}

/* Does the loop go over a dimension that the access does not have?  How many positions there are
 * may be known in the loops alone. */
static bool repeats(struct parallel *p, const struct tree_node *loop, const struct cin *access)
{
    const struct cin_program *program = p->k->program;
    const struct index_var *var = loop->lattice->var;
    bool has = loop == p->node || !loop->lattice->dimension || lattice_is_tied(loop->lattice)
               || !bits_empty(loop->lattice->iterated)
               || cin_positions(program->relation, program->relations, var);
    for (int level = 0; level < access->tensor->format->levels && !has; level++)
        has = cin_is_part(program, var, access_level_var(access, level), CIN_ANY);
    return !has;
}

static bool is_var(const struct imp *imp, void *data)
{
    (void)data;
    return imp->kind == IMP_VAR;
}

/* How often what is stored of the access is used for each time that it is come to, in the loops of
 * the node, as far as that matters; NULL: once. */
static const struct imp *uses_of(struct parallel *p, const struct tree_node *node,
                                 const struct cin *access)
{
    struct context *cx = p->k->cx;
    const struct tree_node *inner = node->whole;
    for (int i = 0; i < node->children && !inner; i++)
        if (cin_contains(node->child[i]->statement, access))
            inner = node->child[i];
    const struct imp *uses = inner ? uses_of(p, inner, access) : NULL, *size = NULL,
                     *most = imp_int(cx, TYPE_I64, USES_MOST);
    if (node->statement->kind == CIN_FORALL && repeats(p, node, access))
        size = imp_op2(cx, OP_MIN, as_i64(p, kernel_size(p->k, node->lattice->var)), most);
    return uses && size ? imp_op2(cx, OP_MIN, imp_op2(cx, OP_MUL, uses, size), most)
                        : (uses ? uses : size);
}

/* The work for each that is stored of the access, in a variable in front of all.  Used for 32
 * columns, an entry takes six times as long as for one: y = A x and Y = A X with 300 entries, 0.10
 * and 0.59 microseconds on 2026-11-23. */
static const struct imp *work_of_each(struct parallel *p, const struct cin *access)
{
    struct context *cx = p->k->cx;
    for (size_t i = 0; i < p->weights.n; i++)
        if (p->weights.at[i].access == access)
            return p->weights.at[i].each;
    const struct imp *uses = uses_of(p, p->node, access), *each = imp_int(cx, TYPE_I64, 1);
    if (uses)
        each =
            imp_op2(cx, OP_ADD, each, imp_op2(cx, OP_DIV, uses, imp_int(cx, TYPE_I64, IN_VECTORS)));
    if (imp_any(each, is_var, NULL))
        each = named(p, each, "each");
    vec_push(cx->arena, &p->weights, ((struct work_weight){access, each}));
    return each;
}

static const struct imp *work_of(struct parallel *p, const struct cin *access,
                                 const struct imp *stored)
{
    return imp_op2(p->k->cx, OP_MUL, work_of_each(p, access), stored);
}

/* sum: NULL is nothing. */
static const struct imp *plus(struct parallel *p, const struct imp *sum, const struct imp *more)
{
    return sum ? imp_op2(p->k->cx, OP_ADD, sum, more) : more;
}

/* What operands store before the coordinate where block x begins, of what the loop goes through in
 * blocks: those that have a place for each coordinate. */
static const struct imp *work_in_blocks(struct parallel *p, const struct imp *sum,
                                        const struct imp *x, bool *even)
{
    const struct index_var *var = p->f.lattice->var;
    struct cin_list read = cin_operands(p->k->cx, p->node->statement);
    for (size_t i = 0; i < read.n; i++) {
        const struct cin *access = read.at[i];
        const struct index_var *whole = access->indices ? access_level_var(access, 0) : NULL;
        if (whole == var || access->tensor->temporary
            || !cin_is_part(p->k->program, var, whole, CIN_FIRST))
            continue;
        const struct imp *at = located(p, access, 0, kernel_first_of(p->k, var, whole, x));
        if (at)
            sum = plus(p, sum, work_of(p, access, stored_before(p, access, 0, at)));
        *even &= !at || !has_segments(access, 1, access->tensor->format->levels);
    }
    return sum;
}

/* Is there something to do for each x?  Coordinates of hash tables and of lists may be sparse in
 * dimensions whose product with the number of parts no integer holds. */
static bool comes_to_each(struct parallel *p)
{
    return shared_cursor(p) || p->f.lattice->dimension || p->fills || join_has_places(p);
}

/* The work before x; *even: it is in proportion to x. */
static const struct imp *work_before(struct parallel *p, const struct imp *x, bool *even)
{
    const struct cursor *only = shared_cursor(p);
    const struct imp *sum = comes_to_each(p) ? as_i64(p, x) : NULL;
    *even = true;
    for (int i = 0; i < p->f.lattice->iterators; i++) {
        const struct lattice_iterator *it = &p->f.lattice->iterator[i];
        const struct imp *at = &p->f.cursor[i] == only ? x : only ? NULL : position_of(p, i, x);
        if (!at)
            continue;
        bool searched = !only && i < p->f.lattice->sparse;
        const struct imp *stored = stored_before(p, it->access, it->first, at),
                         *work = work_of(p, it->access, stored);
        if (!imp_equal(stored, as_i64(p, x)))
            sum = plus(p, sum, work);
        else if (only)
            sum = work;
        *even &= !searched
                 && !has_segments(it->access, it->first + 1, it->access->tensor->format->levels);
    }
    if (!only)
        sum = work_in_blocks(p, sum, x, even);
    return sum ? sum : as_i64(p, x);
}

/* What operands store that the loop's coordinates share although they are not stored by them, as
 * below diagonals, all of which each block of rows goes along; NULL: nothing. */
static const struct imp *work_across(struct parallel *p)
{
    const struct cin_program *program = p->k->program;
    const struct index_var *var = p->f.lattice->var;
    struct context *cx = p->k->cx;
    const struct imp *sum = NULL;
    struct cin_list read = cin_operands(cx, p->node->statement);
    for (size_t i = 0; i < read.n; i++) {
        const struct cin *access = read.at[i];
        int level = 0, levels = access->indices ? access->tensor->format->levels : 0;
        while (level < levels
               && !cin_is_part(program, var, access_level_var(access, level), CIN_FIRST))
            level++;
        if (level == 0 || level == levels || access->tensor->temporary)
            continue;
        const struct imp *all =
            as_i64(p, position_first(p->k, access, 0, levels, imp_int(cx, TYPE_I64, 1)));
        sum = plus(p, sum, work_of(p, access, all));
    }
    return sum;
}

/* ---- parts ---- */

static void let_parts(struct parallel *p, const struct imp *parts)
{
    p->parts = kernel_var(p->k, TYPE_I32, "parts");
    imp_let(&p->k->b, p->parts, imp_cast(p->k->cx, TYPE_I32, parts));
}

/* As many iterations each as is asked for. */
static void find_asked(struct parallel *p)
{
    struct context *cx = p->k->cx;
    const struct imp *chunk = imp_int(cx, TYPE_I64, p->tag->factor), *fits = settle_fits(p),
                     *n = imp_op2(cx, OP_SUB, as_i64(p, p->end), as_i64(p, p->begin));
    if (fits)
        chunk =
            named(p, imp_select(cx, fits, chunk, imp_op2(cx, OP_MAX, n, imp_int(cx, TYPE_I64, 1))),
                  "chunk");
    p->chunk = chunk;
    const struct imp *up =
        imp_op2(cx, OP_ADD, n, imp_op2(cx, OP_SUB, chunk, imp_int(cx, TYPE_I64, 1)));
    struct imp_var *parts = kernel_var(p->k, TYPE_I64, "chunks");
    const struct imp *chunks = imp_let(&p->k->b, parts, imp_op2(cx, OP_DIV, up, chunk));
    kernel_check_most(p->k, chunks, INT32_MAX);
    let_parts(p, chunks);
}

/* The work that is worth a part.  An array of its own it has to fill, and then to combine, which is
 * as much as the loop does for each element: on 2026-11-23, two threads were 1.3 to 1.7 times as
 * fast as one at y = A x by columns with 10,000 to 600,000 entries, three or ten in a column. */
static const struct imp *find_grain(struct parallel *p)
{
    struct context *cx = p->k->cx;
    const struct imp *grain = imp_int(cx, TYPE_I64, p->k->request->part_work);
    for (size_t i = 0; i < p->arrays.n; i++)
        grain = imp_op2(cx, OP_ADD, grain, p->arrays.at[i].length);
    if (grain->kind == IMP_LITERAL)
        return grain;
    struct imp_var *var = kernel_var(p->k, TYPE_I64, "grain");
    var->positive = true;
    return imp_let(&p->k->b, var, grain);
}

/* No more than there are iterations, where these may be fewer than the work; else NULL.  How many
 * threads there are is asked only where there is work for more than one. */
static void find_parts(struct parallel *p, const struct imp *work, const struct imp *iterations,
                       bool heavy, bool fixed)
{
    struct context *cx = p->k->cx;
    const struct imp *grain = find_grain(p), *most = imp_int(cx, TYPE_I64, PARTS_MOST),
                     *one = imp_int(cx, TYPE_I64, 1), *threads = imp_threads(cx);
    if (heavy)
        most = imp_op2(cx, OP_MIN, as_i64(p, threads), most);
    else if (!fixed)
        most = imp_select(cx, imp_op2(cx, OP_GT, threads, imp_int(cx, TYPE_I32, 1)), most, one);
    if (iterations)
        most = imp_op2(cx, OP_MIN, most, imp_op2(cx, OP_MAX, iterations, one));
    const struct imp *parts =
        imp_op2(cx, OP_MIN, most, imp_op2(cx, OP_ADD, imp_op2(cx, OP_DIV, work, grain), one));
    if (heavy || !fixed || iterations)
        parts = imp_select(cx, imp_op2(cx, OP_LT, work, grain), one, parts);
    const struct imp *fits = settle_fits(p);
    if (fits)
        parts = imp_select(cx, fits, parts, one);
    let_parts(p, parts);
    p->parts->positive = true;
}

/* ---- shares ---- */

const struct imp *share_before(struct parallel *p, const struct imp *whole, const struct imp *part)
{
    return imp_op2(p->k->cx, OP_DIV, imp_op2(p->k->cx, OP_MUL, whole, as_i64(p, part)),
                   as_i64(p, imp_read(p->k->cx, p->parts)));
}

/* The least x in [begin, end) with so much work before it, in a variable. */
static const struct imp *search_share(struct parallel *p, const struct imp *work)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    enum type type = p->begin->type;
    const char *name = p->f.lattice->var->name;
    bool even;
    struct imp_var *low = kernel_var(k, type, "%s_low", name),
                   *high = kernel_var(k, type, "%s_high", name),
                   *middle = kernel_var(k, type, "%s_middle", name);
    imp_let(&k->b, low, p->begin);
    imp_let(&k->b, high, p->end);
    imp_begin(&k->b);
    const struct imp *half =
        imp_op2(cx, OP_DIV, imp_op2(cx, OP_SUB, imp_read(cx, high), imp_read(cx, low)),
                imp_int(cx, type, 2));
    const struct imp *at = imp_let(&k->b, middle, imp_op2(cx, OP_ADD, imp_read(cx, low), half));
    const struct imp *less = imp_op2(cx, OP_LT, work_before(p, at, &even), work);
    imp_add(&k->b, imp_if(cx, less, imp_assign(cx, low, OP_NONE, imp_next(cx, at)),
                          imp_assign(cx, high, OP_NONE, at)));
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_LT, imp_read(cx, low), imp_read(cx, high)), body));
    return imp_read(cx, low);
}

/* Where each part begins, so that there is as much work in each. */
static void find_shares(struct parallel *p, const struct imp *first, const struct imp *work)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    enum type type = p->begin->type;
    const struct imp *parts = imp_read(cx, p->parts), *one = imp_int(cx, TYPE_I32, 1);
    const struct imp_var *shares = parallel_numbers(p, type, "%s_shares", p->f.lattice->var->name);
    struct imp_var *part = kernel_var(k, TYPE_I32, "part");
    imp_add(&k->b, imp_store(cx, shares, imp_int(cx, TYPE_I32, 0), OP_NONE, p->begin));
    imp_add(&k->b, imp_store(cx, shares, parts, OP_NONE, p->end));
    imp_begin(&k->b);
    const struct imp *before =
        imp_op2(cx, OP_ADD, first, share_before(p, work, imp_read(cx, part)));
    const struct imp *begin = search_share(p, named(p, before, "work_from"));
    imp_add(&k->b, imp_store(cx, shares, imp_read(cx, part), OP_NONE, begin));
    imp_add(&k->b, imp_for(cx, part, one, parts, 1, imp_end(&k->b)));
    p->shares = shares;
}

/* Do the operands begin where the loop does? */
static bool is_whole(struct parallel *p)
{
    return parallel_is_outermost(p) && p->begin->kind == IMP_LITERAL
           && value_is_zero(p->begin->value);
}

void share_find(struct parallel *p, bool heavy, bool fixed)
{
    struct context *cx = p->k->cx;
    struct cursor *only = shared_cursor(p);
    bool even;
    p->begin = only ? only->begin : forall_first(&p->f);
    p->end = only ? only->end : forall_end(&p->f);
    if (!only && p->begin->kind != IMP_LITERAL) /* differences of nothing end before they begin */
        p->end = named(p, imp_op2(cx, OP_MAX, p->begin, p->end),
                       arena_printf(cx->arena, "%s_end", p->f.lattice->var->name));
    if (p->tag->factor) {
        find_asked(p);
        return;
    }
    const struct imp *work = work_before(p, p->end, &even),
                     *first = work_before(p, p->begin, &even);
    if (is_whole(p))
        first = imp_int(cx, TYPE_I64, 0);
    else if (!even)
        first = named(p, first, "work_before");
    work = imp_op2(cx, OP_SUB, work, first);
    const struct imp *across = even && !only && parallel_is_outermost(p) ? work_across(p) : NULL;
    const struct imp *iterations = across ? as_i64(p, imp_op2(cx, OP_SUB, p->end, p->begin)) : NULL;
    work = named(p, across ? imp_op2(cx, OP_ADD, work, across) : work, "work");
    find_parts(p, work, iterations, heavy, fixed);
    if (!even)
        find_shares(p, first, work);
}

/* ---- in a part ---- */

/* The same, but for which parts have the one more that some have, without a product of two numbers
 * that may be large. */
static const struct imp *share_before_wide(struct parallel *p, const struct imp *whole,
                                           const struct imp *part)
{
    struct context *cx = p->k->cx;
    const struct imp *parts = as_i64(p, imp_read(cx, p->parts)), *number = as_i64(p, part),
                     *least = imp_op2(cx, OP_MUL, imp_op2(cx, OP_DIV, whole, parts), number);
    return imp_op2(cx, OP_ADD, least,
                   imp_op2(cx, OP_MIN, number, imp_op2(cx, OP_MOD, whole, parts)));
}

/* Where the part of this number begins. */
static const struct imp *share_at(struct parallel *p, const struct imp *part)
{
    struct context *cx = p->k->cx;
    if (p->shares)
        return imp_load(cx, p->shares, part);
    const struct imp *n = as_i64(p, imp_op2(cx, OP_SUB, p->end, p->begin)), *before;
    if (p->tag->factor)
        before = imp_op2(cx, OP_MIN, n, imp_op2(cx, OP_MUL, as_i64(p, part), p->chunk));
    else if (p->begin->type == TYPE_I64) /* coordinates, perhaps, of 60 bits */
        before = share_before_wide(p, n, part);
    else
        before = share_before(p, n, part);
    return imp_op2(cx, OP_ADD, p->begin, imp_cast(cx, p->begin->type, before));
}

static void narrow(struct parallel *p, int bit)
{
    struct cursor *c = &p->f.cursor[bit];
    const struct imp *begin = as_i64(p, c->begin), *end = as_i64(p, c->end);
    block_search(p->k, p->f.scope, c->it, &c->code, as_i64(p, p->from), as_i64(p, p->past), &begin,
                 &end);
    c->begin = imp_cast(p->k->cx, c->position->type, begin);
    c->end = imp_cast(p->k->cx, c->position->type, end);
}

/* Where the part of this number begins, in a variable; with a run, where one holds the place. */
static const struct imp *let_share(struct parallel *p, const char *name, const struct imp *part)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    const struct cursor *only = shared_cursor(p);
    name = arena_printf(cx->arena, name, only ? only->code.position_name : p->f.lattice->var->name);
    struct imp_var *var = kernel_var(k, p->begin->type, "%s", name);
    const struct imp *at = imp_let(&k->b, var, share_at(p, part));
    if (!only || !only->runs)
        return at;
    const struct imp_var *crd = block_coordinates(&only->code);
    const struct imp *first =
        find_first(k, crd, as_i64(p, p->begin), as_i64(p, at), as_i64(p, imp_load(cx, crd, at)));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_LT, at, p->end),
                          imp_assign(cx, var, OP_NONE, imp_cast(cx, var->type, first)), NULL));
    return at;
}

void share_bounds(struct parallel *p, const struct imp *part)
{
    p->from = let_share(p, "%s_from", part);
    p->past = let_share(p, "%s_past", imp_next(p->k->cx, part));
}

void share_narrow(struct parallel *p)
{
    struct cursor *only = shared_cursor(p);
    if (only) {
        only->begin = p->from;
        only->end = p->past;
        return;
    }
    p->f.from = p->from;
    p->f.past = p->past;
    for (int i = 0; i < p->f.lattice->sparse; i++)
        if (bits_has(p->f.lattice->iterated, i) || bits_has(p->f.lattice->following, i))
            narrow(p, i);
}

void share_take(struct parallel *p)
{
    share_bounds(p, imp_read(p->k->cx, p->part));
    share_narrow(p);
}

/* How many positions the access has in the level before those of the part, or, with `past`, before
 * those of the next; NULL: that is not to be said. */
static const struct imp *positions_before(struct parallel *p, const struct cin *access, int level,
                                          bool past)
{
    for (int i = 0; i < p->f.lattice->iterators; i++) {
        const struct lattice_iterator *it = &p->f.lattice->iterator[i];
        const struct cursor *c = &p->f.cursor[i];
        if (!lattice_is_at(it, access) || it->first + 1 != it->end)
            continue;
        const struct imp *at = i < p->f.lattice->sparse
                                   ? (past ? c->end : c->begin)
                                   : position_of(p, i, past ? p->past : p->from);
        return at ? position_first(p->k, access, it->end, level + 1, as_i64(p, at)) : NULL;
    }
    return NULL;
}

const struct imp *share_positions(struct parallel *p, const struct cin *access, int level)
{
    const struct imp *from = positions_before(p, access, level, false),
                     *past = positions_before(p, access, level, true);
    return from && past ? imp_op2(p->k->cx, OP_SUB, as_i64(p, past), as_i64(p, from)) : NULL;
}

const struct imp *share_positions_before(struct parallel *p, const struct cin *access, int level)
{
    const struct imp *before = positions_before(p, access, level, false);
    context_assert(p->k->cx, before != NULL);
    return as_i64(p, before);
}
