/* units.c - nests of loops on the units of a GPU: what a team of threads can run (thesis 6.6).
 *
 *     forall(b)          gpu_block
 *       forall(w)        gpu_warp
 *         forall(t)      gpu_thread      2, 4, 8, 16 or 32 iterations: that many lanes are a team
 *
 * All threads of a team execute the same statements, but share the iterations of the innermost
 * loop.  The team has as many threads as this loop has iterations, so the length must be known.
 * Each thread finds its iterations without the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/gpu.h"
#include "compiler/tree/parts.h"

static bool is_inside(const struct unit_nest *around, enum cin_unit unit)
{
    while (around && around->tag->unit != unit)
        around = around->outer;
    return around != NULL;
}

/* Says which number of threads is allowed; NULL if this one is. */
static const char *wrong_length(const struct unit_nest *around, int64_t length)
{
    if (is_inside(around, UNIT_GPU_WARP))
        return gpu_is_team(length) ? NULL : "a team in a warp has 2, 4, 8, 16 or 32 threads";
    return gpu_is_block(length) ? NULL : "a block has a multiple of 32 threads, 1024 at most";
}

static bool check_length(struct context *cx, const struct cin_tag *tag,
                         const struct unit_nest *around)
{
    int64_t length = cin_threads(tag);
    const char *why = wrong_length(around, length);
    if (!why)
        return true;
    const char *what = tag->second ? "thread" : "iteration",
               *has = length < 0 ? "a length that is not known"
                                 : arena_printf(cx->arena, "%lld %s%s", (long long)length, what,
                                                length == 1 ? "" : "s");
    struct diag *diag =
        tree_refuse_parallel(cx, tag, "the loop over %s has %s; %s", tag->var->name, has, why);
    if (!tag->second)
        diag_help(cx, diag,
                  "split or bound gives it a length; parallelize(%s, gpu_thread, %s, 32) has 32 "
                  "threads share it, whatever that is",
                  tag->var->name, cin_races_name(tag->races));
    return false;
}

bool tree_is_counted(struct context *cx, const struct tree_node *forall,
                     const struct lattice_iterator **along)
{
    const struct lattice *l = forall->lattice;
    const struct bits *loop;
    int loops = lattice_loops(cx, l, &loop);
    *along = NULL;
    if (l->rest || lattice_is_tied(l) || (!l->flat && loops != 1))
        return false;
    if (!l->flat && bits_empty(loop[0]))
        return true;
    struct bits together = l->flat ? l->iterated : loop[0];
    if (bits_count(together) != 1 || l->dimension)
        return false;
    *along = &l->iterator[bits_first(together)];
    unsigned has = level_effective((*along)->access->tensor->format, (*along)->first);
    return !(has & LEVEL_ORDERED) || ((has & LEVEL_UNIQUE) && !lattice_walks_blocks(*along));
}

bool tree_merges(struct context *cx, const struct tree_node *forall)
{
    const struct lattice *l = forall->lattice;
    const struct lattice_iterator *along;
    bool one = bits_count(bits_or(l->iterated, l->following)) == 1 && !l->dimension && !l->rest;
    return !lattice_is_tied(l) && !one && !tree_is_counted(cx, forall, &along);
}

/* Says why a step of the loop is known only after the step before. */
static const char *why_in_turn(struct context *cx, const struct lattice *l)
{
    struct bits walked = bits_or(l->iterated, l->following);
    const struct lattice_iterator *first =
        bits_empty(walked) ? NULL : &l->iterator[bits_first(walked)];
    const char *name = first ? first->access->tensor->name : "";
    context_assert(cx, first != NULL);
    return arena_printf(cx->arena,
                        lattice_walks_blocks(first) ? "goes along %s in blocks of coordinates"
                                                    : "goes along %s, whose coordinates repeat",
                        name);
}

/* Can each thread of a team find its iterations without the others? */
static bool check_counted(struct context *cx, const struct cin_tag *tag,
                          const struct tree_node *forall)
{
    const struct lattice *l = forall->lattice;
    const struct lattice_iterator *along;
    if (!l->points || lattice_is_tied(l) || tree_is_counted(cx, forall, &along)
        || tree_merges(cx, forall))
        return true;
    tree_refuse_parallel(cx, tag,
                         "the loop over %s %s, so that a step is known only after the one before, "
                         "and threads of a team go through theirs side by side",
                         tag->var->name, why_in_turn(cx, l));
    return false;
}

