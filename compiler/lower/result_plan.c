/* result_plan.c - how the result is assembled, and what is certain about its components.
 *
 * Appending needs the loops of the result's levels outermost and in storage order; segments below full levels are counted
 * instead, and what is inserted into has to be the copy of a list.  What else does not fit is refused, for the planner to
 * repair.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result.h"

int result_level_of(const struct kernel *k, const struct index_var *var)
{
    for (int level = 0; level < result_format(k)->levels; level++)
        if (result_var(k, level) == var)
            return level;
    return -1;
}

/* ---- the plan ---- */

static bool refuse_format(struct kernel *k, int level, const char *why, const char *remedy)
{
    const struct tensor_var *t = k->result->tensor;
    struct diag *d = kernel_refuse(k, DIAG_FORMAT, t, "%s cannot be assembled: level %d (%s) %s", t->name, level + 1,
                                   t->format->level[level].type->name, why);
    diag_help(k->cx, d, "%s", remedy);
    return false;
}

/* Levels that insert are copied from a list in storage order. */
static bool check_copy(struct kernel *k)
{
    const struct tensor_var *t = k->result->tensor;
    for (int level = 0; level < t->format->levels; level++)
        if (t->format->level[level].type->insert && !k->copied)
            return refuse_format(k, level, "is inserted into, and the result is not the copy of a list",
                                 "collect(y, w) makes it one; without --no-plan it is added");
    return true;
}

static bool joins_group(const struct kernel *k, int level)
{
    const struct format *format = result_format(k);
    return level_has(&format->level[level], LEVEL_BRANCHLESS) && k->groups && k->group[k->groups - 1].last == level - 1 &&
           !level_has(&format->level[level - 1], LEVEL_UNIQUE);
}

static bool find_groups(struct kernel *k)
{
    const struct format *format = result_format(k);
    k->group = arena_array(k->cx->arena, struct append_group, format->levels);
    k->turn = arena_array(k->cx->arena, const struct imp_var *, format->levels);
    k->entered = format_assembled(format);
    k->assembles = k->entered > 0;
    int slots = 0;
    for (int level = 0; level < format->levels; level++) {
        const struct level_type *type = format->level[level].type;
        if (type->insert && !(type->properties & LEVEL_ORDERED))
            slots = level + 1;
        if (type->size)
            continue;
        if (!type->append_coordinate)
            return refuse_format(k, level, "is neither inserted into nor appended to",
                                 "store the result with other levels");
        if (joins_group(k, level))
            k->group[k->groups - 1].last = level;
        else if (level_has(&format->level[level], LEVEL_BRANCHLESS))
            return refuse_format(k, level, "has one child for each parent, and the level above would need several",
                                 "let the level above be compressed(nonunique)");
        else
            k->group[k->groups++] = (struct append_group){.first = level, .last = level, .slots = slots};
        slots = 0;
    }
    return true;
}

/* The variables of the foralls around the assignment to the result, outermost first. */
static bool find_path(const struct kernel *k, const struct cin *cin, struct known *path)
{
    if (cin->kind == CIN_ASSIGN)
        return cin->arg[0] == k->result;
    if (cin->kind == CIN_FORALL)
        *path = known_with(k->cx, path, cin->index[0]);
    for (int i = 0; i < cin->args; i++)
        if (!cin_is_expression(cin->arg[i]) && find_path(k, cin->arg[i], path))
            return true;
    if (cin->kind == CIN_FORALL)
        path->n--;
    return false;
}

/* Appending needs the loops of the levels down to the last that appends outermost and in storage order; what a located
 * level stores may also follow from those above.  The first level for which that is not so, and the loop in its place;
 * k->entered if it is so for all. */
static int first_out_of_order(const struct kernel *k, const struct known *path, const struct index_var **loop)
{
    struct known known = known_none(k->cx, k->program);
    int loops = 0;
    *loop = NULL;
    for (int level = 0; level < k->entered; level++) {
        if (known_has(&known, result_var(k, level)) && result_format(k)->level[level].type->size)
            continue;
        *loop = loops < path->n ? path->var[loops++] : NULL;
        if (*loop != result_var(k, level))
            return level;
        known = known_with(k->cx, &known, *loop);
    }
    return k->entered;
}

/* The first level that is out of order, and the loop in its place. */
static void refuse_order(struct kernel *k, int level, const struct index_var *loop)
{
    const struct tensor_var *t = k->result->tensor;
    const struct known none = known_none(k->cx, k->program);
    int appended = level;
    if (access_level_follows(k->cx, k->result, level, &none) && !t->format->level[level].type->size) {
        refuse_format(k, level, "is appended to, and stores what follows from the levels above it",
                      "store that with a level that is located: dense, bitmap or hashed");
        return;
    }
    while (t->format->level[appended].type->size && !t->format->level[appended].type->insert)
        appended++;
    struct diag *d = kernel_refuse(k, DIAG_SCATTER, t, "the components of %s do not come in storage order, and level "
                                   "%d (%s) is appended to", t->name, appended + 1, t->format->level[appended].type->name);
    if (loop)
        diag_note(k->cx, d, "the loop over %s is outside the loop over %s", loop->name, result_var(k, level)->name);
    diag_help(k->cx, d, "make %s dense, or give its modes the order of the loops", t->name);
}

