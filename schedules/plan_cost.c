/* plan_cost.c - what a program costs: how often each of its loops runs, in dimensions and in what
 * levels store.
 *
 * Each loop's lattice says what it walks along, what it looks up, and where its body runs: a union
 * at all of its operands' coordinates, an intersection at those of one of them at most.  How many
 * children a level has below a parent its type says: as many as there are coordinates, one, or
 * some, which has a symbol (cost.h).  Levels of workspaces have what is written to them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedules/cost.h"

#include <math.h>

#include "compiler/tree/tree.h"
#include "schedules/plan.h"

/* Guesses where nobody says: a dimension, and the children of a sparse level below a parent or, of
 * a root, the share of its coordinates. */
static const double SIZE = 1e5, CHILDREN = 10, SHARE = 0.1;

/* A dimension is wide that has more coordinates: an array of them all is as large as a machine's
 * cache, or larger. */
static const double WIDE = 1e6;

/* In steps of a simple loop.  SORT, FAR and PROBE are measured: on 2026-11-22, by SpGEMM of 2e4 to
 * 2e5 rows and 2e6 to 2e7 products through each kind of workspace, on two busy cores: a row's list
 * took 90 to 190 ns for a product, a table 150 to 250, the list of the whole result 640 to 1,240.
 * They are what is sorted, for each mode of a list; what is stored far from the last, as in a list
 * of the whole result; and a search in a table.  The others are estimates: a binary search in a
 * row of ten, a component of an array that is emptied, what part of what is reduced into a row
 * is distinct. */
static const double SEARCH = 4, SORT = 3, FAR = 10, PROBE = 5, FILL = 0.2, DISTINCT = 0.5;

/* A workspace while its where is visited: how often it is written in one run of its producer. */
struct made {
    const struct tensor_var *tensor;
    struct cost writes, entries;
};

/* How often a tensor is written in one run of a where's producer: asked for again by every where
 * around. */
struct written {
    const struct tree_node *where;
    struct made made;
};

struct costing {
    struct context *cx;
    struct cost_symbols *symbols;
    const struct cin_program *program;
    int loops;        /* around what is looked at */
    struct cost once; /* what is done once, wherever it stands */
    VEC(struct made) made;
    VEC(struct written) written;
};

static struct cost statement_cost(struct costing *c, const struct tree_node *s);
static struct cost writes_of(struct costing *c, const struct tree_node *s,
                             const struct tensor_var *tensor);

static struct cost constant(const struct costing *c, double value)
{
    return cost_constant(c->symbols, value);
}
static struct cost add(const struct costing *c, struct cost a, struct cost b)
{
    return cost_add(c->symbols, a, b);
}
static struct cost scale(const struct costing *c, struct cost a, double by)
{
    return cost_scale(c->symbols, a, by);
}

static struct cost multiply(const struct costing *c, struct cost a, struct cost b)
{
    return cost_multiply(c->symbols, a, b);
}

static struct cost least(const struct costing *c, struct cost a, struct cost b)
{
    return cost_least(c->symbols, a, b);
}

/* ---- sizes ---- */

/* The relation that gives the variable, whose range goes by it; NULL: its range is its own. */
static const struct cin_relation *relation_of(const struct cin_program *program,
                                              const struct index_var *var)
{
    for (int i = 0; i < program->relations; i++)
        for (int k = 0; k < 2; k++)
            if (program->relation[i].child[k] == var)
                return &program->relation[i];
    return NULL;
}

static const struct index_var *root_of(const struct index_var *var)
{
    while (var->like)
        var = var->like;
    return var;
}

static double real_size(const struct index_var *var)
{
    for (const struct index_var *same = var; same; same = same->like)
        if (same->size >= 0)
            return (double)same->size;
    return -1;
}

static struct cost dimension(struct cost_symbols *symbols, const struct index_var *var)
{
    double size = real_size(var);
    var = root_of(var);
    for (int i = 0; i < symbols->pairs; i++)
        if (symbols->pair[i].other == var)
            var = symbols->pair[i].var;
    struct cost_symbol symbol = {var,       -1, var->name, size >= 0 ? fmax(1, size) : SIZE,
                                 size >= 0, -1};
    return cost_of_symbol(symbols, cost_symbol(symbols, symbol), symbol.value);
}

