/* workspace.c - temporary tensors: made by the producer of a where, read by its consumer (thesis
 * 5.4, 6.2).
 *
 * A workspace's format is a format, and its consumer reads it like any operand.  The producer
 * writes in one of four ways:
 *
 *   list      (coo, csr) entries are appended, and sorted before the consumer runs;
 *             workspace_list.c, and on a GPU workspace_twice.c
 *   count     (csr) its loops run twice, where their order is another one; workspace_count.c
 *   insert    (dense, bytemap) every component has its place, found or made at once;
 *             workspace_insert.c
 *   table     (hash) the same, in a hash table that grows; workspace_table.c
 *
 * Of a bytemap each team of a launch has a table; workspace_row.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/workspace/workspace.h"

const struct imp_var *workspace_array(struct kernel *k, enum type type, const char *name,
                                      const struct imp *elements)
{
    struct imp_var *array = kernel_array(k, type, "%s", name);
    array->restricted = true;
    workspace_declare(k, array);
    imp_add(&k->b, imp_alloc(k->cx, array, elements));
    return array;
}

/* ---- a where ---- */

static const struct workspace_way *const ways[] = {
    [WORKSPACE_LIST] = &workspace_list,
    [WORKSPACE_INSERT] = &workspace_insert,
    [WORKSPACE_TABLE] = &workspace_table,
};

/* Do the parts of one parallel loop make all of the workspace, as the producer writes it? */
static bool parts_make_all(struct kernel *k, const struct tree *tree,
                           const struct tree_node *producer, const struct cin *assign)
{
    const struct tensor_var *t = assign->arg[0]->tensor;
    while (producer->statement->kind == CIN_WHERE) {
        bool outer = cin_assigns(producer->statement->arg[0], t),
             inner = cin_assigns(producer->statement->arg[1], t);
        if (outer == inner)
            return false;
        producer = producer->child[inner];
    }
    return producer->statement->kind == CIN_FORALL && cin_parallel(k->program, producer->statement)
           && producer->lattice->points && tree_makes_apart(k->cx, tree, producer, assign);
}

/* Gives each team of a launch its own workspace: those of all teams are in memory, those of a block
 * in what its threads share, or each thread has its own in registers. */
static void own_by_team(struct kernel *k, struct workspace *ws)
{
    const struct tensor_var *t = ws->code.tensor;
    const struct kernel_launch *launch = k->launch;
    if (!launch || kernel_table(k, t))
        return;
    bool shared = t->place == TENSOR_SHARED;
    if (t->place != TENSOR_REGISTER) {
        ws->team = shared ? launch->in_block : launch->team;
        ws->teams = shared ? imp_i64(k->cx, launch->block_teams) : launch->teams;
    }
    if (!workspace_has_places(t->format))
        kernel_refuse(k, launch->tag,
                      "in the loop over %s %s is made, which is a list or a table, and on a GPU "
                      "only dense workspaces are",
                      launch->tag->var->name, t->name);
    else if (tensor_var_is_placed(t) && !format_is_dense(t->format))
        kernel_refuse(k, launch->tag,
                      "of %s it shows which components are written, and flags that say so have no "
                      "place beside the loop over %s but memory",
                      t->name, launch->tag->var->name);
}

/* Places the values in an array of the launch, whose length is a number. */
static void place_values(struct kernel *k, struct workspace *ws)
{
    const struct tensor_var *t = ws->code.tensor;
    bool shared = t->place == TENSOR_SHARED;
    if (!k->launch || !tensor_var_is_placed(t))
        return;
    int64_t length = tensor_var_bytes(t) / (int64_t)type_size(t->type);
    length = length > 0 ? length : 1; /* C has no arrays of nothing */
    length *= shared ? k->launch->block_teams : 1;
    ws->code.values = imp_placed(k->cx, ws->code.values->name, t->type,
                                 shared ? PLACE_SHARED : PLACE_LOCAL, (int)length);
    vec_push(k->cx->arena, &k->launch->placed, imp_declare(k->cx, ws->code.values, NULL));
}

