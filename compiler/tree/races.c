/* races.c - finds components that several iterations of a loop write, and decides whether the loop
 * may run in parts (thesis 6.6).
 *
 * An iteration has a component for itself if the component's coordinates determine the loop's.  A
 * workspace of a where inside the loop belongs to the iteration, too.  Several iterations may
 * combine into any other component, or append to it.
 *
 * The thesis also asks that the loop goes along one operand.  That is not needed here: a part of a
 * merge searches every operand for its beginning.  And an operator has to be associative and
 * commutative only if parts combine what they have computed.  Temporaries are combined in the
 * order of the parts, so for these an associative operator is enough.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

#include "compiler/base/gpu.h"
#include "compiler/base/text.h"
#include "compiler/base/vec.h"

/* ---- components of one iteration ---- */

/* Is it the where that makes the temporary? */
static bool makes(const struct cin *cin, void *temporary)
{
    return cin->kind == CIN_WHERE && cin_uses_tensor(cin->arg[0], temporary)
           && cin_assigns(cin->arg[1], temporary);
}

/* Is the temporary made inside the loop? */
static bool is_inside(const struct tree_node *forall, const struct tensor_var *t)
{
    return t->temporary && cin_any(forall->statement->arg[0], makes, (void *)(size_t)t);
}

bool tree_tells(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                const struct cin *target, int end)
{
    const struct known known =
        access_told_by_levels(cx, tree->program, target, end, &forall->around.known);
    return forall->distinct && known_has(&known, forall->statement->index[0]);
}

/* ---- the result ---- */

bool tree_is_atomic(const struct tree *tree, const struct cin *forall)
{
    const struct cin_tag *tag = cin_parallel(tree->program, forall);
    return tag && tag->races == RACES_ATOMICS && !tree_assembles_some(tree);
}

/* Is the component's position known around the loop, so that the loop only adds to a value? */
static bool is_entered(const struct tree *tree, const struct tree_node *forall)
{
    const struct assembly *a = &tree->assembly;
    int levels = tree->result->tensor->format->levels;
    for (int level = 0; level < levels; level++)
        if (!known_has(&forall->around.known, access_level_var(tree->result, level)))
            return false;
    return a->groups > 0 && a->group[a->groups - 1].last == levels - 1;
}

static bool result_appends(struct context *cx, const struct tree *tree,
                           const struct tree_node *forall)
{
    const struct cin *target = tree->result;
    switch (tree->assembly.kind) {
    case ASSEMBLY_PLACE:
    case ASSEMBLY_GIVEN:
    case ASSEMBLY_UPDATE:
    case ASSEMBLY_PATTERN: return false;
    case ASSEMBLY_COUNT:
        if (tree_tells(cx, tree, forall, target, target->tensor->format->levels - 1))
            return false;
        break;
    case ASSEMBLY_APPEND:
    case ASSEMBLY_COPY: break;
    }
    return !is_entered(tree, forall) && tree_parts(cx, tree, forall) == PARTS_NONE;
}

/* ---- races ---- */

/* Has the workspace a place for every component, without flags or lists of those written? */
static bool has_places(const struct format *format)
{
    bool places = true;
    for (int level = 0; level < format->levels; level++)
        places &= tree_is_plain(format->level[level].type);
    return places;
}

bool tree_reduces(const struct tree_node *forall, const struct cin *assign)
{
    return assign->op != OP_NONE && known_has_access(&forall->around.known, assign->arg[0]);
}

bool tree_makes_apart(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                      const struct cin *assign)
{
    const struct tensor_var *t = assign->arg[0]->tensor;
    if (!t->temporary || t->order == 0 || is_inside(forall, t) || has_places(t->format))
        return false;
    return !workspace_has_places(t->format)
           || !tree_tells(cx, tree, forall, assign->arg[0], t->format->levels);
}

/* A part hands over everything below the coordinates that it has touched.  Would it overwrite what
 * another part stores there, since no flag says which components are whose? */
static bool shares(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                   const struct cin *assign)
{
    const struct format *format = assign->arg[0]->tensor->format;
    if (assign->op != OP_NONE || !tree_makes_apart(cx, tree, forall, assign)
        || workspace_kind(format) != WORKSPACE_INSERT)
        return false;
    const struct level_type *last = format->level[format->levels - 1].type;
    bool flags = false;
    for (int i = 0; i < LEVEL_ARRAYS; i++)
        flags |= last->array[i].kind == LEVEL_FLAGS;
    return !flags;
}

