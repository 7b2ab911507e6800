/* forall.c - one forall as loops (thesis figure 5-2 and section 5.2).
 *
 * The iteration lattice gives a sequence of loops, each coiterating fewer operands than the one
 * before; in each, the points that may occur there become a chain of ifs.  A single iterator, or
 * the dimension alone, needs only a for loop; where two are merged forall_merge.c makes the body,
 * and forall_select.c that of sums of more; forall_rest.c does at once what is the same at all
 * coordinates that are left.  A flat lattice needs one loop over all its iterators: one that has
 * run out stands at the dimension, and the operands that are absent read their fills.
 *
 * A level that is not unique is iterated run by run: positions [p, p_next) share one coordinate,
 * and its children are those of the whole run.  One with positions without coordinate is only
 * iterated alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

/* ---- cursors ---- */

static unsigned first_level_properties(const struct lattice_iterator *it)
{
    return level_effective(it->access->tensor->format, it->first);
}

/* Makes the bounds below a parent that may be absent those of no children. */
static void guard_bounds(struct kernel *k, struct cursor *c, const struct imp *found)
{
    struct context *cx = k->cx;
    struct imp_var *begin = kernel_var(k, TYPE_I64, "%s_begin", c->code.position_name);
    struct imp_var *end = kernel_var(k, TYPE_I64, "%s_end", c->code.position_name);
    const struct imp *from, *to;
    c->begin = imp_let(&k->b, begin, imp_i64(cx, 0));
    c->end = imp_let(&k->b, end, imp_i64(cx, 0));
    imp_begin(&k->b);
    c->format->type->bounds(&c->code, &from, &to);
    imp_add(&k->b, imp_assign(cx, begin, OP_NONE, imp_cast(cx, TYPE_I64, from)));
    imp_add(&k->b, imp_assign(cx, end, OP_NONE, imp_cast(cx, TYPE_I64, to)));
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, found, block, NULL));
}

static void open_cursor(struct forall *f, int bit)
{
    struct cursor *c = &f->cursor[bit];
    struct place at = operand_place(f->k, f->scope, f->lattice->iterator[bit].access);
    unsigned has = first_level_properties(&f->lattice->iterator[bit]);
    c->it = &f->lattice->iterator[bit];
    c->code = kernel_level(f->k, c->it->access, c->it->first, at.position, at.next);
    c->format = c->code.format;
    c->step = at.step;
    c->runs = (has & LEVEL_ORDERED) && (!(has & LEVEL_UNIQUE) || lattice_walks_blocks(c->it));
    context_assert(f->k->cx, !c->runs || !c->format->type->occupied);
    const struct access_place *place = scope_access(f->scope, c->it->access);
    const struct index_var *block = place ? place->block : NULL;
    if (block) {
        c->begin = place->from;
        c->end = place->to;
    } else if (at.found) {
        guard_bounds(f->k, c, at.found);
    } else {
        c->format->type->bounds(&c->code, &c->begin, &c->end);
    }
    if (block_is_larger(c->it, block))
        block_bounds(f->k, f->scope, c->it, f->lattice->var, &c->code, &c->begin, &c->end);
    c->position = kernel_var(f->k, c->begin->type, "%s", c->code.position_name);
}

/* Declares the bounds as variables, for loops that stop at one cursor's end and go on from there.
 */
static void declare_cursor(struct forall *f, struct cursor *c)
{
    struct kernel *k = f->k;
    imp_let(&k->b, c->position, c->begin);
    c->end = imp_let(&k->b, kernel_var(k, c->begin->type, "%s_end", c->code.position_name), c->end);
}

const struct imp *forall_coordinate_at(struct forall *f, const struct cursor *c,
                                       const struct imp *position)
{
    const struct imp *stored =
        imp_cast(f->k->cx, f->k->request->coordinates, c->format->type->access(&c->code, position));
    return block_coordinate(f->k, f->scope, c->it, stored);
}

/* Finds p_next, past the run of positions that have the loop's coordinate; it is p itself if the
 * first one does not have it. */