/* Returns the way to write the workspace.  Around launches the list is what these make. */
static const struct workspace_way *way_of(const struct kernel *k, const struct tensor_var *t)
{
    enum workspace_kind kind = workspace_kind(t->format);
    bool launches = k->cx->cuda && cin_gpu(k->program, k->program->statement);
    if (kernel_table(k, t))
        return k->launch->rows->counts ? &workspace_room : &workspace_row;
    return kind == WORKSPACE_LIST && launches && !k->launch ? &workspace_twice : ways[kind];
}

/* Do the loops go over all values of the variable, or over both of its parts? */
static bool go_over(const struct cin_program *program, const struct index_var *const *loop,
                    int loops, const struct index_var *var)
{
    bool is = false;
    for (int i = 0; i < loops; i++)
        is |= loop[i] == var;
    const struct cin_relation *r = is ? NULL : cin_split(program, var);
    return is
           || (r && go_over(program, loop, loops, r->child[0])
               && go_over(program, loop, loops, r->child[1]));
}

/* Does the producer's nest, over nothing but ranges, assign each component? */
static bool assigns_all(struct kernel *k, const struct tree *tree, const struct tree_node *node,
                        const struct cin *access)
{
    const struct index_var *loop[CIN_DEPTH_MAX];
    const struct lattice_iterator *along;
    int loops = 0;
    for (; node->statement->kind == CIN_FORALL && node->children == 1; node = node->child[0]) {
        if (node->lattice->sparse > 0 || !tree_is_counted(k->cx, node, &along))
            return false;
        loop[loops++] = node->statement->index[0];
    }
    bool all = node->statement->kind == CIN_ASSIGN && node->statement->op == OP_NONE
               && node->statement->args == 2 && !cin_kept(node->statement)
               && !tree_needs(k->cx, tree, node).effect;
    for (int i = 0; i < access->indices; i++)
        all = all && go_over(k->program, loop, loops, access->index[i]);
    return all;
}

/* Is all that the consumer reads assigned: do the consumer's loops go through what the producer's
 * do? */
static bool is_covered(struct kernel *k, const struct tree *tree, const struct tree_node *where,
                       const struct cin *made)
{
    struct cin_list read = cin_operands(k->cx, where->statement->arg[0]);
    bool covered = assigns_all(k, tree, where->child[1], made);
    for (size_t i = 0; i < read.n; i++)
        for (int m = 0; m < made->indices && read.at[i]->tensor == made->tensor; m++)
            covered &= index_var_origin(read.at[i]->index[m]) == index_var_origin(made->index[m]);
    return covered;
}

/* Returns a new workspace, with a way to write it. */
static struct workspace *open_workspace(struct kernel *k, const struct workspace *of)
{
    struct workspace *ws = arena_copy(k->cx->arena, of, sizeof *of);
    bool counts = ws->producer && tree_counts_workspace(k->cx, ws->tree, ws->producer);
    ws->code.tensor = ws->assign->arg[0]->tensor;
    ws->ascending = ws->code.tensor->format->levels;
    ws->way = counts       ? &workspace_count
              : ws->placed ? &workspace_place
                           : way_of(k, ws->code.tensor);
    context_assert(k->cx, ws->way);
    own_by_team(k, ws);
    kernel_declare_arrays(k, &ws->code);
    place_values(k, ws);
    vec_push(k->cx->arena, &k->workspaces, ws);
    ws->way->open(k, ws);
    return ws;
}

/* Returns the blocks if they are computed in the result; or NULL. */
static struct placed_blocks *place_blocks(struct kernel *k, const struct scope *scope,
                                          const struct tensor_var *w)
{
    const struct result *r = scope->made;
    const struct tree_node *copy = k->computes && !k->cx->cuda
                                       ? tree_copied_blocks(k->cx, r->tree, scope->place->node, w)
                                       : NULL;
    struct placed_blocks *placed = copy ? arena_make(k->cx->arena, struct placed_blocks) : NULL;
    if (placed)
        *placed = (struct placed_blocks){.to = r->access->tensor, .copy = copy};
    return placed;
}

