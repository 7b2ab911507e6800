/* position.c - from the positions that a loop runs over back to the coordinates (thesis 5.2, figure
 * 5-4).
 *
 *     i = find_first(A2_pos, 1, rows + 1, p + 1) - 1          the row of the first position
 *     for p                                                   and in each step
 *         while (A2_pos[i + 1] <= p) i++
 *
 * Where positions go up the position of the parent is searched for once, before the loop, and kept
 * up with them; else it is searched for at each.  They also go up along loops over parts of them,
 * each directly in the one before it, as those over blocks and over the positions of a block.
 * Positions below where the loops around have led to are counted from the first one there.  Where a
 * part of as much work as others begins and ends is searched for once the part is known; that says
 * how many parents have ended before it, too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/kernel.h"

const struct imp *position_first(struct kernel *k, const struct cin *access, int first, int end,
                                 const struct imp *position)
{
    for (int level = first; level < end; level++) {
        const struct tensor_code *code = kernel_code(k, access->tensor);
        const struct imp_var **pos = code_array(code, level, LEVEL_POSITIONS);
        if (level == 0 && code->entries && position->kind == IMP_LITERAL)
            position = value_is_zero(position->value) ? position : code->entries;
        else if (pos)
            position = imp_load(k->cx, *pos, position);
        else if (access->tensor->format->level[level].type->size)
            position = kernel_positions(k, access, level, level + 1, position);
    }
    return position;
}

static const struct position_place *find_place(const struct scope *scope,
                                               const struct cin_relation *r, bool begins)
{
    const struct position_place *place = scope->positions;
    while (place && (place->by != r || begins != (place->begin != NULL)))
        place = place->outer;
    return place;
}

static void add_place(struct kernel *k, struct scope *scope, struct position_place place)
{
    place.outer = scope->positions;
    scope->positions = arena_copy(k->cx->arena, &place, sizeof place);
}

/* Returns the position of the level with this number below the one that is counted. */
static const struct imp *add_begin(struct kernel *k, const struct scope *scope,
                                   const struct cin_relation *r, const struct imp *counted)
{
    const struct position_place *place = find_place(scope, r, true);
    return place ? imp_op2(k->cx, OP_ADD, place->begin, counted) : counted;
}

const struct imp *position_at(struct kernel *k, const struct scope *scope,
                              const struct cin_relation *r)
{
    return add_begin(k, scope, r, scope_coordinate(scope, r->child[0]));
}

/* ---- parents ---- */

/* Returns the number of rows, which are the positions above the level. */
static const struct imp *rows_of(struct kernel *k, const struct cin_relation *positions)
{
    return imp_cast(
        k->cx, TYPE_I64,
        position_first(k, positions->access, 0, (int)positions->size, imp_i64(k->cx, 1)));
}

/* Returns the steps of the parts before this one. */
static const struct imp *steps_before(struct kernel *k, const struct cin_relation *r,
                                      const struct imp *part)
{
    return imp_op2(k->cx, OP_MUL, imp_cast(k->cx, TYPE_I64, part), imp_i64(k->cx, r->size));
}

/* Returns the part by work of the relation's positions that the loops have come to, or NULL. */
static const struct position_place *find_part_of(const struct kernel *k, const struct scope *scope,
                                                 const struct cin_relation *r)
{
    const struct position_place *place = scope->positions;
    while (place && !(place->past && cin_origin(k->program, place->by->parent[0]) == r))
        place = place->outer;
    return place;
}

/* Below which parent is this position?  In a part by work it is one that ends there, or the last
 * that begins. */
