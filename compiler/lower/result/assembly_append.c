/* assembly_append.c - a result whose components come in storage order (thesis 5.4).
 *
 * A result whose levels are all located (dense) has a place for every component.  Where the loops
 * may leave out components the values are filled with the fill value first.
 *
 * Levels that append form groups: one level that branches and the branchless ones below it, which
 * share its positions.
 *
 *     csr       dense | compressed            coo       compressed(nonunique) singleton
 *               i     | group: j                        group: i,j
 *
 * A group's counter is the next free position.  The region of the forall of its last level makes
 * room, lowers its body with that position, and takes it for good if something was stored below it.
 * Parents that are dense and may be skipped get their empty segments when the next one is reached,
 * and at the end; `filled` counts them.
 *
 * Levels that insert (hashed, padded, bitmap) store a coordinate wherever its place is.  So that
 * nothing is inserted that no component follows, and the width that some need is known before,
 * their result is the copy of a list, whose every entry is a component; the list is measured first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/format/index_array.h"
#include "compiler/lower/result/result.h"

/* Returns the first level of a group; the number of levels if there is no such group. */
static int group_first(const struct result *r, int g)
{
    return g < r->assembly->groups ? r->assembly->group[g].first : result_format(r)->levels;
}

/* ---- before and after the loops ---- */

typedef const struct imp *size_array(struct context *cx, const struct imp_var *array,
                                     const struct imp *elements);

/* Sizes the arrays of a level that inserts, for this many positions. */
static void size_level(struct kernel *k, const struct result *r, int level,
                       const struct imp *positions, size_array *size)
{
    const struct level_type *type = result_format(r)->level[level].type;
    for (int array = 0; array < LEVEL_ARRAYS; array++)
        if (type->array[array].kind == LEVEL_COORDINATES || type->array[array].kind == LEVEL_FLAGS)
            imp_add(&k->b,
                    size(k->cx, kernel_code(k, r->access->tensor)->array[level][array], positions));
}

/* Sizes the arrays of the levels [first, end), which are not appended to, below this many parents;
 * then the arrays below these: the ends of the next group's segments, or the values. */
static void size_block(struct kernel *k, const struct result *r, int first, int end,
                       const struct imp *parents, size_array *size)
{
    const struct imp *positions = imp_cast(k->cx, TYPE_I64, parents);
    for (int level = first; level < end; level++) {
        positions = kernel_positions(k, r->access, level, level + 1, positions);
        size_level(k, r, level, positions, size);
    }
    if (end < result_format(r)->levels)
        imp_add(&k->b,
                size(k->cx, result_array(k, r, end, LEVEL_POSITIONS), imp_next(k->cx, positions)));
    else if (k->computes)
        imp_add(&k->b, size(k->cx, kernel_code(k, r->access->tensor)->values, positions));
}

/* Allocates or resizes the group's arrays and those below it, with room for capacity positions. */
static void size_arrays(struct kernel *k, const struct result *r, const struct append_group *g,
                        size_array *size)
{
    const struct imp *capacity = imp_read(k->cx, g->capacity);
    for (int level = g->first; level <= g->last; level++)
        imp_add(&k->b, size(k->cx, result_array(k, r, level, LEVEL_COORDINATES), capacity));
    size_block(k, r, g->last + 1, group_first(r, (int)(g - r->group) + 1), capacity, size);
}

/* Clears the positions of the levels [first, end), which are not appended to, below the parents
 * [from, to). */
static void clear_block(struct kernel *k, const struct result *r, int first, int end,
                        const struct imp *from, const struct imp *to)
{
    for (int level = first; level < end; level++) {
        from = kernel_positions(k, r->access, level, level + 1, from);
        to = kernel_positions(k, r->access, level, level + 1, to);
        struct level_code code = result_level(k, r, level, imp_i64(k->cx, 0));
        if (code.format->type->clear)
            code.format->type->clear(&code, from, to);
    }
}

/* Are levels between this group and the next placed before the loops?  (sort_by_slots) */
static bool is_placed(const struct result *r, const struct append_group *g)
{
    return g + 1 < r->group + r->assembly->groups && g[1].slots > 0;
}