/* Does the loop combine into one component and do nothing else? */
static bool check_reduction(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                            const struct tree_node *forall)
{
    struct tree_races races = tree_races(cx, tree, forall);
    for (size_t i = 0; i < races.n; i++)
        if (!tree_reduces(forall, races.at[i].assign)) {
            struct diag *diag = tree_refuse_parallel(
                cx, tag, "warp_reduction: the loop over %s combines into several components of %s",
                tag->var->name, races.at[i].assign->arg[0]->tensor->name);
            diag_help(cx, diag, "atomics is for these");
            return false;
        }
    if (!races.n)
        tree_refuse_parallel(cx, tag, "warp_reduction: the loop over %s does not reduce",
                             tag->var->name);
    return races.n > 0;
}

/* ---- components that several parts add to ---- */

/* The foralls from a node down to the assignment, outermost first. */
struct path {
    const struct tree_node *loop[CIN_DEPTH_MAX];
    int n;
};

static void find_path(const struct tree_node *node, const struct cin *assign, struct path *path)
{
    const struct tree_node *inner = node->whole;
    if (node->statement->kind == CIN_FORALL && path->n < CIN_DEPTH_MAX)
        path->loop[path->n++] = node;
    for (int i = 0; i < node->children && !inner; i++)
        if (cin_contains(node->child[i]->statement, assign))
            inner = node->child[i];
    if (inner)
        find_path(inner, assign, path);
}

/* The variables whose values are known as the loops go on. */
struct turns {
    struct context *cx;
    const struct cin_program *program;
    const struct cin *target;
    struct known told; /* by the target's coordinates */
    struct known known;
};

/* Notes that the loops go through all values of the variable.  Is the variable determined by the
 * target, so that the iterations of one component follow each other? */
static bool pass(struct turns *t, const struct index_var *var)
{
    if (!known_has(&t->known, var))
        t->known = known_with(t->cx, &t->known, var);
    return known_has(&t->told, var);
}

static bool is_known(const struct turns *t) { return known_has_access(&t->known, t->target); }

/* Positions go through the coordinates of these levels in turn.  Is the target known before a
 * variable comes that it does not determine? */
static bool pass_positions(struct turns *t, const struct cin_relation *r)
{
    for (int level = (int)r->base; level <= r->size && !is_known(t); level++)
        if (!pass(t, access_level_var(r->access, level)))
            return false;
    return is_known(t);
}

/* Do the loops from this one on go through successive values of the variable, or of the block that
 * the loops around have led to?  Sets *at behind the last of these loops. */
static bool goes_through(const struct turns *t, const struct path *path,
                         const struct index_var *var, int from, int *at)
{
    const struct cin_relation *split = cin_split(t->program, var);
    if (*at < path->n && path->loop[*at]->statement->index[0] == var) {
        ++*at;
        return true;
    }
    if (*at == from && known_has(&t->known, var))
        return true;
    return split && goes_through(t, path, split->child[0], from, at)
           && goes_through(t, path, split->child[1], from, at) && *at > from;
}

/* Returns the relation along whose positions the loops from this one on go, NULL if there is none.
 */
static const struct cin_relation *find_positions(const struct turns *t, const struct path *path,
                                                 int from)
{
    for (int i = 0; i < t->program->relations; i++) {
        const struct cin_relation *r = &t->program->relation[i];
        int at = from;
        if (r->type->positions && goes_through(t, path, r->child[0], from, &at) && at > from)
            return r;
    }
    return NULL;
}

static struct turns begin_turns(struct context *cx, const struct tree *tree,
                                const struct tree_node *forall, const struct cin *target)
{
    return (struct turns){
        cx, tree->program, target,
        access_told_by_levels(cx, tree->program, target, target->tensor->format->levels, NULL),
        forall->around.known};
}

/* Are the iterations that reach one component of the target successive? */
static bool come_in_turn(struct turns *t, const struct path *path)
{
    for (int at = 0; at < path->n && !is_known(t); at++) {
        const struct cin_relation *r = find_positions(t, path, at);
        if (r && !known_has(&t->told, r->child[0]))
            return pass_positions(t, r);
        if (!path->loop[at]->distinct || !pass(t, path->loop[at]->statement->index[0]))
            return false;
    }
    return is_known(t);
}

/* ---- columns ---- */

/* Does each iteration of the loop, over a range, have another column of the target? */
static bool is_column(struct turns *t, const struct tree_node *loop)
{
    const struct lattice_iterator *along;
    return loop->distinct && known_has(&t->told, loop->statement->index[0])
           && !loop->lattice->positions && tree_is_counted(t->cx, loop, &along) && !along;
}

