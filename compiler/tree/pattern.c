/* pattern.c - results that have the pattern of an operand, whatever the values are.
 *
 *     C(i,j) = 2 * A(i,j)                  A's pattern
 *     C(i,j) = S(i,j) * A(i,k) * B(j,k)    S's, if k has a value at all; else C is empty
 *     C(i,j) = A(i,j) / sum(k, A(i,k))     A's, since an empty sum gives a quotient, too
 *
 * Such a result is not assembled: the operand's arrays are copied, and each value is stored at the
 * operand's position.  The loops go along the operand's levels, or along its positions, all of
 * them or in blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

#include "compiler/base/vec.h"

/* Does the format have a component at every position, and no coordinates twice?  Full levels do,
 * and so do lists of coordinates, in any order. */
static bool keeps_positions(const struct format *format)
{
    int last = format->levels - 1;
    bool keeps = last >= 0 && format_is_plain(format) && !format_is_dense(format)
                 && level_has(&format->level[last], LEVEL_UNIQUE)
                 && (level_effective(format, last) & LEVEL_UNIQUE);
    for (int level = 0; level <= last && keeps; level++)
        keeps = level_has(&format->level[level], LEVEL_FULL)
                || (format->level[level].type->append_coordinate
                    && !format->level[level].type->occupied);
    return keeps;
}

/* Has the operand the result's format, and the same place in the loops? */
static bool is_alike(const struct cin *access, const struct cin *target)
{
    return !access->tensor->temporary && !access->tensor->before && access_is_like(access, target);
}

/* Does the loop visit each component that the access has on this level, and nothing else? */
static bool visits(const struct lattice *lattice, const struct cin *access, int level)
{
    if (lattice->points != 1 || lattice->flat || lattice->dimension != !lattice->sparse)
        return false;
    bool all = level_has(&access->tensor->format->level[level], LEVEL_FULL);
    return lattice->guards == 0
           && ((lattice->sparse == 0 && all)
               || (lattice->sparse == 1 && bits_has(lattice->iterated, 0)
                   && lattice_is_at(&lattice->iterator[0], access)));
}

/* Returns the relation by which the loop, or the loop that it is a block of, runs over all
 * positions of the access, each of them a component; NULL if there is none. */
static const struct cin_relation *positions_of(const struct cin_program *program,
                                               const struct index_var *var,
                                               const struct cin *access)
{
    const struct cin_relation *r = cin_positions(program->relation, program->relations, var);
    bool all = r && r->base == 0 && r->size == access->tensor->format->levels - 1
               && cin_is_same_place(r->access, access);
    return all ? r : NULL;
}

/* Does the loop, over positions of the access or over blocks of them, visit each position, whatever
 * other operands hold? */
static bool visits_positions(const struct lattice *lattice, const struct cin *access)
{
    bool all = lattice->points == 1 && !lattice->flat && !lattice->rest && lattice->positions
               && bits_empty(lattice->iterated);
    for (int bit = 0; bit < lattice->sparse && all; bit++)
        all = lattice_is_at(&lattice->iterator[bit], access);
    for (int i = 0; i < lattice->guards && all; i++)
        all = lattice->guard[i].equation == GUARD_RANGE && lattice->guard[i].by->type->parts;
    return all;
}

/* Has the variable another range in each iteration of the loops around?  So have positions below a
 * position of an outer level. */
static bool depends_on_loops(const struct cin_program *program, const struct index_var *var)
{
    const struct cin_relation *by = cin_origin(program, var);
    if (cin_has_low(program, var))
        return true;
    if (by && by->type->positions)
        return by->base > 0;
    bool depends = false;
    for (int i = 0; by && i < 2; i++)
        depends |= by->parent[i] && depends_on_loops(program, by->parent[i]);
    return depends;
}

/* Does the statement store a component whenever certain variables have a range that is not empty?
 * Adds these variables. */
static bool stores(struct context *cx, const struct tree *tree, const struct tree_node *node,
                   struct pattern *pattern)
{
    const struct cin *s = node->statement;
    if (s->kind != CIN_FORALL)
        return tree_always_stores(cx, tree, node);
    const struct index_var *var = s->index[0];
    if (depends_on_loops(tree->program, var))
        return false;
    bool all = tree_runs_somewhere(node->lattice);
    vec_push(cx->arena, &pattern->ranges, var);
    for (int i = 0; i < node->children && all; i++)
        all = stores(cx, tree, node->child[i], pattern);
    return all;
}