/* Has a level in [first, end) positions that no coordinate goes to, because its coordinates follow
 * from those above? */
static bool leaves_out(struct kernel *k, const struct result *r, int first, int end)
{
    const struct known none = known_none(k->cx, k->program);
    bool some = false;
    for (int level = first; level < end; level++)
        some |= !level_has(&result_format(r)->level[level], LEVEL_BRANCHLESS)
                && access_level_follows(k->cx, r->access, level, &none);
    return some;
}

void append_name_group(struct kernel *k, const struct result *r, struct append_group *g,
                       enum type type)
{
    const char *name = r->access->tensor->name;
    int above = g == r->group ? -1 : g[-1].last;
    g->counter = kernel_var(k, type, "p%s%d", name, g->last + 1);
    g->filled = kernel_var(k, TYPE_I64, "%s%d_filled", name, g->first + 1);
    g->skips = leaves_out(k, r, above + 1, g->first)
               || !tree_visits_all(k->cx, r->tree, r->tree->root, above, g->first);
}

static void open_group(struct kernel *k, const struct result *r, struct append_group *g)
{
    g->wide = append_is_wide(k, r, g);
    enum type type =
        g->wide ? TYPE_I64 : level_position_type(result_format(r)->level[g->first].pos);
    const char *name = r->access->tensor->name;
    append_name_group(k, r, g, type);
    imp_let(&k->b, g->counter, imp_int(k->cx, type, 0));
    imp_let(&k->b, g->filled, imp_i64(k->cx, 0));
    struct level_code code = result_level(k, r, g->first, imp_i64(k->cx, 0));
    code.format->type->append_begin(&code);
    struct imp_var *capacity = kernel_var(k, type, "%s%d_capacity", name, g->last + 1);
    capacity->counts = g->wide;
    g->capacity = capacity;
    const struct imp *room = r->way->room(k, r, g);
    capacity->capacity = r->way->grow && !g->fits;
    capacity->positive = room->kind == IMP_LITERAL && room->value.i > 0; /* it only grows */
    imp_let(&k->b, capacity, imp_cast(k->cx, type, room));
    size_arrays(k, r, g, imp_alloc);
    if (is_placed(r, g))
        clear_block(k, r, g->last + 1, g[1].first, imp_i64(k->cx, 0), imp_read(k->cx, capacity));
}

static void declare_turn(struct kernel *k, struct result *r, int level)
{
    if (level >= result_format(r)->levels || !result_format(r)->level[level].type->takes_turns)
        return;
    struct imp_var *turn = kernel_var(k, TYPE_I64, "%s%d_turn", r->access->tensor->name, level + 1);
    imp_let(&k->b, turn, imp_i64(k->cx, 0));
    r->turn[level] = turn;
}

/* Opens the scalars of the levels. */
static void open_scalars(struct kernel *k, const struct result *r)
{
    struct tensor_code *code = kernel_code(k, r->access->tensor);
    for (int level = 0; level < result_format(r)->levels; level++) {
        if (!code->scalar[level])
            continue;
        struct level_code at = result_level(k, r, level, imp_i64(k->cx, 0));
        if (!at.format->type->width) /* it counts positions, which are there from the beginning */
            kernel_check_most(k, at.dimension, index_max(at.format->pos));
        const struct imp *first = at.format->type->width
                                      ? at.format->type->width(&at, r->way->most(k, r, level))
                                      : imp_i64(k->cx, 0);
        imp_let(&k->b, code->scalar[level], imp_cast(k->cx, code->scalar[level]->type, first));
    }
}

/* Opens the levels above the first group, which have one known size. */
static void open_first(struct kernel *k, struct result *r)
{
    int first = group_first(r, 0);
    const struct imp *zero = imp_i64(k->cx, 0), *one = imp_i64(k->cx, 1);
    open_scalars(k, r);
    size_block(k, r, 0, first, one, imp_alloc);
    clear_block(k, r, 0, first, zero, one);
    if (!r->assembly->groups && k->computes)
        imp_add(&k->b, result_fill(k, r, zero, result_block_size(k, r, 0, first)));
}

