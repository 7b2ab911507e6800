/* walk.c - operands whose entries a loop over all coordinates meets one by one: they are scattered
 * into a dense row first, and the loop asks at no coordinate whether an operand has something.
 *
 *     forall(i) forall(j) y(i) += (A(i,j) - m(j)) * x(j)
 *     forall(i) (forall(j) y(i) += (w(j) - m(j)) * x(j) where forall(jp) w(jp) = A(i,jp))
 *
 * This is not weighed.  An innermost loop that asks has no vectors: (A - m) x and A + m of 2,000 to
 * 5,000 columns, a hundredth to a fifth of them stored, took 4.7 to 19 times as long on 2026-11-27
 * as with A's row in an array, on two busy cores.  Where a row mostly stores nothing there is
 * nothing to ask.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

/* Are all loops over the variable, in whatever case of the loops around, innermost ones that have
 * an effect at all coordinates, whatever is stored there?  A dense row does not tell. */
static bool comes_to_all(const struct tree_node *node, const struct index_var *var)
{
    const struct lattice *lattice = node->lattice;
    bool all = true;
    if (lattice && lattice->var == var)
        return !lattice->infeasible && lattice->dimension && !lattice->flat
               && lattice_is_everywhere(lattice) && node->whole->statement->kind == CIN_ASSIGN;
    for (int i = 0; i < node->children && all; i++)
        all = comes_to_all(node->child[i], var);
    return all;
}

/* Does the access store a component or more, on average, for each run of its innermost loop? */
static bool has_entries(struct cost_symbols *symbols, const struct cin_program *program,
                        const struct cin *access, const struct index_var *innermost)
{
    double rows = 1;
    for (int i = 0; i < access->indices; i++)
        rows *= access->index[i] == innermost ? 1 : plan_values(symbols, program, access->index[i]);
    return plan_stored(symbols, program, access) >= rows;
}

/* Returns an operand of the site that the loop goes along, besides all coordinates; NULL: there is
 * none.  What a result held before is none: a part that is updated in place is visited where it
 * stores something. */
static const struct cin *find_walked(struct context *cx, struct cost_symbols *symbols,
                                     const struct cin_program *program, const struct site *site,
                                     const struct index_var *var)
{
    struct cin_list read = cin_operands(cx, site->assign);
    const struct tree *tree = plan_tree(cx, program);
    const struct tree_node *loop = tree ? tree_find(tree->root, var) : NULL;
    if (!loop || !comes_to_all(tree->root, var))
        return NULL;
    for (int bit = 0; bit < loop->lattice->sparse; bit++) {
        const struct lattice_iterator *it = &loop->lattice->iterator[bit];
        const struct tensor_var *tensor = it->access->tensor;
        if (bits_has(loop->lattice->iterated, bit) && it->end == tensor->format->levels
            && !it->path.steps && !tensor->temporary && !tensor->before
            && cin_list_has(&read, it->access) && has_entries(symbols, program, it->access, var))
            return it->access;
    }
    return NULL;
}

static const struct index_var *innermost(const struct site *site)
{
    return site->loops.n > 0 ? site->loops.at[site->loops.n - 1] : NULL;
}

/* Is the site a copy of an operand into a workspace, converted or not, or a function of it, such as
 * a row that has been scattered?  A row of what is copied would be copied like it. */
static bool is_copied(struct context *cx, const struct site *site)
{
    const struct cin *assign = site->assign, *copied = assign->arg[1];
    if (copied->kind == CIN_OP && op_converts(copied->op))
        copied = copied->arg[0];
    bool is_function = assign->op == OP_NONE && cin_operands(cx, copied).n == 1;
    return assign->arg[0]->tensor->temporary && (copied->kind == CIN_ACCESS || is_function);
}

/* Is a row made by a loop that comes to all coordinates itself, as the row's fill is another? */
static bool makes_walks(struct draft *draft, struct cost_symbols *symbols)
{
    struct site_list sites = plan_sites(draft->cx, draft->program);
    bool makes = false;
    for (size_t i = 0; i < sites.n && !makes; i++)
        makes = is_copied(draft->cx, &sites.at[i]) && innermost(&sites.at[i])
                && find_walked(draft->cx, symbols, draft->program, &sites.at[i],
                               innermost(&sites.at[i]));
    return makes;
}

/* Returns the largest part with a function that reads the access alone, or the access: a function
 * of what a row stores is computed of that, and not of the whole row. */
static const struct cin *part_of(struct context *cx, const struct cin *e, const struct cin *access)
{
    struct cin_list read = cin_operands(cx, e);
    if (plan_has_function(e) && read.n == 1 && read.at[0] == access)
        return e;
    for (int i = 0; i < e->args; i++)
        if (plan_has_function(e->arg[i]) && cin_contains(e->arg[i], access))
            return part_of(cx, e->arg[i], access);
    return access;
}

/* Scatters the part of a site; false: its row is made by a loop over all coordinates itself. */
static bool scatter_part(struct draft *draft, struct cost_symbols *symbols, const struct cin *part,
                         const struct index_var *var)
{
    struct var_list row = {&var, 1, 1};
    struct draft more = draft_copy(draft);
    draft_precompute(&more, part, &row, plan_dense(draft->cx, 1));
    if (!more.program || makes_walks(&more, symbols))
        return false;
    *draft = more;
    return true;
}

/* Scatters an operand of a site's innermost loop, or a function of it; false: there is none.  An
 * outermost loop goes through its operands once, and a row of these would be as large as they are.
 */
static bool scatter_one(struct draft *draft, struct cost_symbols *symbols, const struct site *site)
{
    const struct index_var *var = innermost(site);
    const size_t loops = plan_loops(draft->cx, draft->program->statement, site->assign).n;
    if (loops == 1 || is_copied(draft->cx, site))
        return false;
    const struct cin *access = find_walked(draft->cx, symbols, draft->program, site, var);
    const struct cin *part = access ? part_of(draft->cx, site->assign->arg[1], access) : NULL;
    return access
           && (scatter_part(draft, symbols, part, var)
               || (part != access && scatter_part(draft, symbols, access, var)));
}

void draft_scatter_rows(struct draft *draft, struct cost_symbols *symbols)
{
    bool more = true;
    while (more) {
        struct site_list sites = plan_sites(draft->cx, draft->program);
        more = false;
        for (size_t i = 0; i < sites.n && !more; i++)
            more = scatter_one(draft, symbols, &sites.at[i]);
    }
}
