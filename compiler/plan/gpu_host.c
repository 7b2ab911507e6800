/* gpu_host.c - what a GPU's plan leaves to the code around its launches, which reads no operand:
 * places for all that loops write, and loops that make arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <math.h>

#include "compiler/base/text.h"
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* Can the outermost loop's teams make what a workspace in it lists? */
static bool makes_rows(struct context *cx, const struct cin_program *program,
                       const struct cin *outermost)
{
    const struct tree *tree = plan_tree(cx, program);
    const struct tree_node *node =
        outermost && tree ? tree_find(tree->root, outermost->index[0]) : NULL;
    return node && tree_may_make_rows(cx, tree, node);
}

static bool is_made_by_rows(struct context *cx, const struct cin *where, const struct tensor_var *t)
{
    struct cin_list rows = tree_rows(cx, where);
    bool is = false;
    for (size_t i = 0; i < rows.n; i++)
        is |= rows.at[i]->arg[0]->tensor == t;
    return is;
}

/* Does the where make a tensor whose components have no places yet?  Outside of all loops a list is
 * made in two runs of those that threads share, and in one each team may have a row. */
static const struct tensor_var *made_by(struct context *cx, const struct cin_program *program,
                                        const struct cin *where, const struct cin *outermost)
{
    struct cin_list made = cin_assignments(cx, where->arg[1]);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        if (t->temporary && t->order > 0 && !workspace_has_places(t->format)
            && cin_uses_tensor(where->arg[0], t)
            && (outermost || workspace_kind(t->format) != WORKSPACE_LIST)
            && !(is_made_by_rows(cx, where, t) && makes_rows(cx, program, outermost)))
            return t;
    }
    return NULL;
}

static const struct tensor_var *find_made(struct context *cx, const struct cin_program *program,
                                          const struct cin *cin, const struct cin *outermost)
{
    const struct tensor_var *made =
        cin->kind == CIN_WHERE ? made_by(cx, program, cin, outermost) : NULL;
    if (!outermost && cin->kind == CIN_FORALL)
        outermost = cin;
    for (int i = 0; i < cin->args && !made; i++)
        made =
            cin_is_expression(cin->arg[i]) ? NULL : find_made(cx, program, cin->arg[i], outermost);
    return made;
}

static bool makes_one_by_one(struct context *cx, const struct cin_program *program)
{
    return find_made(cx, program, program->statement, NULL);
}

/* Alternatives that make something one by one are as good as impossible, unless all do. */
static void leave_out_lists(struct site_search *s)
{
    bool *left = arena_array(s->cx->arena, bool, s->weighed.n), others = false;
    for (size_t i = 0; i < s->weighed.n; i++) {
        const struct weighed *w = &s->weighed.at[i];
        left[i] =
            !w->cost.impossible && w->done.program && makes_one_by_one(s->cx, w->done.program);
        others |= !w->cost.impossible && !left[i];
    }
    for (size_t i = 0; i < s->weighed.n && others; i++)
        s->weighed.at[i].cost.impossible |= left[i];
}

/* A copy that a GPU sorts is worth this many times the steps of updates that have no order: other
 * sites may do without. */
enum { SORTED = 256 };

/* Leaves out those of the cheap alternatives that have more updates in no order than others.  A
 * search that has spent half of what a compilation may leaves out none: to know costs a draft. */
static void leave_out_random(struct site_search *s)
{
    int *lacking = arena_array(s->cx->arena, int, s->weighed.n), least = INT_MAX;
    double cheapest = INFINITY;
    for (size_t i = 0; i < s->weighed.n; i++)
        if (!s->weighed.at[i].cost.impossible)
            cheapest = fmin(cheapest, cost_value(s->weighed.at[i].cost));
    for (size_t i = 0; i < s->weighed.n; i++) {
        const struct weighed *w = &s->weighed.at[i];
        if (arena_is_half_spent(s->cx->arena))
            return;
        if (w->cost.impossible || !w->done.program)
            continue;
        lacking[i] = plan_combines_at_random(s->cx, w->done.program);
        if (lacking[i] < least && cost_value(w->cost) <= SORTED * cheapest)
            least = lacking[i];
    }
    for (size_t i = 0; i < s->weighed.n; i++)
        s->weighed.at[i].cost.impossible |= lacking[i] > least;
}

void plan_leave_out_unshared(struct site_search *s)
{
    if (!s->cx->cuda)
        return;
    leave_out_lists(s);
    leave_out_random(s);
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
        if (tree_is_assembled(of) && of->assembly.kind != ASSEMBLY_APPEND
            && of->assembly.kind != ASSEMBLY_COPY)
            return false;
        if (may_miss(of)) {
            text_printf(report,
                        "the pattern of %s may lack what is assigned, and a launch cannot fail",
                        of->result->tensor->name);
            return false;
        }
    }
    const struct tensor_var *made = find_made(cx, tree->program, tree->program->statement, NULL);
    if (!made)
        return true;
    text_printf(report,
                "%s, which the plan computes first, is a table, or a list in a loop, and on a GPU "
                "it would be dense",
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

/* Returns the loop that makes arrays in each step, in no launch, and ends where operands say so;
 * NULL: there is none. */
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

struct list_search {
    struct context *cx;
    const struct cin_program *program;
    const struct tensor_var *found;
};

/* Does the where make a list in a loop that no threads share? */
static bool lists_alone(const struct cin *cin, void *data)
{
    struct list_search *s = data;
    if (cin->kind != CIN_WHERE)
        return false;
    struct cin_list loops = plan_outermost(s->cx, &(struct cin_program){.statement = cin->arg[1]}),
                    made = cin_assignments(s->cx, cin->arg[1]);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        bool shared = !t->temporary || t->order == 0 || workspace_kind(t->format) != WORKSPACE_LIST;
        for (size_t l = 0; l < loops.n; l++)
            shared |=
                cin_contains(loops.at[l], made.at[i]) && cin_parallel(s->program, loops.at[l]);
        s->found = shared ? s->found : t;
    }
    return s->found;
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
    struct list_search lists = {cx, program, NULL};
    if (!loop && cin_any(program->statement, lists_alone, &lists))
        text_printf(report, "; %s is a list, to which threads would append together",
                    lists.found->name);
    return !loop && !lists.found && (!tree || makes_all(cx, tree));
}