static void find_run(struct forall *f, struct cursor *c)
{
    struct context *cx = f->k->cx;
    c->next = kernel_var(f->k, c->position->type, "%s_next", c->code.position_name);
    const struct imp *next = imp_let(&f->k->b, c->next, imp_read(cx, c->position));
    const struct imp *same =
        imp_op2(cx, OP_EQ, forall_coordinate_at(f, c, next), imp_read(cx, f->var));
    const struct imp *inside = imp_op2(cx, OP_AND, imp_op2(cx, OP_LT, next, c->end), same);
    imp_add(&f->k->b, imp_while(cx, inside, imp_increment(cx, c->next)));
}

/* ---- a region ---- */

/* Resolves one of the accesses of an iterator, in a region where it is present. */
static void enter_operand(struct forall *f, struct scope *scope, int i, const struct cin *access,
                          const struct cin *body)
{
    const struct lattice_iterator *it = &f->lattice->iterator[i];
    struct place place;
    if (lattice_walks_blocks(it)) {
        place = f->cursor[i].place;
        operand_narrow(f->k, scope, access, f->lattice->var, place.position, place.next);
        return;
    }
    if (it->first == it->end && !f->lattice->flat)
        scope_is_there(f->k, scope, access);
    if (it->first == it->end)
        return; /* it is where it was */
    if (i < f->lattice->sparse) {
        place = f->cursor[i].place;
        if (!f->lattice->flat && !f->selected) /* the region's condition says that it is there */
            place.found = NULL;
    } else {
        place = operand_locate(f->k, scope, access, it->first, it->end,
                               operand_place(f->k, scope, access));
    }
    operand_resolve(f->k, scope, access, it->end, place, body);
}

/* Returns the scope of the region of a point: the coordinate, and where its operands are. */
static struct scope region_scope(struct forall *f, const struct lattice_point *point)
{
    struct scope scope = f->inside;
    for (int i = 0; i < f->lattice->iterators; i++) {
        const struct lattice_iterator *it = &f->lattice->iterator[i];
        if (i >= f->lattice->sparse || f->lattice->flat || bits_has(point->present, i))
            for (size_t n = 0; n < it->with.n; n++)
                if (cin_contains(point->body, it->with.at[n]))
                    enter_operand(f, &scope, i, it->with.at[n], point->body);
    }
    return scope;
}

static const struct imp *lower_region(struct forall *f, const struct lattice_point *point)
{
    struct kernel *k = f->k;
    int child = (int)(point - f->lattice->point);
    const struct tree_node *body = f->node->child[child];
    struct result_region region[TIN_RESULTS_MAX];
    imp_begin(&k->b);
    struct scope scope = region_scope(f, point);
    if (f->visited)
        imp_add(&k->b, imp_increment(k->cx, f->visited));
    position_open(k, &scope, point->body);
    for (struct result *r = NULL; (r = kernel_next_result(k, body->statement, r));)
        region[r->rank] =
            result_enter(k, r, &scope, f->lattice->var, body, bits_has(f->room, r->rank));
    k->lower->statement(k, &scope, child);
    for (struct result *r = NULL; (r = kernel_next_result(k, body->statement, r));)
        result_leave(k, r, &scope, &region[r->rank]);
    return imp_end(&k->b);
}

/* Returns what must hold for a point's region beyond what the loop says; NULL if nothing.  Cursors
 * come first: a workspace of which only the coordinates of a given pattern are ready is not looked
 * at where that has none. */
static const struct imp *region_condition(struct forall *f, const struct lattice_point *point,
                                          struct bits loop)
{
    struct context *cx = f->k->cx;
    const struct imp *condition = NULL;
    bool merges = (bits_count(loop) > 1 || f->lattice->dimension) && !f->together;
    for (int i = 0; i < f->lattice->sparse && merges; i++)
        if (bits_has(point->present, i) && bits_has(loop, i))
            condition = imp_both(f->k->cx, condition,
                                 imp_op2(cx, OP_EQ, f->cursor[i].coordinate, imp_read(cx, f->var)));
    for (int i = 0; i < f->lattice->sparse; i++)
        if (bits_has(point->present, i) && f->cursor[i].place.found)
            condition = imp_both(f->k->cx, condition, f->cursor[i].place.found);
    return condition;
}

