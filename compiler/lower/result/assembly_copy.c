/* assembly_copy.c - a result that is the copy of a list: measured, and where it takes that sorted
 * by the places of its entries; then it is appended to like others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/base/grid.h"
#include "compiler/lower/result/result.h"

const struct imp *copy_differs(struct kernel *k, const struct workspace *list,
                               const struct imp *entry, int end)
{
    struct context *cx = k->cx;
    const struct imp *before = imp_op2(cx, OP_SUB, entry, imp_int(cx, entry->type, 1));
    const struct imp *any = imp_op2(cx, OP_EQ, entry, imp_int(cx, entry->type, 0));
    for (int level = 0; level < end; level++)
        any = imp_op2(cx, OP_OR, any,
                      imp_op2(cx, OP_NE, workspace_coordinate(k, list, level, entry),
                              workspace_coordinate(k, list, level, before)));
    return any;
}

/* Returns the most children that a parent of the level has in the list, which is sorted. */
static const struct imp *most_children(struct kernel *k, const struct result *r,
                                       const struct workspace *list, int level)
{
    struct context *cx = k->cx;
    const char *name = r->access->tensor->name;
    const struct imp *zero = imp_i64(cx, 0), *one = imp_i64(cx, 1);
    struct imp_var *most = kernel_var(k, TYPE_I64, "%s%d_most", name, level + 1);
    struct imp_var *children = kernel_var(k, TYPE_I64, "%s%d_children", name, level + 1);
    const struct imp *n = workspace_entries(k, list);
    struct imp_var *entry = kernel_var(k, n->type, "p%s", list->code.tensor->name);
    imp_let(&k->b, most, zero);
    imp_let(&k->b, children, zero);
    const struct imp *at = imp_read(cx, entry);
    imp_begin(&k->b);
    if (level > 0)
        imp_add(&k->b, imp_if(cx, copy_differs(k, list, at, level),
                              imp_assign(cx, children, OP_NONE, zero), NULL));
    imp_add(&k->b, imp_if(cx, copy_differs(k, list, at, level + 1),
                          imp_assign(cx, children, OP_ADD, one), NULL));
    imp_add(&k->b, imp_assign(cx, most, OP_NONE,
                              imp_op2(cx, OP_MAX, imp_read(cx, most), imp_read(cx, children))));
    imp_add(&k->b, imp_for(cx, entry, imp_int(cx, entry->type, 0), n, 1, imp_end(&k->b)));
    return imp_read(cx, most);
}

/* Counts the children of the parent whose entries begin at `at`: one, and one more for each further
 * entry of the parent that differs from the entry before. */
static const struct imp *count_children(struct kernel *k, const struct result *r,
                                        const struct workspace *list, const struct imp *at,
                                        const struct imp *n, int level)
{
    struct context *cx = k->cx;
    const char *name = r->access->tensor->name;
    struct imp_var *children = kernel_var(k, TYPE_I64, "%s%d_children", name, level + 1),
                   *next = kernel_var(k, TYPE_I64, "%s_next", list->code.tensor->name);
    const struct imp *entry = imp_read(cx, next);
    imp_let(&k->b, children, imp_i64(cx, 1));
    imp_let(&k->b, next, imp_next(cx, at));
    imp_begin(&k->b);
    imp_add(&k->b,
            imp_if(cx, copy_differs(k, list, entry, level + 1), imp_increment(cx, children), NULL));
    imp_add(&k->b, imp_increment(cx, next));
    const struct imp *goes_on =
        level > 0 ? imp_op1(cx, OP_NOT, copy_differs(k, list, entry, level)) : imp_true(cx);
    imp_add(&k->b, imp_while(cx, imp_op2(cx, OP_AND, imp_op2(cx, OP_LT, entry, n), goes_on),
                             imp_end(&k->b)));
    return imp_read(cx, children);
}

