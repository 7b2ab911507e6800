/* gpu_host.c - what a GPU's plan leaves to the code around its launches, which reads no operand:
 * places for all that loops write, and loops that make arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* Does it make a tensor whose components have no places yet, so that threads would append to it
 * together? */
static bool appends(const struct cin *cin, void *made)
{
    const struct tensor_var *t = cin->kind == CIN_ASSIGN ? cin->arg[0]->tensor : NULL;
    if (!t || !t->temporary || t->order == 0 || workspace_has_places(t->format))
        return false;
    *(const struct tensor_var **)made = t;
    return true;
}

const struct tensor_var *plan_made_list(const struct cin *statement)
{
    const struct tensor_var *made = NULL;
    cin_any(statement, appends, &made);
    return made;
}

/* Of a result that is updated in its pattern: may the loops, or a number that stands for a
 * coordinate, come to what that lacks? */
static bool may_miss(const struct tree *tree)
{
    if (tree->assembly.kind != ASSEMBLY_UPDATE)
        return false;
    bool may = tree_may_miss(tree) || !tree_walks_given(tree->root);
    for (int i = 0; i < tree->result->indices; i++)
        may |= index_var_is_fixed(tree->result->index[i]);
    return may;
}

bool plan_has_places(struct context *cx, const struct cin_program *program, struct text *report)
{
    const struct tree *tree = plan_tree(cx, plan_updates(cx, program));
    if (!tree || tree->infeasible)
        return false;
    for (int r = 0; r < tree->results; r++) {
        const struct tree *of = tree->of[r];
        if (tree_is_assembled(of) && of->assembly.kind != ASSEMBLY_APPEND)
            return false;
        if (may_miss(of)) {
            text_printf(report,
                        "the pattern of %s may lack what is assigned, and a launch cannot fail",
                        of->result->tensor->name);
            return false;
        }
    }
    const struct tensor_var *made = plan_made_list(tree->program->statement);
    if (!made)
        return true;
    text_printf(report,
                "%s, which the plan computes first, is a list or a table, and on a GPU it "
                "would be dense",
                made->name);
    return false;
}

/* Are results that the loops assemble made in two runs of one that threads share? */
static bool makes_all(struct context *cx, const struct tree *tree)
{
    bool all = true;
    for (int r = 0; r < tree->results; r++)
        all &= !tree_is_assembled(tree->of[r]) || tree_runs_twice(cx, tree->of[r]);
    return all;
}

static bool assigns_array(const struct cin *cin, void *data)
{
    return cin->kind == CIN_ASSIGN && cin->arg[0]->tensor->temporary
           && cin->arg[0]->tensor->order > 0;
}

static bool makes_array(const struct cin *cin, void *data)
{
    return cin->kind == CIN_WHERE && cin_any(cin->arg[1], assigns_array, data);
}

/* The loop that makes arrays in each step, in no launch, and ends where operands say so; NULL:
 * none. */
static const struct tree_node *find_endless(struct context *cx, const struct cin_program *program,
                                            const struct tree_node *node)
{
    const struct cin *s = node->statement;
    const struct lattice_iterator *along;
    const struct tree_node *found = NULL;
    if (cin_parallel(program, s))
        return NULL;
    if (s->kind == CIN_FORALL && !tree_is_counted(cx, node, &along)
        && cin_any(s, makes_array, NULL))
        return node;
    for (int i = 0; i < node->children && !found; i++)
        found = find_endless(cx, program, node->child[i]);
    return found;
}

bool plan_is_host_code(struct context *cx, const struct cin_program *program, struct text *report)
{
    const struct tree *tree = plan_tree(cx, program);
    const struct tree_node *loop = tree ? find_endless(cx, tree->program, tree->root) : NULL;
    if (loop)
        text_printf(report,
                    "; the loop over %s makes an array in each step, and ends where "
                    "operands say so, which host code does not see",
                    loop->lattice->var->name);
    return !loop && (!tree || makes_all(cx, tree));
}