static const struct imp *search_parent(struct kernel *k, const struct scope *scope,
                                       const struct cin_relation *r, const struct imp *position)
{
    struct context *cx = k->cx;
    const struct position_place *part = find_part_of(k, scope, r);
    const struct imp *one = imp_i64(cx, 1), *at = imp_cast(cx, TYPE_I64, position),
                     *first = imp_i64(cx, 0), *last = rows_of(k, r);
    const struct imp_var *pos =
        *code_array(kernel_code(k, r->access->tensor), (int)r->size, LEVEL_POSITIONS);
    if (part) {
        const struct imp *number = scope_coordinate(scope, part->by->child[0]),
                         *next = imp_next(cx, imp_cast(cx, TYPE_I64, number));
        first = imp_op2(cx, OP_SUB, steps_before(k, part->by, number),
                        imp_cast(cx, TYPE_I64, part->begin));
        last = imp_op2(cx, OP_MIN, last,
                       imp_op2(cx, OP_SUB, steps_before(k, part->by, next),
                               imp_cast(cx, TYPE_I64, part->past)));
    }
    const struct imp *found =
        find_first(k, pos, imp_op2(cx, OP_ADD, first, one), imp_op2(cx, OP_ADD, last, one),
                   imp_op2(cx, OP_ADD, at, one));
    return imp_cast(cx, k->request->coordinates, imp_op2(cx, OP_SUB, found, one));
}

const struct imp *position_parent(struct kernel *k, const struct scope *scope,
                                  const struct cin_relation *r)
{
    struct context *cx = k->cx;
    const struct imp *position = position_at(k, scope, r);
    const struct position_place *tracked = find_place(scope, r, false);
    if (!tracked)
        return search_parent(k, scope, r, position);
    const struct imp_var *pos =
        *code_array(kernel_code(k, r->access->tensor), (int)r->size, LEVEL_POSITIONS);
    const struct imp *at = imp_read(cx, tracked->parent), *one = imp_int(cx, at->type, 1);
    const struct imp *ends =
        imp_op2(cx, OP_LE, imp_load(cx, pos, imp_op2(cx, OP_ADD, at, one)), position);
    imp_add(&k->b, imp_while(cx, ends, imp_assign(cx, tracked->parent, OP_ADD, one)));
    return at;
}

/* Does anything but the access itself, which is at the position, use the parent? */
static bool is_parent_used(const struct kernel *k, const struct cin_relation *r)
{
    struct cin_list read = cin_operands(k->cx, k->program->statement),
                    made = cin_assignments(k->cx, k->program->statement);
    bool used = false;
    for (size_t i = 0; i < read.n && !used; i++)
        used = read.at[i] != r->access && cin_uses_var(read.at[i], r->parent[1]);
    for (size_t i = 0; i < made.n && !used; i++)
        used = cin_uses_var(made.at[i]->arg[0], r->parent[1]);
    for (int i = 0; i < k->program->relations && !used; i++)
        used = &k->program->relation[i] != r
               && (cin_is_parent(&k->program->relation[i], r->parent[1])
                   || cin_is_child(&k->program->relation[i], r->parent[1]));
    return used;
}

/* Is the position the first one from this on? */
static bool is_first(const struct imp *position, const struct imp *from)
{
    bool offset = position->kind == IMP_OP && position->op == OP_ADD
                  && position->arg[1]->kind == IMP_LITERAL
                  && value_is_zero(position->arg[1]->value);
    return imp_equal(offset ? position->arg[0] : position, from);
}

/* Returns how many parents have ended before a part by work begins: as many as there are steps
 * before it that are no entries.  NULL: no part begins at this position. */
static const struct imp *count_parents(struct kernel *k, const struct scope *scope,
                                       const struct cin_relation *r, const struct imp *position)
{
    struct context *cx = k->cx;
    const struct position_place *place = find_part_of(k, scope, r);
    if (!place || !is_first(position, place->begin))
        return NULL;
    const struct imp *steps =
        steps_before(k, place->by, scope_coordinate(scope, place->by->child[0]));
    return imp_cast(cx, k->request->coordinates,
                    imp_op2(cx, OP_SUB, steps, imp_cast(cx, TYPE_I64, position)));
}

/* Keeps variables at the parents of the relations above it, too, whose positions are this one's
 * parents. */