static struct cost range(struct costing *c, const struct index_var *var);

static double count(const struct cin_relation *r, int child, int64_t first, int64_t second)
{
    const int64_t parent[2] = {first, second};
    return fmax(1, (double)r->type->values(r, child, parent));
}

/* How many values a relation's child has: what grows with either parent is a product, and a sum
 * is twice the first. */
static struct cost related_range(struct costing *c, const struct cin_relation *r, int child)
{
    const int64_t n = 1 << 16;
    if (!r->type->values || !r->parent[0])
        return constant(c, 1);
    double one = count(r, child, n, n), first = count(r, child, 2 * n, n) / one;
    double both = count(r, child, 2 * n, 2 * n) / one;
    struct cost size = constant(c, 1);
    if (first > 1.25) {
        size = range(c, r->parent[0]);
        one /= (double)n;
        both /= 2;
    }
    if (r->parent[1] && both > 1.25) {
        size = multiply(c, size, range(c, r->parent[1]));
        one /= (double)n;
    }
    return scale(c, size, one);
}

/* How many values the variable has. */
static struct cost range(struct costing *c, const struct index_var *var)
{
    const struct cin_relation *r = relation_of(c->program, var);
    if (var->literal)
        return constant(c, 1);
    if (!r && var->like)
        return range(c, var->like);
    if (!r)
        return dimension(c->symbols, var);
    return related_range(c, r, var == r->child[1]);
}

bool plan_is_wide(const struct index_var *var) { return real_size(var) > WIDE; }

static struct cost level_range(struct costing *c, const struct cin *access, int level)
{
    return range(c, access_level_var(access, level));
}

/* ---- levels ---- */

static struct made *find_made(struct costing *c, const struct tensor_var *tensor)
{
    for (size_t i = c->made.n; i-- > 0;)
        if (c->made.at[i].tensor == tensor)
            return &c->made.at[i];
    return NULL;
}

/* Children below one parent of a workspace's level: no two levels have more nodes than there are
 * entries, or than fit. */
static struct cost list_children(struct costing *c, const struct cin *access, int level,
                                 struct cost entries)
{
    struct cost above = constant(c, 1);
    for (int k = 0; k < level; k++)
        above = multiply(c, above, level_range(c, access, k));
    if (level > 0 && cost_value(c->symbols, entries) <= cost_value(c->symbols, above))
        return constant(c, 1);
    struct cost below = cost_divide(c->symbols, entries, above);
    return least(c, below, level_range(c, access, level));
}

static bool is_unique(const struct format *format, int level)
{
    return level_has(&format->level[level], LEVEL_UNIQUE);
}

/* Has the level some children, and nobody knows how many? */
static bool has_some(const struct format *format, int level)
{
    enum level_children children = format->level[level].type->stored;
    return children == LEVEL_SOME
           || (children == LEVEL_ONE && level > 0 && !is_unique(format, level - 1));
}

static bool is_difference(const struct costing *c, const struct index_var *var)
{
    const struct cin_relation *r = relation_of(c->program, var);
    return r && r->type == &relation_difference;
}

/* A guess for the children of a level that has some. */
static double some_children(struct costing *c, const struct cin *access, int level)
{
    const struct index_var *var = access_level_var(access, level);
    double size = cost_value(c->symbols, range(c, var));
    if (level > 0 || is_difference(c, var))
        return fmin(size, CHILDREN);
    return fmax(1, SHARE * size);
}