/* Takes the loops over columns, directly inside the path's first loop, out of the path.  Only these
 * and the first loop have units.  For loops in between, the components in registers are loaded
 * before and stored behind.  Returns how many there are, -1 if others have units. */
static int take_columns(struct turns *t, struct path *path, const struct index_var **column)
{
    int n = 0;
    while (1 + n < path->n && is_column(t, path->loop[1 + n])) {
        column[n] = path->loop[1 + n]->statement->index[0];
        t->known = known_with(t->cx, &t->known, column[n++]);
    }
    for (int at = 1 + n; at < path->n; at++) {
        if (cin_parallel(t->program, path->loop[at]->statement))
            return -1;
        path->loop[at - n] = path->loop[at];
    }
    path->n -= n;
    return n;
}

int tree_begun_columns(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                       const struct cin *assign, const struct index_var **column)
{
    struct path path = {.n = 0};
    struct turns whole = begin_turns(cx, tree, forall, assign->arg[0]), t = whole;
    find_path(forall, assign, &path);
    if (come_in_turn(&whole, &path))
        return 0;
    int n = take_columns(&t, &path, column);
    return n > 0 && path.n > 1 && !is_known(&t) && come_in_turn(&t, &path) ? n : -1;
}

/* Does the node's own loop, or one inside, keep components in registers? */
static bool is_kept(struct context *cx, const struct tree *tree, const struct tree_node *node,
                    const struct cin *assign)
{
    const struct cin_tag *tag = cin_parallel(tree->program, node->statement);
    struct tree_races races = {0};
    if (tag && tag->races == RACES_TEMPORARY && !tree_reduces(node, assign))
        races = tree_races(cx, tree, node);
    for (size_t i = 0; i < races.n; i++)
        if (races.at[i].assign == assign)
            return true;
    for (int i = 0; i < node->children; i++)
        if (is_kept(cx, tree, node->child[i], assign))
            return true;
    return false;
}

bool tree_begins(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                 const struct cin *assign)
{
    const struct cin_tag *tag = cin_parallel(tree->program, forall->statement);
    bool array = assign->arg[0]->tensor->order > 0 && !tree_reduces(forall, assign)
                 && !tree_makes_apart(cx, tree, forall, assign);
    return array && cin_unit_is_gpu(tag->unit)
           && (tag->races == RACES_TEMPORARY
               || (tag->races == RACES_IGNORE && is_kept(cx, tree, forall, assign)));
}

static bool is_only(struct context *cx, const struct tree_node *forall, const struct cin *assign)
{
    struct cin_list made = cin_assignments(cx, forall->statement);
    int n = 0;
    for (size_t i = 0; i < made.n; i++)
        n += made.at[i]->arg[0]->tensor == assign->arg[0]->tensor;
    return n == 1;
}

bool tree_check_begun(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                      const struct cin_tag *tag, const struct cin *assign)
{
    const char *name = assign->arg[0]->tensor->name, *loop = tag->var->name;
    const struct index_var *column[CIN_DEPTH_MAX];
    if (is_only(cx, forall, assign) && tree_begun_columns(cx, tree, forall, assign, column) >= 0)
        return true;
    struct diag *diag = tree_refuse_parallel(
        cx, tag,
        "temporary: nothing says that iterations of the loop over %s come to one component of %s "
        "after the other, and a GPU has no copy of %s for each part",
        loop, name, name);
    diag_help(cx, diag, "parallelize(%s, %s, atomics)", loop, cin_unit_name(tag->unit));
    return false;
}

/* ---- workspaces ---- */

/* Caps a number of bytes just above any limit, so that no sum overflows. */
static int64_t at_most_too_much(int64_t bytes)
{
    return bytes > GPU_SHARED_MOST ? GPU_SHARED_MOST + 1 : bytes;
}

/* Adds up what the statement allocates in shared memory, for each warp or thread that has its own.
 * Anything above a block's limit counts as one byte more. */
