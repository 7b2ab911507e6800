/* assembly.c - decides how a result is assembled (thesis 5.4).
 *
 * A result can be appended to if the loops over its levels are the outermost ones, in storage
 * order.  If they are not, the segments of a level below full levels can be counted first; levels
 * that hash or that pad have no other way.  A level that coordinates are inserted into is filled
 * from a list only: every coordinate of the list has a component, so none is inserted in vain.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

static const struct format *result_format(const struct tree *tree)
{
    return tree->program->result->format;
}

static const struct tree_infeasible *refuse_format(struct context *cx, const struct tree *tree,
                                                   int level, const char *why, const char *remedy)
{
    const struct tensor_var *t = tree->program->result;
    struct tree_infeasible *infeasible =
        infeasible_new(cx, DIAG_FORMAT, t, NULL, "%s cannot be assembled: level %d (%s) %s",
                       t->name, level + 1, t->format->level[level].type->name, why);
    diag_help(cx, &infeasible->diag, "%s", remedy);
    return infeasible;
}

/* ---- copies ---- */

/* Returns the list that the whole statement copies: R(i,j) = w(i,j) in foralls alone, where R and w
 * have the same levels and fill.  NULL if the statement is something else. */
static const struct tensor_var *copied_list(const struct tree *tree)
{
    const struct cin *s = cin_copy(tree->program->statement);
    if (!s || s->op != OP_NONE || s->arg[0] != tree->result || s->arg[1]->kind != CIN_ACCESS)
        return NULL;
    const struct cin *list = s->arg[1];
    const struct format *format = list->tensor->format;
    if (!list->tensor->temporary || !workspace_is_list(format)
        || format->levels != result_format(tree)->levels
        || !value_equal(list->tensor->fill, tree->program->result->fill)
        || tree->program->accumulates)
        return NULL;
    for (int level = 0; level < format->levels; level++)
        if (access_level_var(list, level) != result_var(tree, level))
            return NULL;
    return list->tensor;
}

static const struct tree_infeasible *check_copy(struct context *cx, const struct tree *tree)
{
    const struct format *format = result_format(tree);
    for (int level = 0; level < format->levels && tree->assembly.kind != ASSEMBLY_COPY; level++)
        if (format->level[level].type->insert)
            return refuse_format(cx, tree, level,
                                 "is inserted into, and the result is not the copy of a list",
                                 tree->program->others
                                     ? "compute it in a statement of its own"
                                     : "store the result with levels that are appended to, as csr");
    return NULL;
}

/* ---- groups ---- */

static bool joins(const struct format *format, int level, const struct assembly_group *above)
{
    return level_has(&format->level[level], LEVEL_BRANCHLESS) && above && above->last == level - 1
           && !level_has(&format->level[level - 1], LEVEL_UNIQUE);
}

static const struct tree_infeasible *find_groups(struct context *cx, struct tree *tree)
{
    const struct format *format = result_format(tree);
    struct assembly_group *group = arena_array(cx->arena, struct assembly_group, format->levels);
    int slots = 0, n = 0;
    for (int level = 0; level < format->levels; level++) {
        const struct level_type *type = format->level[level].type;
        if (type->insert && !(type->properties & LEVEL_ORDERED))
            slots = level + 1;
        if (type->size)
            continue;
        if (!type->append_coordinate)
            return refuse_format(cx, tree, level, "is neither inserted into nor appended to",
                                 "store the result with other levels");
        if (joins(format, level, n ? &group[n - 1] : NULL))
            group[n - 1].last = level;
        else if (level_has(&format->level[level], LEVEL_BRANCHLESS))
            return refuse_format(
                cx, tree, level,
                "has one child for each parent, and the level above would need several",
                "let the level above be compressed(nonunique)");
        else
            group[n++] = (struct assembly_group){.first = level, .last = level, .slots = slots};
        slots = 0;
    }
    tree->assembly.group = group;
    tree->assembly.groups = n;
    return NULL;
}

/* ---- order ---- */

/* Collects the variables of the foralls around the assignment to the result, outermost first. */
static bool find_path(struct context *cx, const struct tree *tree, const struct cin *cin,
                      struct known *path)
{
    if (cin->kind == CIN_ASSIGN)
        return cin->arg[0] == tree->result;
    if (cin->kind == CIN_FORALL)
        *path = known_with(cx, path, cin->index[0]);
    for (int i = 0; i < cin->args; i++)
        if (!cin_is_expression(cin->arg[i]) && find_path(cx, tree, cin->arg[i], path))
            return true;
    if (cin->kind == CIN_FORALL)
        path->n--;
    return false;
}

