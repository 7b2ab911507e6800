/* result.c - storing the result and assembling its levels (thesis 5.4).
 *
 * A result whose levels all insert (dense) has a place for every component; a store locates it.  Where the loops may
 * leave out components the values are filled with the fill value first; a component that a reduction accumulates is kept
 * in a register; a row that a reduction scatters into is filled when it is reached.
 *
 * Levels that append form groups: one level that branches and the branchless ones below it, which share its positions.
 *
 *     csr       dense | compressed            coo       compressed(nonunique) singleton
 *               i     | group: j                        group: i,j
 *
 * A group's counter is the next free position.  The region of the forall of its last level makes room, lowers its body
 * with that position, and takes it for good if something was stored below it.  Parents that are dense and may be skipped
 * get their empty segments when the next one is reached, and at the end; `filled` counts them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/kernel.h"

enum { FIRST_CAPACITY = 16 };

static const struct format *result_format(const struct kernel *k)
{
    return k->result->tensor->format;
}

static const struct index_var *level_var(const struct kernel *k, int level)
{
    return k->result->index[result_format(k)->level[level].mode];
}

static int level_of(const struct kernel *k, const struct index_var *var)
{
    for (int level = 0; level < result_format(k)->levels; level++)
        if (level_var(k, level) == var)
            return level;
    return -1;
}

bool result_appends(const struct kernel *k)
{
    return k->groups > 0;
}

static const struct imp *position_int(struct kernel *k, const struct imp_var *var, int64_t i)
{
    return imp_int(k->cx, var->type, i);
}

static const struct imp *plus_one(struct kernel *k, const struct imp *e)
{
    return imp_op2(k->cx, OP_ADD, e, imp_int(k->cx, e->type, 1));
}

/* The product of the sizes of the dense levels [first, end), in i64; 1 if there is none. */
static const struct imp *block_size(struct kernel *k, int first, int end)
{
    const struct imp *size = imp_int(k->cx, TYPE_I64, 1);
    for (int level = first; level < end; level++)
        size = imp_op2(k->cx, OP_MUL, size, imp_cast(k->cx, TYPE_I64, kernel_size(k, level_var(k, level))));
    return size;
}

static int group_first(const struct kernel *k, int g)
{
    return g < k->groups ? k->group[g].first : result_format(k)->levels;
}

/* ---- the plan ---- */

static bool refuse_format(struct kernel *k, int level, const char *why)
{
    const struct tensor_var *t = k->result->tensor;
    kernel_refuse(k, DIAG_FORMAT, t, "%s cannot be assembled: level %d (%s) %s", t->name, level + 1,
                  t->format->level[level].type->name, why);
    return false;
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
    for (int level = 0; level < format->levels; level++) {
        const struct level_type *type = format->level[level].type;
        if (type->size)
            continue;
        if (!type->append_coordinate)
            return refuse_format(k, level, "is neither inserted into nor appended to");
        if (joins_group(k, level))
            k->group[k->groups - 1].last = level;
        else if (level_has(&format->level[level], LEVEL_BRANCHLESS))
            return refuse_format(k, level, "has one child for each parent, and the level above would need several");
        else
            k->group[k->groups++] = (struct append_group){.first = level, .last = level};
    }
    return true;
}

/* The variables of the foralls around the assignment to the result, outermost first. */
static bool find_path(const struct kernel *k, const struct cin *cin, struct bound_vars *path)
{
    if (cin->kind == CIN_ASSIGN)
        return cin->arg[0] == k->result;
    if (cin->kind == CIN_FORALL)
        *path = bound_with(path, cin->index[0]);
    for (int i = 0; i < cin->args; i++)
        if (!cin_is_expression(cin->arg[i]) && find_path(k, cin->arg[i], path))
            return true;
    if (cin->kind == CIN_FORALL)
        path->n--;
    return false;
}