bool tree_is_assembled(const struct tree *tree)
{
    switch (tree->assembly.kind) {
    case ASSEMBLY_PLACE:
    case ASSEMBLY_GIVEN:
    case ASSEMBLY_UPDATE:
    case ASSEMBLY_PATTERN: return false;
    case ASSEMBLY_APPEND:
    case ASSEMBLY_COUNT:
    case ASSEMBLY_COPY: break;
    }
    return true;
}

/* Does the loop go along positions of the result's pattern?  Then each component below belongs to
 * one iteration, whatever its coordinates determine. */
static bool goes_by_position(const struct tree *tree, const struct tree_node *forall,
                             const struct cin *assign)
{
    const struct lattice *lattice = forall->lattice;
    const struct cin *pattern = assign->args > 2 ? assign->arg[2] : tree->assembly.pattern.operand;
    bool goes = pattern && assign->arg[0] == tree->result && lattice->points == 1 && !lattice->flat
                && !lattice->rest && !lattice->dimension && bits_count(lattice->iterated) == 1;
    for (int i = 0; i < lattice->sparse && goes; i++)
        goes = !bits_has(lattice->iterated, i) || lattice_is_at(&lattice->iterator[i], pattern);
    return goes;
}

static enum tree_race_kind race_of(struct context *cx, const struct tree *tree,
                                   const struct tree_node *forall, const struct cin *assign)
{
    const struct cin *target = assign->arg[0];
    const struct tensor_var *t = target->tensor;
    const bool lists = t->temporary && t->order > 0 && workspace_kind(t->format) == WORKSPACE_LIST
                       && !tree_reduces(forall, assign);
    const bool outermost = forall->around.known.n == known_none(cx, tree->program).n;
    if ((target == tree->result && result_appends(cx, tree, forall))
        || (lists && cx->cuda && !outermost))
        return RACE_APPENDS;
    if (shares(cx, tree, forall, assign))
        return RACE_SHARES;
    if (tree_tells(cx, tree, forall, target, t->format ? t->format->levels : 0)
        || goes_by_position(tree, forall, assign)
        || (target == tree->result && tree_is_assembled(tree) && !is_entered(tree, forall)))
        return RACE_NONE;
    if (lists) /* a list combines its entries in their order */
        return RACE_NONE;
    return assign->op == OP_NONE ? RACE_STORES : RACE_COMBINES;
}

struct tree_races tree_races(struct context *cx, const struct tree *tree,
                             const struct tree_node *forall)
{
    struct cin_list made = cin_assignments(cx, forall->statement);
    struct tree_races races = {0};
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        if (is_inside(forall, t))
            continue;
        const struct tree *of = tree_of_result(tree, t);
        enum tree_race_kind kind = race_of(cx, of, forall, made.at[i]);
        if (kind != RACE_NONE)
            vec_push(cx->arena, &races, ((struct tree_race){kind, made.at[i]}));
    }
    return races;
}

/* ---- what a directive asks for ---- */

struct diag *tree_refuse_parallel(struct context *cx, const struct cin_tag *tag, const char *format,
                                  ...)
{
    va_list args;
    va_start(args, format);
    const char *why = arena_vprintf(cx->arena, format, args);
    va_end(args);
    return diag_error(cx, DIAG_PRECONDITION, tag->span, "parallelize: %s", why);
}

/* Can the operator's result be kept in the target's type, but for rounding?  A value that is cut to
 * an integer in each step depends on the order of the steps. */
static bool keeps_type(enum type computed, enum type target)
{
    return computed == target || (type_is_float(computed) && type_is_float(target))
           || (type_is_complex(computed) && type_is_complex(target));
}