/* Makes room for what any one of several regions may append. */
void forall_make_room(struct forall *f)
{
    for (struct result *r = NULL; (r = kernel_next_result(f->k, f->node->statement, r));)
        if (!bits_has(f->room, r->rank)
            && result_make_room(f->k, r, &f->inside, f->lattice->var, NULL))
            f->room = bits_with(f->room, r->rank);
}

static void lower_cases(struct forall *f, struct bits loop)
{
    struct context *cx = f->k->cx;
    const struct lattice_point **point;
    bool covered;
    int n = lattice_cases(cx, f->lattice, loop, &point, &covered);
    const struct imp *chain = NULL, **condition = arena_array(cx->arena, const struct imp *, n + 1);
    const struct bits room = f->room;
    for (int i = 0; i < n; i++) {
        condition[i] = i == n - 1 && covered ? NULL : region_condition(f, point[i], loop);
        n = condition[i] ? n : i + 1; /* it always holds */
    }
    if (n > 1)
        forall_make_room(f);
    for (int i = n; i-- > 0;) {
        const struct imp *body = lower_region(f, point[i]);
        chain = condition[i] ? imp_if(cx, condition[i], body, chain) : body;
    }
    if (chain)
        imp_add(&f->k->b, chain);
    f->room = room;
}

/* Returns the coordinate of the level at the loop's coordinate. */
static const struct imp *stored_coordinate(struct forall *f, const struct cursor *c)
{
    return scope_coordinate(&f->inside, access_level_var(c->it->access, c->it->first));
}

/* Returns the place of a coiterated level: of a list, that of the entry with this coordinate. */
static struct place cursor_place(struct forall *f, const struct cursor *c)
{
    struct context *cx = f->k->cx;
    const struct imp *found;
    if (c->format->type->lists && !lattice_walks_blocks(c->it))
        return (struct place){
            .position = c->format->type->locate(&c->code, stored_coordinate(f, c), &found),
            .found = c->here};
    if (c->stride)
        return (struct place){
            .position = imp_read(cx, c->position), .next = c->end, .step = c->stride};
    return (struct place){.position = imp_read(cx, c->position),
                          .next = c->next ? imp_read(cx, c->next) : NULL,
                          .found = c->here,
                          .readable = f->selected};
}

/* Seeks the loop's coordinate, or the first position past where it would be. */
static struct place follow(struct forall *f, const struct cursor *c)
{
    struct kernel *k = f->k;
    struct context *cx = k->cx;
    const struct imp *p = imp_read(cx, c->position), *var = imp_read(cx, f->var);
    const struct imp *more = imp_op2(cx, OP_LT, p, c->end), *at = forall_coordinate_at(f, c, p);
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_AND, more, imp_op2(cx, OP_LT, at, var)),
                             imp_increment(cx, c->position)));
    const struct imp *here =
        imp_let(&k->b, kernel_var(k, TYPE_BOOL, "%s_here", c->it->access->tensor->name),
                imp_op2(cx, OP_AND, more, imp_op2(cx, OP_EQ, at, var)));
    return (struct place){.position = p, .found = here};
}

/* Looks up what is located in this loop, now that the coordinate is known. */
static void locate_all(struct forall *f, struct bits loop)
{
    struct scope scope = f->inside;
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        const struct lattice_iterator *it = &f->lattice->iterator[i];
        if (bits_has(loop, i)) {
            struct place at = cursor_place(f, c);
            c->place = lattice_walks_blocks(it)
                           ? at
                           : operand_locate(f->k, &scope, it->access, it->first + 1, it->end, at);
        } else if (bits_has(f->lattice->following, i)) {
            c->place =
                operand_locate(f->k, &scope, it->access, it->first + 1, it->end, follow(f, c));
        } else if (bits_has(f->lattice->located, i)) {
            c->place = operand_locate(f->k, &scope, it->access, it->first, it->end,
                                      operand_place(f->k, &scope, it->access));
        }
    }
}