static void track(struct kernel *k, struct scope *scope, const struct cin_relation *r,
                  const struct imp *first)
{
    const struct level_type *type = r->access->tensor->format->level[r->size].type;
    if (!r->parent[1] || !is_parent_used(k, r))
        return;
    if (type->parent_of) {
        struct level_code code = kernel_level(k, r->access, (int)r->size, imp_i64(k->cx, 0), NULL);
        first = type->parent_of(&code, first);
    } else {
        struct imp_var *var = kernel_var(k, k->request->coordinates, "%s", r->parent[1]->name);
        const struct imp *counted = count_parents(k, scope, r, first);
        first = imp_let(&k->b, var, counted ? counted : search_parent(k, scope, r, first));
        add_place(k, scope, (struct position_place){.by = r, .parent = var});
    }
    for (int i = 0; i < k->program->relations; i++) {
        const struct cin_relation *above = &k->program->relation[i];
        if (above->type->positions && above->child[0] == r->parent[1])
            track(k, scope, above, first);
    }
}

/* ---- parts by work ---- */

const struct imp *position_steps(struct kernel *k, const struct cin_relation *r)
{
    const struct cin_relation *positions = cin_origin(k->program, r->parent[0]);
    const struct imp *rows = rows_of(k, positions),
                     *entries = position_first(k, positions->access, (int)positions->size,
                                               (int)positions->size + 1, rows);
    return imp_op2(k->cx, OP_ADD, rows, imp_cast(k->cx, TYPE_I64, entries));
}

/* Returns the first position of a part that begins after these steps.  After the steps `before` the
 * path is at the position `from`. */
static const struct imp *search_steps(struct kernel *k, const struct cin_relation *r,
                                      const struct imp *from, const struct imp *before,
                                      const struct imp *steps)
{
    struct context *cx = k->cx;
    const struct cin_relation *positions = cin_origin(k->program, r->parent[0]);
    const struct imp_var *pos = *code_array(kernel_code(k, positions->access->tensor),
                                            (int)positions->size, LEVEL_POSITIONS);
    const struct imp *arg[] = {imp_read(cx, pos), rows_of(k, positions),
                               imp_cast(cx, TYPE_I64, from), before, steps};
    return imp_cast(cx, k->request->coordinates,
                    prelude_call(&k->b, "find_on_path", &pos->type, 1, arg, 5));
}

/* Returns the first position of the part with this number. */
static const struct imp *search_part(struct kernel *k, const struct cin_relation *r,
                                     const struct imp *part)
{
    const struct imp *zero = imp_i64(k->cx, 0);
    if (part->kind == IMP_LITERAL && value_is_zero(part->value))
        return imp_int(k->cx, k->request->coordinates, 0);
    return search_steps(k, r, zero, zero, steps_before(k, r, part));
}

/* Returns the first position of the part behind this one, which begins at `from`. */
static const struct imp *search_next(struct kernel *k, const struct cin_relation *r,
                                     const struct imp *part, const struct imp *from)
{
    const struct imp *next = imp_next(k->cx, imp_cast(k->cx, TYPE_I64, part));
    return search_steps(k, r, from, steps_before(k, r, part), steps_before(k, r, next));
}

/* Returns what has been found of the part; relations that share it divide alike. */
static const struct position_place *find_part(const struct scope *scope,
                                              const struct cin_relation *r)
{
    const struct position_place *place = scope->positions;
    while (place && !(place->past && place->by->child[0] == r->child[0]))
        place = place->outer;
    return place;
}

const struct imp *position_part(struct kernel *k, const struct scope *scope,
                                const struct cin_relation *r, const struct imp **past)
{
    const struct position_place *place = find_part(scope, r);
    const struct imp *part = place ? NULL : scope_coordinate(scope, r->child[0]),
                     *from = place ? place->begin : search_part(k, r, part);
    *past = place ? place->past : search_next(k, r, part, from);
    return from;
}

/* Declares where the part begins and ends, if that is known: in a loop over parts each begins where
 * the one before ends. */
