/* infeasible.c - what keeps a program from being lowered, and who causes it: an operand that the
 * loops cannot iterate or search in the order in which it is stored, or a result that they cannot
 * assemble.
 *
 * A statement is checked in the order in which it is lowered: the result, the positions that
 * literals locate, then the statement from the outside in, producers before consumers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"
#include "compiler/tree/parts.h"

#include <stdarg.h>

struct tree_infeasible *infeasible_new(struct context *cx, enum diag_code code,
                                       const struct tensor_var *tensor, const struct cin *access,
                                       const char *format, ...)
{
    struct tree_infeasible *infeasible = arena_make(cx->arena, struct tree_infeasible);
    va_list args;
    va_start(args, format);
    *infeasible = (struct tree_infeasible){
        tensor, access, {.code = code, .message = arena_vprintf(cx->arena, format, args)}};
    va_end(args);
    return infeasible;
}

static bool rounds(enum type type) { return type_is_float(type) || type_is_complex(type); }

/* Is the converted sum of components the sum of the converted components?  Not for bytes that wrap
 * around, for bools, which do not count, and for floats that are cut to integers. */
static bool adds_alike(enum type component, const struct cin *assign)
{
    enum type target = assign->arg[0]->type;
    return (rounds(component) && rounds(target))
           || (target == component && assign->arg[1]->type == component);
}

bool tree_adds_up(struct context *cx, const struct cin *assign, const struct cin *access)
{
    return cin_distributes(cx, assign->arg[1], access, OP_ADD) && adds_alike(access->type, assign);
}

/* Does the assignment give the same if a component of the access comes in several shares? */
static bool takes_shares(struct context *cx, const struct tree *tree, const struct cin *assign,
                         const struct cin *access)
{
    const struct tensor_var *made = assign->arg[0]->tensor;
    bool lists =
        made->temporary && made->order > 0 && workspace_kind(made->format) == WORKSPACE_LIST;
    if (lists && assign->op == OP_NONE && assign->arg[1] == access)
        /* the list combines entries with the same coordinates */
        return assign->arg[0]->type == access->type;
    bool stores = assign->arg[0] != tree->result || tree->assembly.kind < ASSEMBLY_APPEND;
    return stores && assign->op == OP_ADD && tree_adds_up(cx, assign, access);
}

/* Does the statement only assign each position of the access to the result's same position? */
static bool is_by_position(const struct tree *tree, const struct cin_list *made,
                           const struct lattice_iterator *it)
{
    const struct cin *pattern = tree->assembly.pattern.operand;
    return pattern && lattice_is_at(it, pattern) && made->n == 1
           && made->at[0]->arg[0] == tree->result && made->at[0]->op == OP_NONE;
}

/* Duplicates that are not adjacent are visited one by one.  That is right if the body adds up
 * shares, or if each position has a component of its own. */
static bool adds_shares(struct context *cx, const struct tree *tree, const struct tree_node *forall,
                        const struct lattice_iterator *it)
{
    const struct lattice *lattice = forall->lattice;
    const struct cin *body = forall->statement->arg[0];
    struct cin_list made = cin_assignments(cx, body);
    bool one = lattice->points == 1 && !lattice->dimension && bits_count(lattice->iterated) == 1;
    if (!one || cin_has(body, CIN_WHERE))
        return false;
    if (is_by_position(tree, &made, it))
        return true;
    for (size_t i = 0; i < made.n; i++)
        if (!takes_shares(cx, tree, made.at[i], it->access))
            return false;
    return true;
}

/* ---- loops ---- */

static const struct tree_infeasible *refuse_unordered(struct context *cx,
                                                      const struct lattice_iterator *it)
{
    const struct tensor_var *t = it->access->tensor;
    struct tree_infeasible *infeasible = infeasible_new(
        cx, DIAG_SCATTER, t, it->access,
        "the coordinates of level %d of %s are not ordered, and the result is appended to in order",
        it->first + 1, t->name);
    diag_help(cx, &infeasible->diag,
              t->temporary ? "precompute %s into a list of the same modes, coo"
                           : "sort %s and declare the level ordered",
              t->name);
    return infeasible;
}

