/* check_capacity.c - arrays are written where there is room.
 *
 * Some arrays have room for less than may come: they grow, or positions count no further.  The
 * variable that says for how much is declared as a capacity.
 *
 *     capacity i32 C2_capacity = 16
 *     alloc(C2_crd, C2_capacity)
 *     ...
 *         if (pC2 == C2_capacity) {                a check: it fails, or makes room
 *             C2_capacity = 2 * C2_capacity
 *             resize(C2_crd, C2_capacity)          the size is what the capacity says
 *         }
 *         C2_crd[pC2] = j                          there is room
 *         pC2 += 1                                 the check has been used
 *
 * This is a second walk in the order of execution, with what holds on every way to a place: which
 * arrays have the size that their capacity says, and which checks came before.  Where ways meet
 * what holds on both is kept.  A loop's body is walked until what holds at its begin holds at its
 * end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/checker.h"

/* Either of an array, which has this size: what its capacity says, or enough if it has none.  Or of
 * a check: there is room for the positions below `needed`, or for the one at it if it is the next
 * one. */
struct fact {
    const struct imp_var *capacity, *array;
    const struct imp *size, *needed;
    bool next;
};

/* What holds at a place; anything where no way leads. */
struct facts {
    VEC(struct fact) all;
    bool nowhere;
};

/* What a variable is declared as or assigned; the only value that it has, of others declared before
 * it, or NULL. */
struct origins {
    VEC(const struct imp *) all;
    const struct imp *only;
};

struct rooms {
    struct checker *c;
    struct facts now, exits; /* here; where the loop around is left by a break */
    /* by variable: struct origins; by array: its capacity, or one of them; the check by which there
     * was room at the positions that are stored in it, as far as all are such: struct fact */
    struct var_map sources, capacity_of, positions;
    bool some; /* is there any capacity */
};

static struct arena *arena_of(const struct rooms *r) { return r->c->cx->arena; }

/* The number of elements that a statement gives its array; or NULL. */
static const struct imp *size_of(const struct imp *imp)
{
    return imp->kind == IMP_ALLOC || imp->kind == IMP_RESIZE ? imp->arg[0]
           : imp->kind == IMP_JOIN                           ? imp->arg[4]
                                                             : NULL;
}

/* ---- facts ---- */

static bool is_same(const struct fact *a, const struct fact *b)
{
    return a->capacity == b->capacity && a->array == b->array && a->next == b->next
           && (a->size == b->size || (a->size && b->size && imp_equal(a->size, b->size)))
           && (a->needed == b->needed
               || (a->needed && b->needed && imp_equal(a->needed, b->needed)));
}

static bool holds(const struct facts *facts, const struct fact *fact)
{
    for (size_t i = 0; i < facts->all.n; i++)
        if (is_same(&facts->all.at[i], fact))
            return true;
    return facts->nowhere;
}

static void add_fact(struct rooms *r, struct fact fact)
{
    if (!holds(&r->now, &fact))
        vec_push(arena_of(r), &r->now.all, fact);
}

/* What holds on both ways. */
static struct facts meet(const struct rooms *r, const struct facts *a, const struct facts *b)
{
    struct facts both = {.nowhere = a->nowhere && b->nowhere};
    const struct facts *of = a->nowhere ? b : a;
    for (size_t i = 0; i < of->all.n; i++)
        if (holds(a, &of->all.at[i]) && holds(b, &of->all.at[i]))
            vec_push(arena_of(r), &both.all, of->all.at[i]);
    return both;
}

static struct facts copy_facts(const struct rooms *r, const struct facts *facts)
{
    return meet(r, facts, facts);
}

static void leave(struct rooms *r) { r->now = (struct facts){.nowhere = true}; }

/* Does the fact hold no longer where the variable changes, or the array's memory?  Room for several
 * is for those that were needed when it was checked, wherever a counter in their number goes. */
static bool ends(const struct fact *fact, const struct imp_var *var)
{
    return var == fact->capacity || var == fact->array
           || (fact->needed && fact->needed->kind == IMP_VAR && fact->needed->var == var);
}

static void change(struct rooms *r, const struct imp_var *var)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->now.all.n; i++)
        if (!ends(&r->now.all.at[i], var))
            r->now.all.at[kept++] = r->now.all.at[i];
    r->now.all.n = kept;
}

/* ---- what sizes and positions come from ---- */