struct workspace *workspace_open(struct kernel *k, const struct scope *scope,
                                 const struct cin *assign)
{
    const struct tree_node *producer = scope->place->node->child[1];
    const struct tree *tree = scope->made->tree;
    struct workspace ws = {.tree = tree,
                           .assign = assign,
                           .again = scope->known.n > known_none(k->cx, k->program).n,
                           .joined = parts_make_all(k, tree, producer, assign),
                           .covered = is_covered(k, tree, scope->place->node, assign->arg[0]),
                           .listed = workspace_is_listed(k->cx, scope->place->node, assign),
                           .placed = place_blocks(k, scope, assign->arg[0]->tensor)};
    ws.producer = ws.again ? NULL : producer;
    return open_workspace(k, &ws);
}

struct workspace *workspace_open_again(struct kernel *k, const struct workspace *ws)
{
    return open_workspace(
        k, &(struct workspace){.tree = ws->tree, .producer = ws->producer, .assign = ws->assign});
}

void workspace_finish(struct kernel *k, struct workspace *ws)
{
    if (ws->way->finish)
        ws->way->finish(k, ws);
}

void workspace_close(struct kernel *k, struct workspace *ws)
{
    if (ws->way->close)
        ws->way->close(k, ws);
}

/* ---- entries ---- */

enum type workspace_entry_type(const struct kernel *k, const struct workspace *ws, int level)
{
    return ws->way->put ? k->request->coordinates : ws->crd[level]->type;
}

void workspace_put_entry(struct kernel *k, struct workspace *ws, const struct entries *in,
                         const struct imp *entry)
{
    int levels = ws->code.tensor->format->levels;
    const struct imp **coordinate = arena_array(k->cx->arena, const struct imp *, levels);
    for (int level = 0; level < levels; level++)
        coordinate[level] = imp_let(
            &k->b, kernel_var(k, k->request->coordinates, "%s", workspace_var(ws, level)->name),
            imp_load(k->cx, in->crd[level], entry));
    ws->way->put(k, ws, coordinate, ws->assign->op,
                 in->values ? imp_load(k->cx, in->values, entry) : NULL);
}

/* ---- stores ---- */

/* Does the level's coordinate ascend with the loop's if the known coordinates stay?  It does if it
 * is the same, or its part of a split whose outer part is known. */
static bool ascends_with(const struct cin_program *program, const struct known *known,
                         const struct index_var *loop, const struct index_var *var)
{
    const struct cin_relation *r = cin_split(program, loop);
    return var == loop
           || (r && (var == r->child[0] || (var == r->child[1] && known_has(known, r->child[0]))));
}

/* The loops inside the first `outside` of those around.  A loop over positions counts as the loops
 * over their coordinates, if it comes to these in their order. */
struct loops_around {
    const struct index_var **var;
    int n;
};

/* Do the levels store coordinates in order? */
static bool has_order(const struct cin *access, int first, int last)
{
    bool ordered = true;
    for (int level = first; level <= last; level++)
        ordered &= level_ascends(access->tensor->format, level);
    return ordered;
}

static struct loops_around loops_around(const struct kernel *k, const struct scope *scope,
                                        int outside)
{
    const struct cin_program *program = k->program;
    struct loops_around loops = {0};
    loops.var =
        arena_array(k->cx->arena, const struct index_var *, scope->known.n *(1 + LEVELS_MAX));
    for (int i = outside; i < scope->known.n; i++) {
        const struct index_var *var = scope->known.var[i];
        const struct cin_relation *r = cin_positions(program->relation, program->relations, var);
        bool in_order = r && r->child[0] == var && has_order(r->access, r->base, (int)r->size);
        for (int level = r ? r->base : 0; in_order && level <= r->size; level++)
            loops.var[loops.n++] = access_level_var(r->access, level);
        if (!in_order && !scope->known.by[i])
            loops.var[loops.n++] = var;
    }
    return loops;
}

