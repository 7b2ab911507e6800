/* domain.c - the domain of a loop, as the thesis writes it beside iteration graphs (3.2, figures
 * 3-9, 3-14 and 3-16): the levels whose coordinates it goes through, or a range.
 *
 *     i ∈ U                   every coordinate of the dimension
 *     j ∈ B2 ∩ C2             coordinates that level 2 of B and of C store below i
 *     j0 ∈ blocks of B2 ∩ C2  the blocks with some of these
 *     j1 ∈ 0..4               a part of a split with a known size
 *     p ∈ positions of A2     positions at which level 2 of A stores coordinates
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/text.h"
#include "compiler/draw/graph.h"

/* Returns the relation with the variable as its child of this number, 0 or 1; NULL if there is
 * none. */
static const struct cin_relation *given_by(const struct cin_program *program,
                                           const struct index_var *var, int *child)
{
    for (int i = 0; i < program->relations; i++)
        for (*child = 0; *child < 2; ++*child)
            if (program->relation[i].child[*child] == var)
                return &program->relation[i];
    return NULL;
}

static void print_range(struct text *out, const struct cin_program *program,
                        const struct index_var *var, const struct cin_relation *by, int child)
{
    const struct cin_relation *at = cin_positions(program->relation, program->relations, var);
    int64_t size = var->size < 0 && by && by != at ? cin_child_size(by, child) : var->size;
    if (size >= 0)
        text_printf(out, "0..%lld", (long long)size);
    else if (at)
        text_printf(out, "%spositions of %s%d", by == at ? "" : "blocks of ",
                    at->access->tensor->name, (int)at->size + 1);
    else
        text_add(out, "U");
}

/* Prints the iterators of a point that take part in the loop, with ∩ between them. */
static void print_point(struct text *out, const struct lattice *lattice,
                        const struct lattice_point *point)
{
    const char *between = "";
    for (int i = 0; i < lattice->sparse; i++) {
        const struct lattice_iterator *it = &lattice->iterator[i];
        if (!bits_has(point->present, i))
            continue;
        text_printf(out, "%s%s%d", between, it->access->tensor->name, it->first + 1);
        between = " ∩ ";
    }
}

static bool is_least(const struct lattice *lattice, const struct lattice_point *point)
{
    for (int i = 0; i < lattice->points - lattice->rest; i++)
        if (&lattice->point[i] != point && bits_within(lattice->point[i].present, point->present))
            return false;
    return true;
}

/* Prints the least points that the loop reaches, where alone it has something to do, with ∪ between
 * them. */
static void print_points(struct text *out, const struct lattice *lattice)
{
    const char *between = "";
    for (int i = 0; i < lattice->points - lattice->rest; i++) {
        if (!is_least(lattice, &lattice->point[i]))
            continue;
        text_add(out, between);
        print_point(out, lattice, &lattice->point[i]);
        between = " ∪ ";
    }
}

const char *graph_domain(struct context *cx, const struct tree *tree, const struct index_var *var)
{
    struct text out = text_new(cx->arena);
    const struct tree_node *node = tree_find(tree->root, var);
    int child;
    const struct cin_relation *by = given_by(tree->program, var, &child);
    bool walks = node && !node->lattice->infeasible && !node->lattice->dimension
                 && !bits_empty(node->lattice->iterated);
    text_printf(&out, "%s ∈ ", var->name);
    if (!walks) {
        print_range(&out, tree->program, var, by, child);
        return out.at;
    }
    if (by && by->type->parts && child == 0)
        text_add(&out, "blocks of ");
    print_points(&out, node->lattice);
    return out.at;
}