/* Does the same on a GPU, where each parent has a thread that counts its children. */
static const struct imp *most_children_there(struct kernel *k, const struct result *r,
                                             const struct workspace *list, int level)
{
    struct context *cx = k->cx;
    const char *name = arena_printf(cx->arena, "%s%d_most", r->access->tensor->name, level + 1);
    const struct imp *n = imp_cast(cx, TYPE_I64, workspace_entries(k, list)),
                     *zero = imp_i64(cx, 0), *one = imp_i64(cx, 1);
    const struct imp_var *array =
        workspace_array(k, TYPE_I64, arena_printf(cx->arena, "%s_of", name), one);
    struct grid g;
    imp_add(&k->b, imp_fill(cx, array, zero, one, zero));
    const struct imp *at =
        grid_each(&g, k, arena_printf(cx->arena, "p%s", list->code.tensor->name), n);
    imp_begin(&k->b);
    const struct imp *children = count_children(k, r, list, at, n, level);
    imp_add(&k->b, imp_atomic(cx, array, zero, OP_MAX, children));
    imp_add(&k->b, imp_if(cx, copy_differs(k, list, at, level), imp_end(&k->b), NULL));
    grid_end_each(&g);
    struct imp_var *most = kernel_var(k, TYPE_I64, "%s", name);
    const struct imp *fetched = imp_let(&k->b, most, imp_fetch(cx, imp_load(cx, array, zero)));
    imp_add(&k->b, imp_free(cx, array));
    return fetched;
}

/* Returns how many parents of the level there are in the list, which is sorted. */
static const struct imp *count_parents(struct kernel *k, const struct result *r,
                                       const struct workspace *list, int level)
{
    struct context *cx = k->cx;
    const struct imp *n = workspace_entries(k, list), *one = imp_int(cx, n->type, 1);
    struct imp_var *parents = kernel_var(k, n->type, "n%s%d", r->access->tensor->name, level);
    struct imp_var *entry = kernel_var(k, n->type, "p%s", list->code.tensor->name);
    imp_let(&k->b, parents, imp_int(cx, n->type, 0));
    const struct imp *count = imp_if(cx, copy_differs(k, list, imp_read(cx, entry), level),
                                     imp_assign(cx, parents, OP_ADD, one), NULL);
    imp_add(&k->b, imp_for(cx, entry, imp_int(cx, n->type, 0), n, 1, count));
    return imp_read(cx, parents);
}

const struct imp *copy_most(struct kernel *k, const struct result *r, int level)
{
    const struct workspace *list = kernel_workspace(k, r->assembly->list);
    return k->cx->cuda ? most_children_there(k, r, list, level) : most_children(k, r, list, level);
}

void copy_insert_first(struct kernel *k, const struct result *r)
{
    struct context *cx = k->cx;
    const struct workspace *list = kernel_workspace(k, r->assembly->list);
    const struct imp *n = workspace_entries(k, list);
    struct imp_var *entry = kernel_var(k, n->type, "p%s", list->code.tensor->name);
    const struct imp *at = imp_read(cx, entry);
    struct level_code code = result_level(k, r, 0, imp_i64(cx, 0));
    imp_begin(&k->b);
    code.format->type->insert(
        &code, imp_cast(cx, k->request->coordinates, workspace_coordinate(k, list, 0, at)), NULL);
    const struct imp *insert = imp_if(cx, copy_differs(k, list, at, 1), imp_end(&k->b), NULL);
    imp_add(&k->b, imp_for(cx, entry, imp_int(cx, entry->type, 0), n, 1, insert));
}

/* Returns how many positions the group gets. */
static const struct imp *room(struct kernel *k, const struct result *r, struct append_group *g)
{
    const struct workspace *list = kernel_workspace(k, r->assembly->list);
    bool entry_at_each = g->last + 1 == result_format(r)->levels;
    const struct imp *positions =
        entry_at_each ? workspace_entries(k, list) : count_parents(k, r, list, g->last + 1);
    kernel_check_most(k, positions, append_most(r, g));
    return positions;
}

/* ---- in the order of slots ---- */

static const struct imp_var *declare_number(struct kernel *k, const struct result *r, int level)
{
    struct imp_var *number = kernel_var(k, TYPE_I64, "%s%d_number", r->access->tensor->name, level);
    imp_let(&k->b, number, imp_i64(k->cx, -1));
    return number;
}