/* Appending needs the loops of the levels down to the last that appends outermost and in storage order. */
static bool check_order(struct kernel *k, const struct bound_vars *path)
{
    const struct tensor_var *t = k->result->tensor;
    for (int level = 0; level <= k->group[k->groups - 1].last; level++) {
        const struct index_var *var = level_var(k, level);
        if (level < path->n && path->var[level] == var)
            continue;
        int g = 0;
        while (k->group[g].last < level)
            g++;
        int appended = k->group[g].first > level ? k->group[g].first : level;
        struct diag *d = kernel_refuse(k, DIAG_SCATTER, t, "the components of %s do not come in storage order, and level "
                                       "%d (%s) is appended to", t->name, appended + 1,
                                       t->format->level[appended].type->name);
        if (level < path->n)
            diag_note(k->cx, d, "the loop over %s is outside the loop over %s", path->var[level]->name, var->name);
        diag_help(k->cx, d, "make %s dense, or give its modes the order of the loops", t->name);
        return false;
    }
    return true;
}

void result_plan(struct kernel *k)
{
    const struct tensor_var *t = k->result->tensor;
    struct bound_vars path = {0};
    if (!find_groups(k) || !k->groups)
        return;
    struct cin_list made = cin_assignments(k->cx, k->request->program->statement);
    int stores = 0;
    for (size_t i = 0; i < made.n; i++)
        stores += made.at[i]->arg[0]->tensor == t;
    if (k->request->program->accumulates || stores > 1) {
        struct diag *d = kernel_refuse(k, DIAG_SCATTER, t, "%s is appended to, so it can be assigned once only", t->name);
        diag_help(k->cx, d, "make %s dense", t->name);
        return;
    }
    find_path(k, k->request->program->statement, &path);
    check_order(k, &path);
}

bool result_needs_order(const struct kernel *k, const struct index_var *var)
{
    int level = level_of(k, var);
    if (!k->groups || level < 0 || level > k->group[k->groups - 1].last)
        return false;
    const struct level_format *format = &result_format(k)->level[level];
    return level_has(format, LEVEL_ORDERED) || !format->type->append_coordinate;
}

/* ---- what is certain ---- */

bool result_waits_for(struct kernel *k, const struct cin *where, const struct tensor_var *temporary)
{
    const struct cin *read = cin_access(k->cx, temporary, NULL, 0);
    const struct cin *unwritten = cin_replace(k->cx, where->arg[0], read, cin_literal(k->cx, temporary->fill));
    return k->groups && cin_simplify(k->cx, unwritten) == cin_nothing(k->cx);
}

static bool waits(struct kernel *k, const struct cin *where)
{
    struct cin_list made = cin_assignments(k->cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor->temporary && result_waits_for(k, where, made.at[i]->arg[0]->tensor))
            return true;
    return false;
}

/* Does the statement store a component of the result whenever it runs?  (A loop over no coordinates at all leaves a block
 * of no components.) */
static bool always_stores(struct kernel *k, const struct bound_vars *bound, const struct cin *cin)
{
    if (cin->kind == CIN_WHERE)
        return !waits(k, cin) && always_stores(k, bound, cin->arg[0]);
    if (cin->kind != CIN_FORALL)
        return cin->kind == CIN_ASSIGN;
    const struct lattice *lattice = lattice_build(k->cx, cin->index[0], cin->arg[0], bound);
    struct bound_vars inside = bound_with(bound, cin->index[0]);
    bool stores = cin_uses_var(k->result, cin->index[0]) && lattice_is_full(lattice);
    for (int i = 0; i < lattice->points && stores; i++)
        stores = always_stores(k, &inside, lattice->point[i].body);
    return stores;
}

/* Do the loops reach every parent of a group: every coordinate of the dense levels between `above`, the level that the
 * group before it ends with, and its own first level? */
