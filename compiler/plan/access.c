/* access.c - lists of variables; what the levels of an access ask of the loops.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/plan/planner.h"
#include "compiler/tree/tree.h"

int var_list_place(const struct var_list *list, const struct index_var *var)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == var)
            return (int)i;
    return -1;
}

bool var_list_has(const struct var_list *list, const struct index_var *var)
{
    return var_list_place(list, var) >= 0;
}

bool var_list_equal(const struct var_list *a, const struct var_list *b)
{
    return a->n == b->n && (a->n == 0 || !memcmp(a->at, b->at, sizeof *a->at * a->n));
}

struct var_list var_list_common(struct context *cx, const struct var_list *loops,
                                const struct var_list *list)
{
    struct var_list common = {0};
    for (size_t i = 0; i < loops->n; i++)
        if (var_list_has(list, loops->at[i]))
            vec_push(cx->arena, &common, loops->at[i]);
    return common;
}

struct var_list plan_storage_order(struct context *cx, const struct cin *access)
{
    struct var_list order = {0};
    for (int level = 0; level < access->tensor->format->levels; level++) {
        const struct index_var *var = access_level_var(access, level);
        if (var && !var_list_has(&order, var))
            vec_push(cx->arena, &order, var);
    }
    return order;
}

bool plan_is_iterated(const struct level_format *level)
{
    return !level_has(level, LEVEL_FULL) || !level->type->locates_fast;
}

bool plan_has_iterated(const struct cin *access, int from)
{
    const struct format *format = access->tensor->format;
    for (int level = from; level < format->levels; level++)
        if (plan_is_iterated(&format->level[level]))
            return true;
    return false;
}

const struct index_var *plan_steps_with(const struct cin *access)
{
    int last = access->tensor->order > 0 ? access->tensor->format->levels - 1 : -1;
    bool full = last >= 0 && level_has(&access->tensor->format->level[last], LEVEL_FULL);
    return full ? access_level_var(access, last) : NULL;
}