/* May the results of several parts be combined? */
static bool check_operator(struct context *cx, const struct cin_tag *tag, const struct cin *assign)
{
    struct value identity;
    enum op op = assign->op;
    const char *name = operator_name(cx, op), *lacks = NULL;
    enum type target = assign->arg[0]->type, pair[3] = {target, assign->arg[1]->type},
              computed = operator_compute_type(op, pair);
    bool private = tag->races != RACES_IGNORE || assign->arg[0]->tensor->order == 0;
    if (!op_associative(op))
        lacks = "is not associative";
    else if ((tag->races == RACES_ATOMICS || cin_unit_is_gpu(tag->unit)) && !op_commutative(op))
        lacks = "is not commutative";
    else if (private
             && !operator_identity(cx, op, SIDE_LEFT, assign->arg[0]->tensor->type, &identity))
        lacks = "has no identity to begin with";
    else if (tag->races == RACES_ATOMICS && cin_unit_is_gpu(tag->unit)
             && assign->arg[0]->tensor->order > 0
             && !gpu_can_update(type_size(target), op == OP_ADD || op == OP_SUB))
        lacks = arena_printf(cx->arena,
                             "would change %d bytes at once: a GPU has no such instruction, and of "
                             "a %s adds up the two parts alone",
                             (int)type_size(target), type_name(target));
    else if (!keeps_type(computed, target))
        lacks = arena_printf(cx->arena, "is computed in %s and converted to %s each time",
                             type_name(computed), type_name(target));
    if (!lacks)
        return true;
    tree_refuse_parallel(cx, tag, "iterations of the loop over %s combine into %s by %s, which %s",
                         tag->var->name, assign->arg[0]->tensor->name, name, lacks);
    return false;
}

/* Has the tensor flags that threads of a GPU would set at the same time? */
static bool sets_flags(const struct cin_tag *tag, const struct tensor_var *t)
{
    return cin_unit_is_gpu(tag->unit) && t->temporary && t->order > 0
           && workspace_has_places(t->format) && !format_is_dense(t->format);
}

/* Refuses a loop that appends to a result in the order of its iterations. */
static void refuse_appended(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                            const struct tensor_var *t)
{
    if (t->temporary) {
        tree_refuse_parallel(cx, tag,
                             "entries are appended to %s in the order of the loop over %s: only "
                             "an outermost loop has numbers for those of each iteration",
                             t->name, tag->var->name);
        return;
    }
    struct diag *diag = tree_refuse_parallel(
        cx, tag, "%s is assembled in the order of the loop over %s", t->name, tag->var->name);
    if (tree_has_sorted_slots(tree))
        diag_help(cx, diag,
                  "its order is that of the slots of a hash table; the loop that makes the "
                  "list can be parallel");
    else
        diag_help(cx, diag,
                  "the outermost loop can be parallel if it is over the first level of %s",
                  t->name);
}

/* May several iterations combine into the same component? */
static bool check_combined(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                           const struct tree_node *forall, const struct cin *assign)
{
    const struct tensor_var *t = assign->arg[0]->tensor;
    const char *loop = tag->var->name;
    if (sets_flags(tag, t)) {
        tree_refuse_parallel(cx, tag,
                             "iterations of the loop over %s write the same components of %s, and "
                             "flags that say which are written",
                             loop, t->name);
        return false;
    }
    if (tag->races != RACES_NONE)
        return check_operator(cx, tag, assign)
               && (!tree_begins(cx, tree, forall, assign)
                   || tree_check_begun(cx, tree, forall, tag, assign));
    struct diag *diag = tree_refuse_parallel(
        cx, tag, "no_races: iterations of the loop over %s combine into the same %s", loop,
        t->order > 0   ? arena_printf(cx->arena, "components of %s", t->name)
        : t->temporary ? "temporary"
                       : t->name);
    diag_help(cx, diag,
              cin_unit_is_gpu(tag->unit) ? "parallelize(%s, %s, atomics)"
                                         : "parallelize(%s, %s, temporary), or atomics",
              loop, cin_unit_name(tag->unit));
    return false;
}

static bool check_race(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                       const struct tree_node *forall, const struct tree_race *race)
{
    const struct tensor_var *t = race->assign->arg[0]->tensor;
    switch (race->kind) {
    case RACE_NONE: return true;
    case RACE_COMBINES: return check_combined(cx, tree, tag, forall, race->assign);
    case RACE_APPENDS: refuse_appended(cx, tree, tag, t); break;
    case RACE_STORES:
        tree_refuse_parallel(cx, tag,
                             "iterations of the loop over %s store the same components of %s",
                             tag->var->name, t->name);
        break;
    case RACE_SHARES:
        tree_refuse_parallel(
            cx, tag,
            "iterations of the loop over %s store to %s, whose last level has no flag for each "
            "stored component",
            tag->var->name, t->name);
        break;
    }
    return false;
}

/* Can the loop be divided: can every operand of a merge, and a result with places, be searched for
 * the beginning of a part? */
