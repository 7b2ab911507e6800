/* parallel_work.c - how much work the iterations of a parallel loop are.
 *
 * The work before a position or coordinate x is all that operands store there and below, which
 * their segments' ends say (position_first), and x itself where the loop comes to each, or the
 * result has a place for it:
 *
 *     work(x) = x + A2_pos[x]
 *
 * An entry at which a loop runs over a dimension, as the columns of a dense matrix, is more work by
 * the length of that, in vectors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"
#include "compiler/target.h"

struct cursor *share_cursor(struct parallel *p)
{
    struct cursor *only = forall_single(&p->f);
    bool coordinates = p->have_places || p->f.lattice->rest;
    return coordinates || !only || lattice_walks_blocks(only->it) ? NULL : only;
}

const struct imp *share_i64(struct parallel *p, const struct imp *e)
{
    return imp_cast(p->k->cx, TYPE_I64, e);
}

const struct imp *share_named(struct parallel *p, const struct imp *e, const char *name)
{
    if (e->kind == IMP_VAR || e->kind == IMP_LITERAL)
        return e;
    return imp_let(&p->k->b, kernel_var(p->k, e->type, "%s", name), e);
}

/* ---- work ---- */

/* Adds work to a sum; NULL is no work. */
static const struct imp *plus(struct parallel *p, const struct imp *sum, const struct imp *more)
{
    return sum ? imp_op2(p->k->cx, OP_ADD, sum, more) : more;
}

/* A number of uses that is a part's work several times over: beyond it the number does not matter,
 * and products of sizes, of entries and of parts fit into 64 bits. */
enum { USES_MOST = 1 << 20 };

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

/* Returns what the access stores below the positions [0, position) of this level.  For a list of
 * coordinates it is the entries alone: what is below them follows in another order. */
static const struct imp *stored_before(struct parallel *p, const struct cin *access, int level,
                                       const struct imp *position)
{
    if (access->tensor->format->level[level].type->lists)
        return share_i64(p, position);
    return share_i64(p, position_first(p->k, access, level + 1, access->tensor->format->levels,
                                       share_i64(p, position)));
}

/* Returns the position of the coordinate x in a level that has a place for each; NULL if the level
 * has none. */
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

/* Are all coordinates of the loop's operands shared out? */
static bool has_all(struct parallel *p)
{
    return p->begin->kind == IMP_LITERAL && value_is_zero(p->begin->value)
           && imp_equal(p->end, kernel_size(p->k, p->f.lattice->var));
}

/* Does the operand say where a coordinate of the loop is? */
static bool tells(struct parallel *p, int i)
{
    const struct lattice_iterator *it = &p->f.lattice->iterator[i];
    return it->first < it->end && it->path.steps == 0
           && access_level_var(it->access, it->first) == p->f.lattice->var
           && (i >= p->f.lattice->sparse || bits_has(p->f.lattice->iterated, i));
}

const struct imp *work_position(struct parallel *p, int i, const struct imp *x)
{
    const struct lattice_iterator *it = &p->f.lattice->iterator[i];
    struct cursor *c = &p->f.cursor[i];
    if (!tells(p, i))
        return NULL;
    if (i >= p->f.lattice->sparse)
        return located(p, it->access, it->first, x);
    if (has_all(p) && (x == p->begin || x == p->end))
        return share_i64(p, x == p->begin ? c->begin : c->end);
    return find_first(p->k, block_coordinates(&c->code), share_i64(p, c->begin),
                      share_i64(p, c->end), share_i64(p, x));
}

struct cursor *work_searched(struct parallel *p)
{
    struct cursor *found = NULL;
    int n = 0;
    for (int i = 0; i < p->f.lattice->sparse; i++)
        if (tells(p, i)) {
            found = &p->f.cursor[i];
            n++;
        }
    return n == 1 && !share_cursor(p) && has_all(p) ? found : NULL;
}

