/* sizes.c - how many values variables have, and how many children levels.
 *
 * The type of a level says how many children it has below a parent: as many as there are
 * coordinates, one, or some.  For the last there is a symbol (monomial.h), whose number is known of
 * the tensor, or a guess.  Levels of workspaces have the entries that are written to them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/sizes.h"

#include <math.h>

#include "compiler/lattice/access.h"
#include "compiler/target.h"

/* Guesses where nobody says; any tensor has others.  A dimension is large, so that an order in
 * sizes decides before a factor does.  A row has some entries, as most sparse matrices' have, so
 * few that what is dense differs by orders.  Of a root level one coordinate in ten is stored:
 * nobody stores coordinates if nearly all are there. */
static const double SIZE = 1e5, CHILDREN = 10, SHARE = 0.1;

/* ---- sizes ---- */

/* Returns the relation that gives the variable and its range; NULL: it has a range of its own. */
static const struct cin_relation *relation_of(const struct cin_program *program,
                                              const struct index_var *var)
{
    for (int i = 0; i < program->relations; i++)
        for (int k = 0; k < 2; k++)
            if (program->relation[i].child[k] == var)
                return &program->relation[i];
    return NULL;
}

double plan_real_size(const struct index_var *var)
{
    for (const struct index_var *same = var; same; same = same->like)
        if (same->size >= 0 || same->about > 0)
            return (double)size_about(same->size >= 0 ? same->size : same->about);
    return -1;
}

static struct cost dimension(struct cost_symbols *symbols, const struct index_var *var)
{
    double size = plan_real_size(var);
    var = index_var_origin(var);
    for (int i = 0; i < symbols->pairs; i++)
        if (symbols->pair[i].other == var)
            var = symbols->pair[i].var;
    int symbol = cost_find_symbol(symbols, var, -1);
    if (symbol >= 0)
        return cost_of_symbol(symbols, symbol, 0);
    struct cost_symbol made = {.of = var,
                               .level = -1,
                               .name = var->name,
                               .value = size >= 0 ? fmax(1, size) : SIZE,
                               .known = size >= 0};
    return cost_of_symbol(symbols, cost_new_symbol(symbols, made), made.value);
}

static double count(const struct cin_relation *r, int child, int64_t first, int64_t second)
{
    const int64_t parent[2] = {first, second};
    return fmax(1, (double)r->type->values(r, child, parent));
}

/* Returns how many values a relation's child has.  It is tried with larger parents: a product grows
 * with each of them, a sum of the two grows with both. */
static struct cost related_range(struct sizes *s, const struct cin_relation *r, int child)
{
    const int64_t n = 1 << 16;
    if (!r->type->values || !r->parent[0])
        return cost_constant(s->symbols, 1);
    double one = count(r, child, n, n), first = count(r, child, 2 * n, n) / one;
    double both = count(r, child, 2 * n, 2 * n) / one;
    struct cost size = cost_constant(s->symbols, 1);
    if (first > 1.25) {
        size = sizes_of_var(s, r->parent[0]);
        one /= (double)n;
        both /= 2;
    }
    if (r->parent[1] && both > 1.25) {
        size = cost_multiply(s->symbols, size, sizes_of_var(s, r->parent[1]));
        one /= (double)n;
    }
    size = cost_scale(s->symbols, size, one);
    return cost_value(size) < 1 ? cost_constant(s->symbols, 1) : size; /* of short blocks, one */
}

/* Returns how many values the variable has. */
struct cost sizes_of_var(struct sizes *s, const struct index_var *var)
{
    const struct cin_relation *r = relation_of(s->program, var);
    if (var->literal)
        return cost_constant(s->symbols, 1);
    if (!r && var->like)
        return sizes_of_var(s, var->like);
    if (!r)
        return dimension(s->symbols, var);
    return related_range(s, r, var == r->child[1]);
}

bool plan_is_wide(const struct context *cx, const struct index_var *var)
{
    const double value = 8; /* bytes */
    return value * plan_real_size(var) > (double)target_of(cx)->l3;
}