/* How many coordinates a level has below those of a parent. */
static struct cost children(struct costing *c, const struct cin *access, int level)
{
    const struct tensor_var *tensor =
        access->tensor->viewed ? access->tensor->viewed : access->tensor;
    const struct format *format = access->tensor->format;
    struct cost size = level_range(c, access, level);
    const struct made *made = find_made(c, access->tensor);
    if (format->level[level].type->stored == LEVEL_ALL)
        return size;
    if (!has_some(format, level))
        return constant(c, 1);
    if (made)
        return list_children(c, access, level, made->entries);
    double number = some_children(c, access, level);
    int within = cost_dimension_of(c->symbols, size);
    if (within < 0)
        return constant(c, fmin(number, cost_value(c->symbols, size)));
    const char *name = arena_printf(c->cx->arena, "%s.%d", tensor->name, level + 1);
    struct cost_symbol symbol = {tensor, level, name, number, false, within};
    return cost_of_symbol(c->symbols, cost_symbol(c->symbols, symbol), number);
}

/* How many positions are walked along below those of a parent: where coordinates come more than
 * once, those of the levels below, which are children of one each. */
static struct cost positions(struct costing *c, const struct cin *access, int level)
{
    const struct format *format = access->tensor->format;
    struct cost n = children(c, access, level);
    if (format->level[level].type->walks_all && !format->level[level].type->lists)
        return level_range(c, access, level);
    for (; level + 1 < format->levels && !is_unique(format, level); level++)
        if (format->level[level + 1].type->stored == LEVEL_ONE)
            n = multiply(c, n, children(c, access, level + 1));
    return n;
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

/* Of what a level has, what the loop finds: all below a parent, or a block's share. */
static struct cost share(struct costing *c, const struct lattice_iterator *it, struct cost found)
{
    const struct index_var *var = access_level_var(it->access, it->first);
    for (int i = 0; i < it->path.steps; i++) {
        const struct index_var *part = known_part(&it->path.step[i]);
        if (!it->path.step[i].divides)
            found = cost_divide(c->symbols, multiply(c, found, range(c, part)), range(c, var));
        var = part;
    }
    return found;
}

/* How often the body runs. */
static struct cost body_runs(struct costing *c, const struct lattice *lattice)
{
    struct cost runs = {0}, size = range(c, lattice->var);
    if (lattice_is_tied(lattice))
        return constant(c, 1);
    if (lattice->dimension)
        return size;
    for (int p = 0; p < lattice->points; p++) {
        struct cost fewest = size;
        if (!is_least(lattice, p))
            continue;
        for (int bit = 0; bit < lattice->sparse; bit++) {
            const struct lattice_iterator *it = &lattice->iterator[bit];
            if (bits_has(lattice->point[p].present, bit) && (it->first < it->end || it->walks))
                fewest = least(c, share(c, it, children(c, it->access, it->first)), fewest);
        }
        runs = add(c, runs, fewest);
    }
    return least(c, runs, size);
}

static double locate_cost(const struct lattice_iterator *it, int first)
{
    double cost = 0;
    for (int level = first; level < it->end; level++) {
        const struct level_format *format = &it->access->tensor->format->level[level];
        if (!level_has(format, LEVEL_FULL))
            cost += format->type->locates_fast ? 1 : SEARCH;
    }
    return cost;
}

static struct cost forall_cost(struct costing *c, const struct tree_node *forall)
{
    const struct lattice *lattice = forall->lattice;
    if (lattice->trouble)
        return (struct cost){.impossible = true};
    struct cost walked = lattice->dimension ? body_runs(c, lattice) : (struct cost){0};
    double looked = 1;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        bool walks = bits_has(lattice->iterated, bit);
        if (walks)
            walked = add(c, walked, share(c, it, positions(c, it->access, it->first)));
        if (walks || bits_has(lattice->located, bit))
            looked += locate_cost(it, it->first + walks);
    }
    c->loops++;
    struct cost inside = multiply(c, body_runs(c, lattice), statement_cost(c, forall->whole));
    c->loops--;
    return add(c, add(c, constant(c, 1), scale(c, walked, looked)), inside);
}

/* ---- workspaces ---- */

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

/* An array of all coordinates of the first mode, emptied once for all.  Operands have such arrays
 * as well: it is no order of its own, unless it is large. */
static struct cost room_cost(struct costing *c, const struct cin *store)
{
    struct cost room = scale(c, level_range(c, store, 0), FILL);
    return plan_is_wide(access_level_var(store, 0)) ? room
                                                    : constant(c, cost_value(c->symbols, room));
}

