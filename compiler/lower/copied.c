/* copied.c - a result that is the copy of a list: measured, and where it takes that sorted by the places of its entries.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/result.h"

/* The list that the whole statement copies: R(i,j) = w(i,j) in loops alone, levels and fills being alike. */
const struct tensor_var *copied_list(struct kernel *k)
{
    const struct cin *s = cin_copy(k->request->program->statement);
    if (!s || s->op != OP_NONE || s->arg[0] != k->result || s->arg[1]->kind != CIN_ACCESS)
        return NULL;
    const struct cin *list = s->arg[1];
    const struct format *format = list->tensor->format;
    if (!list->tensor->temporary || !workspace_is_list(format) || format->levels != result_format(k)->levels ||
        !value_equal(list->tensor->fill, k->result->tensor->fill) || k->request->program->accumulates)
        return NULL;
    for (int level = 0; level < format->levels; level++)
        if (access_level_var(list, level) != result_var(k, level))
            return NULL;
    return list->tensor;
}

/* Does the entry differ from the one before it in one of the levels [0, end)?  The first one does. */
static const struct imp *differs(struct kernel *k, const struct workspace *list, const struct imp *entry, int end)
{
    struct context *cx = k->cx;
    const struct imp *before = imp_op2(cx, OP_SUB, entry, imp_int(cx, entry->type, 1));
    const struct imp *any = imp_op2(cx, OP_EQ, entry, imp_int(cx, entry->type, 0));
    for (int level = 0; level < end; level++)
        any = imp_op2(cx, OP_OR, any, imp_op2(cx, OP_NE, workspace_coordinate(k, list, level, entry),
                                              workspace_coordinate(k, list, level, before)));
    return any;
}

/* The most children that a parent of the level has in the list, which is sorted. */
static const struct imp *most_children(struct kernel *k, const struct workspace *list, int level)
{
    struct context *cx = k->cx;
    const char *name = k->result->tensor->name;
    const struct imp *zero = imp_int(cx, TYPE_I64, 0), *one = imp_int(cx, TYPE_I64, 1);
    struct imp_var *most = kernel_var(k, TYPE_I64, "%s%d_most", name, level + 1);
    struct imp_var *children = kernel_var(k, TYPE_I64, "%s%d_children", name, level + 1);
    const struct imp *n = workspace_entries(k, list);
    struct imp_var *entry = kernel_var(k, n->type, "p%s", list->code.tensor->name);
    imp_let(&k->b, most, zero);
    imp_let(&k->b, children, zero);
    const struct imp *at = imp_read(cx, entry);
    imp_begin(&k->b);
    if (level > 0)
        imp_add(&k->b, imp_if(cx, differs(k, list, at, level), imp_assign(cx, children, OP_NONE, zero), NULL));
    imp_add(&k->b, imp_if(cx, differs(k, list, at, level + 1), imp_assign(cx, children, OP_ADD, one), NULL));
    imp_add(&k->b, imp_assign(cx, most, OP_NONE, imp_op2(cx, OP_MAX, imp_read(cx, most), imp_read(cx, children))));
    imp_add(&k->b, imp_for(cx, entry, imp_int(cx, entry->type, 0), n, 1, LOOP_SERIAL, imp_end(&k->b)));
    return imp_read(cx, most);
}

/* Levels that are appended to lie in the order of their parents' positions.  Where these are not in the order of the
 * coordinates the list is put in theirs: everything is inserted once, to see where it comes to lie. */
static void sort_by_slots(struct kernel *k, struct workspace *list)
{
    struct context *cx = k->cx;
    const struct imp *n = workspace_entries(k, list);
    const char *name = list->code.tensor->name;
    const struct imp_var *slot = workspace_array(k, TYPE_I64, arena_printf(cx->arena, "%s_slot", name), n);
    struct imp_var *entry = kernel_var(k, n->type, "p%s", name);
    struct scope scope = {.bound = bound_none(k->request->program)};
    imp_begin(&k->b);
    for (int level = 0; level < k->slots; level++) {
        const struct imp *coordinate = workspace_coordinate(k, list, level, imp_read(cx, entry));
        if (!scope_coordinate(&scope, result_var(k, level)))
            scope_bind(k, &scope, result_var(k, level), imp_cast(cx, k->request->coordinates, coordinate));
        scope.result_position = result_place(k, &scope, level);
    }
    imp_add(&k->b, imp_store(cx, slot, imp_read(cx, entry), OP_NONE, scope.result_position));
    imp_add(&k->b, imp_for(cx, entry, imp_int(cx, entry->type, 0), n, 1, LOOP_SERIAL, imp_end(&k->b)));
    workspace_sort(k, list, slot, result_block_size(k, 0, k->slots));
    imp_add(&k->b, imp_free(cx, slot));
}

void result_open(struct kernel *k, struct workspace *list)
{
    struct tensor_code *code = kernel_code(k, k->result->tensor);
    for (int level = 0; level < result_format(k)->levels && k->request->assembles; level++) {
        if (!code->scalar[level])
            continue;
        struct level_code at = result_level(k, level, imp_int(k->cx, TYPE_I64, 0));
        const struct imp *first = imp_int(k->cx, TYPE_I64, 0);
        if (at.format->type->width)
            first = at.format->type->width(&at, list ? most_children(k, list, level) : first);
        imp_let(&k->b, (struct imp_var *)code->scalar[level], imp_cast(k->cx, code->scalar[level]->type, first));
    }
    if (k->assembles)
        result_open_arrays(k);
    if (list && k->slots)
        sort_by_slots(k, list);
}
