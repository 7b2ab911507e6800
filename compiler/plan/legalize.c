/* legalize.c - what the loops cannot iterate or assemble as it is stored is copied: an operand
 * first, into the order of the loops, or the result last, from a list.
 *
 * One directive at a time moves the first trouble that the tree finds.  There are two ways: the
 * operands follow the loops; or the result is collected to begin with, so that the loops are free
 * to follow the operands.  The cheaper one is taken.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* The first access of a tensor in the program, read or written. */
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

/* The directive that moves the trouble; NULL: none does.  The copy of a copy that is in the way
 * itself was made in vain. */
static const char *find_remedy(struct context *cx, const struct cin_program *program,
                               const struct cin_program *unfolded,
                               const struct tree_trouble *trouble)
{
    const struct tensor_var *copied = trouble->tensor->copies;
    if (trouble->diag.code == DIAG_LIMIT || (copied && copied->temporary))
        return NULL;
    if (trouble->tensor == unfolded->result)
        return schedule_collecting(cx, program);
    const struct cin *access =
        trouble->access ? trouble->access : find_access(cx, unfolded, trouble->tensor);
    return access ? schedule_converting(cx, program, cin_fold(cx, unfolded, access)) : NULL;
}

/* The trouble of the draft's program, and the program as the tree sees it; NULL if there is
 * none. */
static const struct tree_trouble *find_trouble(const struct draft *draft,
                                               const struct cin_program **unfolded)
{
    const struct tree *tree = plan_tree(draft->cx, draft->program);
    *unfolded = plan_unfold(draft->cx, draft->program);
    return tree ? tree->trouble : NULL;
}

/* Until there is no trouble; the draft's program is NULL then if nothing helps. */
static void mend(struct draft *draft)
{
    const struct cin_program *unfolded;
    const struct tree_trouble *trouble;
    while (draft->program && (trouble = find_trouble(draft, &unfolded))) {
        const char *remedy = find_remedy(draft->cx, draft->program, unfolded, trouble);
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

void draft_mend(struct draft *draft, struct cost_symbols *symbols)
{
    const struct cin_program *unfolded;
    if (!draft->program || !find_trouble(draft, &unfolded))
        return;
    struct draft one = draft_copy(draft), other = draft_copy(draft);
    const char *collect = schedule_collecting(draft->cx, draft->program);
    mend(&one);
    if (collect)
        draft_add(&other, collect);
    else
        other.program = NULL;
    if (other.program)
        mend(&other);
    if (one.program && (!other.program || is_cheaper(symbols, &one, &other)))
        *draft = one;
    else if (other.program)
        *draft = other;
    draft_keep_order(draft);
}

const char *plan_remedy(struct context *cx, const struct cin_program *program)
{
    const struct cin_program *unfolded;
    struct draft draft = draft_new(cx, program);
    if (program->others) /* plan_several takes it apart before it mends anything */
        return "";
    draft_mend(&draft, plan_symbols(cx, program));
    return find_trouble(&draft, &unfolded) ? "" : draft.text.at;
}

/* ---- results whose pattern is given ---- */

/* With the pattern in the program's hands, and copies of what its loops cannot go through if that
 * is wanted; NULL: they cannot be lowered, or leave components of the result out. */
static const struct cin_program *try_given(struct context *cx, const struct cin_program *program,
                                           bool filled, bool mended)
{
    const struct cin_program *unfolded;
    struct draft draft = draft_new(cx, tree_give(cx, program, filled));
    if (mended)
        mend(&draft);
    if (!draft.program || find_trouble(&draft, &unfolded))
        return NULL;
    return filled || tree_walks_given(plan_tree(cx, draft.program)->root) ? draft.program : NULL;
}

const struct cin_program *plan_given(struct context *cx, const struct cin_program *program)
{
    for (int mended = 0; mended < 2; mended++) {
        for (int filled = 0; filled < 2; filled++) {
            const struct cin_program *given = try_given(cx, program, filled, mended);
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
    mend(&draft);
    return draft.program ? draft.program : tree_give_updates(cx, program);
}

/* ---- costs ---- */

struct cost draft_mended_cost(struct draft *draft, struct cost_symbols *symbols)
{
    bool is_whole;
    draft_mend(draft, symbols);
    struct cost cost = plan_cost(symbols, draft->program, &is_whole);
    return is_whole ? cost : (struct cost){.impossible = true};
}