/* Returns the first level that the loops do not reach in its turn, and in *loop the loop that
 * stands in its place; tree->assembly.entered if every level is reached.  The coordinates of a
 * level that is located may also follow from those of the levels above. */
static int first_out_of_order(struct context *cx, const struct tree *tree,
                              const struct index_var **loop)
{
    struct known known = known_none(cx, tree->program), path = {0};
    int loops = 0;
    find_path(cx, tree, tree->program->statement, &path);
    *loop = NULL;
    for (int level = 0; level < tree->assembly.entered; level++) {
        if (known_has(&known, result_var(tree, level))
            && result_format(tree)->level[level].type->size)
            continue;
        *loop = loops < path.n ? path.var[loops] : NULL;
        if (!cin_passes(tree->program, path.var, path.n, result_var(tree, level), &loops))
            return level;
        known = known_with(cx, &known, result_var(tree, level));
    }
    return tree->assembly.entered;
}

/* Says why the level is out of turn: its variable has a loop further in, or follows from others. */
static void explain_order(struct context *cx, const struct tree *tree,
                          struct tree_infeasible *infeasible, const struct index_var *var,
                          const struct index_var *loop)
{
    const char *result = tree->program->result->name;
    if (!cin_has_loop(tree->program->statement, var)) {
        diag_note(cx, &infeasible->diag, "there is no loop over %s, which follows from %s",
                  var->name, loop ? loop->name : "other variables");
        diag_help(cx, &infeasible->diag, "make %s dense", result);
        return;
    }
    if (loop)
        diag_note(cx, &infeasible->diag, "the loop over %s is outside the loop over %s", loop->name,
                  var->name);
    diag_help(cx, &infeasible->diag, "make %s dense, or give its modes the order of the loops",
              result);
}

static const struct tree_infeasible *refuse_order(struct context *cx, const struct tree *tree,
                                                  int level, const struct index_var *loop)
{
    const struct tensor_var *t = tree->program->result;
    const struct level_format *format = t->format->level;
    const struct known none = known_none(cx, tree->program);
    int appended = level;
    if (access_level_follows(cx, tree->result, level, &none) && !format[level].type->size)
        return refuse_format(
            cx, tree, level,
            "is appended to, and stores a coordinate that follows from the levels above it",
            "use a level that can be located there: dense, bitmap or hashed");
    while (format[appended].type->size && !format[appended].type->insert)
        appended++;
    struct tree_infeasible *infeasible = infeasible_new(
        cx, DIAG_SCATTER, t, NULL,
        "the components of %s do not come in storage order, and level %d (%s) is appended to",
        t->name, appended + 1, format[appended].type->name);
    explain_order(cx, tree, infeasible, result_var(tree, level), loop);
    return infeasible;
}

static const struct tree_infeasible *check_once(struct context *cx, const struct tree *tree)
{
    const struct tensor_var *t = tree->program->result;
    struct cin_list made = cin_assignments(cx, tree->program->statement);
    int stores = 0;
    for (size_t i = 0; i < made.n; i++)
        stores += made.at[i]->arg[0]->tensor == t;
    if (!tree->program->accumulates && stores <= 1)
        return NULL;
    struct tree_infeasible *infeasible = infeasible_new(
        cx, DIAG_SCATTER, t, NULL, "%s is appended to, so it can be assigned once only", t->name);
    diag_help(cx, &infeasible->diag, "make %s dense", t->name);
    return infeasible;
}

/* Levels in Morton order append blocks as they come, so the loops have to come in that order. */
static const struct tree_infeasible *refuse_turns(struct context *cx, const struct tree *tree)
{
    const struct tensor_var *t = tree->program->result;
    struct tree_infeasible *infeasible = infeasible_new(
        cx, DIAG_SCATTER, t, NULL,
        "the components of %s do not come in Morton order, and level 1 (%s) is appended to in it",
        t->name, t->format->level[0].type->name);
    diag_help(cx, &infeasible->diag, "make %s dense, or leave out morton", t->name);
    return infeasible;
}