int work_is_of(struct parallel *p, const struct cursor *of[2])
{
    struct context *cx = p->k->cx;
    const struct imp *x = imp_read(cx, imp_var(cx, "x", p->begin->type)), *sum = NULL;
    bool even;
    int n = 0;
    for (int i = 0; i < p->f.lattice->sparse && n < 3; i++)
        if (tells(p, i)) {
            sum = plus(p, sum, work_position(p, i, x));
            if (n < 2)
                of[n] = &p->f.cursor[i];
            n++;
        }
    return n > 0 && n < 3 && imp_equal(work_before(p, x, NULL, &even), sum) ? n : 0;
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

/* Returns how often what is stored of the access is used for each time that the loops of the node
 * come to it, as far as that matters; NULL: once. */
static const struct imp *uses_of(struct parallel *p, const struct tree_node *node,
                                 const struct cin *access)
{
    struct context *cx = p->k->cx;
    const struct tree_node *inner = node->whole;
    for (int i = 0; i < node->children && !inner; i++)
        if (cin_contains(node->child[i]->statement, access))
            inner = node->child[i];
    const struct imp *uses = inner ? uses_of(p, inner, access) : NULL, *size = NULL,
                     *most = imp_i64(cx, USES_MOST);
    if (node->statement->kind == CIN_FORALL && repeats(p, node, access))
        size = imp_op2(cx, OP_MIN, share_i64(p, kernel_size(p->k, node->lattice->var)), most);
    return uses && size ? imp_op2(cx, OP_MIN, imp_op2(cx, OP_MUL, uses, size), most)
                        : (uses ? uses : size);
}

/* Returns the work for each entry that is stored of the access, in a variable before all loops.  If
 * it is used for each element of a row, these are faster than one by itself. */
static const struct imp *work_of_each(struct parallel *p, const struct cin *access)
{
    struct context *cx = p->k->cx;
    for (size_t i = 0; i < p->weights.n; i++)
        if (p->weights.at[i].access == access)
            return p->weights.at[i].each;
    const struct imp *uses = uses_of(p, p->node, access), *each = imp_i64(cx, 1);
    if (uses)
        each = imp_op2(cx, OP_ADD, each,
                       imp_op2(cx, OP_DIV, uses, imp_i64(cx, target_of(cx)->row_gain)));
    if (imp_has(each, IMP_BIT(VAR)))
        each = share_named(p, each, "each");
    vec_push(cx->arena, &p->weights, ((struct work_weight){access, each}));
    return each;
}

static const struct imp *work_of(struct parallel *p, const struct cin *access,
                                 const struct imp *stored)
{
    const struct imp *each = work_of_each(p, access);
    bool one = each->kind == IMP_LITERAL && each->value.i == 1;
    return one ? stored : imp_op2(p->k->cx, OP_MUL, each, stored);
}

/* Adds what operands store before the coordinate where block x begins, of those that have a place
 * for each coordinate and that the loop goes through in blocks. */
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

/* Adds what is stored before block x, or at positions before x, of an operand whose positions the
 * loop goes through. */
static const struct imp *work_at_positions(struct parallel *p, const struct imp *sum,
                                           const struct imp *x, bool *even)
{
    const struct cin_program *program = p->k->program;
    const struct index_var *var = p->f.lattice->var;
    const struct cin_relation *r = cin_positions(program->relation, program->relations, var);
    if (!r || !cin_is_part(program, var, r->child[0], CIN_FIRST))
        return sum;
    int level = (int)r->size;
    bool below = has_segments(r->access, level + 1, r->access->tensor->format->levels);
    if (var == r->child[0] && !below)
        return sum; /* an iteration for each position */
    const struct imp *at = var == r->child[0] ? x : kernel_first_of(p->k, var, r->child[0], x),
                     /* positions below a base are counted from its first */
        *stored = r->base ? share_i64(p, at) : stored_before(p, r->access, level, at);
    *even &= !below;
    return plus(p, sum, work_of(p, r->access, stored));
}

/* Is there work for each x?  Coordinates of hash tables and of lists may be sparse in dimensions
 * whose product with the number of parts no integer holds. */
static bool comes_to_each(struct parallel *p)
{
    return share_cursor(p) || p->f.lattice->dimension || p->have_places;
}

const struct imp *work_before(struct parallel *p, const struct imp *x, const struct imp *position,
                              bool *even)
{
    const struct cursor *only = share_cursor(p), *found = position ? work_searched(p) : NULL;
    const struct imp *sum = comes_to_each(p) ? share_i64(p, x) : NULL;
    *even = true;
    for (int i = 0; i < p->f.lattice->iterators; i++) {
        const struct lattice_iterator *it = &p->f.lattice->iterator[i];
        const struct cursor *c = &p->f.cursor[i];
        const struct imp *at = c == only    ? x
                               : only       ? NULL
                               : c == found ? position
                                            : work_position(p, i, x);
        if (!at)
            continue;
        bool searched = !only && i < p->f.lattice->sparse;
        const struct imp *stored = stored_before(p, it->access, it->first, at),
                         *work = work_of(p, it->access, stored);
        if (!imp_equal(stored, share_i64(p, x)))
            sum = plus(p, sum, work);
        else if (only)
            sum = work;
        *even &= !searched
                 && !has_segments(it->access, it->first + 1, it->access->tensor->format->levels);
    }
    if (!only)
        sum = work_at_positions(p, work_in_blocks(p, sum, x, even), x, even);
    return sum ? sum : share_i64(p, x);
}

const struct imp *work_across(struct parallel *p)
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
            share_i64(p, position_first(p->k, access, 0, levels, imp_i64(cx, 1)));
        sum = plus(p, sum, work_of(p, access, all));
    }
    return sum;
}