/* Entries that agree in the levels [0, first): do they come in the order of the others?  The loops
 * are gone through, the outermost first.  One that the levels so far tell does not count; any other
 * has to go up through what the next levels store, and nothing that later ones do; or it and the
 * next are the parts of what the next level stores.  The levels before *ascending come in order in
 * any case. */
static bool comes_in_order(const struct kernel *k, const struct workspace *ws,
                           const struct scope *scope, int outside, int first, int *ascending)
{
    int level, levels = ws->code.tensor->format->levels;
    const struct loops_around loops = loops_around(k, scope, outside);
    struct known known = scope->known;
    known.n = outside;
    for (level = 0;
         level < levels && (level < first || known_has(&known, workspace_var(ws, level))); level++)
        if (!known_has(&known, workspace_var(ws, level)))
            known = known_with(k->cx, &known, workspace_var(ws, level));
    *ascending = level;
    for (int i = 0; i < loops.n && level < levels; i++) {
        const struct index_var *loop = loops.var[i];
        if (known_has(&known, loop))
            continue;
        struct known after = known_with(k->cx, &known, loop);
        int next = i;
        if (cin_passes(k->program, loops.var, loops.n, workspace_var(ws, level), &next)) {
            for (; i + 1 < next; i++)
                after = known_with(k->cx, &after, loops.var[i + 1]);
            known = after;
        }
        for (; level < levels; level++) {
            const struct index_var *var = workspace_var(ws, level);
            if (!known_has(&known, var) && !ascends_with(k->program, &known, loop, var))
                break;
            known = known_has(&known, var) ? known : known_with(k->cx, &known, var);
        }
        *ascending = level;
        for (int other = 0; other < after.n; other++)
            if (!known_has(&known, after.var[other]))
                /* the loop, or what it tells, comes before the next level in the order */
                return false;
    }
    return level == levels;
}

/* The last levels whose order is that of the loops, and the first ones: from where on, and before
 * which. */
struct sorted {
    int from, ascending;
};

static struct sorted sorted_levels(const struct kernel *k, const struct workspace *ws,
                                   const struct scope *scope, const struct tree_order *order)
{
    struct sorted sorted = {0};
    int levels = ws->code.tensor->format->levels, ignored;
    if (!order->in_order || !order->distinct)
        return (struct sorted){.from = levels};
    bool all = comes_in_order(k, ws, scope, order->outside, 0, &sorted.ascending);
    while (!all && sorted.from < levels)
        all = comes_in_order(k, ws, scope, order->outside, ++sorted.from, &ignored);
    if (sorted.from <= sorted.ascending)
        sorted.from = 0;
    int turns = format_morton(ws->code.tensor->format); /* no loops have this order */
    if (turns > 0)
        sorted = (struct sorted){.from = sorted.from > turns ? sorted.from : turns};
    return sorted;
}

/* Does each iteration of the loops around reach another component? */
static bool is_distinct(const struct kernel *k, const struct workspace *ws,
                        const struct scope *scope, const struct tree_order *order)
{
    const struct cin *access = ws->assign->arg[0];
    const struct known told = access_told(k->cx, k->program, access);
    bool distinct = order->distinct;
    for (int i = order->outside; i < scope->known.n; i++)
        distinct &= known_has(&told, scope->known.var[i]);
    return distinct;
}

void workspace_note_order(struct workspace *ws, int from, int ascending)
{
    ws->sorted_from = from > ws->sorted_from ? from : ws->sorted_from;
    ws->ascending = ascending < ws->ascending ? ascending : ws->ascending;
}