void append_allocate(struct kernel *k, struct result *r)
{
    open_first(k, r);
    for (int g = 0; g < r->assembly->groups; g++)
        size_arrays(k, r, &r->group[g], imp_alloc);
}

void append_open(struct kernel *k, struct result *r)
{
    result_check_coordinates(k, r);
    append_open_chunk(k, r);
}

void append_open_chunk(struct kernel *k, struct result *r)
{
    open_first(k, r);
    declare_turn(k, r, 0);
    for (int g = 0; g < r->assembly->groups; g++)
        open_group(k, r, &r->group[g]);
}

void append_skip(struct kernel *k, const struct result *r, struct append_group *g,
                 const struct imp *end)
{
    struct context *cx = k->cx;
    struct level_code code = result_level(k, r, g->first, imp_i64(cx, 0));
    code.format->type->append_none(&code, imp_read(cx, g->filled), imp_cast(cx, TYPE_I64, end),
                                   imp_read(cx, g->counter));
}

static void append_edges(struct kernel *k, const struct result *r, struct append_group *g,
                         const struct imp *parent)
{
    struct level_code code = result_level(k, r, g->first, parent);
    code.format->type->append_edges(&code, parent, imp_read(k->cx, g->counter));
}

void append_store_scalars(struct kernel *k, const struct result *r)
{
    const struct tensor_code *code = kernel_code(k, r->access->tensor);
    for (int level = 0; level < result_format(r)->levels; level++) {
        const struct imp_var *array = result_array(k, r, level, LEVEL_SCALAR);
        if (!array)
            continue;
        imp_add(&k->b, imp_alloc(k->cx, array, imp_i64(k->cx, 1)));
        imp_add(&k->b,
                imp_store(k->cx, array, imp_i64(k->cx, 0), OP_NONE,
                          imp_cast(k->cx, array->type, imp_read(k->cx, code->scalar[level]))));
    }
}

/* Adds code that fails if a wide counter has gone beyond what positions count. */
static void check_counted(struct kernel *k, const struct result *r)
{
    const struct imp *any = NULL;
    for (int i = 0; i < r->assembly->groups; i++) {
        const struct append_group *g = &r->group[i];
        int64_t most = append_most(r, g);
        if (!g->wide || most == INT64_MAX)
            continue;
        const struct imp *more =
            imp_op2(k->cx, OP_GT, imp_read(k->cx, g->counter), imp_i64(k->cx, most));
        any = any ? imp_op2(k->cx, OP_OR, any, more) : more;
    }
    if (any)
        imp_add(&k->b, imp_if(k->cx, any, imp_fail(k->cx, STATUS_TOO_LARGE), NULL));
}

void append_close(struct kernel *k, struct result *r)
{
    append_store_scalars(k, r);
    for (int i = 0; i < r->assembly->groups; i++) {
        struct append_group *g = &r->group[i];
        if (g->first == 0)
            append_edges(k, r, g, imp_i64(k->cx, 0));
        else if (g->skips && i == 0)
            append_skip(k, r, g, result_block_size(k, r, 0, g->first));
    }
    check_counted(k, r);
}

/* ---- regions ---- */

static struct append_group *group_with_last(struct result *r, int level)
{
    for (int g = 0; g < r->assembly->groups; g++)
        if (r->group[g].last == level)
            return &r->group[g];
    return NULL;
}

static struct append_group *group_with_first(const struct result *r, int level)
{
    for (int g = 0; g < r->assembly->groups; g++)
        if (r->group[g].first == level)
            return &r->group[g];
    return NULL;
}

/* Returns how many positions there are with n more, as i64 if it may be compared with a limit in a
 * variable. */
static const struct imp *count_needed(struct kernel *k, const struct result *r,
                                      const struct append_group *g, const struct imp *n)
{
    struct context *cx = k->cx;
    const char *name = r->access->tensor->name;
    const struct imp *now = imp_cast(cx, TYPE_I64, imp_read(cx, g->counter)),
                     *needed = imp_op2(cx, OP_ADD, now, imp_cast(cx, TYPE_I64, n));
    return g->wide
               ? needed
               : imp_let(&k->b, kernel_var(k, TYPE_I64, "%s%d_needed", name, g->last + 1), needed);
}