/* ---- loops ---- */

void forall_name_coordinate(struct forall *f, struct cursor *c, const struct imp *coordinate)
{
    struct imp_var *var = kernel_var(f->k, f->k->request->coordinates, "%s%s",
                                     f->lattice->var->name, c->it->access->tensor->name);
    c->coordinate = imp_let(&f->k->b, var, coordinate);
}

/* Resolves what the level stores to the coordinate that the one cursor of the loop has found: all
 * else follows from it. */
static void resolve_whole(struct forall *f, struct cursor *c)
{
    struct kernel *k = f->k;
    const struct imp *stored = c->format->type->access(&c->code, imp_read(k->cx, c->position));
    f->whole = access_level_var(c->it->access, c->it->first);
    f->at = imp_let(&k->b, kernel_var(k, k->request->coordinates, "%s", f->whole->name),
                    imp_cast(k->cx, k->request->coordinates, stored));
    c->coordinate = block_coordinate(k, f->scope, c->it, f->at);
}

/* Resolves the loop's coordinate: the dimension's, or the least of the cursors'. */
static void resolve_coordinate(struct forall *f, struct bits loop)
{
    struct kernel *k = f->k;
    const struct imp *least = NULL;
    bool alone = bits_count(loop) == 1 && !f->lattice->dimension;
    f->whole = NULL;
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (!bits_has(loop, i))
            continue;
        if (alone && c->it->path.steps > 0 && !lattice_walks_blocks(c->it))
            resolve_whole(f, c);
        else
            c->coordinate = forall_coordinate_at(f, c, imp_read(k->cx, c->position));
        if (!alone)
            forall_name_coordinate(f, c, c->coordinate);
        if (bits_has(lattice_mergers(f->lattice, loop), i))
            least = least ? imp_op2(k->cx, OP_MIN, least, c->coordinate) : c->coordinate;
    }
    if (!f->lattice->dimension) {
        f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
        imp_let(&k->b, f->var, least);
    }
}

void forall_advance(struct forall *f, struct bits loop)
{
    struct context *cx = f->k->cx;
    bool alone = bits_count(loop) == 1 && !f->lattice->dimension && !f->lattice->flat;
    for (int i = 0; i < f->lattice->sparse; i++) {
        struct cursor *c = &f->cursor[i];
        if (!bits_has(loop, i))
            continue;
        enum type type = c->position->type;
        const struct imp *here =
            c->here ? c->here : imp_op2(cx, OP_EQ, c->coordinate, imp_read(cx, f->var));
        if (c->runs)
            imp_add(&f->k->b, imp_assign(cx, c->position, OP_NONE, imp_read(cx, c->next)));
        else
            imp_add(&f->k->b, imp_assign(cx, c->position, OP_ADD,
                                         alone || f->together ? imp_int(cx, type, 1)
                                                              : imp_cast(cx, type, here)));
    }
    if (f->lattice->dimension)
        imp_add(&f->k->b, imp_increment(cx, f->var));
}

void forall_find_runs(struct forall *f, struct bits loop)
{
    for (int i = 0; i < f->lattice->sparse; i++)
        if (bits_has(loop, i) && f->cursor[i].runs)
            find_run(f, &f->cursor[i]);
}

/* Narrows the bounds by a guard.  Equations are alike: where one has narrowed them, the others need
 * not. */
bool forall_narrows(struct forall *f, int guard, const struct imp **begin, const struct imp **end)
{
    const struct lattice_guard *g = &f->lattice->guard[guard];
    const struct imp *first = *begin, *past = *end;
    if (!f->narrow || (guard > 0 && g->by->type->ties))
        return false;
    if (!f->by)
        return guard_narrows(f->k, f->scope, g, f->lattice->var, begin, end);
    bool same = g->by == f->by
                || (guard_narrows(f->k, f->scope, g, f->by->parent[0], &first, &past)
                    && first == *begin); /* strides go on from where the first begins */
    *end = same ? past : *end;
    return same;
}

