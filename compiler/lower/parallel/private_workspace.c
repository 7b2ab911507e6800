/* private_workspace.c - workspaces that are made outside a parallel loop and written in it, where
 * they do not have a place for every component.
 *
 *     parallel for part                  each makes a workspace of its own, and hands over what
 *         ...                            is in it: coordinates and values
 *     the entries of all parts           go into the workspace, in the order of the parts
 *
 * Lists are laid one behind the other; the order is that of the loop, as if it had not been
 * parallel, and so is what entries for one component add up to.  Where there is one part only its
 * list is the list, as it is.  Other workspaces are inserted into, one entry after the other; those
 * that are counted, count_apart.c has.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/lower/parallel/parallel.h"

/* ---- which there are ---- */

void apart_find(struct parallel *p, const struct scope *scope)
{
    struct kernel *k = p->k;
    struct cin_list made = cin_assignments(k->cx, p->node->statement);
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor_var *t = made.at[i]->arg[0]->tensor;
        if (scope->held.tensor == t
            || !tree_makes_apart(k->cx, scope->made->tree, p->node, made.at[i]))
            continue;
        struct apart a = {.whole = kernel_workspace(k, t)};
        if (!a.whole->way->run && !parallel_is_apart(p, a.whole))
            vec_push(k->cx->arena, &p->apart, a);
    }
}

/* ---- around the loop ---- */

void apart_open(struct parallel *p)
{
    struct kernel *k = p->k;
    for (size_t i = 0; i < p->apart.n; i++) {
        struct apart *a = &p->apart.at[i];
        const struct tensor_var *t = a->whole->code.tensor;
        a->begin = parallel_numbers(p, TYPE_I64, "%s_begin", t->name);
        a->handed = parallel_arrays(p, t->format->levels + k->computes, "%s_of", t->name);
    }
}

/* ---- in a part ---- */

/* Is the n-th array that is handed over that of the values? */
static bool is_values(const struct apart *a, int n)
{
    return n == a->whole->code.tensor->format->levels;
}

void apart_begin(struct parallel *p)
{
    p->workspaces = p->k->workspaces.n;
    for (size_t i = 0; i < p->apart.n; i++)
        p->apart.at[i].own = workspace_open_again(p->k, p->apart.at[i].whole);
}

/* Notes of the whole workspace what lowering a part has found about its order. */
static void note_order(struct workspace *whole, const struct workspace *own, bool tells)
{
    whole->assign = own->assign;
    workspace_note_order(whole, own->sorted_from, own->ascending);
    whole->repeats |= own->repeats || !tells;
}

void apart_end(struct parallel *p)
{
    struct kernel *k = p->k;
    const struct imp *part = imp_read(k->cx, p->part);
    for (size_t i = p->apart.n; i-- > 0;) {
        struct apart *a = &p->apart.at[i];
        struct entries in = {0};
        a->own->way->take_out(k, a->own, &in);
        imp_add(&k->b, imp_store(k->cx, a->begin, part, OP_NONE, imp_cast(k->cx, TYPE_I64, in.n)));
        for (int n = 0; n < a->handed->arrays; n++)
            parallel_keep(p, a->handed, n, part, is_values(a, n) ? in.values : in.crd[n]);
        const struct known told = access_told(k->cx, k->program, a->own->assign->arg[0]);
        note_order(a->whole, a->own, known_has(&told, p->node->statement->index[0]));
    }
    k->workspaces.n = p->workspaces;
}

/* ---- behind the loop ---- */

static struct imp_var *part_var(struct parallel *p) { return kernel_var(p->k, TYPE_I32, "part"); }

/* Reads the entries of the part again. */
static struct entries take_entries(struct parallel *p, const struct apart *a,
                                   const struct imp *part)
{
    struct kernel *k = p->k;
    const struct tensor_var *t = a->whole->code.tensor;
    struct entries in = {.crd =
                             arena_array(k->cx->arena, const struct imp_var *, t->format->levels)};
    for (int n = 0; n < a->handed->arrays; n++) {
        struct imp_var *array =
            is_values(a, n)
                ? kernel_array(k, t->type, "%s_vals", t->name)
                : kernel_array(k, workspace_entry_type(k, a->whole, n), "%s%d_crd", t->name, n + 1);
        array->restricted = true;
        parallel_take(p, array, a->handed, n, part);
        *(is_values(a, n) ? &in.values : &in.crd[n]) = array;
    }
    return in;
}

/* Inserts the entries of all parts, one after the other. */
static void insert_all(struct parallel *p, const struct apart *a)
{
    struct kernel *k = p->k;
    struct context *cx = k->cx;
    struct imp_var *part = part_var(p),
                   *entry = kernel_var(k, TYPE_I64, "p%s", a->whole->code.tensor->name);
    imp_begin(&k->b);
    struct entries in = take_entries(p, a, imp_read(cx, part));
    imp_begin(&k->b);
    workspace_put_entry(k, a->whole, &in, imp_read(cx, entry));
    const struct imp *body = imp_end(&k->b);
    imp_add(&k->b, imp_for(cx, entry, imp_i64(cx, 0), imp_load(cx, a->begin, imp_read(cx, part)), 1,
                           body));
    parallel_each(p, part, imp_end(&k->b));
}

/* Puts the parts' lists behind what is in the whole, each at its place. */
static void join_lists(struct parallel *p, const struct apart *a)
{
    struct kernel *k = p->k;
    const struct workspace *ws = a->whole;
    struct imp_var *all = kernel_var(k, TYPE_I64, "n%s_all", ws->code.tensor->name);
    const struct imp *total =
        imp_let(&k->b, all, parallel_scan(p, a->begin, workspace_entries(k, ws)));
    workspace_check_entries(k, ws, total);
    const struct imp *room = workspace_capacity(k, ws, total);
    for (int n = 0; n < a->handed->arrays; n++)
        parallel_join(p, is_values(a, n) ? ws->vals : ws->crd[n], a->handed, n, a->begin, room);
    imp_add(&k->b, imp_assign(k->cx, ws->count, OP_NONE, imp_cast(k->cx, ws->count->type, total)));
}

void apart_join(struct parallel *p)
{
    struct kernel *k = p->k;
    for (size_t i = 0; i < p->apart.n; i++) {
        const struct apart *a = &p->apart.at[i];
        if (a->whole->way->put)
            insert_all(p, a);
        else
            join_lists(p, a);
        imp_add(&k->b, imp_free(k->cx, a->begin));
        imp_add(&k->b, imp_free(k->cx, a->handed));
    }
}
