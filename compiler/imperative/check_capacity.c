/* check_capacity.c - checks that arrays are written only where they have room.
 *
 * Some arrays have less room than may be needed: they grow, or positions have a limit.  A variable
 * declared as a capacity says how much room there is.
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
 * This is a second walk in the order of execution.  It keeps the facts that hold on every path to
 * a place: which arrays have the size that their capacity says, and which checks came before.
 * Where paths meet, facts of both are kept.  A loop's body is walked until the facts at its end
 * agree with those at its beginning.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/checker.h"

/* A fact about an array: it has the size that its capacity says, or enough if it has no capacity.
 * Or about a check: there is room for the positions below `needed`, or for the next position. */
struct fact {
    const struct imp_var *capacity, *array;
    const struct imp *size, *needed;
    bool next;
};

/* The facts at a place.  Everything holds where no path leads. */
struct facts {
    VEC(struct fact) all;
    bool nowhere;
};

/* The values that a variable is declared with or assigned; the only one if it has one, computed
 * from variables declared before; or NULL. */
struct origins {
    VEC(const struct imp *) all;
    const struct imp *only;
};

struct rooms {
    struct checker *c;
    struct facts now, exits; /* here, and behind the loop around when a break leaves it */
    /* By variable: struct origins.  By array: one of its capacities.  By array: the check (struct
     * fact) that made room at all positions stored in it, if there is one. */
    struct var_map sources, capacity_of, positions;
    bool some; /* is there any capacity? */
};

static struct arena *arena_of(const struct rooms *r) { return r->c->cx->arena; }

/* Returns the number of elements that a statement gives its array, or NULL. */
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

/* Keeps the facts that hold on both paths. */
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

/* Does the fact end when the variable, or the array's memory, changes?  Room for several positions
 * was checked for a number of them, and stays when a counter in that number moves. */
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

/* ---- origins of sizes and positions ---- */

static const struct origins *source_of(struct rooms *r, const struct imp_var *var)
{
    static const struct origins none;
    const struct origins *found = *var_map_at(r->c->cx, &r->sources, var);
    return found ? found : &none;
}

/* Returns the capacity of which the size is a multiple, perhaps plus some; or NULL. */
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
    bool fixed; /* only variables with one value are met */
    VEC(const struct imp_var *) met;
};

static bool has_met(const struct derivation *d, const struct imp_var *var)
{
    for (size_t i = 0; i < d->met.n; i++)
        if (d->met.at[i] == var)
            return true;
    return false;
}

/* Collects the variables from which the value is computed, and the arrays from which it is loaded;
 * not the variables that only say where. */
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

/* Is the position one that a check is about?  Then it comes from a counter, and a counter that
 * never counts is just a number. */
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

/* Was there room at the position, which is loaded from an array of such positions? */
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

/* Is there room at the position, or at any (NULL)? */
static bool has_room(struct rooms *r, const struct imp_var *capacity, const struct imp *position)
{
    for (size_t i = 0; i < r->now.all.n; i++) {
        const struct fact fact = r->now.all.at[i];
        if (fact.capacity == capacity && fact.needed && (!position || is_about(r, position, &fact)))
            return true;
    }
    return position && had_room(r, capacity, position);
}

/* Notes a position stored in an array: its check is that of all positions there, or none is. */
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

/* Is the position among the first elements of an array with more room than its capacity says? */
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

/* Elements that move within an array had room before. */
static void check_store(struct rooms *r, const struct imp *imp)
{
    bool moves = imp_any(imp->arg[1], loads, (void *)(size_t)imp->var);
    if (!moves && !is_first(r, imp->var, imp->arg[0]))
        check_write(r, imp->var, imp->arg[0]);
}

/* A fill may write all of an array. */
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

/* Does the statement fail, or set the capacity anew? */
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

/* Behind an if, its condition does not hold, unless its body makes it hold. */
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

/* Gives an array its number of elements. */
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

/* ---- capacities and sources ---- */

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