/* Does the where's consumer store something only if its producer has written a scalar? */
static bool needs_scalar(struct context *cx, const struct cin_program *program,
                         const struct cin *where)
{
    struct cin_list made = cin_assignments(cx, where->arg[1]);
    bool needs = false;
    for (size_t i = 0; i < made.n && !needs; i++)
        needs = tensor_var_is_scalar(made.at[i]->arg[0]->tensor)
                && tree_needs_scalar(cx, program, where, made.at[i]->arg[0]->tensor);
    return needs;
}

/* Is the operand's position known where the component is computed?  An operand that the statement
 * only asks for presence is walked no further than by the loop that answers. */
static bool is_read(struct context *cx, const struct tree *tree, const struct tree_node *node,
                    const struct cin *operand)
{
    struct cin_list read = cin_operands(cx, node->statement);
    return cin_list_has(&read, operand) || !cin_asks_for(tree->program->statement, operand->tensor);
}

/* Has the result the operand's pattern?  Statements that compute workspaces before, for all
 * components or for a row, do not matter. */
static bool has_pattern(struct context *cx, const struct tree *tree, const struct cin *operand,
                        struct pattern *pattern)
{
    const struct tree_node *node = tree->root;
    int loops = 0;
    for (;; node = node->child[0]) {
        const struct cin *s = node->statement;
        int level = s->kind == CIN_FORALL ? tree_result_level(tree, s->index[0]) : -1;
        const struct cin_relation *r =
            s->kind == CIN_FORALL ? positions_of(tree->program, s->index[0], operand) : NULL;
        if (r) {
            if (!visits_positions(node->lattice, operand))
                return false;
            loops =
                known_has(&node->child[0]->around.known, r->child[0]) ? operand->indices : loops;
        } else if (level >= 0) {
            if (!visits(node->lattice, operand, level))
                return false;
            loops++;
        } else if (s->kind != CIN_WHERE || needs_scalar(cx, tree->program, s)) {
            break;
        }
    }
    return loops == operand->indices && is_read(cx, tree, node, operand)
           && stores(cx, tree, node, pattern);
}

struct pattern pattern_find(struct context *cx, const struct tree *tree)
{
    struct cin_list read = cin_operands(cx, tree->program->statement);
    if (!keeps_positions(tree->program->result->format))
        return (struct pattern){0};
    for (size_t i = 0; i < read.n; i++) {
        struct pattern pattern = {.operand = read.at[i]};
        if (is_alike(read.at[i], tree->result) && has_pattern(cx, tree, read.at[i], &pattern))
            return pattern;
    }
    return (struct pattern){0};
}

/* Says what the result lacks if it is assembled instead. */
static const char *why_assembled(struct context *cx, const struct tree *tree)
{
    const char *name = tree->result->tensor->name;
    if (format_is_inserted(tree->result->tensor->format))
        return arena_printf(cx->arena,
                            "a level of %s is inserted into, and where a GPU's threads put its "
                            "coordinates follows from what others of them put",
                            name);
    switch (tree->assembly.kind) {
    case ASSEMBLY_APPEND:
        return arena_printf(cx->arena,
                            "%s is appended to in two runs of an outermost loop that threads "
                            "share, which is over its first level",
                            name);
    case ASSEMBLY_COPY:
        return arena_printf(cx->arena,
                            "%s is the copy of a list, made in two runs of a loop that threads "
                            "share, which is over its first level",
                            name);
    case ASSEMBLY_COUNT:
        return arena_printf(cx->arena,
                            "components of %s are counted below each parent, and slots that "
                            "threads of a GPU count in together have no order",
                            name);
    case ASSEMBLY_PLACE:
    case ASSEMBLY_GIVEN:
    case ASSEMBLY_UPDATE:
    case ASSEMBLY_PATTERN: break;
    }
    context_bug(cx, "the result is not assembled");
}

void tree_refuse_assembled(struct context *cx, struct span span, const char *where,
                           const struct tree *tree)
{
    const struct tensor_var *t = tree->result->tensor;
    struct diag *diag =
        diag_error(cx, DIAG_LOWER, span,
                   "%sthe statement assembles %s in a way that a GPU does not", where, t->name);
    diag_note(cx, diag, "%s", why_assembled(cx, tree));
    diag_help(cx, diag, "give it the format dense%s",
              *where ? "" : ", or one whose levels are appended to, such as csr, coo or csf");
}