static const struct origins *source_of(struct rooms *r, const struct imp_var *var)
{
    static const struct origins none;
    const struct origins *found = *var_map_at(r->c->cx, &r->sources, var);
    return found ? found : &none;
}

/* The capacity that the size is a multiple of, and some more; or NULL. */
static const struct imp_var *capacity_in(struct rooms *r, const struct imp *size)
{
    const struct imp_var *capacity = NULL;
    bool sum = size->kind == IMP_OP && (size->op == OP_ADD || size->op == OP_MUL);
    if (size->kind == IMP_VAR) {
        const struct imp *only = source_of(r, size->var)->only;
        return size->var->capacity ? size->var : only ? capacity_in(r, only) : NULL;
    }
    for (int i = 0; (sum || size->kind == IMP_CAST) && i < size->args && !capacity; i++)
        capacity = capacity_in(r, size->arg[i]);
    return capacity;
}

struct derivation {
    struct rooms *r;
    bool fixed; /* only by variables that have one value */
    VEC(const struct imp_var *) met;
};

static bool has_met(const struct derivation *d, const struct imp_var *var)
{
    for (size_t i = 0; i < d->met.n; i++)
        if (d->met.at[i] == var)
            return true;
    return false;
}

/* The variables that the value is computed from, and the arrays that it is loaded from; not what
 * says where. */
static void derive(struct derivation *d, const struct imp *e)
{
    bool loaded = e->kind == IMP_LOAD;
    for (int i = 0; i < e->args && !loaded; i++)
        derive(d, e->arg[i]);
    if ((e->kind != IMP_VAR && !loaded) || has_met(d, e->var))
        return;
    vec_push(arena_of(d->r), &d->met, e->var);
    const struct origins *from = source_of(d->r, e->var);
    for (size_t i = 0; i < from->all.n && (!d->fixed || from->only); i++)
        derive(d, from->all.at[i]);
}

/* Is the position one of those that a check is about?  A counter that never counts is a number, and
 * no position says that it comes from it. */
static bool is_about(struct rooms *r, const struct imp *position, const struct fact *check)
{
    if (check->next && check->needed->kind == IMP_LITERAL)
        return true;
    struct derivation needed = {.r = r, .fixed = true}, at = {.r = r};
    derive(&needed, check->needed);
    derive(&at, position);
    for (size_t i = 0; i < at.met.n; i++)
        if (check->next ? at.met.at[i] == check->needed->var : has_met(&needed, at.met.at[i]))
            return true;
    return false;
}

/* ---- writes ---- */

static const struct fact *find_size(const struct rooms *r, const struct imp_var *array)
{
    for (size_t i = 0; i < r->now.all.n; i++)
        if (r->now.all.at[i].array == array)
            return &r->now.all.at[i];
    return NULL;
}

/* Is the position from an array of such at which there was room? */
static bool had_room(struct rooms *r, const struct imp_var *capacity, const struct imp *position)
{
    struct derivation at = {.r = r};
    bool had = false;
    derive(&at, position);
    for (size_t i = 0; i < at.met.n && !had; i++) {
        const struct fact *check = *var_map_at(r->c->cx, &r->positions, at.met.at[i]);
        had = check && check->capacity == capacity;
    }
    return had;
}

/* Is there room at the position, or for any (NULL)? */
static bool has_room(struct rooms *r, const struct imp_var *capacity, const struct imp *position)
{
    for (size_t i = 0; i < r->now.all.n; i++) {
        const struct fact fact = r->now.all.at[i];
        if (fact.capacity == capacity && fact.needed && (!position || is_about(r, position, &fact)))
            return true;
    }
    return position && had_room(r, capacity, position);
}

/* An array gets a position: the first check that is about it, or none, is that of all in it. */
static void note_position(struct rooms *r, const struct imp *store)
{
    static const struct fact none;
    void **known = var_map_at(r->c->cx, &r->positions, store->var);
    const struct fact *check = &none, *before = *known;
    bool plain = store->op == OP_NONE && type_is_integer(store->var->type);
    for (size_t i = 0; i < r->now.all.n && plain && check == &none; i++)
        if (r->now.all.at[i].needed && is_about(r, store->arg[1], &r->now.all.at[i]))
            check = arena_copy(arena_of(r), &r->now.all.at[i], sizeof *check);
    if (!before || before->capacity != check->capacity)
        *known = (void *)(size_t)(before ? &none : check);
}

