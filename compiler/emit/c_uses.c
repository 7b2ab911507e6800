/* c_uses.c - what a statement does with each variable, from one walk through it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/emit/c.h"

struct noting {
    struct context *cx;
    struct var_map *uses;
};

static void add_use(struct noting *n, const struct imp_var *var, unsigned use)
{
    void **uses = var_map_at(n->cx, n->uses, var);
    *uses = (void *)((uintptr_t)*uses | use);
}

/* Notes the arrays that a helper with effects is given: it writes to them. */
static bool note_given(const struct imp *imp, void *data)
{
    if (imp->var)
        add_use(data, imp->var, C_WRITTEN);
    return false;
}

static bool note_uses(const struct imp *imp, void *data)
{
    unsigned use = C_USED;
    if (imp->kind == IMP_DO)
        imp_any(imp, note_given, data);
    for (int i = 0; imp->kind == IMP_CALL && i < imp->args; i++)
        if (imp->function->param[i].var->array && !imp->function->param[i].var->constant)
            add_use(data, imp->arg[i]->var, C_WRITTEN);
    if (imp_declared(imp, 1))
        add_use(data, imp_declared(imp, 1), C_DECLARED);
    if (!imp->var)
        return false;
    use |= imp_declares(imp) ? C_DECLARED : 0;
    use |= imp->kind == IMP_ATOMIC || imp->kind == IMP_UPDATE ? C_SHARED : 0;
    use |= imp->kind == IMP_UPDATE ? C_WRITTEN : 0;
    use |= imp->kind == IMP_TAKE ? C_TAKEN : 0;
    use |= imp_is_expression(imp) ? 0 : C_WRITTEN;
    add_use(data, imp->var, use);
    return false;
}

struct var_map c_uses(struct context *cx, const struct imp *statement)
{
    struct var_map uses = {0};
    imp_any(statement, note_uses, &(struct noting){cx, &uses});
    return uses;
}

struct var_map *c_own_uses(struct c_writer *w)
{
    if (w->used != w->function)
        w->uses = c_uses(w->cx, w->function->body);
    w->used = w->function;
    return &w->uses;
}

bool c_is(struct context *cx, struct var_map *uses, const struct imp_var *var, enum c_use use)
{
    return (uintptr_t)*var_map_at(cx, uses, var) & use;
}