/* Binds more, and what follows from the loop's coordinate: what must hold for all of that to be in
 * range, beyond what the loop's bounds say; or NULL. */
static const struct imp *open_inside(struct forall *f, const struct known *more)
{
    struct kernel *k = f->k;
    const struct known before = f->inside.known;
    const struct imp *inside = NULL, *begin, *end;
    scope_bind_known(k, &f->inside, more, forall_step(f), f->whole, f->at);
    for (int i = 0; i < f->lattice->guards; i++) {
        const struct lattice_guard *g = &f->lattice->guard[i];
        begin = end = imp_read(k->cx, f->var);
        if (lattice_guards(g, more) && !lattice_guards(g, &before)
            && !forall_narrows(f, i, &begin, &end))
            inside = imp_both(k->cx, inside, guard_condition(k, &f->inside, g));
    }
    return inside;
}

static void add_if(struct forall *f, const struct imp *condition, const struct imp *body)
{
    imp_add(&f->k->b, condition ? imp_if(f->k->cx, condition, body, NULL) : body);
}

/* Lowers the body of a loop where these variables are known. */
static void lower_known(struct forall *f, struct bits loop, const struct known *known)
{
    struct kernel *k = f->k;
    const struct known next = scope_before_positions(&f->inside, known);
    const struct imp *inside = open_inside(f, &next);
    imp_begin(&k->b);
    if (next.n < known->n) {
        lower_known(f, loop, known);
    } else {
        bool rests = f->lattice->rest && bits_empty(loop);
        if (!rests)
            locate_all(f, loop);
        if (rests) {
            imp_add(&k->b, lower_region(f, &f->lattice->point[f->lattice->points - 1]));
        } else if (f->lattice->flat) {
            const struct imp *condition = forall_flat_condition(f);
            add_if(f, condition, lower_region(f, &f->lattice->point[0]));
        } else if (f->selected) {
            imp_add(&k->b, lower_region(f, f->selected));
        } else {
            lower_cases(f, loop);
        }
    }
    add_if(f, inside, imp_end(&k->b));
}

/* Lowers the body of a loop at its coordinate. */
void forall_inside(struct forall *f, struct bits loop)
{
    const struct known known = known_with(f->k->cx, &f->scope->known, f->lattice->var);
    f->inside = *f->scope;
    lower_known(f, loop, &known);
}

const struct imp *forall_more(struct forall *f, struct bits loop)
{
    struct context *cx = f->k->cx;
    const struct imp *more = NULL;
    for (int i = 0; i < f->lattice->sparse; i++) {
        const struct cursor *c = &f->cursor[i];
        if (bits_has(loop, i))
            more =
                imp_both(cx, more,
                         imp_op2(cx, OP_LT, imp_read(cx, c->position), c->stop ? c->stop : c->end));
    }
    return more;
}

void forall_coiterate(struct forall *f, struct bits loop)
{
    struct context *cx = f->k->cx;
    const struct imp *more = forall_more(f, loop);
    imp_begin(&f->k->b);
    if (forall_merges_two(f, loop)) {
        forall_merge(f, loop);
    } else {
        resolve_coordinate(f, loop);
        const struct lattice_point *selected = forall_selected(f, loop);
        if (selected) {
            forall_select(f, loop, selected);
        } else {
            forall_find_runs(f, loop);
            forall_inside(f, loop);
            forall_advance(f, loop);
        }
    }
    imp_add(&f->k->b, imp_marked(cx, imp_while(cx, more, imp_end(&f->k->b)), f->mark));
}

