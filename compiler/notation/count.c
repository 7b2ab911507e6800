/* count.c - stored(A) without indices: the number of components that A stores.
 *
 *     n = stored(A)      n = sum(i, j, i64(stored(A(i,j))))
 *
 * A's order follows from another access in the statement, or else from A's format if that fixes
 * the order, as csr does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/notation/notation.h"

#include "compiler/base/vec.h"
#include "compiler/format/format.h"

struct counting {
    struct context *cx;
    const struct tin *all;
    const struct tin_declarations *declared;
    VEC(const char *) made; /* new names */
    bool failed;
};

/* A statement may count the components of tensors with this many modes in all.  The other index
 * variables of its limit are its own. */
enum { MODES_MAX = 64 };

static bool is_count(const struct tin *e)
{
    return e->kind == TIN_OP && e->op == OP_STORED && e->arg[0]->indices == 0;
}

static bool counts(const struct tin *e)
{
    bool some = is_count(e);
    for (int i = 0; i < e->args && !some; i++)
        some = counts(e->arg[i]);
    return some;
}

/* Finds the first access to the tensor that is not such a count.  NULL if there is none. */
static const struct tin *find_access(const struct tin *e, const char *name)
{
    const struct tin *found = e->kind == TIN_ACCESS && e->tensor->name == name ? e : NULL;
    for (int i = 0; i < e->args && !found && !is_count(e); i++)
        found = find_access(e->arg[i], name);
    return found;
}

/* Returns -1 if nothing tells the order. */
static int find_order(struct counting *c, const char *name)
{
    const struct tin *access = find_access(c->all, name);
    int order = access ? access->indices : -1;
    for (int i = 0; i < c->declared->tensors && order < 0; i++) {
        const struct tin_declaration *d = &c->declared->tensor[i];
        if (d->format && intern(c->cx, d->name) == name)
            order = format_find_order(c->cx, d->format, c->declared->defaults);
    }
    return order;
}

/* Returns the first unused name among i, j, k, ..., then i2, j2, ... */
static const char *unused_count_name(struct counting *c)
{
    enum { LETTERS = 5 };
    for (int n = 0;; n++) {
        const char *name = arena_printf(c->cx->arena, "%c", 'i' + n % LETTERS);
        if (n >= LETTERS)
            name = arena_printf(c->cx->arena, "%s%d", name, n / LETTERS + 1);
        name = intern(c->cx, name);
        bool used = tin_uses_name(c->all, name);
        for (size_t i = 0; i < c->made.n; i++)
            used |= c->made.at[i] == name;
        if (used)
            continue;
        vec_push(c->cx->arena, &c->made, name);
        return name;
    }
}

static const struct tin *cannot_count(struct counting *c, const struct tin *e, int order)
{
    const char *name = e->arg[0]->tensor->name;
    struct diag *diag =
        order == 0 ? diag_error(c->cx, DIAG_SYNTAX, e->arg[0]->span, "%s is a number", name)
                   : diag_error(c->cx, DIAG_ORDER, e->arg[0]->span,
                                "nothing says how many modes %s has", name);
    if (order == 0)
        diag_help(c->cx, diag, "stored(A) counts the components that a tensor A stores");
    else
        diag_help(c->cx, diag, "give it a format that is for one order, as in {declaration %s:csr}",
                  name);
    c->failed = true;
    return e;
}

static const struct tin *count(struct counting *c, const struct tin *e)
{
    struct context *cx = c->cx;
    int order = find_order(c, e->arg[0]->tensor->name);
    if (order <= 0)
        return cannot_count(c, e, order);
    if (c->made.n + (size_t)order > MODES_MAX) {
        diag_error(cx, DIAG_LIMIT, e->span, "a statement counts tensors with %d modes in all",
                   MODES_MAX);
        c->failed = true;
        return e;
    }
    const struct index_var **index = arena_array(cx->arena, const struct index_var *, order);
    struct span *spans = arena_array(cx->arena, struct span, order);
    for (int m = 0; m < order; m++) {
        struct index_var *var = arena_make(cx->arena, struct index_var);
        *var = (struct index_var){.name = unused_count_name(c), .size = -1};
        index[m] = var;
        spans[m] = e->span;
    }
    struct tin *access =
        (struct tin *)tin_access(cx, e->arg[0]->span, e->arg[0]->tensor, index, order);
    access->index_span = spans;
    const struct tin *arg = access;
    arg = tin_op(cx, e->span, OP_STORED, &arg, 1);
    arg = tin_op(cx, e->span, OP_TO_I64, &arg, 1);
    struct tin *sum = (struct tin *)tin_reduce(cx, e->span, OP_ADD, index, order, arg);
    sum->index_span = spans;
    return sum;
}

static const struct tin *rewrite(struct counting *c, const struct tin *e)
{
    if (!counts(e))
        return e;
    if (is_count(e))
        return count(c, e);
    struct tin *changed = arena_copy(c->cx->arena, e, sizeof *e);
    const struct tin **arg = arena_array(c->cx->arena, const struct tin *, e->args);
    for (int i = 0; i < e->args; i++) {
        arg[i] = rewrite(c, e->arg[i]);
        if (arg[i]->height >= changed->height)
            changed->height = arg[i]->height + 1;
    }
    changed->arg = arg;
    return changed;
}

const struct tin *tin_count(struct context *cx, const struct tin *all,
                            const struct tin_declarations *declared)
{
    struct counting c = {.cx = cx, .all = all, .declared = declared};
    const struct tin *counted = rewrite(&c, all);
    return c.failed ? NULL : counted;
}