static void open_part(struct kernel *k, struct scope *scope, const struct cin_relation *r)
{
    struct position_place place = {.by = r};
    const struct position_place *before = find_place(scope, r, false);
    const char *name = r->parent[0]->name;
    const struct imp *part = scope_coordinate(scope, r->child[0]),
                     *from = before ? imp_read(k->cx, before->parent) : search_part(k, r, part);
    place.begin = imp_let(&k->b, kernel_var(k, from->type, "%s_from", name), from);
    const struct imp *past = search_next(k, r, part, place.begin);
    if (before)
        imp_add(&k->b, imp_assign(k->cx, before->parent, OP_NONE, past));
    place.past = before ? from : imp_let(&k->b, kernel_var(k, from->type, "%s_past", name), past);
    add_place(k, scope, place);
}

/* ---- along loops ---- */

/* Do the loops from this one on, each directly in the one before it, go through all values of the
 * variable in order? */
static bool goes_through(const struct kernel *k, const struct tree_node *node,
                         const struct index_var *var)
{
    const struct index_var *loop[CIN_DEPTH_MAX];
    int loops = 0, at = 0;
    while (node->statement->kind == CIN_FORALL && node->children > 0 && loops < CIN_DEPTH_MAX
           && bits_empty(node->lattice->iterated)
           && !(loops > 0 && cin_parallel(k->program, node->statement))) {
        loop[loops++] = node->statement->index[0];
        node = node->child[0];
    }
    return cin_passes(k->program, loop, loops, var, &at);
}

/* Returns the relation's first position in a loop from begin on over all of them, in order; NULL:
 * it is no such loop. */
static const struct imp *first_position(struct kernel *k, const struct scope *scope,
                                        const struct cin_relation *r, const struct tree_node *node,
                                        const struct imp *begin)
{
    const struct index_var *loop = node->statement->index[0];
    const struct imp *first = scope_value_at(k, scope, r->child[0], loop, begin);
    bool from_first = begin->kind == IMP_LITERAL && value_is_zero(begin->value);
    if (!first && goes_through(k, node, r->child[0]))
        first = from_first ? begin : kernel_first_of(k, loop, r->child[0], begin);
    first = first ? imp_cast(k->cx, k->request->coordinates, first) : NULL;
    return first ? add_begin(k, scope, r, first) : NULL;
}

/* Keeps where the part before the loop's first has ended, if the loop goes over parts by work. */
static void track_parts(struct kernel *k, struct scope *scope, const struct index_var *loop,
                        const struct imp *begin)
{
    for (int i = 0; i < k->program->relations; i++) {
        const struct cin_relation *r = &k->program->relation[i];
        if (r->type != &relation_work || r->child[0] != loop || find_part(scope, r))
            continue;
        const struct imp *first = search_part(k, r, begin);
        struct imp_var *past = kernel_var(k, first->type, "%s_past", r->parent[0]->name);
        imp_let(&k->b, past, first);
        add_place(k, scope, (struct position_place){.by = r, .parent = past});
    }
}

void position_track(struct kernel *k, struct scope *scope, const struct tree_node *node,
                    const struct imp *begin)
{
    for (int i = 0; i < k->program->relations; i++) {
        const struct cin_relation *r = &k->program->relation[i];
        if (!r->type->positions || find_place(scope, r, false))
            continue;
        const struct imp *first = first_position(k, scope, r, node, begin);
        if (first)
            track(k, scope, r, first);
    }
    track_parts(k, scope, node->statement->index[0], begin);
}

/* ---- ranges ---- */

struct over {
    const struct kernel *k;
    const struct cin_relation *relation;
};

/* Is it a loop over the relation's positions, or over a part of them? */
static bool is_over(const struct cin *cin, void *data)
{
    const struct over *over = data;
    return cin->kind == CIN_FORALL
           && cin_positions(over->k->program->relation, over->k->program->relations, cin->index[0])
                  == over->relation;
}

