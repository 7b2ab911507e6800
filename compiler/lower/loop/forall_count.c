/* forall_count.c - how much a result gets at most, counted ahead.
 *
 * The loops are run once more, before all others, for the number of components that they put into
 * the workspace (compiler/tree/capacity.c says when): C(i,j) = A(i,k) * B(k,j)
 *
 *     for i
 *         row = 0
 *         for k in A(i,:)
 *             row += the length of B(k,:)
 *         room += min(row, the size of j)
 *
 * That is a small part of what they do, and an array that grows from little is copied several
 * times, to memory that the system has to give anew each time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/loop/forall.h"

static void add_to_total(struct kernel *k, const struct imp_var *to, const struct imp *n)
{
    imp_add(&k->b, imp_assign(k->cx, to, OP_ADD, n));
}

static void count_forall(struct kernel *k, const struct result *r, const struct scope *scope)
{
    static const struct imp_mark unmarked = {.iterations = ITERATIONS_IN_ORDER};
    struct forall f = forall_open(k, scope);
    f.mark = &unmarked;
    if (!tree_is_segment(f.node)) {
        forall_run(&f);
        return;
    }
    const struct imp *length = imp_op2(k->cx, OP_SUB, f.cursor[0].end, f.cursor[0].begin);
    add_to_total(k, r->counted->row, imp_cast(k->cx, TYPE_I64, length));
}

/* Counts a producer's components: no more than there are coordinates. */
static void count_where(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct cin *where = scope->place->node->statement;
    const struct capacity_count *outer = r->counted;
    struct capacity_count here = *outer;
    if (!cin_assigns(where->arg[1], here.source)) {
        k->lower->statement(k, scope, 0);
        return;
    }
    struct imp_var *row = kernel_var(k, TYPE_I64, "%s_row", r->access->tensor->name);
    imp_let(&k->b, row, imp_i64(k->cx, 0));
    here.row = row;
    r->counted = &here;
    k->lower->statement(k, scope, 1);
    r->counted = outer;
    const struct index_var *var = result_var(r, result_format(r)->levels - 1);
    add_to_total(k, here.all,
                 imp_op2(k->cx, OP_MIN, imp_read(k->cx, row),
                         imp_cast(k->cx, TYPE_I64, kernel_size(k, var))));
}

static void count(struct kernel *k, struct result *r, const struct scope *scope)
{
    const struct tree_node *node = scope->place->node;
    switch (node->statement->kind) {
    case CIN_FORALL: count_forall(k, r, scope); break;
    case CIN_WHERE: count_where(k, r, scope); break;
    default:
        for (int i = 0; i < node->children; i++)
            k->lower->statement(k, scope, i);
    }
}

static const struct assembly_way counting = {.lower = count};

void capacity_count_begin(struct kernel *k, struct result *r, struct capacity_counting *counts)
{
    static const struct assembly nothing = {.kind = ASSEMBLY_APPEND};
    struct imp_var *all = kernel_var(k, TYPE_I64, "%s_room", r->access->tensor->name);
    counts->before = *r;
    counts->count = (struct capacity_count){.source = capacity_source(r), .all = all};
    imp_let(&k->b, all, imp_i64(k->cx, 0));
    r->counted = &counts->count;
    r->way = &counting;
    r->assembly = &nothing;
    k->computes = false;
}

void capacity_count_end(struct kernel *k, struct result *r, const struct capacity_counting *counts)
{
    k->computes = k->request->computes;
    *r = counts->before;
    r->room = imp_read(k->cx, counts->count.all);
}
