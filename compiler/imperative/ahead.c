/* ahead.c - what a loop over stored coordinates will need soon.
 *
 * A loop that reads a row of a dense array for each coordinate jumps about in memory, where no
 * hardware can guess.  The coordinates of later iterations are known, so the rows can be asked for
 * in time:
 *
 *     ahead = pos[i + 1] <= pos[m] - 16 ? 16 : 0;
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         ... X[crd[p]*n + r .. +8] ...
 *         prefetch(X, crd[p + ahead]*n + r);
 *     }
 *
 * The row is reduced into (tile.c), or reduced into a scalar in a loop of its own (reduce.c).  Or
 * it is read or written as it is, where each of its elements is combined with those of others:
 *
 *     for (p = pos[i]; p < pos[i + 1]; p++) {
 *         for (line = 0; line < n; line += 8)
 *             prefetch(Y, crd[p + ahead]*n + line);
 *         for (r = 0; r < n; r++)
 *             Y[crd[p]*n + r] += ...;
 *     }
 *
 * Rows are short, so that this goes on into the rows that come after: segments follow each other,
 * up to where the loop's mark says that the last one ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compiler/imperative/simplify.h"
#include "compiler/imperative/vectorize.h"

enum { AHEAD = 16, FETCHES = 4, CACHE_LINE = 64 };

struct fetches {
    const struct lanes *row, *loop;
    const struct imp *load[FETCHES];
    int n;
};

static bool is_load(const struct imp *imp, void *data) { return imp->kind == IMP_LOAD; }

/* Does the expression read arrays only at the loop's variable: coordinates, which other iterations
 * find there, too, as no one writes them? */
static bool reads_coordinates(const struct lanes *l, const struct imp *e)
{
    if (e->kind == IMP_LOAD)
        return e->var->constant && e->arg[0]->kind == IMP_VAR && e->arg[0]->var == l->var;
    for (int i = 0; i < e->args; i++)
        if (!reads_coordinates(l, e->arg[i]))
            return false;
    return e->kind != IMP_CALL;
}

static bool is_noted(const struct fetches *f, const struct imp *imp)
{
    for (int i = 0; i < f->n; i++)
        if (f->load[i]->var == imp->var && imp_equal(f->load[i]->arg[0], imp->arg[0]))
            return true;
    return false;
}

/* Note the contiguous loads, and stores, whose place jumps with the loop's variable. */
static bool note_load(const struct imp *imp, void *data)
{
    struct fetches *f = data;
    if ((imp->kind != IMP_LOAD && imp->kind != IMP_STORE) || f->n == FETCHES || is_noted(f, imp)
        || !lanes_is_contiguous(f->row, imp->arg[0]))
        return false;
    const struct imp *place =
        lanes_scalar(f->loop, imp->arg[0], imp_read(f->loop->cx, f->loop->var));
    if (imp_any(place, is_load, NULL) && reads_coordinates(f->loop, place))
        f->load[f->n++] = imp;
    return false;
}

/* How far ahead the loop may look: a declaration. */
static const struct imp *distance(struct vectorizer *z, const struct imp *loop,
                                  const struct imp *end)
{
    struct context *cx = z->cx;
    enum type type = loop->var->type;
    const struct imp *more = imp_op2(cx, OP_LE, loop->arg[1], lanes_plus(cx, end, -AHEAD));
    const struct imp *n = imp_select(cx, more, imp_int(cx, type, AHEAD), imp_int(cx, type, 0));
    return imp_declare(
        cx, vector_var(z, arena_printf(cx->arena, "%s_ahead", loop->var->name), type, 1), n);
}

/* What is fetched of the row, and how far ahead it may be looked for; false: nothing. */
static bool find_fetches(struct vectorizer *z, struct ahead *around, const struct imp *row,
                         struct fetches *f)
{
    const struct imp *loop = around->loop;
    const struct imp *end = loop->mark && loop->n == 1 ? loop->mark->last : NULL;
    imp_any(row->arg[2], note_load, f);
    if (!end || f->n == 0)
        return false;
    if (!around->declared)
        around->declared = distance(z, loop, end);
    return true;
}

static int line_elements(const struct imp *load)
{
    return CACHE_LINE / (int)type_size(load->var->type);
}

/* The place in the row that comes then. */
static const struct imp *next_place(const struct ahead *around, const struct fetches *f,
                                    const struct imp *load, const struct imp *at)
{
    struct context *cx = f->row->cx;
    const struct imp *next =
        imp_op2(cx, OP_ADD, imp_read(cx, around->loop->var), imp_read(cx, around->declared->var));
    return lanes_scalar(f->loop, lanes_scalar(f->row, load->arg[0], at), next);
}

const struct imp *vectorize_ahead(struct vectorizer *z, struct ahead *around, const struct imp *row,
                                  const struct imp *at, int elements)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    struct lanes in_row = {.cx = cx, .var = row->var, .body = row->arg[2]};
    struct lanes in_loop = {.cx = cx, .var = around->loop->var, .body = around->loop->arg[2]};
    struct fetches f = {.row = &in_row, .loop = &in_loop};
    if (!find_fetches(z, around, row, &f))
        return NULL;
    imp_begin(&b);
    for (int i = 0; i < f.n; i++) {
        const struct imp *place = next_place(around, &f, f.load[i], at);
        struct imp_var *base =
            vector_var(z, arena_printf(cx->arena, "%s_next", f.load[i]->var->name), place->type, 1);
        place = imp_let(&b, base, place);
        for (int n = 0; n < elements; n += line_elements(f.load[i]))
            imp_add(&b, imp_prefetch(cx, f.load[i]->var, lanes_plus(cx, place, n)));
    }
    return imp_end(&b);
}

const struct imp *vectorize_row_ahead(struct vectorizer *z, struct ahead *around,
                                      const struct imp *row)
{
    struct context *cx = z->cx;
    struct imp_builder b = {.cx = cx};
    struct lanes in_row = {.cx = cx, .var = row->var, .body = row->arg[2]};
    struct lanes in_loop = {.cx = cx, .var = around->loop->var, .body = around->loop->arg[2]};
    struct fetches f = {.row = &in_row, .loop = &in_loop};
    if (!find_fetches(z, around, row, &f))
        return NULL;
    imp_begin(&b);
    for (int i = 0; i < f.n; i++) {
        struct imp_var *line = vector_var(z, "line", TYPE_I64, 1);
        const struct imp *at = imp_cast(cx, row->var->type, imp_read(cx, line)),
                         *place = next_place(around, &f, f.load[i], at);
        imp_add(&b, imp_for(cx, line, imp_cast(cx, TYPE_I64, row->arg[0]),
                            imp_cast(cx, TYPE_I64, row->arg[1]), line_elements(f.load[i]),
                            imp_prefetch(cx, f.load[i]->var, place)));
    }
    return imp_end(&b);
}

const struct imp *vectorize_behind(struct vectorizer *z, const struct ahead *around,
                                   const struct imp *loop)
{
    return around->declared
               ? imp_block(z->cx, (const struct imp *const[]){around->declared, loop}, 2)
               : loop;
}
