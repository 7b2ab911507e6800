/* plan_cost.c - what a program costs, estimated.
 *
 * Each loop's lattice says what it walks along, what it looks up, and where its body runs.  Of
 * sizes there are guesses: a dimension of unknown size has 1e5 coordinates, a level that is not
 * full has ten children below a parent and half of its dimension at the root.  So the estimates
 * tell n from n^2 and a merge from a search, not one good loop from another.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "compiler/tree/tree.h"
#include "schedules/plan.h"

/* Guesses, and costs in units of one step of a simple loop. */
static const double UNKNOWN = 1e5, CHILDREN = 10, ENTRIES = 100, DISTINCT = 0.4;
static const double LOOP = 3, OPERATION = 0.5, LOCATE = 1, SEARCH = 8, APPEND = 3, SORT = 8,
                    GATHER = 8, FILL = 0.3;
static const double PROBE = 5, WIDE = 1e6, ROOM = 1e8;

/* A workspace while its where is visited: how often it is written in one run of its producer. */
struct made {
    const struct tensor_var *tensor;
    double writes, runs;
    bool reduces;
};

struct costing {
    struct context *cx;
    const struct cin_program *program;
    VEC(struct made) made;
};

static double statement_cost(struct costing *c, const struct tree_node *s, double runs);

/* ---- sizes ---- */

/* How many values the variable has: of a part, as many as its whole gives it. */
static double range(const struct cin_program *program, const struct index_var *var)
{
    for (const struct index_var *same = var; same; same = same->like)
        if (same->size >= 0)
            return (double)same->size;
    for (int i = 0; i < program->relations; i++) {
        const struct cin_relation *r = &program->relation[i];
        if (r->type->parts && cin_is_child(r, var)) {
            const int64_t whole[2] = {(int64_t)range(program, r->parent[0]), -1};
            return fmax(1, (double)r->type->values(r, var == r->child[1], whole));
        }
    }
    return UNKNOWN;
}

bool plan_is_wide(const struct index_var *var)
{
    return range(&(struct cin_program){0}, var) > WIDE;
}

static double level_range(const struct costing *c, const struct cin *access, int level)
{
    return range(c->program, access_level_var(access, level));
}

static struct made *find_made(struct costing *c, const struct tensor_var *tensor)
{
    for (size_t i = c->made.n; i-- > 0;)
        if (c->made.at[i].tensor == tensor)
            return &c->made.at[i];
    return NULL;
}

/* The components of a workspace: what a reduction scatters coincides in part. */
static double entries_of(const struct made *made)
{
    return made->writes * (made->reduces ? DISTINCT : 1);
}

/* Children below one parent of a list's level: with this many entries no two levels have more
 * nodes than fit. */
static double list_children(const struct costing *c, const struct cin *access, int level,
                            double entries)
{
    double fit = 1, above = 1;
    for (int k = 0; k <= level; k++) {
        above = fmin(entries, fit);
        fit *= level_range(c, access, k);
    }
    return fmax(1, fmin(entries, fit) / fmax(1, above));
}

/* How many children a level has below a parent. */
static double children(struct costing *c, const struct cin *access, int level)
{
    const struct format *format = access->tensor->format;
    double size = level_range(c, access, level), above = 1;
    const struct made *made = find_made(c, access->tensor);
    if (level_has(&format->level[level], LEVEL_FULL))
        return size;
    if (made)
        return fmin(size, list_children(c, access, level, entries_of(made)));
    if (level == 0)
        return fmax(1, size / (format->levels > 1 ? 2 : CHILDREN));
    for (int k = 0; k < level; k++)
        above *= level_has(&format->level[k], LEVEL_FULL) ? level_range(c, access, k) : CHILDREN;
    return fmin(size, fmin(CHILDREN, ENTRIES * size / above));
}

/* ---- loops ---- */

static bool is_least(const struct lattice *lattice, int p)
{
    struct bits present = lattice->point[p].present;
    for (int i = 0; i < lattice->points; i++) {
        struct bits other = lattice->point[i].present;
        if (!bits_empty(other) && bits_within(other, present) && !bits_equal(other, present))
            return false;
    }
    return !bits_empty(present);
}