/* Adds one to the number if the entry differs from the one before it in one of the levels [0, end);
 * sets it to 0 if it differs in one of the levels [0, since). */
static void count_up(struct kernel *k, const struct imp_var *number, const struct workspace *list,
                     const struct imp *entry, int since, int end)
{
    struct context *cx = k->cx;
    const struct imp *next = imp_increment(cx, number);
    const struct imp *first = imp_assign(cx, number, OP_NONE, imp_i64(cx, 0));
    imp_add(&k->b, imp_if(cx, copy_differs(k, list, entry, end), next, NULL));
    if (since > 0)
        imp_add(&k->b, imp_if(cx, copy_differs(k, list, entry, since), first, NULL));
}

/* Inserts the entry in the levels [first, slots), below the parent of this number, and returns its
 * position. */
static const struct imp *insert_entry(struct kernel *k, struct result *r,
                                      const struct workspace *list, const struct imp *entry,
                                      const struct imp_var *parent, int first, int slots)
{
    struct context *cx = k->cx;
    struct scope scope = scope_outside(k);
    for (int level = 0; level < slots; level++)
        if (!scope_coordinate(&scope, result_var(r, level)))
            scope_bind(
                k, &scope, result_var(r, level),
                imp_cast(cx, k->request->coordinates, workspace_coordinate(k, list, level, entry)));
    if (parent) {
        count_up(k, parent, list, entry, 0, first);
        scope.result[r->rank].position = imp_read(cx, parent);
    }
    for (int level = first; level < slots; level++) {
        if (r->turn[level])
            count_up(k, r->turn[level], list, entry, level, level + 1);
        scope.result[r->rank].position = result_place(k, r, &scope, level);
    }
    return scope.result[r->rank].position;
}

/* Levels that are appended to lie in the order of their parents' positions.  If the positions of
 * levels [first, slots) are not in the order of the coordinates, the list is put in theirs:
 * everything is inserted once, to see where it comes to lie.  The levels before them end a group,
 * whose positions are in the list's order. */
static void sort_by_slots(struct kernel *k, struct result *r, struct workspace *list, int first,
                          int slots)
{
    struct context *cx = k->cx;
    const struct imp *n = workspace_entries(k, list), *parents = imp_i64(cx, 1);
    const char *name = list->code.tensor->name;
    const struct imp_var *slot =
        workspace_array(k, TYPE_I64, arena_printf(cx->arena, "%s_slot", name), n);
    const struct imp_var *parent = first > 0 ? declare_number(k, r, first) : NULL, **turn = r->turn;
    struct imp_var *entry = kernel_var(k, n->type, "p%s", name);
    const struct imp *at = imp_read(cx, entry);
    r->turn = arena_array(cx->arena, const struct imp_var *, result_format(r)->levels);
    for (int level = first; level < slots; level++)
        if (result_format(r)->level[level].type->takes_turns)
            r->turn[level] = declare_number(k, r, level + 1);
    imp_begin(&k->b);
    const struct imp *position = insert_entry(k, r, list, at, parent, first, slots);
    imp_add(&k->b, imp_store(cx, slot, at, OP_NONE, position));
    imp_add(&k->b, imp_for(cx, entry, imp_int(cx, entry->type, 0), n, 1, imp_end(&k->b)));
    r->turn = turn;
    if (parent)
        parents = imp_op2(cx, OP_ADD, imp_read(cx, parent), parents);
    workspace_sort(k, list, slot, kernel_positions(k, r->access, first, slots, parents));
    imp_add(&k->b, imp_free(cx, slot));
}

static void copy_list(struct kernel *k, struct result *r, struct workspace *list)
{
    append_open(k, r);
    for (int g = 0; g < r->assembly->groups; g++)
        if (r->group[g].slots > 0)
            sort_by_slots(k, r, list, g > 0 ? r->group[g - 1].last + 1 : 0, r->group[g].slots);
}

const struct assembly_way assembly_copy = {
    .close = append_close,
    .take = copy_list,
    .store = append_store,
    .most = copy_most,
    .room = room,
};
