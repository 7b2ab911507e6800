/* masked_compute.c - the program of a kernel that computes values only.  The result's pattern is
 * given, and components outside the pattern are not assigned (thesis 4.1, figure 4-5).
 *
 *     before    forall(i) forall(j) C(i,j) = 2 * A(i,j)
 *     after     forall(i) forall(j) C(i,j) = 2 * A(i,j) at C(i,j)
 *
 * The result's levels are iterated and located as an operand's are, and the lattices intersect
 * them with the assigned value.  Components that no operand reaches get the fill, and components
 * that only operands have go nowhere.
 *
 * If the loops over the result read a workspace, they need not know which components it has.  The
 * workspace is dense, and holds fills at the coordinates that will be read:
 *
 *     before    forall(j) C(i,j) = w(j)              where forall(k) forall(jp) w(jp) += e
 *     after     forall(j) C(i,j) = w(j) at C(i,j)    where (forall(j2) w(j2) = 0 at C(i,j2) ;
 *                                                           forall(k) forall(jp) w(jp) += e)
 *
 * If the loops go along the result's levels, they store every component.  If they search for the
 * components instead, those that they never find must be filled before; then an assignment of a
 * fill does nothing.
 *
 * If the statement gives the result the pattern of an operand (pattern.c), the components are put
 * at the operand's positions:
 *
 *     after     forall(i) forall(j) C(i,j) = 2 * A(i,j) at A(i,j)
 *
 * The same holds, in any kernel, for a statement that updates a part of a result
 * (notation/accumulate.c).  There no component is left out: where the pattern has none, the
 * assignment stays, without a position, and fails if it would change anything
 * (lower/result/assembly_update.c).
 *
 *     after     forall(j) A(2,j) = A_before(2,j) + b(j) at A(2,j)
 *
 * Read as a value, the pattern gives the positions of its components.  So a copy of the pattern in
 * another order, convert(C(i,j), w), says where a component computed at w(i,j) goes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/tree/parts.h"

#include "compiler/concrete/known.h"

struct giver {
    struct context *cx;
    struct cin_program *program;
    const struct tensor_var *result;
    const struct tensor_var *pattern; /* the result's, or an operand's that is the same */
};

/* ---- the result ---- */

/* Returns a tensor of positions with the result's pattern; its fill says that there is none. */
static const struct tensor_var *pattern_of(struct context *cx, const struct tensor_var *result,
                                           bool filled)
{
    struct tensor_var *pattern = arena_copy(cx->arena, result, sizeof *result);
    pattern->type = TYPE_I64;
    pattern->fill = value_int(TYPE_I64, -1);
    pattern->held = false;
    pattern->pattern_of = result;
    pattern->filled = filled;
    return pattern;
}

/* Puts each assignment to a result at the position of its component in the pattern. */
static const struct cin *give(struct giver *g, const struct cin *s)
{
    if (cin_is_expression(s))
        return s;
    if (s->kind == CIN_ASSIGN) {
        const struct cin *to = s->arg[0];
        return to->tensor != g->result
                   ? s
                   : cin_assign_at(g->cx, s->op, to, s->arg[1],
                                   cin_access(g->cx, g->pattern, to->index, to->indices));
    }
    const struct cin **arg = arena_array(g->cx->arena, const struct cin *, s->args);
    for (int i = 0; i < s->args; i++)
        arg[i] = give(g, s->arg[i]);
    return cin_with_args(g->cx, s, arg);
}

/* ---- workspaces ---- */

/* Returns the assignment in a nest of foralls from whose variables nothing else follows, or NULL.
 */
static const struct cin *assignment_in(const struct giver *g, const struct cin *s)
{
    for (; s->kind == CIN_FORALL; s = s->arg[0])
        if (cin_is_related(g->program, s->index[0]))
            return NULL;
    return s->kind == CIN_ASSIGN && s->args > 2 ? s : NULL;
}

/* Returns the one access of the expression to a dense workspace of the producer's, NULL if there is
 * none or more than one. */
static const struct cin *read_workspace(struct context *cx, const struct cin *value,
                                        const struct cin *producer)
{
    struct cin_list read = cin_operands(cx, value), made = cin_assignments(cx, producer);
    const struct cin *found = NULL;
    for (size_t i = 0; i < read.n; i++) {
        const struct tensor_var *t = read.at[i]->tensor;
        if (!t->temporary || t->order == 0 || workspace_kind(t->format) != WORKSPACE_INSERT)
            continue;
        bool makes = false;
        for (size_t j = 0; j < made.n; j++)
            makes |= made.at[j]->arg[0]->tensor == t;
        if (found || !makes)
            return NULL;
        found = read.at[i];
    }
    return found;
}

static const struct index_var *var_like(struct giver *g, const struct index_var *like)
{
    struct index_var *var = arena_copy(g->cx->arena, like, sizeof *like);
    var->name = cin_fresh_name(g->cx, g->program, like->name);
    var->like = like;
    return var;
}