/* How many coordinates the loop finds in the level that the iterator walks: all below a parent,
 * or a block's share. */
static double steps(struct costing *c, const struct lattice *lattice,
                    const struct lattice_iterator *it)
{
    double found = children(c, it->access, it->first), size = range(c->program, lattice->var);
    const struct index_var *var = access_level_var(it->access, it->first);
    for (int i = 0; i < it->path.steps; i++) {
        const struct index_var *part = known_part(&it->path.step[i]);
        if (!it->path.step[i].divides)
            found = fmax(1, found * range(c->program, part) / range(c->program, var));
        var = part;
    }
    return fmin(found, size);
}

/* How often the body runs. */
static double body_runs(struct costing *c, const struct lattice *lattice)
{
    double runs = 0, size = range(c->program, lattice->var);
    if (lattice->dimension)
        return size;
    for (int p = 0; p < lattice->points; p++) {
        double least = size;
        if (!is_least(lattice, p))
            continue;
        for (int bit = 0; bit < lattice->sparse; bit++) {
            const struct lattice_iterator *it = &lattice->iterator[bit];
            if (bits_has(lattice->point[p].present, bit) && (it->first < it->end || it->walks))
                least = fmin(least, steps(c, lattice, it));
        }
        runs += least;
    }
    return fmin(runs, size);
}

static double locate_cost(const struct lattice_iterator *it, int first)
{
    double cost = 0;
    for (int level = first; level < it->end; level++) {
        const struct level_format *format = &it->access->tensor->format->level[level];
        if (!level_has(format, LEVEL_FULL))
            cost += format->type->locates_fast ? LOCATE : SEARCH;
    }
    return cost;
}

static double forall_cost(struct costing *c, const struct tree_node *forall, double runs)
{
    const struct lattice *lattice = forall->lattice;
    if (lattice->trouble)
        return PLAN_IMPOSSIBLE;
    double walked = lattice->dimension ? range(c->program, lattice->var) : 0, looked = 0;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        bool walks = bits_has(lattice->iterated, bit);
        if (walks)
            walked += steps(c, lattice, it);
        if (walks || bits_has(lattice->located, bit))
            looked += locate_cost(it, it->first + walks);
    }
    double cost = runs * (LOOP + walked * (1 + looked));
    return cost + statement_cost(c, forall->whole, runs * body_runs(c, lattice));
}

/* ---- workspaces ---- */

static int nodes(const struct cin *e)
{
    int n = 1;
    for (int i = 0; i < e->args; i++)
        n += nodes(e->arg[i]);
    return n;
}

static double assign_cost(struct costing *c, const struct cin *assign, double runs)
{
    struct made *made = find_made(c, assign->arg[0]->tensor);
    if (made) {
        made->writes += runs / made->runs;
        made->reduces |= assign->op != OP_NONE;
    }
    return runs * (1 + OPERATION * nodes(assign->arg[1]));
}

/* What is assigned to of the tensor inside s, or NULL; and the loops around, outermost first. */
static const struct cin *find_store(struct context *cx, const struct cin *s,
                                    const struct tensor_var *tensor, struct var_list *loops)
{
    struct cin_list made = cin_assignments(cx, s);
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0]->tensor != tensor)
            continue;
        *loops = plan_loops(cx, s, made.at[i]);
        return made.at[i]->arg[0];
    }
    return NULL;
}

/* Do the loops reach the levels [0, levels) of what they store in order, and before any other
 * loop? */
static bool in_storage_order(const struct cin *store, const struct var_list *loops, int levels)
{
    bool same = (int)loops->n >= levels;
    for (int level = 0; level < levels && same; level++)
        same = loops->at[level] == access_level_var(store, level);
    return same;
}