static bool visits_all(struct kernel *k, const struct bound_vars *bound, const struct cin *cin, int above, int first)
{
    if (cin->kind == CIN_WHERE)
        return !waits(k, cin) && visits_all(k, bound, cin->arg[0], above, first);
    if (cin->kind != CIN_FORALL)
        return cin->kind != CIN_NOTHING;
    int level = level_of(k, cin->index[0]);
    if (level < 0 || level >= first)
        return true;
    const struct lattice *lattice = lattice_build(k->cx, cin->index[0], cin->arg[0], bound);
    struct bound_vars inside = bound_with(bound, cin->index[0]);
    bool visits = level <= above || lattice_is_full(lattice);
    for (int i = 0; i < lattice->points && visits; i++)
        visits = visits_all(k, &inside, lattice->point[i].body, above, first);
    return visits;
}

/* ---- before and after the loops ---- */

static struct level_code result_level(struct kernel *k, int level, const struct imp *parent)
{
    return kernel_level(k, k->result, level, parent, NULL);
}

static const struct imp_var *level_array(struct kernel *k, int level, enum level_array_kind kind)
{
    const struct level_type *type = result_format(k)->level[level].type;
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        if (type->array[i].kind == kind)
            return kernel_code(k, k->result->tensor)->array[level][i];
    return NULL;
}

/* The elements of an array below `positions` positions of a group: a block of dense levels for each, and where the array
 * holds positions itself one more, for the last segment's end. */
static const struct imp *elements_below(struct kernel *k, const struct append_group *g, const struct imp *positions,
                                        bool ends)
{
    int next = group_first(k, (int)(g - k->group) + 1);
    const struct imp *n = imp_op2(k->cx, OP_MUL, imp_cast(k->cx, TYPE_I64, positions), block_size(k, g->last + 1, next));
    return ends ? plus_one(k, n) : n;
}

/* Give, by allocating or resizing, the group's arrays and those that hang below it room for capacity positions. */
static void size_arrays(struct kernel *k, const struct append_group *g,
                        const struct imp *(*size)(struct context *, const struct imp_var *, const struct imp *))
{
    struct context *cx = k->cx;
    const struct imp *capacity = imp_read(cx, g->capacity);
    bool leaf = g == &k->group[k->groups - 1];
    for (int level = g->first; level <= g->last; level++)
        imp_add(&k->b, size(cx, level_array(k, level, LEVEL_COORDINATES), capacity));
    if (!leaf)
        imp_add(&k->b, size(cx, level_array(k, g[1].first, LEVEL_POSITIONS), elements_below(k, g, capacity, true)));
    else if (k->request->computes)
        imp_add(&k->b, size(cx, kernel_code(k, k->result->tensor)->values, elements_below(k, g, capacity, false)));
}

/* A coordinate type that is narrower than the dimension is an overflow. */
static void check_coordinates(struct kernel *k, int level)
{
    struct context *cx = k->cx;
    enum type crd = result_format(k)->level[level].crd;
    const struct imp *size = kernel_size(k, level_var(k, level));
    struct value most = value_highest(crd), widest = value_highest(size->type);
    if (value_double(most) >= value_double(widest) - 1)
        return;
    const struct imp *limit = imp_literal(cx, value_convert(most, TYPE_I64));
    const struct imp *last = imp_op2(cx, OP_SUB, imp_cast(cx, TYPE_I64, size), imp_int(cx, TYPE_I64, 1));
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_GT, last, limit), imp_fail(cx, STATUS_TOO_LARGE), NULL));
}