/* Lowers a loop along one cursor alone, without duplicates. */
static void lower_positions(struct forall *f, struct bits loop, struct cursor *c)
{
    struct kernel *k = f->k;
    forall_room_ahead(f, c);
    if (forall_goes_in_rounds(f)) {
        forall_rounds(f, loop, c);
        return;
    }
    const struct level_type *type = c->format->type;
    imp_begin(&k->b);
    forall_enter(f, c->begin);
    const struct imp *here =
        type->occupied ? type->occupied(&c->code, imp_read(k->cx, c->position)) : NULL;
    imp_begin(&k->b);
    resolve_coordinate(f, loop);
    forall_inside(f, loop);
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b,
            here ? imp_marked(k->cx, imp_if(k->cx, here, body, NULL), mark_occupied(k, &c->code))
                 : body);
    forall_leave(f);
    forall_positions(f, c, imp_end(&k->b));
}

/* ---- all loops ---- */

struct cursor *forall_single(struct forall *f)
{
    const struct bits *loop;
    int loops = lattice_loops(f->k->cx, f->lattice, &loop);
    if (!f->lattice->flat && loops != 1)
        return NULL;
    struct bits together = f->lattice->flat ? f->lattice->iterated : loop[0];
    bool single = bits_count(together) == 1 && !f->lattice->dimension;
    return single ? &f->cursor[bits_first(together)] : NULL;
}

struct cursor *forall_only(struct forall *f)
{
    struct cursor *only = forall_single(f);
    return only && !only->runs ? only : NULL;
}

/* Lowers the loops, without what is done once for all coordinates that they do not come to. */
static void run_loops(struct forall *f)
{
    struct kernel *k = f->k;
    const struct bits *loop;
    int loops = lattice_loops(k->cx, f->lattice, &loop);
    if (!loops) /* all is the lattice's rest */
        return;
    for (int i = 0; i < f->lattice->sparse; i++)
        if (bits_has(f->lattice->following, i))
            declare_cursor(f, &f->cursor[i]);
    if (!f->lattice->flat && loops == 1 && bits_empty(loop[0])) {
        f->narrow = true;
        forall_dimension(f, forall_first(f));
        return;
    }
    struct bits together = f->lattice->flat ? f->lattice->iterated : loop[0];
    struct cursor *only = forall_single(f);
    if (only && !f->step && tree_ignores_coordinates(k->cx, k->request->tree, f->node)) {
        forall_as_one_run(f, together, only);
        return;
    }
    if (only && !only->runs) {
        lower_positions(f, together, only);
        return;
    }
    for (int i = 0; i < f->lattice->sparse; i++)
        if (bits_has(f->lattice->iterated, i))
            declare_cursor(f, &f->cursor[i]);
    struct imp_var *running = NULL;
    if (f->lattice->dimension) {
        running = f->var = kernel_var(k, k->request->coordinates, "%s", f->lattice->var->name);
        imp_let(&k->b, running, forall_first(f));
    }
    if (f->lattice->flat) {
        forall_flat(f);
        return;
    }
    for (int i = 0; i < loops; i++) {
        if (bits_empty(loop[i]))
            forall_dimension(f, imp_read(k->cx, running));
        else
            forall_seek(f, loop[i]);
    }
}

void forall_run(struct forall *f)
{
    if (!f->lattice->points)
        return;
    forall_count(f);
    run_loops(f);
    forall_rest(f);
}

struct forall forall_open(struct kernel *k, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    struct forall f = {.k = k, .scope = scope, .node = node, .lattice = node->lattice};
    f.cursor = arena_array(k->cx->arena, struct cursor, f.lattice->sparse + 1);
    f.mark = mark_of(k, scope, node);
    for (int i = 0; i < f.lattice->sparse && f.lattice->points; i++)
        if (bits_has(f.lattice->following, i) || bits_has(f.lattice->iterated, i))
            open_cursor(&f, i);
    return f;
}

void lower_forall(struct kernel *k, const struct scope *outer)
{
    struct scope scope = *outer;
    struct forall f = forall_open(k, &scope);
    forall_store_ahead(&f, &scope);
    struct reductions reductions = reductions_begin(k, &scope);
    f.mark = mark_of(k, &scope, f.node);
    const struct kernel_part *outside = column_begin(k, outer, f.node->statement);
    forall_run(&f);
    column_end(k, outer, outside);
    reductions_end(k, outer, &scope, &reductions);
}