/* Takes counting if the loops do not come in storage order. */
static const struct tree_infeasible *check_append_order(struct context *cx, struct tree *tree)
{
    const struct index_var *loop;
    if (!tree_comes_in_turns(tree))
        return refuse_turns(cx, tree);
    int level = first_out_of_order(cx, tree, &loop);
    if (level == tree->assembly.entered)
        return NULL;
    if (cx->cuda || !tree_counts(cx, tree)) /* a GPU copies the result from a sorted list instead */
        return refuse_order(cx, tree, level, loop);
    tree->assembly = (struct assembly){.kind = ASSEMBLY_COUNT};
    return NULL;
}

/* Returns the level that can only be counted, -1 if there is none. */
static int counted_only(const struct format *format)
{
    int level = format->levels - 1;
    while (level >= 0
           && (!format->level[level].type->scan || format->level[level].type->append_coordinate))
        level--;
    return level;
}

static const struct tree_infeasible *check_counted(struct context *cx, struct tree *tree, int level)
{
    const struct tensor_var *t = tree->program->result;
    if (format_counted(t->format) != level)
        return refuse_format(cx, tree, level,
                             "can be made below full levels alone, and above one level alone that "
                             "has one child for each parent",
                             "store the result in another format, and convert it: a tensor that is "
                             "read may have such levels");
    const struct tree_infeasible *once = check_once(cx, tree);
    if (once || tree_counts(cx, tree) || !tree_assigns(tree, tree->program->statement)) {
        tree->assembly = (struct assembly){.kind = ASSEMBLY_COUNT};
        return once;
    }
    struct tree_infeasible *infeasible = infeasible_new(
        cx, DIAG_SCATTER, t, NULL,
        "the components of %s do not come in an order in which level %d (%s) can be counted",
        t->name, level + 1, t->format->level[level].type->name);
    diag_help(cx, &infeasible->diag, "make %s dense", t->name);
    return infeasible;
}

/* An update checks all components before it changes the first.  Results that share loops with
 * others cannot be made in these two steps. */
static const struct tree_infeasible *check_update(struct context *cx, const struct tree *tree)
{
    const struct tensor_var *t = tree->program->result;
    if (tree->program->others == 0)
        return NULL;
    struct tree_infeasible *infeasible =
        infeasible_new(cx, DIAG_SCATTER, t, NULL,
                       "%s is updated where it stores components, and shares no loops with other "
                       "results",
                       t->name);
    diag_help(cx, &infeasible->diag, "leave the loops apart, or make %s dense", t->name);
    return infeasible;
}

const struct tree_infeasible *assembly_find(struct context *cx, struct tree *tree)
{
    struct assembly *a = &tree->assembly;
    if (tensor_var_is_updated(tree->program->result)) {
        a->kind = ASSEMBLY_UPDATE;
        return check_update(cx, tree);
    }
    if (tree->at) {
        a->kind = ASSEMBLY_GIVEN;
        if (!tree->at->tensor->pattern_of)
            a->pattern = pattern_find(cx, tree);
        return NULL;
    }
    a->entered = format_assembled(result_format(tree));
    a->list = a->entered ? copied_list(tree) : NULL;
    a->kind = a->list ? ASSEMBLY_COPY : a->entered ? ASSEMBLY_APPEND : ASSEMBLY_PLACE;
    int counted = counted_only(result_format(tree));
    if (counted >= 0)
        return check_counted(cx, tree, counted);
    const struct tree_infeasible *infeasible = find_groups(cx, tree);
    if (infeasible || !a->entered || !tree_assigns(tree, tree->program->statement))
        return infeasible;
    infeasible = check_copy(cx, tree);
    infeasible = infeasible ? infeasible : check_once(cx, tree);
    if (!infeasible && a->kind == ASSEMBLY_APPEND && tree->program->others == 0)
        a->pattern = pattern_find(cx, tree);
    if (a->pattern.operand) {
        a->kind = ASSEMBLY_PATTERN;
        a->entered = 0;
        return NULL;
    }
    return infeasible ? infeasible : check_append_order(cx, tree);
}

bool assembly_needs_order(const struct tree *tree, const struct index_var *var)
{
    int level = tree_part_level(tree, var);
    if (level < 0 || level >= tree->assembly.entered)
        return false;
    const struct level_format *format = &result_format(tree)->level[level];
    return level_has(format, LEVEL_ORDERED) || !format->type->append_coordinate;
}