static const struct tree_infeasible *refuse_repeated(struct context *cx,
                                                     const struct lattice_iterator *it)
{
    const struct tensor_var *t = it->access->tensor;
    struct tree_infeasible *infeasible =
        infeasible_new(cx, DIAG_LOWER, t, it->access,
                       "level %d of %s may hold a coordinate more than once, in any order, and the "
                       "statement does more than add up %s's components",
                       it->first + 1, t->name, t->name);
    diag_help(cx, &infeasible->diag, "sort %s and declare the level ordered", t->name);
    return infeasible;
}

static const struct tree_infeasible *check_iterators(struct context *cx, const struct tree *tree,
                                                     const struct tree_node *forall)
{
    const struct lattice *lattice = forall->lattice;
    bool ordered = assembly_needs_order(tree, lattice->var);
    for (int i = 0; i < lattice->sparse && !forall->in_order; i++) {
        const struct lattice_iterator *it = &lattice->iterator[i];
        if (!bits_has(lattice->iterated, i) || it->access->tensor->pattern_of)
            continue; /* ... or each position has a component of its own, in any order */
        unsigned has = level_effective(it->access->tensor->format, it->first);
        if (has & LEVEL_ORDERED)
            continue;
        if (ordered)
            return refuse_unordered(cx, it);
        if (!(has & LEVEL_UNIQUE) && !adds_shares(cx, tree, forall, it))
            return refuse_repeated(cx, it);
    }
    return NULL;
}

static const struct tree_infeasible *check_lattice(struct context *cx,
                                                   const struct lattice *lattice)
{
    if (!lattice->infeasible)
        return NULL;
    const struct tensor_var *t = lattice->infeasible->tensor;
    struct tree_infeasible *infeasible =
        infeasible_new(cx, DIAG_CONFLICT, t, lattice->infeasible, "%s cannot be iterated at %s: %s",
                       t->name, lattice->var->name, lattice->why);
    diag_help(cx, &infeasible->diag,
              "store %s with levels that are ordered and unique, or with its modes in the order of "
              "the loops",
              t->before ? t->before->name : t->name);
    return infeasible;
}

/* Positions below a coordinate that the loops do not read from an operand, only from its copy, are
 * searched for from the operand's root.  That needs one position for each coordinate. */
static const struct tree_infeasible *check_positions(struct context *cx, const struct tree *tree,
                                                     const struct cin *forall)
{
    const struct known none = known_none(cx, tree->program);
    const struct cin_relation *r =
        cin_positions(tree->program->relation, tree->program->relations, forall->index[0]);
    if (!r || cin_contains(forall, r->access))
        return NULL;
    for (int level = 0; level < r->base; level++) {
        if (level_can_locate(cx, r->access, level, &none))
            continue;
        struct tree_infeasible *infeasible = infeasible_new(
            cx, DIAG_CONFLICT, r->access->tensor, NULL,
            "%s runs over positions of %s, which its loop does not read, and level %d "
            "of it cannot be searched",
            forall->index[0]->name, r->access->tensor->name, level + 1);
        diag_help(cx, &infeasible->diag, "store %s with levels that are ordered and unique",
                  r->access->tensor->name);
        return infeasible;
    }
    return NULL;
}

/* ---- workspaces ---- */

static const struct tree_infeasible *check_workspaces(struct context *cx, const struct cin *where)
{
    struct cin_list made = cin_assignments(cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        if (!t->temporary || t->order == 0 || workspace_kind(t->format) != WORKSPACE_NONE)
            continue;
        struct tree_infeasible *infeasible = infeasible_new(
            cx, DIAG_FORMAT, t, NULL,
            "the format of the workspace %s is neither a list nor one that is inserted "
            "into in any order",
            t->name);
        diag_help(cx, &infeasible->diag, "workspaces are dense, bytemap, hash, coo or csr");
        return infeasible;
    }
    return NULL;
}

/* ---- statements ---- */