static void name_size(struct kernel *k, const struct index_var *var, const struct imp *size)
{
    if (size->kind != IMP_LITERAL)
        size = imp_let(&k->b, kernel_var(k, size->type, "%s_size", var->name), size);
    vec_push(k->cx->arena, &k->size, ((struct sized_var){var, size}));
}

/* Names the sizes of the variable's parts, and of theirs, which all follow from its own. */
static void name_parts(struct kernel *k, const struct index_var *var)
{
    const struct scope none = {0};
    struct relation_code code = kernel_relation(k, &none);
    for (int i = 0; i < k->program->relations; i++) {
        const struct cin_relation *r = &k->program->relation[i];
        if (r->type->positions || !cin_is_parent(r, var))
            continue;
        for (int c = 0; c < 2 && r->child[c]; c++) {
            name_size(k, r->child[c], r->type->size(&code, r, c));
            name_parts(k, r->child[c]);
        }
    }
}

/* Finds the range from the first position below the parent to the first one below the next. */
static void find_range(struct kernel *k, const struct cin_relation *r, struct place at,
                       const struct imp **begin, const struct imp **size)
{
    struct context *cx = k->cx;
    const struct imp *next = at.next ? at.next : imp_next(cx, at.position);
    *begin = imp_cast(cx, k->request->coordinates,
                      position_first(k, r->access, r->base, (int)r->size + 1, at.position));
    *size = imp_op2(cx, OP_SUB,
                    imp_cast(cx, k->request->coordinates,
                             position_first(k, r->access, r->base, (int)r->size + 1, next)),
                    *begin);
}

/* Finds the same range where the parent may be absent: then it is empty. */
static void guard_range(struct kernel *k, const struct cin_relation *r, struct place at,
                        const struct imp **begin, const struct imp **size)
{
    struct context *cx = k->cx;
    const struct imp *from, *n, *none = imp_int(cx, k->request->coordinates, 0);
    struct imp_var *first = kernel_var(k, none->type, "%s_begin", r->child[0]->name),
                   *count = kernel_var(k, none->type, "%s_count", r->child[0]->name);
    *begin = imp_let(&k->b, first, none);
    *size = imp_let(&k->b, count, none);
    imp_begin(&k->b);
    find_range(k, r, at, &from, &n);
    imp_add(&k->b, imp_assign(cx, first, OP_NONE, from));
    imp_add(&k->b, imp_assign(cx, count, OP_NONE, n));
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, at.found, block, NULL));
}

static void open_positions(struct kernel *k, struct scope *scope, const struct cin_relation *r)
{
    const struct access_place *now = scope_access(scope, r->access);
    struct place at = operand_place(k, scope, r->access);
    struct position_place place = {.by = r};
    const struct imp *size;
    if (!now || now->levels < r->base)
        at = operand_locate(k, scope, r->access, now ? now->levels : 0, r->base, at);
    if (at.found)
        guard_range(k, r, at, &place.begin, &size);
    else
        find_range(k, r, at, &place.begin, &size);
    if (place.begin->kind != IMP_VAR)
        place.begin = imp_let(
            &k->b, kernel_var(k, place.begin->type, "%s_begin", r->child[0]->name), place.begin);
    add_place(k, scope, place);
    name_size(k, r->child[0], size);
    name_parts(k, r->child[0]);
}

/* ---- where the loops have come to ---- */

/* Opens a relation once: where the coordinates above its base, or the part, are known. */
void position_open(struct kernel *k, struct scope *scope, const struct cin *body)
{
    for (int i = 0; i < k->program->relations; i++) {
        const struct cin_relation *r = &k->program->relation[i];
        struct over over = {k, r};
        if (r->type->positions && r->base && !find_place(scope, r, true)
            && access_resolved(r->access, &scope->known) >= r->base
            && cin_any(body, is_over, &over))
            open_positions(k, scope, r);
        else if (r->type == &relation_work && known_has(&scope->known, r->child[0])
                 && !known_has(&scope->known, r->child[1]) && !find_part(scope, r))
            open_part(k, scope, r);
    }
}
