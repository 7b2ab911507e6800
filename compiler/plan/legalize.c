/* legalize.c - a program that cannot be lowered becomes one that can.  An operand that the loops
 * cannot iterate is copied first, into the order of the loops.  A result that they cannot assemble
 * is copied last, from a list.
 *
 * The tree names one obstacle at a time, and a directive removes it.  There are two ways.  The
 * operands follow the loops; or the result is collected first, and then the loops may follow the
 * operands.  The cheaper way is taken.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* Nobody reads a help of more directives; and each is weighed on a tree of the whole program. */
enum { REMEDY_MOST = 8 };

/* Returns the first access of a tensor in the program, read or written. */
static const struct cin *find_access(struct context *cx, const struct cin_program *program,
                                     const struct tensor_var *tensor)
{
    struct cin_list read = cin_operands(cx, program->statement),
                    made = cin_assignments(cx, program->statement);
    for (size_t i = 0; i < read.n; i++)
        if (read.at[i]->tensor == tensor)
            return read.at[i];
    for (size_t i = 0; i < made.n; i++)
        if (made.at[i]->arg[0]->tensor == tensor)
            return made.at[i]->arg[0];
    return NULL;
}

/* Returns the directive that removes the obstacle; NULL: none does.  If a copy of a copy is an
 * obstacle, another copy does not help. */
static const struct schedule_call *find_remedy(struct context *cx,
                                               const struct cin_program *program,
                                               const struct cin_program *unfolded,
                                               const struct tree_infeasible *obstacle)
{
    const struct tensor_var *copied = obstacle->tensor->copies;
    if (obstacle->diag.code == DIAG_LIMIT || (copied && copied->temporary))
        return NULL;
    if (obstacle->tensor == unfolded->result)
        return schedule_collecting(cx, program);
    const struct cin *access =
        obstacle->access ? obstacle->access : find_access(cx, unfolded, obstacle->tensor);
    return access ? schedule_converting(cx, program, cin_fold(cx, unfolded, access)) : NULL;
}

/* Returns the first obstacle to lowering the draft's program, and the program as the tree sees it;
 * NULL: it can be lowered. */
static const struct tree_infeasible *find_obstacle(const struct draft *draft,
                                                   const struct cin_program **unfolded)
{
    const struct tree *tree = plan_tree(draft->cx, draft->program);
    *unfolded = plan_unfold(draft->cx, draft->program);
    return tree ? tree->infeasible : NULL;
}

/* Removes obstacles, at most this many, until there are none; the draft's program becomes NULL if
 * nothing helps. */
static void legalize(struct draft *draft, size_t most)
{
    const struct cin_program *unfolded;
    const struct tree_infeasible *obstacle;
    for (size_t n = 0; draft->program && (obstacle = find_obstacle(draft, &unfolded)); n++) {
        const struct schedule_call *remedy =
            n < most ? find_remedy(draft->cx, draft->program, unfolded, obstacle) : NULL;
        if (remedy)
            draft_add(draft, remedy);
        else
            draft->program = NULL;
    }
}

static bool is_cheaper(struct cost_symbols *symbols, const struct draft *a, const struct draft *b)
{
    bool is_whole;
    struct cost one = plan_cost(symbols, a->program, &is_whole),
                other = plan_cost(symbols, b->program, &is_whole);
    if (cost_is_below(symbols, one, other) || cost_is_below(symbols, other, one))
        return cost_is_below(symbols, one, other);
    return cost_value(one) <= cost_value(other);
}

/* Returns the program with its pattern given, legalized if that is asked; NULL: it cannot be
 * lowered, or it leaves components of the result out. */
static const struct cin_program *try_given(struct context *cx, const struct cin_program *program,
                                           bool filled, bool legalized)
{
    const struct cin_program *unfolded;
    struct draft draft = draft_new(cx, tree_give(cx, program, filled));
    if (legalized)
        legalize(&draft, SIZE_MAX);
    if (!draft.program || find_obstacle(&draft, &unfolded))
        return NULL;
    return filled || tree_walks_given(plan_tree(cx, draft.program)->root) ? draft.program : NULL;
}

/* Returns the program, for which a pattern is there, as it goes through that pattern; NULL: it has
 * none, or its loops go elsewhere. */
static const struct cin_program *goes_given(const struct draft *draft)
{
    return draft->program->is_given ? try_given(draft->cx, draft->program, false, false) : NULL;
}

static void legalize_cheaply(struct draft *draft, struct cost_symbols *symbols, size_t most)
{
    const struct cin_program *unfolded;
    if (!draft->program || !find_obstacle(draft, &unfolded) || goes_given(draft))
        return;
    struct draft one = draft_copy(draft), other = draft_copy(draft);
    const struct schedule_call *collect = schedule_collecting(draft->cx, draft->program);
    legalize(&one, most);
    if (collect)
        draft_add(&other, collect);
    else
        other.program = NULL;
    if (other.program)
        legalize(&other, most);
    if (one.program && (!other.program || is_cheaper(symbols, &one, &other)))
        *draft = one;
    else if (other.program)
        *draft = other;
    draft_keep_order(draft);
}

void draft_legalize(struct draft *draft, struct cost_symbols *symbols)
{
    legalize_cheaply(draft, symbols, SIZE_MAX);
}

const char *plan_remedy(struct context *cx, const struct cin_program *program)
{
    const struct cin_program *unfolded;
    struct draft draft = draft_new(cx, program);
    if (program->others) /* plan_several takes it apart before it legalizes anything */
        return "";
    legalize_cheaply(&draft, plan_symbols(cx, program), REMEDY_MOST);
    return find_obstacle(&draft, &unfolded) ? "" : draft_print(&draft);
}

/* ---- results whose pattern is given ---- */

const struct cin_program *plan_given(struct context *cx, const struct cin_program *program)
{
    for (int legalized = 0; legalized < 2; legalized++) {
        for (int filled = 0; filled < 2; filled++) {
            const struct cin_program *given = try_given(cx, program, filled, legalized);
            if (given)
                return given;
        }
    }
    return tree_give(cx, program, true);
}

const struct cin_program *plan_updates(struct context *cx, const struct cin_program *program)
{
    struct draft draft = draft_new(cx, tree_give_updates(cx, program));
    if (draft.program == program)
        return program;
    legalize(&draft, SIZE_MAX);
    return draft.program ? draft.program : tree_give_updates(cx, program);
}

/* ---- costs ---- */

struct cost draft_legalized_cost(struct draft *draft, struct cost_symbols *symbols)
{
    bool is_whole;
    draft_legalize(draft, symbols);
    struct cost cost = plan_cost(symbols, draft->program, &is_whole);
    const struct cin_program *given = is_whole ? NULL : goes_given(draft);
    if (given)
        cost = plan_cost(symbols, given, &is_whole);
    return is_whole ? cost : (struct cost){.impossible = true};
}
