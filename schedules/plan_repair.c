/* plan_repair.c - what to do where a plan cannot be lowered: one more precompute.
 *
 * Any operand can be iterated in its own storage order, and a list takes components in any order.  So an operand that
 * does not fit the loops is first copied into a list in their order, and a result whose components come in another order
 * than it is stored in is first computed into a list, from which it is copied.  Each step takes one access out of the
 * loops that it does not fit, and none is done twice.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "compiler/base/text.h"
#include "compiler/base/vec.h"
#include "schedules/schedules.h"

struct var_list { const struct index_var **at; size_t n, capacity; };

static bool has(const struct var_list *list, const struct index_var *var)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == var)
            return true;
    return false;
}

/* The loops around the assignment, outermost first; false if it is not in the statement. */
static bool find_loops(struct context *cx, const struct cin *s, const struct cin *assign, struct var_list *loops)
{
    if (s == assign)
        return true;
    if (s->kind == CIN_FORALL)
        vec_push(cx->arena, loops, s->index[0]);
    for (int i = 0; i < s->args; i++)
        if (!cin_is_expression(s->arg[i]) && find_loops(cx, s->arg[i], assign, loops))
            return true;
    loops->n -= s->kind == CIN_FORALL;
    return false;
}

/* ---- fresh names ---- */

struct name_search { const char *name; bool used; };

static bool uses_name(const struct cin *cin, void *data)
{
    struct name_search *s = data;
    s->used |= cin->tensor && cin->tensor->name == s->name;
    for (int i = 0; i < cin->indices; i++)
        s->used |= cin->index[i]->name == s->name;
    return s->used;
}

static bool is_used(const struct cin_program *program, const char *name)
{
    struct name_search s = {name, false};
    for (int i = 0; i < program->relations; i++) {
        const struct cin_relation *r = &program->relation[i];
        for (int k = 0; k < 2; k++)
            s.used |= (r->parent[k] && r->parent[k]->name == name) || (r->child[k] && r->child[k]->name == name);
    }
    return s.used || cin_any(program->statement, uses_name, &s);
}

struct namer { struct context *cx; const struct cin_program *program; struct text taken; };

/* A name that nothing has: stem, else stem2, stem3 ... */
static const char *fresh_name(struct namer *n, const char *stem)
{
    const char *name = intern(n->cx, stem);
    for (int i = 2; is_used(n->program, name) ||
                    strstr(n->taken.at, arena_printf(n->cx->arena, " %s ", name)); i++)
        name = intern(n->cx, arena_printf(n->cx->arena, "%s%d", stem, i));
    text_printf(&n->taken, " %s ", name);
    return name;
}

/* ---- the directives ---- */

/* The variables that the levels store, each once. */
static struct var_list storage_order(struct context *cx, const struct cin *access)
{
    const struct format *format = access->tensor->format;
    struct var_list order = {0};
    for (int level = 0; level < format->levels; level++) {
        int mode = format->level[level].mode;
        if (mode >= 0 && !has(&order, access->index[mode]))
            vec_push(cx->arena, &order, access->index[mode]);
    }
    return order;
}

static bool same_order(const struct var_list *a, const struct var_list *b)
{
    return a->n == b->n && !memcmp(a->at, b->at, sizeof *a->at * a->n);
}

/* Those of the loops that are in the list, in the loops' order. */
static struct var_list in_loop_order(struct context *cx, const struct var_list *loops, const struct var_list *list)
{
    struct var_list order = {0};
    for (size_t i = 0; i < loops->n; i++)
        if (has(list, loops->at[i]))
            vec_push(cx->arena, &order, loops->at[i]);
    return order;
}

static const char *quote(struct context *cx, const struct cin *e)
{
    struct text out = text_new(cx->arena);
    cin_print(cx, &out, e);
    return out.at;
}

/* precompute(e, w, {i,i,ip}, ..., coo), the workspace's modes in this order; producer[k] is set to the producer's name for
 * modes.at[k]. */
static void add_precompute(struct namer *n, struct text *out, const struct cin *e, const struct var_list *modes,
                           const char **producer)
{
    text_printf(out, "precompute(%s, %s", quote(n->cx, e), fresh_name(n, "w"));
    for (size_t i = 0; i < modes->n; i++) {
        const char *name = modes->at[i]->name;
        producer[i] = fresh_name(n, arena_printf(n->cx->arena, "%sp", name));
        text_printf(out, ", {%s,%s,%s}", name, name, producer[i]);
    }
    text_add(out, ", coo)");
}

static void add_reorder(struct text *out, const char *const *name, size_t n)
{
    text_add(out, "; reorder(");
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%s%s", i ? ", " : "", name[i]);
    text_add(out, ")");
}

/* Copy the operand into a list in the order of the loops around. */
static const char *convert_operand(struct namer *n, const struct cin *access, const struct cin *assign,
                                   const struct var_list *loops)
{
    struct context *cx = n->cx;
    struct text out = text_new(cx->arena);
    struct var_list stored = storage_order(cx, access), modes = in_loop_order(cx, loops, &stored);
    const char **producer = arena_array(cx->arena, const char *, modes.n);
    const char **sorted = arena_array(cx->arena, const char *, modes.n);
    bool in_order = same_order(&stored, &modes);
    bool copied = assign->arg[1] == access && assign->arg[0]->tensor->temporary && assign->arg[0]->indices > 0;
    if (modes.n != stored.n || (in_order && (copied || access->tensor->temporary)))
        return NULL;
    add_precompute(n, &out, access, &modes, producer);
    for (size_t i = 0; i < stored.n; i++)
        for (size_t k = 0; k < modes.n; k++)
            if (modes.at[k] == stored.at[i])
                sorted[i] = producer[k];
    if (!in_order)
        add_reorder(&out, sorted, stored.n);
    return out.at;
}

/* Compute the result's components into a list in storage order. */
static const char *gather_result(struct namer *n, const struct cin *assign, const struct var_list *loops)
{
    struct context *cx = n->cx;
    struct text out = text_new(cx->arena);
    const struct cin *value = assign->arg[1];
    struct var_list stored = storage_order(cx, assign->arg[0]), modes = in_loop_order(cx, loops, &stored);
    const char **name = arena_array(cx->arena, const char *, stored.n);
    bool in_order = same_order(&stored, &modes), copied = value->kind == CIN_ACCESS && value->tensor->temporary;
    if (modes.n != stored.n || stored.n == 0 || (copied && in_order && value->indices == (int)stored.n))
        return NULL;
    add_precompute(n, &out, value, &stored, name);
    for (size_t i = 0; i < stored.n; i++)
        name[i] = stored.at[i]->name;
    if (!in_order)
        add_reorder(&out, name, stored.n);
    return out.at;
}

const char *plan_repair(struct context *cx, const struct cin_program *program, const struct cin *access)
{
    struct namer n = {cx, program, text_new(cx->arena)};
    struct cin_list made = cin_assignments(cx, program->statement);
    for (size_t i = 0; i < made.n; i++) {
        const struct cin *assign = made.at[i];
        struct var_list loops = {0};
        bool result = assign->arg[0] == access && access->tensor == program->result;
        if (!result && !cin_contains(assign->arg[1], access))
            continue;
        find_loops(cx, program->statement, assign, &loops);
        return result ? gather_result(&n, assign, &loops) : convert_operand(&n, access, assign, &loops);
    }
    return NULL;
}