static bool is_governed(struct rooms *r, const struct imp_var *array)
{
    return !r->now.nowhere && *var_map_at(r->c->cx, &r->capacity_of, array);
}

static void check_write(struct rooms *r, const struct imp_var *array, const struct imp *position)
{
    if (!is_governed(r, array))
        return;
    const struct fact *size = find_size(r, array);
    if (!size)
        checker_report(r->c, "%s is written where its size is not what its capacity says",
                       array->name);
    else if (size->capacity && !has_room(r, size->capacity, position))
        checker_report(r->c, "%s is written where no check of %s came before", array->name,
                       size->capacity->name);
}

/* An array with room for so many more than the capacity says has its first elements. */
static bool is_first(const struct rooms *r, const struct imp_var *array, const struct imp *position)
{
    const struct fact *fact = find_size(r, array);
    const struct imp *size = fact ? imp_bare(fact->size) : NULL, *at = imp_bare(position);
    return size && size->kind == IMP_OP && size->op == OP_ADD
           && imp_bare(size->arg[1])->kind == IMP_LITERAL && at->kind == IMP_LITERAL
           && at->value.i >= 0 && at->value.i < imp_bare(size->arg[1])->value.i;
}

static bool loads(const struct imp *e, void *array)
{
    return e->kind == IMP_LOAD && e->var == array;
}

/* Elements that are moved within an array have been there. */
static void check_store(struct rooms *r, const struct imp *imp)
{
    bool moves = imp_any(imp->arg[1], loads, (void *)(size_t)imp->var);
    if (!moves && !is_first(r, imp->var, imp->arg[0]))
        check_write(r, imp->var, imp->arg[0]);
}

/* All of an array may be filled. */
static void check_fill(struct rooms *r, const struct imp *imp)
{
    const struct fact *fact = find_size(r, imp->var);
    if (!fact || !imp_equal(imp_bare(fact->size), imp_bare(imp->arg[1])))
        check_write(r, imp->var, imp->arg[1]);
}

/* A helper writes where its arguments say, an update at its position. */
static bool check_call(const struct imp *imp, void *data)
{
    struct rooms *r = data;
    if (imp->kind == IMP_UPDATE)
        check_write(r, imp->var, imp->arg[0]);
    for (int i = 0; imp->kind == IMP_CALL && i < imp->args; i++) {
        const struct imp_var *param = imp->function->param[i].var;
        if (param->array && !param->constant)
            check_write(r, imp->arg[i]->var, imp);
    }
    return false;
}

/* ---- checks ---- */

/* Does it fail, or set the capacity anew? */
static bool makes_room(const struct imp *then, const struct imp_var *capacity)
{
    for (int i = 0; then->kind == IMP_BLOCK && i < then->args; i++)
        if (makes_room(then->arg[i], capacity))
            return true;
    return then->kind == IMP_FAIL || (then->kind == IMP_ASSIGN && then->var == capacity);
}

static bool is_read(const struct imp *e, const struct imp_var **var)
{
    *var = e->kind == IMP_VAR ? e->var : NULL;
    return *var && (*var)->capacity;
}

/* Behind the if its condition does not hold, unless what is done then makes it so. */
static void add_checks(struct rooms *r, const struct imp *condition, const struct imp *then)
{
    if (condition->kind != IMP_OP || condition->args != 2)
        return;
    if (condition->op == OP_OR) {
        add_checks(r, condition->arg[0], then);
        add_checks(r, condition->arg[1], then);
        return;
    }
    const struct imp *a = imp_bare(condition->arg[0]), *b = imp_bare(condition->arg[1]);
    const struct imp_var *capacity;
    bool first = is_read(a, &capacity), either = first || is_read(b, &capacity);
    const struct imp *needed = first ? b : a;
    enum op op = condition->op;
    bool next = op == OP_EQ || op == (first ? OP_LE : OP_GE);
    if (either && makes_room(then, capacity)
        && ((next && (needed->kind == IMP_VAR || needed->kind == IMP_LITERAL))
            || op == (first ? OP_LT : OP_GT)))
        add_fact(r, (struct fact){.capacity = capacity, .needed = needed, .next = next});
}

/* ---- the walk ---- */

static void walk(struct rooms *r, const struct imp *imp);

static void walk_if(struct rooms *r, const struct imp *imp)
{
    struct facts before = copy_facts(r, &r->now);
    walk(r, imp->arg[1]);
    struct facts then = r->now;
    r->now = before;
    if (imp->args > 2)
        walk(r, imp->arg[2]);
    r->now = meet(r, &then, &r->now);
    if (imp->args == 2)
        add_checks(r, imp->arg[0], imp->arg[1]);
}