static int64_t shared_bytes(struct context *cx, const struct cin_program *program,
                            const struct cin *s)
{
    const struct cin_tag *tag = cin_parallel(program, s);
    struct cin_list made =
        s->kind == CIN_WHERE ? cin_assignments(cx, s->arg[1]) : (struct cin_list){0};
    const struct tensor_var *last = NULL;
    int64_t bytes = 0;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *w = made.at[i]->arg[0]->tensor;
        if (w != last && w->place == TENSOR_SHARED && cin_uses_tensor(s->arg[0], w))
            bytes = at_most_too_much(bytes + at_most_too_much(tensor_var_bytes(w)));
        last = w;
    }
    for (int i = 0; i < s->args; i++)
        if (!cin_is_expression(s->arg[i]))
            bytes = at_most_too_much(bytes + shared_bytes(cx, program, s->arg[i]));
    bool each = tag && tag->unit != UNIT_GPU_BLOCK;
    return each ? at_most_too_much(at_most_too_much(tag->var->size) * bytes) : bytes;
}

static bool check_shared(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                         const struct cin *forall)
{
    int64_t bytes = shared_bytes(cx, tree->program, forall);
    if (bytes <= GPU_SHARED_MOST)
        return true;
    tree_refuse_parallel(
        cx, tag, "shared workspaces in the loop over %s have more bytes than the %d of a block",
        tag->var->name, GPU_SHARED_MOST);
    return false;
}

static bool refuse_place(struct context *cx, const struct tensor_var *w, const char *why)
{
    diag_error(cx, DIAG_PRECONDITION, (struct span){0}, "precompute: %s is in %s, %s", w->name,
               w->place == TENSOR_SHARED ? "shared memory" : "registers", why);
    return false;
}

/* Which unit has the workspace that is made here, and may it? */
static bool check_place(struct context *cx, const struct cin_program *program,
                        const struct cin *where, const struct tensor_var *w,
                        const struct unit_nest *around)
{
    const struct cin_tag *inside = cin_gpu(program, where->arg[1]);
    if (w->place == TENSOR_REGISTER && !around)
        return refuse_place(cx, w, "and no loop with a unit of a GPU is around it");
    if (w->place == TENSOR_REGISTER && inside)
        return refuse_place(cx, w,
                            arena_printf(cx->arena,
                                         "and other threads have iterations of the loop over %s, "
                                         "which makes it",
                                         inside->var->name));
    if (w->place != TENSOR_SHARED)
        return true;
    if (!is_inside(around, UNIT_GPU_BLOCK))
        return refuse_place(cx, w, "and no loop of the unit gpu_block is around it");
    for (; around->tag->unit != UNIT_GPU_BLOCK; around = around->outer)
        if (around->tag->var->size <= 0)
            return refuse_place(cx, w,
                                arena_printf(cx->arena,
                                             "one for each iteration of the loop over %s, whose "
                                             "length is not known",
                                             around->tag->var->name));
    return true;
}

bool tree_check_places(struct context *cx, const struct cin_program *program,
                       const struct cin *where, const struct unit_nest *around)
{
    struct cin_list made = cin_assignments(cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *w = made.at[i]->arg[0]->tensor;
        if (cin_uses_tensor(where->arg[0], w) && !check_place(cx, program, where, w, around))
            return false;
    }
    return true;
}

/* ---- a forall and its unit ---- */

bool tree_check_unit(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                     const struct cin_tag *tag, const struct unit_nest *around)
{
    const char *loop = tag->var->name;
    if (around && !cin_unit_nests(around->tag->unit, tag->unit)) {
        tree_refuse_parallel(cx, tag,
                             "the loop over %s, of the unit %s, is inside the loop over "
                             "%s, of the unit %s",
                             loop, cin_unit_name(tag->unit), around->tag->var->name,
                             cin_unit_name(around->tag->unit));
        return false;
    }
    if (tag->races == RACES_WARP && !around) {
        tree_refuse_parallel(cx, tag,
                             "warp_reduction: the loop over %s is in no loop of the unit "
                             "gpu_block or gpu_warp, whose threads could combine",
                             loop);
        return false;
    }
    if (tag->second && !around) {
        tree_refuse_parallel(cx, tag,
                             "the loop over %s is in no loop of the unit gpu_block or gpu_warp, of "
                             "whose threads %lld could share it",
                             loop, (long long)tag->second);
        return false;
    }
    if (around && !check_counted(cx, tag, forall))
        return false;
    if (!tree_check_rows(cx, tree, forall, tag, around != NULL))
        return false;
    if (tag->unit == UNIT_GPU_BLOCK)
        return check_shared(cx, tree, tag, forall->statement);
    if (tag->unit != UNIT_GPU_THREAD || !around)
        return true;
    if (!check_length(cx, tag, around))
        return false;
    return tag->races != RACES_WARP || check_reduction(cx, tree, tag, forall);
}