/* Making, sorting and emptying a workspace, for one run of its producer. */
static struct cost workspace_cost(struct costing *c, const struct cin *producer,
                                  const struct made *made)
{
    const struct format *format = made->tensor->format;
    const struct level_format *root = &format->level[0];
    struct var_list loops = {0};
    const struct cin *store = find_store(c->cx, producer, made->tensor, &loops);
    struct cost fit = constant(c, 1);
    for (int level = 0; level < format->levels; level++)
        fit = multiply(c, fit, level_range(c, store, level));
    struct cost entries = least(c, made->entries, fit);
    if (workspace_kind(format) == WORKSPACE_INSERT && !root->type->lists)
        return scale(c, fit, FILL);
    bool sorts =
        level_has(root, LEVEL_ORDERED)
        && !(in_storage_order(store, &loops, format->levels) && (int)loops.n == format->levels);
    /* each is looked for, and the table walked along */
    if (format->levels == 1 && root->type->is_full)
        return add(c, scale(c, made->writes, PROBE), entries);
    /* what was touched is listed, and sorted by comparisons */
    if (format->levels == 1 && root->type->size) {
        c->once = add(c, c->once, room_cost(c, store));
        return scale(c, entries, 1 + (sorts ? log2(cost_value(c->symbols, entries) + 2) : 0));
    }
    struct cost rows = {0};
    if (level_has(root, LEVEL_FULL))
        rows = c->loops > 0 ? level_range(c, store, 0) : room_cost(c, store);
    return add(c, rows,
               scale(c, made->writes,
                     1 + (sorts ? SORT * format->levels + FAR * (format->levels > 1) : 0)));
}

/* The workspaces of a where, with what its producer writes. */
static void push_made(struct costing *c, const struct tree_node *node)
{
    const struct cin *where = node->statement;
    struct cin_list made = cin_assignments(c->cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *tensor = made.at[i]->arg[0]->tensor;
        struct cost writes = {0};
        bool known =
            !tensor->temporary || tensor->order == 0 || !cin_uses_tensor(where->arg[0], tensor);
        for (size_t k = 0; k < c->written.n && !known; k++)
            if (c->written.at[k].where == node && c->written.at[k].made.tensor == tensor) {
                vec_push(c->cx->arena, &c->made, c->written.at[k].made);
                known = true;
            }
        if (known)
            continue;
        writes = writes_of(c, node->child[1], tensor);
        double distinct = made.at[i]->op == OP_NONE ? 1 : DISTINCT;
        struct made one = {tensor, writes, scale(c, writes, distinct)};
        vec_push(c->cx->arena, &c->written, ((struct written){node, one}));
        vec_push(c->cx->arena, &c->made, one);
    }
}

static struct cost writes_of(struct costing *c, const struct tree_node *s,
                             const struct tensor_var *tensor)
{
    size_t mark = c->made.n;
    struct cost writes = {0};
    if (s->statement->kind == CIN_ASSIGN)
        return constant(c, s->statement->arg[0]->tensor == tensor);
    if (s->lattice)
        return multiply(c, body_runs(c, s->lattice), writes_of(c, s->whole, tensor));
    if (s->statement->kind == CIN_WHERE)
        push_made(c, s);
    for (int i = 0; i < s->children; i++)
        writes = add(c, writes, writes_of(c, s->child[i], tensor));
    c->made.n = mark;
    return writes;
}

static struct cost where_cost(struct costing *c, const struct tree_node *node)
{
    const struct cin *where = node->statement;
    size_t mark = c->made.n;
    struct cost cost = statement_cost(c, node->child[1]);
    push_made(c, node);
    for (size_t i = mark; i < c->made.n; i++)
        cost = add(c, cost, workspace_cost(c, where->arg[1], &c->made.at[i]));
    cost = add(c, cost, statement_cost(c, node->child[0]));
    c->made.n = mark;
    return cost;
}