static void walk_loop(struct rooms *r, const struct imp *loop)
{
    struct facts around = r->exits, head;
    do {
        head = copy_facts(r, &r->now);
        leave(r);
        r->exits = r->now;
        r->now = copy_facts(r, &head);
        if (loop->var)
            change(r, loop->var);
        walk(r, loop->arg[loop->args - 1]);
        r->now = meet(r, &head, &r->now);
    } while (r->now.all.n < head.all.n);
    r->now = meet(r, &r->now, &r->exits);
    r->exits = around;
}

/* An array gets so many elements. */
static void walk_size(struct rooms *r, const struct imp *imp)
{
    const struct imp *size = size_of(imp);
    const struct imp_var *capacity = capacity_in(r, size);
    if (imp->kind == IMP_JOIN && capacity && !r->now.nowhere && !has_room(r, capacity, NULL))
        checker_report(r->c, "%s is joined where no check of %s came before", imp->var->name,
                       capacity->name);
    change(r, imp->var);
    if (is_governed(r, imp->var))
        add_fact(r, (struct fact){.capacity = capacity, .array = imp->var, .size = size});
}

static void walk(struct rooms *r, const struct imp *imp)
{
    arena_spend(arena_of(r), 4);
    for (int i = 0; i < imp->args; i++)
        if (imp_is_expression(imp->arg[i]))
            imp_any(imp->arg[i], check_call, r);
    switch (imp->kind) {
    case IMP_BLOCK:
        for (int i = 0; i < imp->args; i++)
            walk(r, imp->arg[i]);
        return;
    case IMP_STORE:
    case IMP_ATOMIC:
        check_store(r, imp);
        note_position(r, imp);
        return;
    case IMP_FILL: check_fill(r, imp); return;
    case IMP_COPY:
        if (imp->arg[1]->var != imp->var)
            check_write(r, imp->var, imp->arg[0]);
        return;
    case IMP_IF: walk_if(r, imp); return;
    case IMP_WHILE:
    case IMP_FOR:
    case IMP_PARALLEL:
    case IMP_LAUNCH: walk_loop(r, imp); return;
    case IMP_BREAK:
        r->exits = meet(r, &r->exits, &r->now);
        leave(r);
        return;
    case IMP_RETURN:
    case IMP_FAIL: leave(r); return;
    case IMP_ALLOC:
    case IMP_RESIZE:
    case IMP_JOIN: walk_size(r, imp); return;
    case IMP_DECLARE:
    case IMP_ASSIGN:
    case IMP_FREE:
    case IMP_KEEP:
    case IMP_TAKE:
    case IMP_MOVE: change(r, imp->var); return;
    case IMP_DO:
    case IMP_BARRIER:
    case IMP_PREFETCH:
    case IMP_COMMENT:
    case IMP_ANY_EXPRESSION: return;
    }
}

/* ---- what there is ---- */

static void note_source(struct rooms *r, const struct imp *imp)
{
    void **known = var_map_at(r->c->cx, &r->sources, imp->var);
    struct origins *from = *known ? *known : arena_make(arena_of(r), struct origins);
    *known = from;
    from->only = from->all.n == 0 && imp->kind == IMP_DECLARE ? imp->arg[0] : NULL;
    vec_push(arena_of(r), &from->all, imp->arg[0]);
}

static bool note(const struct imp *imp, void *data)
{
    struct rooms *r = data;
    bool declares = imp->kind == IMP_DECLARE || imp->kind == IMP_FOR;
    r->some |= declares && imp->var->capacity;
    if ((declares || imp->kind == IMP_ASSIGN) && imp->args)
        note_source(r, imp);
    return false;
}

static bool note_size(const struct imp *imp, void *data)
{
    struct rooms *r = data;
    const struct imp *size = size_of(imp);
    const struct imp_var *capacity = size ? capacity_in(r, size) : NULL;
    if (capacity)
        *var_map_at(r->c->cx, &r->capacity_of, imp->var) = (void *)(size_t)capacity;
    return false;
}

bool checker_capacity(struct checker *c, const struct imp *body)
{
    struct rooms r = {.c = c};
    imp_any(body, note, &r);
    if (!r.some)
        return true;
    imp_any(body, note_size, &r);
    walk(&r, body);
    return c->error == NULL;
}
