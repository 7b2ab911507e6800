/* tidy.c - plain kernels as people write them.
 *
 * What a loop empties behind another one that reads it is emptied there:
 *
 *     for (p = 0; p < n; p++) {               for (p = 0; p < n; p++) {
 *         j = crd[p];                             j = crd[p];
 *         X[c] = w[j];                            X[c] = w[j];
 *     }                                           w[j] = 0;
 *     for (p = 0; p < n; p++)                 }
 *         w[crd[p]] = 0;
 *
 * The second loop's mark says that crd has each coordinate once.  A variable that every iteration
 * of a loop sets first, and nothing else uses, is declared there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/base/vec.h"
#include "compiler/imperative/builder.h"
#include "compiler/optimize/optimize.h"
#include "compiler/optimize/simplify.h"

/* ---- what is emptied where it is read ---- */

/* Is it list[p] for this p? */
static bool is_entry(const struct imp *e, const struct imp_var *list, const struct imp_var *p)
{
    e = imp_bare(e);
    return e->kind == IMP_LOAD && e->var == list && imp_is_read(imp_bare(e->arg[0]), p);
}

/* Returns the list whose entries name the elements that the loop sets to literals; NULL: the loop
 * does something else. */
static const struct imp_var *emptied_by(const struct imp *loop)
{
    const struct imp_var *list = NULL;
    bool apart = loop->mark && loop->mark->iterations == ITERATIONS_APART;
    for (int i = 0; i < body_count(loop->arg[2]); i++) {
        const struct imp *at = body_at(loop->arg[2], i);
        bool sets = at->kind == IMP_STORE && at->op == OP_NONE && at->arg[1]->kind == IMP_LITERAL
                    && imp_bare(at->arg[0])->kind == IMP_LOAD;
        list = sets && i == 0 ? imp_bare(at->arg[0])->var : list;
        apart = apart && sets && at->var != list && is_entry(at->arg[0], list, loop->var);
    }
    return apart ? list : NULL;
}

/* Does the statement, or expression, use the array at the coordinate only, to read it? */
static bool reads_only(const struct imp *imp, const struct imp_var *array, const struct imp_var *j)
{
    if (imp->var == array && (imp->kind != IMP_LOAD || !imp_is_read(imp_bare(imp->arg[0]), j)))
        return false;
    for (int i = 0; i < imp->args; i++)
        if (!reads_only(imp->arg[i], array, j))
            return false;
    return true;
}

static bool is_assigned(const struct imp *imp, void *var)
{
    return imp->var == var && !imp_is_expression(imp);
}

/* Does the first loop do with entries of the list what the second may do right behind it? */
static bool goes_together(const struct imp *first, const struct imp *second,
                          const struct imp_var *list)
{
    const struct imp *entry = body_at(first->arg[2], 0), *end = first->arg[1];
    bool same = first->n == 1 && second->n == 1 && imp_equal(first->arg[0], second->arg[0])
                && imp_equal(end, second->arg[1]) && first->arg[0]->kind == IMP_LITERAL
                && end->kind == IMP_VAR
                && !imp_any(first->arg[2], is_assigned, (void *)(size_t)end->var);
    if (!same || entry->kind != IMP_DECLARE || !entry->args
        || !is_entry(entry->arg[0], list, first->var) || imp_uses(first->arg[2], list) != 1
        || imp_has(first->arg[2], IMP_BIT(BREAK) | IMP_BIT(RETURN)))
        return false;
    for (int i = 1; i < body_count(first->arg[2]); i++)
        if (imp_any(body_at(first->arg[2], i), is_assigned, (void *)(size_t)entry->var))
            return false;
    for (int i = 0; i < body_count(second->arg[2]); i++)
        if (!reads_only(first->arg[2], body_at(second->arg[2], i)->var, entry->var))
            return false;
    return true;
}