/* Is there no room for this many positions, or (NULL) one more? */
static const struct imp *is_full(struct kernel *k, const struct append_group *g,
                                 const struct imp *needed)
{
    const struct imp *capacity = imp_read(k->cx, g->capacity);
    return needed ? imp_op2(k->cx, OP_LT, imp_cast(k->cx, TYPE_I64, capacity), needed)
                  : imp_op2(k->cx, OP_EQ, imp_read(k->cx, g->counter), capacity);
}

/* Doubles the room, and makes room for n more. */
static void widen_capacity(struct kernel *k, const struct result *r, struct append_group *g,
                           const struct imp *n)
{
    struct context *cx = k->cx;
    const struct imp *twice = imp_op2(cx, OP_MUL, imp_i64(cx, 2), imp_read(cx, g->capacity));
    imp_add(&k->b, imp_assign(cx, g->capacity, OP_NONE,
                              n ? imp_op2(cx, OP_ADD, twice, imp_cast(cx, TYPE_I64, n)) : twice));
    size_arrays(k, r, g, imp_resize);
}

/* Doubles the room, or makes as much as is needed or expected. */
static void double_capacity(struct kernel *k, const struct result *r, const struct scope *scope,
                            struct append_group *g, const struct imp *needed)
{
    kernel_double(k, g->capacity, needed, append_most(r, g));
    if (append_is_last(r, g))
        capacity_expect(k, r, scope, g, needed ? needed : imp_read(k->cx, g->counter));
    size_arrays(k, r, g, imp_resize);
}

void append_grow(struct kernel *k, const struct result *r, const struct scope *scope,
                 struct append_group *g, const struct imp *n)
{
    if (g->fits)
        return;
    const struct imp *needed = n ? count_needed(k, r, g, n) : NULL;
    imp_begin(&k->b);
    if (g->has_all)
        imp_add(&k->b, imp_fail(k->cx, STATUS_TOO_LARGE));
    else if (g->wide)
        widen_capacity(k, r, g, n);
    else
        double_capacity(k, r, scope, g, needed);
    const struct imp *grow = imp_end(&k->b);
    imp_add(&k->b, imp_if(k->cx, is_full(k, g, needed), grow, NULL));
}

bool result_make_room(struct kernel *k, struct result *r, const struct scope *scope,
                      const struct index_var *var, const struct imp *n)
{
    struct append_group *g =
        r->assembly->groups ? group_with_last(r, tree_result_level(r->tree, var)) : NULL;
    if (!g || !r->way->grow)
        return false;
    r->way->grow(k, r, scope, g, n);
    return true;
}

/* Fills the block of the levels below a position of a group that are not appended to. */
void append_fill_block(struct kernel *k, const struct result *r, const struct scope *scope,
                       const struct append_group *g)
{
    int next = group_first(r, (int)(g - r->group) + 1);
    const struct imp *position = imp_read(k->cx, g->counter),
                     *at = imp_cast(k->cx, TYPE_I64, position);
    if (r->way->tallies)
        return;
    if (!is_placed(r, g))
        clear_block(k, r, g->last + 1, next, at, imp_next(k->cx, at));
    if (next < result_format(r)->levels || !k->computes)
        return;
    const struct imp *fill = result_fill_below(k, r, g->last + 1, position);
    bool row = scope->row.target == r->access;
    imp_add(&k->b, row ? mark_fill(k, scope->row.number, fill) : fill);
}

/* Ends code that enters levels below a position that in the end may not be taken.  Such a position
 * would be another part's if this part has no more, so that nothing is stored then.  imp_begin
 * comes before. */
static void end_own(struct kernel *k, const struct append_group *g)
{
    const struct imp *store = imp_end(&k->b);
    const struct imp *own =
        g && g->end ? imp_op2(k->cx, OP_LT, imp_read(k->cx, g->counter), imp_read(k->cx, g->end))
                    : NULL;
    imp_add_all(&k->b, own ? imp_if(k->cx, own, store, NULL) : store);
}