static void open_group(struct kernel *k, struct append_group *g, bool first)
{
    enum type type = level_position_type(result_format(k)->level[g->first].pos);
    const char *name = k->result->tensor->name;
    struct imp_var *counter = kernel_var(k, type, "p%s%d", name, g->last + 1);
    g->counter = counter;
    imp_let(&k->b, counter, imp_int(k->cx, type, 0));
    g->filled = kernel_var(k, TYPE_I64, "%s%d_filled", name, g->first + 1);
    if (!k->request->assembles)
        return;
    const struct cin *statement = cin_simplify(k->cx, k->request->program->statement);
    g->skips = !visits_all(k, &(struct bound_vars){.n = 0}, statement, first ? -1 : g[-1].last, g->first);
    const struct imp_var *pos = level_array(k, g->first, LEVEL_POSITIONS);
    if (first) /* all levels above are dense: how many parents there are is known */
        imp_add(&k->b, imp_alloc(k->cx, pos, plus_one(k, block_size(k, 0, g->first))));
    imp_add(&k->b, imp_store(k->cx, pos, imp_int(k->cx, TYPE_I64, 0), OP_NONE, imp_int(k->cx, pos->type, 0)));
    for (int level = g->first; level <= g->last; level++)
        check_coordinates(k, level);
    struct imp_var *capacity = kernel_var(k, type, "%s%d_capacity", name, g->last + 1);
    g->capacity = capacity;
    imp_let(&k->b, capacity, imp_int(k->cx, type, FIRST_CAPACITY));
    size_arrays(k, g, imp_alloc);
}

void result_prologue(struct kernel *k)
{
    for (int g = 0; g < k->groups; g++)
        open_group(k, &k->group[g], g == 0);
}

/* Parents up to (not including) end that were skipped have no children. */
static void fill_skipped(struct kernel *k, struct append_group *g, const struct imp *end)
{
    const struct imp_var *pos = level_array(k, g->first, LEVEL_POSITIONS);
    struct context *cx = k->cx;
    const struct imp *from = plus_one(k, imp_read(cx, g->filled)), *to = plus_one(k, imp_cast(cx, TYPE_I64, end));
    imp_add(&k->b, imp_fill(cx, pos, from, to, imp_cast(cx, pos->type, imp_read(cx, g->counter))));
}

static void append_edges(struct kernel *k, struct append_group *g, const struct imp *parent)
{
    struct level_code code = result_level(k, g->first, parent);
    code.format->type->append_edges(&code, parent, NULL, imp_read(k->cx, g->counter));
}

void result_epilogue(struct kernel *k)
{
    for (int i = 0; i < k->groups && k->request->assembles; i++) {
        struct append_group *g = &k->group[i];
        if (g->first == 0)
            append_edges(k, g, imp_int(k->cx, TYPE_I64, 0));
        else if (g->skips && i == 0)
            fill_skipped(k, g, block_size(k, 0, g->first));
    }
}

/* ---- regions ---- */

static struct append_group *group_with_last(struct kernel *k, int level)
{
    for (int g = 0; g < k->groups; g++)
        if (k->group[g].last == level)
            return &k->group[g];
    return NULL;
}

static struct append_group *group_with_first(struct kernel *k, int level)
{
    for (int g = 0; g < k->groups; g++)
        if (k->group[g].first == level)
            return &k->group[g];
    return NULL;
}

/* Room for one more position of the group, and for what hangs below it: twice as much when it is full. */
static void make_room(struct kernel *k, struct append_group *g)
{
    struct context *cx = k->cx;
    enum type type = g->counter->type;
    const struct imp *capacity = imp_read(cx, g->capacity), *most = imp_literal(cx, value_highest(type));
    const struct imp *half = imp_literal(cx, value_int(type, value_highest(type).i / 2));
    const struct imp *twice = imp_op2(cx, OP_MUL, imp_int(cx, type, 2), capacity);
    imp_begin(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_EQ, capacity, most), imp_fail(cx, STATUS_TOO_LARGE), NULL));
    imp_add(&k->b, imp_assign(cx, g->capacity, OP_NONE,
                              imp_select(cx, imp_op2(cx, OP_GT, capacity, half), most, twice)));
    size_arrays(k, g, imp_resize);
    const struct imp *grow = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op2(cx, OP_EQ, imp_read(cx, g->counter), capacity), grow, NULL));
}