static const struct tree_infeasible *check_node(struct context *cx, const struct tree *tree,
                                                const struct tree_node *node)
{
    const struct tree_infeasible *infeasible = NULL;
    bool backwards = node->statement->kind == CIN_WHERE;
    if (node->lattice) {
        infeasible = check_lattice(cx, node->lattice);
        infeasible = infeasible ? infeasible : check_iterators(cx, tree, node);
        infeasible = infeasible ? infeasible : check_positions(cx, tree, node->statement);
    } else if (backwards) {
        infeasible = check_workspaces(cx, node->statement);
    }
    for (int i = 0; i < node->children && !infeasible; i++)
        if (i == 0 || !node->lattice || node->child[i] != node->child[i - 1])
            infeasible = check_node(cx, tree, node->child[backwards ? node->children - 1 - i : i]);
    return infeasible;
}

/* Positions that literals alone determine are located before any loop. */
static const struct tree_infeasible *check_literals(struct context *cx, const struct tree *tree)
{
    struct cin_list read = cin_operands(cx, tree->program->statement);
    const struct known none = known_none(cx, tree->program);
    for (size_t i = 0; i < read.n; i++) {
        const struct tensor_var *t = read.at[i]->tensor;
        int end = t->temporary ? 0 : access_resolved(read.at[i], &none);
        for (int level = 0; level < end; level++) {
            if (level_can_locate(cx, read.at[i], level, &none))
                continue;
            struct tree_infeasible *infeasible = infeasible_new(
                cx, DIAG_CONFLICT, t, read.at[i],
                "level %d of %s cannot be searched for the coordinate %lld", level + 1, t->name,
                (long long)access_level_var(read.at[i], level)->value);
            diag_help(cx, &infeasible->diag, "store %s with levels that are ordered and unique",
                      t->name);
            return infeasible;
        }
    }
    return NULL;
}

/* A result that is assembled cannot be read before the loops that make it have ended. */
static const struct tree_infeasible *check_results(struct context *cx, const struct tree *tree)
{
    struct cin_list read = cin_operands(cx, tree->program->statement);
    for (size_t i = 0; i < read.n; i++) {
        const struct tensor_var *t = read.at[i]->tensor;
        if (!cin_assigns(tree->program->statement, t) || t->temporary
            || format_assembled(t->format) == 0)
            continue;
        struct tree_infeasible *infeasible = infeasible_new(
            cx, DIAG_SCATTER, t, read.at[i],
            "%s is read in the loops that assemble it, before it is complete", t->name);
        diag_help(cx, &infeasible->diag,
                  "share the loops over all of its modes or no loops, or make it dense");
        return infeasible;
    }
    return NULL;
}

const struct tree_infeasible *infeasible_find(struct context *cx, const struct tree *tree)
{
    if (cin_depth(tree->program->statement) > CIN_DEPTH_MAX) /* unfolding has added loops */
        return infeasible_new(cx, DIAG_LIMIT, tree->program->result, NULL,
                              "more than %d nested loops", CIN_DEPTH_MAX);
    const struct tree_infeasible *infeasible = check_results(cx, tree);
    infeasible = infeasible ? infeasible : check_literals(cx, tree);
    return infeasible ? infeasible : check_node(cx, tree, tree->root);
}

/* ---- reports ---- */

static bool find_access(const struct tin *tin, const struct tensor_var *tensor, struct span *span)
{
    if (tin->kind == TIN_ACCESS && tin->tensor->name == tensor->name) {
        *span = tin->span;
        return true;
    }
    for (int i = 0; i < tin->args; i++)
        if (find_access(tin->arg[i], tensor, span))
            return true;
    return false;
}

void tree_report(struct context *cx, const struct tree *tree, const struct tin *parsed,
                 const char *remedy)
{
    struct span span = {0};
    find_access(parsed, tree->infeasible->tensor, &span);
    struct diag *diag =
        diag_error(cx, tree->infeasible->diag.code, span, "%s", tree->infeasible->diag.message);
    *diag = tree->infeasible->diag;
    diag->span = span;
    if (*remedy)
        diag_help(cx, diag, "add %s to the schedule, as the planner does without {no_plan}",
                  remedy);
}