struct cost sizes_of_level(struct sizes *s, const struct cin *access, int level)
{
    return sizes_of_var(s, access_level_var(access, level));
}

/* ---- levels ---- */

static struct made *find_made(struct sizes *s, const struct tensor_var *tensor)
{
    for (size_t i = s->made.n; i-- > 0;)
        if (s->made.at[i].tensor == tensor)
            return &s->made.at[i];
    return NULL;
}

/* Returns how many nodes a workspace has on the level.  Below them may be blocks, of a size that is
 * a number.  If all are full there are as many nodes as the entries fill blocks, if each holds one
 * entry as many as entries; the geometric mean of the two is taken.  There are no more nodes than
 * coordinates. */
struct cost sizes_of_nodes(struct sizes *s, const struct cin *access, int level,
                           struct cost entries)
{
    struct cost room = cost_constant(s->symbols, 1), block = room;
    for (int k = 0; k < access->tensor->format->levels; k++) {
        struct cost size = sizes_of_level(s, access, k);
        if (k <= level)
            room = cost_multiply(s->symbols, room, size);
        else if (cost_is_constant(size))
            block = cost_multiply(s->symbols, block, size);
    }
    return cost_least(cost_scale(s->symbols, entries, 1 / sqrt(cost_value(block))), room);
}

/* Returns the children below one parent of a workspace's level. */
static struct cost list_children(struct sizes *s, const struct cin *access, int level,
                                 struct cost entries)
{
    struct cost own = sizes_of_nodes(s, access, level, entries), one = cost_constant(s->symbols, 1),
                above = level > 0 ? sizes_of_nodes(s, access, level - 1, entries) : one;
    if (level > 0 && cost_value(own) <= cost_value(above))
        return one;
    /* of several terms above is a part of the entries, as is what is below */
    struct cost below = above.terms == 1
                            ? cost_divide(s->symbols, own, above)
                            : cost_constant(s->symbols, cost_value(own) / cost_value(above));
    return cost_least(below, sizes_of_level(s, access, level));
}

static bool is_unique(const struct format *format, int level)
{
    return level_has(&format->level[level], LEVEL_UNIQUE);
}

/* Does the level have some children, of an unknown number? */
static bool has_some(const struct format *format, int level)
{
    enum level_children children = format->level[level].type->stored;
    return children == LEVEL_SOME
           || (children == LEVEL_ONE && level > 0 && !is_unique(format, level - 1));
}

static bool is_difference(const struct sizes *s, const struct index_var *var)
{
    const struct cin_relation *r = relation_of(s->program, var);
    return r && r->type == &relation_difference;
}

static bool is_all(const struct format *format, int levels)
{
    for (int level = 0; level < levels; level++)
        if (format->level[level].type->stored != LEVEL_ALL)
            return false;
    return true;
}

/* Returns the expected number of nodes of a tensor's level; -1: unknown.  If it is not given, it
 * follows from that of the level below, as if coordinates were drawn at random: n entries take D (1
 * - exp(-n / D)) of D nodes. */
static double nodes(struct sizes *s, const struct cin *access, const int64_t *positions, int level)
{
    const struct format *format = access->tensor->format;
    double room = 1;
    for (int k = 0; k <= level; k++)
        room *= cost_value(sizes_of_level(s, access, k));
    if (level < 0 || is_all(format, level + 1))
        return room;
    if (positions[level] >= 0 && (is_unique(format, level) || level + 1 == format->levels))
        return (double)size_about(positions[level]);
    double below = level + 1 < format->levels ? nodes(s, access, positions, level + 1) : -1;
    if (below < 0)
        return -1;
    if (format->level[level + 1].type->stored == LEVEL_ALL)
        return below / cost_value(sizes_of_level(s, access, level + 1));
    if (!has_some(format, level + 1))
        return below;
    return room * -expm1(-below / room);
}