void result_make_room(struct kernel *k, struct scope *scope, const struct index_var *var)
{
    struct append_group *g = k->groups ? group_with_last(k, level_of(k, var)) : NULL;
    if (g && k->request->assembles) {
        make_room(k, g);
        scope->has_room = true;
    }
}

/* The dense levels below the position of a leaf group: nothing if there are none. */
static void fill_block(struct kernel *k, const struct imp *position)
{
    struct context *cx = k->cx;
    const struct append_group *leaf = &k->group[k->groups - 1];
    const struct imp *size = block_size(k, leaf->last + 1, result_format(k)->levels);
    const struct imp *first = imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, position), size);
    imp_add(&k->b, imp_fill(cx, kernel_code(k, k->result->tensor)->values, first, imp_op2(cx, OP_ADD, first, size),
                            imp_literal(cx, k->result->tensor->fill)));
}

static void enter_group(struct kernel *k, struct scope *scope, struct result_region *region, const struct cin *body)
{
    struct context *cx = k->cx;
    struct append_group *g = region->group;
    bool leaf = g == &k->group[k->groups - 1];
    int next = group_first(k, (int)(g - k->group) + 1);
    if (k->request->assembles && !scope->has_room)
        make_room(k, g);
    scope->has_room = false;
    scope->result_position = imp_read(cx, g->counter);
    if (!leaf) {
        region->begin = imp_let(&k->b, kernel_var(k, g[1].counter->type, "p%s%d_begin", k->result->tensor->name,
                                                  g[1].last + 1), imp_read(cx, g[1].counter));
        if (next > g->last + 1) {
            const struct imp *block = imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, scope->result_position),
                                              block_size(k, g->last + 1, next));
            imp_add(&k->b, imp_assign(cx, g[1].filled, OP_NONE, block));
        }
        return;
    }
    bool blocks = next > g->last + 1 && k->request->computes;
    if (always_stores(k, &scope->bound, body)) {
        if (blocks)
            fill_block(k, scope->result_position);
        return;
    }
    struct imp_var *produced = kernel_var(k, TYPE_BOOL, "%s%d_stored", k->result->tensor->name, g->last + 1);
    imp_let(&k->b, produced, imp_int(cx, TYPE_BOOL, 0));
    region->produced = scope->produced = produced;
    scope->fills_block = blocks;
}

static void enter_dense(struct kernel *k, struct scope *scope, int level)
{
    const struct imp *found, *parent = scope->result_position;
    struct level_code code = result_level(k, level, parent ? parent : imp_int(k->cx, TYPE_I64, 0));
    const struct imp *position = code.format->type->locate(&code, scope_coordinate(scope, level_var(k, level)), &found);
    if (position->kind != IMP_VAR)
        position = imp_let(&k->b, kernel_var(k, position->type, "%s", code.position_name), position);
    scope->result_position = position;
    struct append_group *below = group_with_first(k, level + 1);
    if (below && k->request->assembles && below->skips)
        fill_skipped(k, below, position);
}

struct result_region result_enter(struct kernel *k, struct scope *scope, const struct index_var *var,
                                  const struct cin *body)
{
    struct result_region region = {.level = level_of(k, var)};
    if (!k->groups || region.level < 0 || region.level > k->group[k->groups - 1].last) {
        region.level = -1;
        return region;
    }
    scope->result_levels = region.level + 1;
    region.group = group_with_last(k, region.level);
    if (region.group)
        enter_group(k, scope, &region, body);
    else if (result_format(k)->level[region.level].type->size)
        enter_dense(k, scope, region.level);
    return region;
}

/* The parents of the next group in this group's block that were skipped at its end. */
static void fill_block_end(struct kernel *k, struct append_group *g)
{
    struct context *cx = k->cx;
    const struct imp *next = plus_one(k, imp_cast(cx, TYPE_I64, imp_read(cx, g->counter)));
    fill_skipped(k, g + 1, imp_op2(cx, OP_MUL, next, block_size(k, g->last + 1, g[1].first)));
}