static void enter_group(struct kernel *k, const struct result *r, struct scope *scope,
                        struct result_region *region, const struct tree_node *body, bool has_room)
{
    struct context *cx = k->cx;
    struct append_group *g = region->group;
    bool leaf = g == &r->group[r->assembly->groups - 1];
    int next = group_first(r, (int)(g - r->group) + 1);
    if (!has_room && r->way->grow)
        r->way->grow(k, r, scope, g, NULL);
    scope->result[r->rank].position = imp_read(cx, g->counter);
    if (!leaf) {
        region->begin = imp_let(&k->b,
                                kernel_var(k, g[1].counter->type, "p%s%d_begin",
                                           r->access->tensor->name, g[1].last + 1),
                                imp_read(cx, g[1].counter));
        if (next > g->last + 1) {
            imp_begin(&k->b);
            append_fill_block(k, r, scope, g);
            end_own(k, g);
            const struct imp *block =
                imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, scope->result[r->rank].position),
                        result_block_size(k, r, g->last + 1, next));
            if (g[1].skips && !r->way->tallies)
                imp_add(&k->b, imp_assign(cx, g[1].filled, OP_NONE, block));
        }
        return;
    }
    bool blocks = next > g->last + 1,
         stores = !r->way->grow || tree_always_stores(k->cx, r->tree, body);
    /* levels that are entered are empty before a coordinate is inserted, not before it is stored */
    bool ahead = blocks && (stores || g->last + 1 < r->assembly->entered);
    if (ahead) {
        imp_begin(&k->b);
        append_fill_block(k, r, scope, g);
        end_own(k, stores ? NULL : g);
    }
    if (stores)
        return;
    struct imp_var *produced =
        kernel_var(k, TYPE_BOOL, "%s%d_stored", r->access->tensor->name, g->last + 1);
    imp_let(&k->b, produced, imp_int(cx, TYPE_BOOL, 0));
    region->produced = scope->result[r->rank].produced = produced;
    scope->result[r->rank].none_yet = body;
    scope->result[r->rank].block = blocks && !ahead ? g : NULL;
}

/* Returns the position of a level that is not appended to: where the coordinate is, or is put. */
const struct imp *result_place(struct kernel *k, struct result *r, const struct scope *scope,
                               int level)
{
    const struct imp *found, *parent = scope->result[r->rank].position;
    struct level_code code = result_level(k, r, level, parent ? parent : imp_i64(k->cx, 0));
    const struct imp *coordinate = scope_coordinate(scope, result_var(r, level));
    bool inserted = level == 0 && r->has_inserted;
    if (!code.format->type->insert || inserted)
        return code.format->type->locate(&code, coordinate, &found);
    return code.format->type->insert(&code, coordinate,
                                     r->turn[level] ? imp_read(k->cx, r->turn[level]) : NULL);
}

static void enter_level(struct kernel *k, struct result *r, struct scope *scope, int level)
{
    if (r->way->tallies)
        return;
    const struct imp *position = result_place(k, r, scope, level);
    if (position->kind != IMP_VAR)
        position = imp_let(
            &k->b, kernel_var(k, position->type, "p%s%d", r->access->tensor->name, level + 1),
            position);
    scope->result[r->rank].position = position;
    struct append_group *below = group_with_first(r, level + 1);
    if (!below || !below->skips)
        return;
    imp_begin(&k->b);
    append_skip(k, r, below, position);
    end_own(k, below > r->group ? below - 1 : NULL);
}

/* Is there a level of this number that is located, and whose coordinate is known without a loop of
 * its own? */
static bool follows(const struct result *r, const struct scope *scope, int level)
{
    return level < r->assembly->entered && result_format(r)->level[level].type->size
           && scope_coordinate(scope, result_var(r, level));
}

struct result_region result_enter(struct kernel *k, struct result *r, struct scope *scope,
                                  const struct index_var *var, const struct tree_node *body,
                                  bool has_room)
{
    struct result_region region = {.level = tree_result_level(r->tree, var)};
    if (region.level < 0 || region.level >= r->assembly->entered) {
        region.level = -1;
        return region;
    }
    region.group = group_with_last(r, region.level);
    if (region.group)
        enter_group(k, r, scope, &region, body, has_room);
    else if (result_format(r)->level[region.level].type->size)
        enter_level(k, r, scope, region.level);
    declare_turn(k, r, region.level + 1);
    for (region.last = region.level; follows(r, scope, region.last + 1); region.last++) {
        enter_level(k, r, scope, region.last + 1);
        declare_turn(k, r, region.last + 2);
    }
    scope->result[r->rank].levels = region.last + 1;
    return region;
}

