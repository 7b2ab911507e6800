/* plan_text.c - the planner's directives as text, and the names in them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "schedules/plan.h"

/* ---- lists of variables ---- */

bool var_list_has(const struct var_list *list, const struct index_var *var)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == var)
            return true;
    return false;
}

bool var_list_equal(const struct var_list *a, const struct var_list *b)
{
    return a->n == b->n && (a->n == 0 || !memcmp(a->at, b->at, sizeof *a->at * a->n));
}

struct var_list var_list_common(struct context *cx, const struct var_list *loops, const struct var_list *list)
{
    struct var_list common = {0};
    for (size_t i = 0; i < loops->n; i++)
        if (var_list_has(list, loops->at[i]))
            vec_push(cx->arena, &common, loops->at[i]);
    return common;
}

const struct index_var *plan_level_var(const struct cin *access, int level)
{
    int mode = access->tensor->format->level[level].mode;
    return mode < 0 ? NULL : access->index[mode];
}

struct var_list plan_storage_order(struct context *cx, const struct cin *access)
{
    struct var_list order = {0};
    for (int level = 0; level < access->tensor->format->levels; level++) {
        const struct index_var *var = plan_level_var(access, level);
        if (var && !var_list_has(&order, var))
            vec_push(cx->arena, &order, var);
    }
    return order;
}

const struct cin_program *plan_unfold(struct context *cx, const struct cin_program *program)
{
    size_t mistakes = cx->diags.n;
    const struct cin_program *unfolded = cin_unfold(cx, program);
    cx->diags.n = mistakes;
    return unfolded;
}

/* ---- names ---- */

struct namer namer_new(struct context *cx, const struct cin_program *program)
{
    return (struct namer){cx, program, text_new(cx->arena)};
}

const char *namer_fresh(struct namer *n, const char *stem)
{
    const char *name = intern(n->cx, stem);
    for (int i = 2; cin_is_used(n->program, name) || strstr(n->taken.at, arena_printf(n->cx->arena, " %s ", name)); i++)
        name = intern(n->cx, arena_printf(n->cx->arena, "%s%d", stem, i));
    text_printf(&n->taken, " %s ", name);
    return name;
}

/* ---- directives ---- */

void plan_add_precompute(struct namer *n, struct text *out, const struct cin *e, const struct var_list *modes,
                         const char *format, const char **producer)
{
    text_add(out, "precompute(");
    cin_print(n->cx, out, e);
    text_printf(out, ", %s", namer_fresh(n, "w"));
    for (size_t i = 0; i < modes->n; i++) {
        const char *name = modes->at[i]->name;
        producer[i] = namer_fresh(n, arena_printf(n->cx->arena, "%sp", name));
        text_printf(out, ", {%s,%s,%s}", name, name, producer[i]);
    }
    text_printf(out, ", %s)", format);
}

void plan_add_reorder(struct text *out, const char *const *name, size_t n)
{
    text_add(out, "reorder(");
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%s%s", i ? ", " : "", name[i]);
    text_add(out, ")");
}

void plan_add_order(struct context *cx, struct text *out, const struct var_list *loops)
{
    const char **name = arena_array(cx->arena, const char *, loops->n);
    for (size_t i = 0; i < loops->n; i++)
        name[i] = loops->at[i]->name;
    plan_add_reorder(out, name, loops->n);
}