/* The position is taken: coordinates, and the segment of its children. */
static void append(struct kernel *k, const struct scope *scope, struct append_group *g)
{
    struct context *cx = k->cx;
    const struct imp *position = imp_read(cx, g->counter);
    for (int level = g->first; level <= g->last && k->request->assembles; level++) {
        struct level_code code = result_level(k, level, position);
        code.format->type->append_coordinate(&code, position, scope_coordinate(scope, level_var(k, level)));
    }
    if (k->request->assembles && group_with_first(k, g->last + 1))
        append_edges(k, g + 1, position);
    else if (k->request->assembles && g != &k->group[k->groups - 1] && g[1].skips)
        fill_block_end(k, g);
    imp_add(&k->b, imp_assign(cx, g->counter, OP_ADD, position_int(k, g->counter, 1)));
}

void result_leave(struct kernel *k, const struct scope *scope, const struct result_region *region)
{
    struct context *cx = k->cx;
    if (region->level < 0)
        return;
    if (!region->group) {
        struct append_group *below = group_with_first(k, region->level + 1);
        if (!below || !k->request->assembles || !result_format(k)->level[region->level].type->size)
            return;
        append_edges(k, below, scope->result_position);
        if (below->skips)
            imp_add(&k->b, imp_assign(cx, below->filled, OP_NONE,
                                      plus_one(k, imp_cast(cx, TYPE_I64, scope->result_position))));
        return;
    }
    const struct imp *taken = region->begin ? imp_op2(cx, OP_LT, region->begin, imp_read(cx, region->group[1].counter))
                              : region->produced ? imp_read(cx, region->produced) : NULL;
    imp_begin(&k->b);
    append(k, scope, region->group);
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, taken ? imp_if(cx, taken, block, NULL) : block);
}

/* ---- stores ---- */

/* The position of the component: of an appended result, below what has been resolved. */
static const struct imp *component(struct kernel *k, const struct scope *scope)
{
    const struct imp *found, *position = scope->result_position;
    for (int level = scope->result_levels; level < result_format(k)->levels; level++) {
        struct level_code code = result_level(k, level, position ? position : imp_int(k->cx, TYPE_I64, 0));
        position = code.format->type->locate(&code, scope_coordinate(scope, level_var(k, level)), &found);
    }
    return position ? position : imp_int(k->cx, TYPE_I64, 0);
}

static void store(struct kernel *k, const struct scope *scope, enum op op, const struct imp *value)
{
    const struct imp_var *values = kernel_code(k, k->result->tensor)->values;
    bool fresh = op == OP_NONE && scope->full;
    if (!k->groups && !fresh && !scope->initialised)
        k->needs_fill = true;
    const struct imp *position = component(k, scope);
    enum type wider = type_promote(values->type, value->type);
    if (op != OP_NONE && wider != values->type && op_accepts(op, (enum type[]){wider, wider})) {
        value = imp_op2(k->cx, op, imp_load(k->cx, values, position), value); /* combined in the wider type */
        op = OP_NONE;
    }
    imp_add(&k->b, imp_store(k->cx, values, position, op, value));
}

/* The result has a component here; a block is filled before its first. */
static void note_store(struct kernel *k, const struct scope *scope)
{
    struct context *cx = k->cx;
    const struct imp *set = imp_assign(cx, scope->produced, OP_NONE, imp_true(cx));
    if (!scope->fills_block) {
        imp_add(&k->b, set);
        return;
    }
    imp_begin(&k->b);
    imp_add(&k->b, set);
    fill_block(k, scope->result_position);
    const struct imp *first = imp_end(&k->b);
    imp_add(&k->b, imp_if(cx, imp_op1(cx, OP_NOT, imp_read(cx, scope->produced)), first, NULL));
}