static bool check_lattice(struct context *cx, const struct cin_tag *tag,
                          const struct lattice *lattice, bool coordinates)
{
    if (lattice_is_tied(lattice)) {
        tree_refuse_parallel(cx, tag, "the loop over %s has one iteration", tag->var->name);
        return false;
    }
    struct bits walked = bits_or(lattice->iterated, lattice->following);
    bool alone = bits_count(walked) == 1 && !lattice->dimension && !lattice->rest && !coordinates;
    for (int bit = 0; bit < lattice->sparse; bit++) {
        const struct lattice_iterator *it = &lattice->iterator[bit];
        if (!bits_has(walked, bit) || alone)
            continue;
        const struct level_type *type = it->access->tensor->format->level[it->first].type;
        bool searched = false;
        for (int i = 0; i < LEVEL_ARRAYS; i++)
            searched |= type->array[i].kind == LEVEL_COORDINATES;
        if (!searched
            || !(level_effective(it->access->tensor->format, it->first) & LEVEL_ORDERED)) {
            tree_refuse_parallel(
                cx, tag, "the loop over %s goes along %s, whose level %d (%s) cannot be searched",
                tag->var->name, it->access->tensor->name, it->first + 1, type->name);
            return false;
        }
    }
    return true;
}

static bool check_forall(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                         const struct tree_node *forall)
{
    struct tree_races races = tree_races(cx, tree, forall);
    for (size_t i = 0; i < races.n; i++)
        if (!check_race(cx, tree, tag, forall, &races.at[i]))
            return false;
    if (tree->program->others > 0 && tree_parts(cx, tree, forall) == PARTS_FILLED) {
        tree_refuse_parallel(cx, tag,
                             "%s is copied from a list in the loop over %s, with other results",
                             tree->result->tensor->name, tag->var->name);
        return false;
    }
    return check_lattice(cx, tag, forall->lattice, tree_parts_have_places(cx, tree, forall));
}

/* Checks every tagged forall in the node together with the tagged foralls around it. */
static bool check_node(struct context *cx, const struct tree *tree, const struct tree_node *node,
                       const struct unit_nest *around)
{
    const struct cin *s = node->statement;
    const struct cin_tag *tag = cin_parallel(tree->program, s);
    const struct unit_nest nest = {tag, around};
    if (tag && cin_unit_is_gpu(tag->unit) && !tree_check_unit(cx, tree, node, tag, around))
        return false;
    if (tag && around && !cin_unit_is_gpu(tag->unit)) {
        tree_refuse_parallel(cx, tag, "the loop over %s is inside a parallel loop", tag->var->name);
        return false;
    }
    if (tag && !check_forall(cx, tree, tag, node))
        return false;
    if (s->kind == CIN_WHERE && !tree_check_places(cx, tree->program, s, around))
        return false;
    for (int i = 0; i < node->children; i++)
        if (!check_node(cx, tree, node->child[i], tag ? &nest : around))
            return false;
    return true;
}

bool tree_check_parallel(struct context *cx, const struct tree *tree)
{
    bool good = true, any = cx->cuda || cin_has_parallel(tree->program, tree->program->statement);
    for (int r = 0; r < tree->results && good && any; r++)
        good = check_node(cx, tree->of[r], tree->of[r]->root, NULL);
    return good;
}

/* ---- as text ---- */

static void print_made_apart(struct context *cx, struct text *out, const struct tree *tree,
                             const struct tree_node *forall)
{
    struct cin_list made = cin_assignments(cx, forall->statement);
    const struct tensor_var *last = NULL;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        if (t != last && tree_makes_apart(cx, tree, forall, made.at[i]))
            text_printf(out,
                        tree_counts_workspace(cx, tree, forall)
                            ? "; each part counts its components of %s, which gives their places"
                            : "; each part makes a part of %s, and these are joined",
                        t->name);
        last = t;
    }
}