static void note_order(const struct kernel *k, struct workspace *ws, const struct scope *scope)
{
    const struct tree_order order = tree_order(scope->place, ws->code.tensor);
    struct sorted sorted = sorted_levels(k, ws, scope, &order);
    workspace_note_order(ws, sorted.from, sorted.ascending);
    ws->repeats |= !is_distinct(k, ws, scope, &order);
}

static void store_component(struct kernel *k, const struct scope *scope, struct workspace *ws,
                            const struct cin *assign, const struct imp *value)
{
    ws->assign = assign;
    note_order(k, ws, scope);
    ws->way->store(k, scope, ws, assign->op, value);
}

void workspace_store(struct kernel *k, const struct scope *scope, struct workspace *ws,
                     const struct cin *assign)
{
    struct context *cx = k->cx;
    const struct imp *value = k->computes ? lower_value(k, scope, assign) : NULL;
    if (scope->held.tensor != ws->code.tensor) {
        store_component(k, scope, ws, assign, value);
        return;
    }
    if (scope->held.reg)
        imp_add(&k->b, imp_assign(cx, scope->held.reg, assign->op,
                                  imp_cast(cx, scope->held.reg->type, value)));
    if (scope->held.written)
        imp_add(&k->b, imp_assign(cx, scope->held.written, OP_NONE, imp_true(cx)));
}

/* ---- reductions ---- */

/* Returns the one assignment to a workspace in the loop, if it reduces into one component. */
static const struct cin *held_assign(struct kernel *k, const struct scope *scope,
                                     const struct cin *forall)
{
    struct cin_list made = cin_assignments(k->cx, forall);
    const struct cin *assign = NULL;
    for (size_t i = 0; i < made.n; i++) {
        if (made.at[i]->arg[0]->tensor->order == 0 || !made.at[i]->arg[0]->tensor->temporary)
            continue;
        if (assign)
            return NULL;
        assign = made.at[i];
    }
    if (!assign || assign->op == OP_NONE || !kernel_workspace(k, assign->arg[0]->tensor))
        return NULL;
    for (int i = 0; i < assign->arg[0]->indices; i++)
        if (!scope_coordinate(scope, assign->arg[0]->index[i]))
            return NULL;
    return assign;
}

bool workspace_begin_reduction(struct kernel *k, struct scope *scope, const struct cin *forall)
{
    const struct cin *assign = held_assign(k, scope, forall);
    struct value start;
    if (!assign || scope->held.tensor)
        return false;
    const struct tensor_var *tensor = assign->arg[0]->tensor;
    /* a run that counts has to come to as many entries as the one that stores them */
    const struct workspace_way *way = kernel_workspace(k, tensor)->way;
    bool counts = way == &workspace_twice || way == &workspace_room;
    if ((!k->computes && !counts)
        || !operator_identity(k->cx, assign->op, SIDE_LEFT, tensor->type, &start))
        return false;
    struct imp_var *reg = NULL, *written = NULL;
    if (k->computes) {
        reg = kernel_var(k, tensor->type, "%s_val", tensor->name);
        imp_let(&k->b, reg, imp_literal(k->cx, start));
    }
    if (!format_is_dense(tensor->format)) {
        written = kernel_var(k, TYPE_BOOL, "%s_written", tensor->name);
        imp_let(&k->b, written, imp_int(k->cx, TYPE_BOOL, 0));
    }
    scope->held = (struct held_component){tensor, reg, written};
    return true;
}

void workspace_end_reduction(struct kernel *k, const struct scope *scope,
                             const struct held_component *held, const struct cin *forall)
{
    const struct cin *assign = held_assign(k, scope, forall);
    imp_begin(&k->b);
    store_component(k, scope, kernel_workspace(k, held->tensor), assign,
                    held->reg ? imp_read(k->cx, held->reg) : NULL);
    const struct imp *store = imp_end(&k->b);
    imp_add(&k->b,
            held->written ? imp_if(k->cx, imp_read(k->cx, held->written), store, NULL) : store);
}