void result_plan(struct kernel *k)
{
    const struct tensor_var *t = k->result->tensor;
    struct known path = {0};
    k->copied = copied_list(k);
    bool empty = k->program->statement == cin_nothing(k->cx);
    if (!find_groups(k) || !k->assembles || empty || !check_copy(k))
        return;
    struct cin_list made = cin_assignments(k->cx, k->program->statement);
    int stores = 0;
    for (size_t i = 0; i < made.n; i++)
        stores += made.at[i]->arg[0]->tensor == t;
    if (k->program->accumulates || stores > 1) {
        struct diag *d = kernel_refuse(k, DIAG_SCATTER, t, "%s is appended to, so it can be assigned once only", t->name);
        diag_help(k->cx, d, "make %s dense", t->name);
        return;
    }
    find_path(k, k->program->statement, &path);
    const struct index_var *loop;
    int level = first_out_of_order(k, &path, &loop);
    if (level == k->entered)
        return;
    if (!tree_counts(k->request->tree)) {
        refuse_order(k, level, loop);
        return;
    }
    k->counted.on = true;
    k->groups = k->entered = 0;
}

bool result_needs_order(const struct kernel *k, const struct index_var *var)
{
    int level = result_level_of(k, var);
    if (level < 0 || level >= k->entered)
        return false;
    const struct level_format *format = &result_format(k)->level[level];
    return level_has(format, LEVEL_ORDERED) || !format->type->append_coordinate;
}

/* ---- what is certain ---- */

bool result_waits_for(struct kernel *k, const struct cin *where, const struct tensor_var *temporary)
{
    if (temporary->order > 0)
        return false; /* its lattice says where it is */
    struct cin_list made = cin_assignments(k->cx, where->arg[0]);
    for (size_t i = 0; i < made.n; i++)
        if (k->copied && made.at[i]->arg[0]->tensor == k->copied)
            return false; /* the result is opened in there, also for no components */
    const struct cin *read = cin_access(k->cx, temporary, NULL, 0);
    const struct cin *unwritten = cin_replace(k->cx, where->arg[0], read, cin_literal(k->cx, temporary->fill));
    return k->assembles && cin_simplify(k->cx, unwritten) == cin_nothing(k->cx);
}

static bool waits(struct kernel *k, const struct cin *where)
{
    struct cin_list made = cin_assignments(k->cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor->temporary && result_waits_for(k, where, made.at[i]->arg[0]->tensor))
            return true;
    return false;
}

/* Does the body run at every coordinate, but for the end of a last block or the ends of a diagonal?  No block begins beyond
 * the dimension, and no diagonal is empty. */
static bool runs_somewhere(const struct lattice *lattice)
{
    bool some = lattice_is_everywhere(lattice);
    for (int i = 0; i < lattice->guards; i++) {
        enum cin_relation_kind kind = lattice->guard[i].by->kind;
        some &= lattice->guard[i].kind == GUARD_RANGE && (kind == RELATION_SPLIT_DOWN || kind == RELATION_DIFFERENCE);
    }
    return some;
}

/* Does the statement store a component of the result whenever it runs?  (A loop over no coordinates at all leaves a block
 * of no components.) */
bool result_always_stores(struct kernel *k, const struct tree_node *node)
{
    const struct cin *s = node->statement;
    if (s->kind == CIN_WHERE)
        return !waits(k, s) && result_always_stores(k, node->child[0]);
    if (s->kind != CIN_FORALL)
        return s->kind == CIN_ASSIGN;
    bool stores = kernel_of_result(k, s->index[0]) && runs_somewhere(node->lattice);
    for (int i = 0; i < node->children && stores; i++)
        stores = result_always_stores(k, node->child[i]);
    return stores;
}

/* Do the loops reach every parent of a group: every coordinate of the dense levels between `above`, the level that the
 * group before it ends with, and its own first level? */
bool result_visits_all(struct kernel *k, const struct tree_node *node, int above, int first)
{
    const struct cin *s = node->statement;
    if (s->kind == CIN_WHERE)
        return !waits(k, s) && result_visits_all(k, node->child[0], above, first);
    if (s->kind != CIN_FORALL)
        return s->kind != CIN_NOTHING;
    int level = result_level_of(k, s->index[0]);
    if (level < 0 || level >= first)
        return true;
    bool visits = level <= above || lattice_is_full(node->lattice);
    for (int i = 0; i < node->children && visits; i++)
        visits = result_visits_all(k, node->child[i], above, first);
    return visits;
}