static struct cost statement_cost(struct costing *c, const struct tree_node *s)
{
    switch (s->statement->kind) {
    case CIN_ASSIGN: return constant(c, 1);
    case CIN_FORALL: return forall_cost(c, s);
    case CIN_WHERE: return where_cost(c, s);
    case CIN_SEQUENCE:
    case CIN_MULTI: return add(c, statement_cost(c, s->child[0]), statement_cost(c, s->child[1]));
    case CIN_NOTHING:
    case CIN_LITERAL:
    case CIN_ACCESS:
    case CIN_OP: return (struct cost){0};
    }
    return (struct cost){0};
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

/* ---- dimensions that are one ---- */

struct pairs {
    struct cost_pair *at;
    size_t n, capacity;
};

static void add_pair(struct context *cx, struct pairs *pairs, const struct index_var *a,
                     const struct index_var *b)
{
    a = root_of(a);
    b = root_of(b);
    for (size_t i = 0; i < pairs->n; i++) {
        a = pairs->at[i].other == a ? pairs->at[i].var : a;
        b = pairs->at[i].other == b ? pairs->at[i].var : b;
    }
    if (a != b && !(real_size(a) >= 0 && real_size(b) >= 0))
        vec_push(cx->arena, pairs, ((struct cost_pair){a, b}));
}

/* A matrix whose diagonals are stored is about square. */
static void pair_differences(struct context *cx, struct pairs *pairs, const struct cin *access,
                             const struct map_expr *map)
{
    if (map->kind == MAP_SUB && map->a->kind == MAP_MODE && map->b->kind == MAP_MODE)
        add_pair(cx, pairs, access->index[map->a->mode], access->index[map->b->mode]);
    if (map->a)
        pair_differences(cx, pairs, access, map->a);
    if (map->b)
        pair_differences(cx, pairs, access, map->b);
}

static void pair_indices(struct context *cx, struct pairs *pairs, const struct cin *access)
{
    const struct tensor_var *tensor = access->tensor;
    for (int mode = 0; mode < access->indices && tensor->extent; mode++)
        add_pair(cx, pairs, tensor->extent[mode], access->index[mode]);
    for (int level = 0; level < tensor->format->levels; level++)
        pair_differences(cx, pairs, access, tensor->format->level[level].map);
}

struct cost_symbols *plan_symbols(struct context *cx, const struct cin_program *program)
{
    struct cost_symbols *symbols = arena_make(cx->arena, struct cost_symbols);
    struct cin_list read = cin_operands(cx, program->statement),
                    made = cin_assignments(cx, program->statement);
    struct pairs pairs = {0};
    for (size_t i = 0; i < read.n; i++)
        pair_indices(cx, &pairs, read.at[i]);
    for (size_t i = 0; i < made.n; i++)
        pair_indices(cx, &pairs, made.at[i]->arg[0]);
    *symbols = (struct cost_symbols){.cx = cx, .pair = pairs.at, .pairs = (int)pairs.n};
    return symbols;
}

/* The result's arrays below its first levels, where those have all coordinates, are there
 * whatever is stored. */
static struct cost result_cost(struct costing *c, const struct cin *result)
{
    struct cost all = constant(c, 1);
    for (int level = 0; level < result->tensor->format->levels; level++) {
        if (result->tensor->format->level[level].type->stored != LEVEL_ALL)
            break;
        all = multiply(c, all, level_range(c, result, level));
    }
    return scale(c, all, FILL);
}

struct cost plan_cost(struct cost_symbols *symbols, const struct cin_program *program,
                      bool *is_whole)
{
    struct context *cx = symbols->cx;
    const struct cin_program *unfolded =
        program && plan_assembles(cx, program) ? plan_unfold(cx, program) : NULL;
    *is_whole = true;
    if (!unfolded)
        return (struct cost){.impossible = true};
    struct costing c = {.cx = cx, .symbols = symbols, .program = unfolded};
    symbols->used = 0;
    const struct tree *tree = tree_build(cx, unfolded);
    *is_whole = !tree->trouble;
    struct cost cost = statement_cost(&c, tree->root);
    return cost_keep(symbols, add(&c, cost, add(&c, c.once, result_cost(&c, tree->result))));
}