/* Returns the two loops as one, or NULL. */
static const struct imp *joined(struct context *cx, const struct imp *first,
                                const struct imp *second)
{
    const struct imp_var *list = NULL;
    if (first->kind == IMP_FOR && second->kind == IMP_FOR)
        list = emptied_by(second);
    if (!list || !goes_together(first, second, list))
        return NULL;
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    imp_add_all(&b, first->arg[2]);
    const struct imp *entry = imp_read(cx, body_at(first->arg[2], 0)->var);
    for (int i = 0; i < body_count(second->arg[2]); i++) {
        const struct imp *set = body_at(second->arg[2], i);
        imp_add(&b, imp_store(cx, set->var, entry, OP_NONE, set->arg[1]));
    }
    return imp_around(cx, first, imp_end(&b));
}

/* ---- what is declared where it is set ---- */

/* Is it a loop whose every iteration sets the variable first? */
static bool sets_first(const struct imp *loop, const struct imp_var *var)
{
    if ((loop->kind != IMP_FOR && loop->kind != IMP_WHILE) || loop->var == var)
        return false;
    const struct imp *first = body_at(loop->arg[loop->args - 1], 0);
    for (int i = 0; i < loop->args - 1; i++)
        if (imp_mentions(loop->arg[i], var))
            return false;
    return body_count(loop->arg[loop->args - 1]) > 0 && first->kind == IMP_ASSIGN
           && first->var == var && first->op == OP_NONE && !imp_mentions(first->arg[0], var);
}

/* Returns the loop among the statements behind a declaration that has all uses of its variable and
 * sets it first; 0: none. */
static size_t find_setter(const struct statements *s, size_t declaration)
{
    const struct imp *declared = s->at[declaration];
    size_t found = 0;
    if (declared->kind != IMP_DECLARE || declared->var->array || !declared->args
        || declared->arg[0]->kind != IMP_LITERAL)
        return 0;
    for (size_t i = declaration + 1; i < s->n; i++) {
        if (!imp_mentions(s->at[i], declared->var))
            continue;
        if (found > 0 || !sets_first(s->at[i], declared->var))
            return 0;
        found = i;
    }
    return found;
}

static const struct imp *declared_inside(struct context *cx, const struct imp *loop)
{
    const struct imp *body = loop->arg[loop->args - 1], *set = body_at(body, 0);
    struct imp_builder b = {.cx = cx};
    imp_begin(&b);
    imp_add(&b, imp_declare(cx, set->var, set->arg[0]));
    for (int i = 1; i < body_count(body); i++)
        imp_add(&b, body_at(body, i));
    return imp_around(cx, loop, imp_end(&b));
}

/* ---- all ---- */

static const struct imp *tidy(struct context *cx, const struct imp *imp)
{
    if (imp->args == 0 || imp_is_expression(imp))
        return imp;
    const struct imp **arg = arena_array(cx->arena, const struct imp *, imp->args);
    struct statements s = {0};
    for (int i = 0; i < imp->args; i++)
        arg[i] = tidy(cx, imp->arg[i]);
    if (imp->kind != IMP_BLOCK)
        return imp_with_args(cx, imp, arg);
    for (int i = 0; i < imp->args; i++) {
        const struct imp *both = s.n > 0 ? joined(cx, s.at[s.n - 1], arg[i]) : NULL;
        if (both)
            s.at[s.n - 1] = both;
        else
            vec_push(cx->arena, &s, arg[i]);
    }
    for (size_t i = 0; i < s.n; i++) {
        size_t loop = find_setter(&s, i);
        if (loop == 0)
            continue;
        s.at[loop] = declared_inside(cx, s.at[loop]);
        for (size_t k = i--; k + 1 < s.n; k++)
            s.at[k] = s.at[k + 1];
        s.n--;
    }
    return (int)s.n == imp->args ? imp_with_args(cx, imp, s.at) : imp_block(cx, s.at, (int)s.n);
}

const struct imp_function *imp_tidy(struct context *cx, const struct imp_function *function,
                                    const struct pass_options *options)
{
    return imp_with_body(cx, function, tidy(cx, function->body));
}