/* Making, sorting and emptying a workspace, for one run of its producer. */
static double workspace_cost(struct costing *c, const struct cin *producer, const struct made *made)
{
    const struct format *format = made->tensor->format;
    struct var_list loops = {0};
    const struct cin *store = find_store(c->cx, producer, made->tensor, &loops);
    double fit = 1;
    for (int level = 0; level < format->levels; level++)
        fit *= level_range(c, store, level);
    double entries = fmin(entries_of(made), fit);
    if (format_is_dense(format))
        return FILL * fit;
    bool ordered = level_has(&format->level[0], LEVEL_ORDERED);
    bool sorts =
        ordered
        && !(in_storage_order(store, &loops, format->levels) && (int)loops.n == format->levels);
    /* each is looked for, and the table walked along */
    if (format->levels == 1 && format->level[0].type->is_full)
        return made->writes * PROBE + entries * LOOP;
    /* what was touched is listed, and sorted by comparisons */
    if (format->levels == 1 && format->level[0].type->size)
        return entries * (APPEND + (sorts ? log2(entries + 2) : 0));
    double rows =
        level_has(&format->level[0], LEVEL_FULL) ? level_range(c, store, 0) + made->writes : 0;
    return rows + made->writes * (APPEND + (sorts ? SORT * format->levels + GATHER : 0))
           + (sorts ? ENTRIES : LOOP);
}

/* Memory that a workspace takes up for the whole kernel, all of it emptied once; what is more than
 * a machine may have is worth any detour. */
static double room_cost(struct costing *c, const struct cin *producer, const struct made *made)
{
    const struct level_format *level = &made->tensor->format->level[0];
    struct var_list loops = {0};
    if (made->tensor->format->levels != 1 || !level->type->insert || level->type->is_full)
        return 0;
    double size = level_range(c, find_store(c->cx, producer, made->tensor, &loops), 0);
    return FILL * size * (1 + size / ROOM);
}

static double where_cost(struct costing *c, const struct tree_node *node, double runs)
{
    const struct cin *where = node->statement;
    struct cin_list made = cin_assignments(c->cx, where->arg[1]);
    size_t mark = c->made.n;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        if (tensor->temporary && tensor->order > 0 && cin_uses_tensor(where->arg[0], tensor))
            vec_push(c->cx->arena, &c->made, ((struct made){tensor, 0, fmax(runs, 1e-9), false}));
    }
    double cost = statement_cost(c, node->child[1], runs);
    for (size_t i = mark; i < c->made.n; i++)
        cost += runs * workspace_cost(c, where->arg[1], &c->made.at[i])
                + room_cost(c, where->arg[1], &c->made.at[i]);
    cost += statement_cost(c, node->child[0], runs);
    c->made.n = mark;
    return cost;
}

static double statement_cost(struct costing *c, const struct tree_node *s, double runs)
{
    switch (s->statement->kind) {
    case CIN_ASSIGN: return assign_cost(c, s->statement, runs);
    case CIN_FORALL: return forall_cost(c, s, runs);
    case CIN_WHERE: return where_cost(c, s, runs);
    case CIN_SEQUENCE:
    case CIN_MULTI:
        return statement_cost(c, s->child[0], runs) + statement_cost(c, s->child[1], runs);
    case CIN_NOTHING:
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: return 0;
    }
    return 0;
}

static bool is_counted(struct context *cx, const struct cin_program *program)
{
    const struct cin_program *unfolded = plan_unfold(cx, program);
    return unfolded && tree_build(cx, unfolded)->assembly.kind == ASSEMBLY_COUNT;
}

bool plan_assembles(struct context *cx, const struct cin_program *program)
{
    struct var_list loops = {0};
    if (!format_is_plain(program->result->format))
        return true; /* nothing here knows */
    const struct cin *store = find_store(cx, program->statement, program->result, &loops);
    const struct format *format = program->result->format;
    return !store || in_storage_order(store, &loops, format_assembled(format))
           || is_counted(cx, program);
}

double plan_cost(struct context *cx, const struct cin_program *program, bool *is_whole)
{
    const struct cin_program *unfolded =
        program && plan_assembles(cx, program) ? plan_unfold(cx, program) : NULL;
    *is_whole = true;
    if (!unfolded)
        return PLAN_IMPOSSIBLE;
    struct costing c = {.cx = cx, .program = unfolded};
    const struct tree *tree = tree_build(cx, unfolded);
    *is_whole = !tree->trouble;
    return fmin(statement_cost(&c, tree->root, 1), PLAN_IMPOSSIBLE);
}