/* Fills the parents of the next group in this group's block that were skipped at its end. */
static void fill_block_end(struct kernel *k, const struct result *r, struct append_group *g)
{
    struct context *cx = k->cx;
    const struct imp *next = imp_next(k->cx, imp_cast(cx, TYPE_I64, imp_read(cx, g->counter)));
    append_skip(k, r, g + 1,
                imp_op2(cx, OP_MUL, next, result_block_size(k, r, g->last + 1, g[1].first)));
}

/* Stores what there is of a position: coordinates, and the segment of its children. */
static void store_position(struct kernel *k, const struct result *r, const struct scope *scope,
                           struct append_group *g)
{
    const struct imp *position = imp_read(k->cx, g->counter);
    for (int level = g->first; level <= g->last; level++) {
        struct level_code code = result_level(k, r, level, position);
        code.format->type->append_coordinate(&code, position,
                                             scope_coordinate(scope, result_var(r, level)));
    }
    if (group_with_first(r, g->last + 1))
        append_edges(k, r, g + 1, position);
    else if (g != &r->group[r->assembly->groups - 1] && g[1].skips)
        fill_block_end(k, r, g);
}

/* Takes the position. */
static void append(struct kernel *k, const struct result *r, const struct scope *scope,
                   struct append_group *g)
{
    if (!r->way->tallies)
        store_position(k, r, scope, g);
    imp_add(&k->b, imp_increment(k->cx, g->counter));
}

/* Stores the segment of a located level's children. */
static void leave_level(struct kernel *k, const struct result *r, const struct scope *scope,
                        int level)
{
    struct append_group *below = group_with_first(r, level + 1);
    if (!below || !result_format(r)->level[level].type->size || r->way->tallies)
        return;
    imp_begin(&k->b);
    append_edges(k, r, below, scope->result[r->rank].position);
    end_own(k, below > r->group ? below - 1 : NULL);
    if (below->skips)
        imp_add(&k->b, imp_assign(k->cx, below->filled, OP_NONE,
                                  imp_next(k->cx, imp_cast(k->cx, TYPE_I64,
                                                           scope->result[r->rank].position))));
}

void result_leave(struct kernel *k, const struct result *r, const struct scope *scope,
                  const struct result_region *region)
{
    struct context *cx = k->cx;
    if (region->level < 0)
        return;
    if (r->turn[region->level])
        imp_add(&k->b, imp_increment(cx, r->turn[region->level]));
    leave_level(k, r, scope, region->last);
    if (!region->group)
        return;
    const struct imp *taken =
        region->begin ? imp_op2(cx, OP_LT, region->begin, imp_read(cx, region->group[1].counter))
        : region->produced ? imp_read(cx, region->produced)
                           : NULL;
    imp_begin(&k->b);
    append(k, r, scope, region->group);
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, taken ? imp_if(cx, taken, block, NULL) : block);
}

/* ---- the way ---- */

void append_store(struct kernel *k, const struct result *r, const struct scope *scope, enum op op,
                  const struct imp *value)
{
    const struct imp *below =
        scope->result[r->rank].position ? scope->result[r->rank].position : imp_i64(k->cx, 0);
    if (value)
        result_store_value(k, r,
                           result_locate(k, r, scope, scope->result[r->rank].levels,
                                         result_format(r)->levels, below),
                           op, value);
}

/* Opens the groups.  Those whose room is counted get it when their loops are there. */
static void open_appending(struct kernel *k, struct result *r)
{
    if (!capacity_is_counted(k, r))
        append_open(k, r);
}

static void begin_appending(struct kernel *k, struct result *r)
{
    if (capacity_is_counted(k, r))
        append_open(k, r);
}

const struct assembly_way assembly_append = {
    .counts = true,
    .open = open_appending,
    .begin = begin_appending,
    .close = append_close,
    .store = append_store,
    .most = append_most_children,
    .room = append_capacity,
    .grow = append_grow,
};