void result_store(struct kernel *k, const struct scope *scope, enum op op, const struct imp *value)
{
    if (scope->produced)
        note_store(k, scope);
    if (!k->request->computes)
        return;
    if (scope->result_register)
        imp_add(&k->b, imp_assign(k->cx, scope->result_register, op, imp_cast(k->cx, scope->result_register->type, value)));
    else
        store(k, scope, op, value);
}

/* ---- reductions ---- */

static bool result_bound(const struct kernel *k, const struct scope *scope)
{
    for (int i = 0; i < k->result->indices; i++)
        if (!bound_has(&scope->bound, k->result->index[i]))
            return false;
    return true;
}

/* The operator with which every store in the statement reduces; OP_NONE if there is none, or not one. */
static enum op reducing_op(struct kernel *k, const struct cin *statement)
{
    struct cin_list made = cin_assignments(k->cx, statement);
    enum op op = OP_NONE;
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0] != k->result)
            continue;
        if (made.at[i]->op == OP_NONE || (op != OP_NONE && made.at[i]->op != op))
            return OP_NONE;
        op = made.at[i]->op;
    }
    return op;
}

/* How many leading levels of the result are bound, if those are all of its variables that are; else -1. */
static int bound_prefix(const struct kernel *k, const struct scope *scope)
{
    int levels = result_format(k)->levels, prefix = 0, bound = 0;
    while (prefix < levels && bound_has(&scope->bound, level_var(k, prefix)))
        prefix++;
    for (int level = 0; level < levels; level++)
        bound += bound_has(&scope->bound, level_var(k, level));
    return bound == prefix ? prefix : -1;
}

/* The loops inside scatter into the components below the bound levels, which are adjacent: fill them now. */
static void fill_row(struct kernel *k, struct scope *scope, int prefix)
{
    struct context *cx = k->cx;
    const struct imp *found, *position = imp_int(cx, TYPE_I64, 0);
    for (int level = 0; level < prefix; level++) {
        struct level_code code = result_level(k, level, position);
        position = code.format->type->locate(&code, scope_coordinate(scope, level_var(k, level)), &found);
    }
    const struct imp *size = block_size(k, prefix, result_format(k)->levels);
    const struct imp *first = imp_op2(cx, OP_MUL, imp_cast(cx, TYPE_I64, position), size);
    imp_add(&k->b, imp_fill(cx, kernel_code(k, k->result->tensor)->values, first, imp_op2(cx, OP_ADD, first, size),
                            imp_literal(cx, k->result->tensor->fill)));
    scope->initialised = true;
}

struct result_reduction result_begin_reduction(struct kernel *k, struct scope *scope, const struct cin *statement)
{
    struct result_reduction none = {0};
    enum op op = reducing_op(k, statement);
    enum type type = k->result->type;
    struct value start;
    if (statement->kind != CIN_FORALL || op == OP_NONE || scope->result_register || !k->request->computes ||
        cin_uses_var(k->result, statement->index[0]))
        return none;
    if (result_bound(k, scope) && op_identity(op, SIDE_LEFT, type, &start)) {
        struct imp_var *reg = kernel_var(k, type, "%s_val", k->result->tensor->name);
        imp_let(&k->b, reg, imp_literal(k->cx, start));
        scope->result_register = reg;
        return (struct result_reduction){reg, scope->once && !scope->initialised && !k->request->program->accumulates};
    }
    int prefix = bound_prefix(k, scope);
    if (!k->groups && !scope->initialised && scope->once && scope->full && prefix >= 0 &&
        !k->request->program->accumulates)
        fill_row(k, scope, prefix);
    return none;
}

void result_end_reduction(struct kernel *k, const struct scope *scope, const struct result_reduction *reduction,
                          enum op op)
{
    if (!reduction->reg)
        return;
    imp_begin(&k->b);
    store(k, scope, reduction->plain ? OP_NONE : op, imp_read(k->cx, reduction->reg));
    const struct imp *block = imp_end(&k->b);
    imp_add(&k->b, scope->produced ? imp_if(k->cx, imp_read(k->cx, scope->produced), block, NULL) : block);
}