/* Returns the expected number of children below a parent; -1: unknown. */
static double expected_children(struct sizes *s, const struct cin *access, int level)
{
    const struct tensor_var *tensor =
        access->tensor->viewed ? access->tensor->viewed : access->tensor;
    if (!tensor->positions)
        return -1;
    double own = nodes(s, access, tensor->positions, level),
           above = nodes(s, access, tensor->positions, level - 1);
    return own < 0 || above < 0 ? -1 : fmax(1, own) / fmax(1, above);
}

/* Returns how many parents this level has for each coordinate of the largest level above, if the
 * level directly above has all coordinates, whatever is stored below. */
static struct cost crowd(struct sizes *s, const struct cin *access, int level)
{
    struct cost one = cost_constant(s->symbols, 1), parents = one, largest = one;
    if (level == 0 || access->tensor->format->level[level - 1].type->stored != LEVEL_ALL)
        return one;
    for (int above = 0; above < level; above++) {
        struct cost size = sizes_of_level(s, access, above);
        parents = cost_multiply(s->symbols, parents, sizes_of_children(s, access, above));
        largest = cost_value(size) > cost_value(largest) ? size : largest;
    }
    return cost_value(parents) > cost_value(largest) ? cost_divide(s->symbols, parents, largest)
                                                     : one;
}

/* Returns a guess for the children of a level that has some, at most `room`. */
static double some_children(struct sizes *s, const struct cin *access, int level, double room)
{
    if (level > 0 || is_difference(s, access_level_var(access, level)))
        return fmin(room, CHILDREN);
    return fmax(1, SHARE * room);
}

/* Returns the symbol for the children of a level that has some, at most `room`. */
static struct cost children_in(struct sizes *s, const struct cin *access, int level,
                               struct cost room, struct cost parents)
{
    const struct tensor_var *tensor =
        access->tensor->viewed ? access->tensor->viewed : access->tensor;
    int symbol = cost_find_symbol(s->symbols, tensor, level);
    if (symbol >= 0)
        return cost_of_symbol(s->symbols, symbol, 0);
    double expected = expected_children(s, access, level),
           number = expected < 0 ? some_children(s, access, level, cost_value(room))
                                 : expected * cost_value(parents);
    if (cost_is_constant(room))
        return cost_constant(s->symbols, fmin(number, cost_value(room)));
    const char *name = arena_printf(s->cx->arena, "%s.%d", tensor->name, level + 1);
    struct cost_symbol children = {tensor, level, name, number, expected >= 0, room.term[0]};
    return cost_of_symbol(s->symbols, cost_new_symbol(s->symbols, children), number);
}

/* Returns the children of a parent.  Below many positions that are all there, as the blocks of a
 * grid, most have no children.  So the symbol counts children for a coordinate of the grid, not for
 * a block. */
static struct cost stored_children(struct sizes *s, const struct cin *access, int level)
{
    struct cost parents = crowd(s, access, level), size = sizes_of_level(s, access, level),
                room = cost_multiply(s->symbols, size, parents);
    return cost_divide(s->symbols, children_in(s, access, level, room, parents), parents);
}

/* Returns how many coordinates a level has below those of a parent. */
static struct cost coordinates(struct sizes *s, const struct cin *access, int level)
{
    const struct format *format = access->tensor->format;
    const struct made *made = find_made(s, access->tensor);
    if (format->level[level].type->stored == LEVEL_ALL)
        return sizes_of_level(s, access, level);
    if (!has_some(format, level))
        return cost_constant(s->symbols, 1);
    return made ? list_children(s, access, level, made->entries)
                : stored_children(s, access, level);
}

/* May a coordinate come again anywhere, so that each position is a node? */
static bool is_scattered(const struct format *format, int level)
{
    return !(level_effective(format, level) & (LEVEL_ORDERED | LEVEL_UNIQUE));
}

static bool is_one(const struct format *format, int level)
{
    return level < format->levels && format->level[level].type->stored == LEVEL_ONE;
}