/* Builds the consumer's loops, each over a new variable, around another assignment. */
static const struct cin *same_loops(struct giver *g, const struct cin *loops,
                                    const struct cin *assign)
{
    if (loops->kind != CIN_FORALL)
        return assign;
    const struct cin *inside = same_loops(g, loops->arg[0], assign);
    const struct index_var *var = var_like(g, loops->index[0]);
    return cin_forall(g->cx, var, cin_rename(g->cx, inside, loops->index[0], var));
}

/* Fills the where's dense workspace first, at the coordinates that its consumer will read. */
static const struct cin *fill_where_read(struct giver *g, const struct cin *where)
{
    struct context *cx = g->cx;
    const struct cin *assign = assignment_in(g, where->arg[0]);
    const struct cin *read = assign ? read_workspace(cx, assign->arg[1], where->arg[1]) : NULL;
    if (!read || cin_asks_for(assign->arg[1], read->tensor))
        return where;
    struct tensor_var *dense = arena_copy(cx->arena, read->tensor, sizeof *read->tensor);
    dense->format = format_dense(cx, dense->order, (struct format_defaults){TYPE_I32, TYPE_I32});
    const struct cin *fill =
        cin_assign_at(cx, OP_NONE, cin_access(cx, dense, read->index, read->indices),
                      cin_literal(cx, dense->fill), assign->arg[2]);
    return cin_where(cx, workspace_replace(cx, where->arg[0], read->tensor, dense),
                     cin_sequence(cx, same_loops(g, where->arg[0], fill),
                                  workspace_replace(cx, where->arg[1], read->tensor, dense)));
}

static const struct cin *fill_workspaces(struct giver *g, const struct cin *s)
{
    if (cin_is_expression(s) || s->kind == CIN_ASSIGN)
        return s;
    const struct cin **arg = arena_array(g->cx->arena, const struct cin *, s->args);
    for (int i = 0; i < s->args; i++)
        arg[i] = fill_workspaces(g, s->arg[i]);
    s = cin_with_args(g->cx, s, arg);
    return s->kind == CIN_WHERE ? fill_where_read(g, s) : s;
}

/* ---- the program ---- */

const struct cin_program *tree_give(struct context *cx, const struct cin_program *program,
                                    bool filled)
{
    const struct format *format = program->result->format;
    if (!format_has_arrays(format, format->levels))
        return program;
    struct giver g = {cx, arena_copy(cx->arena, program, sizeof *program), program->result, NULL};
    const struct cin_program *unfolded = cin_unfold(cx, program);
    const struct tree *tree = unfolded ? tree_build(cx, unfolded) : NULL;
    bool same = tree && !tree->infeasible && tree->assembly.kind == ASSEMBLY_PATTERN;
    const struct tensor_var *operand = same ? tree->assembly.pattern.operand->tensor : NULL;
    g.pattern = !operand          ? pattern_of(cx, program->result, filled)
                : operand->viewed ? operand->viewed
                                  : operand;
    g.program->statement = give(&g, program->statement);
    g.program->statement = fill_workspaces(&g, g.program->statement);
    return g.program;
}

const struct cin_program *tree_give_updates(struct context *cx, const struct cin_program *program)
{
    struct giver g = {.cx = cx, .program = arena_copy(cx->arena, program, sizeof *program)};
    for (int r = 0; r <= program->others; r++) {
        g.result = cin_result(program, r);
        if (!tensor_var_is_updated(g.result))
            continue;
        g.pattern = pattern_of(cx, g.result, false);
        g.program->statement = give(&g, g.program->statement);
    }
    return g.program->statement == program->statement ? program : g.program;
}

const struct tensor_var *tree_pattern_operand(const struct tree *tree)
{
    return tree->at && !tree->at->tensor->pattern_of ? tree->at->tensor : NULL;
}

static bool may_miss(const struct tree_node *node, const struct tensor_var *result, bool looped)
{
    const struct cin *s = node->statement;
    if (s->kind == CIN_ASSIGN)
        return looped && s->arg[0]->tensor == result
               && (s->arg[2]->kind == CIN_LITERAL || s->arg[2]->tensor->temporary
                   || cin_list_has(&node->around.unsure, s->arg[2]));
    bool may = false;
    for (int i = 0; i < node->children && !may; i++)
        may = may_miss(node->child[i], result, looped || s->kind == CIN_FORALL);
    return may;
}

bool tree_may_miss(const struct tree *tree)
{
    return may_miss(tree->root, tree->result->tensor, false);
}

bool tree_walks_given(const struct tree_node *node)
{
    bool walks = !node->lattice || bits_within(node->lattice->given, node->lattice->iterated);
    for (int i = 0; i < node->children && walks; i++)
        walks = tree_walks_given(node->child[i]);
    return walks;
}