/* Says how the race is resolved. */
static const char *race_text(struct context *cx, const struct tree *tree, const struct cin_tag *tag,
                             const struct tree_node *forall, const struct cin *assign)
{
    bool gpu = cin_unit_is_gpu(tag->unit);
    bool array = !tree_reduces(forall, assign) && !tree_makes_apart(cx, tree, forall, assign);
    switch (tag->races) {
    case RACES_NONE:
    case RACES_KINDS: break;
    case RACES_IGNORE: return "is written as if there were no race";
    case RACES_ATOMICS: return "is written by one thread at a time";
    case RACES_WARP: return "is combined among the threads of a team";
    case RACES_TEMPORARY:
        return gpu && array
                   ? "is combined along the parts, and what these have begun in their order"
               : gpu   ? "is computed apart, and combined afterwards"
               : array ? "has a copy in each part but the first, combined in their order"
                       : "has a copy in each part, combined in their order";
    }
    return "";
}

/* Does the loop append to a result in place? */
static bool compacts(struct context *cx, const struct tree *tree, const struct tree_node *forall)
{
    bool some = false;
    for (int r = 0; r < tree->results; r++)
        some |= tree_parts(cx, tree->of[r], forall) == PARTS_COMPACTED;
    return some;
}

/* Says how the parts of the loop assemble the result. */
static void print_parts(struct context *cx, struct text *out, const struct tree *tree,
                        const struct tree_node *forall)
{
    const char *name = tree->result->tensor->name;
    switch (tree_parts(cx, tree, forall)) {
    case PARTS_NONE: break;
    case PARTS_JOINED:
        text_printf(out, "; each part appends to a part of %s, and these are joined", name);
        break;
    case PARTS_COMPACTED:
        text_printf(out, "; each part appends to %s in its own room", name);
        break;
    case PARTS_FILLED:
        text_printf(out, "; entries of %s are counted, which gives the place of each part of %s",
                    tree->assembly.list->name, name);
        break;
    case PARTS_TWICE:
        text_printf(out, "; the loop runs twice: to count the positions of %s, and to store", name);
        break;
    case PARTS_COUNTED:
        text_printf(out, "; each part counts its components of %s, which gives their places", name);
        break;
    }
}

/* Says which unit runs a part of the loop. */
static void print_shares(struct context *cx, struct text *out, const struct tree *tree,
                         const struct cin_tag *tag, const struct tree_node *forall)
{
    static const char *const gpu[UNIT_KINDS] = {"", "blocks", "warps", "threads"};
    if (cin_unit_is_gpu(tag->unit)) {
        text_printf(out, "  the loop over %s, among %s of a GPU", tag->var->name, gpu[tag->unit]);
        return;
    }
    text_printf(out, "  the loop over %s, in parts of %s: ", tag->var->name,
                tag->factor ? arena_printf(cx->arena, "%lld iterations", (long long)tag->factor)
                            : "equal work (iterations and stored components below them)");
    text_add(out, tag->dynamic || compacts(cx, tree, forall) ? "a free thread takes the next part"
                                                             : "each thread gets equally many");
}

static void print_forall(struct context *cx, struct text *out, const struct tree *tree,
                         const struct cin_tag *tag, const struct tree_node *forall)
{
    struct tree_races races = tree_races(cx, tree, forall);
    print_shares(cx, out, tree, tag, forall);
    for (size_t i = 0; i < races.n; i++)
        text_printf(out, "; %s %s", races.at[i].assign->arg[0]->tensor->name,
                    race_text(cx, tree, tag, forall, races.at[i].assign));
    if (!races.n)
        text_add(out, "; there are no races");
    for (int r = 0; r < tree->results; r++)
        print_parts(cx, out, tree->of[r], forall);
    if (!cin_unit_is_gpu(tag->unit))
        print_made_apart(cx, out, tree, forall);
    text_add(out, "\n");
}

static void print_node(struct context *cx, struct text *out, const struct tree *tree,
                       const struct tree_node *node)
{
    const struct cin *s = node->statement;
    const struct cin_tag *tag = cin_parallel(tree->program, s);
    if (tag)
        print_forall(cx, out, tree, tag, node);
    if (node->whole)
        print_node(cx, out, tree, node->whole);
    for (int i = 0; i < node->children && !node->whole; i++)
        print_node(cx, out, tree, node->child[i]);
}

void tree_print_parallel(struct context *cx, struct text *out, const struct tree *tree)
{
    for (int r = 0; r < tree->results && cin_has_parallel(tree->program, tree->program->statement);
         r++) {
        bool is_first = true;
        for (int before = 0; before < r && is_first; before++)
            is_first = tree->of[before]->root != tree->of[r]->root;
        if (is_first)
            print_node(cx, out, tree->of[r], tree->of[r]->root);
    }
}