struct cost sizes_of_children(struct sizes *s, const struct cin *access, int level)
{
    const struct format *format = access->tensor->format;
    if (level > 0 && is_one(format, level) && is_scattered(format, level - 1))
        return cost_constant(s->symbols, 1);
    struct cost n = coordinates(s, access, level);
    for (; is_one(format, level + 1) && is_scattered(format, level); level++)
        n = cost_multiply(s->symbols, n, coordinates(s, access, level + 1));
    return n;
}

struct cost sizes_of_positions(struct sizes *s, const struct cin *access, int level)
{
    const struct format *format = access->tensor->format;
    struct cost n = sizes_of_children(s, access, level);
    if (format->level[level].type->walks_all && !format->level[level].type->lists)
        return sizes_of_level(s, access, level);
    for (; is_one(format, level + 1) && !is_unique(format, level); level++)
        n = cost_multiply(s->symbols, n, sizes_of_children(s, access, level + 1));
    return n;
}

struct cost sizes_of_masks(struct sizes *s)
{
    const struct cin *statement = s->program->statement;
    struct cin_list read = cin_operands(s->symbols->cx, statement);
    struct cost all = {0};
    for (size_t i = 0; i < read.n; i++) {
        const struct tensor_var *tensor = read.at[i]->tensor;
        struct cost stored = cost_constant(s->symbols, 1);
        if (tensor->temporary || !cin_asks_for(statement, tensor))
            continue;
        for (int level = 0; level < tensor->format->levels; level++)
            stored = cost_multiply(s->symbols, stored, sizes_of_children(s, read.at[i], level));
        all = cost_add(s->symbols, all, stored);
    }
    return all;
}

/* ---- numbers ---- */

double plan_values(struct cost_symbols *symbols, const struct cin_program *program,
                   const struct index_var *var)
{
    struct sizes s = {.cx = symbols->cx, .symbols = symbols, .program = program};
    return cost_value(sizes_of_var(&s, var));
}

/* Returns where levels store functions of the coordinates; a matrix has some in each row. */
static double mapped_stored(struct sizes *s, const struct cin *access)
{
    const struct tensor_var *tensor = access->tensor;
    int last = tensor->format->levels - 1;
    double room = 1, largest = 1;
    for (int k = 0; k < access->indices; k++) {
        double size = cost_value(sizes_of_var(s, access->index[k]));
        room *= size;
        largest = fmax(size, largest);
    }
    bool known = tensor->positions && tensor->positions[last] >= 0;
    return fmin(room, known ? (double)size_about(tensor->positions[last]) : largest * CHILDREN);
}

double plan_stored(struct cost_symbols *symbols, const struct cin_program *program,
                   const struct cin *access)
{
    struct sizes s = {.cx = symbols->cx, .symbols = symbols, .program = program};
    const struct format *format = access->tensor->format;
    double stored = 1;
    if (!format_is_plain(format))
        return mapped_stored(&s, access);
    for (int level = 0; level < format->levels; level++) {
        double size = cost_value(sizes_of_level(&s, access, level));
        stored *= access->tensor->temporary && has_some(format, level)
                      ? some_children(&s, access, level, size)
                      : cost_value(sizes_of_children(&s, access, level));
    }
    return stored;
}

/* ---- dimensions that are one ---- */

struct pairs {
    struct cost_pair *at;
    size_t n, capacity;
};

static void add_pair(struct context *cx, struct pairs *pairs, const struct index_var *a,
                     const struct index_var *b)
{
    a = index_var_origin(a);
    b = index_var_origin(b);
    for (size_t i = 0; i < pairs->n; i++) {
        a = pairs->at[i].other == a ? pairs->at[i].var : a;
        b = pairs->at[i].other == b ? pairs->at[i].var : b;
    }
    if (a != b && !(plan_real_size(a) >= 0 && plan_real_size(b) >= 0))
        vec_push(cx->arena, pairs, ((struct cost_pair){a, b}));
}

/* Adds pairs of modes whose difference is stored: a matrix of diagonals is about square. */
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
